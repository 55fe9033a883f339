/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile new`. */
#pragma once

#include <stdio.h>

#include "program/options/job.h"

/* Write the files of a new adapter into the folder of the job, and what comes next to `out`.
 * EC_USAGE: one of them exists, or the name or the number of VCs is wrong. */
enum ec_code cli_tile_new(const struct cli_job *job, FILE *out, struct ec_error *reterr);
