/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean ...?": the valid word that a misspelt one is nearest to. */
#ifndef EC_NEAREST_H
#define EC_NEAREST_H

#include <stddef.h>

/* The name of the NULL-terminated list with the smallest edit distance to the first `length`
 * characters of `word` (insertion, deletion, substitution, exchange of neighbours; letters
 * compared without case), or NULL if none is near enough to be worth proposing. */
const char *ec_nearest(const char *word, size_t length, const char *const *names);

/* The same as the end of a sentence: "; did you mean 'torus'?", or "". Returns `buffer`. */
const char *ec_nearest_hint(const char *word, size_t length, const char *const *names, char *buffer,
                            size_t size);

#endif
