/* SPDX-License-Identifier: Apache-2.0 */
/* The largest part of a set of properties that is inductive: if all of them hold in a cycle, all of
 * them hold in the next one (Flanagan, Leino: Houdini, 2001). With the first cycle checked, too,
 * they hold always. */
#ifndef EC_PROVE_INDUCT_H
#define EC_PROVE_INDUCT_H

#include "prove/frame.h"

struct ec_induct {
    const struct ec_aig *aig;
    const uint32_t *bad; /* [count] literals of the circuit: properties, 1 if violated */
    size_t count;
    bool all;             /* only all of them together matter: the first that is dropped ends it */
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

#endif
