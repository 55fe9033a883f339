/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH: steps and packets of the pipelined and parity schedules and of
 * all-to-alls (AAPC), compared with Table 2 and the bounds.
 *
 * Knows the formulas of Johnsson and Ho, 4.1.2, as printed and as corrected; steps and cycles come
 * from schedules and runs. */
#include <inttypes.h>
#include <stdlib.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_mixed.h"
#include "ec_cost_jh_multi.h"
#include "ecube/sdp.h"
#include "study/experiments/play.h"

/* Fills *x and returns its name. */
static const char *multi_name(const struct multi *g, struct shuffle *x)
{
    *x = multi_words(g, 1);
    return x->name;
}

/* One word per element, one element per packet. */
static bool play_multi(struct claims_run *run, const struct multi *g, const char *algorithm,
                       struct claims_seen *ret)
{
    const struct shuffle x = multi_words(g, 1);
    return play_blocks(run, &x, algorithm, 1, 0, g->timed, ret);
}

static uint64_t twice_order(const struct multi *g)
{
    return 2 * (uint64_t)g->sigma_r;
}

/* --- Pipelined -------------------------------------------------------------------------------- */

/* Counts the rows that start in each block. */
static void count_rows(const struct ec_schedule *s, uint32_t *rows)
{
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        if (x->storage < ORDERS_MAX && (i == 0 || x[-1].row != x->row))
            rows[x->storage]++;
    }
}

/* The block sizes n satisfy n_(b+1) >= r_b and add up to K/2. */
static void sizes_are(struct claims_run *run, const struct multi *g, const char *name,
                      const struct ec_schedule *s)
{
    uint32_t rows[ORDERS_MAX] = {0}, sum = 0;
    bool wide = true;
    count_rows(s, rows);
    for (unsigned b = 0; b < g->blocks; b++) {
        sum += rows[b];
        wide &= rows[(b + 1) % g->blocks] >= g->order[b];
    }
    claims_case(run, wide && sum == g->per_node / 2, "%s: sizes of blocks", name);
}

/* K >= 2 sigma_r: K/2 + max order - 1. with: 0 all, 1 equal orders, 2 orders of at most 3, 3 all
 * and the block sizes. */
void experiment_multi_pipelined(struct claims_run *run)
{
    const int with = claims_with(run);
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        struct claims_seen seen;
        struct shuffle x;
        uint64_t steps;
        if (!g.audited || g.per_node < twice_order(&g) || (with == 1 && !g.equal) ||
            (with == 2 && g.longest > 3))
            continue;
        if (!claims_require(run, ec_cost_jh_multi_pipelined(multi_cost(&g), g.per_node, &steps),
                            "%s: no formula", multi_name(&g, &x)) ||
            !play_multi(run, &g, "pipelined", &seen))
            return;
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", multi_name(&g, &x));
        if (with == 3)
            sizes_are(run, &g, x.name, seen.schedule);
    }
}

/* The rows of block b: s = ceil(P/beta) with P = K/2, fewer in the last blocks. */
static uint32_t equal_share(const struct multi *g, unsigned b)
{
    const uint32_t rows = g->per_node / 2;
    const uint32_t size = (uint32_t)ec_cost_ceil(rows, g->blocks);
    const uint32_t before = claims_min(rows, b * size);
    return claims_min(rows - before, size);
}

/* P >= sigma_r: the rows of a block continue after s steps, which must be enough for its
 * dimensions. P < sigma_r: they continue immediately, and the rows that started where they arrive
 * must have finished. Equal orders satisfy both. */
static bool partition_fits(const struct multi *g)
{
    if (g->per_node / 2 >= g->sigma_r)
        return equal_share(g, 0) >= g->longest;
    bool fits = true;
    for (unsigned b = 0; b < g->blocks; b++) {
        uint32_t through = 0;
        for (unsigned h = 0; equal_share(g, b) && h + 1 < g->blocks; h++) {
            through += g->order[(b + h) % g->blocks];
            fits &= through >= equal_share(g, (b + h + 1) % g->blocks);
        }
    }
    return fits;
}

