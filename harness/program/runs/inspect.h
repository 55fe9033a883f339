/* SPDX-License-Identifier: Apache-2.0 */
/* What a run shows of its inside: the wave and the event log that the
 * user asked for. */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include <stdio.h>

#include "ecube/events.h"
#include "ecube/session.h"
#include "ecube/wave.h"
#include "program/options/job.h"

struct cli_look {
    const struct cli_job *job;
    const struct ec_topology *topology;
    struct ec_wave *wave; /* NULL: none was asked for */
    struct ec_wave_summary summary;
    size_t routers;                        /* in the wave */
    struct ec_events *events;              /* NULL: none was asked for */
    uint64_t lines;                        /* of the event log */
    bool has_wave, has_events;             /* complete, under their names */
    const struct ec_net_watch *watches[2]; /* for ec_run_options */
    size_t watch_count;
};

/* Before the run: read the selections, open the files. */
enum ec_code cli_look_open(struct cli_look *l, const struct cli_job *job, const struct ec_case *c,
                           struct ec_error *reterr);
/* After the run, whatever became of it: complete the files, each of them even if another cannot be
 * written. EC_INTERNAL if a traced router did not do what its router did. */
enum ec_code cli_look_finish(struct cli_look *l, struct ec_error *reterr);
void cli_look_close(struct cli_look *l);

/* What a failed check leaves behind. `c` must live as long as the options. */
struct ec_failure_options cli_failure_options(const struct cli_job *job, struct ec_case *c);

/* Where the files are, and the command that opens them. */
void cli_look_text(const struct cli_look *l, FILE *out);

#endif
