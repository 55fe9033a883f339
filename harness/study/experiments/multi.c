/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH: steps of the schedules against Theorem 2 and what surrounds it.
 *
 * Knows the formulas of Johnsson and Ho, 4.1.2, as printed and as corrected (model/cost); steps and
 * cycles come from schedules and runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_mixed.h"
#include "study/experiments/shuffle.h"

static uint64_t twice_order(const struct try_multi *g)
{
    return 2 * (uint64_t)g->sigma_r;
}

/* --- Pipelined -------------------------------------------------------------------------------- */

/* Rows that begin in each block. */
static void count_rows(const struct ec_schedule *s, uint32_t *rows)
{
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        if (x->storage < TRY_ORDERS_MAX && (i == 0 || x[-1].row != x->row))
            rows[x->storage]++;
    }
}

/* Sizes n with n_(b+1) >= r_b, sum K/2. */
static void sizes_are(struct claims_run *run, const struct try_multi *g, const char *name,
                      const struct ec_schedule *s)
{
    uint32_t rows[TRY_ORDERS_MAX] = {0}, sum = 0;
    bool wide = true;
    count_rows(s, rows);
    for (unsigned b = 0; b < g->blocks; b++) {
        sum += rows[b];
        wide &= rows[(b + 1) % g->blocks] >= g->order[b];
    }
    claims_case(run, wide && sum == g->per_node / 2, "%s: sizes of blocks", name);
}

/* K >= 2 sigma_r: K/2 + max order - 1. with: 0 all, 1 equal orders, 2 orders of at most 3, 3 all,
 * and the sizes of blocks. */
void try_multi_pipelined(struct claims_run *run)
{
    const int with = claims_with(run);
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        struct claims_seen seen;
        struct try_shuffle x;
        uint64_t steps;
        if (!g.audited || g.per_node < twice_order(&g) || (with == 1 && !g.equal) ||
            (with == 2 && g.longest > 3))
            continue;
        if (!claims_require(run, ec_cost_jh_multi_pipelined(try_multi_cost(&g), g.per_node, &steps),
                            "%s: no formula", try_multi_name(&g, &x)) ||
            !try_multi_look(run, &g, "pipelined", &seen))
            return;
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", try_multi_name(&g, &x));
        if (with == 3)
            sizes_are(run, &g, x.name, seen.schedule);
    }
}

static uint64_t printed_small(const struct try_multi *g)
{
    return ec_cost_ceil(g->per_node, 2 * g->blocks) + g->sigma_r - 1;
}

/* ceil(K/2 beta) + sigma_r - 1 can be met by pipelining iff a block, which all K/2 rows enter one
 * by one, needs no longer, K/2 + max order - 1; which is so for equal orders. */
static bool small_is_right(const struct try_multi *g)
{
    return printed_small(g) == ec_cost_jh_multi_pipelined_bound(try_multi_cost(g), g->per_node) &&
           !try_multi_is_open(g);
}

/* K <= 2 sigma_r: ceil(K/2 beta) + sigma_r - 1, orders equal or not. with: 1 where Theorem 2, case
 * 1, says so. */
void try_multi_small(struct claims_run *run)
{
    const bool theorem = claims_with(run) == 1;
    uint64_t case1, case2;
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        struct claims_seen seen;
        struct try_shuffle x;
        if (theorem ? !ec_cost_jh_theorem2_printed(1, try_multi_cost(&g), g.per_node, &case1)
                    : g.per_node > twice_order(&g))
            continue;
        if (!g.audited)
            continue;
        if (!try_multi_look(run, &g, "pipelined", &seen))
            return;
        claims_require(run, !g.equal || g.per_node > twice_order(&g) || small_is_right(&g),
                       "%s: equal orders", try_multi_name(&g, &x));
        claims_predicted(run, "steps as printed", printed_small(&g));
        claims_relate_if(run, small_is_right(&g), seen.steps, CLAIMS_EQ, printed_small(&g),
                         "%s: steps", try_multi_name(&g, &x));
    }
    if (!theorem)
        return;
    const unsigned disputed[] = {3, 1}, below[] = {4, 1}, far_below[] = {4, 1, 1, 1};
    const struct ec_cost_blocks a = {disputed, 2}, b = {below, 2}, c = {far_below, 4};
    claims_require(run,
                   ec_cost_jh_theorem2_printed(1, a, 8, &case1) &&
                       ec_cost_jh_theorem2_printed(2, a, 8, &case2) && case1 == 5 && case2 == 6,
                   "orders 3,1, K=8: cases 1 and 2");
    claims_require(run,
                   ec_cost_jh_theorem2_printed(1, b, 16, &case1) && case1 == 8 &&
                       ec_cost_jh_bound_mixed(5, 2, 16) == 9,
                   "orders 4,1, K=16: case 1 below the bound");
    claims_require(run,
                   ec_cost_jh_theorem2_printed(1, c, 32, &case1) && case1 == 10 &&
                       ec_cost_jh_lemma2_n_port(32).num == 16,
                   "orders 4,1,1,1, K=32: case 1 below Lemma 2");
    claims_remark(run, "orders 3,1, K=8: case 1 gives 5, case 2 gives 6; 4,1, K=16: 8 where the "
                       "bound is 9; 4,1,1,1, K=32: 10 where Lemma 2 has 16");
}