/* Equal orders and unequal ones are two statements. */
void experiment_multi_partition(struct claims_run *run)
{
    struct claims_all unequal = claims_all();
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        struct claims_seen seen;
        if (!g.audited)
            continue;
        if (g.equal ? !play_multi(run, &g, "pipelined:reading=printed", &seen)
                    : !claims_audit(run, &seen, "%s %s --algorithm pipelined:reading=printed",
                                    x.topology, x.workload))
            return;
        const bool valid = seen.checked->valid;
        claims_require(run, partition_fits(&g) == valid, "%s: which orders fit", x.name);
        if (g.equal)
            claims_case_if(run, true, valid, "%s: %s", x.name, seen.checked->defect);
        else
            claims_all_case(&unequal, valid, "%s: %s", x.name, seen.checked->defect);
    }
    claims_without_command(run);
    claims_case_if(run, false, unequal.truth, "%s", unequal.first);
}

/* Any pipelining takes at least max(K/2 + max - 1, ceil(K/2 beta) + sigma_r - 1). Ours, which tries
 * all cyclic orders of the blocks, reaches it or, for the recorded orders, takes one step more. */
static bool bound_case(struct claims_run *run, const struct multi *g, unsigned *open)
{
    const uint64_t bound = ec_cost_jh_multi_pipelined_bound(multi_cost(g), g->per_node);
    struct claims_seen seen;
    struct shuffle x;
    if (!play_multi(run, g, "pipelined", &seen))
        return false;
    *open += multi_is_open(g);
    claims_predicted(run, "steps >=", bound);
    claims_relate(run, seen.steps, CLAIMS_GE, bound, "%s: steps", multi_name(g, &x));
    claims_require_equal(run, seen.steps, bound + multi_is_open(g), "%s: steps", x.name);
    return true;
}

void experiment_multi_bound(struct claims_run *run)
{
    static const unsigned smallest[] = {4, 4, 1};
    unsigned open = 0;
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if ((g.audited || multi_is_open(&g)) && !bound_case(run, &g, &open))
            return;
    if (!claims_is_full(run)) {
        const struct multi g = multi_of(run, 3, smallest, 16);
        if (!bound_case(run, &g, &open))
            return;
    }
    claims_remark(run,
                  "one step more for %u of them, the smallest 4,4,1 with K=16; whether the "
                  "bound can be reached there is open",
                  open);
}

/* --- Parity ----------------------------------------------------------------------------------- */

/* K/2 + 1 for K >= 2 sigma_r, which is the lower bound, and sigma_r + 1 below; one less than
 * Theorem 2, case 4. */
void experiment_multi_parity(struct claims_run *run)
{
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct ec_cost_blocks cost = multi_cost(&g);
        const uint64_t steps = ec_cost_jh_multi_parity(cost, g.per_node);
        struct claims_seen seen;
        struct shuffle x;
        uint64_t published;
        if (!g.audited)
            continue;
        if (!play_multi(run, &g, "parity", &seen))
            return;
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", multi_name(&g, &x));
        if (g.per_node >= twice_order(&g))
            claims_relate(run, seen.steps, CLAIMS_EQ,
                          ec_cost_jh_bound_mixed(g.sigma_r, g.blocks, g.per_node),
                          "%s: lower bound", x.name);
        if (ec_cost_jh_theorem2_corrected(4, cost, g.per_node, &published))
            claims_relate(run, seen.steps + 1, CLAIMS_EQ, published, "%s: one less", x.name);
    }
}

