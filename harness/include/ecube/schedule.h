/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules: what an algorithm makes of a permutation, as plain data.
 *
 * The nodes 0..holders-1, which are all nodes unless the data lie in a subcube, hold `per_node`
 * elements of `words` words each, in slots (local addresses), at the beginning and at the end. An
 * element is known by its number, origin node * per_node + origin slot. In each step (1, 2, ...)
 * transfers carry elements from node to node; between steps elements may change slots within their
 * node. A slot has room for one element; slots need not be numbered without gaps. What a transfer
 * carries must have arrived in an earlier step. A schedule says nothing of
 * cycles: the audit proves what it promises, a run plays it on a network. */
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

/* An element on the way, and the slot in which it lands. */
struct ec_carried {
    uint32_t element, slot;
};

/* One message of a step: the elements carried[first .. first + count). */
struct ec_transfer {
    uint32_t step, src, dst;
    uint32_t first, count;
};

/* A move within the node in which the element is, before the transfers of `step` (steps + 1: at the
 * end). The moves of one node and step happen all at once. */
struct ec_local_move {
    uint32_t step, element, slot;
};

/* A cell of a GSH schedule, the same for all nodes (Johnsson and Ho, Figures 2 to 10): in `step`
 * memory row `row` exchanges storage dimension `storage` with processor dimension `processor`
 * (machine address bits). For pictures; the transfers say it all. */
struct ec_exchange {
    uint32_t row, step;
    uint8_t storage, processor;
};

struct ec_schedule {
    char algorithm[200]; /* canonical, "gray-forward:order=A" */
    uint32_t nodes, per_node, words;
    uint32_t holders; /* the first nodes; = nodes but for a subcube */
    bool all_ports;   /* a node uses all its links in a step; else it sends one message and
                         receives one */
    struct ec_place
        *target; /* [holders * per_node] where the elements have to be at the end; owned */
    struct ec_transfer *transfers; /* sorted by step, then source, then destination; owned */
    struct ec_carried *carried;    /* owned */
    struct ec_local_move *moves;   /* sorted by step; owned */
    struct ec_exchange
        *exchanges; /* sorted by row, then step; NULL where there is no table; owned */
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
 * straight to its destination. */
const struct ec_algorithm_info *ec_algorithm_at(size_t index);

/* The schedule of `algorithm` ("NAME[:KEY=VALUE,...]", not "direct") for a workload that was opened
 * on `t`. EC_USAGE: unknown (names the nearest), or it cannot carry this workload on this topology,
 * says what it can; or the schedule would be too long. EC_MEMORY. The caller closes it. */
enum ec_code ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                              const char *algorithm, struct ec_schedule **ret,
                              struct ec_error *reterr);
void ec_schedule_close(struct ec_schedule *s); /* NULL is fine */

/* Who chooses among the algorithms of "best" by something else than their steps. */
struct ec_choice {
    void *context;
    /* Is algorithm `name` worth a schedule? It takes `least` steps or more (0: not known). */
    bool (*wants)(void *context, const char *name, bool all_ports, uint32_t least);
    /* Its schedule, which is now the callee's. EC_USAGE: not that one; other errors end the search.
     */
    enum ec_code (*take)(void *context, struct ec_schedule *s, struct ec_error *reterr);
};

/* Offer the schedule of every algorithm that `algorithm`, "best" or "best:block=B", chooses from
 * and that can carry the workload. (ec_schedule_open() takes the one of fewest steps.) EC_USAGE as
 * there, but not if no algorithm applies; what ->take returned; EC_MEMORY. */
enum ec_code ec_schedule_choose(const struct ec_topology *t, const struct ec_workload *w,
                                const char *algorithm, const struct ec_choice *choice,
                                struct ec_error *reterr);

/* The dual of a schedule: its steps in reverse order, every transfer the other way. What one takes
 * to where it belongs, the other takes back. The caller closes it. Steps and ranges are taken as
 * they are: audit the schedule first. EC_USAGE if targets are no bijection; EC_MEMORY. */
enum ec_code ec_schedule_reverse(const struct ec_schedule *s, struct ec_schedule **ret,
                                 struct ec_error *reterr);

/* What is found without simulating. A defect of the schedule is a finding, not an error. */
struct ec_schedule_audit {
    bool valid;                 /* all of the following six */
    bool sound;                 /* every transfer carries what is at its source at that time */
    bool placed;                /* at the end every element is at its target, node and slot */
    bool one_port;              /* no node sends twice or receives twice in a step */
    bool congestion_free;       /* no directed link carries two transfers in a step */
    bool adjacent;              /* every transfer crosses one link */
    bool distinct;              /* no two elements are in one slot, after the moves before a step or
                                   after a step */
    char defect[300];           /* the first reason for a false above: step, node, link, element */
    uint32_t steps;             /* with transfers in them */
    uint64_t element_hops;      /* elements times links crossed */
    uint32_t peak_memory;       /* elements in the fullest node, after any step */
    uint64_t local_moves;       /* elements moved within nodes */
    uint64_t shifted;           /* transferred elements whose slot at the source is not that at the
                                   destination: 0 where both ends use equal local addresses */
    uint64_t max_link_elements; /* over all steps, over the busiest directed link */
    uint32_t max_step_load;     /* transfers over one directed link in one step */
};

/* `valid` counts one_port only for schedules made for one port. `order` routes what is not
 * adjacent. EC_USAGE: `t` has other nodes than the schedule; EC_MEMORY. */
enum ec_code ec_schedule_audit(const struct ec_topology *t, enum ec_order order,
                               const struct ec_schedule *s, struct ec_schedule_audit *ret,
                               struct ec_error *reterr);

/* When a transfer starts. STEP: when all transfers of the step before it have been delivered. DATA:
 * when what it carries is there; each port of a node sends in the order of the schedule. */
enum ec_sync { EC_SYNC_STEP, EC_SYNC_DATA };

/* The messages of a schedule, for ec_run(): one per transfer. `local_cost`: cycles a node needs to
 * move a word within its memory: before it sends in a step it makes, one word at a time, all its
 * moves since the step in which it sent before. Element and node numbers are taken as they are:
 * audit the schedule first. The caller closes the workload. EC_USAGE: a message is too long, or the
 * work before it is; EC_MEMORY. */
enum ec_code ec_schedule_workload(const struct ec_schedule *s, const struct ec_workload *of,
                                  enum ec_sync sync, uint32_t local_cost, struct ec_workload **ret,
                                  struct ec_error *reterr);

#pragma GCC visibility pop

#endif
