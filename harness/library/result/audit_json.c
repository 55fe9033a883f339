/* SPDX-License-Identifier: Apache-2.0 */
/* What is proved of a case without simulation, and its JSON record. keys.def defines the keys and
 * their meaning; this file computes the values that need more than an expression. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/usage.h"
#include "ecube/route.h"
#include "paths.h"
#include "result/channels.h"
#include "result/parameters.h"
#include "result/records.h"

/* --- Proofs ----------------------------------------------------------------------------------- */

/* The two paths of the witness, hop by hop. */
static enum ec_code find_paths(const struct ec_case *c, struct ec_proofs *p, struct ec_error *e)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct ec_message *m = &c->workload->messages[c->audit->witness[i]];
        const size_t n = ec_route_drawn(&c->topology, &c->router, m->src, m->dst, m->way, NULL, 0);
        p->path[i] = calloc(n + 1, sizeof *p->path[i]);
        if (!p->path[i])
            return ec_fail(e, EC_MEMORY, "out of memory");
        p->hops[i] =
            ec_route_drawn(&c->topology, &c->router, m->src, m->dst, m->way, p->path[i], n);
    }
    return EC_OK;
}

enum ec_code ec_proofs_open(struct ec_case *c, struct ec_proofs **ret, struct ec_error *reterr)
{
    const double begin = ec_clock(CLOCK_MONOTONIC);
    struct ec_proofs *p = calloc(1, sizeof *p);
    if (!p)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    enum ec_code code = ec_case_audit(c, false, reterr);
    if (code == EC_OK)
        code = ec_deadlock_free(&c->topology, &c->router, &p->deadlock_free, &p->waiting,
                                &p->waiting_count, reterr);
    if (code == EC_OK && c->router.table)
        code = ec_table_check(c->router.table, &c->topology, &p->longer, reterr);
    if (code == EC_OK)
        code = ec_case_warning(c, &p->warning, reterr);
    if (code == EC_OK && c->audit && !c->audit->congestion_free)
        code = find_paths(c, p, reterr);
    if (code == EC_OK)
        code = ec_case_bounds(c, &p->bounds, reterr);
    if (code == EC_OK)
        code = ec_case_predict(c, &p->has_prediction, &p->predicted_cycles, reterr);
    if (code != EC_OK) {
        ec_proofs_close(p);
        return code;
    }
    if (c->audit && !c->schedule && c->workload->sdp && c->workload->per_node == 1 &&
        !ec_router_draws(&c->router))
        p->has_bits =
            ec_bit_loads_of(c->workload->sdp, c->router.order, &c->audit->busiest, &p->bits);
    p->seconds = ec_clock(CLOCK_MONOTONIC) - begin;
    *ret = p;
    return EC_OK;
}

void ec_proofs_close(struct ec_proofs *p)
{
    if (!p)
        return;
    free(p->waiting);
    free(p->path[0]);
    free(p->path[1]);
    free(p);
}

bool ec_proofs_hold(const struct ec_case *c, const struct ec_proofs *p)
{
    const bool does_it = !c->schedule || (c->found.sound && c->found.placed);
    return p->deadlock_free && !ec_workload_can_deadlock(c->workload) && does_it;
}

/* --- The loads of permutations of address bits, in words -------------------------------------- */

/* "0, 1": the bits of the set, or the places that they go to. */
static void add_bits(const struct ec_case *c, const struct ec_bit_loads *b, bool places, char *text,
                     size_t size)
{
    const struct ec_sdp inverse = ec_sdp_inverse(c->workload->sdp);
    const char *separator = "";
    for (unsigned bit = 0; bit < b->dims; bit++) {
        if (!(b->passing >> bit & 1))
            continue;
        const unsigned place = inverse.from[inverse.storage + bit] - inverse.storage;
        ec_append(text, size, "%s%u", separator, places ? place : bit);
        separator = ", ";
    }
}

void result_bits_reason(const struct ec_case *c, const struct ec_proofs *p, char *text, size_t size)
{
    const struct ec_bit_loads *b = &p->bits;
    const uint64_t load = b->load[b->worst];
    *text = '\0';
    if (!b->passing) {
        snprintf(text, size, "none passes a dimension that messages cross");
        return;
    }
    add_bits(c, b, false, text, size);
    ec_append(text, size, " pass%s dimension %u, to ", load == 2 ? "es" : "", b->worst);
    add_bits(c, b, true, text, size);
    ec_append(text, size, ": %" PRIu64 " messages on each link used there", load);
}

