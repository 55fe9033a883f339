/* SPDX-License-Identifier: Apache-2.0 */
/* The extended-cube permutation: every small permutation of a subcube, with every choice of the
 * storage dimensions that stay, in every larger cube. Permutations are made here, dimension by
 * dimension, and the elements are moved here, one by one: the places after each phase, the links
 * and the steps are checked.
 *
 * test_extended DIMS: subcube and extension have so many dimensions together at most. */
#include "extended_case.h"

#include "gsh.h"

static uint32_t up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Steps of the fastest algorithm whose steps cross one link, or the fastest for one port, of the
 * permutation in a subcube. */
static uint32_t inner_steps(const struct permutation *inner, bool one_port)
{
    char topology[16], text[160];
    uint32_t least = UINT32_MAX;
    const struct ec_algorithm_info *a;

    snprintf(topology, sizeof topology, "cube:%u", inner->n);
    if (!extended_text(inner, "", text, sizeof text))
        return 0;
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(text, &t);
    for (size_t i = 1; (a = ec_algorithm_at(i)); i++) {
        struct ec_schedule *s = NULL;
        if (ec_schedule_open(&t, w, a->name, &s, NULL) == EC_OK && !s->routed &&
            !(one_port && s->all_ports) && s->steps < least)
            least = s->steps;
        ec_schedule_close(s);
    }
    ec_workload_close(w);
    return least;
}

/* One permutation, spread over `e` dimensions: Corollary 2 with its parts rounded up. */
static void check(const struct permutation *whole, const struct permutation *inner, unsigned e)
{
    const uint32_t K = whole->per_node, spread = K - (K >> e);
    struct phases all, one;

    extended_follow(whole, e, "extended", &all);
    extended_follow(whole, e, "extended-one-port", &one);
    const uint32_t inner_all = inner_steps(inner, false), inner_one = inner_steps(inner, true);
    if (all.expand + all.compress != 2 * up(spread, e) || all.permute != inner_all ||
        one.expand + one.compress != 2 * spread || one.permute != inner_one ||
        (inner_all && all.expand != all.compress) || (inner_one && one.expand != one.compress)) {
        char text[160];
        extended_text(whole, "", text, sizeof text);
        fail_msg("%s on %u + %u: %u + %u + %u steps, one port %u + %u + %u; permuted in %u and %u",
                 text, whole->n, e, all.expand, all.permute, all.compress, one.expand, one.permute,
                 one.compress, inner_all, inner_one);
    }
}

/* `inner` with the storage dimensions of `mask` put in between, which stay. */
static struct permutation widen(const struct permutation *inner, uint32_t mask, bool inverted)
{
    struct permutation p = {.n = inner->n, .per_node = inner->per_node};
    unsigned number[DIMS_MAX], dims = 0, old = 0;

    for (unsigned d = 0; old < inner->k + inner->n; d++, dims++) {
        if (mask >> d & 1) {
            p.from[d] = d;
            p.inverted[d] = inverted;
            p.per_node *= 2;
        } else {
            number[old++] = d;
        }
    }
    for (unsigned d = 0; d < old; d++) {
        p.from[number[d]] = number[inner->from[d]];
        p.inverted[number[d]] = inner->inverted[d];
    }
    p.k = dims - p.n;
    return p;
}

/* Permutation number `index` of m! . */
static void number_to_order(unsigned index, unsigned m, unsigned *ret)
{
    for (unsigned i = 0; i < m; i++) {
        const unsigned j = index % (i + 1);
        index /= i + 1;
        ret[i] = i;
        ret[i] = ret[j];
        ret[j] = i;
    }
}

static unsigned factorial(unsigned m)
{
    return m < 2 ? 1 : m * factorial(m - 1);
}

/* All orders, all inversions of `inner` (k, n given), all places of the e dimensions that stay. */
static unsigned check_all(unsigned k, unsigned n, unsigned e)
{
    const unsigned m = k + n;
    unsigned seen = 0;

    for (unsigned index = 0; index < factorial(m); index++) {
        for (unsigned inverted = 0; inverted < 1U << m; inverted++) {
            struct permutation inner = {.k = k, .n = n, .per_node = 1U << k};
            bool moves = false;
            number_to_order(index, m, inner.from);
            for (unsigned d = 0; d < m; d++) {
                inner.inverted[d] = inverted >> d & 1;
                moves = moves || inner.inverted[d] || inner.from[d] != d;
            }
            for (uint32_t mask = 0; moves && mask < 1U << (k + e); mask++) {
                if ((unsigned)__builtin_popcount(mask) != e)
                    continue;
                const struct permutation whole = widen(&inner, mask, index & 1);
                check(&whole, &inner, e);
                seen++;
            }
        }
    }
    return seen;
}

static unsigned dims_most;

static void every_small_permutation_of_every_subcube(NO_STATE)
{
    unsigned seen = 0;

    for (unsigned n = 1; n < dims_most; n++) {
        for (unsigned e = 1; n + e <= dims_most; e++) {
            for (unsigned k = 0; k + n <= dims_most - 1 && k + n + e <= dims_most + 1; k++)
                seen += check_all(k, n, e);
        }
    }
    assert_true(seen > 700);
}

