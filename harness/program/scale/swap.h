/* SPDX-License-Identifier: Apache-2.0 */
/* What a swap between parts takes. */
#ifndef CLI_SCALE_SWAP_H
#define CLI_SCALE_SWAP_H

#include "ecube/error.h"
#include "ecube/partition.h"
#include "parts/ranks/world.h"

struct scale_swap {
    double latency; /* of one without bytes, in seconds */
    double byte;    /* of a byte that leaves a part */
};

/* Swaps between the parts of a partition, as threads of this process, or of all ranks of a world,
 * for about so many seconds. Only rank 0 knows the result. */
enum ec_code scale_time_swaps(const struct ec_partition *p, struct world *world, double seconds,
                              struct scale_swap *ret, struct ec_error *reterr);

#endif
