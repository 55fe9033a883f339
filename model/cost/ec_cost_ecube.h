/* SPDX-License-Identifier: Apache-2.0 */
/* Direct E-cube routing of permutations on an n-cube, one message per node, all paths in one order
 * of dimensions: messages on the busiest directed link. With K messages per node the load is K
 * times as large, and the transfers are at least that many. */
#ifndef EC_COST_ECUBE_H
#define EC_COST_ECUBE_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

/* k-shuffle (rotation left by k, 0 < k < n), lowest dimension first: 2^min(k-1, n-k); highest
 * first: 2^min(n-k-1, k). Shuffle: k = 1, unshuffle: k = n - 1. */
uint64_t ec_cost_ecube_k_shuffle(unsigned n, unsigned k, bool highest_first);
uint64_t ec_cost_ecube_transpose(unsigned n);       /* n even, n >= 2: 2^(n/2 - 1), either order */
uint64_t ec_cost_ecube_bit_reversal(unsigned n);    /* n >= 2: 2^(floor(n/2) - 1), either order */
uint64_t ec_cost_ecube_vector_reversal(unsigned n); /* 1 */

/* Messages per directed link, over all links: 1/2 for k-shuffles and transpose, floor(n/2)/n for
 * bit reversal (n >= 1), 1 for vector reversal. */
struct ec_cost_ratio ec_cost_ecube_k_shuffle_average(void);
struct ec_cost_ratio ec_cost_ecube_bit_reversal_average(unsigned n);
struct ec_cost_ratio ec_cost_ecube_vector_reversal_average(void);

/* All-to-all personalized communication, one message for each pair, n >= 1: every directed link
 * carries 2^(n-1). */
uint64_t ec_cost_ecube_aapc(unsigned n);

/* Loads of direct routing over the transfers of a schedule, K large: shuffle, lowest dimension
 * first, over A1 with n ports: 2r/(r+1) with r = n; bit reversal over A2 squared: 2^floor(n/2). */
struct ec_cost_ratio ec_cost_ecube_shuffle_over_a1(unsigned n);
uint64_t ec_cost_ecube_bit_reversal_over_a22(unsigned n);

#endif
