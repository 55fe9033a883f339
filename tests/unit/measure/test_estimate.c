/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from bins: exact ones by hand, and properties of intervals. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "measure/estimate.h"
#include "measure/student.h"
#include "unit.h"

enum { BINS = 512, UNIT = 16 };

/* A series of ten packets a bin: latencies of about `level`, of about `start` in the first `slow`
 * bins. */
static void fill(struct estimate_bin *bins, size_t slow, uint64_t start, uint64_t level)
{
    for (size_t i = 0; i < BINS; i++) {
        const uint64_t noise = ec_rng_below(ec_rng_draw(1, i), 21);
        bins[i] = (struct estimate_bin){10, 10 * (i < slow ? start : level) + noise - 10};
    }
}

static void an_eighth_is_dropped_at_least(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    fill(bins, 0, 0, 20);
    assert_int_equal(estimate_truncation(bins, BINS, UNIT), BINS / 8);
    fill(bins, BINS / 16, 90, 20);
    assert_int_equal(estimate_truncation(bins, BINS, UNIT), BINS / 8);
    assert_int_equal(estimate_truncation(bins, 25 * UNIT, UNIT), 4 * UNIT);
}

static void a_longer_start_is_dropped(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    fill(bins, BINS / 5, 30, 20);
    assert_int_equal(estimate_truncation(bins, BINS, UNIT), BINS / 4);
    fill(bins, BINS / 3, 10, 20);
    assert_int_equal(estimate_truncation(bins, BINS, UNIT), BINS / 2);
    fill(bins, 12 * UNIT, 30, 20);
    assert_int_equal(estimate_truncation(bins, 29 * UNIT, UNIT), 15 * UNIT); /* half, rounded up */
}

static void a_start_of_more_than_half_is_not_steady(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    fill(bins, 5 * BINS / 8, 10, 20);
    assert_true(estimate_truncation(bins, BINS, UNIT) > BINS / 2);
}

/* The squared standard error of the mean of the bins from `first` on. */
static double error_from(const struct estimate_bin *bins, size_t first, size_t count)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t i = first; i < count; i++) {
        n += (double)bins[i].count;
        sum += (double)bins[i].sum;
        squares +=
            bins[i].count ? (double)bins[i].sum * (double)bins[i].sum / (double)bins[i].count : 0;
    }
    return n > 0 ? (squares - sum * sum / n) / (n * n) : HUGE_VAL;
}

/* An eighth, unless the error is smallest much later, and less than half of it there: then the
 * first of an eighth, a quarter and a half that reaches so far. All in units. */
static size_t truncation_of(const struct estimate_bin *bins, size_t count, size_t unit)
{
    const size_t units = count / unit, least = (units + 7) / 8 * unit;
    size_t best = least;
    for (size_t d = least; d + 8 * unit < count; d++)
        best = error_from(bins, d, count) < error_from(bins, best, count) ? d : best;
    if (error_from(bins, best, count) >= 0.5 * error_from(bins, least, count) ||
        (units + 7) / 8 * unit >= best)
        return least;
    if ((units + 3) / 4 * unit >= best)
        return (units + 3) / 4 * unit;
    return (units + 1) / 2 * unit >= best ? (units + 1) / 2 * unit : count;
}

static void a_truncation_is_that_of_the_formulas(void **state)
{
    (void)state;
    static const size_t units[] = {1, 3, UNIT};
    for (uint64_t k = 0; k < 60; k++) {
        struct estimate_bin bins[BINS];
        const size_t unit = units[k % COUNT(units)],
                     count = unit * (9 + k % 7) + (k % 2 ? unit / 2 : 0);
        for (size_t i = 0; i < count; i++) {
            const uint64_t packets = ec_rng_below(ec_rng_draw(k, 2 * i), 4);
            const uint64_t slow = i < count * (k / 3 % 7) / 8 ? 300 : 20;
            bins[i] = (struct estimate_bin){
                packets,
                packets * slow + (packets ? ec_rng_below(ec_rng_draw(k, 2 * i + 1), 9) : 0)};
        }
        assert_int_equal(estimate_truncation(bins, count, unit), truncation_of(bins, count, unit));
    }
}

