/* SPDX-License-Identifier: Apache-2.0 */
/* Section 5 of Johnsson and Ho: their measurements, repeated on our routers with the same
 * algorithms because the machines no longer exist.
 *
 * Knows the closed forms of model/cost; cycles come from runs. Makes no statement about the
 * machines. */
#include <inttypes.h>
#include <stdio.h>

#include "ec_cost.h"
#include "ec_cost_ecube.h"
#include "ec_cost_jh_real.h"
#include "study/experiments/play.h"

enum {
    DIMS = 5,   /* of the iPSC/1 */
    DEPTH = 4,  /* the router's default */
    WORDS = 64, /* per element, where the cost of a step must be negligible */
};

static uint64_t step_of(uint32_t words)
{
    return ec_cost_wormhole(1, words, words, 0, DEPTH);
}

/* One port, largest packets: the cycles of A1 and A2 are those of Table 3. */
static bool one_port(struct claims_run *run, enum ec_cost_jh_table3 line, uint32_t K, uint32_t ts,
                     uint64_t *ret)
{
    const struct shuffle x = real_shuffle(DIMS, K, 1, 0);
    const uint32_t B = (uint32_t)ec_cost_jh_table3_best_block(line, DIMS, K);
    const uint64_t cycles = terms_time(ec_cost_jh_table3(line, DIMS, K, B), 1, ts);
    struct claims_seen seen;
    if (!play_blocks(run, &x, line == EC_COST_A1_ONE_PORT ? "a1-one-port" : "a2-one-port", B, ts,
                     true, &seen))
        return false;
    *ret = seen.cycles;
    claims_predicted(run, "cycles", cycles);
    return claims_require_equal(run, seen.cycles, cycles, "K=%u, ts=%u: %s", K, ts,
                                seen.schedule->algorithm);
}

/* All-to-all twice with one port: every node sends packets of K/N elements, n N of them. */
static bool twice(struct claims_run *run, uint32_t K, uint32_t ts, uint64_t *ret)
{
    const uint32_t nodes = 1U << DIMS;
    const struct shuffle x = real_shuffle(DIMS, K, 1, 0);
    const struct ec_cost_terms terms = {ec_cost_jh_aapc_twice_one_port(DIMS, K), DIMS * nodes};
    struct claims_seen seen;
    if (!play_blocks(run, &x, "aapc-twice-one-port", K / nodes, ts, true, &seen))
        return false;
    *ret = seen.cycles;
    return claims_require_equal(run, seen.cycles, terms_time(terms, 1, ts),
                                "K=%u, ts=%u: all-to-all twice", K, ts);
}

/* Sends each node's elements as one message by direct routing. */
static bool direct(struct claims_run *run, unsigned n, uint32_t words, uint32_t ts,
                   const char *options, struct claims_seen *ret)
{
    return claims_measure(run, ret, "cube:%u shuffle:m=%u%s --startup %u", n, words, options, ts);
}

static bool figure11_case(struct claims_run *run, uint32_t K, uint32_t ts)
{
    uint64_t a1, a2, aapc;
    struct claims_seen seen;
    char cell[24] = "";
    if (!one_port(run, EC_COST_A1_ONE_PORT, K, ts, &a1) ||
        !one_port(run, EC_COST_A2_ONE_PORT, K, ts, &a2))
        return false;
    if (K % (1U << DIMS) == 0) {
        if (!twice(run, K, ts, &aapc))
            return false;
        claims_relate(run, ec_cost_max(a1, a2), CLAIMS_LT, aapc,
                      "K=%u, ts=%u: against all-to-all twice", K, ts);
        snprintf(cell, sizeof cell, "%" PRIu64, aapc);
    }
    if (!direct(run, DIMS, K, ts, "", &seen))
        return false;
    claims_require_predicted(run, &seen, "K=%u: direct", K);
    claims_relate(run, seen.cycles, CLAIMS_LT, ec_cost_min(a1, a2), "K=%u, ts=%u: direct", K, ts);
    claims_table_row(run, "%u,%u,%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64, ts, K, a1, a2, cell,
                     seen.cycles);
    return true;
}

/* jh.exp.fig11: one port, the shuffle on a 5-cube, K words. Direct routing is the fastest for every
 * K: its paths are free, and unlike the iPSC/1 it does not store messages on the way. */
void experiment_figure11(struct claims_run *run)
{
    static const uint32_t startups[] = {0, 50, 200};
    claims_equivalent(run);
    claims_table_row(run, "ts,K,a1,a2,all-to-all twice,direct");
    for (unsigned i = 0; i < (claims_is_full(run) ? 3 : 2); i++)
        for (uint32_t K = 2; K <= (claims_is_full(run) ? 1024 : 64); K *= 2)
            if (!figure11_case(run, K, startups[i]))
                return;
}

