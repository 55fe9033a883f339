/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: curves of latency and accepted load against the offered rate, one curve per variant.
 *
 * These structs are the result, wherever it comes from: measured in this process, or read again
 * from the CSV of an earlier sweep. Rates are in flits/node/cycle, latencies in cycles; every
 * half_width is that of a 95 % interval. */
#pragma once

#include "ecube/workload.h"
#include "program/report/report.h"
#include "program/sweep/replicas.h"
#include "terminal/status.h"

/* What a point shows. */
enum sweep_state {
    SWEEP_STEADY,    /* the mean is as precise as requested */
    SWEEP_LIMIT,     /* steady, but the limit came before the precision was shown */
    SWEEP_TOO_SHORT, /* the limit came before a steady state was shown */
    SWEEP_SATURATED, /* the backlog of a source grows: there is no latency */
    SWEEP_SLOW,      /* the run was ended because the mean is certainly above a bound */
    SWEEP_FAILED,    /* a check failed, or there was a deadlock; `status` and `detail` say which */
};

/* Why a point was measured. */
enum sweep_purpose { SWEEP_GIVEN, SWEEP_GRID, SWEEP_BACKLOG, SWEEP_LATENCY };

/* A mean with its interval mean - half_width .. mean + half_width. */
struct sweep_mean {
    bool known;
    double mean, half_width; /* half_width < 0: not known */
};

struct sweep_percentile {
    bool known;
    double value, low, high; /* cycles; the ends hold if the half_width of the mean is known */
};

/* Of a traffic class, or of round trips, which have no accepted load. */
struct sweep_part {
    struct sweep_mean latency, accepted;
    struct sweep_percentile p50, p95, p99;
    bool judged, correlated; /* of one run: the test for correlation, and its result */
};

/* One measured run. */
struct sweep_run {
    uint64_t seed;
    enum sweep_state state;
    enum cli_status status; /* CLI_OK, or of the failure */
    char detail[1200]; /* of a failure: the check and what it saw; what a measurement lacks; "" */
    struct sweep_mean latency, accepted;
    struct sweep_percentile p50, p95, p99;
    double minimum_share;       /* of the sources, accepted / offered; < 0: not known */
    double fairness;            /* Jain index of these shares; < 0: not known */
    uint64_t truncated, window; /* cycles dropped at the start, cycles measured */
    uint64_t batches, simulated_cycles;
    double correlation; /* lag 1, of the batches */
    bool correlated;    /* more than chance explains */
    struct replica replica;
    double seconds; /* of this host */
    uint64_t peak_rss_bytes;
    struct sweep_part classes[EC_CLASSES_MAX]; /* those of the curve */
    struct sweep_part round_trip;
};

/* A row of the table. With one replication it is that run. With several, each mean is the mean of
 * the runs' means with an interval from their spread. */
struct sweep_point {
    double rate;        /* as in the command */
    char rate_text[32]; /* the same, as written there */
    enum sweep_purpose purpose;
    char *command;                   /* repeats the row; owned */
    struct sweep_run row;            /* over all replications; its seed is that of the first */
    double latency_min, latency_max; /* of the means of the runs, if there are several */
    struct sweep_run *runs;          /* [run_count], in order of their seeds; owned */
    size_t run_count;
};

/* low: the highest rate that is below saturation; high: the lowest that is beyond it, at most the
 * bound. */
struct sweep_bracket {
    bool has_low, has_high;
    double low, high;
};

struct sweep_curve {
    char *label; /* what distinguishes it from the other curves: "vcs=4", or "": only one; owned */
    char *title; /* "torus:8x8 uniform:m=8 --router vcs=4"; owned */
    json_t *parameters;            /* an object, with the same keys for all curves; owned */
    char *classes[EC_CLASSES_MAX]; /* [class_count] names; owned */
    size_t class_count;
    bool has_replies;
    bool has_bound, has_zero_load;
    double bound;      /* on the rate, by the busiest channel: */
    char busiest[200]; /* its name, or "" */
    double sends;     /* offered load / rate: less than 1 if the pattern maps nodes to themselves */
    double zero_load; /* mean latency of a packet alone in the network */
    struct sweep_bracket backlog, latency; /* saturation: a backlog grows; 3 times zero_load */
    /* Beyond saturation: the point at the highest rate, and that which accepts most; or NULL. */
    const struct sweep_point *last_saturated, *most_saturated;
    struct sweep_point *points; /* [point_count], by rate; owned */
    size_t point_count;
    struct ec_warning warning;
};

struct sweep {
    char *title;                /* the command; owned */
    struct sweep_curve *curves; /* [curve_count]; owned */
    size_t curve_count;
};

/* "steady", "limit", "too short", "saturated", "slow", "failed". */
const char *sweep_state_name(enum sweep_state state);

void sweep_curve_free(struct sweep_curve *c);
void sweep_free(struct sweep *s);
