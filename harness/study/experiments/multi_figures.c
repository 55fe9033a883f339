/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH: pairs of locations, and figures 8 and 9, cell by cell.
 *
 * Knows what the text prints; pairs are tried by exchanging bits of addresses, cells read out of
 * schedules. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/experiments/addresses.h"
#include "study/experiments/shuffle.h"

/* --- Pairs ------------------------------------------------------------------------------------ */

/* Does a matching of coordinates (partner[x]) make rows of which every exchange moves one? */
static bool pairs_work(struct claims_run *run, const unsigned *order, unsigned blocks,
                       const uint32_t *partner)
{
    struct try_addresses m;
    bool right = true, memory = false;
    if (!try_addresses_open(run, &m, order, blocks, false))
        return false;
    for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++) {
        const uint32_t x = try_addresses_coordinates(&m, e);
        m.row[e] = claims_min(x, partner[x]);
    }
    m.rows = UINT32_C(1) << blocks;
    for (unsigned b = 0; b < blocks; b++) {
        for (unsigned i = 1; i <= order[b]; i++) {
            /* A row that is not in use has no elements: count those in use alone. */
            const uint32_t nodes = UINT32_C(1) << (m.dims - m.storage);
            const unsigned d = try_addresses_dim(&m, b, i);
            uint8_t *count = calloc((size_t)nodes << blocks, 1);
            memory |= count == NULL;
            for (uint32_t e = 0; count && e < UINT32_C(1) << m.dims; e++)
                if (try_addresses_cross(m.at[e], b, d))
                    count[(m.at[e] >> m.storage) << blocks | m.row[e]]++;
            for (uint32_t e = 0; count && e < UINT32_C(1) << m.dims; e++)
                right &= count[(m.at[e] >> m.storage) << blocks | m.row[e]] == 1;
            free(count);
            for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++)
                if (try_addresses_cross(m.at[e], b, d))
                    m.at[e] ^= UINT32_C(1) << b ^ UINT32_C(1) << d;
        }
    }
    try_addresses_close(&m);
    claims_require(run, !memory, "out of memory");
    return right;
}

static void bits(uint32_t x, unsigned n, char *text)
{
    for (unsigned i = 0; i < n; i++)
        text[i] = x >> (n - 1 - i) & 1 ? '1' : '0';
    text[n] = '\0';
}

static void pairs_text(const uint32_t *partner, unsigned blocks, char *text)
{
    *text = '\0';
    for (uint32_t x = 0; x < UINT32_C(1) << blocks; x++) {
        char a[8], b[8];
        if (partner[x] < x)
            continue;
        bits(x, blocks, a);
        bits(partner[x], blocks, b);
        sprintf(text + strlen(text), "(%s,%s)", a, b);
    }
}

/* All matchings of 2^blocks coordinates. */
static void each_matching(struct claims_run *run, const unsigned *order, unsigned blocks,
                          uint32_t *partner, uint32_t used)
{
    const uint32_t size = UINT32_C(1) << blocks;
    uint32_t x = 0;
    while (x < size && used >> x & 1)
        x++;
    if (x == size) {
        bool complementary = true;
        char text[80];
        for (uint32_t y = 0; y < size; y++)
            complementary &= partner[y] == (y ^ (size - 1));
        pairs_text(partner, blocks, text);
        const bool right = pairs_work(run, order, blocks, partner);
        const char *does = right ? "work" : "do not work";
        if (claims_with(run) == 1)
            claims_case(run, right == complementary, "pairs %s %s", text, does);
        else
            claims_case_if(run, complementary, right, "pairs %s %s", text, does);
        return;
    }
    for (uint32_t y = x + 1; y < size; y++) {
        if (used >> y & 1)
            continue;
        partner[x] = y;
        partner[y] = x;
        each_matching(run, order, blocks, partner, used | UINT32_C(1) << x | UINT32_C(1) << y);
    }
}

/* jh.pair.multi: pairs of complementary values of all control dimensions, and no others; the
 * printed list for three, (000,111) (001,101) (011,100), pairs 001 with what is no complement.
 * with: 1 the correction. */
void try_pairs(struct claims_run *run)
{
    static const unsigned two[] = {1, 2}, three[] = {1, 1, 2};
    uint32_t partner[8] = {0};
    if (claims_with(run) == 0)
        each_matching(run, two, 2, partner, 0);
    each_matching(run, three, 3, partner, 0);
    claims_remark(run, "the complementary pairs of three are (000,111)(001,110)(010,101)(011,100); "
                       "the text prints (000,111), (001,101), (011,100)");
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* A stretch of a row: storage dimension `s` (alpha_0 of a block, or V) with alpha_from.. of block
 * `b`, from `step` on. */
enum { V = 2 };
struct stretch {
    unsigned row, s, b, from, to, step;
};

static bool stretches_are(struct claims_run *run, const struct ec_schedule *s, unsigned storage,
                          const unsigned *order, const struct stretch *x, size_t count)
{
    size_t cells = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = x[i].from; d <= x[i].to; d++) {
            const uint32_t row = x[i].row, step = x[i].step + d - x[i].from;
            const unsigned processor = storage + (x[i].b ? order[0] : 0) + d - 1;
            bool found = false;
            for (size_t k = 0; k < s->exchange_count; k++) {
                const struct ec_exchange *e = &s->exchanges[k];
                found |= e->row == row && e->step == step && e->storage == x[i].s &&
                         e->processor == processor;
            }
            cells++;
            claims_case(run, found, "row %" PRIu32 ", step %" PRIu32, row, step);
        }
    }
    return claims_require_equal(run, s->exchange_count, cells, "cells of the figure");
}

