/* SPDX-License-Identifier: Apache-2.0 */
/* Records on paper: JSON by jansson, CSV (RFC 4180) from the same object.
 *
 * Knows shapes of values, no key but those that a row of CSV has no room for. */
#include <stdlib.h>
#include <string.h>

#include "program/report/record.h"

enum { NUMBER_FORMAT = JSON_REAL_PRECISION(12) };

bool cli_record_print_json(const json_t *record, bool in_batch, FILE *out)
{
    size_t layout = in_batch ? JSON_COMPACT : JSON_INDENT(2);
    if (json_dumpf(record, out, layout | NUMBER_FORMAT) != 0)
        return ferror(out) != 0; /* a failed write is noticed where the file is closed */
    fputc('\n', out);
    return true;
}

static bool left_out(const char *key)
{
    static const char *const lists[] = {"waiting",    "failure",  "links", "locals",
                                        "packet_log", "commands", "table", "candidates"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(key, lists[i]) == 0)
            return true;
    }
    return false;
}

/* latency and network_latency: objects whose values are all plain, the same keys in every row. */
static bool is_group(const char *key, const json_t *value)
{
    return json_is_object(value) && strcmp(key, "witness") != 0;
}

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

static bool put_value(FILE *out, const char *key, const json_t *value)
{
    if (strcmp(key, "checks") == 0) {
        put_checks(out, value);
    } else if (json_is_string(value)) {
        put_cell(out, json_string_value(value));
    } else if (!json_is_null(value)) {
        char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | NUMBER_FORMAT);
        if (!dumped)
            return false;
        put_cell(out, dumped);
        free(dumped);
    }
    return true;
}

/* The columns of one key: its name, or its value. */
static bool put_column(FILE *out, const char *comma, const char *key, const char *part,
                       const json_t *value, bool header)
{
    fputs(comma, out);
    if (!header)
        return put_value(out, part ? part : key, value);
    fprintf(out, "%s%s%s", key, part ? "_" : "", part ? part : "");
    return true;
}

static bool put_line(FILE *out, json_t *record, bool header)
{
    const char *key, *part, *comma = "";
    json_t *value, *inner;
    bool good = true;
    json_object_foreach(record, key, value)
    {
        if (left_out(key))
            continue;
        if (!is_group(key, value)) {
            good &= put_column(out, comma, key, NULL, value, header);
        } else {
            json_object_foreach(value, part, inner)
            {
                good &= put_column(out, comma, key, part, inner, header);
                comma = ",";
            }
        }
        comma = ",";
    }
    fputc('\n', out);
    return good;
}

bool cli_record_print_csv(json_t *record, bool header, FILE *out)
{
    return (!header || put_line(out, record, true)) && put_line(out, record, false);
}
