/* SPDX-License-Identifier: Apache-2.0 */
/* Senders against a second model: what each port sends in each cycle of random small traffic, and
 * all that is counted meanwhile. The model keeps no more than the definitions need, and looks at
 * every port in every cycle. */
#include "run/ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/word.h"
#include "parts/own.h"
#include "unit.h"

enum {
    PORTS = 512,
    NODES = 512,
    REPLIES = 150,
    PACKETS = 300,
    PACKET_WORDS = 8,
    WAY = 3 /* cycles */
};

/* The nodes of this part. */
enum own { ALL, TWO, TWO_RANGES };

struct setting {
    const char *topology, *router;
    const char *workload; /* NULL: a random trace; "after": one with an order; "behind" */
    unsigned packet, startup;
    unsigned credits;  /* percent: a credit that is owed comes back in a cycle */
    unsigned requests; /* percent: a node accepts a request in a cycle */
    unsigned cycles;
    enum own own;
    uint32_t numbers; /* a source has so many packet numbers, a power of two; 0: as many as usual */
};

/* --- The model -------------------------------------------------------------------------------- */

struct reply {
    uint64_t ready, asked;
    uint32_t dst;
};

/* What sends by one port: of requests and replies, each has a sender if they have classes. */
struct hand {
    struct source_message m;
    bool busy, starting, waits;
    uint32_t left, words, sent; /* words: of the packet that has begun, or 0 */
    unsigned lane, next_lane;
    uint32_t number;
    uint64_t ready, blocked;
    uint64_t due; /* nothing can happen before */
};

struct port {
    struct hand hand[2];
    unsigned turn;
    unsigned credits[EC_VCS_MAX], fresh[EC_VCS_MAX], owed[EC_VCS_MAX]; /* fresh: of this cycle */
    uint64_t sent[2];
    struct reply reply[REPLIES];
    size_t first, count;
};

struct bench {
    const struct setting *x;
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct sources *sources, *mirror; /* mirror: of the model */
    struct scoreboard board;
    struct service *service;
    struct senders s;
    struct nodes_own own;
    uint32_t ranges[NODES]; /* borrowed by `own` */
    struct ec_port_word words[PORTS], expected[PORTS];
    struct ec_port_events in;
    size_t expected_count;
    struct { /* packets that begin in this cycle */
        uint32_t node, number, words;
        struct source_message m;
        bool last;
    } begun[PORTS];
    size_t begun_count;

    unsigned locals, vcs, classes, lanes, need;
    bool dynamic;
    struct port port[PORTS];
    uint32_t number[NODES], held[NODES];
    bool done[NODES][PACKETS]; /* which packets of a source have arrived */
    uint64_t started, messages, home, refused;
    struct ec_offer offers[PORTS], seen_offers[PORTS];
    size_t offer_count, seen_offer_count;
    struct ec_message taken[PORTS], seen_taken[PORTS];
    size_t taken_count, seen_taken_count;
    /* Words of packets on their way, which arrive at once. */
    struct {
        uint64_t at;
        uint32_t src, number, node, count, message, words; /* words: of the whole message */
        uint64_t word[PACKET_WORDS];
    } way[PORTS * 4];
    size_t way_count;
    uint64_t key, drawn;
};

static uint64_t draw(struct bench *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(b->key, b->drawn++), below);
}

static uint64_t next_reply(const struct port *p)
{
    return p->count > p->first ? p->reply[p->first].ready : SOURCE_NEVER;
}

/* Without classes the older one of both; a reply if they are of one age. */
static bool is_reply_next(struct bench *b, uint32_t port, unsigned class_)
{
    if (b->classes == 2)
        return class_ == 1;
    return b->service && next_reply(&b->port[port]) != SOURCE_NEVER &&
           next_reply(&b->port[port]) <= sources_next(b->mirror, port);
}

static uint64_t next_message(struct bench *b, uint32_t port, unsigned class_)
{
    return is_reply_next(b, port, class_) ? next_reply(&b->port[port])
                                          : sources_next(b->mirror, port);
}

static struct source_message take(struct bench *b, uint32_t port, unsigned class_)
{
    struct port *p = &b->port[port];
    if (!is_reply_next(b, port, class_))
        return sources_take(b->mirror, port);
    const struct reply x = p->reply[p->first++];
    return (struct source_message){.created = x.ready,
                                   .asked = x.asked,
                                   .dst = x.dst,
                                   .words = b->w->service.words,
                                   .part = b->w->part_count};
}