/* Rows of block b, of s = ceil(P/beta) in each, P = K/2, but in the last ones. */
static uint32_t equal_share(const struct try_multi *g, unsigned b)
{
    const uint32_t rows = g->per_node / 2;
    const uint32_t size = (uint32_t)ec_cost_ceil(rows, g->blocks);
    const uint32_t before = claims_min(rows, b * size);
    return claims_min(rows - before, size);
}

/* P >= sigma_r: a block's rows go on after s steps, which must be enough for its dimensions. P <
 * sigma_r: they go on at once, and the rows that began where they arrive must be through by then.
 * Both are so for equal orders. */
static bool partition_fits(const struct try_multi *g)
{
    if (g->per_node / 2 >= g->sigma_r)
        return equal_share(g, 0) >= g->longest;
    bool fits = true;
    for (unsigned b = 0; b < g->blocks; b++) {
        uint32_t through = 0;
        for (unsigned h = 0; equal_share(g, b) && h + 1 < g->blocks; h++) {
            through += g->order[(b + h) % g->blocks];
            fits &= through >= equal_share(g, (b + h + 1) % g->blocks);
        }
    }
    return fits;
}

void try_multi_partition(struct claims_run *run)
{
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        const struct try_shuffle x = try_multi_words(&g, 1);
        struct claims_seen seen;
        if (!g.audited)
            continue;
        if (!claims_audit(run, &seen, "%s %s --algorithm pipelined:reading=printed", x.topology,
                          x.workload))
            return;
        claims_require(run, !g.equal || partition_fits(&g), "%s: equal orders", x.name);
        claims_case_if(run, partition_fits(&g), seen.checked->valid, "%s: %s", x.name,
                       seen.checked->defect);
    }
}

/* Any pipelining takes at least max(K/2 + max - 1, ceil(K/2 beta) + sigma_r - 1); ours, which tries
 * all ways round the blocks, meets it or, for the orders on record, takes one more. */
static bool bound_case(struct claims_run *run, const struct try_multi *g, unsigned *open)
{
    const uint64_t bound = ec_cost_jh_multi_pipelined_bound(try_multi_cost(g), g->per_node);
    struct claims_seen seen;
    struct try_shuffle x;
    if (!try_multi_look(run, g, "pipelined", &seen))
        return false;
    *open += try_multi_is_open(g);
    claims_predicted(run, "steps >=", bound);
    claims_relate(run, seen.steps, CLAIMS_GE, bound, "%s: steps", try_multi_name(g, &x));
    claims_require_equal(run, seen.steps, bound + try_multi_is_open(g), "%s: steps", x.name);
    return true;
}

void try_multi_bound(struct claims_run *run)
{
    static const unsigned smallest[] = {4, 4, 1};
    unsigned open = 0;
    for (struct try_multi g = try_multi(run); try_multi_next(&g);)
        if ((g.audited || try_multi_is_open(&g)) && !bound_case(run, &g, &open))
            return;
    if (!claims_is_full(run)) {
        const struct try_multi g = try_multi_of(run, 3, smallest, 16);
        if (!bound_case(run, &g, &open))
            return;
    }
    claims_remark(run,
                  "one more for %u of them, the smallest 4,4,1 with K=16: not proved to be "
                  "impossible",
                  open);
}

/* --- Concurrent ------------------------------------------------------------------------------- */

