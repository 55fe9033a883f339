/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of tiny circuits: equal ones, some that differ, one that cannot be decided; and hints
 * when a register matters, right and wrong. */
#include "mutate/equal.h"

#include <stdlib.h>
#include <string.h>

#include "mutate/copies.h"
#include "mutate/miter.h"
#include "netlist/aig.h"
#include "prove/frame.h"
#include "unit.h"

/* Inputs: the mutant's number (one bit) and x. Registers: S, 1 after the first cycle; A, the last
 * x; N, which takes M, which stays 0; a counter of two bits; F, always 1. */
enum { SELECT = 2, X = 4, S = 6, A = 8, N = 10, M = 12, C0 = 14, C1 = 16, F = 18, GATES = 20 };

static void *copy(const void *from, size_t size)
{
    void *to = malloc(size + 1);
    assert_non_null(to);
    memcpy(to, from, size);
    return to;
}

static bool interrupted; /* by the user */

static bool must_stop(void *context)
{
    (void)context;
    return interrupted;
}

/* What is different in a circuit. */
struct circuit {
    uint32_t next, later; /* of A, 0: x; of N, 0: M */
    bool view;            /* A matters only while `care` is 1 */
    uint32_t care;
    bool no_invariants; /* else: N and M are 0 */
};

/* The circuit with these gates and this output. */
static struct ec_equal *open_circuit(const uint32_t (*more)[2], size_t count, uint32_t link,
                                     struct circuit c)
{
    /* GATES: c0 and c1; then the halves of their exclusive or. */
    uint32_t gates[32][2] = {{C1, C0}, {C1 ^ 1, C0 ^ 1}, {(GATES + 2) ^ 1, GATES ^ 1}};
    const uint32_t next[] = {1, c.next ? c.next : X, c.later ? c.later : M, M, C0 ^ 1, GATES + 4,
                             F},
                   outputs[] = {S, link, A, c.care}, broken[] = {N, M};
    const uint8_t start[7] = {[6] = EC_AIG_ONE};
    const struct ec_aig_bit bits[] = {{strdup(MITER_SELECT), 0, 0, true},
                                      {strdup(MITER_LIVE), 0, 0, false},
                                      {strdup(MITER_INSIDE "link"), 1, 0, false},
                                      {strdup(c.view ? MITER_VIEW "a" : "a"), 2, 0, false},
                                      {strdup(MITER_CARE "a"), 3, 0, false}};
    const uint32_t one = 1;
    const struct ec_equal_request q = {
        .seconds = 20, .numbers = &one, .count = 1, .stop = must_stop};
    struct ec_equal *e = NULL;
    memcpy(gates + 3, more, count * sizeof *more);
    struct ec_aig a = {.inputs = 2,
                       .registers = 7,
                       .gates = (uint32_t)count + 3,
                       .outputs = 4,
                       .assertions = c.no_invariants ? 0 : 2,
                       .next = copy(next, sizeof next),
                       .start = copy(start, sizeof start),
                       .output = copy(outputs, sizeof outputs),
                       .assume = copy("", 0),
                       .broken = copy(broken, sizeof broken),
                       .gate = copy(gates, sizeof gates),
                       .bits = copy(bits, sizeof bits),
                       .bit_count = 5};
    assert_int_equal(ec_equal_circuit(&q, &a, &e, NULL), EC_OK);
    return e;
}

static struct ec_equal_result judge(struct ec_equal *e, uint32_t number, double seconds)
{
    struct ec_equal_result r;
    assert_int_equal(ec_equal_judge(e, number, seconds, &r, NULL), EC_OK);
    return r;
}

enum { FIRST = GATES + 6, SECOND = GATES + 8, THIRD = GATES + 10 }; /* the gates of a test */

/* The output is A unless the mutant and N are 1. */
static const uint32_t never[][2] = {{SELECT, N}, {A, FIRST ^ 1}};

static void test_a_defect_that_an_invariant_excludes_is_equivalent(void **state)
{
    (void)state;
    struct ec_equal *e = open_circuit(never, 2, SECOND, (struct circuit){0});
    assert_int_equal(judge(e, 0, 5).verdict, EC_EQUAL_PROVED);
    assert_int_equal(judge(e, 1, 5).verdict, EC_EQUAL_PROVED);
    struct ec_equal_result other; /* it would select nothing */
    assert_int_equal(ec_equal_judge(e, 2, 5, &other, NULL), EC_INTERNAL);
    ec_equal_close(e);
}

static void test_without_the_invariant_it_is_not_decided(void **state)
{
    (void)state;
    struct ec_equal *e = open_circuit(never, 2, SECOND, (struct circuit){.no_invariants = true});
    assert_int_equal(judge(e, 0, 5).verdict, EC_EQUAL_PROVED);
    const struct ec_equal_result r = judge(e, 1, 0.2);
    assert_int_equal(r.verdict, EC_EQUAL_UNKNOWN);
    assert_true(r.cycles > 3);
    assert_non_null(strstr(r.why, "link_o[0]"));
    ec_equal_close(e);
}

