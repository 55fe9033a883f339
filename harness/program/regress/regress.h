/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline of a regression: a matrix of runs and their results, one line per run.
 *
 *   cube:3 shift:q=5,m=64 = pass deliveries=... cycles=68 contended=0 latency=65.5 digest=...
 *
 * The words before " = " are those of a list of runs (TOPOLOGY WORKLOAD [OPTION...]); the result
 * follows. A line without a result is a run that has none yet. Comments and empty lines are kept.
 */
#ifndef CLI_REGRESS_H
#define CLI_REGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ecube/session.h"
#include "terminal/files.h"
#include "terminal/progress.h"

struct regress_result {
    bool known;
    bool died; /* the process of the run died: only the verdict is known, nothing is stored */
    char verdict[12]; /* pass, unstable, short, deadlock, fail */
    bool closed;      /* deliveries is valid: in open loop the deliveries depend on time */
    uint64_t deliveries, cycles, digest;
    bool taps; /* contended is valid */
    uint64_t contended;
    char latency[24]; /* mean of the packets, two decimals, or -: text, so that it compares exactly
                       */
};

enum regress_change {
    REGRESS_SAME,
    REGRESS_NEW,      /* no result was stored */
    REGRESS_TIME,     /* the same was delivered, in other cycles */
    REGRESS_FUNCTION, /* something else was delivered, or another verdict */
};

struct regress_line {
    char *text; /* the words of a run, or a comment with its '#', or "" */
    bool is_run;
    struct regress_result was, is;
    enum regress_change change;
    bool stopped;      /* it could not be run, or not to its end */
    char detail[1100]; /* failed run: the check and what it saw; stopped run: the reason */
    double seconds;
};

struct regress_file {
    struct regress_line *lines;
    size_t count, room, runs;
};

/* EC_USAGE names the line that is not a row of a baseline. */
enum ec_code regress_file_read(const char *path, struct regress_file *ret, struct ec_error *reterr);
/* Write the rows with the new results. */
void regress_file_write(const struct regress_file *f, FILE *out);
void regress_file_close(struct regress_file *f);

/* Was everything delivered? Otherwise the numbers of the run mean nothing. */
bool regress_delivered(const struct regress_result *r);

enum regress_change regress_judge(const struct regress_result *was,
                                  const struct regress_result *is);

/* --- What changed ----------------------------------------------------------------------------- */

struct regress_counts {
    size_t same, fresh, time, function; /* by what changed */
    size_t done, stopped;               /* runs that ended; runs that could not be run */
    size_t wrong;                       /* of those done: not everything was delivered */
    size_t died;                        /* of those done: their process died */
};

struct regress_counts regress_count(const struct regress_file *f);
/* The rows that changed, and by how much. */
void regress_text(const struct regress_file *f, FILE *out);
/* JUnit XML: a test case per run, a failure if it changed, an error if it stopped. */
void regress_junit(const struct regress_file *f, const char *baseline, FILE *out);

/* --- Rows: their runs, one at a time, and the comparison of the first that changed ------------ */

/* What all rows share; borrowed. */
struct regress_runner {
    const char *rtl, *top; /* NULL: ecube's own router */
    struct cli_progress *progress;
    struct ec_session *session;
};

/* Check the words of a row before the first run, and add its files; `line` is its number. */
enum ec_code regress_check(const struct regress_runner *r, const struct regress_line *l,
                           unsigned line, struct cli_files *files, struct ec_error *e);

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
