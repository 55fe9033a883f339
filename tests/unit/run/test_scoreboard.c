/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard accepts each word exactly once, at its node, in order and unaltered. */
#include "run/scoreboard.h"

#include <string.h>

#include "ecube/word.h"
#include "unit.h"
#include "workload/spec.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct scoreboard s;
};

static void bench_open(struct bench *b, const char *topology, const char *router)
{
    struct ec_error error;
    if (ec_topology_parse(topology, &b->t, &error) || ec_router_parse(router, &b->t, &b->r, &error))
        fail_msg("%s", error.message);
    assert_true(scoreboard_open(&b->s, &b->t, &b->r, NULL));
    scoreboard_reset(&b->s);
    b->s.measure_to = UINT64_MAX - 1;
}

#define WORDS 5

struct packet_words {
    uint32_t number;
    uint64_t word[WORDS];
};

static struct packet_words send(struct bench *b, uint32_t src, uint32_t dst, unsigned lane)
{
    struct packet_words p;
    p.number = scoreboard_send(&b->s, src, dst, WORDS, lane, 1, 2, true);
    assert_true(p.number != EC_NONE);
    for (uint32_t i = 0; i < WORDS; i++)
        p.word[i] = scoreboard_word(&b->s, src, dst, WORDS, lane, p.number, i);
    return p;
}

/* One local port per node: port = node. */
static void arrive(struct bench *b, uint32_t node, uint64_t word, uint64_t cycle)
{
    scoreboard_arrive(&b->s, node, word, cycle);
}

static void assert_failed(const struct bench *b, const char *what, const char *words)
{
    if (!b->s.failed)
        fail_msg("%s: accepted", what);
    if (!strstr(b->s.what, words))
        fail_msg("%s: '%s' does not say '%s'", what, b->s.what, words);
}

static void words_in_order_are_accepted(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", "vcs=2");
    b.s.keep_log = true;
    const struct packet_words x = send(&b, 3, 14, 0), y = send(&b, 3, 14, 1);
    for (unsigned i = 0; i < WORDS; i++) { /* two VCs may alternate */
        arrive(&b, 14, x.word[i], 10 + 2 * i);
        arrive(&b, 14, y.word[i], 11 + 2 * i);
        assert_false(b.s.failed);
    }
    assert_int_equal(b.s.words, 2 * WORDS);
    assert_int_equal(b.s.packets, 2);
    assert_int_equal(b.s.messages, 2);
    assert_int_equal(b.s.last_cycle, 19);
    assert_int_equal(b.s.max_hops, 5); /* (0,1) to (2,4) */
    assert_int_equal(b.s.hop_words, 2 * WORDS * 5);
    /* Created in cycle 1, injected in 2, the tails seen in 18 and 19. */
    assert_int_equal(b.s.packet_latency.max, 19);
    assert_int_equal(b.s.packet_latency.sum, 18 + 19);
    assert_int_equal(b.s.network_latency.sum, 17 + 18);
    assert_int_equal(b.s.log_count, 2);
    const struct ec_packet_log *log = &b.s.log[1];
    assert_true(log->src == 3 && log->dst == 14 && log->words == WORDS);
    assert_true(log->created == 1 && log->injected == 2 && log->delivered == 19);
    assert_false(scoreboard_overdue(&b.s, 1000000, 0));
    scoreboard_close(&b.s);
}

static void a_failure_names_cycle_node_and_word(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", "vcs=2");
    const struct packet_words x = send(&b, 3, 14, 0);
    arrive(&b, 14, x.word[1], 77);
    assert_true(b.s.failed && b.s.failed_cycle == 77 && b.s.failed_node == 14);
    assert_string_equal(b.s.what,
                        "cycle 77, node 14 (2,4): a body flit outside a packet (word 3->14 #0.1)");
    arrive(&b, 14, x.word[0], 77); /* the first failure stays */
    arrive(&b, 13, x.word[0], 77);
    arrive(&b, 14, x.word[0], 78);
    arrive(&b, 13, x.word[0], 79);
    assert_int_equal(b.s.failed_cycle, 77);
    assert_int_equal(b.s.failed_node, 14);
    assert_non_null(strstr(b.s.what, "a body flit outside a packet"));
    scoreboard_reset(&b.s);
    const struct packet_words y = send(&b, 3, 14, 1);
    arrive(&b, 14, y.word[0], 80);
    arrive(&b, 14, y.word[4], 81);
    assert_string_equal(b.s.what, "cycle 81, node 14 (2,4): expected word 1 of packet 0 from "
                                  "address 4, or another VC (word tail 3->14 #0.4)"); /* (0,1) */
    scoreboard_close(&b.s);
}

