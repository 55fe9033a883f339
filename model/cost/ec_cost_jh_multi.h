/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting mixed GSH (Johnsson and Ho, section 4.1.2): element exchanges in sequence, n
 * ports unless said otherwise.
 *
 * beta >= 1 constituting GSH of the real orders order[0 .. beta), each >= 1; sigma_r is their sum;
 * K elements per node, even; B elements per packet. */
#ifndef EC_COST_JH_MULTI_H
#define EC_COST_JH_MULTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ec_cost_exact.h"

struct ec_cost_blocks {
    const unsigned *order;
    size_t beta;
};

uint64_t ec_cost_jh_sigma_r(struct ec_cost_blocks x); /* sum of the orders */
uint64_t ec_cost_jh_max_order(struct ec_cost_blocks x);
bool ec_cost_jh_equal_orders(struct ec_cost_blocks x);

/* Pipelined: K/2 + max order - 1 for K >= 2 sigma_r (in blocks of rows n with n_(b+1) >= r_b);
 * ceil(K/2 beta) + sigma_r - 1 for K <= 2 sigma_r and equal orders. False: neither. */
bool ec_cost_jh_multi_pipelined(struct ec_cost_blocks x, uint64_t K, uint64_t *ret);
/* No pipelining without other starts takes less than
 * max(K/2 + max order - 1, ceil(K/2 beta) + sigma_r - 1). */
uint64_t ec_cost_jh_multi_pipelined_bound(struct ec_cost_blocks x, uint64_t K);

/* Theorem 2, case 1 to 4 as printed; false where its condition does not hold. */
bool ec_cost_jh_theorem2_printed(unsigned which, struct ec_cost_blocks x, uint64_t K,
                                 uint64_t *ret);
/* The same where it is true: case 1 for equal orders and K <= 2 sigma_r only; cases 3 and 4 where a
 * storage dimension is free, K >= 2^(beta+1). */
bool ec_cost_jh_theorem2_corrected(unsigned which, struct ec_cost_blocks x, uint64_t K,
                                   uint64_t *ret);
/* The fastest case that is true; false if none is. */
bool ec_cost_jh_theorem2(struct ec_cost_blocks x, uint64_t K, uint64_t *ret);

/* Rows by parity; not in the paper. K >= 2 sigma_r: K/2 + 1 (K/2 if all orders are 1), which is the
 * lower bound. K <= 2 sigma_r: sigma_r + 1, or sigma_r if no block begins with two rows, K <= 2
 * beta. */
uint64_t ec_cost_jh_multi_parity(struct ec_cost_blocks x, uint64_t K);

/* All-to-all personalized communications in beta-cubes, delayed by beta; equal orders, beta divides
 * K/2: K/2 + sigma_r - beta. */
uint64_t ec_cost_jh_aapc(uint64_t sigma_r, uint64_t beta, uint64_t K);
/* The three cases of the AAPC algorithms: K/2 + sigma_r - beta, sigma_r + 3 beta, K/2 + 2 beta. In
 * print two conditions refer to sigma, the order, but mean sigma_r: pass the one to try. */
bool ec_cost_jh_aapc_case(unsigned which, uint64_t sigma, uint64_t sigma_r, uint64_t beta,
                          uint64_t K, uint64_t *ret);
/* With parity starts (beta = 2): K/2 + beta for K >= 2 sigma_r, else sigma_r + beta. */
uint64_t ec_cost_jh_aapc_parity(uint64_t sigma_r, uint64_t beta, uint64_t K);

/* Table 2, different orders, pipelined, as printed: ceil(K/2 beta) + sigma_r - 1 for K <= 2
 * sigma_r, else K/2 + max order - 1. (Concurrent: the four cases of Theorem 2.) */
uint64_t ec_cost_jh_table2_different(struct ec_cost_blocks x, uint64_t K);

#endif
