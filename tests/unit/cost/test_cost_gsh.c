/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of generalized shuffle permutations against tables that were counted by moving every
 * element, against enumerations of the test's own, and against each other where they must agree. */
#include "table.h"

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_mixed.h"
#include "ec_cost_jh_multi.h"
#include "ec_cost_jh_real.h"

#define BLOCKS_MAX 8

static void assert_ratio(struct ec_cost_ratio is, uint64_t num, uint64_t den)
{
    const struct ec_cost_ratio should = ec_cost_ratio_of(num, den);

    assert_int_equal(is.num, should.num);
    assert_int_equal(is.den, should.den);
}

/* "6-5-1" */
static struct ec_cost_blocks blocks_of(const char *text, unsigned order[BLOCKS_MAX])
{
    size_t beta = 0;

    for (char *end; *text; text = *end ? end + 1 : end) {
        assert_true(beta < BLOCKS_MAX);
        order[beta++] = (unsigned)strtoul(text, &end, 10);
    }
    return (struct ec_cost_blocks){order, beta};
}

static void one_block(void **state)
{
    (void)state;
    struct table t = table_open("gsh/one-block");
    while (table_next(&t)) {
        const unsigned r = table_number(&t, 0), K = table_number(&t, 1);
        assert_int_equal(ec_cost_jh_pipelined(r, K), table_number(&t, 3));
        if (table_has(&t, 4)) {
            assert_int_equal(ec_cost_jh_concurrent(r, K), table_number(&t, 4));
            assert_int_equal(ec_cost_jh_theorem1(r, K), table_number(&t, 4));
        }
        if (table_has(&t, 5))
            assert_int_equal(ec_cost_jh_parity(r, K), table_number(&t, 5));
        assert_true(ec_cost_jh_parity(r, K) >= ec_cost_jh_bound_mixed(r, 1, K));
    }
    assert_int_equal(t.rows, 25);
    t = table_open("gsh/one-block-even");
    while (table_next(&t)) {
        const unsigned r = table_number(&t, 0), K = table_number(&t, 1);
        assert_int_equal(ec_cost_jh_concurrent(r, K), table_number(&t, 2));
        assert_int_equal(ec_cost_jh_theorem1(r, K), table_number(&t, 2));
    }
    assert_int_equal(t.rows, 40);
}

static void theorem_1(void **state)
{
    (void)state;
    for (uint64_t r = 1; r <= 20; r++) {
        for (uint64_t K = 2; K <= 200; K += 2) {
            const uint64_t T = ec_cost_jh_theorem1(r, K);
            uint64_t fastest = K / 2 + r - 1, steps;
            if (r >= 4 && K > 8) /* the conditions of the construction in Figure 5 */
                fastest = ec_cost_min(fastest, K <= 2 * (r + 1) ? r + 3 : K / 2 + 2);
            assert_int_equal(T, fastest);
            /* As printed no case is below it; on the borders cases agree with each other. */
            for (unsigned which = 1; which <= 3; which++) {
                if (ec_cost_jh_theorem1_printed(which, r, K, &steps) && (which == 1 || r >= 3))
                    assert_int_equal(steps, T);
            }
            /* As printed some have no case. With "or" all have. */
            if ((r > 3 && K < 8) || (r < 3 && K > 8 && K > 2 * (r + 1))) {
                for (unsigned which = 1; which <= 3; which++)
                    assert_false(ec_cost_jh_theorem1_printed(which, r, K, &steps));
            }
            if (K % 4 == 0) {
                assert_true(ec_cost_jh_parity(r, K) <= T);
                if (K >= 2 * r)
                    assert_int_equal(ec_cost_jh_parity(r, K), ec_cost_jh_bound_mixed(r, 1, K));
            }
        }
    }
}

