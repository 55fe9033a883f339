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

/* Permutations of n address bits without complements of load at most 1, lowest dimension first:
 * Fibonacci number 2n - 1, n <= 46; theorem 2. */
uint64_t ec_cost_ecube_bits_free(unsigned n);
/* The same with every complement; and with every complement, highest first too. n <= 25. */
uint64_t ec_cost_ecube_bits_free_complemented(unsigned n);
uint64_t ec_cost_ecube_bits_free_both(unsigned n);
/* Invertible maps x -> A x + b over GF(2), with b = 0 or, if `affine`, with every b; theorem 4.
 * n <= 7. */
uint64_t ec_cost_ecube_maps_free(unsigned n, bool affine);
/* All of them: prod_(i<n) (2^n - 2^i). n <= 7. */
uint64_t ec_cost_ecube_maps(unsigned n, bool affine);

/* No permutation of the nodes of an n-cube, n >= 1, linear or not, loads a link with more messages,
 * in any common order: 2^floor((n-1)/2), the load of the k-shuffle with k = ceil(n/2); theorem 5.
 */
uint64_t ec_cost_ecube_most(unsigned n);

#endif
