/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line of `ecube claims` asks for. */
#pragma once

#include "terminal/options.h"

enum claims_format { CLAIMS_TEXT, CLAIMS_JSON, CLAIMS_CSV, CLAIMS_MARKDOWN };

/* Strings are borrowed from the command line. */
struct claims_request {
    struct cli_parsed parsed;
    struct cli_words ids;  /* and beginnings of ids; owned; none: all claims */
    const char *rtl, *top; /* of another router; NULL: ecube's */
    enum claims_format format;
    uint32_t jobs;      /* processes; 0: as many as there are processors */
    const char *output; /* NULL: standard output */
    bool list, table, quiet, quick, full;
};

extern const struct cli_table claims_table;
