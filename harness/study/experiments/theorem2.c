/* SPDX-License-Identifier: Apache-2.0 */
/* Theorem 2 of Johnsson and Ho and what repeats it: several constituting GSH "in at most T element
 * exchanges". The best schedule of the library shows that T is enough, a lower bound that it is
 * not; a case between them is open.
 *
 * Knows the printed formulas and the lower bounds; must not know how schedules are made. */
#include <inttypes.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_multi.h"
#include "ecube/sdp.h"
#include "study/experiments/play.h"

static uint64_t bound_of(const struct multi *g)
{
    return ec_cost_jh_bound_mixed(g->sigma_r, g->blocks, g->per_node);
}

/* The best schedule known takes `*ret` steps, or another one at most `enough`. */
static bool best_of(struct claims_run *run, const struct multi *g, uint64_t enough, uint64_t *ret)
{
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    if (!play_best(run, &x, enough, g->timed, &seen))
        return false;
    *ret = seen.steps;
    return true;
}

static void at_most(struct claims_run *run, const struct multi *g, uint64_t known, uint64_t stated)
{
    const struct shuffle x = multi_words(g, 1);
    claims_predicted(run, "steps <=", stated);
    claims_predicted(run, "steps >=", bound_of(g));
    claims_at_most(run, known, bound_of(g), stated, "%s: steps", x.name);
}

/* --- Case 1, and pipelining in short ---------------------------------------------------------- */

/* Orders number i < ORDERS of 2 to 4 blocks, up to 6 and not increasing, with sigma_r <= 13. False:
 * no such orders. */
enum { ORDERS = 6 * 7 * 7 * 7 };

static bool falling_orders(unsigned i, unsigned *order, unsigned *ret_blocks)
{
    const unsigned digits[] = {i / 343 + 1, i / 49 % 7, i / 7 % 7, i % 7};
    unsigned blocks = 1, sum = digits[0];
    bool falling = true;
    while (blocks < 4 && digits[blocks])
        blocks++;
    for (unsigned b = 1; b < 4; b++) {
        falling &= digits[b] <= digits[b - 1];
        sum += digits[b];
    }
    memcpy(order, digits, sizeof digits);
    *ret_blocks = blocks;
    return falling && blocks >= 2 && sum <= 13;
}

/* jh.thm2.case1: at most ceil(K/2 beta) + sigma_r - 1 for max order >= 4 and K <= 8 beta, or max
 * <= 3 and K <= 2 sigma_r. Grid: all orders above with powers of two K and up to 2^15 elements. */
void experiment_theorem2_case1(struct claims_run *run)
{
    for (unsigned i = 0; i < ORDERS; i++) {
        unsigned order[4], blocks;
        if (!falling_orders(i, order, &blocks))
            continue;
        for (uint32_t K = 1U << blocks; K <= 128; K *= 2) {
            const struct multi g = multi_of(run, blocks, order, K);
            uint64_t stated, known;
            if ((uint64_t)K << g.sigma_r > 1 << 15 ||
                !ec_cost_jh_theorem2_printed(1, multi_cost(&g), K, &stated))
                continue;
            if (!best_of(run, &g, ec_cost_max(stated, bound_of(&g)), &known))
                return;
            at_most(run, &g, known, stated);
        }
    }
}

/* Rows that every exchange moves on by one: at[row][b] exchanges of block b are done. */
struct rows {
    const struct multi *g;
    unsigned count;
    uint8_t at[16][ORDERS_MAX];
};

static bool rows_finish(struct rows *r, unsigned block, unsigned dim, uint32_t moved,
                        unsigned steps);

/* All ways to move one row, or none, in dimension `dim` of `block`, then the next dimensions. Only
 * the first of several rows that are equally far is tried. */
