/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers at their limits, and one beyond, without RTL: the network is a perfect one of two nodes,
 * played by the test. The rows of docs/LIMITS.md that concern the program are in
 * tests/cli/test_limits.sh. */
#include <stdlib.h>
#include <string.h>

#include "ecube/schedule.h"
#include "ecube/word.h"
#include "run/play.h"
#include "unit.h"

/* --- A network of two nodes ------------------------------------------------------------------ */

/* A word that a node sends in cycle c crosses the link in c + 1 and is seen in c + 2; its credit is
 * back in c + 1, that of the link in c + 2. */
struct pair_net {
    struct ec_net net;
    struct ec_port_word word[2];
    size_t count;
    uint64_t flits[4], injected[2], zero[4]; /* [node * 2 + port]: link, ejection */
    struct ec_net_fault fault;
};

static void stub_reset(struct ec_net *net)
{
    struct pair_net *s = (struct pair_net *)net;
    s->count = 0;
    net->cycle = net->moved = net->in_flight = 0;
    memset(s->flits, 0, sizeof s->flits);
    memset(s->injected, 0, sizeof s->injected);
}

static void stub_step(struct ec_net *net, const struct ec_port_events *in,
                      struct ec_port_events *out)
{
    struct pair_net *s = (struct pair_net *)net;
    net->cycle++;
    out->word_count = out->credit_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t to = s->word[i].port ^ 1;
        out->words[out->word_count++] = (struct ec_port_word){.port = to, .word = s->word[i].word};
        s->flits[2 * to + 1]++;
    }
    for (size_t i = 0; i < in->word_count; i++) {
        s->word[i] = in->words[i];
        out->credits[out->credit_count++] = (struct ec_port_credit){.port = in->words[i].port};
        s->flits[2 * in->words[i].port]++;
        s->injected[in->words[i].port]++;
    }
    s->count = in->word_count;
    net->in_flight += in->word_count - out->word_count;
    net->moved += in->word_count + out->word_count;
}

static void stub_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct pair_net *s = (struct pair_net *)net;
    *ret = (struct ec_net_counters){.flits = s->flits,
                                    .injected = s->injected,
                                    .contended = s->zero,
                                    .starved = s->zero,
                                    .ports = 2};
}

static const struct ec_net_fault *stub_fault(const struct ec_net *net)
{
    return &((const struct pair_net *)net)->fault;
}

static bool stub_drained(const struct ec_net *net, struct ec_net_fault *ret)
{
    (void)net;
    (void)ret;
    return true;
}

static const struct ec_net_ops stub_ops = {.name = "perfect",
                                           .reset = stub_reset,
                                           .step = stub_step,
                                           .counters = stub_counters,
                                           .fault = stub_fault,
                                           .drained = stub_drained};

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct pair_net s;
};

static void bench_open(struct bench *b)
{
    struct ec_error error;
    memset(b, 0, sizeof *b);
    if (ec_topology_parse("cube:1", &b->t, &error) || ec_router_parse("", &b->t, &b->r, &error))
        fail_msg("%s", error.message);
    b->s.net = (struct ec_net){.ops = &stub_ops, .topology = &b->t, .router = &b->r};
}

static struct ec_workload *bench_workload(struct bench *b, const char *text)
{
    struct ec_workload *w;
    struct ec_error error;
    if (ec_workload_open(text, &b->t, 1, &w, &error) ||
        ec_router_set_packet(&b->r, 0, w->longest, &error))
        fail_msg("%s", error.message);
    return w;
}

/* Runs a workload, which must pass. */
static struct ec_report *play(struct bench *b, const char *text,
                              const struct ec_run_options *options)
{
    struct ec_workload *w = bench_workload(b, text);
    struct ec_audit *audit = NULL;
    struct ec_report *report = NULL;
    struct ec_error error;
    if ((!w->open_loop && ec_audit_open(&b->t, &b->r, w, true, &audit, &error)) ||
        ec_run(&b->s.net, w, audit, options, &report, &error))
        fail_msg("%s: %s", text, error.message);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_FAIL)
            fail_msg("%s: %s: %s", text, ec_check_name(id), report->checks[id].detail);
    }
    ec_audit_close(audit);
    ec_workload_close(w);
    return report;
}

