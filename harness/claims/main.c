/* SPDX-License-Identifier: Apache-2.0 */
/* The program `ecube-claims`, which `ecube claims` executes.
 *
 * Knows options, the order of work and exit statuses; must not know how a claim is judged. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/workers.h"
#include "claims/print.h"
#include "claims/rows.h"
#include "claims/workers.h"
#include "parts/host.h"
#include "program/options/claims.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/vitals.h"

static enum ec_code check_id(const struct claims_book *book, const char *word, struct ec_error *e)
{
    const char **ids = calloc(book->count + 1, sizeof *ids);
    const size_t length = strlen(word);
    bool known = false, prefix = false;
    char hint[200];
    enum ec_code code = EC_OK;
    if (!ids)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < book->count; i++) {
        ids[i] = book->rows[i].id;
        known |= claims_match(&book->rows[i], word);
        prefix |= strncmp(ids[i], word, length) == 0;
    }
    if (!known) {
        const char *nearest = ec_nearest(word, length, ids);
        ec_nearest_hint(word, length, ids, hint, sizeof hint);
        if (prefix && nearest)
            snprintf(hint, sizeof hint, "; did you mean '%s', or '%.60s*' (all with this prefix)?",
                     nearest, word);
        else if (prefix)
            snprintf(hint, sizeof hint, "; did you mean '%.60s*' (all with this prefix)?", word);
        code = ec_fail(e, EC_USAGE, "unknown claim '%.60s'%s%s", word, hint,
                       *hint ? ""
                             : "; 'ecube claims --list' lists all, and grama.torus* matches all "
                               "claims with that prefix");
    }
    free(ids);
    return code;
}

/* --- The work ------------------------------------------------------------------------------- */

struct state {
    struct claims_request *request;
    const struct claims_book *book;
    struct cli_progress progress;
    const struct claims_row **rows;
    struct claims_finding *findings;
    size_t count, beyond; /* of rows; of them, beyond the papers */
    struct ec_output output;
};

static bool tell_progress(void *context, size_t done, size_t all)
{
    struct state *s = context;
    cli_progress_say(&s->progress, "claims: %zu of %zu", done, all);
    return !cli_interrupted();
}

static bool chosen(const struct claims_request *c, const struct claims_row *row)
{
    for (size_t i = 0; i < c->ids.count; i++) {
        if (claims_match(row, c->ids.at[i]))
            return true;
    }
    return c->ids.count == 0;
}

static enum ec_code select_rows(struct state *s, struct ec_error *e)
{
    const struct claims_book *book = s->book;
    s->rows = calloc(book->count, sizeof *s->rows);
    s->findings = calloc(book->count, sizeof *s->findings);
    if (!s->rows || !s->findings)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < book->count; i++) {
        if (!chosen(s->request, &book->rows[i]))
            continue;
        s->rows[s->count++] = &book->rows[i];
        s->beyond += book->rows[i].beyond;
    }
    if (s->request->table && s->count != 1)
        return ec_fail(e, EC_USAGE, "--table needs exactly one claim; got %zu", s->count);
    return EC_OK;
}

static enum cli_status status_of(const struct state *s)
{
    enum cli_status status = CLI_OK;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->findings[i].row)
            return CLI_INTERRUPTED;
        if (!s->findings[i].as_expected)
            status = CLI_FAILED;
    }
    return status;
}

static enum ec_code write_all(struct state *s, struct ec_error *e)
{
    const struct claims_request *c = s->request;
    const struct cli_claims all = {.findings = s->findings,
                                   .count = s->count,
                                   .beyond = s->beyond,
                                   .full = c->full,
                                   .quiet = c->quiet,
                                   .whole = c->ids.count == 0};
    bool good = true;
    if (c->table && s->findings[0].row && !s->findings[0].table)
        return ec_fail(e, EC_USAGE,
                       "--table: the experiment of %s makes no table; leave out --table to "
                       "see its result",
                       s->rows[0]->id);
    if (c->table)
        good = cli_claims_table(&s->findings[0], s->output.file);
    else if (c->format == CLAIMS_JSON)
        good = cli_claims_json(&all, s->output.file);
    else if (c->format == CLAIMS_CSV)
        good = cli_claims_csv(&all, s->output.file);
    else if (c->format == CLAIMS_TEXT)
        cli_claims_text(&all, s->output.file);
    else
        cli_claims_markdown(&all, s->output.file);
    if (!good)
        return ec_fail(e, EC_MEMORY, "out of memory while writing a result");
    return ec_output_check(&s->output, e);
}

