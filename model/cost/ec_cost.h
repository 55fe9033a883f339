/* SPDX-License-Identifier: Apache-2.0 */
/* Closed forms for times on an idle network. Pure functions of numbers; must not know ecube.
 *
 * Units: words, hops, cycles. A message of m >= 1 words goes h >= 1 hops in packets of at most B
 * words, each preceded by ts start-up cycles at the sending port, through input buffers of `depth`
 * words. The time runs from the first cycle of the first start-up (the first offer, if ts = 0) to
 * the cycle in which the receiving node sees the last word, inclusive, with t_h = t_w = 1.
 * Derivations: docs/TIMING.md. */
#ifndef EC_COST_H
#define EC_COST_H

#include <stdint.h>

/* Wormhole: depth >= 1. At depth >= 2: ceil(m/B) ts + h + m + 1. */
uint64_t ec_cost_wormhole(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth);

/* Virtual cut-through: depth >= B. At depth >= B + 1 the same as wormhole. */
uint64_t ec_cost_cut_through(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth);

/* Store-and-forward: depth >= B; every router on the way stores once, h + 1 of them. At depth >= 2B
 * and ts = 0: m + (h + 1) min(B, m). */
uint64_t ec_cost_store_and_forward(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth);

/* Longest E-cube path of the circular q-shift on a cube of d dimensions with plain labels:
 * d - gamma(q), gamma(q) = number of trailing zeros of q (Grama et al., section 4.6.2). */
unsigned ec_cost_shift_hops(unsigned d, uint32_t q);

#endif
