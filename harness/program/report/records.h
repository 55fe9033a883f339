/* SPDX-License-Identifier: Apache-2.0 */
/* Results for programs: the JSON records of runs, audits and comparisons, and their keys. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "base/record.h"
#include "program/report/compared.h"
#include "program/report/result.h"

/* New references; NULL if memory ran out. */
json_t *cli_record_run(const struct cli_run_result *r);
json_t *cli_record_audit(const struct cli_audit_result *r);
json_t *cli_record_compare(const struct cli_compared *r);

/* The keys in their order, ended by an entry without key. */
extern const struct record_key cli_run_keys[], cli_audit_keys[], cli_compare_keys[];

#endif