/* Sums of independent values: the variance is known. */
static void intervals_have_the_right_width(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    double sum = 0;
    for (unsigned k = 0; k < 200; k++) {
        for (size_t i = 0; i < BINS; i++)
            bins[i] = (struct estimate_bin){4, 80 + ec_rng_below(ec_rng_draw(k + 2, i), 41)};
        const struct estimate e = estimate_ratio(bins, BINS);
        assert_int_equal(e.batches, ESTIMATE_BATCHES);
        assert_true(fabs(e.mean - 25) < 0.5);
        sum += e.half;
    }
    /* The variance of a bin is (41^2 - 1) / 12; the interval is some percent wider, for skewness
     * and correlation that this series does not have, and for 25 degrees of freedom. */
    const double half = 1.96 * sqrt(140.0 / BINS) / 4;
    assert_true(sum / 200 > half && sum / 200 < 1.25 * half);
}

/* A wave of two batches length is seen; without values there is no interval. */
static void correlation_is_seen(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    for (size_t i = 0; i < BINS; i++)
        bins[i] = (struct estimate_bin){10, i / 64 % 2 ? 100 : 200};
    struct estimate e = estimate_ratio(bins, BINS);
    assert_false(e.independent);
    assert_true(e.correlation > 0.7);
    for (size_t i = 0; i < BINS; i++)
        bins[i] = (struct estimate_bin){i % 4 == 0, 10};
    e = estimate_ratio(bins, BINS);
    assert_int_equal(e.batches, 0);
    assert_true(e.half <= 0);
}

static void constant_series_have_no_width(void **state)
{
    (void)state;
    struct estimate_bin bins[BINS];
    for (size_t i = 0; i < BINS; i++)
        bins[i] = (struct estimate_bin){i % 7, 12 * (i % 7)};
    const struct estimate e = estimate_ratio(bins, BINS);
    assert_true(e.mean == 12 && e.half < 1e-12 && e.independent);
    assert_int_equal(e.batches, ESTIMATE_BATCHES);
}

static void percentiles_are_exact_or_near(void **state)
{
    (void)state;
    static const uint64_t values[] = {1, 7, 2047, 2048, 2049, 4000, 65535, 1u << 30, UINT64_MAX};
    for (size_t i = 0; i < COUNT(values); i++) {
        struct tally t = {0};
        const struct tally *all[] = {&t};
        assert_true(tally_add(&t, values[i]));
        const struct ec_percentile p = estimate_percentile(all, 1, 50);
        assert_true(p.value <= values[i] && values[i] - p.value <= values[i] / 256);
        assert_true(values[i] > 2048 || p.value == values[i]);
        tally_free(&t);
    }
}

/* Latencies 1..100 in each of 32 tallies: the k-th percentile is k, and there is no variation. */
static void percentiles_have_intervals(void **state)
{
    (void)state;
    struct tally t[32] = {{0}}, joined = {0};
    const struct tally *all[32], *one[] = {&joined};
    for (size_t i = 0; i < 32; i++) {
        all[i] = &t[i];
        for (uint64_t k = 1; k <= 100; k++)
            assert_true(tally_add(&t[i], k));
    }
    struct ec_percentile p = estimate_percentile(all, 32, 95);
    assert_true(p.low == 95 && p.value == 95 && p.high == 95);
    for (size_t i = 0; i < 32; i += 2)
        for (uint64_t k = 0; k < 20; k++)
            assert_true(tally_add(&t[i], 1000));
    p = estimate_percentile(all, 32, 50);
    assert_true(p.low < 55 && p.value == 55 && p.high > 55 && p.high < 100);
    p = estimate_percentile(all, 32, 99);
    assert_true(p.low <= 1000 && p.value == 1000 && p.high == 1000);
    for (size_t i = 0; i < 32; i++)
        assert_true(tally_merge(&joined, &t[i]));
    assert_int_equal(joined.samples, 32 * 100 + 16 * 20);
    assert_int_equal(estimate_percentile(one, 1, 50).value, 55);
    for (size_t i = 0; i < 32; i++) {
        assert_int_equal(t[i].samples, 0);
        tally_free(&t[i]);
    }
    tally_free(&joined);
}

