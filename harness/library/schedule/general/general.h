/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms for any dimension permutation, and the choice among algorithms. */
#pragma once

#include "schedule/plan/plan.h"

/* The schedule with the fewest steps that the algorithms of `families` (ended by NULL) make for
 * `w`; the first of equals. `block`: for those that take it. `one_port`: only algorithms for one
 * port. EC_USAGE if none applies, with the message of the last one. */
enum ec_code general_fastest(const struct ec_topology *t, const struct ec_workload *w,
                             uint32_t block, const struct plan_algorithm *const *families,
                             bool one_port, struct ec_schedule **ret, struct ec_error *reterr);

/* For one port or for all, as the table says. */
enum ec_code general_cycles(struct plan *p, struct ec_error *reterr);
enum ec_code general_cycles_concurrent(struct plan *p, struct ec_error *reterr);
enum ec_code general_aapc_twice(struct plan *p, struct ec_error *reterr);
