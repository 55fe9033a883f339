/* SPDX-License-Identifier: Apache-2.0 */
/* Section 5 of Johnsson and Ho: their measurements, repeated on our routers with the same
 * algorithms because the machines no longer exist.
 *
 * Knows the closed forms of model/cost; cycles come from runs. Makes no statement about the
 * machines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ec_cost.h"
#include "ec_cost_ecube.h"
#include "ec_cost_jh_real.h"
#include "study/experiments/play.h"

enum {
    DIMS = 5,    /* of the iPSC/1 */
    DEPTH = 4,   /* the router's default */
    WORDS = 64,  /* per element, where the cost of a step must be negligible */
    STORED = 16, /* words of a packet that every router stores, and of its buffers */
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

/* A1 or A2 with one port, whichever is faster. */
static bool best_one_port(struct claims_run *run, unsigned n, uint32_t K, uint64_t *ret)
{
    const struct shuffle x = real_shuffle(n, K, WORDS, 0);
    struct claims_seen seen;
    if (!play_blocks(run, &x, "a2-one-port", K, 0, true, &seen))
        return false;
    *ret = seen.cycles;
    if (!play_blocks(run, &x, "a1-one-port", K / 2, 0, true, &seen))
        return false;
    *ret = ec_cost_min(*ret, seen.cycles);
    return true;
}

/* A router that stores packets on the way, as the paper's did, compared with A1 and A2 with one
 * port: its time follows the words on its busiest link, twice as many highest dimension first. */
static bool stored_case(struct claims_run *run, unsigned n)
{
    const uint32_t K = 2 * n, words = K * WORDS;
    struct claims_seen seen;
    uint64_t best;
    if (!best_one_port(run, n, K, &best))
        return false;
    for (unsigned high = 0; high <= 1; high++) {
        char options[100];
        snprintf(options, sizeof options,
                 " --router switching=store-and-forward,depth=%d,order=%s --packet %d", STORED,
                 high ? "high" : "low", STORED);
        if (!direct(run, n, words, 0, options, &seen) ||
            (!high && !claims_require_predicted(run, &seen, "n=%u, stored", n)))
            return false;
        claims_require_equal(run, seen.report->max_link_flits, (high + 1) * (uint64_t)words,
                             "n=%u, stored, %s first: words on the busiest link", n,
                             high ? "highest" : "lowest");
        claims_relate(run, seen.cycles, CLAIMS_LT, 5 * best,
                      "n=%u, stored, %s first, against five times A1: cycles", n,
                      high ? "highest" : "lowest");
        claims_require(run, seen.cycles > (high + 1) * (uint64_t)words, "n=%u: too fast", n);
        claims_table_row(run, "%u,%u,%s,,%" PRIu64 ",,%" PRIu64 ".%02" PRIu64, n, words,
                         high ? "stored (highest first)" : "stored", best, seen.cycles / best,
                         seen.cycles * 100 / best % 100);
    }
    return true;
}

/* Whole messages with a stop in every node, as a software router makes it. */
static bool stop_case(struct claims_run *run, unsigned n, const char *algorithm)
{
    const uint32_t K = 2 * n;
    struct claims_seen seen;
    uint64_t best;
    if (!best_one_port(run, n, K, &best) ||
        !claims_measure(run, &seen, "cube:%u shuffle:m=%u --algorithm %s", n, K * WORDS, algorithm))
        return false;
    claims_relate(run, seen.cycles, CLAIMS_LT, 5 * best, "n=%u, %s, against five times A1: cycles",
                  n, algorithm);
    return true;
}

/* jh.exp.router: direct routing compared with A1 and A2 with n ports; and, because the paper's
 * router stored messages on the way, with packets that are stored in every router and with whole
 * messages that stop in every node, with one port. */
void experiment_router_ratio(struct claims_run *run)
{
    const unsigned last = claims_is_full(run) ? 10 : 6;
    claims_equivalent(run);
    claims_table_row(run, "n,words of a node,direct,highest first,a1,a2,direct over the best");
    for (unsigned n = DIMS; n <= last; n++)
        if (!ratio_case(run, n) || (n <= 8 && (!stop_case(run, n, "ecube-steps") ||
                                               !stop_case(run, n, "ecube-steps:order=high"))))
            return;
    for (unsigned n = DIMS; n <= claims_min(last, 8); n++)
        if (!stored_case(run, n))
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

/* Elements that every node reads or stores because it sends or receives them; UINT32_MAX if nodes
 * differ. */
static uint32_t references(const struct ec_schedule *s)
{
    uint32_t *count = calloc((size_t)s->nodes + 1, sizeof *count), all = UINT32_MAX;
    for (size_t i = 0; count && i < s->transfer_count; i++) {
        count[s->transfers[i].src] += s->transfers[i].count;
        count[s->transfers[i].dst] += s->transfers[i].count;
    }
    bool same = count != NULL;
    for (uint32_t node = 0; same && node < s->nodes; node++)
        same = count[node] == count[0];
    if (same)
        all = count[0];
    free(count);
    return all;
}

/* jh.exp.cm: "270 + (3.2 + 3.9 beta)K": A2 squared with K >= 4 beta takes half a step per element
 * plus one, whatever beta is, and moves nothing within nodes; but every node reads and stores 2
 * beta K elements, which a machine with one path to its memory does one by one. */
void experiment_affine(struct claims_run *run)
{
    claims_equivalent(run);
    claims_table_row(run, "beta,K,steps,elements read or stored by a node");
    for (struct sizes g = twos_grid(run); sizes_next(&g);) {
        const struct shuffle x = two_cycles_shuffle(g.size, g.per_node, 1);
        const uint64_t steps = ec_cost_jh_a22_printed(g.per_node);
        struct claims_seen seen;
        if (!g.audited || g.per_node < 4 * g.size)
            continue;
        if (!play_blocks(run, &x, "a2x2", 1, 0, g.timed, &seen))
            return;
        const uint32_t memory = references(seen.schedule);
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x.name);
        claims_relate(run, memory, CLAIMS_EQ, 2 * (uint64_t)g.size * g.per_node,
                      "%s: elements read or stored by a node", x.name);
        claims_require_equal(run, seen.checked->local_moves, 0, "%s: local moves", x.name);
        claims_table_row(run, "%u,%u,%u,%u", g.size, g.per_node, seen.steps, memory);
        if (!g.timed)
            continue;
        claims_relate(run, seen.cycles, CLAIMS_EQ, steps * step_of(1), "%s: cycles", x.name);
        if (!claims_measure(run, &seen, "%s %s --algorithm a2x2 --local-cost 7", x.topology,
                            x.workload))
            return;
        claims_relate(run, seen.cycles, CLAIMS_EQ, steps * step_of(1),
                      "%s, with a cost of local moves: cycles", x.name);
    }
}

