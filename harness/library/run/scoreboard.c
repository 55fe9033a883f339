/* SPDX-License-Identifier: Apache-2.0 */
/* The check of every word that arrives, the records by which it is checked, and the statistics of
 * delivered packets. Knows packets, their paths and the flit word; must not know how a network
 * moves them. */
#include "run/scoreboard.h"

#include <stdarg.h>

#include "network/names.h"
#include "network/walk.h"

/* --- Scoreboard ------------------------------------------------------------------------------ */

bool scoreboard_open(struct scoreboard *s, const struct ec_topology *t, const struct ec_router *r,
                     const struct nodes_own *own)
{
    *s = (struct scoreboard){.t = t,
                             .r = r,
                             .locals = ec_router_locals(r, t),
                             .vcs = r->vcs,
                             .layout = ec_router_layout(r, t),
                             .overtakes = ec_router_overtakes(r),
                             .class_mask = ec_router_class_mask(r)};
    const size_t ports = (size_t)t->nodes * s->locals, addresses = (size_t)1 << t->address_bits;
    EC_ARRAY(&s->arrays, s->from, t->nodes);
    EC_ARRAY(&s->arrays, s->arriving, ports * s->vcs);
    EC_ARRAY(&s->arrays, s->node_of, addresses);
    EC_ARRAY(&s->arrays, s->address_of, t->nodes);
    EC_ARRAY(&s->arrays, s->local_node, ports);
    if (!packets_open(&s->records, t->nodes, s->layout.number_bits, own) ||
        s->arrays.memory_short) {
        scoreboard_close(s);
        return false;
    }
    for (size_t a = 0; a < addresses; a++)
        s->node_of[a] = EC_NONE;
    for (uint32_t node = 0; node < t->nodes; node++) {
        s->address_of[node] = ec_topology_address(t, node);
        s->node_of[s->address_of[node]] = node;
        for (unsigned local = 0; local < s->locals; local++)
            s->local_node[node * s->locals + local] = node;
    }
    return true;
}

bool scoreboard_count_channels(struct scoreboard *s)
{
    const size_t ports = (size_t)s->t->nodes * s->locals;
    EC_ARRAY(&s->arrays, s->link_words, (size_t)s->t->routers * ec_topology_links(s->t));
    EC_ARRAY(&s->arrays, s->inject_words, ports);
    EC_ARRAY(&s->arrays, s->eject_words, ports);
    return !s->arrays.memory_short;
}

bool scoreboard_count_classes(struct scoreboard *s, unsigned count)
{
    EC_ARRAY(&s->arrays, s->classes, count);
    s->class_count = count;
    return !s->arrays.memory_short;
}

void scoreboard_close(struct scoreboard *s)
{
    for (unsigned k = 0; s->classes && k < s->class_count; k++) {
        latency_free(&s->classes[k].packet_latency);
        latency_free(&s->classes[k].network_latency);
    }
    latency_free(&s->round_trip);
    packets_close(&s->records);
    ec_arrays_free(&s->arrays);
    free(s->log);
    assembly_free(&s->assembly);
    lookup_free(&s->pairs);
    free(s->sent_at);
    latency_free(&s->packet_latency);
    latency_free(&s->network_latency);
    *s = (struct scoreboard){0};
}

static void reset_class(struct traffic_class *c)
{
    c->messages = c->packets = c->words = c->accepted = 0;
    latency_forget(&c->packet_latency);
    latency_forget(&c->network_latency);
}

