/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH: steps, memory, traffic and packets of A1, A2 and A2 squared; Table 3; the break-even
 * point of A1 and A2.
 *
 * Knows the closed forms, as printed and as corrected; reads the places of elements from
 * schedules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_real.h"
#include "study/experiments/play.h"

static bool play_real(struct claims_run *run, const struct sizes *g, const char *algorithm,
                      struct claims_seen *ret)
{
    const struct shuffle x = real_shuffle(g->size, g->per_node, 1, 0);
    return play_blocks(run, &x, algorithm, 1, 0, g->timed, ret);
}

#define SIZE_K "sigma_r=%u, K=%u"

/* --- A1 --------------------------------------------------------------------------------------- */

/* Fig. 10: three dimensions, two elements per node, exchanges of v with dimensions 0, 1, 2 and 0.
 * Row p of table t has the first addresses (p, v), as 2 p + v, of the elements in node p after t
 * exchanges. */
void experiment_a1_figure(struct claims_run *run)
{
    const struct shuffle x = real_shuffle(3, 2, 1, 0);
    struct claims_seen seen;
    uint32_t at[16];
    if (!play_blocks(run, &x, "a1-one-port", 1, 0, true, &seen))
        return;
    const struct ec_schedule *s = seen.schedule;
    claims_predicted(run, "steps", 4);
    claims_relate(run, seen.steps, CLAIMS_EQ, 4, "steps");
    const unsigned first = s->exchange_count ? s->exchanges[0].processor : 0;
    for (size_t i = 0; i < s->exchange_count; i++)
        claims_case(run,
                    s->exchanges[i].storage == 0 &&
                        s->exchanges[i].processor == 1 + (first - 1 + i) % 3,
                    "exchange %zu", i + 1);
    /* exchange address bits; the machine's dimension 0 is v */
    for (uint32_t e = 0; e < 16; e++)
        at[e] = e;
    for (uint32_t t = 1; t <= 4; t++) {
        uint32_t nodes[16];
        const unsigned d = 1 + (first - 1 + t - 1) % 3;
        for (uint32_t e = 0; e < 16; e++) {
            if ((at[e] & 1) != (at[e] >> d & 1))
                at[e] ^= 1 ^ UINT32_C(1) << d;
        }
        claims_places(s, t, nodes);
        for (uint32_t e = 0; e < 16; e++)
            claims_case(run, nodes[e] == at[e] >> 1, "table %u, element %u", t, e);
    }
}

/* jh.a1.half: K = 2. After sigma_r exchanges half of the elements are in place. The others are
 * those whose v differs from alpha_(sigma_r - 1) at first. */
void experiment_a1_half(struct claims_run *run)
{
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        struct claims_seen seen;
        if (g.per_node != 2)
            continue;
        if (!play_real(run, &g, "a1-one-port", &seen))
            return;
        const struct ec_schedule *s = seen.schedule;
        uint32_t *nodes = malloc(2 * (size_t)s->nodes * sizeof *nodes), there = 0;
        bool the_others = claims_require(run, nodes != NULL, "out of memory");
        if (!the_others)
            return;
        claims_places(s, g.size, nodes);
        /* the sequence ends in its first dimension, which is alpha_0 in this notation */
        const unsigned first = s->exchanges[0].processor - 1;
        for (uint32_t e = 0; e < 2 * s->nodes; e++) {
            const bool placed = nodes[e] == s->target[e].node;
            const uint32_t top = e / 2 >> (first + g.size - 1) % g.size & 1;
            there += placed;
            the_others &= placed == ((e & 1) == top);
        }
        free(nodes);
        claims_audited(run, "elements in their places", there);
        claims_relate(run, there, CLAIMS_EQ, s->nodes, "sigma_r=%u: elements placed", g.size);
        claims_case(run, the_others, "sigma_r=%u: which are the others", g.size);
    }
}

/* --- A2 --------------------------------------------------------------------------------------- */

/* The node in which an element of slot half h at node p ends with A2 and its first step as printed
 * or as corrected. The element keeps a bit v: as printed, 1 if it crossed in the first step; as
 * corrected, the old alpha_0. */
