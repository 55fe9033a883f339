/* SPDX-License-Identifier: Apache-2.0 */
/* Which deadlocks are possible, and which options prevent them. Without a cycle in the dependency
 * graph, a deadlock is the fault of the router. Must not know who asks. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "ecube/result.h"

enum { RING_SHOWN = 8 };

/* Datelines need two VCs for a lane of each message class. A file has its own classes. */
static void find_remedy(const struct ec_case *c, bool safe, char *text, size_t size)
{
    const bool adapts = c->router.routing == EC_ROUTING_ADAPTIVE;
    const unsigned least = (adapts ? 4 : 2) * ec_router_classes(&c->router);
    if (!safe && !*c->router.table_file && (adapts || !ec_router_chooses(&c->router)))
        snprintf(text, size, "--router vcs=%u,dateline=on",
                 c->router.vcs < least ? least : c->router.vcs);
}

/* "0 -> 1 -> 2 -> 3 -> 0". `cycle`: of a table, instead of a ring. */
static void name_ring(const struct ec_case *c, const struct ec_deadlock *d,
                      const struct ec_vertex *cycle, char *text, size_t size)
{
    uint32_t node = cycle ? cycle->node : d->ring.node;
    const uint32_t first = node;
    *text = '\0';
    for (size_t i = 0; i < d->length && i < RING_SHOWN; i++) {
        const struct ec_vertex *v = cycle ? &cycle[i] : &d->ring;
        ec_append(text, size, "%" PRIu32 " -> ", node);
        node = ec_topology_neighbor(&c->topology, node, v->link);
    }
    ec_append(text, size, "%s%" PRIu32, d->length > RING_SHOWN ? "... -> " : "", first);
}

enum ec_code ec_case_warning(const struct ec_case *c, struct ec_warning *ret,
                             struct ec_error *reterr)
{
    struct ec_deadlock d;
    struct ec_vertex *cycle = NULL;
    bool safe;
    char ring[130], routing[300] = "", lanes[40] = "";
    *ret = (struct ec_warning){.possible = EC_ANSWER_UNCHECKED};
    enum ec_code code = ec_case_deadlock(c, &d, reterr);
    if (code == EC_OK)
        code = ec_deadlock_free(&c->topology, &c->router, &safe, &cycle, NULL, reterr);
    if (code != EC_OK)
        return code;
    find_remedy(c, safe, ret->remedy, sizeof ret->remedy);
    ret->possible = d.possible;
    name_ring(c, &d, c->router.table || c->router.routing == EC_ROUTING_ADAPTIVE ? cycle : NULL,
              ring, sizeof ring);
    free(cycle);
    if (d.length)
        snprintf(routing, sizeof routing, ": %zu channels wait for each other (%s): use %s",
                 d.length, ring, *ret->remedy ? ret->remedy : "another table");
    if (ec_router_lanes(&c->router) < 2)
        snprintf(lanes, sizeof lanes, " with --router vcs=%u", 2 * c->router.vcs);
    if (d.length || d.protocol)
        snprintf(ret->text, sizeof ret->text, "can deadlock%s%s%s%s%s",
                 d.possible == EC_ANSWER_YES
                     ? ""
                     : ", unless the router or the order of the messages prevents it",
                 routing, d.length && d.protocol ? "; and" : "",
                 d.protocol ? ": requests that wait at full nodes can keep replies from leaving "
                              "them: use queue=inf, or classes=2"
                            : "",
                 d.protocol ? lanes : "");
    return EC_OK;
}

const char *ec_answer_name(enum ec_answer answer)
{
    return answer == EC_ANSWER_YES ? "yes" : answer == EC_ANSWER_NO ? "no" : "not checked";
}
