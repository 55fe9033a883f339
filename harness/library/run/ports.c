/* SPDX-License-Identifier: Apache-2.0 */
/* Senders and receivers. Know packets, credits and start-up times; must not know what happens
 * inside the network. */
#include "run/ports.h"

/* --- Senders --------------------------------------------------------------------------------- */

/* Usable credits, and those of the latest cycle that showed any, which are usable one cycle later.
 */
struct sender_credit {
    uint64_t shown_at;
    uint32_t usable, shown;
};

/* The senders of each port, as many as it has classes. */
static bool open_senders(struct senders *s)
{
    const size_t count = (size_t)s->ports * s->classes;
    ec_arrays_free(&s->arrays);
    EC_ARRAY(&s->arrays, s->sender, count);
    EC_ARRAY(&s->arrays, s->due, count);
    EC_ARRAY(&s->arrays, s->credit, (size_t)s->ports * s->vcs);
    EC_ARRAY(&s->arrays, s->blocked, count);
    if (s->arrays.memory_short)
        senders_close(s);
    return s->sender != NULL;
}

bool senders_open(struct senders *s, const struct ec_topology *t, const struct ec_router *r,
                  struct sources *sources, struct scoreboard *board, uint32_t startup,
                  const struct nodes_own *own)
{
    *s = (struct senders){.t = t,
                          .r = r,
                          .sources = sources,
                          .board = board,
                          .order = sources_order(sources),
                          .locals = ec_router_locals(r, t),
                          .lanes = ec_router_lanes(r) / ec_router_classes(r),
                          .dynamic = r->va == EC_VA_DYNAMIC,
                          .listed = sources_listed(sources),
                          .own = own ? *own : nodes_all(t->nodes),
                          .vcs = r->vcs,
                          .startup = startup,
                          .classes = 1};
    s->ports = t->nodes * s->locals;
    s->head_credits = r->switching == EC_WORMHOLE ? 1 : r->packet;
    return open_senders(s);
}

bool senders_serve(struct senders *s, struct service *service, bool shared)
{
    s->service = service;
    if (!shared) {
        s->classes = 2;
        s->lanes = ec_router_lanes(s->r) / 2;
        if (!open_senders(s))
            return false;
        EC_ARRAY(&s->arrays, s->turn, s->ports);
    }
    EC_ARRAY(&s->arrays, s->sent, (size_t)s->ports * 2);
    return !s->arrays.memory_short;
}

void senders_close(struct senders *s)
{
    ec_arrays_free(&s->arrays);
    *s = (struct senders){0};
}

static void reset_port(struct senders *s, uint32_t port)
{
    if (s->turn)
        s->due[2 * port + 1] = SOURCE_NEVER;
    s->due[port * s->classes] = sources_next(s->sources, port);
    for (unsigned vc = 0; vc < s->vcs; vc++)
        s->credit[(size_t)port * s->vcs + vc] = (struct sender_credit){.usable = s->r->depth};
}

void senders_reset(struct senders *s)
{
    const size_t senders = (size_t)s->locals * s->classes;
    nodes_own_clear(&s->own, s->sender, senders * sizeof *s->sender);
    nodes_own_clear(&s->own, s->blocked, senders * sizeof *s->blocked);
    if (s->turn)
        nodes_own_clear(&s->own, s->turn, s->locals);
    if (s->sent)
        nodes_own_clear(&s->own, s->sent, 2 * s->locals * sizeof *s->sent);
    for (uint32_t i = 0; i < s->own.count; i++) {
        for (unsigned k = 0; k < s->locals; k++)
            reset_port(s, nodes_own_at(&s->own, i) * s->locals + k);
    }
    s->started = s->busy = s->messages = s->self_messages = 0;
}

