/* SPDX-License-Identifier: Apache-2.0 */
/* --coverage FOLDER: the coverage of all runs of a command.
 *
 * Each worker process adds up what its routers count, and keeps it in a file of its own in the
 * folder, written again after every item. In the end the command merges these files. */
#pragma once

#include "ecube/session.h"
#include "program/coverage/coverage.h"
#include "program/options/job.h"
#include "terminal/status.h"

struct cli_coverage {
    const char *folder; /* borrowed; NULL: none is wanted, and the functions below do nothing */
    struct ec_coverage *points; /* of this process */
    bool own;                   /* a worker: it has begun its own */
    int *lost;                  /* shared by all processes: an errno of what was not written */
    size_t parts;               /* files of workers */
    bool quiet;
    int lock; /* of the folder; -1: none */
};

/* What the routers have to count. */
enum ec_cover cli_coverage_kinds(const struct cli_job *job);

/* Before the first run: make the folder, and lock it. What is in it is replaced in the end.
 * EC_IO: it cannot be written; EC_USAGE: several ranks, or another process uses it. */
enum ec_code cli_coverage_open(struct cli_coverage *v, const struct cli_job *job,
                               struct ec_error *reterr);
/* In a worker, after an item: take what the routers of the session have counted. */
void cli_coverage_keep(struct cli_coverage *v, const struct ec_session *s);
/* When no worker is left: write the results. Complains itself. */
enum cli_status cli_coverage_finish(struct cli_coverage *v);
void cli_coverage_close(struct cli_coverage *v);