/* Words count if they arrive in the window, packets if they were created in it: here all in
 * cycle 1.
 */
static void a_window_has_two_borders(void **state)
{
    static const struct {
        uint64_t from, to;
        unsigned accepted, measured;
    } rows[] = {{10, 13, 3, 0}, {9, 14, 5, 0}, {0, 11, 2, 1}, {1, 14, 5, 0}, {0, 1, 0, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        uint32_t src, dst;
        uint64_t sent;
        bench_open(&b, "mesh:3x5", "");
        b.s.measure_from = rows[i].from;
        b.s.measure_to = rows[i].to;
        const struct packet_words x = send(&b, 3, 14, 0);
        assert_true(scoreboard_oldest(&b.s, &src, &dst, &sent));
        assert_true(src == 3 && dst == 14 && sent == 2);
        for (unsigned k = 0; k < WORDS; k++)
            arrive(&b, 14, x.word[k], 10 + k);
        const struct ec_source_use use = scoreboard_source(&b.s, 3);
        assert_int_equal(b.s.accepted, rows[i].accepted);
        assert_int_equal(b.s.measured, rows[i].measured);
        assert_int_equal(use.words, rows[i].accepted);
        assert_int_equal(use.packets, rows[i].measured);
        assert_int_equal(use.latency, rows[i].measured * 14);
        assert_false(scoreboard_oldest(&b.s, &src, &dst, &sent));
        scoreboard_close(&b.s);
    }
}

static void any_changed_bit_is_noticed(void **state)
{
    static const char *const networks[][2] = {
        {"cube:3", ""}, {"mesh:3x5", "vcs=2"}, {"torus:4x4", "vcs=4"}};
    (void)state;
    for (size_t n = 0; n < COUNT(networks); n++) {
        for (unsigned at = 0; at < WORDS; at++) {
            for (unsigned bit = 0; bit < 63; bit++) { /* bit 63 marks a valid word */
                struct bench b;
                char what[64];
                bench_open(&b, networks[n][0], networks[n][1]);
                const struct packet_words p = send(&b, 1, 6, 0);
                for (unsigned i = 0; i < at; i++)
                    arrive(&b, 6, p.word[i], 10 + i);
                assert_false(b.s.failed);
                arrive(&b, 6, p.word[at] ^ UINT64_C(1) << bit, 77);
                snprintf(what, sizeof what, "%s: word %u with bit %u changed", networks[n][0], at,
                         bit);
                assert_failed(&b, what, "cycle 77, node 6 ");
                assert_int_equal(b.s.words, at);
                assert_int_equal(b.s.failed_cycle, 77);
                scoreboard_close(&b.s);
            }
        }
    }
}

static void words_out_of_turn_are_noticed(void **state)
{
    (void)state;
    for (unsigned first = 0; first < WORDS; first++) { /* after `first` words comes `next` */
        for (unsigned next = 0; next < WORDS; next++) {
            struct bench b;
            if (next == first)
                continue;
            bench_open(&b, "cube:3", "");
            const struct packet_words p = send(&b, 1, 6, 0);
            for (unsigned i = 0; i < first; i++)
                arrive(&b, 6, p.word[i], 10 + i);
            assert_false(b.s.failed);
            arrive(&b, 6, p.word[next], 30);
            assert_failed(&b, "out of turn", "cycle 30, node 6 ");
            scoreboard_close(&b.s);
        }
    }
}

/* Dynamic allocation: a packet arrives on any lane of its class, all of it on the same one. */
static void a_packet_takes_any_lane_of_its_class(void **state)
{
    static const struct {
        unsigned head, rest;
        const char *says; /* NULL: accepted */
    } rows[] = {{0, 0, NULL},
                {2, 2, NULL},
                {2, 0, "a body flit outside a packet"},
                {1, 1, "or another VC"}, /* the other dateline class */
                {4, 4, "or another VC"}, /* the other message class */
                {6, 6, "or another VC"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, "torus:4x4", "vcs=8,va=dynamic,classes=2");
        const struct packet_words x = send(&b, 3, 14, 0);
        for (unsigned k = 0; k < WORDS; k++) {
            const uint64_t vc = k ? rows[i].rest : rows[i].head;
            arrive(&b, 14, x.word[k] | vc << ec_word_vc_shift(8), 10 + k);
        }
        if (rows[i].says)
            assert_failed(&b, "a lane", rows[i].says);
        else if (b.s.failed || b.s.packets != 1)
            fail_msg("VC %u: %s", rows[i].head, b.s.what);
        scoreboard_close(&b.s);
    }
}

/* Two packets of a pair on two VCs, their words swapped: each must follow its own head. */
static void swapped_words_of_a_pair_are_noticed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", "vcs=2,va=dynamic");
    const struct packet_words x = send(&b, 3, 14, 0), y = send(&b, 3, 14, 0);
    const uint64_t other = UINT64_C(1) << ec_word_vc_shift(2);
    arrive(&b, 14, x.word[0] | other, 10);
    arrive(&b, 14, y.word[0], 11);
    assert_false(b.s.failed);
    arrive(&b, 14, x.word[1], 12);
    assert_failed(&b, "a word on the VC of the other packet", "expected word 1 of packet 1");
    scoreboard_close(&b.s);
}

