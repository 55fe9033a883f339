/* SPDX-License-Identifier: Apache-2.0 */
/* From one node of a cube to all: how elements are spread, as the extended-cube permutation does it
 * in every cube that its data are expanded into. */
#ifndef EC_EXTENDED_H
#define EC_EXTENDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

/* In `step` (from 1 on) element `index` crosses from node `from` to node from ^ 1 << bit. */
struct spread_hop {
    uint32_t step, from, index;
    uint8_t bit;
};

/* The elements index = d * each + i, i < each, of node 0 go to node d of a cube, over shortest
 * paths. No link carries more than `block` elements in a step. */
struct spread {
    unsigned dims;
    uint32_t each, block;
    uint32_t steps;
    struct spread_hop *hop; /* by step, then from, bit and index; owned */
    size_t hops;
};

/* `one_port`: one link of a node at a time: sum over d < dims of ceil(2^d each / block) steps. Else
 * all links: ceil((2^dims - 1) each / dims) steps for block = 1, the least possible.
 * `dims` is 1 to 30 and 2^dims * each at most 2^28. EC_MEMORY. */
enum ec_code spread_open(unsigned dims, uint32_t each, uint32_t block, bool one_port,
                         struct spread *ret, struct ec_error *reterr);
void spread_close(struct spread *s);

#endif
