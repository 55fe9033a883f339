/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a regression: their runs, one at a time, and the comparison of the first that
 * changed. */
#ifndef CLI_REGRESS_ROWS_H
#define CLI_REGRESS_ROWS_H

#include "ecube/session.h"
#include "program/regress/baseline.h"
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

/* How the first change is compared; strings are borrowed. */
struct regress_first {
    const char *against;     /* a side of `ecube compare'; NULL: the default */
    const char *failure_dir; /* NULL: the current folder */
    bool no_failure_wave;
};

/* Compare the first row that changed in function, else, if a side was named, in time, as `ecube
 * compare' does; or say how it could be done. */
void regress_compare_first(const struct regress_runner *r, const struct regress_file *f,
                           const struct regress_first *how);

#endif
