/* SPDX-License-Identifier: Apache-2.0 */
/* The program `ecube-claims`, which `ecube claims` executes: judges the claims of the literature.
 *
 * Knows options, the order of work and exit statuses; must not know how a claim is judged. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/workers.h"
#include "study/claim_workers.h"
#include "study/print.h"
#include "study/rows.h"
#include "terminal/arguments.h"
#include "terminal/interrupt.h"
#include "terminal/number.h"
#include "terminal/output.h"
#include "terminal/progress.h"
#include "terminal/status.h"

enum format { TEXT, JSON, CSV, MARKDOWN };

struct choice {
    const struct claims_book *book;
    const char **words; /* ids and beginnings of ids; owned list */
    size_t word_count;
    struct claims_options options;
    unsigned format;
    uint32_t jobs;
    const char *output;
    bool list, table, quiet, quick, has_format, has_jobs;
};

enum { KEY_QUICK = 0x100, KEY_FULL, KEY_FORMAT, KEY_JOBS, KEY_LIST, KEY_TABLE, KEY_RTL, KEY_TOP };

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, NULL, 0, "small grids, in less than two minutes (default)", 0},
    {"full", KEY_FULL, NULL, 0, "large grids, in less than half an hour", 0},
    {"jobs", KEY_JOBS, "N", 0, "processes at a time (default: the processors there are)", 0},
    {"list", KEY_LIST, NULL, 0, "show the rows, judge nothing", 1},
    {"table", KEY_TABLE, NULL, 0, "of one claim: the table that its experiment made, as CSV", 1},
    {"format", KEY_FORMAT, "text|json|csv|markdown", 0,
     "for a person (default), for a program, or for docs/REPRODUCTION.md", 1},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 1},
    {"quiet", 'q', NULL, 0, "no progress; of the claims only those that are not as expected", 1},
    {"rtl", KEY_RTL, "FILES", 0, "run on your own router: its sources, separated by commas", 2},
    {"top", KEY_TOP, "NAME", 0, "the module in there that is the router", 2},
    CLI_HELP_OPTION,
    {0},
};

static enum ec_code add_word(struct choice *c, const char *word, struct ec_error *e)
{
    const struct claims_book *book = c->book;
    const char **ids = calloc(book->count + 1, sizeof *ids);
    bool known = false;
    char hint[100];
    enum ec_code code = EC_OK;
    if (!ids)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < book->count; i++) {
        ids[i] = book->rows[i].id;
        known |= claims_match(&book->rows[i], word);
    }
    if (!known) {
        ec_nearest_hint(word, strlen(word), ids, hint, sizeof hint);
        code = ec_fail(e, EC_USAGE, "no claim is called '%.60s'%s%s", word, hint,
                       *hint ? ""
                             : "; `ecube claims --list` names all, grama.torus* means all that "
                               "begin so");
    }
    free(ids);
    c->words[c->word_count++] = word;
    return code;
}

static enum ec_code parse_jobs(struct choice *c, const char *arg, struct ec_error *e)
{
    uint64_t jobs;
    const enum ec_code code = cli_number("--jobs", arg, 1, EC_WORKERS_MAX, &jobs, e);
    if (code == EC_OK)
        c->jobs = (uint32_t)jobs;
    return code;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json", "csv", "markdown", NULL};
    struct cli_parse *input = state->input;
    struct choice *c = input->target;
    switch (key) {
    case KEY_QUICK:
        c->quick = true;
        return 0;
    case KEY_FULL:
        c->options.full = true;
        return 0;
    case KEY_LIST:
        c->list = true;
        return 0;
    case KEY_TABLE:
        c->table = true;
        return 0;
    case 'q':
        c->quiet = true;
        return 0;
    case 'o':
        c->output = arg;
        return 0;
    case KEY_RTL:
        c->options.rtl = arg;
        return 0;
    case KEY_TOP:
        c->options.top = arg;
        return 0;
    case KEY_JOBS:
        c->has_jobs = true;
        return (error_t)parse_jobs(c, arg, input->error);
    case KEY_FORMAT:
        c->has_format = true;
        return (error_t)cli_choice("--format", arg, formats, &c->format, input->error);
    case ARGP_KEY_ARG:
        return (error_t)add_word(c, arg, input->error);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp claims_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[ID|BEGINNING*...]",
    .doc = "Judge the claims of the literature, all or those named: each is predicted, audited and "
           "measured on the routers' RTL, and gets a verdict. One claim alone is shown in full."
           "\vExamples:\n"
           "  ecube claims\n"
           "  ecube claims grama.torus.bound.fwd\n"
           "  ecube claims 'gohil.*' --format csv\n"
           "  ecube claims grama.cube.gain --table\n"
           "\nExit status: 0 every verdict is the expected one; 1 one is not; 2 usage or bad "
           "input; 5 a "
           "tool is missing or a build failed.",
};

/* Options that contradict each other, or have nothing to do. */
static enum ec_code check_whole(const struct choice *c, struct ec_error *e)
{
    const char *judging = c->quick                             ? "quick"
                          : c->options.full                    ? "full"
                          : c->has_jobs                        ? "jobs"
                          : c->table                           ? "table"
                          : c->has_format && c->format != JSON ? "format"
                          : c->quiet                           ? "quiet"
                          : c->options.rtl                     ? "rtl"
                          : c->options.top                     ? "top"
                                                               : NULL;
    if (c->quick && c->options.full)
        return ec_fail(e, EC_USAGE, "--quick and --full are two grids: take one");
    if (c->list && judging)
        return ec_fail(e, EC_USAGE, "--%s with --list, which judges nothing", judging);
    if (c->table && c->has_format && c->format != CSV)
        return ec_fail(e, EC_USAGE, "--table is CSV: it goes without --format");
    return cli_check_own_router(c->options.rtl, c->options.top, e);
}

/* --- The work ------------------------------------------------------------------------------- */

struct state {
    struct choice *choice;
    struct cli_progress progress;
    const struct claims_row **rows;
    struct claims_finding *findings;
    size_t count;
    struct ec_output output;
};

static bool tell_progress(void *context, size_t done, size_t all)
{
    struct state *s = context;
    cli_progress_say(&s->progress, "claims: %zu of %zu", done, all);
    return !cli_interrupted();
}

static bool chosen(const struct choice *c, const struct claims_row *row)
{
    for (size_t i = 0; i < c->word_count; i++) {
        if (claims_match(row, c->words[i]))
            return true;
    }
    return c->word_count == 0;
}

static enum ec_code select_rows(struct state *s, struct ec_error *e)
{
    const struct claims_book *book = s->choice->book;
    s->rows = calloc(book->count, sizeof *s->rows);
    s->findings = calloc(book->count, sizeof *s->findings);
    if (!s->rows || !s->findings)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < book->count; i++) {
        if (chosen(s->choice, &book->rows[i]))
            s->rows[s->count++] = &book->rows[i];
    }
    if (s->choice->table && s->count != 1)
        return ec_fail(e, EC_USAGE, "--table is of one claim, not of %zu", s->count);
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
    const struct choice *c = s->choice;
    const struct cli_claims all = {.findings = s->findings,
                                   .count = s->count,
                                   .full = c->options.full,
                                   .quiet = c->quiet,
                                   .whole = c->word_count == 0};
    bool good = true;
    if (c->table && s->findings[0].row && !s->findings[0].table)
        return ec_fail(e, EC_USAGE,
                       "--table: the experiment of %s makes no table (without --table "
                       "it is shown whole)",
                       s->rows[0]->id);
    if (c->table)
        good = cli_claims_table(&s->findings[0], s->output.file);
    else if (c->format == JSON)
        good = cli_claims_json(&all, s->output.file);
    else if (c->format == CSV)
        good = cli_claims_csv(&all, s->output.file);
    else if (c->format == TEXT)
        cli_claims_text(&all, s->output.file);
    else
        cli_claims_markdown(&all, s->output.file);
    if (!good)
        return ec_fail(e, EC_MEMORY, "out of memory while writing a result");
    return ec_output_check(&s->output, e);
}

