/* SPDX-License-Identifier: Apache-2.0 */
/* Random comparisons, one process each, until an end or a difference. */
#ifndef CLI_SOAK_H
#define CLI_SOAK_H

#include "program/options/job.h"
#include "terminal/progress.h"

/* The whole of `ecube compare --soak` after parsing; returns the exit status. */
int cli_soak(const struct cli_job *job, struct cli_progress *progress);

#endif
