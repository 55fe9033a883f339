/* SPDX-License-Identifier: Apache-2.0 */
/* Records: one JSON object per result, filled key by key, printed as JSON or as a row of CSV. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a row of CSV has of a key. */
enum record_column {
    COLUMN, /* one column; a list of checks becomes NAME:VERDICT;... */
    GROUP, /* an object: a column KEY_PART for each part; a list of objects: KEY_NUMBER_PART, from 1
              on; an empty one, or null: nothing */
    LIST,  /* nothing */
};

struct record_key {
    const char *key;
    enum record_column column;
    const char *unit, *definition; /* Markdown */
};

/* The key and the value of a row of a table of keys: X(key, unit, column, value, definition). */
struct record_pair {
    const char *key;
    json_t *value;
};
#define RECORD_PAIR(key, unit, column, value, definition) {key, value},
#define RECORD_KEY(key, unit, column, value, definition)  {key, column, unit, definition},
/* A new object with the rows of a table, whose values are expressions of the caller's variables;
 * NULL if memory ran out. */
#define RECORD(KEYS)                                      record_of((const struct record_pair[]){KEYS(RECORD_PAIR){NULL, NULL}})
/* Its keys, for struct record_key. */
#define RECORD_KEYS(KEYS)                                                                          \
    {                                                                                              \
        KEYS(RECORD_KEY)                                                                           \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
/* Takes ownership of the values, one of which is NULL if memory ran out. */
json_t *record_of(const struct record_pair *pairs);

/* The longer list, or NULL if memory ran out; takes ownership of both. */
json_t *record_append(json_t *list, json_t *value);

/* A list with too many elements for memory: each is made when it is needed. */
struct record_list {
    const char *key;
    uint64_t count; /* places */
    /* The element of a place, null: it has none, NULL: memory ran out. */
    json_t *(*element)(const void *context, uint64_t place);
    const void *context;
};

/* All elements, or NULL if memory ran out. */
json_t *record_collect(const struct record_list *list);

/* Values. A text may come from the user: bytes that are not UTF-8 become '?'. NULL becomes null. */
json_t *record_text(const char *text);
json_t *record_number(uint64_t value);
/* Null unless known. */
json_t *record_number_if(bool known, uint64_t value);
json_t *record_real_if(bool known, double value); /* null, too, unless finite */
json_t *record_boolean_if(bool known, bool value);

/* How numbers with a fraction are printed, for jansson. */
#define RECORD_REAL_FORMAT JSON_REAL_PRECISION(12)

/* Print an object: on one line (JSON lines), or indented. False if memory ran out. */
bool record_print_json(const json_t *object, bool one_line, FILE *out);
/* The same with long lists, of any number: NULL ends them. Each replaces an array at its key. */
bool record_print_lists(const json_t *object, const struct record_list *const *lists, bool one_line,
                        FILE *out);
/* Print a row of CSV (RFC 4180), preceded by the header line on request; null is empty. `keys` ends
 * with an entry without key. False if memory ran out. */
bool record_print_csv(const struct record_key *keys, const json_t *object, bool header, FILE *out);
/* A row, with a header before the first, for each object of a list: the keys of `head` (NULL: none)
 * and its own. */
bool record_print_rows(const struct record_key *keys, const json_t *head, const json_t *list,
                       FILE *out);
