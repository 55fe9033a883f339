/* SPDX-License-Identifier: Apache-2.0 */
/* Prints claims and findings for people. */
#include "claims/print.h"

#include <inttypes.h>
#include <string.h>

#include "terminal/style.h"

enum { INDENT = 13, WIDTH = 100 };

static enum cli_paint paint_of(enum claims_verdict v)
{
    static const enum cli_paint paints[] = {[CLAIMS_HOLDS] = CLI_GOOD,
                                            [CLAIMS_REFUTED] = CLI_WARM,
                                            [CLAIMS_CONDITIONAL] = CLI_WARM,
                                            [CLAIMS_UNVERIFIABLE] = CLI_FAINT,
                                            [CLAIMS_NOT_RUN] = CLI_FAINT};
    return paints[v];
}

/* Wraps text at column INDENT; the first line already starts there. */
static void put_filled(FILE *out, const char *text)
{
    size_t column = INDENT;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column > INDENT && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void put_field(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "%-*s", INDENT, name);
    put_filled(out, text);
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void put_source(FILE *out, const char **last, const struct claims_row *row)
{
    const char *source = row->source;
    if (*last && strcmp(*last, source) == 0)
        return;
    fprintf(out, "%s%s\n", *last ? "\n" : "", source);
    *last = source;
}

void cli_claims_list(const struct claims_row *const *rows, size_t count, FILE *out)
{
    const char *source = NULL;
    size_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        const struct claims_row *r = rows[i];
        beyond += r->beyond;
        put_source(out, &source, r);
        fprintf(out, "%4u %-26s %-12s %s\n", r->number, r->id,
                r->experiment ? claims_verdict_text(r->expected) : "not run", r->statement);
    }
    fprintf(out, "\n%zu claim%s", count - beyond, count - beyond == 1 ? "" : "s");
    if (beyond)
        fprintf(out, " and %zu result%s beyond the papers", beyond, beyond == 1 ? "" : "s");
    fputc('\n', out);
}

/* --- Findings, one line each ------------------------------------------------------------------ */

/* The reason for the verdict, in one line. */
static void put_reason(FILE *out, const struct claims_finding *f)
{
    if (f->verdict == CLAIMS_REFUTED && *f->counterexample)
        fprintf(out, "%s", f->counterexample);
    else if (f->verdict == CLAIMS_CONDITIONAL)
        fprintf(out, "%s", f->row->remark);
    else if (f->verdict == CLAIMS_HOLDS)
        fprintf(out, "%" PRIu64 " case%s%s%s", f->cases, f->cases == 1 ? "" : "s",
                *f->measured ? ", " : "", f->measured);
    else
        fprintf(out, "%s", f->note);
}

static void put_line(FILE *out, const struct cli_style *style, const struct claims_finding *f)
{
    const char *verdict = claims_verdict_text(f->verdict);
    const enum cli_paint paint = f->as_expected ? paint_of(f->verdict) : CLI_BAD;
    fprintf(out, "  %s%-12s%s %-26s ", cli_paint(style, paint), verdict, cli_unpaint(style),
            f->row->id);
    put_reason(out, f);
    fputc('\n', out);
    if (f->as_expected)
        return;
    fprintf(out, "  %sUNEXPECTED%s   expected %s; ", cli_paint(style, CLI_BAD), cli_unpaint(style),
            claims_verdict_text(f->row->expected));
    fprintf(out, "%s\n", f->note);
}

struct totals {
    size_t verdicts[CLAIMS_VERDICT_COUNT], done, covered, unexpected;
};

static struct totals count_up(const struct cli_claims *c, bool beyond)
{
    struct totals t = {.done = 0};
    for (size_t i = 0; i < c->count; i++) {
        const struct claims_finding *f = &c->findings[i];
        if (!f->row || f->row->beyond != beyond)
            continue;
        t.done++;
        t.verdicts[f->verdict]++;
        t.covered += f->verdict != CLAIMS_NOT_RUN;
        t.unexpected += !f->as_expected;
    }
    return t;
}

static void put_totals(FILE *out, const struct totals *t, size_t all)
{
    for (int v = 0; v < CLAIMS_VERDICT_COUNT; v++)
        fprintf(out, "%s %zu, ", claims_verdict_text((enum claims_verdict)v), t->verdicts[v]);
    fprintf(out, "unexpected %zu; covered %zu of %zu\n", t->unexpected, t->covered, all);
}

