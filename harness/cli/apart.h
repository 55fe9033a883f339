/* SPDX-License-Identifier: Apache-2.0 */
/* Work in processes of its own: what a process can do once only (the SystemC kernel) is done once
 * for each; and what may crash, or is to be repeated by the user, is a command line. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "ecube/error.h"

/* Call `work` in a child, wait for it, and copy what it left at `result` (`size` bytes, at most
 * 512) back. The caller has flushed all streams; `work` flushes those it writes to. An interrupt of
 * this process is passed on. EC_INTERNAL if the child did not come to its end. */
enum ec_code cli_apart(void (*work)(void *context, void *result), void *context, void *result,
                       size_t size, struct ec_error *reterr);

/* In a child: become `words[0]`, this program, with `out` as its standard output. It ends when its
 * parent does. Returns never; if it cannot be done, says so and exits with status 127. */
_Noreturn void cli_apart_become(char *const *words, int out);

/* A child becomes this program; wait for its end. False, with errno, if there is no child. */
bool cli_apart_run(char *const *words, int *ret_status);

#endif