static void several_blocks(void **state)
{
    unsigned order[BLOCKS_MAX];
    uint64_t steps;

    (void)state;
    struct table t = table_open("gsh/blocks");
    while (table_next(&t)) {
        const struct ec_cost_blocks x = blocks_of(t.cell[0], order);
        const unsigned K = table_number(&t, 1);
        if (table_has(&t, 2) && ec_cost_jh_multi_pipelined(x, K, &steps))
            assert_int_equal(steps, table_number(&t, 2));
        if (table_has(&t, 2))
            assert_true(table_number(&t, 2) >= ec_cost_jh_multi_pipelined_bound(x, K));
        if (!table_has(&t, 2)) /* equal blocks collide: it takes unequal orders to do so */
            assert_false(ec_cost_jh_equal_orders(x));
        if (table_has(&t, 3)) {
            const unsigned which = K < 2 * (ec_cost_jh_sigma_r(x) + 1) ? 3 : 4;
            assert_true(ec_cost_jh_theorem2_corrected(which, x, K, &steps));
            assert_int_equal(steps, table_number(&t, 3));
        }
        if (ec_cost_jh_theorem2(x, K, &steps))
            assert_true(steps >= ec_cost_jh_bound_mixed(ec_cost_jh_sigma_r(x), x.beta, K));
    }
    assert_int_equal(t.rows, 379);

    t = table_open("gsh/blocks-few");
    while (table_next(&t)) {
        const struct ec_cost_blocks x = blocks_of(t.cell[0], order);
        assert_int_equal(ec_cost_jh_multi_pipelined_bound(x, table_number(&t, 1)),
                         table_number(&t, 2));
    }
    assert_int_equal(t.rows, 73);

    t = table_open("gsh/blocks-parity");
    while (table_next(&t)) {
        const struct ec_cost_blocks x = blocks_of(t.cell[0], order);
        const unsigned K = table_number(&t, 1);
        assert_int_equal(ec_cost_jh_bound_mixed(ec_cost_jh_sigma_r(x), x.beta, K),
                         table_number(&t, 2));
        assert_int_equal(ec_cost_jh_multi_parity(x, K), table_number(&t, 2));
    }
    assert_int_equal(t.rows, 141);

    t = table_open("gsh/aapc");
    while (table_next(&t)) {
        const unsigned beta = table_number(&t, 0), sigma_r = beta * table_number(&t, 1);
        const unsigned K = table_number(&t, 2);
        assert_int_equal(ec_cost_jh_aapc(sigma_r, beta, K), table_number(&t, 3));
        if (table_has(&t, 4)) {
            assert_true(ec_cost_jh_aapc_case(K <= 2 * (sigma_r + beta) ? 2 : 3, sigma_r, sigma_r,
                                             beta, K, &steps));
            assert_int_equal(steps, table_number(&t, 4));
        }
        if (table_has(&t, 5))
            assert_int_equal(ec_cost_jh_aapc_parity(sigma_r, beta, K), table_number(&t, 5));
    }
    assert_int_equal(t.rows, 32);
}

struct count {
    unsigned cases, impossible, reached; /* by any schedule */
    unsigned below_lemma_2, below_bound, against;
};

static void count_case_1(struct ec_cost_blocks x, uint64_t K, struct count *n)
{
    const uint64_t sigma_r = ec_cost_jh_sigma_r(x);
    uint64_t claim, other;

    if (K >> x.beta == 0 || !ec_cost_jh_theorem2_printed(1, x, K, &claim))
        return;
    /* A schedule is known wherever no bound forbids it. */
    n->cases++;
    n->impossible += claim < K / 2 + (sigma_r > x.beta);
    n->reached += claim >= ec_cost_jh_multi_parity(x, K);
    if (K < 2 * sigma_r || ec_cost_jh_equal_orders(x))
        return;
    bool disputed = false;
    for (unsigned which = 2; which <= 4; which++)
        disputed = disputed || (ec_cost_jh_theorem2_printed(which, x, K, &other) && other != claim);
    if (2 * claim < K)
        n->below_lemma_2++;
    else if (claim < K / 2 + 1)
        n->below_bound++;
    else if (disputed)
        n->against++;
}

