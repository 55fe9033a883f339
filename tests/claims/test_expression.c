/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of the records, and experiments written in records. */
#include <stddef.h>
#include <string.h>

#include "../unit/runner.h"
#include "claims/experiments.h"
#include "claims/expression.h"

static bool value_of(void *context, const char *name, size_t length, int64_t *ret)
{
    (void)context;
    *ret = 7;
    return length == 1 && *name == 'x';
}

static bool call_of(void *context, const char *name, size_t length, const int64_t *arguments,
                    size_t count, int64_t *ret)
{
    (void)context;
    *ret = arguments[0] * 100;
    return length == 7 && strncmp(name, "hundred", 7) == 0 && count == 1;
}

static struct claims_expression expression_of(const char *text)
{
    return (struct claims_expression){.at = text, .value = value_of, .call = call_of};
}

static void expect(const char *text, int64_t expected)
{
    struct claims_expression e = expression_of(text);
    int64_t value;
    if (!claims_evaluate(&e, &value))
        fail_msg("%s: %s", text, e.error);
    if (value != expected)
        fail_msg("%s: %lld", text, (long long)value);
    assert_string_equal(e.at, "");
}

static void expect_refused(const char *text, const char *message)
{
    struct claims_expression e = expression_of(text);
    int64_t value;
    assert_false(claims_evaluate(&e, &value));
    assert_string_equal(e.error, message);
}

static void operators_bind_as_usual(NO_STATE)
{
    expect("1 + 2 * 3", 7);
    expect("(1 + 2) * 3", 9);
    expect("10 - 4 - 3", 3);
    expect("7 / 2 + 7 % 4", 6);
    expect("2 * 3^2", 18);
    expect("-2 + 5", 3);
    expect("1 + 1 == 2", 1);
    expect("1 != 1 or 2 <= 1 or 3 > 2", 1);
    expect("not 1 == 2 and 1 < 2", 1);
    expect("2 >= 3 ? 1 : x", 7);
    expect("min(3, x) + max(3, x) + ones(7) + gamma(12) + log2(9) + gray(3) + xor(5, 1)", 25);
    expect("ceil(7, 2) * hundred(1)", 400);
}

static void ranges_combine_values(NO_STATE)
{
    expect("all(i = 1 .. 3: i < x) + all(i = 1 .. x: i < x)", 1);
    expect("any(i = 1 .. 3: i == 2) + any(i = 1 .. 3: i == 4) + any(i = 2 .. 1: 1)", 1);
    expect("sum(i = -1 .. 3: i) + sum(i = 0 .. 9: i % 2 == 0)", 10);
    expect("most(i = 1 .. 4: i * (4 - i)) * 10 + least(i = 2 .. 4: i % 4 + 1)", 41);
    expect("first(i = 3 .. 5: i > 3) * 10 + first(i = 3 .. 5: i > 8)", 46);
    expect("sum(i = 1 .. 3: sum(j = i .. 3: i * j))", 25);
    expect("0 and all(i = 0 .. 1: unknown)", 0);
    expect("and(6, 3) + bit(8, 3) + rotl(5, 3, 1) + ring(gray(11))", 2 + 1 + 3 + 11);
    expect_refused("sum(i < 3: i)", "expected NAME = FIRST .. LAST: EXPRESSION at 'i < 3: i)'");
    expect_refused("sum(i = 0 .. 3: k)", "no value is called k");
}

static void quick_and_full_values_differ(NO_STATE)
{
    struct claims_expression e = expression_of("[5|12] + 1");
    int64_t value;
    expect("[5|12]", 5);
    e.full = true;
    assert_true(claims_evaluate(&e, &value));
    assert_int_equal(value, 13);
}

static void an_operand_that_does_not_count_is_not_evaluated(NO_STATE)
{
    expect("0 and 1 / 0", 0);
    expect("1 or unknown", 1);
    expect("1 ? 2 : unknown(3)", 2);
    expect("0 ? 1 % 0 : 2", 2);
}

static void errors_name_the_culprit(NO_STATE)
{
    expect_refused("x + y", "no value is called y");
    expect_refused("hundred(1, 2)", "unknown function hundred with 2 arguments");
    expect_refused("1 / (x - 7)", "division by zero");
    expect_refused("(1 + 2", "expected ')' at ''");
    expect_refused("1 + ", "expected a value at ''");
    expect_refused("10^30", "number too large");
    expect_refused("[1|2", "expected [QUICK|FULL] at '[1|2'");
}

