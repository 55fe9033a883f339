/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: which node sends how many words to which node, and when.
 *
 * A *closed* workload is a fixed list of messages (permutations, maps, traces); its run ends when
 * the last word has arrived. An *open-loop* workload (any pattern with rate=R) creates messages at
 * random for a given time. */
#ifndef ECUBE_WORKLOAD_H
#define ECUBE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/sdp.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

/* Messages of a closed workload; indices of messages and loads of channels have 32 bits. */
#define EC_MESSAGES_MAX UINT32_MAX

#define EC_NO_ID UINT64_MAX

/* A message of no words, from a node to itself, in an order that may overtake is *work* of the
 * node: it takes its delay, but no port. Only messages of the same node may wait for it. */
struct ec_message {
    uint64_t cycle; /* created at the beginning of this cycle (first cycle: 1) */
    uint32_t src, dst;
    uint32_t words;
    uint32_t way; /* its path, drawn by ec_route_draw(); 0 for routers that know one path only */
};

/* When messages that wait for others (those of a schedule or of a trace) may start; arrays are
 * indexed like messages[]. After the last of those deliveries in cycle c, a message is ready in
 * cycle c + 1 + delay, or `delay` cycles after its own cycle if that is later. */
struct ec_message_order {
    uint32_t *step;  /* 1, 2, ..., ascending; NULL: no steps */
    uint32_t *delay; /* cycles of work in the source before the start; NULL: none */
    bool by_step;    /* wait for all messages of lower steps; else for those listed in after[] */
    size_t *first;   /* [message_count + 1] into after[] */
    uint32_t *after; /* indices of messages */
    /* Each local port sends in the order in which messages become ready, those of one cycle in the
     * order of messages[]. False: in the order of messages[], even if a later message is ready. */
    bool overtake;
    uint32_t *behind; /* with overtake: a message of the same source that must have been sent
                         before; EC_NONE: none. NULL: none at all */
};

/* Lengths of open-loop messages: one value, a range first..last, or an even mix of two. */
struct ec_lengths {
    uint32_t first, last;
    bool mix; /* only first or last, each with probability 1/2 */
};

/* One pattern of an open loop: where its messages go and how long they are. */
#define EC_PARTS_MAX   8
/* Traffic classes: these and replies. */
#define EC_CLASSES_MAX (EC_PARTS_MAX + 1)
struct ec_part {
    char text[128]; /* canonical: "uniform", in a mixture with its keys "hotspot:node=5:m=64" */
    double share;   /* of the messages that a node draws; the shares of all parts add up to 1. A
                       node that the part maps to itself drops its messages of this part. */
    struct ec_lengths lengths;
    uint32_t *map;     /* destination of each source; NULL: uniform over the other nodes. Owned. */
    uint32_t hot_node; /* this node gets the fraction hot_share of the messages of the others */
    double hot_share;  /* 0: no hotspot */
};

/* On and off periods of a source: a cycle ends an on period with probability 1 / cycles, and an off
 * period so that the source is on for the fraction `on` of the time. It creates messages, at the
 * rate / on, only while it is on. */
struct ec_burst {
    double cycles; /* mean length of an on period; 0: always on */
    double on;
};

/* Each message is a request, which its destination answers. */
struct ec_service {
    uint32_t words;       /* of a reply; 0: no replies */
    uint32_t think;       /* cycles from the acceptance of a request to the creation of its reply */
    uint32_t queue;       /* requests that a node holds, from the acceptance of the head to the last
                             word of the reply sent; 0: any number */
    uint32_t outstanding; /* a source creates no request while so many wait for replies; 0: never */
    bool shared;          /* replies use the lanes of the requests */
};

struct ec_workload {
    char text[256];   /* canonical, "shift:q=5,m=8" */
    const char *name; /* "shift" */
    uint32_t nodes;
    bool open_loop;

