/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing the packets of two runs: each packet of one log is lost, longer, or created later. */
#include "unit.h"

#include <string.h>

#include "ecube/compare.h"

enum { PACKETS = 6 };

/* In the order of delivery, which is neither that of nodes nor that of creation. */
static const struct ec_packet_log all[PACKETS] = {
    {.src = 2, .dst = 1, .words = 3, .created = 4, .injected = 5, .delivered = 9},
    {.src = 0, .dst = 1, .words = 1, .created = 7, .injected = 9, .delivered = 12},
    {.src = 0, .dst = 1, .words = 2, .created = 1, .injected = 1, .delivered = 13},
    {.src = 2, .dst = 1, .words = 1, .created = 4, .injected = 8, .delivered = 13},
    {.src = 1, .dst = 0, .words = 5, .created = 2, .injected = 2, .delivered = 20},
    {.src = 0, .dst = 2, .words = 4, .created = 6, .injected = 6, .delivered = 21},
};

/* Compare with a log in which packet `at` has another number of words (0: not delivered), or was
 * created later. */
static struct ec_delivery_comparison compare(size_t at, uint32_t words, uint64_t later,
                                             bool open_loop)
{
    struct ec_packet_log is[2][PACKETS];
    struct ec_delivery_comparison c;
    struct ec_error e;
    size_t count = 0;
    memcpy(is[0], all, sizeof all);
    for (size_t i = 0; i < PACKETS; i++) {
        is[1][count] = all[PACKETS - 1 - i];
        is[1][count].injected += 100; /* these times do not matter */
        is[1][count].delivered += 100;
        if (PACKETS - 1 - i == at) {
            is[1][count].words = words;
            is[1][count].created += later;
        }
        count += is[1][count].words > 0;
    }
    const struct ec_report a = {.packets = PACKETS, .packets_log = is[0]},
                           b = {.packets = count, .packets_log = is[1]};
    assert_int_equal(ec_compare_deliveries(&a, &b, open_loop, &c, &e), EC_OK);
    return c;
}

static void same_packets_are_the_same(void **state)
{
    (void)state;
    for (unsigned open_loop = 0; open_loop < 2; open_loop++) {
        const struct ec_delivery_comparison c = compare(PACKETS, 0, 0, open_loop);
        assert_false(c.found);
        assert_int_equal(c.common, PACKETS);
        assert_int_equal(c.only[0] + c.only[1], 0);
    }
}

static void a_lost_packet_is_a_difference(void **state)
{
    (void)state;
    for (size_t at = 0; at < PACKETS; at++) {
        const struct ec_delivery_comparison c = compare(at, 0, 0, false);
        assert_true(c.found);
        assert_int_equal(c.src, all[at].src);
        assert_int_equal(c.dst, all[at].dst);
        assert_int_equal(c.common + c.only[0], PACKETS);
        assert_int_equal(c.common + c.only[1], PACKETS - 1);
    }
}

/* The last packet of a pair of nodes may not have been sent yet; earlier ones must be there. */
static void only_the_last_ones_may_be_missing_in_open_loop(void **state)
{
    (void)state;
    const bool last[PACKETS] = {false, true, false, true, true, true};
    for (size_t at = 0; at < PACKETS; at++) {
        const struct ec_delivery_comparison c = compare(at, 0, 0, true);
        assert_int_equal(c.found, !last[at]);
        assert_int_equal(c.common, PACKETS - 1 - !last[at]);
        assert_int_equal(c.only[0], 1 + !last[at]);
        assert_int_equal(c.only[1], !last[at]);
    }
}

static void another_length_is_a_difference(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * (size_t)PACKETS; k++) {
        const size_t at = k / 2;
        const struct ec_delivery_comparison c = compare(at, all[at].words + 1, 0, k % 2);
        assert_true(c.found);
        assert_int_equal(c.words[0], all[at].words);
        assert_int_equal(c.words[1], all[at].words + 1);
    }
}

/* In a schedule messages wait for others, so their cycles of creation depend on the router. */
static void another_cycle_of_creation_is_a_difference_in_open_loop(void **state)
{
    (void)state;
    const size_t alone = 4;
    assert_false(compare(alone, all[alone].words, 1, false).found);
    const struct ec_delivery_comparison c = compare(alone, all[alone].words, 1, true);
    assert_true(c.found);
    assert_int_equal(c.created[0], all[alone].created);
    assert_int_equal(c.created[1], all[alone].created + 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the same packets are the same", same_packets_are_the_same),
        TEST("a lost packet is a difference", a_lost_packet_is_a_difference),
        TEST("in open loop only the last ones may be missing, and are counted",
             only_the_last_ones_may_be_missing_in_open_loop),
        TEST("another length is a difference", another_length_is_a_difference),
        TEST("another cycle of creation is a difference in open loop",
             another_cycle_of_creation_is_a_difference_in_open_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
