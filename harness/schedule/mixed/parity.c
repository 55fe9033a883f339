/* SPDX-License-Identifier: Apache-2.0 */
/* The parity schedules: one row begins in every dimension of every block, none waits for another.
 * K/2 + 1 steps for K >= 2 sigma_r, which is the least there can be; sigma_r + 1 below. Not in the
 * paper; proof in docs/GSH-MIXED.md. Knows how many rows begin in which dimension; must not know
 * the rest. */
#include "schedule/mixed/mixed.h"

struct mixed_begin mixed_parity_begin(unsigned order, uint32_t rows)
{
    struct mixed_begin b = {.start = order};

    b.doubles = order - 1;
    b.doubles_kept = rows < order ? rows - 1 : order - 1;
    b.ordinary = rows < order ? 1 : rows - b.doubles;
    b.ordinary_kept = b.ordinary;
    return b;
}

/* Fewer rows than dimensions: leave out double rows, those of the block that has most of them, or
 * fewest (which may need less room); then ordinary ones. */
static void leave_out(struct mixed_begins *s, unsigned blocks, uint32_t more, bool fewest)
{
    while (more--) {
        struct mixed_begin *doubles = NULL, *ordinary = &s->block[0];
        for (unsigned b = 0; b < blocks; b++) {
            struct mixed_begin *x = &s->block[b];
            const bool better = !doubles || (fewest ? x->doubles_kept < doubles->doubles_kept
                                                    : x->doubles_kept > doubles->doubles_kept);
            if (x->doubles_kept && better)
                doubles = x;
            if (x->ordinary_kept)
                ordinary = x;
        }
        if (doubles)
            doubles->doubles_kept--;
        else
            ordinary->ordinary_kept--;
    }
}

enum ec_code mixed_parity(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const uint32_t rows = g->rows > g->order ? g->rows : g->order;
    enum ec_code code = EC_USAGE;

    for (int fewest = 0; code == EC_USAGE && fewest < 2; fewest++) {
        struct mixed_begins s = {.paired = false};
        for (unsigned b = 0; b < g->blocks; b++)
            s.block[b] = mixed_parity_begin(g->block[b].order, g->block[b].order);
        s.block[g->blocks - 1].ordinary += rows - g->order;
        s.block[g->blocks - 1].ordinary_kept = s.block[g->blocks - 1].ordinary;
        leave_out(&s, g->blocks, rows - g->rows, fewest);
        code = mixed_begin_rows(t, &s, reterr);
    }
    return code;
}
