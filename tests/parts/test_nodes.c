/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes keep, in several parts: records of packets that leave and enter, numbers of packets,
 * messages of several packets, the order among messages, and statistics, against one part that does
 * the same. Parts must not fail in their threads, so they count what is wrong. */
#include "unit.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/partition.h"
#include "ecube/route.h"
#include "measure/precision.h"
#include "parts/exchange.h"
#include "run/merge.h"
#include "run/scoreboard.h"
#include "workload/order.h"

/* --- A made-up network ------------------------------------------------------------------------ */

enum { TRIPS = 600, HOPS = 16, WORDS = 4, PACKETS = 3, CYCLES_MOST = 4000 };

/* A packet: the cycles in which its head is sent, crosses each link, and arrives. */
struct trip {
    uint32_t src, dst, words, message, whole;
    bool last;
    unsigned hops;
    uint32_t node[HOPS + 1];
    uint64_t sent, arrives;
    uint32_t number; /* as one part gives it */
};

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_partition *partition;
    struct nodes_own own[8]; /* [part] */
    struct trip trip[TRIPS];
    size_t count;
    uint64_t cycles;
    struct scoreboard whole, merged; /* of one part; of all parts, after merging */
    atomic_uint wrong;
};

static uint64_t draw(uint64_t *n, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(7, (*n)++), below);
}

static void walk(const struct bench *b, struct trip *x)
{
    uint32_t node = x->src;
    for (x->hops = 0; node != x->dst; x->hops++) {
        x->node[x->hops] = node;
        node = ec_topology_neighbor(&b->t, node, ec_route_link(&b->t, &b->r, node, x->dst));
    }
    x->node[x->hops] = node;
}

/* Random packets, of which one arrives at a node at a time. With `whole`, messages of several
 * packets, which arrive in any order. */
static void make_trips(struct bench *b, bool whole)
{
    uint64_t n = 0, free_at[64] = {0}, sent_at[64] = {0};
    b->cycles = 0;
    for (b->count = 0; b->count + PACKETS <= TRIPS;) {
        struct trip x = {.src = (uint32_t)draw(&n, b->t.nodes), .message = (uint32_t)b->count};
        x.dst = (uint32_t)draw(&n, b->t.nodes - 1);
        x.dst += x.dst >= x.src;
        x.words = 1 + (uint32_t)draw(&n, WORDS);
        x.whole = whole ? PACKETS * x.words : 0;
        walk(b, &x);
        uint64_t at = sent_at[x.src] + 1 + draw(&n, 6);
        for (unsigned k = 0; k < (whole ? PACKETS : 1); k++, at += 1 + draw(&n, 3)) {
            x.last = !whole;
            x.sent = at;
            b->trip[b->count++] = x;
        }
        sent_at[x.src] = at;
        for (unsigned k = 0; k < (whole ? PACKETS : 1); k++) { /* the last one first */
            struct trip *y = &b->trip[b->count - 1 - k];
            const uint64_t least = y->sent + y->hops + 2 + draw(&n, 20);
            y->arrives = free_at[x.dst] > least ? free_at[x.dst] : least;
            free_at[x.dst] = y->arrives + y->words;
            b->cycles = free_at[x.dst] > b->cycles ? free_at[x.dst] : b->cycles;
        }
    }
    assert_true(b->cycles < CYCLES_MOST);
}

static void bench_open(struct bench *b, const char *topology, const char *router, uint32_t parts,
                       bool whole)
{
    struct ec_error error;
    memset(b, 0, sizeof *b);
    b->t = topology_of(topology);
    b->r = router_of(router, &b->t);
    if (ec_partition_open(&b->t, parts, &b->partition, &error) != EC_OK)
        fail_msg("%s", error.message);
    make_trips(b, whole);
}

static void bench_close(struct bench *b)
{
    scoreboard_close(&b->whole);
    scoreboard_close(&b->merged);
    for (unsigned k = 0; k < COUNT(b->own); k++)
        nodes_own_close(&b->own[k]);
    ec_partition_close(b->partition);
}

static void open_board(const struct bench *b, struct scoreboard *s, const struct nodes_own *own)
{
    if (!scoreboard_open(s, &b->t, &b->r, own) || !scoreboard_count_channels(s) ||
        !scoreboard_count_classes(s, 2))
        abort();
    s->keep_log = true;
    scoreboard_reset(s);
    s->measure_from = 50;
    s->measure_to = UINT64_MAX - 1;
}

