/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, in seconds. */
#pragma once

#include <sys/types.h>
#include <time.h>

/* CLOCK_MONOTONIC: real time, of which only differences mean something. CLOCK_PROCESS_CPUTIME_ID,
 * CLOCK_THREAD_CPUTIME_ID: processor time. 0: the clock cannot be read. */
static inline double ec_clock(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* Processor time of a child that has not been waited for; 0: there is no such process. */
static inline double ec_clock_of(pid_t pid)
{
    clockid_t clock;
    return clock_getcpuclockid(pid, &clock) == 0 ? ec_clock(clock) : 0;
}
