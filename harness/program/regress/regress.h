/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline of a regression: a matrix of runs and their results, one line per run.
 *
 *   cube:3 shift:q=5,m=64 = pass deliveries=... cycles=68 contended=0 latency=65.5 digest=...
 *
 * The words before " = " are those of a list of runs (TOPOLOGY WORKLOAD [OPTION...]); the result
 * follows. A line without a result is a run that has none yet. Comments and empty lines are kept.
 *
 * Instead of a result a row can have limits: " = latency<=16 cycles<=70". It must pass within them.
 *
 * A twin is a row with --no-sleep, --shuffle or --random-init. These options must not change a
 * result, so the baseline also has the plain row without them, and both must have equal results.
 */
#pragma once

#include <stdio.h>

#include "ecube/session.h"
#include "program/report/report.h"
#include "terminal/files.h"
#include "terminal/progress.h"

struct regress_result {
    bool known;
    bool died; /* the process of the run died: only the verdict is known, nothing is stored */
    char verdict[12]; /* pass, unstable, too short, stopped, deadlock, fail */
    bool closed;      /* deliveries is valid: in open loop the deliveries depend on time */
    uint64_t deliveries, cycles, digest;
    bool taps; /* contended is valid */
    uint64_t contended;
    char latency[24]; /* mean of the packets, two decimals, or -: text, so that it compares exactly
                       */
};

/* 0: none. */
struct regress_limits {
    double latency;
    uint64_t cycles;
};

enum regress_change {
    REGRESS_SAME,
    REGRESS_NEW,      /* no result was stored */
    REGRESS_TIME,     /* the same was delivered, in other cycles, or beyond a limit */
    REGRESS_FUNCTION, /* something else was delivered, or another verdict */
};

struct regress_line {
    char *text; /* the words of a run, or a comment with its '#', or "" */
    bool is_run;
    struct regress_result was, is;
    struct regress_limits limits;
    enum regress_change change;
    const char *twin;  /* its first option that makes it a twin; NULL: a plain row */
    size_t plain;      /* of a twin: the index of the line without such options */
    bool differs;      /* a twin whose result is not that of the plain row */
    bool unexpected;   /* it may deadlock, against --expect */
    bool stopped;      /* it could not be run, or not to its end */
    char detail[1300]; /* failed run: the check and what it saw; stopped run: the reason */
    double seconds;
    struct ec_warning warning;
};

struct regress_file {
    struct regress_line *lines;
    size_t count, room, runs;
    bool accept; /* rows that fail are results like others */
};

/* EC_USAGE names the line that is not a row of a baseline. */
enum ec_code regress_file_read(const char *path, struct regress_file *ret, struct ec_error *reterr);
/* Write the rows with the new results; those refused keep the former ones. */
void regress_file_write(const struct regress_file *f, FILE *out);
void regress_file_close(struct regress_file *f);

/* Was everything delivered? Otherwise the numbers of the run mean nothing. */
bool regress_delivered(const struct regress_result *r);

/* A failure that is not accepted: the result is not stored, even if nothing changed. */
bool regress_refused(const struct regress_file *f, const struct regress_line *l);

bool regress_limited(const struct regress_line *l);
enum regress_change regress_judge(const struct regress_line *l);

/* After the runs: a twin that differs from its plain row changed in function. */
void regress_judge_twins(struct regress_file *f);

/* --- What changed, in numbers ----------------------------------------------------------------- */

struct regress_counts {
    size_t same, fresh, time, function; /* by what changed */
    size_t faster, slower, other;       /* plain rows that changed in time */
    size_t done, stopped;               /* runs that ended; runs that could not be run */
    size_t wrong;                       /* of those done: not everything was delivered */
    size_t died;                        /* of those done: their process died */
    size_t beyond;                      /* of those done: not within the limits of their row */
    size_t differ;                      /* of those done: twins that differ */
};

struct regress_counts regress_count(const struct regress_file *f);

