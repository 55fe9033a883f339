/* SPDX-License-Identifier: Apache-2.0 */
/* Every parameter of a case under its own name: PARAMETER_KEYS of keys.def, which are columns
 * of a run and of a sweep. */
#ifndef EC_PARAMETERS_H
#define EC_PARAMETERS_H

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
/* The value of a key: a number, or else a text; null if it does not apply. */
json_t *parameter_router(const struct ec_case *c, const char *key);
json_t *parameter_workload(const struct ec_case *c, const char *key);

#endif
