/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks the run to end with what it has, the second ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted. */
void cli_interrupt_catch(void);

/* Has one been noted? */
bool cli_interrupted(void);

#endif
