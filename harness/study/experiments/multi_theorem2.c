/* SPDX-License-Identifier: Apache-2.0 */
/* What Theorem 2 is about, and where its printed cases conflict.
 *
 * Knows its formulas, as printed and as corrected (model/cost). */
#include <inttypes.h>

#include "ec_cost_jh_multi.h"
#include "ecube/sdp.h"
#include "study/experiments/shuffle.h"

/* jh.thm2.scope: the theorem divides by beta; a real cycle has none. */
void try_theorem2_scope(struct claims_run *run)
{
    static const unsigned one[] = {1};
    const struct try_shuffle mixed = try_mixed(one, 1, 4, 1);
    struct ec_sdp_cycle c[EC_SDP_DIMS_MAX / 2], part[EC_SDP_DIMS_MAX / 2], rest;
    struct claims_seen seen;
    if (!try_schedule(run, &mixed, "pipelined", 1, 0, true, &seen))
        return;
    claims_case(run,
                ec_sdp_cycles(seen.workload->sdp, c) == 1 &&
                    ec_sdp_factor(c, seen.workload->sdp->storage, part, &rest) == 1,
                "mixed, sigma_r=1");
    for (struct try_sizes g = try_reals(run); try_sizes_next(&g);) {
        const struct try_shuffle x = try_real(g.size, g.per_node, 1, 0);
        if (g.per_node != 4)
            continue;
        if (!try_schedule(run, &x, "a1-packed", 1, 0, g.timed, &seen))
            return;
        claims_case(run, false, "real, sigma_r=%u: beta=0, and K/2beta has no value", g.size);
        claims_require(run, claims_refused(x.topology, x.workload, "pipelined"),
                       "sigma_r=%u: pipelined is not for real ones", g.size);
    }
}

/* err.17: where the printed cases conflict. Orders falling, at most 6, sigma_r at most 13. */
static void count_conflicts(struct claims_run *run)
{
    unsigned below_lemma = 0, below_bound = 0, disputed = 0, coincide = 0;
    for (unsigned n = 0; n < 7 * 7 * 7 * 6; n++) {
        const unsigned order[] = {n / 343 % 6 + 1, n / 49 % 7, n / 7 % 7, n % 7};
        unsigned beta = 1;
        while (beta < 4 && order[beta])
            beta++;
        bool falling = true;
        for (unsigned b = 1; b < 4; b++)
            falling &= order[b] <= order[b - 1];
        const struct ec_cost_blocks cost = {order, beta};
        const uint64_t sigma_r = ec_cost_jh_sigma_r(cost);
        if (!falling || beta < 2 || sigma_r > 13 || ec_cost_jh_equal_orders(cost))
            continue;
        for (uint64_t K = UINT64_C(1) << beta; K <= 128; K *= 2) {
            uint64_t mine, other = 0, best = UINT64_MAX;
            if (K < 2 * sigma_r || !ec_cost_jh_theorem2_printed(1, cost, K, &mine))
                continue;
            for (unsigned which = 2; which <= 4; which++)
                if (ec_cost_jh_theorem2_printed(which, cost, K, &other) && other < best)
                    best = other;
            if (mine < K / 2)
                below_lemma++;
            else if (mine < K / 2 + 1)
                below_bound++;
            else if (best != UINT64_MAX && best != mine)
                disputed++;
            else
                coincide++;
        }
    }
    claims_audited(run, "below Lemma 2", below_lemma);
    claims_audited(run, "below K/2+1", below_bound);
    claims_audited(run, "against another case", disputed);
    claims_audited(run, "no conflict", coincide);
    claims_predicted(run, "below Lemma 2", 31);
    claims_predicted(run, "below K/2+1", 14);
    claims_predicted(run, "against another case", 7);
    claims_relate(run, below_lemma, CLAIMS_EQ, 31, "cases below Lemma 2");
    claims_relate(run, below_bound, CLAIMS_EQ, 14, "cases below K/2+1");
    claims_relate(run, disputed, CLAIMS_EQ, 7, "disputed by another case");
}

void try_theorem2_conflicts(struct claims_run *run)
{
    static const unsigned unequal[] = {3, 1}, five[] = {5, 5};
    const struct try_shuffle x = try_mixed(unequal, 2, 8, 1), figure = try_mixed(five, 2, 24, 1);
    struct claims_seen seen;
    uint32_t first = 0;
    count_conflicts(run);
    if (!claims_audit(run, &seen, "%s %s --algorithm pipelined:reading=printed", x.topology,
                      x.workload))
        return;
    claims_case(run, !seen.checked->valid, "orders 3,1, K=8: equal partitions");
    if (!try_schedule(run, &figure, "pipelined", 1, 0, false, &seen))
        return;
    for (size_t i = 0; i < seen.schedule->exchange_count; i++)
        first += seen.schedule->exchanges[i].storage == 0 &&
                 (i == 0 || seen.schedule->exchanges[i - 1].row != seen.schedule->exchanges[i].row);
    claims_relate(run, first, CLAIMS_EQ, 5, "Fig. 8: rows that begin in the first block");
}
