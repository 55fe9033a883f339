/* SPDX-License-Identifier: Apache-2.0 */
/* The published concurrent schedules (Johnsson and Ho, Figures 5 and 9, Theorems 1 and 2). Knows
 * how many rows begin in which dimension; must not know the rest. */
#include "schedule/mixed/mixed.h"

struct mixed_begin mixed_published_begin(unsigned order, uint32_t rows)
{
    struct mixed_begin b = {.start = order - (order % 2 ? 0 : 1)};

    if (order <= 3 || rows <= 4) {
        b.ordinary = rows;
    } else if (rows >= order + 1) {
        b.doubles = (order - 1) / 2 * 2;
        b.ordinary = rows - b.doubles;
    } else {
        b.ordinary = rows % 2 ? 3 : 4;
        b.doubles = rows - b.ordinary;
        b.start = order - (rows % 2 ? 1 : 2);
    }
    b.doubles_kept = b.doubles;
    b.ordinary_kept = b.ordinary;
    return b;
}

/* Of a schedule of `more` rows too many, leave some out: pairs of the block that has most of them,
 * then ordinary rows of the block that has most of those. */
static void leave_out(struct mixed_begins *s, unsigned blocks, uint32_t more)
{
    while (more) {
        struct mixed_begin *doubles = &s->block[0], *ordinary = &s->block[0];
        for (unsigned b = 1; b < blocks; b++) {
            if (s->block[b].doubles_kept > doubles->doubles_kept)
                doubles = &s->block[b];
            if (s->block[b].ordinary_kept > ordinary->ordinary_kept)
                ordinary = &s->block[b];
        }
        if (more >= 2 && doubles->doubles_kept) {
            doubles->doubles_kept -= 2;
            more -= 2;
        } else {
            ordinary->ordinary_kept--;
            more--;
        }
    }
}

/* Blocks side by side, one row more than there are dimensions: block b + 1 begins with as many
 * ordinary rows as block b has dimensions that no pair begins in. All further rows are ordinary
 * ones of the last block. */
static void several(const struct mixed_gsh *g, struct mixed_begins *s)
{
    const uint32_t rows = g->rows > g->order ? g->rows : g->order + 1;

    for (unsigned b = 0; b < g->blocks; b++) {
        const unsigned order = g->block[b].order;
        s->block[b] = (struct mixed_begin){.start = order - (order % 2 ? 0 : 1)};
        s->block[b].doubles = order <= 3 ? 0 : (order - 1) / 2 * 2;
    }
    for (unsigned b = 0; b < g->blocks; b++)
        s->block[(b + 1) % g->blocks].ordinary = g->block[b].order - s->block[b].doubles;
    s->block[g->blocks - 1].ordinary += rows - g->order;
    for (unsigned b = 0; b < g->blocks; b++) {
        s->block[b].doubles_kept = s->block[b].doubles;
        s->block[b].ordinary_kept = s->block[b].ordinary;
    }
    leave_out(s, g->blocks, rows - g->rows);
}

/* Where starting elsewhere does not pay (Theorem 1, case 1; Theorem 2, cases 1 and 2) this is the
 * pipelined schedule. */
enum ec_code mixed_concurrent(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct mixed_begins s = {.paired = true, .printed = t->printed};

    if (g->longest <= 3 || (g->rows <= g->order && g->rows <= 4 * g->blocks))
        return mixed_pipelined(t, reterr);
    if (g->blocks == 1)
        s.block[0] = mixed_published_begin(g->order, g->rows);
    else
        several(g, &s);
    for (unsigned b = 0; t->printed && b < g->blocks; b++)
        s.block[b].start = g->block[b].order;
    return mixed_begin_rows(t, &s, reterr);
}
