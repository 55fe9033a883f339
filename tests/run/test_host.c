/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that a host sends while the run goes on, on real router RTL: the same traffic as a list
 * takes the same cycles; time, ends and errors are as ecube/host.h says. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/host.h"
#include "rig.h"

enum { MESSAGES = 40, AFTER_MOST = 3 };

/* A program: messages that wait for others, then compute. */
struct program {
    struct ec_message messages[MESSAGES];
    uint32_t delay[MESSAGES], after[MESSAGES * AFTER_MOST];
    size_t first[MESSAGES + 1];
    struct ec_message_order order;
    struct ec_workload w;

    /* As a host plays it. */
    struct ec_host *host;
    unsigned missing[MESSAGES];
    uint64_t delivered[MESSAGES]; /* cycle */
};

static unsigned roll(uint64_t key, uint64_t *draws, unsigned sides)
{
    return (unsigned)ec_rng_below(ec_rng_draw(key, (*draws)++), sides);
}

static void draw_program(struct program *x, uint32_t nodes, uint64_t seed)
{
    const uint64_t key = ec_rng_key(seed, 0);
    uint64_t draws = 0;

    memset(x, 0, sizeof *x);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        x->messages[i] = (struct ec_message){.cycle = 1 + roll(key, &draws, 300),
                                             .src = roll(key, &draws, nodes),
                                             .dst = roll(key, &draws, nodes),
                                             .words = 1 + roll(key, &draws, 12)};
        x->delay[i] = roll(key, &draws, 997); /* ties at a port are unlikely: they have no order */
        x->first[i + 1] = x->first[i];
        for (unsigned k = 0; i > 0 && k < roll(key, &draws, AFTER_MOST + 1); k++)
            x->after[x->first[i + 1]++] = roll(key, &draws, i);
    }
    x->order = (struct ec_message_order){
        .delay = x->delay, .first = x->first, .after = x->after, .overtake = true};
    x->w = (struct ec_workload){.text = "program",
                                .name = "program",
                                .nodes = nodes,
                                .messages = x->messages,
                                .message_count = MESSAGES,
                                .longest = 12,
                                .order = &x->order};
}

/* All that message i waited for has been delivered until cycle `now`. */
static void send(struct program *x, uint32_t i, uint64_t now)
{
    const struct ec_message *m = &x->messages[i];
    const uint64_t start = m->cycle > now ? m->cycle : now + 1;
    struct ec_error error;
    const struct ec_host_message message = {
        .src = m->src, .dst = m->dst, .words = m->words, .tag = i, .cycle = start + x->delay[i]};

    if (ec_host_send(x->host, &message, &error) != EC_OK)
        fail_msg("%s", error.message);
}

static void take(void *context, const struct ec_host_delivery *d)
{
    struct program *x = context;
    const struct ec_message *m = &x->messages[d->tag];

    assert_int_equal(d->src, m->src);
    assert_int_equal(d->dst, m->dst);
    assert_int_equal(d->words, m->words);
    assert_int_equal(d->delivered, ec_host_cycle(x->host));
    assert_true(d->created <= d->injected && d->injected <= d->delivered);
    assert_int_equal(x->delivered[d->tag], 0);
    x->delivered[d->tag] = d->delivered;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        for (size_t k = x->first[i]; k < x->first[i + 1]; k++) {
            if (x->after[k] == d->tag && --x->missing[i] == 0)
                send(x, i, d->delivered);
        }
    }
}

static struct ec_report *play_program(struct program *x, struct rig *rig, bool by_cycle)
{
    const struct ec_run_options options = {.seed = 1, .startup = 2};
    struct ec_report *report = NULL;
    struct ec_error error;

    if (ec_host_open(rig->net, &options, take, x, &x->host, &error) != EC_OK)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        x->missing[i] = (unsigned)(x->first[i + 1] - x->first[i]);
        if (x->missing[i] == 0)
            send(x, i, 0);
    }
    while (by_cycle && ec_host_step(x->host, 7) == EC_HOST_BUSY)
        ;
    assert_int_equal(ec_host_drain(x->host), EC_HOST_IDLE);
    if (ec_host_finish(x->host, &report, &error) != EC_OK)
        fail_msg("%s", error.message);
    ec_host_close(x->host);
    return report;
}