/* Non-increasing orders up to 6, two to four of them, their sum at most 13. */
static void count_from(unsigned order[], size_t beta, unsigned sum, struct count *n)
{
    for (uint64_t K = 2; beta >= 2 && K <= 128; K *= 2)
        count_case_1((struct ec_cost_blocks){order, beta}, K, n);
    for (unsigned r = 1; beta < 4 && r <= (beta ? order[beta - 1] : 6) && sum + r <= 13; r++) {
        order[beta] = r;
        count_from(order, beta + 1, sum + r, n);
    }
}

/* For unequal orders and K >= 2 sigma_r, case 1 of Theorem 2 is below a bound or contradicts
 * another case, with a few exceptions. */
static void theorem_2_case_1(void **state)
{
    unsigned order[BLOCKS_MAX];
    struct count n = {0};
    uint64_t steps;

    (void)state;
    count_from(order, 0, 0, &n);
    assert_int_equal(n.cases, 229);
    assert_int_equal(n.impossible, 45);
    assert_int_equal(n.reached, 229 - 45);
    assert_int_equal(n.below_lemma_2, 31);
    assert_int_equal(n.below_bound, 14);
    assert_int_equal(n.against, 7);
    /* Each example once. */
    assert_true(ec_cost_jh_theorem2_printed(1, blocks_of("6-1-1-1", order), 32, &steps));
    assert_int_equal(steps, 12);
    assert_false(ec_cost_jh_theorem2_corrected(1, blocks_of("6-1-1-1", order), 32, &steps));
    assert_true(ec_cost_jh_theorem2_printed(1, blocks_of("4-1", order), 16, &steps));
    assert_int_equal(steps, 8);
    assert_true(ec_cost_jh_theorem2_printed(1, blocks_of("3-1", order), 8, &steps));
    assert_int_equal(steps, 5);
    assert_true(ec_cost_jh_theorem2_printed(2, blocks_of("3-1", order), 8, &steps));
    assert_int_equal(steps, 6);
    assert_false(ec_cost_jh_theorem2_corrected(4, blocks_of("4-1-1-1", order), 16, &steps));
    assert_true(ec_cost_jh_theorem2_corrected(4, blocks_of("4-1-1-1", order), 32, &steps));
    /* No storage dimension is free besides those of five blocks. */
    assert_true(ec_cost_jh_theorem2_printed(4, blocks_of("4-1-1-1-1", order), 32, &steps));
    assert_false(ec_cost_jh_theorem2_corrected(4, blocks_of("4-1-1-1-1", order), 32, &steps));
    /* Few rows, unequal orders: nothing in closed form. No fifth case. */
    assert_false(ec_cost_jh_theorem2(blocks_of("4-1", order), 8, &steps));
    assert_false(ec_cost_jh_multi_pipelined(blocks_of("4-1", order), 8, &steps));
    assert_int_equal(ec_cost_jh_multi_parity(blocks_of("2-2", order), 4), 4); /* two rows */
    assert_int_equal(ec_cost_jh_multi_parity(blocks_of("3-2", order), 8), 6);
    assert_false(ec_cost_jh_theorem2_printed(5, blocks_of("3-1", order), 8, &steps));
    assert_false(ec_cost_jh_theorem1_printed(4, 3, 8, &steps));
    assert_false(ec_cost_jh_aapc_case(4, 4, 4, 2, 8, &steps));
    assert_int_equal(ec_cost_jh_table2_different(blocks_of("3-1", order), 8), 5);
    assert_int_equal(ec_cost_jh_table2_different(blocks_of("3-1", order), 16), 10);
}

/* One block is a case of several. */
static void theorem_2_of_one_block(void **state)
{
    (void)state;
    for (unsigned r = 1; r <= 20; r++) {
        const struct ec_cost_blocks x = {&r, 1};
        for (uint64_t K = 2; K <= 256; K *= 2) {
            uint64_t steps;
            assert_true(ec_cost_jh_theorem2(x, K, &steps));
            assert_int_equal(steps, ec_cost_jh_theorem1(r, K));
        }
    }
}

