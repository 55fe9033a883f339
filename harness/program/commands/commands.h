/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands, one file each; cli_commands (commands.c) names them. */
#pragma once

#include <jansson.h>

#include "terminal/options.h"

typedef int cli_main(const struct cli_command *self, int argc, char **argv, const char *line);

cli_main cli_run, cli_sweep, cli_audit, cli_claims, cli_compare, cli_regress, cli_draw, cli_list,
    cli_tile, cli_report, cli_plan, cli_verify;

/* Find a program that ecube starts, as `git` does its helpers: in the build tree or beside ecube.
 * EC_TOOL: it is missing. */
enum ec_code cli_helper_find(const char *name, char *path, size_t size, struct ec_error *reterr);

struct cli_job;
struct cli_stored;
/* Run a stored result again and write its page; the job has its case and the page. */
int cli_run_replay(struct cli_job *job, const struct cli_stored *stored,
                   const struct cli_command *self);

/* Print the completions of argv[argc - 1]; argv[0] is the name of the command. */
void cli_complete(const struct cli_command *command, int argc, char **argv);

/* All claims, an array of objects with id, source and statement, from the program ecube-claims; the
 * caller releases it. EC_TOOL if the program fails or is missing; *ret_installed, which is always
 * written, says which. */
enum ec_code cli_claims_list(json_t **ret, bool *ret_installed, struct ec_error *reterr);
