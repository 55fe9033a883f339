/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program, one file each. argv[0] is the command's name; `line` is the whole
 * command line, quoted for a shell. Each returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <jansson.h>

#include "terminal/options.h"

typedef int cli_main(const struct cli_command *self, int argc, char **argv, const char *line);

cli_main cli_run, cli_sweep, cli_audit, cli_claims, cli_compare, cli_regress, cli_draw, cli_list,
    cli_tile, cli_report, cli_plan, cli_prove, cli_mutate;

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

#endif
