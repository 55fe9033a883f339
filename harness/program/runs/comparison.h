/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of two sides: one, or all those of a command line. */
#pragma once

#include "ecube/session.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "terminal/progress.h"

struct cli_comparison {
    struct cli_side side[2];
    struct ec_session *session;
    struct cli_progress *progress;
    struct cli_compared result;
};

/* Read the sides of `job`. */
enum ec_code cli_comparison_open(const struct cli_job *job, struct cli_progress *progress,
                                 struct cli_comparison *ret, struct ec_error *reterr);
void cli_comparison_close(struct cli_comparison *x);

/* Compare and report all cases of `job` (see cli_execute); returns the exit status. */
int cli_comparison_all(struct cli_comparison *x, const struct cli_job *job,
                       const struct cli_command *command, const char *line);
