/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: parsing of cases, reuse between cases, and the path from text to a report. */
#include <string.h>

#include "rig.h"

static struct ec_session *open_session(void)
{
    struct ec_session *s = NULL;
    struct ec_error error;
    if (ec_session_open(NULL, &s, &error) != EC_OK)
        fail_msg("%s", error.message);
    return s;
}

static struct ec_case *open_case(struct ec_session *s, const struct ec_case_spec *spec)
{
    struct ec_case *c = NULL;
    struct ec_error error;
    if (ec_case_open(s, spec, &c, &error) != EC_OK)
        fail_msg("%s", error.message);
    return c;
}

static struct ec_net *net_of(const struct ec_case *c)
{
    struct ec_net *net = NULL;
    struct ec_error error;
    if (ec_case_net(c, &net, &error) != EC_OK)
        fail_msg("%s", error.message);
    return net;
}

static struct ec_report *run(struct ec_case *c)
{
    struct ec_report *report = NULL;
    struct ec_error error;
    if (ec_case_run(c, NULL, &report, &error) != EC_OK)
        fail_msg("%s", error.message);
    return report;
}

static struct ec_case_spec spec_of(const char *topology, const char *workload)
{
    struct ec_case_spec spec = ec_case_spec_default();
    spec.topology = topology;
    spec.workload = workload;
    return spec;
}

/* Each word is right, but not with the others. */
static void words_that_do_not_fit_are_refused(NO_STATE)
{
    static const struct {
        struct ec_case_spec spec;
        const char *says;
    } rows[] = {
        {{.has_warmup = true, .warmup = 5}, "--warmup requires an open-loop workload"},
        {{.has_sync = true, .sync = EC_SYNC_DATA}, "--sync needs --algorithm NAME"},
        {{.local_cost = 1}, "--local-cost needs --algorithm NAME"},
        {{.topology = "shift:q=1", .workload = "cube:3"}, "did you mean 'cube:3 shift:q=1'?"},
        {{.topology = "cube:4",
          .workload = "transpose:K=16",
          .algorithm = "pipelined",
          .router = "ports=one"},
         "set ports=all"},
    };
    struct ec_error error = {.code = EC_OK};
    struct ec_case *c = NULL;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_case_spec spec = rows[i].spec;
        spec.topology = spec.topology ? spec.topology : "cube:3";
        spec.workload = spec.workload ? spec.workload : "shift:q=1";
        assert_int_equal(ec_case_open(NULL, &spec, &c, &error), EC_USAGE);
        if (!strstr(error.message, rows[i].says))
            fail_msg("%s %s: '%s' does not say '%s'", spec.topology, spec.workload, error.message,
                     rows[i].says);
    }
    struct ec_case_spec spec = spec_of("cube:3", "uniform:rate=0.1");
    spec.precision = 0.05;
    spec.has_warmup = true;
    assert_int_equal(ec_case_open(NULL, &spec, &c, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "--precision and --warmup"));
    spec.workload = "shift:q=1";
    spec.has_warmup = false;
    assert_int_equal(ec_case_open(NULL, &spec, &c, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "--precision requires an open-loop workload"));
}

