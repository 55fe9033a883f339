/* SPDX-License-Identifier: Apache-2.0 */
/* One real GSH of order sigma_r >= 2 (Johnsson and Ho, section 4.2): element exchanges in sequence,
 * K elements per node, B elements per packet; K even for A1 and A2 squared. */
#ifndef EC_COST_JH_REAL_H
#define EC_COST_JH_REAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

/* A1: a storage dimension v is exchanged with sigma_r + 1 real ones. */
uint64_t ec_cost_jh_a1_pipelined(uint64_t sigma_r, uint64_t K); /* K/2 + max(K/2, sigma_r) */
uint64_t ec_cost_jh_a1_concurrent(uint64_t sigma_r,
                                  uint64_t K); /* (sigma_r + 1) ceil(K/2 sigma_r) */
/* The list schedule; not in the paper, and no A1 is faster: max(sigma_r + 1,
 * ceil((sigma_r + 1)K / 2 sigma_r)). */
uint64_t ec_cost_jh_a1_packed(uint64_t sigma_r, uint64_t K);

/* A2: sigma_r steps, elements meet in half of the nodes. */
uint64_t ec_cost_jh_a2_n_port(uint64_t sigma_r, uint64_t K); /* sigma_r ceil(K/sigma_r) */

/* A2 squared on beta cycles of two: as printed K/2 + 1; true for K >= 4 beta, below it is
 * ceil(K/2 beta) + 2 beta - 1. */
uint64_t ec_cost_jh_a22_printed(uint64_t K);
uint64_t ec_cost_jh_a22(uint64_t beta, uint64_t K);

/* Table 3, line by line; the numbers of lines: */
enum ec_cost_jh_table3 {
    EC_COST_A1_ONE_PORT,
    EC_COST_A2_ONE_PORT,
    EC_COST_A1_N_PORT,
    EC_COST_A2_N_PORT,
    EC_COST_A22, /* sigma_r = 2 */
};
/* Elements in the fullest node. A2 squared on beta cycles: K + 2 beta B. */
uint64_t ec_cost_jh_table3_memory(enum ec_cost_jh_table3 line, uint64_t beta, uint64_t K,
                                  uint64_t B);

/* Any permutation of 2^n nodes by two all-to-all personalized communications, 2^n divides K: K with
 * n ports, nK with one. */
uint64_t ec_cost_jh_aapc_twice_n_port(uint64_t K);
uint64_t ec_cost_jh_aapc_twice_one_port(unsigned n, uint64_t K);

#endif
