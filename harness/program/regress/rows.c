/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a baseline: each becomes a case that is run, or compared cycle by cycle. Knows cases and
 * reports; must not know the format of the file. */
#include "program/regress/regress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/compare.h"
#include "ecube/run.h"
#include "ecube/systemc.h"
#include "program/options/job.h"
#include "program/runs/comparison.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

static const char *verdict_of(const struct ec_report *report)
{
    switch (cli_status_of_report(report)) {
    case CLI_OK:
        return "pass";
    case CLI_UNSTABLE:
        return report->steady == EC_STEADY_GROWS ? "unstable" : "short";
    case CLI_DEADLOCK:
        return "deadlock";
    default:
        return "fail";
    }
}

static void take_report(const struct ec_report *report, bool open_loop, struct regress_line *l)
{
    struct regress_result r = {
        .known = true,
        .closed = !open_loop,
        .deliveries = ec_report_deliveries(report),
        .cycles = report->cycles,
        .digest = report->digest,
        .taps = report->has_taps,
        .contended = report->contended_cycles,
    };
    snprintf(r.verdict, sizeof r.verdict, "%s", verdict_of(report));
    if (open_loop && report->packet_latency.max == 0) /* no packet takes 0 cycles */
        snprintf(r.latency, sizeof r.latency, "-");
    else
        snprintf(r.latency, sizeof r.latency, "%.2f", report->packet_latency.mean);
    l->is = r;
    l->seconds = report->seconds;
    l->change = regress_judge(&l->was, &l->is);
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &report->checks[i];
        if (c->verdict == EC_VERDICT_FAIL && i != EC_CHECK_STABILITY && !l->detail[0])
            snprintf(l->detail, sizeof l->detail, "%s: %s", ec_check_name(i), c->detail);
    }
}

static enum ec_code run_case(const struct regress_runner *r, struct ec_case *c,
                             struct regress_line *l, struct ec_error *e)
{
    struct ec_report *report;
    struct ec_run_options run = ec_case_run_options(c);
    run.keep_packets = true;
    enum ec_code code = ec_case_run(c, &run, &report, e);
    cli_progress_erase(r->progress);
    if (code != EC_OK)
        return code;
    if (report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(e, EC_INTERRUPTED, "interrupted");
    else
        take_report(report, c->workload->open_loop, l);
    ec_report_close(report);
    return code;
}

/* The words of a row and the job that they describe. */
struct row {
    struct cli_words words;
    struct cli_job job;
};

static void close_row(struct row *row)
{
    cli_words_free(&row->words);
    cli_job_free(&row->job);
}

static enum ec_code read_row(const struct regress_runner *r, const struct regress_line *l,
                             struct row *ret, struct ec_error *e)
{
    *ret = (struct row){.job = cli_job_default()};
    ret->job.spec.rtl = r->rtl;
    ret->job.spec.top = r->top;
    enum ec_code code =
        cli_words_put(&ret->words, "run") ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = cli_words_split(l->text, strlen(l->text), &ret->words, e);
    if (code == EC_OK)
        code = cli_parse_line(&cli_table, cli_command_find(&cli_table, "run"), CLI_ROW,
                              (int)ret->words.count, ret->words.at, &ret->job.parsed, e);
    if (code != EC_OK)
        close_row(ret);
    return code;
}

/* The row as a case, whose strings are those of *ret_row. `trials`: "best" may run its candidates,
 * which only a worker does. */
static enum ec_code open_row(const struct regress_runner *r, const struct regress_line *l,
                             bool trials, struct row *ret_row, struct ec_case **ret,
                             struct ec_error *e)
{
    enum ec_code code = read_row(r, l, ret_row, e);
    if (code != EC_OK)
        return code;
    struct ec_case_spec spec = ret_row->job.spec;
    spec.own_time = true; /* the baseline judges the time, not the closed form */
    spec.no_trials = !trials;
    code = ec_case_open(r->session, &spec, ret, e);
    if (code != EC_OK)
        close_row(ret_row);
    return code;
}

enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l, struct ec_error *e)
{
    struct row row;
    struct ec_case *c;
    enum ec_code code = cli_interrupted() ? ec_fail(e, EC_INTERRUPTED, "interrupted")
                                          : open_row(r, l, true, &row, &c, e);
    if (code != EC_OK)
        return code;
    code = run_case(r, c, l, e);
    ec_case_close(c);
    close_row(&row);
    return code;
}

