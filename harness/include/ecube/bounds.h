/* SPDX-License-Identifier: Apache-2.0 */
/* What can be proved about open-loop traffic without simulation, from its traffic matrix and the
 * routes: the rate at which a channel is always busy, and the latency of a packet that meets no
 * other. */
#ifndef ECUBE_BOUNDS_H
#define ECUBE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/audit.h"
#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

/* A part of the traffic: every node creates messages as an open-loop workload with these members
 * does (workload.h). */
struct ec_flow {
    const uint32_t *map; /* [nodes]; NULL: uniform, with hot_share > 0 a hotspot */
    uint32_t hot_node;
    double hot_share;
    struct ec_lengths lengths;
    double weight; /* messages of this flow among those that a node creates, in any scale */
    bool reply;    /* its messages go the opposite way, from their destination to their source;
                      their words do not count in the rate */
};

struct ec_bounds {
    /* The rate, as in rate=, at which the busiest channel transmits a word (or, at an injection
     * port, is occupied by a start-up) in every cycle. No network with these routes accepts more
     * for long. Buffers of less than two words and nodes that stall can reduce this further. */
    bool has_rate; /* false: no message uses the network */
    double rate;   /* flits/node/cycle */
    /* The busiest channel: links first, then injection, then ejection, lowest node. */
    struct ec_channel channel;
    double load;  /* its words (and start-up cycles) per cycle at rate 1: 1 / rate */
    double sends; /* words of an average node, replies included, per word of rate: less than 1 if
                     a pattern maps nodes to themselves */
    double hops;  /* mean over the messages that use the network; valid with has_rate */
    /* The mean latency of a packet and of a message (its last packet), from creation of the message
     * to the tail, in cycles, if they meet no others. Valid for ecube's routers and nodes that
     * never stall. */
    bool has_zero_load; /* false: no message uses the network, or a case (session.h) with other
                           routers or nodes */
    double zero_load, zero_load_message;
};

/* The bounds of `count` flows together. The packet bound of `r` is set (ec_router_set_packet);
 * `startup`: cycles before each packet. Time and memory: O(nodes * hops) for maps; others need only
 * the sum of the radices. EC_USAGE: no flow has a weight, or the weights and shares have too many
 * digits. EC_MEMORY. */
enum ec_code ec_bounds_of(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_flow *flows, size_t count, uint32_t startup,
                          struct ec_bounds *ret, struct ec_error *reterr);

/* The bounds of an open-loop workload. EC_USAGE also for a closed one. */
enum ec_code ec_bounds(const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_workload *w, uint32_t startup, struct ec_bounds *ret,
                       struct ec_error *reterr);

#pragma GCC visibility pop

#endif
