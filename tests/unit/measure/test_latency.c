/* SPDX-License-Identifier: Apache-2.0 */
/* Latency statistics against a sort of the samples. */
#include "measure/latency.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "unit.h"

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The smallest sample with at least `percent` percent of all at or below it. */
static uint64_t rank(const uint64_t *sorted, size_t count, unsigned percent)
{
    for (size_t i = 0; i < count; i++) {
        if (100 * (i + 1) >= percent * count)
            return sorted[i];
    }
    return sorted[count - 1];
}

static void compare(const uint64_t *samples, size_t count)
{
    struct latency l = {0};
    uint64_t *sorted = malloc(count * sizeof *sorted);
    double sum = 0;
    assert_non_null(sorted);
    for (size_t i = 0; i < count; i++) {
        assert_true(latency_add(&l, samples[i]));
        sorted[i] = samples[i];
        sum += (double)samples[i];
    }
    qsort(sorted, count, sizeof *sorted, by_value);
    const struct ec_latency s = latency_summary(&l);
    assert_true(fabs(s.mean - sum / (double)count) < 1e-9 * s.mean);
    assert_int_equal(s.p50, rank(sorted, count, 50));
    assert_int_equal(s.p95, rank(sorted, count, 95));
    assert_int_equal(s.p99, rank(sorted, count, 99));
    assert_int_equal(s.max, sorted[count - 1]);
    free(sorted);
    latency_free(&l);
}

static void percentiles_equal_those_of_a_sort(void **state)
{
    (void)state;
    static uint64_t samples[5000];
    for (size_t count = 1; count <= COUNT(samples); count += count < 210 ? 1 : 977) {
        const uint64_t key = ec_rng_key(1, count);
        for (unsigned bits = 2; bits <= 18; bits += 4) { /* crowded and spread values */
            for (size_t i = 0; i < count; i++)
                samples[i] = 1 + (ec_rng_draw(key, i) >> (64 - bits));
            compare(samples, count);
        }
    }
}

static void one_value_is_every_percentile(void **state)
{
    (void)state;
    struct latency l = {0};
    for (unsigned i = 0; i < 7; i++)
        assert_true(latency_add(&l, 1u << 20)); /* beyond the first size of the table */
    const struct ec_latency s = latency_summary(&l);
    assert_true(s.mean == 1048576.0);
    assert_int_equal(s.p50, 1 << 20);
    assert_int_equal(s.p99, 1 << 20);
    assert_int_equal(s.max, 1 << 20);
    latency_free(&l);
}

static void without_samples_all_is_zero(void **state)
{
    (void)state;
    struct latency none = {0};
    const struct ec_latency s = latency_summary(&none);
    assert_true(s.mean == 0.0);
    assert_int_equal(s.p50 + s.p95 + s.p99 + s.max, 0);
}

/* Latencies of any size, below and above the range of counters: exact, and in little memory. */
static void large_latencies_are_exact(void **state)
{
    static uint64_t samples[3000];
    (void)state;
    for (unsigned bits = 19; bits <= 64; bits += 5) {
        for (size_t i = 0; i < COUNT(samples); i++)
            samples[i] = 1 + (ec_rng_draw(bits, i) >> 1 >> (64 - bits));
        compare(samples, COUNT(samples));
        for (size_t i = 0; i < COUNT(samples); i++) /* many equal ones */
            samples[i] = LATENCY_NEAR_MAX - 2 + ec_rng_draw(bits, i) % 5;
        compare(samples, COUNT(samples));
    }
}

/* A million packets, each as late as the longest start-up takes, need no more than one does. */
static void equal_latencies_share_memory(void **state)
{
    struct latency l = {0};
    (void)state;
    for (unsigned i = 0; i < 1000000; i++)
        assert_true(latency_add(&l, (UINT64_C(1) << 32) + i % 100));
    const struct ec_latency s = latency_summary(&l);
    assert_true(s.p50 == (UINT64_C(1) << 32) + 49);
    assert_true(s.p99 == (UINT64_C(1) << 32) + 98);
    assert_true(s.max == (UINT64_C(1) << 32) + 99);
    assert_true(l.size <= LATENCY_NEAR_MAX);
    assert_true(l.far_room <= 1024);
    latency_free(&l);
}

/* As many late packets as there are in a saturated network get counters, those before them too. */
static void many_large_latencies_become_counters(void **state)
{
    enum { SAMPLES = 3000000 };
    struct latency l = {0};
    (void)state;
    for (uint64_t i = 0; i < SAMPLES; i++) /* each value once, the largest first */
        assert_true(latency_add(&l, LATENCY_NEAR_MAX + SAMPLES - i));
    const struct ec_latency s = latency_summary(&l);
    assert_int_equal(s.p50, LATENCY_NEAR_MAX + SAMPLES / 2);
    assert_int_equal(s.p99, LATENCY_NEAR_MAX + SAMPLES / 100 * 99);
    assert_int_equal(s.max, LATENCY_NEAR_MAX + SAMPLES);
    assert_int_equal(l.far_count, 0);
    latency_free(&l);
}