/* with: 0 both cases and their conditions together, 3 and 4: of Theorem 2. */
static bool concurrent_case(struct claims_run *run, const struct try_multi *g)
{
    const int with = claims_with(run);
    const struct ec_cost_blocks cost = try_multi_cost(g);
    const struct try_shuffle x = try_multi_words(g, 1);
    struct claims_seen seen;
    uint64_t steps, same;
    /* Case 3 begins at nine dimensions, where few cases are drawn for RTL. */
    const bool timed = g->timed || (with == 3 && claims_is_full(run) && g->sigma_r <= 10);
    bool refused, right;
    if (with ? !ec_cost_jh_theorem2_printed((unsigned)with, cost, g->per_node, &steps)
             : g->longest < 4)
        return true;
    if (with) {
        right = ec_cost_jh_theorem2_corrected((unsigned)with, cost, g->per_node, &steps);
    } else {
        steps = g->per_node >= twice_order(g) + 2 ? g->per_node / 2 + 2 : g->sigma_r + 3;
        right = ec_cost_jh_theorem2_corrected(3, cost, g->per_node, &same) ||
                ec_cost_jh_theorem2_corrected(4, cost, g->per_node, &same);
        /* Up to K = 8 beta rows are pipelined, which may take as long. */
        right |=
            g->per_node <= 8 * g->blocks &&
            steps == ec_cost_jh_multi_pipelined_bound(cost, g->per_node) + try_multi_is_open(g);
    }
    if (!try_schedule_or_not(run, &x, "concurrent", 1, timed, &seen, &refused))
        return false;
    claims_predicted(run, "steps", steps);
    if (refused) {
        claims_without_command(run);
        claims_case_if(run, right, false, "%s: no free storage dimension", x.name);
    } else if (with == 3) {
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x.name);
    } else {
        claims_relate_if(run, right, seen.steps, CLAIMS_EQ, steps, "%s: steps", x.name);
    }
    return true;
}

void try_multi_concurrent(struct claims_run *run)
{
    static const unsigned exception[] = {4, 1, 1, 1};
    for (struct try_multi g = try_multi(run); try_multi_next(&g);)
        if (g.audited && !concurrent_case(run, &g))
            return;
    if (!claims_is_full(run)) {
        const struct try_multi g = try_multi_of(run, 4, exception, 16);
        concurrent_case(run, &g);
    }
}

/* Start-ups: sigma_r with B = ceil(K/2 beta), sigma_r + 3 with B = ceil(K / (2(sigma_r + 1))). */
void try_multi_startups(struct claims_run *run)
{
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        const struct try_shuffle x = try_multi_words(&g, 1);
        const uint32_t B = (uint32_t)ec_cost_jh_theorem2_block(g.blocks, g.per_node);
        const uint32_t C = (uint32_t)ec_cost_jh_theorem2_concurrent_block(g.sigma_r, g.per_node);
        struct claims_seen seen;
        if (!g.audited)
            continue;
        if (!try_schedule(run, &x, "pipelined", B, 0, g.timed, &seen))
            return;
        claims_predicted(run, "start-ups", g.sigma_r);
        claims_relate(run, seen.steps, CLAIMS_EQ, g.sigma_r, "%s, B=%" PRIu32 ": steps", x.name, B);
        /* Rows enough that starting elsewhere pays, room for v in every packet. */
        const uint64_t rows = ec_cost_ceil(g.per_node, 2 * C);
        if (g.longest < 4 || rows <= 4 * g.blocks || g.per_node >> (g.blocks + 1) == 0)
            continue;
        bool refused;
        if (!try_schedule_or_not(run, &x, "concurrent", C, g.timed, &seen, &refused))
            return;
        if (!refused)
            claims_relate(run, seen.steps, CLAIMS_EQ, g.sigma_r + 3, "%s, B=%" PRIu32 ": steps",
                          x.name, C);
    }
}

/* --- Parity ----------------------------------------------------------------------------------- */

/* K/2 + 1 where there is room: the lower bound; one less than Theorem 2, case 4. */
void try_multi_parity(struct claims_run *run)
{
    uint64_t without_room = 0;
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        const struct ec_cost_blocks cost = try_multi_cost(&g);
        const struct try_shuffle x = try_multi_words(&g, 1);
        struct claims_seen seen;
        uint64_t steps, published;
        bool refused;
        if (g.per_node < twice_order(&g) || g.per_node >> (g.blocks + 1) == 0 || !g.audited)
            continue;
        const bool room = ec_cost_jh_multi_parity(cost, g.per_node, &steps);
        if (!try_schedule_or_not(run, &x, "parity", 1, g.timed, &seen, &refused))
            return;
        without_room += !room;
        if (!room)
            continue;
        claims_predicted(run, "steps", steps);
        if (refused) {
            claims_case(run, false, "%s: refused", x.name);
            continue;
        }
        const uint64_t bound = ec_cost_jh_bound_mixed(g.sigma_r, g.blocks, g.per_node);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x.name);
        claims_relate(run, seen.steps, CLAIMS_EQ, bound, "%s: lower bound", x.name);
        if (ec_cost_jh_theorem2_corrected(4, cost, g.per_node, &published))
            claims_relate(run, seen.steps + 1, CLAIMS_EQ, published, "%s: one less", x.name);
    }
    claims_remark(run, "no room by the formula in %" PRIu64 " further cases", without_room);
}
