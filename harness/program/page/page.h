/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one HTML file: the page, its style and script, the library d3 and the data, without
 * a reference to anything outside.
 *
 * Part of the program; uses public headers, recordings and the records of base only. A build
 * without d3 has no page. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "page/recording.h"

/* EC_TOOL: this build has no page; the message names the remedy. */
enum ec_code page_available(struct ec_error *reterr);

struct page_data {
    const char *kind; /* "run", "sweep", "regress" or "compare" */
    const char *title, *command, *version;
    const json_t *result;     /* the record of the command */
    bool replayed;            /* made from a stored result */
    const char *const *notes; /* what was left out of the result; NULL-terminated, or NULL */

    struct page_run
        run; /* of a run or of side A; without a recording the page shows the result only */
};

/* False: out of memory. The caller checks whether the file was written. */
bool page_write(const struct page_data *data, FILE *out);