static void assert_run_refused(struct bench *b, const struct ec_workload *w,
                               const struct ec_run_options *options, const char *words)
{
    struct ec_error error = {0};
    struct ec_report *report = NULL;
    assert_int_equal(ec_run(&b->s.net, w, NULL, options, &report, &error), EC_USAGE);
    assert_null(report);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

/* --- Limits ---------------------------------------------------------------------------------- */

static void messages_of_any_length_arrive(void **state)
{
    static const uint32_t lengths[] = {65535, 65536, 65537, 1u << 24};
    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct bench b;
        char text[64];
        bench_open(&b);
        snprintf(text, sizeof text, "shift:q=1,m=%u", lengths[i]);
        struct ec_report *r = play(&b, text, &(struct ec_run_options){.seed = 1});
        assert_true(r->has_prediction && r->passed);
        assert_int_equal(r->cycles, lengths[i] + 2);
        assert_int_equal(r->words, 2 * lengths[i]);
        assert_int_equal(r->packet_latency.max, lengths[i] + 2);
        ec_report_close(r);
    }
}

static void a_message_may_be_in_the_last_cycle_of_a_trace(void **state)
{
    (void)state;
    struct bench b;
    struct ec_error error;
    struct ec_workload *w;
    char text[160];
    bench_open(&b);
    snprintf(text, sizeof text, "trace:file=%s",
             scratch_file("1,0,1,3\n281474976710656,1,0,3\n281474976710656,1,0,2\n"));
    struct ec_report *r = play(&b, text, &(struct ec_run_options){.seed = 1});
    assert_true(r->passed);
    assert_true(r->cycles == (UINT64_C(1) << 48) + 5 + 1);
    assert_int_equal(r->packet_latency.max, 3 + 2 + 2);
    ec_report_close(r);
    snprintf(text, sizeof text, "trace:file=%s", scratch_file("281474976710657,0,1,3\n"));
    assert_int_equal(ec_workload_open(text, &b.t, 1, &w, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "281474976710656"));
    scratch_files_remove();
}

static void a_run_has_a_number_of_cycles(void **state)
{
    const uint64_t most = UINT64_C(1) << 60;
    (void)state;
    struct bench b;
    bench_open(&b);
    struct ec_report *r =
        play(&b, "shift:q=1,m=3", &(struct ec_run_options){.seed = 1, .cycles = most});
    assert_true(r->passed);
    ec_report_close(r);
    struct ec_workload *w = bench_workload(&b, "uniform:rate=0.5");
    struct ec_error error;
    assert_int_equal(
        play_check(&b.s.net, w, &(struct ec_run_options){.cycles = most, .warmup = most}, &error),
        EC_OK);
    assert_run_refused(&b, w, &(struct ec_run_options){.cycles = most + 1}, "1152921504606846976");
    assert_run_refused(&b, w, &(struct ec_run_options){.cycles = 1, .warmup = most + 1},
                       "1152921504606846976");
    ec_workload_close(w);
}

/* The longest start-up ends in the right cycle. */
static void a_start_up_may_take_as_long_as_32_bits_say(void **state)
{
    (void)state;
    struct bench b;
    struct scoreboard board;
    struct senders s;
    struct ec_port_word words[2];
    struct ec_port_events in = {.words = words};
    bench_open(&b);
    struct ec_workload *w = bench_workload(&b, "shift:q=1,m=2");
    struct sources *sources = sources_open(&b.t, &b.r, w, 1, NULL);
    assert_non_null(sources);
    assert_true(scoreboard_open(&board, &b.t, &b.r, NULL));
    scoreboard_reset(&board);
    assert_true(senders_open(&s, &b.t, &b.r, sources, &board, UINT32_MAX, NULL));
    senders_reset(&s);
    senders_offer(&s, 1, &in);
    assert_int_equal(in.word_count, 0);
    assert_true(senders_next_due(&s) == UINT64_C(1) + UINT32_MAX);
    senders_offer(&s, UINT32_MAX, &in);
    assert_int_equal(in.word_count, 0);
    senders_offer(&s, UINT64_C(1) + UINT32_MAX, &in);
    assert_int_equal(in.word_count, 2);
    senders_close(&s);
    scoreboard_close(&board);
    sources_close(sources);
    ec_workload_close(w);
}

