/* SPDX-License-Identifier: Apache-2.0 */
/* Times of single messages, of shifts sent directly, and of shifts in steps, compared.
 *
 * Knows the times of Grama et al. 4.6.2, Gohil I and Gergel (packets). Their constants t_s, t_h and
 * t_w are measured on single messages that are not among the cases; nothing is fitted. */
#include <inttypes.h>
#include <stdio.h>

#include "ec_cost_gergel.h"
#include "ec_cost_gohil.h"
#include "ec_cost_grama.h"
#include "study/experiments/play.h"

#define SIZE_Q "d=%u, q=%u"

/* --- Constants -------------------------------------------------------------------------------- */

/* A message of m words over h links takes ts + th h + tw m cycles. */
struct constants {
    uint64_t ts, th, tw;
};

/* Three messages, each alone on a 2-cube: two lengths over one link, and two links. */
static bool measure_constants(struct claims_run *run, uint32_t startup, const char *router,
                              struct constants *ret)
{
    static const uint32_t dst[] = {1, 1, 3}, words[] = {3, 5, 3};
    uint64_t cycles[3];
    struct claims_seen seen;
    for (unsigned i = 0; i < 3; i++) {
        if (!claims_measure_single(run, &seen, "cube:2", 0, dst[i], words[i], startup, router))
            return false;
        cycles[i] = seen.cycles;
    }
    if (!claims_require(run, cycles[0] < cycles[1] && cycles[0] < cycles[2],
                        "a message takes no longer over more links, or with more words"))
        return false;
    ret->tw = (cycles[1] - cycles[0]) / 2;
    ret->th = cycles[2] - cycles[0];
    ret->ts = cycles[0] - ret->th - 3 * ret->tw;
    return true;
}

/* The t_s of a text that has no t_h: that of neighbours. */
static uint64_t near_startup(const struct constants *c)
{
    return c->ts + c->th;
}

static uint64_t time_of(const struct constants *c, uint64_t links, uint64_t words)
{
    return ec_cost_gohil_message_corrected(links, c->ts, c->th, c->tw, words);
}

/* Texts without t_h are right exactly where the links after the first take no time: with t_h = 0,
 * which no machine here has, the exact time is the printed one for any number of links. */
static void time_without_th(struct claims_run *run, const struct constants *c, uint64_t links,
                            uint64_t words, uint64_t cycles, uint64_t printed, const char *name)
{
    const struct constants none = {.ts = near_startup(c), .tw = c->tw};
    claims_require_equal(run, time_of(&none, links, words), printed, "%s, th=0", name);
    claims_relate_if(run, c->th * (links - 1) == 0, cycles, CLAIMS_EQ, printed, "%s: cycles", name);
}

/* --- Messages that are sent directly ---------------------------------------------------------- */

static bool single_pairs(struct claims_run *run, const struct constants *c, uint32_t startup,
                         const char *topology, uint32_t nodes)
{
    const uint32_t m = 8; /* none of the lengths that gave the constants */
    const uint64_t printed = ec_cost_gohil_message_printed(near_startup(c), c->tw, m);
    for (uint32_t a = 0; a < nodes; a++) {
        for (uint32_t b = 0; b < nodes; b++) {
            struct claims_seen seen;
            if (a == b)
                continue;
            if (!claims_measure_single(run, &seen, topology, a, b, m, startup, NULL))
                return false;
            const uint32_t hops = ec_topology_distance(seen.topology, a, b);
            claims_require_equal(run, seen.cycles, time_of(c, hops, m), "%s %u -> %u", topology, a,
                                 b);
            char name[80];
            snprintf(name, sizeof name, "%s %u -> %u, %u link%s, ts=%" PRIu64, topology, a, b, hops,
                     hops == 1 ? "" : "s", near_startup(c));
            time_without_th(run, c, hops, m, seen.cycles, printed, name);
        }
    }
    return true;
}

/* One message alone between any two nodes takes ts + tw m. Our exact form has th for each link. */
void experiment_single_message(struct claims_run *run)
{
    const uint32_t startup = 7;
    struct constants c;
    char topology[24];
    if (!measure_constants(run, startup, NULL, &c))
        return;
    for (uint32_t s = 2; s <= 4; s++) {
        snprintf(topology, sizeof topology, "torus:%ux%u", s, s);
        if (!single_pairs(run, &c, startup, topology, s * s))
            return;
    }
    for (uint32_t d = 1; d <= (claims_is_full(run) ? 6 : 4); d++) {
        snprintf(topology, sizeof topology, "cube:%u", d);
        if (!single_pairs(run, &c, startup, topology, 1U << d))
            return;
    }
}

