/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of a user's router and how they are read: files, folders, macros, parameters. */
#pragma once

#include "base/child.h"

struct ec_sources {
    struct ec_args files;      /* in order */
    struct ec_args includes;   /* folders of headers */
    struct ec_args defines;    /* NAME or NAME=VALUE */
    struct ec_args parameters; /* NAME=VALUE, of the router */
    struct ec_args lists;      /* file lists that were read */
    struct ec_args library;    /* words for Verilator: -y FOLDER, -v FILE, +libext+ENDING */
};

/* "a.sv,b.sv" as a NULL-terminated list, in one block that the caller frees. NULL: out of memory.
 */
const char **ec_sources_split(const char *text);

/* The files of `rtl` (NULL-terminated; NULL: none) and what `build` adds, as in ec_shape_options.
 * Every file and folder is looked for here. EC_USAGE; the message names the option, or file and
 * line of a list. Whatever happens, release *ret with ec_sources_free. */
enum ec_code ec_sources_read(const char *const *rtl, const char *build, struct ec_sources *ret,
                             struct ec_error *reterr);
void ec_sources_free(struct ec_sources *s);