static void an_evaluation_ends_where_the_expression_does(NO_STATE)
{
    struct claims_expression e = expression_of("1 + 2 <= x if x > 3");
    enum claims_relation relation;
    int64_t value;
    assert_true(claims_evaluate_sum(&e, &value));
    assert_int_equal(value, 3);
    assert_true(claims_take_relation(&e, &relation));
    assert_int_equal(relation, CLAIMS_LE);
    assert_true(claims_evaluate_sum(&e, &value));
    assert_false(claims_take(&e, "i"));
    assert_true(claims_take(&e, "if"));
}

/* --- Scripts ---------------------------------------------------------------------------------- */

/* Judges a script, one line a pair. */
static struct claims_finding judged(const struct claims_line *script, size_t count,
                                    enum claims_verdict expected, const char *counterexample)
{
    static const char *const forms[] = {"shift_ring(p, q) = min(q, p - q)",
                                        "endless(a) = endless(a + 1)",
                                        "no_end(a) = a b",
                                        "ring: p = 2..16; q = 1..p - 1",
                                        "odd: a as A = 1..16 times 2; b in [1|2, 3] | c = a + b | "
                                        "c % 2 == 1",
                                        NULL};
    const struct claims_options options = {.full = false};
    const struct claims_row row = {.number = 1,
                                   .id = "test.row",
                                   .forms = forms,
                                   .grid = "FIG",
                                   .check = "A",
                                   .remark = "",
                                   .expected = expected,
                                   .counterexample = counterexample,
                                   .experiment = experiment_script,
                                   .script = script,
                                   .script_count = count};
    struct claims_finding f;
    assert_int_equal(claims_judge(&row, &options, &f, NULL), EC_OK);
    f.row = NULL;
    return f;
}

static void a_script_tries_its_grid(NO_STATE)
{
    static const struct claims_line script[] = {
        {"let", "sum = 0", 1},       {"for", "i = 1..3; w in a, b", 2},
        {"let", "sum = sum + i", 3}, {"predict", "twice: 2 * i", 4},
        {"claim", "i <= 2", 5},      {"end", "for", 6},
        {"must", "sum == 12", 7},    {"note", "the sum is {sum}", 8},
    };
    struct claims_finding f = judged(script, 8, CLAIMS_REFUTED, "i=3, a: i: 3, stated at most 2");
    assert_true(f.as_expected);
    assert_int_equal(f.cases, 6);
    assert_string_equal(f.predicted, "twice 2..6");
    assert_non_null(strstr(f.note, "the sum is 12"));
    claims_finding_close(&f);
}

/* a = 1 is left out; then 2, 4, 8, 16, each with b = 1 and i = 1, 2. */
static void a_grid_has_variables_and_a_condition(NO_STATE)
{
    static const struct claims_line script[] = {
        {"for", "odd; i = 1..2", 1},
        {"claim", "c == a + 1", 2},
        {"must", "a < 16 or i < 2", 3},
    };
    struct claims_finding f = judged(script, 2, CLAIMS_HOLDS, NULL);
    assert_true(f.as_expected);
    assert_int_equal(f.cases, 8);
    claims_finding_close(&f);
    f = judged(script, 3, CLAIMS_HOLDS, NULL);
    assert_non_null(strstr(f.note, "A=16, b=1, i=2: a < 16 or i < 2"));
    claims_finding_close(&f);
}

static void a_condition_makes_a_verdict_conditional(NO_STATE)
{
    static const struct claims_line script[] = {
        {"for", "ring", 1},
        {"skip", "p > 4", 2},
        {"audit", "ring:{p} shift:q={q} --algorithm ring", 3},
        {"claim", "steps == q if 2 * q <= p | p={p}, q={q}: steps", 4},
        {"must", "steps == shift_ring(p, q)", 5},
    };
    struct claims_finding f = judged(script, 5, CLAIMS_CONDITIONAL, "p=3, q=2: steps: 1, stated 2");
    assert_true(f.as_expected);
    assert_int_equal(f.cases, 6);
    claims_finding_close(&f);
}

