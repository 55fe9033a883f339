/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of circuits as questions to a solver: is there an input, or a state, such that ...?
 *
 * Gates are added with literals as in netlist/aig.h (twice a number, plus 1 if inverted; 0 is
 * false, 1 is true). Equal gates are added once, so two circuits that do the same in most places
 * share these. The solver, CaDiCaL (Biere 2019), learns of a gate when a question needs it. */
#ifndef EC_PROVE_FRAME_H
#define EC_PROVE_FRAME_H

#include "prove/aig.h"

struct ec_frames;

enum ec_frames_answer { EC_FRAMES_NO, EC_FRAMES_YES, EC_FRAMES_TIME };

/* `stop` is asked now and then whether to end the present question; NULL: never.
 * EC_MEMORY. */
enum ec_code ec_frames_open(bool (*stop)(void *context), void *context, struct ec_frames **ret,
                            struct ec_error *reterr);
void ec_frames_close(struct ec_frames *f);
/* Did memory run out since the beginning? Then no answer is right. */
bool ec_frames_failed(const struct ec_frames *f);

/* A free bit; 0 in answers that do not depend on it. */
uint32_t ec_frames_bit(struct ec_frames *f);
uint32_t ec_frames_and(struct ec_frames *f, uint32_t a, uint32_t b);

/* A cycle of a circuit: map[v] is the literal of its variable v. The caller has filled the entries
 * of inputs and registers; those of the gates are added. map[0] becomes 0. */
void ec_frames_cycle(struct ec_frames *f, const struct ec_aig *a, uint32_t *map);
static inline uint32_t ec_frames_at(const uint32_t *map, uint32_t literal)
{
    return map[literal >> 1] ^ (literal & 1);
}

/* Entries for all variables of the circuit; NULL: out of memory. */
uint32_t *ec_frames_map(const struct ec_aig *a);
/* The inputs of a cycle: free bits. */
void ec_frames_inputs(struct ec_frames *f, const struct ec_aig *a, uint32_t *map);
/* The registers of the first cycle; of any state; and of the cycle behind that of `map`. */
void ec_frames_first(struct ec_frames *f, const struct ec_aig *a, uint32_t *map);
void ec_frames_any(struct ec_frames *f, const struct ec_aig *a, uint32_t *map);
void ec_frames_next(const struct ec_aig *a, const uint32_t *map, uint32_t *ret);

/* From now on: if `when` is 1, at least one of these is. */
void ec_frames_require(struct ec_frames *f, uint32_t when, const uint32_t *any, size_t count);

/* Can all of these be 1 at once? EC_FRAMES_TIME after `seconds` of processor time of this process,
 * or if `stop` says so. */
enum ec_frames_answer ec_frames_ask(struct ec_frames *f, const uint32_t *all, size_t count,
                                    double seconds);
/* After EC_FRAMES_YES, and before anything is added: a value of a literal that the question needed;
 * false for others. */
bool ec_frames_value(const struct ec_frames *f, uint32_t literal);

/* Processor time of this process, in seconds. */
double ec_frames_clock(void);

#endif
