/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: what can be proved about the paths of a workload without simulation.
 *
 * A *channel* is a directed link (node, link), an injection port or an ejection port (node, local).
 * Its *load* is the number of messages whose path uses it.
 *
 * If messages wait for each other in steps (workload.order->step), messages of different steps are
 * not in the network together. Then congestion_free, max_step_load, busiest and witness concern the
 * messages of one step, all other numbers all messages. */
#ifndef ECUBE_AUDIT_H
#define ECUBE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/route.h"
#include "ecube/router.h"
#include "ecube/sdp.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

enum ec_channel_kind { EC_CHANNEL_LINK, EC_CHANNEL_INJECT, EC_CHANNEL_EJECT };

struct ec_channel {
    enum ec_channel_kind kind;
    uint32_t node;
    unsigned port; /* link, or local port */
};

struct ec_audit {
    /* Loads in messages; index node * links + link, node * locals + local. Owned. */
    uint32_t *link_load, *inject_load, *eject_load;
    /* The same in words; NULL unless `with_words`. Owned. */
    uint64_t *link_words, *inject_words, *eject_words;
    unsigned links, locals;
    bool congestion_free;      /* max_step_load <= 1 */
    uint32_t max_link_load;    /* over directed links */
    uint32_t max_channel_load; /* over all channels, local ports included */
    uint32_t max_step_load;    /* the same, of the messages of one step; = max_channel_load
                                  without steps */
    struct ec_channel busiest; /* a channel of load max_step_load: links first, lowest index; with
                                  steps the one of the earliest step */
    size_t witness[2]; /* indices of the two messages with the shortest paths through `busiest`;
                          valid unless congestion_free */
    unsigned max_hops;
    uint64_t total_hops;    /* sum over messages */
    uint64_t flit_hops;     /* sum over messages of words * hops */
    uint64_t channels;      /* directed links that exist */
    uint64_t channels_used; /* directed links of load >= 1 */
};

/* Audit a closed workload. `with_words` fills the *_words arrays too. The caller closes the audit.
 * EC_USAGE: an open-loop workload, another number of nodes, too many words. EC_MEMORY. */
enum ec_code ec_audit_open(const struct ec_topology *t, const struct ec_router *r,
                           const struct ec_workload *w, bool with_words, struct ec_audit **ret,
                           struct ec_error *reterr);
void ec_audit_close(struct ec_audit *a); /* accepts NULL */

/* Permutations of address bits on a cube, one message of each node, sent directly: the loads in
 * closed form and the reason for them, in O(dimensions). (With K elements per node, each a message
 * of its own, every load is K times as large.) A bit *passes* dimension d if the routing corrects
 * its own dimension before d and the place that it goes to after d. docs/study/BEYOND.md has the
 * proofs. */
struct ec_bit_loads {
    unsigned dims; /* of the permutation; further dimensions of the network carry nothing */
    uint64_t load[EC_SDP_DIMS_MAX]; /* messages on each link used of this dimension, 2 to the number
                                       of bits that pass it; 0: no message crosses it */
    unsigned worst;                 /* a dimension of the largest load */
    uint64_t passing;               /* the bits that pass it; 0: no two messages share a link */
    /* The certificate of a conflict, valid with `passing`: messages of these two nodes share the
     * link of dimension `worst` that leaves node `at`. */
    uint32_t src[2], at;
    /* In this order of dimensions, common to all messages, no two would share a link. */
    uint8_t order[EC_SDP_DIMS_MAX];
};

/* The loads of `s` under direct routing. Of the dimensions of the largest load, `worst` is that of
 * `busiest` (the link that an audit shows), else the first in routing order; `busiest` may be NULL.
 * False: `s` moves bits between processor and storage dimensions, or the processor dimensions are
 * not 1 to EC_DIMS_MAX. */
bool ec_bit_loads_of(const struct ec_sdp *s, enum ec_order order, const struct ec_channel *busiest,
                     struct ec_bit_loads *ret);

/* A channel with its virtual channel class, as a vertex of the dependency graph. */
struct ec_vertex {
    uint32_t node;
    unsigned link, class_;
};

#define EC_ESCAPE_NODES_MAX 1024 /* more, with adaptive routing, are not searched */

/* Deadlock freedom of the *routing* on this topology, for all pairs of nodes: *ret_free is true if
 * its channel dependency graph is acyclic (Dally and Seitz 1987; with adaptive routing that of the
 * escape channels, Duato 1993; up to EC_ESCAPE_NODES_MAX). Else *ret_cycle gets a cycle of
 * *ret_length channels, which the caller frees; both may be NULL. EC_MEMORY. */
enum ec_code ec_deadlock_free(const struct ec_topology *t, const struct ec_router *r,
                              bool *ret_free, struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr);

enum ec_answer { EC_ANSWER_UNCHECKED, EC_ANSWER_NO, EC_ANSWER_YES };

/* Can the messages of a workload deadlock? */
struct ec_deadlock {
    enum ec_answer possible;
    /* Channels that can wait for each other: one direction of a ring, from `ring` on; length 0:
     * none. UNCHECKED: only if the router or the order of the messages does not prevent it. */
    struct ec_vertex ring;
    size_t length;
    bool protocol; /* requests at nodes without room can keep the replies from leaving them */
};

/* NO is proved for routers that follow the contract, whatever the delays. YES: the paths of the
 * messages have a cyclic dependency, which enough words can fill. The packet bound of `r` is set.
 * EC_MEMORY. */
enum ec_code ec_deadlock_possible(const struct ec_topology *t, const struct ec_router *r,
                                  const struct ec_workload *w, struct ec_deadlock *ret,
                                  struct ec_error *reterr);

/* --- Bounds of random traffic ----------------------------------------------------------------- */

/* What can be proved about open-loop traffic from its traffic matrix and the routes: the rate at
 * which a channel is always busy, and the latency of a packet that meets no other. */

struct ec_bounds {
    /* The rate, as in rate=, at which the busiest channel transmits a word (or, at an injection
     * port, is occupied by a start-up) in every cycle. No network with these routes serves all
     * nodes at a higher rate for long. Buffers of less than two words and nodes that stall can
     * reduce this further. */
    bool has_rate; /* false: no message uses the network */
    double rate;   /* flits/node/cycle */
    /* The busiest channel: links first, then injection, then ejection, lowest node. */
    struct ec_channel channel;
    double load;     /* its words (and start-up cycles) per cycle at rate 1: 1 / rate */
    double ejection; /* words per cycle of the busiest ejection port, at rate 1 */
    double sends;    /* words of an average node, replies included, per word of rate: less than 1 if
                        a pattern maps nodes to themselves */
    double hops;     /* mean over the messages that use the network; valid with has_rate */
    /* The mean latency of a packet, from creation of its message to the tail, in cycles, if it
     * meets no others. Valid for ecube's routers and nodes that never stall. */
    bool has_zero_load; /* false: no message uses the network, or a case (session.h) with other
                           routers or nodes */
    double zero_load;
};

/* The bounds of an open-loop workload. The packet bound of `r` is set (ec_router_set_packet);
 * `startup`: cycles before each packet. Time and memory: O(nodes * hops) for maps; others need only
 * the sum of the radices. EC_USAGE: the workload is closed, or its shares have too many digits.
 * EC_MEMORY. */
enum ec_code ec_bounds(const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_workload *w, uint32_t startup, struct ec_bounds *ret,
                       struct ec_error *reterr);

#pragma GCC visibility pop

#endif