void scoreboard_reset(struct scoreboard *s)
{
    const struct nodes_own *const own = &s->records.own;
    packets_reset(&s->records);
    for (uint32_t src = 0; src < s->t->nodes; src++) { /* write only where something is */
        if (s->from[src].accepted || s->from[src].packets)
            s->from[src] = (struct from_source){0};
    }
    nodes_own_clear(own, s->arriving, s->locals * s->vcs * sizeof *s->arriving);
    latency_forget(&s->packet_latency);
    latency_forget(&s->network_latency);
    s->words = s->packets = s->messages = s->digest = s->accepted = s->measured = 0;
    s->hop_words = s->last_cycle = s->latency_sum = s->recent_latency = 0;
    s->max_hops = 0;
    s->log_count = 0;
    if (s->link_words) {
        const size_t links = ec_topology_links(s->t) * sizeof *s->link_words;
        if (s->t->graph) /* of routers, of which there may be more than nodes */
            memset(s->link_words, 0, s->t->routers * links);
        else
            nodes_own_clear(own, s->link_words, links);
        nodes_own_clear(own, s->inject_words, s->locals * sizeof *s->inject_words);
        nodes_own_clear(own, s->eject_words, s->locals * sizeof *s->eject_words);
    }
    for (unsigned k = 0; s->classes && k < s->class_count; k++)
        reset_class(&s->classes[k]);
    latency_forget(&s->round_trip);
    assembly_reset(&s->assembly);
    lookup_clear(&s->pairs);
    s->early.found = false;
    s->failed = false;
}

/* With the VC of the lane in class 0, as nodes send and see it. */
uint64_t scoreboard_common(const struct scoreboard *s, uint32_t src, uint32_t dst, unsigned lane,
                           uint32_t number)
{
    return ec_word_pack(&s->layout, false, false, s->r->dateline ? 2 * lane : lane,
                        s->address_of[dst], s->address_of[src],
                        ec_word_numbers(&s->layout, number, 0));
}

uint64_t scoreboard_word(const struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint32_t number, uint32_t index)
{
    return scoreboard_nth(s, scoreboard_common(s, src, dst, lane, number), words, index);
}

uint32_t scoreboard_send(struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint64_t created, uint64_t cycle, bool last)
{
    uint32_t number;
    struct packet *p = packets_add(&s->records, src, &number);
    if (!p) {
        s->memory_short |= s->records.memory_short;
        return EC_NONE;
    }
    *p = (struct packet){.created = created,
                         .injected = cycle,
                         .next = scoreboard_word(s, src, dst, words, lane, number, 0),
                         .left = words,
                         .words = words,
                         .last = last};
    return number;
}

enum { WHY_SIZE = 160 };

