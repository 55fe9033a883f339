/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a baseline: its words made into a case, run, and what came out. Knows cases and
 * reports; nothing of the file, nor of what a change means. */
#include "program/regress/run.h"

#include <stdio.h>
#include <string.h>

#include "ecube/compare.h"
#include "ecube/run.h"
#include "program/options/job.h"
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

static void take(const struct ec_report *report, bool open_loop, struct regress_line *l)
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
        take(report, c->workload->open_loop, l);
    ec_report_close(report);
    return code;
}

/* A line's words, as those of a list of runs, made into a case. */
struct row {
    struct cli_words words;
    struct cli_job job;
    struct ec_case *c;
};

static void close_row(struct row *row)
{
    ec_case_close(row->c);
    cli_words_free(&row->words);
    cli_job_free(&row->job);
}

static enum ec_code open_row(const struct regress_runner *r, const struct regress_line *l,
                             struct row *ret, struct ec_error *e)
{
    *ret = (struct row){.job = cli_job_default()};
    ret->job.spec.rtl = r->rtl;
    ret->job.spec.top = r->top;
    ret->job.spec.own_time = true; /* the baseline judges it: another time is no failure */
    enum ec_code code =
        cli_words_put(&ret->words, "run") ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = cli_words_split(l->text, strlen(l->text), &ret->words, e);
    if (code == EC_OK)
        code = cli_parse_line(&cli_table, cli_command_find(&cli_table, "run"), CLI_ROW,
                              (int)ret->words.count, ret->words.at, &ret->job.parsed, e);
    if (code == EC_OK)
        code = ec_case_open(r->session, &ret->job.spec, &ret->c, e);
    if (code != EC_OK)
        close_row(ret);
    return code;
}

enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l, struct ec_error *e)
{
    struct row row;
    enum ec_code code =
        cli_interrupted() ? ec_fail(e, EC_INTERRUPTED, "interrupted") : open_row(r, l, &row, e);
    if (code != EC_OK)
        return code;
    code = run_case(r, row.c, l, e);
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

enum ec_code regress_check(const struct regress_runner *r, struct regress_line *l,
                           struct ec_error *e)
{
    struct row row;
    const enum ec_code code = open_row(r, l, &row, e);
    if (code == EC_OK)
        close_row(&row);
    return code;
}
