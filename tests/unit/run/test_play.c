/* SPDX-License-Identifier: Apache-2.0 */
/* A play that is reset and played again is in the same state in every cycle: diagnosis and waves
 * rely on it. On an ideal network, so that only nodes and the scoreboard are tested. And options
 * that do not fit are refused. */
#include "ideal.h"

#include <math.h>
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
        play_open(&b->p, b->net, NULL, b->w, &options, &error))
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
        ("mix:rate=0.1,of=uniform+hotspot:node=3,m=2,reply=4,think=5,queue=2,outstanding=1,"
         "classes=1"),
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

/* --- Options that fit ------------------------------------------------------------------------- */

/* `why` NULL: accepted. */
static void assert_checked(const struct bench *b, const struct ec_workload *w,
                           const struct ec_run_options *o, const char *why)
{
    struct ec_error error = {0};
    const enum ec_code code = play_check(b->net, w, o, &error);
    if (why && (code != EC_USAGE || strcmp(error.message, why) != 0))
        fail_msg("expected: %s; got %d: %s", why, (int)code, error.message);
    if (!why && code != EC_OK)
        fail_msg("expected no error; got %s", error.message);
}

static void rates_must_fit(void **state)
{
    static const struct {
        double rate;
        unsigned words;
        double burst, on;
        const char *why;
    } rows[] = {
        {1.9, 2, 0, 0, NULL},
        {2, 2, 0, 0,
         "rate=2 with messages of 2 words creates at least one message per node and cycle: "
         "expected a rate below 2, or longer messages"},
        {1, 1, 0, 0,
         "rate=1 with messages of 1 word creates at least one message per node and cycle: expected "
         "a rate below 1, or longer messages"},
        {2.5e-12, 2, 0, 0, NULL},
        {1.9e-12, 2, 0, 0,
         "rate=1.9e-12 with messages of 2 words is less than a message per node in 1e+12 cycles: "
         "expected a rate of at least 2e-12"},
        {0.5, 2, 20, 0.25, NULL},
        {0.6, 2, 20, 0.25,
         "rate=0.6 with messages of 2 words and on=0.25 creates more than one message per cycle in "
         "a burst: expected a rate of at most 0.5, or on=0.3 or more"},
        {2.6e-8, 2, 20, 0.25, NULL},
        {1e-8, 2, 20, 0.25,
         "rate=1e-08 with messages of 2 words, burst=20 and on=0.25: less than one burst in 1e+06 "
         "has a message: expected a rate of at least 2.5e-08, or longer bursts"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        char text[60];
        const struct ec_run_options o = {.cycles = 100};
        snprintf(text, sizeof text, "uniform:rate=0.2,m=%u", rows[i].words);
        bench_open(&b, "vcs=2,depth=4", text, NULL, o);
        b.w->rate = rows[i].rate;
        b.w->burst = (struct ec_burst){rows[i].burst, rows[i].on};
        assert_checked(&b, b.w, &o, rows[i].why);
        bench_close(&b);
    }
}

static void options_must_fit(void **state)
{
    (void)state;
    const uint64_t most = UINT64_C(1) << 60;
    struct bench b, random;
    bench_open(&b, "vcs=2,depth=4", "shift:q=3,m=2", NULL, (struct ec_run_options){0});
    bench_open(&random, "vcs=2,depth=4", "uniform:rate=0.2", NULL,
               (struct ec_run_options){.cycles = 1});
    const char *const cycles = "too many cycles: expected at most 1152921504606846976";
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = most, .warmup = most}, NULL);
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = most + 1}, cycles);
    assert_checked(&b, b.w, &(struct ec_run_options){.warmup = most + 1}, cycles);
    assert_checked(&random, random.w, &(struct ec_run_options){.cycles = 1}, NULL);
    assert_checked(&random, random.w, &(struct ec_run_options){0},
                   "no measured cycles: expected at least 1 in an open-loop run");
    const double stalls[] = {0, 0.99, 0.995, -0.1, NAN};
    const char *const whys[] = {NULL, NULL,
                                "back-pressure 0.995: expected a probability from 0 to 0.99",
                                "back-pressure -0.1: expected a probability from 0 to 0.99",
                                "back-pressure nan: expected a probability from 0 to 0.99"};
    for (size_t i = 0; i < COUNT(stalls); i++)
        assert_checked(&b, b.w, &(struct ec_run_options){.eject_stall = stalls[i]}, whys[i]);
    assert_checked(&b, b.w, &(struct ec_run_options){.watch_count = 1},
                   "backend ideal cannot be watched");
    struct ec_schedule other = {.transfer_count = 7};
    assert_checked(&b, b.w, &(struct ec_run_options){.schedule = &other},
                   "workload 'shift:q=3,m=2' was not made from this schedule");
    struct ec_workload w = *b.w;
    w.nodes = 9;
    assert_checked(&b, &w, &(struct ec_run_options){0},
                   "the workload is for 9 nodes, but the network has 8");
    w = *b.w;
    w.message_count = EC_MESSAGES_MAX;
    assert_checked(&b, &w, &(struct ec_run_options){0}, NULL);
    w.message_count++;
    assert_checked(&b, &w, &(struct ec_run_options){0},
                   "workload 'shift:q=3,m=2' has 4294967296 messages: expected at most 4294967295");
    b.r.packet = 0;
    assert_checked(&b, b.w, &(struct ec_run_options){0},
                   "the packet bound of the router is 0: call ec_router_set_packet()");
    b.r.packet = 3;
    bench_close(&b);
    bench_close(&random);
    bench_open(&b, "vcs=2,depth=4", "shift:q=3,m=2", "ring", (struct ec_run_options){0});
    assert_checked(&b, b.w, &(struct ec_run_options){.schedule = b.schedule}, NULL);
    other.transfer_count = b.w->message_count - 1;
    char why[400];
    snprintf(why, sizeof why, "workload '%s' was not made from this schedule", b.w->text);
    assert_checked(&b, b.w, &(struct ec_run_options){.schedule = &other}, why);
    bench_close(&b);
}

