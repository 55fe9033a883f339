/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of the abstract and section 6 of Johnsson and Ho about mixed and real shuffles together.
 *
 * Knows the formulas of model/cost; reads steps, start-ups and the dimensions of exchanges from
 * schedules. */
#include <stdlib.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_real.h"
#include "study/experiments/play.h"

/* --- K/2 + 2 ---------------------------------------------------------------------------------- */

/* Where the published schedules take K/2 + 2 by design, and where by chance because pipelining,
 * which is faster there, takes the same. */
static bool takes_two_more(const struct multi *g, bool *chance)
{
    const struct ec_cost_blocks cost = multi_cost(g);
    const uint32_t K = g->per_node, sigma_r = g->sigma_r;
    const bool exception = sigma_r == 7 && g->blocks == 4 && g->longest == 4 && K == 16;
    uint64_t best;
    *chance = false;
    if (g->longest == 3 && K >= 2 * sigma_r)
        return true;
    if (g->longest >= 4 && K >= 2 * (sigma_r + 1) && K >= 2U << g->blocks && !exception)
        return true;
    if (!ec_cost_jh_theorem2(cost, K, &best))
        best = ec_cost_jh_multi_pipelined_bound(cost, K) + multi_is_open(g);
    *chance = best == K / 2 + 2;
    return *chance;
}

/* jh.abs.mixed. */
void experiment_abstract_mixed(struct claims_run *run)
{
    unsigned chances = 0;
    struct claims_seen seen;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        /* three dimensions, pipelined, take K/2 + 2 for every K */
        const bool right = g.order == 3 || (g.order > 3 && g.per_node >= 2 * (g.order + 1));
        if (!play_gsh(run, &g, "concurrent", PLAIN_PACE, &seen))
            return;
        claims_predicted(run, "steps", g.per_node / 2 + 2);
        claims_relate_if(run, right, seen.steps, CLAIMS_EQ, g.per_node / 2 + 2, GSH_CASE ": steps",
                         GSH_ARGS(&g));
    }
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        bool refused, chance, right = takes_two_more(&g, &chance);
        if (!g.audited)
            continue;
        if (!play_blocks_or_refused(run, &x, "concurrent", 1, g.timed, &seen, &refused))
            return;
        if (refused) {
            claims_require(run, g.per_node < 2U << g.blocks, "%s: refused", x.name);
            continue;
        }
        chances += chance;
        claims_relate_if(run, right, seen.steps, CLAIMS_EQ, g.per_node / 2 + 2, "%s: steps",
                         x.name);
    }
    claims_remark(run, "%u further cases take the same number by chance", chances);
}

/* --- Complements ------------------------------------------------------------------------------ */

/* jh.sum.real.compl: sigma_r = 2 with one inversion takes 3K/4, which exceeds K/2 + 1 from K = 6
 * on. With both inverted, as with none, K/2 + 1 is enough. */
void experiment_summary_inverted(struct claims_run *run)
{
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        for (unsigned inverted = 1; g.size == 2 && inverted <= 3; inverted++) {
            const struct shuffle x = real_shuffle(2, g.per_node, 1, inverted);
            const bool one = inverted != 3;
            struct claims_seen seen;
            if (!play_blocks(run, &x, one ? "cycle4" : "a2x2", 1, 0, g.timed, &seen))
                return;
            const uint64_t steps =
                one ? ec_cost_jh_cycle4(g.per_node) : ec_cost_jh_a22(1, g.per_node);
            claims_predicted(run, "steps", steps);
            claims_require_equal(run, seen.steps, steps, "%s, %s", x.name, x.workload);
            claims_relate_if(run, one && g.per_node >= 6, seen.steps, CLAIMS_GT, g.per_node / 2 + 1,
                             "%s, %s inverted: steps", x.name, one ? "one dimension" : "both");
        }
    }
}

/* --- Control ---------------------------------------------------------------------------------- */

/* One table of exchanges controls every node: in each step each node sends one packet over each
 * dimension that the table lists for the step, and over no other. */
static bool control_is_common(struct claims_run *run, const struct ec_schedule *s)
{
    const unsigned storage = claims_storage(s->per_node);
    uint64_t *dims = calloc((size_t)s->steps + 1, sizeof *dims), expected = 0;
    bool common = claims_require(run, dims && s->exchange_count > 0, "no table");
    for (size_t i = 0; common && i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        const uint64_t bit = UINT64_C(1) << x->processor;
        common = !(dims[x->step] & bit); /* one row at a time */
        dims[x->step] |= bit;
        expected += s->nodes;
    }
    /* The audit allows one transfer per link and step, so the count shows that none is missing. */
    for (size_t i = 0; common && i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        common = dims[t->step] >> storage & (t->src ^ t->dst);
    }
    free(dims);
    return common && s->transfer_count == expected;
}

static bool control_case(struct claims_run *run, const struct shuffle *x, const char *algorithm,
                         bool timed)
{
    struct claims_seen seen;
    if (!play_blocks(run, x, algorithm, 1, 0, timed, &seen))
        return false;
    claims_audited(run, "exchanges", seen.schedule->exchange_count);
    claims_case(run, control_is_common(run, seen.schedule), "%s, %s", x->name, algorithm);
    return true;
}

/* jh.sum.control. */
void experiment_control(struct claims_run *run)
{
    static const char *const one[] = {"one-port", "pipelined", "concurrent", "parity"},
                             *const several[] = {"one-port", "pipelined", "aapc"},
                             *const real[] = {"a1-one-port", "a1-pipelined", "a1-concurrent",
                                              "a1-packed"};
    for (struct gsh g = mixed_grid(run, 4, false); gsh_next(&g);) {
        const struct shuffle x = mixed_shuffle(&g.order, 1, g.per_node, 1);
        for (size_t i = 0; i < sizeof one / sizeof *one; i++)
            if (!control_case(run, &x, one[i], g.timed))
                return;
    }
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        for (size_t i = 0; g.audited && i < sizeof several / sizeof *several; i++)
            if (!control_case(run, &x, several[i], g.timed))
                return;
    }
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        const struct shuffle x = real_shuffle(g.size, g.per_node, 1, 0);
        for (size_t i = 0; g.audited && i < sizeof real / sizeof *real; i++)
            if (!control_case(run, &x, real[i], g.timed))
                return;
    }
}
