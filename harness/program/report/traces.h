/* SPDX-License-Identifier: Apache-2.0 */
/* The traces that a run writes on request: a wave and an event log. */
#ifndef CLI_TRACES_H
#define CLI_TRACES_H

#include <stdio.h>

#include "ecube/events.h"
#include "ecube/session.h"
#include "ecube/wave.h"
#include "program/options/job.h"

struct cli_traces {
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
enum ec_code cli_traces_open(struct cli_traces *l, const struct cli_job *job,
                             const struct ec_case *c, struct ec_error *reterr);
/* After the run, also after a failed one: complete both files, one even if the other cannot be
 * written. EC_INTERNAL: a traced router behaved differently from its router. */
enum ec_code cli_traces_finish(struct cli_traces *l, struct ec_error *reterr);
void cli_traces_close(struct cli_traces *l);

/* How to dump a wave after a failed check. `c` must live as long as the options. */
struct ec_failure_options cli_failure_options(const struct cli_job *job, struct ec_case *c);

/* Where the files are, and the command that opens them. */
void cli_traces_text(const struct cli_traces *l, FILE *out);

#endif
