/* SPDX-License-Identifier: Apache-2.0 */
/* Measures all curves of a sweep, round by round. A round has a point for every rate that any curve
 * asks for; the workers do all of them before the next round is planned. */
#pragma once

#include "ecube/session.h"
#include "program/options/job.h"
#include "program/runs/journal.h"
#include "program/sweep/search.h"
#include "program/sweep/sweep.h"
#include "program/sweep/variants.h"
#include "terminal/progress.h"

struct sweep_work {
    const struct cli_job *job; /* of the sweep */
    struct ec_session *session;
    struct cli_progress *progress;
    struct cli_journal *journal; /* NULL: none */
    FILE *follow;                /* --follow; NULL: none */
    struct sweep_variants variants;
    struct sweep_rates *first; /* [variants.count] the grid of every curve, or the rates given */
    bool fresh;                /* every run needs a new process: SystemC has one network in each */
    uint32_t nodes;            /* of the largest network */
    unsigned vcs;              /* of the last curve that was prepared */
    bool uneven;               /* another curve has another number of VCs */
    struct cli_slice slice;    /* of the points of the first round, the only one if N > 1 */
    struct sweep sweep;        /* the result */
    enum cli_status worst;     /* of the points that failed */
    bool interrupted;          /* points are missing */
    size_t failed;
};

/* Parse the variants, open every one of them once, and fill in what is known without a run. */
enum ec_code sweep_prepare(struct sweep_work *w, struct ec_error *reterr);

/* Add the files that the runs read. */
void sweep_files(const struct sweep_work *w, struct cli_files *files);

/* All rounds. After EC_INTERRUPTED, or an error of one point that could not be run, the curves have
 * the points that were measured. */
enum ec_code sweep_measure(struct sweep_work *w, struct ec_error *reterr);

void sweep_work_close(struct sweep_work *w);