static uint64_t word_of(const struct scoreboard *s, const struct trip *x, uint32_t index)
{
    return scoreboard_word(s, x->src, x->dst, x->words, 0, x->number, index);
}

static uint32_t part_of(const struct bench *b, uint32_t node)
{
    return b->partition->part_of[node];
}

static uint32_t send(struct scoreboard *s, const struct trip *x)
{
    const uint32_t number =
        scoreboard_send(s, x->src, x->dst, x->words, 0, x->sent - 1, x->sent, x->last);
    if (x->whole)
        scoreboard_of_assembled(s, x->src, number, x->message, x->whole);
    scoreboard_of_class(s, x->src, number, x->message % 2, 0);
    return number;
}

/* One cycle of part `part`; EC_NONE: of the whole network. Arrivals come first, in the order of
 * nodes. */
static void play_cycle(struct bench *b, struct scoreboard *s, uint32_t part, uint64_t now)
{
    const struct trip *at[64] = {0};
    for (size_t i = 0; i < b->count; i++) {
        const struct trip *x = &b->trip[i];
        if (now >= x->arrives && now < x->arrives + x->words)
            at[x->dst] = x;
    }
    for (uint32_t node = 0; node < b->t.nodes; node++) {
        if (at[node] && (part == EC_NONE || part_of(b, node) == part))
            scoreboard_arrive(s, node, word_of(s, at[node], (uint32_t)(now - at[node]->arrives)),
                              now);
    }
    for (size_t i = 0; i < b->count; i++) {
        struct trip *x = &b->trip[i];
        if (x->sent != now || (part != EC_NONE && part_of(b, x->src) != part))
            continue;
        const uint32_t number = send(s, x);
        if (part == EC_NONE)
            x->number = number;
        b->wrong += x->number != number;
    }
}

/* The heads that cross in cycle `now`. */
static void cross(struct bench *b, struct scoreboard *s, struct exchange *x, uint64_t now)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct trip *p = &b->trip[i];
        const uint64_t hop = now - p->sent - 1;
        if (now <= p->sent || hop >= p->hops || part_of(b, p->node[hop]) != x->part)
            continue;
        const uint32_t to = part_of(b, p->node[hop + 1]);
        uint32_t k = 0;
        while (to != x->part && x->neighbour[k] != to)
            k++;
        if (to != x->part && !scoreboard_leave(s, word_of(s, p, 0), p->node[hop + 1], x, k))
            b->wrong++;
    }
}

static void play_part(void *context, struct exchange *x)
{
    struct bench *b = context;
    const struct ec_partition *p = b->partition;
    struct nodes_own *own = &b->own[x->part];
    struct scoreboard s;
    const uint32_t first = p->first[x->part], end = p->first[x->part + 1];
    if (!nodes_own_open(own, p->node + first, end - first))
        abort();
    open_board(b, &s, own);
    for (uint64_t now = 1; now <= b->cycles; now++) {
        play_cycle(b, &s, x->part, now);
        cross(b, &s, x, now);
        b->wrong += !exchange_swap(x, NULL, NULL, 0);
        for (uint32_t k = 0; k < x->neighbours; k++)
            b->wrong += !scoreboard_enter(&s, x->from[k].data, x->from[k].size);
    }
    struct packets_at at = {0};
    b->wrong += s.failed || packets_next(&s.records, &at) || s.assembly.entry.count;
    b->wrong += !scoreboard_merge(&s, x, p);
    if (x->part == 0)
        b->merged = s;
    else
        scoreboard_close(&s);
}

static void run_parts(struct bench *b, parts_body *body)
{
    struct ec_error error;
    const struct parts_plan plan = {.parts = b->partition->parts,
                                    .first = b->partition->first_neighbour,
                                    .neighbour = b->partition->neighbour};
    if (parts_run(&plan, body, b, &error) != EC_OK)
        fail_msg("%s", error.message);
}

static void assert_same_array(const char *what, const uint64_t *is, const uint64_t *should,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is[i] != should[i])
            fail_msg("%s %zu: %llu in parts, %llu in one", what, i, (unsigned long long)is[i],
                     (unsigned long long)should[i]);
    }
}

