/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard expects every word that was sent exactly once, at one node, in one order, and
 * keeps the statistics of deliveries.
 *
 * A packet's record is found by its source and its number, which every word carries. The record has
 * the whole word that must come next, so a delivery is one comparison. */
#pragma once

#include "base/list.h"
#include "base/lookup.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "ecube/word.h"
#include "measure/latency.h"
#include "measure/precision.h"
#include "measure/steady.h"
#include "parts/state.h"
#include "run/packets.h"
#include "traffic/assembly.h"
#include "traffic/service.h"
#include "traffic/source.h"
#include "workload/order.h"

/* What is known of the packets of one traffic class. */
struct traffic_class {
    uint64_t messages, packets, words; /* delivered */
    uint64_t accepted;                 /* words in the measured cycles */
    struct latency packet_latency, network_latency;
};

/* What is arriving at one port and VC. */
struct arriving {
    uint32_t src, number, guest;
    bool open;
};

/* What has arrived from a source and counts. */
struct from_source {
    uint64_t accepted;         /* words in the measured cycles */
    uint64_t packets, latency; /* created in them; the sum of their latencies */
};

struct scoreboard {
    const struct ec_topology *t;
    const struct ec_router *r;
    unsigned locals, vcs;
    struct ec_word_layout layout;
    struct packets records;    /* of packets in flight */
    struct from_source *from;  /* [nodes] */
    struct arriving *arriving; /* [ports * vcs] the packet that is arriving */
    uint32_t *node_of;         /* [address] */
    uint32_t *address_of;      /* [node] */
    uint32_t *local_node;      /* [port] */
    /* Dynamic allocation: a packet arrives on any lane of its message class, so packets may
     * overtake each other, and messages of several packets are assembled. */
    bool overtakes;
    unsigned class_mask; /* the bits of a VC that are its class */
    struct assembly assembly;
    /* ordered=yes: when the packet that arrived last was sent, by source, destination and VC. */
    struct lookup pairs; /* their numbers */
    uint64_t *sent_at;   /* [pairs.count], owned */
    size_t sent_room;

    uint64_t measure_from, measure_to; /* cycles from + 1..to: packets created in them have
                                          their latency measured, words that arrive are accepted */
    struct steady *steady;             /* borrowed; takes these latencies; or NULL */
    struct precision *precision;       /* borrowed; takes all latencies instead; or NULL */
    uint64_t measured;                 /* messages created in these cycles that have arrived */
    struct latency packet_latency, network_latency;
    uint64_t latency_sum;    /* cycles, of all packets delivered, measured or not */
    uint64_t recent_latency; /* the largest since the caller set it to 0 */
    uint64_t words, packets, messages, digest, accepted;
    uint64_t hop_words; /* sum over delivered packets of words * distance */
    unsigned max_hops;
    /* Words that delivered packets took over each channel; NULL unless counted. */
    uint64_t *link_words;                 /* [node * links + link] */
    uint64_t *inject_words, *eject_words; /* [port] */
    uint64_t last_cycle;                  /* of the last delivery */
    bool memory_short;
    struct order *order; /* borrowed; takes deliveries; or NULL */
    /* Called for each packet, with the index given to scoreboard_of_message(); or NULL. */
    void (*delivered)(void *context, const struct ec_delivery *delivery);
    void *delivered_context;
    struct traffic_class *classes; /* [class_count] NULL: all packets are of one class */
    unsigned class_count;
    struct latency round_trip; /* creation of a request to the tail of its reply */
    struct service *service;   /* borrowed; takes arrivals; or NULL */
    struct sources *asking;    /* borrowed; takes replies; or NULL */

    /* The first packet that was faster than store-and-forward allows; in that mode only. */
    struct {
        bool found;
        uint64_t cycle, took, least; /* least: cycles that it needs */
        uint32_t src, dst, words;
        unsigned hops;
    } early;

    bool keep_log;
    struct ec_packet_log *log;
    size_t log_count, log_size;
    struct ec_arrays arrays; /* all but the log */

    bool failed;
    uint64_t failed_cycle;
    uint32_t failed_node;
    char what[400];
};

/* `own` NULL: words arrive at all nodes. False if memory is short. */
bool scoreboard_open(struct scoreboard *s, const struct ec_topology *t, const struct ec_router *r,
                     const struct nodes_own *own);
/* From now on, count what every channel must have carried: for traffic without an audit. */
bool scoreboard_count_channels(struct scoreboard *s);
/* From now on, distinguish the packets of `count` classes. */
bool scoreboard_count_classes(struct scoreboard *s, unsigned count);
void scoreboard_reset(struct scoreboard *s);
void scoreboard_close(struct scoreboard *s);

