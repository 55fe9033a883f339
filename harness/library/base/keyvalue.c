/* SPDX-License-Identifier: Apache-2.0 */
/* KEY=VALUE,... against a table of keys. Knows types and bounds; must not know what a key means. */
#include "base/keyvalue.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"

#define KEYS_MAX 32

/* "WHAT NAME" of the messages. */
static const char *title(const struct ec_grammar *g, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%.40s", g->what, g->name ? " " : "", g->name ? g->name : "");
    return buffer;
}

/* The names of the keys that are taken, ended by NULL. */
static void list_keys(const struct ec_grammar *g, const char **names)
{
    size_t used = 0;

    for (size_t k = 0; k < g->count && k < KEYS_MAX; k++) {
        if (g->taken >> k & 1)
            names[used++] = g->keys[k].name;
    }
    names[used] = NULL;
}

static const char *expectation(const struct ec_key *key, char *buffer, size_t size)
{
    if (key->expected)
        return key->expected;
    switch (key->type) {
    case EC_VALUE_TEXT:
    case EC_VALUE_LIST:
        snprintf(buffer, size, "%s=...", key->name);
        break;
    case EC_VALUE_NUMBER:
        snprintf(buffer, size, "a whole number from %llu to %llu", (unsigned long long)key->least,
                 (unsigned long long)key->most);
        break;
    case EC_VALUE_FRACTION:
        snprintf(buffer, size, "a number above 0 and at most %llu", (unsigned long long)key->most);
        break;
    case EC_VALUE_CHOICE:
        ec_words_or(key->choices, buffer, size);
        break;
    }
    return buffer;
}

/* "rate=0,1": the comma ended the value of a fraction. */
static bool is_decimal_comma(const struct ec_grammar *g, const struct ec_slice *values,
                             struct ec_slice name, const struct ec_key **ret,
                             struct ec_slice *whole)
{
    uint64_t digits;
    for (size_t k = 0; k < g->count && ec_slice_number(name, UINT64_MAX, &digits); k++) {
        if (g->keys[k].type != EC_VALUE_FRACTION || !values[k].at ||
            values[k].at + values[k].length + 1 != name.at)
            continue;
        *ret = &g->keys[k];
        *whole = values[k];
        return true;
    }
    return false;
}

/* The key that a value without one is probably for: of a whole number the first key, of another the
 * first fraction that is not given. NULL: not known. */
static const struct ec_key *key_of_value(const struct ec_grammar *g, const struct ec_slice *values,
                                         struct ec_slice value)
{
    uint64_t number;
    double real;
    const bool whole = ec_slice_number(value, UINT64_MAX, &number);
    if (!whole && !ec_slice_fraction(value, &real))
        return NULL;
    size_t k = 0;
    while (k < g->count && (!(g->taken >> k & 1) ||
                            (!whole && (values[k].at || g->keys[k].type != EC_VALUE_FRACTION))))
        k++;
    const bool fits =
        k < g->count && !values[k].at && (!whole || g->keys[k].type == EC_VALUE_NUMBER);
    return fits ? &g->keys[k] : NULL;
}

static enum ec_code unknown_key(const struct ec_grammar *g, const struct ec_slice *values,
                                struct ec_slice name, struct ec_slice value,
                                struct ec_error *reterr)
{
    const char *names[KEYS_MAX + 1];
    char head[80], list[160], hint[160];
    const struct ec_key *key;
    struct ec_slice whole;

    title(g, head, sizeof head);
    if (is_decimal_comma(g, values, name, &key, &whole))
        return ec_fail(reterr, EC_USAGE,
                       "%s: %s=%.*s,%.*s: expected a decimal point, %s=%.*s.%.*s, since a comma "
                       "separates keys",
                       head, key->name, EC_SHOWN(whole), EC_SHOWN(name), key->name, EC_SHOWN(whole),
                       EC_SHOWN(name));
    list_keys(g, names);
    ec_hint_place(ec_hint_find(g->what, name), value, hint, sizeof hint);
    key = value.at ? NULL : key_of_value(g, values, name);
    if (key)
        snprintf(hint, sizeof hint, "; did you mean '%.40s%s%s=%.*s'?", g->name ? g->name : "",
                 g->name ? ":" : "", key->name, EC_SHOWN(name));
    else if (!hint[0])
        ec_nearest_hint(name.at, name.length, names, hint, sizeof hint);
    return ec_fail(reterr, EC_USAGE, "%s: unknown key '%.*s': expected %s%s", head, EC_SHOWN(name),
                   names[0] ? ec_words_or(names, list, sizeof list) : "no keys", hint);
}

static enum ec_code take_option(const struct ec_grammar *g, struct ec_slice option,
                                struct ec_slice *values, struct ec_error *reterr)
{
    struct ec_slice value = option, name = {0};
    char head[80], text[160];
    size_t k = 0;

    ec_slice_take(&value, '=', &name);
    while (k < g->count && !(g->taken >> k & 1 && ec_slice_is(name, g->keys[k].name)))
        k++;
    if (k == g->count)
        return unknown_key(g, values, name, value, reterr);
    if (!value.at || value.length == 0)
        return ec_fail(reterr, EC_USAGE, "%s: key '%s' has no value: expected %s",
                       title(g, head, sizeof head), g->keys[k].name,
                       expectation(&g->keys[k], text, sizeof text));
    if (values[k].at)
        return ec_fail(reterr, EC_USAGE, "%s: repeated key '%s': expected it once",
                       title(g, head, sizeof head), g->keys[k].name);
    values[k] = value;
    return EC_OK;
}

