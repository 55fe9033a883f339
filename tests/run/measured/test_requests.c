/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and replies: every request gets one reply after its think time; nodes hold and sources
 * have outstanding as many requests as they may; with lanes of their own replies prevent a protocol
 * deadlock, without them it occurs and is named. All from the log of packets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

enum { REQUEST = 2, REPLY = 5, THINK = 30 };

struct row {
    const char *topology, *router, *workload;
    unsigned packet;
    double stall;
    uint32_t startup;
};

static struct trial play(struct rig *rig, const struct row *row, uint64_t cycles)
{
    rig_open(rig, &(struct ec_case_spec){.topology = row->topology,
                                         .router = row->router,
                                         .packet = row->packet,
                                         .longest = REPLY});
    const struct ec_run_options options = {.cycles = cycles,
                                           .warmup = 200,
                                           .seed = 3,
                                           .keep_packets = true,
                                           .eject_stall = row->stall,
                                           .startup = row->startup};
    return rig_run(rig, row->workload, &options);
}

/* A request at its arrival, or a reply at its creation. */
struct end {
    uint64_t cycle;
    uint32_t client, server;
};

static int by_cycle(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->server != y->server)
        return x->server < y->server ? -1 : 1;
    return (x->client > y->client) - (x->client < y->client);
}

/* Both lists, sorted; the caller frees them. */
static size_t split(const struct ec_report *r, struct end **ret_requests, struct end **ret_replies)
{
    struct end *requests = calloc(r->packets, sizeof *requests);
    struct end *replies = calloc(r->packets, sizeof *replies);
    size_t asked = 0, answered = 0;
    assert_true(requests && replies);
    for (uint64_t i = 0; i < r->packets; i++) {
        const struct ec_packet_log *k = &r->packets_log[i];
        if (k->words == REPLY)
            replies[answered++] = (struct end){k->created, k->dst, k->src};
        else
            requests[asked++] = (struct end){k->delivered, k->src, k->dst};
    }
    assert_int_equal(asked, answered);
    qsort(requests, asked, sizeof *requests, by_cycle);
    qsort(replies, answered, sizeof *replies, by_cycle);
    *ret_requests = requests;
    *ret_replies = replies;
    return asked;
}

/* Nodes accept at once: every reply is created THINK + 1 cycles after a request of its client has
 * arrived, and the three latencies add up. */
static void every_request_gets_its_reply(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=2", "uniform:rate=0.05,m=2,reply=5,think=30", 0, 0, 0},
        {"mesh:4x4", "vcs=1", "uniform:rate=0.05,m=2,reply=5,think=30,classes=1", 0, 0, 0},
        {"torus:4x4", "vcs=4", "transpose:rate=0.05,m=2,reply=5,think=30,burst=20", 0, 0, 0},
        {"mesh:3x5", "vcs=4", "hotspot:rate=0.03,m=2,reply=5,think=30", 0, 0, 2},
        {"mesh:4x4", "vcs=2,ports=all", "uniform:rate=0.1,m=2,reply=5,think=30", 0, 0, 0},
        {"mesh:4x4", "vcs=2,switching=cut-through,depth=8",
         "mix:rate=0.05,m=2,reply=5,think=30,of=uniform@3+bitrev", 0, 0, 0},
        {"mesh:4x4", "vcs=2", "uniform:rate=0.1,m=2,reply=5,think=30,outstanding=2", 0, 0, 0},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], 3000);
        const struct ec_report *r = trial.report;
        struct end *requests, *replies;
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        const size_t count = split(r, &requests, &replies);
        if (count < 100)
            trial_fail(&trial, "only %zu requests", count);
        for (size_t k = 0; k < count; k++) {
            requests[k].cycle += THINK + 1;
            if (memcmp(&requests[k].cycle, &replies[k].cycle, sizeof requests[k].cycle) ||
                requests[k].client != replies[k].client || requests[k].server != replies[k].server)
                trial_fail(&trial, "reply %zu does not match its request", k);
        }
        double asked = 0, mean = 0, messages = 0;
        for (size_t k = 0; k + 1 < r->class_count; k++)
            messages += (double)r->classes[k].messages;
        if (r->class_count == 2)
            asked = r->classes[0].packet_latency.mean;
        mean = asked + THINK + r->classes[r->class_count - 1].packet_latency.mean;
        if (r->class_count == 2 && fabs(r->round_trip.mean - mean) > 1e-9 * mean)
            trial_fail(&trial, "round trip of %.6f cycles, parts of %.6f", r->round_trip.mean,
                       mean);
        trial_assert_equal(&trial, "replies", r->classes[r->class_count - 1].messages,
                           (uint64_t)messages);
        trial_assert_equal(&trial, "missing", r->window_missing, 0);
        free(requests);
        free(replies);
        trial_close(&trial);
    }
    rig_close(&rig);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The most intervals from[i]..to[i] that any cycle is in. */