/* The time of a shift in one step by cut-through routing. with: 0 ts + tw m (Eq. 4.12), which omits
 * the links; 1 with tc for each link of the longest path, (3.21). */
void experiment_direct_time(struct claims_run *run)
{
    char router[60];
    snprintf(router, sizeof router, "switching=cut-through,depth=%d", claims_is_full(run) ? 65 : 9);
    for (struct claims_packet p = claims_packets(run); claims_next_packet(&p);) {
        struct constants c;
        if (!measure_constants(run, p.ts, router, &c))
            return;
        for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
            struct claims_seen seen;
            if (!g.timed || g.size > 8)
                continue;
            if (!claims_measure(run, &seen,
                                "cube:%u shift:q=%u,m=%u --router %s --packet %u --startup %u",
                                g.size, g.q, p.m, router, p.m, p.ts))
                return;
            const uint64_t exact = ec_cost_gergel_3_21(g.size, g.q, c.ts, c.tw, c.th, p.m);
            const uint64_t printed = ec_cost_grama_4_12_printed(near_startup(&c), c.tw, p.m);
            claims_predicted(run, "cycles", exact);
            claims_require_equal(run, seen.cycles,
                                 ec_cost_grama_4_12_corrected(g.size, g.q, c.ts, c.th, c.tw, p.m),
                                 SIZE_Q ", m=%u, ts=%u: exact", g.size, g.q, p.m, p.ts);
            char name[80];
            snprintf(name, sizeof name, SIZE_Q ", m=%u, start-up %u, ts=%" PRIu64, g.size, g.q, p.m,
                     p.ts, claims_with(run) ? c.ts : near_startup(&c));
            if (claims_with(run))
                claims_relate(run, seen.cycles, CLAIMS_EQ, exact, "%s: cycles", name);
            else
                time_without_th(run, &c, g.size - claims_gamma(g.q), p.m, seen.cycles, printed,
                                name);
        }
    }
}

/* T = tn + m tk for long messages. The difference is the time of the links behind the first for
 * every m, so its share falls with 1/m. */
void experiment_long_messages(struct claims_run *run)
{
    const uint32_t d = 6;
    struct constants c;
    if (!measure_constants(run, 0, NULL, &c))
        return;
    claims_table_row(run, "q,m,cycles,tn + m tk,difference,share in ppm");
    for (uint32_t q = 1; q < 64; q *= 2) {
        uint64_t last = UINT64_MAX, share = 0;
        for (uint32_t m = 64; m <= 4096; m *= 4) {
            struct claims_seen seen;
            if (!claims_measure(run, &seen, "cube:%u shift:q=%u,m=%u", d, q, m))
                return;
            const uint64_t exact = ec_cost_gergel_3_21(d, q, c.ts, c.tw, c.th, m);
            const uint64_t printed = ec_cost_gergel_3_21_long(near_startup(&c), c.tw, m);
            claims_predicted(run, "cycles", exact);
            claims_require_equal(run, seen.cycles, exact, SIZE_Q ", m=%u: exact", d, q, m);
            char name[40];
            snprintf(name, sizeof name, SIZE_Q ", m=%u", d, q, m);
            time_without_th(run, &c, d - claims_gamma(q), m, seen.cycles, printed, name);
            share = (seen.cycles - printed) * 1000000 / printed;
            claims_require(run, share == 0 || share < last, SIZE_Q ", m=%u: the share grows", d, q,
                           m);
            claims_table_row(run, "%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, q, m,
                             seen.cycles, printed, seen.cycles - printed, share);
            last = share;
        }
        claims_require(run, share < 2000, "q=%u: %" PRIu64 " ppm at the longest message", q, share);
    }
}

/* --- Direct against steps --------------------------------------------------------------------- */

enum { FORWARD, SIGNED, WAYS };
static const char *const ways[WAYS] = {"gray-forward", "gray-signed"};

/* One point of the comparison: measured cycles. */
struct race {
    uint64_t cycles[WAYS], direct;
    uint32_t steps[WAYS];
};

