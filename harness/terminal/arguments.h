/* SPDX-License-Identifier: Apache-2.0 */
/* glibc's argp, made to speak in one line: what is wrong, and the nearest valid word. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>

#include "ecube/error.h"

/* One program word: `ecube run`, `ecube list`, ... */
struct cli_command {
    const char *name;    /* "run" */
    const char *summary; /* one line for `ecube --help` */
    const struct argp *argp;
    /* argv[0] is the command's name; the whole command line is in `line`, quoted. */
    int (*main)(const struct cli_command *self, int argc, char **argv, const char *line);
};

/* For .options of an argp: --help of every command. */
#define CLI_HELP_OPTION                                                                            \
    {                                                                                              \
        "help", 'h', NULL, 0, "print this help and exit", -1                                       \
    }

/* Passed to argp parsers as state->input. */
struct cli_parse {
    void *target;
    struct ec_error *error;
};

/* Parse argv[1..] of a command into `target`. The parser of `argp` gets a struct cli_parse as its
 * input and returns an enum ec_code of a failure it described in ->error. *ret_help: --help was
 * asked for, and nothing parsed. */
enum ec_code cli_arguments(const struct argp *argp, int argc, char **argv, void *target,
                           bool *ret_help, struct ec_error *reterr);

/* Print the help of a command on stdout. */
void cli_arguments_help(const struct cli_command *command);

/* Run the common beginning of every command: parse, and print the help or the complaint. True if
 * the command shall go on; else *ret_status is the exit status. */
bool cli_arguments_begin(const struct cli_command *self, int argc, char **argv, void *target,
                         int *ret_status);

/* What a program does first: signals, locale, the layout of argp's help. */
void cli_program_begin(void);

/* --rtl FILES and --top NAME: both or neither. */
enum ec_code cli_check_own_router(const char *rtl, const char *top, struct ec_error *reterr);

#endif
