/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH in packets: Table 2, and how far the schedules are from the bounds.
 *
 * Knows the formulas of Table 2; transfers and start-ups are those of the schedules, and cycles on
 * RTL are the sum of both (try_schedule). */
#include <inttypes.h>
#include <stdio.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_mixed.h"
#include "ec_cost_jh_multi.h"
#include "study/experiments/shuffle.h"

/* A case of MUL in packets, as they all are looked at: few enough elements. */
static bool in_grid(const struct claims_run *run, const struct try_multi *g)
{
    return g->audited && g->sigma_r <= 6 && g->per_node <= (claims_is_full(run) ? 32 : 20);
}

/* Table 2, one port: sigma_r K/2 t_c + sigma_r ceil(K/2B) tau. */
void try_table2_one_port(struct claims_run *run)
{
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        if (!in_grid(run, &g))
            continue;
        for (struct try_packet p = try_packets(run, g.per_node / 2); try_packet_next(&p);) {
            const struct try_shuffle x = try_multi_words(&g, p.words);
            const struct ec_cost_terms terms =
                ec_cost_jh_table2_one_port(g.sigma_r, g.per_node, p.block);
            struct claims_seen seen;
            if (!try_schedule(run, &x, "one-port", p.block, p.startup, g.timed, &seen))
                return;
            claims_require(run, seen.checked->one_port, "%s: %s", x.name, seen.checked->defect);
            const struct ec_cost_terms found = try_terms(seen.schedule);
            claims_predicted(run, "transfers", terms.transfers);
            claims_relate(run, found.transfers, CLAIMS_EQ, terms.transfers,
                          "%s, B=%" PRIu32 ": transfers", x.name, p.block);
            claims_relate(run, found.startups, CLAIMS_EQ, terms.startups,
                          "%s, B=%" PRIu32 ": start-ups", x.name, p.block);
        }
    }
}

/* One line of Table 2 for equal orders. */
struct line {
    const char *algorithm;
    /* Is the line for these? Its terms, and whether they are exact. */
    bool (*applies)(const struct try_multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact);
};

static uint64_t packets_of(const struct try_multi *g, uint32_t B)
{
    return ec_cost_ceil(g->per_node, 2 * (uint64_t)B);
}

/* All-to-alls: whole groups of beta packets. */
static bool aapc_line(const struct try_multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact)
{
    *ret = ec_cost_jh_table2_aapc(g->sigma_r, g->blocks, g->per_node, B);
    *exact = packets_of(g, B) % g->blocks == 0;
    return true;
}

/* The largest block has its share of the elements in full packets. */
static bool full_packets(const struct try_multi *g, uint32_t B)
{
    return ec_cost_ceil(g->per_node, 2 * g->blocks) % B == 0;
}

static bool small_line(const struct try_multi *g, uint32_t B, struct ec_cost_terms *ret,
                       bool *exact)
{
    *ret = ec_cost_jh_table2_pipelined_small(g->sigma_r, g->blocks, g->per_node, B);
    *exact = full_packets(g, B);
    return g->per_node <= 2 * (uint64_t)B * g->sigma_r;
}

static bool large_line(const struct try_multi *g, uint32_t B, struct ec_cost_terms *ret,
                       bool *exact)
{
    *ret = ec_cost_jh_table2_pipelined_large(g->sigma_r, g->blocks, g->per_node, B);
    *exact = g->per_node / 2 % B == 0;
    return g->per_node >= 2 * (uint64_t)B * g->sigma_r;
}

static bool concurrent_line(const struct try_multi *g, uint32_t B, struct ec_cost_terms *ret,
                            bool *exact)
{
    const unsigned line = ec_cost_jh_table2_line(g->sigma_r, g->blocks, g->per_node, B);
    *ret = ec_cost_jh_table2_concurrent(line, g->sigma_r, g->blocks, g->per_node, B);
    *exact = line == 1 ? full_packets(g, B) : line == 3 ? true : g->per_node / 2 % B == 0;
    return true;
}

void try_table2(struct claims_run *run)
{
    static const struct line lines[] = {
        {"aapc", aapc_line},
        {"pipelined", small_line},
        {"pipelined", large_line},
        {"concurrent", concurrent_line},
    };
    const struct line *line = &lines[claims_with(run)];
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        if (!g.equal || !(in_grid(run, &g) || (claims_with(run) == 3 && g.audited)))
            continue;
        for (struct try_packet p = try_packets(run, g.per_node / 2); try_packet_next(&p);) {
            const struct try_shuffle x = try_multi_words(&g, p.words);
            struct claims_seen seen;
            struct ec_cost_terms terms;
            bool exact;
            if (!line->applies(&g, p.block, &terms, &exact))
                continue;
            if (!try_schedule(run, &x, line->algorithm, p.block, p.startup, g.timed, &seen))
                return;
            try_terms_if(run, exact, seen.schedule, terms, "%s, B=%" PRIu32, x.name, p.block);
        }
    }
}

/* Table 2, different orders: pipelined, as printed. With the conditions of jh.pipe.small and
 * jh.pipe.unequal: the bound of all pipelining. Its concurrent lines are the cases of Theorem 2. */
