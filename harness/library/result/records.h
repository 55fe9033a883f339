/* SPDX-License-Identifier: Apache-2.0 */
/* Results as objects of jansson, for CSV and for pages; and what several records share. */
#pragma once

#include "base/record.h"
#include "ecube/result.h"
#include "result/keys.def"

/* The lists of channels, sources and packets. LATER: empty, and filled when they are printed. */
enum result_lists { RESULT_LISTS_WHOLE, RESULT_LISTS_LEFT_OUT, RESULT_LISTS_LATER };

/* New references; NULL if memory ran out. */
json_t *result_run(const struct ec_case *c, const struct ec_report *report,
                   const struct ec_result_details *details, enum result_lists lists);
json_t *result_audit(const struct ec_case *c, const struct ec_proofs *p,
                     const struct ec_result_details *details);

/* Their keys in order, ended by an entry without key. */
extern const struct record_key result_run_keys[], result_audit_keys[];

/* About the size of the lists of a run in JSON. */
uint64_t result_run_bytes(const struct ec_case *c);

/* --- Parts of several records ----------------------------------------------------------------- */

json_t *result_candidates(const struct ec_case *c);
json_t *result_check(const char *name, enum ec_verdict verdict, const char *detail);
const char *result_outcome_name(enum ec_outcome outcome);
const char *result_ports_name(enum ec_ports ports);
const char *result_basis_name(enum ec_basis basis);

/* Why a permutation of address bits congests a link, or why not; requires has_bits. */
void result_bits_reason(const struct ec_case *c, const struct ec_proofs *p, char *text,
                        size_t size);
