/* SPDX-License-Identifier: Apache-2.0 */
/* Results for programs: one JSON object per job, and the same as a row of CSV.
 *
 * The keys and their order are a promise (man page, section OUTPUT): the ones before `schema`
 * never change within a schema number, new ones are added behind it. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "program/report/result.h"

/* New references; NULL without memory. */
json_t *cli_record_run(const struct cli_run_result *r);
json_t *cli_record_audit(const struct cli_audit_result *r);

/* A text that may come from the user; null for NULL. */
json_t *cli_record_text(const char *s);

/* The value of `outcome`. */
const char *cli_record_outcome(enum ec_outcome o);

/* Print an object: indented alone, on one line (JSON lines) in a batch. False without memory. */
bool cli_record_print_json(const json_t *record, bool in_batch, FILE *out);

/* Print the row, the header before it if asked for. Objects of numbers become KEY_SUBKEY columns,
 * checks NAME:VERDICT;..., null is empty; lists per link and per packet are left out. */
bool cli_record_print_csv(json_t *record, bool header, FILE *out);

#endif
