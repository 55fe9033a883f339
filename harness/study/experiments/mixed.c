/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH: steps, cycles and loads of its schedules, compared with Theorem 1, Table 1 and
 * better schedules.
 *
 * Knows closed forms; steps come from audits, cycles from runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ec_cost_jh_mixed.h"
#include "study/experiments/play.h"

/* --- Steps ------------------------------------------------------------------------------------ */

/* The steps of the schedule equal the formula, and the formula for the minimum if there is one. */
static bool steps_are(struct claims_run *run, const struct gsh *g, const char *algorithm,
                      uint64_t steps, struct claims_seen *seen)
{
    if (!play_gsh(run, g, algorithm, PLAIN_PACE, seen))
        return false;
    claims_predicted(run, "steps", steps);
    claims_relate(run, seen->steps, CLAIMS_EQ, steps, GSH_CASE ", %s: steps", GSH_ARGS(g),
                  algorithm);
    return true;
}

/* sigma_r exchanges for one pair after the other. The printed two-location code does this for every
 * pair; it is executed here for each address. */
static bool code_is_right(unsigned r)
{
    for (uint32_t a = 0; a < 2U << r; a++) {
        uint32_t at = a;
        for (unsigned i = 1; i <= r; i++)
            if ((at ^ at >> i) & 1)
                at ^= 1U | 1U << i;
        /* alpha_i <- alpha_(i-1), alpha_0 <- alpha_r. */
        if (at != ((a << 1 | a >> r) & ((2U << r) - 1)))
            return false;
    }
    return true;
}

void experiment_one_port_steps(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        const uint64_t steps = ec_cost_jh_one_port(g.order, g.per_node);
        if (!steps_are(run, &g, "one-port", steps, &seen) ||
            !claims_require(run, seen.checked->one_port, GSH_CASE ": two messages of a node",
                            GSH_ARGS(&g)))
            return;
        if (g.per_node == 2)
            claims_case(run, code_is_right(g.order), "sigma_r=%u: the printed code", g.order);
    }
    for (unsigned r = 1; r <= 7; r++)
        claims_relate(run, least_exchanges(r + 1, 0, 0, 0), CLAIMS_EQ, r,
                      "sigma_r=%u: the least exchanges with alpha_0, by search", r);
}

static bool inside(unsigned which, const struct gsh *g)
{
    switch (which) {
    case 1:
        return g->order <= 3 || g->per_node <= 8;
    case 2:
        return g->per_node >= 8 && g->per_node <= 2 * (g->order + 1);
    default:
        return g->per_node >= 2 * (g->order + 1) && g->order >= 3;
    }
}

/* Case 1 is "sigma_r <= 3 or K <= 8": exactly there the pipelined schedule takes at most as many
 * steps as the theorem's other cases, and the published schedules are pipelined. With the printed
 * comma read as "and", the theorem does not cover most of these cases. */
void experiment_theorem1_or(struct claims_run *run)
{
    struct claims_seen seen;
    uint64_t uncovered = 0;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        const uint64_t pipelined = ec_cost_jh_pipelined(g.order, g.per_node);
        uint64_t printed;
        bool covered = false;
        if (!play_gsh(run, &g, "concurrent", PLAIN_PACE, &seen))
            return;
        claims_predicted(run, "steps", ec_cost_jh_theorem1(g.order, g.per_node));
        claims_case(run, inside(1, &g) == (seen.steps == pipelined),
                    GSH_CASE ": concurrent %u, pipelined %" PRIu64, GSH_ARGS(&g), seen.steps,
                    pipelined);
        for (unsigned which = 1; which <= 3; which++)
            covered |= ec_cost_jh_theorem1_printed(which, g.order, g.per_node, &printed);
        uncovered += !covered;
    }
    claims_require(run, uncovered > 0, "the printed cases leave nothing out");
    claims_remark(run, "the printed cases do not cover %" PRIu64 " of these", uncovered);
}

/* The last step of the rows that start in the first dimension, or elsewhere. */
static uint32_t last_step(const struct ec_schedule *s, bool elsewhere)
{
    uint32_t last = 0;
    struct table_row row;
    for (size_t i = 0; table_row_at(s, i, &row); i = row.end)
        if (row.elsewhere == elsewhere)
            last = claims_max(last, s->exchanges[row.end - 1].step);
    return last;
}

