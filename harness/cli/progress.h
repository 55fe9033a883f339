/* SPDX-License-Identifier: Apache-2.0 */
/* The line on a terminal that says how far a run has come, and the wish to stop it. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct cli_progress {
    bool shown;            /* stderr is a terminal, and nobody asked for quiet */
    bool dirty;            /* a line stands there now */
    struct timespec begin; /* of the run */
    uint32_t nodes;
    uint64_t cycles_all; /* open loop: warm-up and window; 0: unknown */
    size_t job, jobs;    /* place in a --from list; jobs 0: none */
};

void cli_progress_init(struct cli_progress *p, bool quiet);

/* Before each run. */
void cli_progress_begin(struct cli_progress *p, uint32_t nodes, uint64_t cycles_all);

/* For ec_run_options.progress; `context` is the struct cli_progress. False once interrupted. */
bool cli_progress_run(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all);

/* For ec_shape_options.progress: a line that stays, also where stderr is no terminal. */
void cli_progress_line(void *context, const char *line);

/* Wipe the line. */
void cli_progress_erase(struct cli_progress *p);

#endif
