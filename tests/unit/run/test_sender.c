/* SPDX-License-Identifier: Apache-2.0 */
/* Senders against a router played by the test: which words in which cycles, for given credits. */
#include "run/ports.h"

#include <string.h>

#include "ecube/word.h"
#include "parts/own_nodes.h"
#include "unit.h"

#define CYCLES 64

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct sources *sources;
    struct scoreboard board;
    struct senders s;
    struct ec_port_word words[32];
    struct ec_port_events in;
};

static void bench_open(struct bench *b, const char *router, unsigned packet, unsigned startup,
                       const char *trace)
{
    struct ec_error error;
    char workload[128];
    memset(b, 0, sizeof *b);
    snprintf(workload, sizeof workload, "trace:file=%s", scratch_file(trace));
    if (ec_topology_parse("cube:3", &b->t, &error) ||
        ec_router_parse(router, &b->t, &b->r, &error) ||
        ec_router_set_packet(&b->r, packet, 20, &error) ||
        ec_workload_open(workload, &b->t, 1, &b->w, &error))
        fail_msg("%s", error.message);
    b->sources = sources_open(&b->t, &b->r, b->w, 1, NULL);
    assert_non_null(b->sources);
    assert_true(scoreboard_open(&b->board, &b->t, &b->r, NULL));
    scoreboard_reset(&b->board);
    assert_true(senders_open(&b->s, &b->t, &b->r, b->sources, &b->board, startup, NULL));
    senders_reset(&b->s);
    b->in.words = b->words;
}

static void bench_close(struct bench *b)
{
    senders_close(&b->s);
    scoreboard_close(&b->board);
    sources_close(b->sources);
    ec_workload_close(b->w);
    scratch_files_remove();
}

/* The output of one port, a letter per cycle: h head, b body, t tail, s a packet of one word, '.'
 * nothing. `credits`: digits, the cycles' credits for VC 0 of that port, '.' for none. */
static void assert_sends(struct bench *b, uint32_t port, const char *credits, const char *sends)
{
    char seen[CYCLES + 1] = "";
    const size_t cycles = strlen(sends);
    for (uint64_t now = 1; now <= cycles; now++) {
        senders_offer(&b->s, now, &b->in);
        seen[now - 1] = '.';
        seen[now] = '\0';
        for (size_t i = 0; i < b->in.word_count; i++) {
            const uint64_t word = b->in.words[i].word;
            if (b->in.words[i].port == port)
                seen[now - 1] = ec_word_head(word) ? (ec_word_tail(word) ? 's' : 'h')
                                                   : (ec_word_tail(word) ? 't' : 'b');
        }
        /* The engine passes on the router's outputs of the next cycle, after the offers of this
         * one. */
        const char next = now < strlen(credits) ? credits[now] : '.';
        for (char count = next; count > '0'; count--)
            senders_credit(&b->s, port, 0, now + 1);
    }
    assert_string_equal(seen, sends);
}

#define HEADER "cycle,source,destination,words\n"

struct row {
    const char *router;
    unsigned packet, startup;
    const char *trace, *credits, *sends; /* of node 0 */
};

