/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from counts in bins of time. Knows numbers only; must not know runs.
 *
 * docs/MEASUREMENT.md has the method, its sources and its measured coverage. */
#include "measure/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/student.h"
#include "parts/gather.h"

/* --- Distributions ---------------------------------------------------------------------------- */

#define NORMAL_99 2.326347874040841

/* --- Ratios ----------------------------------------------------------------------------------- */

/* The fewest batches, and the largest correction for skewness, of estimate_merged(): a few skewed
 * batches would make intervals many times too wide. */
#define MERGED_LEAST 8
#define MERGED_SKEW  2.5

/* Batches of bins: how far the sum of each is from `mean` times its count. */
struct batches {
    double off[2 * ESTIMATE_BATCHES];
    unsigned count;
};

static struct estimate_bin total(const struct estimate_bin *bins, size_t from, size_t to)
{
    struct estimate_bin all = {0};
    for (size_t i = from; i < to; i++) {
        all.count += bins[i].count;
        all.sum += bins[i].sum;
    }
    return all;
}

static struct batches split(const struct estimate_bin *bins, size_t count, double mean, unsigned n)
{
    struct batches b = {.count = n};
    for (unsigned i = 0; i < n; i++) {
        const struct estimate_bin x = total(bins, count * i / n, count * (i + 1) / n);
        b.off[i] = (double)x.sum - mean * (double)x.count;
    }
    return b;
}

/* The sum of the `power`-th powers, 2 or 3. */
static double moment(const struct batches *b, int power)
{
    double sum = 0;
    for (unsigned i = 0; i < b->count; i++)
        sum += power == 2 ? b->off[i] * b->off[i] : b->off[i] * b->off[i] * b->off[i];
    return sum;
}

static double lag_one(const struct batches *b)
{
    const double squares = moment(b, 2);
    double products = 0;
    for (unsigned i = 1; i < b->count; i++)
        products += b->off[i] * b->off[i - 1];
    return squares > 0 ? products / squares : 0;
}

/* The variance of the sum of all batches, estimated from n of them. */
static double variance(const struct batches *b)
{
    return moment(b, 2) * b->count / (b->count - 1.0);
}

/* The larger side of the interval that corrects Student's t for the skewness of the mean: R.
 * Willink, "A confidence interval and test for the mean of an asymmetric distribution", 2005, in
 * the form of Skart. In standard errors. Large if there are too few batches for such a skewness. */
static double skewed_t(const struct batches *b, double t)
{
    const double n = b->count, second = moment(b, 2) / n, third = fabs(moment(b, 3)) / n;
    if (second <= 0)
        return t;
    const double skew = third / pow(second, 1.5) * sqrt(n * (n - 1)) / (n - 2);
    const double beta = skew / (6 * sqrt(n));
    if (beta < 1e-6)
        return t;
    return (1 - cbrt(1 - 6 * beta * (t + beta))) / (2 * beta);
}

/* By n batches; the mean is known. Skewness makes the interval at most `most` times as wide. */
static struct estimate estimate_by(const struct estimate_bin *bins, size_t count, unsigned n,
                                   double most, struct estimate e)
{
    const struct estimate_bin all = total(bins, 0, count);
    const struct batches whole = split(bins, count, e.mean, n);
    const struct batches halves = split(bins, count, e.mean, 2 * n);
    /* Batches that are too short miss a part of the correlation, to first order in inverse
     * proportion to their length: extrapolate to infinite length. */
    const double v = variance(&whole), extrapolated = 2 * v - variance(&halves);
    const double t = ec_student_975(ESTIMATE_FREEDOM * n);
    const double error = sqrt(extrapolated > v ? extrapolated : v) / (double)all.count;
    e.batches = n;
    e.half = fmin(skewed_t(&whole, t), most * t) * error;
    e.error = error;
    e.skew = e.half - t * error;
    e.correlation = lag_one(&whole);
    e.independent = e.correlation + 1.0 / n <= NORMAL_99 * sqrt((n - 2.0) / ((double)n * n - 1));
    e.known = e.independent;
    return e;
}

