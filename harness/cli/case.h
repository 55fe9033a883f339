/* SPDX-License-Identifier: Apache-2.0 */
/* A case: the objects that a job's words stand for, ready to be audited or run. */
#ifndef CLI_CASE_H
#define CLI_CASE_H

#include "ecube/audit.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"
#include "job.h"

struct cli_case {
    const struct cli_job *job;
    struct ec_topology topology;
    struct ec_router router;
    struct ec_workload *workload;
    struct ec_audit *audit;                    /* NULL: open loop, or not asked for */
    char topology_text[160], router_text[160]; /* canonical */
};

/* Read the words; nothing is computed yet. */
enum ec_code cli_case_open(const struct cli_job *job, struct cli_case *ret,
                           struct ec_error *reterr);
/* Audit a closed workload; `with_words` as in ec_audit_open. Does nothing in open loop. */
enum ec_code cli_case_audit(struct cli_case *c, bool with_words, struct ec_error *reterr);
void cli_case_close(struct cli_case *c);

#endif