static void words_follow_credits_and_start_ups(void **state)
{
    static const struct row rows[] = {
        /* As many words as credits; a credit shown in cycle t serves t + 1. */
        {"depth=3", 0, 0, HEADER "1,0,7,5\n", "", "hbb....."},
        {"depth=3", 0, 0, HEADER "1,0,7,5\n", ".....1.1", "hbb...b.t."},
        {"depth=3", 0, 0, HEADER "1,0,7,5\n", ".1111111", "hbbbt..."},
        {"depth=1", 0, 0, HEADER "1,0,7,3\n", ".1.1.1.1", "h.b.t..."},
        {"depth=2", 0, 0, HEADER "1,0,7,6\n", "....2...2", "hb...bb..bt"},
        /* Created later; one word. */
        {"depth=3", 0, 0, HEADER "4,0,7,1\n", "", "...s...."},
        {"depth=3", 0, 0, HEADER "4,0,7,1\n4,0,3,2\n9,0,1,1\n", ".......1", "...sht..s."},
        /* A start-up before every packet, its first cycle that of the offer. */
        {"depth=4", 0, 3, HEADER "1,0,7,2\n", "", "...ht..."},
        {"depth=4", 1, 2, HEADER "1,0,7,3\n", "", "..s..s..s.."},
        {"depth=4", 2, 1, HEADER "1,0,7,4\n2,0,7,1\n", "...11", ".ht.ht.s.."},
        {"depth=4", 0, 5, HEADER "1,0,7,1\n20,0,7,1\n", "", ".....s..................s."},
        /* A start-up runs while credits are missing. */
        {"depth=1", 1, 2, HEADER "1,0,7,2\n", "........1", "..s......s"},
        {"depth=1", 1, 2, HEADER "1,0,7,2\n", "...1", "..s..s"},
        /* Cut-through: a head waits for room for a packet of the largest size, even if its own
           packet is shorter. */
        {"depth=4,switching=cut-through", 4, 0, HEADER "1,0,7,6\n", "......1111", "hbbt......ht."},
        {"depth=4,switching=cut-through", 3, 0, HEADER "1,0,7,6\n", ".1111111", "hbthbt.."},
        {"depth=4,switching=cut-through", 3, 0, HEADER "1,0,7,6\n", "....1.1", "hbt....hbt"},
        {"depth=4,switching=store-and-forward", 2, 0, HEADER "1,0,7,5\n", "......1..1.1",
         "htht......s..."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, rows[i].router, rows[i].packet, rows[i].startup, rows[i].trace);
        assert_sends(&b, 0, rows[i].credits, rows[i].sends);
        bench_close(&b);
    }
}

/* Two lanes: messages take them in turn, each with separate credits. */
static void lanes_are_taken_in_turn(void **state)
{
    static const struct {
        const char *topology_router;
        unsigned vc[4];
    } rows[] = {{"vcs=2,depth=8", {0, 1, 0, 1}},
                {"vcs=4,depth=8", {0, 1, 2, 3}},
                {"vcs=1,depth=8", {0, 0, 0, 0}}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, rows[i].topology_router, 0, 0,
                   HEADER "1,0,7,2\n1,0,6,2\n1,0,5,2\n1,0,3,2\n");
        for (uint64_t now = 1; now <= 8; now++) {
            senders_offer(&b.s, now, &b.in);
            assert_int_equal(b.in.word_count, 1);
            assert_int_equal(ec_word_vc(b.in.words[0].word, b.r.vcs), rows[i].vc[(now - 1) / 2]);
        }
        senders_offer(&b.s, 9, &b.in);
        assert_int_equal(b.in.word_count, 0);
        assert_int_equal(b.s.busy, 0);
        assert_true(senders_next_due(&b.s) > 9);
        bench_close(&b);
    }
}

/* After a reset every lane has as many credits as a buffer has places. */
static void every_lane_has_all_its_credits(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=4,depth=3", 0, 0, HEADER "1,0,7,3\n1,0,6,3\n1,0,5,3\n1,0,3,3\n1,0,7,1\n");
    for (unsigned again = 0; again < 2; again++) {
        for (uint64_t now = 1; now <= 12; now++) {
            senders_offer(&b.s, now, &b.in);
            assert_int_equal(b.in.word_count, 1);
            assert_int_equal(ec_word_vc(b.in.words[0].word, b.r.vcs), (now - 1) / 3);
            if (now < 4) /* in excess */
                senders_credit(&b.s, 0, 0, now);
        }
        sources_reset(b.sources);
        scoreboard_reset(&b.board);
        senders_reset(&b.s);
    }
    senders_offer(&b.s, 1, &b.in);
    senders_credit(&b.s, 0, 0, 1);
    sources_reset(b.sources);
    scoreboard_reset(&b.board);
    senders_reset(&b.s);
    for (uint64_t now = 1; now <= 12; now++)
        senders_offer(&b.s, now, &b.in);
    senders_offer(&b.s, 13, &b.in);
    assert_int_equal(b.in.word_count, 0); /* the fifth message, again in lane 0 */
    bench_close(&b);
}

