/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the routers of a bank, as bytes: of shapes that were compiled for it, which export
 * `ec_tile_state`. The bytes are those of one compilation: only the same object reads them. */
#pragma once

#include "ecube/tile.h"

struct ec_bank_state_api {
    /* Of router `id` of the bank; valid until the next call in this thread. NULL: out of memory. */
    const unsigned char *(*save)(struct ec_tile_bank *bank, uint32_t id, size_t *ret_size);
    /* After a reset. False: they are not the bytes of such a router. */
    bool (*load)(struct ec_tile_bank *bank, uint32_t id, const unsigned char *bytes, size_t size);
};

struct ec_shape;
/* NULL: the shape was not compiled for it. */
const struct ec_bank_state_api *ec_shape_state(const struct ec_shape *s);