static enum ec_code write_list(struct state *s, struct ec_error *e)
{
    if (s->request->format != CLAIMS_JSON)
        cli_claims_list(s->rows, s->count, s->output.file);
    else if (!cli_claims_list_json(s->rows, s->count, s->output.file))
        return ec_fail(e, EC_MEMORY, "out of memory while writing a list");
    return ec_output_check(&s->output, e);
}

static enum ec_code judge(struct state *s, struct ec_error *e)
{
    const struct claims_request *c = s->request;
    const struct claims_options options = {.full = c->full,
                                           .rtl = c->rtl,
                                           .top = c->top,
                                           .progress = c->quiet ? NULL : cli_progress_line,
                                           .progress_context = &s->progress};
    const struct claims_plan plan = {.jobs = c->jobs, .progress = tell_progress, .context = s};
    enum ec_code code = claims_prepare(s->rows, s->count, &options, e);
    if (code == EC_OK)
        code = claims_judge_all(s->rows, s->count, &options, &plan, s->findings, e);
    cli_progress_erase(&s->progress);
    return code;
}

static enum ec_code check_files(const struct claims_request *c, struct ec_error *e)
{
    struct cli_files files = {0};
    cli_files_read_all(&files, "--rtl", c->rtl, ',', 0);
    cli_files_write(&files, "--output", c->output, 0);
    cli_files_stdout(&files, c->output);
    const enum ec_code code = cli_files_check(&files, NULL, e);
    return code == EC_OK ? cli_rtl_check(c->rtl, NULL, e) : code;
}

static enum cli_status list_or_judge(struct state *s)
{
    struct ec_error e;
    enum ec_code code = select_rows(s, &e);
    if (code == EC_OK)
        code = check_files(s->request, &e);
    if (code == EC_OK)
        code = ec_vitals_check(&e);
    if (code == EC_OK)
        code = cli_output_open(s->request->output, &s->output, &e);
    if (code != EC_OK)
        return cli_complain(NULL, &e);
    enum cli_status status = CLI_OK;
    if (s->request->list) {
        code = write_list(s, &e);
    } else {
        code = judge(s, &e);
        status = status_of(s);
        if (code == EC_OK)
            code = write_all(s, &e);
    }
    if (code != EC_OK)
        status = cli_complain(NULL, &e);
    if (code == EC_OK && status == CLI_INTERRUPTED)
        cli_output_interrupted(&s->output);
    if (ec_output_end(&s->output, code == EC_OK, &e) != EC_OK)
        return cli_complain(NULL, &e);
    return status;
}

static enum cli_status answer(struct claims_request *c, const struct claims_book *book)
{
    struct state s = {.request = c, .book = book};
    struct ec_error e;
    for (size_t i = 0; i < c->ids.count; i++) {
        if (check_id(book, c->ids.at[i], &e) != EC_OK)
            return cli_complain(NULL, &e);
    }
    cli_interrupt_catch();
    cli_progress_init(&s.progress, c->quiet);
    const enum cli_status status = list_or_judge(&s);
    cli_progress_end(&s.progress);
    for (size_t i = 0; i < s.count; i++)
        claims_finding_close(&s.findings[i]);
    free(s.findings);
    free(s.rows);
    return status;
}

/* For shell completion. Prints nothing if the claims cannot be read. */
static void print_ids(unsigned complete, const char *beginning, FILE *out)
{
    struct claims_book book;
    if (complete != CLI_OWN_WORDS || claims_book_open(NULL, &book, NULL) != EC_OK)
        return;
    for (size_t i = 0; i < book.count; i++)
        cli_print_word(beginning, book.rows[i].id, out);
    claims_book_close(&book);
}

int main(int argc, char **argv)
{
    const uint32_t processors = ec_host_processors();
    struct claims_request c = {.jobs = processors < EC_WORKERS_MAX ? processors : EC_WORKERS_MAX};
    struct claims_book book = {.rows = NULL};
    struct ec_error e;
    int status;
    cli_program_begin();
    if (argc > 2 && strcmp(argv[0], "--complete") == 0) { /* called by `ecube --complete' */
        cli_print_words(&claims_table, claims_table.commands, argc - 1, argv + 1, print_ids,
                        stdout);
        return (int)cli_output_flush(stdout, "standard output");
    }
    if (cli_begin(&claims_table, claims_table.commands, argc, argv, &c.parsed, &status))
        status = (int)(claims_book_open(NULL, &book, &e) == EC_OK ? answer(&c, &book)
                                                                  : cli_complain(NULL, &e));
    claims_book_close(&book);
    cli_words_free(&c.ids);
    cli_words_free(&c.parsed.repeated);
    return status;
}
