/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube regress`: a matrix of runs against stored results.
 *
 * Knows the order: run every row, report, store, and compare the first change cycle by cycle. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "ecube/shape.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/regress/regress.h"
#include "program/runs/coverage.h"
#include "program/runs/pool.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

/* --- The runs ------------------------------------------------------------------------------- */

struct state {
    const struct cli_job *job;
    struct cli_progress progress;
    struct regress_runner runner;
    struct regress_file file;
    const char *path;  /* of the baseline */
    size_t *run;       /* [file.runs] the line of each run; owned */
    enum ec_code code; /* EC_OK, or why a run could not be run: */
    struct ec_error error;
    bool call_is_wrong; /* the baseline or a row of it, not the router */
    struct cli_coverage coverage;
    struct ec_output store, junit; /* opened before the first run; without a file: not requested */
};

/* Line i could not be run, so the runs end here. */
static enum ec_code stop_at(struct state *s, size_t i, const struct ec_error *e,
                            struct ec_error *reterr)
{
    struct regress_line *l = &s->file.lines[i];
    l->stopped = true;
    snprintf(l->detail, sizeof l->detail, "%s", e->message);
    return ec_fail(reterr, e->code, "%.200s:%zu: %s", s->path, i + 1, e->message);
}

/* No output may be a file that the regression reads, except the baseline of --update. */
static enum ec_code check_files(struct state *s, struct cli_files *files, struct ec_error *reterr)
{
    const struct cli_job *q = s->job;
    cli_job_files(q, 0, files);
    cli_files_write(files, "--junit", q->junit, 0);
    cli_files_stdout(files, NULL);
    if (q->update)
        cli_files_write(files, "--update", s->path, 0);
    else
        cli_files_read(files, "BASELINE", s->path, 0);
    return cli_files_check(files, s->path, reterr);
}

/* Check the words and files of all rows before the first run. */
static enum ec_code check_all(struct state *s, struct ec_error *reterr)
{
    struct cli_files files = {0};
    struct ec_error e;
    for (size_t i = 0; i < s->file.count; i++) {
        if (!s->file.lines[i].is_run)
            continue;
        cli_progress_say(&s->progress, "%s", s->file.lines[i].text);
        if (regress_check(&s->runner, &s->file, i, &files, &e) != EC_OK) {
            cli_files_free(&files);
            return stop_at(s, i, &e, reterr);
        }
    }
    return check_files(s, &files, reterr);
}

static void run_row(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct state *s = context;
    struct regress_line l = s->file.lines[s->run[item]];
    cli_progress_say(&s->progress, "%s", l.text);
    reply->code = regress_run(&s->runner, &l, &reply->error);
    fwrite(&l, sizeof l, 1, out);
}

/* A row that could not be run ends the runs, unless that was the fault of ecube or of the system:
 * then only its result is unknown. */
static bool row_done(void *context, const struct cli_pool_result *result)
{
    struct state *s = context;
    const size_t i = s->run[result->item];
    struct regress_line *l = &s->file.lines[i];
    if (result->size == sizeof *l) {
        const struct regress_line own = *l;
        memcpy(l, result->bytes, sizeof *l);
        l->text = own.text; /* the result may come from another rank */
        l->twin = own.twin;
    }
    if (result->death)
        regress_died(l, result->death);
    else if (result->reply->code != EC_OK)
        s->code = stop_at(s, i, &result->reply->error, &s->error);
    return result->reply->code == EC_OK || result->reply->code == EC_INTERNAL;
}

/* The runs ended without an error of their own: an interrupt between two runs, or no worker. `why`
 * is the reason if a row was left out. */
static enum ec_code stop_if_left(struct state *s, const struct ec_error *why,
                                 struct ec_error *reterr)
{
    for (size_t i = 0; i < s->file.runs; i++) {
        const struct regress_line *l = &s->file.lines[s->run[i]];
        if (!l->is.known && !l->stopped)
            return stop_at(s, s->run[i], why, reterr);
    }
    return EC_OK;
}

static enum ec_code run_all(struct state *s, struct ec_error *reterr)
{
    const struct cli_pool pool = {.count = s->file.runs,
                                  .jobs = s->job->jobs,
                                  .threads = s->job->spec.threads,
                                  .what = "run",
                                  .list = true,
                                  .progress = &s->progress,
                                  .session = s->runner.session,
                                  .coverage = &s->coverage,
                                  .context = s,
                                  .work = run_row,
                                  .done = row_done};
    size_t count = 0;
    s->run = calloc(s->file.runs, sizeof *s->run);
    if (!s->run)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a regression");
    for (size_t i = 0; i < s->file.count; i++) {
        if (s->file.lines[i].is_run)
            s->run[count++] = i;
    }
    struct ec_error e;
    if (cli_pool_run(&pool, &e) == EC_OK)
        ec_fail(&e, EC_INTERRUPTED, "interrupted"); /* the only other reason to leave out a row */
    regress_judge_twins(&s->file);
    if (s->code == EC_OK)
        return stop_if_left(s, &e, reterr);
    *reterr = s->error;
    return s->code;
}

/* --- The command ---------------------------------------------------------------------------- */

/* Fail before the runs if an output cannot be written. */
static enum ec_code open_outputs(struct state *s, const char *path, struct ec_error *e)
{
    const struct cli_job *q = s->job;
    enum ec_code code = q->update ? cli_output_open(path, &s->store, e) : EC_OK;
    if (code == EC_OK && q->junit)
        code = cli_output_open(q->junit, &s->junit, e);
    return code;
}

static enum ec_code default_path(char *buffer, size_t size, struct ec_error *e)
{
    char data[3000];
    const enum ec_code code = ec_data_path(data, sizeof data, e);
    if (code == EC_OK)
        snprintf(buffer, size, "%s/harness/program/regress/default.txt", data);
    return code;
}

/* Read the baseline. A new one begins with the rows that come with ecube, without results. */
static enum ec_code open_file(struct state *s, const char *path, const char *matrix,
                              struct ec_error *e)
{
    const bool fresh = s->job->update && access(path, F_OK) != 0 && errno == ENOENT;
    const enum ec_code code = regress_file_read(fresh ? matrix : path, &s->file, e);
    for (size_t i = 0; code == EC_OK && fresh && i < s->file.count; i++)
        s->file.lines[i].was.known = false;
    return code;
}

/* What to do about rows that have no result, or that the router rejects. */
static void put_hints(const struct cli_job *q, const struct regress_counts *n,
                      const struct ec_error *stop)
{
    if (n->fresh > 0 && !q->update)
        printf("  (--update%s stores these results%s)\n",
               n->wrong > n->died && !q->accept_failures ? " --accept-failures" : "",
               q->baseline ? " as the baseline" : " in BASELINE");
    if (n->wrong > n->died && q->update && !q->accept_failures)
        printf(
            "  (rows that fail keep their former result: --accept-failures stores the new one)\n");
    if (stop && stop->code == EC_TOOL && !q->baseline && q->spec.top)
        printf(
            "  (a router that does not serve all rows of the matrix that comes with ecube needs a "
            "matrix of its\n   own: a file with lines of TOPOLOGY WORKLOAD [OPTION...], then "
            "ecube regress FILE --update ...)\n");
}

static enum cli_status print_results(struct state *s, const char *path, const struct ec_error *stop)
{
    const struct cli_job *q = s->job;
    const struct regress_counts n = regress_count(&s->file);
    struct ec_error e;
    bool good = true;
    if (q->format != CLI_TEXT)
        regress_warn(&s->file, "ecube: warning: ", stderr);
    if (q->format == CLI_JSON) {
        good = regress_json(&s->file, path, q->update, stdout);
    } else if (q->format == CLI_CSV) {
        good = regress_csv(&s->file, stdout);
    } else {
        regress_text_verdict(&s->file, path, q->update, stdout);
        regress_warn(&s->file, "  warning    ", stdout);
        if (q->quiet)
            return CLI_OK;
        regress_text(&s->file, stdout);
        put_hints(q, &n, stop);
        regress_repeat(&s->file, q);
        if (!q->update && !stop && n.time + n.function > 0)
            return cli_status_of_error(regress_compare_first(&s->runner, &s->file, q));
    }
    if (good)
        return CLI_OK;
    ec_fail(&e, EC_MEMORY, "out of memory while writing the results");
    return cli_complain(NULL, &e);
}

/* --expect deadlock-free: mark the rows that may deadlock. */
static bool meets_expectation(struct state *s, const char *path)
{
    bool met = true;
    for (size_t i = 0; i < s->file.count; i++) {
        struct regress_line *l = &s->file.lines[i];
        struct ec_check x = {0};
        if (!l->is.known || cli_expect_deadlock_free(s->job, l->warning.possible, &x))
            continue;
        l->unexpected = true;
        ec_append(l->detail, sizeof l->detail, "%s%s", *l->detail ? "; " : "", x.detail);
        if (met)
            fprintf(stderr, "ecube: %s:%zu: --expect deadlock-free: %s\n", path, i + 1, x.detail);
        met = false;
    }
    return met;
}

/* `stop`: why not all rows were run; NULL: all were. Results are reported and stored even if the
 * XML file cannot be written. */
static enum cli_status report(struct state *s, const char *path, const struct ec_error *stop)
{
    const struct regress_counts n = regress_count(&s->file);
    const bool met = meets_expectation(s, path);
    struct ec_error e;
    enum cli_status status = CLI_OK;
    if (s->junit.file)
        regress_junit(&s->file, path, s->junit.file);
    if (ec_output_commit(&s->junit, &e) != EC_OK)
        status = cli_complain(NULL, &e);
    if (s->store.file)
        regress_file_write(&s->file, s->store.file);
    if (ec_output_end(&s->store, !stop, &e) != EC_OK)
        return cli_complain(NULL, &e);
    status = cli_status_worse(status, print_results(s, path, stop));
    status = cli_status_worse(status, cli_output_flush(stdout, "standard output"));
    if (stop)
        return cli_status_worse(status, cli_complain(NULL, stop));
    const bool changed = n.fresh + n.time + n.function > 0;
    const bool refused = n.wrong + n.beyond > 0 && !s->job->accept_failures;
    const bool failed = !met || n.died + n.differ > 0 || refused || (changed && !s->job->update);
    return status == CLI_OK && failed ? CLI_FAILED : status;
}

static enum cli_status regress(struct state *s)
{
    struct ec_error e;
    char matrix[4096] = "";
    const char *path = s->job->baseline;
    enum ec_code code = default_path(matrix, sizeof matrix, &e);
    if (!path)
        path = matrix;
    if (code == EC_OK)
        code = cli_rtl_check(s->job->spec.rtl, s->job->spec.build, &e);
    if (code == EC_OK)
        code = cli_folder_check("--failure-dir", s->job->failure_dir, &e);
    if (code == EC_OK && s->job->against) { /* before anything that takes time */
        struct cli_side side;
        code = cli_side_open(s->job->against, &s->job->spec, &side, &e);
        if (code == EC_OK)
            cli_side_close(&side);
    }
    if (code == EC_OK)
        s->call_is_wrong = (code = open_file(s, path, matrix, &e)) == EC_USAGE;
    if (code == EC_OK)
        code = cli_progress_session(&s->progress, &s->runner.session, &e);
    s->path = path;
    s->file.accept = s->job->accept_failures;
    if (code == EC_OK)
        s->call_is_wrong = (code = check_all(s, &e)) == EC_USAGE;
    cli_progress_erase(&s->progress);
    if (code == EC_OK)
        code = open_outputs(s, path, &e);
    if (code == EC_OK)
        code = cli_coverage_open(&s->coverage, s->job, &e);
    if (code != EC_OK)
        return cli_complain(NULL, &e);
    code = run_all(s, &e);
    const enum cli_status status = report(s, path, code == EC_OK ? NULL : &e);
    return cli_status_worse(status, cli_coverage_finish(&s->coverage));
}

/* Wrong usage is the same for all commits: this status ends the bisection. */
enum { BISECT_ABORT = 128 };

/* What `git bisect run` understands. A row that could not be run or has no result to compare with
 * says nothing about the commit, even if another row changed. */
static int bisect_status(const struct state *s, enum cli_status status)
{
    enum { SKIP = 125 };
    const struct regress_counts n = regress_count(&s->file);
    if (status == CLI_OK || status == CLI_INTERRUPTED)
        return (int)status;
    if (s->call_is_wrong)
        return BISECT_ABORT;
    return status == CLI_FAILED && n.stopped == 0 && n.fresh == 0 ? CLI_FAILED : SKIP;
}

static bool bisects(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bisect") == 0)
            return true;
    }
    return false;
}

int cli_regress(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct state s = {.job = &job};
    int status;
    (void)line;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_progress_init(&s.progress, job.quiet);
        cli_job_share_processors(&job, job.jobs);
        s.runner = (struct regress_runner){.rtl = job.spec.rtl,
                                           .top = job.spec.top,
                                           .build = job.spec.build,
                                           .threads = job.spec.threads,
                                           .cover = cli_coverage_kinds(&job),
                                           .engine = job.spec.engine,
                                           .progress = &s.progress};
        cli_interrupt_catch();
        status = (int)regress(&s);
        if (job.bisect)
            status = bisect_status(&s, (enum cli_status)status);
        cli_progress_end(&s.progress);
        ec_output_discard(&s.store);
        ec_output_discard(&s.junit);
        cli_coverage_close(&s.coverage);
        ec_session_close(s.runner.session);
        regress_file_close(&s.file);
        free(s.run);
    } else if (status != CLI_OK && bisects(argc, argv)) {
        status = BISECT_ABORT;
    }
    cli_job_free(&job);
    return status;
}