/* "All rows in alpha_1 iff K <= 8 or sigma_r <= 3" is true for the two published schedules. In that
 * region parity changes the answer from three rows and three dimensions on. */
void experiment_theorem1_policy(struct claims_run *run)
{
    struct claims_seen seen;
    for (unsigned r = 1; r <= 20; r++) {
        for (uint32_t k = 2; k <= 200; k += 2) {
            struct gsh g = mixed_one(r, k);
            const bool first = inside(1, &g), better = r >= 3 && k >= 6 && first;
            const uint64_t pipelined = ec_cost_jh_pipelined(r, k);
            uint64_t published = ec_cost_jh_theorem1(r, k);
            uint64_t parity = k >= 2 * r ? k / 2 + (r > 1) : r + (k > 2);
            g.timed = r <= 4 && k <= 16;
            if (r <= 6 && k <= 20) {
                if (!play_gsh(run, &g, "parity", PLAIN_PACE, &seen))
                    return;
                parity = seen.steps;
                if (!play_gsh(run, &g, "concurrent", PLAIN_PACE, &seen))
                    return;
                claims_require_equal(run, seen.steps, published, GSH_CASE, GSH_ARGS(&g));
                claims_require(
                    run, first || last_step(seen.schedule, true) >= last_step(seen.schedule, false),
                    GSH_CASE ": rows that begin in alpha_1 end last", GSH_ARGS(&g));
            }
            claims_require(run, first == (pipelined <= published),
                           GSH_CASE ": between the published schedules", GSH_ARGS(&g));
            claims_case_if(run, !better, first == (pipelined <= published && pipelined <= parity),
                           GSH_CASE ": all rows begin in alpha_1: %" PRIu64
                                    " steps, parity %" PRIu64,
                           GSH_ARGS(&g), pipelined, parity);
        }
    }
}

/* --- Packets ---------------------------------------------------------------------------------- */

/* PKT for blocks: B and t_s. The quick grid also has B = 3, which rarely divides K/2. */
struct packets {
    unsigned index;
    uint32_t block, startup;
};

static bool next_packet(const struct claims_run *run, const struct gsh *g, struct packets *p)
{
    static const uint32_t some[] = {0, 7}, all[] = {0, 1, 7, 50, 200};
    const uint32_t half = g->per_node / 2, quick[] = {1, 2, 3, half};
    const unsigned blocks = claims_is_full(run) ? half : half < 4 ? half : 4;
    const unsigned startups = claims_is_full(run) ? 5 : 2;
    const unsigned i = p->index++;
    if (i >= blocks * startups)
        return false;
    p->block = claims_is_full(run) ? 1 + i / startups : quick[i / startups];
    p->startup = claims_is_full(run) ? all[i % startups] : some[i % startups];
    return true;
}

/* A larger t_s only makes start-ups more expensive; the audits are the same for all t_s. */
static struct gsh packet_grid(const struct claims_run *run, unsigned first_order)
{
    struct gsh g = mixed_grid(run, 4, false);
    g.order = g.first_order = first_order;
    g.order--;
    g.last_order = claims_is_full(run) ? 6 : first_order > 3 ? first_order + 1 : 4;
    g.last = claims_is_full(run) || first_order > 3 ? 32 : 16;
    return g;
}

/* The cost on RTL: cycles per word, and cycles per packet in addition to its words and t_s,
 * measured with one packet alone. */
struct machine {
    uint64_t tc, tau;
};

static bool measure_machine(struct claims_run *run, struct machine *ret)
{
    enum { MORE = 8 };
    struct claims_seen one, more;
    if (!claims_measure_single(run, &one, "cube:3", 0, 1, 1, 0, NULL))
        return false;
    const uint64_t first = one.cycles;
    if (!claims_measure_single(run, &more, "cube:3", 0, 1, 1 + MORE, 0, NULL))
        return false;
    ret->tc = (more.cycles - first) / MORE;
    ret->tau = first - ret->tc;
    return claims_require_equal(run, first + ret->tc * MORE, more.cycles, "a packet of %d words",
                                1 + MORE);
}

static uint64_t machine_cycles(const struct machine *m, uint64_t transfers, uint64_t startups,
                               uint32_t startup)
{
    return transfers * m->tc + startups * (m->tau + startup);
}