static bool begin_message(struct bench *b, uint32_t port, unsigned class_, uint64_t now)
{
    const uint32_t node = port / b->locals;
    struct hand *h = &b->port[port].hand[class_];
    struct order *order = sources_order(b->mirror);
    for (;;) {
        h->due = next_message(b, port, class_);
        if (h->due > now)
            return false;
        h->m = take(b, port, class_);
        b->messages++;
        b->taken[b->taken_count++] = (struct ec_message){h->m.created, node, h->m.dst, h->m.words};
        if (order)
            order->started[h->m.index] = now;
        if (h->m.dst != node)
            break;
        b->home++;
        if (order)
            order_sent(order, h->m.index, now);
        if (order)
            order_arrived(order, h->m.index, h->m.words, now);
    }
    if (b->dynamic) {
        h->lane = class_ * b->lanes;
    } else {
        h->lane = class_ * b->lanes + h->next_lane;
        h->next_lane = (h->next_lane + 1) % b->lanes;
    }
    h->left = h->m.words;
    h->words = 0;
    h->busy = true;
    h->starting = false;
    return true;
}

static unsigned vc_of(const struct bench *b, unsigned lane)
{
    return b->r.dateline ? 2 * lane : lane;
}

static uint32_t packet_of(const struct bench *b, const struct hand *h)
{
    return h->left < b->r.packet ? h->left : b->r.packet;
}

/* The start of a packet. False: its time has not come. */
static bool begin_packet(struct bench *b, uint32_t port, unsigned class_, uint64_t now)
{
    struct port *p = &b->port[port];
    struct hand *h = &p->hand[class_];
    if (!h->starting) {
        h->starting = true;
        h->ready = now + b->x->startup;
        if (b->dynamic)
            h->lane = class_ * b->lanes;
        b->offers[b->offer_count++] = (struct ec_offer){.cycle = now,
                                                        .created = h->m.created,
                                                        .node = port / b->locals,
                                                        .dst = h->m.dst,
                                                        .words = packet_of(b, h),
                                                        .local = port % b->locals,
                                                        .vc = vc_of(b, h->lane)};
    }
    h->due = h->ready;
    if (now < h->ready)
        return false;
    if (b->dynamic) {
        h->lane = class_ * b->lanes;
        for (unsigned k = b->lanes; k-- > 0;) {
            if (p->credits[vc_of(b, class_ * b->lanes + k)] >= b->need)
                h->lane = class_ * b->lanes + k;
        }
    }
    return true;
}

/* May the next word of a sender take this VC? */
static bool may_take(const struct bench *b, const struct hand *h, unsigned class_, unsigned vc)
{
    if (!b->dynamic || h->words > 0)
        return vc == vc_of(b, h->lane);
    for (unsigned k = 0; k < b->lanes; k++) {
        if (vc == vc_of(b, class_ * b->lanes + k))
            return true;
    }
    return false;
}

/* The number of a packet in its words. */
static uint32_t in_words(const struct bench *b, uint32_t number)
{
    return number & b->board.records.number_mask;
}

/* A packet whose tail has been sent arrives some cycles later. */
static void send_on(struct bench *b, const struct hand *h, uint32_t port, uint64_t now)
{
    const uint32_t src = port / b->locals;
    assert_true(b->way_count < COUNT(b->way) && h->words <= PACKET_WORDS);
    b->way[b->way_count].at = now + WAY;
    b->way[b->way_count].src = src;
    b->way[b->way_count].number = h->number;
    b->way[b->way_count].node = h->m.dst;
    b->way[b->way_count].count = h->words;
    b->way[b->way_count].message = h->m.index;
    b->way[b->way_count].words = h->m.words;
    for (uint32_t i = 0; i < h->words; i++)
        b->way[b->way_count].word[i] =
            scoreboard_word(&b->board, src, h->m.dst, h->words, h->lane, in_words(b, h->number), i);
    b->way_count++;
}

/* Does a packet in flight have the next number of a source, or an older one that is not known to be
 * free? Then it must wait. */
static bool has_number(const struct bench *b, uint32_t node)
{
    uint32_t oldest = 0;
    while (b->done[node][oldest])
        oldest++;
    return b->number[node] - oldest <= b->board.records.number_mask;
}