/* The credits usable in cycle `now`. */
static uint32_t *usable(struct senders *s, uint32_t port, unsigned vc, uint64_t now)
{
    struct sender_credit *c = &s->credit[(size_t)port * s->vcs + vc];
    if (c->shown && c->shown_at < now) {
        c->usable += c->shown;
        c->shown = 0;
    }
    return &c->usable;
}

/* The sender that uses a VC. */
static uint32_t sender_of(const struct senders *s, uint32_t port, unsigned vc)
{
    if (s->classes == 1)
        return port;
    const unsigned lane = s->r->dateline ? vc / 2 : vc;
    return 2 * port + (lane >= s->lanes);
}

static uint32_t port_of(const struct senders *s, uint32_t slot)
{
    return s->classes == 1 ? slot : slot / 2;
}

void senders_credit(struct senders *s, uint32_t port, unsigned vc, uint64_t now)
{
    usable(s, port, vc, now);
    struct sender_credit *c = &s->credit[(size_t)port * s->vcs + vc];
    c->shown_at = now;
    c->shown++;
    const uint32_t slot = sender_of(s, port, vc);
    if (s->sender[slot].busy && s->due[slot] == SOURCE_NEVER)
        s->due[slot] = now + 1;
}

static void wake(struct senders *s, uint32_t slot, uint64_t now)
{
    if (!s->sender[slot].busy && s->due[slot] > now)
        s->due[slot] = now;
}

void senders_wake(struct senders *s, uint32_t port, uint64_t now)
{
    wake(s, port * s->classes, now);
}

void senders_wake_for_reply(struct senders *s, uint32_t port, uint64_t ready)
{
    wake(s, port * s->classes + s->classes - 1, ready);
}

uint64_t senders_blocked(const struct senders *s, uint32_t port, uint64_t now)
{
    uint64_t cycles = 0;
    for (uint32_t slot = port * s->classes; slot < (port + 1) * s->classes; slot++) {
        const uint64_t since = s->sender[slot].blocked;
        cycles += s->blocked[slot] + (since ? now - since + 1 : 0);
    }
    return cycles;
}

void senders_set_blocked(struct senders *s, uint32_t port, uint64_t cycles)
{
    for (uint32_t slot = port * s->classes; slot < (port + 1) * s->classes; slot++)
        s->sender[slot].blocked = s->blocked[slot] = 0;
    s->blocked[port * s->classes] = cycles;
}

/* Does a sender take a reply next, or a message of the sources? Of those that share a sender, the
 * older one goes first. */
static bool takes_reply(const struct senders *s, uint32_t slot)
{
    const uint32_t port = port_of(s, slot);
    if (s->classes == 2)
        return slot % 2;
    return s->service && service_next(s->service, port) <= sources_next(s->sources, port) &&
           service_next(s->service, port) != SOURCE_NEVER;
}

static uint64_t next_message(const struct senders *s, uint32_t slot)
{
    const uint32_t port = port_of(s, slot);
    return takes_reply(s, slot) ? service_next(s->service, port) : sources_next(s->sources, port);
}

/* The first lane of the message class: of a sender of its own, or that was drawn. */
static unsigned first_lane(const struct senders *s, uint32_t slot)
{
    const uint32_t drawn = s->r->order == EC_ORDER_CLASS ? s->sender[slot].way : 0;
    return (slot % s->classes + drawn) * s->lanes;
}

/* Static allocation: the next lane of the class, in turn, for the whole message. */
static unsigned choose_lane(const struct senders *s, uint32_t slot)
{
    struct sender *x = &s->sender[slot];
    const unsigned lane = x->next_lane;
    x->next_lane = lane + 1 == s->lanes ? 0 : lane + 1;
    return first_lane(s, slot) + lane;
}

/* Where packets may overtake each other, messages of several packets are assembled. */
static void prepare_assembly(const struct senders *s, struct sender *x, uint32_t node)
{
    const bool assembled = s->board->overtakes && x->message_left > s->r->packet;
    x->whole = assembled ? x->message_left : 0;
    if (assembled && !s->listed)
        x->message = packets_message(&s->board->records, node);
}

