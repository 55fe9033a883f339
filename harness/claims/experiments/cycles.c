/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized shuffles (GSH) as grids and as arguments of the command line.
 *
 * Knows the grammar of workloads; must not know any algorithm, bound or claim. */
#include "claims/experiments/cycles.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Words of one cycle ----------------------------------------------------------------------- */

void gsh_words(const struct gsh *g, char *buffer, size_t size)
{
    const unsigned k = claims_storage(g->per_node), last = g->real ? g->order - 1 : g->order;
    *buffer = '\0';
    claims_add(buffer, size, "cube:%u gsh:cycle", g->order + g->spectators);
    for (unsigned i = last + 1; i-- > 0;) {
        const unsigned dim = g->real ? k + i : i == 0 ? 0 : k + i - 1;
        claims_add(buffer, size, "%c%s%u", i == last ? '=' : '-', g->inverted >> i & 1 ? "~" : "",
                   dim);
    }
    claims_add(buffer, size, ",K=%u", g->per_node);
}

/* --- Words of several blocks ------------------------------------------------------------------ */

static void finish(struct shuffle *g)
{
    snprintf(g->topology, sizeof g->topology, "cube:%u", g->dims);
    claims_add(g->workload, sizeof g->workload, ",K=%u", g->per_node);
    if (g->words != 1)
        claims_add(g->workload, sizeof g->workload, ",m=%u", g->words);
    claims_add(g->name, sizeof g->name, ", K=%u", g->per_node);
}

unsigned orders_of(uint64_t digits, unsigned *ret_order)
{
    unsigned count = 0;
    for (uint64_t rest = digits; rest > 0 && count < ORDERS_MAX; rest /= 10)
        count++;
    for (unsigned b = count; b-- > 0; digits /= 10)
        ret_order[b] = (unsigned)(digits % 10);
    return count;
}

struct shuffle mixed_shuffle(const unsigned *order, unsigned count, uint32_t per_node,
                             uint32_t words)
{
    struct shuffle g = {.per_node = per_node, .words = words, .workload = "gsh:cycle="};
    unsigned top = claims_storage(per_node);
    snprintf(g.name, sizeof g.name, "orders ");
    for (unsigned b = 0; b < count; b++)
        g.dims += order[b];
    top += g.dims;
    for (unsigned b = count; b-- > 0;) {
        for (unsigned i = 0; i < order[b]; i++)
            claims_add(g.workload, sizeof g.workload, "%u-", --top);
        claims_add(g.workload, sizeof g.workload, "%u%s", b, b ? "-" : "");
    }
    for (unsigned b = 0; b < count; b++)
        claims_add(g.name, sizeof g.name, "%s%u", b ? "," : "", order[b]);
    finish(&g);
    return g;
}

struct shuffle two_cycles_shuffle(unsigned beta, uint32_t per_node, uint32_t words)
{
    struct shuffle g = {
        .dims = 2 * beta, .per_node = per_node, .words = words, .workload = "gsh:cycle="};
    const unsigned k = claims_storage(per_node);
    for (unsigned b = 0; b < beta; b++)
        claims_add(g.workload, sizeof g.workload, "%s%u-%u", b ? "+" : "", k + 2 * beta - 1 - b,
                   k + b);
    snprintf(g.name, sizeof g.name, "beta=%u", beta);
    finish(&g);
    return g;
}

/* --- Several blocks: MUL ---------------------------------------------------------------------- */

/* Selects about one of `in` pairs (a, b), the same ones in every run. */
static bool sampled(uint32_t a, uint32_t b, uint32_t in)
{
    const uint32_t x = (a * 2654435761U ^ b) * 2246822519U;
    return (x >> 16) % in == 0;
}

/* Decides whether a case is audited and run on RTL, from the number of elements on an n-cube. */
static void choose(unsigned n, uint32_t per_node, bool full, uint32_t key, bool *audited,
                   bool *timed)
{
    const uint64_t elements = (uint64_t)per_node << n;
    const bool drawn = sampled(key, per_node, 16);
    *audited = elements <= 1 << 14 || (full && elements <= 1 << 17 && drawn);
    *timed = *audited && (n <= 6 || (full && n <= 10 && drawn));
}

struct multi multi_grid(const struct claims_run *run)
{
    const bool full = claims_is_full(run);
    return (struct multi){
        .full = full,
        .blocks_max = full ? 4 : 2,
        .order_max = full ? 6 : 5,
        .sigma_max = full ? 12 : 9,
    };
}

/* The next sequence of orders, sorted by blocks, then sigma_r, then as a number. Orders do not
 * increase, except with two blocks, where both sequences occur. */
