/* SPDX-License-Identifier: Apache-2.0 */
/* Judges many rows in parallel, each in its own process. */
#ifndef CLAIMS_WORKERS_H
#define CLAIMS_WORKERS_H

#include "claims/claims.h"

struct claims_plan {
    unsigned jobs; /* processes at a time, at least 1 */
    /* Called after each row and about every 100 ms; false stops the work. */
    bool (*progress)(void *context, size_t done, size_t all);
    void *context;
};

/* Judge the rows; findings has room for `count`. If a process dies or fails, the finding of its row
 * is "not run" and gives the reason. If progress returns false, unfinished rows have a finding
 * whose row is NULL. The caller closes the findings. */
enum ec_code claims_judge_all(const struct claims_row *const *rows, size_t count,
                              const struct claims_options *options, const struct claims_plan *plan,
                              struct claims_finding *findings, struct ec_error *reterr);

/* Build a router before rows that run on RTL are judged: if a tool is missing, the program ends
 * here, and not each row. EC_TOOL, and errors of the cache. */
enum ec_code claims_prepare(const struct claims_row *const *rows, size_t count,
                            const struct claims_options *options, struct ec_error *reterr);

/* Convert a finding to JSON and back, to send it between processes. NULL: out of
 * memory, or a text is not UTF-8; false: not a finding. */
json_t *claims_finding_encode(const struct claims_finding *f);
bool claims_finding_decode(json_t *encoded, const struct claims_row *row,
                           struct claims_finding *ret);

#endif
