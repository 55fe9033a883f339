/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end the program. Knows signals and what must be saved of an output file; must not
 * know what the program was doing.
 *
 * The mutable globals of the program are here: a signal handler has nothing else to write to or to
 * read from. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "status.h"

/* Long enough for a run, which asks all the time; short enough for who waits for an end. */
#define GRACE_SECONDS 2

static volatile sig_atomic_t noted;
static const char *volatile temporary, *volatile finished;

static void note(int signal_number)
{
    (void)signal_number;
    noted = 1;
    alarm(GRACE_SECONDS);
}

/* Nobody asked: a computation without an end in sight. Calls only what a handler may call. */
static void give_up(int signal_number)
{
    static const char line[] = "ecube: interrupted in the middle of a long computation\n";
    (void)signal_number;
    if (temporary && finished)
        (void)!rename(temporary, finished);
    else if (temporary)
        unlink(temporary);
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(CLI_INTERRUPTED);
}

void cli_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
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

void cli_interrupt_output(const char *unfinished, const char *path)
{
    finished = NULL; /* first: never the old name for the new file */
    temporary = unfinished;
    finished = path;
}
