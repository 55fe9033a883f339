/* SPDX-License-Identifier: Apache-2.0 */
/* Every parameter of a case under its own name: the keys PARAMETER of keys.def, which are columns
 * of a run and of a sweep. */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include <jansson.h>

#include "ecube/session.h"

/* The values by name, in the order of keys.def; null: the parameter does not apply. NULL: out of
 * memory. */
json_t *cli_parameters(const struct ec_case *c);

/* A value as a cell of CSV has it, before quoting; malloc'd. NULL: null, or out of memory. */
char *cli_parameter_text(const json_t *value);

/* The parts of the words of a case, for keys.def. */
/* An open loop with a fixed window. */
bool cli_parameter_window(const struct ec_case *c);
/* Options of the compilation of the user's router; null: none. */
json_t *cli_parameter_build(const struct ec_case *c);
json_t *cli_parameter_family(const struct ec_case *c);
json_t *cli_parameter_radices(const struct ec_case *c);
json_t *cli_parameter_pattern(const struct ec_case *c);
json_t *cli_parameter_sync(const struct ec_case *c);
/* The value of a key: a number, or else a text; null if it does not apply. */
json_t *cli_parameter_router(const struct ec_case *c, const char *key);
json_t *cli_parameter_workload(const struct ec_case *c, const char *key);

#endif
