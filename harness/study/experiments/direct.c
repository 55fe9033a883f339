/* SPDX-License-Identifier: Apache-2.0 */
/* Messages sent directly to their destinations by dimension-ordered (E-cube) routing: congestion,
 * lengths, times, and a comparison with steps.
 *
 * Knows the formulas of Grama et al. 4.6.2 (last part), Gergel (packets), and closed forms. */
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

/* Different orders conflict: 1 -> 2 lowest first and 3 -> 0 highest first both use link (1, dim 0),
 * which a common order uses once. This cannot run on RTL because all routers of a network share one
 * order. */
void experiment_ecube_mixed(struct claims_run *run)
{
    struct claims_seen seen;
    if (!claims_audit(run, &seen, "cube:2 shift:q=1 --algorithm ecube-steps:order=low") ||
        !claims_require_equal(run, seen.checked->max_link_elements, 1, "common order") ||
        !claims_audit(run, &seen, "cube:2 shift:q=1 --algorithm ecube-steps:order=mixed"))
        return;
    claims_audited(run, "packets on the busiest link", seen.checked->max_link_elements);
    claims_relate(run, seen.checked->max_link_elements, CLAIMS_EQ, 2,
                  "d=2, q=1: packets on the busiest link");
    uint32_t load = 0;
    for (size_t i = 0; i < seen.schedule->transfer_count; i++) {
        const struct ec_transfer *t = &seen.schedule->transfers[i];
        load += t->src == 1 && t->dst == 0;
    }
    claims_relate(run, load, CLAIMS_EQ, 2, "d=2, q=1: packets over link (1, dim 0)");
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        if (!claims_audit(run, &seen, "cube:%u shift:q=%u --algorithm ecube-steps:order=mixed",
                          g.size, g.q))
            return;
        if (seen.load > 1) {
            claims_remark(run, "the first conflict within a step is at " SIZE_Q, g.size, g.q);
            return;
        }
    }
    claims_require(run, false, "no two packets of mixed orders meet in a step");
}

enum { DEPTH = 4 }; /* the router's default, in words */

/* --- Lengths and times ------------------------------------------------------------------------ */

/* T -> tn + m tk for long messages: the difference is always th (d - gamma), so its share falls
 * with 1/m. */
void experiment_long_messages(struct claims_run *run)
{
    const uint32_t d = 6;
    claims_table_row(run, "m,cycles,without the hops,difference,share in ppm");
    for (uint32_t q = 1; q < 64; q = 2 * q + 1) {
        uint64_t last = UINT64_MAX;
        for (uint32_t m = 64; m <= 4096; m *= 4) {
            struct claims_seen seen;
            const uint32_t hops = d - claims_gamma(q);
            if (!claims_measure(run, &seen, "cube:%u shift:q=%u,m=%u", d, q, m))
                return;
            const uint64_t exact = ec_cost_wormhole(hops, m, m, 0, DEPTH), printed = exact - hops;
            const uint64_t share = (seen.cycles - printed) * 1000000 / printed;
            claims_predicted(run, "cycles", exact);
            claims_require_equal(run, seen.cycles, exact, "exact form");
            claims_require(run, share < last, "q=%u, m=%u: the share grows", q, m);
            for (uint32_t th = 0; th <= 1; th++)
                claims_relate_if(run, th == 0, seen.cycles - (1 - th) * hops, CLAIMS_EQ, printed,
                                 SIZE_Q ", m=%u, th=%u: cycles", d, q, m, th);
            if (q == 1)
                claims_table_row(run, "%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, m,
                                 seen.cycles, printed, seen.cycles - printed, share);
            last = share;
        }
    }
    claims_remark(run, "the difference is the number of hops of the longest path for every m, so "
                       "its share of the time falls as m grows");
}

/* One message alone between any two nodes. The claim is ts + tw m for all pairs; it is true for
 * neighbours. */
static bool single_pairs(struct claims_run *run, const char *topology, uint32_t nodes)
{
    const uint32_t m = 8, ts = 7;
    const uint64_t printed = ec_cost_wormhole(1, m, m, ts, DEPTH);
    for (uint32_t a = 0; a < nodes; a++) {
        for (uint32_t b = 0; b < nodes; b++) {
            struct claims_seen seen;
            if (a == b)
                continue;
            if (!claims_measure_single(run, &seen, topology, a, b, m, ts, NULL))
                return false;
            const uint32_t hops = ec_topology_distance(seen.topology, a, b);
            claims_require_equal(run, seen.cycles, ec_cost_wormhole(hops, m, m, ts, DEPTH),
                                 "%s %u -> %u", topology, a, b);
            claims_relate_if(run, hops == 1, seen.cycles, CLAIMS_EQ, printed,
                             "%s %u -> %u, %u link%s: cycles", topology, a, b, hops,
                             hops == 1 ? "" : "s");
        }
    }
    return true;
}

void experiment_single_message(struct claims_run *run)
{
    char topology[24];
    for (uint32_t s = 2; s <= 4; s++) {
        snprintf(topology, sizeof topology, "torus:%ux%u", s, s);
        if (!single_pairs(run, topology, s * s))
            return;
    }
    for (uint32_t d = 1; d <= (claims_is_full(run) ? 6 : 4); d++) {
        snprintf(topology, sizeof topology, "cube:%u", d);
        if (!single_pairs(run, topology, 1U << d))
            return;
    }
}

/* --- Direct against steps --------------------------------------------------------------------- */

