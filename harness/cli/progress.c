/* SPDX-License-Identifier: Apache-2.0 */
/* Progress on stderr.
 *
 * Knows clocks and carriage returns; knows of a run only the four numbers it is called with. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "interrupt.h"

void cli_progress_init(struct cli_progress *p, bool quiet)
{
    *p = (struct cli_progress){.shown = !quiet && isatty(STDERR_FILENO)};
}

void cli_progress_begin(struct cli_progress *p, uint32_t nodes, uint64_t cycles_all)
{
    p->nodes = nodes;
    p->cycles_all = cycles_all;
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

bool cli_progress_run(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all)
{
    struct cli_progress *p = context;
    double seconds = seconds_since(&p->begin);
    if (!p->shown || seconds < 0.3) /* what is done at once needs no progress */
        return !cli_interrupted();
    double done = p->cycles_all ? (double)cycle / (double)p->cycles_all
                  : packets_all ? (double)packets_done / (double)packets_all
                                : 0;
    fprintf(stderr, "\r\033[K");
    if (p->jobs > 0)
        fprintf(stderr, "run %zu of %zu: ", p->job, p->jobs);
    fprintf(stderr, "%" PRIu64 " cycles, %" PRIu64 " packets, %.1f M router-cycles/s", cycle,
            packets_done, (double)p->nodes * (double)cycle / seconds / 1e6);
    if (done > 0 && done <= 1)
        fprintf(stderr, ", %.0f s left", seconds * (1 - done) / done);
    fflush(stderr);
    p->dirty = true;
    return !cli_interrupted();
}

void cli_progress_line(void *context, const char *line)
{
    cli_progress_erase(context);
    fprintf(stderr, "ecube: %s\n", line);
}

void cli_progress_erase(struct cli_progress *p)
{
    if (p->dirty)
        fprintf(stderr, "\r\033[K");
    p->dirty = false;
}
