/* SPDX-License-Identifier: Apache-2.0 */
/* The router and a mutant as two copies of one circuit: what the proof that they are equal
 * (relation.c) and the search for a difference (difference.c) have in common. Private. */
#ifndef EC_MUTATE_COPIES_H
#define EC_MUTATE_COPIES_H

#include "base/list.h"
#include "mutate/equal.h"
#include "prove/frame.h"

enum { COPIES_SELECT_BITS = 16 };

/* What must be equal: a literal of the circuit. Only while `care` is 1 in the router. */
struct copies_view {
    uint32_t of, care;
};

/* A relation between both copies: what is equal in each of its states. */
struct copies_same {
    bool *registers, *views, *gates;
};

struct ec_equal {
    struct ec_aig aig;
    uint8_t *guess; /* [1 + inputs + registers] by variable: a state in which all facts hold */
    uint8_t *fixed; /* [inputs] the number 0 in mutsel; all else is free */
    uint32_t select[COPIES_SELECT_BITS]; /* inputs; UINT32_MAX: there is no such bit */
    uint32_t *outputs;                   /* [output_count] of the router: positions in aig.bits */
    size_t output_count;
    struct copies_view *views; /* [view_count] */
    size_t view_count;
    uint32_t live; /* register: the first cycle is over */
    bool *kept;    /* [aig.assertions] invariants that hold in every cycle of the router */
    bool *matters; /* [variables] it can reach an output, now or later */
    struct ec_frames *frames;
    size_t fact_count;      /* of the router */
    uint32_t *zero, *one;   /* maps of the first two cycles of the router */
    uint32_t *now, *next;   /* of two cycles of the router, from any state on */
    uint32_t *other, *then; /* of the same cycles of the mutant */
    /* [variables] of the router and the mutant, in two cycles: a bit for each of 64 lanes. */
    uint64_t *seen[4]; /* an answer, in all lanes */
    uint64_t *lanes[4];
    uint8_t *loose;    /* [registers] can it change in such a state? */
    uint32_t *numbers; /* [number_count] of the mutants in the circuit */
    size_t number_count;
    bool (*stop)(void *context);
    void *context;
    struct ec_arrays arrays; /* all of these but the views */
};

static inline size_t copies_variables(const struct ec_aig *a)
{
    return (size_t)1 + a->inputs + a->registers + a->gates;
}

/* The literal of an output of the router, and its name: "link_o[17]". */
static inline uint32_t copies_output(const struct ec_equal *e, size_t number)
{
    return e->aig.output[e->aig.bits[e->outputs[number]].number];
}
void copies_name_output(const struct ec_equal *e, size_t number, char *text, size_t size);

/* The inputs of the router for the mutant, but its number. */
void copies_inputs(const struct ec_equal *e, uint32_t number, const uint32_t *from, uint32_t *map);

/* A literal in all lanes; the gates of a cycle, whose inputs and registers are there. */
static inline uint64_t copies_lanes(const uint64_t *values, uint32_t literal)
{
    return values[literal >> 1] ^ (0 - (uint64_t)(literal & 1));
}
void copies_gates(const struct ec_aig *a, uint64_t *values);

/* Take out what differs in the second cycle of these lanes; returns how much that is. */
size_t copies_drop(const struct ec_equal *e, struct copies_same *same, uint64_t good,
                   uint64_t *const lanes[4]);

/* e->seen shows a state of the relation and the cycle behind it. Changes random bits of it; what
 * differs behind states of the relation that this makes is taken out. Returns how much that is. */
size_t copies_vary(struct ec_equal *e, struct copies_same *same, uint64_t seed);

/* Look for a relation between both copies in which all outputs are equal. `deadline`: by
 * ec_frames_clock. Sets ret->verdict to EC_EQUAL_PROVED, or ret->why. EC_MEMORY. */
enum ec_code copies_prove(struct ec_equal *e, uint32_t number, double deadline,
                          struct ec_equal_result *ret, struct ec_error *reterr);
/* Look for traffic after which an output differs. Sets ret->verdict to EC_EQUAL_DIFFERS with cycle
 * and output, or ret->cycles. EC_MEMORY; EC_INTERNAL: what it found cannot be simulated. */
enum ec_code copies_differ(struct ec_equal *e, uint32_t number, double deadline,
                           struct ec_equal_result *ret, struct ec_error *reterr);

#endif
