/* SPDX-License-Identifier: Apache-2.0 */
/* Real cycles: lengths of links that bound the steps of any schedule, for every order of the cycle
 * (docs/study/GSH-REAL.md, the flow bound), and schedules that take no more.
 *
 * Knows lengths and closed forms; must not know routes. */
#include <inttypes.h>

#include "claims/experiments/play.h"
#include "ec_cost_jh_bounds.h"

enum { ORDER_MAX = 10, NODES_MAX = 1 << ORDER_MAX, FAR = INT32_MAX };

/* Node s sends to its address rotated left, with bit 0 inverted on arrival if `inverted`. */
struct cycle {
    unsigned order;
    bool inverted;
    uint32_t unit; /* of lengths: a multiple of all numbers up to order + 1 */
    bool shortest; /* only paths without detours */
};

static uint32_t nodes_of(const struct cycle *c)
{
    return UINT32_C(1) << c->order;
}

static uint32_t target(const struct cycle *c, uint32_t s)
{
    return ((s << 1 | s >> (c->order - 1)) & (nodes_of(c) - 1)) ^ c->inverted;
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
    return c->unit / (1 + changes);
}

/* The same for paths without detours: 1 for the links that make the only run of ones longer at its
 * end, from no ones up to all of them. */
static uint32_t shortest_length_of(const struct cycle *c, uint32_t v, unsigned d)
{
    const uint32_t ends = target(c, v) & ~v; /* of runs: the bits after them */
    return v == 0 || ends == UINT32_C(1) << d;
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
    for (uint32_t v = 0; v < nodes_of(c); v++)
        ret[v] = v == s ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < nodes_of(c); v++) {
            for (unsigned d = 0; d < c->order && ret[v] < FAR; d++) {
                const uint32_t w = v ^ UINT32_C(1) << d;
                if ((c->shortest && !is_needed(c, s, v, d)) || ret[v] + length[v][d] >= ret[w])
                    continue;
                ret[w] = ret[v] + length[v][d];
                changed = true;
            }
        }
    }
}

/* What the lengths prove: `travelled` for each of K elements of all nodes, out of `offered` in each
 * step, less `useless` in the first step and the last one. */
struct proof {
    uint64_t travelled, offered, useless;
};

/* Nodes that send nothing have no use for the links out of them in the first step, and for the
 * links into them in the last one. */
static struct proof prove(struct claims_run *run, const struct cycle *c)
{
    static uint32_t length[NODES_MAX][ORDER_MAX], from_s[NODES_MAX];
    struct proof p = {0};
    for (uint32_t v = 0; v < nodes_of(c); v++)
        for (unsigned d = 0; d < c->order; d++)
            p.offered += length[v][d] =
                c->shortest ? shortest_length_of(c, v, d) : length_of(c, v, d);
    for (uint32_t s = 0; s < nodes_of(c); s++) {
        const uint32_t to = target(c, s);
        distances(c, length, s, from_s);
        p.travelled += from_s[to];
        for (unsigned d = 0; to == s && d < c->order; d++)
            p.useless += length[s][d] + length[s ^ UINT32_C(1) << d][d];
        claims_require(run, c->shortest || from_s[to] == (to == s ? 0 : c->unit),
                       "sigma_r=%u: the distance from %" PRIu32 " is not 1", c->order, s);
    }
    return p;
}

static void bound_case(struct claims_run *run, const struct cycle *c)
{
    const char *kind = c->inverted ? ", one inversion" : "";
    const struct proof p = prove(run, c);
    const struct ec_cost_ratio load = ec_cost_ratio_of(p.travelled, p.offered);
    struct ec_cost_ratio formula = {0, 1};
    claims_require(run, ec_cost_jh_flow(c->order, c->inverted, &formula), "no formula");
    claims_case(run, ec_cost_ratio_compare(load, formula) == 0,
                "sigma_r=%u%s: the lengths prove %" PRIu64 "/%" PRIu64, c->order, kind, load.num,
                load.den);
    for (uint32_t K = 1; K <= 64; K++)
        claims_relate(run, ec_cost_ceil(K * p.travelled + p.useless, p.offered), CLAIMS_EQ,
                      ec_cost_jh_flow_steps(c->order, c->inverted, K),
                      "sigma_r=%u%s, K=%" PRIu32 ": steps at least", c->order, kind, K);
    claims_table_row(run, "%u,%s,%" PRIu64 "/%" PRIu64, c->order, c->inverted ? "odd" : "even",
                     load.num, load.den);
}

void experiment_real_bound(struct claims_run *run)
{
    claims_without_command(run);
    claims_table_row(run, "sigma_r,inversions,of K");
    for (unsigned order = 2; order <= (claims_is_full(run) ? ORDER_MAX : 8U); order++) {
        for (int inverted = 0; inverted < 2; inverted++) {
            const struct cycle c = {order, inverted, 27720, false}; /* lcm(1..12) */
            bound_case(run, &c);
        }
    }
}

/* --- Schedules -------------------------------------------------------------------------------- */

void experiment_real_shortest(struct claims_run *run)
{
    for (unsigned r = 2; r <= (claims_is_full(run) ? 8U : 6U); r++) {
        const struct cycle c = {.order = r, .shortest = true};
        const struct proof p = prove(run, &c);
        const struct ec_cost_ratio below = ec_cost_ratio_of(p.travelled, p.offered);
        const struct shuffle x = real_shuffle(r, r, 1, 0);
        struct ec_cost_ratio formula = {0, 1};
        struct claims_seen seen;
        claims_require(run, ec_cost_jh_flow_shortest(r, &formula), "no formula");
        claims_case(run, ec_cost_ratio_compare(below, formula) == 0,
                    "sigma_r=%u: the lengths prove %" PRIu64 "/%" PRIu64, r, below.num, below.den);
        if (!play_blocks(run, &x, "a2", r <= 5, &seen))
            return;
        claims_require(run, without_detours(&seen), "%s: detours", x.name);
        claims_relate(run, seen.checked->max_link_elements, CLAIMS_EQ,
                      formula.num * r / formula.den, "%s, a2: elements on the busiest link",
                      x.name);
    }
}