/* A message is complete with the packet that arrives last, not with the one that was sent last. */
/* All packets must be of message 7. */
static void count_packets(void *context, const struct ec_delivery *d)
{
    assert_int_equal(d->message, 7);
    ++*(unsigned *)context;
}

static void a_message_is_complete_when_all_of_it_is_there(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", "vcs=2,va=dynamic");
    const uint64_t other = UINT64_C(1) << ec_word_vc_shift(2);
    const struct packet_words x = send(&b, 3, 14, 0), y = send(&b, 3, 14, 0);
    unsigned told = 0;
    b.s.delivered = count_packets;
    b.s.delivered_context = &told;
    scoreboard_of_assembled(&b.s, 3, x.number, 7, 2 * WORDS);
    scoreboard_of_assembled(&b.s, 3, y.number, 7, 2 * WORDS);
    for (unsigned k = 0; k < WORDS; k++)
        arrive(&b, 14, y.word[k] | other, 10 + k);
    assert_int_equal(b.s.messages, 0);
    for (unsigned k = 0; k < WORDS; k++)
        arrive(&b, 14, x.word[k], 20 + k);
    assert_false(b.s.failed);
    assert_int_equal(b.s.packets, 2);
    assert_int_equal(b.s.messages, 1);
    assert_int_equal(told, 2);
    assert_int_equal(b.s.assembly.entry.count, 0); /* it is forgotten */
    scoreboard_close(&b.s);
}

static void a_reset_forgets_every_source(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", "");
    for (uint32_t src = 0; src < b.t.nodes; src++) {
        const uint32_t dst = (src + 1) % b.t.nodes;
        const struct packet_words p = send(&b, src, dst, 0);
        for (unsigned k = 0; k < WORDS; k++)
            arrive(&b, dst, p.word[k], 10 + k);
        assert_int_equal(scoreboard_source(&b.s, src).words, WORDS);
        assert_int_equal(scoreboard_source(&b.s, src).packets, 1);
    }
    scoreboard_reset(&b.s);
    for (uint32_t src = 0; src < b.t.nodes; src++) {
        const struct ec_source_use use = scoreboard_source(&b.s, src);
        assert_true(use.words == 0 && use.packets == 0 && use.latency == 0);
    }
    scoreboard_close(&b.s);
}