static enum ec_code write_list(struct state *s, struct ec_error *e)
{
    if (s->choice->format != JSON)
        cli_claims_list(s->rows, s->count, s->output.file);
    else if (!cli_claims_list_json(s->rows, s->count, s->output.file))
        return ec_fail(e, EC_MEMORY, "out of memory while writing a list");
    return ec_output_check(&s->output, e);
}

static enum ec_code judge(struct state *s, struct ec_error *e)
{
    struct choice *c = s->choice;
    c->options.progress = c->quiet ? NULL : cli_progress_line;
    c->options.progress_context = &s->progress;
    const struct claims_farm farm = {.jobs = c->jobs, .progress = tell_progress, .context = s};
    enum ec_code code = claims_prepare(s->rows, s->count, &c->options, e);
    if (code == EC_OK)
        code = claims_farm(s->rows, s->count, &c->options, &farm, s->findings, e);
    cli_progress_erase(&s->progress);
    return code;
}

static enum cli_status work(struct state *s)
{
    struct ec_error e;
    enum ec_code code = select_rows(s, &e);
    if (code == EC_OK)
        code = cli_output_open(s->choice->output, &s->output, &e);
    if (code != EC_OK)
        return cli_complain(NULL, &e);
    enum cli_status status = CLI_OK;
    if (s->choice->list) {
        code = write_list(s, &e);
    } else {
        code = judge(s, &e);
        status = status_of(s);
        if (code == EC_OK)
            code = write_all(s, &e);
    }
    if (code != EC_OK)
        status = cli_complain(NULL, &e);
    if (ec_output_end(&s->output, code == EC_OK, &e) != EC_OK)
        return cli_complain(NULL, &e);
    return status;
}

static const struct cli_command command = {.name = "claims", .argp = &claims_argp};

static int judge_claims(int argc, char **argv, struct choice *c)
{
    struct state s = {.choice = c};
    struct ec_error e;
    int status;
    if (!cli_arguments_begin(&command, argc, argv, c, &status))
        return status;
    if (check_whole(c, &e) != EC_OK)
        return (int)cli_complain(NULL, &e);
    cli_interrupt_catch();
    cli_progress_init(&s.progress, c->quiet);
    status = (int)work(&s);
    cli_progress_end(&s.progress);
    for (size_t i = 0; i < s.count; i++)
        claims_finding_close(&s.findings[i]);
    free(s.findings);
    free(s.rows);
    return status;
}

int main(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct claims_book book = {.rows = NULL};
    struct choice c = {.book = &book,
                       .jobs = processors > 0 && processors <= EC_WORKERS_MAX ? (uint32_t)processors
                                                                              : 1};
    struct ec_error e;
    cli_program_begin();
    enum ec_code code = claims_book_open(NULL, &book, &e);
    c.words = calloc((size_t)argc + 1, sizeof *c.words);
    if (code == EC_OK && !c.words)
        code = ec_fail(&e, EC_MEMORY, "out of memory");
    const int status = code == EC_OK ? judge_claims(argc, argv, &c) : (int)cli_complain(NULL, &e);
    free(c.words);
    claims_book_close(&book);
    return status;
}
