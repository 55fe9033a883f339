/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube scale`: how fast a run is if it is split. Must not measure or predict. */
#include "program/scale/scale.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/runs/executor.h"
#include "program/runs/ranks.h"
#include "session/case.h"

struct state {
    struct ec_session *session;
    struct cli_progress progress;
    struct ec_net_pulse *pulse; /* in a worker: its own */
    struct scale_result result;
};

/* Rank 0 measures this machine while the others wait. */
static enum ec_code measure_alone(struct state *s, const struct cli_job *job, struct ec_case *c,
                                  struct ec_error *e)
{
    const uint32_t ranks = session_rank_count(s->session);
    struct scale_result *r = &s->result;
    session_ranks(s->session, 1);
    enum ec_code code = scale_open(job, c, s->pulse, &s->progress, r, e);
    if (code == EC_OK && job->verify)
        code = scale_verify(r, c, e);
    session_ranks(s->session, ranks);
    return code;
}

/* All ranks measure the network, each with one thread. */
static enum ec_code measure_together(struct state *s, struct ec_case *c, struct ec_error *e)
{
    struct ec_shape *shape;
    c->spec.threads = 0;
    enum ec_code code = ec_case_shape(c, &shape, e);
    if (code == EC_OK)
        code = cli_execute_together(s->session, c, e);
    if (code != EC_OK)
        return code;
    code = scale_meet(&s->result, c, session_world(s->session), e);
    if (code != EC_OK) /* perhaps in this rank only */
        session_break(s->session);
    return code;
}

static enum ec_code scale_job(void *context, const struct cli_job *job, struct ec_case *c,
                              enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    enum ec_code code = EC_OK;
    *ret_status = CLI_OK;
    s->result = (struct scale_result){.job = job, .c = c, .progress = &s->progress};
    if (cli_rank() == 0)
        code = measure_alone(s, job, c, reterr);
    if (code == EC_OK && cli_ranks() > 1)
        code = measure_together(s, c, reterr);
    if (code == EC_OK)
        scale_predict_all(&s->result);
    else
        scale_free(&s->result);
    return code;
}

static void text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    const struct state *s = context;
    scale_text(&s->result, style, brief, out);
}

static json_t *record(void *context)
{
    const struct state *s = context;
    return scale_record(&s->result);
}

static bool csv(void *context, FILE *out)
{
    const struct state *s = context;
    return scale_csv(&s->result, out);
}

static void release(void *context)
{
    struct state *s = context;
    scale_free(&s->result);
}

static void watched(void *context, struct ec_vitals *vitals)
{
    struct state *s = context;
    s->pulse = &vitals->pulse[0];
    ec_session_show(s->session, 0, s->pulse);
}

int cli_scale(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct state s = {0};
    struct ec_error e;
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_job_choose_format(&job, true);
        struct cli_executor work = {.job = scale_job,
                                    .text = text,
                                    .record = record,
                                    .csv = csv,
                                    .release = release,
                                    .state = &s,
                                    .progress = &s.progress,
                                    .watched = watched,
                                    .splits = true};
        cli_progress_init(&s.progress, job.quiet);
        if (cli_progress_session(&s.progress, &s.session, &e) == EC_OK) {
            work.session = s.session;
            status = cli_execute(&work, &job, self, line);
        } else {
            status = (int)cli_complain(NULL, &e);
        }
        cli_progress_end(&s.progress);
        ec_session_close(s.session);
    }
    cli_job_free(&job);
    return status;
}