static void a_word_after_the_last_is_noticed(void **state)
{
    (void)state;
    for (unsigned again = 0; again < WORDS; again++) {
        struct bench b;
        bench_open(&b, "cube:3", "");
        const struct packet_words p = send(&b, 1, 6, 0);
        send(&b, 1, 6, 0); /* another is under way */
        for (unsigned i = 0; i < WORDS; i++)
            arrive(&b, 6, p.word[i], 10 + i);
        assert_false(b.s.failed);
        arrive(&b, 6, p.word[again], 40);
        assert_failed(&b, "doubled", again ? "body flit outside a packet" : "not in flight");
        scoreboard_close(&b.s);
    }
}

/* One word is head and tail at once; an older packet of the source is still under way. */
static void a_doubled_packet_of_one_word_is_noticed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "");
    send(&b, 1, 7, 0);
    const uint32_t number = scoreboard_send(&b.s, 1, 6, 1, 0, 1, 2, true);
    const uint64_t word = scoreboard_word(&b.s, 1, 6, 1, 0, number, 0);
    arrive(&b, 6, word, 10);
    assert_false(b.s.failed);
    arrive(&b, 6, word, 11);
    assert_failed(&b, "doubled", "not in flight");
    scoreboard_close(&b.s);
}

/* Addresses behind those of the network are no node, from the first one on. */
static void addresses_of_no_node_are_noticed(void **state)
{
    (void)state;
    struct bench b;
    for (unsigned bit = 2; bit < 16; bit++) {
        bench_open(&b, "cube:2", "");
        const uint64_t word = ec_word_pack(&b.s.layout, true, true, 0, 1, 1u << bit, 0);
        arrive(&b, 1, word, 5);
        assert_failed(&b, "a word from nowhere", "a packet that is not in flight");
        scoreboard_close(&b.s);
    }
}

static void strangers_are_noticed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "");
    const struct packet_words p = send(&b, 1, 6, 0);
    arrive(&b, 5, p.word[0], 9);
    assert_failed(&b, "at the wrong node", "a packet for node 6");
    scoreboard_close(&b.s);

    bench_open(&b, "cube:3", "");
    const struct packet_words q = send(&b, 1, 6, 0);
    const struct packet_words r = send(&b, 2, 6, 0);
    arrive(&b, 6, q.word[0], 9);
    arrive(&b, 6, r.word[0], 10);
    assert_failed(&b, "two packets mixed", "cycle 10, node 6 ");
    scoreboard_close(&b.s);

    bench_open(&b, "mesh:3x5", "");
    send(&b, 1, 6, 0);
    arrive(&b, 6, ec_word_pack(&narrow, true, true, 0, ec_topology_address(&b.t, 6), 3, 0), 9);
    assert_failed(&b, "from no node (the coordinate 3 of radix 3)", "not in flight");
    scoreboard_close(&b.s);

    bench_open(&b, "cube:3", "");
    send(&b, 1, 6, 0);
    arrive(&b, 6, ec_word_pack(&narrow, true, true, 0, 6, 4, 0), 9);
    assert_failed(&b, "from a node that sent nothing", "not in flight");
    scoreboard_close(&b.s);
}

/* Packets overtake one another on the way from one source; numbers come round after 16384. */
static void packets_of_a_source_overtake(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "");
    for (unsigned round = 0; round < 30000; round++) {
        const struct packet_words x = send(&b, 1, 6, 0), y = send(&b, 1, 5, 0);
        for (unsigned i = 0; i < WORDS; i++)
            arrive(&b, 5, y.word[i], 100 * round + i + 1);
        for (unsigned i = 0; i < WORDS; i++)
            arrive(&b, 6, x.word[i], 100 * round + i + 11);
        if (b.s.failed)
            fail_msg("%s", b.s.what);
    }
    assert_int_equal(b.s.packets, 60000);
    scoreboard_close(&b.s);
}

