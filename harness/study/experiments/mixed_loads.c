/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH, and two: what complements change, and what each link carries.
 *
 * Knows steps and link counts; must not know how schedules are made. */
#include <inttypes.h>
#include <stdlib.h>

#include "study/experiments.h"
#include "study/experiments/gsh.h"

static const struct try_pace plain = {0};

/* --- Complements and loads -------------------------------------------------------------------- */

static bool same_steps(struct claims_run *run, const char *plain_words, const char *words,
                       const char *algorithm, bool timed)
{
    struct claims_seen seen;
    if (!try_words_play(run, false, plain_words, algorithm, plain, &seen))
        return false;
    const uint32_t steps = seen.steps;
    if (!try_words_play(run, timed, words, algorithm, plain, &seen))
        return false;
    claims_predicted(run, "steps", steps);
    claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s, %s: steps", words, algorithm);
    return true;
}

/* Any complements leave the number of steps as it is; one block, and two. */
void try_complements(struct claims_run *run)
{
    static const char *const algorithms[] = {"one-port", "pipelined", "concurrent", "parity"};
    static const char *const two[][2] = {
        {"cube:2 gsh:cycle=3-0+4-1,K=8", "cube:2 gsh:cycle=~3-0+4-~1,K=8"},
        {"cube:4 gsh:cycle=5-4-0+7-6-1,K=16", "cube:4 gsh:cycle=5-~4-0+~7-6-~1,K=16"},
        {"cube:4 gsh:cycle=6-5-0+8-7-1,K=32", "cube:4 gsh:cycle=~6-~5-~0+8-~7-1,K=32"},
    };
    const unsigned last = claims_is_full(run) ? 5 : 3;
    for (unsigned r = 1; r <= last; r++) {
        for (uint32_t k = 4; k <= (claims_is_full(run) ? 32 : 16); k *= 2) {
            struct try_gsh g = try_mixed_one(r, k);
            char words[200], other[200];
            try_gsh_words(&g, words, sizeof words);
            for (g.inverted = 1; g.inverted < 2U << r; g.inverted++) {
                try_gsh_words(&g, other, sizeof other);
                for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
                    if (!same_steps(run, words, other, algorithms[a], g.inverted % 4 == 3))
                        return;
            }
        }
    }
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
            if (!same_steps(run, two[i][0], two[i][1], algorithms[a], true))
                return;
}

/* All links of the shuffle carry the same number of elements, spectators none. */
static bool load_is_uniform(struct claims_run *run, const struct try_gsh *g,
                            const struct claims_seen *seen, bool *ret)
{
    const unsigned links = ec_topology_links(seen->topology);
    uint32_t *count = try_link_elements(seen->topology, seen->schedule);
    if (!claims_require(run, count != NULL, "out of memory"))
        return false;
    *ret = true;
    for (uint32_t i = 0; i < seen->schedule->nodes * links; i++)
        *ret &= i % links >= g->order || count[i] == count[0];
    free(count);
    claims_audited(run, "elements on the busiest link", seen->checked->max_link_elements);
    if (seen->report)
        claims_require_equal(run, seen->report->max_link_flits, seen->checked->max_link_elements,
                             TRY_GSH_CASE ": the busiest link counter", TRY_GSH(g));
    return true;
}

static bool load_case(struct claims_run *run, const struct try_gsh *g, const char *algorithm,
                      bool condition)
{
    struct claims_seen seen;
    bool uniform;
    if (!try_gsh_play(run, g, algorithm, plain, &seen) || !load_is_uniform(run, g, &seen, &uniform))
        return false;
    claims_case_if(run, condition, uniform,
                   TRY_GSH_CASE ", %s: links are not equally used, some by %" PRIu64 " elements",
                   TRY_GSH(g), algorithm, seen.checked->max_link_elements);
    return true;
}

/* The same load on all links: pipelined, K/2; A1 concurrent iff sigma_r divides K/2; not where rows
 * begin elsewhere, which use their first dimension twice. */
void try_uniform_load(struct claims_run *run)
{
    struct try_gsh one = try_mixed_one(6, 18);
    for (struct try_gsh g = try_mixed_grid(run, 2, false); try_gsh_next(&g);) {
        const bool all_first = g.order <= 3 || g.per_node <= 8;
        if (!load_case(run, &g, "pipelined", true) || !load_case(run, &g, "concurrent", all_first))
            return;
    }
    for (struct try_gsh g = try_real_grid(run, 2); try_gsh_next(&g);)
        if (!load_case(run, &g, "a1-concurrent", g.per_node / 2 % g.order == 0))
            return;
    if (load_case(run, &one, "concurrent", false))
        claims_remark(run, "sigma_r=6, K=18 (Figure 5): 11 against 9");
}
