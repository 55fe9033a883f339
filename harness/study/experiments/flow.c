/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH, any schedule: the smallest possible load of the busiest link, as two equal bounds.
 *
 * Upper bound: a schedule and its links, as audited. Lower bound: lengths of links. All elements
 * together travel at least the sum of the shortest distances, and links that carry T elements each
 * provide T times the sum of the lengths. Knows lengths; must not know routes. */
#include <inttypes.h>

#include "ec_cost_jh_bounds.h"
#include "study/experiments/play.h"

enum { ORDER_MAX = 6, NODES_MAX = 1 << ORDER_MAX };

/* A link of a node in a dimension, and its length; length 0 ends a list. */
struct length {
    uint32_t node, dim, length;
};

/* Every node s of an r-cube sends to phi(s): its address rotated left, with bit 0 inverted on
 * arrival if `inverted`. Rotations and the inversion of all bits map cube and traffic to
 * themselves, so a list has one link of each orbit; links without an entry have length 0. */
struct bound {
    unsigned order;
    bool inverted, shortest; /* only paths without detours */
    const char *algorithm;   /* reaches the bound with K elements */
    uint32_t per_node;
    struct length lengths[14];
};

static const struct bound bounds[] = {
    {2, false, false, "flow", 2, {{0, 0, 1}}},
    {3, false, false, "flow", 7, {{0, 0, 4}, {1, 1, 2}, {1, 2, 1}}},
    {4,
     false,
     false,
     "flow",
     12,
     {{0, 0, 2}, {1, 0, 1}, {1, 1, 1}, {1, 2, 2}, {1, 3, 1}, {3, 0, 2}}},
    {5,
     false,
     false,
     "flow",
     31,
     {{0, 0, 6},
      {1, 1, 6},
      {1, 2, 3},
      {1, 3, 1},
      {1, 4, 2},
      {3, 2, 3},
      {3, 4, 1},
      {5, 0, 1},
      {5, 1, 2},
      {5, 2, 2},
      {5, 3, 3},
      {5, 4, 1}}},
    {2, true, false, "cycle4", 4, {{0, 0, 3}, {0, 1, 1}}},
    {3, true, false, "a1-packed", 6, {{0, 0, 1}, {0, 2, 1}}},
    {2, false, true, "a2", 2, {{0, 0, 1}}},
    {3, false, true, "a2", 3, {{0, 0, 2}, {1, 1, 1}}},
    {4, false, true, "a2", 4, {{0, 0, 1}, {1, 1, 1}}},
    {5, false, true, "a2", 5, {{0, 0, 2}, {3, 0, 2}, {3, 2, 1}}},
    {6, false, true, "a2", 6, {{0, 0, 1}, {1, 1, 1}, {3, 2, 1}}},
};

static uint32_t all_bits(const struct bound *b)
{
    return (UINT32_C(1) << b->order) - 1;
}

static uint32_t phi(const struct bound *b, uint32_t s)
{
    return (((s << 1) | s >> (b->order - 1)) & all_bits(b)) ^ b->inverted;
}

/* --- Below ------------------------------------------------------------------------------------ */

/* Copies the given lengths to all links of their orbits: phi maps node s to phi(s) and dimension d
 * to d + 1. */
static void spread(const struct bound *b, uint32_t length[NODES_MAX][ORDER_MAX])
{
    for (const struct length *x = b->lengths; x->length; x++) {
        uint32_t node = x->node;
        for (unsigned i = 0; i < 2 * b->order; i++) { /* with an inversion phi^r inverts all bits */
            length[node][(x->dim + i) % b->order] = x->length;
            length[node ^ all_bits(b)][(x->dim + i) % b->order] = x->length;
            node = phi(b, node);
        }
    }
}

/* The shortest distance from s to phi(s), by Bellman-Ford. */
static uint32_t distance(const struct bound *b, uint32_t length[NODES_MAX][ORDER_MAX], uint32_t s)
{
    const uint32_t far = UINT32_MAX / 2, wanted = s ^ phi(b, s);
    uint32_t from_s[NODES_MAX];
    for (uint32_t v = 0; v <= all_bits(b); v++)
        from_s[v] = v == s ? 0 : far;
    for (uint32_t round = 0; round <= all_bits(b); round++) {
        for (uint32_t u = 0; u <= all_bits(b); u++) {
            for (unsigned d = 0; d < b->order; d++) {
                const uint32_t v = u ^ UINT32_C(1) << d;
                if (b->shortest && !(wanted >> d & 1 && (u ^ phi(b, s)) >> d & 1))
                    continue;
                from_s[v] = claims_min(from_s[v], from_s[u] + length[u][d]);
            }
        }
    }
    return from_s[phi(b, s)];
}

