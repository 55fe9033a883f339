/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks the run to stop with partial results; the second ends the program. The
 * first also ends it if the program does not poll within two seconds. */
#pragma once

#include "ecube/unfinished.h"
#include "terminal/vitals.h"

/* From now on the first SIGINT, SIGTERM or SIGHUP is only recorded. */
void cli_interrupt_catch(void);

/* This process is one of several that a launcher ends if one of them has ended. `milliseconds`: how
 * long a computation may go on after a signal; 0: 2000 ms, as for other processes. */
void cli_interrupt_launched(int milliseconds);

/* Why a computation has no result if it went on for longer. */
const char *cli_interrupt_reason(void);

/* Has a signal been recorded? Then the caller must stop soon: the grace period no longer applies.
 */
bool cli_interrupted(void);

/* The opposite, as ec_workers_plan.go_on. */
bool cli_interrupt_go_on(void *context);

/* Files to remove if a signal ends the program before they are complete. */
extern const struct ec_unfinished cli_interrupt_unfinished;

/* The results written so far: if a signal ends the program, the file `name` is renamed to `path`
 * or, if that is NULL, removed. NULL: nothing to do. Both are borrowed until the next call. */
void cli_interrupt_output(const char *name, const char *path);

/* This process has a worker, which shares its struct ec_vitals and ends with it; NULL: it has none.
 * As ec_workers_plan.hired. */
void cli_interrupt_watch(void *context, void *shared);

/* In a worker process: files written before belong to its parent. */
void cli_interrupt_worker(struct ec_vitals *own);
