/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons. Knows when a comparison has failed; must not know how networks are compared. */
#include "program/runs/comparison.h"

#include <inttypes.h>
#include <string.h>

#include "program/runs/executor.h"

/* --- One comparison --------------------------------------------------------------------------- */

/* Only tiles can be split. */
static enum ec_code check_split(const struct cli_job *job, const struct cli_side *side,
                                struct ec_error *reterr)
{
    const bool threads = job->spec.threads > 1 && job->spec.threads != EC_THREADS_AUTO;
    if (side->spec.backend == EC_BACKEND_TILES || !threads)
        return EC_OK;
    return ec_fail(
        reterr, EC_USAGE,
        "--threads: side '%.60s' is one model of the whole network, which cannot be split; "
        "only tiles can",
        side->text);
}

enum ec_code cli_comparison_open(const struct cli_job *job, struct cli_progress *progress,
                                 struct cli_comparison *ret, struct ec_error *reterr)
{
    struct cli_comparison x = {.progress = progress};
    if (job->spec.top && strcmp(job->side[0], "rtl") != 0 && strcmp(job->side[1], "rtl") != 0)
        return ec_fail(reterr, EC_USAGE,
                       "--rtl needs a side 'rtl' to apply to; the sides are '%.60s' and "
                       "'%.60s'",
                       job->side[0], job->side[1]);
    enum ec_code code = cli_progress_session(progress, &x.session, reterr);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = cli_side_open(job->side[k], &job->spec, &x.side[k], reterr);
    if (code == EC_OK && x.side[0].spec.backend == EC_BACKEND_SYSTEMC &&
        x.side[1].spec.backend == EC_BACKEND_SYSTEMC)
        code = ec_fail(reterr, EC_USAGE,
                       "systemc on both sides: expected one side at most, since its kernel serves "
                       "one network per process");
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = check_split(job, &x.side[k], reterr);
    if (code == EC_OK)
        *ret = x;
    else
        cli_comparison_close(&x);
    return code;
}

void cli_comparison_close(struct cli_comparison *x)
{
    ec_session_close(x->session);
    for (unsigned k = 0; k < 2; k++)
        cli_side_close(&x->side[k]);
}

static void release(void *context)
{
    struct cli_comparison *x = context;
    ec_comparison_close(x->result.cycles);
    ec_report_close(x->result.report[0]);
    ec_report_close(x->result.report[1]);
    x->result = (struct cli_compared){0};
}

static enum ec_code in_lockstep(struct cli_comparison *x, const struct cli_job *job,
                                struct ec_case *side, struct ec_error *reterr)
{
    const struct ec_failure_options failure[2] = {cli_failure_options(job, &side[0]),
                                                  cli_failure_options(job, &side[1])};
    const struct ec_failure_options *const wave[2] = {job->no_failure_wave ? NULL : &failure[0],
                                                      job->no_failure_wave ? NULL : &failure[1]};
    const enum ec_code code = ec_case_compare(&side[0], &side[1], wave, &x->result.cycles, reterr);
    if (code != EC_OK)
        return code;
    const struct ec_comparison *r = x->result.cycles;
    x->result.status = r->outcome == EC_RUN_INTERRUPTED          ? CLI_INTERRUPTED
                       : r->agree && r->outcome != EC_RUN_BROKEN ? CLI_OK
                                                                 : CLI_FAILED;
    return EC_OK;
}

/* Overload, other times and another switching mode do not change the deliveries. */
static bool changes_deliveries(unsigned check)
{
    return check != EC_CHECK_STABILITY && check != EC_CHECK_TIME && check != EC_CHECK_SWITCHING;
}

/* The failed check that is nearest to the cause; EC_CHECK_COUNT: none. */
static unsigned first_cause(const struct ec_report *r)
{
    static const unsigned char first[] = {EC_CHECK_RTL, EC_CHECK_LEDGER, EC_CHECK_VCS,
                                          EC_CHECK_PROGRESS};
    unsigned id = 0;
    for (size_t i = 0; i < sizeof first; i++) {
        if (r->checks[first[i]].verdict == EC_VERDICT_FAIL)
            return first[i];
    }
    while (id < EC_CHECK_COUNT &&
           !(changes_deliveries(id) && r->checks[id].verdict == EC_VERDICT_FAIL))
        id++;
    return id;
}

