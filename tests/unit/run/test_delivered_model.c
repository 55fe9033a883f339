/* SPDX-License-Identifier: Apache-2.0 */
/* Random packets on a scoreboard against a list of them: what is in flight in every cycle, all that
 * was counted in the end, each number added up from the list, and what is wrong with a word that is
 * not due. */
#include "run/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/route.h"
#include "ecube/run.h"
#include "network/names.h"
#include "unit.h"

enum {
    PACKETS = 700,
    NODES = 512,
    CHANNELS = 8192,
    CLASSES = 3,
    FROM = 60,
    TO = 150,
    CYCLES = 900
};

struct listed {
    uint32_t src, dst, words, number, message;
    unsigned lane, class_, hops, in, out;         /* in, out: local ports of its nodes */
    unsigned seen;                                /* the lane on which it arrives */
    uint64_t created, injected, asked, delivered; /* delivered: 0: not yet */
    uint32_t arrived;                             /* words */
    uint32_t whole, got; /* of an assembled message: words; those of its first packet: arrived */
    struct listed *first;
    bool last; /* of its message: sent, or of an assembled one, arrived */
};

struct setting {
    const char *topology, *router;
    bool channels, classes, precise; /* precise: a measurement takes the latencies */
    unsigned send, arrive;           /* percent: a node sends a packet in a cycle; a word arrives */
    bool serves; /* messages of several packets, which are assembled; nodes answer requests */
};

struct bench {
    const struct setting *x;
    struct ec_topology t;
    struct ec_router r;
    struct scoreboard s;
    struct precision precision;
    struct steady steady; /* unless a measurement takes the latencies */
    unsigned links, locals, lanes;
    struct listed list[PACKETS];
    size_t count, told;
    uint32_t number[NODES], most[NODES]; /* most: numbers from that of the oldest in flight */
    struct ec_port_word seen[PACKETS];   /* of this cycle */
    size_t seen_count;
    const struct listed *seen_of[PACKETS];
    struct ec_packet_log log[PACKETS];
    const struct listed *delivered[PACKETS]; /* in the order of the log */
    size_t logged;
    struct {
        uint32_t left; /* words of the message in hand */
        struct listed *first;
    } hand[NODES];
    struct ec_workload *w; /* with `serves` */
    struct service *service;
    uint32_t held[NODES]; /* requests: of one packet from its first word on, else complete ones */
    uint64_t accepted[NODES], class_accepted[CLASSES], class_words[CLASSES], words, all_accepted,
        digest;
    unsigned wrong;             /* words that were refused */
    const struct listed *early; /* the first packet that was too fast; NULL: none */
    uint64_t least;             /* cycles that it needs */
    uint64_t key, drawn;
};

static uint64_t draw(struct bench *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(b->key, b->drawn++), below);
}

static void assert_number(const struct bench *b, const char *what, size_t at, uint64_t is,
                          uint64_t should)
{
    if (is != should)
        fail_msg("%s %s: %s %zu is %llu instead of %llu", b->x->topology, b->x->router, what, at,
                 (unsigned long long)is, (unsigned long long)should);
}

static size_t path_of(const struct bench *b, const struct listed *p, struct ec_hop *hops)
{
    return ec_route_path(&b->t, &b->r, p->src, p->dst, hops, 64);
}

/* The callback must be told of each packet in the order of the log. */
static void on_delivery(void *context, const struct ec_delivery *d)
{
    struct bench *b = context;
    if (b->told == b->logged) /* by a wrong word that is right by chance */
        return;
    const struct listed *p = b->delivered[b->told++];
    assert_true(p->src == d->src && p->message == d->message);
    assert_true(p->dst == d->dst && p->words == d->words && p->hops == d->hops);
    assert_true(p->created == d->created && p->injected == d->injected);
    assert_true(p->last == d->last);
    assert_int_equal(d->class_, b->x->classes ? p->class_ : EC_NONE);
}

/* A packet of the message in hand, or the first one of a new message. */
static void take_message(struct bench *b, struct listed *p)
{
    const uint32_t src = p->src;
    struct listed *first = b->hand[src].first;
    if (b->hand[src].left == 0) {
        first = b->hand[src].first = p;
        b->hand[src].left = 1 + (uint32_t)draw(b, 12);
        p->whole = b->hand[src].left > 5 ? b->hand[src].left : 0;
        p->message = p->number + 1000;
        p->asked = draw(b, 2) ? 1 + draw(b, p->created) : 0;
    }
    p->first = first;
    p->dst = first->dst;
    p->message = first->message;
    p->whole = first->whole;
    p->asked = first->asked;
    p->created = first->created;
    p->words = !p->whole || b->hand[src].left < 5 ? b->hand[src].left : 1 + (uint32_t)draw(b, 5);
    b->hand[src].left -= p->words;
    p->last = !p->whole;
}

