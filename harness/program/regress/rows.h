/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a regression: their runs, one at a time, and the comparison of the first that
 * changed. */
#ifndef CLI_REGRESS_ROWS_H
#define CLI_REGRESS_ROWS_H

#include "ecube/session.h"
#include "program/regress/baseline.h"
#include "terminal/progress.h"

/* What all rows share; borrowed. */
struct regress_runner {
    const char *rtl, *top; /* NULL: ecube's own router */
    struct cli_progress *progress;
    struct ec_session *session;
};

/* Check the words of a row before the first run. */
enum ec_code regress_check(const struct regress_runner *r, struct regress_line *l,
                           struct ec_error *e);

/* In a worker: run the row. Fills its result, the change and the failure. */
enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l,
                         struct ec_error *e);

/* The run ended its worker: it failed, and only the verdict is known. */
void regress_died(struct regress_line *l, const char *what);

/* How to compare the first change; strings are borrowed. */
struct regress_first {
    const char *against;     /* a side of `ecube compare'; NULL: the default */
    const char *failure_dir; /* NULL: the current folder */
    bool no_failure_wave;
};

/* Compare the first row that changed in function as `ecube compare' does; if no row has and a side
 * was named, the first that changed in time. Without a side, print how to name one. */
void regress_compare_first(const struct regress_runner *r, const struct regress_file *f,
                           const struct regress_first *how);

#endif
