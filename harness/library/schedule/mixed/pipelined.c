/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms for mixed GSH in which every row begins in the first dimension of a block: in
 * which step it exchanges which dimensions. Knows rows, blocks and steps; must not know elements.
 */
#include "schedule/mixed/mixed.h"

#include <stdlib.h>
#include <string.h>

enum ec_code mixed_plain_rows(struct mixed_table *t, struct ec_error *reterr)
{
    struct mixed_seating seats = {0};
    const enum ec_code code = mixed_seating_open(t, NULL, false, &seats, reterr);

    for (uint32_t i = 0; code == EC_OK && i < seats.plains; i++) {
        if (i % t->g->packet == 0)
            mixed_row_add(t);
        mixed_seat_add(t, seats.plain[i]);
    }
    mixed_seating_close(&seats);
    return code;
}

/* sigma_r * ceil(K/2B) steps. */
enum ec_code mixed_one_port(struct mixed_table *t, struct ec_error *reterr)
{
    const enum ec_code code = mixed_plain_rows(t, reterr);
    uint32_t step = 1;

    for (unsigned b = 0; code == EC_OK && b < t->g->blocks; b++) {
        for (unsigned i = 1; i <= t->g->block[b].order; i++) {
            for (uint32_t row = 0; row < t->rows; row++)
                step = mixed_visit(t, row, step, t->g->block[b].dim[0], b, i, i);
        }
    }
    return code;
}

/* The order of blocks: every row visits them in the cyclic order `turn`, and size[i] rows begin in
 * turn[i]. Each block serves its own rows first, then those of the block before it, and so on. */
struct way {
    unsigned turn[MIXED_BLOCKS_MAX];
    uint32_t size[MIXED_BLOCKS_MAX];
};

/* Send every row into its blocks as soon as both are free; returns the last step. `start`
 * [place * rows + row], if not NULL: the steps in which the row enters turn[place]. `left` has
 * room for `rows` steps. */
static uint32_t walk_rows(const struct mixed_gsh *g, const struct way *w, uint32_t *left,
                          uint32_t *start)
{
    uint32_t busy[MIXED_BLOCKS_MAX] = {0}, last = 0;

    memset(left, 0, g->rows * sizeof *left);
    for (unsigned h = 0; h < g->blocks; h++) {
        for (unsigned b = 0, row = 0; b < g->blocks; b++) {
            const unsigned place = (b + h) % g->blocks;
            const unsigned order = g->block[w->turn[place]].order;
            for (uint32_t u = 0; u < w->size[b]; u++, row++) {
                const uint32_t step = (left[row] > busy[place] ? left[row] : busy[place]) + 1;
                busy[place] = step;
                left[row] = step + order - 1;
                last = left[row] > last ? left[row] : last;
                if (start)
                    start[place * g->rows + row] = step;
            }
        }
    }
    return last;
}

/* The next way of giving `rows` to n blocks; false after the last. */
static bool next_sizes(uint32_t *size, unsigned n)
{
    unsigned i = 0;

    while (i + 1 < n && size[i] == 0)
        i++;
    if (i + 1 >= n)
        return false;
    /* Odometer of compositions: the lowest that is not empty gives one to the next, and the rest
     * back to the first. */
    const uint32_t rest = size[i] - 1;
    size[i] = 0;
    size[0] = rest;
    size[i + 1]++;
    return true;
}

/* The next order of turn[1..n), ascending; false after the last. */
static bool next_turn(unsigned *turn, unsigned n)
{
    unsigned i = n - 1, j = i;

    while (i > 1 && turn[i - 1] > turn[i])
        i--;
    if (i <= 1)
        return false;
    while (turn[j] < turn[i - 1])
        j--;
    unsigned x = turn[i - 1];
    turn[i - 1] = turn[j];
    turn[j] = x;
    for (unsigned a = i, b = n - 1; a < b; a++, b--) {
        x = turn[a];
        turn[a] = turn[b];
        turn[b] = x;
    }
    return true;
}

/* A lower bound for pipelining. A block's dimensions are busy for ceil(K/2B) steps each, one after
 * the other; and one of `beta` blocks begins with at least ceil(K/2B beta) rows, each of which has
 * sigma_r dimensions to visit. */
static uint32_t least_steps(const struct mixed_gsh *g)
{
    const uint32_t filled = g->rows + g->longest - 1;
    const uint32_t passed = (g->rows + g->blocks - 1) / g->blocks + g->order - 1;
    return filled > passed ? filled : passed;
}