static void a_run_is_split_as_its_network_allows(NO_STATE)
{
    static const struct {
        uint32_t threads;
        enum ec_backend backend;
        uint32_t expected; /* parts; 0: refused */
        const char *says;
    } rows[] = {
        {0, EC_BACKEND_TILES, 1, NULL},
        {3, EC_BACKEND_TILES, 3, NULL},
        {99, EC_BACKEND_TILES, 8, NULL},
        {2, EC_BACKEND_FLAT, 0, "'flat' is one model of the whole network"},
        {2, EC_BACKEND_SYSTEMC, 0, "'systemc' is one model of the whole network"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_case_spec spec = spec_of("cube:3", "shift:q=1");
        struct ec_case_split split = {0};
        struct ec_error error;
        spec.threads = rows[i].threads;
        spec.backend = rows[i].backend;
        struct ec_case *c = NULL;
        enum ec_code code = ec_case_open(NULL, &spec, &c, &error);
        if (code == EC_OK)
            code = ec_case_split(c, &split, &error);
        assert_int_equal(code, rows[i].expected ? EC_OK : EC_USAGE);
        assert_int_equal(split.parts, rows[i].expected);
        if (rows[i].says && !strstr(error.message, rows[i].says))
            fail_msg("'%s' does not say '%s'", error.message, rows[i].says);
        ec_case_close(c);
    }
}

/* --- Networks --------------------------------------------------------------------------------- */

static void a_network_is_kept_while_nothing_differs(NO_STATE)
{
    const struct ec_case_spec one = spec_of("cube:3", "shift:q=5,m=8");
    struct ec_case_spec two = spec_of("cube:3", "bitcomp:m=8"), other = one;
    struct ec_session *s = open_session();
    struct ec_case *a = open_case(s, &one), *b = open_case(s, &two);
    other.no_sleep = true;
    struct ec_net *kept = net_of(a);
    assert_ptr_equal(net_of(b), kept); /* other traffic, the same routers */
    const struct ec_case on = ec_case_on(a, &one, 1);
    assert_ptr_not_equal(net_of(&on), kept);
    assert_ptr_equal(net_of(a), kept); /* a side has its own */
    struct ec_case *c = open_case(s, &other);
    assert_ptr_equal(net_of(c)->topology, kept->topology); /* the same address, but a new object */
    ec_case_close(c);
    ec_case_close(b);
    ec_case_close(a);
    ec_session_close(s);
}

static void a_case_without_a_workload_has_a_network(NO_STATE)
{
    struct ec_case_spec spec = spec_of("torus:4x4", NULL);
    struct ec_session *s = open_session();
    spec.longest = 20;
    struct ec_case *c = open_case(s, &spec);
    assert_null(c->workload);
    assert_int_equal(c->router.packet, 20);
    assert_int_equal(net_of(c)->topology->nodes, 16);
    ec_case_close(c);
    ec_session_close(s);
}

static void a_case_without_a_session_is_not_run(NO_STATE)
{
    static const struct ec_wave_options wave = {.path = "wave.fst"};
    const struct ec_case_spec spec = spec_of("cube:3", "shift:q=5,m=8");
    const struct ec_failure_options *const waves[2] = {NULL, NULL};
    struct ec_case *c = open_case(NULL, &spec);
    struct ec_comparison *comparison;
    struct ec_report *report;
    struct ec_shape *shape;
    struct ec_wave *w;
    struct ec_net *net;
    struct ec_error error[5];
    assert_int_equal(ec_case_run(c, NULL, &report, &error[0]), EC_USAGE);
    assert_int_equal(ec_case_net(c, &net, &error[1]), EC_USAGE);
    assert_int_equal(ec_case_shape(c, &shape, &error[2]), EC_USAGE);
    assert_int_equal(ec_case_wave(c, &wave, &w, &error[3]), EC_USAGE);
    assert_int_equal(ec_case_compare(c, c, waves, &comparison, &error[4]), EC_USAGE);
    for (size_t i = 0; i < COUNT(error); i++)
        assert_string_equal(error[i].message, "a case without a session cannot be run");
    ec_case_close(c);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void words_become_a_report(NO_STATE)
{
    static const struct {
        const char *workload, *algorithm;
        uint64_t cycles;
    } rows[] = {{"shift:q=5,m=64", NULL, 68},
                {"bitcomp:m=8", NULL, 12},
                {"shift:q=3,labels=gray,m=8", "gray-signed", 0}};
    struct ec_session *s = open_session();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_case_spec spec = spec_of("cube:3", rows[i].workload);
        uint64_t predicted = 0;
        bool known = false;
        spec.algorithm = rows[i].algorithm;
        struct ec_case *c = open_case(s, &spec);
        struct ec_report *report = run(c);
        assert_true(report->passed);
        assert_int_equal(ec_case_predict(c, &known, &predicted, NULL), EC_OK);
        assert_true(known);
        assert_int_equal(report->cycles, predicted);
        if (rows[i].cycles)
            assert_int_equal(report->cycles, rows[i].cycles);
        ec_report_close(report);
        ec_case_close(c);
    }
    ec_session_close(s);
}

/* Its cycles are those of the run, and no candidate with a time is faster. */
static void the_best_algorithm_keeps_its_promise(NO_STATE)
{
    struct ec_case_spec spec = spec_of("cube:4", "bitrev:m=8");
    struct ec_session *s = open_session();
    spec.algorithm = "best";
    struct ec_case *c = open_case(s, &spec);
    assert_true(c->candidate_count > 3);
    for (size_t i = 0; i < c->candidate_count; i++) {
        if (c->candidates[i].basis != EC_BASIS_AT_LEAST)
            assert_true(c->candidates[i].cycles >= c->candidates[0].cycles);
    }
    struct ec_report *report = run(c);
    assert_true(report->passed);
    assert_int_equal(report->cycles, c->candidates[0].cycles);
    assert_non_null(strstr(c->algorithm, c->candidates[0].algorithm));
    ec_report_close(report);
    ec_case_close(c);
    ec_session_close(s);
}

static void a_schedule_that_cannot_be_played_is_not_run(NO_STATE)
{
    struct ec_case_spec spec = spec_of("cube:3", "shift:q=3");
    struct ec_session *s = open_session();
    struct ec_report *report = NULL;
    struct ec_error error;
    spec.algorithm = "gohil-cube:reading=printed";
    struct ec_case *c = open_case(s, &spec);
    assert_int_equal(ec_case_run(c, NULL, &report, &error), EC_UNSOUND);
    assert_null(report);
    ec_case_close(c);
    ec_session_close(s);
}

static void two_sides_are_compared(NO_STATE)
{
    const struct ec_case_spec spec = spec_of("torus:4x4", "randperm:m=60");
    struct ec_case_spec other = spec;
    const struct ec_failure_options *const waves[2] = {NULL, NULL};
    struct ec_session *s = open_session();
    struct ec_comparison *result = NULL;
    struct ec_error error;
    struct ec_case *c = open_case(s, &spec);
    other.shuffle = 3;
    const struct ec_case a = ec_case_on(c, &spec, 0), b = ec_case_on(c, &other, 1);
    if (ec_case_compare(&a, &b, waves, &result, &error) != EC_OK)
        fail_msg("%s", error.message);
    assert_true(result->agree);
    assert_int_equal(result->outcome, EC_RUN_FINISHED);
    ec_comparison_close(result);
    ec_case_close(c);
    ec_session_close(s);
}

static bool stop(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all)
{
    (void)context, (void)cycle, (void)packets_done, (void)packets_all;
    return false;
}

/* A limit of cycles, a deadlock, an interrupt: the same on both sides. */
static void a_comparison_ends_as_its_sides_do(NO_STATE)
{
    static const struct {
        const char *router, *workload;
        uint64_t cycles;
        bool stopped;
        enum ec_outcome outcome;
    } rows[] = {
        {"", "randperm:m=60", 20, false, EC_RUN_LIMIT},
        {"vcs=2,dateline=off", "uniform:rate=0.9,m=4", 5000, false, EC_RUN_DEADLOCK},
        {"vcs=2", "uniform:rate=0.1", 1000000000, true, EC_RUN_INTERRUPTED},
    };
    const struct ec_failure_options *const waves[2] = {NULL, NULL};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_session_options options = {.progress = rows[i].stopped ? stop : NULL};
        struct ec_case_spec spec = spec_of("torus:4x4", rows[i].workload);
        struct ec_session *s = NULL;
        struct ec_comparison *result = NULL;
        struct ec_error error;
        spec.router = rows[i].router;
        spec.has_cycles = true;
        spec.cycles = rows[i].cycles;
        assert_int_equal(ec_session_open(&options, &s, &error), EC_OK);
        struct ec_case *c = open_case(s, &spec);
        const struct ec_case a = ec_case_on(c, &spec, 0), b = ec_case_on(c, &spec, 1);
        if (ec_case_compare(&a, &b, waves, &result, &error) != EC_OK)
            fail_msg("%s: %s", rows[i].workload, error.message);
        assert_true(result->agree);
        assert_int_equal(result->outcome, rows[i].outcome);
        ec_comparison_close(result);
        ec_case_close(c);
        ec_session_close(s);
    }
}

