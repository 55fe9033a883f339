/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for words in a wrong place or with a wrong separator. Each function returns `buffer`: the
 * end of a message, "; did you mean '--router vcs=2'?", or "" if it knows nothing better. */
#ifndef EC_HINTS_H
#define EC_HINTS_H

#include "base/text.h"

/* A word belongs to an option or to a grammar; a form that begins with "--" is an option. */
struct ec_hint_place {
    const char *word;    /* NULL: the end of the table */
    const char *grammar; /* that has the word: "router", "workload"; NULL: an option */
    const char *form;    /* with @ for the value */
};
extern const struct ec_hint_place ec_hint_places[];

/* The place of a word, unless it is in grammar `here` (NULL: none); NULL: not known. */
const struct ec_hint_place *ec_hint_find(const char *here, struct ec_slice word);

/* The word in its place; without a value, value.at == NULL. `place` NULL: "". */
const char *ec_hint_place(const struct ec_hint_place *place, struct ec_slice value, char *buffer,
                          size_t size);

/* Two words that should have been one: "mesh 8x8", "shift q=3", "vcs=2 depth=4". */
const char *ec_hint_join(const char *first, const char *second, char *buffer, size_t size);

#endif
