/* SPDX-License-Identifier: Apache-2.0 */
/* What this process may use of its computer: processors and memory, in a container or a batch job
 * what its control group leaves. */
#pragma once

#include <stdint.h>

/* Processors that this process may run on, at least 1. */
uint32_t ec_host_processors(void);

/* Bytes that can be allocated without swapping. 0: not known. */
uint64_t ec_host_memory(void);

/* The same for this process alone, which may have a limit of its own (ulimit -v). */
uint64_t ec_host_own_memory(void);
