/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end the program. Knows which output must be saved and which files must be removed;
 * must not know what the program was doing.
 *
 * The only mutable globals of the program are here and in progress.c, because a signal handler can
 * reach nothing else. */
#include "terminal/interrupt.h"

#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "parts/heartbeat.h"
#include "terminal/status.h"

/* A signal so soon after the same one is the same event: a launcher of ranks sends SIGTERM to a
 * whole process group, and then a parent sends it to its workers. */
#define SAME_NS 300000000

/* The time for a worker to end its compilers and remove their folder, which only it can do. */
#define WORKER_MS 5000
#define TICK_MS   10

/* Longer than the polling interval of a run, short enough for a user to wait. */
#define GRACE_MS 2000
#define AGAIN_MS 100

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

/* Handlers do not interrupt each other: of two signals that are delivered at once, the second would
 * interrupt the first handler, not the wait for tools (in_wait_for_tools). */
static struct sigaction handler(void (*function)(int, siginfo_t *, void *), int flags)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    struct sigaction action = {.sa_sigaction = function, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&action.sa_mask, signals[i]);
    return action;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool any_worker(bool (*of)(struct ec_vitals *))
{
    bool any = false;
    for (sig_atomic_t i = 0; i < watched_count; i++)
        any = of(watched[i]) || any;
    return any;
}

/* The workers end at once; one that waits for tools ends them before. */
static void end_workers(void)
{
    const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
    const int64_t begin = now_ns();
    while (any_worker(ec_vitals_ask) && now_ns() - begin < WORKER_MS * 1000000LL)
        nanosleep(&tick, NULL);
    for (sig_atomic_t i = 0; i < watched_count; i++)
        ec_vitals_end(watched[i]);
}

/* Keep complete results under their name and remove all temporary files. Like all handlers here, it
 * calls only async-signal-safe functions. */
static void tidy(void)
{
    end_workers();
    if (temporary && finished)
        (void)!rename(temporary, finished);
    else if (temporary)
        unlink(temporary);
    ec_unfinished_remove(files);
}

/* Did the signal come while this process waits for its tools (ec_signals_hold)? Only there are all
 * of these blocked in the interrupted code. The wait ends when the handler returns, and whoever
 * waits ends the tools and removes their files. */
static bool in_wait_for_tools(const void *context)
{
    const ucontext_t *interrupted = context;
    const sigset_t *blocked = &interrupted->uc_sigmask;
    return sigismember(blocked, SIGINT) && sigismember(blocked, SIGTERM) &&
           sigismember(blocked, SIGHUP);
}

static void set_alarm(long ms)
{
    const struct itimerval time = {.it_value = {ms / 1000, ms % 1000 * 1000L}};
    setitimer(ITIMER_REAL, &time, NULL);
}

/* End the program as the signal would have without a handler. */
static void leave(int signal_number)
{
    tidy();
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* delivered on return */
}

/* The second signal. */
static void end(int signal_number, siginfo_t *info, void *context)
{
    const bool same = working && now_ns() - noted_at < SAME_NS && !ec_vitals_asks(info);
    if (!same && !in_wait_for_tools(context))
        leave(signal_number);
}

/* Only a repeat of the same signal counts as the second one: a child in the terminal's process
 * group gets Ctrl-C from the terminal and then SIGTERM from its parent. */
static void note(int signal_number, siginfo_t *info, void *context)
{
    const struct sigaction action = handler(end, 0);
    if (working && ec_vitals_asks(info) && !in_wait_for_tools(context)) {
        leave(signal_number);
        return;
    }
    noted_at = now_ns();
    sigaction(signal_number, &action, NULL);
    noted = 1;
    set_alarm(grace);
}

/* The program did not poll within the grace period. If it waits for a tool, the signal came before
 * the wait, which ends now. */
static void give_up(int signal_number, siginfo_t *info, void *context)
{
    const char *const line[] = {"ecube: ", reason, "\n"};
    (void)signal_number;
    (void)info;
    if (in_wait_for_tools(context)) {
        set_alarm(AGAIN_MS);
        return;
    }
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
    const struct sigaction action = handler(note, SA_RESTART), last = handler(give_up, 0);
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
        heartbeat_guard();
    watched_count = 0;
    working = true;
    own->pid = getpid();
    files = &own->files;
    cli_interrupt_output(NULL, NULL);
}