/* Take messages until one needs the network. False: no message is due yet. */
static bool take_message(struct senders *s, uint32_t slot, uint64_t now)
{
    struct sender *x = &s->sender[slot];
    const uint32_t port = port_of(s, slot), node = s->board->local_node[port];
    for (;;) {
        const uint64_t next = next_message(s, slot);
        if (next > now) {
            s->due[slot] = next;
            return false;
        }
        const struct source_message m =
            takes_reply(s, slot) ? service_take(s->service, port) : sources_take(s->sources, port);
        s->messages++;
        if (s->taken)
            s->taken(s->taken_context,
                     &(struct ec_message){m.created, node, m.dst, m.words, m.way});
        if (s->order)
            s->order->started[m.index] = now;
        if (m.dst == node) {
            s->self_messages++;
            if (s->order) {
                order_sent(s->order, m.index, now);
                order_arrived(s->order, m.index, m.words, now);
            }
            if (s->home)
                s->home(s->home_context, m.index, now);
            continue;
        }
        x->dst = m.dst;
        x->message_left = m.words;
        x->created = m.created;
        x->message = m.index;
        x->asked = m.asked;
        x->part = m.part;
        x->way = m.way;
        x->lane = s->dynamic ? first_lane(s, slot) : choose_lane(s, slot);
        prepare_assembly(s, x, node);
        x->busy = true;
        s->busy++;
        return true;
    }
}

static void finish_message(struct senders *s, uint32_t slot, uint64_t now)
{
    s->sender[slot].busy = false;
    s->busy--;
    if (s->order)
        order_sent(s->order, s->sender[slot].message, now + 1);
    if (s->sender[slot].asked)
        service_sent(s->service, s->board->local_node[port_of(s, slot)]);
    const uint64_t next = next_message(s, slot);
    s->due[slot] = next > now ? next : now + 1;
}

static uint32_t next_words(const struct senders *s, const struct sender *x)
{
    return x->message_left < s->r->packet ? x->message_left : s->r->packet;
}

/* The VC of a lane, in dateline class 0. */
static unsigned lane_vc(const struct senders *s, unsigned lane)
{
    return s->r->dateline ? 2 * lane : lane;
}

static unsigned vc_of(const struct senders *s, const struct sender *x)
{
    return lane_vc(s, x->lane);
}

/* The VCs that the next word of a sender may take, as bits. */
static unsigned choices(const struct senders *s, uint32_t slot)
{
    unsigned vcs = 0;
    if (!s->dynamic || s->sender[slot].words > 0)
        return 1u << vc_of(s, &s->sender[slot]);
    for (unsigned k = 0; k < s->lanes; k++)
        vcs |= 1u << lane_vc(s, first_lane(s, slot) + k);
    return vcs;
}

/* Out of credits: try again when the next one is usable; it may have been shown already. */
static void wait_for_credit(struct senders *s, uint32_t slot, uint64_t now)
{
    const struct sender_credit *c = &s->credit[(size_t)port_of(s, slot) * s->vcs];
    s->due[slot] = SOURCE_NEVER;
    for (unsigned left = choices(s, slot); left; left &= left - 1) {
        if (c[__builtin_ctz(left)].shown)
            s->due[slot] = now + 1;
    }
    if (!s->sender[slot].blocked)
        s->sender[slot].blocked = now;
}

/* Dynamic allocation: the next packet takes the first lane of its class with enough credits; if
 * there is none, it remains at the first lane. */
static void bind_lane(struct senders *s, uint32_t slot, uint64_t now)
{
    const unsigned first = first_lane(s, slot);
    unsigned lane = first;
    while (lane < first + s->lanes &&
           *usable(s, port_of(s, slot), lane_vc(s, lane), now) < s->head_credits)
        lane++;
    s->sender[slot].lane = lane < first + s->lanes ? lane : first;
}

