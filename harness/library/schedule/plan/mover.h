/* SPDX-License-Identifier: Apache-2.0 */
/* For algorithms that move elements one by one: where each element is, which slots are free, and
 * the transfers of the plan that follow from it. */
#pragma once

#include "base/list.h"
#include "schedule/plan/plan.h"

struct mover_pending {
    uint32_t element, src, dst, wanted;
    bool placed;
};

struct mover {
    struct plan *p;
    uint32_t elements;
    unsigned storage;  /* k: an address is node << k | local address */
    uint32_t room;     /* slots of a node that may be used */
    uint64_t *address; /* [elements] machine address as the algorithm wants it */
    uint32_t *slot;    /* [elements] the slot that it really has in its node */
    uint32_t leaves;   /* `room`, rounded up to a power of two */
    bool *free; /* [nodes * 2 * leaves] a tree for each node: entry leaves + s: is slot s free?
                   Entry i: is any slot below it (entries 2 i and 2 i + 1) free? */
    struct mover_pending *pending;
    size_t pending_count;
    uint32_t last_step;
    struct ec_arrays arrays; /* these, and those that an algorithm adds */
    bool no_room;            /* more elements in a node than `room` */
};

/* Begin the plan of workload p->w, a permutation of address bits, with all elements at their
 * origins. `spare`: slots of a node beyond K. EC_USAGE, EC_MEMORY; call mover_close() in any case.
 */
enum ec_code mover_open(struct mover *m, struct plan *p, uint32_t spare, struct ec_error *reterr);
void mover_close(struct mover *m);

/* Element `e` goes to `address` in the step that is committed next. In another node it gets its
 * local address as slot if that is free then, else the lowest free slot. Within its node only its
 * address changes. */
void mover_go(struct mover *m, uint32_t e, uint64_t address);

/* Everything since the last call happens in `step` (ascending). Elements from one node to another
 * share transfers of at most p->block elements. */
void mover_commit(struct mover *m, uint32_t step);

/* Move every element into its target slot. EC_INTERNAL if one is in the wrong node. */
enum ec_code mover_finish(struct mover *m, struct ec_error *reterr);
