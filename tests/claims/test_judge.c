/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of verdicts and the errors that make a row fail, tested with rows and experiments
 * written for this. */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/runner.h"
#include "claims/experiment.h"
#include "claims/run.h"
#include "claims/workers.h"

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

/* Judges a row; keeps the note of the finding for the message. */
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

/* Imitate runs on a router without taps and on a router with another pipeline. */
static const struct ec_report blind = {.has_taps = false};
static const struct ec_report foreign = {.has_taps = true,
                                         .checks[EC_CHECK_TIME].verdict = EC_VERDICT_UNCHECKED};

static void true_as_far_as_seen(struct claims_run *run)
{
    const struct claims_seen seen = {.report = &blind};
    true_everywhere(run);
    assert_true(claims_require_uncontended(run, &seen, "no cycle is contended"));
    assert_false(claims_sees_contention(run, &seen));
}

static void true_but_for_its_time(struct claims_run *run)
{
    const struct claims_seen seen = {.report = &foreign, .cycles = 7};
    true_everywhere(run);
    assert_true(claims_sees_contention(run, &seen));
    assert_true(claims_require_predicted(run, &seen, "as predicted"));
}

static void false_without_taps(struct claims_run *run)
{
    const struct claims_seen seen = {.report = &blind};
    claims_sees_contention(run, &seen);
    claims_case(run, false, "i=2");
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

/* Known 1, 2, ... for a bound of 1, with 4 stated, and what the bound excludes. */
static void at_most_as_known(struct claims_run *run)
{
    for (unsigned known = 1; known <= 4; known++)
        claims_at_most(run, known, 1, 4, "known=%u: steps", known);
}

static void at_most_or_open(struct claims_run *run)
{
    at_most_as_known(run);
    claims_at_most(run, 5, 4, 4, "open: steps");
}

static void at_most_unless_excluded(struct claims_run *run)
{
    at_most_or_open(run);
    claims_at_most(run, 6, 5, 4, "excluded: steps");
}

static void less_than_the_bound(struct claims_run *run)
{
    claims_at_most(run, 1, 2, 4, "steps");
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
    claims_measure(run, false, &seen, "cube:3 shift:q=9");
}

/* Each case has one text that is too long; the row would otherwise be as expected. */
static const char *long_text(size_t length)
{
    static char text[1001];
    memset(text, 'x', sizeof text - 1);
    return text + (sizeof text - 1 - length);
}

static void long_case(struct claims_run *run)
{
    claims_case(run, true, "%s", long_text(240));
}

static void long_comparison(struct claims_run *run)
{
    claims_relate(run, 1, CLAIMS_EQ, 2, "%s", long_text(230));
}

static void long_remark(struct claims_run *run)
{
    claims_case(run, true, "case");
    claims_remark(run, "%s", long_text(700));
}

/* Each text fits on its own. */
static void long_note(struct claims_run *run)
{
    claims_case(run, true, "case");
    claims_remark(run, "%s", long_text(690));
}

static void seven_numbers(struct claims_run *run)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    claims_case(run, true, "case");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        claims_measured(run, names[i], i);
}

static void words_that_do_not_fit(struct claims_run *run)
{
    struct claims_seen seen;
    char words[sizeof "cube:3 shift:q=1,m=2"] = "cube:3 shift:q=1";
    claims_case(run, true, "case");
    claims_add(words, sizeof words, ",m=%u", 256);
    claims_measure(run, false, &seen, words);
}

/* A path of a thousand characters to an existing file. */
static void long_words(struct claims_run *run)
{
    char words[1200] = "cube:2 perm:file=" TEST_DATA;
    struct claims_seen seen;
    while (strlen(words) < 1000)
        strcat(words, "/.");
    strcat(words, "/../claims/reverse.csv");
    claims_case(run, claims_measure(run, false, &seen, words), "case");
}

/* Many files, of which the last is missing. */
static void many_files(struct claims_run *run)
{
    struct claims_seen seen;
    claims_case(run, true, "case");
    claims_measure(run, true, &seen, "cube:3 shift:q=1");
}