/* The figures of the CM-2. */
enum {
    CM2_BITS = 32,      /* of an exchange, over a channel of one bit */
    CM2_EXCHANGE = 185, /* cycles */
    CM2_AT_ONCE = 22,
    CM2_REFERENCE = 2, /* cycles to read 32 bits, or to store them: "one, slightly longer" */
};

/* 32 words over all links of all nodes in every step. With the 11 dimensions of a CM-2, the 22
 * exchanges of a step are 11 elements sent and 11 received. */
static bool all_links_case(struct claims_run *run, unsigned n)
{
    enum { K = 16 };
    char cycle[80] = "", words[200];
    struct claims_seen seen;
    for (unsigned d = n; d-- > 0;) /* 16 elements: 4 storage dimensions */
        claims_add(cycle, sizeof cycle, "%s~%u", *cycle ? "+" : "", 4 + d);
    snprintf(words, sizeof words, "cube:%u gsh:cycle=%s,K=%d,m=%d", n, cycle, K, CM2_BITS);
    if (!play_paced(run, claims_is_full(run) || n <= 6, words, "crossing", PLAIN_PACE, &seen))
        return false;
    claims_predicted(run, "cycles", K * step_of(CM2_BITS));
    if (seen.report)
        claims_relate(run, seen.cycles, CLAIMS_EQ, K * step_of(CM2_BITS), "%d exchanges: cycles",
                      K);
    claims_relate(run, seen.schedule->transfer_count, CLAIMS_EQ, ((uint64_t)K * n) << n,
                  "n=%u: links at work", n);
    const uint32_t at_once = references(seen.schedule) / seen.steps;
    claims_relate(run, at_once, CLAIMS_EQ, 2 * n, "n=%u: elements sent or received in a step", n);
    if (n == CM2_AT_ONCE / 2)
        claims_relate(run, (uint64_t)100 * at_once * CM2_REFERENCE, CLAIMS_LE, 25 * CM2_EXCHANGE,
                      "hundredths of cycles for local memory in an exchange");
    return true;
}

/* The share of moves within nodes if an exchange takes as long as on the CM-2: before the first
 * exchange, half of the nodes move all of their elements to align them. */
static bool local_share(struct claims_run *run, const char *algorithm, uint32_t K)
{
    const uint32_t startup = CM2_EXCHANGE - (uint32_t)step_of(1);
    const struct gsh g = mixed_one(3, K);
    struct claims_seen seen;
    char words[200];
    gsh_words(&g, words, sizeof words);
    if (!claims_measure(run, &seen, "%s --algorithm %s --startup %u --local-cost %d", words,
                        algorithm, startup, CM2_REFERENCE) ||
        !claims_require_predicted(run, &seen, "%s, K=%u: cycles", algorithm, K))
        return false;
    const uint64_t exchanges = (uint64_t)seen.steps * CM2_EXCHANGE, local = seen.cycles - exchanges;
    claims_require(run, seen.cycles >= exchanges, "%s, K=%u: faster than its exchanges", algorithm,
                   K);
    claims_relate(run, local, CLAIMS_EQ, seen.checked->local_moves ? K * CM2_REFERENCE : 0,
                  "%s, K=%u: cycles of local moves", algorithm, K);
    claims_relate(run, 100 * local, CLAIMS_LE, 25 * seen.cycles,
                  "%s, K=%u: hundredths of cycles for local moves", algorithm, K);
    claims_table_row(run, "%s,%u,%" PRIu64 ",%" PRIu64, algorithm, K, seen.cycles, local);
    return true;
}

/* jh.exp.cm2: 32 words over all links of a node at the same time; and the share of local time. */
void experiment_all_links(struct claims_run *run)
{
    claims_equivalent(run);
    claims_table_row(run, "algorithm,K,cycles,local");
    if (!all_links_case(run, 6) || !all_links_case(run, CM2_AT_ONCE / 2))
        return;
    for (uint32_t K = 2; K <= (claims_is_full(run) ? 128 : 16); K *= 2)
        if (!local_share(run, "align", K) || !local_share(run, "pipelined", K))
            return;
}
