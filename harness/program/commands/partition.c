/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube run --partition`: how networks are split. Simulates nothing. */
#include "ecube/partition.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "program/runs/executor.h"
#include "program/runs/ranks.h"
#include "session/case.h"

struct state {
    struct cli_progress progress;
    struct ec_partition *partition; /* of the result */
    struct cli_cut result;
};

static enum ec_code split_job(void *context, const struct cli_job *job, struct ec_case *c,
                              enum cli_status *ret_status, struct ec_error *reterr)
{
    struct state *s = context;
    struct ec_case_split split;
    enum ec_code code = ec_case_split(c, &split, reterr);
    if (code == EC_OK)
        code = ec_partition_open(&c->topology, split.parts, &s->partition, reterr);
    if (code != EC_OK)
        return code;
    s->result = (struct cli_cut){.job = job,
                                 .c = c,
                                 .split = split,
                                 .partition = s->partition,
                                 .use = ec_partition_use(s->partition, &c->topology)};
    *ret_status = CLI_OK;
    return EC_OK;
}

static void split_release(void *context)
{
    struct state *s = context;
    ec_partition_close(s->partition);
    s->partition = NULL;
}

static void split_text(void *context, const struct cli_style *style, bool brief, FILE *out)
{
    const struct state *s = context;
    (void)style;
    cli_text_cut(&s->result, brief && !s->result.job->verbose, out);
}

static json_t *split_record(void *context)
{
    const struct state *s = context;
    return cli_record_cut(&s->result);
}

int cli_partition(struct cli_job *job, const struct cli_command *self, const char *line)
{
    struct state s = {0};
    struct ec_session *session = NULL;
    struct ec_error e;
    int status;
    const uint32_t ranks = cli_ranks();
    if (!cli_ranks_part())
        return CLI_OK;
    cli_progress_init(&s.progress, job->quiet);
    if (cli_progress_session(&s.progress, &session, &e) == EC_OK) {
        session_ranks(session, ranks);
        const struct cli_executor work = {.job = split_job,
                                          .text = split_text,
                                          .record = split_record,
                                          .keys = cli_cut_keys,
                                          .release = split_release,
                                          .state = &s,
                                          .progress = &s.progress,
                                          .session = session};
        status = cli_execute(&work, job, self, line);
    } else {
        status = (int)cli_complain(NULL, &e);
    }
    cli_progress_end(&s.progress);
    ec_session_close(session);
    return status;
}
