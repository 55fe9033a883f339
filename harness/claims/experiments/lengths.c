/* SPDX-License-Identifier: Apache-2.0 */
/* Real cycles: lengths of links that bound the steps of any schedule, for every order of the cycle
 * (docs/study/GSH-REAL.md, the flow bound).
 *
 * All elements together travel at least the sum of the shortest distances, and the links offer the
 * sum of their lengths in each step. Knows lengths; must not know routes. */
#include "claims/experiments/values.h"

enum { ORDER_MAX = 10, NODES_MAX = 1 << ORDER_MAX, FAR = INT32_MAX };
enum { UNIT = 27720 }; /* of lengths: lcm(1..12), a multiple of all numbers up to order + 1 */

/* Node s sends to its address rotated left, with bit 0 inverted on arrival if `inverted`. Further
 * dimensions of the cube stay as they are, and their links are free of charge. */
struct cycle {
    unsigned order, dims;
    bool inverted;
    bool shortest; /* only paths without detours */
};

static uint32_t nodes_of(unsigned dims)
{
    return UINT32_C(1) << dims;
}

static uint32_t target(const struct cycle *c, uint32_t s)
{
    const uint32_t all = nodes_of(c->order) - 1, low = s & all;
    return (s & ~all) | (((low << 1 | low >> (c->order - 1)) & all) ^ c->inverted);
}

/* The link of node v in dimension d: 1/(1 + changes) along v_d, v_(d+1), ..., v_(d-1), not v_d,
 * where bit 0 counts as changed if it equals the bit before it, if it is inverted. */
static uint32_t length_of(const struct cycle *c, uint32_t v, unsigned d)
{
    uint32_t changes = 0, before = v >> d & 1;
    for (unsigned i = 1; i <= c->order; i++) {
        const unsigned e = (d + i) % c->order;
        const uint32_t bit = (v >> e & 1) ^ (i == c->order);
        changes += before ^ bit ^ (e == 0 && c->inverted);
        before = bit;
    }
    return UNIT / (1 + changes);
}

/* The same for paths without detours: 1 for the links that make the only run of ones longer at its
 * end, from no ones up to all of them. */
static uint32_t shortest_length_of(const struct cycle *c, uint32_t v, unsigned d)
{
    const uint32_t low = v & (nodes_of(c->order) - 1);
    const uint32_t ends = target(c, low) & ~low; /* of runs: the bits after them */
    return low == 0 || ends == UINT32_C(1) << d;
}

/* Is a hop from v in dimension d part of a path without detours from s to its target? */
static bool is_needed(const struct cycle *c, uint32_t s, uint32_t v, unsigned d)
{
    return ((s ^ target(c, s)) & ~(s ^ v)) >> d & 1;
}

/* The shortest distances from node s; each round relaxes all links. */
static void distances(const struct cycle *c, uint32_t length[][ORDER_MAX], uint32_t s,
                      uint32_t *ret)
{
    for (uint32_t v = 0; v < nodes_of(c->dims); v++)
        ret[v] = v == s ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < nodes_of(c->dims); v++) {
            for (unsigned d = 0; d < c->dims && ret[v] < FAR; d++) {
                const uint32_t w = v ^ UINT32_C(1) << d;
                if ((c->shortest && !is_needed(c, s, v, d)) || ret[v] + length[v][d] >= ret[w])
                    continue;
                ret[w] = ret[v] + length[v][d];
                changed = true;
            }
        }
    }
}

uint64_t price(unsigned order, enum price_paths paths, unsigned more, enum price_of of)
{
    static uint32_t length[NODES_MAX][ORDER_MAX], from_s[NODES_MAX];
    const struct cycle c = {order, order + more, paths == PRICE_INVERTED, paths == PRICE_SHORTEST};
    uint64_t sums[PRICES] = {0};
    if (order < 2 || c.dims > ORDER_MAX)
        return 0;
    for (uint32_t v = 0; v < nodes_of(c.dims); v++) {
        for (unsigned d = 0; d < c.dims; d++) {
            length[v][d] = d >= order   ? 0
                           : c.shortest ? shortest_length_of(&c, v, d)
                                        : length_of(&c, v, d);
            sums[PRICE_OFFERED] += length[v][d];
        }
    }
    for (uint32_t s = 0; s < nodes_of(c.dims); s++) {
        const uint32_t to = target(&c, s);
        distances(&c, length, s, from_s);
        sums[PRICE_TRAVELLED] += from_s[to];
        sums[PRICE_UNEVEN] += from_s[to] != (to == s ? 0 : UNIT);
        for (unsigned d = 0; to == s && d < c.dims; d++)
            sums[PRICE_USELESS] += length[s][d] + length[s ^ UINT32_C(1) << d][d];
    }
    return sums[of];
}
