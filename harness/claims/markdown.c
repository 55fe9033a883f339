/* SPDX-License-Identifier: Apache-2.0 */
/* Prints docs/study/REPRODUCTION.md: all findings as tables. Omits times, so that every run prints
 * the same page. */
#include <string.h>

#include "claims/print.h"

/* Escapes characters that would end the table cell or start a tag. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '*' || *text == '_')
            fputc('\\', out);
        if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
    }
}

static void put_head(FILE *out, const struct cli_claims *c)
{
    fprintf(
        out,
        "# Reproduction\n\n"
        "This page is for readers of the papers. It lists every checkable claim that ecube is\n"
        "based on, with its verdict. `ecube claims --format markdown` generates it on the %s\n"
        "grids; a test fails if it is out of date.\n\n"
        "* **holds**: true on the whole grid. **refuted**: false somewhere; the page shows the\n"
        "  smallest counterexample. **conditional**: true exactly under the given condition; "
        "cases\n"
        "  between the best schedule known and the best bound known are *open* and do not count.\n"
        "  **unverifiable**: cannot be verified here; an equivalent is run instead. **not run**:\n"
        "  needs something that is missing.\n"
        "* *predicted* numbers come from closed forms: cycles from those of ecube, other numbers\n"
        "  from those of the claim or, where it is wrong, its correction. *audited* numbers are\n"
        "  proved from schedules and paths without simulation, *measured* numbers are counted on\n"
        "  the routers' RTL. Each is the range over all cases of the grid.\n"
        "* \"steps: 5, stated at most 4\" in a counterexample means that the experiment found 5\n"
        "  steps and the claim states at most 4.\n"
        "* `ecube claims ID` shows one experiment in full, with commands that reproduce its\n"
        "  numbers, and `--table` prints the numbers of those that have a *table*. `--full` uses\n"
        "  the large grids.\n"
        "* Results of ours that no paper claims come last and are counted apart;\n"
        "  [BEYOND](BEYOND.md) proves them.\n"
        "* Johnsson and Ho were read in a machine transcription of their report; what looks like "
        "an\n"
        "  error of the paper may be one of the transcription.\n"
        "* [GALLERY](GALLERY.md) has the figures and tables of the sources, with commands.\n\n",
        c->full ? "full" : "quick");
}

static void put_counts(FILE *out, const char *name, size_t claims, const size_t *verdicts)
{
    fprintf(out, "| %s | %zu |", name, claims);
    for (int v = 0; v < CLAIMS_VERDICT_COUNT; v++)
        fprintf(out, " %zu |", verdicts[v]);
    fputc('\n', out);
}

/* A line for each source, and one for all that papers claim: before our results beyond them. */
static void put_totals(FILE *out, const struct cli_claims *c)
{
    size_t total[CLAIMS_VERDICT_COUNT] = {0}, i = 0;
    fputs("| source | claims |", out);
    for (int v = 0; v < CLAIMS_VERDICT_COUNT; v++)
        fprintf(out, " %s |", claims_verdict_text((enum claims_verdict)v));
    fputs("\n|---|---|---|---|---|---|---|\n", out);
    while (i < c->count) {
        const struct claims_row *row = c->findings[i].row;
        size_t n[CLAIMS_VERDICT_COUNT] = {0}, begin = i;
        if (row->beyond && i > 0 && !c->findings[i - 1].row->beyond)
            put_counts(out, "**all**", i, total);
        for (; i < c->count && strcmp(c->findings[i].row->source, row->source) == 0; i++) {
            n[c->findings[i].verdict]++;
            total[c->findings[i].verdict]++;
        }
        put_counts(out, row->source, i - begin, n);
    }
    if (c->beyond == 0)
        put_counts(out, "**all**", i, total);
}

static void put_numbers(FILE *out, const struct claims_finding *f)
{
    const struct {
        const char *name, *text;
    } columns[] = {{"predicted", f->predicted}, {"audited", f->audited}, {"measured", f->measured}};
    bool first = true;
    for (size_t i = 0; i < 3; i++) {
        if (!*columns[i].text)
            continue;
        fprintf(out, "%s*%s* ", first ? "" : "<br>", columns[i].name);
        put_cell(out, columns[i].text);
        first = false;
    }
}

static void put_name(FILE *out, const struct claims_finding *f)
{
    fprintf(out, "| %s<br>", f->row->id);
    put_cell(out, f->row->place);
    fputs(" | ", out);
    put_cell(out, f->row->statement);
}

/* Comes first because readers look for it first. */
static void put_refuted(FILE *out, const struct cli_claims *c)
{
    fputs(
        "\n## Refuted claims\n\n"
        "Each command shows the counterexample in its report: the steps, the cycles, the messages\n"
        "that share a link, the longest path, or the defect of a schedule. `ecube draw` shows who\n"
        "sends to whom. Where no single case shows it, `ecube claims` repeats the experiment and\n"
        "names it. The exit status is 1 where the audit finds a schedule WRONG (elements are lost\n"
        "or misplaced), and else 0: a false claim is no failure of ecube.\n\n"
        "| claim | statement | smallest counterexample | command |\n|---|---|---|---|\n",
        out);
    for (size_t i = 0; i < c->count; i++) {
        const struct claims_finding *f = &c->findings[i];
        if (f->verdict != CLAIMS_REFUTED)
            continue;
        put_name(out, f);
        fputs(" | ", out);
        put_cell(out, f->counterexample);
        fprintf(out, " | `%s` |\n", json_string_value(json_array_get(f->commands, 0)));
    }
}

static void put_row(FILE *out, const struct claims_finding *f)
{
    fprintf(out, "| %u ", f->row->number);
    put_name(out, f);
    fprintf(out, " | %s | ", claims_verdict_text(f->verdict));
    put_numbers(out, f);
    fputs(" | ", out);
    put_cell(out, f->note);
    if (*f->row->remark) {
        fputs(f->verdict == CLAIMS_CONDITIONAL ? "<br>*condition* " : "<br>", out);
        put_cell(out, f->row->remark);
    }
    if (f->table)
        fprintf(out, "<br>*table* `ecube claims %s --table`", f->row->id);
    fputs(" |\n", out);
}

static void put_source(FILE *out, const struct cli_claims *c, size_t first, size_t end)
{
    fprintf(out,
            "\n## %s\n\n| # | claim | statement | verdict | numbers | result and remarks "
            "|\n|---|---|---|---|---|---|\n",
            c->findings[first].row->source);
    for (size_t i = first; i < end; i++)
        put_row(out, &c->findings[i]);
}

void cli_claims_markdown(const struct cli_claims *c, FILE *out)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!c->findings[i].row) {
            fputs("Interrupted: not all claims are judged.\n", out);
            return;
        }
    }
    put_head(out, c);
    put_totals(out, c);
    put_refuted(out, c);
    for (size_t i = 0, end; i < c->count; i = end) {
        const char *source = c->findings[i].row->source;
        for (end = i; end < c->count; end++) {
            if (strcmp(c->findings[end].row->source, source) != 0)
                break;
        }
        put_source(out, c, i, end);
    }
}
