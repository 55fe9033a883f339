/* SPDX-License-Identifier: Apache-2.0 */
/* Are properties inductive, all together? This is the usual case, and several times faster than to
 * find out which of them are (prove/induct.h): each property that is proved is a fact for the next
 * one. */
#ifndef EC_PROVE_INDUCTIVE_H
#define EC_PROVE_INDUCTIVE_H

#include "prove/induct.h"

/* *ret: all of them hold in the first cycle, and if they hold in a cycle, in the next one. False:
 * one does not, or was not decided within the time of `q`. Errors as in ec_induct. */
enum ec_code ec_inductive(const struct ec_induct *q, bool *ret, struct ec_error *reterr);

#endif
