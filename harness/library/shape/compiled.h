/* SPDX-License-Identifier: Apache-2.0 */
/* One compiled shape in memory: of a router at any place, or at one place only. */
#pragma once

#include "ecube/shape.h"
#include "shape/bank_state.h"
#include "shape/fabric.h"
#include "shape/point.h"

struct compiled {
    void *object;
    const struct ec_tile_api *api;
    const struct ec_fabric_api *fabric;                 /* NULL: it has none */
    const struct ec_bank_state_api *state;              /* NULL: its state cannot be saved */
    void (*points)(ec_point_take *take, void *context); /* NULL: no coverage */
    bool mute;                                          /* as ec_shape_mute */
    char key[33];
};

/* `build`: false: only from the cache. EC_TOOL: it cannot be built, or is not there. */
enum ec_code compiled_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, bool build, struct compiled *ret,
                           struct ec_error *reterr);
void compiled_close(struct compiled *c); /* zeroed is fine */
