/* SPDX-License-Identifier: Apache-2.0 */
/* Direct E-cube routing of permutations on an n-cube, one message per node, all paths in one order
 * of dimensions: messages on the busiest directed link. With K messages per node the load is K
 * times as large, and the transfers are at least that many. */
#ifndef EC_COST_ECUBE_H
#define EC_COST_ECUBE_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

/* Any permutation of n <= 63 address bits: bit i of the destination is bit from[i] of the source,
 * inverted if bit i of `complement` is set. The dimensions are corrected in the order order[0],
 * order[1], ...
 *
 * ret_load[d]: messages on each link of dimension d that is used, 2 to the number of bits that pass
 * d: they are corrected before d and go to places corrected after d. 0: no message crosses d. O(n);
 * docs/study/BEYOND.md, theorem 1. */
void ec_cost_ecube_bits(unsigned n, const uint8_t *from, uint64_t complement, const uint8_t *order,
                        uint64_t *ret_load);
/* An order in which no load exceeds 1: along the cycles of the permutation. O(n); theorem 3. */
void ec_cost_ecube_order(unsigned n, const uint8_t *from, uint8_t *ret_order);

#endif
