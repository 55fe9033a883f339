/* SPDX-License-Identifier: Apache-2.0 */
/* Judges many rows at once, each in a process of its own. */
#ifndef CLAIMS_WORKERS_H
#define CLAIMS_WORKERS_H

#include "study/claims.h"

struct claims_plan {
    unsigned jobs; /* processes at a time, at least 1 */
    /* Called whenever a row is done and about every 100 ms; false ends it all. */
    bool (*progress)(void *context, size_t done, size_t all);
    void *context;
};

/* Judge the rows; findings has room for `count`. A process that dies takes its row with it: the
 * finding says "not run" and why. What was not finished when progress said false has a finding
 * whose row is NULL. The caller closes the findings. */
enum ec_code claims_judge_all(const struct claims_row *const *rows, size_t count,
                              const struct claims_options *options, const struct claims_plan *plan,
                              struct claims_finding *findings, struct ec_error *reterr);

/* Build the router shapes that these rows need before any process asks for them. */
enum ec_code claims_prepare(const struct claims_row *const *rows, size_t count,
                            const struct claims_options *options, struct ec_error *reterr);

/* A finding as JSON for the way between processes, and back. NULL and false without memory. */
json_t *claims_finding_pack(const struct claims_finding *f);
bool claims_finding_unpack(json_t *packed, const struct claims_row *row,
                           struct claims_finding *ret);

#endif
