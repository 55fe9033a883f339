/* SPDX-License-Identifier: Apache-2.0 */
/* Elements on the way, for the algorithms that move them one by one: where each is, which slots
 * are free, and what of it goes into the plan. */
#ifndef EC_MOVER_H
#define EC_MOVER_H

#include "schedule/plan/plan.h"

struct mover_pending {
    uint32_t element, src, dst, wanted;
    bool placed;
};

struct mover {
    struct plan *p;
    uint32_t elements;
    unsigned storage;  /* k: an address is node << k | local address */
    uint32_t room;     /* slots of a node that may ever be in use */
    uint64_t *address; /* [elements] where each is in the algorithm's mind */
    uint32_t *slot;    /* [elements] where it really is within its node */
    uint32_t leaves;   /* `room`, rounded up to a power of two */
    bool *free; /* [nodes * 2 * leaves] a tree for each node: slot s is entry leaves + s, and entry
                   i tells whether any below it is free, those at 2 i and 2 i + 1 */
    struct mover_pending *pending;
    size_t pending_count;
    uint32_t last_step;
    bool no_room; /* more elements in a node than `room` */
};

/* Begin the plan of workload p->w, a permutation of address bits: elements, targets, everything at
 * home. `spare`: slots of a node beyond K. EC_USAGE, EC_MEMORY; mover_close() in any case. */
enum ec_code mover_open(struct mover *m, struct plan *p, uint32_t spare, struct ec_error *reterr);
void mover_close(struct mover *m);

/* Element `e` goes to `address` in the step that is next committed: to another node, into the local
 * address if that is free by then, else into the lowest free slot. An element that goes nowhere
 * merely gets another address. */
void mover_go(struct mover *m, uint32_t e, uint64_t address);

/* All that was said since the last call happens in `step` (ascending). Elements from one node to
 * one other share transfers, p->block at most in each. */
void mover_commit(struct mover *m, uint32_t step);

/* Local moves that put every element into its slot. EC_INTERNAL if one is in the wrong node. */
enum ec_code mover_finish(struct mover *m, struct ec_error *reterr);

#endif
