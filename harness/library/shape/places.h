/* SPDX-License-Identifier: Apache-2.0 */
/* Routers whose place is a parameter: a compiled shape for each place, used as one. */
#pragma once

#include "shape/points.h"

struct ec_places;

/* Open the shapes of all places of `options`; those that are not in the cache are built first, in
 * parallel. EC_USAGE if there are too many. */
enum ec_code ec_places_open(const struct ec_tile_shape *shape,
                            const struct ec_shape_options *options, struct ec_places **ret,
                            struct ec_error *reterr);
/* What they have in common; without `open` and `trace`. */
const struct ec_tile_api *ec_places_api(const struct ec_places *p);
const char *ec_places_key(const struct ec_places *p); /* of the first place */
struct ec_tile_bank *ec_places_bank(const struct ec_places *p, size_t routers,
                                    const struct ec_tile_place *places, const uint32_t *numbers,
                                    uint32_t random_seed, const struct ec_tile_listener *listener);
/* As ec_shape_points(), of all places. */
void ec_places_points(const struct ec_places *p, ec_point_take *take, void *context);
void ec_places_close(struct ec_places *p);
