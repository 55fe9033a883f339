/* SPDX-License-Identifier: Apache-2.0 */
/* What the program is doing, told on stderr when it takes long, and the wish to stop it.
 *
 * On a terminal one line is rewritten all the time. Elsewhere (a log of a CI system) a line is
 * printed after 2 seconds, and then at growing intervals up to a minute. --quiet silences both. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ecube/session.h"

struct cli_progress {
    bool quiet, terminal;
    struct timespec start; /* of the command */
    struct timespec begin; /* of the run */
    uint32_t nodes;
    uint64_t cycles_all; /* open loop: warm-up and window; 0: unknown */
    size_t job, jobs;    /* place in a --from list; jobs 0: none */

    /* A timer's signal prints, so that nothing that computes has to call back. */
    bool has_timer;
    timer_t timer;
    volatile bool busy;  /* the rest is being changed */
    volatile bool armed; /* there is a text */
    volatile bool dirty; /* a line stands on the terminal now */
    char text[300];      /* what is being done */
    time_t next;         /* seconds after the start of the next line in a log */
};

void cli_progress_init(struct cli_progress *p, bool quiet);
/* In a worker process: it tells by a timer of its own, its parent does not. */
void cli_progress_worker(struct cli_progress *p);
/* At the end of the command: nothing is told any more. */
void cli_progress_end(struct cli_progress *p);

/* What is being done from now on, "making the schedule". NULL as `p` is fine. */
void cli_progress_say(struct cli_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* It is done: nothing is told until the next text. */
void cli_progress_erase(struct cli_progress *p);

/* A session whose progress `p` tells. */
enum ec_code cli_progress_session(struct cli_progress *p, struct ec_session **ret,
                                  struct ec_error *reterr);

/* A line that stays; `context` is the struct cli_progress. */
void cli_progress_line(void *context, const char *line);

#endif
