/* SPDX-License-Identifier: Apache-2.0 */
/* This program again, with a command line that the user can repeat. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stdbool.h>

/* In a child: become `words[0]`, this program, with `out` as its standard output. It ends when its
 * parent does. Returns never; if it cannot be done, says so and exits with status 127. */
_Noreturn void cli_apart_become(char *const *words, int out);

/* A child becomes this program; wait for its end. False, with errno, if there is no child. */
bool cli_apart_run(char *const *words, int *ret_status);

#endif
