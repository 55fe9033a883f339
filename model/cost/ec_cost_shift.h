/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the circular q-shift, 0 < q < p, by every algorithm. A step moves one packet over one
 * link; every directed link carries at most one packet in a step. Pure functions of numbers.
 *
 * Square torus: s by s nodes, s >= 2, p = s^2, row-major labels; r = q mod s, c = floor(q / s). */
#ifndef EC_COST_SHIFT_H
#define EC_COST_SHIFT_H

#include <stdint.h>

/* Ring, all the way in one direction, the shorter one: min(q, p - q). Grama et al., 4.6.1. */
uint64_t ec_cost_shift_ring(uint64_t p, uint64_t q);

/* Linear array (no wrap link), all ports: max(q, p - q); Grama et al. say as the ring. */
uint64_t ec_cost_shift_line(uint64_t p, uint64_t q);
uint64_t ec_cost_shift_line_printed(uint64_t p, uint64_t q);

/* Rows east, one step for the packets that went round, columns south: r + [r > 0] + c. */
uint64_t ec_cost_shift_forward(uint64_t s, uint64_t q);

/* The shorter way in rows and columns: min(r, s-r) + [r > 0] + min(c, s-c). */
uint64_t ec_cost_shift_plain(uint64_t s, uint64_t q);

/* Columns by c + 1 or by c, whichever fits the direction better: min(r, s-r) + min(c+1, s-c), or
 * min(c, s-c) if r = 0. */
uint64_t ec_cost_shift_merged(uint64_t s, uint64_t q);

/* Each column its own shorter way: min(r, s-r) + max(min(c, s-c), min(c+1, s-c-1)) if r > 0; the
 * distance of the packet that has farthest to go, so that nothing is faster. */
uint64_t ec_cost_shift_per_column(uint64_t s, uint64_t q);

/* A compensating step after each row step (Gergel, after (3.18)): 2r + c. */
uint64_t ec_cost_shift_compensate_each_row(uint64_t s, uint64_t q);

/* Direct routing in dimension order, one message per node: messages on the busiest directed link.
 * Square torus: max(f(r), f(c), f(c+1) if r > 0), f(x) = min(x mod s, s - x mod s). */
uint64_t ec_cost_shift_torus_load(uint64_t s, uint64_t q);

/* Cube of d dimensions through the Gray-coded ring. Forward: one phase per one bit of q, two steps
 * each, one for 2^0: 2 popcount(q) - [q odd]. Grama et al., 4.6.2. */
uint64_t ec_cost_shift_gray_forward(unsigned d, uint64_t q);

/* Forward and backward phases, the digits of q's non-adjacent form modulo 2^d. Fewer steps are not
 * possible with phases of +-2^j. */
unsigned ec_cost_shift_gray_terms(unsigned d, uint64_t q);
uint64_t ec_cost_shift_gray_signed(unsigned d, uint64_t q);

/* Direct E-cube routing of the q-shift on Gray labels: 1 if q = +-2^j mod 2^d, else 2. */
uint64_t ec_cost_shift_gray_direct_load(unsigned d, uint64_t q);

#endif