static void report_offer(const struct senders *s, const struct sender *x, uint32_t port,
                         uint64_t now)
{
    if (!s->offered)
        return;
    const uint32_t node = s->board->local_node[port];
    const struct ec_offer offer = {.cycle = now,
                                   .created = x->created,
                                   .node = node,
                                   .dst = x->dst,
                                   .words = next_words(s, x),
                                   .local = port - node * s->locals,
                                   .vc = vc_of(s, x)};
    s->offered(s->offered_context, &offer);
}

/* Register the next packet. False: as many are in flight as packet numbers can distinguish. */
static bool begin_packet(struct senders *s, struct sender *x, uint32_t node, uint64_t now)
{
    const uint32_t words = next_words(s, x);
    const uint32_t number = scoreboard_send(s->board, node, x->dst, words, x->lane, x->created, now,
                                            words == x->message_left);
    if (number == EC_NONE)
        return false;
    if (x->whole)
        scoreboard_of_assembled(s->board, node, number, x->message, x->whole);
    else if (s->order || s->board->delivered)
        scoreboard_of_message(s->board, node, number, x->message);
    if (s->board->classes)
        scoreboard_of_class(s->board, node, number, x->part, x->asked);
    x->common = scoreboard_common(s->board, node, x->dst, x->lane, number);
    if (s->r->routing == EC_ROUTING_VALIANT)
        x->common |= scoreboard_lead(s->board, node, number, x->way);
    x->words = words;
    x->sent = 0;
    return true;
}

/* A head comes next. False: the start-up of its packet is not over. */
static bool start_up(struct senders *s, uint32_t slot, uint64_t now)
{
    struct sender *x = &s->sender[slot];
    if (!x->starting) {
        x->starting = true;
        x->ready = now + s->startup;
        if (s->dynamic)
            x->lane = first_lane(s, slot);
        report_offer(s, x, port_of(s, slot), now);
    }
    if (now >= x->ready)
        return true;
    s->due[slot] = x->ready;
    return false;
}

/* One sender in a cycle in which it is due. True: it sends a word. */
static bool offer_word(struct senders *s, uint32_t slot, uint64_t now, struct ec_port_events *in)
{
    struct sender *x = &s->sender[slot];
    if (!x->busy && !take_message(s, slot, now))
        return false;
    if (!s->started)
        s->started = now;
    const uint32_t port = port_of(s, slot), node = s->board->local_node[port];
    const bool head = x->words == 0;
    if (head && !start_up(s, slot, now))
        return false;
    if (head && s->dynamic)
        bind_lane(s, slot, now);
    uint32_t *credits = usable(s, port, vc_of(s, x), now);
    if (*credits < (head ? s->head_credits : 1)) {
        wait_for_credit(s, slot, now);
        return false;
    }
    if (head && !begin_packet(s, x, node, now)) {
        s->due[slot] = now + 1;
        return false;
    }
    if (x->blocked) {
        s->blocked[slot] += now - x->blocked;
        x->blocked = 0;
    }
    --*credits;
    if (s->sent)
        s->sent[2 * port + (x->asked != 0)]++;
    in->words[in->word_count++] = (struct ec_port_word){
        .port = port, .word = scoreboard_nth(s->board, x->common, x->words, x->sent)};
    s->due[slot] = now + 1;
    if (++x->sent < x->words)
        return true;
    x->message_left -= x->words;
    x->words = 0;
    x->starting = false;
    if (x->message_left == 0)
        finish_message(s, slot, now);
    return true;
}

/* The slots of a range of nodes. */
static uint32_t first_slot(const struct senders *s, uint32_t node)
{
    return node * s->locals * s->classes;
}

uint64_t senders_next_due(const struct senders *s)
{
    uint64_t due = SOURCE_NEVER;
    for (size_t k = 0; k < s->own.ranges; k++) {
        const struct node_range r = nodes_own_range(&s->own, k);
        for (uint32_t slot = first_slot(s, r.from); slot < first_slot(s, r.to); slot++) {
            if (s->due[slot] < due)
                due = s->due[slot];
        }
    }
    return due;
}

