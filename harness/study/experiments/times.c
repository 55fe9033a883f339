/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths and times of straight shifts, and how they compare with those of steps.
 *
 * Knows the formulas of Grama et al. 4.6.2 (last part) and Gergel (packets), and the closed forms
 * of model/cost. */
#include <inttypes.h>
#include <stdio.h>

#include "ec_cost.h"
#include "study/experiments/try.h"

#define SIZE_Q "d=%" PRIu32 ", q=%" PRIu32

enum { DEPTH = 4 }; /* the router's default, in words */

/* --- Lengths and times
 * -------------------------------------------------------------------------------- */

/* T -> tn + m tk for long messages: the difference stays th (d - gamma), its share falls with 1/m.
 */
void try_long_messages(struct claims_run *run)
{
    const uint32_t d = 6;
    claims_table_row(run, "m,cycles,without the hops,difference,share in ppm");
    for (uint32_t q = 1; q < 64; q = 2 * q + 1) {
        uint64_t last = UINT64_MAX;
        for (uint32_t m = 64; m <= 4096; m *= 4) {
            struct claims_seen seen;
            const uint32_t hops = d - claims_gamma(q);
            if (!claims_measure(run, &seen, "cube:%" PRIu32 " shift:q=%" PRIu32 ",m=%" PRIu32, d, q,
                                m))
                return;
            const uint64_t exact = ec_cost_wormhole(hops, m, m, 0, DEPTH), printed = exact - hops;
            const uint64_t share = (seen.cycles - printed) * 1000000 / printed;
            claims_predicted(run, "cycles", exact);
            claims_require_equal(run, seen.cycles, exact, "exact form");
            claims_require(run, share < last, "q=%" PRIu32 ", m=%" PRIu32 ": the share grows", q,
                           m);
            for (uint32_t th = 0; th <= 1; th++)
                claims_relate_if(run, th == 0, seen.cycles - (1 - th) * hops, CLAIMS_EQ, printed,
                                 SIZE_Q ", m=%" PRIu32 ", th=%" PRIu32 ": cycles", d, q, m, th);
            if (q == 1)
                claims_table_row(run, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, m,
                                 seen.cycles, printed, seen.cycles - printed, share);
            last = share;
        }
    }
    claims_remark(run, "the difference is the hops of the longest path, whatever m: its share of "
                       "the time falls with every m");
}

/* One message alone between any two nodes: ts + tw m, said to hold for all; true for neighbours. */
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
                                 "%s %" PRIu32 " -> %" PRIu32, topology, a, b);
            claims_relate_if(run, hops == 1, seen.cycles, CLAIMS_EQ, printed,
                             "%s %" PRIu32 " -> %" PRIu32 ", %" PRIu32 " link%s: cycles", topology,
                             a, b, hops, hops == 1 ? "" : "s");
        }
    }
    return true;
}

void try_single_message(struct claims_run *run)
{
    char topology[24];
    for (uint32_t s = 2; s <= 4; s++) {
        snprintf(topology, sizeof topology, "torus:%" PRIu32 "x%" PRIu32, s, s);
        if (!single_pairs(run, topology, s * s))
            return;
    }
    for (uint32_t d = 1; d <= (claims_is_full(run) ? 6 : 4); d++) {
        snprintf(topology, sizeof topology, "cube:%" PRIu32, d);
        if (!single_pairs(run, topology, 1U << d))
            return;
    }
}

/* --- Direct against steps
 * ------------------------------------------------------------------------------ */

/* One point of the comparison; the three cycles, measured. */
static bool three_ways(struct claims_run *run, uint32_t d, uint32_t q, uint32_t m, uint32_t ts,
                       uint64_t cycles[3], uint32_t steps[3])
{
    static const char *const algorithms[] = {"gray-forward", "gray-signed"};
    const struct claims_shift g = try_one(d, UINT32_C(1) << d, q);
    struct claims_seen seen;
    for (int a = 0; a < 2; a++) {
        if (!try_gray(run, &g, algorithms[a], m, ts, &seen))
            return false;
        cycles[a] = seen.cycles;
        steps[a] = seen.steps;
    }
    if (!try_direct(run, &g, false, false, m, ts, &seen))
        return false;
    cycles[2] = seen.cycles;
    steps[2] = 1;
    const uint32_t hops = d - claims_gamma(q);
    const uint64_t exact = ec_cost_wormhole(hops, m, m, ts, DEPTH);
    claims_predicted(run, "cycles", exact);
    return claims_require_equal(run, cycles[2], exact, SIZE_Q ", direct", d, q);
}

/* From which m on `direct` is faster than `steps` steps, by the closed forms; 0: never below 2^20.
 */
static uint32_t crossing(uint32_t hops, uint32_t steps, uint32_t ts)
{
    for (uint32_t m = 1; m < UINT32_C(1) << 20; m++) {
        if (ec_cost_wormhole(hops, m, m, ts, DEPTH) < try_steps_time(steps, m, ts))
            return m;
    }
    return 0;
}

/* The table's rows of one shift and start-up, m growing; the ratio goes to the number of steps. */
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
        claims_table_row(run,
                         "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64
                         ",%" PRIu64 ",%.3f,%.3f",
                         d, q, m[i], ts, cycles[0], cycles[1], cycles[2], ratio,
                         (double)cycles[1] / (double)cycles[2]);
        claims_require(run, error <= last_error,
                       SIZE_Q ", m=%" PRIu32 ": the ratio leaves its limit", d, q, m[i]);
        claims_require(run, (cycles[2] < cycles[0]) == (from != 0 && m[i] >= from),
                       SIZE_Q ", m=%" PRIu32 ": the other side of the crossing", d, q, m[i]);
        if (i == 0 && from > 1)
            claims_remark(run,
                          "q=%" PRIu32 ", ts=%" PRIu32 ": direct is faster from m=%" PRIu32 " on",
                          q, ts, from);
        if (i == 0 && from == 0)
            claims_remark(run, "q=%" PRIu32 ", ts=%" PRIu32 ": direct is never faster", q, ts);
        last_error = error;
        *ret_steps = steps[0];
    }
    return claims_require(run, last_error < 0.1 * *ret_steps,
                          SIZE_Q ": the ratio does not come near %" PRIu32, d, q, *ret_steps);
}

/* Forward, signed and direct side by side. The gain of the bounds, 2 log p - 1 (log p signed), is
 * that of q = p - 1 alone; for each q the ratio tends to the number of its own steps. */
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

void try_gain(struct claims_run *run)
{
    claims_table_row(run, "d,q,m,ts,forward,signed,direct,forward/direct,signed/direct");
    if (gain_of(run, 6) && claims_is_full(run))
        gain_of(run, 8);
}

/* Gergel: a packet beats the steps. As bounds iff tc d < (2d - 2)(tn + m tk), hence from d = 2 on;
 * for one q not if that is a single Gray step. with: 0 for each q, on RTL. */
void try_packet_gain(struct claims_run *run)
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
            const uint64_t one = try_steps_time(1, p.m, p.ts);
            claims_relate_if(run, hops - 1 < (steps[0] - 1) * one, cycles[2], CLAIMS_LT, cycles[0],
                             SIZE_Q ", m=%" PRIu32 ", ts=%" PRIu32 ": cycles", g.size, g.q, p.m,
                             p.ts);
            if (steps[0] == 1)
                claims_require(run, cycles[2] >= cycles[0], "a single Gray step is beaten");
        }
    }
}