/* New value / old value of a row that was delivered before and is now; 0: not known. */
double regress_cycles_ratio(const struct regress_line *l);
double regress_latency_ratio(const struct regress_line *l);

/* Above 1 the row is slower than before. Closed: the ratio of the cycles or, if they are the same,
 * of the latency. Open loop, where the window fixes most of the cycles: of the latency, if it was
 * measured. 0: not known. */
double regress_ratio(const struct regress_line *l);

/* Geometric means over the rows that have the ratio; 0: there are none. */
struct regress_mean {
    size_t rows;
    double cycles, latency;
};

struct regress_summary {
    struct regress_mean closed, open;
    const struct regress_line *best, *worst; /* smallest and largest ratio; NULL: no other time */
};

/* Of plain rows: a twin has the numbers of its plain row. */
struct regress_summary regress_summarize(const struct regress_file *f);

/* --- What changed, for people and programs ---------------------------------------------------- */

/* SAME, CHANGED, UPDATED, REFUSED (--update left out rows that fail or are beyond a limit) or
 * PARTIAL. */
const char *regress_verdict(const struct regress_file *f, bool update);
/* The verdict and the counts, on one line. */
void regress_text_verdict(const struct regress_file *f, const char *baseline, bool update,
                          FILE *out);
/* The rows that changed, and by how much; then the means. */
void regress_text(const struct regress_file *f, FILE *out);
/* The rows that can deadlock, of those with one reason the first. */
void regress_warn(const struct regress_file *f, const char *label, FILE *out);
/* JUnit XML: a test case per run, a failure if it changed or failed, an error if it stopped. */
void regress_junit(const struct regress_file *f, const char *baseline, FILE *out);
/* All rows as an object, or each row as a line of CSV. False if memory ran out. */
bool regress_json(const struct regress_file *f, const char *baseline, bool update, FILE *out);
bool regress_csv(const struct regress_file *f, FILE *out);

/* --- Rows: their runs, one at a time, and how to look into the first that changed ------------- */

/* What all rows share; borrowed. */
struct regress_runner {
    const char *rtl, *top, *build; /* as in struct ec_case_spec */
    uint32_t threads;              /* the same */
    enum ec_cover cover;           /* the same */
    enum ec_engine_choice engine;  /* the same; a row may have its own */
    bool lacks; /* a row that fails is tried alone: does the router serve its mode? */
    struct cli_progress *progress;
    struct ec_session *session;
};

/* Check the words of row `i` before the first run, add its files, and pair a twin with its plain
 * row. */
enum ec_code regress_check(const struct regress_runner *r, struct regress_file *f, size_t i,
                           struct cli_files *files, struct ec_error *e);

/* In a worker: run the row. Fills its result, the change and the failure. */
enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l,
                         struct ec_error *e);

/* The compiled router that the row needs. EC_USAGE: it is no row, or no router serves it. */
enum ec_code regress_shape(const struct regress_runner *r, const struct regress_line *l,
                           struct ec_tile_shape *ret, struct ec_error *e);

/* In a worker: step the row beside the router of `against`. */
enum ec_code regress_lockstep(const struct regress_runner *r, const struct regress_line *l,
                              const struct ec_case_spec *against, struct ec_comparison **ret,
                              struct ec_error *e);

/* The run ended its worker: it failed, and only the verdict is known. */
void regress_died(struct regress_line *l, const char *what);

/* `job`: its failure_dir, no_failure_wave and against apply. Print the command that repeats the
 * first row that changed in function or fails, with its failure wave; of a twin also that of its
 * plain row. */
void regress_repeat(const struct regress_file *f, const struct cli_job *job);

/* Compare the first row that changed in function as `ecube compare' does, or if none has and a side
 * was named, the first that changed in time. Without a side, print how to name one. EC_INTERRUPTED,
 * or EC_OK whatever the comparison finds. */
enum ec_code regress_compare_first(const struct regress_runner *r, const struct regress_file *f,
                                   const struct cli_job *job);
