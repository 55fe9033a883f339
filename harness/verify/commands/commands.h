/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of ecube-verify. `self` is a row of the program's table; both return the exit
 * status. */
#ifndef VERIFY_COMMANDS_H
#define VERIFY_COMMANDS_H

#include "terminal/options.h"

int verify_prove(const struct cli_command *self, int argc, char **argv);
int verify_mutate(const struct cli_command *self, int argc, char **argv);

#endif