/* A credit of lane 1 that is shown in the cycle in which it is missing serves the next one. */
static void every_lane_waits_for_its_own_credits(void **state)
{
    (void)state;
    struct bench b;
    unsigned vc;
    uint32_t port;
    bench_open(&b, "vcs=2,depth=1", 0, 0, HEADER "1,1,7,1\n1,1,6,2\n");
    for (uint64_t now = 1; now <= 4; now++) {
        if (now == 3)
            senders_credit(&b.s, 1, 1, now);
        senders_offer(&b.s, now, &b.in);
        assert_int_equal(b.in.word_count, now != 3);
        assert_int_equal(senders_blocked(&b.s, 1, now), now >= 3); /* in cycle 3 only */
        const bool waits = senders_waiting(&b.s, now, &port, &vc); /* for its next word */
        assert_int_equal(waits, now == 2 || now == 3);
        assert_true(!waits || (port == 1 && vc == 1));
    }
    bench_close(&b);
}

/* A source has one number only: its second packet waits until the first one has arrived. */
static void a_packet_waits_for_a_number(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "depth=8", 1, 0, HEADER "1,0,7,2\n");
    b.board.records.number_mask = 0;
    scoreboard_reset(&b.board);
    for (uint64_t now = 1; now <= 6; now++) {
        senders_offer(&b.s, now, &b.in);
        assert_int_equal(b.in.word_count, now == 1 || now == 5);
        assert_true(now == 1 || now > 4 || senders_next_due(&b.s) == now + 1);
        if (now == 4)
            scoreboard_arrive(&b.board, 7, scoreboard_word(&b.board, 0, 7, 1, 0, 0, 0), 4);
    }
    assert_false(b.board.failed);
    bench_close(&b);
}

/* From 512 nodes on, senders ask for their memory some ports ahead. Two ranges of nodes are those
 * of this part. */
static void the_nodes_of_a_part_of_a_large_network_send(void **state)
{
    static const char *const workloads[] = {"shift:q=1,m=2", "uniform:rate=0.9,m=2"};
    (void)state;
    for (unsigned k = 0; k < COUNT(workloads); k++) {
        struct bench b = {.t = topology_of("cube:9")};
        struct ec_port_word words[512];
        struct nodes_own own;
        uint32_t nodes[512], count = 0;
        for (uint32_t node = 40; node < b.t.nodes; node += node == 299 ? 181 : 1)
            nodes[count++] = node;
        b.r = router_of("depth=4", &b.t);
        b.r.packet = 2;
        b.w = workload_of(workloads[k], &b.t);
        assert_true(nodes_own_open(&own, nodes, count));
        b.sources = sources_open(&b.t, &b.r, b.w, 1, &own);
        assert_non_null(b.sources);
        assert_true(scoreboard_open(&b.board, &b.t, &b.r, &own));
        scoreboard_reset(&b.board);
        assert_true(senders_open(&b.s, &b.t, &b.r, b.sources, &b.board, 0, &own));
        senders_reset(&b.s);
        b.in.words = words;
        for (uint64_t now = 1; now <= 3; now++) {
            senders_offer(&b.s, now, &b.in);
            if (k == 0) /* each node two words at once */
                assert_int_equal(b.in.word_count, now < 3 ? count : 0);
            for (size_t i = 0; i < b.in.word_count; i++) {
                assert_true(nodes_own_has(&own, words[i].port));
                assert_true(i == 0 || words[i].port > words[i - 1].port);
                assert_true(k > 0 || words[i].port == nodes[i]);
            }
        }
        assert_true(b.s.messages > 50);
        bench_close(&b);
        nodes_own_close(&own);
    }
}

/* Dynamic allocation: each packet takes the lowest VC with the credits for its head, whatever its
 * message took before, and keeps it to its tail; a credit of any VC wakes a waiting head. */
