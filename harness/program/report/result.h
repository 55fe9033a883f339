/* SPDX-License-Identifier: Apache-2.0 */
/* What a command found out, as the writers of text, JSON and CSV get it. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "ecube/run.h"
#include "program/options/job.h"
#include "program/runs/inspect.h"
#include "terminal/status.h"

/* --expect: NONE where nothing was expected. */
struct cli_expectation {
    enum ec_verdict verdict;
    char detail[160];
};

struct cli_run_result {
    const struct cli_job *job;
    const struct ec_case *c;
    const struct ec_report *report;
    const char *shape_key; /* NULL: nothing was compiled */
    struct cli_expectation expect;
    const struct cli_look *look; /* the wave, if one was asked for */
    enum cli_status status;
};

struct cli_audit_result {
    const struct cli_job *job;
    const struct ec_case *c; /* c->audit is NULL in open loop */
    bool deadlock_free;
    struct ec_vertex *waiting; /* a cycle of channels, unless deadlock_free; owned */
    size_t waiting_count;
    struct ec_hop *path[2]; /* of the two witnesses; NULL where there is none; owned */
    size_t hops[2];
    bool has_prediction;
    uint64_t predicted_cycles;
    double seconds;
    struct cli_expectation expect;
    enum cli_status status;
};

#endif