/* Runs that did not keep their packets. */
static void deliveries_are_kept_to_be_compared(NO_STATE)
{
    const struct ec_case_spec spec = spec_of("cube:3", "shift:q=5,m=8");
    const struct ec_run_options keep = {.keep_packets = true, .seed = spec.seed};
    struct ec_delivery_comparison d;
    struct ec_session *s = open_session();
    struct ec_report *kept = NULL;
    struct ec_error error;
    struct ec_case *c = open_case(s, &spec);
    struct ec_report *report = run(c);
    assert_int_equal(ec_case_run(c, &keep, &kept, &error), EC_OK);
    assert_int_equal(ec_compare_deliveries(kept, kept, false, &d, &error), EC_OK);
    assert_false(d.found);
    assert_int_equal(d.common, kept->packets);
    assert_int_equal(ec_compare_deliveries(kept, report, false, &d, &error), EC_USAGE);
    assert_int_equal(ec_compare_deliveries(report, kept, false, &d, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "without keep_packets"));
    ec_report_close(kept);
    ec_report_close(report);
    ec_case_close(c);
    ec_session_close(s);
}

/* On other hardware a case borrows the audit, too: whoever closes the case frees it. */
static void the_audit_belongs_to_the_case(NO_STATE)
{
    const struct ec_case_spec spec = spec_of("cube:3", "shift:q=5,m=8");
    struct ec_session *s = open_session();
    struct ec_error error;
    struct ec_case *c = open_case(s, &spec);
    struct ec_case a = ec_case_on(c, &spec, 0), b = ec_case_on(&a, &spec, 1);
    struct ec_report *report = run(&b);
    assert_true(report->passed);
    assert_true(c->audited && b.audited);
    assert_non_null(c->audit);
    assert_ptr_equal(b.audit, c->audit);
    assert_int_equal(ec_case_audit(&a, true, &error), EC_OK);
    assert_ptr_equal(a.audit, c->audit);
    ec_report_close(report);
    ec_case_close(c);
    ec_session_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("words that do not fit are refused", words_that_do_not_fit_are_refused),
        TEST("a run is split as its network allows", a_run_is_split_as_its_network_allows),
        TEST("a network is kept while nothing differs", a_network_is_kept_while_nothing_differs),
        TEST("a case without a workload has a network", a_case_without_a_workload_has_a_network),
        TEST("a case without a session is not run", a_case_without_a_session_is_not_run),
        TEST("a case as text becomes a report", words_become_a_report),
        TEST("the best algorithm takes the predicted cycles", the_best_algorithm_keeps_its_promise),
        TEST("an unsound schedule is not run", a_schedule_that_cannot_be_played_is_not_run),
        TEST("two sides are compared", two_sides_are_compared),
        TEST("a comparison ends as its sides do", a_comparison_ends_as_its_sides_do),
        TEST("deliveries are kept to be compared", deliveries_are_kept_to_be_compared),
        TEST("the audit belongs to the case", the_audit_belongs_to_the_case),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
