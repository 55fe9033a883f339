/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube draw`: schedules and paths as pictures.
 *
 * Knows the data behind each picture; harness/program/draw draws it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "draw/draw.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/style.h"

/* The picture; without --what it depends on the case. */
static enum cli_picture choose(const struct cli_job *job, const struct ec_case *c)
{
    if (job->picture)
        return job->picture;
    if (!c->schedule)
        return CLI_PATHS;
    return c->schedule->exchange_count ? CLI_EXCHANGES : CLI_STEPS;
}

static enum ec_code print_panels(FILE *out, const struct cli_job *job, enum cli_format format,
                                 struct panels *p, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    p->columns = job->columns;
    p->millimetres = job->width;
    p->compact = job->compact;
    if (format == CLI_SVG)
        code = panels_svg(out, p, reterr);
    else
        panels_text(out, p);
    panels_close(p);
    return code;
}

static enum ec_code print_grid(FILE *out, const struct cli_job *job, enum cli_format format,
                               struct grid *g, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    g->millimetres = job->width;
    if (format == CLI_SVG)
        code = grid_svg(out, g, reterr);
    else
        grid_text(out, g, cli_line_width(out));
    grid_close(g);
    return code;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

/* The format; without --format it depends on the name of the file. */
static enum ec_code choose_format(const struct cli_job *job, enum cli_format *ret,
                                  struct ec_error *reterr)
{
    static const char *const others[] = {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".ps"};
    const char *name = job->output ? job->output : "";

    const bool given = cli_given(&job->parsed, "format");
    *ret = given ? job->format : ends_in(name, ".svg") ? CLI_SVG : CLI_TEXT;
    for (size_t i = 0; !given && i < sizeof others / sizeof *others; i++) {
        if (ends_in(name, others[i]))
            return ec_fail(reterr, EC_USAGE,
                           "--output '%.200s': expected FILE.svg, or --format with another name "
                           "(rsvg-convert converts it)",
                           name);
    }
    return EC_OK;
}

static bool needs_schedule(enum cli_picture what)
{
    return what == CLI_STEPS || what == CLI_EXCHANGES;
}

/* Errors that are found before the case is opened. */
static enum ec_code check_words(const struct cli_job *job, enum cli_format *ret_format,
                                struct ec_error *reterr)
{
    const bool direct = !job->spec.algorithm || strcmp(job->spec.algorithm, "direct") == 0;
    const bool panels =
        job->picture == CLI_STEPS || job->picture == CLI_PATHS || (!job->picture && direct);
    struct ec_topology t;
    enum ec_code code = choose_format(job, ret_format, reterr);
    if (code == EC_OK && direct && needs_schedule(job->picture))
        return ec_fail(reterr, EC_USAGE,
                       "--what %s needs --algorithm NAME: direct traffic has no steps",
                       cli_choice_word(cli_pictures, job->picture));
    if (code == EC_OK)
        code = ec_topology_parse(job->spec.topology, &t, reterr);
    if (code == EC_OK && panels && *ret_format == CLI_SVG)
        code = panels_svg_check(&t, reterr);
    return code;
}

static enum ec_code fill_panels(enum cli_picture what, const struct ec_case *c, const char *title,
                                struct panels *ret, struct ec_error *reterr)
{
    const struct ec_topology *t = &c->topology;
    enum ec_code code = EC_OK;
    if (what == CLI_STEPS)
        code = panels_of_schedule(t, c->schedule, c->pattern->gray, title, ret, reterr);
    else
        code = panels_of_paths(t, &c->router, c->workload, title, ret, reterr);
    if (code == EC_OK && c->pattern->gray)
        code = panels_add_labels(ret, reterr);
    return code;
}

static enum ec_code draw(FILE *out, const struct cli_job *job, enum cli_format format,
                         struct ec_case *c, struct cli_progress *progress, struct ec_error *reterr)
{
    const enum cli_picture what = choose(job, c);
    struct panels panels;
    struct grid grid;
    char title[700];
    enum ec_code code = EC_OK;
    if (c->workload->open_loop)
        return ec_fail(reterr, EC_USAGE, "only closed workloads can be drawn: remove rate=");
    if (ec_router_has_sets(&c->router))
        return ec_fail(reterr, EC_USAGE,
                       "routing table %s prescribes no path: expected one port in each entry",
                       c->router.table_file);
    snprintf(title, sizeof title, "%s %s%s%s", c->topology_text, c->workload->text,
             job->spec.algorithm ? ", " : "", job->spec.algorithm ? c->algorithm : "");
    if (!c->schedule && needs_schedule(what))
        return ec_fail(reterr, EC_USAGE,
                       "--what %s: '%s' sends directly, without steps; name another algorithm",
                       cli_choice_word(cli_pictures, what), c->algorithm);
    if (job->names == CLI_NAMES_PAPER && what != CLI_EXCHANGES)
        return ec_fail(reterr, EC_USAGE,
                       "--names paper needs --what table and an algorithm with one");
    if (what == CLI_EXCHANGES) {
        code =
            grid_of_exchanges(c->schedule, job->names == CLI_NAMES_PAPER ? c->pattern->sdp : NULL,
                              title, &grid, reterr);
        return code ? code : print_grid(out, job, format, &grid, reterr);
    }
    if (format == CLI_SVG && panels_svg_check(&c->topology, reterr) != EC_OK)
        return EC_USAGE;
    cli_progress_say(progress, "%s: drawing", title);
    code = fill_panels(what, c, title, &panels, reterr);
    return code ? code : print_panels(out, job, format, &panels, reterr);
}

static enum ec_code draw_case(const struct cli_job *job, enum cli_format format, struct ec_case *c,
                              struct cli_progress *progress, struct ec_error *reterr)
{
    struct cli_files files = {0};
    struct ec_output output;
    struct ec_error late;
    cli_job_files(job, 0, &files);
    cli_files_write(&files, "--output", job->output, 0);
    cli_files_stdout(&files, job->output);
    enum ec_code code = cli_files_check(&files, NULL, reterr);
    if (code == EC_OK)
        code = cli_output_open(job->output, &output, reterr);
    if (code != EC_OK)
        return code;
    code = draw(output.file, job, format, c, progress, reterr);
    cli_progress_erase(progress);
    const enum ec_code closed = ec_output_end(&output, code == EC_OK, &late);
    if (code == EC_OK && closed != EC_OK)
        code = ec_fail(reterr, closed, "%s", late.message);
    return code;
}

static enum ec_code draw_all(const struct cli_job *job, struct cli_progress *progress,
                             struct ec_error *reterr)
{
    struct ec_session *session = NULL;
    struct ec_case *c = NULL;
    enum cli_format format;
    enum ec_code code = check_words(job, &format, reterr);
    if (code == EC_OK)
        code = cli_progress_session(progress, &session, reterr);
    if (code == EC_OK)
        code = ec_case_open(session, &job->spec, &c, reterr);
    if (code == EC_OK)
        code = draw_case(job, format, c, progress, reterr);
    ec_case_close(c);
    ec_session_close(session);
    return code;
}

int cli_draw(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct cli_progress progress;
    struct ec_error e;
    int status = 0;
    (void)line;
    job.spec.no_trials = true; /* a picture of "best" runs no candidate */
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_interrupt_catch();
        cli_progress_init(&progress, false);
        const enum ec_code code = draw_all(&job, &progress, &e);
        cli_progress_end(&progress);
        status = code == EC_OK ? CLI_OK : (int)cli_complain(NULL, &e);
    }
    cli_job_free(&job);
    return status;
}