static void too_many_packets_must_wait_at(const char *topology, const char *router, unsigned most)
{
    struct bench b;
    bench_open(&b, topology, router);
    assert_int_equal(1u << b.s.layout.number_bits, most);
    const struct packet_words first = send(&b, 1, 6, 0);
    for (unsigned i = 1; i < most; i++)
        send(&b, 1, 6, 0);
    assert_int_equal(scoreboard_send(&b.s, 1, 6, 1, 0, 1, 2, true), EC_NONE);
    assert_true(scoreboard_send(&b.s, 2, 6, 1, 0, 1, 2, true) != EC_NONE); /* of this source */
    for (unsigned i = 0; i < WORDS; i++)
        arrive(&b, 6, first.word[i], 10 + i);
    assert_false(b.s.failed);
    assert_int_equal(scoreboard_send(&b.s, 1, 6, 1, 0, 1, 2, true), first.number);
    scoreboard_close(&b.s);
}

static void too_many_packets_must_wait(void **state)
{
    (void)state;
    too_many_packets_must_wait_at("cube:3", "", 16384);
    too_many_packets_must_wait_at("cube:3", "vcs=8", 8192);
    too_many_packets_must_wait_at("cube:17", "vcs=4", 1024);
    too_many_packets_must_wait_at("mesh:257x255", "vcs=8", 512);
}

static void an_overdue_packet_is_noticed_and_a_long_one_gets_more_time(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "");
    scoreboard_send(&b.s, 4, 1, 1000, 0, 1, 30, true);
    const uint32_t number = scoreboard_send(&b.s, 7, 2, 1, 0, 1, 20, true);
    scoreboard_send(&b.s, 7, 3, 2, 0, 1, 40, true);
    assert_false(scoreboard_overdue(&b.s, 124, 100)); /* 20 + 100 + 4 * 1 */
    assert_true(scoreboard_overdue(&b.s, 125, 100));
    arrive(&b, 2, scoreboard_word(&b.s, 7, 2, 1, 0, number, 0), 50);
    assert_false(scoreboard_overdue(&b.s, 148, 100)); /* 40 + 100 + 4 * 2 */
    assert_true(scoreboard_overdue(&b.s, 149, 100));
    scoreboard_close(&b.s);
}

static uint32_t send_one(struct bench *b, uint32_t words)
{
    const uint32_t number = scoreboard_send(&b->s, 1, 6, words, 0, 1, 2, true);
    assert_true(number != EC_NONE);
    return number;
}

static uint64_t word_of(const struct bench *b, uint32_t words, uint32_t number, uint32_t index)
{
    return scoreboard_word(&b->s, 1, 6, words, 0, number, index);
}

/* Lengths around the widths that a counter may have had, up to the longest message. */
static void packets_of_any_length_are_accepted(void **state)
{
    static const uint32_t lengths[] = {
        255, 256, 8191, 8192, 8193, 65535, 65536, 65537, EC_MESSAGE_WORDS_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const uint32_t words = lengths[i];
        struct bench b;
        bench_open(&b, "cube:3", "");
        const uint32_t number = send_one(&b, words);
        for (uint32_t index = 0; index < words; index++)
            arrive(&b, 6, word_of(&b, words, number, index), 10 + index);
        if (b.s.failed)
            fail_msg("%u words: %s", words, b.s.what);
        assert_int_equal(b.s.words, words);
        assert_int_equal(b.s.packets, 1);
        assert_true(b.s.hop_words == UINT64_C(3) * words); /* from 001 to 110 */
        assert_true(b.s.packet_latency.max == UINT64_C(9) + words);
        scoreboard_close(&b.s);
    }
}

/* The data of a word has room for 13 bits of its place: only places that differ by a multiple of
 * 8192 look alike, and head and tail look like no other word. */
