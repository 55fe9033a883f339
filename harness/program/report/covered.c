/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage as text and as JSON: figures for each file, and what is not covered.
 *
 * Knows units; must not know points, processes or where the results go. */
#include "program/report/covered.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static const char *const plurals[EC_KINDS] = {"lines", "branches", "bits", "user points"};

/* Rounded down: 100 % is said of everything only. */
static double percent_of(const struct ec_covered *c)
{
    return c->all ? (double)(c->hit * 1000 / c->all) / 10 : 100;
}

/* A name below the current folder is relative to it. */
static const char *shown(const char *file)
{
    char folder[PATH_MAX];
    const size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    const bool below = length > 0 && strncmp(file, folder, length) == 0 && file[length] == '/';
    return below ? file + length + 1 : file;
}

static void add_all(const struct ec_units *u, struct ec_covered ret[EC_KINDS])
{
    memset(ret, 0, EC_KINDS * sizeof *ret);
    for (size_t i = 0; i < u->count;) {
        struct ec_covered file[EC_KINDS];
        i = ec_units_of_file(u, i, file);
        for (enum ec_kind k = 0; k < EC_KINDS; k++) {
            ret[k].hit += file[k].hit;
            ret[k].all += file[k].all;
        }
    }
}

void cli_line_coverage(const struct ec_units *u, char *buffer, size_t size)
{
    struct ec_covered all[EC_KINDS];
    *buffer = '\0';
    add_all(u, all);
    for (enum ec_kind k = 0; k < EC_KINDS; k++) {
        if (all[k].all > 0)
            ec_append(buffer, size, "%s%s %zu of %zu (%.1f %%)", *buffer ? ", " : "", plurals[k],
                      all[k].hit, all[k].all, percent_of(&all[k]));
    }
    if (!*buffer)
        snprintf(buffer, size, "no points");
}

/* --- Text ------------------------------------------------------------------------------------- */

enum { COLUMN = 22 };

static void put_row(const char *name, const struct ec_covered row[EC_KINDS],
                    const struct ec_covered all[EC_KINDS], FILE *out)
{
    for (enum ec_kind k = 0; k < EC_KINDS; k++) {
        char text[64] = "-";
        if (all[k].all == 0)
            continue;
        if (row[k].all > 0)
            snprintf(text, sizeof text, "%zu/%zu %5.1f %%", row[k].hit, row[k].all,
                     percent_of(&row[k]));
        fprintf(out, "%*s", COLUMN, text);
    }
    fprintf(out, "  %s\n", name);
}

static void put_heading(const struct ec_covered all[EC_KINDS], FILE *out)
{
    for (enum ec_kind k = 0; k < EC_KINDS; k++) {
        if (all[k].all > 0)
            fprintf(out, "%*s", COLUMN, plurals[k]);
    }
    fprintf(out, "  file\n");
}

static void put_uncovered(const struct ec_units *u, enum ec_kind kind, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < u->count; i++)
        count += u->at[i].kind == kind && u->at[i].hits == 0;
    if (count == 0)
        return;
    fprintf(out, "\n%s not covered: %zu\n", plurals[kind], count);
    for (size_t i = 0; i < u->count; i++) {
        const struct ec_unit *at = &u->at[i];
        if (at->kind == kind && at->hits == 0)
            fprintf(out, "  %s:%" PRIu32 "%s%s\n", shown(at->file), at->line,
                    at->name[0] ? " " : "", at->name);
    }
}

void cli_text_coverage(const struct ec_units *u, FILE *out)
{
    struct ec_covered all[EC_KINDS], row[EC_KINDS];
    add_all(u, all);
    put_heading(all, out);
    for (size_t i = 0, next; i < u->count; i = next) {
        next = ec_units_of_file(u, i, row);
        put_row(shown(u->at[i].file), row, all, out);
    }
    put_row("all", all, all, out);
    for (enum ec_kind k = 0; k < EC_KINDS; k++)
        put_uncovered(u, k, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *figures(const struct ec_covered row[EC_KINDS])
{
    json_t *o = json_object();
    for (enum ec_kind k = 0; k < EC_KINDS; k++) {
        if (row[k].all > 0)
            json_object_set_new(o, ec_kind_name(k),
                                json_pack("{s:I, s:I, s:f}", "covered", (json_int_t)row[k].hit,
                                          "all", (json_int_t)row[k].all, "percent",
                                          percent_of(&row[k])));
    }
    return o;
}

static json_t *files(const struct ec_units *u)
{
    json_t *list = json_array();
    struct ec_covered row[EC_KINDS];
    for (size_t i = 0, next; i < u->count; i = next) {
        next = ec_units_of_file(u, i, row);
        json_t *o = figures(row);
        json_object_set_new(o, "file", json_string(shown(u->at[i].file)));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *uncovered(const struct ec_units *u)
{
    json_t *list = json_array();
    for (size_t i = 0; i < u->count; i++) {
        const struct ec_unit *at = &u->at[i];
        if (at->hits == 0)
            json_array_append_new(list, json_pack("{s:s, s:I, s:s, s:s}", "file", shown(at->file),
                                                  "line", (json_int_t)at->line, "kind",
                                                  ec_kind_name(at->kind), "name", at->name));
    }
    return list;
}

bool cli_record_coverage(const struct ec_units *u, FILE *out)
{
    struct ec_covered all[EC_KINDS];
    add_all(u, all);
    json_t *o = json_pack("{s:i, s:o, s:o, s:o}", "schema", 1, "all", figures(all), "files",
                          files(u), "uncovered", uncovered(u));
    if (!o)
        return false;
    json_dumpf(o, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(o);
    return true;
}