void try_table2_different(struct claims_run *run)
{
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        const struct ec_cost_blocks cost = try_multi_cost(&g);
        const uint64_t printed = ec_cost_jh_table2_different(cost, g.per_node);
        const uint64_t bound = ec_cost_jh_multi_pipelined_bound(cost, g.per_node);
        const struct try_shuffle x = try_multi_words(&g, 1);
        struct claims_seen seen;
        if (!g.audited || g.equal)
            continue;
        if (!try_schedule(run, &x, "pipelined", 1, 0, g.timed, &seen))
            return;
        claims_predicted(run, "steps as printed", printed);
        claims_relate_if(run, printed == bound && !try_multi_is_open(&g), seen.steps, CLAIMS_EQ,
                         printed, "%s: steps", x.name);
    }
}

/* --- Within two exchanges ----------------------------------------------------------------------
 */

/* What the paper needs for these blocks: Theorem 1 or 2 where right, else pipelining. */
static uint64_t published_time(const struct try_multi *g)
{
    const struct ec_cost_blocks cost = try_multi_cost(g);
    uint64_t steps;
    if (g->blocks == 1)
        return ec_cost_jh_theorem1(g->sigma_r, g->per_node);
    if (ec_cost_jh_theorem2(cost, g->per_node, &steps))
        return steps;
    return ec_cost_jh_multi_pipelined_bound(cost, g->per_node) + try_multi_is_open(g);
}

/* Where the gap to max(K/2, sigma_r) is at most 2. Rows that wait for nothing come so close if
 * orders are at most 3; the concurrent ones from K = 2(sigma_r + 1) on, where they have room; below
 * it, only if there are so few rows that neither a block nor its first rows take longer than all
 * dimensions (a step less where pipelining takes one more than its bound). */
static bool within_two(const struct try_multi *g)
{
    uint64_t steps;
    if (g->longest <= 3)
        return true;
    if (g->per_node >= 2 * (g->sigma_r + 1))
        return g->blocks == 1 ||
               ec_cost_jh_theorem2_corrected(4, try_multi_cost(g), g->per_node, &steps);
    const uint32_t more = try_multi_is_open(g);
    return ec_cost_ceil(g->per_node, 2 * g->blocks) + more <= 3 &&
           g->per_node / 2 + g->longest + more <= g->sigma_r + 3;
}

static void within_case(struct claims_run *run, const struct try_multi *g)
{
    const uint64_t bound = ec_cost_max(g->per_node / 2, g->sigma_r), time = published_time(g);
    const struct try_shuffle x = try_multi_words(g, 1);
    claims_predicted(run, "steps above the bound", time - bound);
    claims_relate_if(run, within_two(g), time, CLAIMS_LE, bound + 2, "%s: steps", x.name);
}

void try_within_two(struct claims_run *run)
{
    for (unsigned r = 1; r <= (claims_is_full(run) ? 8 : 4); r++) {
        for (uint32_t K = 2; K <= (claims_is_full(run) ? 128 : 16); K += 2) {
            const struct try_multi g = {
                .order = {r}, .blocks = 1, .sigma_r = r, .longest = r, .per_node = K};
            within_case(run, &g);
            if (K % 4 == 0)
                claims_require(run,
                               ec_cost_jh_theorem1(r, K) <= ec_cost_jh_parity(r, K) + 2 &&
                                   ec_cost_jh_parity(r, K) <= ec_cost_jh_bound_mixed(r, 1, K) + 1,
                               "r=%u, K=%" PRIu32 ": to our schedule", r, K);
        }
    }
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        struct claims_seen seen;
        uint64_t steps;
        const struct try_shuffle x = try_multi_words(&g, 1);
        within_case(run, &g);
        if (!g.audited)
            continue;
        if (!try_schedule(run, &x,
                          g.longest > 3 &&
                                  ec_cost_jh_theorem2(try_multi_cost(&g), g.per_node, &steps)
                              ? "concurrent"
                              : "pipelined",
                          1, 0, false, &seen))
            return;
        claims_require_equal(run, seen.steps, published_time(&g), "%s: steps", x.name);
    }
}

/* err.21: what the conditions of the all-to-alls, Table 2's first line and its ceilings say. */
void try_table2_errata(struct claims_run *run)
{
    /* Printed "sigma >= 4 beta" reads sigma_r: with sigma = sigma_r + beta, orders of 3 would be in
     * two cases; these agree, so nothing is lost by the correction. */
    for (uint64_t beta = 1; beta <= 8; beta++) {
        for (uint64_t r = 1; r <= 8; r++) {
            for (uint64_t K = 2; K <= 256; K += 2) {
                uint64_t a, b, steps;
                const uint64_t sigma_r = r * beta;
                unsigned cases = 0, printed = 0;
                for (unsigned c = 1; c <= 3; c++) {
                    cases += ec_cost_jh_aapc_case(c, sigma_r, sigma_r, beta, K, &steps);
                    printed += ec_cost_jh_aapc_case(c, sigma_r + beta, sigma_r, beta, K, &steps);
                }
                claims_case(run, cases >= 1 && printed >= cases && (printed == cases || r == 3),
                            "beta=%" PRIu64 ", order %" PRIu64 ", K=%" PRIu64, beta, r, K);
                if (ec_cost_jh_aapc_case(1, sigma_r, sigma_r, beta, K, &a) &&
                    ec_cost_jh_aapc_case(2, sigma_r + beta, sigma_r, beta, K, &b))
                    claims_relate(run, a, CLAIMS_EQ, b,
                                  "beta=%" PRIu64 ", order %" PRIu64 ", K=%" PRIu64 ": steps", beta,
                                  r, K);
            }
        }
    }
    try_table2_one_port(run);
}
