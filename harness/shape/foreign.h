/* SPDX-License-Identifier: Apache-2.0 */
/* A user's router in Verilator's eyes: what it lacks, and which sources it was made of. */
#ifndef EC_SHAPE_FOREIGN_H
#define EC_SHAPE_FOREIGN_H

#include <jansson.h>

#include "shape/recipe.h"

/* The text of a file in folder `stage` (malloc'd). */
bool ec_stage_text(const char *stage, const char *name, char **ret);

/* After a failed run of Verilator: EC_TOOL if the cause is the name of the router, of a port or of
 * a parameter, with a message that says so. EC_OK: no cause found; *ret_taps and *ret_quiet become
 * false if the router lacks the taps or quiet_o, which is allowed. */
enum ec_code ec_foreign_explain(const struct ec_recipe *r, const char *stage, bool *ret_taps,
                                bool *ret_quiet, struct ec_error *reterr);

/* After a successful one: EC_TOOL if a module came from ecube's own rtl/, or a port has not the
 * width of the contract. Verilator accepts both. */
enum ec_code ec_foreign_check(const struct ec_recipe *r, const char *stage,
                              struct ec_error *reterr);

/* {path: checksum} of all sources that Verilator read outside ecube's rtl/, so that a change of an
 * included file is noticed later. NULL if memory is short. */
json_t *ec_foreign_sources(const struct ec_recipe *r, const char *stage);

#endif