static uint32_t a2_ends(unsigned r, uint32_t p, bool printed)
{
    const uint32_t old0 = p & 1, top = p >> (r - 1) & 1;
    uint32_t at = (p & ~UINT32_C(1)) | top, v = printed ? old0 != top : old0;
    for (unsigned i = 1; i < r; i++) {
        const uint32_t old = at >> i & 1;
        at = (at & ~(UINT32_C(1) << i)) | v << i;
        v = old;
    }
    return at;
}

static uint32_t rotated(unsigned r, uint32_t p)
{
    return (p << 1 | p >> (r - 1)) & ((UINT32_C(1) << r) - 1);
}

/* jh.a2.step1: as printed, elements end in wrong nodes. err.23 (with: 1): keeping the old alpha_0
 * is correct, and a2 does so. */
void experiment_a2_first(struct claims_run *run)
{
    const bool corrected = claims_with(run) == 1;
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        const uint32_t nodes = UINT32_C(1) << g.size;
        uint32_t wrong[2] = {0, 0}, first = 0;
        struct claims_seen seen;
        if (!g.audited || (!corrected && g.per_node != 2))
            continue;
        for (uint32_t p = nodes; p-- > 0;) {
            for (unsigned printed = 0; printed <= 1; printed++)
                wrong[printed] += a2_ends(g.size, p, printed) != rotated(g.size, p);
            if (a2_ends(g.size, p, true) != rotated(g.size, p))
                first = p;
        }
        claims_audited(run, "nodes with misplaced elements", wrong[!corrected]);
        claims_require_equal(run, wrong[1], nodes / 2, "sigma_r=%u: as printed", g.size);
        if (!corrected) {
            claims_case(run, wrong[1] == 0, "sigma_r=%u, node %u: ends in %u, not %u", g.size,
                        first, a2_ends(g.size, first, true), rotated(g.size, first));
            continue;
        }
        if (!play_real(run, &g, "a2-one-port", &seen))
            return;
        claims_case(run, wrong[0] == 0 && seen.checked->placed, SIZE_K, g.size, g.per_node);
    }
}

/* jh.a2.empty: one sequence. Between its first and last stage the nodes whose top bit differs
 * from their lowest bit are empty. In the last stage nodes with 0 in both send to nodes with 1
 * on top, and nodes with 1 in both to nodes with 0 on top. Every link in use carries K elements
 * per stage. */
void experiment_a2_empty(struct claims_run *run)
{
    for (struct sizes g = odd_reals_grid(run); sizes_next(&g);) {
        struct claims_seen seen;
        if (!g.audited)
            continue;
        const struct shuffle x = real_shuffle(g.size, g.per_node, 1, 0);
        if (!play_blocks(run, &x, "a2-one-port", g.per_node, 0, g.timed, &seen))
            return;
        const struct ec_schedule *s = seen.schedule;
        const size_t elements = (size_t)s->nodes * g.per_node;
        uint32_t *nodes = malloc(elements * sizeof *nodes), first = UINT32_MAX, last = 0;
        bool empty = claims_require(run, nodes != NULL, "out of memory"), ends = true, full = true;
        if (!empty)
            return;
        for (size_t i = 0; i < s->transfer_count; i++) {
            const struct ec_transfer *t = &s->transfers[i];
            const uint32_t bit = t->src ^ t->dst;
            first = t->step == 1 ? bit : first;
            last = t->step == s->steps ? bit : last;
            full &= t->count == g.per_node;
        }
        for (uint32_t t = 1; t < s->steps; t++) {
            claims_places(s, t, nodes);
            for (size_t e = 0; e < elements; e++)
                empty &= !(nodes[e] & first) == !(nodes[e] & last);
        }
        for (size_t i = 0; i < s->transfer_count; i++) {
            const struct ec_transfer *t = &s->transfers[i];
            if (t->step == s->steps)
                ends &= !(t->src & first) == !(t->src & last);
        }
        free(nodes);
        claims_relate(run, seen.steps, CLAIMS_EQ, g.size, SIZE_K ": stages", g.size, g.per_node);
        claims_case(run, empty, SIZE_K ": a subcube is not empty", g.size, g.per_node);
        claims_case(run, ends, SIZE_K ": the last stage", g.size, g.per_node);
        claims_case(run, full, SIZE_K ": elements on a link", g.size, g.per_node);
    }
}

