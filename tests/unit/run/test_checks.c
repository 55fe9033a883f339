/* SPDX-License-Identifier: Apache-2.0 */
/* Every check of a run can fail: a network that is ideal but for one thing, and the check that must
 * name it. */
#include "ideal.h"

#include <string.h>

#include "ecube/audit.h"
#include "ecube/schedule.h"
#include "run/checks.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct ec_audit *audit;
    struct ec_net *net;
    struct ec_run_options options;
    struct ec_report *report;
};

static void bench_open(struct bench *b, const char *topology, const char *router,
                       const char *workload)
{
    struct ec_error error;
    *b = (struct bench){.t = topology_of(topology),
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
    bench_open(&b, "mesh:3x3", router, workload);
    for (size_t i = 0; i < count; i++) {
        bench_run(&b, SOUND);
        if (!b.report->passed)
            fail_msg("%s: the ideal network does not pass", workload);
        assert_true(!b.w->open_loop ||
                    b.report->checks[EC_CHECK_STABILITY].verdict == EC_VERDICT_PASS);
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
        {ALONE, EC_CHECK_CONGESTION, "port local of router 0 (0,0), which only one message uses"},
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
        {LINK_COUNT, EC_CHECK_LOADS, " words, but the paths of the delivered packets need 0"},
        {INJECTED_COUNT, EC_CHECK_LOADS, "injection port local of router 5 (2,1)"},
        {EJECTED_COUNT, EC_CHECK_LOADS, "ejection port local of router 5 (2,1)"},
        {HOP_COUNT, EC_CHECK_LOADS, "link -y of router 0 (0,0)"},
    };
    try_rows("vcs=2", "uniform:rate=0.2,m=2", rows, COUNT(rows));
}

/* What a foreign router may do, ecube's own may not. */
static void an_ideal_network_has_other_times(void **state)
{
    static const struct {
        const char *topology, *router, *workload;
        enum ec_check_id check;
        const char *says;
    } rows[] = {
        {"cube:6", "depth=4", "bitcomp:m=4", EC_CHECK_TIME, "11 predicted"},
        {"cube:3", "depth=4", "bitcomp:m=8", EC_CHECK_TIME, "12 predicted"},
        {"cube:6", "depth=4", "bitrev:m=8", EC_CHECK_CONGESTION, "but no contention"},
        {"mesh:3x3", "depth=8,switching=store-and-forward", "shift:q=4,m=8", EC_CHECK_SWITCHING,
         "store-and-forward: the packet of 4 words"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, rows[i].topology, rows[i].router, rows[i].workload);
        b.net->foreign = false;
        bench_run(&b, SOUND);
        assert_fails(&b, rows[i].check, rows[i].says);
        bench_close(&b);
    }
}

/* The shift of a ring, one link per step. */
static struct ec_schedule *schedule_open(struct bench *b, enum ec_sync sync)
{
    struct ec_schedule *s = NULL;
    struct ec_error error;
    *b = (struct bench){.t = topology_of("ring:8"), .options = {.seed = 1}};
    struct ec_workload *const plain = workload_of("shift:q=3,m=2", &b->t);
    b->r = router_of("vcs=2,depth=4", &b->t);
    if (ec_router_set_packet(&b->r, 4, 8, &error) ||
        ec_schedule_open(&b->t, plain, "ring", &s, &error) ||
        ec_schedule_workload(s, plain, sync, 0, &b->w, &error) ||
        ec_audit_open(&b->t, &b->r, b->w, true, &b->audit, &error))
        fail_msg("%s", error.message);
    ec_workload_close(plain);
    b->net = ideal_open(&b->t, &b->r);
    b->options.schedule = s;
    return s;
}

static void messages_of_a_step_must_not_meet(void **state)
{
    (void)state;
    struct bench b;
    struct ec_schedule *s = schedule_open(&b, EC_SYNC_STEP);
    bench_run(&b, SOUND);
    assert_true(b.report->passed);
    bench_run(&b, ALONE);
    assert_fails(&b, EC_CHECK_CONGESTION, "no two messages of a step share a channel");
    bench_close(&b);
    ec_schedule_close(s);
}

/* The same run, with one number of the schedule or of its messages changed by an amount. */
static void every_element_must_reach_its_target(void **state)
{
    (void)state;
    struct bench b;
    struct ec_schedule *s = schedule_open(&b, EC_SYNC_DATA);
    const size_t last = s->transfer_count - 1; /* three steps with 8 messages each */
    const struct {
        uint32_t *number, by;
        const char *says;
    } rows[] = {
        {&s->target[2].node, 1, "element 2 ended in node 5 slot 0, its target is node 6 slot 0"},
        {&s->target[2].slot, 1, "element 2 ended in node 5 slot 0, its target is node 5 slot 1"},
        {&s->transfers[last].src, UINT32_MAX, "step 3: node 6 began in cycle"},
        {&s->carried[s->transfers[last].first].element, 1000, "step 3: there is no element 1005"},
        {&b.w->messages[last].words, 1, "in a message of 3 words"},
        {&b.w->order->after[b.w->order->first[last]], UINT32_MAX - 7, "step 3: node 7 began"},
    };
    bench_run(&b, SOUND);
    assert_true(b.report->passed);
    for (size_t i = 0; i < COUNT(rows); i++) {
        *rows[i].number += rows[i].by;
        bench_run(&b, SOUND);
        assert_fails(&b, EC_CHECK_DELIVERY, rows[i].says);
        *rows[i].number -= rows[i].by;
    }
    bench_close(&b);
    ec_schedule_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every check of a list of messages can fail", every_check_of_a_list_can_fail),
        TEST("every check of random traffic can fail", every_check_of_random_traffic_can_fail),
        TEST("an ideal network has other times", an_ideal_network_has_other_times),
        TEST("messages of a step must not meet", messages_of_a_step_must_not_meet),
        TEST("every element must reach its target", every_element_must_reach_its_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