static void send(struct bench *b, uint32_t src, uint64_t now)
{
    struct ec_hop hops[64];
    struct listed *p = &b->list[b->count++];
    *p = (struct listed){.src = src, .dst = (uint32_t)draw(b, b->t.nodes - 1)};
    p->dst += p->dst >= src;
    p->words = 1 + (uint32_t)draw(b, 5);
    p->lane = (unsigned)draw(b, b->lanes);
    p->injected = now;
    p->created = now - draw(b, now < 20 ? now : 20);
    p->last = draw(b, 3);
    p->class_ = (unsigned)draw(b, CLASSES);
    p->asked = b->x->classes && draw(b, 2) ? 1 + draw(b, p->created) : 0;
    p->seen = p->lane;
    if (b->r.va == EC_VA_DYNAMIC) { /* any one of its message class */
        const unsigned lanes = b->lanes / ec_router_classes(&b->r);
        p->seen = p->lane / lanes * lanes + (unsigned)draw(b, lanes);
    }
    p->number = b->number[src]++;
    p->message = p->number;
    if (b->x->serves)
        take_message(b, p);
    p->hops = (unsigned)path_of(b, p, hops);
    p->in = b->locals > 1 ? hops[0].link : 0;
    p->out = b->locals > 1 ? ec_topology_reverse(&b->t, hops[p->hops - 1].link) : 0;
    uint32_t numbers = 1;
    for (size_t i = b->count - 1; i-- > 0;) {
        if (b->list[i].src == src && !b->list[i].delivered)
            numbers = p->number - b->list[i].number + 1;
    }
    b->most[src] = numbers > b->most[src] ? numbers : b->most[src];
    const uint32_t number =
        scoreboard_send(&b->s, src, p->dst, p->words, p->lane, p->created, now, p->last);
    assert_number(b, "packet", b->count, number, p->number);
    if (p->whole)
        scoreboard_of_assembled(&b->s, src, number, p->message, p->whole);
    else
        scoreboard_of_message(&b->s, src, number, p->message);
    if (b->x->classes)
        scoreboard_of_class(&b->s, src, number, p->class_, p->asked);
}

/* In store-and-forward a packet takes hops + 2 channels, one after the other, and the delays of its
 * links: the first one that was faster. */
static void note_early(struct bench *b, const struct listed *p)
{
    uint64_t least = 2 * (uint64_t)p->words, took = p->delivered + 1 - p->injected;
    for (unsigned hop = 0; hop < p->hops; hop++)
        least += p->words + b->r.link - 1;
    if (b->r.switching == EC_STORE_AND_FORWARD && took < least && !b->early)
        b->early = p, b->least = least;
}

/* A word of a packet arrives, with others of its cycle. */
static void arrive(struct bench *b, struct listed *p, uint64_t now)
{
    b->seen_of[b->seen_count] = p;
    b->seen[b->seen_count++] = (struct ec_port_word){
        p->dst * b->locals + p->out,
        scoreboard_word(&b->s, p->src, p->dst, p->words, p->seen, p->number, p->arrived)};
    const bool counts = now > FROM && now <= TO;
    b->digest += ec_rng_mix(b->seen[b->seen_count - 1].word ^ now * UINT64_C(0x9e3779b97f4a7c15) ^
                            (uint64_t)p->dst << 40);
    b->words++;
    b->all_accepted += counts;
    b->accepted[p->src] += counts;
    b->class_words[p->class_]++;
    b->class_accepted[p->class_] += counts;
    b->held[p->dst] += p->arrived == 0 && !p->whole && !p->asked;
    if (++p->arrived < p->words)
        return;
    p->delivered = now;
    if (p->whole) {
        p->first->got += p->words;
        p->last = p->first->got == p->whole;
    }
    b->held[p->dst] += p->whole && !p->asked && p->last;
    b->delivered[b->logged] = p;
    note_early(b, p);
    b->log[b->logged++] = (struct ec_packet_log){.src = p->src,
                                                 .dst = p->dst,
                                                 .words = p->words,
                                                 .created = p->created,
                                                 .injected = p->injected,
                                                 .delivered = now};
}

