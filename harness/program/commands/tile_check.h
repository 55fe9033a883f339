/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile check` of one network. */
#pragma once

#include <stdio.h>

#include "ecube/session.h"
#include "program/options/job.h"
#include "terminal/progress.h"
#include "terminal/vitals.h"

/* Write the report of the case's router to `out`, also if it breaks the contract (EC_CONTRACT). */
enum ec_code cli_tile_check(const struct cli_job *job, const struct ec_case *c,
                            struct cli_progress *progress, struct ec_vitals *vitals, FILE *out,
                            struct ec_error *reterr);
