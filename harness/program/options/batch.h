/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of jobs: the command line itself, or the lines of a --from file. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include <stddef.h>

#include "program/options/job.h"

struct cli_batch {
    struct cli_job *jobs;
    size_t count;
    unsigned *lines;         /* line number of each job; NULL: the command line */
    struct cli_words *words; /* of each line; the jobs borrow from them */
    char **commands;         /* owned texts of jobs[].command */
};

/* All jobs that `base` (the parsed command line, `line` quoted) stands for. With --from every
 * line is parsed here, so that a bad one is refused before anything runs; options of the command
 * line hold for all lines. The message names file and line. */
enum ec_code cli_batch_open(const struct cli_job *base, const struct argp *argp,
                            const char *command, const char *line, struct cli_batch *ret,
                            struct ec_error *reterr);
void cli_batch_close(struct cli_batch *b);

/* "grid.txt:12" in `buffer`, or NULL for the command line. */
const char *cli_batch_where(const struct cli_batch *b, size_t job, const char *from, char *buffer,
                            size_t size);

#endif
