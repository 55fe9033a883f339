/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of mixed GSH under test, audited. */
#ifndef EC_MIXED_AUDIT_H
#define EC_MIXED_AUDIT_H

#include "mixed_case.h"

#include "ecube/error.h"
#include "ecube/schedule.h"

/* The schedule of a case is valid and puts every element where it belongs. */
struct ec_schedule_audit blocks_audit(const struct blocks *b, uint32_t layout,
                                      const char *algorithm);
/* The same, if the library does not refuse; EC_USAGE and the message if it does. */
enum ec_code blocks_try(const struct blocks *b, uint32_t layout, const char *algorithm,
                        struct ec_schedule_audit *ret, struct ec_error *reterr);

#endif
