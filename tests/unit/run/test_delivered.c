/* SPDX-License-Identifier: Apache-2.0 */
/* What a delivered packet is counted for: channels, classes, round trips, a time that cannot be,
 * and what callbacks and messages say of it. */
#include "run/scoreboard.h"

#include <string.h>

#include "ecube/run.h"
#include "unit.h"

enum { WORDS = 5, SRC = 1, DST = 6 };

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct scoreboard s;
};

static void bench_open(struct bench *b, const char *topology, const char *router)
{
    b->t = topology_of(topology);
    b->r = router_of(router, &b->t);
    assert_true(scoreboard_open(&b->s, &b->t, &b->r, NULL));
    scoreboard_reset(&b->s);
    b->s.measure_to = UINT64_MAX - 1;
}

/* Created in cycle 1, sent in cycle 2. */
static uint32_t send(struct bench *b, bool last)
{
    const uint32_t number = scoreboard_send(&b->s, SRC, DST, WORDS, 0, 1, 2, last);
    assert_true(number != EC_NONE);
    return number;
}

/* The tail arrives in cycle `tail`. */
static void deliver(struct bench *b, uint32_t number, uint32_t port, uint64_t tail)
{
    for (uint32_t i = 0; i < WORDS; i++)
        scoreboard_arrive(&b->s, port, scoreboard_word(&b->s, SRC, DST, WORDS, 0, number, i),
                          tail - (WORDS - 1) + i);
    assert_false(b->s.failed);
}

/* A request of two packets that may overtake each other is held once, and has one answer. */
static void an_assembled_request_is_asked_for_once(void **state)
{
    (void)state;
    struct bench b;
    unsigned answers = 0;
    bench_open(&b, "mesh:4x4", "vcs=2,va=dynamic");
    struct ec_workload *w = workload_of("uniform:rate=1e-9,m=1,reply=2,queue=inf", &b.t);
    struct service *service = service_open(&b.t, &b.r, w, NULL);
    assert_non_null(service);
    service_reset(service);
    b.s.service = service;
    service_assemble(service, &b.s.assembly);
    const uint32_t number[] = {send(&b, false), send(&b, true)};
    for (unsigned k = 0; k < 2; k++)
        scoreboard_of_assembled(&b.s, SRC, number[k], 7, 2 * WORDS);
    for (unsigned k = 2; k-- > 0;) { /* on the lane of its number, whatever its source took */
        for (uint32_t i = 0; i < WORDS; i++)
            scoreboard_arrive(&b.s, DST, scoreboard_word(&b.s, SRC, DST, WORDS, k, number[k], i),
                              10 + i);
        assert_false(b.s.failed);
        for (unsigned i = 0; i < WORDS; i++) {
            uint32_t port;
            uint64_t ready;
            assert_true(service_accept(service, DST, k, 40, &port, &ready));
            answers += port != EC_NONE;
        }
        assert_int_equal(service_held(service, DST), k == 0);
        assert_int_equal(answers, k == 0);
    }
    const uint32_t half = send(&b, false); /* of a message that is forgotten */
    scoreboard_of_assembled(&b.s, SRC, half, 8, 2 * WORDS);
    deliver(&b, half, DST, 60);
    assert_int_equal(b.s.assembly.entry.count, 1);
    scoreboard_reset(&b.s);
    assert_int_equal(b.s.assembly.entry.count, 0);
    service_close(service);
    ec_workload_close(w);
    scoreboard_close(&b.s);
}

/* All are 0 except the one at `at`, which holds `due`. */
static void assert_only(const uint64_t *list, size_t count, size_t at, uint64_t due)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(list[i], i == at ? due : 0);
}