/* Orders to try: more than four blocks of orders up to 8 have. */
#define WALKS_MAX 100000

/* Fewer rows than dimensions: the fastest of all ways, or the first that meets the bound. */
static void search_ways(const struct mixed_gsh *g, uint32_t *left, struct way *best)
{
    struct way w = {0};
    uint32_t least = UINT32_MAX, walks = 0;

    for (unsigned b = 0; b < g->blocks; b++)
        w.turn[b] = b;
    do {
        /* Equal sizes first, which are best for equal orders. */
        for (unsigned b = 0; b < g->blocks; b++)
            w.size[b] = g->rows / g->blocks + (b < g->rows % g->blocks);
        bool more = true, first = true;
        while (more && least > least_steps(g) && walks++ < WALKS_MAX) {
            const uint32_t steps = walk_rows(g, &w, left, NULL);
            if (steps < least) {
                least = steps;
                *best = w;
            }
            if (first) {
                memset(w.size, 0, sizeof w.size);
                w.size[0] = g->rows;
            } else {
                more = next_sizes(w.size, g->blocks);
            }
            first = false;
        }
    } while (least > least_steps(g) && walks < WALKS_MAX && next_turn(w.turn, g->blocks));
}

/* At least as many rows as dimensions: r_b rows begin in block b + 1, the rest in the last one. No
 * row waits for another: K/2 + max r_b - 1 steps. */
static void without_waiting(const struct mixed_gsh *g, struct way *w)
{
    uint32_t rest = g->rows;

    for (unsigned b = 0; b < g->blocks; b++) {
        w->size[b] = g->blocks == 1 ? 0 : g->block[(b + g->blocks - 1) % g->blocks].order;
        rest -= w->size[b];
    }
    w->size[g->blocks - 1] += rest;
}

/* The paper's partition into equal blocks, for any orders: the rows of a block enter the next one
 * together, when it is their block's turn, or, with fewer rows than dimensions, as soon as they
 * have left the previous one. */
static void equal_blocks(const struct mixed_gsh *g, struct way *w, uint32_t *start)
{
    const uint32_t size = (g->rows + g->blocks - 1) / g->blocks;

    for (unsigned b = 0; b < g->blocks; b++)
        w->turn[b] = b;
    for (uint32_t row = 0; row < g->rows; row++) {
        uint32_t through = 0;
        for (unsigned h = 0; h < g->blocks; h++) {
            const unsigned b = (row / size + h) % g->blocks;
            start[b * g->rows + row] = 1 + row % size + (g->rows >= g->order ? h * size : through);
            through += g->block[b].order;
        }
    }
}

static void choose_way(const struct mixed_gsh *g, uint32_t *left, struct way *w)
{
    for (unsigned b = 0; b < g->blocks; b++)
        w->turn[b] = b;
    if (g->blocks == 1 || g->rows >= g->order)
        without_waiting(g, w);
    else
        search_ways(g, left, w);
}

uint32_t mixed_pipelined_steps(struct mixed_table *t)
{
    uint32_t *left = malloc(t->g->rows * sizeof *left), steps = 0;
    struct way w = {0};

    t->memory_short = t->memory_short || !left;
    if (left) {
        choose_way(t->g, left, &w);
        steps = walk_rows(t->g, &w, left, NULL);
    }
    free(left);
    return steps;
}

enum ec_code mixed_pipelined(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const enum ec_code code = mixed_plain_rows(t, reterr);
    struct way w = {0};

    if (code || t->memory_short)
        return code;
    uint32_t *left = malloc(g->rows * sizeof *left);
    uint32_t *start = malloc((size_t)g->rows * g->blocks * sizeof *start);
    if (!left || !start) {
        t->memory_short = true;
    } else {
        if (t->printed) {
            equal_blocks(g, &w, start);
        } else {
            choose_way(g, left, &w);
            walk_rows(g, &w, left, start);
        }
        for (uint32_t row = 0; row < g->rows; row++) {
            for (unsigned i = 0; i < g->blocks; i++) {
                const unsigned b = w.turn[i];
                mixed_visit(t, row, start[i * g->rows + row], g->block[b].dim[0], b, 1,
                            g->block[b].order);
            }
        }
    }
    free(left);
    free(start);
    return EC_OK;
}