/* The nodes accept the words in order. A request is answered as soon as all of it is there; a reply
 * is not. */
static void serve_words(struct bench *b, uint64_t now)
{
    for (size_t i = 0; b->x->serves && i < b->seen_count; i++) {
        const struct listed *p = b->seen_of[i];
        const bool complete = p->delivered && p->arrived == p->words && p->last && !p->asked;
        uint32_t port;
        uint64_t ready = 0;
        assert_true(service_accept(b->service, b->seen[i].port,
                                   ec_word_vc(b->seen[i].word, b->r.vcs), now, &port, &ready));
        if ((port != EC_NONE) != complete)
            fail_msg("%s: packet %u of %u is %sanswered", b->x->router, p->number, p->src,
                     complete ? "not " : "");
        if (!complete)
            continue;
        assert_true(ready == now + 1 && port / b->locals == p->dst);
        assert_true(service_next(b->service, port) == ready);
        const struct source_message reply = service_take(b->service, port);
        assert_true(reply.dst == p->src && reply.words == 2 && reply.asked == p->created);
        if (draw(b, 2)) { /* it has been sent already */
            service_sent(b->service, p->dst);
            b->held[p->dst]--;
        }
    }
    for (uint32_t node = 0; b->x->serves && node < b->t.nodes; node++)
        assert_number(b, "requests in node", node, service_held(b->service, node), b->held[node]);
}

/* No byte behind the words of a cycle may be read. */
static void show_words(struct bench *b, uint64_t now)
{
    struct ec_port_word *words = malloc((b->seen_count + 1) * sizeof *words);
    assert_non_null(words);
    memcpy(words + 1, b->seen, b->seen_count * sizeof *words);
    scoreboard_see(&b->s, words + 1, b->seen_count, now);
    free(words);
    if (b->s.failed)
        fail_msg("%s", b->s.what);
    serve_words(b, now);
    b->seen_count = 0;
}

/* Does another packet arrive at the same port and VC? */
static bool is_busy(const struct bench *b, const struct listed *p)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *x = &b->list[i];
        if (x != p && x->arrived && !x->delivered && x->dst == p->dst && x->out == p->out &&
            x->seen == p->seen)
            return true;
    }
    return false;
}

static int by_source(const void *a, const void *b)
{
    const struct listed *const *x = a, *const *y = b;
    if ((*x)->src != (*y)->src)
        return (*x)->src < (*y)->src ? -1 : 1;
    return (*x)->number < (*y)->number ? -1 : 1;
}

/* Who is in flight, in the order of sources, and oldest first. */
static void compare_flight(struct bench *b, uint64_t now)
{
    static const struct listed *flight[PACKETS];
    size_t count = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (!b->list[i].delivered)
            flight[count++] = &b->list[i];
    }
    qsort(flight, count, sizeof *flight, by_source);
    struct packets_at at = {0};
    const struct listed *oldest = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct packet *p = packets_next(&b->s.records, &at);
        assert_non_null(p);
        assert_number(b, "source", i, at.src, flight[i]->src);
        assert_number(b, "start", i, p->injected, flight[i]->injected);
        assert_number(b, "words left", i, p->left, flight[i]->words - flight[i]->arrived);
        if (!oldest || flight[i]->injected < oldest->injected)
            oldest = flight[i];
        const uint64_t age = now - flight[i]->injected, words = 4 * (uint64_t)flight[i]->words;
        most = age > words && age - words > most ? age - words : most;
    }
    assert_null(packets_next(&b->s.records, &at));
    assert_true(most == 0 || scoreboard_overdue(&b->s, now, most - 1));
    assert_false(scoreboard_overdue(&b->s, now, most));
    uint32_t src = 0, dst = 0;
    uint64_t cycle = 0;
    assert_int_equal(scoreboard_oldest(&b->s, &src, &dst, &cycle), oldest != NULL);
    if (oldest)
        assert_true(src == oldest->src && dst == oldest->dst && cycle == oldest->injected);
}

/* Memory grows with the packets in flight: to the power of two that they need. */
static void compare_rings(const struct bench *b)
{
    for (uint32_t node = 0; node < b->t.nodes; node++) {
        uint32_t size = b->most[node] > 0;
        while (size < b->most[node])
            size *= 2;
        assert_number(b, "room of source", node, b->s.records.source[node].size, size);
    }
}

/* --- The end ---------------------------------------------------------------------------------- */

struct histogram {
    uint64_t samples, sum, max;
};