/* In a cube from 001 to 110, lowest dimension first: by 000 and 010. */
static void words_count_on_every_channel_of_their_path(void **state)
{
    (void)state;
    for (unsigned locals = 1; locals <= 3; locals += 2) {
        struct bench b;
        bench_open(&b, "cube:3", locals == 3 ? "ports=all" : "");
        assert_int_equal(b.s.locals, locals);
        assert_true(scoreboard_count_channels(&b.s));
        const uint32_t in = SRC * locals, out = DST * locals + (locals == 3 ? 2 : 0);
        for (unsigned packets = 1; packets <= 2; packets++) {
            deliver(&b, send(&b, true), out, 40 * packets);
            uint64_t links[8 * 3] = {0};
            links[1 * 3 + 0] = links[0 * 3 + 1] = links[2 * 3 + 2] = (uint64_t)WORDS * packets;
            for (size_t i = 0; i < COUNT(links); i++)
                assert_int_equal(b.s.link_words[i], links[i]);
            assert_only(b.s.inject_words, (size_t)8 * locals, in, (uint64_t)WORDS * packets);
            assert_only(b.s.eject_words, (size_t)8 * locals, out, (uint64_t)WORDS * packets);
        }
        assert_int_equal(b.s.max_hops, 3);
        assert_int_equal(b.s.hop_words, 2 * 3 * WORDS);
        scoreboard_reset(&b.s);
        assert_only(b.s.link_words, (size_t)8 * 3, 0, 0);
        assert_only(b.s.inject_words, (size_t)8 * locals, 0, 0);
        assert_only(b.s.eject_words, (size_t)8 * locals, 0, 0);
        scoreboard_close(&b.s);
    }
}

/* Store-and-forward: 3 hops are 5 channels, each for the whole packet; links of `link` cycles delay
 * the tail 3 times. */
static void a_packet_that_is_too_fast_is_kept(void **state)
{
    (void)state;
    for (unsigned link = 1; link <= 3; link++) {
        struct bench b;
        char router[80];
        snprintf(router, sizeof router, "switching=store-and-forward,depth=8,link=%u", link);
        bench_open(&b, "cube:3", router);
        const uint64_t least = 5 * WORDS + 3 * (link - 1);
        deliver(&b, send(&b, true), DST, 2 + least - 1);
        assert_false(b.s.early.found);
        deliver(&b, send(&b, true), DST, 2 + least - 2);
        assert_true(b.s.early.found);
        deliver(&b, send(&b, true), DST, 2 + least - 3); /* the first one is kept */
        assert_int_equal(b.s.early.cycle, 2 + least - 2);
        assert_int_equal(b.s.early.took, least - 1);
        assert_int_equal(b.s.early.least, least);
        assert_int_equal(b.s.early.src, SRC);
        assert_int_equal(b.s.early.dst, DST);
        assert_int_equal(b.s.early.words, WORDS);
        assert_int_equal(b.s.early.hops, 3);
        scoreboard_reset(&b.s);
        assert_false(b.s.early.found);
        scoreboard_close(&b.s);
    }
}

/* Requests are of class 0, replies of class 1; a reply is measured from its request on. */
static void packets_count_in_their_class(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "vcs=2");
    assert_true(scoreboard_count_classes(&b.s, 2));
    b.s.measure_from = 4;
    const uint32_t request = send(&b, false);
    scoreboard_of_class(&b.s, SRC, request, 0, 0);
    deliver(&b, request, DST, 20); /* created before the window */
    const uint32_t reply = send(&b, true);
    scoreboard_of_class(&b.s, SRC, reply, 1, 10); /* asked in cycle 10: in the window */
    deliver(&b, reply, DST, 30);
    const uint32_t part = send(&b, false);
    scoreboard_of_class(&b.s, SRC, part, 1, 10); /* not the end of its message */
    deliver(&b, part, DST, 40);
    const uint32_t old = send(&b, true);
    scoreboard_of_class(&b.s, SRC, old, 1, 3); /* asked before the window */
    deliver(&b, old, DST, 50);
    const struct traffic_class *c = b.s.classes;
    assert_int_equal(c[0].packets, 1);
    assert_int_equal(c[0].messages, 0);
    assert_int_equal(c[0].words, WORDS);
    assert_int_equal(c[0].accepted, WORDS);
    assert_int_equal(c[0].packet_latency.samples, 0);
    assert_int_equal(c[1].packets, 3);
    assert_int_equal(c[1].messages, 2);
    assert_int_equal(c[1].words, 3 * WORDS);
    assert_int_equal(c[1].accepted, 3 * WORDS);
    assert_int_equal(c[1].packet_latency.samples, 2); /* created in cycle 1, arrived in 30 and 40 */
    assert_int_equal(c[1].packet_latency.sum, 30 + 40);
    assert_int_equal(c[1].network_latency.samples, 2);
    assert_int_equal(c[1].network_latency.sum, 29 + 39);
    assert_int_equal(b.s.round_trip.samples, 1);
    assert_int_equal(b.s.round_trip.sum, 30 - 10 + 1);
    assert_int_equal(b.s.latency_sum, 20 + 30 + 40 + 50);
    assert_int_equal(b.s.recent_latency, 50);
    scoreboard_reset(&b.s);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(c[k].packets + c[k].messages + c[k].words + c[k].accepted, 0);
        assert_int_equal(c[k].packet_latency.samples + c[k].network_latency.samples, 0);
    }
    assert_int_equal(b.s.round_trip.samples, 0);
    scoreboard_close(&b.s);
}

