/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of run, audit and compare: do the jobs of a command line one by one, write each result
 * in the requested format, remember the worst exit status. */
#pragma once

#include "base/record.h"
#include "ecube/session.h"
#include "program/options/job.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/style.h"

/* What differs between the commands. All callbacks but `died` run in a worker process. */
struct cli_executor {
    /* Do one job. ->text or ->record then write its result; ->release frees it. */
    enum ec_code (*job)(void *state, const struct cli_job *job, struct ec_case *c,
                        enum cli_status *ret_status, struct ec_error *reterr);
    void (*text)(void *state, const struct cli_style *style, bool brief, FILE *out);
    json_t *(*record)(void *state); /* for CSV, and for JSON without ->json */
    const struct record_key *keys;  /* of the record, ended by an entry without key */
    /* The list of the record whose objects are the rows of CSV; NULL: the record is one row. */
    const char *rows;
    /* JSON with long lists, which are not for memory; false: out of it. */
    bool (*json)(void *state, bool one_line, FILE *out);
    /* Of the result: a line for standard error if the format is not text, or "". NULL: none. */
    const char *(*warning)(const void *state);
    void (*release)(void *state); /* the result of ->job or ->died */
    void *state;
    struct cli_progress *progress;
    struct ec_session *session;
    /* After the result was written: a file that the job could not write. NULL: there are none. */
    enum ec_code (*lost)(const void *state, struct ec_error *reterr);
    /* The RTL of a job ended the worker; `what` says where and how. Make that its result, of status
     * CLI_FAILED. NULL: this command evaluates no RTL. */
    enum ec_code (*died)(void *state, const struct cli_job *job, struct ec_case *c,
                         const char *what, struct ec_error *reterr);
    bool splits; /* a job that is not of a list is done by all ranks together */
    /* Does this job need a new process? NULL: no job does. */
    bool (*fresh)(const void *state, const struct cli_job *job);
};

/* In a worker, when nothing is left to do but the run itself: meet the other ranks that do the same
 * job. Does nothing if there are none. */
enum ec_code cli_execute_together(struct ec_session *s, const struct ec_case *c,
                                  struct ec_error *reterr);

/* Do the job or the list of jobs in `base`; returns the exit status. With a session: */
int cli_execute(const struct cli_executor *work, const struct cli_job *base,
                const struct cli_command *command, const char *line);
/* Open a session that shows its progress, and close it at the end. */
int cli_execute_alone(struct cli_executor *work, const struct cli_job *base,
                      const struct cli_command *command, const char *line);
