/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks the run to end with what it has, the second ends the program; so does the
 * first if nobody has asked for it within two seconds. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

#include "base/vitals.h"
#include "ecube/unfinished.h"

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted. */
void cli_interrupt_catch(void);

/* Has one been noted? Who asks has to come to an end by himself. */
bool cli_interrupted(void);

/* Has none been noted? As ec_workers_plan.go_on. */
bool cli_interrupt_go_on(void *context);

/* Files to be removed if the program ends before they are whole: by the second signal, or because
 * nobody asked after the first. */
extern const struct ec_unfinished cli_interrupt_unfinished;

/* Where results are being written, for such an end: the file `name` is renamed to `path` or, if
 * that is NULL, removed. NULL: nothing to do. Both are borrowed until the next call. */
void cli_interrupt_output(const char *name, const char *path);

/* This process has a worker, which shares its struct ec_vitals: at such an end that ends, too. As
 * ec_workers_plan.hired. */
void cli_interrupt_watch(void *context, void *shared);

/* In a worker process: what was written so far is its parent's. */
void cli_interrupt_worker(struct ec_vitals *own);

#endif
