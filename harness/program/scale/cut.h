/* SPDX-License-Identifier: Apache-2.0 */
/* What a split into ranks and threads means for a case: the largest part, and what crosses. */
#ifndef CLI_SCALE_CUT_H
#define CLI_SCALE_CUT_H

#include "ecube/topology.h"
#include "program/scale/measure.h"

/* Parts k * threads to (k + 1) * threads - 1 are those of rank k. EC_USAGE: more parts than nodes.
 */
enum ec_code scale_cut(const struct ec_topology *t, const struct scale_measured *m, uint32_t ranks,
                       uint32_t threads, struct scale_cut *ret, struct ec_error *reterr);

#endif