/* One sender in a cycle. True: a word. */
static bool send_word(struct bench *b, uint32_t port, unsigned class_, uint64_t now)
{
    struct port *p = &b->port[port];
    struct hand *h = &p->hand[class_];
    const uint32_t node = port / b->locals;
    if (h->due > now || (!h->busy && !begin_message(b, port, class_, now)))
        return false;
    b->started = b->started ? b->started : now;
    const bool head = h->words == 0;
    if (head && !begin_packet(b, port, class_, now))
        return false;
    const unsigned vc = vc_of(b, h->lane);
    if (p->credits[vc] < (head ? b->need : 1)) {
        h->waits = true;
        h->due = SOURCE_NEVER;
        for (unsigned v = 0; v < b->vcs; v++)
            h->due = p->fresh[v] && may_take(b, h, class_, v) ? now + 1 : h->due;
        return false;
    }
    if (head && !has_number(b, node)) {
        b->refused++;
        h->due = now + 1;
        return false;
    }
    h->waits = false;
    h->due = now + 1;
    p->credits[vc]--;
    p->owed[vc]++;
    p->sent[h->m.asked != 0]++;
    if (head) {
        h->words = packet_of(b, h);
        h->sent = 0;
        h->number = b->number[node]++;
        assert_true(h->number + 1 < PACKETS);
        b->begun[b->begun_count].node = node;
        b->begun[b->begun_count].number = in_words(b, h->number);
        b->begun[b->begun_count].words = h->words;
        b->begun[b->begun_count].m = h->m;
        b->begun[b->begun_count++].last = h->words == h->left;
    }
    b->expected[b->expected_count++] =
        (struct ec_port_word){port, scoreboard_word(&b->board, node, h->m.dst, h->words, h->lane,
                                                    in_words(b, h->number), h->sent)};
    if (++h->sent < h->words)
        return true;
    send_on(b, h, port, now);
    h->left -= h->words;
    h->words = 0;
    h->starting = false;
    if (h->left > 0)
        return true;
    h->busy = false;
    if (sources_order(b->mirror))
        order_sent(sources_order(b->mirror), h->m.index, now + 1);
    b->held[node] -= h->m.asked != 0;
    const uint64_t next = next_message(b, port, class_);
    h->due = next > now ? next : now + 1;
    return true;
}

/* The credits that were there before are enough, but the sender would not look. */
static bool oversleeps(const struct bench *b, uint32_t port, unsigned class_, uint64_t now)
{
    const struct port *p = &b->port[port];
    const struct hand *h = &p->hand[class_];
    bool able = false;
    for (unsigned vc = 0; vc < b->vcs; vc++)
        able |= may_take(b, h, class_, vc) && p->credits[vc] >= (h->words ? 1 : b->need);
    return h->busy && h->due > now && able && (h->words || (h->starting && now >= h->ready));
}

static bool is_own(const struct bench *b, uint32_t port)
{
    return nodes_own_has(&b->own, port / b->locals);
}

static void model_cycle(struct bench *b, uint64_t now)
{
    b->expected_count = b->begun_count = 0;
    for (uint32_t port = 0; port < b->t.nodes * b->locals; port++) {
        struct port *p = &b->port[port];
        const unsigned turn = p->turn;
        for (unsigned k = 0; is_own(b, port) && k < b->classes; k++) {
            const unsigned class_ = b->classes == 2 ? turn ^ k : 0;
            assert_false(oversleeps(b, port, class_, now));
            if (!send_word(b, port, class_, now))
                continue;
            p->turn = class_ ^ 1;
            break;
        }
        for (unsigned class_ = 0; class_ < b->classes; class_++)
            p->hand[class_].blocked += p->hand[class_].waits;
    }
}

/* --- Both, side by side ----------------------------------------------------------------------- */

static void note_offer(void *context, const struct ec_offer *offer)
{
    struct bench *b = context;
    b->seen_offers[b->seen_offer_count++ % COUNT(b->seen_offers)] = *offer;
}

static void note_taken(void *context, const struct ec_message *message)
{
    struct bench *b = context;
    b->seen_taken[b->seen_taken_count++ % COUNT(b->seen_taken)] = *message;
}

static void wake_port(void *context, uint32_t port)
{
    struct bench *b = context;
    senders_wake(&b->s, port, b->board.measure_from);
}

static void wake_model(struct bench *b, uint32_t port, unsigned class_, uint64_t at)
{
    struct hand *h = &b->port[port].hand[class_];
    if (!h->busy && h->due > at)
        h->due = at;
}

static void wake_model_port(void *context, uint32_t port)
{
    struct bench *b = context;
    wake_model(b, port, 0, b->board.measure_from);
}

