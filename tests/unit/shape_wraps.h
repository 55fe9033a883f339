/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the library that the linker replaces in tests (shape_wraps in meson.build): calls of
 * ec_shape_x() reach __wrap_ec_shape_x(), which may call the library's own, __real_ec_shape_x(). */
#ifndef EC_UNIT_SHAPE_WRAPS_H
#define EC_UNIT_SHAPE_WRAPS_H

#include "ecube/shape.h"
#include "ecube/tile.h"
#include "shape/fabric.h"

typedef const struct ec_tile_api *shape_api_function(const struct ec_shape *shape);
typedef struct ec_tile_bank *shape_bank_function(const struct ec_shape *shape, size_t routers,
                                                 const struct ec_tile_place *places,
                                                 const uint32_t *numbers, uint32_t random_seed,
                                                 const char *const *names,
                                                 const struct ec_tile_listener *listener);

shape_api_function __wrap_ec_shape_api, __real_ec_shape_api;
shape_bank_function __wrap_ec_shape_bank, __real_ec_shape_bank;

/* No bank of a test moves words by itself, where nobody could touch them, or is mute. */
const struct ec_fabric_api *__wrap_ec_shape_fabric(const struct ec_shape *shape);
bool __wrap_ec_shape_mute(const struct ec_shape *shape);

const struct ec_fabric_api *__wrap_ec_shape_fabric(const struct ec_shape *shape)
{
    (void)shape;
    return NULL;
}

bool __wrap_ec_shape_mute(const struct ec_shape *shape)
{
    (void)shape;
    return false;
}

#endif
