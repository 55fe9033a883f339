/* SPDX-License-Identifier: Apache-2.0 */
/* Records on paper: JSON by jansson, CSV from the same object. Knows no key. */
#include "base/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Values ----------------------------------------------------------------------------------- */

void record_put(struct record *r, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(r->object, key, value) != 0)
        r->failed = true;
}

json_t *record_finish(struct record *r)
{
    if (!r->failed)
        return r->object;
    json_decref(r->object);
    return NULL;
}

json_t *record_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
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

bool record_print_json(const json_t *object, bool one_line, FILE *out)
{
    const size_t layout = one_line ? JSON_COMPACT : JSON_INDENT(2);
    if (json_dumpf(object, out, layout | RECORD_REAL_FORMAT) != 0)
        return ferror(out) != 0; /* a failed write is noticed where the file is closed */
    fputc('\n', out);
    return true;
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
    } else if (!json_is_null(value)) {
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