static bool measure_race(struct claims_run *run, uint32_t d, uint32_t q, uint32_t m, uint32_t ts,
                         struct race *ret)
{
    const struct claims_shift g = single_shift(d, UINT32_C(1) << d, q);
    struct claims_seen seen;
    for (int a = 0; a < WAYS; a++) {
        if (!play_gray(run, &g, ways[a], m, ts, &seen))
            return false;
        ret->cycles[a] = seen.cycles;
        ret->steps[a] = seen.steps;
    }
    if (!play_direct(run, &g, false, false, m, ts, &seen))
        return false;
    ret->direct = seen.cycles;
    return true;
}

/* The smallest m from which on `direct` is faster than `steps` steps; 0: none below 2^20. */
static uint32_t crossing(const struct constants *c, uint32_t hops, uint32_t steps)
{
    for (uint32_t m = 1; m < UINT32_C(1) << 20; m++) {
        if (time_of(c, hops, m) < steps * time_of(c, 1, m))
            return m;
    }
    return 0;
}

static bool comes_near(double ratio, double limit)
{
    return ratio > 0.95 * limit && ratio < 1.05 * limit;
}

/* The ratios of cycles for growing m; *ret: those of the longest messages. Each tends to its number
 * of steps, and direct is faster exactly from the crossing on. */
static bool ratios(struct claims_run *run, uint32_t d, uint32_t q, uint32_t ts, double *ret)
{
    static const uint32_t m[] = {1, 2, 3, 4, 6, 16, 64, 256, 1024, 4096};
    const size_t count = sizeof m / sizeof *m - (claims_is_full(run) ? 0 : 2); /* longest_race() */
    double last_error = 1e9;
    uint32_t from = 0;
    struct constants c;
    struct race x;
    if (!measure_constants(run, ts, NULL, &c))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!measure_race(run, d, q, m[i], ts, &x))
            return false;
        for (int a = 0; a < WAYS; a++)
            ret[a] = (double)x.cycles[a] / (double)x.direct;
        const double limit = x.steps[FORWARD],
                     error = ret[FORWARD] > limit ? ret[FORWARD] - limit : limit - ret[FORWARD];
        claims_table_row(run, "%u,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.3f", d, q,
                         m[i], ts, x.cycles[FORWARD], x.cycles[SIGNED], x.direct, ret[FORWARD],
                         ret[SIGNED]);
        claims_require(run, error <= last_error, SIZE_Q ", m=%u: the ratio leaves its limit", d, q,
                       m[i]);
        if (i == 0)
            from = crossing(&c, d - claims_gamma(q), x.steps[FORWARD]);
        claims_require(run, (x.direct < x.cycles[FORWARD]) == (from != 0 && m[i] >= from),
                       SIZE_Q ", m=%u: the other side of the crossing", d, q, m[i]);
        last_error = error;
    }
    if (from != 1)
        claims_remark(run,
                      from ? "q=%u, ts=%u: direct is faster from m=%u on"
                           : "q=%u, ts=%u: direct is never faster",
                      q, ts, from);
    for (int a = 0; a < WAYS; a++)
        claims_require(run, comes_near(ret[a], x.steps[a]), SIZE_Q ": %.3f is far from %u steps", d,
                       q, ret[a], x.steps[a]);
    return true;
}

/* The first shift that takes the most steps, for each way. */
static bool slowest_shifts(struct claims_run *run, uint32_t d, uint32_t *ret)
{
    uint32_t most[WAYS] = {0};
    struct claims_seen seen;
    for (int a = 0; a < WAYS; a++) {
        for (uint32_t q = 1; q < UINT32_C(1) << d; q++) {
            if (!claims_audit(run, &seen, "cube:%u shift:q=%u,labels=gray --algorithm %s", d, q,
                              ways[a]))
                return false;
            if (seen.steps > most[a]) {
                most[a] = seen.steps;
                ret[a] = q;
            }
        }
    }
    return true;
}

static uint32_t longest_race(const struct claims_run *run)
{
    return claims_is_full(run) ? 4096 : 256;
}

/* The next case is the ratio of a shift in steps to the direct one, both with the longest messages.
 */
static void show_ratio(struct claims_run *run, uint32_t d, uint32_t q, uint32_t ts, int way)
{
    const uint32_t m = longest_race(run);
    claims_without_command(run);
    claims_shown_by(run, "run", "cube:%u shift:q=%u,m=%u,labels=gray --algorithm %s --startup %u",
                    d, q, m, ways[way], ts);
    claims_shown_by(run, "run", "cube:%u shift:q=%u,m=%u --startup %u", d, q, m, ts);
}

/* The ratio of the slowest shifts in steps to a longest direct shift is that of the bounds: log p
 * with signed phases, 2 log p - 1 with forward ones. */