static void aapc_borders(void **state)
{
    (void)state;
    for (uint64_t beta = 1; beta <= 8; beta++) {
        for (uint64_t r = 1; r * beta <= 64; r++) {
            const uint64_t s = r * beta;
            uint64_t steps[4];
            for (uint64_t K = 2; K <= 512; K += 2) {
                bool applies = false;
                for (unsigned which = 1; which <= 3; which++) {
                    if (!ec_cost_jh_aapc_case(which, s, s, beta, K, &steps[which]))
                        steps[which] = 0;
                    for (unsigned k = 1; k < which; k++) /* where two apply, they agree */
                        assert_true(!steps[k] || !steps[which] || steps[k] == steps[which]);
                    applies = applies || steps[which];
                }
                assert_true(applies);
            }
        }
    }
}

static void real_tables(void **state)
{
    (void)state;
    struct table t = table_open("real-gsh");
    while (table_next(&t)) {
        const unsigned r = table_number(&t, 0), K = table_number(&t, 1);
        assert_int_equal(ec_cost_jh_a1_pipelined(r, K), table_number(&t, 3));
        assert_int_equal(ec_cost_jh_a1_concurrent(r, K), table_number(&t, 4));
        assert_int_equal(ec_cost_jh_a1_packed(r, K), table_number(&t, 5));
        assert_int_equal(ec_cost_jh_a2_n_port(r, K), table_number(&t, 7));
        assert_int_equal(ec_cost_jh_table3_memory(EC_COST_A2_N_PORT, 1, K, 1), table_number(&t, 8));
    }
    assert_int_equal(t.rows, 18);
    t = table_open("real-pairs");
    while (table_next(&t)) {
        const unsigned beta = table_number(&t, 0), K = table_number(&t, 2);
        assert_int_equal(ec_cost_jh_a22(beta, K), table_number(&t, 3));
        assert_int_equal(ec_cost_jh_a22_printed(K), table_number(&t, 4));
        if (K >= 4 * beta)
            assert_int_equal(ec_cost_jh_table3_memory(EC_COST_A22, beta, K, 1),
                             table_number(&t, 5));
    }
    assert_true(t.rows >= 17);
}

static void formulas_of_real_gsh(void **state)
{
    (void)state;
    for (uint64_t r = 2; r <= 12; r++) {
        for (uint64_t K = 2; K <= 96; K += 2) {
            /* No A1 is faster than the packed one; it has (r + 1)K/2 exchanges for r links. */
            assert_true(ec_cost_jh_a1_packed(r, K) <= ec_cost_jh_a1_concurrent(r, K));
            assert_true(ec_cost_jh_a1_concurrent(r, K) <= ec_cost_jh_a1_pipelined(r, K));
            assert_true(ec_cost_jh_a1_packed(r, K) * r >= (r + 1) * (K / 2));
        }
    }
    assert_int_equal(ec_cost_jh_table3_memory(EC_COST_A1_N_PORT, 1, 24, 2), 24);
    assert_int_equal(ec_cost_jh_table3_memory(EC_COST_A1_ONE_PORT, 1, 24, 2), 24);
    assert_int_equal(ec_cost_jh_table3_memory(EC_COST_A22, 1, 4, 1), 6);
    assert_int_equal(ec_cost_jh_aapc_twice_n_port(64), 64);
    assert_int_equal(ec_cost_jh_aapc_twice_one_port(5, 64), 320);
}

/* The longest path of an element, and all hops: the left rotation of `dims` address bits, with the
 * bits in `inverted` inverted; the highest r are real. */
static unsigned farthest(unsigned dims, unsigned r, unsigned inverted, uint64_t *hops)
{
    const unsigned all = (1U << dims) - 1;
    unsigned most = 0;

    *hops = 0;
    for (unsigned a = 0; a <= all; a++) {
        const unsigned to = ((a << 1 | a >> (dims - 1)) & all) ^ inverted;
        const unsigned way = (unsigned)__builtin_popcount((a ^ to) >> (dims - r));
        most = way > most ? way : most;
        *hops += way;
    }
    return most;
}

