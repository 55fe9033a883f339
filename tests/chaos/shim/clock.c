/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: clocks that jump. Each call of a clock adds a leap of CHAOS_CLOCK seconds with
 * probability 1/8, forwards or backwards, to what the process has seen so far; CHAOS_CLOCKS=wall
 * leaves the monotonic clocks alone, as a system does whose administrator sets the time. Monotonic
 * clocks then only jump forwards: POSIX promises that much. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Thread_local uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static bool is_monotonic(clockid_t clock)
{
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

static int64_t leap(clockid_t clock)
{
    static int64_t wall, steady;
    const char *size = getenv("CHAOS_CLOCK"), *which = getenv("CHAOS_CLOCKS");
    const int64_t seconds = size == NULL ? 0 : strtoll(size, NULL, 10);
    const bool jump = seconds > 0 && next_random() % 8 == 0;
    if (is_monotonic(clock)) {
        if (jump && (which == NULL || strcmp(which, "wall") != 0))
            __atomic_add_fetch(&steady, seconds, __ATOMIC_RELAXED);
        return steady;
    }
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return 0; /* processor time */
    if (jump)
        __atomic_add_fetch(&wall, next_random() % 2 == 0 ? seconds : -seconds, __ATOMIC_RELAXED);
    return wall;
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, ret);
    if (status == 0)
        ret->tv_sec += leap(clock);
    return status;
}

time_t time(time_t *ret)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (ret != NULL)
        *ret = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
    struct timespec now = {0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *ret = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}