/* --- Formulas of docs/MEASUREMENT.md, written down a second time ------------------------------ */

/* In standard errors: the larger side of Willink's interval for a mean of `n` values whose sum of
 * squares and sum of cubes about 0 are given, with Student's quantile t. */
static double willink(double n, double squares, double cubes, double t)
{
    const double s = sqrt(squares / (n - 1));
    const double skewness = n / ((n - 1) * (n - 2)) * fabs(cubes) / (s * s * s);
    const double beta = skewness / (6 * sqrt(n));
    return (1 - cbrt(1 - 6 * beta * (t + beta))) / (2 * beta);
}

static double residual(const struct estimate_bin *bins, size_t each, size_t batch, double mean)
{
    double r = 0;
    for (size_t i = batch * each; i < (batch + 1) * each; i++)
        r += (double)bins[i].sum - mean * (double)bins[i].count;
    return r;
}

/* A few large values: skewed, so that the correction counts. */
static void an_interval_is_that_of_the_formulas(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 20; row++) {
        struct estimate_bin bins[BINS];
        double count = 0, sum = 0;
        for (size_t i = 0; i < BINS; i++) {
            const uint64_t x = ec_rng_below(ec_rng_draw(row, i), 40);
            bins[i] = (struct estimate_bin){3 + i % 3, 60 + x + (x == 7 ? 30 * row : 0)};
            if (row >= 16) /* hardly any differences */
                bins[i] = (struct estimate_bin){4, 80 + (x == 7)};
            count += (double)bins[i].count;
            sum += (double)bins[i].sum;
        }
        const double mean = sum / count;
        double squares = 0, cubes = 0, products = 0, fine = 0;
        for (size_t k = 0; k < 64; k++) {
            const double r = residual(bins, 8, k, mean);
            squares += r * r;
            cubes += r * r * r;
            products += k > 0 ? r * residual(bins, 8, k - 1, mean) : 0;
        }
        for (size_t k = 0; k < 128; k++)
            fine += residual(bins, 4, k, mean) * residual(bins, 4, k, mean);
        const double v = squares * 64 / 63, w = fine * 128 / 127;
        const double error = sqrt(2 * v - w > v ? 2 * v - w : v) / count;
        const double half = willink(64, squares, cubes, ec_student_975(0.4 * 64)) * error;
        const struct estimate e = estimate_ratio(bins, BINS);
        assert_true(fabs(e.mean - mean) < 1e-9);
        assert_true(fabs(e.half - half) < 1e-9 * half);
        assert_true(fabs(e.correlation - products / squares) < 1e-9);
        /* At 1 %: the mean of the lag-1 correlation is -1 / n. */
        const double limit = 2.326348 * sqrt(62.0 / (64 * 64 - 1)) - 1.0 / 64;
        assert_int_equal(e.independent, products / squares <= limit);
        assert_int_equal(e.known, e.independent);
    }
}

