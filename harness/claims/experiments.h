/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments, which are written in their records. */
#ifndef CLAIMS_EXPERIMENTS_H
#define CLAIMS_EXPERIMENTS_H

#include "claims/experiment.h"

/* The experiment of a record with a script, and the keys of its lines. */
void experiment_script(struct claims_run *run);
bool claims_script_key(const char *key);

#endif
