/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for programs: JSON, CSV, and the tables of experiments.
 *
 * Knows the keys of schema ecube-claims-1 and their order. */
#include <string.h>

#include "program/report/record.h"
#include "study/print.h"

/* null for nothing. */
static json_t *text_or_null(const char *text)
{
    return text && *text ? json_string(text) : json_null();
}

static json_t *last_command(const struct claims_finding *f)
{
    const size_t n = json_array_size(f->commands);
    return n ? json_incref(json_array_get(f->commands, n - 1)) : json_null();
}

static json_t *record(const struct claims_finding *f, bool full)
{
    const struct claims_row *row = f->row;
    char grid[900];
    claims_grid_text(row, full, grid, sizeof grid);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "id", row->id, "source", claims_source(row),
                          "statement", row->statement, "parameters", grid);
    if (!o)
        return NULL;
    const struct {
        const char *key;
        json_t *value;
    } rest[] = {
        {"predicted", text_or_null(f->predicted)},
        {"audited", text_or_null(f->audited)},
        {"measured", text_or_null(f->measured)},
        {"relation", json_string(row->relation)},
        {"verdict", json_string(claims_verdict_text(f->verdict))},
        {"note", json_string(f->note)},
        {"command", last_command(f)},
        {"seconds", json_real(f->seconds)},
        {"version", json_string(EC_VERSION)},
        {"schema", json_string("ecube-claims-1")},
        {"number", json_integer(row->number)},
        {"place", json_string(row->place)},
        {"check", json_string(row->check)},
        {"expected", json_string(claims_verdict_text(row->expected))},
        {"as_expected", json_boolean(f->as_expected)},
        {"remark", text_or_null(row->remark)},
        {"counterexample", text_or_null(f->counterexample)},
        {"cases", json_integer((json_int_t)f->cases)},
        {"grid", json_string(full ? "full" : "quick")},
        {"commands", json_incref(f->commands)},
        {"table", f->table ? json_incref(f->table) : json_null()},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        good = json_object_set_new(o, rest[i].key, rest[i].value) == 0 && good;
    if (!good) {
        json_decref(o);
        return NULL;
    }
    return o;
}

bool cli_claims_json(const struct cli_claims *c, FILE *out)
{
    bool good = true;
    for (size_t i = 0; good && i < c->count; i++) {
        if (!c->findings[i].row)
            continue;
        json_t *o = record(&c->findings[i], c->full);
        good = o && cli_record_print_json(o, c->count > 1, out);
        json_decref(o);
    }
    return good;
}

bool cli_claims_csv(const struct cli_claims *c, FILE *out)
{
    bool good = true, header = true;
    for (size_t i = 0; good && i < c->count; i++) {
        if (!c->findings[i].row)
            continue;
        json_t *o = record(&c->findings[i], c->full);
        good = o && cli_record_print_csv(o, header, out);
        header = false;
        json_decref(o);
    }
    return good;
}

bool cli_claims_table(const struct claims_finding *f, FILE *out)
{
    size_t r, k;
    json_t *row, *cell;
    if (!f->table)
        return true;
    json_array_foreach(f->table, r, row)
    {
        json_array_foreach(row, k, cell)
        {
            fprintf(out, "%s%s", k ? "," : "", json_string_value(cell));
        }
        fputc('\n', out);
    }
    return true;
}
