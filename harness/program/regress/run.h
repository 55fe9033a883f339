/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a regression, one row at a time. */
#ifndef CLI_REGRESS_RUN_H
#define CLI_REGRESS_RUN_H

#include "ecube/session.h"
#include "program/regress/file.h"
#include "terminal/progress.h"

/* What all rows have in common; all of it is borrowed. */
struct regress_runner {
    const char *rtl, *top; /* NULL: ecube's own router */
    struct cli_progress *progress;
    struct ec_session *session;
};

/* Can the row be run, as far as words tell? Known before the first run. */
enum ec_code regress_check(const struct regress_runner *r, struct regress_line *l,
                           struct ec_error *e);

/* Run it, in a worker: fills what it gave, what has changed, and what failed. */
enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l,
                         struct ec_error *e);

/* The worker died of it: that is a failed run, of which nothing but the verdict is known. */
void regress_died(struct regress_line *l, const char *what);

#endif
