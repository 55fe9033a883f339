/* SPDX-License-Identifier: Apache-2.0 */
/* Where results go: standard output, or a file that appears only when it is complete. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "ecube/error.h"
#include "terminal/status.h"

struct cli_output {
    FILE *file;
    char *path;      /* of the file to appear; NULL: nothing to rename (stdout, a device, a pipe) */
    char *temporary; /* written meanwhile, in the same folder */
    const char *name; /* for messages; borrowed */
};

/* Open for writing: `path` NULL or "-" is standard output. Refuses what cannot be written now,
 * before any work is done. */
enum ec_code cli_output_open(const char *path, struct cli_output *ret, struct ec_error *reterr);

/* Write out what was printed so far; EC_IO if it did not arrive (a full disk). */
enum ec_code cli_output_check(struct cli_output *o, struct ec_error *reterr);

/* Finish: with `keep`, all is written and the file takes its name; else nothing remains. */
enum ec_code cli_output_close(struct cli_output *o, bool keep, struct ec_error *reterr);

/* Flush a stream at the end of a command; complains and returns the exit status. */
enum cli_status cli_output_flush(FILE *file, const char *name);

#endif
