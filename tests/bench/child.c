/* SPDX-License-Identifier: Apache-2.0 */
/* A child process does the work and sends its result through a pipe; the kernel reports the
 * resources used. Knows processes; must not know their work. */
#include "child.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool bench_in_child(void (*work)(const void *c, void *result), const void *c, void *result,
                    size_t size, struct rusage *ret_usage)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(c, result);
        _exit(write(ends[1], result, size) != (ssize_t)size);
    }
    close(ends[1]);
    size_t have = 0;
    while (child > 0 && have < size) {
        const ssize_t got = read(ends[0], (char *)result + have, size - have);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        have += got > 0 ? (size_t)got : 0;
    }
    close(ends[0]);
    if (child < 0)
        return false;
    while (wait4(child, &status, 0, ret_usage) < 0 && errno == EINTR)
        ;
    return have == size && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

uint64_t bench_peak_bytes(const struct rusage *u)
{
    return (uint64_t)u->ru_maxrss * 1024;
}

static double seconds(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

struct bench_time bench_now(void)
{
    return (struct bench_time){seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
}

struct bench_time bench_since(struct bench_time begin)
{
    const struct bench_time end = bench_now();
    return (struct bench_time){end.cpu_seconds - begin.cpu_seconds,
                               end.wall_seconds - begin.wall_seconds};
}