void regress_died(struct regress_line *l, const char *what)
{
    l->is = (struct regress_result){.known = true, .died = true};
    snprintf(l->is.verdict, sizeof l->is.verdict, "fail");
    snprintf(l->detail, sizeof l->detail, "rtl: %s", what);
    l->change = regress_judge(&l->was, &l->is);
}

enum ec_code regress_check(const struct regress_runner *r, const struct regress_line *l,
                           unsigned line, struct cli_files *files, struct ec_error *e)
{
    struct row row;
    struct ec_case *c;
    const enum ec_code code = open_row(r, l, false, &row, &c, e);
    if (code == EC_OK) {
        cli_job_files(&row.job, line, files);
        ec_case_close(c);
        close_row(&row);
    }
    return code;
}

/* --- The first change ------------------------------------------------------------------------- */

static const struct regress_line *first_of(const struct regress_file *f, enum regress_change change)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].is.known && f->lines[i].change == change)
            return &f->lines[i];
    }
    return NULL;
}

/* A foreign router is compared with ecube's own router, and ecube's own, whose rtl/ was edited,
 * with the model. */
static const char *default_side(const struct regress_runner *r)
{
    if (r->rtl)
        return "tiles";
    return ec_systemc_found() ? "systemc" : NULL;
}

/* "ecube compare SIDE tiles|rtl WORDS...": repeats the comparison. NULL: out of memory. */
static char *command_of(const struct cli_job *job, const struct regress_line *l)
{
    struct cli_words w = {0};
    bool good = cli_words_put(&w, "ecube") && cli_words_put(&w, "compare") &&
                cli_words_put(&w, job->side[0]) && cli_words_put(&w, job->side[1]) &&
                cli_words_split(l->text, strlen(l->text), &w, NULL) == EC_OK;
    if (job->spec.rtl)
        good = good && cli_words_put(&w, "--rtl") && cli_words_put(&w, job->spec.rtl) &&
               cli_words_put(&w, "--top") && cli_words_put(&w, job->spec.top);
    if (job->failure_dir)
        good = good && cli_words_put(&w, "--failure-dir") && cli_words_put(&w, job->failure_dir);
    if (job->no_failure_wave)
        good = good && cli_words_put(&w, "--no-failure-wave");
    char *text = good ? cli_words_quote(w.at, w.count) : NULL;
    cli_words_free(&w);
    return text;
}

static enum ec_code compare(const struct regress_runner *r, struct cli_job *job,
                            const struct regress_line *l, struct ec_error *e)
{
    struct cli_comparison x;
    char *command = command_of(job, l);
    if (!command)
        return ec_fail(e, EC_MEMORY, "out of memory");
    printf("  first      %s\n", command);
    fflush(stdout);
    job->command = command;
    const enum ec_code code = cli_comparison_open(job, r->progress, &x, e);
    if (code == EC_OK) {
        cli_comparison_all(&x, job, NULL, command);
        cli_comparison_close(&x);
    }
    free(command);
    return code;
}

void regress_compare_first(const struct regress_runner *r, const struct regress_file *f,
                           const struct regress_first *how)
{
    const struct regress_line *l = first_of(f, REGRESS_FUNCTION);
    const char *against = how->against ? how->against : default_side(r);
    struct row row;
    struct ec_error e;
    if (!l && how->against)
        l = first_of(f, REGRESS_TIME);
    if (!l || !against) {
        printf("  (--against SIDE compares the first change cycle by cycle: see ecube help "
               "compare)\n");
        return;
    }
    enum ec_code code = read_row(r, l, &row, &e);
    if (code == EC_OK) {
        row.job.side[0] = against;
        row.job.side[1] = r->rtl ? "rtl" : "tiles";
        row.job.failure_dir = how->failure_dir;
        row.job.no_failure_wave = how->no_failure_wave;
        code = compare(r, &row.job, l, &e);
        close_row(&row);
    }
    if (code != EC_OK)
        cli_complain(NULL, &e);
}