/* Why the run of a side fails, whatever the other one does; "": it does not. */
static void find_reason(const struct ec_report *r, char *buffer, size_t size)
{
    const unsigned cause = first_cause(r);
    buffer[0] = '\0';
    if (cause < EC_CHECK_COUNT)
        snprintf(buffer, size, "%s: %s", ec_check_name(cause), r->checks[cause].detail);
    else if (r->outcome != EC_RUN_FINISHED)
        snprintf(buffer, size, "%s after %" PRIu64 " cycles, with %" PRIu64 " words delivered",
                 r->outcome == EC_RUN_LIMIT         ? "stopped by --cycles"
                 : r->outcome == EC_RUN_INTERRUPTED ? "interrupted"
                                                    : "broken off",
                 r->simulated_cycles, r->words);
}

static enum ec_code by_deliveries(struct cli_comparison *x, struct ec_case *side,
                                  struct ec_error *reterr)
{
    struct ec_run_options options = ec_case_run_options(&side[0]);
    enum ec_code code = EC_OK;
    options.keep_packets = true;
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = ec_case_prepare(&side[k], reterr);
    if (code == EC_OK)
        code = cli_execute_together(x->session, &side[0], reterr);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = ec_case_run(&side[k], &options, &x->result.report[k], reterr);
    if (code == EC_OK && !x->result.report[0]) /* another rank has them */
        return EC_OK;
    if (code == EC_OK)
        code = ec_compare_deliveries(x->result.report[0], x->result.report[1],
                                     side[0].workload->open_loop, &x->result.deliveries, reterr);
    if (code != EC_OK)
        return code;
    x->result.status = CLI_OK;
    for (unsigned k = 0; k < 2; k++) {
        find_reason(x->result.report[k], x->result.reason[k], sizeof x->result.reason[k]);
        if (x->result.reason[k][0])
            x->result.status =
                cli_status_worse(x->result.status, x->result.report[k]->passed
                                                       ? CLI_FAILED
                                                       : cli_status_of_report(x->result.report[k]));
    }
    if (x->result.deliveries.found)
        x->result.status = cli_status_worse(x->result.status, CLI_FAILED);
    return EC_OK;
}

static enum ec_code make(struct cli_comparison *x, const struct cli_job *job, struct ec_case *c,
                         struct ec_error *reterr)
{
    enum ec_code code = job->deliveries ? ec_case_audit(c, true, reterr) : EC_OK;
    if (code != EC_OK)
        return code;
    struct ec_case side[2] = {ec_case_on(c, &x->side[0].spec, 0),
                              ec_case_on(c, &x->side[1].spec, 1)};
    x->result =
        (struct cli_compared){.job = job, .c = c, .side = {x->side[0].text, x->side[1].text}};
    code = job->deliveries ? by_deliveries(x, side, reterr) : in_lockstep(x, job, side, reterr);
    if (code != EC_OK)
        release(x);
    return code;
}

/* --- All of a command line -------------------------------------------------------------------- */

static enum ec_code compare_job(void *context, const struct cli_job *job, struct ec_case *c,
                                enum cli_status *ret_status, struct ec_error *reterr)
{
    struct cli_comparison *x = context;
    const enum ec_code code = make(x, job, c, reterr);
    *ret_status = x->result.status;
    return code;
}

static enum ec_code compare_died(void *context, const struct cli_job *job, struct ec_case *c,
                                 const char *what, struct ec_error *reterr)
{
    struct cli_comparison *x = context;
    (void)reterr;
    x->result = (struct cli_compared){
        .job = job, .c = c, .side = {x->side[0].text, x->side[1].text}, .status = CLI_FAILED};
    snprintf(x->result.died, sizeof x->result.died, "%s", what);
    return EC_OK;
}

/* The SystemC kernel serves one network per process. */
static bool compare_fresh(const void *context, const struct cli_job *job)
{
    const struct cli_comparison *x = context;
    (void)job;
    return x->side[0].spec.backend == EC_BACKEND_SYSTEMC ||
           x->side[1].spec.backend == EC_BACKEND_SYSTEMC;
}

static void compare_text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    const struct cli_comparison *x = context;
    cli_text_compare(&x->result, brief, style, out);
}

static json_t *compare_record(void *context)
{
    const struct cli_comparison *x = context;
    return cli_record_compare(&x->result);
}

int cli_comparison_all(struct cli_comparison *x, const struct cli_job *job,
                       const struct cli_command *command, const char *line)
{
    const struct cli_executor work = {.job = compare_job,
                                      .text = compare_text,
                                      .record = compare_record,
                                      .keys = cli_compare_keys,
                                      .release = release,
                                      .state = x,
                                      .progress = x->progress,
                                      .splits = job->deliveries,
                                      .session = x->session,
                                      .died = compare_died,
                                      .fresh = compare_fresh};
    return cli_execute(&work, job, command, line);
}