/* Orders 1,...,1: K/2^beta elements from every node to every node of its beta-subcube. */
void experiment_aapc_stage(struct claims_run *run)
{
    static const unsigned ones[ORDERS_MAX] = {1, 1, 1, 1, 1, 1};
    for (unsigned beta = 1; beta <= (claims_is_full(run) ? 6 : 3); beta++) {
        for (uint32_t K = UINT32_C(1) << beta; K <= (claims_is_full(run) ? 64 : 16); K *= 2) {
            const struct shuffle x = mixed_shuffle(ones, beta, K, 1);
            struct claims_seen seen;
            if (!play_blocks(run, &x, "aapc", 1, 0, true, &seen))
                return;
            const struct ec_schedule *s = seen.schedule;
            uint32_t *count = calloc((size_t)s->nodes * s->nodes, sizeof *count);
            bool even = claims_require(run, count != NULL, "out of memory");
            for (uint32_t e = 0; even && e < s->nodes * K; e++)
                count[e / K * s->nodes + s->target[e].node]++;
            for (size_t i = 0; even && i < (size_t)s->nodes * s->nodes; i++)
                even = count[i] == K >> beta;
            free(count);
            claims_case(run, even, "beta=%u, K=%u", beta, K);
        }
    }
}

static bool aapc_case(struct claims_run *run, const struct multi *g)
{
    const uint64_t steps = ec_cost_jh_aapc(g->sigma_r, g->blocks, g->per_node);
    struct claims_seen seen;
    struct shuffle x;
    if (!play_multi(run, g, "aapc", &seen))
        return false;
    claims_predicted(run, "steps", steps);
    claims_relate_if(run, g->per_node / 2 % g->blocks == 0, seen.steps, CLAIMS_EQ, steps,
                     "%s: steps", multi_name(g, &x));
    return true;
}

/* K/2 + sigma_r - beta for equal orders if beta divides K/2. */
void experiment_aapc(struct claims_run *run)
{
    static const unsigned three[] = {1, 1, 1};
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if (g.equal && g.audited && !aapc_case(run, &g))
            return;
    if (!claims_is_full(run)) {
        const struct multi g = multi_of(run, 3, three, 8);
        aapc_case(run, &g);
    }
}

/* Two blocks: concurrent all-to-alls of orders 4 and 5 in the range of case 2 (with: 2) or 3 (with:
 * 3), or with parity starts and orders from 2 on (with: 0). K is a multiple of 16: two storage
 * dimensions for the blocks and two more. */
void experiment_aapc_concurrent(struct claims_run *run)
{
    const unsigned with = (unsigned)claims_with(run), most = with || claims_is_full(run) ? 5 : 4;
    for (unsigned r = with ? 4 : 2; r <= most; r++) {
        for (uint32_t K = 16; K <= (claims_is_full(run) ? 64 : 32); K += 16) {
            const unsigned order[] = {r, r};
            struct multi g = multi_of(run, 2, order, K);
            struct claims_seen seen;
            struct shuffle x;
            uint64_t steps;
            if (with == 0) {
                steps = ec_cost_jh_aapc_parity(g.sigma_r, 2, K);
                if (!play_multi(run, &g, "aapc-parity", &seen))
                    return;
                claims_predicted(run, "steps", steps);
                claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", multi_name(&g, &x));
                continue;
            }
            /* other K are in the range of another case */
            if (!ec_cost_jh_aapc_case(with, g.sigma_r, g.sigma_r, 2, K, &steps))
                continue;
            if (!play_multi(run, &g, "aapc-concurrent", &seen))
                return;
            claims_predicted(run, "steps", steps);
            claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", multi_name(&g, &x));
        }
    }
}

/* The three cases agree at K = 8 beta, K = 2(sigma_r + beta) and sigma_r = 3 beta. */
void experiment_aapc_borders(struct claims_run *run)
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