bool senders_waiting(const struct senders *s, uint64_t now, uint32_t *ret_port, unsigned *ret_vc)
{
    for (size_t k = 0; k < s->own.ranges; k++) {
        const struct node_range r = nodes_own_range(&s->own, k);
        for (uint32_t slot = first_slot(s, r.from); slot < first_slot(s, r.to); slot++) {
            if (!s->sender[slot].busy && s->due[slot] >= now)
                continue;
            *ret_port = port_of(s, slot);
            *ret_vc = vc_of(s, &s->sender[slot]);
            return true;
        }
    }
    return false;
}

unsigned senders_reply_waits(const struct senders *s, uint32_t port)
{
    const uint32_t slot = port * s->classes + s->classes - 1;
    const struct sender *x = &s->sender[slot];
    const bool reply = x->asked || service_next(s->service, port) != SOURCE_NEVER;
    return x->busy && x->blocked && reply ? choices(s, slot) : 0;
}

/* Requests and replies share the injection channel: the one that did not send last goes first. */
static void offer_in_turn(struct senders *s, uint32_t port, uint64_t now, struct ec_port_events *in)
{
    for (unsigned k = 0; k < 2; k++) {
        const unsigned class_ = s->turn[port] ^ k;
        if (s->due[2 * port + class_] <= now && offer_word(s, 2 * port + class_, now, in)) {
            s->turn[port] = (uint8_t)(class_ ^ 1);
            return;
        }
    }
}

/* In a large network most senders are in no cache. This one has something to do soon. */
static inline __attribute__((always_inline)) void fetch_sender(const struct senders *s,
                                                               uint32_t port)
{
    const struct sender *x = &s->sender[port];
    __builtin_prefetch(x);
    __builtin_prefetch(&x->busy); /* another cache line, perhaps */
    __builtin_prefetch(&s->credit[(size_t)port * s->vcs]);
    packets_fetch_source(&s->board->records, s->board->local_node[port]);
    sources_fetch(s->sources, port);
}

/* Ports between the prefetch of a sender and its offer. */
#define AHEAD 32

/* Ports from..end - 1. */
static void offer_ports(struct senders *s, uint32_t from, uint32_t end, uint64_t now,
                        struct ec_port_events *in)
{
    const uint64_t *const due = s->due;
    for (uint32_t port = from; s->turn && port < end; port++)
        offer_in_turn(s, port, now, in);
    if (s->turn)
        return;
    const uint32_t fetched = s->t->nodes >= PACKETS_FAR_NODES && end > AHEAD ? end - AHEAD : 0;
    for (uint32_t port = from; port < end; port++) {
        if (port < fetched && due[port + AHEAD] <= now)
            fetch_sender(s, port + AHEAD);
        if (due[port] <= now)
            offer_word(s, port, now, in);
    }
}

void senders_offer(struct senders *s, uint64_t now, struct ec_port_events *in)
{
    in->word_count = 0;
    for (size_t k = 0; k < s->own.ranges; k++) {
        const struct node_range r = nodes_own_range(&s->own, k);
        offer_ports(s, r.from * s->locals, r.to * s->locals, now, in);
    }
}

/* --- Receivers ------------------------------------------------------------------------------- */

/* Not a stream of the traffic: those are numbered by node. */
#define STALL_STREAM (UINT64_C(1) << 40)

static bool hold_words(struct receivers *r)
{
    if (r->held)
        return true;
    EC_ARRAY(&r->arrays, r->held, (size_t)r->ports * r->vcs);
    EC_ARRAY(&r->arrays, r->holds, r->ports);
    return !r->arrays.memory_short;
}