/* What papers claim, and our results beyond them. */
static void put_summary(FILE *out, const struct cli_claims *c)
{
    const struct totals papers = count_up(c, false), beyond = count_up(c, true);
    const size_t done = papers.done + beyond.done;
    if (done < c->count)
        fprintf(out, "PARTIAL, interrupted after %zu of %zu: ", done, c->count);
    if (c->beyond < c->count)
        put_totals(out, &papers, c->count - c->beyond);
    if (c->beyond) {
        fprintf(out, "beyond the papers: ");
        put_totals(out, &beyond, c->beyond);
    }
}

/* --- One finding in full ---------------------------------------------------------------------- */

static void put_table(FILE *out, const json_t *table)
{
    size_t width[16] = {0}, r, k;
    json_t *row, *cell;
    json_array_foreach(table, r, row)
    {
        json_array_foreach(row, k, cell)
        {
            const size_t length = strlen(json_string_value(cell));
            if (k < 16 && length > width[k])
                width[k] = length;
        }
    }
    json_array_foreach(table, r, row)
    {
        fprintf(out, "%*s", INDENT - 2, "");
        json_array_foreach(row, k, cell)
        {
            fprintf(out, "  %*s", k < 16 ? (int)width[k] : 0, json_string_value(cell));
        }
        fputc('\n', out);
    }
}

/* Source and place. A section that both name is printed once. */
static void put_place(FILE *out, const struct claims_row *row)
{
    const char *source = row->source, *section = strstr(source, ", section ");
    size_t length = strlen(source);
    char text[300];
    if (section && strstr(row->place, section + 2))
        length = (size_t)(section - source);
    snprintf(text, sizeof text, "%.*s, %s (claim %u)", (int)length, source, row->place,
             row->number);
    put_field(out, "source", text);
}

static void put_grid(FILE *out, const struct claims_row *row, bool full, bool used)
{
    char text[900];
    claims_grid_text(row, full, text, sizeof text - 10);
    if (used && *text)
        strcat(text, " (used)");
    put_field(out, full ? "full grid" : "quick grid", text);
}

static void put_whole(FILE *out, const struct cli_style *style, const struct claims_finding *f,
                      bool full)
{
    const struct claims_row *row = f->row;
    const enum cli_paint paint = f->as_expected ? paint_of(f->verdict) : CLI_BAD;
    char text[900];
    size_t i;
    json_t *command;
    fprintf(out, "%s%s%s  %s\n", cli_paint(style, paint), claims_verdict_text(f->verdict),
            cli_unpaint(style), row->id);
    if (!f->as_expected)
        fprintf(out, "%sUNEXPECTED%s: expected %s\n", cli_paint(style, CLI_BAD), cli_unpaint(style),
                claims_verdict_text(row->expected));
    put_place(out, row);
    put_field(out, "statement", row->statement);
    snprintf(text, sizeof text, "%s (S static, T timed on RTL, A arithmetic)", row->check);
    put_field(out, "check", text);
    snprintf(text, sizeof text, "%s (between the numbers below, as stated)", row->relation);
    put_field(out, "relation", text);
    put_grid(out, row, false, !full);
    put_grid(out, row, true, full);
    put_field(out, "predicted", f->predicted);
    put_field(out, "audited", f->audited);
    put_field(out, "measured", f->measured);
    put_field(out, "found", f->note);
    put_field(out, f->verdict == CLAIMS_CONDITIONAL ? "condition" : "remark", row->remark);
    if (f->table)
        put_table(out, f->table);
    json_array_foreach(f->commands, i, command)
    {
        fprintf(out, "%-*s%s\n", INDENT, i ? "" : "commands", json_string_value(command));
    }
}

void cli_claims_text(const struct cli_claims *c, FILE *out)
{
    const struct cli_style style = cli_style_of(out);
    const char *source = NULL;
    if (c->count == 1 && c->findings[0].row && !c->quiet) {
        put_whole(out, &style, &c->findings[0], c->full);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct claims_finding *f = &c->findings[i];
        if (!f->row || (c->quiet && f->as_expected))
            continue;
        put_source(out, &source, f->row);
        put_line(out, &style, f);
    }
    fputs(source ? "\n" : "", out);
    put_summary(out, c);
}
