/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of the user's text, numbers, and "did you mean ...?". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ec_slice {
    const char *at;
    size_t length;
};

/* Arguments for "%.*s": a slice, clipped to keep the message short. */
#define EC_SHOWN(s) (int)((s).length < 100 ? (s).length : 100), (s).at

struct ec_slice ec_slice_of(const char *text);
bool ec_slice_is(struct ec_slice s, const char *word);

/* Take the part of *rest before `separator` (all of it if there is none); *rest becomes what
 * follows, with at == NULL once nothing follows. False if *rest had ended before. */
bool ec_slice_take(struct ec_slice *rest, char separator, struct ec_slice *ret);

/* Decimal digits only, at most `max`. */
bool ec_slice_number(struct ec_slice s, uint64_t max, uint64_t *ret);

/* A decimal fraction such as 0.25, .5 or 1e-3 (no sign, no hexadecimal, no "inf"). */
bool ec_slice_fraction(struct ec_slice s, double *ret);
/* The same, or in percent: 25%. */
bool ec_slice_part(struct ec_slice s, double *ret);

/* The name of the NULL-terminated list with the smallest edit distance to the first `length`
 * characters of `word` (insertion, deletion, substitution, exchange of neighbours; letters
 * compared without case), or NULL if none is similar enough. */
const char *ec_nearest(const char *word, size_t length, const char *const *names);

/* The same as the end of a sentence: "; did you mean 'torus'?", or "". Returns `buffer`. */
const char *ec_nearest_hint(const char *word, size_t length, const char *const *names, char *buffer,
                            size_t size);

/* The words of the NULL-terminated list as "a, b or c". Returns `buffer`. */
const char *ec_words_or(const char *const *words, char *buffer, size_t size);

/* The word as a shell reads it, quoted where needed. */
void ec_word_quote(struct ec_slice word, FILE *out);

/* Append to the text in a buffer of `size` bytes; what does not fit is cut. */
void ec_append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text as XML or HTML. `ascii`: all but printable ASCII becomes '?'. */
void ec_put_markup(const char *text, bool ascii, FILE *out);

/* --- Hints for words in a wrong place or with a wrong separator ---------------------------------
 */

/* Each function returns `buffer`: the end of a message, "; did you mean '--router vcs=2'?", or ""
 * if it knows nothing better. */

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
