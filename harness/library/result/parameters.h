/* SPDX-License-Identifier: Apache-2.0 */
/* Every parameter of a case under its own name: PARAMETER_KEYS of keys.def, which are columns
 * of a run and of a sweep. */
#pragma once

#include <jansson.h>

#include "ecube/session.h"

/* The values by name, in the order of keys.def; null: the parameter does not apply. NULL: out of
 * memory. */
json_t *result_parameters(const struct ec_case *c);

/* The parts of the words of a case, for keys.def. */
/* An open loop with a fixed window. */
bool parameter_window(const struct ec_case *c);
/* Options of the compilation of the user's router; null: none. */
json_t *parameter_build(const struct ec_case *c);
/* What steps the routers. */
json_t *parameter_backend(const struct ec_case *c);
json_t *parameter_family(const struct ec_case *c);
json_t *parameter_radices(const struct ec_case *c);
json_t *parameter_pattern(const struct ec_case *c);
json_t *parameter_sync(const struct ec_case *c);
/* In the units of the machine (struct ec_case_spec); 0: it is not known. Microseconds. */
double result_microseconds(const struct ec_case *c, double cycles);
/* 10^9 bytes a second. */
double result_gigabytes(const struct ec_case *c, double words_per_cycle);
/* Words that the workload sends from node to node, by whatever algorithm. */
double result_payload(const struct ec_workload *w);
/* Words of the workload that a node receives per cycle, on average: in open loop in the window. 0:
 * not known. */
double result_accepted(const struct ec_case *c, const struct ec_report *report);
/* The value of a key: a number, or else a text; null if it does not apply. */
json_t *parameter_router(const struct ec_case *c, const char *key);
/* The same of an option that the text has only if it is not the default. */
json_t *parameter_router_or(const struct ec_case *c, const char *key, const char *otherwise);
json_t *parameter_workload(const struct ec_case *c, const char *key);
