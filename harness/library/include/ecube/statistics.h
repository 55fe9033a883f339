/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a run: its measurement, over time (intervals), and over its sources (fairness). */
#ifndef ECUBE_STATISTICS_H
#define ECUBE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/audit.h"

#pragma GCC visibility push(default)

/* --- Measurement ------------------------------------------------------------------------------ */

/* The measurement of one point of an open-loop experiment: a run that finds its own warm-up and
 * length, and has a confidence interval for everything it measures (docs/MEASUREMENT.md). */

/* What ends the run. Decisions are made at `first` cycles, at twice as many, and so on, the last
 * one at `limit` or shortly before it. */
struct ec_precision {
    double relative;          /* half-width of the mean latency's interval / mean, above 0 */
    uint64_t first;           /* cycles until the first decision; 0: EC_PRECISION_FIRST */
    uint64_t limit;           /* cycles until the last decision; 0: EC_PRECISION_LIMIT */
    double saturated_latency; /* cycles: stop when the mean is certainly above; 0: no bound */
};

#define EC_PRECISION_LEAST 0.0001
#define EC_PRECISION_MOST  0.5
#define EC_PRECISION_FIRST UINT64_C(4096)
#define EC_PRECISION_LIMIT UINT64_C(2000000)

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
    double latency_error;           /* cycles: standard error of the mean, */
    double latency_skew;            /* and what its skewness adds to latency_half */
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

/* --- Intervals -------------------------------------------------------------------------------- */

/* A channel of a router waits for a cycle if a front flit that wants it does not move: contended
 * (another packet is in the way) or starved (no credit: the buffer at the far end is full). */

/* What happened in the cycles from..to. Over all intervals of a run the sums are the totals of the
 * report. Intervals in which nothing happened are left out. */
struct ec_interval {
    uint64_t from, to;                  /* both included */
    uint64_t messages_sent, words_sent; /* messages begun, words injected */
    uint64_t messages, packets, words;  /* delivered */
    uint64_t latency_sum, latency_max;  /* cycles from creation to tail, of these packets */
    uint64_t flit_hops;                 /* words that routers put on links */
    uint64_t contended, starved;        /* waiting at all channels */
    uint32_t node;                      /* the link with the most waiting (without taps with the */
    unsigned link;                      /* most words): the sending router and its port */
    uint64_t link_waiting, link_flits;  /* there; both 0: no link was used */
    uint64_t link_starved;              /* of link_waiting */
    uint64_t ties;                      /* further links with the same numbers */
    struct ec_channel busiest;          /* with the most words, then the most contended */
    uint64_t busiest_flits, busiest_contended; /* there; no flits: nothing moved */
    uint64_t busiest_ties;
};

/* --- Fairness --------------------------------------------------------------------------------- */

/* One source. In open loop: words of the window, latencies of the packets created in it. */
struct ec_source_use {
    uint64_t offered; /* words created, for other nodes */
    uint64_t words;   /* words that arrived */
    uint64_t packets; /* with a measured latency */
    uint64_t latency; /* cycles, the sum over these packets */
};

/* A quantity over the sources that have it. The index of fairness is (sum x)^2 / (n sum x^2) with
 * n sources: 1 if all have the same, 1/n if one has everything. R. Jain, D. Chiu, W. Hawe, "A
 * quantitative measure of fairness and discrimination for resource allocation in shared computer
 * systems", DEC-TR-301, 1984. */
struct ec_fairness {
    uint32_t sources; /* n; 0: nothing below means anything */
    double min, max, jain;
    uint32_t min_node, max_node; /* the first of those that have it */
    uint32_t min_ties, max_ties; /* further sources with the same */
};

#pragma GCC visibility pop

#endif
