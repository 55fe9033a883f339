/* SPDX-License-Identifier: Apache-2.0 */
/* Progress on stderr.
 *
 * Knows clocks, one thread and carriage returns; knows of a run only the four numbers it is called
 * with. */
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"

#define TICK_NS        200000000
#define TERMINAL_AFTER 0.3 /* seconds: what is done at once needs no progress */

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

/* The first of 2, 10, 20, 40, 60, 120, 180, ... that is later. */
static double next_line(double seconds)
{
    static const double first[] = {2, 10, 20, 40};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        if (seconds < first[i])
            return first[i];
    }
    return 60 * ((double)(uint64_t)(seconds / 60) + 1);
}

void cli_progress_init(struct cli_progress *p, bool quiet)
{
    *p = (struct cli_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .next = 2};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
}

/* The lock is held. */
static void wipe(struct cli_progress *p)
{
    if (p->dirty)
        fprintf(stderr, "\r\033[K");
    p->dirty = false;
}

/* The lock is held. */
static void tell(struct cli_progress *p)
{
    const double seconds = seconds_since(&p->start);
    if (!p->text[0])
        return;
    if (p->terminal && seconds >= TERMINAL_AFTER) {
        fprintf(stderr, "\r\033[K%s (%.0f s)", p->text, seconds);
        fflush(stderr);
        p->dirty = true;
    } else if (!p->terminal && seconds >= p->next) {
        fprintf(stderr, "ecube: %s (%.0f s)\n", p->text, seconds);
        p->next = next_line(seconds);
    }
}

static void *tick(void *context)
{
    struct cli_progress *p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TICK_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&p->wake, &p->lock, &until);
        if (!p->stop)
            tell(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Without a thread there is no progress, and nothing else is lost. */
static bool start(struct cli_progress *p)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the main thread's */
    const bool started = pthread_create(&p->thread, NULL, tick, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    p->owner = started ? getpid() : 0;
    p->quiet |= !started;
    return started;
}

/* Has this process a thread that tells? In a child the lock may be held for ever. */
static bool tells(const struct cli_progress *p)
{
    return p && p->owner && p->owner == getpid();
}

void cli_progress_say(struct cli_progress *p, const char *format, ...)
{
    va_list args;
    if (!p || p->quiet || (p->owner ? !tells(p) : !start(p)))
        return;
    pthread_mutex_lock(&p->lock);
    int used = 0;
    if (p->jobs > 0)
        used = snprintf(p->text, sizeof p->text, "run %zu of %zu: ", p->job, p->jobs);
    va_start(args, format);
    vsnprintf(p->text + used, sizeof p->text - (size_t)used, format, args);
    va_end(args);
    pthread_mutex_unlock(&p->lock);
}

void cli_progress_erase(struct cli_progress *p)
{
    if (!tells(p))
        return;
    pthread_mutex_lock(&p->lock);
    p->text[0] = '\0';
    wipe(p);
    pthread_mutex_unlock(&p->lock);
}

void cli_progress_end(struct cli_progress *p)
{
    if (!tells(p))
        return;
    cli_progress_erase(p);
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    p->owner = 0;
    p->quiet = true;
}

void cli_progress_begin(struct cli_progress *p, uint32_t nodes, uint64_t cycles_all)
{
    p->nodes = nodes;
    p->cycles_all = cycles_all;
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

bool cli_progress_run(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all)
{
    struct cli_progress *p = context;
    const double seconds = seconds_since(&p->begin);
    const double done = p->cycles_all ? (double)cycle / (double)p->cycles_all
                        : packets_all ? (double)packets_done / (double)packets_all
                                      : 0;
    char left[40] = "";
    if (done > 0 && done <= 1)
        snprintf(left, sizeof left, ", %.0f s left", seconds * (1 - done) / done);
    cli_progress_say(p, "%" PRIu64 " cycles, %" PRIu64 " packets, %.1f M router-cycles/s%s", cycle,
                     packets_done, (double)p->nodes * (double)cycle / seconds / 1e6, left);
    return !cli_interrupted();
}

void cli_progress_line(void *context, const char *line)
{
    struct cli_progress *p = context;
    if (!tells(p)) {
        fprintf(stderr, "ecube: %s\n", line);
        return;
    }
    pthread_mutex_lock(&p->lock);
    wipe(p);
    fprintf(stderr, "ecube: %s\n", line);
    pthread_mutex_unlock(&p->lock);
}
