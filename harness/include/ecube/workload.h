/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: who sends how many words to whom, and when.
 *
 * A *closed* workload is a list of messages, all known beforehand (permutations, maps, traces);
 * a run of it ends when the last word has arrived. An *open-loop* workload (any pattern with
 * rate=R) creates messages at random for a given time. */
#ifndef ECUBE_WORKLOAD_H
#define ECUBE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/sdp.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

/* Messages of a closed workload: their indices and the loads of channels have 32 bits. */
#define EC_MESSAGES_MAX UINT32_MAX

struct ec_message {
    uint64_t cycle; /* created at the beginning of this cycle (first cycle: 1) */
    uint32_t src, dst;
    uint32_t words;
};

/* When a message may start that has to wait for others (the messages of a schedule); all arrays
 * belong to messages[] by index. A message starts `delay` cycles after the cycle that follows the
 * last of those deliveries, or after its own cycle if that is later. Each local port sends in the
 * order of messages[], even if a later one could start. */
struct ec_message_order {
    uint32_t *step;  /* 1, 2, ..., ascending */
    uint32_t *delay; /* cycles of work in the source before it starts; NULL: none */
    bool by_step;    /* waits for all messages of lower steps; else for those listed: */
    size_t *first;   /* [message_count + 1] into after[] */
    uint32_t *after; /* indices of messages */
};

/* Lengths of open-loop messages: one value, a range first..last, or an even mix of two. */
struct ec_lengths {
    uint32_t first, last;
    bool mix; /* only first or last, each with probability 1/2 */
};

struct ec_workload {
    char text[256];   /* canonical, "shift:q=5,m=8" */
    const char *name; /* "shift" */
    uint32_t nodes;
    bool open_loop;

    /* Closed: messages sorted by cycle, then source; those of an order by step. Owned. */
    struct ec_message *messages;
    size_t message_count;
    uint32_t longest;               /* words of the longest message (open loop: lengths.last) */
    bool permutation;               /* no node sends twice, none receives twice, all in cycle 1 */
    struct ec_message_order *order; /* NULL: every message starts at its cycle. Owned. */

    /* What the pattern is, for algorithms that realise it otherwise than by these messages. */
    uint32_t shift;     /* q of a circular shift, else 0 */
    bool gray;          /* its ring is laid into the cube by the Gray code */
    struct ec_sdp *sdp; /* a permutation of address bits on a cube, or NULL. Owned. */
    uint32_t per_node;  /* elements of each node (K; 1 but for bit permutations) */
    uint32_t holders;   /* only nodes 0..holders-1 have elements; = nodes but for sub=, where sdp
                           permutes the addresses of that subcube */
    uint32_t words;     /* of an element; 0 where lengths differ */

    /* Open loop. */
    double rate; /* flits/node/cycle offered */
    struct ec_lengths lengths;
    uint32_t *map; /* destination of each source, or NULL = uniform over the other nodes. Owned. */
    uint32_t hot_node; /* hotspot: this node gets the share hot_share of the messages */
    double hot_share;  /* 0 where there is none */
};

/* Parse NAME[:KEY=VALUE,...] for a topology; `seed` serves randperm. EC_USAGE names the culprit,
 * the cure and, for a misspelt name or key, the nearest valid one; EC_IO for files; EC_MEMORY. The
 * caller closes it. */
enum ec_code ec_workload_open(const char *text, const struct ec_topology *t, uint64_t seed,
                              struct ec_workload **ret, struct ec_error *reterr);
void ec_workload_close(struct ec_workload *w); /* NULL is fine */

/* The workloads that there are, in the order of `ecube list workloads`; NULL beyond the last. */
struct ec_workload_info {
    const char *name, *aliases, *parameters, *formula;
};
const struct ec_workload_info *ec_workload_at(size_t index);

#pragma GCC visibility pop

#endif
