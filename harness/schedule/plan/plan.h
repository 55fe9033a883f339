/* SPDX-License-Identifier: Apache-2.0 */
/* How an algorithm writes its schedule down: element by element, step by step, in any order of
 * calls. What goes wrong for want of memory is remembered and told once, by plan_finish(). */
#ifndef EC_PLAN_H
#define EC_PLAN_H

#include "base/text.h"
#include "ecube/schedule.h"

/* The keys that algorithms take; bit (1U << PLAN_KEY_*) in struct plan_algorithm. */
enum plan_key {
    PLAN_KEY_ORDER,   /* order=...: of the links that an element crosses */
    PLAN_KEY_READING, /* reading=...: of an ambiguous procedure */
    PLAN_KEY_BLOCK,   /* block=B: elements per packet */
    PLAN_KEY_COUNT
};

struct plan {
    const struct ec_topology *t;
    const struct ec_workload *w;
    struct ec_slice value[PLAN_KEY_COUNT]; /* .at == NULL: not given */
    uint32_t block;                        /* value of block=, default 1 */
    char chosen[200]; /* by an algorithm that picks one: goes into its name; "" elsewhere */
    struct ec_schedule *s;
    size_t transfer_room, carried_room, move_room, exchange_room;
    bool memory_short;
    bool too_long; /* one of the lists has as many entries as a schedule may have */
};

/* A row of the table of algorithms. */
struct plan_algorithm {
    struct ec_algorithm_info info;
    unsigned keys; /* bits of plan_key */
    bool all_ports;
    bool beyond; /* of data in a subcube it is given the whole cube; others see the subcube only */
    /* Write the schedule, and the defaults of keys not given into p->value. EC_USAGE if it cannot
     * carry this workload on this topology. */
    enum ec_code (*make)(struct plan *p, struct ec_error *reterr);
    /* Steps that it takes at least, in packets of `block` elements, where that is known without
     * making the schedule; or NULL. Who seeks the fewest steps leaves out what takes longer. */
    uint32_t (*least)(const struct ec_workload *w, uint32_t block);
};

/* The tables of the families, each ended by a row without a name. */
extern const struct plan_algorithm plan_shift_algorithms[], plan_gohil_algorithms[],
    plan_mixed_algorithms[], plan_real_algorithms[], plan_general_algorithms[],
    plan_extended_algorithms[];

/* EC_USAGE unless p->w is a permutation of address bits on a cube. */
enum ec_code plan_check_bits(const struct plan *p, struct ec_error *reterr);

/* First of all: K elements in each node that holds any, each of `words` words, all of them at home
 * (target = origin). EC_USAGE if there are too many. */
enum ec_code plan_elements(struct plan *p, uint32_t per_node, uint32_t words,
                           struct ec_error *reterr);
void plan_target(struct plan *p, uint32_t element, uint32_t node, uint32_t slot);

/* A transfer; the elements it carries follow by plan_carry(). */
void plan_transfer(struct plan *p, uint32_t step, uint32_t src, uint32_t dst);
void plan_carry(struct plan *p, uint32_t element, uint32_t slot);
void plan_move(struct plan *p, uint32_t step, uint32_t element, uint32_t slot);
/* So many transfers are to come: who knows beforehand says so, and need not make them in vain. */
void plan_expect(struct plan *p, uint64_t transfers);
/* Whether to go on would be in vain, for want of memory or because the schedule is too long. What
 * may take long asks after every step; plan_finish() tells why. */
bool plan_full(const struct plan *p);
/* Of a plan that is full: EC_MEMORY, or EC_USAGE with the limit. */
enum ec_code plan_told(const struct plan *p, struct ec_error *reterr);
void plan_exchange(struct plan *p, uint32_t row, uint32_t step, unsigned storage,
                   unsigned processor);

/* Sort everything and count the steps. EC_MEMORY, EC_USAGE: as plan_told(). */
enum ec_code plan_finish(struct plan *p, struct ec_error *reterr);

#endif
