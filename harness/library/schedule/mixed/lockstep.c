/* SPDX-License-Identifier: Apache-2.0 */
/* One block of a mixed GSH in the least number of start-ups: elements begin in different dimensions
 * and never wait. Not in the paper; docs/study/GSH-MIXED.md proves it. Knows elements; must not
 * know rows of seats. */
#include "schedule/mixed/mixed.h"
#include "schedule/plan/mover.h"

/* In which dimension alpha_s element `e` begins. Pairs of slots that differ in alpha_0 make rows of
 * B pairs. The first row begins in alpha_1; of row j, the elements that agree with the parity of
 * the block begin in alpha_2j, the others in alpha_(2j + 1). */
static unsigned start_of_element(const struct mixed_gsh *g, uint32_t e)
{
    const struct mixed_block *b = &g->block[0];
    const uint32_t node = e / g->per_node ^ g->relabel, slot = e % g->per_node;
    const uint32_t below = (UINT32_C(1) << b->dim[0]) - 1;
    const uint32_t pair = (slot & below) | (slot >> 1 & ~below), row = pair / g->packet;
    const unsigned odd = (unsigned)__builtin_parity(node & b->nodes) ^ (slot >> b->dim[0] & 1);

    return row ? 2 * row + odd : 1;
}

/* Step t: elements that begin in alpha_s cross the t-th dimension from there, cyclically, if their
 * bit is wrong. */
static void take_step(const struct mixed_gsh *g, struct mover *m, unsigned step)
{
    const struct mixed_block *b = &g->block[0];

    for (uint32_t e = 0; e < m->elements; e++) {
        const unsigned i = (start_of_element(g, e) + step - 2) % b->order + 1;
        const uint64_t to = (uint64_t)m->p->s->target[e].node << m->storage;
        mover_go(m, e, m->address[e] ^ ((m->address[e] ^ to) & UINT64_C(1) << b->dim[i]));
    }
    mover_commit(m, step);
}

enum ec_code mixed_lockstep(struct plan *p, const struct mixed_gsh *g, struct ec_error *reterr)
{
    struct mover m;

    if (g->blocks != 1)
        return ec_fail(reterr, EC_USAGE, "algorithm %s: expected one block; got %u: use 'parity'",
                       g->name, g->blocks);
    if (2 * g->rows > g->order + 1)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s: expected at most (%u + 1)/2 rows, ceil(K/2B); got %u: use "
                       "larger packets, or 'parity'",
                       g->name, g->order, g->rows);
    enum ec_code code = mover_open(&m, p, g->per_node, reterr);
    for (unsigned step = 1; code == EC_OK && step <= g->order; step++)
        take_step(g, &m, step);
    if (code == EC_OK)
        code = mover_finish(&m, reterr);
    mover_close(&m);
    return code;
}
