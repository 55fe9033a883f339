/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar KEY=VALUE,... of router options, workloads, algorithms and sides of a comparison, and
 * the wording of its errors. */
#pragma once

#include "base/text.h"
#include "ecube/error.h"

/* A list takes what follows up to the next KEY=: it may contain the separator. */
enum ec_value_type {
    EC_VALUE_TEXT,
    EC_VALUE_LIST,
    EC_VALUE_NUMBER,
    EC_VALUE_FRACTION,
    EC_VALUE_CHOICE
};

struct ec_key {
    const char *name;
    enum ec_value_type type;
    uint64_t least, most; /* EC_VALUE_NUMBER: both inclusive; EC_VALUE_FRACTION: 0 < x <= most */
    const char *const *choices; /* EC_VALUE_CHOICE: the words, ended by NULL */
    const char *expected; /* description of the value for messages; NULL: derived from the type */
};

struct ec_grammar {
    const char *what; /* "router", "workload": messages begin with this */
    const char *name; /* then follows this, unless it is NULL: "shift" */
    const struct ec_key *keys;
    size_t count;             /* of keys, at most 32 */
    unsigned taken, required; /* bit k: key k may be given, must be given */
    char separator;           /* between keys; 0: a comma */
};

/* Split `text` at the separators; the value of key k goes to values[k], which has .at == NULL if
 * the key is not given. text.at == NULL: no keys. EC_USAGE: an unknown, repeated, empty or missing
 * key. */
enum ec_code ec_keyvalue_split(const struct ec_grammar *g, struct ec_slice text,
                               struct ec_slice *values, struct ec_error *reterr);

/* The value of a number or, as an index, of a choice. EC_USAGE unless it satisfies `key`. */
enum ec_code ec_keyvalue_read(const struct ec_grammar *g, const struct ec_key *key,
                              struct ec_slice value, uint64_t *ret, struct ec_error *reterr);
enum ec_code ec_keyvalue_fraction(const struct ec_grammar *g, const struct ec_key *key,
                                  struct ec_slice value, double *ret, struct ec_error *reterr);

/* EC_USAGE: "WHAT NAME: KEY=VALUE: expected EXPECTED". */
enum ec_code ec_keyvalue_refuse(const struct ec_grammar *g, const struct ec_key *key,
                                struct ec_slice value, const char *expected,
                                struct ec_error *reterr);

/* EC_USAGE: "unknown WHAT 'NAME': expected ...", with the nearest of `names` (ended by NULL). Long
 * lists are not printed: `list` names the command that shows them; NULL prints all names. */
enum ec_code ec_keyvalue_unknown(const char *what, struct ec_slice name, const char *const *names,
                                 const char *list, struct ec_error *reterr);

/* `text`, KEY=VALUE,..., with this pair in place of that of the key, or at the end; malloc'd. NULL:
 * out of memory. */
char *ec_keyvalue_set(const char *text, struct ec_slice key, struct ec_slice value);
/* The same for NAME[:KEY=VALUE,...]. */
char *ec_keyvalue_set_named(const char *text, struct ec_slice key, struct ec_slice value);
