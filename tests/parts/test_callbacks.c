/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with callbacks and watchers that ask for several threads are played in one: what is seen is
 * the same, in the same order and once, also of a run that fails. The results of runs in several
 * parts are compared in parity.sh. */
#include <stdio.h>
#include <xxhash.h>

#include "program/options/job.h"
#include "unit.h"

/* All that the callbacks got, in order. */
struct notes {
    uint64_t hash;
    unsigned deliveries, offers, taken, routers, cycles, resets;
};

static void note(struct notes *n, const void *bytes, size_t size)
{
    n->hash = XXH3_64bits_withSeed(bytes, size, n->hash);
}

static void note_number(struct notes *n, uint64_t number)
{
    note(n, &number, sizeof number);
}

static void on_delivery(void *context, const struct ec_delivery *d)
{
    struct notes *n = context;
    n->deliveries++;
    note_number(n, d->src);
    note_number(n, d->dst);
    note_number(n, d->delivered);
    note_number(n, d->message);
}

static void on_offer(void *context, const struct ec_offer *o)
{
    struct notes *n = context;
    n->offers++;
    note_number(n, o->cycle);
    note_number(n, o->node);
    note_number(n, o->dst);
}

static void on_taken(void *context, const struct ec_message *m)
{
    struct notes *n = context;
    n->taken++;
    note_number(n, m->cycle);
    note_number(n, m->src);
}

static void on_router(void *context, const struct ec_net_seen *seen)
{
    struct notes *n = context;
    n->routers++;
    note_number(n, seen->cycle);
    note_number(n, seen->node);
    note_number(n, seen->in_valid);
    note_number(n, seen->out_credit[0]);
    for (uint64_t left = seen->out_valid; left; left &= left - 1)
        note_number(n, seen->out_word[__builtin_ctzll(left)]);
    for (uint64_t left = seen->contended[0]; left; left &= left - 1)
        note_number(n, seen->want[__builtin_ctzll(left)]);
}

static void on_cycle(void *context, uint64_t cycle)
{
    struct notes *n = context;
    n->cycles++;
    note_number(n, cycle);
}

static void on_reset(void *context)
{
    struct notes *n = context;
    n->resets++;
}

static const uint64_t odd_nodes[] = {UINT64_C(0xaaaaaaaaaaaaaaaa)};

/* Run `words` and note what is seen; returns whether the run passed. `age_bound`: as in
 * ec_run_options. */
static bool run(struct ec_session *s, const char *words, uint64_t age_bound, uint32_t threads,
                struct notes *ret)
{
    struct cli_words text = {0};
    struct cli_job job = cli_job_default();
    struct ec_case *c = NULL;
    struct ec_report *report = NULL;
    struct ec_error e;
    const struct ec_net_watch all = {
        .router = on_router, .cycle = on_cycle, .reset = on_reset, .context = ret};
    const struct ec_net_watch odd = {.router = on_router, .nodes = odd_nodes, .context = ret};
    const struct ec_net_watch *const watches[] = {&all, &odd};
    *ret = (struct notes){0};
    if (cli_job_read(words, CLI_LINE, &text, &job, &e) != EC_OK)
        fail_msg("%s", e.message);
    job.spec.threads = threads;
    if (ec_case_open(s, &job.spec, &c, &e) != EC_OK)
        fail_msg("%s", e.message);
    struct ec_run_options o = ec_case_run_options(c);
    o.age_bound = age_bound;
    o.delivery = on_delivery;
    o.offer = on_offer;
    o.taken = on_taken;
    o.delivery_context = o.offer_context = o.taken_context = ret;
    o.watches = watches;
    o.watch_count = 2;
    if (ec_case_run(c, &o, &report, &e) != EC_OK)
        fail_msg("%s", e.message);
    const bool passed = report->passed;
    assert_int_equal(report->parts, 1);
    assert_int_equal(report->threads, 1);
    note_number(ret, report->digest);
    note_number(ret, report->cycles);
    ec_report_close(report);
    ec_case_close(c);
    cli_job_free(&job);
    cli_words_free(&text);
    return passed;
}

static void check_same(const char *words, uint64_t age_bound, bool passes)
{
    static const uint32_t threads[] = {2, 3, 5, 2};
    struct ec_session *s = NULL;
    struct ec_error e;
    struct notes whole, split;
    if (ec_session_open(NULL, &s, &e) != EC_OK)
        fail_msg("%s", e.message);
    assert_int_equal(run(s, words, age_bound, 1, &whole), passes);
    assert_int_equal(whole.resets, 1);
    assert_true(whole.deliveries > 0 && whole.routers > whole.cycles);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        assert_int_equal(run(s, words, age_bound, threads[i], &split), passes);
        assert_int_equal(split.deliveries, whole.deliveries);
        assert_int_equal(split.offers, whole.offers);
        assert_int_equal(split.taken, whole.taken);
        assert_int_equal(split.routers, whole.routers);
        assert_int_equal(split.cycles, whole.cycles);
        assert_int_equal(split.resets, 1);
        assert_true(split.hash == whole.hash);
    }
    ec_session_close(s);
}

static void a_good_run_is_seen_alike(NO_STATE)
{
    check_same("cube:3 shift:q=5,m=12 --packet 4", 0, true);
    check_same("cube:3 uniform:rate=0.2,m=3 --cycles 200 --warmup 20 --router link=3", 0, true);
}

/* Messages that meet head on in a ring without a dateline. */
static void a_failed_run_is_seen_once(NO_STATE)
{
    check_same("torus:4x4 uniform:rate=0.6,m=16 --cycles 2000 --router vcs=1", 0, false);
}

/* A packet waits for long, but not for ever. */
static void an_old_packet_is_no_failure(NO_STATE)
{
    check_same("cube:3 hotspot:m=700 --router depth=1", 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a run that asks for threads is seen like one in one part", a_good_run_is_seen_alike),
        TEST("a run that fails is seen once", a_failed_run_is_seen_once),
        TEST("an old packet does not fail a run", an_old_packet_is_no_failure),
    };
    return cmocka_run_group_tests_name("callbacks", tests, NULL, NULL);
}