/* The output is 0 if the mutant and both bits of the counter are 1. */
static void test_a_difference_is_found_in_its_first_cycle(void **state)
{
    static const uint32_t late[][2] = {{SELECT, GATES}, {A, FIRST ^ 1}};
    (void)state;
    struct ec_equal *e = open_circuit(late, 2, SECOND, (struct circuit){0});
    const struct ec_equal_result r = judge(e, 1, 20);
    assert_int_equal(r.verdict, EC_EQUAL_DIFFERS);
    assert_int_equal(r.cycle, 3); /* the counter begins at 0 */
    assert_string_equal(r.output, "link_o[0]");
    assert_int_equal(judge(e, 0, 5).verdict, EC_EQUAL_PROVED);
    ec_equal_close(e);
}

/* The output is 0 in the mutant while F is 1, which is always. No step makes F 1: that the gate is
 * the same in both would be inductive if the first cycle were not looked at. */
static void test_a_relation_that_does_not_hold_at_first_proves_nothing(void **state)
{
    static const uint32_t always[][2] = {{SELECT, F}, {A, FIRST ^ 1}};
    (void)state;
    struct ec_equal *e = open_circuit(always, 2, SECOND, (struct circuit){0});
    const struct ec_equal_result r = judge(e, 1, 20);
    assert_int_equal(r.verdict, EC_EQUAL_DIFFERS);
    assert_int_equal(r.cycle, 1);
    ec_equal_close(e);
}

/* A of the mutant takes 0 instead of x while the low bit of the counter is 1. N takes A, and the
 * output shows N while this bit is 0: so A matters while it is 1. */
static const uint32_t hidden[][2] = {{SELECT, C0}, {X, FIRST ^ 1}, {N, C0 ^ 1}};

static void test_a_register_that_matters_sometimes_may_differ_otherwise(void **state)
{
    struct circuit c = {.next = SECOND, .later = A, .care = C0, .no_invariants = true};
    (void)state;
    struct ec_equal *e = open_circuit(hidden, 3, THIRD, c);
    assert_int_equal(judge(e, 1, 0.2).verdict, EC_EQUAL_UNKNOWN);
    ec_equal_close(e);
    c.view = true;
    e = open_circuit(hidden, 3, THIRD, c);
    assert_int_equal(judge(e, 1, 5).verdict, EC_EQUAL_PROVED);
    ec_equal_close(e);
}

/* The output is A, which the hint says never matters. */
static void test_a_wrong_hint_proves_nothing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct ec_equal *e = open_circuit(
            hidden, 3, A, (struct circuit){.next = SECOND, .view = true, .care = k ? C0 : 0});
        const struct ec_equal_result r = judge(e, 1, 20);
        assert_int_equal(r.verdict, EC_EQUAL_DIFFERS);
        assert_int_equal(r.cycle, 2); /* the counter is 1 in the cycle before */
        assert_int_equal(judge(e, 0, 5).verdict, EC_EQUAL_PROVED);
        ec_equal_close(e);
    }
}

/* An answer in which x is 1 and all else is 0 shows no difference. Where the low bit of the counter
 * is 1 as well, A differs behind it; but that is no state of a relation in which the gate that
 * reads this bit is equal. */
static void test_variants_of_an_answer_show_differences_behind_states_of_the_relation(void **state)
{
    enum { REGISTERS = 7, GATE = 3 };
    (void)state;
    struct ec_equal *e = open_circuit(
        hidden, 3, THIRD, (struct circuit){.next = SECOND, .later = A, .no_invariants = true});
    for (unsigned k = 0; k < 4; k++) {
        e->seen[k][SELECT / 2] = k >= 2 ? UINT64_MAX : 0;
        e->seen[k][X / 2] = e->seen[k][S / 2] = e->seen[k][F / 2] = UINT64_MAX;
    }
    for (unsigned equal = 0; equal < 2; equal++) {
        bool registers[REGISTERS], gates[6] = {false}, views[1] = {false};
        memset(registers, true, sizeof registers);
        gates[GATE] = equal;
        struct copies_same same = {.registers = registers, .gates = gates, .views = views};
        assert_int_equal(copies_vary(e, &same, 0), 1);
        for (unsigned i = 0; i < REGISTERS; i++)
            assert_int_equal(registers[i], equal || S / 2 + i != A / 2);
        assert_false(gates[GATE]);
    }
    ec_equal_close(e);
}

static void test_an_interrupted_proof_proves_nothing(void **state)
{
    struct ec_equal_result r;
    (void)state;
    struct ec_equal *e = open_circuit(never, 2, SECOND, (struct circuit){0});
    interrupted = true;
    assert_int_equal(ec_equal_judge(e, 1, 5, &r, NULL), EC_INTERRUPTED);
    assert_int_not_equal(r.verdict, EC_EQUAL_PROVED);
    interrupted = false;
    assert_int_equal(judge(e, 1, 5).verdict, EC_EQUAL_PROVED);
    ec_equal_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_defect_that_an_invariant_excludes_is_equivalent),
        cmocka_unit_test(test_without_the_invariant_it_is_not_decided),
        cmocka_unit_test(test_a_difference_is_found_in_its_first_cycle),
        cmocka_unit_test(test_a_relation_that_does_not_hold_at_first_proves_nothing),
        cmocka_unit_test(test_a_register_that_matters_sometimes_may_differ_otherwise),
        cmocka_unit_test(test_a_wrong_hint_proves_nothing),
        cmocka_unit_test(test_variants_of_an_answer_show_differences_behind_states_of_the_relation),
        cmocka_unit_test(test_an_interrupted_proof_proves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