static bool rows_move(struct rows *r, unsigned block, unsigned dim, uint32_t moved, unsigned steps)
{
    for (unsigned i = 0; i < r->count; i++) {
        bool copy = false;
        if (moved >> i & 1 || r->at[i][block] != dim)
            continue;
        for (unsigned j = 0; j < i && !copy; j++)
            copy = !(moved >> j & 1) && memcmp(r->at[j], r->at[i], sizeof r->at[i]) == 0;
        if (copy)
            continue;
        r->at[i][block]++;
        const bool done = rows_finish(r, block, dim + 1, moved | UINT32_C(1) << i, steps);
        r->at[i][block]--;
        if (done)
            return true;
    }
    return rows_finish(r, block, dim + 1, moved, steps);
}

/* Can all rows be finished in this step, from this dimension on, and `steps` - 1 further ones? */
static bool rows_finish(struct rows *r, unsigned block, unsigned dim, uint32_t moved,
                        unsigned steps)
{
    if (block < r->g->blocks && dim < r->g->order[block])
        return rows_move(r, block, dim, moved, steps);
    if (block < r->g->blocks)
        return rows_finish(r, block + 1, 0, moved, steps);
    bool finished = true;
    for (unsigned i = 0; i < r->count; i++) {
        unsigned left = r->g->sigma_r;
        for (unsigned b = 0; b < r->g->blocks; b++)
            left -= r->at[i][b];
        if (left > steps - 1)
            return false;
        finished &= left == 0;
    }
    return finished || rows_finish(r, 0, 0, 0, steps - 1);
}

/* The fewest steps of pipelining, by search: K/2 rows, each in one dimension a step, a dimension
 * for one row; the order within a block is fixed, that of different blocks is free. */
static unsigned least_pipelined(const struct multi *g)
{
    unsigned steps = g->sigma_r;
    struct rows r = {.g = g, .count = g->per_node / 2};
    while (!rows_finish(&r, 0, 0, 0, steps))
        steps++;
    return steps;
}

/* jh.pipe.small: K <= 2 sigma_r: ceil(K/2 beta) + sigma_r - 1, "whether or not all constituting GSH
 * are of the same order". Equal orders and unequal ones are two statements. */
void experiment_multi_small(struct claims_run *run)
{
    static const unsigned searched[][2] = {{2, 1}, {3, 1}, {4, 1}, {3, 2}, {2, 2}};
    struct claims_all unequal = claims_all();
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct shuffle x = multi_words(&g, 1);
        const uint64_t stated = ec_cost_jh_table2_different(multi_cost(&g), g.per_node);
        struct claims_seen seen;
        if (!g.audited || g.per_node > 2 * g.sigma_r)
            continue;
        if (!play_blocks(run, &x, "pipelined", 1, 0, g.timed, &seen))
            return;
        claims_predicted(run, "steps as printed", stated);
        if (g.equal)
            claims_relate_if(run, true, seen.steps, CLAIMS_EQ, stated, "%s: steps", x.name);
        else
            claims_all_case(&unequal, seen.steps == stated, "%s: steps: %u, stated %" PRIu64,
                            x.name, seen.steps, stated);
    }
    claims_without_command(run);
    claims_case_if(run, false, unequal.truth, "%s", unequal.first);
    for (size_t i = 0; i < sizeof searched / sizeof *searched; i++) {
        const struct multi g = multi_of(run, 2, searched[i], 8);
        const struct shuffle x = multi_words(&g, 1);
        struct claims_seen seen;
        if (!play_blocks(run, &x, "pipelined", 1, 0, false, &seen))
            return;
        claims_require_equal(run, seen.steps, least_pipelined(&g), "%s: steps, by search", x.name);
    }
}

/* --- Concurrent ------------------------------------------------------------------------------- */

/* The cases of the published construction: rows that start elsewhere need a storage dimension v
 * beside those of the blocks. */
static bool has_free_dimension(const struct multi *g)
{
    return g->per_node >= UINT32_C(2) << g->blocks;
}

/* K/2 + 2 or sigma_r + 3 steps, which `concurrent` takes exactly where rows are not only pipelined.
 * with: 0 the statement of the text, 3 and 4 these cases of Theorem 2, "at most". */
