/* SPDX-License-Identifier: Apache-2.0 */
/* From a job to the options of its run. */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "ecube/run.h"
#include "job.h"
#include "progress.h"

/* Limits, seed and stimulus; in open loop the default window and warm-up. */
struct ec_run_options cli_run_options(const struct cli_job *job, bool open_loop,
                                      struct cli_progress *progress);

#endif
