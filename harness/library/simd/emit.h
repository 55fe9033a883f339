/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a circuit as C++ that computes the same for all routers of a group at once. */
#pragma once

#include <stdio.h>

#include "ecube/tile.h"
#include "simd/circuit.h"

/* Write the state of a group, `next_part` and `show_part`, as ec_lanes.cpp expects them. EC_TOOL:
 * a port has not the width of the contract, an output depends on an input (Moore rule), a loop of
 * logic, or a cell that the generator does not know. */
enum ec_code simd_emit(const struct simd_circuit *c, const struct ec_tile_shape *shape, FILE *out,
                       struct ec_error *reterr);