static bool concurrent_case(struct claims_run *run, const struct multi *g, struct claims_all *few)
{
    const unsigned with = (unsigned)claims_with(run);
    const struct ec_cost_blocks cost = multi_cost(g);
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    uint64_t stated, known, same;
    bool refused;
    /* Case 3 starts at nine dimensions, where the sample on RTL is small. */
    const bool timed = g->timed || (with == 3 && claims_is_full(run) && g->sigma_r <= 10);
    if (with ? !ec_cost_jh_theorem2_printed(with, cost, g->per_node, &stated) : g->longest < 4)
        return true;
    if (!with)
        stated = g->per_node >= 2 * (g->sigma_r + 1) ? g->per_node / 2 + 2 : g->sigma_r + 3;
    if (!best_of(run, g, stated, &known) ||
        !play_blocks_or_refused(run, &x, "concurrent", 1, timed, &seen, &refused) ||
        !claims_require(run, !refused || !has_free_dimension(g), "%s: refused", x.name))
        return false;
    if (ec_cost_jh_theorem2_corrected(3, cost, g->per_node, &same) ||
        ec_cost_jh_theorem2_corrected(4, cost, g->per_node, &same))
        claims_require(run, !refused && seen.steps == stated, "%s: other steps", x.name);
    if (with) {
        at_most(run, g, known, stated);
        return true;
    }
    claims_predicted(run, "steps", stated);
    claims_require(run, known <= stated, "%s: %" PRIu64 " steps", x.name, known);
    if (refused)
        claims_all_case(few, false, "%s: no free storage dimension", x.name);
    else if (g->per_node > 8 * g->blocks)
        claims_relate_if(run, true, seen.steps, CLAIMS_EQ, stated, "%s: steps", x.name);
    else
        claims_all_case(few, seen.steps == stated, "%s: steps: %u, stated %" PRIu64, x.name,
                        seen.steps, stated);
    return true;
}

/* jh.conc.multi: exactly so for K > 8 beta, the range of Theorem 2, with a free storage dimension.
 * With fewer rows the algorithm is another one, and the number is only an upper bound. */
void experiment_multi_concurrent(struct claims_run *run)
{
    static const unsigned exception[] = {4, 1, 1, 1}, unequal[] = {6, 2};
    struct claims_all few = claims_all();
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if (g.audited && !concurrent_case(run, &g, &few))
            return;
    if (!claims_is_full(run)) {
        const struct multi short_of = multi_of(run, 2, unequal, 16),
                           none = multi_of(run, 4, exception, 16);
        if (!concurrent_case(run, &short_of, &few) || !concurrent_case(run, &none, &few))
            return;
    }
    if (claims_with(run) == 0) {
        claims_without_command(run);
        claims_case_if(run, false, few.truth, "%s", few.first);
        claims_remark(run, "never more than stated in %" PRIu64 " cases with K<=8beta", few.cases);
    }
}

/* jh.tab2.diff: the two pipelined and the four concurrent lines for different orders. */
void experiment_table2_different(struct claims_run *run)
{
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        const struct ec_cost_blocks cost = multi_cost(&g);
        uint64_t known, stated;
        if (!g.audited || g.equal)
            continue;
        if (!best_of(run, &g, bound_of(&g), &known))
            return;
        at_most(run, &g, known, ec_cost_jh_table2_different(cost, g.per_node));
        for (unsigned which = 1; which <= 4; which++)
            if (ec_cost_jh_theorem2_printed(which, cost, g.per_node, &stated))
                at_most(run, &g, known, stated);
    }
}

/* jh.abs.mixed: K/2 + 2, "independent of the number of processor dimensions". The published
 * schedules take exactly this where some rows start elsewhere. */
