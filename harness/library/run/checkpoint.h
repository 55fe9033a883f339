/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of a play: when, what, and the file (docs/adr/0027-checkpoints.md). */
#pragma once

#include "run/play.h"

/* The next checkpoint is due after this time, or cycle, from now on. */
void checkpoint_begin(struct play *p);
/* Collective. Is one due by the clock? */
bool checkpoint_is_due(struct play *p);
/* Collective, between two cycles. If it cannot be written, the run goes on without it. */
void checkpoint_write(struct play *p);
/* Collective, after a reset: continue where the checkpoint was written. EC_MEMORY; EC_USAGE: it is
 * that of another run. */
enum ec_code checkpoint_load(struct play *p, const struct ec_restart *from,
                             struct ec_error *reterr);