/* Register a packet that is about to be sent; its words carry the number returned. EC_NONE: too
 * many packets of this source are in flight, or memory is short. */
uint32_t scoreboard_send(struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint64_t created, uint64_t cycle, bool last);
/* The packet just registered is part of message `message` of the order. */
void scoreboard_of_message(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t message);
/* The packet just registered is part of a message of `words` words, which is assembled; `message`:
 * as above, or any number that no other message of this source under way has. */
void scoreboard_of_assembled(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t message,
                             uint32_t words);
/* The packet just registered is of this class; `asked`: as in struct packet. It then counts as
 * created in that cycle, so that a request and its reply are measured together. */
void scoreboard_of_class(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t class_,
                         uint64_t asked);
/* The packet just registered goes by a node on the way, as drawn (ec_route_draw()), and arrives in
 * message class 1. Returns what its words have in addition. */
uint64_t scoreboard_lead(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t way);
/* What all words of a packet have in common, as its source puts them on the local port. */
uint64_t scoreboard_common(const struct scoreboard *s, uint32_t src, uint32_t dst, unsigned lane,
                           uint32_t number);
/* Word `index` of them. */
static inline uint64_t scoreboard_nth(const struct scoreboard *s, uint64_t common, uint32_t words,
                                      uint32_t index)
{
    return common | (index == 0 ? EC_WORD_HEAD : 0) | (index + 1 == words ? EC_WORD_TAIL : 0) |
           ec_word_index(&s->layout, index);
}
/* Both at once. */
uint64_t scoreboard_word(const struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint32_t number, uint32_t index);
/* Nodes see these words at their local ports. */
void scoreboard_see(struct scoreboard *s, const struct ec_port_word *words, size_t count,
                    uint64_t cycle);
/* Is this the head of the packet that ends a request? */
bool scoreboard_asks(struct scoreboard *s, uint64_t word);
/* A node sees a word at a local port. */
void scoreboard_arrive(struct scoreboard *s, uint32_t port, uint64_t word, uint64_t cycle);

/* A word goes to the router of a node in another part, neighbour `to` of the exchange. If it is the
 * head of a packet in flight here, the record of the packet goes with it; else nothing is sent, and
 * if the head is wrong, the scoreboard there notices. False if memory is short. */
bool scoreboard_leave(struct scoreboard *s, uint64_t word, uint32_t node, struct exchange *x,
                      uint32_t to);
/* All records in these bytes come from another part, before the heads are stepped. False if memory
 * is short, or the bytes are damaged: then `failed` is true. */
bool scoreboard_enter(struct scoreboard *s, const unsigned char *bytes, size_t size);

/* --- State (board_state.c) -------------------------------------------------------------------- */

/* First this; then that of each own node and router, in its unit; then the rest. `track` is called
 * for each packet whose head may be in this part, with the word of its head. */
void scoreboard_state_begin(struct scoreboard *s, struct state *state);
void scoreboard_state_node(struct scoreboard *s, struct state *state, uint32_t node);
void scoreboard_state_router(struct scoreboard *s, struct state *state, uint32_t router);
void scoreboard_state(struct scoreboard *s, struct state *state, const struct nodes_own *routers,
                      bool parts, void (*track)(void *context, uint64_t word), void *context);

/* The packet in the network whose head was sent first; false if there is none. */
bool scoreboard_oldest(const struct scoreboard *s, uint32_t *ret_src, uint32_t *ret_dst,
                       uint64_t *ret_cycle);
/* A word of that packet, which has its source, destination and number; 0: none. */
uint64_t scoreboard_oldest_word(const struct scoreboard *s);

/* The path that its source drew (ec_route_draw()): by the node on the way, or the message class of
 * its VC. */
uint32_t scoreboard_way(const struct scoreboard *s, const struct packet *p);

static inline uint32_t scoreboard_destination(const struct scoreboard *s, const struct packet *p)
{
    return s->node_of[ec_word_dst(&s->layout, p->next)];
}

/* One more packet for the log. False if memory is short. */
bool scoreboard_log(struct scoreboard *s, const struct ec_packet_log *entry);

/* What has arrived from a source and counts: `offered` stays 0. */
struct ec_source_use scoreboard_source(const struct scoreboard *s, uint32_t src);

/* True if a packet is in the network for more than `bound` cycles, and four for each of its words,
 * after its head was sent. */
bool scoreboard_overdue(const struct scoreboard *s, uint64_t now, uint64_t bound);