/* The counterexample, the case under the condition, the largest case, the whole row. */
static void commands_show_the_cases_they_are_written_for(NO_STATE)
{
    static const struct claims_line script[] = {
        {"for", "q = 1..2", 1},
        {"audit", "ring:4 shift:q={q} --algorithm ring", 2},
        {"command", "run ring:4 shift:q={q} && draw ring:4 shift:q={q}", 3},
        {"claim", "q == 2 if q > 1 | q={q}", 4},
    };
    static const char *const shown[] = {"ecube run ring:4 shift:q=1 && ecube draw ring:4 shift:q=1",
                                        "ecube run ring:4 shift:q=2 && ecube draw ring:4 shift:q=2",
                                        "ecube audit ring:4 shift:q=2 --algorithm ring",
                                        "ecube claims test.row"};
    struct claims_finding f = judged(script, 4, CLAIMS_CONDITIONAL, "q=1: 1, stated 2");
    assert_true(f.as_expected);
    assert_int_equal(json_array_size(f.commands), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(json_string_value(json_array_get(f.commands, i)), shown[i]);
    claims_finding_close(&f);
}

static void a_script_looks_into_schedules(NO_STATE)
{
    static const struct claims_line script[] = {
        {"let", "each = 1", 1},
        {"for", "q = 3..1 step -1", 2},
        {"audit", "ring:4 shift:q={q}{? q == 2: ,m=8 | ,m=1} --algorithm ring", 3},
        {"must", "sends == 4 * steps and at(0, 3) == 3 and at(steps, 3) == target(3)", 4},
        {"must", "all(i = 0 .. 3: target(i) == to(i) and distance(i, to(i)) == steps)", 5},
        {"must", "element_words == (q == 2 ? 8 : 1) and src(0) == 0 and carried(0, 0) == 0", 6},
        {"gather", "each: steps == 1 | q={q}: {steps} steps, {ratio: steps, 3}", 7},
        {"when", "q == 2", 8},
        {"claim", "0 | never reached elsewhere", 9},
        {"when", "always", 10},
        {"claim", "1", 11},
        {"end", "for", 12},
        {"claim", "each | {each}", 13},
    };
    struct claims_finding f = judged(script, 13, CLAIMS_REFUTED, "never reached elsewhere");
    assert_true(f.as_expected);
    assert_int_equal(f.cases, 5);
    assert_non_null(strstr(f.note, "false in 2 of 5 cases"));
    claims_finding_close(&f);
}

/* All to node 3, lowest dimension first (0x10): the messages of nodes 0 and 1 share a link of
 * dimension 1. The reversal has no such pair. */
static void a_script_makes_maps(NO_STATE)
{
    static const struct claims_line script[] = {
        {"map", "2: 3", 1},
        {"must", "busiest(16, 3, 0) == 2 and busiest(16, 1, 0) == 1 and busiest(1, 1, 3) == 2", 2},
        {"map", "2: xor(was(x), x) until draw(2) == 1", 3},
        {"must", "map(2) == 1 and was(2) == 3 and busiest(16, 3, 0) == 1", 4},
        {"let", "timed = 0", 5},
        {"send", "3", 6},
        {"claim", "messages == 4 and load == 1 and hops == 2", 7},
        {"map", "3: shuffled", 8},
        {"claim", "all(y = 0 .. 7: any(x = 0 .. 7: map(x) == y))", 9},
        {"sdp", "cube:2 gsh:cycle=1-0", 10},
        {"claim", "map(1) == 2 and free_order(0) != free_order(1)", 11},
        {"text", "bits = {bits: 3, 0, 2}, {order: 3, 0}", 12},
        {"note", "{bits}", 13},
    };
    struct claims_finding f = judged(script, 13, CLAIMS_HOLDS, NULL);
    if (!f.as_expected)
        print_error("%s\n", f.note);
    assert_true(f.as_expected);
    assert_non_null(strstr(f.note, "~1-2-0, 1-2-0"));
    claims_finding_close(&f);
}

/* All elements go round a ring; then element 2 alone, so that the others are not placed. */
static void a_script_makes_schedules(NO_STATE)
{
    static const struct claims_line script[] = {
        {"let", "timed = 0", 1},
        {"route", "ring:4 shift:q=3 | 1, 8, 3 | (e + t) % 4", 2},
        {"claim", "valid and steps == 3 and sends == 12 and element_words == 8", 3},
        {"claim", "all(e = 0 .. 3: target(e) == (e + 3) % 4 and at(2, e) == (e + 2) % 4)", 4},
        {"route", "ring:4 shift:q=3 | 1, 8, 3 | e == 2 ? 2 + t : e", 5},
        {"claim", "sends == 3 and target(2) == 1 and not placed", 6},
    };
    struct claims_finding f = judged(script, 6, CLAIMS_HOLDS, NULL);
    if (!f.as_expected)
        print_error("%s\n", f.note);
    assert_true(f.as_expected);
    claims_finding_close(&f);
}

/* Columns and commands leave them out. */
static void a_script_compares_all_schedules(NO_STATE)
{
    static const struct claims_line script[] = {
        {"let", "many = 0, ended = 0", 1},
        {"for", "r = 2..2; a of cube:{r} gsh:cycle=3-2-0,K=4", 2},
        {"aside", "cube:2 gsh:cycle=3-2-0,K=4 --algorithm {a}", 3},
        {"let", "many = many + 1, ended = ended + last", 4},
        {"claim", "valid and across(3) == element_hops and element_hops >= 16", 5},
        {"end", "for", 6},
        {"must", "many >= 3 and ended == 1", 7},
    };
    struct claims_finding f = judged(script, 7, CLAIMS_HOLDS, NULL);
    if (!f.as_expected)
        print_error("%s\n", f.note);
    assert_true(f.as_expected);
    assert_string_equal(f.audited, "");
    assert_int_equal(json_array_size(f.commands), 1);
    claims_finding_close(&f);
}

static void a_wrong_line_turns_a_row_red(NO_STATE)
{
    static const struct {
        struct claims_line line;
        const char *message;
    } cases[] = {
        {{"claim", "stepps == 1", 3}, "test.row, line 3: no value is called stepps"},
        {{"claim", "steps == 1", 3}, "test.row, line 3: no value is called steps"},
        {{"for", "a = 1..9 times 1", 3}, "test.row, line 3: expected GRID, NAME = FIRST .. LAST"},
        {{"for", "hypercube", 3}, "test.row, line 3: expected GRID, NAME = FIRST .. LAST"},
        {{"for", "a of cube:2", 3}, "expected TOPOLOGY WORKLOAD; got cube:2"},
        {{"for", "a of cube:2 shift:q=9", 3}, "cube:2 shift:q=9: "},
        {{"predict", "1 + 1", 3}, "test.row, line 3: expected WHAT: EXPRESSION"},
        {{"let", "a + 1", 3}, "test.row, line 3: expected NAME = EXPRESSION"},
        {{"audit", "ring:4 shift:q=9", 3}, "ecube audit ring:4 shift:q=9"},
        {{"must", "1 == 2", 3}, "1: 1, not 2"},
        {{"gather", "all", 3}, "test.row, line 3: expected NAME: STATEMENT | TEXT"},
        {{"text", "a b", 3}, "test.row, line 3: expected NAME = TEXT"},
        {{"single", "cube:2 0 1", 3},
         "test.row, line 3: expected TOPOLOGY SOURCE DESTINATION WORDS"},
        {{"reverse", "ring:4 shift:q=1", 3}, "test.row, line 3: expected a schedule"},
        {{"refuse", "ring:4 shift:q=1", 3}, "ring:4 shift:q=1 is taken"},
        {{"claim", "at(0, 0) == 1", 3}, "test.row, line 3: unknown function at with 2 arguments"},
        {{"must", "shift_ring(1) == 1", 3}, "unknown function shift_ring with 1 arguments"},
        {{"must", "endless(1) == 1", 3}, "unknown function endless with 1 arguments"},
        {{"must", "no_end(1) == 1", 3}, "test.row, line 3: no_end: unexpected 'b'"},
        {{"command", "run", 3}, "test.row, line 3: 'run': expected WHAT WORDS"},
        {{"route", "ring:4 shift:q=1 | 1, 1, 1", 3},
         "test.row, line 3: expected TOPOLOGY WORKLOAD |"},
        {{"route", "ring:4 shift:q=1 | 1, 1, 0 | e", 3},
         "expected TOPOLOGY WORKLOAD | K, WORDS, STEPS; got 'ring:4 shift:q=1'"},
        {{"map", "10: x", 3}, "test.row, line 3: a map of 10 dimensions: expected 1 to 9"},
        {{"map", "2: x until 0", 3}, "test.row, line 3: no such map in 1000 tries"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claims_finding f = judged(&cases[i].line, 1, CLAIMS_NOT_RUN, NULL);
        assert_false(f.as_expected);
        if (!strstr(f.note, cases[i].message))
            print_error("%s\n", f.note);
        assert_non_null(strstr(f.note, cases[i].message));
        claims_finding_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_usual),
        cmocka_unit_test(ranges_combine_values),
        cmocka_unit_test(quick_and_full_values_differ),
        cmocka_unit_test(an_operand_that_does_not_count_is_not_evaluated),
        cmocka_unit_test(errors_name_the_culprit),
        cmocka_unit_test(an_evaluation_ends_where_the_expression_does),
        cmocka_unit_test(a_script_tries_its_grid),
        cmocka_unit_test(a_grid_has_variables_and_a_condition),
        cmocka_unit_test(a_condition_makes_a_verdict_conditional),
        cmocka_unit_test(commands_show_the_cases_they_are_written_for),
        cmocka_unit_test(a_script_looks_into_schedules),
        cmocka_unit_test(a_script_makes_maps),
        cmocka_unit_test(a_script_makes_schedules),
        cmocka_unit_test(a_script_compares_all_schedules),
        cmocka_unit_test(a_wrong_line_turns_a_row_red),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