/* Measures the three cycle counts at one point of the comparison. */
static bool three_ways(struct claims_run *run, uint32_t d, uint32_t q, uint32_t m, uint32_t ts,
                       uint64_t cycles[3], uint32_t steps[3])
{
    static const char *const algorithms[] = {"gray-forward", "gray-signed"};
    const struct claims_shift g = single_shift(d, UINT32_C(1) << d, q);
    struct claims_seen seen;
    for (int a = 0; a < 2; a++) {
        if (!play_gray(run, &g, algorithms[a], m, ts, &seen))
            return false;
        cycles[a] = seen.cycles;
        steps[a] = seen.steps;
    }
    if (!play_direct(run, &g, false, false, m, ts, &seen))
        return false;
    cycles[2] = seen.cycles;
    steps[2] = 1;
    const uint32_t hops = d - claims_gamma(q);
    const uint64_t exact = ec_cost_wormhole(hops, m, m, ts, DEPTH);
    claims_predicted(run, "cycles", exact);
    return claims_require_equal(run, cycles[2], exact, SIZE_Q ", direct", d, q);
}

/* The smallest m from which on `direct` is faster than `steps` steps, by the closed forms; 0: none
 * below 2^20. */
static uint32_t crossing(uint32_t hops, uint32_t steps, uint32_t ts)
{
    for (uint32_t m = 1; m < UINT32_C(1) << 20; m++) {
        if (ec_cost_wormhole(hops, m, m, ts, DEPTH) < steps_time(steps, m, ts))
            return m;
    }
    return 0;
}

/* The table's rows of one shift and start-up for growing m. The ratio tends to the number of
 * steps. */
static bool gain_rows(struct claims_run *run, uint32_t d, uint32_t q, uint32_t ts,
                      uint32_t *ret_steps)
{
    static const uint32_t m[] = {1, 2, 3, 4, 6, 16, 64, 256, 1024, 4096};
    const size_t count = sizeof m / sizeof *m - !claims_is_full(run);
    const uint32_t hops = d - claims_gamma(q);
    double last_error = 1e9;
    for (size_t i = 0; i < count; i++) {
        uint64_t cycles[3];
        uint32_t steps[3];
        if (!three_ways(run, d, q, m[i], ts, cycles, steps))
            return false;
        const uint32_t from = crossing(hops, steps[0], ts);
        const double ratio = (double)cycles[0] / (double)cycles[2];
        const double error = ratio > steps[0] ? ratio - steps[0] : steps[0] - ratio;
        claims_table_row(run, "%u,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.3f", d, q,
                         m[i], ts, cycles[0], cycles[1], cycles[2], ratio,
                         (double)cycles[1] / (double)cycles[2]);
        claims_require(run, error <= last_error, SIZE_Q ", m=%u: the ratio leaves its limit", d, q,
                       m[i]);
        claims_require(run, (cycles[2] < cycles[0]) == (from != 0 && m[i] >= from),
                       SIZE_Q ", m=%u: the other side of the crossing", d, q, m[i]);
        if (i == 0 && from > 1)
            claims_remark(run, "q=%u, ts=%u: direct is faster from m=%u on", q, ts, from);
        if (i == 0 && from == 0)
            claims_remark(run, "q=%u, ts=%u: direct is never faster", q, ts);
        last_error = error;
        *ret_steps = steps[0];
    }
    return claims_require(run, last_error < 0.1 * *ret_steps,
                          SIZE_Q ": the ratio does not come near %u", d, q, *ret_steps);
}

/* Compares forward, signed and direct. Only q = p - 1 reaches the gain of the bounds, 2 log p - 1
 * (signed: log p); for each q the ratio tends to its own number of steps. */
static bool gain_of(struct claims_run *run, uint32_t d)
{
    static const uint32_t ts[] = {0, 7, 50, 200};
    const uint32_t p = UINT32_C(1) << d, shifts[] = {1, 2, p / 2 - 1, p / 2 + 1, p - 1};
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        for (size_t t = 0; t < (claims_is_full(run) ? 4 : 2); t++) {
            uint32_t steps = 0;
            if (!gain_rows(run, d, shifts[k], ts[t], &steps))
                return false;
            claims_predicted(run, "limit of forward/direct", steps);
            claims_relate_if(run, shifts[k] == p - 1, steps, CLAIMS_EQ, 2 * d - 1,
                             SIZE_Q ": limit of the ratio", d, shifts[k]);
        }
    }
    return true;
}

void experiment_gain(struct claims_run *run)
{
    claims_table_row(run, "d,q,m,ts,forward,signed,direct,forward/direct,signed/direct");
    if (gain_of(run, 6) && claims_is_full(run))
        gain_of(run, 8);
}

/* Gergel: direct packets are faster than steps. As bounds iff tc d < (2d - 2)(tn + m tk), so from d
 * = 2 on; for one q not if that is a single Gray step. with: 0 each q, on RTL. */
void experiment_packet_gain(struct claims_run *run)
{
    for (struct claims_packet p = claims_packets(run); claims_next_packet(&p);) {
        for (struct claims_shift g = claims_cube_steps(run); claims_next(&g);) {
            uint64_t cycles[3];
            uint32_t steps[3];
            if (!g.timed || g.size > 6)
                continue;
            if (!three_ways(run, g.size, g.q, p.m, p.ts, cycles, steps))
                return;
            const uint32_t hops = g.size - claims_gamma(g.q);
            const uint64_t one = steps_time(1, p.m, p.ts);
            claims_relate_if(run, hops - 1 < (steps[0] - 1) * one, cycles[2], CLAIMS_LT, cycles[0],
                             SIZE_Q ", m=%u, ts=%u: cycles", g.size, g.q, p.m, p.ts);
            if (steps[0] == 1)
                claims_require(run, cycles[2] >= cycles[0], "a single Gray step is beaten");
        }
    }
}

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
