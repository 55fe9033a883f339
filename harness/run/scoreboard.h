/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard: every word that was sent is expected exactly once, at one node, in one order.
 *
 * A packet's record is found by its source and its number, both of which every word carries; the
 * word that must come next is kept whole in the record, so a delivery is one comparison. */
#ifndef EC_SCOREBOARD_H
#define EC_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "network/payload.h"
#include "run/latency.h"
#include "run/steady.h"
#include "workload/order.h"

struct packet {
    uint64_t created, injected; /* cycles */
    uint64_t next;              /* the word that must arrive next, as its node will see it */
    uint32_t message;           /* index of its message, where messages wait for each other */
    uint32_t left, words;       /* left: words to come; 0: delivered */
    bool last;                  /* of its message */
};

struct scoreboard {
    const struct ec_topology *t;
    const struct ec_router *r;
    unsigned locals, vcs;
    struct outstanding *sources; /* [nodes] packets in flight, by number */
    struct arriving *arriving;   /* [ports * vcs] the packet now arriving */
    uint32_t *node_of;           /* [address] */
    uint32_t *address_of;        /* [node] */
    uint32_t *local_node;        /* [port] */

    uint64_t measure_from, measure_to; /* creation cycles whose latencies count, arrival cycles
                                          whose words count as accepted: from + 1..to */
    struct steady *steady;             /* borrowed: who is told of these latencies; or NULL */
    uint64_t measured;                 /* messages created in these cycles that have arrived */
    struct latency packet_latency, network_latency;
    uint64_t words, packets, messages, digest, accepted;
    uint64_t hop_words; /* sum over delivered packets of words * distance */
    unsigned max_hops;
    uint64_t *link_words; /* [node * links + link] words of delivered packets by their paths; NULL
                             unless asked for */
    uint64_t last_cycle;  /* of the last delivery */
    bool memory_short;
    struct order *order; /* borrowed: who is told of deliveries; or NULL */

    /* The first packet that was faster than store-and-forward allows, if that is the mode. */
    struct {
        bool found;
        uint64_t cycle, took;
        uint32_t src, dst, words;
        unsigned hops;
    } early;

    bool keep_log;
    struct ec_packet_log *log;
    size_t log_count, log_size;

    bool failed;
    uint64_t failed_cycle;
    uint32_t failed_node;
    char what[400];
};

bool scoreboard_open(struct scoreboard *s, const struct ec_topology *t, const struct ec_router *r);
/* From now on, count what every link must have carried: for traffic that nobody has audited. */
bool scoreboard_count_links(struct scoreboard *s);
void scoreboard_reset(struct scoreboard *s);
void scoreboard_close(struct scoreboard *s);

/* Register a packet that is about to be sent: its words carry the number returned (see
 * scoreboard_word). EC_NONE: too many of this source are in flight, or memory is short. */
uint32_t scoreboard_send(struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint64_t created, uint64_t cycle, bool last);
/* The packet of `src` with this number, just registered, is of message `message` of the order. */
void scoreboard_of_message(struct scoreboard *s, uint32_t src, uint32_t number, uint32_t message);
/* Word `index` of that packet as the source puts it on its local port. */
uint64_t scoreboard_word(const struct scoreboard *s, uint32_t src, uint32_t dst, uint32_t words,
                         unsigned lane, uint32_t number, uint32_t index);
/* A node sees a word at a local port. */
void scoreboard_arrive(struct scoreboard *s, uint32_t port, uint64_t word, uint64_t cycle);

/* The packet in the network whose head was sent first; false if there is none. */
bool scoreboard_oldest(const struct scoreboard *s, uint32_t *ret_src, uint32_t *ret_dst,
                       uint64_t *ret_cycle);

/* Is a packet still in the network more than `bound` cycles, and four for each of its words, after
 * its head was sent? */
bool scoreboard_overdue(const struct scoreboard *s, uint64_t now, uint64_t bound);

#endif
