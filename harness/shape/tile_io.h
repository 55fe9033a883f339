/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays at the border of a bank of routers. Inputs and outputs apart: two sets of inputs may
 * share their outputs, and what is only compared has no inputs. */
#ifndef EC_TILE_IO_H
#define EC_TILE_IO_H

#include <stdbool.h>
#include <stddef.h>

#include "ecube/tile.h"

/* Everything zero. False without memory; what is there is the caller's to free all the same. */
bool ec_tile_io_inputs(struct ec_tile_io *io, size_t routers, unsigned ports, unsigned vcs);
bool ec_tile_io_outputs(struct ec_tile_io *io, size_t routers, unsigned ports, unsigned vcs);

/* `to` shows what `from` shows. */
void ec_tile_io_share_outputs(struct ec_tile_io *to, const struct ec_tile_io *from);

void ec_tile_io_free_inputs(struct ec_tile_io *io);
void ec_tile_io_free_outputs(struct ec_tile_io *io);

#endif