static void packets_take_the_lowest_vc_that_has_credits(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=4,depth=4,va=dynamic", 2, 0, HEADER "1,0,7,8\n1,0,6,1\n");
    static const int vcs[] = {0, 0, 0, 0, 1, 1, 0, 0, 1}; /* by cycle, from 1 on */
    for (uint64_t now = 1; now <= COUNT(vcs); now++) {
        if (now == 6) /* usable after the tail on VC 1 */
            senders_credit(&b.s, 0, 0, 5), senders_credit(&b.s, 0, 0, 5);
        senders_offer(&b.s, now, &b.in);
        assert_int_equal(b.in.word_count, 1);
        assert_int_equal(ec_word_vc(b.in.words[0].word, b.r.vcs), vcs[now - 1]);
    }
    bench_close(&b);
    bench_open(&b, "vcs=2,depth=1,va=dynamic", 0, 0, HEADER "1,0,7,1\n1,0,6,1\n1,0,5,1\n");
    for (uint64_t now = 1; now <= 5; now++) {
        if (now == 4) {
            assert_true(senders_next_due(&b.s) > 1000);
            senders_credit(&b.s, 0, 1, 4);
        }
        senders_offer(&b.s, now, &b.in);
        assert_int_equal(b.in.word_count, now < 3 || now == 5);
        if (b.in.word_count)
            assert_int_equal(ec_word_vc(b.in.words[0].word, b.r.vcs), now != 1);
    }
    bench_close(&b);
}

/* Nodes answer requests, in a class of their own. */
static struct service *bench_open_service(struct bench *b, const char *router, unsigned packet,
                                          const char *workload)
{
    struct ec_error error;
    *b = (struct bench){.t = topology_of("cube:3")};
    b->r = router_of(router, &b->t);
    b->w = workload_of(workload, &b->t);
    if (ec_router_set_packet(&b->r, packet, 3, &error) || ec_router_set_classes(&b->r, 2, &error))
        fail_msg("%s", error.message);
    b->sources = sources_open(&b->t, &b->r, b->w, 1, NULL);
    assert_non_null(b->sources);
    assert_true(scoreboard_open(&b->board, &b->t, &b->r, NULL));
    assert_true(scoreboard_count_classes(&b->board, 2));
    scoreboard_reset(&b->board);
    struct service *service = service_open(&b->t, &b->r, b->w, NULL);
    assert_non_null(service);
    service_reset(service);
    assert_true(senders_open(&b->s, &b->t, &b->r, b->sources, &b->board, 0, NULL));
    assert_true(senders_serve(&b->s, service, false));
    senders_reset(&b->s);
    b->in.words = b->words;
    return service;
}

/* Node 0 accepts a request of node 5. Returns when it may answer. */
static uint64_t request(struct bench *b, struct service *service, uint64_t now)
{
    const struct service_packet p = {
        .created = 1, .src = 5, .words = 1, .asks = true, .part_of = EC_NONE};
    uint32_t answers;
    uint64_t ready;
    assert_true(service_arrive(service, 0, 0, p));
    assert_true(service_accept(service, 0, 0, now, &answers, &ready));
    assert_int_equal(answers, 0);
    senders_wake_for_reply(&b->s, answers, ready);
    return ready;
}

/* Three words, for which the VCs of their class have a credit each. Packets of one word may take
 * any of these. */
static void a_reply_waits_for_the_credits_of_its_class(void **state)
{
    static const struct {
        const char *router;
        unsigned packet, credits, waits; /* waits: VCs, bits */
    } rows[] = {{"vcs=2,depth=1", 0, 1, 1 << 1},
                {"vcs=4,depth=1,va=dynamic", 1, 2, 3 << 2},
                {"vcs=4,depth=1,va=dynamic", 3, 1, 1 << 2}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        struct service *service = bench_open_service(&b, rows[i].router, rows[i].packet,
                                                     "uniform:rate=1e-9,m=1,reply=3,queue=inf");
        const uint64_t ready = request(&b, service, 1), last = ready + rows[i].credits - 1;
        assert_int_equal(senders_reply_waits(&b.s, 0), 0); /* not sent yet, but not blocked */
        for (uint64_t now = 1; now < last + 3; now++) {
            senders_wake(&b.s, 0, now); /* for no request: a reply has the turn nevertheless */
            senders_offer(&b.s, now, &b.in);
            assert_int_equal(b.in.word_count, now >= ready && now <= last);
            assert_int_equal(senders_reply_waits(&b.s, 0), now > last ? rows[i].waits : 0);
            assert_int_equal(senders_reply_waits(&b.s, 1), 0);
        }
        service_close(service);
        bench_close(&b);
    }
}

