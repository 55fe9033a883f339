/* SPDX-License-Identifier: Apache-2.0 */
/* How the program ends: exit statuses, the one line on stderr that explains a failure, and checked
 * output. */
#pragma once

#include "base/output.h"
#include "ecube/error.h"
#include "ecube/run.h"

enum cli_status {
    CLI_OK = 0,       /* all checks passed */
    CLI_FAILED = 1,   /* a check failed, or --expect was not met */
    CLI_USAGE = 2,    /* usage, bad input, or output that could not be written */
    CLI_UNSTABLE = 3, /* backlogs grow, or the run is too short to tell; nothing else is wrong */
    CLI_DEADLOCK = 4,
    CLI_TOOL = 5,          /* a tool is missing or a build failed */
    CLI_STOPPED = 6,       /* --cycles came before everything was delivered; nothing is wrong */
    CLI_INTERRUPTED = 130, /* as a shell reports SIGINT */
};

/* The status of an error of the library. */
enum cli_status cli_status_of_error(enum ec_code code);

/* The status of a finished run. */
enum cli_status cli_status_of_report(const struct ec_report *report);

/* The first of the two in this order: interrupted, bad input, tool, deadlock, failed, unstable,
 * stopped, ok. */
enum cli_status cli_status_worse(enum cli_status a, enum cli_status b);

/* Print "ecube: [WHERE: ]MESSAGE" as exactly one line on stderr, whatever bytes the message
 * contains; returns the status of error->code. `where` may be NULL. */
enum cli_status cli_complain(const char *where, const struct ec_error *error);

/* Open for writing: `path` NULL or "-" is standard output. Fails before any work is done if the
 * file cannot be written. */
enum ec_code cli_output_open(const char *path, struct ec_output *ret, struct ec_error *reterr);

/* A commit will leave the former file alone and write FILE.partial, as a line on stderr says. */
void cli_output_interrupted(struct ec_output *o);

/* Flush a stream at the end of a command; prints the error, if any, and returns the exit status. */
enum cli_status cli_output_flush(FILE *file, const char *name);
