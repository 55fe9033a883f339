/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers from a file, one at a time, in constant memory for any file.
 *
 * A row is a fixed number of decimal numbers separated by commas. Blanks around numbers, empty
 * lines, comments from '#' to the end of the line, CRLF and a byte order mark are allowed; so is a
 * header with the names of the columns before the first row. */
#ifndef EC_CSV_H
#define EC_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "ecube/error.h"

#define EC_CSV_COLUMNS_MAX 4

struct ec_csv_column {
    const char *name, *other_name; /* in a header; other_name may be NULL */
    const char *what;              /* for messages: "a node (0 to 15)" */
    uint64_t least, most;
};

struct ec_csv {
    FILE *file; /* owned */
    char *path; /* owned */
    const struct ec_csv_column *columns;
    unsigned column_count;
    uint64_t line; /* number of the line read last */
    bool begun;    /* a header or a row was seen */
};

/* EC_IO if the file cannot be opened. */
enum ec_code ec_csv_open(struct ec_slice path, const struct ec_csv_column *columns, unsigned count,
                         struct ec_csv *ret, struct ec_error *reterr);
void ec_csv_close(struct ec_csv *csv);

/* The next row. *ret_end is set at the end of the file; values[] is then not written. Errors name
 * file and line. */
enum ec_code ec_csv_row(struct ec_csv *csv, uint64_t *values, bool *ret_end,
                        struct ec_error *reterr);

#endif