static void assert_same_latency(struct latency *is, struct latency *should)
{
    const struct ec_latency a = latency_summary(is), b = latency_summary(should);
    assert_int_equal(is->samples, should->samples);
    assert_true(is->sum == should->sum);
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_logs(const struct scoreboard *is, const struct scoreboard *should)
{
    for (size_t i = 0; i < should->log_count; i++) {
        const struct ec_packet_log *x = &is->log[i], *y = &should->log[i];
        const uint64_t a[] = {x->src, x->dst, x->words, x->created, x->injected, x->delivered};
        const uint64_t b[] = {y->src, y->dst, y->words, y->created, y->injected, y->delivered};
        assert_same_array("field of a packet", a, b, COUNT(a));
    }
}

static void assert_same_boards(struct scoreboard *is, struct scoreboard *should)
{
    const uint64_t a[] = {is->words,    is->packets,     is->messages,  is->digest,
                          is->accepted, is->latency_sum, is->hop_words, is->max_hops,
                          is->measured, is->last_cycle,  is->failed,    is->log_count};
    const uint64_t b[] = {should->words,      should->packets,  should->messages,
                          should->digest,     should->accepted, should->latency_sum,
                          should->hop_words,  should->max_hops, should->measured,
                          should->last_cycle, should->failed,   should->log_count};
    const size_t nodes = should->t->nodes;
    assert_same_array("number", a, b, COUNT(a));
    assert_same_array("link", is->link_words, should->link_words,
                      nodes * ec_topology_links(should->t));
    assert_same_array("injection", is->inject_words, should->inject_words, nodes);
    assert_same_array("ejection", is->eject_words, should->eject_words, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        const struct ec_source_use x = scoreboard_source(is, node),
                                   y = scoreboard_source(should, node);
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_same_logs(is, should);
    assert_same_latency(&is->packet_latency, &should->packet_latency);
    assert_same_latency(&is->network_latency, &should->network_latency);
    for (unsigned k = 0; k < should->class_count; k++) {
        assert_int_equal(is->classes[k].words, should->classes[k].words);
        assert_int_equal(is->classes[k].messages, should->classes[k].messages);
        assert_same_latency(&is->classes[k].packet_latency, &should->classes[k].packet_latency);
    }
}

static void compare(const char *topology, const char *router, uint32_t parts, bool whole)
{
    struct bench b;
    bench_open(&b, topology, router, parts, whole);
    open_board(&b, &b.whole, NULL);
    for (uint64_t now = 1; now <= b.cycles; now++)
        play_cycle(&b, &b.whole, EC_NONE, now);
    assert_false(b.whole.failed);
    assert_int_equal(b.whole.packets, b.count);
    run_parts(&b, play_part);
    if (b.wrong)
        fail_msg("%s in %u parts: %u errors", topology, parts, b.wrong);
    assert_same_boards(&b.merged, &b.whole);
    bench_close(&b);
}

/* On a ring of parts of different sizes some paths leave a part and enter it again. */
static void records_follow_their_heads_and_boards_add_up(NO_STATE)
{
    static const char *const topologies[] = {"cube:4", "mesh:5x3", "torus:4x5", "ring:11"};
    for (size_t i = 0; i < COUNT(topologies); i++) {
        for (uint32_t parts = 1; parts <= 7; parts += parts > 2 ? 2 : 1)
            compare(topologies[i], "vcs=2", parts, false);
    }
}

static void messages_are_assembled_where_their_packets_arrive(NO_STATE)
{
    for (uint32_t parts = 1; parts <= 7; parts += 2)
        compare("mesh:5x3", "vcs=2,va=dynamic", parts, true);
}

/* --- Lost and duplicated packets -------------------------------------------------------------- */

/* Two boards of a cube of 8 nodes, and what goes from the first to the second one. */
struct pair {
    struct ec_topology t;
    struct ec_router r;
    struct nodes_own own[2];
    struct scoreboard board[2];
    struct exchange_bytes to;
    struct exchange x;
};

static const uint32_t eight[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void pair_open(struct pair *p, const char *topology, const char *router)
{
    memset(p, 0, sizeof *p);
    p->t = topology_of(topology);
    p->r = router_of(router, &p->t);
    p->x = (struct exchange){.parts = 2, .to = &p->to};
    for (unsigned k = 0; k < 2; k++) {
        assert_true(nodes_own_open(&p->own[k], eight + 4 * k, 4));
        assert_true(scoreboard_open(&p->board[k], &p->t, &p->r, &p->own[k]));
        scoreboard_reset(&p->board[k]);
        p->board[k].measure_to = UINT64_MAX - 1;
    }
}

static void pair_close(struct pair *p)
{
    for (unsigned k = 0; k < 2; k++) {
        scoreboard_close(&p->board[k]);
        nodes_own_close(&p->own[k]);
    }
    free(p->to.data);
}

/* A packet of one word from node 1 to node 6, which begins to cross. */
static uint64_t pair_send(struct pair *p, uint64_t cycle)
{
    const uint32_t number = scoreboard_send(&p->board[0], 1, 6, 1, 0, cycle, cycle, true);
    assert_true(number != EC_NONE);
    return scoreboard_word(&p->board[0], 1, 6, 1, 0, number, 0);
}

static bool pair_cross(struct pair *p, uint64_t word)
{
    p->to.size = 0;
    return scoreboard_leave(&p->board[0], word, 5, &p->x, 0) &&
           scoreboard_enter(&p->board[1], p->to.data, p->to.size);
}

static void a_packet_that_crosses_is_expected_there_and_only_there(NO_STATE)
{
    struct pair p;
    pair_open(&p, "cube:3", "");
    const uint64_t word = pair_send(&p, 10);
    assert_true(pair_cross(&p, word));
    assert_int_equal(p.to.size, sizeof(struct packets_record));
    struct packets_at at = {0};
    assert_non_null(packets_next(&p.board[1].records, &at));
    assert_int_equal(at.src, 1);
    assert_null(packets_next(&p.board[1].records, &at));
    assert_false(scoreboard_overdue(&p.board[0], 1000, 100));
    assert_true(scoreboard_overdue(&p.board[1], 1000, 100)); /* it is lost */
    scoreboard_arrive(&p.board[1], 6, word, 20);
    assert_false(p.board[1].failed);
    assert_int_equal(p.board[1].packets, 1);
    assert_int_equal(p.board[1].latency_sum, 11);
    assert_false(scoreboard_overdue(&p.board[1], 1000, 100));
    scoreboard_arrive(&p.board[1], 6, word, 21);
    assert_true(p.board[1].failed); /* it is duplicated */
    pair_close(&p);
}

static void a_head_that_crosses_twice_brings_one_record(NO_STATE)
{
    struct pair p;
    pair_open(&p, "cube:3", "");
    const uint64_t word = pair_send(&p, 10);
    assert_true(pair_cross(&p, word));
    assert_true(pair_cross(&p, word));
    assert_int_equal(p.to.size, 0);
    assert_true(pair_cross(&p, word ^ UINT64_C(1) << p.board[0].layout.src_shift));
    assert_int_equal(p.to.size, 0); /* an invented one */
    assert_true(pair_cross(&p, word & ~EC_WORD_HEAD));
    assert_int_equal(p.to.size, 0);
    scoreboard_arrive(&p.board[1], 6, word, 20);
    assert_false(p.board[1].failed);
    scoreboard_arrive(&p.board[1], 6, word, 21);
    assert_true(p.board[1].failed);
    pair_close(&p);
}

static void damaged_records_and_those_that_enter_twice_are_noticed(NO_STATE)
{
    struct pair p;
    pair_open(&p, "cube:3", "");
    assert_true(scoreboard_leave(&p.board[0], pair_send(&p, 10), 5, &p.x, 0));
    for (size_t size = 1; size < p.to.size; size++) {
        assert_false(scoreboard_enter(&p.board[1], p.to.data, size));
        assert_true(p.board[1].failed);
        assert_string_equal(p.board[1].what, "a packet entered a part twice, or damaged");
        p.board[1].failed = false;
        p.board[1].what[0] = '\0';
    }
    struct packets_record empty;
    memcpy(&empty, p.to.data, sizeof empty);
    empty.packet.words = empty.packet.left = 0;
    assert_false(scoreboard_enter(&p.board[1], (const unsigned char *)&empty, sizeof empty));
    p.board[1].failed = false;
    assert_true(scoreboard_enter(&p.board[1], p.to.data, p.to.size));
    assert_false(scoreboard_enter(&p.board[1], p.to.data, p.to.size));
    assert_true(p.board[1].failed);
    pair_close(&p);
}

/* --- Servers ---------------------------------------------------------------------------------- */

static void merge_service(void *context, struct exchange *x)
{
    struct service **const service = context;
    if (!service_merge(service[x->part], x) || !service_merge(NULL, x))
        abort();
}

static void the_busiest_server_of_all_parts_is_known(NO_STATE)
{
    static const uint32_t first[] = {0, 1, 2}, neighbour[] = {1, 0};
    const struct parts_plan plan = {.parts = 2, .first = first, .neighbour = neighbour};
    const struct ec_topology t = topology_of("cube:3");
    const struct ec_router r = router_of("vcs=2", &t);
    struct ec_workload *w = workload_of("uniform:rate=0.1,reply=2", &t);
    struct ec_error error;
    for (unsigned most = 0; most < 2; most++) {
        struct service *service[2];
        for (unsigned k = 0; k < 2; k++) {
            service[k] = service_open(&t, &r, w, NULL);
            assert_non_null(service[k]);
            service_reset(service[k]);
            service_note_most(service[k], k == most ? 7 : 3);
        }
        assert_int_equal(parts_run(&plan, merge_service, service, &error), EC_OK);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(service_most(service[k]), 7);
            service_close(service[k]);
        }
    }
    ec_workload_close(w);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* In a mesh of more than 65536 nodes a source has 512 numbers. */
enum { NUMBERS = 512 };

struct numbers_case {
    struct packets part[2];
    struct nodes_own own[2];
    bool learned[2];
};

static void learn(void *context, struct exchange *x)
{
    struct numbers_case *c = context;
    c->learned[x->part] = packets_learn(&c->part[x->part], x);
}

static void learn_numbers(struct numbers_case *c)
{
    static const uint32_t first[] = {0, 1, 2}, neighbour[] = {1, 0};
    struct ec_error error;
    const struct parts_plan plan = {.parts = 2, .first = first, .neighbour = neighbour};
    assert_int_equal(parts_run(&plan, learn, c, &error), EC_OK);
    assert_true(c->learned[0] && c->learned[1]);
}

static void numbers_open(struct numbers_case *c)
{
    memset(c, 0, sizeof *c);
    for (unsigned k = 0; k < 2; k++) {
        assert_true(nodes_own_open(&c->own[k], eight + 4 * k, 4));
        assert_true(packets_open(&c->part[k], 8, 9, &c->own[k]));
        packets_reset(&c->part[k]);
    }
}

static void numbers_close(struct numbers_case *c)
{
    for (unsigned k = 0; k < 2; k++) {
        packets_close(&c->part[k]);
        nodes_own_close(&c->own[k]);
    }
}

/* Node 2 sends a packet; if `away`, to the other part. EC_NONE: it must not. */
static uint32_t number_next(struct numbers_case *c, bool away)
{
    uint32_t number = EC_NONE;
    struct packet *p = packets_add(&c->part[0], 2, &number);
    if (!p)
        return EC_NONE;
    *p = (struct packet){.left = 1, .words = 1};
    if (away) {
        assert_true(packets_enter(&c->part[1], 2, number, p, 0));
        packets_leave(&c->part[0], 2, number, p);
    }
    return number;
}

static void number_arrives(struct numbers_case *c, unsigned part, uint32_t number)
{
    struct packet *p = packets_find(&c->part[part], 2, number);
    assert_non_null(p);
    p->left = 0;
    packets_remove(&c->part[part], 2, packets_guest(&c->part[part], p));
    assert_null(packets_find(&c->part[part], 2, number));
}

/* Packets leave in any order: what counts is the oldest. */
static void the_oldest_that_left_is_known(NO_STATE)
{
    static const struct {
        uint32_t leaves;
        uint64_t away; /* 1 + the number of the oldest that left */
    } rows[] = {{5, 6}, {7, 6}, {3, 4}, {4, 4}, {9, 4}, {0, 1}, {8, 1}};
    struct numbers_case c;
    numbers_open(&c);
    for (uint32_t round = 0; round < 3 * NUMBERS; round++) /* numbers come round */
        number_arrives(&c, 0, number_next(&c, false));
    const uint64_t base = c.part[0].source[2].next;
    for (uint32_t i = 0; i < 10; i++)
        (void)number_next(&c, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t number = (uint32_t)(base + rows[i].leaves) % NUMBERS;
        packets_leave(&c.part[0], 2, number, packets_find(&c.part[0], 2, number));
        assert_int_equal(c.part[0].source[2].away, base + rows[i].away);
    }
    numbers_close(&c);
    numbers_open(&c); /* half way to the limit is not less than a quarter of the numbers */
    for (uint32_t i = 0; i < 100; i++)
        (void)number_next(&c, true);
    for (uint32_t i = 0; i < 10; i++)
        number_arrives(&c, 1, i);
    learn_numbers(&c); /* it is above half of the window already, so it asks */
    assert_int_equal(c.part[0].source[2].away, 11);
    assert_int_equal(c.part[0].window, NUMBERS / 4 - 1);
    numbers_close(&c);
}

/* The nodes send packets to the other part: 201, but nodes 3 and 7 so few that they need not ask.
 * Of those of node k, number 10 k is the oldest that is still in flight there. Each part asks for
 * three sources, and again half way from the worst of their numbers to the limit. */
static void many_sources_learn_at_once(NO_STATE)
{
    enum { SENT = 201, WORST = SENT - 40, FEW = 60 };
    static const uint64_t window[] = {SENT + (NUMBERS - SENT) / 2, WORST + (NUMBERS - WORST) / 2};
    struct numbers_case c;
    numbers_open(&c);
    for (uint32_t src = 0; src < 8; src++) {
        struct packets *const here = &c.part[src / 4], *const there = &c.part[1 - src / 4];
        for (uint32_t i = 0; i < (src % 4 == 3 ? FEW : SENT); i++) {
            uint32_t number = EC_NONE;
            struct packet *p = packets_add(here, src, &number);
            assert_non_null(p);
            assert_int_equal(number, i);
            *p = (struct packet){.left = 1, .words = 1};
            if (i >= 10 * src || src == 7)
                assert_true(packets_enter(there, src, number, p, 0));
            packets_leave(here, src, number, p);
        }
    }
    learn_numbers(&c);
    for (uint32_t src = 0; src < 8; src++)
        assert_int_equal(c.part[src / 4].source[src].away, src % 4 == 3 ? 1 : 10 * src + 1);
    for (unsigned part = 0; part < 2; part++) {
        struct packets *const k = &c.part[part];
        assert_int_equal(k->window, window[part]);
        assert_false(k->crowded);
        k->crowded = k->cannot_split = k->memory_short = true;
        packets_reset(k);
        assert_false(k->crowded || k->cannot_split || k->memory_short);
        assert_int_equal(k->window, NUMBERS / 4 - 1);
    }
    numbers_close(&c);
}

static void numbers_are_used_again_once_it_is_known_that_they_are_free(NO_STATE)
{
    struct numbers_case c;
    unsigned learned = 0;
    numbers_open(&c);
    for (unsigned i = 0; i < 20 * NUMBERS; i++) {
        const uint32_t number = number_next(&c, true);
        assert_int_equal(number, i % NUMBERS);
        number_arrives(&c, 1, number);
        if (c.part[0].crowded) {
            learn_numbers(&c);
            learned++;
        }
        assert_false(c.part[0].crowded || c.part[0].cannot_split);
    }
    assert_between(learned, 60, 100);           /* about once in a quarter of the numbers */
    assert_int_equal(c.part[1].guests.used, 1); /* there was never more than one */
    numbers_close(&c);
}

static void a_number_of_a_packet_elsewhere_is_not_used_twice(NO_STATE)
{
    struct numbers_case c;
    numbers_open(&c);
    const uint32_t oldest = number_next(&c, true);
    for (unsigned i = 1; i < NUMBERS; i++) {
        number_arrives(&c, 1, number_next(&c, true));
        if (c.part[0].crowded)
            learn_numbers(&c);
    }
    assert_false(c.part[0].cannot_split);
    assert_int_equal(number_next(&c, true), EC_NONE);
    assert_true(c.part[0].cannot_split); /* it may have arrived in this cycle */
    c.part[0].cannot_split = false;
    number_arrives(&c, 1, oldest);
    learn_numbers(&c);
    assert_int_equal(number_next(&c, true), oldest);
    numbers_close(&c);
}

static void a_source_waits_for_its_own_oldest_packet_as_in_one_part(NO_STATE)
{
    struct numbers_case c;
    numbers_open(&c);
    const uint32_t oldest = number_next(&c, false);
    for (unsigned i = 1; i < NUMBERS; i++) {
        number_arrives(&c, 1, number_next(&c, true));
        if (c.part[0].crowded)
            learn_numbers(&c);
    }
    assert_int_equal(number_next(&c, true), EC_NONE);
    assert_false(c.part[0].cannot_split);
    number_arrives(&c, 0, oldest);
    learn_numbers(&c);
    assert_int_equal(number_next(&c, true), oldest);
    numbers_close(&c);
}

/* --- The order among messages ----------------------------------------------------------------- */

enum { MESSAGES = 300, AFTER = 3 };

struct order_case {
    struct ec_workload w;
    struct ec_message_order rules;
    struct ec_message messages[MESSAGES];
    uint32_t step[MESSAGES], after[AFTER * MESSAGES];
    size_t first[MESSAGES + 1];
    uint64_t at[MESSAGES]; /* cycle of delivery */
    uint64_t cycles;
    struct ec_partition *partition;
    struct order *whole;
    atomic_uint wrong, released;
};

static void count_release(void *context, uint32_t message, uint64_t from)
{
    struct order_case *c = context;
    c->wrong += from != c->whole->ready[message];
    c->released++;
}

static void order_case_open(struct order_case *c, const struct ec_topology *t, bool by_step,
                            uint32_t parts)
{
    struct ec_error error;
    uint64_t n = 0;
    memset(c, 0, sizeof *c);
    if (ec_partition_open(t, parts, &c->partition, &error) != EC_OK)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        c->messages[i] = (struct ec_message){1, (uint32_t)draw(&n, t->nodes),
                                             (uint32_t)draw(&n, t->nodes), 2, 0};
        c->step[i] = 1 + i / 20;
        c->first[i + 1] = c->first[i];
        uint64_t ready = 1;
        for (unsigned k = 0; i >= 20 && k < draw(&n, AFTER + 1); k++) {
            const uint32_t after = (uint32_t)draw(&n, i / 20 * 20);
            c->after[c->first[i + 1]++] = after;
            ready = c->at[after] + 1 > ready ? c->at[after] + 1 : ready;
        }
        const uint64_t step = 10 * c->step[i];
        c->at[i] = (by_step || step > ready ? step : ready) + draw(&n, 10);
        c->cycles = c->at[i] > c->cycles ? c->at[i] : c->cycles;
    }
    c->rules = (struct ec_message_order){
        .step = c->step, .by_step = by_step, .first = c->first, .after = c->after};
    c->w = (struct ec_workload){
        .messages = c->messages, .message_count = MESSAGES, .nodes = t->nodes, .order = &c->rules};
    c->whole = order_open(&c->w);
    assert_non_null(c->whole);
    for (uint64_t now = 1; now <= c->cycles; now++) {
        for (uint32_t i = 0; i < MESSAGES; i++) {
            if (c->at[i] == now)
                order_arrived(c->whole, i, 2, now);
        }
    }
}

static void order_part(void *context, struct exchange *x)
{
    struct order_case *c = context;
    const struct ec_partition *p = c->partition;
    const uint32_t first = p->first[x->part], end = p->first[x->part + 1];
    struct order *o = order_open(&c->w);
    struct nodes_own own;
    if (!o || !nodes_own_open(&own, p->node + first, end - first))
        abort();
    o->released = count_release;
    o->context = c;
    order_share(o, &own);
    for (uint64_t now = 1; now <= c->cycles; now++) {
        for (uint32_t i = MESSAGES; i-- > 0;) {
            if (c->at[i] == now && p->part_of[c->messages[i].dst] == x->part)
                order_arrived(o, i, 2, now);
        }
        uint64_t news = order_has_news(o);
        c->wrong += !exchange_fold(x, &news, 1, EXCHANGE_OR);
        c->wrong += news && !order_meet(o, x, now);
    }
    c->wrong += memcmp(o->ready, c->whole->ready, MESSAGES * sizeof *o->ready) != 0;
    c->wrong += !order_merge(o, x);
    c->wrong += memcmp(o->delivered, c->whole->delivered, MESSAGES * sizeof *o->delivered) != 0;
    order_close(o);
    nodes_own_close(&own);
}

static void messages_wait_for_deliveries_in_other_parts(NO_STATE)
{
    const struct ec_topology t = topology_of("cube:4");
    for (uint32_t k = 0; k < 6; k++) {
        struct order_case c;
        struct ec_error error;
        const uint32_t parts = 2 + k / 2;
        order_case_open(&c, &t, k % 2, parts);
        const struct parts_plan plan = {.parts = parts};
        assert_int_equal(parts_run(&plan, order_part, &c, &error), EC_OK);
        assert_int_equal(c.wrong, 0);
        assert_true(c.released > MESSAGES / 4 && c.released < MESSAGES); /* each once */
        assert_false(order_is_local(&c.w, c.partition));
        order_close(c.whole);
        ec_partition_close(c.partition);
    }
}

/* --- Precision -------------------------------------------------------------------------------- */

enum { SIDE = 8 };

struct precise_case {
    uint64_t seed;
    double relative;
    uint64_t limit;
    struct precision one; /* measured in one part */
    atomic_uint wrong;
};

/* Each node sends a packet of two words now and then; latencies follow a slow wave. */
static void play_precise(const struct precise_case *c, struct precision *x, uint32_t part,
                         uint32_t parts)
{
    uint64_t created[SIDE] = {0}, accepted[SIDE] = {0}, messages = 0, arrived = 0;
    uint64_t due[64][SIDE] = {{0}}; /* [arrival % 64][node] cycle of creation */
    const struct precision_words none[1] = {{0}};
    for (uint64_t now = 1;; now++) {
        for (uint32_t node = 0; node < SIDE; node++) {
            const uint64_t was = due[now % 64][node];
            due[now % 64][node] = 0;
            arrived += was > 0;
            accepted[node] += was ? 2 : 0;
            if (was && (now + node) % parts == part)
                precision_arrived(x, &(struct precision_packet){.src = node,
                                                                .last = true,
                                                                .created = was,
                                                                .latency = now - was + 1,
                                                                .network = now - was});
            const uint64_t bits = ec_rng_draw(c->seed, now * SIDE + node);
            if (bits % 10 > 0 || x->done)
                continue;
            const uint64_t at = now + 8 + bits / 16 % 24 + (now >> 9) % 4;
            if (due[at % 64][node])
                continue;
            due[at % 64][node] = now;
            created[node] += 2;
            messages++;
        }
        if (now < precision_mark(x, now - 1))
            continue;
        const struct precision_sample s = {.cycle = now,
                                           .words = 2 * arrived,
                                           .classes = none,
                                           .messages = arrived,
                                           .created_messages = messages,
                                           .created = part ? NULL : created,
                                           .sent = part ? NULL : created,
                                           .accepted = part ? NULL : accepted};
        if (precision_sample(x, &s))
            return;
    }
}

static void open_precise(const struct precise_case *c, struct precision *x, struct exchange *e)
{
    const struct ec_precision goal = {.relative = c->relative, .first = 1000, .limit = c->limit};
    const struct process_words traffic = {.length = 2};
    if (!precision_open(x, &goal, SIDE, 1, traffic, NULL, 20000, e))
        abort();
    precision_reset(x);
}

static void measure_part(void *context, struct exchange *e)
{
    struct precise_case *c = context;
    struct precision x;
    const struct precision *one = &c->one;
    open_precise(c, &x, e);
    play_precise(c, &x, e->part, e->parts);
    c->wrong += !precision_merge(&x) || !x.done || x.decision != one->decision;
    const struct precision_window *w = precision_window(&x), *v = precision_window(one);
    if (e->part == 0)
        c->wrong += memcmp(&x.found, &one->found, sizeof x.found) != 0 ||
                    memcmp(&x.all.network, &one->all.network, sizeof x.all.network) != 0 ||
                    x.messages != one->messages || x.all.offered != one->all.offered ||
                    memcmp(w->sources, v->sources, SIDE * sizeof *w->sources) != 0 ||
                    memcmp(w->steady.bin, v->steady.bin, sizeof *w->steady.bin) != 0;
    precision_close(&x);
}

static void a_precision_is_decided_as_in_one_part(NO_STATE)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct ec_error error;
        struct precise_case c = {
            .seed = seed, .relative = seed % 2 ? 0.01 : 0.001, .limit = seed % 3 ? 100000 : 20000};
        open_precise(&c, &c.one, NULL);
        play_precise(&c, &c.one, 0, 1);
        const struct parts_plan plan = {.parts = 1 + (uint32_t)seed % 4};
        assert_int_equal(parts_run(&plan, measure_part, &c, &error), EC_OK);
        if (c.wrong)
            fail_msg("seed %llu, %u parts: %u differ", (unsigned long long)seed, plan.parts,
                     c.wrong);
        precision_close(&c.one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("records follow their heads, and boards add up",
             records_follow_their_heads_and_boards_add_up),
        TEST("messages are assembled where their packets arrive",
             messages_are_assembled_where_their_packets_arrive),
        TEST("a packet that crosses is expected there, and only there",
             a_packet_that_crosses_is_expected_there_and_only_there),
        TEST("a head that crosses twice brings one record",
             a_head_that_crosses_twice_brings_one_record),
        TEST("damaged records, and those that enter twice, are noticed",
             damaged_records_and_those_that_enter_twice_are_noticed),
        TEST("the busiest server of all parts is known", the_busiest_server_of_all_parts_is_known),
        TEST("the oldest that left is known", the_oldest_that_left_is_known),
        TEST("many sources learn at once", many_sources_learn_at_once),
        TEST("numbers are used again once it is known that they are free",
             numbers_are_used_again_once_it_is_known_that_they_are_free),
        TEST("a number of a packet elsewhere is not used twice",
             a_number_of_a_packet_elsewhere_is_not_used_twice),
        TEST("a source waits for its own oldest packet as in one part",
             a_source_waits_for_its_own_oldest_packet_as_in_one_part),
        TEST("messages wait for deliveries in other parts",
             messages_wait_for_deliveries_in_other_parts),
        TEST("a precision is decided as in one part", a_precision_is_decided_as_in_one_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