/* Equivalent: the delay of unequal orders in our all-to-alls, above K/2 + sigma_r - beta. */
void experiment_aapc_unequal(struct claims_run *run)
{
    claims_equivalent(run);
    claims_table_row(run, "orders,K,steps,K/2+sigma_r-beta,delay");
    for (struct multi g = multi_grid(run); multi_next(&g);) {
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
        if (!play_multi(run, &g, "aapc", &seen))
            return;
        const uint64_t base = ec_cost_jh_aapc(g.sigma_r, g.blocks, g.per_node);
        claims_predicted(run, "steps without delay", base);
        claims_table_row(run, "%s,%u,%u,%" PRIu64 ",%" PRId64, orders, g.per_node, seen.steps, base,
                         (int64_t)seen.steps - (int64_t)base);
        /* every stage takes beta steps, as if all orders were the longest */
        claims_relate(run, seen.steps, CLAIMS_LE,
                      ec_cost_jh_aapc(g.blocks * g.longest, g.blocks, g.per_node),
                      "orders %s, K=%u: steps", orders, g.per_node);
    }
}

/* Both ways by their formulas, for equal orders: the GSH's own schedules, and all-to-alls. */
struct ways {
    uint64_t gsh, aapc;
};

static struct ways formulas(const unsigned *order, uint64_t beta, uint64_t K, bool concurrent)
{
    const struct ec_cost_blocks cost = {order, beta};
    const uint64_t sigma_r = ec_cost_jh_sigma_r(cost);
    struct ways w = {.gsh = UINT64_MAX, .aapc = ec_cost_jh_aapc(sigma_r, beta, K)};
    uint64_t steps;
    ec_cost_jh_multi_pipelined(cost, K, &w.gsh); /* has a value for all equal orders */
    for (unsigned c = 2; concurrent && c <= 3; c++)
        if (ec_cost_jh_aapc_case(c, sigma_r, sigma_r, beta, K, &steps))
            w.aapc = ec_cost_min(w.aapc, steps);
    if (concurrent && ec_cost_jh_theorem2(cost, K, &steps))
        w.gsh = ec_cost_min(w.gsh, steps);
    return w;
}

/* "Always better" is false where there is nothing to fill: one block, order 1, and as many rows as
 * blocks. */
static bool ways_tie(uint64_t beta, unsigned r, uint64_t K)
{
    return beta == 1 || r == 1 || (beta == 2 && K == 4) || (beta == 3 && K == 8);
}

/* The fewer steps of two algorithms, of which `other`, if any, may refuse the case; and cycles. */
static bool fewer(struct claims_run *run, const struct multi *g, const char *algorithm,
                  const char *other, struct claims_seen *ret)
{
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    bool refused = true;
    if (!play_multi(run, g, algorithm, ret) ||
        (other && !play_blocks_or_refused(run, &x, other, 1, g->timed, &seen, &refused)))
        return false;
    if (!refused && seen.steps < ret->steps)
        *ret = seen; /* the schedule itself is gone */
    return true;
}

static bool compare_played(struct claims_run *run, const struct multi *g)
{
    const bool concurrent = claims_with(run) == 1;
    const struct ways w = formulas(g->order, g->blocks, g->per_node, concurrent);
    struct claims_seen gsh, aapc;
    struct shuffle x;
    if (!fewer(run, g, "pipelined", concurrent ? "concurrent" : NULL, &gsh) ||
        !fewer(run, g, "aapc", concurrent ? "aapc-concurrent" : NULL, &aapc))
        return false;
    multi_name(g, &x);
    claims_require_equal(run, gsh.steps, w.gsh, "%s: steps", x.name);
    claims_require(run, aapc.steps >= w.aapc, "%s: fewer steps than all-to-alls can take", x.name);
    claims_relate_if(run, !ways_tie(g->blocks, g->order[0], g->per_node), gsh.steps, CLAIMS_LT,
                     aapc.steps, "%s: steps", x.name);
    claims_require(run, gsh.steps <= aapc.steps, "%s: slower", x.name);
    if (g->timed)
        claims_require(run, gsh.cycles <= aapc.cycles, "%s: cycles", x.name);
    return true;
}

