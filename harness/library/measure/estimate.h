/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from a series of counts in bins of time: where the start-up ends, the mean of a ratio
 * with its confidence interval, percentiles with theirs (docs/MEASUREMENT.md). */
#pragma once

#include "ecube/statistics.h"
#include "parts/exchange.h"
#include "parts/state.h"

/* --- Ratios ----------------------------------------------------------------------------------- */

/* A bin: `sum` over `count` things; the estimate is sum / count over all bins. */
struct estimate_bin {
    uint64_t count, sum;
};

#define ESTIMATE_BATCHES       64
#define ESTIMATE_BATCHES_LEAST 20
/* Degrees of freedom of a variance, for each batch. */
#define ESTIMATE_FREEDOM       0.4
/* Things in a batch, on average. */
#define ESTIMATE_BATCH_COUNT   10

struct estimate {
    double mean, half;  /* half-width of the 95 % interval; 0 without batches */
    double error, skew; /* standard error; the part of `half` that is due to skewness */
    unsigned batches;   /* 0: too few things for an interval */
    double correlation;
    bool independent; /* the correlation of neighbouring batches is not significant */
    bool known;       /* the interval: else batches are missing, or `half` is too small */
};

/* The mean of the bins and its interval. Some bin has a count. */
struct estimate estimate_ratio(const struct estimate_bin *bins, size_t count);

/* The same for bins whose time cannot be extended: correlated batches are merged to half as many,
 * down to 8, until they are not. `most` batches, if that is more than 8. */
struct estimate estimate_merged(const struct estimate_bin *bins, size_t count, double most);

/* The number of bins, a multiple of `unit`, to drop at the start of a series: at least an eighth.
 * More than half of the series: it has not reached a steady state. */
size_t estimate_truncation(const struct estimate_bin *bins, size_t count, size_t unit);

/* --- Percentiles ------------------------------------------------------------------------------ */

/* A histogram of cycles: a counter for each value below 2048, then 256 for each power of two. */
struct tally {
    uint64_t *count; /* [size] owned */
    size_t size;
    uint64_t samples, max;
};

/* False if memory is short. */
bool tally_add(struct tally *t, uint64_t cycles);
/* Move the counts of `from` to `into`. */
bool tally_merge(struct tally *into, struct tally *from);
void tally_forget(struct tally *t);
/* Collective: the tally of part 0 gets the counts of all parts. False: memory is short, or another
 * part is gone. */
bool tally_gather(struct tally *t, struct exchange *x);
void tally_state(struct tally *t, struct state *state);
void tally_free(struct tally *t);

/* The percentile of all tallies together, and its interval from the differences between them. */
struct ec_percentile estimate_percentile(const struct tally *const *tallies, size_t count,
                                         double percent);
