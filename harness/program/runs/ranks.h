/* SPDX-License-Identifier: Apache-2.0 */
/* This process as one of several that a launcher has started (mpirun, srun).
 *
 * All ranks execute the same command. Rank 0 writes results and messages; the others are silent. A
 * message of another rank reaches rank 0 when the ranks meet (parts/ranks/world.h), where all of
 * them end if one has failed before. Only one process of a rank may meet the others: a worker, or
 * this process if it fails before it has one. If a rank breaks off later, its message goes to
 * standard error, and the launcher ends the others. */
#pragma once

#include <sys/types.h>

#include "ecube/error.h"
#include "parts/ranks/world.h"

/* At the start of the program. `line`: the command, borrowed until the end. False: this process has
 * nothing to do and ends with *ret_status. */
bool cli_ranks_begin(const char *line, int *ret_status);
/* At the end of the program: the exit status of the process. */
int cli_ranks_end(int status);

/* 0 of 1 without a launcher, and after cli_ranks_part(). */
uint32_t cli_rank(void);
uint32_t cli_ranks(void);

/* What follows concerns rank 0 alone. False: this is another rank, which must end with status 0. */
bool cli_ranks_part(void);

/* EC_USAGE: several ranks, which do not share lists, sweeps and regressions. */
enum ec_code cli_ranks_refuse(struct ec_error *reterr);

/* In the process that meets the others, once: with EC_OK, or with the error because of which this
 * rank cannot go on. Returns the error of the first rank that has one. `threads`: of this rank. */
enum ec_code cli_ranks_meet(uint32_t threads, enum ec_code code, struct world **ret,
                            struct ec_error *error);
/* In the same process, at its end; `code` is its result. False: it has not met them. Otherwise it
 * must end by exit(): MPICH takes leave of its launcher in a function that atexit() has noted, and
 * the launcher kills ranks if a process goes without it. */
bool cli_ranks_leave(enum ec_code code);
/* At the end, wait for this worker, which has met the others. 0: there is none. */
void cli_ranks_reap(pid_t worker);

/* Has a process of this rank met the others? */
bool cli_ranks_met(void);