static void add(struct histogram *h, uint64_t x)
{
    h->samples++;
    h->sum += x;
    h->max = x > h->max ? x : h->max;
}

static void assert_histogram(const struct bench *b, const char *what, size_t at,
                             const struct latency *is, const struct histogram *should)
{
    assert_number(b, what, at, is->samples, should->samples);
    assert_number(b, what, at, (uint64_t)is->sum, should->sum);
    assert_number(b, what, at, is->max, should->max);
}

/* The packets, and the sum of their latencies, in all bins of a measurement. */
static void assert_series(const struct bench *b, const char *what, size_t at,
                          const struct precision_series *is, const struct histogram *packet,
                          const struct histogram *network)
{
    uint64_t count = 0, sum = 0, cycles = 0;
    for (unsigned i = 0; i < PRECISION_BINS; i++) {
        count += is->latency[i].count;
        sum += is->latency[i].sum;
    }
    for (unsigned i = 0; i < PRECISION_SLABS; i++)
        cycles += is->slab[i].network_cycles;
    assert_number(b, what, at, count, packet->samples);
    assert_number(b, what, at, sum, packet->sum);
    assert_number(b, what, at, cycles, network ? network->sum : 0);
}

/* A measurement gets every packet, with the cycle in which it counts as created. */
static void compare_precision(const struct bench *b)
{
    static uint64_t bin[PRECISION_BINS];
    struct histogram packet[CLASSES + 1] = {{0}}, network[CLASSES + 1] = {{0}}, trip = {0};
    memset(bin, 0, sizeof bin);
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *p = &b->list[i];
        const uint64_t counted = p->asked ? p->asked : p->created;
        bin[(counted - 1) / b->precision.base]++;
        for (unsigned k = 0; k < 2; k++) {
            const unsigned series = k ? p->class_ : CLASSES;
            add(&packet[series], p->delivered - p->created + 1);
            add(&network[series], p->delivered - p->injected + 1);
        }
        if (p->asked && p->last)
            add(&trip, p->delivered - p->asked + 1);
    }
    const struct precision *x = &b->precision;
    assert_int_equal(x->merges, 0);
    for (unsigned i = 0; i < PRECISION_BINS; i++)
        assert_number(b, "bin", i, x->all.latency[i].count, bin[i]);
    assert_series(b, "all packets", 0, &x->all, &packet[CLASSES], &network[CLASSES]);
    for (unsigned k = 0; k < CLASSES; k++)
        assert_series(b, "class", k, &x->classes[k], &packet[k], &network[k]);
    assert_series(b, "round trips", 0, &x->round_trip, &trip, NULL);
}

static void compare_classes(const struct bench *b)
{
    struct histogram packet[CLASSES] = {{0}}, network[CLASSES] = {{0}}, trip = {0};
    uint64_t packets[CLASSES] = {0}, messages[CLASSES] = {0};
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *p = &b->list[i];
        const uint64_t counted = p->asked ? p->asked : p->created;
        const bool counts = counted > FROM && counted <= TO && !b->x->precise;
        packets[p->class_]++;
        messages[p->class_] += p->last;
        if (counts) {
            add(&packet[p->class_], p->delivered - p->created + 1);
            add(&network[p->class_], p->delivered - p->injected + 1);
        }
        if (counts && p->asked && p->last)
            add(&trip, p->delivered - p->asked + 1);
    }
    for (unsigned k = 0; k < CLASSES; k++) {
        const struct traffic_class *c = &b->s.classes[k];
        assert_number(b, "packets of class", k, c->packets, packets[k]);
        assert_number(b, "messages of class", k, c->messages, messages[k]);
        assert_number(b, "words of class", k, c->words, b->class_words[k]);
        assert_number(b, "accepted words of class", k, c->accepted, b->class_accepted[k]);
        assert_histogram(b, "latency of class", k, &c->packet_latency, &packet[k]);
        assert_histogram(b, "network latency of class", k, &c->network_latency, &network[k]);
    }
    assert_histogram(b, "round trips", 0, &b->s.round_trip, &trip);
}

