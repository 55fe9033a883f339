/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms for real GSH: permutations of processor dimensions only. */
#pragma once

#include "schedule/plan/mover.h"

/* The cycle of p->w, which must be one real cycle, with nothing else moved or inverted. EC_USAGE.
 */
enum ec_code real_one_cycle(const struct plan *p, struct ec_sdp_cycle *ret,
                            struct ec_error *reterr);

/* The number of groups of `size` in `count`; the last may be smaller. */
uint32_t real_groups(uint32_t count, uint32_t size);

enum ec_code real_a2x2(struct plan *p, struct ec_error *reterr);
enum ec_code real_flow(struct plan *p, struct ec_error *reterr);
enum ec_code real_cycle4(struct plan *p, struct ec_error *reterr);
enum ec_code real_crossing(struct plan *p, struct ec_error *reterr);
