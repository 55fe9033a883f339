/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of one point of an open-loop experiment: a run that finds its own warm-up and
 * length, and has a confidence interval for everything it measures (docs/MEASUREMENT.md). */
#ifndef ECUBE_MEASURE_H
#define ECUBE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* What ends the run. Decisions are made at `first` cycles, at twice as many, and so on, the last
 * one at `limit` or shortly before it. */
struct ec_precision {
    double relative;          /* half-width of the mean latency's interval / mean, above 0 */
    uint64_t first;           /* cycles until the first decision; 0: EC_PRECISION_FIRST */
    uint64_t limit;           /* cycles until the last decision; 0: EC_PRECISION_LIMIT */
    double saturated_latency; /* cycles: stop when the mean is certainly above; 0: no bound */
};

#define EC_PRECISION_RELATIVE 0.02
#define EC_PRECISION_LEAST    0.0001
#define EC_PRECISION_MOST     0.5
#define EC_PRECISION_FIRST    UINT64_C(4096)
#define EC_PRECISION_LIMIT    UINT64_C(2000000)

enum ec_measured {
    EC_MEASURED_NONE,      /* no measurement: a fixed window, a closed run, or one that failed */
    EC_MEASURED_STEADY,    /* a steady state, as precise as requested */
    EC_MEASURED_LIMIT,     /* a steady state, but the limit came before the precision was shown */
    EC_MEASURED_TOO_SHORT, /* the limit came before a steady state was shown, or before there were
                               enough packets for an interval */
    EC_MEASURED_SATURATED, /* the backlogs of some sources grow */
    EC_MEASURED_SLOW,      /* the mean latency is above `saturated_latency` */
};

/* A nearest-rank percentile and its 95 % confidence interval, cycles. Values below 2048 cycles are
 * exact, larger ones are rounded down by less than 0.4 %. */
struct ec_percentile {
    uint64_t value, low, high;
};

/* Latency is that of the packets created in the cycles truncated + 1..truncated + window. Accepted
 * words are those that arrived in these cycles. All intervals are at the 95 % level. */
struct ec_measurement {
    enum ec_measured state;
    uint64_t truncated; /* cycles dropped at the start */
    uint64_t window;    /* cycles used */
    unsigned batches;   /* of the intervals */
    double correlation; /* of neighbouring batches: lag 1 */
    bool independent;   /* the test for correlation found none */
    bool has_interval;  /* false: too few packets, batches are correlated, or TOO_SHORT; then ignore
                           latency_half, low and high */
    bool has_latency;   /* false: SATURATED, or TOO_SHORT with packets missing; no latency below */
    uint64_t packets;   /* with a latency */
    double latency, latency_half;   /* cycles: mean, half-width of its interval */
    double accepted, accepted_half; /* flits/node/cycle: mean, half-width of its interval */
    struct ec_percentile p50, p95, p99;
    uint64_t max;       /* cycles */
    bool has_share;     /* some source created words */
    double least_share; /* smallest accepted / offered of a source, in about the second half of the
                           cycles 1..truncated + window */
    uint32_t least_share_at; /* the node */
};

/* Intervals of all packets of an open-loop run, of a traffic class (replies count by the creation
 * of the request), or of round trips, which have no accepted load. Zero without latencies. Each has
 * its own correlation test, which does not decide about the run. A run in a fixed window has no
 * intervals of percentiles, nor of the accepted load of a class. */
struct ec_confidence {
    uint64_t packets; /* or round trips, with a latency */
    unsigned batches; /* 0: too few packets for intervals */
    bool independent;
    bool has_interval;                  /* of the latency, as above */
    double latency_half, accepted_half; /* the second one is 0 if it is not known */
    struct ec_percentile p50, p95, p99;
};

/* "steady", "limit", "too short", "saturated", "slow"; NULL for NONE. */
const char *ec_measured_name(enum ec_measured state);

#pragma GCC visibility pop

#endif
