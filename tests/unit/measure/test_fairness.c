/* SPDX-License-Identifier: Apache-2.0 */
/* Fairness over sources made by hand: who counts, who has least and most, and the index. */
#include "measure/fairness.h"

#include "unit.h"

static void assert_found(struct ec_fairness f, uint32_t sources, double min, uint32_t min_node,
                         double max, uint32_t max_node)
{
    assert_int_equal(f.sources, sources);
    assert_true(f.min == min && f.max == max);
    assert_int_equal(f.min_node, min_node);
    assert_int_equal(f.max_node, max_node);
}

/* Node 0 offers nothing; node 3 offers, but nothing of it arrives. */
static void shares_are_of_what_was_offered(void **state)
{
    static const struct ec_source_use sources[] = {
        {.words = 0, .offered = 0},  {.words = 4, .offered = 4}, {.words = 2, .offered = 4},
        {.words = 0, .offered = 10}, {.words = 6, .offered = 6}, {.words = 0, .offered = 1},
    };
    (void)state;
    const struct ec_fairness f = fairness_of_shares(sources, COUNT(sources));
    assert_found(f, 5, 0, 3, 1, 1);
    assert_int_equal(f.min_ties, 1);
    assert_int_equal(f.max_ties, 1);
    assert_true(f.jain == 2.5 * 2.5 / (5 * 2.25));
}

static void latencies_are_means_of_packets(void **state)
{
    static const struct ec_source_use sources[] = {
        {.packets = 2, .latency = 20}, {.packets = 0, .latency = 0}, {.packets = 1, .latency = 30}};
    (void)state;
    const struct ec_fairness f = fairness_of_latency(sources, COUNT(sources));
    assert_found(f, 2, 10, 0, 30, 2);
    assert_int_equal(f.min_ties + f.max_ties, 0);
    assert_true(f.jain == 40.0 * 40 / (2 * 1000));
    assert_true(fairness_of_latency(sources + 1, 1).sources == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("shares are of what was offered", shares_are_of_what_was_offered),
        TEST("latencies are means of packets", latencies_are_means_of_packets),
    };
    return cmocka_run_group_tests_name("fairness", tests, NULL, NULL);
}
