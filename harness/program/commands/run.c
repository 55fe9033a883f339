/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube run`: audit, build the routers, simulate, report.
 *
 * Knows the order of these steps and when a run has failed; must not compute numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parts/host.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "program/runs/executor.h"
#include "program/runs/ranks.h"
#include "program/runs/restart.h"

struct state {
    struct cli_progress progress;
    struct cli_traces traces;
    struct ec_report *report;
    struct cli_run_result result;
    bool alone;                      /* this run is not one of a list */
    bool lists;                      /* the result has those of channels */
    const struct cli_stored *stored; /* a result whose command is replayed; or NULL */
    const char *line;                /* the command */
    const struct ec_restart *from;   /* a checkpoint that the run continues; or NULL */
    enum ec_code lost;               /* of the wave, the event log or the page; EC_OK: nothing */
    struct ec_error lost_error;
};

/* --expect congestion-free: proved for a closed workload, and seen in the run. */
static void judge_congestion(struct cli_run_result *r)
{
    struct ec_check *x = &r->expect;
    const struct ec_audit *audit = r->c->audit;
    if (!(r->job->expect & CLI_EXPECT_CONGESTION_FREE))
        return;
    bool proved = !audit || audit->congestion_free;
    bool seen = r->report->has_taps && r->report->contended_cycles == 0;
    x->verdict = proved && seen ? EC_VERDICT_PASS : EC_VERDICT_FAIL;
    if (!proved)
        snprintf(x->detail, sizeof x->detail,
                 "up to %" PRIu32 " messages share a channel, %" PRIu64 " contended cycles",
                 audit->max_step_load, r->report->contended_cycles);
    else if (!r->report->has_taps)
        snprintf(x->detail, sizeof x->detail, "not known: this router has no taps");
    else
        snprintf(x->detail, sizeof x->detail, "%" PRIu64 " contended cycles",
                 r->report->contended_cycles);
}

static enum ec_code judge_expectations(struct cli_run_result *r, struct ec_error *reterr)
{
    const enum ec_code code = ec_case_warning(r->c, &r->warning, reterr);
    judge_congestion(r);
    cli_expect_deadlock_free(r->job, r->warning.possible, &r->expect);
    if (r->expect.verdict == EC_VERDICT_FAIL)
        r->status = cli_status_worse(r->status, CLI_FAILED);
    if (r->report->outcome != EC_RUN_DEADLOCK || r->report->protocol)
        r->warning.remedy[0] = '\0';
    return code;
}

static void run_release(void *context)
{
    struct state *s = context;
    cli_traces_close(&s->traces);
    ec_report_close(s->report);
    s->report = NULL;
}

/* Write the page, but not of a replay that shows another run. */
static void show(struct state *s)
{
    struct ec_error e;
    enum ec_code code = s->stored ? cli_stored_check(s->stored, s->report, &e) : EC_OK;
    if (code == EC_OK)
        code = cli_traces_show(&s->traces, &s->result, &e);
    if (s->lost != EC_OK || code == EC_OK)
        return;
    s->lost = code;
    s->lost_error = e;
}

/* The worker has the text of the lists once and this process twice, all after the run. */
static enum ec_code check_memory(const struct state *s, const struct ec_case *c,
                                 struct ec_error *reterr)
{
    const uint64_t need = 2 * result_run_bytes(c), there = ec_host_own_memory();
    if (!s->lists || !there || need <= there || cli_rank() > 0)
        return EC_OK;
    return ec_fail(reterr, EC_MEMORY,
                   "%s: JSON lists every channel, which takes about %" PRIu64
                   " MB of memory, and %" PRIu64
                   " MB are available: use --format csv, which has no "
                   "lists",
                   c->topology_text, need >> 20, there >> 20);
}

/* Threads without a node do not run, and a split with too little work is slower than one part. A
 * list does not say so for each of its lines. */
static void tell_split(struct state *s, const struct cli_job *job, const struct ec_case *c)
{
    struct ec_case_split split;
    char line[200];
    const uint32_t threads = job->spec.threads;
    if (!s->alone || job->quiet || cli_rank() > 0 || ec_case_split(c, &split, NULL) != EC_OK)
        return;
    if (s->traces.watch_count > 0 && split.parts > 1) {
        snprintf(
            line, sizeof line,
            "%.80s: a run with an event log, wave or report has one part; threads have no effect",
            c->topology_text);
        cli_progress_line(&s->progress, line);
        return;
    }
    if (threads != EC_THREADS_AUTO && threads > split.threads) {
        snprintf(line, sizeof line, "%.80s has %u nodes: %u threads run instead of %u",
                 c->topology_text, c->topology.nodes, split.threads, threads);
        cli_progress_line(&s->progress, line);
    }
    if (split.ranks * split.threads > 1 && !split.pays) {
        snprintf(line, sizeof line, "%.80s: too little work for %u parts: one is probably faster",
                 c->topology_text, split.parts);
        cli_progress_line(&s->progress, line);
    }
}

/* What a run hands to the files that it writes. */
static struct ec_run_options options_of(struct state *s, const struct cli_job *job,
                                        const struct ec_case *c)
{
    struct cli_traces *t = &s->traces;
    struct ec_run_options options = ec_case_run_options(c);
    options.keep_packets = job->packets;
    options.interval = job->interval;
    options.interval_auto = strcmp(c->workload->name, "trace") == 0;
    options.watches = t->watches;
    options.watch_count = t->watch_count;
    options.offer = t->events || t->page.recorder ? cli_traces_offer : NULL;
    options.offer_context = t;
    options.delivery = t->packets ? ec_packets_take : NULL;
    options.delivery_context = t->packets;
    options.taken = t->messages ? ec_message_log_take : NULL;
    options.taken_context = t->messages;
    return options;
}

static enum ec_code run_job(void *context, const struct cli_job *job, struct ec_case *c,
                            enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    struct ec_shape *shape;
    enum ec_code code = cli_traces_check(job, c, reterr);
    if (code == EC_OK)
        code = check_memory(s, c, reterr);
    if (code == EC_OK)
        code = ec_case_prepare(c, reterr); /* open files last */
    if (code == EC_OK)
        code = ec_case_shape(c, &shape, reterr);
    if (code == EC_OK)
        code = cli_traces_open(&s->traces, job, c, reterr);
    if (code != EC_OK)
        return code;
    code = cli_execute_together(c->session, c, reterr); /* now no rank fails alone any more */
    if (code != EC_OK) {
        run_release(s);
        return code;
    }
    tell_split(s, job, c);
    struct ec_run_options options = options_of(s, job, c);
    struct ec_checkpoint_options checkpoint;
    char program[CLI_PROGRAM_SIZE];
    code = cli_restart_options(job, s->line, program, &checkpoint, reterr);
    options.checkpoint = checkpoint.path ? &checkpoint : NULL;
    options.restart = s->from;
    const struct ec_failure_options failure = cli_failure_options(job, c);
    options.failure = job->no_failure_wave ? NULL : &failure;
    if (code == EC_OK)
        code = ec_case_run(c, &options, &s->report, reterr);
    if (code != EC_OK) {
        run_release(s);
        return code;
    }
    *ret_status = CLI_OK;
    if (!s->report) /* another rank has it */
        return EC_OK;
    s->lost = cli_traces_finish(&s->traces, &s->lost_error);
    s->result = (struct cli_run_result){
        .job = job,
        .c = c,
        .report = s->report,
        .shape_key = shape ? ec_shape_key(shape) : NULL,
        .traces = &s->traces,
        .stored = s->stored,
        .status = cli_status_of_report(s->report),
    };
    code = judge_expectations(&s->result, reterr);
    if (code == EC_OK)
        code = ec_case_bounds(c, &s->result.bounds, reterr);
    if (code != EC_OK) {
        run_release(s);
        return code;
    }
    show(s);
    *ret_status = s->stored ? CLI_OK : s->result.status;
    return EC_OK;
}

static enum ec_code run_lost(const void *context, struct ec_error *reterr)
{
    const struct state *s = context;
    if (s->lost != EC_OK)
        *reterr = s->lost_error;
    return s->lost;
}

static enum ec_code run_died(void *context, const struct cli_job *job, struct ec_case *c,
                             const char *what, struct ec_error *reterr)
{
    struct state *s = context;
    const enum ec_code code = ec_report_of_death(what, &s->report, reterr);
    s->traces = (struct cli_traces){.job = job};
    s->result = (struct cli_run_result){
        .job = job, .c = c, .report = s->report, .traces = &s->traces, .status = CLI_FAILED};
    return code;
}

/* The SystemC kernel serves one network per process. */
static bool run_fresh(const void *state, const struct cli_job *job)
{
    (void)state;
    return job->spec.backend == EC_BACKEND_SYSTEMC;
}

static void run_text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    struct state *s = context;
    if (s->stored && s->report->measured) {
        cli_traces_text(&s->traces, out);
        return;
    }
    enum cli_detail detail = brief ? CLI_BRIEF : s->result.job->verbose ? CLI_FULL : CLI_NORMAL;
    cli_text_run(&s->result, detail, style, out);
}

/* For CSV. */
static json_t *run_record(void *context)
{
    const struct state *s = context;
    const struct ec_result_details details = cli_run_details(&s->result);
    return result_run(s->result.c, s->report, &details, RESULT_LISTS_LEFT_OUT);
}

static const char *run_warning(const void *context)
{
    const struct state *s = context;
    return s->result.warning.text;
}

static bool run_json(void *context, bool one_line, FILE *out)
{
    const struct state *s = context;
    const struct ec_result_details details = cli_run_details(&s->result);
    return ec_report_json(s->result.c, s->report, &details, one_line, out, NULL) == EC_OK;
}

static int run_all(struct cli_job *job, const struct cli_stored *stored,
                   const struct ec_restart *from, const struct cli_command *self, const char *line)
{
    struct state s = {.stored = stored,
                      .line = line,
                      .from = from,
                      .alone = !job->from,
                      .lists = job->format == CLI_JSON};
    struct cli_executor work = {.job = run_job,
                                .text = run_text,
                                .record = run_record,
                                .keys = result_run_keys,
                                .json = run_json,
                                .warning = run_warning,
                                .release = run_release,
                                .state = &s,
                                .progress = &s.progress,
                                .splits = true,
                                .lost = run_lost,
                                .died = run_died,
                                .fresh = run_fresh};
    return cli_execute_alone(&work, job, self, line);
}

int cli_run(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    int status;
    struct cli_restart restart = {.from = NULL};
    struct ec_error e;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        if (cli_restart_open(self, argc, argv, &job, &restart, &e) == EC_OK) {
            cli_job_choose_format(&job, true);
            if (cli_rank() > 0)
                cli_job_silence(&job);
            status = run_all(&job, NULL, restart.from, self,
                             restart.from ? ec_restart_command(restart.from) : line);
        } else {
            status = (int)cli_complain(NULL, &e);
        }
    }
    cli_restart_close(&restart);
    cli_job_free(&job);
    return status;
}

int cli_run_replay(struct cli_job *job, const struct cli_stored *stored,
                   const struct cli_command *self)
{
    return run_all(job, stored, NULL, self, stored->command);
}