static void release(void *context, uint32_t message, uint64_t from)
{
    struct bench *b = context;
    senders_wake(&b->s, sources_release(b->sources, message, from), from);
}

static void release_model(void *context, uint32_t message, uint64_t from)
{
    struct bench *b = context;
    wake_model(b, sources_release(b->mirror, message, from), 0, from);
}

static const char *trace_of(struct bench *b)
{
    static char text[8000];
    const char *const order = b->x->workload;
    const bool behind = order && !strcmp(order, "behind");
    unsigned last[NODES] = {0}; /* the message that each node sends before */
    size_t used = (size_t)snprintf(text, sizeof text, "cycle,source,destination,words%s%s\n",
                                   order ? ",id," : "", order ? order : "");
    uint64_t cycle = 1;
    for (unsigned id = 1; id <= 120; id++) {
        const unsigned src = (unsigned)draw(b, b->t.nodes), dst = (unsigned)draw(b, b->t.nodes);
        cycle += draw(b, 4) ? 0 : draw(b, 24);
        used += (size_t)snprintf(text + used, sizeof text - used, "%u,%u,%u,%u", (unsigned)cycle,
                                 src, dst, 1 + (unsigned)draw(b, 7));
        if (order)
            used += (size_t)snprintf(text + used, sizeof text - used, ",%u,", id);
        const unsigned other = behind ? last[src] : id > 3 ? id - 1 - (unsigned)draw(b, 3) : 0;
        if (order && other && draw(b, 2))
            used += (size_t)snprintf(text + used, sizeof text - used, "%u", other);
        last[src] = id;
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
        assert_true(used < sizeof text);
    }
    return scratch_file(text);
}

static void bench_open(struct bench *b, const struct setting *x, uint64_t seed)
{
    static const uint32_t two[] = {1, 2};
    uint32_t count = 0;
    struct ec_error error;
    char workload[128];
    const bool trace = !x->workload || !strchr(x->workload, ':');
    memset(b, 0, sizeof *b);
    b->x = x;
    b->key = ec_rng_key(seed, 17);
    b->t = topology_of(x->topology);
    b->r = router_of(x->router, &b->t);
    snprintf(workload, sizeof workload, "%s%s", trace ? "trace:file=" : "",
             trace ? trace_of(b) : x->workload);
    if (ec_workload_open(workload, &b->t, seed, &b->w, &error) != EC_OK)
        fail_msg("%s: %s", workload, error.message);
    const bool classes = b->w->service.words && !b->w->service.shared;
    if (ec_router_set_packet(&b->r, x->packet, 7, &error) ||
        ec_router_set_classes(&b->r, classes ? 2 : 1, &error))
        fail_msg("%s", error.message);
    b->own = nodes_all(b->t.nodes);
    for (uint32_t node = 40; node < b->t.nodes; node += node == 299 ? 181 : 1)
        b->ranges[count++] = node;
    if (x->own == TWO)
        assert_true(nodes_own_open(&b->own, two, COUNT(two)));
    if (x->own == TWO_RANGES)
        assert_true(nodes_own_open(&b->own, b->ranges, count));
    b->locals = ec_router_locals(&b->r, &b->t);
    b->vcs = b->r.vcs;
    b->classes = classes ? 2 : 1;
    b->lanes = (b->r.dateline ? b->vcs / 2 : b->vcs) / b->classes;
    b->dynamic = b->r.va == EC_VA_DYNAMIC;
    b->need = b->r.switching == EC_WORMHOLE ? 1 : b->r.packet;
    b->sources = sources_open(&b->t, &b->r, b->w, seed, &b->own);
    b->mirror = sources_open(&b->t, &b->r, b->w, seed, &b->own);
    assert_true(b->sources && b->mirror);
    assert_true(scoreboard_open(&b->board, &b->t, &b->r, &b->own));
    assert_true(senders_open(&b->s, &b->t, &b->r, b->sources, &b->board, x->startup, &b->own));
    if (b->w->service.words) {
        b->service = service_open(&b->t, &b->r, b->w, &b->own);
        assert_non_null(b->service);
        assert_true(senders_serve(&b->s, b->service, b->w->service.shared));
    }
    if (b->w->service.words || b->w->part_count > 1)
        assert_true(scoreboard_count_classes(&b->board, b->w->part_count + 1));
    b->s.offered = note_offer;
    b->s.taken = note_taken;
    b->s.offered_context = b->s.taken_context = b;
    b->in.words = b->words;
}

