/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH by all-to-all personalized communications (AAPC): steps, and against
 * the schedules that do without.
 *
 * Knows the formulas of Johnsson and Ho, 4.1.2, as printed and as corrected (model/cost); steps and
 * cycles come from schedules and runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/experiments/shuffle.h"

/* Orders 1,...,1: K/2^beta elements from every node to every node of its beta-subcube. */
void try_aapc_stage(struct claims_run *run)
{
    static const unsigned ones[TRY_ORDERS_MAX] = {1, 1, 1, 1, 1, 1};
    for (unsigned beta = 1; beta <= (claims_is_full(run) ? 6 : 3); beta++) {
        for (uint32_t K = UINT32_C(1) << beta; K <= (claims_is_full(run) ? 64 : 16); K *= 2) {
            const struct try_shuffle x = try_mixed(ones, beta, K, 1);
            struct claims_seen seen;
            if (!try_schedule(run, &x, "aapc", 1, 0, true, &seen))
                return;
            const struct ec_schedule *s = seen.schedule;
            uint32_t *count = calloc((size_t)s->nodes * s->nodes, sizeof *count);
            bool even = claims_require(run, count != NULL, "out of memory");
            for (uint32_t e = 0; even && e < s->nodes * K; e++)
                count[e / K * s->nodes + s->target[e].node]++;
            for (size_t i = 0; even && i < (size_t)s->nodes * s->nodes; i++)
                even = count[i] == K >> beta;
            free(count);
            claims_case(run, even, "beta=%u, K=%" PRIu32, beta, K);
        }
    }
}

static bool aapc_case(struct claims_run *run, const struct try_multi *g)
{
    const uint64_t steps = ec_cost_jh_aapc(g->sigma_r, g->blocks, g->per_node);
    struct claims_seen seen;
    struct try_shuffle x;
    if (!try_multi_look(run, g, "aapc", &seen))
        return false;
    claims_predicted(run, "steps", steps);
    claims_relate_if(run, g->per_node / 2 % g->blocks == 0, seen.steps, CLAIMS_EQ, steps,
                     "%s: steps", try_multi_name(g, &x));
    return true;
}

/* K/2 + sigma_r - beta for equal orders, where beta divides K/2. */
void try_aapc(struct claims_run *run)
{
    static const unsigned three[] = {1, 1, 1};
    for (struct try_multi g = try_multi(run); try_multi_next(&g);)
        if (g.equal && g.audited && !aapc_case(run, &g))
            return;
    if (!claims_is_full(run)) {
        const struct try_multi g = try_multi_of(run, 3, three, 8);
        aapc_case(run, &g);
    }
}

/* Two blocks of orders 4 and 5, case 2 (with: 2) and 3 of the concurrent all-to-alls, or parity
 * starts (with: 0), of orders from 2 on. */
void try_aapc_concurrent(struct claims_run *run)
{
    const unsigned with = (unsigned)claims_with(run), most = claims_is_full(run) ? 5 : 4;
    for (unsigned r = with ? 4 : 2; r <= most; r++) {
        for (uint32_t K = 16; K <= (claims_is_full(run) ? 64 : 32); K += 16) {
            const unsigned order[] = {r, r};
            struct try_multi g = try_multi_of(run, 2, order, K);
            struct claims_seen seen;
            struct try_shuffle x;
            uint64_t steps;
            if (with == 0) {
                steps = ec_cost_jh_aapc_parity(g.sigma_r, 2, K);
                if (!try_multi_look(run, &g, "aapc-parity", &seen))
                    return;
                claims_predicted(run, "steps", steps);
                claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps",
                              try_multi_name(&g, &x));
                continue;
            }
            const bool right = ec_cost_jh_aapc_case(with, g.sigma_r, g.sigma_r, 2, K, &steps);
            if (!try_multi_look(run, &g, "aapc-concurrent", &seen))
                return;
            claims_predicted(run, "steps", steps);
            claims_relate_if(run, right, seen.steps, CLAIMS_EQ, steps, "%s: steps",
                             try_multi_name(&g, &x));
        }
    }
}