/* Compares a line of Table 1 with the transfers, start-ups and cycles of the schedule. */
static bool line_is(struct claims_run *run, const struct gsh *g, const struct packets *p,
                    const struct machine *m, const char *algorithm, bool conditional,
                    bool condition, struct ec_cost_terms line)
{
    struct claims_seen seen;
    if (!play_gsh(run, g, algorithm, (struct pace){.block = p->block, .startup = p->startup},
                  &seen))
        return false;
    const uint64_t cycles = machine_cycles(m, line.transfers, line.startups, p->startup);
    claims_require_equal(run, seen.cycles,
                         machine_cycles(m, count_transfers(seen.schedule), seen.steps, p->startup),
                         GSH_CASE ": cycles", GSH_ARGS(g));
    claims_predicted(run, "transfers", line.transfers);
    claims_predicted(run, "start-ups", line.startups);
    if (conditional)
        claims_relate_if(run, condition, seen.cycles, CLAIMS_EQ, cycles,
                         GSH_CASE ", B=%u, ts=%u: cycles", GSH_ARGS(g), p->block, p->startup);
    else
        claims_relate(run, seen.cycles, CLAIMS_EQ, cycles, GSH_CASE ", B=%u, ts=%u: cycles",
                      GSH_ARGS(g), p->block, p->startup);
    return true;
}

/* Table 1. with: 1 one port, 2 pipelined, 3 concurrent, 4 concurrent and pipelined. Line 3 is for
 * the printed B, and for the K of Theorem 1 in packets, 8B <= K; fewer packets are pipelined. Line
 * 4 is for more packets. */
void experiment_table1(struct claims_run *run)
{
    static const char *const algorithms[] = {"one-port", "pipelined", "concurrent", "concurrent"};
    const int which = claims_with(run);
    struct machine machine;
    if (!measure_machine(run, &machine))
        return;
    for (struct gsh g = packet_grid(run, which >= 3 ? 4 : 1); gsh_next(&g);) {
        const uint64_t r = g.order, k = g.per_node;
        for (struct packets p = {0}; next_packet(run, &g, &p);) {
            const uint64_t b = p.block, rows = ec_cost_ceil(k, 2 * b);
            const bool full = k % (2 * b) == 0;
            const struct ec_cost_terms lines[] = {
                ec_cost_jh_table1_one_port(r, k, b), ec_cost_jh_table1_pipelined(r, k, b),
                ec_cost_jh_table1_concurrent(r, b), ec_cost_jh_table1_concurrent_pipelined(k, b)};
            if ((which == 4 && rows < r + 1) ||
                (which == 3 && (b != ec_cost_jh_theorem1_block(r, k) || 8 * b > k)))
                continue;
            if (!line_is(run, &g, &p, &machine, algorithms[which - 1], which == 4, full,
                         lines[which - 1]))
                return;
        }
    }
}

/* Minimal start-ups: sigma_r with packets of half of the elements; sigma_r + 3 for concurrent with
 * the printed B, from four packets on. */
void experiment_least_startups(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct gsh g = packet_grid(run, 1); gsh_next(&g);) {
        const uint64_t most = ec_cost_jh_theorem1_startups(g.order);
        const uint32_t block = (uint32_t)ec_cost_jh_theorem1_block(g.order, g.per_node);
        const struct pace half = {.block = g.per_node / 2, .startup = 7},
                          best = {.block = block, .startup = 7};
        if (!play_gsh(run, &g, "pipelined", half, &seen))
            return;
        claims_relate(run, seen.steps, CLAIMS_EQ, g.order, GSH_CASE ", B=K/2: steps", GSH_ARGS(&g));
        if (!play_gsh(run, &g, "concurrent", best, &seen))
            return;
        claims_predicted(run, "start-ups", most);
        claims_case(run, seen.steps >= g.order && seen.steps <= most,
                    GSH_CASE ", B=%u: %u start-ups", GSH_ARGS(&g), block, seen.steps);
        if (ec_cost_ceil(g.per_node, 2 * block) >= 4)
            claims_relate(run, seen.steps, CLAIMS_EQ, most, GSH_CASE ", B=%u: steps", GSH_ARGS(&g),
                          block);
    }
}

/* --- Complements and loads -------------------------------------------------------------------- */