static bool orders_fit(const struct multi *g)
{
    bool falling = true, unit = true;
    for (unsigned b = 1; b < g->blocks; b++)
        falling &= g->order[b] <= g->order[b - 1];
    for (unsigned b = 0; b < g->blocks; b++)
        unit &= g->order[b] <= 3;
    if (!falling && g->blocks != 2)
        return false;
    return g->full || unit || (g->order[0] == 4 && g->order[1] <= 2) ||
           (g->order[0] == 5 && g->order[1] == 4);
}

static void sum_up(struct multi *g)
{
    g->sigma_r = g->longest = 0;
    g->equal = true;
    for (unsigned b = 0; b < g->blocks; b++) {
        g->sigma_r += g->order[b];
        g->longest = claims_max(g->longest, g->order[b]);
        g->equal &= g->order[b] == g->order[0];
    }
}

/* Counts up in base order_max and keeps the sum, which visits all tuples of this sum. */
static bool next_tuple(struct multi *g)
{
    const unsigned sum = g->sigma_r;
    do {
        unsigned b = 0;
        while (b < g->blocks && g->order[b] == g->order_max)
            g->order[b++] = 1;
        if (b == g->blocks)
            return false;
        g->order[b]++;
        sum_up(g);
    } while (g->sigma_r != sum || !orders_fit(g));
    return true;
}

static bool next_orders(struct multi *g)
{
    unsigned sum = g->sigma_r + 1;
    if (g->blocks && next_tuple(g))
        return true;
    for (;; sum++) {
        if (g->blocks == 0 || sum > claims_min(g->sigma_max, g->blocks * g->order_max)) {
            if (g->blocks == 0)
                g->blocks = 2;
            else if (g->blocks++ == g->blocks_max)
                return false;
            sum = g->blocks;
        }
        for (unsigned b = 0; b < ORDERS_MAX; b++)
            g->order[b] = 1;
        sum_up(g);
        if (g->sigma_r == sum && orders_fit(g))
            return true;
        g->sigma_r = sum;
        if (next_tuple(g))
            return true;
        g->sigma_r = sum;
    }
}

bool multi_next(struct multi *g)
{
    if (g->blocks_max == 0)
        return false;
    static const uint32_t quick[] = {4, 8, 12, 16, 20, 0},
                          full[] = {4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 0};
    const uint32_t *K = g->full ? full : quick;
    do {
        if (g->blocks == 0 || K[g->next_K] == 0) {
            if (!next_orders(g))
                return false;
            g->next_K = 0;
        }
        g->per_node = K[g->next_K++];
    } while (g->per_node % (UINT32_C(1) << g->blocks) != 0);
    uint32_t key = g->blocks;
    for (unsigned b = 0; b < g->blocks; b++)
        key = key * 8 + g->order[b];
    choose(g->sigma_r, g->per_node, g->full, key, &g->audited, &g->timed);
    return true;
}

struct shuffle multi_words(const struct multi *g, uint32_t words)
{
    return mixed_shuffle(g->order, g->blocks, g->per_node, words);
}

struct multi multi_of(const struct claims_run *run, unsigned count, const unsigned *order,
                      uint32_t per_node)
{
    struct multi g = multi_grid(run);
    g.blocks = count;
    for (unsigned b = 0; b < count; b++)
        g.order[b] = order[b];
    sum_up(&g);
    g.per_node = per_node;
    g.audited = true;
    g.timed = g.sigma_r <= (g.full ? 10 : 6);
    return g;
}

bool multi_is_open(uint64_t digits, uint64_t per_node)
{
    static const unsigned orders[] = {441,  541,  551,  641,  651,  3321, 3331, 4321, 4331, 4411,
                                      4421, 4431, 5321, 5331, 5411, 5421, 5511, 6321, 6411};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (per_node == 16 && digits == orders[i])
            return true;
    return false;
}

/* --- Packets ---------------------------------------------------------------------------------- */

struct block_packet block_packets(const struct claims_run *run, uint32_t most)
{
    return (struct block_packet){.most = most, .full = claims_is_full(run)};
}

bool block_packet_next(struct block_packet *p)
{
    static const uint32_t startup[2][5] = {{0, 7}, {0, 1, 7, 50, 200}};
    static const unsigned startups[2] = {2, 5};
    /* Quick: B = 1, 2, 3 and the largest, each with two start-ups. */
    const unsigned blocks = p->full ? p->most : claims_min(p->most, 4);
    if (p->next == 2 * blocks)
        return false;
    const unsigned i = p->next++, b = i / 2;
    p->startup = startup[p->full][i % startups[p->full]];
    p->block = p->full || b < 3 ? b + 1 : p->most;
    p->words = i % 2 ? 1 : 3;
    return true;
}
