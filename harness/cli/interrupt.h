/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks the run to end with what it has, the second ends the program; so does the
 * first if nobody has asked for it within two seconds. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted. */
void cli_interrupt_catch(void);

/* Has one been noted? Who asks has to come to an end by himself. */
bool cli_interrupted(void);

/* Where results are being written, for an end that nobody asked for: `unfinished` is renamed to
 * `path` or, if that is NULL, removed. NULL: nothing to do. Both are borrowed until the next call.
 */
void cli_interrupt_output(const char *unfinished, const char *path);

#endif