/* The three cases agree at K = 8 beta, K = 2(sigma_r + beta) and sigma_r = 3 beta. */
void try_aapc_borders(struct claims_run *run)
{
    uint64_t a, b;
    for (uint64_t beta = 1; beta <= 8; beta++) {
        for (uint64_t sigma_r = 3 * beta; sigma_r <= 64; sigma_r++) {
            ec_cost_jh_aapc_case(1, sigma_r, sigma_r, beta, 8 * beta, &a);
            ec_cost_jh_aapc_case(2, sigma_r, sigma_r, beta, 8 * beta, &b);
            claims_relate(run, a, CLAIMS_EQ, b,
                          "beta=%" PRIu64 ", sigma_r=%" PRIu64 ", K=8beta: steps", beta, sigma_r);
            const uint64_t K = 2 * (sigma_r + beta);
            ec_cost_jh_aapc_case(2, sigma_r, sigma_r, beta, K, &a);
            ec_cost_jh_aapc_case(3, sigma_r, sigma_r, beta, K, &b);
            claims_relate(run, a, CLAIMS_EQ, b,
                          "beta=%" PRIu64 ", sigma_r=%" PRIu64 ", K=2(sigma_r+beta): steps", beta,
                          sigma_r);
        }
        for (uint64_t K = 8 * beta; K <= 64 * beta; K += 2) {
            ec_cost_jh_aapc_case(1, 3 * beta, 3 * beta, beta, K, &a);
            ec_cost_jh_aapc_case(3, 3 * beta, 3 * beta, beta, K, &b);
            claims_relate(run, a, CLAIMS_EQ, b,
                          "beta=%" PRIu64 ", sigma_r=3beta, K=%" PRIu64 ": steps", beta, K);
        }
    }
}

/* Equivalent: what unequal orders cost our all-to-alls, over K/2 + sigma_r - beta. */
void try_aapc_unequal(struct claims_run *run)
{
    claims_equivalent(run);
    claims_table_row(run, "orders,K,steps,K/2+sigma_r-beta,delay");
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        struct claims_seen seen;
        char orders[40] = "";
        bool falling = true;
        for (unsigned b = 0; b < g.blocks; b++) {
            claims_add(orders, sizeof orders, "%s%u", b ? "-" : "", g.order[b]);
            falling &= b == 0 || g.order[b] <= g.order[b - 1];
        }
        if (g.equal || !falling || !g.audited || g.per_node / 2 % g.blocks || g.blocks > 3 ||
            g.per_node % 8)
            continue;
        if (!try_multi_look(run, &g, "aapc", &seen))
            return;
        const uint64_t base = ec_cost_jh_aapc(g.sigma_r, g.blocks, g.per_node);
        claims_predicted(run, "steps without delay", base);
        claims_table_row(run, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRId64, orders, g.per_node,
                         seen.steps, base, (int64_t)seen.steps - (int64_t)base);
        /* Every stage takes beta steps, as if all orders were the longest. */
        claims_relate(run, seen.steps, CLAIMS_LE,
                      ec_cost_jh_aapc(g.blocks * g.longest, g.blocks, g.per_node),
                      "orders %s, K=%" PRIu32 ": steps", orders, g.per_node);
    }
}

/* Pipelined (with: 0) or concurrent GSH (1) against the same by all-to-alls, equal orders: faster
 * but for the ties. */
void try_aapc_compared(struct claims_run *run)
{
    const bool concurrent = claims_with(run) == 1;
    for (uint64_t beta = 1; beta <= 5; beta++) {
        for (unsigned r = 1; r <= 8; r++) {
            unsigned order[5];
            const uint64_t sigma_r = beta * r;
            for (unsigned b = 0; b < beta; b++)
                order[b] = r;
            const struct ec_cost_blocks cost = {order, beta};
            for (uint64_t K = UINT64_C(1) << beta; K <= 4096; K *= 2) {
                uint64_t mine, other = ec_cost_jh_aapc(sigma_r, beta, K), least;
                claims_require(run, ec_cost_jh_multi_pipelined(cost, K, &mine), "no formula");
                const bool same = mine == other;
                for (unsigned c = 2; concurrent && c <= 3; c++)
                    if (ec_cost_jh_aapc_case(c, sigma_r, sigma_r, beta, K, &least))
                        other = ec_cost_min(other, least);
                if (concurrent && ec_cost_jh_theorem2(cost, K, &least))
                    mine = ec_cost_min(mine, least);
                claims_require(run, mine <= other, "beta=%" PRIu64 ", order %u: slower", beta, r);
                const bool tie =
                    beta == 1 || r == 1 || (beta == 2 && K == 4) || (beta == 3 && K == 8);
                claims_require(run, concurrent || tie == same, "the ties");
                if (K / 2 % beta != 0)
                    continue; /* the all-to-alls take longer than their formula */
                claims_relate_if(run, !tie, mine, CLAIMS_LT, other,
                                 "beta=%" PRIu64 ", order %u, K=%" PRIu64 ": steps", beta, r, K);
            }
        }
    }
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        struct claims_seen seen;
        struct try_shuffle x;
        if (!g.equal || !g.timed || g.per_node / 2 % g.blocks)
            continue;
        if (!try_multi_look(run, &g, concurrent && g.longest > 3 ? "concurrent" : "pipelined",
                            &seen))
            return;
        const uint64_t mine = seen.cycles;
        if (!try_multi_look(run, &g, "aapc", &seen))
            return;
        claims_require(run, mine <= seen.cycles, "%s: cycles", try_multi_name(&g, &x));
    }
}
