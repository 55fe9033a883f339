/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end the program. Knows signals, what must be saved of an output file, and which
 * files must go; must not know what the program was doing.
 *
 * The mutable globals of the program are here and in progress.c: a signal handler has nothing else
 * to write to or to read from. */
#include "terminal/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "terminal/status.h"

/* Long enough for a run, which asks all the time; short enough for who waits for an end. */
#define GRACE_SECONDS 2

static volatile sig_atomic_t noted;
static const char *volatile temporary, *volatile finished;

/* Unfinished files of this process. A worker keeps them in its vitals: where it cannot tidy up,
 * whoever watches it does. */
static struct ec_unfinished_files own_files;
static struct ec_unfinished_files *volatile files = &own_files;
/* Of the worker of this process. */
static struct ec_vitals *volatile watched;

/* No file without its name is left, and no result that was whole is lost. Like all of the handlers
 * it calls only what they may call. */
static void tidy(void)
{
    if (watched)
        ec_vitals_end(watched);
    if (temporary && finished)
        (void)!rename(temporary, finished);
    else if (temporary)
        unlink(temporary);
    ec_unfinished_remove(files);
}

/* As the signal would have ended the program without us. */
static void end(int signal_number)
{
    tidy();
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* arrives when we return */
}

/* Only the same signal again is a second one: a child in the terminal's group gets Ctrl-C, and then
 * what its parent passes on. */
static void note(int signal_number)
{
    struct sigaction action = {.sa_handler = end};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
    noted = 1;
    alarm(GRACE_SECONDS);
}

/* Nobody asked: a computation without an end in sight. */
static void give_up(int signal_number)
{
    static const char line[] = "ecube: interrupted in the middle of a long computation\n";
    (void)signal_number;
    tidy();
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(CLI_INTERRUPTED);
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
        /* What the caller chose to ignore (nohup) stays ignored. */
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
    finished = NULL; /* first: never the old name for the new file */
    temporary = name;
    finished = path;
}

void cli_interrupt_watch(void *context, void *shared)
{
    (void)context;
    watched = shared;
}

void cli_interrupt_worker(struct ec_vitals *own)
{
    watched = NULL;
    own->pid = getpid();
    files = &own->files;
    cli_interrupt_output(NULL, NULL);
}