/* The sum of latencies has more bits than any of them. */
static void a_mean_does_not_overflow(void **state)
{
    struct latency l = {0};
    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        assert_true(latency_add(&l, UINT64_C(1) << 59));
    assert_true(latency_summary(&l).mean == 0x1p59);
    latency_free(&l);
}

/* So many samples that a hundred times their number exceeds 64 bits. */
static void a_rank_does_not_overflow(void **state)
{
    uint64_t count[8] = {[5] = UINT64_C(1) << 61, [7] = UINT64_C(1) << 60};
    struct latency l = {.count = count, .size = 8, .samples = count[5] + count[7], .max = 7};
    (void)state;
    const struct ec_latency s = latency_summary(&l);
    assert_int_equal(s.p50, 5);
    assert_int_equal(s.p95, 7);
}

static void what_is_forgotten_is_gone(void **state)
{
    struct latency l = {0};
    (void)state;
    assert_true(latency_add(&l, 3) && latency_add(&l, UINT64_C(1) << 40));
    latency_summary(&l);
    latency_forget(&l);
    assert_true(latency_add(&l, 9));
    const struct ec_latency s = latency_summary(&l);
    assert_true(s.mean == 9.0);
    assert_int_equal(s.p50, 9);
    assert_int_equal(s.max, 9);
    latency_free(&l);
}

/* --- Other parts ------------------------------------------------------------------------------ */

/* An exchange whose second part sends these bytes. */
struct fake {
    struct exchange x; /* first */
    struct exchange_bytes from[2];
};

static bool fake_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                        const struct exchange_bytes **ret)
{
    (void)bytes;
    (void)size;
    (void)everyone;
    *ret = ((struct fake *)x)->from;
    return true;
}

static void fake_abort(struct exchange *x, enum ec_code code, const char *why)
{
    (void)x;
    (void)code;
    (void)why;
}

static bool merge(struct latency *l, const void *bytes, size_t size)
{
    static const struct exchange_ops ops = {.gather = fake_gather, .abort = fake_abort};
    struct fake f = {.x = {.ops = &ops, .parts = 2}};
    f.from[1] = (struct exchange_bytes){.data = (unsigned char *)(uintptr_t)bytes, .size = size};
    return latency_merge(l, &f.x);
}

/* A few bytes that speak of many samples must not ask for counters of all latencies. */
static void damaged_bytes_cost_no_memory(void **state)
{
    static const struct latency_far values[] = {{5, UINT64_C(1) << 62}, {UINT64_C(1) << 40, 1}};
    struct latency l = {0};
    (void)state;
    assert_true(merge(&l, values, sizeof values));
    assert_true(l.size <= LATENCY_NEAR_MAX);
    assert_int_equal(latency_summary(&l).max, UINT64_C(1) << 40);
    assert_false(merge(&l, values, sizeof values - 1));
    assert_false(merge(&l, &(struct latency_far){7, UINT64_MAX}, sizeof *values)); /* too many */
    latency_free(&l);
}

/* Near and far values, each several times; the second time they add up. */
static void latencies_of_another_part_are_added(void **state)
{
    struct latency_far values[10];
    struct latency l = {0};
    (void)state;
    for (uint64_t k = 1; k <= 5; k++) {
        values[2 * k - 2] = (struct latency_far){10 * k, k};
        values[2 * k - 1] = (struct latency_far){k << 33, k};
    }
    for (unsigned times = 1; times <= 2; times++) {
        assert_true(merge(&l, values, sizeof values));
        const struct ec_latency s = latency_summary(&l);
        const double mean = 55.0 * (10.0 + 0x1p33) / 30;
        assert_int_equal(l.samples, 30 * times);
        assert_int_equal(s.p50, 50);
        assert_true(s.p95 == UINT64_C(5) << 33 && s.p99 == s.p95 && s.max == s.p95);
        assert_true(fabs(s.mean - mean) < 1e-9 * mean);
    }
    latency_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("percentiles equal those of a sort", percentiles_equal_those_of_a_sort),
        TEST("one value is every percentile", one_value_is_every_percentile),
        TEST("without samples all is zero", without_samples_all_is_zero),
        TEST("large latencies are exact", large_latencies_are_exact),
        TEST("equal latencies share memory", equal_latencies_share_memory),
        TEST("many large latencies become counters", many_large_latencies_become_counters),
        TEST("a mean does not overflow", a_mean_does_not_overflow),
        TEST("a rank does not overflow", a_rank_does_not_overflow),
        TEST("a reset removes all samples", what_is_forgotten_is_gone),
        TEST("damaged bytes cost no memory", damaged_bytes_cost_no_memory),
        TEST("latencies of another part are added", latencies_of_another_part_are_added),
    };
    return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
