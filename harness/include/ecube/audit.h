/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: what can be proved about the paths of a workload without simulation.
 *
 * A *channel* is a directed link (node, link), an injection port or an ejection port (node, local).
 * Its *load* is the number of messages whose path uses it.
 *
 * If messages wait for each other in steps (workload.order->step), messages of different steps are
 * not in the network together. Then congestion_free, max_step_load, busiest and witness concern the
 * messages of one step, all other numbers all messages. */
#ifndef ECUBE_AUDIT_H
#define ECUBE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/route.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

enum ec_channel_kind { EC_CHANNEL_LINK, EC_CHANNEL_INJECT, EC_CHANNEL_EJECT };

struct ec_channel {
    enum ec_channel_kind kind;
    uint32_t node;
    unsigned port; /* link, or local port */
};

struct ec_audit {
    /* Loads in messages; index node * links + link, node * locals + local. Owned. */
    uint32_t *link_load, *inject_load, *eject_load;
    /* The same in words; NULL unless `with_words`. Owned. */
    uint64_t *link_words, *inject_words, *eject_words;
    unsigned links, locals;
    bool congestion_free;      /* max_step_load <= 1 */
    uint32_t max_link_load;    /* over directed links */
    uint32_t max_channel_load; /* over all channels, local ports included */
    uint32_t max_step_load;    /* the same, of the messages of one step; = max_channel_load
                                  without steps */
    struct ec_channel busiest; /* a channel of load max_step_load: links first, lowest index; with
                                  steps the one of the earliest step */
    size_t witness[2]; /* indices of the two messages with the shortest paths through `busiest`;
                          valid unless congestion_free */
    unsigned max_hops;
    uint64_t total_hops;    /* sum over messages */
    uint64_t flit_hops;     /* sum over messages of words * hops */
    uint64_t channels;      /* directed links that exist */
    uint64_t channels_used; /* directed links of load >= 1 */
};

/* Audit a closed workload. `with_words` fills the *_words arrays too. The caller closes the audit.
 * EC_USAGE: an open-loop workload, another number of nodes, too many words. EC_MEMORY. */
enum ec_code ec_audit_open(const struct ec_topology *t, const struct ec_router *r,
                           const struct ec_workload *w, bool with_words, struct ec_audit **ret,
                           struct ec_error *reterr);
void ec_audit_close(struct ec_audit *a); /* accepts NULL */

/* A channel with its virtual channel class, as a vertex of the dependency graph. */
struct ec_vertex {
    uint32_t node;
    unsigned link, class_;
};

/* Deadlock freedom of the *routing* on this topology, for all pairs of nodes: *ret_free is true if
 * its channel dependency graph is acyclic (Dally and Seitz 1987). Else *ret_cycle gets a cycle of
 * *ret_length channels, which the caller frees; both may be NULL. EC_MEMORY. */
enum ec_code ec_deadlock_free(const struct ec_topology *t, const struct ec_router *r,
                              bool *ret_free, struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr);

#pragma GCC visibility pop

#endif