static void compare_channels(const struct bench *b)
{
    static uint64_t link[CHANNELS], inject[CHANNELS], eject[CHANNELS];
    struct ec_hop hops[64];
    memset(link, 0, sizeof link);
    memset(inject, 0, sizeof inject);
    memset(eject, 0, sizeof eject);
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *p = &b->list[i];
        for (size_t k = path_of(b, p, hops); k-- > 0;)
            link[hops[k].node * b->links + hops[k].link] += p->words;
        inject[p->src * b->locals + p->in] += p->words;
        eject[p->dst * b->locals + p->out] += p->words;
    }
    for (size_t i = 0; i < (size_t)b->t.nodes * b->links; i++)
        assert_number(b, "link", i, b->s.link_words[i], link[i]);
    for (size_t i = 0; i < (size_t)b->t.nodes * b->locals; i++) {
        assert_number(b, "injection", i, b->s.inject_words[i], inject[i]);
        assert_number(b, "ejection", i, b->s.eject_words[i], eject[i]);
    }
}

static void add_bin(struct estimate_bin *bins, uint64_t counted, uint64_t latency)
{
    bins[(counted - FROM - 1) * STEADY_BINS / (TO - FROM)].count++;
    bins[(counted - FROM - 1) * STEADY_BINS / (TO - FROM)].sum += latency;
}

static void compare_packets(const struct bench *b)
{
    static struct ec_source_use source[NODES];
    struct histogram packet = {0}, network = {0}, all = {0};
    uint64_t messages = 0, measured = 0, hop_words = 0, hops = 0;
    static struct estimate_bin bins[STEADY_SERIES][STEADY_BINS];
    memset(bins, 0, sizeof bins);
    memset(source, 0, sizeof source);
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *p = &b->list[i];
        const uint64_t counted = p->asked ? p->asked : p->created;
        const uint64_t latency = p->delivered - p->created + 1;
        add(&all, latency);
        messages += p->last;
        hop_words += (uint64_t)p->hops * p->words;
        hops = p->hops > hops ? p->hops : hops;
        if (counted <= FROM || counted > TO || b->x->precise)
            continue;
        add_bin(bins[STEADY_PACKET], counted, latency);
        add_bin(bins[STEADY_NETWORK], counted, p->delivered - p->injected + 1);
        if (b->s.classes) {
            add_bin(bins[STEADY_CLASS + 2 * p->class_], counted, latency);
            add_bin(bins[STEADY_CLASS + 2 * p->class_ + 1], counted,
                    p->delivered - p->injected + 1);
        }
        if (p->asked && p->last)
            add_bin(bins[STEADY_ROUND_TRIP], counted, p->delivered - p->asked + 1);
        measured += p->last;
        add(&packet, latency);
        add(&network, p->delivered - p->injected + 1);
        source[p->src].packets++;
        source[p->src].latency += latency;
    }
    const struct scoreboard *s = &b->s;
    assert_histogram(b, "latency", 0, &s->packet_latency, &packet);
    assert_histogram(b, "network latency", 0, &s->network_latency, &network);
    assert_number(b, "packets", 0, s->packets, all.samples);
    assert_number(b, "the sum of latencies", 0, s->latency_sum, all.sum);
    assert_number(b, "the largest latency", 0, s->recent_latency, all.max);
    assert_number(b, "messages", 0, s->messages, messages);
    for (unsigned i = 0; !b->x->precise && i < STEADY_SERIES * STEADY_BINS; i++) {
        const struct estimate_bin *bin = &b->steady.bin[i / STEADY_BINS][i % STEADY_BINS];
        assert_number(b, "packets of bin", i, bin->count,
                      bins[i / STEADY_BINS][i % STEADY_BINS].count);
        assert_number(b, "cycles of bin", i, bin->sum, bins[i / STEADY_BINS][i % STEADY_BINS].sum);
    }
    assert_number(b, "messages measured", 0, s->measured, measured);
    assert_number(b, "words", 0, s->words, b->words);
    assert_number(b, "the digest", 0, s->digest, b->digest);
    assert_number(b, "words accepted", 0, s->accepted, b->all_accepted);
    assert_number(b, "words times hops", 0, s->hop_words, hop_words);
    assert_number(b, "most hops", 0, s->max_hops, hops);
    assert_number(b, "the last cycle", 0, s->last_cycle, b->log[b->logged - 1].delivered);
    for (uint32_t node = 0; node < b->t.nodes; node++) {
        const struct ec_source_use use = scoreboard_source(s, node);
        assert_number(b, "words of source", node, use.words, b->accepted[node]);
        assert_number(b, "packets of source", node, use.packets, source[node].packets);
        assert_number(b, "latency of source", node, use.latency, source[node].latency);
    }
    assert_number(b, "logged packets", 0, s->log_count, b->logged);
    for (size_t i = 0; i < b->logged; i++) {
        const struct ec_packet_log *x = &s->log[i], *y = &b->log[i];
        assert_true(x->src == y->src && x->dst == y->dst && x->words == y->words);
        assert_true(x->created == y->created && x->injected == y->injected);
        assert_number(b, "arrival of packet", i, x->delivered, y->delivered);
    }
    assert_number(b, "calls", 0, b->told, b->count);
    assert_number(b, "a packet that is too fast", 0, s->early.found, b->early != NULL);
    if (b->early) {
        assert_number(b, "its cycle", 0, s->early.cycle, b->early->delivered);
        assert_number(b, "its cycles", 0, s->early.took,
                      b->early->delivered - b->early->injected + 1);
        assert_number(b, "those that it needs", 0, s->early.least, b->least);
        assert_number(b, "its source", 0, s->early.src, b->early->src);
        assert_number(b, "its destination", 0, s->early.dst, b->early->dst);
        assert_number(b, "its words", 0, s->early.words, b->early->words);
        assert_number(b, "its hops", 0, s->early.hops, b->early->hops);
    }
}