/* jh.exp.crossover: A2 is faster below one K and A1 above; at that K, tau = (sigma_r - 1)K/2
 * t_c. */
void experiment_crossover(struct claims_run *run)
{
    static const uint32_t startups[] = {0, 7, 50, 200};
    claims_equivalent(run);
    for (unsigned i = 0; i < (claims_is_full(run) ? 4 : 2); i++) {
        const uint64_t tau = terms_time((struct ec_cost_terms){0, 1}, 1, startups[i]);
        const uint32_t crossing = (uint32_t)(2 * tau / (DIMS - 1));
        unsigned changes = 0;
        int sign = 1; /* A1 has one start-up more, which small K do not compensate */
        claims_predicted(run, "crossing at K", crossing);
        for (uint32_t K = 2; K <= 2 * crossing + 4; K += 2) {
            uint64_t a1, a2;
            if (!one_port(run, EC_COST_A1_ONE_PORT, K, startups[i], &a1) ||
                !one_port(run, EC_COST_A2_ONE_PORT, K, startups[i], &a2))
                return;
            const int now = (a1 > a2) - (a1 < a2),
                      right = ec_cost_ratio_compare(ec_cost_ratio_of(tau, 1),
                                                    ec_cost_jh_break_even_one_port(DIMS, K));
            claims_case(run, now == right, "ts=%u, K=%u", startups[i], K);
            if (now && now != sign) {
                changes++;
                sign = now;
            }
        }
        claims_relate(run, changes, CLAIMS_EQ, 1, "ts=%u: crossings", startups[i]);
    }
}

/* The shuffle with n ports and K = 2n elements. */
static bool ratio_case(struct claims_run *run, unsigned n)
{
    const uint32_t K = 2 * n;
    const struct shuffle x = real_shuffle(n, K, WORDS, 0);
    const struct ec_cost_ratio ratio = ec_cost_ecube_shuffle_over_a1(n);
    struct claims_seen seen;
    if (!direct(run, n, K * WORDS, 0, "", &seen))
        return false;
    const uint64_t low = seen.cycles, load = (uint64_t)seen.load * K;
    if (!direct(run, n, K * WORDS, 0, " --router order=high", &seen))
        return false;
    const uint64_t high = seen.cycles;
    if (!play_blocks(run, &x, "a2", K / n, 0, true, &seen))
        return false;
    const uint64_t a2 = seen.cycles;
    if (!play_blocks(run, &x, "a1-concurrent", 1, 0, true, &seen))
        return false;
    const uint64_t best = ec_cost_min(seen.cycles, a2);
    claims_relate(run, load * ratio.den, CLAIMS_EQ,
                  schedule_terms(seen.schedule).transfers * ratio.num,
                  "n=%u: load over the transfers of A1", n);
    claims_relate(run, low, CLAIMS_LT, 2 * best, "n=%u: direct, against twice A1", n);
    claims_relate(run, high, CLAIMS_LT, 5 * best, "n=%u: highest first, against five times A1", n);
    claims_table_row(run,
                     "%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ".%02" PRIu64,
                     n, K * WORDS, low, high, seen.cycles, a2, low / best, low * 100 / best % 100);
    return true;
}

/* Direct paths with a stop in every node, as a software router makes it, compared with A1 and A2
 * with one port. */
static bool stop_case(struct claims_run *run, unsigned n, const char *algorithm)
{
    const uint32_t K = 2 * n;
    const struct shuffle x = real_shuffle(n, K, WORDS, 0);
    struct claims_seen seen;
    if (!claims_measure(run, &seen, "cube:%u shuffle:m=%u --algorithm %s", n, K * WORDS, algorithm))
        return false;
    const uint64_t stopping = seen.cycles;
    if (!play_blocks(run, &x, "a2-one-port", K, 0, true, &seen))
        return false;
    const uint64_t a2 = seen.cycles;
    if (!play_blocks(run, &x, "a1-one-port", K / 2, 0, true, &seen))
        return false;
    claims_relate(run, stopping, CLAIMS_LT, 5 * ec_cost_min(seen.cycles, a2),
                  "n=%u: %s, against five times A1", n, algorithm);
    return true;
}

/* jh.exp.router: direct routing compared with A1 and A2 with n ports; and with stops and one port,
 * because the paper's router stored messages on the way. */
