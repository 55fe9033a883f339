/* SPDX-License-Identifier: Apache-2.0 */
/* The paths of packets: all of those in the network, and of the delivered ones a bounded choice
 * that depends on the run only (observe/recorder.h). */
#pragma once

#include "base/list.h"
#include "ecube/word.h"
#include "page/recorder.h"

struct journey_hop {
    uint64_t cycle;
    uint32_t port;
};

struct journey {
    struct ec_recorded_packet packet; /* `hops` of them; `hop` is used in the result only */
    uint64_t order;                   /* of delivery */
    uint32_t number;                  /* in the words of the packet */
    bool used;
    struct journey_hop *hop; /* owned */
    size_t room;
};

struct journey_list {
    struct journey *at;
    size_t count, room;
    size_t hops; /* of all of them */
};

struct journeys {
    const struct ec_topology *t;
    unsigned locals, vcs;
    unsigned class_mask; /* the bits of a VC that an offer knows */
    struct ec_word_layout layout;
    struct ec_arrays arrays;
    uint32_t *node_of;            /* [address] */
    struct ec_offer *offered;     /* [(node * locals + local) * vcs + vc] the last one */
    struct journey_ring *sources; /* [node] packets in the network, by number */
    uint64_t delivered;
    size_t packets, hops;        /* bounds of the choice */
    struct journey_list sample;  /* every `stride`-th packet delivered */
    struct journey_list slowest; /* a heap, the fastest of them on top */
    uint64_t stride;
    uint64_t latency[EC_RECORDED_LATENCIES], latency_width; /* of all */
    bool memory_short;
};

bool journeys_open(struct journeys *j, const struct ec_topology *t, const struct ec_router *r,
                   size_t packets, size_t hops);
void journeys_reset(struct journeys *j);
void journeys_close(struct journeys *j);

void journeys_offer(struct journeys *j, const struct ec_offer *offer);
/* A head enters its network, takes a link, or a tail leaves the network, in this cycle. */
void journeys_inject(struct journeys *j, uint32_t node, unsigned local, uint64_t word,
                     uint64_t cycle);
void journeys_hop(struct journeys *j, unsigned link, uint64_t word, uint64_t cycle);
void journeys_deliver(struct journeys *j, uint64_t word, uint64_t cycle);

/* Fills the members of *ret that concern packets; it owns the arrays. False: out of memory. */
bool journeys_finish(struct journeys *j, struct ec_recording *ret);
void journeys_free_recording(struct ec_recording *r);