static void rates_have_two_ends(void **state)
{
    static const struct {
        const char *text, *words; /* expected in the error; NULL: no error */
    } rows[] = {
        {"uniform:rate=0.99999,m=1", NULL},
        {"uniform:rate=1,m=1", "expected a rate below 1"},
        {"uniform:rate=1e-12,m=1", NULL},
        {"uniform:rate=9e-13,m=1", "at least 1e-12"},
        {"uniform:rate=64,m=16777216", NULL},
        {"uniform:rate=64,m=1..16777216", NULL},
        {"uniform:rate=0.00002,m=16777216", NULL},
        {"uniform:rate=0.00001,m=16777216", "at least 1.67772e-05"},
        {"uniform:rate=0.00001,m=1..16777216", NULL},
        {"uniform:rate=0.000008,m=1..16777216", "at least 8.38861e-06"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        struct ec_error error = {0};
        bench_open(&b);
        struct ec_workload *w = bench_workload(&b, rows[i].text);
        const struct ec_run_options options = {.cycles = 1000};
        const enum ec_code code = play_check(&b.s.net, w, &options, &error);
        assert_int_equal(code, rows[i].words ? EC_USAGE : EC_OK);
        if (rows[i].words && !strstr(error.message, rows[i].words))
            fail_msg("'%s' does not say '%s'", error.message, rows[i].words);
        ec_workload_close(w);
    }
}

/* The longest and the shortest messages of a range are drawn, and their words are counted. */
static void lengths_are_drawn_from_the_whole_range(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b);
    struct ec_workload *w = bench_workload(&b, "uniform:rate=64,m=1..16777216");
    struct sources *s = sources_open(&b.t, &b.r, w, 1, NULL);
    assert_non_null(s);
    uint32_t least = UINT32_MAX, most = 0;
    uint64_t sum = 0, last = 0;
    for (unsigned i = 0; i < 100000; i++) {
        const struct source_message m = sources_take(s, 0);
        last = m.created;
        least = m.words < least ? m.words : least;
        most = m.words > most ? m.words : most;
        sum += m.words;
    }
    assert_between(least, 1, 5000); /* 30 times the mean of the minimum of this many */
    assert_between(most, (1u << 24) - 5000, 1u << 24);
    assert_true(sources_created(s, last)[0] == sum);
    sources_close(s);
    ec_workload_close(w);
}

/* A message that waits for the one before it, made by hand because no schedule is that long. */
struct chain {
    struct ec_message message[300];
    uint32_t step[300];
    struct ec_message_order order;
    struct ec_workload w;
};

static struct chain *chain_of(size_t count, uint32_t words)
{
    struct chain *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (size_t i = 0; i < count; i++) {
        c->message[i] = (struct ec_message){.cycle = 1, .dst = 1, .words = words};
        c->step[i] = (uint32_t)i + 1;
    }
    c->order = (struct ec_message_order){.step = c->step, .by_step = true};
    c->w = (struct ec_workload){.nodes = 2,
                                .messages = c->message,
                                .message_count = count,
                                .longest = words,
                                .order = &c->order};
    return c;
}

static bool predicts(const struct bench *b, const struct ec_workload *w,
                     const struct ec_audit *audit, uint32_t startup, uint64_t *ret_cycles)
{
    struct ec_error error;
    bool known;
    assert_int_equal(ec_predict(&b->t, &b->r, w, audit, startup, &known, ret_cycles, &error),
                     EC_OK);
    return known;
}

/* 2^24 packets, each after a start-up of 2^32 - 1 cycles, are 2^56 cycles. */
static void a_prediction_fits_its_number_or_is_none(void **state)
{
    (void)state;
    struct bench b;
    uint64_t cycles = 0;
    bench_open(&b);
    b.r.packet = 1;
    struct chain *c = chain_of(2, 1u << 24);
    assert_true(predicts(&b, &c->w, NULL, UINT32_MAX, &cycles));
    assert_true(cycles == 2 * ((UINT64_C(1) << 56) + 2));
    free(c);
    c = chain_of(300, 1u << 24);
    assert_false(predicts(&b, &c->w, NULL, UINT32_MAX, &cycles));
    free(c);
}

/* A node waits while as many of its packets are under way as numbers distinguish: 1024 in a network
 * of 17 address bits. The path has room for more. */