/* --- Playing ---------------------------------------------------------------------------------- */

static void begin(struct bench *b, uint64_t seed)
{
    scoreboard_reset(&b->s);
    if (b->x->precise)
        precision_reset(&b->precision);
    else
        steady_reset(&b->steady);
    b->key = ec_rng_key(seed, 11);
    b->drawn = b->count = b->told = b->logged = b->words = b->all_accepted = b->digest = 0;
    b->early = NULL;
    if (b->x->serves)
        service_reset(b->service);
    memset(b->hand, 0, sizeof b->hand);
    memset(b->held, 0, sizeof b->held);
    b->seen_count = 0;
    memset(b->number, 0, sizeof b->number);
    memset(b->accepted, 0, sizeof b->accepted);
    memset(b->class_accepted, 0, sizeof b->class_accepted);
    memset(b->class_words, 0, sizeof b->class_words);
}

/* A cycle. Returns the packets in flight. */
static size_t play_cycle(struct bench *b, uint64_t now)
{
    size_t left = 0;
    for (uint32_t src = 0; src < b->t.nodes && b->count < PACKETS; src++) {
        if (draw(b, 100) < b->x->send)
            send(b, src, now);
    }
    for (size_t i = 0; i < b->count; i++) {
        struct listed *p = &b->list[i];
        left += !p->delivered;
        if (!p->delivered && now > p->injected + p->hops + 1 && draw(b, 100) < b->x->arrive &&
            !is_busy(b, p))
            arrive(b, p, now);
    }
    show_words(b, now);
    return left;
}

static void play(struct bench *b, uint64_t seed)
{
    uint64_t now = 0;
    begin(b, seed);
    for (size_t left = 1; left > 0 || b->count < PACKETS;) {
        left = play_cycle(b, ++now);
        if (now % 7 == 0)
            compare_flight(b, now);
        assert_true(now < CYCLES);
    }
    compare_flight(b, now);
    compare_rings(b);
    compare_packets(b);
    uint32_t halves = 0; /* messages whose last packet was not sent */
    for (uint32_t src = 0; b->x->serves && src < b->t.nodes; src++)
        halves += b->hand[src].left > 0 && b->hand[src].first->got > 0;
    assert_number(b, "messages in the assembly", 0, b->s.assembly.entry.count, halves);
    if (b->x->classes)
        compare_classes(b);
    if (b->x->channels)
        compare_channels(b);
    if (b->x->precise)
        compare_precision(b);
}

/* --- Wrong words ------------------------------------------------------------------------------ */

/* The packet in flight with this source and number; NULL: there is none. */
static const struct listed *find_listed(const struct bench *b, uint32_t src, uint32_t number)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].src == src && b->list[i].number == number && !b->list[i].delivered)
            return &b->list[i];
    }
    return NULL;
}

/* The packet that is arriving at a port and VC. */
static const struct listed *find_arriving(const struct bench *b, uint32_t port, unsigned vc)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct listed *p = &b->list[i];
        const unsigned lane = b->r.dateline ? 2 * p->seen : p->seen;
        if (p->arrived && !p->delivered && p->dst * b->locals + p->out == port && lane == vc)
            return p;
    }
    return NULL;
}