/* Compares pipelined (with: 0), or pipelined and concurrent (1), GSH with the same by all-to-alls,
 * for equal orders and beta that divides K/2: schedules, and beyond them their formulas. */
void experiment_aapc_compared(struct claims_run *run)
{
    const bool concurrent = claims_with(run) == 1;
    static const unsigned four[] = {4, 4};
    for (uint64_t beta = 1; beta <= 5; beta++) {
        for (unsigned r = 1; r <= 8; r++) {
            const unsigned order[] = {r, r, r, r, r};
            for (uint64_t K = UINT64_C(1) << beta; K <= 4096; K *= 2) {
                const struct ways w = formulas(order, beta, K, concurrent);
                claims_require(run, w.gsh <= w.aapc, "beta=%" PRIu64 ", order %u: slower", beta, r);
                if (K / 2 % beta == 0)
                    claims_relate_if(run, !ways_tie(beta, r, K), w.gsh, CLAIMS_LT, w.aapc,
                                     "beta=%" PRIu64 ", order %u, K=%" PRIu64 ": steps", beta, r,
                                     K);
            }
        }
    }
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if (g.equal && g.audited && g.per_node / 2 % g.blocks == 0 && !compare_played(run, &g))
            return;
    for (uint32_t K = 16; concurrent && !claims_is_full(run) && K <= 32; K *= 2) {
        const struct multi g = multi_of(run, 2, four, K);
        if (!compare_played(run, &g))
            return;
    }
}

/* Limits cases of MUL with packets to few elements. */
static bool in_table2_grid(const struct claims_run *run, const struct multi *g)
{
    return g->audited && g->sigma_r <= 6 && g->per_node <= (claims_is_full(run) ? 32 : 20);
}

/* Table 2, one port: sigma_r K/2 t_c + sigma_r ceil(K/2B) tau. */
void experiment_table2_one_port(struct claims_run *run)
{
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        if (!in_table2_grid(run, &g))
            continue;
        for (struct block_packet p = block_packets(run, g.per_node / 2); block_packet_next(&p);) {
            const struct shuffle x = multi_words(&g, p.words);
            const struct ec_cost_terms terms =
                ec_cost_jh_table2_one_port(g.sigma_r, g.per_node, p.block);
            struct claims_seen seen;
            if (!play_blocks(run, &x, "one-port", p.block, p.startup, g.timed, &seen))
                return;
            claims_require(run, seen.checked->one_port, "%s: %s", x.name, seen.checked->defect);
            const struct ec_cost_terms found = schedule_terms(seen.schedule);
            claims_predicted(run, "transfers", terms.transfers);
            claims_relate(run, found.transfers, CLAIMS_EQ, terms.transfers, "%s, B=%u: transfers",
                          x.name, p.block);
            claims_relate(run, found.startups, CLAIMS_EQ, terms.startups, "%s, B=%u: start-ups",
                          x.name, p.block);
        }
    }
}

/* One line of Table 2 for equal orders. */
struct line {
    const char *algorithm;
    /* Does the line apply? Returns its terms, and whether they are exact. */
    bool (*applies)(const struct multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact);
};

static uint64_t packets_of(const struct multi *g, uint32_t B)
{
    return ec_cost_ceil(g->per_node, 2 * (uint64_t)B);
}

/* All-to-alls: complete groups of beta packets. */
static bool aapc_line(const struct multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact)
{
    *ret = ec_cost_jh_table2_aapc(g->sigma_r, g->blocks, g->per_node, B);
    *exact = packets_of(g, B) % g->blocks == 0;
    return true;
}

/* The share of the largest block fills its packets. */
static bool full_packets(const struct multi *g, uint32_t B)
{
    return ec_cost_ceil(g->per_node, 2 * g->blocks) % B == 0;
}

static bool small_line(const struct multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact)
{
    *ret = ec_cost_jh_table2_pipelined_small(g->sigma_r, g->blocks, g->per_node, B);
    *exact = full_packets(g, B);
    return g->per_node <= 2 * (uint64_t)B * g->sigma_r;
}

