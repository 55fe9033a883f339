/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH, any schedule: the smallest possible load of the busiest link, as two equal bounds; and
 * the same on larger cubes (Lemma 1).
 *
 * Upper bound: a schedule and its links, as audited. Lower bound: lengths of links. All elements
 * together travel at least the sum of the shortest distances, and links that carry T elements each
 * provide T times the sum of the lengths. Knows lengths; must not know routes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "ec_cost_jh_bounds.h"

enum { ORDER_MAX = 6, NODES_MAX = 1 << ORDER_MAX, SPECTATORS_MAX = 3 };

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
     48,
     {{0, 0, 2}, {1, 0, 1}, {1, 1, 1}, {1, 2, 2}, {1, 3, 1}, {3, 0, 2}}},
    {5,
     false,
     false,
     "flow",
     155,
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

/* The shortest distance from s to phi(s), by Bellman-Ford. Further dimensions of the cube, which
 * the permutation leaves alone, are free of charge. */
static uint32_t distance(const struct bound *b, uint32_t length[NODES_MAX][ORDER_MAX],
                         unsigned spectators, uint32_t s)
{
    const uint32_t far = UINT32_MAX / 2, all = all_bits(b), last = (all + 1) << spectators;
    const uint32_t to = phi(b, s & all) | (s & ~all), wanted = s ^ to;
    uint32_t from_s[NODES_MAX << SPECTATORS_MAX];
    bool shorter = true;
    for (uint32_t v = 0; v < last; v++)
        from_s[v] = v == s ? 0 : far;
    while (shorter) {
        shorter = false;
        for (uint32_t u = 0; u < last; u++) {
            for (unsigned d = 0; d < b->order + spectators; d++) {
                const uint32_t v = u ^ UINT32_C(1) << d;
                const uint32_t via = from_s[u] + (d < b->order ? length[u & all][d] : 0);
                if (via >= from_s[v] || (b->shortest && !(wanted >> d & 1 && (u ^ to) >> d & 1)))
                    continue;
                from_s[v] = via;
                shorter = true;
            }
        }
    }
    return from_s[to];
}

static struct ec_cost_ratio least(const struct bound *b, unsigned spectators)
{
    uint32_t length[NODES_MAX][ORDER_MAX] = {{0}};
    uint64_t travelled = 0, offered = 0;
    spread(b, length);
    for (uint32_t s = 0; s < (all_bits(b) + 1) << spectators; s++) {
        travelled += distance(b, length, spectators, s);
        for (unsigned d = 0; d < b->order; d++)
            offered += length[s & all_bits(b)][d];
    }
    return ec_cost_ratio_of(travelled, offered);
}

/* --- Above ------------------------------------------------------------------------------------ */

static bool proof(struct claims_run *run, const struct bound *b)
{
    const struct shuffle x = real_shuffle(b->order, b->per_node, 1, b->inverted);
    const char *kind = b->shortest ? ", shortest paths" : b->inverted ? ", one inversion" : "";
    const struct ec_cost_ratio below = least(b, 0);
    struct ec_cost_ratio formula = {0, 1};
    struct claims_seen seen;
    if (!play_blocks(run, &x, b->algorithm, true, &seen))
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
    const uint64_t steps = ec_cost_jh_flow_steps(g->size, false, g->per_node);
    struct claims_seen seen;
    if (claims_refused(x.topology, x.workload, algorithm))
        return true;
    if (!play_blocks(run, &x, algorithm, g->timed, &seen))
        return false;
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

/* --- Larger cubes ----------------------------------------------------------------------------- */

/* All schedules of a permutation on a cube of more dimensions than its order; each is folded to the
 * cube of its order, where nodes that differ in other dimensions are one node, and 2^spectators
 * links one link. */
struct folded {
    struct claims_run *run;
    const char *name;
    unsigned order, spectators;
    uint64_t bound;   /* of the small cube */
    uint32_t fewest;  /* steps; 0: no schedule */
    unsigned outside; /* schedules with links of other dimensions */
};

static bool any_for_all_ports(void *context, const struct ec_choice_offer *offer)
{
    (void)context;
    return offer->all_ports;
}

/* Is the folded schedule one for the small cube: at most 2^spectators elements on a link in a step,
 * and every element a way to its place? Adds up the elements on all links. */
static bool folds(struct folded *f, const struct ec_schedule *s, uint64_t *ret_hops)
{
    const uint32_t inside = (UINT32_C(1) << f->order) - 1, elements = s->nodes * s->per_node;
    uint32_t *at = calloc(elements, sizeof *at),
             *link = calloc(s->nodes * (size_t)32, sizeof *link);
    bool right = at && link, outside = false;
    uint32_t step = 0;
    for (uint32_t e = 0; right && e < elements; e++)
        at[e] = e / s->per_node & inside;
    for (size_t i = 0; right && i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        const uint32_t crossed = (t->src ^ t->dst) & inside;
        if (t->step != step)
            memset(link, 0, s->nodes * (size_t)32 * sizeof *link);
        step = t->step;
        outside |= crossed == 0;
        for (uint32_t k = t->first; k < t->first + t->count; k++) {
            right &= at[s->carried[k].element] == (t->src & inside);
            at[s->carried[k].element] = t->dst & inside;
        }
        if (crossed == 0)
            continue;
        uint32_t *carried = &link[(t->src & inside) * 32 + (unsigned)__builtin_ctz(crossed)];
        *carried += t->count;
        *ret_hops += t->count;
        right &= *carried <= UINT32_C(1) << f->spectators;
    }
    for (uint32_t e = 0; right && e < elements; e++)
        right = at[e] == (s->target[e].node & inside);
    f->outside += outside;
    free(at);
    free(link);
    return right;
}

/* The small cube offers as many links in every step as the volume needs in K/2 steps. */
static enum ec_code fold(void *context, const struct ec_choice_offer *offer, struct ec_schedule *s,
                         struct ec_error *reterr)
{
    struct folded *f = context;
    const struct ec_cost_ratio volume = ec_cost_jh_volume(f->order, s->per_node);
    const uint64_t links = (uint64_t)f->order << (f->order + f->spectators);
    uint64_t hops = 0;
    (void)offer;
    (void)reterr;
    const bool right = folds(f, s, &hops);
    claims_require(f->run, right, "%s, %s: not a schedule when folded", f->name, s->algorithm);
    claims_require(f->run, hops * volume.den >= volume.num << f->spectators,
                   "%s, %s: %" PRIu64 " elements on links", f->name, s->algorithm, hops);
    claims_require(f->run, s->steps * links >= hops, "%s, %s: more elements than links", f->name,
                   s->algorithm);
    claims_relate(f->run, s->steps, CLAIMS_GE, f->bound, "%s, %s: steps", f->name, s->algorithm);
    f->fewest = f->fewest ? claims_min(f->fewest, s->steps) : s->steps;
    ec_schedule_close(s);
    return EC_OK;
}

/* Every schedule that the library has for the permutation with 0 to 3 spectators: none is below the
 * bound of the small cube, and the best is not better than there. The best one runs on RTL. */
static bool fold_all(struct claims_run *run, struct gsh g, unsigned *outside)
{
    uint32_t alone = 0;
    for (g.spectators = 0; g.spectators <= SPECTATORS_MAX; g.spectators++) {
        char words[200], name[80];
        struct claims_seen seen;
        gsh_words(&g, words, sizeof words);
        snprintf(name, sizeof name, "%s " GSH_CASE ", %u spectators", g.real ? "real" : "mixed",
                 GSH_ARGS(&g), g.spectators);
        claims_add(words, sizeof words, " --algorithm %s", g.real ? "a1-packed" : "parity");
        if (!play_words(run, g.order + g.spectators <= 6, words, &seen))
            return false;
        struct folded f = {.run = run,
                           .name = name,
                           .order = g.order,
                           .spectators = g.spectators,
                           .bound = g.real ? ec_cost_jh_bound_real(g.per_node)
                                           : ec_cost_jh_bound_mixed(g.order, 1, g.per_node)};
        const struct ec_choice each = {&f, any_for_all_ports, fold};
        struct ec_error e = {.code = EC_OK};
        if (!claims_require(run,
                            ec_schedule_choose(seen.topology, seen.workload, "best:block=1", &each,
                                               &e) == EC_OK &&
                                f.fewest > 0,
                            "%s: %s", name, e.message))
            return false;
        alone = g.spectators == 0 ? f.fewest : alone;
        claims_relate(run, f.fewest, CLAIMS_GE, alone, "%s: the fewest steps", name);
        *outside += f.outside;
    }
    return true;
}

/* Lemma 1, as a bound: the elements of any algorithm, folded, are carried by the links of the small
 * cube. So prices of its links, with other dimensions free, bound both cubes alike; and no schedule
 * is better with more dimensions. Its premise is needed: where only one sigma_r-cube has data, more
 * dimensions help. */
void experiment_lemma1(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 5 : 3;
    struct claims_seen seen;
    unsigned outside = 0;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct bound *b = &bounds[i];
        struct ec_cost_ratio formula;
        for (unsigned spectators = 0; b->order <= most && !b->shortest; spectators++) {
            if (spectators > SPECTATORS_MAX)
                break;
            const struct ec_cost_ratio larger = least(b, spectators);
            claims_case(run,
                        ec_cost_jh_flow(b->order, b->inverted, &formula) &&
                            ec_cost_ratio_compare(larger, formula) == 0,
                        "real sigma_r=%u, %u spectators: %" PRIu64 "/%" PRIu64 " of K", b->order,
                        spectators, larger.num, larger.den);
        }
    }
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);)
        if (g.order <= most && !fold_all(run, g, &outside))
            return;
    for (struct gsh g = real_grid(run, 2); gsh_next(&g);)
        if (g.order <= most && !fold_all(run, g, &outside))
            return;
    claims_require(run, outside > 0, "no schedule uses other dimensions");
    if (!claims_measure(run, &seen, "cube:6 gsh:cycle=6-0,K=64,sub=1 --algorithm extended"))
        return;
    claims_require(run, seen.steps < 64 / 2, "data in one subcube: %u steps", seen.steps);
    claims_remark(run,
                  "%u of the schedules use other dimensions; with data in one subcube only, "
                  "sigma_r=1, K=64 takes %u steps on a 6-cube, less than K/2",
                  outside, seen.steps);
}
