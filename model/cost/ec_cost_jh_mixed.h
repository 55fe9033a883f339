/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH (Johnsson and Ho, section 4.1.1): element exchanges in sequence, n ports unless
 * said otherwise. sigma_r >= 1 real order, K >= 2 elements per node, even; B elements per packet.
 */
#ifndef EC_COST_JH_MIXED_H
#define EC_COST_JH_MIXED_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

uint64_t ec_cost_jh_pipelined(uint64_t sigma_r, uint64_t K); /* K/2 + sigma_r - 1 */

/* Concurrent (Figure 5), sigma_r >= 4, K > 8: sigma_r + 3 up to K = 2(sigma_r + 1), from there on
 * K/2 + 2. */
uint64_t ec_cost_jh_concurrent(uint64_t sigma_r, uint64_t K);

/* Rows that start anywhere by parity; not in the paper: K/2 + 1 for K >= 2 sigma_r (sigma_r
 * >= 2), which is optimal; sigma_r + 1 for 4 <= K <= 2 sigma_r. K/2 for sigma_r = 1, sigma_r for
 * K = 2: one row, nothing to choose. */
uint64_t ec_cost_jh_parity(uint64_t sigma_r, uint64_t K);

/* Theorem 1, case 1, 2 or 3 as printed; false where its condition does not hold. */
bool ec_cost_jh_theorem1_printed(unsigned which, uint64_t sigma_r, uint64_t K, uint64_t *ret);
/* With "or" in case 1: K/2 + sigma_r - 1 if sigma_r <= 3 or K <= 8; else the concurrent schedule.
 */
uint64_t ec_cost_jh_theorem1(uint64_t sigma_r, uint64_t K);

/* Table 1, concurrent: B = ceil(K / (2(sigma_r + 1))). */
struct ec_cost_terms ec_cost_jh_table1_concurrent(uint64_t sigma_r, uint64_t B);

#endif
