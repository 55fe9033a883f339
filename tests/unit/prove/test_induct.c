/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about gates and cycles, and which properties of a circuit are inductive. */
#include "prove/induct.h"

#include <string.h>

#include "unit.h"

static struct ec_frames *open_frames(void)
{
    struct ec_frames *f = NULL;
    assert_int_equal(ec_frames_open(NULL, NULL, &f, NULL), EC_OK);
    return f;
}

static void test_gates_are_simplified_and_shared(void **state)
{
    struct ec_frames *f = open_frames();
    (void)state;
    const uint32_t a = ec_frames_bit(f), b = ec_frames_bit(f);
    assert_int_equal(ec_frames_and(f, a, 0), 0);
    assert_int_equal(ec_frames_and(f, 1, a), a);
    assert_int_equal(ec_frames_and(f, a, a ^ 1), 0);
    const uint32_t both = ec_frames_and(f, a, b);
    assert_int_equal(ec_frames_and(f, b, a), both);
    assert_int_equal(ec_frames_and(f, both, a), both);
    assert_int_equal(ec_frames_and(f, both, b ^ 1), 0);
    ec_frames_close(f);
}

static void test_questions_have_answers(void **state)
{
    struct ec_frames *f = open_frames();
    (void)state;
    const uint32_t a = ec_frames_bit(f), b = ec_frames_bit(f), c = ec_frames_bit(f);
    const uint32_t differ =
        ec_frames_and(f, ec_frames_and(f, a, b) ^ 1, ec_frames_and(f, a ^ 1, b ^ 1) ^ 1);
    const uint32_t one[] = {differ, a};
    assert_int_equal(ec_frames_ask(f, one, 2, 10), EC_FRAMES_YES);
    assert_true(ec_frames_value(f, a));
    assert_false(ec_frames_value(f, b));
    assert_true(ec_frames_value(f, b ^ 1));
    const uint32_t none[] = {differ, a, c, b};
    assert_int_equal(ec_frames_ask(f, none, 4, 10), EC_FRAMES_NO);
    const uint32_t any[] = {b};
    ec_frames_require(f, a, any, 1); /* a implies b */
    assert_int_equal(ec_frames_ask(f, one, 2, 10), EC_FRAMES_NO);
    assert_int_equal(ec_frames_ask(f, &differ, 1, 10), EC_FRAMES_YES);
    ec_frames_close(f);
}

/* Registers 1 to 4 behind input x: the first two swap their values, the third takes x, the fourth
 * the third. Each property says that one register is 0. */
static void test_keeps_the_largest_inductive_part(void **state)
{
    enum { X = 2, R1 = 4, R2 = 6, R3 = 8, R4 = 10 };
    uint32_t next[] = {R2, R1, X, R3}, bad[] = {R1, R2, R3, R4};
    uint8_t start[4] = {EC_AIG_ZERO, EC_AIG_ZERO, EC_AIG_ZERO, EC_AIG_ZERO};
    const struct ec_aig a = {.inputs = 1, .registers = 4, .next = next, .start = start};
    const struct ec_induct q = {.aig = &a, .bad = bad, .count = 4, .each = 10, .seconds = 60};
    (void)state;

    bool all[] = {true, true, true, true};
    assert_int_equal(ec_induct(&q, all, NULL), EC_OK);
    assert_true(all[0] && all[1]);
    assert_false(all[2] || all[3]);

    bool alone[] = {true, false, false, false}; /* nothing is said of the second register */
    assert_int_equal(ec_induct(&q, alone, NULL), EC_OK);
    assert_false(alone[0]);

    bool started[] = {true, true, true, true};
    start[1] = EC_AIG_ANY;
    next[2] = R3;
    assert_int_equal(ec_induct(&q, started, NULL), EC_OK);
    assert_false(started[0] || started[1]);
    assert_true(started[2] && started[3]);
}

static void test_assumptions_hold_in_every_cycle(void **state)
{
    enum { X = 2, R = 4 };
    uint32_t next[] = {X}, bad[] = {R}, assume[] = {X ^ 1};
    uint8_t start[] = {EC_AIG_ZERO};
    struct ec_aig a = {.inputs = 1, .registers = 1, .next = next, .start = start, .assume = assume};
    const struct ec_induct q = {.aig = &a, .bad = bad, .count = 1, .each = 10, .seconds = 60};
    bool keep = true;
    (void)state;
    assert_int_equal(ec_induct(&q, &keep, NULL), EC_OK);
    assert_false(keep);
    a.assumptions = 1;
    keep = true;
    assert_int_equal(ec_induct(&q, &keep, NULL), EC_OK);
    assert_true(keep);
}

static bool at_once(void *context)
{
    (void)context;
    return true;
}

static void test_ends_early_without_a_proof(void **state)
{
    enum { R = 2 };
    uint32_t next[] = {R}, bad[] = {R};
    uint8_t start[] = {EC_AIG_ZERO};
    const struct ec_aig a = {.registers = 1, .next = next, .start = start};
    struct ec_induct q = {.aig = &a, .bad = bad, .count = 1, .each = 10, .seconds = 0};
    bool keep = true;
    (void)state;
    assert_int_equal(ec_induct(&q, &keep, NULL), EC_OK);
    assert_false(keep);
    keep = true;
    q.seconds = 60;
    q.stop = at_once;
    assert_int_equal(ec_induct(&q, &keep, NULL), EC_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gates_are_simplified_and_shared),
        cmocka_unit_test(test_questions_have_answers),
        cmocka_unit_test(test_keeps_the_largest_inductive_part),
        cmocka_unit_test(test_assumptions_hold_in_every_cycle),
        cmocka_unit_test(test_ends_early_without_a_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
