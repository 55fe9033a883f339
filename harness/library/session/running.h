/* SPDX-License-Identifier: Apache-2.0 */
/* A run in parts: opened, played in one piece or in several, concluded. */
#pragma once

#include "diagnose/failure.h"
#include "ecube/run.h"
#include "run/play.h"

/* Several watchers as one. */
struct fan {
    struct ec_net_watch watch;
    const struct ec_net_watch *const *parts;
    size_t count;
    uint64_t *nodes; /* routers that any part watches; NULL: all */
};

/* Borrows `parts`. False: out of memory. */
bool fan_open(struct fan *f, const struct ec_net_watch *const *parts, size_t count, uint32_t nodes);
void fan_close(struct fan *f);

struct running {
    struct play play;
    struct fan fan;
    struct ec_report *report;   /* its times and outcome so far; owned until concluded */
    struct failure_place place; /* of a failure that ended the play */
    enum play_state state;
};

/* It must not move while it is open. `part`: as of play_open(). Errors as of ec_run(). */
enum ec_code running_open(struct running *r, struct ec_net *net, struct part *part,
                          const struct ec_workload *w, const struct ec_run_options *options,
                          struct ec_error *reterr);
/* Play on, as play_on(). A packet that is only old does not end the play. */
void running_on(struct running *r, uint64_t until);
/* Fill the report and judge it, not yet with a diagnosis; then take it. Once only; in the first
 * part, after play_merge(). */
enum ec_code running_judge(struct running *r, const struct ec_audit *audit,
                           struct ec_error *reterr);
struct ec_report *running_take(struct running *r);
/* Judge, diagnose what failed, and take the report. */
enum ec_code running_conclude(struct running *r, const struct ec_audit *audit,
                              struct ec_report **ret, struct ec_error *reterr);
void running_close(struct running *r);