/* An item without a key right behind a list belongs to it. */
static bool continues_list(const struct ec_grammar *g, struct ec_slice option,
                           struct ec_slice *values)
{
    for (size_t k = 0; k < g->count && !memchr(option.at, '=', option.length); k++) {
        if (g->keys[k].type == EC_VALUE_LIST && values[k].at &&
            values[k].at + values[k].length + 1 == option.at) {
            values[k].length += 1 + option.length;
            return true;
        }
    }
    return false;
}

enum ec_code ec_keyvalue_split(const struct ec_grammar *g, struct ec_slice text,
                               struct ec_slice *values, struct ec_error *reterr)
{
    struct ec_slice option;
    char head[80], form[160];

    memset(values, 0, g->count * sizeof *values);
    while (ec_slice_take(&text, g->separator ? g->separator : ',', &option)) {
        const enum ec_code code =
            continues_list(g, option, values) ? EC_OK : take_option(g, option, values, reterr);
        if (code)
            return code;
    }
    for (size_t k = 0; k < g->count; k++) {
        if (g->required >> k & 1 && !values[k].at)
            return ec_fail(reterr, EC_USAGE, "%s: missing key '%s': expected %s",
                           title(g, head, sizeof head), g->keys[k].name,
                           expectation(&g->keys[k], form, sizeof form));
    }
    return EC_OK;
}

enum ec_code ec_keyvalue_refuse(const struct ec_grammar *g, const struct ec_key *key,
                                struct ec_slice value, const char *expected,
                                struct ec_error *reterr)
{
    char head[80];

    return ec_fail(reterr, EC_USAGE, "%s: %s=%.*s: expected %s", title(g, head, sizeof head),
                   key->name, EC_SHOWN(value), expected);
}

static enum ec_code refuse(const struct ec_grammar *g, const struct ec_key *key,
                           struct ec_slice value, struct ec_error *reterr)
{
    char text[240], hint[64] = "";
    double part;

    if (expectation(key, text, sizeof text) != text)
        snprintf(text, sizeof text, "%s", key->expected);
    if (key->type == EC_VALUE_CHOICE)
        ec_nearest_hint(value.at, value.length, key->choices, hint, sizeof hint);
    if (key->type == EC_VALUE_FRACTION && value.length && value.at[value.length - 1] == '%' &&
        ec_slice_part(value, &part))
        snprintf(hint, sizeof hint, "; did you mean '%s=%.6g'?", key->name, part);
    ec_append(text, sizeof text, "%s", hint);
    return ec_keyvalue_refuse(g, key, value, text, reterr);
}

enum ec_code ec_keyvalue_read(const struct ec_grammar *g, const struct ec_key *key,
                              struct ec_slice value, uint64_t *ret, struct ec_error *reterr)
{
    uint64_t number;

    if (key->type == EC_VALUE_CHOICE) {
        for (number = 0; key->choices[number]; number++) {
            if (ec_slice_is(value, key->choices[number])) {
                *ret = number;
                return EC_OK;
            }
        }
    } else if (ec_slice_number(value, key->most, &number) && number >= key->least) {
        *ret = number;
        return EC_OK;
    }
    return refuse(g, key, value, reterr);
}

enum ec_code ec_keyvalue_fraction(const struct ec_grammar *g, const struct ec_key *key,
                                  struct ec_slice value, double *ret, struct ec_error *reterr)
{
    double number;

    if (!ec_slice_fraction(value, &number) || !(number > 0 && number <= (double)key->most))
        return refuse(g, key, value, reterr);
    *ret = number;
    return EC_OK;
}

enum ec_code ec_keyvalue_unknown(const char *what, struct ec_slice name, const char *const *names,
                                 const char *list, struct ec_error *reterr)
{
    char all[160], hint[64];

    if (list)
        snprintf(all, sizeof all, "a name that `%s` shows", list);
    else
        ec_words_or(names, all, sizeof all);
    return ec_fail(reterr, EC_USAGE, "unknown %s '%.*s': expected %s%s", what, EC_SHOWN(name), all,
                   ec_nearest_hint(name.at, name.length, names, hint, sizeof hint));
}

char *ec_keyvalue_set(const char *text, struct ec_slice key, struct ec_slice value)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    struct ec_slice rest = ec_slice_of(text), pair;
    const char *gap = "";
    bool set = false;
    if (!out)
        return NULL;
    while (rest.length > 0 && ec_slice_take(&rest, ',', &pair)) {
        struct ec_slice tail = pair, name;
        ec_slice_take(&tail, '=', &name);
        const bool same = name.length == key.length && memcmp(name.at, key.at, key.length) == 0;
        if (same)
            fprintf(out, "%s%.*s=%.*s", gap, (int)key.length, key.at, (int)value.length, value.at);
        else
            fprintf(out, "%s%.*s", gap, (int)pair.length, pair.at);
        set |= same;
        gap = ",";
    }
    if (!set)
        fprintf(out, "%s%.*s=%.*s", gap, (int)key.length, key.at, (int)value.length, value.at);
    (void)ec_memstream_close(out, &result);
    return result;
}

char *ec_keyvalue_set_named(const char *text, struct ec_slice key, struct ec_slice value)
{
    const size_t name = strcspn(text, ":");
    char *result, *pairs = ec_keyvalue_set(text[name] ? text + name + 1 : "", key, value);
    if (!pairs || asprintf(&result, "%.*s:%s", (int)name, text, pairs) < 0)
        result = NULL;
    free(pairs);
    return result;
}
