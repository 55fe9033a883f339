/* SPDX-License-Identifier: Apache-2.0 */
/* One network and one mode of a router's trial: ec_shape_moore() is one of them, ec_shape_check()
 * many. */
#ifndef EC_MOORE_H
#define EC_MOORE_H

#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/tile.h"
#include "ecube/topology.h"

struct moore_seen {
    uint64_t words;  /* that left the routers: added up */
    char wrong[400]; /* the first thing that is not as the contract has it, beside the Moore rule */
};

/* At some places of the network. EC_CONTRACT if the Moore rule is broken. `api` must have peek;
 * `pulse` may be NULL. */
enum ec_code moore_try(const struct ec_tile_api *api, const struct ec_topology *t,
                       const struct ec_router *r, struct ec_net_pulse *pulse,
                       struct moore_seen *seen, struct ec_error *reterr);

#endif
