/* SPDX-License-Identifier: Apache-2.0 */
/* Results as a program that uses the library gets them: endings, the JSON of a run and of an audit.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/result.h"

static struct ec_case *open_case(const char *topology, const char *workload)
{
    struct ec_case_spec spec = ec_case_spec_default();
    struct ec_case *c;
    struct ec_error e;
    spec.topology = topology;
    spec.workload = workload;
    if (ec_case_open(NULL, &spec, &c, &e) != EC_OK)
        fail_msg("%s", e.message);
    return c;
}

static struct ec_report report_of(enum ec_outcome outcome, unsigned check, enum ec_verdict verdict)
{
    struct ec_report report = {.outcome = outcome, .passed = verdict != EC_VERDICT_FAIL};
    report.checks[check].verdict = verdict;
    return report;
}

static void the_ending_is_the_worst_that_happened(void **state)
{
    static const struct {
        const char *name, *expected; /* alone, and if a check of the caller fails */
        enum ec_outcome outcome;
        unsigned check;
        enum ec_verdict verdict;
    } rows[] = {
        {"pass", "fail", EC_RUN_FINISHED, EC_CHECK_TIME, EC_VERDICT_PASS},
        {"fail", "fail", EC_RUN_FINISHED, EC_CHECK_TIME, EC_VERDICT_FAIL},
        {"too short", "fail", EC_RUN_FINISHED, EC_CHECK_STABILITY, EC_VERDICT_FAIL},
        {"deadlock", "deadlock", EC_RUN_DEADLOCK, EC_CHECK_PROGRESS, EC_VERDICT_FAIL},
        {"stopped", "fail", EC_RUN_LIMIT, EC_CHECK_TIME, EC_VERDICT_NONE},
        {"fail", "fail", EC_RUN_LIMIT, EC_CHECK_LEDGER, EC_VERDICT_FAIL},
        {"partial", "partial", EC_RUN_INTERRUPTED, EC_CHECK_TIME, EC_VERDICT_NONE},
        {"fail", "fail", EC_RUN_BROKEN, EC_CHECK_RTL, EC_VERDICT_FAIL},
    };
    const struct ec_check failed = {.verdict = EC_VERDICT_FAIL};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_report r = report_of(rows[i].outcome, rows[i].check, rows[i].verdict);
        assert_string_equal(ec_ending_name(ec_report_ending(&r, NULL)), rows[i].name);
        assert_string_equal(ec_ending_name(ec_report_ending(&r, &failed)), rows[i].expected);
    }
    struct ec_report r = report_of(EC_RUN_FINISHED, EC_CHECK_STABILITY, EC_VERDICT_FAIL);
    r.steady = EC_STEADY_GROWS;
    assert_string_equal(ec_ending_name(ec_report_ending(&r, NULL)), "unstable");
}

/* The object has these texts, in this order, on one line. */
static void has(const char *json, const char *const *texts, size_t count)
{
    const char *at = json;
    for (size_t i = 0; i < count; i++) {
        at = strstr(at, texts[i]);
        if (!at)
            fail_msg("%s is missing, or not in its place: %s", texts[i], json);
    }
    assert_ptr_equal(strchr(json, '\n'), json + strlen(json) - 1);
}

static void a_run_whose_process_died_has_a_record(void **state)
{
    static const char *const texts[] = {"{\"topology\":\"ring:4\",",
                                        "\"verdict\":\"fail\",",
                                        "\"detail\":\"signal 11\"",
                                        "\"cycles\":null",
                                        "\"command\":\"mine\"",
                                        "\"schema\":\"ecube-run-",
                                        "\"links\":null",
                                        "\"deadlock_possible\":\"no\""};
    struct ec_case *c = open_case("ring:4", "shift:q=1");
    const struct ec_result_details details = {.command = "mine"};
    struct ec_report *report;
    struct ec_error e;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    assert_int_equal(ec_report_of_death("signal 11", &report, &e), EC_OK);
    assert_int_equal(ec_report_json(c, report, &details, true, out, &e), EC_OK);
    fclose(out);
    has(text, texts, COUNT(texts));
    free(text);
    ec_report_close(report);
    ec_case_close(c);
}

static void an_audit_has_a_record(void **state)
{
    static const char *const texts[] = {
        "\"topology\":\"cube:6\"", "\"congestion_free\":false", "\"witness\":{\"channel\":",
        "\"deadlock_free\":true",  "\"verdict\":\"pass\"",      "\"command\":null",
        "\"bit_loads\":["};
    struct ec_case *c = open_case("cube:6", "bitrev:m=8");
    struct ec_proofs *p;
    struct ec_error e;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    assert_int_equal(ec_proofs_open(c, &p, &e), EC_OK);
    assert_true(ec_proofs_hold(c, p));
    assert_int_equal(ec_audit_json(c, p, NULL, true, out, &e), EC_OK);
    fclose(out);
    has(text, texts, COUNT(texts));
    free(text);
    ec_proofs_close(p);
    ec_case_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the ending of a run is the worst that happened",
             the_ending_is_the_worst_that_happened),
        TEST("a run whose process died has a record", a_run_whose_process_died_has_a_record),
        TEST("an audit has a record", an_audit_has_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