static void bench_reset(struct bench *b)
{
    sources_reset(b->sources);
    sources_reset(b->mirror);
    struct order *order = sources_order(b->sources), *copy = sources_order(b->mirror);
    if (order)
        order->released = release, order->context = b, b->board.order = order;
    if (copy)
        copy->released = release_model, copy->context = b;
    if (b->x->numbers)
        b->board.records.number_mask = b->x->numbers - 1;
    scoreboard_reset(&b->board);
    if (b->service)
        service_reset(b->service);
    senders_reset(&b->s);
    memset(b->port, 0, sizeof b->port);
    memset(b->number, 0, sizeof b->number);
    memset(b->done, 0, sizeof b->done);
    memset(b->held, 0, sizeof b->held);
    b->started = b->messages = b->home = b->refused = b->way_count = 0;
    for (uint32_t port = 0; port < b->t.nodes * b->locals; port++) {
        struct port *p = &b->port[port];
        for (unsigned vc = 0; vc < b->vcs; vc++)
            p->credits[vc] = b->r.depth;
        p->hand[0].due = is_own(b, port) ? sources_next(b->mirror, port) : SOURCE_NEVER;
        p->hand[1].due = SOURCE_NEVER;
    }
}

static void bench_close(struct bench *b)
{
    senders_close(&b->s);
    service_close(b->service);
    scoreboard_close(&b->board);
    sources_close(b->sources);
    sources_close(b->mirror);
    if (b->x->own != ALL)
        nodes_own_close(&b->own);
    ec_workload_close(b->w);
    scratch_files_remove();
}

static void assert_number(const struct bench *b, uint64_t now, const char *what, uint64_t is,
                          uint64_t should)
{
    if (is != should)
        fail_msg("%s %s, cycle %llu: %s is %llu instead of %llu", b->x->topology, b->x->router,
                 (unsigned long long)now, what, (unsigned long long)is, (unsigned long long)should);
}

static void compare_words(const struct bench *b, uint64_t now)
{
    assert_number(b, now, "the number of words", b->in.word_count, b->expected_count);
    for (size_t i = 0; i < b->expected_count; i++) {
        assert_number(b, now, "a port", b->words[i].port, b->expected[i].port);
        assert_number(b, now, "a word", b->words[i].word, b->expected[i].word);
    }
}

/* The records of the packets that begin. A message that is assembled ends when all has arrived. */
static void compare_records(const struct bench *b, uint64_t now)
{
    for (size_t i = 0; i < b->begun_count; i++) {
        const struct source_message *m = &b->begun[i].m;
        const struct packet *p =
            packets_find(&b->board.records, b->begun[i].node, b->begun[i].number);
        const bool assembled = b->dynamic && m->words > b->r.packet;
        assert_non_null(p);
        assert_number(b, now, "a creation", p->created, m->created);
        assert_number(b, now, "a start", p->injected, now);
        assert_number(b, now, "the words of a packet", p->words, b->begun[i].words);
        assert_number(b, now, "the words of its message", p->whole, assembled ? m->words : 0);
        assert_number(b, now, "the end of a message", p->last, b->begun[i].last && !assembled);
        if (!b->board.classes)
            continue;
        assert_number(b, now, "a class", p->class_, m->part);
        assert_number(b, now, "the creation of a request", p->asked, m->asked);
    }
}

static void compare_callbacks(struct bench *b, uint64_t now)
{
    assert_number(b, now, "the number of offers", b->seen_offer_count, b->offer_count);
    for (size_t i = 0; i < b->offer_count; i++) {
        const struct ec_offer *x = &b->seen_offers[i], *y = &b->offers[i];
        assert_true(x->cycle == y->cycle && x->created == y->created);
        assert_true(x->node == y->node && x->dst == y->dst && x->words == y->words);
        assert_true(x->local == y->local && x->vc == y->vc);
    }
    assert_number(b, now, "the number of messages", b->seen_taken_count, b->taken_count);
    for (size_t i = 0; i < b->taken_count; i++) {
        const struct ec_message *x = &b->seen_taken[i], *y = &b->taken[i];
        assert_true(x->cycle == y->cycle && x->src == y->src);
        assert_true(x->dst == y->dst && x->words == y->words);
    }
    b->offer_count = b->seen_offer_count = b->taken_count = b->seen_taken_count = 0;
}

