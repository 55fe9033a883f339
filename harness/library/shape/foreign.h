/* SPDX-License-Identifier: Apache-2.0 */
/* A user's router in Verilator's eyes: what it lacks, and which sources it was made of. */
#pragma once

#include <jansson.h>
#include <time.h>

#include "shape/recipe.h"

/* The text of a file in folder `stage` (malloc'd). */
bool ec_stage_text(const char *stage, const char *name, char **ret);

/* What the wrapper connects only if the router has it. */
enum ec_feature {
    EC_FEATURE_TAPS,
    EC_FEATURE_QUIET,
    EC_FEATURE_DYNAMIC,
    EC_FEATURE_STAGES,
    EC_FEATURE_ADDRESS_BITS,
    EC_FEATURE_CLASSES,
    EC_FEATURE_BALANCED,
    EC_FEATURE_TABLE, /* a router without it is only judged by the table */
    EC_FEATURES
};
typedef bool ec_features[EC_FEATURES];

/* A user's router by the names of its ports and parameters, which `has` knows: what it lacks of
 * `features`, and may lack, becomes false. EC_TOOL: it lacks a name that it must have. */
enum ec_code ec_foreign_names(const char *top, bool (*has)(const void *context, const char *name),
                              const void *context, ec_features features, struct ec_error *reterr);

/* Those to try first. Ours has all. A foreign router gets a parameter of version 2 only if its
 * value is not the default, so that one of version 1 may have another parameter of that name. */
void ec_features_of(const struct ec_recipe *r, ec_features ret);

/* The macro of the wrapper for the lack of a feature; NULL: it has one for the feature. */
const char *ec_feature_macro(enum ec_feature feature);

/* After a failed run of Verilator: EC_TOOL if the cause is the name of the router, of a port or of
 * a parameter, with a message that says so. EC_OK: no cause found; what the router lacks of
 * `features`, and may lack, becomes false. */
enum ec_code ec_foreign_explain(const struct ec_recipe *r, const char *stage, ec_features features,
                                struct ec_error *reterr);

/* After a successful one: EC_TOOL if a module came from ecube's own rtl/, or a port has not the
 * width of the contract. Verilator accepts both. */
enum ec_code ec_foreign_check(const struct ec_recipe *r, const char *stage,
                              struct ec_error *reterr);

/* Verilator's list of the files that it has read, in the stage: lines with `S SIZE INODE ...
 * "PATH"`. Other engines write such a list. */
#define EC_SOURCE_FOLDER "cpp"
#define EC_SOURCE_LIST   EC_SOURCE_FOLDER "/Vec_tile__verFiles.dat"

/* {path: checksum} of all sources that Verilator read outside ecube's rtl/, so that a change of an
 * included file is noticed later; and {path: EC_SOURCE_ABSENT} of files that it would read instead
 * if they were there. Verilator was started after `began`: a file that has changed since then gets
 * a checksum that never fits. EC_IO: its list cannot be read. */
enum ec_code ec_foreign_sources(const struct ec_recipe *r, const char *stage,
                                const struct timespec *began, json_t **ret,
                                struct ec_error *reterr);
