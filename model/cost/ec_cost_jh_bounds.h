/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds for generalized shuffle permutations: Johnsson and Ho, Generalized Shuffle
 * Permutations on Boolean Cubes (TR-04-91), section 3, as printed and as corrected, and better
 * ones.
 *
 * In their symbols: sigma_r real order, sigma_r >= 1; beta constituting mixed GSH (0: the GSH is
 * real); K elements on every node; t_c per element, tau per start-up. Transfers are elements sent
 * one after the other. */
#ifndef EC_COST_JH_BOUNDS_H
#define EC_COST_JH_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

/* Transfers with n ports, element by element (K even). An element whose first or last hop is on no
 * shortest path has two hops more than it needs, so useless links in the first and last step are
 * lost: K/2 + (sigma_r - beta)/sigma_r; and it needs sigma_r steps anyway if mixed.
 * Mixed: max(sigma_r, K/2 + [sigma_r > beta]). Real, sigma_r >= 2, K >= 2: K/2 + 1. */
uint64_t ec_cost_jh_bound_mixed(uint64_t sigma_r, uint64_t beta, uint64_t K);
uint64_t ec_cost_jh_bound_real(uint64_t K);

/* Real GSH with n ports, any routes, elements divisible at will: the fraction of K that the busiest
 * directed link carries at least, which routes reach: (r + 1)/2r with an odd number of dimensions
 * complemented, else (r + 1)(2^r - 2)/(2r (2^r - 1)), r = sigma_r. docs/study/GSH-REAL.md has the
 * proof. False unless 2 <= sigma_r <= 24. */
bool ec_cost_jh_flow(unsigned sigma_r, bool complemented, struct ec_cost_ratio *ret);
/* Steps that every schedule needs by it: ceil((r + 1) K/2r), or without an odd number of
 * complements ceil((r + 1)((2^r - 2) K + 2r)/(2r (2^r - 1))), as the first and the last step cannot
 * use all links. K >= 1, 2 <= sigma_r <= 24. */
uint64_t ec_cost_jh_flow_steps(unsigned sigma_r, bool complemented, uint64_t K);

#endif
