/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of delivered packets. Knows records of packets and their paths; must not judge words.
 */
#include "run/deliveries.h"

#include "base/list.h"
#include "network/walk.h"

unsigned deliveries_count_path(struct scoreboard *s, uint32_t src, const struct packet *p,
                               unsigned from, uint32_t until)
{
    const uint32_t dst = scoreboard_destination(s, p);
    struct ec_walk walk = ec_walk_begin(s->t, s->r->order, false, src, dst);
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
        return deliveries_count_path(s, src, p, guest ? s->records.guests.guest[guest - 1].hops : 0,
                                     EC_NONE);
    const uint32_t dst = scoreboard_destination(s, p);
    return s->t->kind == EC_CUBE ? (unsigned)__builtin_popcount(src ^ dst)
                                 : ec_topology_distance(s->t, src, dst);
}

/* In store-and-forward each of the hops + 2 channels of a path carries the whole packet before its
 * head enters the next one, and a link delays its tail. (Stages are not counted: a foreign router
 * has its own.) */
static void note_early(struct scoreboard *s, uint32_t src, const struct packet *p, unsigned hops,
                       uint64_t cycle)
{
    const uint64_t took = cycle - p->injected + 1;
    const uint64_t least = (uint64_t)(hops + 2) * p->words + (uint64_t)hops * (s->r->link - 1);
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
    struct ec_packet_log *log = ec_list_grow(s->log, sizeof *log, s->log_count, &s->log_size);
    if (!log)
        return false;
    s->log = log;
    s->log[s->log_count++] = *entry;
    return true;
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

void deliveries_add(struct scoreboard *s, uint32_t src, uint32_t guest, const struct packet *p,
                    uint64_t cycle)
{
    const unsigned hops = walk_path(s, src, guest, p);
    /* From the beginning of the first cycle to the end of this one. */
    const uint64_t latency = cycle - p->created + 1;
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
        precision_arrived(s->precision,
                          &(struct precision_packet){
                              .src = src,
                              .last = p->last,
                              .class_ = p->class_,
                              .created = counted,
                              .latency = latency,
                              .network = cycle - p->injected + 1,
                              .round_trip = p->asked && p->last ? cycle - p->asked + 1 : 0});
    } else if (counts) {
        if (!latency_add(&s->packet_latency, latency) ||
            !latency_add(&s->network_latency, cycle - p->injected + 1))
            s->memory_short = true;
        if (s->steady) {
            steady_arrived(s->steady, STEADY_PACKET, counted, latency);
            steady_arrived(s->steady, STEADY_NETWORK, counted, cycle - p->injected + 1);
            for (unsigned k = 0; s->classes && k < 2; k++)
                steady_arrived(s->steady, STEADY_CLASS + 2 * (unsigned)p->class_ + k, counted,
                               k ? cycle - p->injected + 1 : latency);
            if (p->asked && p->last)
                steady_arrived(s->steady, STEADY_ROUND_TRIP, counted, cycle - p->asked + 1);
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
