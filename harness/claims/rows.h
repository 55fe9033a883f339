/* SPDX-License-Identifier: Apache-2.0 */
/* The claims as read from the files in rows/, one per source, one record per claim. */
#ifndef CLAIMS_ROWS_H
#define CLAIMS_ROWS_H

#include "claims/claims.h"

/* All rows, source by source. */
struct claims_book {
    struct claims_row *rows;
    size_t count;

    char **texts; /* the files, which all strings of the rows point into */
    struct claims_line *lines;
    size_t line_count;
    const char **forms; /* "NAME(A, B) = EXPRESSION" and "GRID: LOOPS", of all files; then NULL */
    size_t form_count;
};

/* Reads all files from `folder`; NULL: the one in the source tree or in the installation. EC_USAGE
 * with FILE:LINE for a malformed record. */
enum ec_code claims_book_open(const char *folder, struct claims_book *ret, struct ec_error *reterr);
void claims_book_close(struct claims_book *book);

/* Does `word` select the row? It is an id, or the start of one followed by '*'. */
bool claims_match(const struct claims_row *row, const char *word);

/* Writes the grid of a row with its names explained. */
void claims_grid_text(const struct claims_row *row, bool full, char *buffer, size_t size);

#endif
