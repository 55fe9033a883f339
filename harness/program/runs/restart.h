/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints on the command line: --checkpoint, --every, --restart. */
#pragma once

#include "ecube/run.h"
#include "program/options/job.h"

/* A run that continues; or nothing, without --restart. */
struct cli_restart {
    struct ec_restart *from;
    struct cli_words words; /* of the command in it, and of the command line */
};

/* With --restart, the job becomes that of the command in the file, with the options of the command
 * line. EC_USAGE: the file or an option cannot be used. */
enum ec_code cli_restart_open(const struct cli_command *self, int argc, char **argv,
                              struct cli_job *job, struct cli_restart *ret,
                              struct ec_error *reterr);
void cli_restart_close(struct cli_restart *r);

/* How the job is to be saved, for `line`, its command; path NULL: not at all. `program` is what it
 * borrows besides. EC_USAGE. */
enum { CLI_PROGRAM_SIZE = 80 };
enum ec_code cli_restart_options(const struct cli_job *job, const char *line,
                                 char program[CLI_PROGRAM_SIZE], struct ec_checkpoint_options *ret,
                                 struct ec_error *reterr);