__attribute__((format(printf, 5, 6))) static void
fail(struct scoreboard *s, uint64_t cycle, uint32_t port, uint64_t word, const char *format, ...)
{
    if (s->failed)
        return;
    char why[WHY_SIZE], here[EC_NAME_SIZE], name[EC_NAME_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    ec_topology_node_name(s->t, s->local_node[port], here, sizeof here);
    s->failed = true;
    s->failed_cycle = cycle;
    s->failed_node = s->local_node[port];
    ec_word_name(s->t, &s->layout, word, name, sizeof name);
    snprintf(s->what, sizeof s->what, "cycle %llu, node %s: %s (word %s%s%.60s)",
             (unsigned long long)cycle, here, why, ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", name);
}

void scoreboard_of_message(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t message)
{
    packets_find(&s->records, src, number)->message = message;
}

void scoreboard_of_assembled(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t message,
                             uint32_t words)
{
    struct packet *p = packets_find(&s->records, src, number);
    p->message = message;
    p->whole = words & PACKETS_WHOLE_MOST;
    p->last = false;
}

void scoreboard_of_class(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t class_,
                         uint64_t asked)
{
    struct packet *p = packets_find(&s->records, src, number);
    p->class_ = class_ & PACKETS_CLASS_MOST;
    p->asked = asked;
}

uint64_t scoreboard_lead(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t way)
{
    struct packet *p = packets_find(&s->records, src, number);
    const uint64_t via = (uint64_t)s->address_of[way > 0 ? way - 1 : src]
                         << (s->layout.dst_shift + s->layout.dst_bits);
    p->next |= via | (uint64_t)(s->vcs / 2) << s->layout.vc_shift;
    return via;
}

/* --- Statistics of deliveries ---------------------------------------------------------------- */

uint32_t scoreboard_way(const struct scoreboard *s, const struct packet *p)
{
    if (s->r->routing == EC_ROUTING_VALIANT)
        return 1 + s->node_of[ec_word_via(&s->layout, p->next)];
    return ec_router_draws(s->r) && ec_word_vc(p->next, s->vcs) >= s->vcs / 2;
}

/* Count the words of a packet on the channels of its path behind the first `from` hops, up to node
 * `until` (EC_NONE: to its end). With a local port per link it enters by that of its first link,
 * and leaves by that of its last one. Returns the hops of the path as far as it was followed. */
static unsigned count_path(struct scoreboard *s, uint32_t src, const struct packet *p,
                           unsigned from, uint32_t until)
{
    const uint32_t dst = scoreboard_destination(s, p);
    struct ec_walk walk = ec_walk_drawn(s->t, s->r, src, dst, scoreboard_way(s, p));
    const unsigned links = ec_topology_links(s->t);
    struct ec_hop hop = {0};
    unsigned hops = 0, first = 0;
    while (hops < from && ec_walk_next(&walk, &hop))
        hops++;
    while (ec_walk_next(&walk, &hop)) {
        first = hops++ == 0 ? hop.link : first;
        s->link_words[(size_t)hop.node * links + hop.link] += p->words;
        if (until != EC_NONE && ec_topology_neighbor(s->t, hop.node, hop.link) == until)
            break;
    }
    if (from == 0)
        s->inject_words[(size_t)src * s->locals + (s->locals > 1 ? first : 0)] += p->words;
    if (until != EC_NONE)
        return hops;
    const unsigned last = s->locals > 1 ? ec_topology_reverse(s->t, hop.link) : 0;
    s->eject_words[(size_t)dst * s->locals + last] += p->words;
    return hops;
}

/* The hops of a packet that has arrived; counts its words on every channel, if channels are
 * counted. */
static unsigned walk_path(struct scoreboard *s, uint32_t src, uint32_t guest,
                          const struct packet *p)
{
    if (s->link_words)
        return count_path(s, src, p, guest ? s->records.guests.guest[guest - 1].hops : 0, EC_NONE);
    const uint32_t dst = scoreboard_destination(s, p);
    if (s->r->routing == EC_ROUTING_VALIANT)
        return (unsigned)ec_route_drawn(s->t, s->r, src, dst, scoreboard_way(s, p), NULL, 0);
    return s->t->kind == EC_CUBE ? (unsigned)__builtin_popcount(src ^ dst)
                                 : ec_route_hops(s->t, s->r, src, dst);
}

/* In store-and-forward each of the hops + 2 channels of a path carries the whole packet before its
 * head enters the next one, and a link delays its tail. (Stages are not counted: a foreign router
 * has its own.) */
static void note_early(struct scoreboard *s, uint32_t src, const struct packet *p, unsigned hops,
                       uint64_t cycle)
{
    const uint64_t took = cycle - p->injected + 1;
    const uint64_t least =
        (uint64_t)(hops + 2) * p->words + (uint64_t)hops * (ec_router_link_least(s->r, s->t) - 1);
    if (took >= least || s->early.found)
        return;
    s->early.found = true;
    s->early.cycle = cycle;
    s->early.took = took;
    s->early.least = least;
    s->early.src = src;
    s->early.dst = scoreboard_destination(s, p);
    s->early.words = p->words;
    s->early.hops = hops;
}

bool scoreboard_log(struct scoreboard *s, const struct ec_packet_log *entry)
{
    return EC_LIST_PUSH(s->log, s->log_count, s->log_size, *entry);
}

static void log_packet(struct scoreboard *s, uint32_t src, const struct packet *p, uint64_t cycle)
{
    const struct ec_packet_log entry = {.src = src,
                                        .dst = scoreboard_destination(s, p),
                                        .words = p->words,
                                        .created = p->created,
                                        .injected = p->injected,
                                        .delivered = cycle};
    s->memory_short |= !scoreboard_log(s, &entry);
}

static void tell_delivery(const struct scoreboard *s, uint32_t src, const struct packet *p,
                          unsigned hops, uint64_t cycle)
{
    const struct ec_delivery delivery = {.src = src,
                                         .dst = scoreboard_destination(s, p),
                                         .words = p->words,
                                         .hops = hops,
                                         .created = p->created,
                                         .injected = p->injected,
                                         .delivered = cycle,
                                         .message = p->message,
                                         .last = p->last,
                                         .class_ = s->classes ? p->class_ : EC_NONE};
    s->delivered(s->delivered_context, &delivery);
}

/* A packet of a traffic class; `counts`: it belongs to the measured cycles. */
static void retire_in_class(struct scoreboard *s, const struct packet *p, bool counts,
                            uint64_t cycle)
{
    struct traffic_class *c = &s->classes[p->class_];
    c->packets++;
    c->messages += p->last;
    if (counts && (!latency_add(&c->packet_latency, cycle - p->created + 1) ||
                   !latency_add(&c->network_latency, cycle - p->injected + 1)))
        s->memory_short = true;
    if (!p->asked || !p->last)
        return;
    if (counts && !latency_add(&s->round_trip, cycle - p->asked + 1))
        s->memory_short = true;
    if (s->asking)
        sources_replied(s->asking, scoreboard_destination(s, p), cycle);
}

/* The last word of a packet arrives; `guest`: see packets_guest(). */
static void add_delivery(struct scoreboard *s, uint32_t src, uint32_t guest, const struct packet *p,
                         uint64_t cycle)
{
    const unsigned hops = walk_path(s, src, guest, p);
    /* From the beginning of the first cycle to the end of this one. */
    const uint64_t latency = cycle - p->created + 1, network = cycle - p->injected + 1;
    const uint64_t round_trip = p->asked && p->last ? cycle - p->asked + 1 : 0;
    s->packets++;
    s->latency_sum += latency;
    if (latency > s->recent_latency)
        s->recent_latency = latency;
    s->messages += p->last;
    if (s->order)
        order_arrived(s->order, p->message, p->words, cycle);
    s->hop_words += (uint64_t)hops * p->words;
    if (hops > s->max_hops)
        s->max_hops = hops;
    if (s->r->switching == EC_STORE_AND_FORWARD)
        note_early(s, src, p, hops, cycle);
    const uint64_t counted = p->asked ? p->asked : p->created;
    const bool counts = counted > s->measure_from && counted <= s->measure_to;
    if (s->classes)
        retire_in_class(s, p, counts && !s->precision, cycle);
    if (s->precision) {
        precision_arrived(s->precision, &(struct precision_packet){.src = src,
                                                                   .last = p->last,
                                                                   .class_ = p->class_,
                                                                   .created = counted,
                                                                   .latency = latency,
                                                                   .network = network,
                                                                   .round_trip = round_trip});
    } else if (counts) {
        if (!latency_add(&s->packet_latency, latency) || !latency_add(&s->network_latency, network))
            s->memory_short = true;
        if (s->steady) {
            steady_arrived(s->steady, STEADY_PACKET, counted, latency);
            steady_arrived(s->steady, STEADY_NETWORK, counted, network);
            if (s->classes) {
                const unsigned series = STEADY_CLASS + 2 * (unsigned)p->class_;
                steady_arrived(s->steady, series, counted, latency);
                steady_arrived(s->steady, series + 1, counted, network);
            }
            if (round_trip)
                steady_arrived(s->steady, STEADY_ROUND_TRIP, counted, round_trip);
        }
        s->measured += p->last;
        s->from[src].packets++;
        s->from[src].latency += latency;
    }
    if (s->keep_log)
        log_packet(s, src, p, cycle);
    if (s->delivered)
        tell_delivery(s, src, p, hops, cycle);
}

/* --- Words -------------------------------------------------------------------------------------
 */

/* The source of a packet by its address in a word; EC_NONE: there is no such node. */
static uint32_t source_of(const struct scoreboard *s, uint64_t word)
{
    const uint32_t address = ec_word_src(&s->layout, word);
    return address < (UINT32_C(1) << s->t->address_bits) ? s->node_of[address] : EC_NONE;
}

static bool asks(const struct packet *p)
{
    return !p->asked && p->last;
}

bool scoreboard_asks(struct scoreboard *s, uint64_t word)
{
    const uint32_t src = source_of(s, word), number = ec_word_number(&s->layout, word);
    const struct packet *p = src == EC_NONE ? NULL : packets_claim(&s->records, src, number);
    return p && asks(p);
}

/* The node sees the head of a packet. */
static void serve(struct scoreboard *s, uint32_t port, uint64_t word, uint32_t src,
                  const struct packet *p)
{
    const struct service_packet arrived = {.created = p->created,
                                           .src = src,
                                           .words = p->words,
                                           .asks = asks(p),
                                           .part_of = !p->asked && p->whole ? p->message : EC_NONE};
    if (!service_arrive(s->service, port, ec_word_vc(word, s->vcs), arrived))
        s->memory_short = true;
}

/* The rest of the packet must follow on the VC of its head, which is any of its class. */
static void take_lane(const struct scoreboard *s, struct packet *p, uint64_t word)
{
    const uint64_t differ = (word ^ p->next) & ec_word_vc_mask(s->vcs);
    const uint64_t classes =
        (uint64_t) ~(s->vcs - 1) | s->class_mask; /* and VCs that do not exist */
    if (ec_word_head(p->next) && (differ >> ec_word_vc_shift(s->vcs) & classes) == 0)
        p->next ^= differ;
}

/* From now on, the message of the packet is an entry of the assembly. */
static void assemble(struct scoreboard *s, uint32_t src, struct packet *p)
{
    const bool request = s->service && !p->asked;
    p->message = assembly_begin(&s->assembly, scoreboard_destination(s, p), src, p->message,
                                p->whole, request);
    if (p->message != EC_NONE)
        return;
    s->memory_short = true;
    p->whole = 0;
}

/* Is a packet later than one of its pair and VC that was sent after it? (A node sends one head a
 * cycle.) */
static bool is_overtaken(struct scoreboard *s, uint32_t src, uint64_t word, const struct packet *p)
{
    const uint64_t pair = (uint64_t)src * s->t->nodes + scoreboard_destination(s, p);
    const uint64_t key = pair * EC_VCS_MAX + ec_word_vc(word, s->vcs);
    const uint32_t known = lookup_find(&s->pairs, key);
    size_t count = s->pairs.count;
    if (known != LOOKUP_NONE && s->sent_at[known] > p->injected)
        return true;
    if (known != LOOKUP_NONE)
        s->sent_at[known] = p->injected;
    else if (!EC_LIST_PUSH(s->sent_at, count, s->sent_room, p->injected) ||
             !lookup_add(&s->pairs, key, s->pairs.count))
        s->memory_short = true;
    return false;
}

static void open_packet(struct scoreboard *s, struct arriving *a, uint32_t port, uint64_t word,
                        uint64_t cycle)
{
    const uint32_t src = source_of(s, word), number = ec_word_number(&s->layout, word);
    struct packet *p = src == EC_NONE ? NULL : packets_claim(&s->records, src, number);
    if (!ec_word_head(word))
        fail(s, cycle, port, word, "a body flit outside a packet");
    else if (!p)
        fail(s, cycle, port, word,
             "a packet that is not in flight: invented, duplicated or altered");
    else if (scoreboard_destination(s, p) != s->local_node[port])
        fail(s, cycle, port, word, "a packet for node %u", scoreboard_destination(s, p));
    else if (s->r->ordered && is_overtaken(s, src, word, p))
        fail(s, cycle, port, word,
             "ordered=yes: a packet that node %u sent later to this node came before", src);
    else {
        *a = (struct arriving){src, number, packets_guest(&s->records, p), true};
        if (s->overtakes)
            take_lane(s, p, word);
        if (p->whole && ec_word_head(p->next))
            assemble(s, src, p);
        if (s->service)
            serve(s, port, word, src, p);
    }
}

void scoreboard_arrive(struct scoreboard *s, uint32_t port, uint64_t word, uint64_t cycle)
{
    struct arriving *a = &s->arriving[(size_t)port * s->vcs + ec_word_vc(word, s->vcs)];
    if (!a->open) {
        open_packet(s, a, port, word, cycle);
        if (!a->open)
            return;
    }
    struct packet *p = packets_find_again(&s->records, a->src, a->number, a->guest);
    if (!p || word != p->next) {
        fail(s, cycle, port, word,
             "expected %s%sword %u of packet %u from address %u, or another VC",
             p && ec_word_head(p->next) ? "head " : "", p && ec_word_tail(p->next) ? "tail " : "",
             p ? p->words - p->left : 0, a->number, s->address_of[a->src]);
        return;
    }
    s->words++;
    s->last_cycle = cycle;
    if (cycle > s->measure_from && cycle <= s->measure_to) {
        s->accepted++;
        s->from[a->src].accepted++;
        if (s->classes)
            s->classes[p->class_].accepted++;
    }
    if (s->classes)
        s->classes[p->class_].words++;
    s->digest += ec_rng_mix(word ^ (cycle * UINT64_C(0x9e3779b97f4a7c15)) ^
                            ((uint64_t)s->local_node[port] << 40));
    if (--p->left == 0) {
        a->open = false;
        if (p->whole) {
            uint32_t message;
            p->last = assembly_arrived(&s->assembly, p->message, p->words, &message);
            p->message = message;
        }
        add_delivery(s, a->src, a->guest, p, cycle);
        packets_remove(&s->records, a->src, a->guest);
        return;
    }
    const uint32_t index = p->words - p->left;
    p->next = (p->next & ~(EC_WORD_HEAD | ((UINT64_C(1) << s->layout.index_bits) - 1))) |
              ec_word_index(&s->layout, index) | (p->left == 1 ? EC_WORD_TAIL : 0);
}

/* Words that arrive are at unrelated nodes and from unrelated sources: in a large network nothing
 * of them is in a cache. How many words ahead to ask for their sources, and for their records.
 * (Inlined in any case: GCC 12 drops calls of functions that do nothing but prefetch.) */
enum { SOURCES_AHEAD = 12, RECORDS_AHEAD = 6 };

static inline __attribute__((always_inline)) void fetch_source(const struct scoreboard *s,
                                                               const struct ec_port_word *w)
{
    const uint32_t src = source_of(s, w->word);
    __builtin_prefetch(&s->arriving[(size_t)w->port * s->vcs + ec_word_vc(w->word, s->vcs)]);
    if (src == EC_NONE)
        return;
    packets_fetch_source(&s->records, src);
    __builtin_prefetch(&s->from[src]);
}

static inline __attribute__((always_inline)) void fetch_record(const struct scoreboard *s,
                                                               const struct ec_port_word *w)
{
    const uint32_t src = source_of(s, w->word);
    if (src != EC_NONE)
        packets_fetch(&s->records, src, ec_word_number(&s->layout, w->word));
}

void scoreboard_see(struct scoreboard *s, const struct ec_port_word *words, size_t count,
                    uint64_t cycle)
{
    const size_t fetched = s->t->nodes < PACKETS_FAR_NODES ? 0 : count;
    for (size_t i = 0; i < fetched && i < SOURCES_AHEAD; i++)
        fetch_source(s, &words[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + SOURCES_AHEAD < fetched)
            fetch_source(s, &words[i + SOURCES_AHEAD]);
        if (i + RECORDS_AHEAD < fetched)
            fetch_record(s, &words[i + RECORDS_AHEAD]);
        scoreboard_arrive(s, words[i].port, words[i].word, cycle);
    }
}

/* --- Between parts ---------------------------------------------------------------------------- */

bool scoreboard_leave(struct scoreboard *s, uint64_t word, uint32_t node, struct exchange *x,
                      uint32_t to)
{
    if (!ec_word_head(word))
        return true;
    const uint32_t src = source_of(s, word), number = ec_word_number(&s->layout, word);
    struct packet *p = src == EC_NONE ? NULL : packets_claim(&s->records, src, number);
    if (!p || !ec_word_head(p->next))
        return !s->records.memory_short;
    const uint32_t guest = packets_guest(&s->records, p);
    unsigned hops = guest ? s->records.guests.guest[guest - 1].hops : 0;
    if (s->link_words)
        hops = count_path(s, src, p, hops, node);
    struct packets_record *const record = exchange_append(x, to, sizeof *record);
    if (!record)
        return false;
    *record = (struct packets_record){.packet = *p, .hops = hops};
    packets_leave(&s->records, src, number, p);
    return true;
}

bool scoreboard_enter(struct scoreboard *s, const unsigned char *bytes, size_t size)
{
    const struct packets_record *records = (const void *)bytes;
    const size_t count = size / sizeof *records;
    bool good = size % sizeof *records == 0;
    for (size_t i = 0; good && i < count; i++) {
        const struct packet *p = &records[i].packet;
        const uint32_t src = p->words > 0 ? source_of(s, p->next) : EC_NONE;
        const uint32_t number = ec_word_number(&s->layout, p->next);
        good = src != EC_NONE && !packets_find(&s->records, src, number);
        if (good && !packets_enter(&s->records, src, number, p, (unsigned)records[i].hops)) {
            s->memory_short = true;
            return false;
        }
    }
    if (!good) {
        s->failed = true;
        snprintf(s->what, sizeof s->what, "a packet entered a part twice, or damaged");
    }
    return good;
}

/* --- Packets in flight ------------------------------------------------------------------------ */

struct ec_source_use scoreboard_source(const struct scoreboard *s, uint32_t src)
{
    const struct from_source *f = &s->from[src];
    return (struct ec_source_use){
        .words = f->accepted, .packets = f->packets, .latency = f->latency};
}

bool scoreboard_overdue(const struct scoreboard *s, uint64_t now, uint64_t bound)
{
    struct packets_at at = {0};
    for (const struct packet *p; (p = packets_next(&s->records, &at));) {
        const uint64_t age = now - p->injected;
        if (age > bound && age - bound > UINT64_C(4) * p->words)
            return true;
    }
    return false;
}

static const struct packet *find_oldest(const struct scoreboard *s, uint32_t *ret_src)
{
    struct packets_at at = {0};
    const struct packet *oldest = NULL;
    for (const struct packet *p; (p = packets_next(&s->records, &at));) {
        if (oldest && oldest->injected <= p->injected)
            continue;
        oldest = p;
        *ret_src = at.src;
    }
    return oldest;
}

bool scoreboard_oldest(const struct scoreboard *s, uint32_t *ret_src, uint32_t *ret_dst,
                       uint64_t *ret_cycle)
{
    const struct packet *oldest = find_oldest(s, ret_src);
    if (!oldest)
        return false;
    *ret_dst = scoreboard_destination(s, oldest);
    *ret_cycle = oldest->injected;
    return true;
}

uint64_t scoreboard_oldest_word(const struct scoreboard *s)
{
    uint32_t src;
    const struct packet *oldest = find_oldest(s, &src);
    return oldest ? oldest->next : 0;
}