static bool large_line(const struct multi *g, uint32_t B, struct ec_cost_terms *ret, bool *exact)
{
    *ret = ec_cost_jh_table2_pipelined_large(g->sigma_r, g->blocks, g->per_node, B);
    *exact = g->per_node / 2 % B == 0;
    return g->per_node >= 2 * (uint64_t)B * g->sigma_r;
}

static bool concurrent_line(const struct multi *g, uint32_t B, struct ec_cost_terms *ret,
                            bool *exact)
{
    const unsigned line = ec_cost_jh_table2_line(g->sigma_r, g->blocks, g->per_node, B);
    *ret = ec_cost_jh_table2_concurrent(line, g->sigma_r, g->blocks, g->per_node, B);
    *exact = line == 1 ? full_packets(g, B) : line == 3 ? true : g->per_node / 2 % B == 0;
    return true;
}

void experiment_table2(struct claims_run *run)
{
    static const struct line lines[] = {
        {"aapc", aapc_line},
        {"pipelined", small_line},
        {"pipelined", large_line},
        {"concurrent", concurrent_line},
    };
    const struct line *line = &lines[claims_with(run)];
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        if (!g.equal || !(in_table2_grid(run, &g) || (claims_with(run) == 3 && g.audited)))
            continue;
        for (struct block_packet p = block_packets(run, g.per_node / 2); block_packet_next(&p);) {
            const struct shuffle x = multi_words(&g, p.words);
            struct claims_seen seen;
            struct ec_cost_terms terms;
            bool exact;
            if (!line->applies(&g, p.block, &terms, &exact))
                continue;
            if (!play_blocks(run, &x, line->algorithm, p.block, p.startup, g.timed, &seen))
                return;
            terms_case_if(run, exact, seen.schedule, terms, "%s, B=%u", x.name, p.block);
        }
    }
}

/* --- Within two exchanges --------------------------------------------------------------------- */

/* Outside the range of the text: one case, with the first false one and the number of open ones. */
struct within {
    struct claims_all others;
    struct shuffle first;
    unsigned open;
};

/* The published schedule: concurrent, which is pipelined where nothing is gained by other starts or
 * there is no room for them. It is within two exchanges of the optimum if it is within two of the
 * lower bound; it is not if a schedule is faster by more than two; else the case is open. The text
 * has a case for orders of at most 3, and for K >= 2(sigma_r + 1) and a free storage dimension. */
static bool within_case(struct claims_run *run, const struct multi *g, struct within *w)
{
    const uint64_t bound = ec_cost_jh_bound_mixed(g->sigma_r, g->blocks, g->per_node);
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    bool refused;
    if (!play_blocks_or_refused(run, &x, "concurrent", 1, g->timed, &seen, &refused) ||
        (refused && !play_multi(run, g, "pipelined", &seen)))
        return false;
    const uint32_t published = seen.steps;
    claims_require(run, published >= bound, "%s: %u steps, below the bound", x.name, published);
    claims_predicted(run, "least steps", bound);
    if (g->longest <= 3 ||
        (g->per_node >= 2 * (g->sigma_r + 1) && g->per_node >= UINT32_C(2) << g->blocks)) {
        claims_relate_if(run, true, published, CLAIMS_LE, bound + 2, "%s: steps", x.name);
        claims_require(run, published <= ec_cost_max(g->per_node / 2, g->sigma_r) + 2,
                       "%s: %u steps, not within two of Lemma 2", x.name, published);
        return true;
    }
    if (published > bound + 2 && !play_best(run, &x, bound, g->timed, &seen))
        return false;
    if (w->others.truth && published > seen.steps + 2)
        w->first = x;
    if (published <= bound + 2 || published > seen.steps + 2)
        claims_all_case(&w->others, published <= bound + 2, "%s: steps: %u, stated at most %u",
                        x.name, published, seen.steps + 2);
    else
        w->open++;
    return true;
}