static bool abstract_case(struct claims_run *run, const struct multi *g)
{
    const uint64_t stated = g->per_node / 2 + 2;
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    uint64_t known;
    if (!best_of(run, g, stated, &known))
        return false;
    at_most(run, g, known, stated);
    if (g->longest < 4 || g->per_node < 2 * (g->sigma_r + 1) || !has_free_dimension(g))
        return true;
    return play_blocks(run, &x, "concurrent", 1, 0, g->timed, &seen) &&
           claims_require_equal(run, seen.steps, stated, "%s, concurrent: steps", x.name);
}

void experiment_abstract_mixed(struct claims_run *run)
{
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        struct multi one = multi_of(run, 1, &g.order, g.per_node);
        one.timed = g.timed;
        if (!abstract_case(run, &one))
            return;
    }
    for (struct multi g = multi_grid(run); multi_next(&g);)
        if (g.audited && !abstract_case(run, &g))
            return;
}

/* --- What the theorem covers ------------------------------------------------------------------ */

/* beta of a permutation of one cycle: the times that a storage dimension comes before a processor
 * dimension. */
static unsigned constituting(const struct ec_sdp *s)
{
    unsigned beta = 0;
    for (unsigned i = s->storage; i < s->storage + s->processor; i++)
        beta += s->from[i] < s->storage;
    return beta;
}

/* The smallest T of the cases whose conditions hold, with the real cycle as one block. */
static uint64_t least_stated(unsigned r, uint64_t K)
{
    const struct ec_cost_blocks cost = {&r, 1};
    uint64_t least = UINT64_MAX, steps;
    for (unsigned which = 1; which <= 4; which++)
        if (ec_cost_jh_theorem2_printed(which, cost, K, &steps))
            least = ec_cost_min(least, steps);
    return least;
}

/* jh.thm2.scope: "any generalized shuffle of real order sigma_r > 0". A real one has no
 * constituting mixed GSH: beta = 0, and case 1 (K <= 2 sigma_r) divides by it. Even with its cycle
 * taken for a block, T can be below what the flow of the elements needs. */
void experiment_theorem2_scope(struct claims_run *run)
{
    struct claims_all flow = claims_all();
    struct claims_seen seen;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        const struct shuffle x = mixed_shuffle(&g.order, 1, g.per_node, 1);
        if (!play_best(run, &x, 0, g.timed && g.order <= 4, &seen))
            return;
        claims_require_equal(run, constituting(seen.workload->sdp), 1, "%s: beta", x.name);
        claims_case(run, seen.steps <= least_stated(g.order, g.per_node), "mixed, %s", x.name);
    }
    for (unsigned r = 2; r <= 5; r++) {
        for (uint32_t K = 2; K <= 64; K *= 2) {
            const struct shuffle x = real_shuffle(r, K, 1, 0);
            struct ec_cost_ratio bound;
            if (!play_best(run, &x, 0, r <= 4 && K <= 32, &seen) ||
                !claims_require(run, ec_cost_jh_flow(r, false, &bound), "%s: no bound", x.name))
                return;
            const uint64_t needed = ec_cost_ceil(bound.num * K, bound.den),
                           stated = least_stated(r, K);
            const unsigned beta = constituting(seen.workload->sdp);
            claims_require(run, seen.steps >= needed, "%s: %u steps, below %" PRIu64, x.name,
                           seen.steps, needed);
            claims_audited(run, "constituting GSH of a real one", beta);
            claims_without_command(run); /* none divides by beta */
            if (K <= 2 * r)
                claims_case(run, beta > 0, "real, %s: case 1 divides by beta=%u", x.name, beta);
            claims_all_case(&flow, needed <= stated, "%s: %" PRIu64 " steps needed, %" PRIu64,
                            x.name, needed, stated);
        }
    }
    claims_require(run, !flow.truth, "T is enough for real ones with beta=1");
    claims_remark(run, "with beta=1 for the real cycle too: %s stated", flow.first);
}

/* --- err.17 ----------------------------------------------------------------------------------- */

