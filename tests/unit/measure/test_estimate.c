/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from bins: exact ones by hand, and properties of intervals. */
#include <math.h>

#include "base/rng.h"
#include "measure/estimate.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("an eighth is dropped at least", an_eighth_is_dropped_at_least),
        TEST("a longer start is dropped", a_longer_start_is_dropped),
        TEST("a start of more than half is not steady", a_start_of_more_than_half_is_not_steady),
        TEST("intervals have the right width", intervals_have_the_right_width),
        TEST("correlation is seen", correlation_is_seen),
        TEST("constant series have no width", constant_series_have_no_width),
        TEST("percentiles are exact below 2048, near above", percentiles_are_exact_or_near),
        TEST("percentiles have intervals", percentiles_have_intervals),
    };
    return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