static void a_prediction_knows_no_wait_for_numbers(void **state)
{
    (void)state;
    struct bench b = {0};
    struct ec_error error;
    struct ec_message m = {.cycle = 1, .dst = 2000, .words = 1500};
    const struct ec_audit audit = {.congestion_free = true, .max_hops = 2000};
    const struct ec_workload w = {.nodes = 70000,
                                  .messages = &m,
                                  .message_count = 1,
                                  .longest = m.words,
                                  .permutation = true};
    uint64_t cycles = 0;
    assert_int_equal(ec_topology_parse("mesh:70000", &b.t, &error), EC_OK);
    assert_int_equal(ec_router_parse("", &b.t, &b.r, &error), EC_OK);
    b.r.packet = 1;
    assert_false(predicts(&b, &w, &audit, 0, &cycles));
    b.r.packet = 2; /* fewer packets than numbers */
    assert_true(predicts(&b, &w, &audit, 0, &cycles));
    assert_true(cycles == 1500 + 2000 + 1);
    b.r.packet = 1;
    m.dst = 1000; /* fewer packets under way than numbers */
    assert_true(predicts(&b, &w, &audit, 0, &cycles));
    assert_true(cycles == 1500 + 1000 + 1);
}

/* The list is refused before it is read. */
static void a_list_has_less_than_2_to_the_32_messages(void **state)
{
    (void)state;
    struct bench b;
    struct ec_error error;
    struct ec_audit *audit = NULL;
    bench_open(&b);
    b.r.packet = 1;
    const struct ec_workload w = {
        .text = "made", .nodes = 2, .message_count = EC_MESSAGES_MAX + (size_t)1, .longest = 1};
    assert_int_equal(ec_audit_open(&b.t, &b.r, &w, false, &audit, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "4294967296 messages: expected at most 4294967295"));
    assert_run_refused(&b, &w, &(struct ec_run_options){.seed = 1},
                       "4294967296 messages: expected at most 4294967295");
}

/* Messages of 2^31 words over 2^16 links, from one end of a line to the other. */
static void words_times_links_fit_their_number_or_are_refused(void **state)
{
    enum { COUNT_AT = 1 << 16 };
    (void)state;
    struct ec_topology t;
    struct ec_router r;
    struct ec_error error;
    struct ec_audit *audit = NULL;
    if (ec_topology_parse("mesh:65537", &t, &error) || ec_router_parse("", &t, &r, &error))
        fail_msg("%s", error.message);
    struct ec_message *m = calloc(COUNT_AT + 1, sizeof *m);
    assert_non_null(m);
    for (size_t i = 0; i < COUNT_AT; i++)
        m[i] = (struct ec_message){.cycle = 1, .dst = 65536, .words = UINT32_C(1) << 31};
    struct ec_workload w = {
        .text = "made", .nodes = 65537, .messages = m, .message_count = COUNT_AT};
    assert_int_equal(ec_audit_open(&t, &r, &w, false, &audit, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "2^63 - 1"));
    m[0].words--;                                                  /* 2^16 less, */
    m[w.message_count++] = (struct ec_message){1, 0, 65535, 1, 0}; /* 2^16 - 1 more */
    assert_int_equal(ec_audit_open(&t, &r, &w, false, &audit, &error), EC_OK);
    assert_true(audit->flit_hops == INT64_MAX);
    ec_audit_close(audit);
    free(m);
}

static void least_cycles_of_random_traffic_are_refused(void **state)
{
    struct ec_error error;
    struct ec_least least;
    struct bench b;
    (void)state;
    bench_open(&b);
    struct ec_workload *w = bench_workload(&b, "uniform:rate=0.1");
    assert_int_equal(ec_least_cycles(&b.t, &b.r, w, 0, &least, &error), EC_USAGE);
    assert_string_equal(error.message, "expected a workload without rate=");
    ec_workload_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("messages of 1 to 2^24 words arrive", messages_of_any_length_arrive),
        TEST("a message may be in cycle 2^48 of a trace, and not later",
             a_message_may_be_in_the_last_cycle_of_a_trace),
        TEST("a run has at most 2^60 cycles", a_run_has_a_number_of_cycles),
        TEST("a start-up may take 2^32 - 1 cycles", a_start_up_may_take_as_long_as_32_bits_say),
        TEST("rates have a lower and an upper limit", rates_have_two_ends),
        TEST("lengths are drawn from the whole range", lengths_are_drawn_from_the_whole_range),
        TEST("a prediction that does not fit its type is omitted",
             a_prediction_fits_its_number_or_is_none),
        TEST("a prediction knows no wait for numbers of packets",
             a_prediction_knows_no_wait_for_numbers),
        TEST("a list has less than 2^32 messages", a_list_has_less_than_2_to_the_32_messages),
        TEST("words times links that do not fit their type are refused",
             words_times_links_fit_their_number_or_are_refused),
        TEST("random traffic has no least number of cycles",
             least_cycles_of_random_traffic_are_refused),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
