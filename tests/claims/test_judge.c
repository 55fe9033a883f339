/* SPDX-License-Identifier: Apache-2.0 */
/* How verdicts come about, and what turns a row red: rows and experiments made for this. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "experiment.h"
#include "farm.h"

static const struct claims_options quick = {.full = false};

static struct claims_row row_of(void (*experiment)(struct claims_run *),
                                enum claims_verdict expected, const char *counterexample)
{
    return (struct claims_row){.number = 1,
                               .id = "test.row",
                               .place = "here",
                               .statement = "a statement",
                               .grid = "FIG",
                               .check = "A",
                               .relation = "==",
                               .expected = expected,
                               .remark = "",
                               .counterexample = counterexample,
                               .experiment = experiment};
}

/* Judge a row; the finding's note for the message. */
static struct claims_finding judged(const struct claims_row *row)
{
    struct claims_finding f;
    struct ec_error e;
    assert_int_equal(claims_judge(row, &quick, &f, &e), EC_OK);
    return f;
}

static void expect(void (*experiment)(struct claims_run *), enum claims_verdict expected,
                   const char *counterexample, enum claims_verdict verdict, bool as_expected)
{
    const struct claims_row row = row_of(experiment, expected, counterexample);
    struct claims_finding f = judged(&row);
    assert_string_equal(claims_verdict_text(f.verdict), claims_verdict_text(verdict));
    assert_int_equal(f.as_expected, as_expected);
    claims_finding_close(&f);
}

/* --- Experiments ---------------------------------------------------------------------------------
 */

static void true_everywhere(struct claims_run *run)
{
    for (unsigned i = 1; i <= 3; i++)
        claims_relate(run, i, CLAIMS_LE, 3, "i=%u", i);
}

static void false_from_two(struct claims_run *run)
{
    for (unsigned i = 1; i <= 3; i++)
        claims_relate(run, i, CLAIMS_EQ, 1, "i=%u", i);
}

static void true_if_even(struct claims_run *run)
{
    for (unsigned i = 1; i <= 4; i++)
        claims_case_if(run, i % 2 == 0, i % 2 == 0, "i=%u", i);
}

static void true_beyond_its_condition(struct claims_run *run)
{
    for (unsigned i = 1; i <= 4; i++)
        claims_case_if(run, i == 2, i % 2 == 0, "i=%u", i);
}

static void false_within_its_condition(struct claims_run *run)
{
    for (unsigned i = 1; i <= 4; i++)
        claims_case_if(run, i >= 2, i % 2 == 0, "i=%u", i);
}

static void broken_requirement(struct claims_run *run)
{
    claims_case(run, true, "case");
    claims_require_equal(run, 1, 2, "exact value");
}

static void nothing_tried(struct claims_run *run)
{
    claims_predicted(run, "cycles", 1);
}

static void equivalent(struct claims_run *run)
{
    claims_equivalent(run);
    claims_case(run, true, "case");
}

static void words_nobody_knows(struct claims_run *run)
{
    struct claims_seen seen;
    claims_case(run, true, "case");
    claims_audit(run, &seen, "cube:3 shift:q=9");
}

static void dies(struct claims_run *run)
{
    (void)run;
    raise(SIGKILL);
}

static void never_ends(struct claims_run *run)
{
    (void)run;
    for (;;)
        pause();
}

/* --- Tests
 * ----------------------------------------------------------------------------------------- */

