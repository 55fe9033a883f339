/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end the program. Knows which output must be saved and which files must be removed;
 * must not know what the program was doing.
 *
 * The only mutable globals of the program are here and in progress.c, because a signal handler can
 * reach nothing else. */
#include "terminal/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parts/pulse.h"
#include "terminal/status.h"

/* A signal so soon after the same one is the same event: a launcher of ranks sends SIGTERM to a
 * whole process group, and then a parent sends it to its workers. */
#define SAME_NS 300000000

/* How long workers may take to end their tools, and how often that is looked at. */
enum { DISMISS_MS = 1000, POLL_MS = 10 };

/* Longer than the polling interval of a run, short enough for a user to wait. */
#define GRACE_MS 2000

static volatile sig_atomic_t noted;
static volatile sig_atomic_t grace = GRACE_MS;
static const char *volatile reason = "interrupted in the middle of a long computation";
static volatile int64_t noted_at; /* on the clock of now_ns() */
static const char *volatile temporary, *volatile finished;

/* Unfinished files of this process. A worker keeps them in its vitals, so that its parent can
 * remove them if the worker cannot. */
static struct ec_unfinished_files own_files;
static struct ec_unfinished_files *volatile files = &own_files;
/* The workers of this process. */
static struct ec_vitals *volatile watched[EC_WORKERS_MAX];
static volatile sig_atomic_t watched_count;
/* This process is a worker, whose parent reports its end. */
static bool working;

/* --- Tools ------------------------------------------------------------------------------------ */

/* Append text to a path; a signal handler has no snprintf. */
static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static char *put_number(char *to, pid_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return put_text(to, digits + at);
}

/* The tools that a process has started, each of which leads a process group; returns how many.
 * `signal_number`: sent to all of them, unless it is 0. */
static unsigned signal_tools(pid_t parent, int signal_number)
{
    char path[80], text[4096];
    unsigned count = 0;
    pid_t pid = 0;
    put_text(put_number(put_text(put_number(put_text(path, "/proc/"), parent), "/task/"), parent),
             "/children");
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < size; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            pid = 10 * pid + text[i] - '0';
            continue;
        }
        if (pid > 0 && getpgid(pid) == pid) {
            count++;
            if (signal_number)
                kill(-pid, signal_number);
        }
        pid = 0;
    }
    return count;
}

/* A worker that waits for a compiler has time to end it and to remove its folder, which a signal
 * handler cannot do. */
static void dismiss_builders(void)
{
    bool builds[EC_WORKERS_MAX], there = false;
    for (sig_atomic_t i = 0; i < watched_count; i++) {
        const pid_t pid = watched[i]->pid;
        builds[i] = pid && signal_tools(pid, 0) > 0;
        if (builds[i])
            kill(pid, SIGTERM);
        there |= builds[i];
    }
    for (int waited = 0; waited < DISMISS_MS && there; waited += POLL_MS) {
        (void)poll(NULL, 0, POLL_MS);
        there = false;
        for (sig_atomic_t i = 0; i < watched_count; i++) {
            if (builds[i] && waitpid(watched[i]->pid, NULL, WNOHANG) != 0) {
                ec_vitals_tidy(watched[i]);
                builds[i] = false;
            }
            there |= builds[i];
        }
    }
}

/* --- The end ---------------------------------------------------------------------------------- */

/* Keep complete results under their name and remove all temporary files. Like all handlers here, it
 * calls only async-signal-safe functions. */
static void tidy(void)
{
    dismiss_builders();
    signal_tools(getpid(), SIGTERM);
    for (sig_atomic_t i = 0; i < watched_count; i++)
        ec_vitals_end(watched[i]);
    if (temporary && finished)
        (void)!rename(temporary, finished);
    else if (temporary)
        unlink(temporary);
    ec_unfinished_remove(files);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* End the program as the signal would have without a handler. */
static void end(int signal_number)
{
    if (working && now_ns() - noted_at < SAME_NS)
        return;
    tidy();
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* delivered on return */
}

/* Only a repeat of the same signal counts as the second one: a child in the terminal's process
 * group gets Ctrl-C from the terminal and then SIGTERM from its parent. */
static void note(int signal_number)
{
    struct sigaction action = {.sa_handler = end};
    sigemptyset(&action.sa_mask);
    noted_at = now_ns();
    sigaction(signal_number, &action, NULL);
    noted = 1;
    const struct itimerval time = {
        .it_value = {.tv_sec = grace / 1000, .tv_usec = grace % 1000 * 1000L}};
    setitimer(ITIMER_REAL, &time, NULL);
}

/* The program did not poll within the grace period. */
static void give_up(int signal_number)
{
    const char *const line[] = {"ecube: ", reason, "\n"};
    (void)signal_number;
    tidy();
    for (size_t i = 0; !working && i < sizeof line / sizeof *line; i++)
        (void)!write(STDERR_FILENO, line[i], strlen(line[i]));
    _exit(CLI_INTERRUPTED);
}

void cli_interrupt_launched(int milliseconds)
{
    if (milliseconds > 0)
        grace = milliseconds;
    reason = "interrupted, or another rank has ended";
}

const char *cli_interrupt_reason(void)
{
    return reason;
}

void cli_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    const struct sigaction last = {.sa_handler = give_up};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &last, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        /* A signal that the caller ignores (nohup) stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool cli_interrupted(void)
{
    if (noted)
        alarm(0);
    return noted != 0;
}

bool cli_interrupt_go_on(void *context)
{
    (void)context;
    return !cli_interrupted();
}

static void tell_unfinished(void *context, const char *path, bool there)
{
    (void)context;
    ec_unfinished_note(files, path, there);
}

const struct ec_unfinished cli_interrupt_unfinished = {.tell = tell_unfinished};

void cli_interrupt_output(const char *name, const char *path)
{
    finished = NULL; /* first, so that the new file never gets the old name */
    temporary = name;
    finished = path;
}

void cli_interrupt_watch(void *context, void *shared)
{
    sig_atomic_t i = 0;
    (void)context;
    while (shared && i < watched_count && watched[i] != shared)
        i++;
    if (shared && i < EC_WORKERS_MAX)
        watched[i] = shared;
    watched_count = !shared ? 0 : i < watched_count ? watched_count : i + 1;
}

void cli_interrupt_worker(struct ec_vitals *own)
{
    if (!working)
        pulse_guard();
    watched_count = 0;
    working = true;
    own->pid = getpid();
    files = &own->files;
    cli_interrupt_output(NULL, NULL);
}
