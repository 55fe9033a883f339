/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts: the table of algorithms, their common parts, rings and lines. */
#include "schedule/shift/shift.h"

#include <stdlib.h>

const struct plan_algorithm plan_shift_algorithms[] = {
    {.info = {"ring", "", "shift on ring:P",
              "all elements go the shorter way round, min(q, P-q) steps", "Grama et al., 4.6.1"},
     .make = ring_make},
    {.info = {"line", "", "shift on mesh:P, mesh:Px1, mesh:1xP",
              "no wraparound: each element goes straight, max(q, P-q) steps, all ports",
              "docs/study/SHIFTS.md"},
     .all_ports = true,
     .make = line_make},
    {.info = {"forward", "", "shift on torus:AxB[xC...], ring:P",
              "each dimension forward by its digit of q, lowest first; above the lowest "
              "digit > 0, one step more for elements that carry: the sum of the digits and "
              "of these steps; torus:SxS with r = q mod S and c = q div S: r + [r>0] + c",
              "Grama et al., 4.6.1; Gohil, III; docs/study/SHIFTS.md"},
     .make = torus_make,
     .shift = torus_forward},
    {.info = {"plain", "", "shift on torus:AxB[xC...], ring:P",
              "as forward, each dimension the shorter way; torus:SxS: min(r, S-r) + [r>0] + "
              "min(c, S-c) steps",
              "Grama et al., 4.6.1; Gergel, (3.19); docs/study/SHIFTS.md"},
     .make = torus_make,
     .shift = torus_plain},
    {.info = {"merged", "", "shift on torus:AxB[xC...], ring:P",
              "as plain, the extra step counted into the choice of the way; torus:SxS: "
              "min(r, S-r) + min(c+1, S-c) steps, min(c, S-c) where r = 0",
              "docs/study/SHIFTS.md"},
     .make = torus_make,
     .shift = torus_merged},
    {.info = {"per-column", "", "shift on torus:AxB[xC...], ring:P",
              "every line of a dimension its own shorter way; torus:SxS: min(r, S-r) + "
              "max(min(c, S-c), min(c+1, S-c-1)) steps; always the distance of the worst "
              "element, so no schedule takes fewer",
              "docs/study/SHIFTS.md"},
     .make = torus_make,
     .shift = torus_per_column},
    {.info = {"compensate-each-row", "", "shift on torus:SxS",
              "rows east, after each of their steps column 0 one step south, then columns "
              "south: 2r + c steps",
              "Gergel, circular shift"},
     .make = torus_each_row_make},
    {.info = {"compensate-wrapped", "", "shift on torus:SxS",
              "wrong on purpose where rows go west: as plain, but elements that wrapped go "
              "one row south (a negative control)",
              "Grama et al., 4.6.1, misread"},
     .aside = true,
     .make = torus_square_make,
     .shift = torus_wrapped},
    {.info = {"gray-forward", "order=A|B|C", "shift with labels=gray on cube:D",
              "a phase for each one in q, highest first, two links each (the last bit: "
              "one): 2 popcount(q) - (q mod 2) steps",
              "Grama et al., 4.6.2; Gergel, (3.20)"},
     .tries = "A|B|C",
     .make = gray_forward_make},
    {.info = {"gray-signed", "order=A|B|C", "shift with labels=gray on cube:D",
              "phases forward and backward by the non-adjacent form of q: at most D steps",
              "Grama et al., 4.6.2"},
     .tries = "A|B|C",
     .make = gray_signed_make},
    {.info = {"ecube-steps", "order=low|high|mixed|D-D-D", "any permutation on cube:D",
              "the paths of direct, one dimension a step, for all messages in the same "
              "order; mixed: the upper half of the nodes highest first, the others lowest "
              "first (a negative control)",
              "Grama et al., 4.6.2"},
     .tries = "low|high",
     .make = ecube_steps_make},
    {.info = {"two-phase", "order=low|high", "any linear permutation y = A x + b on cube:D",
              "whole messages by way of another node, in two phases without congestion, one "
              "if direct has none: for routers with the same order= of dimensions",
              "docs/study/BEYOND.md, theorem 7"},
     .routed = true,
     .tries = "high|low", /* of equal schedules, the last one is kept */
     .make = two_phase_make},
    {.info = {.name = NULL}},
};

enum ec_code journey_open(struct plan *p, struct journey *ret, struct ec_error *reterr)
{
    const enum ec_code code = plan_elements(p, 1, p->w->words, reterr);
    if (code)
        return code;
    *ret = (struct journey){.p = p, .step = 1, .nodes = p->t->nodes};
    ret->at = malloc(ret->nodes * sizeof *ret->at);
    if (!ret->at)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (uint32_t i = 0; i < ret->nodes; i++)
        ret->at[i] = i;
    for (size_t i = 0; i < p->w->message_count; i++)
        plan_target(p, p->w->messages[i].src, p->w->messages[i].dst, 0);
    return EC_OK;
}

void journey_close(struct journey *j)
{
    free(j->at);
    j->at = NULL;
}

void journey_send(struct journey *j, uint32_t element, uint32_t node)
{
    plan_transfer(j->p, j->step, j->at[element], node);
    plan_carry(j->p, element, 0);
    j->at[element] = node;
}

void journey_cross(struct journey *j, uint32_t element, unsigned link)
{
    journey_send(j, element, ec_topology_neighbor(j->p->t, j->at[element], link));
}

bool shift_square_torus(const struct ec_topology *t)
{
    return t->kind == EC_TORUS && t->dims == 2 && t->radix[0] == t->radix[1];
}

/* The algorithms for shifts on `t`. */
static const char *shifts_on(const struct ec_topology *t)
{
    if (t->kind == EC_CUBE)
        return "gray-forward, gray-signed (with labels=gray), ecube-steps or direct";
    if (t->dims == 1)
        return t->kind == EC_MESH ? "line or direct" : "ring or direct";
    return t->kind == EC_TORUS ? "forward, plain, merged, per-column or direct" : "direct";
}

enum ec_code shift_check(const struct plan *p, const char *wanted, bool fits,
                         struct ec_error *reterr)
{
    char topology[160];

    if (p->w->shift == 0)
        return plan_refuse(p, reterr, "expected shift:q=Q; got '%.100s': use --algorithm direct",
                           p->w->text);
    if (fits)
        return EC_OK;
    ec_topology_format(p->t, topology, sizeof topology);
    return plan_refuse(p, reterr, "expected %s; got %s, where shifts can use %s", wanted, topology,
                       shifts_on(p->t));
}

/* --- Rings and lines ------------------------------------------------------------------------- */

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
