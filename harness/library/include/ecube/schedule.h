/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules: how an algorithm carries out a permutation, as plain data.
 *
 * At the beginning and at the end, the nodes 0..holders-1 (all nodes unless the data is in a
 * subcube) hold `per_node` elements of `words` words each, in slots (local addresses). The number
 * of an element is origin node * per_node + origin slot. In each step (1, 2, ...) transfers carry
 * elements from node to node; between steps elements may change slots within their node. A slot
 * holds one element; slot numbers may have gaps. A transfer carries only elements that arrived in
 * an earlier step. A schedule has no cycles: the audit proves its properties, and a run plays it on
 * a network. */
#ifndef ECUBE_SCHEDULE_H
#define ECUBE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

struct ec_place {
    uint32_t node, slot;
};

/* An element in a transfer, and its slot at the destination. */
struct ec_carried {
    uint32_t element, slot;
};

/* One message of a step: the elements carried[first .. first + count). */
struct ec_transfer {
    uint32_t step, src, dst;
    uint32_t first, count;
};

/* A move of an element within its node, before the transfers of `step` (steps + 1: at the end). The
 * moves of one node and step happen at once. */
struct ec_local_move {
    uint32_t step, element, slot;
};

/* Takes the place of a storage dimension in an exchange: an additional bit of every element, at
 * first the parity of the address bits alpha_0..alpha_r of a block (docs/study/GSH-MIXED.md, Lemma
 * 3). No schedule has enough elements for a dimension of this number. */
#define EC_EXCHANGE_PARITY 31

/* A cell of a GSH schedule, the same for all nodes (Johnsson and Ho, Figures 2 to 10): in `step`
 * memory row `row` exchanges storage dimension `storage` with processor dimension `processor`
 * (machine address bits). For pictures only. */
struct ec_exchange {
    uint32_t row, step;
    uint8_t storage, processor;
};

struct ec_schedule {
    char algorithm[200]; /* canonical, "gray-forward:order=A" */
    uint32_t nodes, per_node, words;
    uint32_t holders;        /* nodes that hold elements; = nodes except in a subcube */
    bool all_ports;          /* a node uses all its links in a step; else it sends and receives one
                                message */
    bool routed;             /* transfers may cross several links, on the router's paths */
    struct ec_place *target; /* [holders * per_node] the final places of the elements; owned */
    struct ec_transfer *transfers; /* sorted by step, then source, then destination; owned */
    struct ec_carried *carried;    /* owned */
    struct ec_local_move *moves;   /* sorted by step; owned */
    struct ec_exchange *exchanges; /* sorted by row, then step; NULL: no table; owned */
    size_t transfer_count, carried_count, move_count, exchange_count;
    uint32_t steps;
};

/* An algorithm, for `ecube list algorithms`. */
struct ec_algorithm_info {
    const char *name;
    const char *parameters; /* "order=A|B|C", or "" */
    const char *applies;    /* "shift on cube:D" */
    const char *text;       /* what it does, and its steps */
    const char *source;     /* paper and place */
};
/* Algorithm number `index`; NULL beyond the last. Number 0 is "direct": no schedule, every message
 * goes straight to its destination. */
const struct ec_algorithm_info *ec_algorithm_at(size_t index);

/* The schedule of `algorithm` ("NAME[:KEY=VALUE,...]", not "direct") for a workload that was opened
 * on `t`. The caller closes it. EC_USAGE: the algorithm is unknown or cannot carry this workload on
 * this topology, or the schedule would be too long. EC_MEMORY. */
enum ec_code ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                              const char *algorithm, struct ec_schedule **ret,
                              struct ec_error *reterr);
void ec_schedule_close(struct ec_schedule *s); /* accepts NULL */

/* An algorithm before its schedule is made. */
struct ec_choice_offer {
    const char *name;
    bool all_ports;
    uint32_t block; /* elements per packet; 0: the algorithm has no key block= */
    uint32_t least; /* it takes at least so many steps; 0: unknown */
};