static void a_host_is_as_quick_as_a_list(NO_STATE)
{
    static const char *const networks[][2] = {
        {"cube:3", NULL}, {"ring:8", "vcs=2"}, {"cube:3", "ports=all"}};
    static struct program x;
    struct rig rig = {0};

    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct ec_case_spec spec = {.topology = networks[seed % 3][0],
                                          .router = networks[seed % 3][1],
                                          .packet = seed % 2 ? 4 : 0,
                                          .longest = 12};
        struct ec_error error;
        rig_open(&rig, &spec);
        draw_program(&x, rig.t.nodes, seed);
        struct trial list = {.rig = &rig, .w = &x.w, .options = {.seed = 1, .startup = 2}};
        if (ec_audit_open(&rig.t, &rig.r, &x.w, true, &list.audit, &error) ||
            ec_run(rig.net, &x.w, list.audit, &list.options, &list.report, &error))
            fail_msg("%s", error.message);
        trial_assert_passed(&list);
        struct ec_report *r = play_program(&x, &rig, seed % 4 == 0);
        assert_true(r->passed);
        assert_int_equal(r->checks[EC_CHECK_LOADS].verdict, EC_VERDICT_PASS);
        trial_assert_equal(&list, "digest", r->digest, list.report->digest);
        trial_assert_equal(&list, "cycles", r->cycles, list.report->cycles);
        trial_assert_equal(&list, "messages", r->messages, MESSAGES);
        trial_assert_equal(&list, "packets", r->packets, list.report->packets);
        trial_assert_equal(&list, "latency", r->packet_latency.max,
                           list.report->packet_latency.max);
        ec_report_close(r);
        ec_report_close(list.report);
        ec_audit_close(list.audit);
    }
    rig_close(&rig);
}

static void remember(void *context, const struct ec_host_delivery *d)
{
    *(struct ec_host_delivery *)context = *d;
}

static void time_is_the_hosts(NO_STATE)
{
    struct rig rig = {0};
    const struct ec_case_spec spec = {.topology = "cube:3", .longest = 16};
    const struct ec_run_options options = {.seed = 1};
    struct ec_host_delivery last = {0};
    struct ec_host *host;
    struct ec_report *report;
    struct ec_error error;

    rig_open(&rig, &spec);
    assert_int_equal(ec_host_open(rig.net, &options, remember, &last, &host, &error), EC_OK);
    assert_int_equal(ec_host_step(host, 0), EC_HOST_IDLE);
    assert_int_equal(ec_host_step(host, 10), EC_HOST_IDLE);
    assert_int_equal(ec_host_cycle(host), 10);
    assert_int_equal(ec_host_step(host, UINT64_C(1) << 40), EC_HOST_IDLE);
    const uint64_t now = ec_host_cycle(host);
    assert_int_equal(now, 10 + (UINT64_C(1) << 40));
    const struct ec_host_message message = {.src = 1, .dst = 6, .words = 16, .tag = 99};
    assert_int_equal(ec_host_send(host, &message, &error), EC_OK);
    assert_int_equal(ec_host_step(host, 19), EC_HOST_BUSY);
    assert_int_equal(last.tag, 0);
    assert_int_equal(ec_host_step(host, 1), EC_HOST_IDLE); /* 16 words, 3 hops: 16 + 3 + 1 */
    assert_int_equal(last.tag, 99);
    assert_int_equal(last.created, now + 1);
    assert_int_equal(last.delivered, now + 20);
    const struct ec_host_message home = {.src = 5, .dst = 5, .words = 3, .tag = 7, .cycle = 5};
    assert_int_equal(ec_host_send(host, &home, &error), EC_OK);
    assert_int_equal(ec_host_drain(host), EC_HOST_IDLE);
    assert_int_equal(ec_host_cycle(host), now + 21);
    assert_int_equal(last.tag, 7);
    assert_int_equal(last.delivered, now + 21);
    assert_int_equal(ec_host_finish(host, &report, &error), EC_OK);
    assert_true(report->passed);
    assert_int_equal(report->messages, 2);
    assert_int_equal(report->packets, 1);
    assert_int_equal(report->cycles, 20);
    assert_true(report->simulated_cycles < 200);
    assert_int_equal(ec_host_send(host, &message, &error), EC_USAGE);
    assert_int_equal(ec_host_finish(host, &report, &error), EC_USAGE);
    assert_int_equal(ec_host_step(host, 1), EC_HOST_ENDED);
    ec_report_close(report);
    ec_host_close(host);
    rig_close(&rig);
}