void experiment_router_ratio(struct claims_run *run)
{
    claims_equivalent(run);
    claims_table_row(run, "n,words of a node,direct,highest first,a1,a2,direct over the best");
    for (unsigned n = DIMS; n <= (claims_is_full(run) ? 10 : 6); n++)
        if (!ratio_case(run, n) || (n <= 8 && (!stop_case(run, n, "ecube-steps") ||
                                               !stop_case(run, n, "ecube-steps:order=high"))))
            return;
}

/* jh.exp.linear: with one port and a fixed K, each additional dimension costs the same. */
void experiment_linear(struct claims_run *run)
{
    static const struct {
        const char *algorithm;
        uint32_t quick, full; /* K; all-to-all needs 2^n */
        unsigned dims[2];     /* largest n */
    } curves[] = {{"a1-one-port", 16, 16, {6, 10}},
                  {"a2-one-port", 16, 16, {6, 10}},
                  {"aapc-twice-one-port", 64, 256, {6, 8}}};
    for (unsigned c = 0; c < sizeof curves / sizeof *curves; c++) {
        const uint32_t K = claims_is_full(run) ? curves[c].full : curves[c].quick;
        uint64_t before = 0, more = 0;
        for (unsigned n = 2; n <= curves[c].dims[claims_is_full(run)]; n++) {
            const struct shuffle x = real_shuffle(n, K, 1, 0);
            const uint64_t steps = c == 0   ? ec_cost_jh_a1_one_port(n, K)
                                   : c == 1 ? ec_cost_jh_a2_one_port(n, K)
                                            : ec_cost_jh_aapc_twice_one_port(n, K);
            struct claims_seen seen;
            if (!play_blocks(run, &x, curves[c].algorithm, 1, 0, true, &seen))
                return;
            claims_predicted(run, "steps", steps);
            claims_require_equal(run, seen.steps, steps, "%s, n=%u: steps", curves[c].algorithm, n);
            if (n > 3)
                claims_relate(run, seen.cycles - before, CLAIMS_EQ, more,
                              "%s, K=%u, n=%u: cycles more", curves[c].algorithm, K, n);
            more = seen.cycles - before;
            before = seen.cycles;
        }
    }
}

/* jh.exp.cm: A2 squared with K >= 4 beta takes half a step per element plus one, whatever beta
 * is. */
void experiment_affine(struct claims_run *run)
{
    claims_equivalent(run);
    for (struct sizes g = twos_grid(run); sizes_next(&g);) {
        const struct shuffle x = two_cycles_shuffle(g.size, g.per_node, 1);
        const uint64_t steps = ec_cost_jh_a22_printed(g.per_node);
        struct claims_seen seen;
        if (!g.audited || g.per_node < 4 * g.size)
            continue;
        if (!play_blocks(run, &x, "a2x2", 1, 0, g.timed, &seen))
            return;
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x.name);
        if (g.timed)
            claims_relate(run, seen.cycles, CLAIMS_EQ, steps * step_of(1), "%s: cycles", x.name);
    }
}

/* jh.exp.cm2: 32 words over all links of a node at the same time; moves within nodes are free. The
 * CM-2 had 11 node dimensions. */
void experiment_all_links(struct claims_run *run)
{
    enum { BITS = 32, ORDER = 3, K = 16 };
    const unsigned n = claims_is_full(run) ? 11 : 6;
    const struct gsh mixed = mixed_one(ORDER, K);
    char cycle[80] = "", words[200];
    struct claims_seen seen;
    claims_equivalent(run);
    for (unsigned d = n; d-- > 0;) /* 16 elements: 4 storage dimensions */
        claims_add(cycle, sizeof cycle, "%s~%u", *cycle ? "+" : "", 4 + d);
    snprintf(words, sizeof words, "cube:%u gsh:cycle=%s,K=%d,m=%d", n, cycle, K, BITS);
    if (!play_paced(run, true, words, "crossing", PLAIN_PACE, &seen))
        return;
    claims_predicted(run, "cycles", K * step_of(BITS));
    claims_relate(run, seen.cycles, CLAIMS_EQ, K * step_of(BITS), "%d exchanges: cycles", K);
    claims_relate(run, seen.schedule->transfer_count, CLAIMS_EQ, ((uint64_t)K * n) << n,
                  "links at work");
    gsh_words(&mixed, words, sizeof words);
    claims_add(words, sizeof words, ",m=%d", BITS);
    if (!play_paced(run, true, words, "align", PLAIN_PACE, &seen))
        return;
    claims_require(run, seen.checked->local_moves > 0, "nothing moves within nodes");
    claims_relate(run, seen.cycles, CLAIMS_EQ, seen.steps * step_of(BITS),
                  "%" PRIu64 " moves within nodes: cycles", seen.checked->local_moves);
}