/* Dimensions 0, k, k + 1, ..., k + n - 1 shifted left, K = 2^k. */
static struct permutation mixed_cycle(unsigned n, unsigned k)
{
    struct permutation p = {.k = k, .n = n, .per_node = 1U << k};

    for (unsigned d = 0; d < k + n; d++)
        p.from[d] = d < k ? d : d - 1;
    p.from[k] = 0;
    p.from[0] = k + n - 1;
    return p;
}

/* Corollary 2 in numbers: one port as printed, 2(K - K/2^e) + sigma_r K/2^(e+1); all ports never
 * below 2(K - K/2^e)/e + K/2^(e+1), and above it only by rounding up and by the one step that
 * elements need beyond K/2. */
static void steps_of_corollary_2(NO_STATE)
{
    for (unsigned n = 2; n <= 3; n++) {
        for (unsigned e = 1; e + n <= 7; e++) {
            for (unsigned k = e + 1; k <= e + 5; k++) {
                const uint32_t K = 1U << k, each = K >> e;
                const struct permutation p = mixed_cycle(n, k);
                struct phases all, one;
                extended_follow(&p, e, "extended", &all);
                extended_follow(&p, e, "extended-one-port", &one);
                const uint32_t steps = all.expand + all.permute + all.compress;
                const uint32_t sent = 4 * (K << e) - 4 * K; /* 2(K - K/2^e) in 1/2^(e+1) */
                assert_int_equal(one.expand + one.permute + one.compress,
                                 (sent + n * K) >> (e + 1));
                assert_int_equal(one.permute, n * each / 2);
                assert_int_equal(all.expand, up(K - each, e));
                if (each % 4 == 0 && each >= 2 * n)
                    assert_int_equal(all.permute, each / 2 + 1);
                if ((uint64_t)steps * e << (e + 1) < sent + (uint64_t)K * e)
                    fail_msg("n = %u, e = %u, K = %u: %u steps", n, e, K, steps);
            }
        }
    }
}

/* The printed first term is not a bound: for e = 1 and K = 4 it requires 9 steps. */
static void the_printed_bound_is_undercut(NO_STATE)
{
    const struct permutation p = mixed_cycle(2, 2);
    struct phases all;

    extended_follow(&p, 1, "extended", &all);
    assert_int_equal(all.expand, 2);
    assert_int_equal(all.permute, 2);
    assert_int_equal(all.compress, 2);
}

/* No link of a node rests before the last step, to the largest cubes: ceil((K - K/2^e)/e). */
static void all_links_of_a_node_are_at_work(NO_STATE)
{
    for (unsigned e = 1; e <= 10; e++) {
        for (unsigned k = e; k < e + 3 && k < 13; k++) {
            struct permutation p = {.k = k, .n = 1, .per_node = 1U << k};
            struct phases all;
            for (unsigned d = 0; d <= k; d++)
                p.from[d] = d;
            p.inverted[k] = true;
            extended_follow(&p, e, "extended", &all);
            assert_int_equal(all.expand, up(p.per_node - (p.per_node >> e), e));
            assert_int_equal(all.compress, all.expand);
            assert_int_equal(all.permute, p.per_node >> e);
        }
    }
}

/* One packet of B elements at a time over a link; nothing else changes. */
static void packets_divide_the_steps(NO_STATE)
{
    for (unsigned e = 1; e <= 4; e++) {
        for (uint32_t block = 1; block <= 9; block++) {
            const struct permutation p = mixed_cycle(2, e + 4);
            const uint32_t each = 16;
            uint32_t halves = 0;
            char name[40];
            struct phases all, one;
            snprintf(name, sizeof name, "extended:block=%u", block);
            extended_follow(&p, e, name, &all);
            snprintf(name, sizeof name, "extended-one-port:block=%u", block);
            extended_follow(&p, e, name, &one);
            for (unsigned d = 0; d < e; d++)
                halves += up(each << d, block);
            assert_int_equal(one.expand, halves);
            assert_int_equal(one.permute, 2 * up(each, 2 * block));
            const uint32_t least = up(up((each << e) - each, e), block);
            if (all.expand < least || all.expand > larger(least, e))
                fail_msg("e = %u, B = %u: %u steps, at least %u", e, block, all.expand, least);
        }
    }
}

/* K need not be a power of two, if all slots of the dimensions that stay exist. */
static void any_multiple_of_the_nodes_that_it_is_spread_over(NO_STATE)
{
    for (uint32_t K = 2; K <= 40; K += 2) {
        char text[40];
        const unsigned e = K % 8 == 0 ? 3 : K % 4 == 0 ? 2 : 1;
        unsigned k = 0;
        while (1U << k < K)
            k++;
        snprintf(text, sizeof text, "gsh:cycle=%u-%u,K=%u,sub=2", k, k + 1, K);
        const char *const topology[] = {"cube:3", "cube:4", "cube:5"};
        const uint32_t each = K >> e;
        const struct ec_schedule_audit one = audited(topology[e - 1], text, "extended-one-port"),
                                       all = audited(topology[e - 1], text, "extended");
        if (each % 2 == 0)
            assert_int_equal(one.steps, 2 * (K - each) + 3 * each / 2);
        assert_int_equal(all.steps, 2 * up(K - each, e) + each / 2 + 1 + each % 2);
    }
}