static struct ec_delivery told;
static unsigned told_count;

static void note(void *context, const struct ec_delivery *delivery)
{
    assert_ptr_equal(context, &told);
    told = *delivery;
    told_count++;
}

static void a_callback_is_told_everything(void **state)
{
    (void)state;
    for (unsigned classes = 0; classes < 2; classes++) {
        struct bench b;
        bench_open(&b, "cube:3", "");
        if (classes)
            assert_true(scoreboard_count_classes(&b.s, 2));
        b.s.delivered = note;
        b.s.delivered_context = &told;
        told_count = 0;
        const uint32_t number = send(&b, classes);
        scoreboard_of_message(&b.s, SRC, number, 77);
        scoreboard_of_class(&b.s, SRC, number, 1, 0);
        deliver(&b, number, DST, 20);
        assert_int_equal(told_count, 1);
        assert_int_equal(told.src, SRC);
        assert_int_equal(told.dst, DST);
        assert_int_equal(told.words, WORDS);
        assert_int_equal(told.hops, 3);
        assert_int_equal(told.created, 1);
        assert_int_equal(told.injected, 2);
        assert_int_equal(told.delivered, 20);
        assert_int_equal(told.message, 77);
        assert_int_equal(told.last, classes);
        assert_int_equal(told.class_, classes ? 1 : EC_NONE);
        scoreboard_close(&b.s);
    }
}

static void a_message_names_the_word_that_is_expected(void **state)
{
    static const char *const due[] = {
        "node 6 (110): a body flit outside a packet",
        "expected word 1 of packet 3 from address 1, or another VC",
        "expected word 2 of packet 3 from address 1, or another VC",
        "expected word 3 of packet 3 from address 1, or another VC",
        "expected tail word 4 of packet 3 from address 1, or another VC"};
    (void)state;
    for (uint32_t at = 0; at < WORDS; at++) {
        struct bench b;
        bench_open(&b, "cube:3", "");
        for (unsigned k = 0; k < 3; k++)
            deliver(&b, send(&b, true), DST, 10);
        const uint32_t number = send(&b, true);
        assert_int_equal(number, 3);
        for (uint32_t i = 0; i < at; i++)
            scoreboard_arrive(&b.s, DST, scoreboard_word(&b.s, SRC, DST, WORDS, 0, number, i), 20);
        assert_false(b.s.failed);
        const uint32_t wrong = at == 0 ? 1 : 0;
        scoreboard_arrive(&b.s, DST, scoreboard_word(&b.s, SRC, DST, WORDS, 0, number, wrong), 21);
        assert_true(b.s.failed);
        assert_int_equal(b.s.failed_cycle, 21);
        assert_int_equal(b.s.failed_node, DST);
        if (strncmp(b.s.what, "cycle 21, node 6", 16) != 0 || !strstr(b.s.what, due[at]))
            fail_msg("'%s' does not say '%s'", b.s.what, due[at]);
        scoreboard_close(&b.s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("words count on every channel of their path",
             words_count_on_every_channel_of_their_path),
        TEST("a packet that store-and-forward cannot deliver so fast is kept",
             a_packet_that_is_too_fast_is_kept),
        TEST("packets count in their class, replies from their request on",
             packets_count_in_their_class),
        TEST("an assembled request is asked for once", an_assembled_request_is_asked_for_once),
        TEST("a callback is told everything of a packet", a_callback_is_told_everything),
        TEST("a message names the word that is expected",
             a_message_names_the_word_that_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