bool receivers_open(struct receivers *r, uint32_t nodes, unsigned locals, unsigned vcs,
                    double stall, uint64_t seed, const struct nodes_own *own)
{
    *r = (struct receivers){.ports = nodes * locals,
                            .locals = locals,
                            .vcs = vcs,
                            .own = own ? *own : nodes_all(nodes),
                            .key = ec_rng_key(seed, STALL_STREAM)};
    if (stall <= 0)
        return true;
    r->stall = (uint64_t)(stall * 0x1p64);
    if (hold_words(r))
        return true;
    receivers_close(r);
    return false;
}

bool receivers_keep(struct receivers *r, struct scoreboard *board, unsigned depth)
{
    if (r->stall == 0)
        return true;
    r->board = board;
    r->depth = depth;
    EC_ARRAY(&r->arrays, r->words, (size_t)r->ports * r->vcs * depth);
    return !r->arrays.memory_short;
}

bool receivers_serve(struct receivers *r, struct service *service, struct senders *senders,
                     bool finite)
{
    r->service = service;
    r->senders = senders;
    return !finite || hold_words(r);
}

void receivers_close(struct receivers *r)
{
    ec_arrays_free(&r->arrays);
    *r = (struct receivers){0};
}

void receivers_reset(struct receivers *r)
{
    r->waiting = r->stalled = r->held_words = 0;
    if (!r->held)
        return;
    nodes_own_clear(&r->own, r->held, r->locals * r->vcs * sizeof *r->held);
    nodes_own_clear(&r->own, r->holds, r->locals * sizeof *r->holds);
}

/* A word of a request, perhaps its last one, or of a reply. */
static void serve_word(struct receivers *r, uint32_t port, unsigned vc, uint64_t now)
{
    uint32_t answers;
    uint64_t ready;
    if (!service_accept(r->service, port, vc, now, &answers, &ready))
        r->memory_short = true;
    else if (answers != EC_NONE)
        senders_wake_for_reply(r->senders, answers, ready);
}

/* The node accepts a word. */
static inline void accept_word(struct receivers *r, uint32_t port, unsigned vc, uint64_t now,
                               struct ec_port_events *in)
{
    in->credits[in->credit_count++] = (struct ec_port_credit){.port = port, .vc = vc};
    if (r->service)
        serve_word(r, port, vc, now);
}

bool receivers_refuse(const struct receivers *r, uint32_t port, unsigned vc)
{
    const size_t slot = (size_t)port * r->vcs + vc;
    return r->service && r->held && r->held[slot] > 0 && !service_accepts(r->service, port, vc) &&
           (!r->words || scoreboard_asks(r->board, r->words[slot * r->depth]));
}

/* Take the oldest of `held` words of a VC. */
static void take_word(struct receivers *r, uint32_t port, unsigned vc, uint16_t held, uint64_t now)
{
    uint64_t *const words = &r->words[((size_t)port * r->vcs + vc) * r->depth];
    scoreboard_arrive(r->board, port, words[0], now);
    memmove(words, words + 1, (held - 1u) * sizeof *words);
}

bool receivers_holding(const struct receivers *r, uint32_t *ret_port)
{
    for (size_t k = 0; r->held && k < r->own.ranges; k++) {
        const struct node_range own = nodes_own_range(&r->own, k);
        for (uint32_t port = own.from * r->locals; port < own.to * r->locals; port++) {
            if (r->holds[port] == 0)
                continue;
            *ret_port = port;
            return true;
        }
    }
    return false;
}

/* Accept one word of each VC of a port that holds words and has room for them, or stall. */
static void serve_port(struct receivers *r, uint32_t port, uint64_t now, struct ec_port_events *in)
{
    const size_t before = in->credit_count;
    const bool stalls = ec_rng_draw(r->key, now * r->ports + port) < r->stall;
    for (unsigned vc = 0; !stalls && vc < r->vcs; vc++) {
        uint16_t *held = &r->held[(size_t)port * r->vcs + vc];
        if (*held == 0 || receivers_refuse(r, port, vc))
            continue;
        if (r->words)
            take_word(r, port, vc, *held, now);
        --*held;
        r->holds[port]--;
        r->held_words--;
        accept_word(r, port, vc, now, in);
    }
    r->waiting++;
    r->stalled += in->credit_count == before;
}

