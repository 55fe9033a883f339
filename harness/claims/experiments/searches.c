/* SPDX-License-Identifier: Apache-2.0 */
/* Exhaustive searches for the fewest exchanges or steps. Formulas of records can call them.
 *
 * Knows only arrangements of bits and walks on a square; must not know schedules or bounds. */
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/values.h"

/* --- Exchanges of bits ------------------------------------------------------------------------ */

enum { BITS_MAX = 9 };

/* The index of an arrangement in lexical order. */
static uint32_t number_of(const uint8_t *old, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned below = 0;
        for (unsigned j = i + 1; j < count; j++)
            below += old[j] < old[i];
        number = number * (count - i) + below;
    }
    return number;
}

struct reached {
    uint8_t old[BITS_MAX];
    uint8_t cost;
};

struct search {
    unsigned count, fixed, start;
    struct reached *list; /* by cost; free exchanges are added immediately */
    uint32_t listed;
    bool *seen;
};

/* Arrangements before and after the first real exchange count as different: `begun`. */
static void reach(struct search *s, const struct reached *from, unsigned x, unsigned y)
{
    struct reached to = *from;
    const uint8_t old = to.old[x];
    to.old[x] = to.old[y];
    to.old[y] = old;
    to.cost = (uint8_t)(to.cost + (y > s->fixed));
    const uint32_t number = 2 * number_of(to.old, s->count) + (to.cost > 0);
    if (s->seen[number])
        return;
    s->seen[number] = true;
    s->list[s->listed++] = to;
}

static bool is_goal(const struct reached *r, unsigned count, unsigned first)
{
    bool right = true;
    for (unsigned i = 0; i < count; i++)
        right &= r->old[i] == (i < first ? i : i == first ? count - 1 : i - 1);
    return right;
}

/* Adds all arrangements with the cost of list[from], by free exchanges. */
static void reach_free(struct search *s, uint32_t from)
{
    for (uint32_t i = from; i < s->listed; i++)
        for (unsigned x = 0; x <= s->fixed; x++)
            for (unsigned y = x + 1; y <= s->fixed; y++)
                reach(s, &s->list[i], x, y);
}

static unsigned search_all(struct search *s, unsigned first)
{
    uint32_t from = 0;
    for (unsigned i = 0; i < s->count; i++)
        s->list[0].old[i] = (uint8_t)i;
    s->list[0].cost = 0;
    s->listed = 1;
    for (;;) {
        reach_free(s, from);
        const uint32_t end = s->listed;
        for (uint32_t i = from; i < end; i++)
            if (is_goal(&s->list[i], s->count, first))
                return s->list[i].cost;
        for (uint32_t i = from; i < end; i++)
            for (unsigned x = 0; x <= s->fixed; x++)
                for (unsigned y = s->fixed + 1; y < s->count; y++)
                    if (s->list[i].cost > 0 || s->start == 0 || y == s->start)
                        reach(s, &s->list[i], x, y);
        if (s->listed == end)
            return UINT8_MAX;
        from = end;
    }
}

unsigned least_exchanges(unsigned count, unsigned first, unsigned fixed, unsigned start)
{
    size_t all = 2;
    struct search s = {.count = count, .fixed = fixed, .start = start};
    for (unsigned i = 2; i <= count; i++)
        all *= i;
    s.list = calloc(all + 1, sizeof *s.list);
    s.seen = calloc(all, sizeof *s.seen);
    const unsigned least = s.list && s.seen ? search_all(&s, first) : UINT8_MAX;
    free(s.list);
    free(s.seen);
    return least;
}

/* --- Steps on a square -------------------------------------------------------------------------
 */

/* Is there a schedule of `steps` steps that takes the elements to their nodes on a square, with at
 * most one element on each directed link in a step, over any paths? */
struct square {
    unsigned steps, count;
    uint8_t from[16], to[16];
    uint64_t ways[16][64]; /* walks of an element: a bit for each step and link */
    unsigned way_count[16];
};

