/* SPDX-License-Identifier: Apache-2.0 */
/* Every check of a run can fail: a network that is ideal but for one thing, and the check that must
 * name it. */
#include "ideal.h"

#include <string.h>

#include "ecube/audit.h"
#include "ecube/run.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct ec_audit *audit;
    struct ec_net *net;
    struct ec_run_options options;
    struct ec_report *report;
};

static void bench_open(struct bench *b, const char *router, const char *workload)
{
    struct ec_error error;
    *b = (struct bench){.t = topology_of("mesh:3x3"),
                        .options = {.cycles = 2000, .warmup = 500, .seed = 1}};
    b->r = router_of(router, &b->t);
    b->w = workload_of(workload, &b->t);
    if (ec_router_set_packet(&b->r, 4, 8, &error) ||
        (!strstr(workload, "rate=") && ec_audit_open(&b->t, &b->r, b->w, true, &b->audit, &error)))
        fail_msg("%s", error.message);
    if (!b->w->open_loop)
        b->options.cycles = 0;
    b->net = ideal_open(&b->t, &b->r);
}

static void bench_run(struct bench *b, enum damage damage)
{
    struct ec_error error;
    ideal_damage(b->net, damage);
    ec_report_close(b->report);
    b->report = NULL;
    if (ec_run(b->net, b->w, b->audit, &b->options, &b->report, &error) != EC_OK)
        fail_msg("%s", error.message);
}

static void bench_close(struct bench *b)
{
    ec_report_close(b->report);
    b->net->ops->close(b->net);
    ec_audit_close(b->audit);
    ec_workload_close(b->w);
}

static void assert_fails(const struct bench *b, enum ec_check_id id, const char *says)
{
    const struct ec_check *c = &b->report->checks[id];
    assert_false(b->report->passed);
    if (c->verdict != EC_VERDICT_FAIL || !strstr(c->detail, says))
        fail_msg("%s: expected a failure with '%s'; got %d: %s", ec_check_name(id), says,
                 c->verdict, c->detail);
}

struct row {
    enum damage damage;
    enum ec_check_id check;
    const char *says;
};

static void try_rows(const char *router, const char *workload, const struct row *rows, size_t count)
{
    struct bench b;
    bench_open(&b, router, workload);
    for (size_t i = 0; i < count; i++) {
        bench_run(&b, SOUND);
        if (!b.report->passed)
            fail_msg("%s: the ideal network does not pass", workload);
        bench_run(&b, rows[i].damage);
        assert_fails(&b, rows[i].check, rows[i].says);
        if (rows[i].damage == LEDGER_FAULT || rows[i].damage == VC_FAULT)
            assert_int_equal(b.report->outcome, EC_RUN_BROKEN); /* at once */
    }
    bench_close(&b);
}

static void every_check_of_a_list_can_fail(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {WORD_LOST, EC_CHECK_DELIVERY, "expected"},
        {WORD_TWICE, EC_CHECK_DELIVERY, "outside a packet"},
        {WORD_LATE, EC_CHECK_DELIVERY, "body flit outside a packet"},
        {WORD_ALTERED, EC_CHECK_DELIVERY, "expected"},
        {WORD_ASTRAY, EC_CHECK_DELIVERY, "node "},
        {WORD_INVENTED, EC_CHECK_DRAIN, "1 words left"},
        {NODE_NOT_HEARD, EC_CHECK_PROGRESS, "nothing moves"},
        {CREDIT_LOST, EC_CHECK_PROGRESS, "nothing moves"},
        {LEDGER_FAULT, EC_CHECK_LEDGER, "cycle 7, router 3 (0,1), port -x, VC 0: a planted fault"},
        {VC_FAULT, EC_CHECK_VCS, "cycle 7, router 3 (0,1), port -x, VC 0: a planted fault"},
        {NOT_DRAINED, EC_CHECK_LEDGER, "cycle 9, router 4 (1,1), port +x, VC 0: kept"},
        {RTL_ERROR, EC_CHECK_RTL, "cycle 7, router 3 (0,1): planted"},
        {LINK_COUNT, EC_CHECK_LOADS, "link +x of router 5 (2,1) carried 1 words"},
        {INJECTED_COUNT, EC_CHECK_LOADS, "injection port local of router 5 (2,1) carried 9"},
        {EJECTED_COUNT, EC_CHECK_LOADS, "ejection port local of router 5 (2,1) carried 7"},
        {HOP_COUNT, EC_CHECK_LOADS, "link -y of router 0 (0,0) carried 1 words"},
        {CONTENDED, EC_CHECK_CONGESTION, "1 contended cycles at port -y of router 0 (0,0)"},
    };
    try_rows("depth=4", "shift:q=4,m=8", rows, COUNT(rows));
}

static void every_check_of_random_traffic_can_fail(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {WORD_LOST, EC_CHECK_DELIVERY, "expected"},
        {LEDGER_FAULT, EC_CHECK_LEDGER, "a planted fault"},
        {NOT_DRAINED, EC_CHECK_LEDGER, "kept"},
        {LINK_COUNT, EC_CHECK_LOADS, "link +x of router 5 (2,1)"},
        {INJECTED_COUNT, EC_CHECK_LOADS, "injection port local of router 5 (2,1)"},
        {EJECTED_COUNT, EC_CHECK_LOADS, "ejection port local of router 5 (2,1)"},
        {HOP_COUNT, EC_CHECK_LOADS, "link -y of router 0 (0,0)"},
    };
    try_rows("vcs=2", "uniform:rate=0.2,m=2", rows, COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every check of a list of messages can fail", every_check_of_a_list_can_fail),
        TEST("every check of random traffic can fail", every_check_of_random_traffic_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
