/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of long activities on stderr, and the polling for Ctrl-C.
 *
 * A terminal shows one line that changes. Elsewhere (a log of a CI system) a line is printed after
 * 2 seconds, and then at growing intervals of up to a minute. --quiet silences both. */
#pragma once

#include <time.h>

#include "ecube/session.h"

enum { CLI_ACTIVITY_SIZE = 300 };

struct cli_progress {
    bool quiet, terminal;
    struct timespec start; /* of the command */
    struct timespec begin; /* of the run */
    uint32_t nodes;
    uint64_t cycles_all; /* open loop: warm-up and window; 0: unknown */
    char *activity;      /* in a worker: where its parent reads the current activity; else NULL */

    /* A timer's signal prints, so that computations need no callbacks. */
    bool has_timer;
    timer_t timer;
    volatile bool busy;           /* the other fields are changing */
    volatile bool armed;          /* there is a text */
    volatile bool dirty;          /* the terminal shows a line */
    char text[CLI_ACTIVITY_SIZE]; /* the current activity */
    size_t columns;               /* of the terminal, or more than a line ever has */
    time_t next; /* when to print the next line in a log: seconds after the start */
};

void cli_progress_init(struct cli_progress *p, bool quiet);
/* Call in a worker process: from now on the activity goes to `activity` [CLI_ACTIVITY_SIZE], which
 * the parent shows. */
void cli_progress_worker(struct cli_progress *p, char *activity);
/* At the end of the command: print nothing more. */
void cli_progress_end(struct cli_progress *p);

/* Set the current activity, "making the schedule". `p` may be NULL. */
void cli_progress_say(struct cli_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The activity has ended: print nothing until the next one. */
void cli_progress_erase(struct cli_progress *p);

/* A duration for people: "14 s", "12 min", "3.5 h". */
void cli_progress_duration(double seconds, char *buffer, size_t size);

/* Open a session that reports its progress to `p`. */
enum ec_code cli_progress_session(struct cli_progress *p, struct ec_session **ret,
                                  struct ec_error *reterr);

/* Print a permanent line; `context` is the struct cli_progress. */
void cli_progress_line(void *context, const char *line);