/* --- A2 squared ------------------------------------------------------------------------------- */

/* The dimension that each of the four nodes uses first. Bit 0 of `used[node]`: dimension 0. */
static void links_used(const struct ec_schedule *s, uint32_t *used)
{
    memset(used, 0, 4 * sizeof *used);
    for (size_t i = 0; i < s->transfer_count; i++)
        used[s->transfers[i].src] |= s->transfers[i].src ^ s->transfers[i].dst;
}

/* jh.a22.direction: one sequence of A2 uses each link in one direction only; A2 squared uses
 * both. */
void experiment_a22_direction(struct claims_run *run)
{
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        struct claims_seen seen;
        uint32_t used[4];
        bool one_way = true, both = true;
        if (g.size != 2)
            continue;
        if (!play_real(run, &g, "a2-one-port", &seen))
            return;
        links_used(seen.schedule, used);
        for (uint32_t p = 0; p < 4; p++)
            for (unsigned d = 0; d < 2; d++)
                one_way &= !(used[p] >> d & 1 && used[p ^ UINT32_C(1) << d] >> d & 1);
        if (!play_real(run, &g, "a2x2", &seen))
            return;
        links_used(seen.schedule, used);
        for (uint32_t p = 0; p < 4; p++)
            both &= used[p] == 3;
        claims_case(run, one_way, "K=%u: A2 uses a link both ways", g.per_node);
        claims_case(run, both, "K=%u: A2 squared leaves a link unused", g.per_node);
    }
}

static const char *const algorithms[] = {
    [EC_COST_A1_ONE_PORT] = "a1-one-port",
    [EC_COST_A2_ONE_PORT] = "a2-one-port",
    [EC_COST_A1_N_PORT] = "a1-concurrent",
    [EC_COST_A2_N_PORT] = "a2",
    [EC_COST_A22] = "a2x2",
};

enum { LINES = sizeof algorithms / sizeof *algorithms };

/* Larger packets would never be full. */
static uint32_t largest_block(enum ec_cost_jh_table3 line, const struct sizes *g)
{
    return (uint32_t)ec_cost_jh_table3_best_block(line, g->size, g->per_node);
}

/* Limits the elements so that all packet sizes can be audited. */
static bool in_table3_grid(const struct claims_run *run, const struct sizes *g)
{
    return g->audited && g->size <= (claims_is_full(run) ? 6 : 4) && g->per_node <= 32;
}

static bool look_line(struct claims_run *run, const struct sizes *g, enum ec_cost_jh_table3 line,
                      const struct block_packet *p, struct claims_seen *ret)
{
    const struct shuffle x = real_shuffle(g->size, g->per_node, p->words, 0);
    return play_blocks(run, &x, algorithms[line], p->block, p->startup, g->timed, ret);
}

/* --- Table 3 ---------------------------------------------------------------------------------- */

/* A1 with n ports and A2 squared split all elements into packets and then form groups of packets.
 * The formula is exact if all groups have full packets (`even`); otherwise the start-ups are equal
 * and the transfers are not fewer. */
static void cut_case(struct claims_run *run, const struct sizes *g, uint32_t B, bool even,
                     struct ec_cost_terms found, struct ec_cost_terms formula)
{
    claims_predicted(run, "start-ups", formula.startups);
    claims_relate(run, found.startups, CLAIMS_EQ, formula.startups,
                  "sigma_r=%u, K=%u, B=%u: start-ups", g->size, g->per_node, B);
    if (even) {
        claims_predicted(run, "transfers", formula.transfers);
        claims_relate(run, found.transfers, CLAIMS_EQ, formula.transfers,
                      "sigma_r=%u, K=%u, B=%u: transfers", g->size, g->per_node, B);
    } else {
        claims_require(run, found.transfers >= formula.transfers,
                       "sigma_r=%u, K=%u, B=%u: fewer transfers", g->size, g->per_node, B);
    }
}

