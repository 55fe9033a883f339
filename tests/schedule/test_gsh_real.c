/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms for real GSH: steps, memory and placement against tables of exact values and, beyond
 * them, against the formulas of the literature as corrected. */
#include "gsh.h"

#include <stdlib.h>

#include "table.h"

static uint32_t up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Steps and peak memory of one algorithm on a real cycle of r dimensions. */
static void check(unsigned r, uint32_t per_node, unsigned inverted, const char *algorithm,
                  uint32_t steps, uint32_t memory)
{
    char topology[16], text[80];

    snprintf(topology, sizeof topology, "cube:%u", r);
    real_cycle(text, sizeof text, r, per_node, inverted);
    const struct ec_schedule_audit a = audited(topology, text, algorithm);
    if (a.steps != steps || a.peak_memory != memory)
        fail_msg("%s %s: %u steps and %u elements in a node, expected %u and %u", text, algorithm,
                 a.steps, a.peak_memory, steps, memory);
}

static void the_table_of_real_gsh_holds(NO_STATE)
{
    static const char *const names[] = {"a1-one-port", "a1-pipelined", "a1-concurrent",
                                        "a1-packed",   "a2-one-port",  "a2"};
    struct table t = table_open("real-gsh");

    while (table_next(&t)) {
        const unsigned r = table_number(&t, 0), k = table_number(&t, 1);
        for (unsigned i = 0; i < COUNT(names); i++)
            check(r, k, 0, names[i], table_number(&t, 2 + i), i < 4 ? k : table_number(&t, 8));
    }
    assert_int_equal(t.rows, 18);
}

static void formulas_hold_beyond_the_table(NO_STATE)
{
    for (unsigned r = 2; r <= 8; r++) {
        for (uint32_t k = 1; k <= 128; k += k < 20 ? 1 : 18) {
            if ((k << r) > 5000)
                break;
            check(r, k, 0, "a2", r * up(k, r), 2 * k);
            check(r, k, 0, "a2-one-port", r * k, 2 * k);
            if (k % 2)
                continue;
            check(r, k, 0, "a1-one-port", (r + 1) * k / 2, k);
            check(r, k, 0, "a1-pipelined", k / 2 + larger(k / 2, r), k);
            check(r, k, 0, "a1-concurrent", (r + 1) * up(k / 2, r), k);
            check(r, k, 0, "a1-packed", larger(r + 1, up((r + 1) * k, 2 * r)), k);
        }
    }
    check(4, 128, 0, "a1-packed", 80, 128);
    check(8, 64, 0, "a1-packed", 36, 64);
    check(7, 16, 0, "a1-packed", 10, 16);
    check(7, 16, 0, "a1-concurrent", 16, 16);
}

static void inversions_cost_nothing(NO_STATE)
{
    for (unsigned r = 2; r <= 5; r++) {
        for (unsigned inverted = 0; inverted < 1U << r; inverted++) {
            check(r, 12, inverted, "a1-one-port", 6 * (r + 1), 12);
            check(r, 12, inverted, "a1-pipelined", 12, 12);
            check(r, 12, inverted, "a1-concurrent", (r + 1) * up(6, r), 12);
            check(r, 12, inverted, "a1-packed", larger(r + 1, up((r + 1) * 12, 2 * r)), 12);
            /* With an odd number of inversions no node is full in all sequences at once: at best
             * it misses the smallest one. */
            const uint32_t smallest = 12 - (r - 1) * up(12, r);
            const uint32_t missed = __builtin_popcount(inverted) % 2 ? 2 * smallest : 0;
            check(r, 12, inverted, "a2", r * up(12, r), 24 - missed);
            check(r, 12, inverted, "a2-one-port", 12 * r, 24);
        }
    }
}

static void packets_divide_the_start_ups(NO_STATE)
{
    for (unsigned r = 2; r <= 5; r++) {
        for (uint32_t k = 2; k <= 24; k += 2) {
            for (uint32_t b = 1; b <= 7; b++) {
                char name[40];
                const uint32_t rows = up(k, 2 * b);
                snprintf(name, sizeof name, "a1-one-port:block=%u", b);
                check(r, k, 0, name, (r + 1) * rows, k);
                snprintf(name, sizeof name, "a1-pipelined:block=%u", b);
                check(r, k, 0, name, rows + larger(rows, r), k);
                snprintf(name, sizeof name, "a1-concurrent:block=%u", b);
                check(r, k, 0, name, (r + 1) * up(k, 2 * r * b), k);
                snprintf(name, sizeof name, "a1-packed:block=%u", b);
                check(r, k, 0, name, larger(r + 1, up((r + 1) * rows, r)), k);
                snprintf(name, sizeof name, "a2-one-port:block=%u", b);
                check(r, k, 0, name, r * up(k, b), 2 * k);
                snprintf(name, sizeof name, "a2:block=%u", b);
                check(r, k, 0, name, r * up(k, r * b), 2 * k);
            }
        }
    }
}