static size_t most_at_once(uint64_t *from, uint64_t *to, size_t count)
{
    size_t most = 0, open = 0;
    qsort(from, count, sizeof *from, by_value);
    qsort(to, count, sizeof *to, by_value);
    for (size_t a = 0, b = 0; a < count; a++, open++) {
        for (; to[b] < from[a]; b++)
            open--;
        most = open + 1 > most ? open + 1 : most;
    }
    return most;
}

/* A request occupies a node at least from the acceptance of its last word, which is THINK + 1
 * cycles before its reply is created, until the reply is sent, which begins when it is injected. */
static size_t most_held(const struct ec_report *r, uint32_t nodes)
{
    uint64_t *from = calloc(r->packets, sizeof *from), *to = calloc(r->packets, sizeof *to);
    size_t most = 0;
    assert_true(from && to);
    for (uint32_t node = 0; node < nodes; node++) {
        size_t count = 0;
        for (uint64_t i = 0; i < r->packets; i++) {
            const struct ec_packet_log *k = &r->packets_log[i];
            if (k->words != REPLY || k->src != node)
                continue;
            from[count] = k->created - THINK - 1;
            to[count++] = k->injected + REPLY - 1;
        }
        const size_t here = most_at_once(from, to, count);
        most = here > most ? here : most;
    }
    free(from);
    free(to);
    return most;
}

static void a_queue_is_never_exceeded(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=2", "uniform:rate=0.2,m=2,reply=5,think=30,queue=1", 0, 0, 0},
        {"mesh:4x4", "vcs=2", "uniform:rate=0.3,m=2,reply=5,think=30,queue=4", 0, 0, 0},
        {"mesh:3x5", "vcs=4", "hotspot:rate=0.2,m=2,reply=5,think=30,queue=2", 0, 0.3, 0},
        {"mesh:4x4", "vcs=2,ports=all", "uniform:rate=0.9,m=2,reply=5,think=30,queue=3", 0, 0, 3},
        {"torus:4x4", "vcs=4", "uniform:rate=0.3,m=2,reply=5,think=30,queue=2", 0, 0, 0},
    };
    static const unsigned places[] = {1, 4, 2, 3, 2};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], 2000);
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        /* Offered more than the nodes can answer. */
        trial_assert_equal(&trial, "verdict", trial.report->steady, EC_STEADY_GROWS);
        trial_assert_equal(&trial, "places", trial.report->most_requests, places[i]);
        trial_assert_equal(&trial, "held", most_held(trial.report, rig.t.nodes), places[i]);
        trial_close(&trial);
    }
    rig_close(&rig);
}

/* A source with one request outstanding creates the next one, with probability p per cycle, after
 * the reply: one in every round trip + 1 / p - 1 cycles. */
static void sources_throttle_themselves(NO_STATE)
{
    static const struct row row = {
        "mesh:4x4", "vcs=2", "uniform:rate=0.2,m=2,reply=5,think=30,outstanding=1", 0, 0, 0};
    struct rig rig = {0};
    struct trial trial = play(&rig, &row, 20000);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    const double period = r->round_trip.mean + 2 / 0.2 - 1, rate = r->classes[0].offered / 2;
    if (fabs(rate * period - 1) > 0.01)
        trial_fail(&trial, "%.5f requests per cycle, should be %.5f", rate, 1 / period);
    uint64_t *from = calloc(r->packets, sizeof *from), *to = calloc(r->packets, sizeof *to);
    assert_true(from && to);
    for (uint32_t node = 0; node < rig.t.nodes; node++) {
        size_t asked = 0, answered = 0;
        for (uint64_t i = 0; i < r->packets; i++) {
            const struct ec_packet_log *k = &r->packets_log[i];
            if (k->words == REPLY && k->dst == node)
                to[answered++] = k->delivered;
            else if (k->words == REQUEST && k->src == node)
                from[asked++] = k->created;
        }
        assert_int_equal(asked, answered);
        trial_assert_equal(&trial, "outstanding", most_at_once(from, to, asked), 1);
    }
    free(from);
    free(to);
    trial_close(&trial);
    rig_close(&rig);
}

/* Each line names the buffer of the next one: behind a link, at the same router, or beyond the
 * node.
 */
