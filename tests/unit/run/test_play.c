/* SPDX-License-Identifier: Apache-2.0 */
/* A play that is reset and played again is in the same state in every cycle: diagnosis and waves
 * rely on it. On an ideal network, so that only nodes and the scoreboard are tested. */
#include "ideal.h"

#include <string.h>

#include "ecube/schedule.h"
#include "run/play.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct ec_schedule *schedule;
    struct ec_net *net;
    struct play p;
};

static void bench_open(struct bench *b, const char *router, const char *workload,
                       const char *algorithm, struct ec_run_options options)
{
    struct ec_error error;
    *b = (struct bench){.t = topology_of("ring:8")};
    b->r = router_of(router, &b->t);
    b->w = workload_of(workload, &b->t);
    if (algorithm) {
        struct ec_workload *plain = b->w;
        if (ec_schedule_open(&b->t, plain, algorithm, &b->schedule, &error) ||
            ec_schedule_workload(b->schedule, plain, EC_SYNC_DATA, 0, &b->w, &error))
            fail_msg("%s", error.message);
        ec_workload_close(plain);
    }
    b->net = ideal_open(&b->t, &b->r);
    if (ec_router_set_packet(&b->r, 3, 8, &error) ||
        play_open(&b->p, b->net, b->w, &options, &error))
        fail_msg("%s", error.message);
}

static void bench_close(struct bench *b)
{
    play_close(&b->p);
    b->net->ops->close(b->net);
    ec_workload_close(b->w);
    ec_schedule_close(b->schedule);
}

/* What a play has counted, as one number per line of a failure. */
#define COUNTS(X)                                                                                  \
    X(p->cycle)                                                                                    \
    X(p->skipped)                                                                                  \
    X(p->last_move)                                                                                \
    X(p->last_idle)                                                                                \
    X(p->moved)                                                                                    \
    X(p->mark)                                                                                     \
    X(p->window_messages)                                                                          \
    X(p->grows)                                                                                    \
    X(p->stopped) X(p->board.words) X(p->board.packets) X(p->board.messages) X(p->board.digest)    \
        X(p->board.accepted) X(p->board.measured) X(p->board.hop_words) X(p->board.last_cycle)     \
            X(p->board.max_hops) X(p->board.failed) X(p->board.packet_latency.samples)             \
                X(p->board.packet_latency.max) X(p->board.log_count) X(p->board.early.found)       \
                    X(p->senders.started) X(p->senders.busy) X(p->senders.self_messages)           \
                        X(p->receivers.waiting) X(p->receivers.stalled) X(p->receivers.held_words) \
                            X(p->steady.seen) X(p->net->in_flight) X(sources_messages(p->sources)) \
                                X(p->in.word_count) X(p->in.credit_count) X(p->out.word_count)     \
                                    X(p->out.credit_count) X(                                      \
                                        (uint64_t)latency_summary(&p->board.packet_latency).mean * \
                                        1000) X(latency_summary(&p->board.packet_latency).p50)     \
                                        X(link_words(p))

enum {
#define COUNT_ONE(value) +1
    COUNT_OF = 0 COUNTS(COUNT_ONE)
#undef COUNT_ONE
};

static uint64_t link_words(const struct play *p)
{
    uint64_t sum = 0;
    const size_t links = (size_t)p->net->topology->nodes * ec_topology_links(p->net->topology);
    for (size_t i = 0; p->board.link_words && i < links; i++)
        sum += (i + 1) * p->board.link_words[i];
    return sum;
}

static void take_counts(struct play *p, uint64_t *counts)
{
#define COUNT_ONE(value) (uint64_t)(value),
    const uint64_t now[] = {COUNTS(COUNT_ONE)};
#undef COUNT_ONE
    memcpy(counts, now, sizeof now);
}

static void assert_same(struct play *p, const uint64_t *counts, const char *when)
{
#define COUNT_ONE(value) #value,
    static const char *const names[] = {COUNTS(COUNT_ONE)};
#undef COUNT_ONE
    uint64_t now[COUNT_OF];
    take_counts(p, now);
    for (size_t i = 0; i < COUNT_OF; i++) {
        if (now[i] != counts[i])
            fail_msg("%s: %s is %llu, was %llu", when, names[i], (unsigned long long)now[i],
                     (unsigned long long)counts[i]);
    }
}

