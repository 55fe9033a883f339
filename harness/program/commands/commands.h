/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "terminal/arguments.h"

extern const struct cli_command cli_command_run, cli_command_audit, cli_command_claims,
    cli_command_compare, cli_command_regress, cli_command_draw, cli_command_list, cli_command_tile;

#endif
