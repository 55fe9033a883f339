/* SPDX-License-Identifier: Apache-2.0 */
/* One node spreads its elements over a cube. Knows that cube only; must not know permutations, nor
 * in which larger cube it lies.
 *
 * All ports: tree l, one for each link of node 0, sends an element first over link l, then over the
 * other dimensions of its destination in cyclic order, l + 1, l + 2, ... No link belongs to two
 * trees: at node x, dimension b is crossed by the tree of the first dimension of x that follows b
 * cyclically. And within a tree elements that never wait meet nowhere if they start in different
 * steps, for each link is always crossed equally long after the start. So only the starts at node 0
 * matter: the loads of the trees are balanced, and the farthest elements go first. */
#include <stdlib.h>

#include "schedule/general/extended.h"

static bool open_hops(struct spread *s)
{
    /* A destination is on average half of the dimensions away. */
    const size_t count = ((size_t)s->each << s->dims) / 2 * s->dims;

    s->hop = malloc((count ? count : 1) * sizeof *s->hop);
    return s->hop != NULL;
}

static void add_hop(struct spread *s, uint32_t step, uint32_t from, unsigned bit, uint32_t index)
{
    s->hop[s->hops++] = (struct spread_hop){step, from, index, (uint8_t)bit};
    if (step > s->steps)
        s->steps = step;
}

/* Dimension by dimension, the highest first: every node that holds elements sends on the half that
 * belongs beyond the dimension. */
static void halve(struct spread *s)
{
    uint32_t before = 0;

    for (unsigned b = s->dims; b-- > 0;) {
        const uint32_t half = s->each << b, beyond = UINT32_C(1) << b;
        for (uint32_t d = 0; d < UINT32_C(1) << s->dims; d++) {
            for (uint32_t i = 0; d & beyond && i < s->each; i++) {
                const uint32_t rank = (d & (beyond - 1)) * s->each + i;
                add_hop(s, before + 1 + rank / s->block, d >> (b + 1) << (b + 1), b,
                        d * s->each + i);
            }
        }
        before += half / s->block + (half % s->block != 0);
    }
}

static unsigned least_loaded(uint32_t links, const uint32_t *load)
{
    unsigned best = (unsigned)__builtin_ctz(links);

    for (unsigned l = best + 1; links >> l; l++) {
        if (links >> l & 1 && load[l] < load[best])
            best = l;
    }
    return best;
}

/* The tree of every element; those with the least choice choose first. */
static void choose_trees(const struct spread *s, uint8_t *tree)
{
    uint32_t load[32] = {0};

    for (unsigned distance = 1; distance <= s->dims; distance++) {
        for (uint32_t d = 1; d < UINT32_C(1) << s->dims; d++) {
            if ((unsigned)__builtin_popcount(d) != distance)
                continue;
            for (uint32_t i = 0; i < s->each; i++) {
                const unsigned l = least_loaded(d, load);
                tree[d * s->each + i] = (uint8_t)l;
                load[l]++;
            }
        }
    }
}

static void go_down(struct spread *s, unsigned tree, uint32_t start, uint32_t index)
{
    const uint32_t to = index / s->each;
    uint32_t at = 0;

    for (unsigned turn = 0; turn < s->dims; turn++) {
        const unsigned bit = (tree + turn) % s->dims;
        if (!(to >> bit & 1))
            continue;
        add_hop(s, start++, at, bit, index);
        at |= UINT32_C(1) << bit;
    }
}

static void send_all_ways(struct spread *s, const uint8_t *tree)
{
    uint32_t sent[32] = {0};

    for (unsigned distance = s->dims; distance > 0; distance--) {
        for (uint32_t d = 1; d < UINT32_C(1) << s->dims; d++) {
            if ((unsigned)__builtin_popcount(d) != distance)
                continue;
            for (uint32_t i = 0; i < s->each; i++) {
                const uint32_t index = d * s->each + i;
                go_down(s, tree[index], 1 + sent[tree[index]]++ / s->block, index);
            }
        }
    }
}

static int by_step(const void *a, const void *b)
{
    const struct spread_hop *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->bit != y->bit)
        return x->bit < y->bit ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

enum ec_code spread_open(unsigned dims, uint32_t each, uint32_t block, bool one_port,
                         struct spread *ret, struct ec_error *reterr)
{
    struct spread s = {.dims = dims, .each = each, .block = block};
    uint8_t *tree = malloc((size_t)each << dims);

    if (!tree || !open_hops(&s)) {
        free(tree);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    }
    if (one_port) {
        halve(&s);
    } else {
        choose_trees(&s, tree);
        send_all_ways(&s, tree);
    }
    free(tree);
    qsort(s.hop, s.hops, sizeof *s.hop, by_step);
    *ret = s;
    return EC_OK;
}

void spread_close(struct spread *s)
{
    free(s->hop);
}
