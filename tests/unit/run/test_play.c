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

struct count {
    const char *name;
    uint64_t value;
};

enum { COUNTS = 60 };

static uint64_t weighted_sum(const uint64_t *counts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; counts && i < count; i++)
        sum += (i + 1) * counts[i];
    return sum;
}

/* What a play has counted. */
static void take_counts(struct play *p, struct count *counts)
{
    const size_t nodes = p->net->topology->nodes, links = ec_topology_links(p->net->topology);
    const struct ec_source_use use = scoreboard_source(&p->board, 3);
    const uint64_t *const delivered = p->board.order ? p->board.order->delivered : NULL;
    const struct traffic_class *const class_ = p->board.classes ? &p->board.classes[1] : NULL;
#define VALUE(value)                                                                               \
    {                                                                                              \
#value, (uint64_t)(value)                                                                  \
    }
    const struct count now[COUNTS] = {
        VALUE(p->cycle),
        VALUE(p->skipped),
        VALUE(p->last_move),
        VALUE(p->last_idle),
        VALUE(p->moved),
        VALUE(p->mark),
        VALUE(p->window_messages),
        VALUE(p->grows),
        VALUE(p->stopped),
        VALUE(p->board.words),
        VALUE(p->board.packets),
        VALUE(p->board.messages),
        VALUE(p->board.digest),
        VALUE(p->board.accepted),
        VALUE(p->board.measured),
        VALUE(p->board.hop_words),
        VALUE(p->board.latency_sum),
        VALUE(p->board.last_cycle),
        VALUE(p->board.max_hops),
        VALUE(p->board.failed),
        VALUE(p->board.log_count),
        VALUE(p->board.early.found),
        VALUE(p->board.packet_latency.samples),
        VALUE(p->board.packet_latency.max),
        VALUE(latency_summary(&p->board.packet_latency).mean * 1000),
        VALUE(latency_summary(&p->board.packet_latency).p50),
        VALUE(weighted_sum(p->board.link_words, nodes * links)),
        VALUE(weighted_sum(delivered, p->w->message_count)),
        VALUE(use.words),
        VALUE(use.packets),
        VALUE(use.latency),
        VALUE(p->senders.started),
        VALUE(p->senders.busy),
        VALUE(p->senders.messages),
        VALUE(p->senders.self_messages),
        VALUE(senders_blocked(&p->senders, 3, p->cycle)),
        VALUE(p->receivers.waiting),
        VALUE(p->receivers.stalled),
        VALUE(p->receivers.held_words),
        VALUE(p->steady.seen),
        VALUE(weighted_sum(p->steady.backlog, p->steady.seen)),
        VALUE(p->net->in_flight),
        VALUE(sources_messages(p->sources)),
        VALUE(p->in.word_count),
        VALUE(p->in.credit_count),
        VALUE(p->out.word_count),
        VALUE(p->out.credit_count),
        VALUE(class_ ? class_->packets : 0),
        VALUE(class_ ? class_->accepted : 0),
        VALUE(class_ ? class_->packet_latency.samples : 0),
        VALUE(p->class_words[1]),
        VALUE(p->board.round_trip.samples),
        VALUE(p->service ? service_most(p->service) : 0),
        VALUE(p->service ? service_held(p->service, 3) : 0),
        VALUE(p->precise.ended),
        VALUE(p->precise.arrived),
        VALUE(p->precise.decision),
        VALUE(p->precise.found.packets),
        VALUE(p->precise.found.latency * 1000),
        VALUE(p->options.precision ? precision_window(&p->precise)->sources[3].words : 0),
    };
#undef VALUE
    memcpy(counts, now, sizeof now);
}

static void assert_same(struct play *p, const struct count *counts, const char *when)
{
    struct count now[COUNTS];
    take_counts(p, now);
    for (size_t i = 0; i < COUNTS; i++) {
        if (now[i].value != counts[i].value)
            fail_msg("%s: %s is %llu, was %llu", when, now[i].name,
                     (unsigned long long)now[i].value, (unsigned long long)counts[i].value);
    }
}