static void assert_leads_on(const struct trial *trial, size_t i)
{
    const struct ec_report *r = trial->report;
    const char *line = r->waiting[i], *next = r->waiting[(i + 1) % r->waiting_count];
    unsigned here, there, to;
    assert_int_equal(sscanf(line, "router %u", &here), 1);
    assert_int_equal(sscanf(next, "router %u", &there), 1);
    const char *const behind = strstr(line, "whose buffer in router ");
    if (behind) {
        assert_int_equal(sscanf(behind, "whose buffer in router %u", &to), 1);
        assert_int_equal(to, there);
        return;
    }
    if (strstr(line, "whose node has no room") && !strstr(next, "input local"))
        trial_fail(trial, "line %zu does not lead into the network", i);
    if (!strstr(line, "waits for the rest") && here != there)
        trial_fail(trial, "line %zu does not lead to the next", i);
}

static void replies_behind_requests_deadlock(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=1", "uniform:rate=0.2,m=2,reply=5,think=30,queue=1,classes=1", 0, 0, 0},
        {"mesh:4x4", "vcs=2", "uniform:rate=0.4,m=2,reply=5,think=30,queue=4,classes=1", 0, 0, 0},
        {"torus:4x4", "vcs=2", "uniform:rate=0.4,m=2,reply=5,think=30,queue=2,classes=1", 0, 0, 0},
        {"cube:3", "vcs=1,ports=all", "uniform:rate=1,m=2,reply=5,think=30,queue=1,classes=1", 0, 0,
         0},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], 20000);
        const struct ec_report *r = trial.report;
        const char *detail = r->checks[EC_CHECK_PROGRESS].detail;
        size_t through = 0;
        if (r->outcome != EC_RUN_DEADLOCK || !r->protocol)
            trial_fail(&trial, "not reported as a protocol deadlock: %s", detail);
        if (strstr(detail, "cause") || !strstr(detail, "classes=2"))
            trial_fail(&trial, "blames a router, or has no remedy: %s", detail);
        for (size_t k = 0; k < r->waiting_count; k++) {
            assert_leads_on(&trial, k);
            through += strstr(r->waiting[k], "whose node has no room") != NULL;
        }
        if (through == 0)
            trial_fail(&trial, "the cycle of waiting passes no node");
        trial_close(&trial);
    }
    rig_close(&rig);
}

/* The same traffic with lanes of their own or without limits; and a deadlock of the routing, which
 * is none of the protocol. */
static void lanes_of_their_own_prevent_it(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=2", "uniform:rate=0.2,m=2,reply=5,think=30,queue=1", 0, 0, 0},
        {"torus:4x4", "vcs=4", "uniform:rate=0.4,m=2,reply=5,think=30,queue=2", 0, 0.2, 0},
        {"mesh:4x4", "vcs=1", "uniform:rate=0.4,m=2,reply=5,think=30,classes=1", 0, 0, 0},
    };
    static const struct row routing = {
        "torus:4x4", "vcs=2,dateline=off", "uniform:rate=0.9,m=2,reply=5,think=30", 0, 0, 0};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], 5000);
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        trial_close(&trial);
    }
    struct trial trial = play(&rig, &routing, 5000);
    if (trial.report->outcome != EC_RUN_DEADLOCK || trial.report->protocol)
        trial_fail(&trial, "not reported as a deadlock of the routing");
    trial_close(&trial);
    rig_close(&rig);
}

/* The pins of dynamic routers say how many message classes there are: a network without a workload
 * was opened for one. */
static void dynamic_routers_know_their_classes(NO_STATE)
{
    static const char *const routers[] = {"vcs=4,va=dynamic", "vcs=4,va=dynamic,classes=2"};
    for (size_t i = 0; i < COUNT(routers); i++) {
        struct rig rig = {0};
        struct ec_workload *w = NULL;
        struct ec_report *report = NULL;
        struct ec_error error;
        const struct ec_run_options options = {.cycles = 500, .warmup = 100, .seed = 3};
        rig_open(&rig, &(struct ec_case_spec){
                           .topology = "torus:4x4", .router = routers[i], .longest = REPLY});
        assert_int_equal(ec_workload_open("uniform:rate=0.1,m=2,reply=5", &rig.t, 3, &w, &error),
                         EC_OK);
        assert_int_equal(ec_run(rig.net, w, NULL, &options, &report, &error),
                         i == 0 ? EC_USAGE : EC_OK);
        if (i == 0)
            assert_non_null(strstr(error.message, "opened without classes=2"));
        ec_report_close(report);
        ec_workload_close(w);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every request gets its reply", every_request_gets_its_reply),
        TEST("a queue is never exceeded", a_queue_is_never_exceeded),
        TEST("sources throttle themselves", sources_throttle_themselves),
        TEST("replies behind requests deadlock", replies_behind_requests_deadlock),
        TEST("lanes of their own prevent it", lanes_of_their_own_prevent_it),
        TEST("dynamic routers know their classes", dynamic_routers_know_their_classes),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
