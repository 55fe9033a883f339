/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what the tools left behind: their log, and Verilator's list of sources. */
#ifndef ECUBE_SHAPE_LOG_H
#define ECUBE_SHAPE_LOG_H

#include <jansson.h>

#include "shape/recipe.h"

/* A tool failed: keep the log of `stage` as <cache>/logs/<name>.log and fail with its first error
 * line: EC_IO if the disk is full, else EC_TOOL. */
enum ec_code ec_build_log_keep(const char *stage, const char *cache, const char *name,
                               const char *description, struct ec_error *reterr);

/* After a failed Verilator run: does it miss the taps or quiet_o on the router? */
void ec_build_log_missing_pins(const char *stage, bool *ret_taps, bool *ret_quiet);

/* {path: checksum} of all sources that Verilator read outside the recipe's data folder, so that a
 * change of an included file is noticed later. NULL if memory is short. */
json_t *ec_build_foreign_sources(const char *stage, const struct ec_recipe *r);

#endif