/* with: the line of the table. */
void experiment_table3(struct claims_run *run)
{
    const enum ec_cost_jh_table3 line = (enum ec_cost_jh_table3)claims_with(run);
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        if (!in_table3_grid(run, &g) || (line == EC_COST_A22 && g.size != 2))
            continue;
        for (struct block_packet p = block_packets(run, largest_block(line, &g));
             block_packet_next(&p);) {
            const struct ec_cost_terms printed =
                ec_cost_jh_table3_printed(line, g.size, g.per_node, p.block);
            const struct ec_cost_terms formula =
                ec_cost_jh_table3(line, g.size, g.per_node, p.block);
            struct claims_seen seen;
            if (!look_line(run, &g, line, &p, &seen))
                return;
            const struct ec_cost_terms found = schedule_terms(seen.schedule);
            if (line == EC_COST_A1_N_PORT || line == EC_COST_A22) {
                const uint64_t each =
                    line == EC_COST_A22 ? g.per_node / 2 : ec_cost_ceil(g.per_node, 2 * g.size);
                cut_case(run, &g, p.block, each % p.block == 0, found, formula);
                continue;
            }
            claims_require(
                run, found.transfers == formula.transfers && found.startups == formula.startups,
                "sigma_r=%u, K=%u, B=%u: the corrected line", g.size, g.per_node, p.block);
            if (line == EC_COST_A2_N_PORT) {
                terms_case_if(run, g.per_node % g.size == 0, seen.schedule, printed,
                              "sigma_r=%u, K=%u, B=%u", g.size, g.per_node, p.block);
                continue;
            }
            claims_predicted(run, "transfers", printed.transfers);
            claims_predicted(run, "start-ups", printed.startups);
            claims_case(run,
                        found.transfers == printed.transfers && found.startups == printed.startups,
                        "sigma_r=%u, K=%u, B=%u", g.size, g.per_node, p.block);
        }
    }
}

/* A2 squared: the better one of the two divisors of K/2 next to sqrt(K tau/2). */
static uint64_t best_divisor(uint32_t per_node, uint64_t tau, const struct ec_cost_terms *terms)
{
    const struct ec_cost_ratio square = ec_cost_jh_a22_best_block_squared(per_node, 1, tau);
    uint32_t below = 1, above = per_node / 2;
    for (uint32_t B = 1; B <= per_node / 2; B++) {
        if (per_node / 2 % B != 0)
            continue;
        if ((uint64_t)B * B * square.den <= square.num)
            below = B;
        else if (B < above)
            above = B;
    }
    return terms[below].transfers + terms[below].startups * tau <=
                   terms[above].transfers + terms[above].startups * tau
               ? below
               : above;
}

/* For each start-up time, the best of all B takes as many cycles as the B of the table. */
void experiment_best_block(struct claims_run *run)
{
    static const uint32_t startups[] = {0, 1, 7, 50, 200};
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        if (!in_table3_grid(run, &g))
            continue;
        for (unsigned l = 0; l < LINES; l++) {
            const enum ec_cost_jh_table3 line = (enum ec_cost_jh_table3)l;
            struct ec_cost_terms terms[129];
            const uint32_t most = largest_block(line, &g);
            if (line == EC_COST_A22 && g.size != 2)
                continue;
            for (uint32_t B = 1; B <= most; B++) {
                const struct block_packet p = {.block = B, .words = 1};
                struct sizes audited = g;
                struct claims_seen seen;
                audited.timed = g.timed && (B == 1 || B == most);
                if (!look_line(run, &audited, line, &p, &seen))
                    return;
                terms[B] = schedule_terms(seen.schedule);
            }
            for (size_t i = 0; i < sizeof startups / sizeof *startups; i++) {
                const uint64_t tau = terms_time((struct ec_cost_terms){0, 1}, 1, startups[i]);
                uint64_t least = UINT64_MAX;
                for (uint32_t B = 1; B <= most; B++)
                    least = ec_cost_min(least, terms_time(terms[B], 1, startups[i]));
                const uint64_t best =
                    line == EC_COST_A22 ? best_divisor(g.per_node, tau, terms) : most;
                claims_predicted(run, "best B", best);
                claims_relate(run, terms_time(terms[best], 1, startups[i]), CLAIMS_EQ, least,
                              "%s, sigma_r=%u, K=%u, ts=%u: cycles", algorithms[line], g.size,
                              g.per_node, startups[i]);
            }
        }
    }
}