static void wrong_messages_are_refused(NO_STATE)
{
    static const struct {
        struct ec_host_message message;
        const char *words;
    } cases[] = {
        {{.src = 8, .dst = 0, .words = 1}, "from node 8 to 0|nodes 0 to 7"},
        {{.src = 0, .dst = 9, .words = 1}, "from node 0 to 9|nodes 0 to 7"},
        {{.src = 0, .dst = 1, .words = 0}, "of 0 words|1 to 16777216"},
        {{.src = 0, .dst = 1, .words = 16777217}, "of 16777217 words"},
        {{.src = 0, .dst = 1, .words = 1, .cycle = UINT64_MAX}, "2^60"},
    };
    struct rig rig = {0};
    const struct ec_case_spec spec = {.topology = "cube:3", .longest = 16};
    const struct ec_run_options options = {.seed = 1};
    struct ec_host *host;
    struct ec_report *report;
    struct ec_error error;

    rig_open(&rig, &spec);
    assert_int_equal(ec_host_open(rig.net, &options, NULL, NULL, &host, &error), EC_OK);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_refused(cases[i].words, ec_host_send(host, &cases[i].message, &error), EC_USAGE,
                       &error, cases[i].words);
    /* Time ends before its sums overflow. */
    assert_int_equal(ec_host_step(host, UINT64_MAX), EC_HOST_IDLE);
    assert_int_equal(ec_host_cycle(host), UINT64_C(1) << 60);
    assert_int_equal(ec_host_step(host, 1), EC_HOST_IDLE);
    assert_int_equal(ec_host_cycle(host), UINT64_C(1) << 60);
    const struct ec_host_message late = {.src = 0, .dst = 7, .words = 3};
    assert_int_equal(ec_host_send(host, &late, &error), EC_OK);
    assert_int_equal(ec_host_drain(host), EC_HOST_IDLE);
    assert_int_equal(ec_host_finish(host, &report, &error), EC_OK);
    assert_true(report->passed);
    assert_int_equal(report->messages, 1);
    ec_report_close(report);
    ec_host_close(host);
    rig_close(&rig);
}

/* A replay of the messages finds the circle; afterwards time stands still. */
static void a_deadlock_ends_the_run(NO_STATE)
{
    struct rig rig = {0};
    const struct ec_case_spec spec = {
        .topology = "ring:8", .router = "vcs=1,dateline=off", .longest = 64};
    const struct ec_run_options options = {.seed = 1};
    struct ec_host_delivery last = {0};
    struct ec_host *host;
    struct ec_report *report;
    struct ec_error error;

    rig_open(&rig, &spec);
    assert_int_equal(ec_host_open(rig.net, &options, remember, &last, &host, &error), EC_OK);
    assert_int_equal(ec_host_step(host, 100), EC_HOST_IDLE);
    for (uint32_t i = 0; i < 8; i++) {
        const struct ec_host_message m = {.src = i, .dst = (i + 3) % 8, .words = 64};
        assert_int_equal(ec_host_send(host, &m, &error), EC_OK);
    }
    assert_int_equal(ec_host_drain(host), EC_HOST_ENDED);
    const uint64_t end = ec_host_cycle(host);
    assert_int_equal(ec_host_step(host, 5), EC_HOST_ENDED);
    assert_int_equal(ec_host_cycle(host), end);
    assert_int_equal(ec_host_finish(host, &report, &error), EC_OK);
    assert_int_equal(report->outcome, EC_RUN_DEADLOCK);
    assert_true(report->waiting_count >= 8);
    assert_int_equal(last.words, 0);
    ec_report_close(report);
    ec_host_close(host);
    rig_close(&rig);
}

static void a_limit_ends_the_run(NO_STATE)
{
    struct rig rig = {0};
    const struct ec_case_spec spec = {.topology = "cube:3", .longest = 64};
    const struct ec_run_options options = {.seed = 1, .cycles = 30};
    const struct ec_host_message message = {.src = 1, .dst = 6, .words = 64};
    struct ec_host *host;
    struct ec_report *report;
    struct ec_error error;

    rig_open(&rig, &spec);
    assert_int_equal(ec_host_open(rig.net, &options, NULL, NULL, &host, &error), EC_OK);
    assert_int_equal(ec_host_send(host, &message, &error), EC_OK);
    assert_int_equal(ec_host_step(host, 50), EC_HOST_ENDED);
    assert_int_equal(ec_host_cycle(host), 30);
    assert_int_equal(ec_host_finish(host, &report, &error), EC_OK);
    assert_int_equal(report->outcome, EC_RUN_LIMIT);
    assert_false(report->passed);
    ec_report_close(report);
    ec_host_close(host);
    rig_close(&rig);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("messages of a host take the same cycles as a list of them",
             a_host_is_as_quick_as_a_list),
        TEST("the host decides when time passes, and idle time is free", time_is_the_hosts),
        TEST("wrong messages are refused", wrong_messages_are_refused),
        TEST("a deadlock ends the run and is explained", a_deadlock_ends_the_run),
        TEST("a limit ends the run", a_limit_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
