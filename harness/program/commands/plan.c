/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube plan`: which algorithm to use. Knows the steps of the command; must not compute. */
#include "program/plan/plan.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/runs/executor.h"

struct state {
    struct cli_progress progress;
    struct advice result;
};

static enum ec_code plan_job(void *context, const struct cli_job *job, struct ec_case *c,
                             enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    const enum ec_code code = advice_open(job, c, &s->result, reterr);
    if (code == EC_OK)
        *ret_status = s->result.status;
    return code;
}

static void text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    const struct state *s = context;
    (void)style;
    advice_text(&s->result, brief, out);
}

static json_t *record(void *context)
{
    const struct state *s = context;
    return advice_record(&s->result);
}

static void release(void *context)
{
    struct state *s = context;
    advice_free(&s->result);
}

/* Without its candidates a plan says nothing. */
static enum ec_code died(void *context, const struct cli_job *job, struct ec_case *c,
                         const char *what, struct ec_error *reterr)
{
    (void)context;
    (void)job;
    return ec_fail(reterr, EC_INTERNAL, "%s %s: %s", c->topology_text, c->pattern->text, what);
}

int cli_plan(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct state s = {0};
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        struct cli_executor work = {.job = plan_job,
                                    .text = text,
                                    .record = record,
                                    .keys = advice_keys,
                                    .rows = "rows",
                                    .release = release,
                                    .state = &s,
                                    .progress = &s.progress,
                                    .died = died};
        cli_job_choose_format(&job, true);
        job.spec.algorithm = "best";
        job.spec.all_candidates = true;
        status = cli_execute_alone(&work, &job, self, line);
    }
    cli_job_free(&job);
    return status;
}