static void compare_ports(struct bench *b, uint64_t now)
{
    uint64_t busy = 0, due = SOURCE_NEVER, waiting = UINT64_MAX;
    unsigned vc = 0, seen_vc = 0;
    uint32_t port = 0;
    for (uint32_t at = 0; at < b->t.nodes * b->locals; at++) {
        const struct port *p = &b->port[at];
        uint64_t blocked = 0;
        for (unsigned class_ = 0; class_ < b->classes; class_++) {
            const struct hand *h = &p->hand[class_];
            busy += h->busy;
            blocked += h->blocked;
            due = h->due < due ? h->due : due;
            if ((h->busy || h->due < now) && waiting == UINT64_MAX) {
                waiting = at;
                vc = vc_of(b, h->lane);
            }
        }
        assert_number(b, now, "cycles blocked", senders_blocked(&b->s, at, now), blocked);
        if (!b->service)
            continue;
        const struct hand *h = &p->hand[b->classes - 1];
        unsigned vcs = 0;
        for (unsigned v = 0; v < b->vcs; v++)
            vcs |= (unsigned)may_take(b, h, b->classes - 1, v) << v;
        const bool waits = h->waits && (h->m.asked || next_reply(p) != SOURCE_NEVER);
        assert_number(b, now, "a waiting reply", senders_reply_waits(&b->s, at), waits ? vcs : 0);
        assert_number(b, now, "words of requests", b->s.sent[2 * at], p->sent[0]);
        assert_number(b, now, "words of replies", b->s.sent[2 * at + 1], p->sent[1]);
    }
    assert_number(b, now, "messages in hand", b->s.busy, busy);
    assert_number(b, now, "the next cycle", senders_next_due(&b->s), due);
    const bool waits = senders_waiting(&b->s, now, &port, &seen_vc);
    assert_number(b, now, "senders_waiting()", waits, waiting != UINT64_MAX);
    assert_number(b, now, "the waiting port", waits ? port : 0, waits ? waiting : 0);
    assert_number(b, now, "its VC", waits ? seen_vc : 0, waits ? vc : 0);
    assert_number(b, now, "the start", b->s.started, b->started);
    assert_number(b, now, "messages", b->s.messages, b->messages);
    assert_number(b, now, "messages to oneself", b->s.self_messages, b->home);
    for (uint32_t node = 0; b->service && node < b->t.nodes; node++)
        assert_number(b, now, "requests held", service_held(b->service, node), b->held[node]);
}

static void compare_orders(const struct bench *b, uint64_t now)
{
    const struct order *x = sources_order(b->sources), *y = sources_order(b->mirror);
    for (size_t i = 0; x && i < b->w->message_count; i++) {
        assert_number(b, now, "the start of a message", x->started[i], y->started[i]);
        assert_number(b, now, "its delivery", x->delivered[i], y->delivered[i]);
    }
}

/* Packets that have been under way long enough arrive, whole ones: a node never sees two at once
 * here. */
static void arrive(struct bench *b, uint64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->way_count; i++) {
        if (b->way[i].at > now || !nodes_own_has(&b->own, b->way[i].node)) {
            b->way[kept++] = b->way[i];
            kept -= b->way[i].at <= now; /* into another part: it is not followed */
            continue;
        }
        /* Packets of a message that may overtake each other name it. */
        const struct packet *p =
            packets_find(&b->board.records, b->way[i].src, in_words(b, b->way[i].number));
        assert_non_null(p);
        const bool whole = ec_router_overtakes(&b->r) && b->way[i].words > b->r.packet;
        assert_number(b, now, "the words of an assembled message", p->whole,
                      whole ? b->way[i].words : 0);
        for (uint32_t k = 0; k < b->way[i].count; k++)
            scoreboard_arrive(&b->board, b->way[i].node * b->locals, b->way[i].word[k], now);
        if (b->board.failed)
            fail_msg("%s", b->board.what);
        b->done[b->way[i].src][b->way[i].number] = true;
        if (sources_order(b->mirror))
            order_arrived(sources_order(b->mirror), b->way[i].message, b->way[i].count, now);
    }
    b->way_count = kept;
}

static void return_credits(struct bench *b, uint64_t now)
{
    for (uint32_t port = 0; port < b->t.nodes * b->locals; port++) {
        struct port *p = &b->port[port];
        for (unsigned vc = 0; vc < b->vcs; vc++) {
            p->credits[vc] += p->fresh[vc];
            p->fresh[vc] = 0;
            for (; p->owed[vc] && draw(b, 100) < b->x->credits; p->owed[vc]--) {
                const unsigned class_ =
                    b->classes == 2 && (b->r.dateline ? vc / 2 : vc) >= b->lanes;
                struct hand *h = &p->hand[class_];
                senders_credit(&b->s, port, vc, now);
                p->fresh[vc]++;
                if (h->busy && h->due == SOURCE_NEVER)
                    h->due = now + 1;
            }
        }
    }
}

