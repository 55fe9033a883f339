/* SPDX-License-Identifier: Apache-2.0 */
/* A case: the objects that a job's words stand for, ready to be audited or run. */
#ifndef CLI_CASE_H
#define CLI_CASE_H

#include "ecube/audit.h"
#include "ecube/router.h"
#include "ecube/schedule.h"
#include "ecube/topology.h"
#include "ecube/workload.h"
#include "program/options/job.h"
#include "terminal/progress.h"

struct cli_best;
struct cli_pool;

struct cli_case {
    const struct cli_job *job;
    struct cli_progress *progress; /* NULL: none */
    struct cli_pool *pool;         /* where `best` runs what has no prediction; NULL: it does not */
    struct ec_topology topology;
    struct ec_router router;
    struct ec_workload *workload;   /* what is played: with a schedule the messages of that */
    struct ec_schedule *schedule;   /* NULL: direct */
    bool ports_chosen;              /* ports=all, because the algorithm needs it */
    struct cli_best *best;          /* NULL unless the algorithm was chosen: --algorithm best */
    char direct[32];                /* "direct", or "best (direct)" */
    struct ec_audit *audit;         /* NULL: open loop, or not asked for */
    struct ec_schedule_audit found; /* of the schedule; filled with the audit */
    char topology_text[160], router_text[160]; /* canonical */
};

/* Read the words and make the schedule, which may take long. `progress` and `pool` may be NULL. */
enum ec_code cli_case_open(const struct cli_job *job, struct cli_progress *progress,
                           struct cli_pool *pool, struct cli_case *ret, struct ec_error *reterr);
/* Audit a closed workload and its schedule; `with_words` as in ec_audit_open. Does nothing in open
 * loop. */
enum ec_code cli_case_audit(struct cli_case *c, bool with_words, struct ec_error *reterr);
/* The algorithm in canonical text. */
const char *cli_case_algorithm(const struct cli_case *c);
void cli_case_close(struct cli_case *c);

#endif
