/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the audit that looks at the steps of a schedule one by one. */
#ifndef EC_AUDIT_STEPS_H
#define EC_AUDIT_STEPS_H

#include "ecube/audit.h"

/* Messages [first, last) of a workload: those of one step. */
struct audit_step {
    size_t first, last;
};

/* Sets a->max_step_load and, where a step uses it, a->busiest: the channel that the most messages
 * of one step share, that of the earliest step among equals; *ret is that step. EC_MEMORY. */
enum ec_code audit_steps(struct ec_audit *a, const struct ec_topology *t, const struct ec_router *r,
                         const struct ec_workload *w, struct audit_step *ret,
                         struct ec_error *reterr);

#endif
