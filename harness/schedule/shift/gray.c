/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on a ring that the Gray code lays into a cube: ring node i is cube node G(i) =
 * i xor floor(i/2). Neighbours at ring distance 2^j are two links apart (one for j = 0): a phase.
 *
 * Orders of the two links, each with one element per node and per link after every step: A, the
 * low one first; B, the high one first; C, circular: the nodes that agree in the low j-1 address
 * bits lie on a cycle of links, interleaved from two residue classes of ring nodes, and in both
 * steps every node sends to its successor on that cycle (its predecessor, going back). */
#include "schedule/shift/shift.h"

uint32_t gray_node(uint32_t i)
{
    return i ^ i >> 1;
}

uint32_t gray_ring(uint32_t node)
{
    for (unsigned s = 1; s < 32; s *= 2)
        node ^= node >> s;
    return node;
}

void gray_links(unsigned dims, uint32_t i, unsigned j, bool forward, unsigned *ret_low,
                unsigned *ret_high)
{
    const uint32_t mask = (UINT32_C(1) << dims) - 1, leap = UINT32_C(1) << j;
    const uint32_t other = (forward ? i + leap : i - leap) & mask;
    const uint32_t differ = gray_node(i) ^ gray_node(other);

    *ret_low = (unsigned)__builtin_ctz(differ);
    *ret_high = 31 - (unsigned)__builtin_clz(differ);
}

enum ec_code gray_check(const struct plan *p, struct ec_error *reterr)
{
    const enum ec_code code = shift_check(p, "a cube (cube:6)", p->t->kind == EC_CUBE, reterr);
    if (code || p->w->gray)
        return code;
    return plan_refuse(p, reterr,
                       "expected a shift on the Gray-coded ring, shift:q=%u,labels=gray,m=%u; got "
                       "'%.100s'",
                       p->w->shift, p->w->words, p->w->text);
}

/* Whether the element of ring node i crosses its low link first. */
static bool low_first(uint32_t i, unsigned j, bool forward, char order)
{
    if (order == 'C')
        return (i >> (j - 1) & 1) != forward;
    return order == 'A';
}

void gray_phase(struct journey *j, unsigned exponent, bool forward, char order)
{
    for (uint32_t e = 0; e < j->nodes; e++) {
        const uint32_t i = gray_ring(j->at[e]);
        unsigned low, high;
        gray_links(j->p->t->dims, i, exponent, forward, &low, &high);
        if (exponent == 0) {
            journey_cross(j, e, low);
            continue;
        }
        const bool ahead = low_first(i, exponent, forward, order);
        journey_cross(j, e, ahead ? low : high);
        j->step++;
        journey_cross(j, e, ahead ? high : low);
        j->step--;
    }
    j->step += exponent ? 2 : 1;
}

static enum ec_code open_journey(struct plan *p, struct journey *j, char *order,
                                 struct ec_error *reterr)
{
    static const char *const orders[] = {"A", "B", "C", NULL};
    unsigned choice = 0;
    enum ec_code code = gray_check(p, reterr);

    if (code == EC_OK)
        code = plan_choice(p, PLAN_KEY_ORDER, orders, 0, &choice, reterr);
    *order = *orders[choice];
    return code ? code : journey_open(p, j, reterr);
}

/* The phases of the powers of two in `terms`: two links for each element and phase, one for 2^0. */
static void expect(struct journey *j, uint32_t terms)
{
    const unsigned links = 2 * (unsigned)__builtin_popcount(terms) - (terms & 1);

    plan_expect(j->p, (uint64_t)j->nodes * links);
}

enum ec_code gray_forward_make(struct plan *p, struct ec_error *reterr)
{
    struct journey j = {0};
    char order = 'A';
    const enum ec_code code = open_journey(p, &j, &order, reterr);
    if (code == EC_OK)
        expect(&j, p->w->shift);
    for (unsigned b = p->t->dims; code == EC_OK && b-- > 0 && !plan_full(p);) {
        if (p->w->shift >> b & 1)
            gray_phase(&j, b, true, order);
    }
    journey_close(&j);
    return code;
}

/* The non-adjacent form of q, modulo 2^dims: a carry out of the highest bit goes once round. */
enum ec_code gray_signed_make(struct plan *p, struct ec_error *reterr)
{
    struct journey j = {0};
    char order = 'A';
    const enum ec_code code = open_journey(p, &j, &order, reterr);
    if (code)
        return code;

    const unsigned dims = p->t->dims;
    uint32_t q = p->w->shift, plus = 0, minus = 0;
    for (unsigned b = 0; b < dims; b++, q /= 2) {
        if (q % 4 == 3) {
            minus |= UINT32_C(1) << b;
            q += 1;
        } else if (q % 2) {
            plus |= UINT32_C(1) << b;
            q -= 1;
        }
    }
    expect(&j, plus | minus);
    for (unsigned b = dims; b-- > 0 && !plan_full(p);) {
        if ((plus | minus) >> b & 1)
            gray_phase(&j, b, plus >> b & 1, order);
    }
    journey_close(&j);
    return EC_OK;
}