/* --- Break even ------------------------------------------------------------------------------- */

/* A1 and A2 with the largest packets. A1 has one start-up more and `less` fewer transfers, so it is
 * slower iff tau > less t_c. On RTL: one cycle below, at and above that tau. */
static bool break_case(struct claims_run *run, const struct sizes *g,
                       enum ec_cost_jh_table3 a1_line, struct ec_cost_ratio printed, bool condition)
{
    const enum ec_cost_jh_table3 a2_line = (enum ec_cost_jh_table3)(a1_line + 1);
    const uint64_t least_tau = terms_time((struct ec_cost_terms){0, 1}, 1, 0);
    struct block_packet p1 = {.block = largest_block(a1_line, g), .words = 1};
    struct block_packet p2 = {.block = largest_block(a2_line, g), .words = 1};
    struct claims_seen seen;
    if (!look_line(run, g, a1_line, &p1, &seen))
        return false;
    const struct ec_cost_terms a1 = schedule_terms(seen.schedule);
    if (!look_line(run, g, a2_line, &p2, &seen))
        return false;
    const struct ec_cost_terms a2 = schedule_terms(seen.schedule);
    claims_require_equal(run, a1.startups, a2.startups + 1, "sigma_r=%u, K=%u: start-ups", g->size,
                         g->per_node);
    const int64_t less = (int64_t)a2.transfers - (int64_t)a1.transfers;
    bool right = less >= 0 && (uint64_t)less * printed.den == printed.num;
    for (int64_t tau = less - 1; g->timed && tau <= less + 1; tau++) {
        if (tau < (int64_t)least_tau)
            continue; /* a step over a link takes that long without any start-up */
        uint64_t cycles[2];
        p1.startup = p2.startup = (uint32_t)(tau - (int64_t)least_tau);
        if (!look_line(run, g, a1_line, &p1, &seen))
            return false;
        cycles[0] = seen.cycles;
        if (!look_line(run, g, a2_line, &p2, &seen))
            return false;
        cycles[1] = seen.cycles;
        right &= (cycles[0] > cycles[1]) == (tau > less) && (cycles[0] < cycles[1]) == (tau < less);
    }
    claims_predicted(run, "tau", printed.num / printed.den);
    claims_case_if(run, condition, right,
                   "sigma_r=%u, K=%u: tau=%" PRId64 ", not %" PRIu64 "/%" PRIu64, g->size,
                   g->per_node, less, printed.num, printed.den);
    return true;
}

/* with: 0 one port; 1 n ports, which requires that 2 sigma_r divides K. */
void experiment_break_even(struct claims_run *run)
{
    const bool all_ports = claims_with(run) == 1;
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        if (g.size < 3 || g.size > 6 || !g.audited)
            continue;
        const struct ec_cost_ratio printed =
            all_ports ? ec_cost_jh_break_even_n_port(g.size, g.per_node)
                      : ec_cost_jh_break_even_one_port(g.size, g.per_node);
        if (!break_case(run, &g, all_ports ? EC_COST_A1_N_PORT : EC_COST_A1_ONE_PORT, printed,
                        !all_ports || g.per_node % (2 * g.size) == 0))
            return;
    }
}

/* --- Errata ----------------------------------------------------------------------------------- */

/* Is the factor of n-port A1 in (1, 1.5]? */
static bool a1_in_range(uint64_t r, uint64_t K)
{
    const struct ec_cost_ratio f = ec_cost_jh_table3_tc_factor(EC_COST_A1_N_PORT, r, K);
    return f.num > f.den && 2 * f.num <= 3 * f.den;
}