void experiment_within_two(struct claims_run *run)
{
    struct within w = {.others = claims_all()};
    for (unsigned r = 1; r <= 8; r++) {
        for (uint32_t K = 2; K <= (claims_is_full(run) ? 128 : 16); K += 2) {
            struct multi g = multi_of(run, 1, &r, K);
            g.timed = r <= 4 && K <= 16;
            if (!within_case(run, &g, &w))
                return;
        }
    }
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if (g.audited && !within_case(run, &g, &w))
            return;
    claims_without_command(run);
    for (int i = 0; i < 2 && !w.others.truth; i++)
        claims_shown_by(run, "audit", "%s %s --algorithm %s", w.first.topology, w.first.workload,
                        i ? "best" : "concurrent");
    claims_case_if(run, false, w.others.truth, "%s", w.others.first);
    claims_remark(run, "outside, neither a bound nor a schedule decides %u of %" PRIu64 " cases",
                  w.open, w.others.cases + w.open);
}

/* err.21: the conditions of the all-to-alls, the first line of Table 2 and its ceilings. */
void experiment_table2_errata(struct claims_run *run)
{
    /* The printed "sigma >= 4 beta" means sigma_r: with sigma = sigma_r + beta, two cases would
     * cover orders of 3. They agree, so the correction loses nothing. */
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
    experiment_table2_one_port(run);
}

/* --- Control ---------------------------------------------------------------------------------- */

/* One table of exchanges controls every node: in each step each node sends one packet over each
 * dimension that the table lists for the step, and over no other. */
static bool control_is_common(struct claims_run *run, const struct ec_schedule *s)
{
    const unsigned storage = claims_storage(s->per_node);
    uint64_t *dims = calloc((size_t)s->steps + 1, sizeof *dims), expected = 0;
    bool common = claims_require(run, dims && s->exchange_count > 0, "no table");
    for (size_t i = 0; common && i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        const uint64_t bit = UINT64_C(1) << x->processor;
        common = !(dims[x->step] & bit); /* one row at a time */
        dims[x->step] |= bit;
        expected += s->nodes;
    }
    /* The audit allows one transfer per link and step, so the count shows that none is missing. */
    for (size_t i = 0; common && i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        common = dims[t->step] >> storage & (t->src ^ t->dst);
    }
    free(dims);
    return common && s->transfer_count == expected;
}

static bool control_case(struct claims_run *run, const struct shuffle *x, const char *algorithm,
                         bool timed)
{
    struct claims_seen seen;
    if (!play_blocks(run, x, algorithm, 1, 0, timed, &seen))
        return false;
    claims_audited(run, "exchanges", seen.schedule->exchange_count);
    claims_case(run, control_is_common(run, seen.schedule), "%s, %s", x->name, algorithm);
    return true;
}

/* jh.sum.control. */
void experiment_control(struct claims_run *run)
{
    static const char *const one[] = {"one-port", "pipelined", "concurrent", "parity"},
                             *const several[] = {"one-port", "pipelined", "aapc"},
                             *const real[] = {"a1-one-port", "a1-pipelined", "a1-concurrent",
                                              "a1-packed"};
    for (struct gsh g = mixed_grid(run, 4, false); gsh_next(&g);) {
        const struct shuffle x = mixed_shuffle(&g.order, 1, g.per_node, 1);
        for (size_t i = 0; i < sizeof one / sizeof *one; i++)
            if (!control_case(run, &x, one[i], g.timed))
                return;
    }
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        for (size_t i = 0; g.audited && i < sizeof several / sizeof *several; i++)
            if (!control_case(run, &x, several[i], g.timed))
                return;
    }
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        const struct shuffle x = real_shuffle(g.size, g.per_node, 1, 0);
        for (size_t i = 0; g.audited && i < sizeof real / sizeof *real; i++)
            if (!control_case(run, &x, real[i], g.timed))
                return;
    }
}