static void a_precision_must_fit(void **state)
{
    static const char *const part = ": expected a part of the mean latency from 0.0001 to 0.5";
    static const struct {
        double relative;
        uint64_t limit;
        const char *begin; /* what is refused; NULL: nothing */
        bool is_limit;
    } rows[] = {
        {0.0001, 0, NULL, false},
        {0.5, PRECISION_LEAST, NULL, false},
        {0.1, UINT64_C(1) << 60, NULL, false},
        {0.00009, 0, "precision 9e-05", false},
        {0.51, 0, "precision 0.51", false},
        {NAN, 0, "precision nan", false},
        {0.1, PRECISION_LEAST - 1, NULL, true},
        {0.1, (UINT64_C(1) << 60) + 1, NULL, true},
    };
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=2,depth=4", "uniform:rate=0.2", NULL, (struct ec_run_options){.cycles = 1});
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_precision goal = {.relative = rows[i].relative, .limit = rows[i].limit};
        char why[200];
        snprintf(why, sizeof why, "%s%s", rows[i].begin ? rows[i].begin : "", part);
        if (rows[i].is_limit)
            snprintf(why, sizeof why,
                     "a measurement of at most %llu cycles (--cycles): expected %d to "
                     "1152921504606846976",
                     (unsigned long long)rows[i].limit, PRECISION_LEAST);
        assert_checked(&b, b.w, &(struct ec_run_options){.precision = &goal},
                       rows[i].begin || rows[i].is_limit ? why : NULL);
    }
    bench_close(&b);
    const struct ec_precision goal = {.relative = 0.1};
    bench_open(&b, "vcs=2,depth=4", "shift:q=3,m=2", NULL, (struct ec_run_options){0});
    assert_checked(&b, b.w, &(struct ec_run_options){.precision = &goal},
                   "a precision for workload 'shift:q=3,m=2', which ends by itself: expected an "
                   "open-loop workload (rate=...)");
    bench_close(&b);
}

/* Requests and replies. */
static void a_service_must_fit(void **state)
{
    (void)state;
    const struct ec_precision goal = {.relative = 0.1};
    struct bench b;
    bench_open(&b, "vcs=4,depth=4", "uniform:rate=0.1,m=3,reply=8,think=20,queue=4", NULL,
               (struct ec_run_options){.cycles = 100, .warmup = 20});
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20}, NULL);
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 19},
                   "think=20 is longer than the warm-up of 19 cycles, so the window would begin "
                   "without replies: set --warmup 40 or more");
    assert_checked(&b, b.w, &(struct ec_run_options){.precision = &goal}, NULL);
    b.r.packet = 2;
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20},
                   "queue=4 needs requests of one packet, but those of 3 words are longer than a "
                   "packet of at most 2: set --packet 3, shorter requests or queue=inf");
    b.w->service.queue = 0;
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20}, NULL);
    b.r.packet = 3;
    b.r.va = EC_VA_DYNAMIC;
    b.r.classes = 0;
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20},
                   "router: the network was opened without classes=2, which its routers need for "
                   "requests and replies");
    b.r.classes = 2;
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20}, NULL);
    b.r.classes = 0;
    b.w->service.shared = true; /* one class is enough */
    assert_checked(&b, b.w, &(struct ec_run_options){.cycles = 100, .warmup = 20}, NULL);
    b.w->service.shared = false;
    b.r.va = EC_VA_STATIC;
    bench_close(&b);
}

/* --- The key of a play ------------------------------------------------------------------------ */

static uint64_t key_of(const char *router, const char *workload, uint64_t seed, const char *command)
{
    struct bench b;
    bench_open(&b, router, workload, NULL, (struct ec_run_options){.seed = seed});
    const uint64_t key = play_key(&b.p, command);
    bench_close(&b);
    return key;
}

/* Waves of failures are named by it: other plays have other names. */
static void every_play_has_its_key(void **state)
{
    static const struct {
        const char *router, *workload;
        uint64_t seed;
        const char *command;
    } rows[] = {
        {"", "shift:q=3,m=5", 1, NULL},      {"", "shift:q=3,m=5", 2, NULL},
        {"vcs=4", "shift:q=3,m=5", 1, NULL}, {"", "shift:q=3,m=6", 1, NULL},
        {"", "shift:q=3,m=5", 1, "run"},     {"", "shift:q=3,m=5", 1, "run --algorithm ring"},
    };
    uint64_t keys[COUNT(rows)];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        keys[i] = key_of(rows[i].router, rows[i].workload, rows[i].seed, rows[i].command);
        for (size_t k = 0; k < i; k++) {
            if (keys[k] == keys[i])
                fail_msg("rows %zu and %zu have the same key", k, i);
        }
    }
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
        TEST("rates must fit", rates_must_fit),
        TEST("options must fit", options_must_fit),
        TEST("a precision must fit", a_precision_must_fit),
        TEST("a service must fit", a_service_must_fit),
        TEST("every play has its key", every_play_has_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