static void accept_requests(struct bench *b, uint64_t now)
{
    for (uint32_t node = 0; b->service && node < b->t.nodes; node++) {
        const struct service_packet request = {.created = now > 5 ? now - 5 : 1,
                                               .src = (uint32_t)draw(b, b->t.nodes),
                                               .words = 1,
                                               .asks = true,
                                               .part_of = EC_NONE};
        const uint32_t port = node * b->locals + (uint32_t)draw(b, b->locals);
        uint32_t answers;
        uint64_t ready;
        if (!nodes_own_has(&b->own, node) || request.src == node || draw(b, 100) >= b->x->requests)
            continue;
        assert_true(service_arrive(b->service, port, 0, request));
        assert_true(service_accept(b->service, port, 0, now, &answers, &ready));
        struct port *p = &b->port[answers];
        assert_true(p->count < REPLIES);
        p->reply[p->count++] = (struct reply){ready, request.created, request.src};
        b->held[node]++;
        senders_wake_for_reply(&b->s, answers, ready);
        wake_model(b, answers, b->classes - 1, ready);
    }
}

static void play(struct bench *b)
{
    bench_reset(b);
    for (uint64_t now = 1; now <= b->x->cycles; now++) {
        b->board.measure_from = now; /* for callbacks */
        if (sources_need_create(b->sources)) {
            assert_true(sources_create(b->sources, now, wake_port, b));
            assert_true(sources_create(b->mirror, now, wake_model_port, b));
        }
        accept_requests(b, now);
        senders_offer(&b->s, now, &b->in);
        model_cycle(b, now);
        compare_words(b, now);
        compare_records(b, now);
        compare_callbacks(b, now);
        compare_ports(b, now);
        arrive(b, now);
        compare_orders(b, now);
        return_credits(b, now + 1);
    }
}

static void run(const struct setting *settings, size_t count, uint64_t seeds)
{
    static struct bench b;
    for (size_t i = 0; i < count; i++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            bench_open(&b, &settings[i], seed);
            play(&b);
            assert_true(b.messages > 15); /* there is something to see */
            play(&b);                     /* a reset forgets all */
            assert_int_equal(b.refused > 0, settings[i].numbers > 0);
            bench_close(&b);
        }
    }
}

static void traces_are_sent_as_the_model_does(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"mesh:3", "depth=2", NULL, 0, 0, 30, 0, 500, ALL, 0},
        {"mesh:3", "depth=1", NULL, 3, 2, 60, 0, 500, ALL, 0},
        {"cube:2", "depth=4,vcs=2", NULL, 2, 0, 20, 0, 500, ALL, 0},
        {"cube:2", "depth=4,vcs=4", NULL, 3, 1, 20, 0, 500, TWO, 0},
        {"cube:2", "depth=4,switching=cut-through", NULL, 3, 0, 50, 0, 500, ALL, 0},
        {"cube:2", "depth=5,vcs=2,switching=store-and-forward", NULL, 2, 1, 30, 0, 500, ALL, 0},
        {"cube:2", "depth=2,ports=all", NULL, 2, 0, 20, 0, 500, ALL, 0},
        {"mesh:2x2", "depth=1,ports=all,vcs=2", NULL, 1, 3, 40, 0, 500, TWO, 0},
        {"ring:5", "depth=3,vcs=4", NULL, 0, 0, 20, 0, 500, ALL, 0},
        {"ring:5", "depth=2,vcs=8", NULL, 2, 0, 10, 0, 500, ALL, 0},
    };
    run(settings, COUNT(settings), 2);
}

static void packets_wait_for_a_number(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"mesh:3", "depth=8", NULL, 1, 0, 90, 0, 500, ALL, 2},
        {"cube:2", "depth=2,vcs=2,va=dynamic", NULL, 2, 1, 90, 0, 500, ALL, 1},
        {"cube:2", "depth=3,ports=all", NULL, 2, 0, 60, 0, 500, ALL, 4},
    };
    run(settings, COUNT(settings), 2);
}