/* Node 0 always has requests to send, on VC 0, and at times three words of a reply, on VC 1. */
static void requests_and_replies_take_turns(void **state)
{
    (void)state;
    struct bench b;
    char sent[41] = "";
    struct service *service =
        bench_open_service(&b, "vcs=2,depth=8", 2, "uniform:rate=1.9,m=2,reply=3,queue=inf");
    for (uint64_t now = 1; now <= 40; now++) {
        if (now == 20)
            assert_int_equal(request(&b, service, 19), 20);
        senders_offer(&b.s, now, &b.in);
        assert_int_equal(b.in.words[0].port, 0);
        const unsigned vc = ec_word_vc(b.in.words[0].word, b.r.vcs);
        sent[now - 1] = vc ? 'r' : 'q';
        senders_credit(&b.s, 0, vc, now + 1);
    }
    assert_string_equal(sent + 9, "qqqqqqqqqqrqrqrqqqqqqqqqqqqqqqq");
    assert_int_equal(b.s.sent[0], 37);
    assert_int_equal(b.s.sent[1], 3);
    service_close(service);
    bench_close(&b);
}

/* A sender that still waits for a credit; the first part of a split run gets the sum of all. */
static void blocked_cycles_can_be_replaced(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "depth=1", 0, 0, HEADER "1,0,7,3\n");
    for (uint64_t now = 1; now <= 9; now++)
        senders_offer(&b.s, now, &b.in);
    assert_int_equal(senders_blocked(&b.s, 0, 9), 8); /* since cycle 2 */
    senders_set_blocked(&b.s, 0, 42);
    assert_int_equal(senders_blocked(&b.s, 0, 9), 42);
    bench_close(&b);
}

/* Packets of a message that may overtake each other name it by its place in the list. */
static void packets_of_a_listed_message_name_it(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "vcs=2,va=dynamic,depth=4", 2, 0, HEADER "1,3,7,1\n1,3,5,1\n2,0,7,3\n3,0,1,2\n");
    for (uint64_t now = 1; now <= 4; now++)
        senders_offer(&b.s, now, &b.in);
    for (uint32_t number = 0; number < 2; number++) {
        const struct packet *p = packets_find(&b.board.records, 0, number);
        assert_non_null(p);
        assert_int_equal(p->message, 2);
        assert_int_equal(p->whole, 3);
    }
    bench_close(&b);
}

/* With a port per link two messages of a node go at once, by the ports of their first links. */
static void ports_send_side_by_side(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "ports=all", 0, 0, HEADER "1,0,7,3\n1,0,6,3\n1,0,2,1\n1,5,5,1\n");
    senders_offer(&b.s, 1, &b.in);
    assert_int_equal(b.in.word_count, 2);
    assert_int_equal(b.in.words[0].port, 0); /* 0 -> 7 crosses dimension 0 first */
    assert_int_equal(b.in.words[1].port, 1); /* 0 -> 6 dimension 1, as does 0 -> 2 behind it */
    assert_int_equal(b.s.self_messages, 1);
    for (uint64_t now = 2; now <= 3; now++)
        senders_offer(&b.s, now, &b.in);
    assert_int_equal(b.in.word_count, 2);
    senders_offer(&b.s, 4, &b.in);
    assert_int_equal(b.in.word_count, 1);
    assert_int_equal(b.in.words[0].port, 1);
    assert_int_equal(ec_word_dst(&narrow, b.in.words[0].word), 2);
    assert_int_equal(b.s.started, 1);
    bench_close(&b);
}