static void lemma_2(void **state)
{
    uint64_t hops;

    (void)state;
    for (unsigned r = 1; r <= 8; r++) {
        for (unsigned inverted = 0; inverted < 2U << r; inverted++) {
            const unsigned count = (unsigned)__builtin_popcount(inverted);
            if (r >= 2 && inverted < 1U << r) { /* real: one element per node */
                assert_int_equal(ec_cost_jh_startups(r, true, count),
                                 farthest(r, r, inverted, &hops));
                assert_ratio(ec_cost_jh_volume(r, 1), hops, 1);
                assert_int_equal(ec_cost_jh_startups_printed(r, r - count),
                                 ec_cost_jh_startups(r, true, count));
            }
            /* mixed: two */
            assert_int_equal(ec_cost_jh_startups(r, false, count),
                             farthest(r + 1, r, inverted, &hops));
            assert_ratio(ec_cost_jh_volume(r, 2), hops, 1);
        }
    }
    assert_int_equal(ec_cost_jh_startups_printed(1, 1), 0); /* mixed: the true number is 1 */
    assert_ratio(ec_cost_jh_lemma2_n_port(8), 4, 1);
    assert_int_equal(ec_cost_jh_bound_real(8), 5);
}

/* T transfers over four links one way and four the other: elements go one hop or three. */
static void cycle_of_four(void **state)
{
    (void)state;
    for (uint64_t K = 1; K <= 64; K++) {
        uint64_t best = UINT64_MAX;
        for (uint64_t back = 0; back <= K; back++) /* elements that every node sends the long way */
            best = ec_cost_min(best, ec_cost_max(K - back, 3 * back));
        assert_int_equal(ec_cost_jh_cycle4(K), best);
    }
}

static void corollary_2(void **state)
{
    (void)state;
    assert_ratio(ec_cost_jh_corollary2_n_port_printed(1, 256), 576, 1);
    assert_ratio(ec_cost_jh_corollary2_n_port(1, 256), 320, 1);
    assert_ratio(ec_cost_jh_corollary2_n_port_printed(3, 256), 560, 3);
    assert_ratio(ec_cost_jh_corollary2_n_port(3, 256), 496, 3);
    assert_ratio(ec_cost_jh_corollary2_n_port_printed(8, 256), 129, 2);
    assert_ratio(ec_cost_jh_corollary2_n_port(8, 256), 257, 4);
    assert_ratio(ec_cost_jh_corollary2_one_port(4, 0, 256), 480, 1);
    assert_ratio(ec_cost_jh_corollary2_one_port(4, 6, 256), 528, 1);
    for (unsigned e = 1; e <= 8; e++) {
        for (uint64_t K = 256; K <= 1024; K *= 2) { /* against staying in the cube */
            const int than = ec_cost_ratio_compare(ec_cost_jh_corollary2_n_port(e, K),
                                                   ec_cost_jh_lemma2_n_port(K));
            assert_int_equal(than, e <= 3 ? 1 : e == 4 ? 0 : -1);
            assert_int_equal(ec_cost_ratio_compare(ec_cost_jh_corollary2_n_port_printed(e, K),
                                                   ec_cost_jh_corollary2_n_port(e, K)),
                             1);
        }
        assert_int_equal(ec_cost_jh_corollary2_startups(e, 3, true, 0), 2 * e + 2);
        assert_int_equal(ec_cost_jh_corollary2_startups(e, 3, false, 0), 2 * e + 3);
        assert_int_equal(ec_cost_jh_corollary2_startups_printed(e, 3, 3), 2 * e + 2);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the tables of one block hold", one_block),
        TEST("Theorem 1 is the faster of two schedules, and its cases agree", theorem_1),
        TEST("the tables of several blocks hold", several_blocks),
        TEST("case 1 of Theorem 2 is wrong as often as counted", theorem_2_case_1),
        TEST("Theorem 2 of one block is Theorem 1", theorem_2_of_one_block),
        TEST("the cases of the all-to-alls agree where they meet", aapc_borders),
        TEST("the tables of real GSH hold", real_tables),
        TEST("the formulas of real GSH agree", formulas_of_real_gsh),
        TEST("Lemma 2 is the longest path and the sum of all paths", lemma_2),
        TEST("a shift on a cycle of four takes 3K/4", cycle_of_four),
        TEST("Corollary 2 is the cost of three phases", corollary_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
