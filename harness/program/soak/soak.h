/* SPDX-License-Identifier: Apache-2.0 */
/* Random comparisons until an end or a difference. */
#ifndef CLI_SOAK_H
#define CLI_SOAK_H

#include "program/runs/comparison.h"

/* Run `ecube compare --soak` after parsing; returns the exit status. */
int cli_soak(struct cli_comparison *x, const struct cli_job *job);

#endif