static void note_offer(void *context, const struct ec_offer *offer)
{
    *(struct ec_offer *)context = *offer;
}

/* An offer says who sends what to whom, from where, and since when the message exists. */
static void offers_are_reported(void **state)
{
    (void)state;
    struct bench b;
    struct ec_offer seen;
    bench_open(&b, "ports=all,vcs=2,depth=8", 4, 3,
               HEADER "2,5,7,5\n2,5,4,1\n"); /* 5 -> 7 dim 1, 5 -> 4 dim 0 */
    b.s.offered = note_offer;
    b.s.offered_context = &seen;
    senders_offer(&b.s, 3, &b.in);
    assert_true(seen.cycle == 3 && seen.created == 2);
    assert_true(seen.node == 5 && seen.local == 1 && seen.vc == 0);
    assert_true(seen.dst == 7 && seen.words == 4);
    for (uint64_t now = 4; now <= 10; now++)
        senders_offer(&b.s, now, &b.in);
    assert_true(seen.cycle == 10 && seen.words == 1); /* the second packet */
    bench_close(&b);
}

static void note_taken(void *context, const struct ec_message *message)
{
    *(struct ec_message *)context = *message;
}

static void the_first_offer_starts_the_clock(void **state)
{
    (void)state;
    struct bench b;
    struct ec_message taken = {0};
    bench_open(&b, "", 0, 4, HEADER "3,2,2,1\n6,1,0,2\n50,1,0,2\n");
    b.s.taken = note_taken;
    b.s.taken_context = &taken;
    assert_true(senders_next_due(&b.s) == 3);
    for (uint64_t now = 1; now <= 5; now++)
        senders_offer(&b.s, now, &b.in);
    assert_int_equal(b.s.started, 0); /* a message of a node to itself is not sent */
    assert_true(taken.cycle == 3 && taken.src == 2 && taken.dst == 2 && taken.words == 1);
    assert_true(senders_next_due(&b.s) == 6);
    senders_offer(&b.s, 6, &b.in);
    assert_int_equal(b.s.started, 6);
    assert_true(senders_next_due(&b.s) == 10);
    assert_true(taken.cycle == 6 && taken.src == 1 && taken.dst == 0 && taken.words == 2);
    for (uint64_t now = 7; now <= 11; now++)
        senders_offer(&b.s, now, &b.in);
    assert_true(senders_next_due(&b.s) == 50); /* the next message */
    bench_close(&b);
    bench_open(&b, "", 0, 0, HEADER "5,7,0,1\n"); /* the last port */
    assert_true(senders_next_due(&b.s) == 5);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("words follow credits and start-ups", words_follow_credits_and_start_ups),
        TEST("lanes are taken in turn", lanes_are_taken_in_turn),
        TEST("every lane has all its credits after a reset", every_lane_has_all_its_credits),
        TEST("every lane waits for its own credits", every_lane_waits_for_its_own_credits),
        TEST("a packet waits for a number", a_packet_waits_for_a_number),
        TEST("the nodes of a part of a large network send",
             the_nodes_of_a_part_of_a_large_network_send),
        TEST("dynamic allocation: packets take the lowest VC that has credits",
             packets_take_the_lowest_vc_that_has_credits),
        TEST("a reply waits for the credits of its class",
             a_reply_waits_for_the_credits_of_its_class),
        TEST("requests and replies take turns", requests_and_replies_take_turns),
        TEST("blocked cycles can be replaced", blocked_cycles_can_be_replaced),
        TEST("packets of a listed message name it", packets_of_a_listed_message_name_it),
        TEST("ports send side by side", ports_send_side_by_side),
        TEST("offers are reported", offers_are_reported),
        TEST("the first offer or start-up starts the clock", the_first_offer_starts_the_clock),
    };
    return cmocka_run_group_tests_name("sender", tests, NULL, NULL);
}