/* --- The record ------------------------------------------------------------------------------- */

struct result {
    const struct ec_case *c;
    const struct ec_proofs *p;
    const struct ec_result_details *more;
};

static json_t *witness_path(const struct result *r, unsigned which)
{
    json_t *path = json_array();
    for (size_t i = 0; i < r->p->hops[which]; i++)
        path = record_append(path, record_number(r->p->path[which][i].node));
    const size_t message = r->c->audit->witness[which];
    return record_append(path, record_number(r->c->workload->messages[message].dst));
}

static json_t *witnessed(const struct result *r, unsigned which)
{
    const struct ec_message *m = &r->c->workload->messages[r->c->audit->witness[which]];
    return RECORD(WITNESSED_KEYS);
}

static json_t *witnesses(const struct result *r)
{
    json_t *list = record_append(json_array(), witnessed(r, 0));
    return record_append(list, witnessed(r, 1));
}

static json_t *witness(const struct result *r)
{
    const struct ec_audit *a = r->c->audit;
    char name[200];
    if (!a || a->congestion_free)
        return json_null();
    channel_name(&r->c->topology, a->locals, a->busiest, name, sizeof name);
    return RECORD(WITNESS_KEYS);
}

static json_t *waiting(const struct ec_topology *t, const struct ec_vertex *v)
{
    char name[32];
    ec_topology_link_name(t, v->link, name, sizeof name);
    return RECORD(WAITING_KEYS);
}

static json_t *waiting_cycle(const struct result *r)
{
    if (r->p->deadlock_free)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < r->p->waiting_count; i++)
        list = record_append(list, waiting(&r->c->topology, &r->p->waiting[i]));
    return list;
}

static json_t *bound_channel(const struct result *r)
{
    const struct ec_case *c = r->c;
    char name[200];
    if (!r->p->bounds.has_rate)
        return json_null();
    channel_name(&c->topology, ec_router_locals(&c->router, &c->topology), r->p->bounds.channel,
                 name, sizeof name);
    return record_text(name);
}

static json_t *bit_reason(const struct result *r)
{
    char text[400];
    if (!r->p->has_bits)
        return json_null();
    result_bits_reason(r->c, r->p, text, sizeof text);
    return record_text(text);
}

static json_t *bit_loads(const struct result *r)
{
    json_t *list = r->p->has_bits ? json_array() : json_null();
    for (unsigned d = 0; d < r->p->bits.dims; d++)
        list = record_append(list, record_number(r->p->bits.load[d]));
    return list;
}

static json_t *bit_order(const struct result *r)
{
    json_t *list = r->p->has_bits ? json_array() : json_null();
    for (unsigned i = 0; i < r->p->bits.dims; i++)
        list = record_append(list, record_number(r->p->bits.order[i]));
    return list;
}

static json_t *verdict(const struct result *r)
{
    const struct ec_check *x = r->more->expected;
    const bool met = !x || x->verdict != EC_VERDICT_FAIL;
    return record_text(met && ec_proofs_hold(r->c, r->p) ? "pass" : "fail");
}

const struct record_key result_audit_keys[] = RECORD_KEYS(AUDIT_KEYS);

json_t *result_audit(const struct ec_case *c, const struct ec_proofs *p,
                     const struct ec_result_details *details)
{
    static const struct ec_result_details nothing;
    const struct ec_audit *a = c->audit;
    const struct result own = {.c = c, .p = p, .more = details ? details : &nothing}, *r = &own;
    return RECORD(AUDIT_KEYS);
}

enum ec_code ec_audit_json(const struct ec_case *c, const struct ec_proofs *p,
                           const struct ec_result_details *details, bool one_line, FILE *out,
                           struct ec_error *reterr)
{
    json_t *whole = result_audit(c, p, details);
    const bool good = whole && record_print_json(whole, one_line, out);
    json_decref(whole);
    return good ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory while writing a result");
}