/* Is it the next word of a packet? A head may come on any lane of its message class. */
static bool is_next(const struct bench *b, const struct listed *p, uint64_t word)
{
    for (unsigned lane = 0; lane < b->lanes; lane++) {
        const unsigned lanes = b->lanes / ec_router_classes(&b->r);
        const bool may = p->arrived || b->r.va == EC_VA_STATIC
                             ? lane == (p->arrived ? p->seen : p->lane)
                             : lane / lanes == p->lane / lanes;
        if (may &&
            word == scoreboard_word(&b->s, p->src, p->dst, p->words, lane, p->number, p->arrived))
            return true;
    }
    return false;
}

/* What is wrong with a word at a port; false: nothing is. */
static bool what_is_wrong(const struct bench *b, uint32_t port, uint64_t word, char *text,
                          size_t size)
{
    const struct ec_word_layout *l = &b->s.layout;
    const struct listed *p = find_arriving(b, port, ec_word_vc(word, b->r.vcs));
    if (!p) {
        const uint32_t src = ec_topology_node(&b->t, ec_word_src(l, word));
        p = src == EC_NONE ? NULL : find_listed(b, src, ec_word_number(l, word));
        if (!ec_word_head(word)) {
            snprintf(text, size, "a body flit outside a packet");
            return true;
        }
        if (!p) {
            snprintf(text, size, "a packet that is not in flight: invented, duplicated or altered");
            return true;
        }
        if (p->dst != port / b->locals) {
            snprintf(text, size, "a packet for node %u", p->dst);
            return true;
        }
    }
    snprintf(text, size, "expected %s%sword %u of packet %u from address %u, or another VC",
             p->arrived ? "" : "head ", p->arrived + 1 == p->words ? "tail " : "", p->arrived,
             p->number, ec_topology_address(&b->t, p->src));
    return !is_next(b, p, word);
}

/* A word that is due, or one that was, with a bit changed or at another port. */
static void try_wrong_word(struct bench *b, uint64_t now)
{
    const struct ec_word_layout *l = &b->s.layout;
    const uint64_t bits[] = {EC_WORD_HEAD,
                             EC_WORD_TAIL,
                             1,
                             2,
                             UINT64_C(1) << l->index_bits,
                             UINT64_C(4) << l->index_bits,
                             UINT64_C(1) << l->src_shift,
                             UINT64_C(1) << l->dst_shift,
                             UINT64_C(1) << (l->dst_shift - 1),
                             b->r.vcs > 1 ? UINT64_C(1) << l->vc_shift : 0,
                             ec_word_vc_mask(b->r.vcs) & (uint64_t)b->r.vcs << l->vc_shift,
                             0};
    const struct listed *p = &b->list[draw(b, b->count)];
    const uint32_t index = draw(b, 3) ? p->arrived % p->words : (uint32_t)draw(b, p->words);
    uint32_t port = p->dst * b->locals + p->out;
    uint64_t word = scoreboard_word(&b->s, p->src, p->dst, p->words, p->seen, p->number, index) ^
                    bits[draw(b, COUNT(bits))];
    char why[200], node[EC_NAME_SIZE], name[EC_NAME_SIZE], text[500] = "";
    if (draw(b, 4) == 0)
        port = (uint32_t)draw(b, (uint64_t)b->t.nodes * b->locals);
    if (what_is_wrong(b, port, word, why, sizeof why)) {
        ec_topology_node_name(&b->t, port / b->locals, node, sizeof node);
        ec_word_name(&b->t, l, word, name, sizeof name);
        snprintf(text, sizeof text, "cycle %llu, node %s: %s (word %s%s%s)",
                 (unsigned long long)now, node, why, word & EC_WORD_HEAD ? "head " : "",
                 word & EC_WORD_TAIL ? "tail " : "", name);
    }
    scoreboard_see(&b->s, &(struct ec_port_word){port, word}, 1, now);
    if (b->s.failed != (*text != 0) || (*text && strcmp(b->s.what, text) != 0))
        fail_msg("%s %s: %s\n  expected %s", b->x->topology, b->x->router,
                 b->s.failed ? b->s.what : "nothing is wrong", *text ? text : "that it is right");
    b->wrong += *text != 0;
    if (*text == 0)
        return;
    assert_number(b, "the node of a wrong word", port, b->s.failed_node, port / b->locals);
    assert_number(b, "its cycle", port, b->s.failed_cycle, now);
    scoreboard_see(&b->s, &(struct ec_port_word){0, word ^ 3}, 1, now + 1);
    assert_string_equal(b->s.what, text); /* the first one stays */
}

