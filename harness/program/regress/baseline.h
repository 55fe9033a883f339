/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline of a regression: a matrix of runs and what each gave, one line a run.
 *
 *   cube:3 shift:q=5,m=64 = pass deliveries=... cycles=68 contended=0 latency=65.5 digest=...
 *
 * Before " = " the words of a list of runs (TOPOLOGY WORKLOAD [OPTION...]), behind it the result; a
 * line without results is a run that has none yet. Comments and empty lines are kept. */
#ifndef CLI_REGRESS_BASELINE_H
#define CLI_REGRESS_BASELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"

struct regress_result {
    bool known;
    bool died; /* the process of the run died: but for the verdict nothing is known, nor stored */
    char verdict[12]; /* pass, unstable, short, deadlock, fail */
    bool closed;      /* deliveries is meant: in open loop what is delivered depends on time */
    uint64_t deliveries, cycles, digest;
    bool taps; /* contended is meant */
    uint64_t contended;
    char latency[24]; /* mean of the packets, two decimals, or -: text, so that it compares exactly
                       */
};

enum regress_change {
    REGRESS_SAME,
    REGRESS_NEW,      /* no result was stored */
    REGRESS_TIME,     /* the same was delivered, otherwise */
    REGRESS_FUNCTION, /* something else was delivered, or another verdict */
};

struct regress_line {
    char *text; /* the words of a run, or a comment with its '#', or "" */
    bool is_run;
    struct regress_result was, is;
    enum regress_change change;
    bool stopped;      /* it could not be run, or not to its end */
    char detail[1100]; /* of a failed run: the check and what it saw; of a stopped one: why */
    double seconds;
};

struct regress_file {
    struct regress_line *lines;
    size_t count, room, runs;
};

/* EC_USAGE with the line's number for what is no baseline. */
enum ec_code regress_file_read(const char *path, struct regress_file *ret, struct ec_error *reterr);
/* With the results `is`. */
void regress_file_write(const struct regress_file *f, FILE *out);
void regress_file_close(struct regress_file *f);

/* A verdict with which the numbers of a run mean something: everything was delivered. */
bool regress_delivered(const struct regress_result *r);

enum regress_change regress_judge(const struct regress_result *was,
                                  const struct regress_result *is);

/* --- What changed ----------------------------------------------------------------------------- */

struct regress_counts {
    size_t same, fresh, time, function; /* by what changed */
    size_t done, stopped;               /* runs to their end; runs that could not be */
    size_t wrong;                       /* of those done: not everything was delivered */
    size_t died;                        /* of those done: with their process */
};

struct regress_counts regress_count(const struct regress_file *f);
/* The rows that changed, and by how much. */
void regress_text(const struct regress_file *f, FILE *out);
/* JUnit XML: a test case a run, a failure where it changed, an error where it stopped. */
void regress_junit(const struct regress_file *f, const char *baseline, FILE *out);

#endif
