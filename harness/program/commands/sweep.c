/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube sweep`: curves of latency and accepted load against the rate.
 *
 * Knows the order: check, measure, report. Must not know which rates are measured. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "program/commands/commands.h"
#include "program/sweep/output.h"
#include "program/sweep/plot.h"
#include "program/sweep/rounds.h"
#include "terminal/interrupt.h"

/* No output may be a file that the sweep reads. */
static enum ec_code check_files(const struct sweep_work *w, struct ec_error *e)
{
    const struct cli_job *q = w->job;
    struct cli_files files = {0};
    sweep_files(w, &files);
    cli_files_write(&files, "--output", q->output, 0);
    cli_files_write(&files, "--plot", q->plot, 0);
    cli_files_write(&files, "--follow", q->follow, 0);
    cli_files_stdout(&files, q->output);
    return cli_files_check(&files, NULL, e);
}

static bool put_results(const struct sweep_work *w, struct ec_output *o)
{
    const struct cli_job *q = w->job;
    const struct cli_style style = cli_style_of(o->file);
    if (q->format == CLI_JSON)
        return sweep_json(&w->sweep, w->worst, q->host_figures, o->file);
    if (q->format == CLI_CSV)
        return sweep_csv(&w->sweep, q->host_figures, o->file);
    sweep_text(&w->sweep, q->quiet, &style, o->file);
    return true;
}

static size_t count_points(const struct sweep *s)
{
    size_t points = 0;
    for (size_t i = 0; i < s->curve_count; i++)
        points += s->curves[i].point_count;
    return points;
}

/* Write what was measured, also after an interrupt. `complete`: a slice without points has a file,
 * too. */
static enum cli_status report(const struct sweep_work *w, bool complete, struct ec_output *o)
{
    struct ec_error e;
    const bool any = count_points(&w->sweep) > 0;
    const bool written = any || (complete && w->job->slice);
    if (written && !put_results(w, o)) {
        ec_output_discard(o);
        ec_fail(&e, EC_MEMORY, "out of memory while writing the results");
        return cli_complain(NULL, &e);
    }
    if (any && w->interrupted)
        cli_output_interrupted(o);
    return ec_output_end(o, written, &e) == EC_OK ? CLI_OK : cli_complain(NULL, &e);
}

/* After the results, which a failure here does not lose. */
static enum cli_status plot(const struct sweep_work *w)
{
    struct sweep_csv csv = {.name = ""};
    struct ec_error e;
    if (!w->job->plot || count_points(&w->sweep) == 0)
        return CLI_OK;
    enum ec_code code = EC_OK;
    csv.file = tmpfile();
    if (!csv.file || !sweep_csv(&w->sweep, false, csv.file) || fflush(csv.file) != 0)
        code = ec_fail(&e, EC_IO, "cannot write a temporary file for the plot");
    if (code == EC_OK)
        code = sweep_plot(&csv, 1, w->job->title, w->job->plot, w->interrupted, &e);
    if (csv.file)
        fclose(csv.file);
    return code == EC_OK ? CLI_OK : cli_complain(NULL, &e);
}

static enum ec_code copy(FILE *from, FILE *to, struct ec_error *e)
{
    char bytes[4096];
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, size, to); /* a failure is noticed where the file is closed */
    rewind(from);
    return ferror(from) ? ec_fail(e, EC_IO, "cannot read a stored sweep") : EC_OK;
}

/* The files of all --from A.csv,B.json. */
static enum ec_code open_stored(const struct cli_words *names, struct sweep_csv **ret,
                                size_t *ret_count, struct ec_error *e)
{
    size_t room = 0;
    for (size_t i = 0; i < names->count; i++) {
        char *rest = names->at[i];
        while (rest) {
            struct sweep_csv one = {.name = strsep(&rest, ",")};
            const enum ec_code code = sweep_stored_open(one.name, &one.file, e);
            if (code != EC_OK)
                return code;
            if (!EC_LIST_PUSH(*ret, *ret_count, room, one)) {
                fclose(one.file);
                return ec_fail(e, EC_MEMORY, "out of memory for a list of files");
            }
        }
    }
    return EC_OK;
}

/* --from: a plot, or one file as CSV. */
static enum cli_status use_stored(const struct cli_job *q)
{
    struct ec_output output = {0};
    struct cli_files files = {0};
    struct sweep_csv *csv = NULL;
    size_t count = 0;
    struct ec_error e;
    const bool convert = q->format == CLI_CSV;
    enum ec_code code = q->plot ? sweep_plot_check(q->plot, &e) : EC_OK;
    if (convert ? q->stored.count > 1 || strchr(q->stored.at[0], ',')
                : q->format == CLI_JSON || q->output)
        code = ec_fail(
            &e, EC_USAGE,
            "--from: cannot write %.300s: expected --plot FILE, or --output FILE.csv and one "
            "file to convert",
            q->output ? q->output : "this format");
    for (size_t i = 0; i < q->stored.count; i++)
        cli_files_read_all(&files, "--from", q->stored.at[i], ',', 0);
    cli_files_write(&files, "--output", q->output, 0);
    cli_files_write(&files, "--plot", q->plot, 0);
    if (code == EC_OK)
        code = cli_files_check(&files, NULL, &e);
    cli_files_free(&files);
    if (code == EC_OK)
        code = open_stored(&q->stored, &csv, &count, &e);
    if (code == EC_OK && convert)
        code = cli_output_open(q->output, &output, &e);
    if (code == EC_OK && convert)
        code = copy(csv[0].file, output.file, &e);
    if (code == EC_OK && convert)
        code = ec_output_end(&output, true, &e);
    else
        ec_output_discard(&output);
    if (code == EC_OK && q->plot)
        code = sweep_plot(csv, count, q->title, q->plot, false, &e);
    while (count > 0)
        fclose(csv[--count].file);
    free(csv);
    return code == EC_OK ? CLI_OK : cli_complain(NULL, &e);
}

/* With --output FILE every run is kept in FILE.journal until the sweep is complete. */
static enum ec_code open_journal(struct sweep_work *w, struct ec_error *e)
{
    const char *output = w->job->output;
    if (!output || strcmp(output, "-") == 0)
        return w->job->resume ? ec_fail(e, EC_USAGE, "--resume needs --output FILE") : EC_OK;
    return cli_journal_open(output, w->job->resume, &w->journal, e);
}

static void close_journal(struct sweep_work *w, bool complete)
{
    if (w->journal && !complete && !w->job->quiet && cli_journal_count(w->journal) > 0)
        fprintf(stderr, "ecube: %zu runs are in %s: --resume continues from there\n",
                cli_journal_count(w->journal), cli_journal_path(w->journal));
    cli_journal_close(w->journal, complete, w->job->slice != NULL); /* to be put together */
}

static enum ec_code open_follow(struct sweep_work *w, struct ec_error *e)
{
    const char *name = w->job->follow;
    if (!name)
        return EC_OK;
    w->follow = fopen(name, "we");
    return w->follow
               ? EC_OK
               : ec_fail(e, EC_IO, "--follow: cannot write '%.300s': %s", name, strerror(errno));
}

static enum cli_status sweep(struct sweep_work *w)
{
    struct ec_output output;
    struct ec_error e;
    enum ec_code code = cli_slice_read(w->job->slice, &w->slice, &e);
    if (code == EC_OK && w->job->plot)
        code = sweep_plot_check(w->job->plot, &e);
    if (code == EC_OK)
        code = sweep_prepare(w, &e);
    cli_progress_erase(w->progress);
    if (code == EC_OK)
        code = check_files(w, &e);
    if (code == EC_OK)
        code = open_journal(w, &e);
    if (code == EC_OK)
        code = open_follow(w, &e);
    if (code == EC_OK)
        code = cli_output_open(w->job->output, &output, &e);
    if (code != EC_OK) {
        close_journal(w, false);
        return cli_complain(NULL, &e);
    }
    cli_interrupt_output(output.temporary, NULL);
    code = sweep_measure(w, &e);
    w->interrupted = code == EC_INTERRUPTED;
    cli_progress_erase(w->progress);
    cli_interrupt_output(NULL, NULL);
    const enum cli_status written = report(w, code == EC_OK, &output);
    const enum cli_status drawn = plot(w);
    const enum cli_status status = cli_status_worse(cli_status_worse(w->worst, written), drawn);
    close_journal(w, code == EC_OK && written == CLI_OK);
    return code == EC_OK ? status : cli_status_worse(status, cli_complain(NULL, &e));
}

int cli_sweep(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct cli_progress progress;
    struct sweep_work work = {.job = &job, .progress = &progress};
    struct ec_error e;
    int status;
    job.command = line;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_job_choose_format(&job, true);
        cli_job_share_processors(&job, job.jobs);
        cli_interrupt_catch();
        cli_progress_init(&progress, job.quiet);
        if (job.stored.count > 0)
            status = (int)use_stored(&job);
        else if (cli_progress_session(&progress, &work.session, &e) == EC_OK)
            status = (int)sweep(&work);
        else
            status = (int)cli_complain(NULL, &e);
        cli_progress_end(&progress);
        sweep_work_close(&work);
        ec_session_close(work.session);
    }
    cli_job_free(&job);
    return status;
}