/* Reset in the cycles between, and after the end. */
static void try_play(const char *router, const char *workload, const char *algorithm,
                     struct ec_run_options options)
{
    static const uint64_t stops[] = {1, 7, 20, 41, 60};
    uint64_t first[COUNT(stops)][COUNT_OF], end[COUNT_OF];
    struct bench b;
    bench_open(&b, router, workload, algorithm, options);
    for (size_t i = 0; i < COUNT(stops); i++) {
        assert_int_equal(play_on(&b.p, stops[i]), PLAY_ON);
        take_counts(&b.p, first[i]);
    }
    assert_int_equal(play_on(&b.p, 0), PLAY_DONE);
    take_counts(&b.p, end);
    for (size_t last = COUNT(stops); last > 0; last--) {
        play_reset(&b.p);
        for (size_t i = 0; i < last; i++) {
            play_on(&b.p, stops[i]);
            assert_same(&b.p, first[i], "played again");
        }
    }
    play_reset(&b.p);
    assert_int_equal(play_on(&b.p, 0), PLAY_DONE);
    assert_same(&b.p, end, "at the end");
    assert_true(b.net->cycle == b.p.cycle);
    assert_true(b.net->ops->drained(b.net, NULL));
    bench_close(&b);
}

static void a_list_is_played_again(void **state)
{
    (void)state;
    const char *trace = scratch_file("cycle,source,destination,words\n"
                                     "1,0,5,40\n1,0,3,20\n1,1,3,20\n2,2,2,4\n3,2,3,90\n5,6,3,2\n"
                                     "30,7,3,9\n50,4,4,1\n50,4,3,9\n70,5,1,9\n1000,0,1,2\n");
    char workload[200];
    snprintf(workload, sizeof workload, "trace:file=%s", trace);
    try_play("vcs=4,depth=4", workload, NULL,
             (struct ec_run_options){.seed = 3, .eject_stall = 0.4, .keep_packets = true});
    try_play("vcs=4,depth=4,dateline=off", workload, NULL,
             (struct ec_run_options){.seed = 4, .eject_stall = 0.4});
    try_play("vcs=2,depth=4,switching=store-and-forward", workload, NULL,
             (struct ec_run_options){.seed = 3, .startup = 5});
    scratch_files_remove();
}

/* The idle cycles between two messages are skipped, and both are sent in their cycles. */
static void idle_cycles_are_skipped(void **state)
{
    (void)state;
    struct bench b;
    char workload[200];
    snprintf(workload, sizeof workload, "trace:file=%s",
             scratch_file("cycle,source,destination,words\n3,0,1,1\n5000,7,6,1\n"));
    bench_open(&b, "vcs=2,depth=4", workload, NULL, (struct ec_run_options){.seed = 1});
    assert_int_equal(play_on(&b.p, 0), PLAY_DONE);
    assert_int_equal(b.p.board.messages, 2);
    assert_true(b.p.board.last_cycle == 5002); /* sent, taken, shown */
    assert_int_equal(b.p.board.network_latency.max, 3);
    assert_true(b.p.senders.started == 3 && b.net->cycle == b.p.cycle);
    assert_between(b.p.skipped, 4900, 4999);
    assert_true(b.p.cycle - b.p.skipped < 100);
    bench_close(&b);
    scratch_files_remove();
}

static void random_traffic_is_played_again(void **state)
{
    (void)state;
    try_play("vcs=4,depth=4", "uniform:rate=0.2,m=1..5", NULL,
             (struct ec_run_options){
                 .cycles = 900, .warmup = 10, .seed = 5, .eject_stall = 0.2, .keep_packets = true});
}

static void a_schedule_is_played_again(void **state)
{
    (void)state;
    try_play("vcs=2,depth=4", "shift:q=3,m=24", "ring", (struct ec_run_options){.seed = 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a list is played again", a_list_is_played_again),
        TEST("idle cycles are skipped", idle_cycles_are_skipped),
        TEST("random traffic is played again", random_traffic_is_played_again),
        TEST("a schedule is played again", a_schedule_is_played_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
