/* SPDX-License-Identifier: Apache-2.0 */
/* What the algorithms for real GSH (processor dimensions only) share. */
#ifndef EC_REAL_H
#define EC_REAL_H

#include "schedule/plan/mover.h"

/* The one cycle that the permutation of p->w is, real, and nothing else moved or inverted. EC_USAGE
 * says what is there instead. */
enum ec_code real_one_cycle(const struct plan *p, struct ec_sdp_cycle *ret,
                            struct ec_error *reterr);

/* Groups of `size` out of `count`; the last may be smaller. */
uint32_t real_groups(uint32_t count, uint32_t size);

enum ec_code real_a2x2(struct plan *p, struct ec_error *reterr);
enum ec_code real_flow(struct plan *p, struct ec_error *reterr);
enum ec_code real_cycle4(struct plan *p, struct ec_error *reterr);
enum ec_code real_crossing(struct plan *p, struct ec_error *reterr);
enum ec_code real_crossing_one_port(struct plan *p, struct ec_error *reterr);

#endif
