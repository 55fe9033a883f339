/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run failed. */
#ifndef EC_EXPLAIN_H
#define EC_EXPLAIN_H

#include <stdbool.h>

#include "diagnose/failure.h"
#include "ecube/run.h"
#include "run/play.h"

/* Nothing moves, or a packet is very old (*state): is it a deadlock? True if the run is over, with
 * outcome and check of progress in the report, and the place where to look; false if the packet was
 * only old, and the play, replayed to the same cycle, may go on. */
bool explain_stand_still(struct play *p, enum play_state *state, struct ec_report *report,
                         struct failure_place *place);

/* After the checks: if one failed, name the router that broke the contract first, if one did. */
void explain(struct play *p, struct ec_report *report, struct failure_place *place);

/* A failed check that a wave can show: not the mere fact that a network is overloaded. */
bool explain_by_wave(const struct play *p, const struct ec_report *report);

#endif
