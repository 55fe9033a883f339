/* SPDX-License-Identifier: Apache-2.0 */
/* From a job to the options of its run. */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "ecube/run.h"
#include "program/case/pool.h"
#include "program/options/job.h"
#include "terminal/progress.h"

/* Limits, seed and stimulus; in open loop the default window and warm-up. */
struct ec_run_options cli_run_options(const struct cli_job *job, bool open_loop,
                                      struct cli_progress *progress);

/* Where the traced shape of a case comes from, when the library asks for it. */
struct cli_tracing {
    struct cli_pool *pool;
    const struct cli_case *c;
};

/* What a failed check leaves behind. `tracing` must live as long as the options. */
struct ec_failure_options cli_failure_options(const struct cli_job *job,
                                              struct cli_tracing *tracing);

#endif
