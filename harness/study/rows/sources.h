/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of rows, one file each. */
#ifndef CLAIMS_SOURCES_H
#define CLAIMS_SOURCES_H

#include "study/claims.h"

extern const struct claims_table claims_grama, claims_gohil, claims_gergel, claims_jh_bounds,
    claims_jh_mixed, claims_jh_multi, claims_jh_real, claims_jh_machine, claims_ours, claims_errata;

/* For the end of a file of rows. */
#define CLAIMS_TABLE(name, source_, rows_)                                                         \
    const struct claims_table name = {                                                             \
        .source = source_, .rows = rows_, .count = sizeof rows_ / sizeof *rows_}

#endif