/* How often case 1 contradicts what is known, for all K up to 128 that are powers of two. */
struct conflicts {
    unsigned below_lemma, below_bound;
};

static struct conflicts count_conflicts(void)
{
    struct conflicts n = {0, 0};
    for (unsigned i = 0; i < ORDERS; i++) {
        unsigned order[4], blocks;
        if (!falling_orders(i, order, &blocks))
            continue;
        for (uint64_t K = UINT64_C(1) << blocks; K <= 128; K *= 2) {
            const struct ec_cost_blocks cost = {order, blocks};
            uint64_t stated;
            if (!ec_cost_jh_theorem2_printed(1, cost, K, &stated))
                continue;
            n.below_lemma += stated < K / 2;
            n.below_bound += stated == K / 2 && ec_cost_jh_sigma_r(cost) > blocks;
        }
    }
    return n;
}

/* Do equal partitions, as printed, make a valid schedule? */
static bool partition_fails(struct claims_run *run, const unsigned *order, uint32_t K, bool *ret)
{
    const struct shuffle x = mixed_shuffle(order, 2, K, 1);
    struct claims_seen seen;
    if (!claims_audit(run, &seen, "%s %s --algorithm pipelined:reading=printed", x.topology,
                      x.workload))
        return false;
    *ret = !seen.checked->valid;
    return true;
}

/* Four corrections. Three are true. The first, that case 1 is for equal orders and K <= 2 sigma_r
 * only, reads "at most" as "exactly, by pipelining": other orders can be as fast. */
void experiment_theorem2_conflicts(struct claims_run *run)
{
    static const unsigned unequal[] = {3, 1}, equal[] = {2, 2}, five[] = {5, 5};
    const struct shuffle figure = mixed_shuffle(five, 2, 24, 1);
    const struct conflicts n = count_conflicts();
    struct multi g = multi_of(run, 2, unequal, 8);
    struct claims_seen seen;
    uint64_t stated, known;
    uint32_t first = 0;
    bool fails, fits;
    claims_audited(run, "cases below Lemma 2", n.below_lemma);
    claims_audited(run, "cases below K/2+1", n.below_bound);
    claims_require_equal(run, n.below_lemma, 31, "cases of case 1 below Lemma 2");
    claims_require_equal(run, n.below_bound, 14, "cases of case 1 below K/2+1");
    if (!partition_fails(run, unequal, 8, &fails) || !partition_fails(run, equal, 8, &fits))
        return;
    claims_case_if(run, true, fails && !fits, "orders 3,1, K=8: equal partitions");
    if (!play_blocks(run, &figure, "pipelined", 1, 0, false, &seen))
        return;
    for (size_t i = 0; i < seen.schedule->exchange_count; i++)
        first += seen.schedule->exchanges[i].storage == 0 &&
                 (i == 0 || seen.schedule->exchanges[i - 1].row != seen.schedule->exchanges[i].row);
    claims_relate_if(run, true, first, CLAIMS_EQ, 5, "Fig. 8: rows that begin in the first block");
    const struct shuffle real = real_shuffle(3, 32, 1, 0);
    struct ec_cost_ratio bound;
    if (!play_best(run, &real, 0, true, &seen) ||
        !claims_require(run, ec_cost_jh_flow(3, false, &bound), "sigma_r=3: no bound"))
        return;
    claims_case_if(run, true, ec_cost_ceil(bound.num * 32, bound.den) > least_stated(3, 32),
                   "real, sigma_r=3, K=32: not excluded");
    claims_require(run, seen.steps > least_stated(3, 32), "real, sigma_r=3, K=32: %u steps",
                   seen.steps);
    if (!claims_require(run, ec_cost_jh_theorem2_printed(1, multi_cost(&g), 8, &stated),
                        "orders 3,1, K=8: no case 1") ||
        !best_of(run, &g, stated, &known))
        return;
    claims_relate_if(run, false, known, CLAIMS_GT, stated, "orders 3,1, K=8: steps");
}