static void words_look_alike_8192_places_apart_only(void **state)
{
    enum { LONG = 20000, AT = 100 };
    static const uint32_t differ[] = {1, 2, 4095, 4096, 8191, 8193, 12288, 16383, 16385};
    (void)state;
    for (size_t i = 0; i <= COUNT(differ); i++) {
        struct bench b;
        bench_open(&b, "cube:3", "");
        const uint32_t number = send_one(&b, LONG), apart = i ? differ[i - 1] : 8192;
        for (uint32_t index = 0; index < AT; index++)
            arrive(&b, 6, word_of(&b, LONG, number, index), 10 + index);
        arrive(&b, 6, word_of(&b, LONG, number, AT + apart), 300);
        assert_true(b.s.failed == (i > 0));
        scoreboard_close(&b.s);
    }
}

/* "Never" as a bound is never. */
static void an_age_bound_may_be_any_number(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:3", "");
    send_one(&b, WORDS);
    assert_false(scoreboard_overdue(&b.s, UINT64_C(1) << 60, UINT64_MAX));
    assert_true(scoreboard_overdue(&b.s, UINT64_C(1) << 60, 100));
    scoreboard_close(&b.s);
}

static uint64_t digest_of(uint64_t cycle, uint32_t src, uint32_t dst, unsigned order)
{
    struct bench b;
    bench_open(&b, "cube:3", "");
    const struct packet_words x = send(&b, src, dst, 0), y = send(&b, 0, 7, 0);
    for (unsigned i = 0; i < WORDS; i++) { /* within a cycle in either order */
        arrive(&b, order ? 7 : dst, order ? y.word[i] : x.word[i], cycle + i);
        arrive(&b, order ? dst : 7, order ? x.word[i] : y.word[i], cycle + i);
    }
    assert_false(b.s.failed);
    const uint64_t digest = b.s.digest;
    scoreboard_close(&b.s);
    return digest;
}

static void the_digest_knows_everything_but_the_order_of_work(void **state)
{
    (void)state;
    const uint64_t digest = digest_of(10, 1, 6, 0);
    assert_true(digest_of(10, 1, 6, 1) == digest);
    assert_true(digest_of(11, 1, 6, 0) != digest);
    assert_true(digest_of(10, 2, 6, 0) != digest);
    assert_true(digest_of(10, 1, 5, 0) != digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("words in order are accepted, and counted", words_in_order_are_accepted),
        TEST("a failure names cycle, node and word", a_failure_names_cycle_node_and_word),
        TEST("a window has two borders", a_window_has_two_borders),
        TEST("any changed bit of any word is noticed", any_changed_bit_is_noticed),
        TEST("words out of turn are noticed", words_out_of_turn_are_noticed),
        TEST("a word after the last is noticed", a_word_after_the_last_is_noticed),
        TEST("a packet of one word that comes twice is noticed",
             a_doubled_packet_of_one_word_is_noticed),
        TEST("words at the wrong node, mixed or invented are noticed", strangers_are_noticed),
        TEST("addresses of no node are noticed", addresses_of_no_node_are_noticed),
        TEST("dynamic allocation: a packet takes any lane of its class",
             a_packet_takes_any_lane_of_its_class),
        TEST("swapped words of a pair are noticed", swapped_words_of_a_pair_are_noticed),
        TEST("a message is complete when all of it is there",
             a_message_is_complete_when_all_of_it_is_there),
        TEST("a reset forgets every source", a_reset_forgets_every_source),
        TEST("packets of a source may overtake, and numbers come round",
             packets_of_a_source_overtake),
        TEST("a node waits when its packets cannot be told apart", too_many_packets_must_wait),
        TEST("an overdue packet is noticed, and a long one gets more time",
             an_overdue_packet_is_noticed_and_a_long_one_gets_more_time),
        TEST("packets of 1 to 2^24 words are accepted", packets_of_any_length_are_accepted),
        TEST("words look alike 8192 places apart, and only then",
             words_look_alike_8192_places_apart_only),
        TEST("an age bound may be any number", an_age_bound_may_be_any_number),
        TEST("the digest depends on everything except the order of work",
             the_digest_knows_everything_but_the_order_of_work),
    };
    return cmocka_run_group_tests_name("scoreboard", tests, NULL, NULL);
}
