/* SPDX-License-Identifier: Apache-2.0 */
/* Messages sent directly to their destinations by dimension-ordered (E-cube) routing: congestion
 * and lengths.
 *
 * Knows the formulas of Grama et al. 4.6.2 (last part) and closed forms of loads. */
#include <inttypes.h>
#include <stdio.h>

#include "ec_cost.h"
#include "ec_cost_ecube.h"
#include "study/experiments/play.h"

#define SIZE_Q "d=%u, q=%u"

/* --- Congestion ------------------------------------------------------------------------------- */

/* Bidirectional channels are required: every packet crosses dimension gamma(q), in both
 * directions. */
void experiment_ecube_both_ways(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        const unsigned dim = claims_gamma(g.q);
        bool all = true;
        g.timed &= g.size <= 8;
        if (!play_direct(run, &g, false, false, 1, 0, &seen))
            return;
        for (uint32_t n = 0; n < g.nodes; n++) {
            all &= seen.audit->link_load[n * seen.audit->links + dim] == 1;
            if (seen.report)
                all &= seen.report->flits[n * seen.report->ports + dim] == 1;
        }
        claims_case(run, all, SIZE_Q ": dimension %u is not crossed by all", g.size, g.q, dim);
    }
}

/* Fig. 4.24: every path of every shift on eight nodes, link by link; no link is used twice. The
 * expected paths are computed bit by bit, those of the audit from coordinates. */
void experiment_ecube_figure(struct claims_run *run)
{
    for (uint32_t q = 1; q < 8; q++) {
        const struct claims_shift g = single_shift(3, 8, q);
        struct claims_seen seen;
        uint32_t used[8][3] = {{0}};
        bool same = true;
        if (!play_direct(run, &g, false, false, 64, 0, &seen))
            return;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t at = i;
            const uint32_t target = (i + q) % 8;
            for (unsigned b = 0; b < 3; b++) {
                if ((at ^ target) >> b & 1) {
                    used[at][b]++;
                    at ^= 1U << b;
                }
            }
        }
        for (uint32_t n = 0; n < 8; n++) {
            for (unsigned b = 0; b < 3; b++) {
                same &= used[n][b] <= 1;
                same &= used[n][b] == seen.audit->link_load[n * seen.audit->links + b];
                same &= 64 * used[n][b] == seen.report->flits[n * seen.report->ports + b];
            }
        }
        same &= !claims_sees_contention(run, &seen) || seen.contended == 0;
        claims_case(run, same, "q=%u", q);
    }
}

/* --- Orders of the dimensions ----------------------------------------------------------------- */

/* Writes permutation `number` of d dimensions. */
static void order_text(unsigned d, unsigned number, char *text, size_t size)
{
    unsigned left[8], count = d;
    *text = '\0';
    for (unsigned i = 0; i < d; i++)
        left[i] = i;
    for (; count > 0; count--) {
        const unsigned pick = number % count;
        number /= count;
        claims_add(text, size, "%s%u", *text ? "-" : "", left[pick]);
        for (unsigned i = pick; i + 1 < count; i++)
            left[i] = left[i + 1];
    }
}

/* With any order that all messages share, every stage has one message per node and per link. Grid:
 * all orders of cubes up to d = 4 (full: 5), 20 orders of a larger one. */
void experiment_ecube_orders(struct claims_run *run)
{
    static const unsigned orders[] = {1, 1, 2, 6, 24, 120, 20};
    const unsigned last = claims_is_full(run) ? 6 : 5;
    for (unsigned d = 1; d <= last; d++) {
        const unsigned count = d == 5 && last == 5 ? 20 : orders[d];
        for (unsigned o = 0; o < count; o++) {
            char order[24];
            order_text(d, d < 5 || count == 120 ? o : o * 7919 + 13, order, sizeof order);
            for (uint32_t q = 1; q < 1U << d; q++) {
                struct claims_seen seen;
                if (!claims_measure_if(run, d <= 3 || o == count / 2, &seen,
                                       "cube:%u shift:q=%u --algorithm ecube-steps:order=%s", d, q,
                                       order))
                    return;
                claims_case(run, seen.checked->valid && seen.checked->one_port && seen.load == 1,
                            "d=%u, q=%u, order %s: %s", d, q, order, seen.checked->defect);
                if (seen.report)
                    claims_require_uncontended(run, &seen, "d=%u, q=%u", d, q);
            }
        }
    }
}

/* The words that the paths of all messages put on link (1, dim 0) of a square, on RTL. */
static bool square_case(struct claims_run *run, const char *order, uint64_t *ret_words,
                        struct claims_seen *seen)
{
    if (!claims_measure(run, seen, "cube:2 shift:q=1,m=8 --algorithm ecube-steps:order=%s", order))
        return false;
    uint32_t load = 0;
    for (size_t i = 0; i < seen->schedule->transfer_count; i++)
        load += seen->schedule->transfers[i].src == 1 && seen->schedule->transfers[i].dst == 0;
    *ret_words = seen->report->flits[1 * seen->report->ports + 0];
    return claims_require_equal(run, *ret_words, 8 * (uint64_t)load, "order %s: words counted",
                                order);
}

/* Different orders conflict: 1 -> 2 lowest first and 3 -> 0 highest first both use link (1, dim 0),
 * which a common order uses once, and wait for each other. Messages that stop in every node can
 * have orders of their own on RTL, although the routers share one. */