/* Steps that any schedule needs: by flow, and by the longest way of an element. */
static uint32_t least_steps(unsigned r, bool odd, uint32_t k)
{
    const uint32_t half = UINT32_C(1) << (r - 1), longest = r - (r % 2 != odd);

    return larger(longest, odd ? up((r + 1) * k, 2 * r)
                               : up((r + 1) * ((half - 1) * k + r), r * (2 * half - 1)));
}

/* Elements per node of which whole numbers take each route, and what the busiest link then carries;
 * the steps that the schedule takes beyond the least, for any K. */
static const struct {
    uint32_t unit, busiest, more, more_odd;
} flows[] = {[2] = {2, 1, 0, 1},
             [3] = {21, 12, 1, 1},
             [4] = {48, 28, 1, 2},
             [5] = {155, 90, 2, 1},
             [6] = {324, 186, 1, 2}};

static void routes_of_a_best_flow_come_close_to_the_bound(NO_STATE)
{
    static const uint32_t under[] = {[2] = 2, [3] = 7, [4] = 12, [5] = 31}; /* of the fraction */

    for (unsigned r = 2; r <= 5; r++) {
        for (uint32_t k = under[r]; k <= 128; k += k < 4 * under[r] ? under[r] : 5 * under[r])
            check(r, k, 0, "flow", least_steps(r, false, k), k + r);
    }
    for (unsigned r = 2; r <= 6; r++) {
        for (uint32_t k = 1; k <= 128 && k << r <= 4096; k += k < 30 ? 1 : 13) {
            for (unsigned odd = 0; odd < 2; odd++) {
                char topology[16], text[80];
                snprintf(topology, sizeof topology, "cube:%u", r);
                real_cycle(text, sizeof text, r, k, odd);
                const struct ec_schedule_audit a = audited(topology, text, "flow");
                const uint32_t least = least_steps(r, odd, k);
                if (a.steps < least ||
                    a.steps > least + (odd ? flows[r].more_odd : flows[r].more) ||
                    a.peak_memory > k + r)
                    fail_msg("%s: %u steps, %u elements in a node; the bound is %u", text, a.steps,
                             a.peak_memory, least);
            }
        }
    }
}

static void whole_shares_load_all_links_equally(NO_STATE)
{
    for (unsigned r = 2; r <= 6; r++) {
        char topology[16], text[80];
        const uint32_t k = flows[r].unit;
        snprintf(topology, sizeof topology, "cube:%u", r);
        real_cycle(text, sizeof text, r, k, 0);
        const struct ec_schedule_audit a = audited(topology, text, "flow");
        assert_int_equal(a.max_link_elements, flows[r].busiest);
        assert_int_equal(a.element_hops, (uint64_t)flows[r].busiest * (r << r));
        assert_int_equal(a.steps, least_steps(r, false, k));
    }
    /* Two cubes side by side, inversions by pairs, packets. */
    assert_int_equal(audited("cube:4", "gsh:cycle=8-7-5,K=28", "flow").steps, 17);
    assert_int_equal(audited("cube:3", "gsh:cycle=~7-6-~5,K=28", "flow").steps, 17);
    assert_int_equal(audited("cube:3", "gsh:cycle=7-~6-~5,K=28", "flow").steps, 17);
    assert_int_equal(audited("cube:4", "gsh:cycle=~7-~6-~5-~4,K=12", "flow").steps, 8);
    assert_int_equal(audited("cube:3", "gsh:cycle=7-6-5,K=28", "flow:block=4").steps, 5);
    audited("cube:3", "gsh:cycle=7-6-5,K=31", "flow:block=4");
}

/* b 2-cycles of 2b processor dimensions, as in a bit reversal. */
static struct ec_schedule_audit pairs(unsigned b, uint32_t per_node, bool inverted,
                                      const char *algorithm)
{
    unsigned k = 0;
    char topology[16], text[120];
    size_t used = (size_t)snprintf(text, sizeof text, "gsh:cycle=");

    while (UINT32_C(1) << k < per_node)
        k++;
    for (unsigned i = 0; i < b; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s%u-%s%u", i ? "+" : "",
                             inverted ? "~" : "", k + 2 * b - 1 - i, inverted ? "~" : "", k + i);
    snprintf(text + used, sizeof text - used, ",K=%u", per_node);
    snprintf(topology, sizeof topology, "cube:%u", 2 * b);
    return audited(topology, text, algorithm);
}

