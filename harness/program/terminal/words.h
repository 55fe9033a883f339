/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words: command lines split into words, and joined so that a shell can read them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ecube/error.h"

struct cli_words {
    char **at; /* NULL-terminated once not empty; owned, and so is every word */
    size_t count, room;
};

bool cli_words_add(struct cli_words *w, const char *text, size_t length);
bool cli_words_put(struct cli_words *w, const char *word); /* all of it */
void cli_words_free(struct cli_words *w);

/* Split a line at blanks, with '...', "..." and \ as in a shell (nothing is expanded); `#` at
 * the start of a word ends the line. Adds to *w. EC_USAGE: a quote is not closed. */
enum ec_code cli_words_split(const char *line, size_t length, struct cli_words *w,
                             struct ec_error *reterr);

/* The words as one shell command line, quoted where needed; malloc'd, NULL without memory. */
char *cli_words_quote(char *const *words, size_t count);