/* In a worker: counts its sockets, and those that a program it starts would inherit. */
static void sockets(struct claims_run *run)
{
    unsigned count = 0, left_open = 0;
    for (int fd = 3; fd < 64; fd++) {
        struct stat info;
        if (fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode))
            continue;
        count++;
        left_open += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    }
    claims_relate(run, count, CLAIMS_EQ, 1, "sockets");
    claims_relate(run, left_open, CLAIMS_EQ, 0, "sockets for other programs");
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

static void runs_out_of_memory(struct claims_run *run)
{
    run->memory_short = true;
}

/* Every text of a finding is sent as JSON, which is UTF-8. */
static void remarks_other_bytes(struct claims_run *run)
{
    claims_case(run, true, "case");
    claims_remark(run, "\xff");
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void verdicts_follow_from_cases(NO_STATE)
{
    expect(true_everywhere, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, true);
    expect(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1", CLAIMS_REFUTED, true);
    expect(true_if_even, CLAIMS_CONDITIONAL, "i=1", CLAIMS_CONDITIONAL, true);
    expect(equivalent, CLAIMS_UNVERIFIABLE, NULL, CLAIMS_UNVERIFIABLE, true);
}

static void a_damaged_expectation_turns_red(NO_STATE)
{
    expect(true_as_far_as_seen, CLAIMS_HOLDS, NULL, CLAIMS_NOT_RUN, false);
    expect(true_but_for_its_time, CLAIMS_HOLDS, NULL, CLAIMS_NOT_RUN, false);
    expect(false_without_taps, CLAIMS_REFUTED, "i=2", CLAIMS_REFUTED, true);
    expect(true_everywhere, CLAIMS_REFUTED, NULL, CLAIMS_HOLDS, false);
    expect(true_everywhere, CLAIMS_CONDITIONAL, NULL, CLAIMS_HOLDS, false);
    expect(false_from_two, CLAIMS_HOLDS, NULL, CLAIMS_REFUTED, false);
    expect(false_from_two, CLAIMS_REFUTED, "i=3: 3, stated 1", CLAIMS_REFUTED, false);
    expect(false_from_two, CLAIMS_REFUTED, NULL, CLAIMS_REFUTED, false);
    expect(true_if_even, CLAIMS_REFUTED, "i=1", CLAIMS_CONDITIONAL, false);
}

static void a_condition_is_checked_both_ways(NO_STATE)
{
    expect(true_beyond_its_condition, CLAIMS_CONDITIONAL, "i=1", CLAIMS_REFUTED, false);
    expect(true_beyond_its_condition, CLAIMS_REFUTED, "i=1", CLAIMS_REFUTED, false);
    expect(false_within_its_condition, CLAIMS_CONDITIONAL, "i=1", CLAIMS_REFUTED, false);
}

static void an_upper_bound_is_true_false_or_open(NO_STATE)
{
    expect(at_most_as_known, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, true);
    expect(at_most_or_open, CLAIMS_CONDITIONAL, NULL, CLAIMS_CONDITIONAL, true);
    expect(at_most_unless_excluded, CLAIMS_CONDITIONAL,
           "excluded: steps at least: 5, stated at most 4", CLAIMS_CONDITIONAL, true);
    expect(less_than_the_bound, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
    const struct claims_row row = row_of(at_most_or_open, CLAIMS_CONDITIONAL, NULL);
    struct claims_finding f = judged(&row);
    assert_string_equal(f.note,
                        "true in all 4 cases that are decided; open in 1 case, the smallest "
                        "open: steps: 5 known, bound 4, stated 4");
    claims_finding_close(&f);
}

static void what_must_hold_turns_a_row_red_whatever_its_verdict(NO_STATE)
{
    expect(broken_requirement, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
    expect(words_nobody_knows, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
    expect(nothing_tried, CLAIMS_HOLDS, NULL, CLAIMS_NOT_RUN, false);
}

static void the_note_tells_slack_and_counterexample(NO_STATE)
{
    struct claims_row row = row_of(true_everywhere, CLAIMS_HOLDS, NULL);
    struct claims_finding f = judged(&row);
    assert_string_equal(f.note, "true in all 3 cases; bound reached, slack up to 2");
    claims_finding_close(&f);
    row = row_of(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1");
    f = judged(&row);
    assert_string_equal(f.note, "false in 2 of 3 cases; smallest counterexample: i=2: 2, stated 1");
    claims_finding_close(&f);
}

static void what_does_not_fit_turns_a_row_red(NO_STATE)
{
    static void (*const experiments[])(struct claims_run *) = {long_case, long_remark, long_note,
                                                               seven_numbers};
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++) {
        const struct claims_row row = row_of(experiments[i], CLAIMS_HOLDS, NULL);
        struct claims_finding f = judged(&row);
        assert_false(f.as_expected);
        assert_non_null(strstr(f.note, "INVALID: text too long: "));
        claims_finding_close(&f);
    }
    const struct claims_row row = row_of(long_comparison, CLAIMS_REFUTED, NULL);
    struct claims_finding f = judged(&row);
    assert_false(f.as_expected);
    assert_non_null(strstr(f.note, "text too long"));
    claims_finding_close(&f);
}

static void words_of_any_length_are_read_whole(NO_STATE)
{
    const struct claims_row row = row_of(long_words, CLAIMS_HOLDS, NULL);
    struct claims_finding f = judged(&row);
    assert_true(f.as_expected);
    const char *command = json_string_value(json_array_get(f.commands, 0));
    assert_non_null(strstr(command, "/./."));
    assert_non_null(strstr(command, "/reverse.csv"));
    claims_finding_close(&f);
}

static void words_that_were_cut_are_nobody_s(NO_STATE)
{
    expect(words_that_do_not_fit, CLAIMS_HOLDS, NULL, CLAIMS_HOLDS, false);
}

static void all_files_of_a_router_count(NO_STATE)
{
    char files[80 * 200] = TEST_DATA "/cube-loads.csv";
    for (int i = 0; i < 70; i++)
        strcat(files, "," TEST_DATA "/cube-loads.csv");
    strcat(files, ",missing.sv");
    const struct claims_options own = {.rtl = files, .top = "router"};
    const struct claims_row row = row_of(many_files, CLAIMS_HOLDS, NULL);
    struct claims_finding f;
    struct ec_error e;
    assert_int_equal(claims_judge(&row, &own, &f, &e), EC_OK);
    assert_false(f.as_expected);
    const char *command = json_string_value(json_array_get(f.commands, 0));
    assert_non_null(strstr(command, "missing.sv --top router"));
    assert_non_null(strstr(f.note, "missing.sv: No such file"));
    claims_finding_close(&f);
}

static bool go_on(void *context, size_t done, size_t all)
{
    (void)done;
    (void)all;
    return !context;
}

/* If a process is killed, only its own row is lost. */
static void a_dead_process_loses_its_row_only(NO_STATE)
{
    const struct claims_row good = row_of(true_everywhere, CLAIMS_HOLDS, NULL);
    const struct claims_row bad = row_of(dies, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&good, &bad, &good};
    const struct claims_plan plan = {.jobs = 2, .progress = go_on};
    struct claims_finding findings[3];
    struct ec_error e;
    assert_int_equal(claims_judge_all(rows, 3, &quick, &plan, findings, &e), EC_OK);
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

static void the_error_of_a_worker_is_reported(NO_STATE)
{
    const struct claims_row memory = row_of(runs_out_of_memory, CLAIMS_HOLDS, NULL);
    const struct claims_row bytes = row_of(remarks_other_bytes, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&memory, &bytes};
    const struct claims_plan plan = {.jobs = 1, .progress = go_on};
    struct claims_finding findings[2];
    struct ec_error e;
    assert_int_equal(claims_judge_all(rows, 2, &quick, &plan, findings, &e), EC_OK);
    assert_string_equal(findings[0].note, "out of memory while judging test.row");
    assert_string_equal(findings[1].note,
                        "cannot encode the finding: out of memory, or a text is not UTF-8");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(findings[i].verdict, CLAIMS_NOT_RUN);
        assert_false(findings[i].as_expected);
        claims_finding_close(&findings[i]);
    }
}

static unsigned descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 64; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void a_worker_holds_its_own_socket_only(NO_STATE)
{
    const struct claims_row row = row_of(sockets, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&row, &row, &row, &row};
    const struct claims_plan plan = {.jobs = 4, .progress = go_on};
    struct claims_finding findings[4];
    struct ec_error e;
    const unsigned before = descriptors();
    assert_int_equal(claims_judge_all(rows, 4, &quick, &plan, findings, &e), EC_OK);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(findings[i].counterexample, "");
        assert_true(findings[i].as_expected);
        claims_finding_close(&findings[i]);
    }
    assert_int_equal(descriptors(), before);
}

/* There is room for two sockets, then none. */
static void a_socket_too_many_leaves_nothing_behind(NO_STATE)
{
    const struct claims_row endless = row_of(never_ends, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&endless, &endless, &endless, &endless};
    const struct claims_plan plan = {.jobs = 4, .progress = go_on};
    struct claims_finding findings[4];
    struct ec_error e;
    struct rlimit was, now;
    const unsigned before = descriptors();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    now = (struct rlimit){.rlim_cur = before + 3, .rlim_max = was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    const enum ec_code code = claims_judge_all(rows, 4, &quick, &plan, findings, &e);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    assert_int_equal(code, EC_IO);
    assert_non_null(strstr(e.message, "cannot start a worker process"));
    assert_int_equal(descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* and no process */
}

/* Stopping the work ends a list that would otherwise never end. */
static void an_interrupt_ends_all_processes(NO_STATE)
{
    const struct claims_row endless = row_of(never_ends, CLAIMS_HOLDS, NULL);
    const struct claims_row *rows[] = {&endless, &endless};
    bool stop = true;
    const struct claims_plan plan = {.jobs = 2, .progress = go_on, .context = &stop};
    struct claims_finding findings[2];
    struct ec_error e;
    assert_int_equal(claims_judge_all(rows, 2, &quick, &plan, findings, &e), EC_OK);
    assert_null(findings[0].row);
    assert_null(findings[1].row);
}

/* Encoding and decoding do not change a finding. */
static void findings_survive_the_pipe(NO_STATE)
{
    const struct claims_row row = row_of(false_from_two, CLAIMS_REFUTED, "i=2: 2, stated 1");
    struct claims_finding f = judged(&row), g;
    json_t *encoded = claims_finding_encode(&f);
    assert_non_null(encoded);
    assert_true(claims_finding_decode(encoded, &row, &g));
    assert_int_equal(g.verdict, f.verdict);
    assert_int_equal(g.cases, f.cases);
    assert_true(g.as_expected);
    assert_string_equal(g.note, f.note);
    assert_string_equal(g.counterexample, f.counterexample);
    assert_int_equal(json_array_size(g.commands), json_array_size(f.commands));
    json_decref(encoded);
    claims_finding_close(&f);
    claims_finding_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_from_cases),
        cmocka_unit_test(a_damaged_expectation_turns_red),
        cmocka_unit_test(a_condition_is_checked_both_ways),
        cmocka_unit_test(an_upper_bound_is_true_false_or_open),
        cmocka_unit_test(what_must_hold_turns_a_row_red_whatever_its_verdict),
        cmocka_unit_test(the_note_tells_slack_and_counterexample),
        cmocka_unit_test(what_does_not_fit_turns_a_row_red),
        cmocka_unit_test(words_of_any_length_are_read_whole),
        cmocka_unit_test(words_that_were_cut_are_nobody_s),
        cmocka_unit_test(all_files_of_a_router_count),
        cmocka_unit_test(a_dead_process_loses_its_row_only),
        cmocka_unit_test(the_error_of_a_worker_is_reported),
        cmocka_unit_test(a_worker_holds_its_own_socket_only),
        cmocka_unit_test(a_socket_too_many_leaves_nothing_behind),
        cmocka_unit_test(an_interrupt_ends_all_processes),
        cmocka_unit_test(findings_survive_the_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
