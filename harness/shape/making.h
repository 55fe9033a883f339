/* SPDX-License-Identifier: Apache-2.0 */
/* A cache entry in the making: its stage, its log, the tools at work on it. */
#ifndef ECUBE_SHAPE_MAKING_H
#define ECUBE_SHAPE_MAKING_H

#include <jansson.h>
#include <signal.h>
#include <time.h>

#include "base/child.h"
#include "shape/cache.h"
#include "shape/recipe.h"

struct ec_making {
    const struct ec_recipe *r;
    const char *cache;
    const sigset_t *before; /* as in ec_process_wait */
    char name[64];          /* of the entry; its lock has the same name */
    struct ec_stage stage;
    int log;
    pid_t pids[2]; /* tools at work; 0 once one has ended */
    size_t count;
    struct timespec start;
};

/* Not open yet: fit for ec_making_close. Borrows all pointers. */
void ec_making_init(struct ec_making *m, const struct ec_recipe *r, const char *cache,
                    const sigset_t *before, const char *name);

enum ec_code ec_making_open(struct ec_making *m, struct ec_error *reterr);

/* Start a tool (two at most at a time) in folder `cwd` (NULL: this one). Releases `args`. */
enum ec_code ec_making_start(struct ec_making *m, struct ec_args *args, const char *cwd,
                             struct ec_error *reterr);

/* Wait for all tools; *ret_failed tells whether one failed. */
enum ec_code ec_making_wait(struct ec_making *m, bool *ret_failed, struct ec_error *reterr);

/* Wait for all tools; if one failed, keep the log and fail as ec_build_log_keep does. */
enum ec_code ec_making_expect(struct ec_making *m, struct ec_error *reterr);

/* Write the manifest (with the members of `more`, which is released) and publish the entry. */
enum ec_code ec_making_finish(struct ec_making *m, const char *description, const char *file,
                              json_t *more, struct ec_error *reterr);

/* End tools that are still at work, and remove the stage unless it was published. */
void ec_making_close(struct ec_making *m);

double ec_making_seconds(const struct ec_making *m);

#endif