/* A choice among algorithms by a criterion other than steps. */
struct ec_choice {
    void *context;
    /* True if the schedule should be made. */
    bool (*wants)(void *context, const struct ec_choice_offer *offer);
    /* Take ownership of a schedule. EC_USAGE rejects it; other errors end the search. */
    enum ec_code (*take)(void *context, const struct ec_choice_offer *offer, struct ec_schedule *s,
                         struct ec_error *reterr);
};

/* Offer the schedules of all algorithms that can carry the workload, with all their parameters that
 * are of use: "best" offers several sizes of packets (block=), "best:block=B" one. Algorithms that
 * are wrong on purpose are left out. (ec_schedule_open() takes the one with the fewest steps, of
 * packets of one size.) EC_USAGE as there, except if no algorithm applies; errors of ->take;
 * EC_MEMORY. */
enum ec_code ec_schedule_choose(const struct ec_topology *t, const struct ec_workload *w,
                                const char *algorithm, const struct ec_choice *choice,
                                struct ec_error *reterr);

/* The dual of a schedule: its steps in reverse order, with every transfer backwards, so that it
 * carries all elements back. The caller closes it. Steps and ranges are not checked: audit the
 * schedule first. EC_USAGE if targets are not a bijection; EC_MEMORY. */
enum ec_code ec_schedule_reverse(const struct ec_schedule *s, struct ec_schedule **ret,
                                 struct ec_error *reterr);

/* The audit of a schedule, without simulation. A defect is a finding, not an error. A routed
 * schedule need not be adjacent to be valid. */
struct ec_schedule_audit {
    bool valid;            /* all of the following six (one_port only for one-port schedules) */
    bool sound;            /* every transfer carries elements that are at its source */
    bool placed;           /* at the end every element is at its target, node and slot */
    bool one_port;         /* no node sends twice or receives twice in a step */
    bool congestion_free;  /* no directed link carries two transfers in a step */
    bool adjacent;         /* every transfer crosses one link */
    bool distinct;         /* no two elements are in one slot, after moves or after a step */
    char defect[300];      /* the first reason for a false above */
    uint32_t steps;        /* with transfers in them */
    uint64_t element_hops; /* elements times links crossed */
    uint32_t peak_memory;  /* the most elements in a node after any step */
    uint64_t local_moves;  /* elements moved within nodes */
    uint64_t shifted;      /* transferred elements whose slot at the source is not that at the
                              destination: 0 where both ends use equal local addresses */
    uint64_t max_link_elements; /* over the busiest directed link in all steps */
    uint32_t max_step_load;     /* transfers over one directed link in one step */
};

/* Transfers that are not adjacent take the way of routers like `r`. EC_USAGE: `t` and the schedule
 * differ in their number of nodes; EC_MEMORY. */
enum ec_code ec_schedule_audit(const struct ec_topology *t, const struct ec_router *r,
                               const struct ec_schedule *s, struct ec_schedule_audit *ret,
                               struct ec_error *reterr);

/* When a transfer starts. STEP: after all transfers of the step before are delivered. DATA: when
 * its elements have arrived; each port of a node sends in the order of the schedule. */
enum ec_sync { EC_SYNC_STEP, EC_SYNC_DATA };

/* The messages of a schedule, for ec_run(): one per transfer. `local_cost`: cycles to move a word
 * within the memory of a node. Before a node sends in a step, it makes all its moves since the step
 * in which it sent last, one word at a time. Element and node numbers are not checked: audit the
 * schedule first. The caller closes the workload. EC_USAGE: a message, or the work before it, is
 * too long; EC_MEMORY. */
enum ec_code ec_schedule_workload(const struct ec_schedule *s, const struct ec_workload *of,
                                  enum ec_sync sync, uint32_t local_cost, struct ec_workload **ret,
                                  struct ec_error *reterr);

#pragma GCC visibility pop

#endif
