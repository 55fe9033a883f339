/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts and permutations on cubes. Knows links of a cube and the Gray code; must not know other
 * topologies. */
#include "schedule/shift/shift.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- The ring that the Gray code embeds in a cube -------------------------------------------- */

/* Ring node i is cube node G(i) = i xor floor(i/2). Nodes at ring distance 2^j are two links apart,
 * one for j = 0: a phase. Orders of the two links, each with one element per node and per link
 * after every step: A, low link first; B, high link first; C, circular: the nodes that agree in the
 * low j-1 address bits are on a cycle of links, which interleaves two residue classes of ring
 * nodes, and in both steps every node sends to its successor on that cycle (backwards: to its
 * predecessor). */

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

/* True if the element of ring node i crosses its low link first. */
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

/* A phase for each power of two in `terms`: two links per element and phase, one for 2^0. */
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

/* The non-adjacent form of q, modulo 2^dims: a carry out of the highest bit is a full turn. */
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

/* --- Dimension-ordered paths, one dimension per step ----------------------------------------- */

/* The paths of `direct` step by step, for any order of the dimensions; messages may have different
 * orders. */

/* The order in which the message of a source crosses the dimensions. */
struct orders {
    unsigned common[EC_DIMS_MAX];
    bool mixed;
};

/* "2-0-1": each dimension once. */
static bool parse_list(struct ec_slice value, unsigned dims, unsigned *order)
{
    struct ec_slice item;
    uint32_t seen = 0;
    unsigned count = 0;
    uint64_t d;

    while (ec_slice_take(&value, '-', &item)) {
        if (count == dims || !ec_slice_number(item, dims - 1, &d) || seen >> d & 1)
            return false;
        seen |= UINT32_C(1) << d;
        order[count++] = (unsigned)d;
    }
    return count == dims;
}

static enum ec_code take_order(struct plan *p, struct orders *o, struct ec_error *reterr)
{
    struct ec_slice *value = &p->value[PLAN_KEY_ORDER];
    const unsigned dims = p->t->dims;

    if (!value->at)
        *value = ec_slice_of("low");
    const bool high = ec_slice_is(*value, "high");
    o->mixed = ec_slice_is(*value, "mixed");
    for (unsigned d = 0; d < dims; d++)
        o->common[d] = high ? dims - 1 - d : d;
    if (high || o->mixed || ec_slice_is(*value, "low") || parse_list(*value, dims, o->common))
        return EC_OK;
    return plan_refuse(
        p, reterr,
        "order=%.*s: expected low, high, mixed or the dimensions 0 to %u, each once, "
        "like %s",
        EC_SHOWN(*value), dims - 1, dims > 2 ? "2-0-1" : "1-0");
}

static unsigned dimension_of(const struct orders *o, unsigned dims, uint32_t source, unsigned stage)
{
    const bool upper = source >> (dims - 1) & 1;
    return o->common[o->mixed && upper ? dims - 1 - stage : stage];
}

/* A node that receives without sending would hold two elements in one slot, so a map of some nodes
 * must be a permutation of them. */
static enum ec_code check_permutation(const struct plan *p, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    uint32_t node = p->t->nodes;
    unsigned char *role = calloc(p->t->nodes, 1); /* 1: sends, 2: receives */

    if (!role)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (size_t i = 0; i < w->message_count; i++) {
        role[w->messages[i].src] |= 1;
        role[w->messages[i].dst] |= 2;
    }
    for (uint32_t i = p->t->nodes; i-- > 0;)
        node = role[i] == 2 ? i : node;
    free(role);
    if (node == p->t->nodes)
        return EC_OK;
    return plan_refuse(p, reterr,
                       "expected a permutation of nodes; in '%.100s' node %" PRIu32
                       " receives but sends nothing: use --algorithm direct",
                       w->text, node);
}

enum ec_code ecube_steps_make(struct plan *p, struct ec_error *reterr)
{
    struct orders o;
    struct journey j = {0};
    const unsigned dims = p->t->dims;

    if (p->t->kind != EC_CUBE || !p->w->permutation || p->w->words == 0)
        return plan_refuse(p, reterr,
                           "expected a permutation on a cube, with messages of one length; got "
                           "'%.100s': use --algorithm direct",
                           p->w->text);
    enum ec_code code = take_order(p, &o, reterr);
    if (code == EC_OK)
        code = check_permutation(p, reterr);
    if (code == EC_OK)
        code = journey_open(p, &j, reterr);
    if (code)
        return code;
    uint64_t links = 0;
    for (uint32_t i = 0; i < j.nodes; i++)
        links += (unsigned)__builtin_popcount(i ^ p->s->target[i].node);
    plan_expect(p, links);
    for (unsigned stage = 0; stage < dims && !plan_full(p); stage++) {
        bool used = false;
        for (uint32_t i = 0; i < j.nodes; i++) {
            const unsigned d = dimension_of(&o, dims, i, stage);
            if ((j.at[i] ^ p->s->target[i].node) >> d & 1) {
                journey_cross(&j, i, d);
                used = true;
            }
        }
        j.step += used; /* a dimension without transfers takes no step */
    }
    journey_close(&j);
    return EC_OK;
}