    /* Closed: messages sorted by cycle, then source; with an order by step, if it has steps.
     * Owned. */
    struct ec_message *messages;
    size_t message_count;
    uint64_t *ids;    /* [message_count] as a trace names them; EC_NO_ID: not named. NULL: the index
                         in messages[]. Owned. */
    uint32_t longest; /* words of the longest message (open loop: or reply) */
    uint32_t *combined; /* [message_count] words that have arrived and that the source combines with
                           its own before it sends; NULL: no collective operation. Owned. */
    bool reduces;       /* it adds vectors: see ec_workload_combine() */
    uint32_t vector;    /* m of a collective operation; 0: it is none. What no way can avoid: */
    uint64_t node_words;            /* that a node sends or receives; 0: what the messages say */
    bool from_one;                  /* what one node has at first must reach all */
    bool hosted;                    /* the list grows while it is played (ecube/host.h) */
    bool permutation;               /* no node sends or receives twice, all in cycle 1 */
    struct ec_message_order *order; /* NULL: every message starts at its cycle. Owned. */

    /* The pattern, for algorithms that send other messages. */
    uint32_t shift;     /* q of a circular shift, else 0 */
    char shuffle[160];  /* the cycles of a reshard on 2^n nodes, as in gsh:cycle=; else empty */
    bool gray;          /* the ring of the shift is embedded in the cube by the Gray code */
    struct ec_sdp *sdp; /* a permutation of address bits on a cube, or NULL. Owned. */
    uint32_t per_node;  /* K: elements of each node; 1 except for permutations of address bits */
    uint32_t holders;   /* only nodes 0..holders-1 have elements; = nodes, except with sub=, where
                           sdp permutes the addresses of that subcube */
    uint32_t words;     /* of an element; 0 where lengths differ */

    /* Open loop. */
    double rate;      /* flits/node/cycle offered */
    uint32_t request; /* words of the longest message that is no reply */
    /* The patterns that messages are drawn from. Without a mixture there is one. */
    struct ec_part *parts; /* [part_count] owned */
    unsigned part_count;   /* 0 in a closed workload */
    struct ec_burst burst;
    struct ec_service service;
};

/* Can requests that wait at nodes without room keep replies from leaving them (a protocol
 * deadlock)? Only if they share lanes, and if so many requests can be outstanding. */
bool ec_workload_can_deadlock(const struct ec_workload *w);

/* The traffic classes: the patterns of a mixture, or requests, and then replies. 0: all packets are
 * of one class. */
unsigned ec_workload_classes(const struct ec_workload *w);
/* The pattern of a mixture with its keys, "requests" or "replies". */
const char *ec_workload_class_name(const struct ec_workload *w, unsigned class_);

/* Mean length of the messages of an open loop, in words, and the mean of its square. */
double ec_workload_mean_words(const struct ec_workload *w);
double ec_workload_mean_square(const struct ec_workload *w);

/* Parse NAME[:KEY=VALUE,...] for a topology; randperm uses `seed`. The caller closes the workload.
 * EC_USAGE, EC_IO (files), EC_MEMORY. */
enum ec_code ec_workload_open(const char *text, const struct ec_topology *t, uint64_t seed,
                              struct ec_workload **ret, struct ec_error *reterr);
void ec_workload_close(struct ec_workload *w); /* accepts NULL */

/* Way number `index` to carry out the collective operation of a workload's text, as keys of the
 * workload: "by=ring,ways=2". ret_all_ports: it sends on two links of a node at a time. NULL:
 * beyond the last, or the workload is no collective operation. */
const char *ec_workload_way(const char *text, size_t index, bool *ret_all_ports);

/* From now on, a node takes so many cycles to combine a word. EC_USAGE: the workload does not
 * reduce, or the delays are too long; EC_MEMORY. */
enum ec_code ec_workload_combine(struct ec_workload *w, uint32_t cycles, struct ec_error *reterr);

/* Workload number `index`, in the order of `ecube list workloads`; NULL beyond the last. */
struct ec_workload_info {
    const char *name, *aliases, *parameters, *formula;
};
const struct ec_workload_info *ec_workload_at(size_t index);

#pragma GCC visibility pop

#endif