static void verdicts_follow_from_cases(void **state)
{
    (void)state;
    expect(true_everywhere, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, true);
    expect(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1", CLAIMS_REFUTED, true);
    expect(true_if_even, CLAIMS_CONDITIONAL, "i=1", CLAIMS_CONDITIONAL, true);
    expect(equivalent, CLAIMS_UNVERIFIABLE, NULL, CLAIMS_UNVERIFIABLE, true);
}

static void a_damaged_expectation_turns_red(void **state)
{
    (void)state;
    expect(true_everywhere, CLAIMS_REFUTED, NULL, CLAIMS_HOLDS, false);
    expect(true_everywhere, CLAIMS_CONDITIONAL, NULL, CLAIMS_HOLDS, false);
    expect(false_from_two, CLAIMS_HOLDS, NULL, CLAIMS_REFUTED, false);
    expect(false_from_two, CLAIMS_REFUTED, "i=3: 3, stated 1", CLAIMS_REFUTED, false);
    expect(false_from_two, CLAIMS_REFUTED, NULL, CLAIMS_REFUTED, false);
    expect(true_if_even, CLAIMS_REFUTED, "i=1", CLAIMS_CONDITIONAL, false);
}

static void a_condition_is_checked_both_ways(void **state)
{
    (void)state;
    expect(true_beyond_its_condition, CLAIMS_CONDITIONAL, "i=1", CLAIMS_REFUTED, false);
    expect(true_beyond_its_condition, CLAIMS_REFUTED, "i=1", CLAIMS_REFUTED, false);
    expect(false_within_its_condition, CLAIMS_CONDITIONAL, "i=1", CLAIMS_REFUTED, false);
}

static void what_must_hold_turns_a_row_red_whatever_its_verdict(void **state)
{
    (void)state;
    expect(broken_requirement, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
    expect(words_nobody_knows, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
    expect(nothing_tried, CLAIMS_HOLDS, NULL, CLAIMS_NOT_RUN, false);
}

static void the_note_tells_slack_and_counterexample(void **state)
{
    (void)state;
    struct claims_row row = row_of(true_everywhere, CLAIMS_HOLDS, NULL);
    struct claims_finding f = judged(&row);
    assert_string_equal(f.note, "true in all 3 cases; bound reached, slack up to 2");
    claims_finding_close(&f);
    row = row_of(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1");
    f = judged(&row);
    assert_string_equal(f.note, "false in 2 of 3 cases; smallest counterexample: i=2: 2, stated 1");
    claims_finding_close(&f);
}

static bool go_on(void *context, size_t done, size_t all)
{
    (void)done;
    (void)all;
    return !context;
}

/* A process that is killed takes its own row with it, and no other. */
static void a_dead_process_loses_its_row_only(void **state)
{
    (void)state;
    const struct claims_row good = row_of(true_everywhere, CLAIMS_HOLDS, NULL);
    const struct claims_row bad = row_of(dies, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&good, &bad, &good};
    const struct claims_farm farm = {.jobs = 2, .progress = go_on};
    struct claims_finding findings[3];
    struct ec_error e;
    assert_int_equal(claims_farm(rows, 3, &quick, &farm, findings, &e), EC_OK);
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(findings[i].row, rows[i]);
        assert_int_equal(findings[i].as_expected, i != 1);
    }
    assert_int_equal(findings[1].verdict, CLAIMS_NOT_RUN);
    assert_non_null(strstr(findings[1].note, "killed by signal 9"));
    assert_int_equal(findings[2].cases, 3);
    for (int i = 0; i < 3; i++)
        claims_finding_close(&findings[i]);
}

/* "No more" ends what would never end. */
static void an_interrupt_ends_all_processes(void **state)
{
    (void)state;
    const struct claims_row endless = row_of(never_ends, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&endless, &endless};
    bool stop = true;
    const struct claims_farm farm = {.jobs = 2, .progress = go_on, .context = &stop};
    struct claims_finding findings[2];
    struct ec_error e;
    assert_int_equal(claims_farm(rows, 2, &quick, &farm, findings, &e), EC_OK);
    assert_null(findings[0].row);
    assert_null(findings[1].row);
}

/* Packed and unpacked a finding is the same. */
static void findings_survive_the_pipe(void **state)
{
    (void)state;
    const struct claims_row row = row_of(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1");
    struct claims_finding f = judged(&row), g;
    json_t *packed = claims_finding_pack(&f);
    assert_non_null(packed);
    assert_true(claims_finding_unpack(packed, &row, &g));
    assert_int_equal(g.verdict, f.verdict);
    assert_int_equal(g.cases, f.cases);
    assert_true(g.as_expected);
    assert_string_equal(g.note, f.note);
    assert_string_equal(g.counterexample, f.counterexample);
    assert_int_equal(json_array_size(g.commands), json_array_size(f.commands));
    json_decref(packed);
    claims_finding_close(&f);
    claims_finding_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_from_cases),
        cmocka_unit_test(a_damaged_expectation_turns_red),
        cmocka_unit_test(a_condition_is_checked_both_ways),
        cmocka_unit_test(what_must_hold_turns_a_row_red_whatever_its_verdict),
        cmocka_unit_test(the_note_tells_slack_and_counterexample),
        cmocka_unit_test(a_dead_process_loses_its_row_only),
        cmocka_unit_test(an_interrupt_ends_all_processes),
        cmocka_unit_test(findings_survive_the_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
