/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts in one dimension: the ring, and the line that no link closes. */
#include "schedule/shift/shift.h"

/* Links of dimension `dim`; radix 2 has one for both ways. */
static unsigned up(unsigned dim)
{
    return 2 * dim;
}

static unsigned down(const struct ec_topology *t, unsigned dim)
{
    return t->radix[dim] == 2 ? 2 * dim : 2 * dim + 1;
}

enum ec_code ring_make(struct plan *p, struct ec_error *reterr)
{
    const struct ec_topology *t = p->t;
    const bool ring = t->dims == 1 && (t->kind == EC_RING || t->kind == EC_TORUS);
    struct journey j = {0};
    enum ec_code code = shift_check(p, "a ring (ring:8)", ring, reterr);
    if (code)
        return code;
    code = journey_open(p, &j, reterr);
    if (code)
        return code;

    const uint32_t q = p->w->shift, back = t->nodes - q;
    const unsigned link = q <= back ? up(0) : down(t, 0);
    plan_expect(p, (uint64_t)(q <= back ? q : back) * j.nodes);
    for (uint32_t left = q <= back ? q : back; left > 0 && !plan_full(p); left--, j.step++) {
        for (uint32_t i = 0; i < j.nodes; i++)
            journey_cross(&j, i, link);
    }
    journey_close(&j);
    return EC_OK;
}

/* The dimension of a line, or EC_DIMS_MAX if `t` is none: all others have radix 1. */
static unsigned line_dim(const struct ec_topology *t)
{
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->radix[d] == t->nodes && t->kind == EC_MESH)
            return d;
    }
    return EC_DIMS_MAX;
}

/* Elements that meet in a node lie in different slots: those on the way up in 1, those on the way
 * down in 2, those that have arrived in 0. */
enum ec_code line_make(struct plan *p, struct ec_error *reterr)
{
    const unsigned dim = line_dim(p->t);
    enum ec_code code = shift_check(p, "a line (mesh:8, mesh:8x1)", dim < EC_DIMS_MAX, reterr);
    if (code)
        return code;
    code = plan_elements(p, 1, p->w->words, reterr);
    if (code)
        return code;

    const uint32_t nodes = p->t->nodes, q = p->w->shift;
    plan_expect(p, 2 * (uint64_t)q * (nodes - q));
    for (uint32_t i = 0; i < nodes && !plan_full(p); i++) {
        const bool wraps = i + q >= nodes;
        const uint32_t hops = wraps ? nodes - q : q;
        plan_target(p, i, wraps ? i - hops : i + hops, 0);
        for (uint32_t h = 0; h < hops; h++) {
            const uint32_t at = wraps ? i - h : i + h;
            plan_transfer(p, h + 1, at, wraps ? at - 1 : at + 1);
            plan_carry(p, i, h + 1 == hops ? 0 : wraps ? 2 : 1);
        }
    }
    return EC_OK;
}
