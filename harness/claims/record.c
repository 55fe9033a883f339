/* SPDX-License-Identifier: Apache-2.0 */
/* Prints findings for programs: JSON, CSV, and the tables of experiments. keys.def lists the
 * keys. */

#include <string.h>

#include "base/record.h"
#include "claims/print.h"
#include "program/report/claims.def"

/* null for an empty text. */
static json_t *text_or_null(const char *text)
{
    return record_text(text && *text ? text : NULL);
}

/* The command that judges the claim again. */
static json_t *whole_command(const struct claims_finding *f)
{
    size_t i;
    json_t *command;
    json_array_foreach(f->commands, i, command)
    {
        if (strncmp(json_string_value(command), "ecube claims ", strlen("ecube claims ")) == 0)
            return json_incref(command);
    }
    return json_null();
}

static const struct record_key keys[] = RECORD_KEYS(CLAIM_KEYS);

static json_t *claim_record(const struct claims_finding *f, bool full)
{
    const struct claims_row *row = f->row;
    char grid[900];
    claims_grid_text(row, full, grid, sizeof grid);
    return RECORD(CLAIM_KEYS);
}

bool cli_claims_json(const struct cli_claims *c, FILE *out)
{
    bool good = true;
    for (size_t i = 0; good && i < c->count; i++) {
        if (!c->findings[i].row)
            continue;
        json_t *o = claim_record(&c->findings[i], c->full);
        good = o && record_print_json(o, c->count > 1, out);
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
        json_t *o = claim_record(&c->findings[i], c->full);
        good = o && record_print_csv(keys, o, header, out);
        header = false;
        json_decref(o);
    }
    return good;
}

bool cli_claims_list_json(const struct claims_row *const *rows, size_t count, FILE *out)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        json_t *o = json_pack("{s:s, s:s, s:s}", "id", rows[i]->id, "source", rows[i]->source,
                              "statement", rows[i]->statement);
        good = o && record_print_json(o, true, out);
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
