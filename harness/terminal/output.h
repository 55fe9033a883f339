/* SPDX-License-Identifier: Apache-2.0 */
/* Where results go: standard output, or a file that appears only when it is complete. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/output.h"
#include "terminal/status.h"

/* Open for writing: `path` NULL or "-" is standard output. Refuses what cannot be written now,
 * before any work is done. */
enum ec_code cli_output_open(const char *path, struct ec_output *ret, struct ec_error *reterr);

/* Flush a stream at the end of a command; complains and returns the exit status. */
enum cli_status cli_output_flush(FILE *file, const char *name);

#endif
