/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers from a file, one at a time; only one row is in memory.
 *
 * A row is a fixed number of decimal numbers separated by commas. Blanks around numbers, empty
 * lines, comments from '#' to the end of the line, CRLF and a byte order mark are allowed; so is a
 * header before the first row. A header names the columns in any order. Some columns exist only in
 * files with a header, and one of these may hold a list of numbers, separated by blanks or ';'. */
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "ecube/error.h"

#define EC_CSV_COLUMNS_MAX 9

struct ec_csv_column {
    const char *name, *other_name; /* in a header; other_name may be NULL */
    const char *what;              /* for messages: "a node (0 to 15)" */
    uint64_t least, most;
    bool optional;      /* may be missing in a header, and empty: the value is then `otherwise` */
    bool named;         /* only in files with a header; also optional */
    bool list;          /* named, and any number of numbers */
    uint64_t otherwise; /* need not be in the range */
};

struct ec_csv {
    FILE *file; /* owned */
    char *path; /* owned */
    const struct ec_csv_column *columns;
    unsigned column_count;
    uint64_t line;                          /* number of the line read last */
    bool begun;                             /* a header or a row was seen */
    unsigned present;                       /* bit i: the file has column i */
    unsigned field_count;                   /* of a row */
    unsigned column_of[EC_CSV_COLUMNS_MAX]; /* [field_count] */
    uint64_t *list;                         /* the numbers of the list in the last row; owned */
    size_t list_count, list_room;
    char *text; /* of a line; owned */
    size_t room;
};

/* EC_IO if the file cannot be opened. */
enum ec_code ec_csv_open(struct ec_slice path, const struct ec_csv_column *columns, unsigned count,
                         struct ec_csv *ret, struct ec_error *reterr);
void ec_csv_close(struct ec_csv *csv);

/* The next row: values[] by column; of a list the number of its entries, which are in csv->list.
 * *ret_end is set at the end of the file; values[] is then not written. Errors name file and line.
 */
enum ec_code ec_csv_row(struct ec_csv *csv, uint64_t *values, bool *ret_end,
                        struct ec_error *reterr);