/* Fig. 8: orders 5,5, K=24: 5 rows begin in the first block, 7 in the second. */
static size_t figure_8(struct stretch *x)
{
    size_t n = 0;
    for (unsigned row = 0; row < 12; row++) {
        const unsigned b = row >= 5, u = b ? row - 5 : row;
        x[n++] = (struct stretch){row, b, b, 1, 5, 1 + u};
        x[n++] = (struct stretch){row, !b, !b, 1, 5, (b ? 6 : 8) + u};
    }
    return n;
}

/* Fig. 9: orders 6,6, K=28: four rows of each block begin with v in alpha_5 or alpha_3, a step
 * later for the second of two; then 2 and 4 ordinary rows. */
static size_t figure_9(struct stretch *x)
{
    size_t n = 0;
    for (unsigned row = 0; row < 14; row++) {
        const unsigned b = row >= 6, u = b ? row - 6 : row;
        /* The other block lets its own rows go first: 2 ordinary ones in the first, 4 in the
         * second. */
        if (u < 4) {
            const unsigned s = u < 2 ? 5 : 3;
            x[n++] = (struct stretch){row, V, b, s, 6, 1 + u % 2};
            x[n++] = (struct stretch){row, !b, !b, 1, 6, (b ? 3 : 5) + u};
            x[n++] = (struct stretch){row, b, b, 1, s, 0};
        } else {
            x[n++] = (struct stretch){row, b, b, 1, 6, 1 + u - 4};
            x[n++] = (struct stretch){row, !b, !b, 1, 6, (b ? 3 : 5) + u};
        }
    }
    /* Phase 2 ends each block: dims 1..s, one row after the other. */
    for (size_t i = 0; i < n; i++)
        if (x[i].step == 0)
            x[i].step = 11 + (x[i].row >= 6 ? x[i].row - 6 : x[i].row);
    return n;
}

/* with: 8 or 9. */
void try_multi_figure(struct claims_run *run)
{
    static const unsigned five[] = {5, 5}, six[] = {6, 6};
    const bool eight = claims_with(run) == 8;
    const unsigned *order = eight ? five : six;
    const struct try_shuffle x = try_mixed(order, 2, eight ? 24 : 28, 1);
    struct stretch stretch[48];
    struct claims_seen seen;
    if (!try_schedule(run, &x, eight ? "pipelined" : "concurrent", 1, 0, claims_is_full(run),
                      &seen))
        return;
    claims_predicted(run, "steps", 16);
    claims_relate(run, seen.steps, CLAIMS_EQ, 16, "steps");
    stretches_are(run, seen.schedule, 5, order, stretch,
                  eight ? figure_8(stretch) : figure_9(stretch));
}

/* err.20: row d0^1 of Fig. 9, v,5 v,6 and then alpha_0 1..5: with 0,6 in the place of v,6 elements
 * end elsewhere. with: 0 as corrected it is right, too. */
void try_figure_9_cell(struct claims_run *run)
{
    static const unsigned six[] = {6};
    for (unsigned printed = 0; printed <= 1; printed++) {
        struct try_addresses m;
        bool memory = false;
        if (!try_addresses_open(run, &m, six, 1, true))
            return;
        m.rows = 1;
        try_addresses_exchange(&m, 1, try_addresses_dim(&m, 0, 5), &memory);
        try_addresses_exchange(&m, printed ? 0 : 1, try_addresses_dim(&m, 0, 6), &memory);
        for (unsigned i = 1; i <= 5; i++)
            try_addresses_exchange(&m, 0, try_addresses_dim(&m, 0, i), &memory);
        for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++) { /* v <-> alpha_0 */
            if ((m.at[e] & 1) != (m.at[e] >> 1 & 1))
                m.at[e] ^= 3;
        }
        claims_require(run, !memory, "out of memory");
        claims_case(run, try_addresses_placed(&m) == !printed, "row d0^1 with %s",
                    printed ? "0,6" : "v,6");
        try_addresses_close(&m);
    }
    static const unsigned both[] = {6, 6};
    const struct try_shuffle x = try_mixed(both, 2, 28, 1);
    struct claims_seen seen;
    if (!try_schedule(run, &x, "concurrent", 1, 0, false, &seen))
        return;
    bool found = false;
    for (size_t k = 0; k < seen.schedule->exchange_count; k++) {
        const struct ec_exchange *e = &seen.schedule->exchanges[k];
        found |= e->row == 1 && e->step == 3 && e->storage == V && e->processor == 5 + 5;
    }
    claims_case(run, found, "row d0^1, step 3: not v,6");
}