/* err.22, line by line. */
void experiment_table3_errata(struct claims_run *run)
{
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        const struct block_packet p = {.block = 1, .words = 1};
        struct claims_seen seen;
        if (!in_table3_grid(run, &g))
            continue;
        if (!look_line(run, &g, EC_COST_A2_N_PORT, &p, &seen))
            return;
        claims_relate(run, seen.steps, CLAIMS_EQ, g.size * ec_cost_ceil(g.per_node, g.size),
                      "A2, sigma_r=%u, K=%u: steps", g.size, g.per_node);
        if (!look_line(run, &g, EC_COST_A1_N_PORT, &p, &seen))
            return;
        const bool in_range = 2 * seen.steps > g.per_node && 4 * seen.steps <= 3 * g.per_node;
        claims_case(run, in_range == a1_in_range(g.size, g.per_node),
                    "A1, sigma_r=%u, K=%u: factor", g.size, g.per_node);
        const bool power = (g.per_node & (g.per_node - 1)) == 0;
        if (g.per_node % (2 * g.size) == 0 || (power && g.per_node >= 4 * g.size))
            claims_case(run, in_range, "A1, sigma_r=%u, K=%u", g.size, g.per_node);
        if (g.size != 2 || g.per_node < 4)
            continue;
        if (!look_line(run, &g, EC_COST_A22, &p, &seen))
            return;
        claims_relate(run, seen.checked->peak_memory, CLAIMS_EQ, g.per_node + 2,
                      "A2 squared, K=%u: memory", g.per_node);
    }
    claims_case(run, !a1_in_range(3, 8) && a1_in_range(5, 8), "K >= 2 sigma_r");
    for (uint64_t r = 3; r <= 15; r += 2) {
        const struct ec_cost_ratio a1 = ec_cost_jh_table3_tau_factor(EC_COST_A1_N_PORT, r);
        const struct ec_cost_ratio a2 = ec_cost_jh_table3_tau_factor(EC_COST_A2_N_PORT, r);
        claims_case(run, a1.num * (r - 1) == a1.den * (r + 1) && a2.num * (r - 1) == a2.den * r,
                    "sigma_r=%" PRIu64 ": factors of start-ups", r);
    }
    for (struct sizes g = twos_grid(run); sizes_next(&g);) {
        const struct shuffle x = two_cycles_shuffle(g.size, g.per_node, 1);
        struct claims_seen seen;
        if (!g.audited || g.size < 2)
            continue;
        if (!play_blocks(run, &x, "a2x2", 1, 0, g.timed, &seen))
            return;
        claims_case(
            run, (seen.steps == ec_cost_jh_a22_printed(g.per_node)) == (g.per_node >= 4 * g.size),
            "beta=%u, K=%u", g.size, g.per_node);
    }
}

/* --- Complements ------------------------------------------------------------------------------ */

/* jh.sum.real.compl: sigma_r = 2 with one inversion takes 3K/4, which exceeds K/2 + 1 from K = 6
 * on. With both inverted, as with none, K/2 + 1 is enough. */
void experiment_summary_inverted(struct claims_run *run)
{
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        for (unsigned inverted = 1; g.size == 2 && inverted <= 3; inverted++) {
            const struct shuffle x = real_shuffle(2, g.per_node, 1, inverted);
            const bool one = inverted != 3;
            struct claims_seen seen;
            if (!play_blocks(run, &x, one ? "cycle4" : "a2x2", 1, 0, g.timed, &seen))
                return;
            const uint64_t steps =
                one ? ec_cost_jh_cycle4(g.per_node) : ec_cost_jh_a22(1, g.per_node);
            claims_predicted(run, "steps", steps);
            claims_require_equal(run, seen.steps, steps, "%s, %s", x.name, x.workload);
            claims_relate_if(run, one && g.per_node >= 6, seen.steps, CLAIMS_GT, g.per_node / 2 + 1,
                             "%s, %s inverted: steps", x.name, one ? "one dimension" : "both");
        }
    }
}
