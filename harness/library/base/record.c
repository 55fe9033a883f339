/* SPDX-License-Identifier: Apache-2.0 */
/* Write records as JSON (with jansson) and as CSV. Independent of the keys. */
#include "base/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Values ----------------------------------------------------------------------------------- */

json_t *record_of(const struct record_pair *pairs)
{
    json_t *object = json_object();
    bool good = object != NULL;
    for (; pairs->key; pairs++) /* takes each value, even after a failure */
        good = json_object_set_new_nocheck(object, pairs->key, pairs->value) == 0 && good;
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

json_t *record_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

json_t *record_collect(const struct record_list *list)
{
    json_t *all = json_array();
    for (uint64_t i = 0; all && i < list->count; i++) {
        json_t *value = list->element(list->context, i);
        if (!json_is_null(value))
            all = record_append(all, value);
    }
    return all;
}

json_t *record_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *value = json_string(text);
    if (value)
        return value;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    value = copy ? json_string(copy) : NULL;
    free(copy);
    return value;
}

json_t *record_number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *record_number_if(bool known, uint64_t value)
{
    return known ? record_number(value) : json_null();
}

json_t *record_real_if(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

json_t *record_boolean_if(bool known, bool value)
{
    return known ? json_boolean(value) : json_null();
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Where values begin. */
struct paper {
    FILE *out;
    bool one_line;
    int depth;
};

/* What separates values. */
static void put_break(const struct paper *p)
{
    if (!p->one_line)
        fprintf(p->out, "\n%*s", 2 * p->depth, "");
}

/* jansson indents as if a value stood alone. The only newlines are those of the layout. */
static int put_indented(const char *bytes, size_t size, void *context)
{
    const struct paper *p = context;
    for (const char *end = bytes + size; bytes < end;) {
        const char *line = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *stop = line ? line : end;
        fwrite(bytes, 1, (size_t)(stop - bytes), p->out);
        if (line)
            put_break(p);
        bytes = line ? line + 1 : end;
    }
    return 0;
}

static bool put_json(struct paper *p, const json_t *value)
{
    const size_t layout = p->one_line ? JSON_COMPACT : JSON_INDENT(2);
    return json_dump_callback(value, put_indented, p,
                              layout | JSON_ENCODE_ANY | RECORD_REAL_FORMAT) == 0;
}

static bool put_list(struct paper *p, const struct record_list *list)
{
    const char *comma = "";
    bool good = true;
    fputc('[', p->out);
    p->depth++;
    for (uint64_t i = 0; good && i < list->count; i++) {
        json_t *value = list->element(list->context, i);
        if (!json_is_null(value)) {
            fputs(comma, p->out);
            put_break(p);
            good = value && put_json(p, value);
            comma = ",";
        }
        json_decref(value);
    }
    p->depth--;
    if (*comma)
        put_break(p);
    fputc(']', p->out);
    return good;
}

static const struct record_list *list_of(const struct record_list *const *lists, const char *key,
                                         const json_t *value)
{
    while (*lists && strcmp((*lists)->key, key) != 0)
        lists++;
    return json_is_array(value) ? *lists : NULL;
}

bool record_print_lists(const json_t *object, const struct record_list *const *lists, bool one_line,
                        FILE *out)
{
    struct paper p = {.out = out, .one_line = one_line, .depth = 1};
    const char *comma = "", *key;
    json_t *value;
    bool good = true;
    fputc('{', out);
    json_object_foreach((json_t *)object, key, value)
    {
        const struct record_list *list = list_of(lists, key, value);
        fputs(comma, out);
        put_break(&p);
        fprintf(out, one_line ? "\"%s\":" : "\"%s\": ", key);
        good = good && (list ? put_list(&p, list) : put_json(&p, value));
        comma = ",";
    }
    p.depth = 0;
    put_break(&p);
    fputs("}\n", out);
    return good; /* a failed write is noticed where the file is closed */
}

bool record_print_json(const json_t *object, bool one_line, FILE *out)
{
    return record_print_lists(object, &(const struct record_list *){NULL}, one_line, out);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void put_cell(FILE *out, const char *cell)
{
    if (!strpbrk(cell, ",\"\r\n")) {
        fputs(cell, out);
        return;
    }
    fputc('"', out);
    for (; *cell; cell++) {
        if (*cell == '"')
            fputc('"', out);
        fputc(*cell, out);
    }
    fputc('"', out);
}

static bool is_checks(const json_t *value)
{
    return json_object_get(json_array_get(value, 0), "verdict") != NULL;
}

static void put_checks(FILE *out, const json_t *checks)
{
    size_t i;
    json_t *c;
    json_array_foreach(checks, i, c)
    {
        fprintf(out, "%s%s:%s", i ? ";" : "", json_string_value(json_object_get(c, "name")),
                json_string_value(json_object_get(c, "verdict")));
    }
}

static bool put_value(FILE *out, const json_t *value)
{
    if (is_checks(value)) {
        put_checks(out, value);
    } else if (json_is_string(value)) {
        put_cell(out, json_string_value(value));
    } else if (value && !json_is_null(value)) { /* a key that is not there is empty, too */
        char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | RECORD_REAL_FORMAT);
        if (!dumped)
            return false;
        put_cell(out, dumped);
        free(dumped);
    }
    return true;
}

/* The columns of one object: names or values, each after a comma. */
static bool put_parts(FILE *out, const char *name, json_t *object, bool header, const char **comma)
{
    const char *part;
    json_t *inner;
    bool good = true;
    json_object_foreach(object, part, inner)
    {
        fputs(*comma, out);
        *comma = ",";
        if (header)
            fprintf(out, "%s_%s", name, part);
        else
            good &= put_value(out, inner);
    }
    return good;
}

/* The columns of one key. */
static bool put_columns(FILE *out, const struct record_key *k, json_t *value, bool header,
                        const char **comma)
{
    char name[80];
    size_t i;
    json_t *inner;
    bool good = true;
    if (k->column == GROUP && json_is_array(value)) {
        json_array_foreach(value, i, inner)
        {
            snprintf(name, sizeof name, "%s_%zu", k->key, i + 1);
            good &= put_parts(out, name, inner, header, comma);
        }
        return good;
    }
    if (k->column == GROUP)
        return put_parts(out, k->key, value, header, comma);
    fputs(*comma, out);
    *comma = ",";
    if (header)
        fputs(k->key, out);
    return header || put_value(out, value);
}

static bool put_line(FILE *out, const struct record_key *keys, const json_t *object, bool header)
{
    const char *comma = "";
    bool good = true;
    for (size_t i = 0; keys[i].key; i++) {
        if (keys[i].column != LIST)
            good &=
                put_columns(out, &keys[i], json_object_get(object, keys[i].key), header, &comma);
    }
    fputc('\n', out);
    return good;
}

bool record_print_csv(const struct record_key *keys, const json_t *object, bool header, FILE *out)
{
    return (!header || put_line(out, keys, object, true)) && put_line(out, keys, object, false);
}

bool record_print_rows(const struct record_key *keys, const json_t *head, const json_t *list,
                       FILE *out)
{
    bool good = true;
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row)
    {
        json_t *whole = head ? json_copy((json_t *)head) : json_incref(row);
        good = good && whole && (!head || json_object_update(whole, row) == 0) &&
               record_print_csv(keys, whole, i == 0, out);
        json_decref(whole);
    }
    return good;
}
