/* SPDX-License-Identifier: Apache-2.0 */
/* What this process may use of its computer: processors and memory. */
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include <stdint.h>

/* Processors that this process may run on: 1 to EC_WORKERS_MAX. */
unsigned cli_host_processors(void);

/* Bytes that can be allocated without swapping: what the system has available, or less where a
 * control group (a container, a batch system) limits this process. 0: not known. */
uint64_t cli_host_memory(void);

/* The same for this process alone, which may have a limit of its own (ulimit -v). */
uint64_t cli_host_own_memory(void);

#endif