/* Lists all walks: in each step stay, or cross dimension 0 or 1. */
static void list_ways(struct square *q, unsigned element)
{
    unsigned all = 1;
    for (unsigned t = 0; t < q->steps; t++)
        all *= 3;
    for (unsigned w = 0; w < all; w++) {
        unsigned at = q->from[element], rest = w;
        uint64_t links = 0;
        for (unsigned t = 0; t < q->steps; t++, rest /= 3) {
            if (rest % 3 == 0)
                continue;
            links |= UINT64_C(1) << (8 * t + 2 * at + rest % 3 - 1);
            at ^= rest % 3;
        }
        if (at == q->to[element])
            q->ways[element][q->way_count[element]++] = links;
    }
}

static bool all_go(const struct square *q, unsigned element, uint64_t used)
{
    if (element == q->count)
        return true;
    for (unsigned w = 0; w < q->way_count[element]; w++)
        if (!(used & q->ways[element][w]) && all_go(q, element + 1, used | q->ways[element][w]))
            return true;
    return false;
}

/* The smallest number of steps for a cycle of two real dimensions, and a storage dimension if
 * mixed. */
unsigned least_on_square(bool real, uint32_t per_node)
{
    for (unsigned steps = 1; steps <= 3; steps++) {
        struct square q = {.steps = steps};
        for (unsigned node = 0; node < 4; node++) {
            for (uint32_t slot = 0; slot < per_node; slot++) {
                /* mixed: alpha_1 gets alpha_0; real: alpha_0 gets alpha_1 */
                const unsigned low = real ? node >> 1 : slot & 1, to = (node << 1 | low) & 3;
                if (to == node)
                    continue;
                q.from[q.count] = (uint8_t)node;
                q.to[q.count] = (uint8_t)to;
                list_ways(&q, q.count++);
            }
        }
        if (all_go(&q, 0, 0))
            return steps;
    }
    return UINT8_MAX;
}

/* --- Pipelining ----------------------------------------------------------------------------------
 */

/* Rows that every exchange moves on by one: at[row][b] exchanges of block b are done. */
struct rows {
    unsigned order[6], blocks, all; /* the orders of the blocks; their sum */
    unsigned count;
    uint8_t at[16][ORDERS_MAX];
};

static bool rows_finish(struct rows *r, unsigned block, unsigned dim, uint32_t moved,
                        unsigned steps);

/* All ways to move one row, or none, in dimension `dim` of `block`, then the next dimensions. Only
 * the first of several rows that are equally far is tried. */
static bool rows_move(struct rows *r, unsigned block, unsigned dim, uint32_t moved, unsigned steps)
{
    for (unsigned i = 0; i < r->count; i++) {
        bool copy = false;
        if (moved >> i & 1 || r->at[i][block] != dim)
            continue;
        for (unsigned j = 0; j < i && !copy; j++)
            copy = !(moved >> j & 1) && memcmp(r->at[j], r->at[i], sizeof r->at[i]) == 0;
        if (copy)
            continue;
        r->at[i][block]++;
        const bool done = rows_finish(r, block, dim + 1, moved | UINT32_C(1) << i, steps);
        r->at[i][block]--;
        if (done)
            return true;
    }
    return rows_finish(r, block, dim + 1, moved, steps);
}

/* Can all rows be finished in this step, from this dimension on, and `steps` - 1 further ones? */
static bool rows_finish(struct rows *r, unsigned block, unsigned dim, uint32_t moved,
                        unsigned steps)
{
    if (block < r->blocks && dim < r->order[block])
        return rows_move(r, block, dim, moved, steps);
    if (block < r->blocks)
        return rows_finish(r, block + 1, 0, moved, steps);
    bool finished = true;
    for (unsigned i = 0; i < r->count; i++) {
        unsigned left = r->all;
        for (unsigned b = 0; b < r->blocks; b++)
            left -= r->at[i][b];
        if (left > steps - 1)
            return false;
        finished &= left == 0;
    }
    return finished || rows_finish(r, 0, 0, 0, steps - 1);
}

/* The fewest steps of pipelining, by search: K/2 rows, each in one dimension a step, a dimension
 * for one row; the order within a block is fixed, that of different blocks is free. */
unsigned least_pipelined(uint32_t orders, uint32_t per_node)
{
    struct rows r = {.count = per_node / 2};
    for (; orders && r.blocks < 6; orders /= 10)
        r.all += r.order[r.blocks++] = orders % 10;
    unsigned steps = r.all;
    while (!rows_finish(&r, 0, 0, 0, steps))
        steps++;
    return steps;
}