void receivers_accept(struct receivers *r, uint64_t now, const struct ec_port_events *seen,
                      struct ec_port_events *in)
{
    in->credit_count = 0;
    for (size_t i = 0; i < seen->word_count; i++) {
        const uint32_t port = seen->words[i].port;
        const unsigned vc = ec_word_vc(seen->words[i].word, r->vcs);
        if (!r->held) {
            accept_word(r, port, vc, now, in);
            continue;
        }
        const size_t slot = (size_t)port * r->vcs + vc;
        if (r->words &&
            r->held[slot] == r->depth) /* the network finds that this word is too many */
            continue;
        if (r->words)
            r->words[slot * r->depth + r->held[slot]] = seen->words[i].word;
        r->held[slot]++;
        r->holds[port]++;
        r->held_words++;
    }
    if (!r->held_words)
        return;
    for (size_t k = 0; k < r->own.ranges; k++) {
        const struct node_range own = nodes_own_range(&r->own, k);
        for (uint32_t port = own.from * r->locals; port < own.to * r->locals; port++) {
            if (r->holds[port])
                serve_port(r, port, now, in);
        }
    }
}

/* --- State ------------------------------------------------------------------------------------ */

void senders_state_node(struct senders *s, struct state *state, uint32_t node)
{
    const size_t port = (size_t)node * s->locals, ports = s->locals;
    const size_t slot = port * s->classes, slots = ports * s->classes;
    state_visit(state, &s->sender[slot], slots * sizeof *s->sender);
    state_visit(state, &s->due[slot], slots * sizeof *s->due);
    state_visit(state, &s->blocked[slot], slots * sizeof *s->blocked);
    state_visit(state, &s->credit[port * s->vcs], ports * s->vcs * sizeof *s->credit);
    if (s->turn)
        state_visit(state, &s->turn[port], ports);
    if (s->sent)
        state_visit(state, &s->sent[2 * port], 2 * ports * sizeof *s->sent);
}

void senders_state(struct senders *s, struct state *state)
{
    uint64_t started = s->started - 1; /* 0: nothing has started */
    STATE_COMMON(state, STATE_MIN, started);
    s->started = started + 1;
    STATE_COMMON(state, STATE_SUM, s->messages);
    STATE_COMMON(state, STATE_SUM, s->self_messages);
    s->busy = 0;
    for (uint32_t i = 0; i < s->own.count; i++) {
        const size_t slots = (size_t)s->locals * s->classes;
        for (size_t slot = nodes_own_at(&s->own, i) * slots, k = 0; k < slots; k++)
            s->busy += s->sender[slot + k].busy;
    }
}

void receivers_state_node(struct receivers *r, struct state *state, uint32_t node)
{
    const size_t port = (size_t)node * r->locals, slot = port * r->vcs;
    const size_t ports = r->locals, slots = ports * r->vcs;
    if (!r->held)
        return;
    state_visit(state, &r->held[slot], slots * sizeof *r->held);
    state_visit(state, &r->holds[port], ports * sizeof *r->holds);
    if (r->words)
        state_visit(state, &r->words[slot * r->depth], slots * r->depth * sizeof *r->words);
}

void receivers_state(struct receivers *r, struct state *state)
{
    STATE_COMMON(state, STATE_SUM, r->waiting);
    STATE_COMMON(state, STATE_SUM, r->stalled);
    r->held_words = 0;
    for (uint32_t i = 0; r->held && i < r->own.count; i++) {
        for (unsigned k = 0; k < r->locals; k++)
            r->held_words += r->holds[(size_t)nodes_own_at(&r->own, i) * r->locals + k];
    }
}