void experiment_ecube_mixed(struct claims_run *run)
{
    static const char *const common[] = {"low", "high"};
    struct claims_seen seen;
    uint64_t words;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (!square_case(run, common[i], &words, &seen) ||
            !claims_require(run, words <= 8, "order %s: %" PRIu64 " words", common[i], words) ||
            !claims_require_uncontended(run, &seen, "order %s", common[i]))
            return;
    }
    if (!square_case(run, "mixed", &words, &seen))
        return;
    claims_audited(run, "packets on the busiest link", seen.checked->max_link_elements);
    claims_relate(run, words, CLAIMS_EQ, 2 * 8, "d=2, q=1: words of 8 each over link (1, dim 0)");
    if (claims_sees_contention(run, &seen))
        claims_relate(run, seen.contended, CLAIMS_GT, 0, "d=2, q=1: contended cycles");
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        if (!claims_audit(run, &seen, "cube:%u shift:q=%u --algorithm ecube-steps:order=mixed",
                          g.size, g.q))
            return;
        if (seen.load < 2)
            continue;
        if (!claims_measure(run, &seen, "cube:%u shift:q=%u,m=8 --algorithm ecube-steps", g.size,
                            g.q))
            return;
        const uint64_t cycles = seen.cycles;
        if (!claims_measure(run, &seen,
                            "cube:%u shift:q=%u,m=8 --algorithm ecube-steps:order=mixed", g.size,
                            g.q))
            return;
        claims_relate(run, seen.cycles, CLAIMS_GT, cycles, SIZE_Q ": cycles", g.size, g.q);
        claims_remark(run, "the first conflict within a step is at " SIZE_Q, g.size, g.q);
        return;
    }
    claims_require(run, false, "no two packets of mixed orders meet in a step");
}

/* --- Times of permutations ------------------------------------------------------------------- */

/* Sends the K elements of every node directly as one message: at least load x K cycles. */
static bool direct_cycles(struct claims_run *run, unsigned n, const char *name, uint32_t k)
{
    struct claims_seen seen;
    if (!claims_measure(run, &seen, "cube:%u %s:m=%u", n, name, k))
        return false;
    const uint64_t bound = (uint64_t)seen.load * k;
    claims_predicted(run, "cycles >=", bound);
    claims_relate(run, seen.cycles, CLAIMS_GE, bound, "cube:%u %s K=%u: cycles", n, name, k);
    return true;
}

/* The real GSH of all n node bits above `storage` local ones: the shuffle, or with `pairs` the bit
 * reversal. Returns the elements on the busiest link and the steps of its schedule. */
static bool real_schedule(struct claims_run *run, unsigned n, bool pairs, const char *algorithm,
                          uint64_t *ret_elements, uint32_t *ret_steps)
{
    enum { STORAGE = 4 };
    char cycle[80] = "";
    struct claims_seen seen;
    for (unsigned i = 0; i < (pairs ? n / 2 : n); i++) {
        const unsigned high = STORAGE + n - 1 - i, low = STORAGE + i;
        if (pairs)
            claims_add(cycle, sizeof cycle, "%s%u-%u", i ? "+" : "", high, low);
        else
            claims_add(cycle, sizeof cycle, "%s%u", i ? "-" : "", high);
    }
    if (!claims_audit(run, &seen, "cube:%u gsh:cycle=%s,K=%u --algorithm %s", n, cycle,
                      1U << STORAGE, algorithm) ||
        !claims_require(run, seen.checked->valid, "%s: %s", algorithm, seen.checked->defect))
        return false;
    *ret_elements = seen.checked->max_link_elements;
    *ret_steps = seen.steps;
    return true;
}

/* ours.router.cycles: the cycles of direct runs; the ratio 2r/(r+1) of the shuffle's load K to the
 * steps of A1; the ratio 2^floor(n/2) of bit reversal's load to the link load of A2 squared. */
void experiment_router_cycles(struct claims_run *run)
{
    static const char *const names[] = {"shuffle", "unshuffle", "bitrev", "bitcomp"};
    const uint32_t elements = 16; /* per node */
    uint64_t busiest;
    uint32_t steps;
    for (unsigned n = 2; n <= (claims_is_full(run) ? 8 : 5); n++) {
        for (uint32_t k = 1; k <= 64; k *= claims_is_full(run) ? 2 : 8) {
            for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                if (!direct_cycles(run, n, names[i], k))
                    return;
            }
        }
    }
    for (unsigned r = 2; r <= 4; r += 2) { /* 2r divides K */
        if (!real_schedule(run, r, false, "a1-concurrent", &busiest, &steps))
            return;
        claims_relate(run, 2 * r * steps, CLAIMS_EQ, (r + 1) * elements,
                      "shuffle, r=%u: K over the steps of A1 is 2r/(r+1)", r);
    }
    for (unsigned n = 2; n <= 6; n++) {
        if (!real_schedule(run, n, true, "a2x2", &busiest, &steps))
            return;
        claims_relate(run, ec_cost_ecube_bit_reversal(n) * elements, CLAIMS_EQ,
                      ec_cost_ecube_bit_reversal_over_a22(n) * busiest,
                      "bit reversal, n=%u: link load against A2 squared", n);
    }
}
