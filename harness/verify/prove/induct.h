/* SPDX-License-Identifier: Apache-2.0 */
/* The largest part of a set of properties that is inductive: if all of them hold in a cycle, all of
 * them hold in the next one (Flanagan, Leino: Houdini, 2001). With the first cycle checked, too,
 * they hold always. */
#ifndef EC_PROVE_INDUCT_H
#define EC_PROVE_INDUCT_H

#include "prove/frame.h"

struct ec_induct {
    const struct ec_aig *aig;
    const uint8_t
        *fixed;          /* [aig->inputs] 0, 1: this input is constant; else free. NULL: all free */
    const uint32_t *bad; /* [count] literals of the circuit: properties, 1 if violated */
    size_t count;
    bool all;             /* only all of them together matter: the first that is dropped ends it */
    const uint8_t *guess; /* [1 + inputs + registers] as from ec_induct_guess; NULL: zeros */
    double each, seconds; /* of processor time: for a question, and in all */
    bool (*stop)(void *context); /* as in ec_frames_open; may be NULL */
    /* Now and then: how many are proved if those that are left are proved, too. May be NULL. */
    void (*progress)(void *context, size_t proved, size_t left);
    void *context;
};

/* keep[i] on entry: is property i to be proved? After it: is it? Properties for which the time did
 * not suffice are dropped like those that are not inductive; if it does not suffice for the rest,
 * none is proved. The assumptions of the circuit are assumed in all cycles. EC_MEMORY;
 * EC_INTERRUPTED: `stop` said so. */
enum ec_code ec_induct(const struct ec_induct *q, bool *keep, struct ec_error *reterr);

/* Values of all inputs and registers (by variable) in some second cycle of the circuit that meets
 * the assumptions: good guesses for free bits, since all facts hold there. Zeros if the time does
 * not suffice. */
enum ec_code ec_induct_guess(const struct ec_aig *a, const uint8_t *fixed, double seconds,
                             uint8_t *ret, struct ec_error *reterr);

#endif