static void the_table_of_pairs_holds(NO_STATE)
{
    struct table t = table_open("real-pairs");

    while (table_next(&t)) {
        const struct ec_schedule_audit a =
            pairs(table_number(&t, 0), table_number(&t, 2), false, "a2x2");
        assert_int_equal(a.steps, table_number(&t, 3));
        assert_int_equal(a.peak_memory, table_number(&t, 5));
    }
    assert_int_equal(t.rows, 17);
}

static void pairs_take_half_the_elements_and_one(NO_STATE)
{
    for (unsigned b = 1; b <= 4; b++) {
        for (uint32_t k = 1; k <= 40; k += k < 6 ? 1 : 7) {
            const uint32_t rows = up(k, 2);
            const uint32_t steps = rows >= 2 * b ? rows + 1 : up(rows, b) + 2 * b - 1;
            assert_int_equal(pairs(b, k, false, "a2x2").steps, steps);
            assert_int_equal(pairs(b, k, true, "a2x2").steps, steps);
        }
    }
    for (uint32_t block = 1; block <= 8; block++) {
        char name[24];
        snprintf(name, sizeof name, "a2x2:block=%u", block);
        const struct ec_schedule_audit a = pairs(1, 32, false, name);
        assert_int_equal(a.steps, up(32, 2 * block) + 1);
        assert_int_equal(a.peak_memory, 32 + 2 * block);
        assert_int_equal(pairs(2, 64, false, name).peak_memory, 64 + 4 * block);
    }
}

static void a_shift_on_rings_of_four_takes_three_quarters(NO_STATE)
{
    for (unsigned inverted = 1; inverted <= 2; inverted++) {
        for (uint32_t k = 1; k <= 64; k++) {
            check(2, k, inverted, "cycle4", up(3 * k, 4), k);
            if (k % 4 == 0)
                check(2, k, inverted, "cycle4:block=4", up(3 * k / 4, 4), k);
        }
    }
}

static void inverted_dimensions_are_crossed_once(NO_STATE)
{
    for (unsigned n = 1; n <= 6; n++) {
        for (uint32_t k = 1; k <= 16; k *= 2) {
            char topology[16], text[24];
            snprintf(topology, sizeof topology, "cube:%u", n);
            snprintf(text, sizeof text, "bitcomp:K=%u", k);
            const struct ec_schedule_audit a = audited(topology, text, "crossing");
            assert_int_equal(a.steps, larger(k, n));
            assert_int_equal(a.peak_memory, k);
            assert_int_equal(a.element_hops, (uint64_t)k * n << n);
            const struct ec_schedule_audit one = audited(topology, text, "crossing-one-port");
            assert_int_equal(one.steps, k * n);
            assert_int_equal(one.peak_memory, k);
            assert_int_equal(one.element_hops, a.element_hops);
        }
    }
    assert_int_equal(audited("cube:4", "gsh:cycle=~5+~3,K=7", "crossing").steps, 7);
    assert_int_equal(audited("cube:4", "gsh:cycle=~1,K=4", "crossing").steps, 0);
}

/* Johnsson and Ho's printed rule for step 1 of A2 keeps the elements with old alpha_0 = 0 in half 0
 * and puts those that arrive into half 1. That is right only where alpha_(r-1) is 0: elsewhere the
 * later steps carry them to the wrong node. Here the rule is played by hand, element by element. */
static void the_printed_first_step_of_a2_misplaces(NO_STATE)
{
    for (unsigned r = 2; r <= 6; r++) {
        unsigned wrong = 0, mended = 0;
        for (int printed = 0; printed < 2; printed++) {
            for (uint32_t node = 0; node < 1U << r; node++) {
                const uint32_t last = node >> (r - 1) & 1;
                const bool stays = (node & 1) == last;
                uint32_t v = printed ? !stays : node & 1, at = (node & ~1U) | last;
                for (unsigned i = 1; i < r; i++) {
                    const uint32_t old = at >> i & 1;
                    at = (at & ~(1U << i)) | v << i;
                    v = old;
                }
                const uint32_t target = (node << 1 | node >> (r - 1)) & ((1U << r) - 1);
                *(printed ? &wrong : &mended) += at != target;
            }
        }
        assert_int_equal(wrong, 1U << (r - 1)); /* half of the nodes */
        assert_int_equal(mended, 0);
    }
}