struct estimate estimate_ratio(const struct estimate_bin *bins, size_t count)
{
    const struct estimate_bin all = total(bins, 0, count);
    const struct estimate e = {.mean = (double)all.sum / (double)all.count};
    const uint64_t affordable = all.count / ESTIMATE_BATCH_COUNT;
    const unsigned n =
        affordable < ESTIMATE_BATCHES ? (unsigned)affordable : (unsigned)ESTIMATE_BATCHES;
    if (n < ESTIMATE_BATCHES_LEAST || count < 2 * (size_t)n)
        return e;
    return estimate_by(bins, count, n, HUGE_VAL, e);
}

struct estimate estimate_merged(const struct estimate_bin *bins, size_t count, double most)
{
    const struct estimate_bin all = total(bins, 0, count);
    struct estimate e = {.mean = (double)all.sum / (double)all.count};
    const uint64_t affordable = all.count / ESTIMATE_BATCH_COUNT;
    for (unsigned n = ESTIMATE_BATCHES; n >= MERGED_LEAST && !e.known; n /= 2) {
        const bool few = n == MERGED_LEAST ? all.count < 2 * n : affordable < n || most < n;
        if (!few && count >= 2 * n)
            e = estimate_by(bins, count, n, MERGED_SKEW, e);
    }
    return e;
}

/* --- Truncation ------------------------------------------------------------------------------- */

/* Dropping this part costs little precision; choosing it by the data would cost more coverage. */
#define DROPPED_LEAST 8
/* Bins at the end whose few values say nothing about a variance. */
#define TAIL          8
/* The start-up is longer if dropping more reduces the MSER statistic to this part. */
#define CLEARLY       0.5

/* MSER: the squared standard error of the mean of bins[d..count), as if they were independent. */
static void mser(const struct estimate_bin *bins, size_t count, double *ret_z)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t d = count; d-- > 0;) {
        const double k = (double)bins[d].count, s = (double)bins[d].sum;
        n += k;
        sum += s;
        squares += k > 0 ? s * s / k : 0;
        ret_z[d] = n > 0 ? (squares - sum * sum / n) / (n * n) : HUGE_VAL;
    }
}

size_t estimate_truncation(const struct estimate_bin *bins, size_t count, size_t unit)
{
    const size_t units = count / unit, least = (units + DROPPED_LEAST - 1) / DROPPED_LEAST * unit;
    size_t best = least;
    double *z = calloc(count, sizeof *z);
    if (!z)
        return count;
    mser(bins, count, z);
    for (size_t d = best; d + TAIL * unit < count; d++)
        best = z[d] < z[best] ? d : best;
    const bool clear = z[best] < CLEARLY * z[least];
    free(z);
    for (unsigned part = DROPPED_LEAST; part > 1; part /= 2) {
        const size_t dropped = (units + part - 1) / part * unit;
        if (!clear || dropped >= best)
            return dropped;
    }
    return count;
}

/* --- Percentiles ------------------------------------------------------------------------------ */

enum { EXACT_BITS = 11, PART_BITS = 8, FIRST_SIZE = 256 };

static size_t bucket_of(uint64_t cycles)
{
    if (cycles >> EXACT_BITS == 0)
        return (size_t)cycles;
    const unsigned e = 63 - (unsigned)__builtin_clzll(cycles);
    const uint64_t part = cycles >> (e - PART_BITS) & ((1u << PART_BITS) - 1);
    return ((size_t)1 << EXACT_BITS) + ((size_t)(e - EXACT_BITS) << PART_BITS) + (size_t)part;
}

/* The smallest value in a bucket. */
static uint64_t bucket_value(size_t i)
{
    if (i >> EXACT_BITS == 0)
        return i;
    const size_t k = i - ((size_t)1 << EXACT_BITS);
    const unsigned e = EXACT_BITS + (unsigned)(k >> PART_BITS);
    const uint64_t part = k & ((1u << PART_BITS) - 1);
    return (UINT64_C(1) << e) + (part << (e - PART_BITS));
}

static bool grow(struct tally *t, size_t size)
{
    size_t room = t->size ? t->size : FIRST_SIZE;
    while (room < size)
        room *= 2;
    uint64_t *count = realloc(t->count, room * sizeof *count);
    if (!count)
        return false;
    memset(count + t->size, 0, (room - t->size) * sizeof *count);
    t->count = count;
    t->size = room;
    return true;
}

bool tally_add(struct tally *t, uint64_t cycles)
{
    const size_t i = bucket_of(cycles);
    if (i >= t->size && !grow(t, i + 1))
        return false;
    t->count[i]++;
    t->samples++;
    t->max = cycles > t->max ? cycles : t->max;
    return true;
}