/* From 200 packets on, a batch for each ten, at most 64; and two bins for each. */
static void batches_follow_from_packets_and_bins(void **state)
{
    static const struct {
        uint64_t packets;
        size_t bins;
        unsigned batches;
    } rows[] = {{199, BINS, 0},  {200, BINS, 20}, {209, BINS, 20},  {210, BINS, 21},
                {639, BINS, 63}, {640, BINS, 64}, {9999, BINS, 64}, {200, 40, 20},
                {200, 39, 0},    {640, 128, 64},  {640, 127, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct estimate_bin bins[BINS] = {{0}};
        for (uint64_t k = 0; k < rows[i].packets; k++) {
            bins[k % rows[i].bins].count++;
            bins[k % rows[i].bins].sum += k % 5;
        }
        assert_int_equal(estimate_ratio(bins, rows[i].bins).batches, rows[i].batches);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Different values in eight tallies of different sizes, from 0 on. */
static void percentiles_have_the_intervals_of_the_formulas(void **state)
{
    enum { TALLIES = 8, SAMPLES = 1600 };
    (void)state;
    for (unsigned percent = 5; percent <= 95; percent += 15) {
        struct tally t[TALLIES] = {{0}};
        const struct tally *all[TALLIES];
        static uint64_t sorted[SAMPLES], of[SAMPLES];
        for (uint64_t v = 0; v < SAMPLES; v++) {
            of[v] = ec_rng_below(ec_rng_draw(percent, v / 20), TALLIES);
            sorted[v] = v;
            assert_true(tally_add(&t[of[v]], v));
        }
        qsort(sorted, SAMPLES, sizeof *sorted, by_value);
        const uint64_t rank = SAMPLES * percent / 100;
        double squares = 0, cubes = 0;
        for (unsigned k = 0; k < TALLIES; k++) {
            double below = 0;
            for (uint64_t i = 0; i < rank; i++)
                below += of[sorted[i]] == k;
            const double r = below - (double)rank / SAMPLES * (double)t[k].samples;
            squares += r * r;
            cubes += r * r * r;
            all[k] = &t[k];
        }
        const double error = sqrt(squares * TALLIES / (TALLIES - 1));
        const double half =
            round(willink(TALLIES, squares, cubes, ec_student_975(TALLIES - 1)) * error);
        const struct ec_percentile p = estimate_percentile(all, TALLIES, percent);
        assert_int_equal(p.value, sorted[rank - 1]);
        const double low = fmax((double)rank - half, 1), high = (double)rank + half;
        assert_int_equal(p.low, sorted[(size_t)low - 1]);
        assert_int_equal(p.high, sorted[high <= SAMPLES ? (size_t)high - 1 : SAMPLES - 1]);
        for (unsigned k = 0; k < TALLIES; k++)
            tally_free(&t[k]);
    }
}

/* Rounded tables of Student's t. */
static void quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        double df, t;
    } rows[] = {{0.5, 12.706}, {1, 12.706}, {2, 4.303},  {2.9, 4.303}, {3, 3.182},   {4, 2.776},
                {5, 2.571},    {6, 2.447},  {7, 2.365},  {7.9, 2.365}, {8, 2.306},   {9, 2.262},
                {10, 2.228},   {15, 2.131}, {20, 2.086}, {30, 2.042},  {120, 1.980}, {1e9, 1.960}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (fabs(ec_student_975(rows[i].df) - rows[i].t) > 0.00051)
            fail_msg("t(%g) is %.5f: expected %.3f", rows[i].df, ec_student_975(rows[i].df),
                     rows[i].t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("an eighth is dropped at least", an_eighth_is_dropped_at_least),
        TEST("a longer start is dropped", a_longer_start_is_dropped),
        TEST("a start of more than half is not steady", a_start_of_more_than_half_is_not_steady),
        TEST("a truncation is that of the formulas", a_truncation_is_that_of_the_formulas),
        TEST("intervals have the right width", intervals_have_the_right_width),
        TEST("correlation is seen", correlation_is_seen),
        TEST("constant series have no width", constant_series_have_no_width),
        TEST("percentiles are exact below 2048, near above", percentiles_are_exact_or_near),
        TEST("percentiles have intervals", percentiles_have_intervals),
        TEST("an interval is that of the formulas", an_interval_is_that_of_the_formulas),
        TEST("batches follow from packets and bins", batches_follow_from_packets_and_bins),
        TEST("percentiles have the intervals of the formulas",
             percentiles_have_the_intervals_of_the_formulas),
        TEST("quantiles are those of the tables", quantiles_are_those_of_the_tables),
    };
    return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