static void packets_take_virtual_channels_as_in_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"mesh:3", "depth=1,vcs=2,va=dynamic", NULL, 2, 0, 30, 0, 500, ALL, 0},
        {"cube:2", "depth=3,vcs=4,va=dynamic", NULL, 2, 1, 10, 0, 500, ALL, 0},
        {"cube:2", "depth=4,vcs=4,va=dynamic,switching=cut-through", NULL, 3, 0, 10, 0, 500, TWO,
         0},
        {"ring:5", "depth=2,vcs=4,va=dynamic", NULL, 2, 0, 20, 0, 500, ALL, 0},
        {"cube:2", "depth=2,vcs=2,va=dynamic,ports=all", NULL, 2, 2, 20, 0, 500, ALL, 0},
    };
    run(settings, COUNT(settings), 2);
}

static void messages_that_wait_are_sent_as_in_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"cube:2", "depth=2,vcs=2", "after", 3, 0, 40, 0, 900, ALL, 0},
        {"cube:2", "depth=2", "behind", 3, 1, 40, 0, 900, ALL, 0},
        {"cube:2", "depth=2,ports=all", "behind", 3, 0, 60, 0, 900, ALL, 0},
    };
    run(settings, COUNT(settings), 3);
}

static void random_messages_and_replies_are_sent_as_in_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"cube:2", "depth=2", "uniform:rate=0.4,m=3", 2, 0, 40, 0, 400, ALL, 0},
        {"cube:2", "depth=2,ports=all", "uniform:rate=0.6,m=3", 2, 1, 40, 0, 400, ALL, 0},
        {"cube:2", "depth=2", "mix:rate=0.4,m=3,of=uniform@0.5+hotspot:node=1@0.3+bitcomp@0.2", 2,
         0, 40, 0, 400, ALL, 0},
        {"cube:2", "depth=2,vcs=2", "uniform:rate=0.2,m=3,reply=2,queue=inf", 2, 0, 40, 15, 400,
         ALL, 0},
        {"cube:2", "depth=2,vcs=4", "uniform:rate=0.3,m=3,reply=5,queue=inf", 2, 1, 30, 5, 400, ALL,
         0},
        {"ring:5", "depth=3,vcs=8", "uniform:rate=0.3,m=3,reply=4,queue=inf", 0, 0, 30, 8, 400, TWO,
         0},
        {"cube:2", "depth=2,vcs=4,va=dynamic", "uniform:rate=0.3,m=3,reply=4,queue=inf", 2, 0, 15,
         8, 400, ALL, 0},
        {"cube:2", "depth=2,vcs=2,ports=all", "uniform:rate=0.3,m=3,reply=2,think=4,queue=inf", 2,
         0, 30, 20, 400, ALL, 0},
        {"cube:2", "depth=2", "uniform:rate=0.2,m=3,reply=3,queue=inf,classes=1", 2, 0, 50, 15, 400,
         ALL, 0},
        {"cube:2", "depth=2,vcs=2,va=dynamic", "uniform:rate=0.2,m=3,reply=3,queue=inf,classes=1",
         2, 1, 30, 10, 400, ALL, 0},
    };
    run(settings, COUNT(settings), 2);
}

/* From 512 nodes on, senders ask for their memory some ports ahead. */
static void large_networks_are_as_in_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"cube:9", "depth=2", "uniform:rate=0.2,m=3", 2, 0, 40, 0, 40, ALL, 0},
        {"cube:9", "depth=2,vcs=2", "uniform:rate=0.2,m=3,reply=2,queue=inf", 2, 0, 40, 5, 40, ALL,
         0},
        {"cube:9", "depth=2", "uniform:rate=0.2,m=3", 2, 0, 40, 0, 40, TWO_RANGES, 0},
        {"cube:9", "depth=2", "uniform:rate=0.002,m=3", 2, 0, 40, 0, 90, TWO_RANGES, 0},
    };
    run(settings, COUNT(settings), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("traces are sent as the model does", traces_are_sent_as_the_model_does),
        TEST("dynamic allocation: packets take virtual channels as in the model",
             packets_take_virtual_channels_as_in_the_model),
        TEST("packets wait for a number", packets_wait_for_a_number),
        TEST("messages that wait for others are sent as in the model",
             messages_that_wait_are_sent_as_in_the_model),
        TEST("random messages and replies are sent as in the model",
             random_messages_and_replies_are_sent_as_in_the_model),
        TEST("large networks are as in the model", large_networks_are_as_in_the_model),
    };
    return cmocka_run_group_tests_name("sender model", tests, NULL, NULL);
}