/* Reset in the cycles between, and after the end. */
static void try_play(const char *router, const char *workload, const char *algorithm,
                     struct ec_run_options options)
{
    static const uint64_t stops[] = {1, 7, 20, 41, 60};
    struct count first[COUNT(stops)][COUNTS], end[COUNTS];
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

static uint64_t skipped_of(bool foreign, enum damage damage)
{
    struct bench b;
    char workload[200];
    snprintf(workload, sizeof workload, "trace:file=%s",
             scratch_file("cycle,source,destination,words\n3,0,1,1\n5000,7,6,1\n"));
    bench_open(&b, "vcs=2,depth=4", workload, NULL, (struct ec_run_options){.seed = 1});
    b.net->foreign = foreign;
    ideal_damage(b.net, damage);
    play_reset(&b.p);
    assert_int_equal(play_on(&b.p, 0), PLAY_DONE);
    assert_int_equal(b.p.board.messages, 2);
    assert_true(b.p.board.last_cycle == 5002); /* sent, taken, shown */
    assert_int_equal(b.p.board.network_latency.max, 3);
    assert_true(b.p.senders.started == 3 && b.net->cycle == b.p.cycle);
    const uint64_t skipped = b.p.skipped;
    bench_close(&b);
    scratch_files_remove();
    return skipped;
}

/* The idle cycles between two messages are skipped, and both are sent in their cycles. */
static void idle_cycles_are_skipped(void **state)
{
    (void)state;
    assert_between(skipped_of(false, SOUND), 4900, 4999);
    assert_between(skipped_of(true, SOUND), 4900, 4999);
}

/* As long as a foreign router may still return credits, it is stepped. */
static void credits_under_way_are_not_skipped(void **state)
{
    (void)state;
    assert_between(skipped_of(true, NOT_DRAINED), 4400, 4500);
    assert_between(skipped_of(false, NOT_DRAINED), 4900, 4999);
}

static void random_traffic_is_played_again(void **state)
{
    (void)state;
    try_play("vcs=4,depth=4", "uniform:rate=0.2,m=1..5", NULL,
             (struct ec_run_options){
                 .cycles = 900, .warmup = 10, .seed = 5, .eject_stall = 0.2, .keep_packets = true});
}

static void traffic_of_applications_is_played_again(void **state)
{
    (void)state;
    static const char *const workloads[] = {
        "uniform:rate=0.3,m=1..5,burst=20,on=0.3",
        "mix:rate=0.2,of=uniform:m=1..5@3+shift:q=3:m=12@1,burst=4,on=0.5",
        "uniform:rate=0.1,m=2,reply=5,think=7,queue=2",
        "uniform:rate=0.1,m=12,reply=5,think=7,outstanding=2",
        "mix:rate=0.1,of=uniform+hotspot:node=3,m=2,reply=4,think=5,queue=2,outstanding=1,classes="
        "1",
    };
    const struct ec_precision precision = {.relative = 0.5, .limit = 2000};
    for (size_t i = 0; i < COUNT(workloads); i++) {
        struct ec_run_options options = {
            .cycles = 900, .warmup = 10, .seed = 5, .eject_stall = 0.2, .startup = 2};
        try_play("vcs=4,depth=4", workloads[i], NULL, options);
        options.precision = &precision;
        try_play("vcs=4,depth=4", workloads[i], NULL, options);
    }
}

static void a_trace_with_dependences_is_played_again(void **state)
{
    (void)state;
    const char *trace = scratch_file("id,after,delay,behind,cycle,source,destination,words\n"
                                     "1,,0,,1,0,5,40\n2,1,9,,1,5,3,20\n3,,0,4,1,1,1,20\n"
                                     "4,1;2,0,,1,1,7,4\n5,3,30,,50,1,2,90\n6,,5,,30,1,0,9\n");
    char workload[200];
    snprintf(workload, sizeof workload, "trace:file=%s", trace);
    try_play("vcs=4,depth=4", workload, NULL,
             (struct ec_run_options){.seed = 3, .eject_stall = 0.4, .keep_packets = true});
    scratch_files_remove();
}

static void a_schedule_is_played_again(void **state)
{
    (void)state;
    try_play("vcs=2,depth=4", "shift:q=3,m=24", "ring", (struct ec_run_options){.seed = 1});
}

static void a_limit_of_cycles_is_exact(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=2,depth=4", "shift:q=3,m=64", NULL, (struct ec_run_options){.cycles = 20});
    assert_int_equal(play_on(&b.p, 0), PLAY_LIMIT);
    assert_int_equal(b.p.cycle, 20);
    bench_close(&b);
}

/* The words of node 7 vanish while other packets move. Its first packet of 3 words, sent in cycle
 * 1, is 4095 cycles old when ages are first checked. 4 cycles for each word are allowed on top. */
static void an_old_packet_is_noticed(void **state)
{
    static const struct {
        uint64_t age_bound, noticed;
    } rows[] = {{4095 - 4 * 3 - 1, 4096}, {4095 - 4 * 3, 8192}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, "vcs=2,depth=4", "shift:q=3,m=6000", NULL,
                   (struct ec_run_options){.age_bound = rows[i].age_bound});
        ideal_damage(b.net, NODE_NOT_HEARD);
        assert_int_equal(play_on(&b.p, 0), PLAY_OLD);
        assert_int_equal(b.p.cycle, rows[i].noticed);
        bench_close(&b);
    }
}

/* A credit is lost, so that no node has room for a whole packet any more: the network is empty when
 * the play ends. And a node never takes the word that it holds. */
static void a_stand_still_is_noticed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=2,depth=3,switching=cut-through", "shift:q=3,m=9", NULL,
               (struct ec_run_options){.startup = 7, .eject_stall = 0.2});
    ideal_damage(b.net, CREDIT_LOST);
    assert_int_equal(play_on(&b.p, 0), PLAY_STUCK);
    assert_true(b.net->in_flight == 0 && b.p.senders.busy == 1);
    ideal_damage(b.net, SOUND);
    play_reset(&b.p);
    b.p.receivers.held_words = 1;
    assert_int_equal(play_on(&b.p, 0), PLAY_STUCK);
    assert_true(b.net->in_flight == 0 && b.p.senders.busy == 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a list is played again", a_list_is_played_again),
        TEST("idle cycles are skipped", idle_cycles_are_skipped),
        TEST("credits under way are not skipped", credits_under_way_are_not_skipped),
        TEST("random traffic is played again", random_traffic_is_played_again),
        TEST("traffic of applications is played again", traffic_of_applications_is_played_again),
        TEST("a trace with dependences is played again", a_trace_with_dependences_is_played_again),
        TEST("a schedule is played again", a_schedule_is_played_again),
        TEST("a limit of cycles is exact", a_limit_of_cycles_is_exact),
        TEST("an old packet is noticed", an_old_packet_is_noticed),
        TEST("a stand-still is noticed", a_stand_still_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
