/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of a finished play, one function per check of run.h. */
#pragma once

#include "ecube/audit.h"
#include "ecube/run.h"
#include "run/play.h"

/* Fill report->checks for a play that ended in `state`; the rest of the report is complete. */
void checks_judge(struct ec_report *report, const struct play *p, enum play_state state,
                  const struct ec_audit *audit);

/* The first check that failed, other than `but`; EC_CHECK_COUNT: none. */
unsigned checks_failed(const struct ec_report *report, unsigned but);

/* True if a check could not be decided. */
bool checks_open(const struct ec_report *report);