static void what_does_not_apply_is_refused(NO_STATE)
{
    static const struct {
        const char *topology, *workload, *algorithm, *words;
    } cases[] = {
        {"cube:3", "gsh:cycle=2-1-0,K=1", "a1-packed", "even K|K=1|K=2|a2"},
        {"cube:3", "gsh:cycle=5-4-3,K=7", "a1-one-port", "K=7 is odd|K=8"},
        {"cube:3", "gsh:cycle=5-4-3,K=7", "a1-concurrent", "K=7 is odd"},
        {"cube:3", "shuffle:K=4", "a2", "a2: expected one cycle|shuffle:K=4|mixed|best"},
        {"cube:4", "bitrev", "a1-packed", "2 real cycles"},
        {"cube:3", "bitcomp", "a2-one-port", "has none"},
        {"cube:3", "gsh:cycle=1-0+~2", "a2", "inverts dimension 2"},
        {"cube:3", "shift:q=1", "a2", "shift:q=1|address bits on cube:D"},
        {"cube:13", "unshuffle", "flow", "2 to 12|unshuffle:m=1 has 13|a1-packed"},
        {"cube:3", "gsh:cycle=2-1-0", "a2x2", "pairs"},
        {"cube:3", "gsh:cycle=2-~1", "a2x2", "pairs"},
        {"cube:3", "gsh:cycle=2-1+~0", "a2x2", "pairs"},
        {"cube:3", "gsh:cycle=2-1", "cycle4", "one is inverted|a2x2"},
        {"cube:3", "gsh:cycle=2-1-~0", "cycle4", "one is inverted"},
        {"cube:3", "gsh:cycle=2-1+~0", "crossing", "moves none"},
        {"cube:3", "gsh:cycle=2-1", "crossing-one-port", "crossing-one-port|moves none"},
        {"cube:3", "bitrev:rate=0.1", "a2", "rate"},
        {"cube:3", "gsh:cycle=2-1-0", "a2:block=0", "block=0"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = workload_of(cases[i].workload, &t);
        struct ec_schedule *s = NULL;
        struct ec_error error;
        assert_refused(cases[i].algorithm, ec_schedule_open(&t, w, cases[i].algorithm, &s, &error),
                       EC_USAGE, &error, cases[i].words);
        assert_null(s);
        ec_workload_close(w);
    }
}

/* Figure 10: r = 3, K = 2, one row; K = 6, three rows that begin in dimensions of their own. */
static void exchange_tables_are_those_of_figure_10(NO_STATE)
{
    static const uint8_t dims[3][4] = {{3, 4, 5, 3}, {4, 5, 3, 4}, {5, 3, 4, 5}};
    struct ec_topology t = topology_of("cube:3");
    struct ec_workload *w = workload_of("gsh:cycle=5-4-3,K=6", &t);
    struct ec_schedule *s = NULL;

    assert_int_equal(ec_schedule_open(&t, w, "a1-concurrent", &s, NULL), EC_OK);
    assert_int_equal(s->exchange_count, 12);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(s->exchanges[i].row, i / 4);
        assert_int_equal(s->exchanges[i].step, i % 4 + 1);
        assert_int_equal(s->exchanges[i].storage, 0);
        assert_int_equal(s->exchanges[i].processor, dims[i / 4][i % 4]);
    }
    ec_schedule_close(s);
    ec_workload_close(w);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("A1 and A2 take the steps and the memory of the table", the_table_of_real_gsh_holds),
        TEST("A1 and A2 follow their formulas to order 8 and K = 128",
             formulas_hold_beyond_the_table),
        TEST("inversions cost A1 and A2 nothing, whichever they are", inversions_cost_nothing),
        TEST("packets of B elements divide the start-ups as Table 3 says, corrected",
             packets_divide_the_start_ups),
        TEST("the routes of a best flow meet the bound or take up to two steps more",
             routes_of_a_best_flow_come_close_to_the_bound),
        TEST("the routes of a best flow load all links equally",
             whole_shares_load_all_links_equally),
        TEST("pairs of dimensions take the steps and the memory of the table",
             the_table_of_pairs_holds),
        TEST("pairs take K/2 + 1 steps where K >= 4b, and packets cost memory",
             pairs_take_half_the_elements_and_one),
        TEST("a shift on rings of four takes 3K/4 steps, rounded up",
             a_shift_on_rings_of_four_takes_three_quarters),
        TEST("inverted dimensions take max(K, their number) steps",
             inverted_dimensions_are_crossed_once),
        TEST("the first step of A2 as printed misplaces the elements of half of the nodes",
             the_printed_first_step_of_a2_misplaces),
        TEST("an algorithm that does not apply says so in one clear line",
             what_does_not_apply_is_refused),
        TEST("the exchanges of concurrent A1 are those of Figure 10",
             exchange_tables_are_those_of_figure_10),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
