/* SPDX-License-Identifier: Apache-2.0 */
/* One loop for run and audit: take the jobs of a command line one by one, write each result in the
 * format asked for, remember the worst exit status. */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include "base/record.h"
#include "base/vitals.h"
#include "ecube/session.h"
#include "program/options/job.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/style.h"

/* What differs between the commands. All but `died` is called in a worker process. */
struct cli_work {
    /* Do one job; the state is the command's own. The result goes into *ret_status and, by
     * ->text or ->record, to the reader; it stays valid until the next call of any of these. */
    enum ec_code (*job)(void *state, const struct cli_job *job, struct ec_case *c,
                        enum cli_status *ret_status, struct ec_error *reterr);
    void (*text)(void *state, const struct cli_style *style, bool brief, FILE *out);
    json_t *(*record)(void *state);
    const struct record_key *keys; /* of the record, ended by an entry without key */
    void (*release)(void *state);  /* what ->job or ->died left */
    void *state;
    struct cli_progress *progress;
    struct ec_session *session;
    /* After the result was written: what else the job was to leave and could not. NULL: nothing. */
    enum ec_code (*lost)(const void *state, struct ec_error *reterr);
    /* Before a job: whoever watches the worker looks there. NULL: there is nothing to be seen. */
    void (*watched)(void *state, struct ec_vitals *vitals);
    /* The RTL of a job took the worker with it, `what` says where and how: make that its result, of
     * status CLI_FAILED. NULL: this command evaluates no RTL. */
    enum ec_code (*died)(void *state, const struct cli_job *job, struct ec_case *c,
                         const char *what, struct ec_error *reterr);
    /* Does every job need a process of its own? NULL: none does. */
    bool (*fresh)(const void *state, const struct cli_job *job);
};

/* The whole of `ecube run` and `ecube audit` after parsing; returns the exit status. */
int cli_work_all(const struct cli_work *work, const struct cli_job *base,
                 const struct cli_command *command, const char *line);

#endif
