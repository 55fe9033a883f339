/* SPDX-License-Identifier: Apache-2.0 */
/* A job: what one `ecube run` or `ecube audit`, or one line of a --from file, asks for. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "ecube/session.h"
#include "program/options/words.h"

enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV };

/* Strings are borrowed from the command line or from the batch. */
struct cli_job {
    struct ec_case_spec spec;
    bool expect_congestion_free;

    enum cli_format format;
    const char *output; /* NULL: stdout */
    const char *from;   /* NULL: one job; "-": stdin */
    bool quiet, verbose, packets;

    /* A comparison has two sides; --soak draws its own topologies and workloads. */
    bool two_sides, soak;
    const char *side[2];
    uint64_t time; /* seconds of a soak; 0: no limit */

    const char *wave, *wave_nodes, *wave_cycles; /* NULL: none, default, all */
    const char *events, *events_nodes, *events_packets, *events_cycles; /* NULL: none, all */
    bool has_events_format, events_json;
    const char *failure_dir; /* NULL: the current folder */
    bool no_failure_wave;

    bool deliveries; /* compare what arrives, not when */

    /* The simulation options given, as words: a --from list repeats them for every line. Owned. */
    struct cli_words options;

    /* Where it comes from. */
    const char *command; /* the command line that repeats it */
    bool in_batch;       /* a line of a file: options about output are refused */
};

extern const struct argp cli_run_argp, cli_audit_argp, cli_compare_argp, cli_row_argp;

/* Words, NULL-terminated: backends in the order of ec_backend, disciplines in that of ec_sync. */
extern const char *const cli_backends[], *const cli_syncs[];

/* All defaults. */
struct cli_job cli_job_default(void);
void cli_job_free(struct cli_job *job);

#endif
