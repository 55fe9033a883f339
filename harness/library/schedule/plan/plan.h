/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule while an algorithm writes it: element by element, step by step, in any order of calls.
 * A lack of memory is remembered and reported once, by plan_finish(). */
#pragma once

#include "base/keyvalue.h"
#include "ecube/schedule.h"

/* The keys of algorithms. */
enum plan_key {
    PLAN_KEY_ORDER,   /* order=...: of the links that an element crosses */
    PLAN_KEY_READING, /* reading=...: of an ambiguous procedure */
    PLAN_KEY_BLOCK,   /* block=B: elements per packet */
    PLAN_KEY_COUNT
};
extern const struct ec_key plan_keys[PLAN_KEY_COUNT];

struct plan {
    const struct plan_algorithm *algorithm;
    const struct ec_topology *t;
    const struct ec_workload *w;
    struct ec_slice value[PLAN_KEY_COUNT]; /* .at == NULL: not given */
    uint32_t block;                        /* value of block=, default 1 */
    char chosen[200]; /* the algorithm that this one uses, if it chooses; part of its name */
    struct ec_schedule *s;
    size_t transfer_room, carried_room, move_room, exchange_room;
    bool memory_short;
    bool too_long; /* a list has reached the largest size that a schedule may have */
};

struct a1;
struct mixed_table;
struct phase;

/* A row of the table of algorithms. */
struct plan_algorithm {
    struct ec_algorithm_info info;
    bool all_ports; /* else it is for nodes with one port */
    bool routed;    /* its transfers take the router's paths over any number of links */
    bool beyond;    /* of data in a subcube it sees the whole cube; others see the subcube only */
    bool aside;     /* never chosen: wrong on purpose, or it chooses itself */
    /* Values of its key order= or reading= that a choice tries, "low|high"; NULL: the default. */
    const char *tries;
    /* Write the schedule, and the defaults of keys not given into p->value. EC_USAGE if it cannot
     * carry this workload on this topology. */
    enum ec_code (*make)(struct plan *p, struct ec_error *reterr);
    union { /* the part of it in which algorithms of one family differ */
        void (*fill_a1)(struct a1 *a);
        enum ec_code (*fill_table)(struct mixed_table *t, struct ec_error *reterr);
        void (*shift)(const struct phase *f);
    };
    /* A lower bound of its steps, in packets of `block` elements, if one is known without making
     * the schedule; or NULL. A search for the fewest steps skips algorithms by it. */
    uint32_t (*least)(const struct ec_workload *w, uint32_t block);
};

/* Is the key among the parameters of the algorithm? */
bool plan_takes(const struct plan_algorithm *a, enum plan_key key);

/* The tables of the families, each ended by a row without a name. */
extern const struct plan_algorithm plan_shift_algorithms[], plan_gohil_algorithms[],
    plan_mixed_algorithms[], plan_real_algorithms[], plan_general_algorithms[],
    plan_extended_algorithms[];

/* The schedule that `a` makes; values[PLAN_KEY_COUNT] as written. The caller closes it. EC_USAGE:
 * it cannot carry the workload, or the schedule would be too long. EC_MEMORY. */
enum ec_code plan_open(const struct ec_topology *t, const struct ec_workload *w,
                       const struct plan_algorithm *a, const struct ec_slice *values,
                       uint32_t block, struct ec_schedule **ret, struct ec_error *reterr);

/* The same, in packets of `block` elements if it has that key, and with defaults for the others. */
enum ec_code plan_open_block(const struct ec_topology *t, const struct ec_workload *w,
                             const struct plan_algorithm *a, uint32_t block,
                             struct ec_schedule **ret, struct ec_error *reterr);

/* The value of a key as an index into `words` (ended by NULL); `preset` if it is not given, which
 * then becomes its value. EC_USAGE: none of them. */
enum ec_code plan_choice(struct plan *p, enum plan_key key, const char *const *words,
                         unsigned preset, unsigned *ret, struct ec_error *reterr);

/* EC_USAGE: "algorithm NAME: " and a text. */
enum ec_code plan_refuse(const struct plan *p, struct ec_error *reterr, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* EC_USAGE unless the workload is a permutation of address bits on a cube. */
enum ec_code plan_check_bits(const struct plan *p, struct ec_error *reterr);

/* The first call: K elements in each node that holds any, each of `words` words, all of them at
 * home (target = origin). EC_USAGE if there are too many. */
enum ec_code plan_elements(struct plan *p, uint32_t per_node, uint32_t words,
                           struct ec_error *reterr);
void plan_target(struct plan *p, uint32_t element, uint32_t node, uint32_t slot);
/* Instead, for a permutation of address bits: its elements with their targets. */
enum ec_code plan_bit_elements(struct plan *p, struct ec_error *reterr);

/* A transfer; the elements it carries follow by plan_carry(). */
void plan_transfer(struct plan *p, uint32_t step, uint32_t src, uint32_t dst);
void plan_carry(struct plan *p, uint32_t element, uint32_t slot);
void plan_move(struct plan *p, uint32_t step, uint32_t element, uint32_t slot);
void plan_exchange(struct plan *p, uint32_t row, uint32_t step, unsigned storage,
                   unsigned processor);

/* At least this many transfers will follow: a schedule that is too long fails at once. */
void plan_expect(struct plan *p, uint64_t transfers);
/* True if memory is short or the schedule too long: the algorithm should stop. Long loops check
 * after every step. plan_full_error() is then EC_MEMORY, or EC_USAGE with the limit. */
bool plan_full(const struct plan *p);
enum ec_code plan_full_error(const struct plan *p, struct ec_error *reterr);

/* Sort all lists and count the steps. Errors of plan_full_error(). */
enum ec_code plan_finish(struct plan *p, struct ec_error *reterr);
