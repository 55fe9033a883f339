/* SPDX-License-Identifier: Apache-2.0 */
/* Replicas: runs of equal length with seeds of their own that measure a point together. They are
 * made longer, all at once, until their common interval is as precise as requested
 * (docs/MEASUREMENT.md). */
#pragma once

#include "ecube/statistics.h"

struct replica {
    bool steady;        /* it has shown a steady state; only then the rest is valid */
    uint64_t packets;   /* with a latency */
    unsigned batches;   /* of its own interval */
    double mean;        /* cycles */
    double error, skew; /* its standard error, and what skewness adds to its interval: cycles */
};

/* A mean and the half-width of its 95 % interval. */
struct replicas_mean {
    double mean, half;
};

/* Of independent values, each a double `stride` bytes behind the one before, by their spread; one
 * value: half < 0. */
struct replicas_mean replicas_spread(const void *first, size_t stride, size_t count);

/* The mean latency of at least two replicas, all steady. */
struct replicas_mean replicas_pool(const struct replica *r, size_t count);

/* All are steady, and have as many packets as the common interval needs. */
bool replicas_enough(const struct replica *r, size_t count);

/* Cycles of each replica: at first, and after `cycles`; 0: these were enough, or the last ones.
 * `limit`: of all replicas together. */
uint64_t replicas_first(size_t count, uint64_t limit);
uint64_t replicas_next(const struct replica *r, size_t count, double precision, uint64_t cycles,
                       uint64_t limit);
