/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube compare`: two sides, one workload, in lock-step.
 *
 * Knows how two nets are opened and what is a failure; what a difference is, the library knows. */
#include "program/commands/commands.h"
#include "program/options/backend_spec.h"
#include "program/options/job.h"
#include "program/report/compared.h"
#include "program/report/records.h"
#include "program/runs/executor.h"
#include "program/soak/soak.h"

struct state {
    struct cli_side side[2];
    struct ec_session *session;
    struct cli_progress progress;
    struct cli_compared result;
};

static void compare_release(void *context)
{
    struct state *s = context;
    ec_comparison_close(s->result.cycles);
    ec_report_close(s->result.report[0]);
    ec_report_close(s->result.report[1]);
    s->result = (struct cli_compared){0};
}

static enum ec_code in_lockstep(struct state *s, const struct cli_job *job, struct ec_case *side,
                                struct ec_error *reterr)
{
    const struct ec_failure_options failure[2] = {cli_failure_options(job, &side[0]),
                                                  cli_failure_options(job, &side[1])};
    const struct ec_failure_options *const wave[2] = {job->no_failure_wave ? NULL : &failure[0],
                                                      job->no_failure_wave ? NULL : &failure[1]};
    const enum ec_code code = ec_case_compare(&side[0], &side[1], wave, &s->result.cycles, reterr);
    if (code != EC_OK)
        return code;
    const struct ec_comparison *r = s->result.cycles;
    s->result.status = r->outcome == EC_RUN_INTERRUPTED          ? CLI_INTERRUPTED
                       : r->agree && r->outcome != EC_RUN_BROKEN ? CLI_OK
                                                                 : CLI_FAILED;
    return EC_OK;
}

/* An overloaded network, or one that takes another time than ecube's own or another switching mode,
 * delivers all the same. */
static bool delivered(const struct ec_report *r)
{
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        if (r->checks[i].verdict == EC_VERDICT_FAIL && i != EC_CHECK_STABILITY &&
            i != EC_CHECK_TIME && i != EC_CHECK_SWITCHING)
            return false;
    }
    return r->outcome == EC_RUN_FINISHED;
}

static enum ec_code by_deliveries(struct state *s, struct ec_case *side, struct ec_error *reterr)
{
    struct ec_run_options options = ec_case_run_options(&side[0]);
    enum ec_code code = EC_OK;
    options.keep_packets = true;
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = ec_case_run(&side[k], &options, &s->result.report[k], reterr);
    if (code == EC_OK)
        code = ec_compare_deliveries(s->result.report[0], s->result.report[1],
                                     side[0].workload->open_loop, &s->result.deliveries, reterr);
    if (code != EC_OK)
        return code;
    s->result.status = CLI_OK;
    for (unsigned k = 0; k < 2; k++) {
        if (!delivered(s->result.report[k]))
            s->result.status =
                cli_status_worse(s->result.status, s->result.report[k]->passed
                                                       ? CLI_FAILED
                                                       : cli_status_of_report(s->result.report[k]));
    }
    if (s->result.deliveries.found)
        s->result.status = cli_status_worse(s->result.status, CLI_FAILED);
    return EC_OK;
}

static enum ec_code compare_job(void *context, const struct cli_job *job, struct ec_case *c,
                                enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    enum ec_code code = job->deliveries ? ec_case_audit(c, true, reterr) : EC_OK;
    if (code != EC_OK)
        return code;
    struct ec_case side[2] = {ec_case_on(c, &s->side[0].spec, 0),
                              ec_case_on(c, &s->side[1].spec, 1)};
    s->result =
        (struct cli_compared){.job = job, .c = c, .side = {s->side[0].text, s->side[1].text}};
    code = job->deliveries ? by_deliveries(s, side, reterr) : in_lockstep(s, job, side, reterr);
    if (code != EC_OK)
        compare_release(s);
    else
        *ret_status = s->result.status;
    return code;
}

static void compare_watched(void *context, struct ec_vitals *vitals)
{
    const struct state *s = context;
    for (unsigned k = 0; k < 2; k++)
        ec_session_show(s->session, k, &vitals->pulse[k]);
}

static enum ec_code compare_died(void *context, const struct cli_job *job, struct ec_case *c,
                                 const char *what, struct ec_error *reterr)
{
    struct state *s = context;
    (void)reterr;
    s->result = (struct cli_compared){
        .job = job, .c = c, .side = {s->side[0].text, s->side[1].text}, .status = CLI_FAILED};
    snprintf(s->result.died, sizeof s->result.died, "%s", what);
    return EC_OK;
}

/* The SystemC kernel serves one network in the life of a process. */
static bool compare_fresh(const void *context, const struct cli_job *job)
{
    const struct state *s = context;
    (void)job;
    return s->side[0].spec.backend == EC_BACKEND_SYSTEMC ||
           s->side[1].spec.backend == EC_BACKEND_SYSTEMC;
}

static void compare_text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    const struct state *s = context;
    cli_text_compare(&s->result, brief, style, out);
}

static json_t *compare_record(void *context)
{
    const struct state *s = context;
    return cli_record_compare(&s->result);
}

static enum ec_code open_sides(struct state *s, const struct cli_job *job, struct ec_error *e)
{
    enum ec_code code = cli_progress_session(&s->progress, &s->session, e);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = cli_side_open(job->side[k], &job->spec, &s->side[k], e);
    if (code == EC_OK && s->side[0].spec.backend == EC_BACKEND_SYSTEMC &&
        s->side[1].spec.backend == EC_BACKEND_SYSTEMC)
        code = ec_fail(e, EC_USAGE,
                       "systemc on both sides: its kernel serves one network in a process");
    return code;
}

static int compare_main(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct state s = {0};
    struct ec_error e;
    int status;
    job.two_sides = true;
    if (cli_arguments_begin(self, argc, argv, &job, &status)) {
        struct cli_work work = {.job = compare_job,
                                .text = compare_text,
                                .record = compare_record,
                                .keys = cli_compare_keys,
                                .release = compare_release,
                                .state = &s,
                                .progress = &s.progress,
                                .watched = compare_watched,
                                .died = compare_died,
                                .fresh = compare_fresh};
        cli_progress_init(&s.progress, job.quiet);
        const enum ec_code code = open_sides(&s, &job, &e);
        work.session = s.session;
        if (code != EC_OK)
            status = cli_complain(NULL, &e);
        else if (job.soak)
            status = cli_soak(&job, &s.progress);
        else
            status = cli_work_all(&work, &job, self->argp, self->name, line);
        cli_progress_end(&s.progress);
        ec_session_close(s.session);
        for (unsigned k = 0; k < 2; k++)
            cli_side_close(&s.side[k]);
    }
    cli_job_free(&job);
    return status;
}

const struct cli_command cli_command_compare = {
    .name = "compare",
    .summary = "step two backends or routers together, name the first difference",
    .argp = &cli_compare_argp,
    .main = compare_main,
};