static const struct setting settings[] = {
    {"mesh:4x3", "vcs=2", true, true, false, 20, 40, false},
    {"torus:5x3", "vcs=4", true, false, false, 12, 30, false},
    {"cube:4", "vcs=2,ports=all", true, true, false, 15, 30, false},
    {"mesh:3", "ports=all", true, true, false, 60, 70, false},
    {"ring:7", "vcs=4,ports=all", true, false, false, 30, 40, false},
    {"cube:3", "", false, true, false, 30, 60, false},
    {"cube:3", "vcs=2", false, true, true, 30, 60, false},
    {"mesh:32x16", "", false, true, false, 1, 50, false},
    {"cube:9", "vcs=2", true, false, false, 1, 50, false},
    {"mesh:4x3", "vcs=4,va=dynamic", true, false, false, 20, 40, false},
    {"torus:4x4", "vcs=8,va=dynamic,classes=2", false, true, false, 12, 30, false},
    {"mesh:5x2", "depth=8,switching=store-and-forward,link=3", false, false, false, 20, 60, false},
    {"cube:4", "depth=8,switching=store-and-forward,ports=all", true, false, false, 15, 25, false},
    {"mesh:4x3", "vcs=4,va=dynamic", false, true, false, 20, 40, true},
    {"cube:3", "vcs=8,va=dynamic,ports=all", true, true, false, 15, 30, true},
};

static void bench_open(struct bench *b, const struct setting *x)
{
    memset(b, 0, sizeof *b);
    b->x = x;
    b->t = topology_of(x->topology);
    b->r = router_of(x->router, &b->t);
    b->links = ec_topology_links(&b->t);
    b->locals = ec_router_locals(&b->r, &b->t);
    b->lanes = ec_router_lanes(&b->r);
    assert_true(b->t.nodes <= NODES && (size_t)b->t.nodes * b->links <= CHANNELS);
    assert_true(scoreboard_open(&b->s, &b->t, &b->r, NULL));
    assert_true(!x->channels || scoreboard_count_channels(&b->s));
    assert_true(!x->classes || scoreboard_count_classes(&b->s, CLASSES));
    if (x->precise) {
        const struct ec_precision goal = {.relative = 0.01, .first = 1000, .limit = 100000};
        const struct process_words traffic = {.length = 3};
        assert_true(precision_open(&b->precision, &goal, b->t.nodes, b->locals, traffic, &traffic,
                                   1000, NULL) &&
                    precision_add_classes(&b->precision, CLASSES));
        b->s.precision = &b->precision;
    }
    if (x->serves) {
        b->w = workload_of("uniform:rate=1e-9,m=1,classes=1,reply=2", &b->t);
        assert_non_null(b->service = service_open(&b->t, &b->r, b->w, NULL));
        service_assemble(b->service, &b->s.assembly);
        b->s.service = b->service;
    }
    if (!x->precise) {
        assert_true(steady_open(&b->steady, b->t.nodes, FROM, TO,
                                (struct process_words){.length = 3}, NULL));
        b->s.steady = &b->steady;
    }
    b->s.keep_log = true;
    b->s.measure_from = FROM;
    b->s.measure_to = TO;
    b->s.delivered = on_delivery;
    b->s.delivered_context = b;
}

static void bench_close(struct bench *b)
{
    scoreboard_close(&b->s);
    service_close(b->service);
    ec_workload_close(b->w);
    if (b->x->precise)
        precision_close(&b->precision);
    else
        steady_close(&b->steady);
}

static struct bench bench;

static void packets_count_as_in_the_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        bench_open(&bench, &settings[i]);
        play(&bench, 2 * i);
        play(&bench, 2 * i + 1); /* a reset forgets all */
        bench_close(&bench);
    }
}

/* Between the trials, a reset with packets on their way. */
static void a_wrong_word_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        bench_open(&bench, &settings[i]);
        const uint64_t trials = bench.t.nodes < 100 ? 150 : 10;
        for (uint64_t trial = 0; trial < trials; trial++) {
            begin(&bench, 1000 * i + trial);
            for (uint64_t now = 1; now < 10 + trial % 30; now++)
                (void)play_cycle(&bench, now);
            compare_flight(&bench, 10 + trial % 30);
            if (bench.count > 0)
                try_wrong_word(&bench, 10 + trial % 30);
        }
        assert_between(bench.wrong, trials / 2, trials);
        play(&bench, i);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("packets count as in the list", packets_count_as_in_the_list),
        TEST("a wrong word is named", a_wrong_word_is_named),
    };
    return cmocka_run_group_tests_name("delivered model", tests, NULL, NULL);
}