static bool gain_of(struct claims_run *run, uint32_t d, uint32_t ts)
{
    const uint32_t p = UINT32_C(1) << d;
    uint32_t slowest[WAYS] = {0}, first = 0; /* the first q whose ratio tends elsewhere */
    struct claims_all each = claims_all();
    double ratio[WAYS];
    if (!slowest_shifts(run, d, slowest))
        return false;
    const uint32_t shifts[] = {1, 2, p / 2 - 1, p / 2 + 1, slowest[FORWARD], slowest[SIGNED]};
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        if (!ratios(run, d, shifts[k], ts, ratio))
            return false;
        if (each.truth)
            first = shifts[k];
        claims_all_case(&each, comes_near(ratio[FORWARD], d),
                        SIZE_Q ", ts=%u: the ratio tends to %.0f, not %u", d, shifts[k], ts,
                        ratio[FORWARD], d);
        if (shifts[k] == slowest[FORWARD])
            claims_require(run, comes_near(ratio[FORWARD], 2 * d - 1),
                           "d=%u: forward, %.2f, not 2 log p - 1", d, ratio[FORWARD]);
        if (shifts[k] != slowest[SIGNED])
            continue;
        show_ratio(run, d, shifts[k], ts, SIGNED);
        claims_case_if(run, true, comes_near(ratio[SIGNED], d),
                       "d=%u, ts=%u: the ratio of the bounds tends to %.2f, not %u", d, ts,
                       ratio[SIGNED], d);
    }
    show_ratio(run, d, first, ts, FORWARD);
    claims_case_if(run, false, each.truth, "%s", each.first);
    return true;
}

void experiment_gain(struct claims_run *run)
{
    static const uint32_t ts[] = {0, 7, 50, 200};
    claims_table_row(run, "d,q,m,ts,forward,signed,direct,forward/direct,signed/direct");
    for (uint32_t d = 6; d <= (claims_is_full(run) ? 8 : 6); d += 2)
        for (size_t t = 0; t < (claims_is_full(run) ? 4 : 2); t++)
            if (!gain_of(run, d, ts[t]))
                return;
}

/* All shifts of one size: is direct faster than steps for some of them? The slowest of each kind
 * take the times of the bounds (3.21) and (3.20). */
static bool some_gain(struct claims_run *run, uint32_t d, uint32_t m, uint32_t ts, bool *ret)
{
    struct constants c;
    uint64_t direct = 0, steps = 0;
    if (!measure_constants(run, ts, NULL, &c))
        return false;
    *ret = false;
    for (uint32_t q = 1; q < UINT32_C(1) << d; q++) {
        struct race x;
        if (!measure_race(run, d, q, m, ts, &x))
            return false;
        *ret |= x.direct < x.cycles[FORWARD];
        direct = x.direct > direct ? x.direct : direct;
        steps = x.cycles[FORWARD] > steps ? x.cycles[FORWARD] : steps;
    }
    claims_predicted(run, "cycles", direct);
    claims_require_equal(run, direct, ec_cost_gergel_3_21(d, 1, c.ts, c.tw, c.th, m),
                         "d=%u, m=%u, ts=%u: (3.21)", d, m, ts);
    claims_require_equal(run, steps, ec_cost_gergel_3_20(d, near_startup(&c), c.tw, m),
                         "d=%u, m=%u, ts=%u: (3.20)", d, m, ts);
    /* tc d against (2d - 2)(tn + m tk), with the link of each step in tn */
    claims_require(
        run, (direct < steps) == (c.th * (d - 1) < (2 * d - 2) * (near_startup(&c) + m * c.tw)),
        "d=%u, m=%u, ts=%u: the bounds", d, m, ts);
    return true;
}

/* Gergel: packet transfer can raise the efficiency, for every length and from two dimensions on. On
 * the 1-cube both are the same message. */
void experiment_packet_gain(struct claims_run *run)
{
    for (struct claims_packet p = claims_packets(run); claims_next_packet(&p);) {
        for (uint32_t d = 1; d <= (claims_is_full(run) ? 6 : 5); d++) {
            bool gains;
            if (!some_gain(run, d, p.m, p.ts, &gains))
                return;
            if (d == 1)
                claims_require(run, !gains, "one dimension");
            else
                claims_case(run, gains, "d=%u, m=%u, ts=%u: direct is faster for no shift", d, p.m,
                            p.ts);
        }
    }
}