static struct ec_cost_ratio least(const struct bound *b)
{
    uint32_t length[NODES_MAX][ORDER_MAX] = {{0}};
    uint64_t travelled = 0, offered = 0;
    spread(b, length);
    for (uint32_t s = 0; s <= all_bits(b); s++) {
        travelled += distance(b, length, s);
        for (unsigned d = 0; d < b->order; d++)
            offered += length[s][d];
    }
    return ec_cost_ratio_of(travelled, offered);
}

/* --- Above ------------------------------------------------------------------------------------ */

/* Does every element cross the minimum number of links? */
static bool without_detours(const struct claims_seen *seen)
{
    const struct ec_schedule *s = seen->schedule;
    uint64_t hops = 0;
    for (uint32_t e = 0; e < s->holders * s->per_node; e++)
        hops += claims_ones(e / s->per_node ^ s->target[e].node);
    return seen->checked->element_hops == hops;
}

static bool proof(struct claims_run *run, const struct bound *b)
{
    const struct shuffle x = real_shuffle(b->order, b->per_node, 1, b->inverted);
    const char *kind = b->shortest ? ", shortest paths" : b->inverted ? ", one inversion" : "";
    const struct ec_cost_ratio below = least(b);
    struct ec_cost_ratio formula = {0, 1};
    struct claims_seen seen;
    if (!play_blocks(run, &x, b->algorithm, 1, 0, true, &seen))
        return false;
    const struct ec_cost_ratio above =
        ec_cost_ratio_of(seen.checked->max_link_elements, b->per_node);
    claims_require(run,
                   b->shortest ? ec_cost_jh_flow_shortest(b->order, &formula)
                               : ec_cost_jh_flow(b->order, b->inverted, &formula),
                   "sigma_r=%u%s: no formula", b->order, kind);
    claims_require(run, !b->shortest || without_detours(&seen), "%s: detours", x.name);
    claims_case(run, ec_cost_ratio_compare(above, below) == 0,
                "sigma_r=%u%s: %" PRIu64 "/%" PRIu64 " is reached, %" PRIu64 "/%" PRIu64
                " is needed",
                b->order, kind, above.num, above.den, below.num, below.den);
    claims_case(run, ec_cost_ratio_compare(formula, below) == 0,
                "sigma_r=%u%s: the bound is %" PRIu64 "/%" PRIu64, b->order, kind, below.num,
                below.den);
    claims_table_row(run, "%u%s,%" PRIu64 "/%" PRIu64 ",%s", b->order,
                     b->shortest   ? " (shortest paths)"
                     : b->inverted ? " (one inversion)"
                                   : "",
                     below.num, below.den, b->algorithm);
    return true;
}

/* --- Schedules -------------------------------------------------------------------------------- */

static bool nothing_below(struct claims_run *run, const struct sizes *g, const char *algorithm)
{
    const struct shuffle x = real_shuffle(g->size, g->per_node, 1, 0);
    struct ec_cost_ratio bound;
    struct claims_seen seen;
    if (claims_refused(x.topology, x.workload, algorithm))
        return true;
    if (!claims_require(run, ec_cost_jh_flow(g->size, false, &bound), "%s: no formula", x.name) ||
        !play_blocks(run, &x, algorithm, 1, 0, g->timed, &seen))
        return false;
    const uint64_t steps = ec_cost_ceil(bound.num * g->per_node, bound.den);
    claims_predicted(run, "steps >=", steps);
    claims_relate(run, seen.steps, CLAIMS_GE, steps, "%s, %s: steps", x.name, algorithm);
    return true;
}

/* ours.real.flow. */
void experiment_flow_bound(struct claims_run *run)
{
    static const char *const algorithms[] = {"a1-concurrent", "a1-packed", "a2",
                                             "a2x2",          "flow",      "aapc-twice"};
    claims_table_row(run, "sigma_r,of K,reached by");
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (!proof(run, &bounds[i]))
            return;
    for (struct sizes g = reals_grid(run); sizes_next(&g) && g.size <= 5;)
        for (size_t i = 0; g.audited && i < sizeof algorithms / sizeof *algorithms; i++)
            if (!nothing_below(run, &g, algorithms[i]))
                return;
}
