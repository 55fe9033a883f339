/* SPDX-License-Identifier: Apache-2.0 */
/* What this process has used so far. */
#pragma once

#include <stdint.h>
#include <sys/resource.h>

/* The largest memory in bytes; 0: not known. */
static inline uint64_t ec_peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}