bool tally_merge(struct tally *into, struct tally *from)
{
    if (from->size > into->size && !grow(into, from->size))
        return false;
    for (size_t i = 0; i < from->size; i++)
        into->count[i] += from->count[i];
    into->samples += from->samples;
    into->max = from->max > into->max ? from->max : into->max;
    tally_forget(from);
    return true;
}

bool tally_gather(struct tally *t, struct exchange *x)
{
    uint64_t most[] = {t->size, t->max};
    if (!exchange_fold(x, most, 2, EXCHANGE_MAX) || (most[0] > t->size && !grow(t, most[0])))
        return false;
    t->max = most[1];
    return gather_sums(x, t->count, most[0]) && gather_sums(x, &t->samples, 1);
}

void tally_state(struct tally *t, struct state *state)
{
    if (!state->file)
        state_save_list(state, t->count, t->size * sizeof *t->count);
    for (size_t part = 0; state->file && part < state->file->parts; part++) {
        size_t size;
        const uint64_t *from = state_load_list(state, part, &size);
        size /= sizeof *from;
        state->failed = state->failed || (size > t->size && !grow(t, size));
        for (size_t i = 0; state->first && !state->failed && i < size; i++)
            t->count[i] += from[i];
    }
    STATE_COMMON(state, STATE_SUM, t->samples);
    STATE_COMMON(state, STATE_MAX, t->max);
}

void tally_forget(struct tally *t)
{
    if (t->count)
        memset(t->count, 0, t->size * sizeof *t->count);
    t->samples = t->max = 0;
}

void tally_free(struct tally *t)
{
    free(t->count);
    *t = (struct tally){0};
}

static uint64_t counted(const struct tally *const *tallies, size_t count, size_t bucket)
{
    uint64_t all = 0;
    for (size_t k = 0; k < count; k++)
        all += bucket < tallies[k]->size ? tallies[k]->count[bucket] : 0;
    return all;
}

/* The first bucket with at least `rank` samples at or below it, from 1 to all of them. */
static size_t bucket_of_rank(const struct tally *const *tallies, size_t count, double rank)
{
    uint64_t seen = 0;
    for (size_t i = 0;; i++) {
        seen += counted(tallies, count, i);
        if ((double)seen >= rank)
            return i;
    }
}

static double below(const struct tally *t, size_t bucket)
{
    uint64_t sum = 0;
    for (size_t i = 0; i <= bucket && i < t->size; i++)
        sum += t->count[i];
    return (double)sum;
}

/* The half-width of the interval of the number of samples at or below a bucket, given the number of
 * samples: the tallies are batches of a ratio. */
static double rank_half(const struct tally *const *tallies, size_t count, size_t bucket,
                        double samples)
{
    struct batches b = {.count = (unsigned)count};
    double part = 0;
    for (size_t k = 0; k < count; k++)
        part += below(tallies[k], bucket) / samples;
    for (size_t k = 0; k < count; k++)
        b.off[k] = below(tallies[k], bucket) - part * (double)tallies[k]->samples;
    return skewed_t(&b, ec_student_975((double)count - 1)) * sqrt(variance(&b));
}

/* The interval of a percentile has the ranks that the interval of the distribution function at the
 * percentile has: R. S. Woodruff, "Confidence intervals for medians and other position measures",
 * J. Am. Stat. Assoc. 47, 1952. */
struct ec_percentile estimate_percentile(const struct tally *const *tallies, size_t count,
                                         double percent)
{
    uint64_t samples = 0, max = 0;
    for (size_t k = 0; k < count; k++) {
        samples += tallies[k]->samples;
        max = tallies[k]->max > max ? tallies[k]->max : max;
    }
    if (samples == 0)
        return (struct ec_percentile){0};
    const double all = (double)samples, rank = ceil(all * percent / 100);
    const size_t at = bucket_of_rank(tallies, count, rank);
    struct ec_percentile p = {bucket_value(at), 0, max};
    if (count < 2)
        return p;
    const double half = round(rank_half(tallies, count, at, all));
    p.low = bucket_value(bucket_of_rank(tallies, count, fmax(rank - half, 1)));
    if (rank + half <= all)
        p.high = bucket_value(bucket_of_rank(tallies, count, rank + half));
    return p;
}
