/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube audit`: proofs without simulation.
 *
 * Knows which proofs apply to which workload; the library does the proofs. */
#include <inttypes.h>

#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "program/runs/executor.h"

struct state {
    struct cli_progress progress;
    struct cli_audit_result result;
};

/* --expect congestion-free. Nothing can be proved for random (open-loop) traffic. */
static void judge_congestion(struct cli_audit_result *r)
{
    struct ec_check *x = &r->expect;
    const struct ec_audit *a = r->c->audit;
    if (!(r->job->expect & CLI_EXPECT_CONGESTION_FREE))
        return;
    x->verdict = a && a->congestion_free ? EC_VERDICT_PASS : EC_VERDICT_FAIL;
    if (!a)
        snprintf(x->detail, sizeof x->detail, "cannot prove congestion freedom for random traffic");
    else if (!a->congestion_free)
        snprintf(x->detail, sizeof x->detail,
                 "congestion-free was expected; up to %" PRIu32 " messages share a channel",
                 a->max_step_load);
}

static void judge_audit(struct cli_audit_result *r)
{
    judge_congestion(r);
    cli_expect_deadlock_free(r->job, r->proofs->warning.possible, &r->expect);
    r->status = ec_proofs_hold(r->c, r->proofs) && r->expect.verdict != EC_VERDICT_FAIL
                    ? CLI_OK
                    : CLI_FAILED;
}

static void audit_release(void *context)
{
    struct state *s = context;
    ec_proofs_close(s->result.proofs);
    s->result = (struct cli_audit_result){0};
}

static enum ec_code audit_job(void *context, const struct cli_job *job, struct ec_case *c,
                              enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    struct cli_audit_result *r = &s->result;
    *r = (struct cli_audit_result){.job = job, .c = c};
    enum ec_code code = ec_proofs_open(c, &r->proofs, reterr);
    if (code == EC_OK)
        code = cli_export_trace(job, c, reterr);
    if (code != EC_OK) {
        audit_release(s);
        return code;
    }
    judge_audit(r);
    *ret_status = r->status;
    return EC_OK;
}

static void audit_text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    struct state *s = context;
    enum cli_detail detail = brief ? CLI_BRIEF : s->result.job->verbose ? CLI_FULL : CLI_NORMAL;
    cli_text_audit(&s->result, detail, style, out);
}

static json_t *audit_record(void *context)
{
    const struct state *s = context;
    const struct ec_result_details details = {.command = s->result.job->command,
                                              .expected = &s->result.expect};
    return result_audit(s->result.c, s->result.proofs, &details);
}

int cli_audit(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct state s = {0};
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_job_choose_format(&job, true);
        struct cli_executor work = {.job = audit_job,
                                    .text = audit_text,
                                    .record = audit_record,
                                    .keys = result_audit_keys,
                                    .release = audit_release,
                                    .state = &s,
                                    .progress = &s.progress};
        status = cli_execute_alone(&work, &job, self, line);
    }
    cli_job_free(&job);
    return status;
}