static bool same_steps(struct claims_run *run, const char *plain_words, const char *words,
                       const char *algorithm, bool timed)
{
    struct claims_seen seen;
    if (!play_paced(run, false, plain_words, algorithm, PLAIN_PACE, &seen))
        return false;
    const uint32_t steps = seen.steps;
    if (!play_paced(run, timed, words, algorithm, PLAIN_PACE, &seen))
        return false;
    claims_predicted(run, "steps", steps);
    claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s, %s: steps", words, algorithm);
    return true;
}

/* Complements do not change the number of steps, for one block and for two. */
void experiment_complements(struct claims_run *run)
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
            struct gsh g = mixed_one(r, k);
            char words[200], other[200];
            gsh_words(&g, words, sizeof words);
            for (g.inverted = 1; g.inverted < 2U << r; g.inverted++) {
                gsh_words(&g, other, sizeof other);
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

/* Do all links of the shuffle, the first `order` of each node, carry the same number of elements,
 * which their counters confirm? */
static bool load_is_uniform(struct claims_run *run, unsigned order, const struct claims_seen *seen,
                            const char *name, bool *ret)
{
    const unsigned links = ec_topology_links(seen->topology);
    uint32_t *count = link_elements(seen->topology, seen->schedule);
    bool counted = claims_require(run, count != NULL, "out of memory");
    *ret = true;
    for (uint32_t i = 0; counted && i < seen->schedule->nodes * links; i++) {
        *ret &= i % links >= order || count[i] == count[0];
        if (seen->report)
            counted = claims_require_equal(
                run, seen->report->flits[i / links * seen->report->ports + i % links], count[i],
                "%s: words on link %u of node %u", name, i % links, i / links);
    }
    free(count);
    claims_audited(run, "elements on the busiest link", seen->checked->max_link_elements);
    return counted;
}

static bool load_case(struct claims_run *run, const struct shuffle *x, const char *algorithm,
                      bool timed, bool *ret, uint64_t *ret_most)
{
    struct claims_seen seen;
    char name[120];
    snprintf(name, sizeof name, "%s, %s", x->name, algorithm);
    if (!play_blocks(run, x, algorithm, 1, 0, timed, &seen))
        return false;
    *ret_most = seen.checked->max_link_elements;
    return load_is_uniform(run, x->dims, &seen, name, ret);
}

/* "Properly choosing the sequences": there is a choice with the same load on all links. Pipelined
 * puts K/2 on each; A1 concurrent (r+1)K/2r, if r divides K/2. Other choices are no
 * counterexamples; where rows start elsewhere they use their first dimension twice. */
void experiment_uniform_load(struct claims_run *run)
{
    const struct gsh figure = mixed_one(6, 18);
    const struct shuffle drawn = mixed_shuffle(&figure.order, 1, figure.per_node, 1);
    uint64_t most;
    bool uniform;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        const struct shuffle x = mixed_shuffle(&g.order, 1, g.per_node, 1);
        if (!load_case(run, &x, "pipelined", g.timed, &uniform, &most))
            return;
        claims_case(run, uniform && most == g.per_node / 2, "%s: %" PRIu64, x.name, most);
        if (!load_case(run, &x, "concurrent", g.timed, &uniform, &most))
            return;
        claims_require(run, uniform == (g.order <= 3 || g.per_node <= 8), "%s, concurrent", x.name);
    }
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        if (!g.audited)
            continue;
        if (!load_case(run, &x, "pipelined", g.timed, &uniform, &most))
            return;
        claims_case(run, uniform && most == g.per_node / 2, "%s: %" PRIu64, x.name, most);
    }
    for (struct gsh g = real_grid(run, 2); gsh_next(&g);) {
        const struct shuffle x = real_shuffle(g.order, g.per_node, 1, 0);
        const bool whole = g.per_node / 2 % g.order == 0;
        if (!load_case(run, &x, "a1-concurrent", g.timed, &uniform, &most))
            return;
        claims_require(run, whole == uniform, "real, %s: A1", x.name);
        if (whole)
            claims_case(run, uniform && most * 2 * g.order == g.per_node * (g.order + 1),
                        "real, %s: %" PRIu64, x.name, most);
    }
    if (!load_case(run, &drawn, "concurrent", true, &uniform, &most))
        return;
    claims_require(run, !uniform && most == 11, "sigma_r=6, K=18: %" PRIu64, most);
    claims_remark(run,
                  "other choices: Figure 5 (sigma_r=6, K=18) has up to 11 on a link, against 9");
}