/* By Corollary 2 expanding pays from e = 5 on; the same holds for indivisible elements and K = 64.
 */
static void best_expands_where_that_is_faster(NO_STATE)
{
    for (unsigned e = 1; e <= 7; e++) {
        const struct permutation p = mixed_cycle(2, 8);
        char topology[16], text[80];
        struct phases all;
        const uint32_t extends = extended_follow(&p, e, "extended", &all).steps;
        snprintf(topology, sizeof topology, "cube:%u", 2 + e);
        assert_true(extended_text(&p, ",sub=2", text, sizeof text));
        assert_int_equal(audited(topology, text, "parity").steps, 129);
        const uint32_t least = audited(topology, text, "best").steps;
        assert_int_equal(least, extends < 129 ? extends : 129);
        assert_int_equal(least < 129, e >= 5);
    }
}

static void what_cannot_be_spread_is_refused(NO_STATE)
{
    static const struct {
        const char *topology, *workload, *words;
    } cases[] = {
        {"cube:3", "gsh:cycle=2-1,K=2", "some in every node|sub=N"},
        {"cube:3", "gsh:cycle=2-1,K=2,sub=3", "some in every node"},
        {"cube:3", "gsh:cycle=0-1,sub=2", "1 storage dimension |K=1 has 0|2^1"},
        {"cube:4", "gsh:cycle=1-2,K=2,sub=2", "2 storage dimensions |K=2 has 1|2^2"},
        {"cube:3", "gsh:cycle=2-3,K=3,sub=2", "K=3 has 0|2^1"},
        {"cube:3", "gsh:cycle=2-0,K=2,sub=2", "does not move|K=2 has 0|2^2"},
        {"cube:4", "shuffle:K=16,sub=2", "K=16 has 0|2^6"},
        {"cube:3", "shift:q=1", "address bits on cube:D"},
    };
    static const char *const names[] = {"extended", "extended-one-port"};

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t k = 0; k < COUNT(names); k++) {
            const struct ec_topology t = topology_of(cases[i].topology);
            struct ec_workload *w = workload_of(cases[i].workload, &t);
            struct ec_schedule *s = NULL;
            struct ec_error error;
            assert_refused(cases[i].workload, ec_schedule_open(&t, w, names[k], &s, &error),
                           EC_USAGE, &error, cases[i].words);
            assert_non_null(strstr(error.message, names[k]));
            assert_null(s);
            ec_workload_close(w);
        }
    }
}

/* Algorithms without support for subcubes work in one as in a whole cube. */
static void others_stay_in_the_subcube(NO_STATE)
{
    static const char *const names[] = {"pipelined", "parity", "cycles", "aapc-twice", "best"};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct ec_topology small = topology_of("cube:3"), large = topology_of("cube:5");
        struct ec_workload *in_small = workload_of("gsh:cycle=6-5-4-0,K=16", &small);
        struct ec_workload *in_large = workload_of("gsh:cycle=6-5-4-0,K=16,sub=3", &large);
        struct ec_schedule *a, *b;
        assert_int_equal(ec_schedule_open(&small, in_small, names[i], &a, NULL), EC_OK);
        assert_int_equal(ec_schedule_open(&large, in_large, names[i], &b, NULL), EC_OK);
        assert_int_equal(b->nodes, 32);
        assert_int_equal(a->steps, b->steps);
        assert_int_equal(a->transfer_count, b->transfer_count);
        assert_memory_equal(a->transfers, b->transfers, a->transfer_count * sizeof *a->transfers);
        assert_int_equal(a->carried_count, b->carried_count);
        assert_memory_equal(a->carried, b->carried, a->carried_count * sizeof *a->carried);
        audited("cube:5", "gsh:cycle=6-5-4-0,K=16,sub=3", names[i]);
        ec_schedule_close(a);
        ec_schedule_close(b);
        ec_workload_close(in_small);
        ec_workload_close(in_large);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST("every small permutation of every subcube, whichever dimensions stay",
             every_small_permutation_of_every_subcube),
        TEST("expand, permute and compress take the steps of Corollary 2", steps_of_corollary_2),
        TEST("all links of a node are at work until it has sent all",
             all_links_of_a_node_are_at_work),
        TEST("the bound that is printed is undercut", the_printed_bound_is_undercut),
        TEST("packets of B elements divide the steps", packets_divide_the_steps),
        TEST("K need not be a power of two", any_multiple_of_the_nodes_that_it_is_spread_over),
        TEST("best expands where that is faster", best_expands_where_that_is_faster),
        TEST("workloads that cannot be spread are refused in one line",
             what_cannot_be_spread_is_refused),
        TEST("other algorithms stay in the subcube", others_stay_in_the_subcube),
    };

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIMS\n", argv[0]);
        return 2;
    }
    dims_most = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
