/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random numbers: are they random enough, and independent between streams? The
 * bounds are six standard deviations wide; the numbers are fixed, so no run differs from another.
 */
#include "unit.h"

#include <math.h>

#include "base/rng.h"

#define DRAWS 20000

static double deviations(double count, double trials, double p)
{
    return fabs(count - trials * p) / sqrt(trials * p * (1 - p));
}

static void every_bit_is_fair(void **state)
{
    (void)state;
    for (uint64_t stream = 0; stream < 4; stream++) {
        uint64_t key = ec_rng_key(1, stream);
        unsigned ones[64] = {0};
        for (uint64_t i = 0; i < DRAWS; i++) {
            uint64_t x = ec_rng_draw(key, i);
            for (unsigned b = 0; b < 64; b++)
                ones[b] += x >> b & 1;
        }
        for (unsigned b = 0; b < 64; b++)
            assert_true(deviations(ones[b], DRAWS, 0.5) < 6);
    }
}

static void all_inputs_matter(void **state)
{
    (void)state;
    /* Flip one bit of seed, stream or draw: half of the output bits follow. */
    for (unsigned input = 0; input < 3; input++) {
        unsigned flipped = 0, trials = 0;
        for (uint64_t i = 0; i < 100; i++) {
            for (unsigned b = 0; b < 64; b++, trials += 64) {
                uint64_t one[3] = {i, 7 * i, i * i}, two[3] = {i, 7 * i, i * i};
                two[input] ^= UINT64_C(1) << b;
                flipped +=
                    (unsigned)__builtin_popcountll(ec_rng_draw(ec_rng_key(one[0], one[1]), one[2]) ^
                                                   ec_rng_draw(ec_rng_key(two[0], two[1]), two[2]));
            }
        }
        assert_true(deviations(flipped, trials, 0.5) < 6);
    }
}

static void neighbouring_streams_are_uncorrelated(void **state)
{
    (void)state;
    for (uint64_t stream = 0; stream < 50; stream++) {
        uint64_t a = ec_rng_key(42, stream), b = ec_rng_key(42, stream + 1);
        for (uint64_t lag = 0; lag < 3; lag++) {
            unsigned same = 0;
            for (uint64_t i = 0; i < 1000; i++)
                same += 64 -
                        (unsigned)__builtin_popcountll(ec_rng_draw(a, i + lag) ^ ec_rng_draw(b, i));
            assert_true(deviations(same, 64000, 0.5) < 6);
        }
    }
}

static void seeds_do_not_share_streams(void **state)
{
    (void)state;
    enum { SEEDS = 40, STREAMS = 40 };
    uint64_t keys[SEEDS * STREAMS];

    for (uint64_t i = 0; i < COUNT(keys); i++) {
        keys[i] = ec_rng_key(i / STREAMS, i % STREAMS);
        for (uint64_t j = 0; j < i; j++)
            assert_true(keys[i] != keys[j]);
    }
}

static void ranges_are_even(void **state)
{
    (void)state;
    enum { N = 37 };
    unsigned count[N] = {0};
    uint64_t key = ec_rng_key(9, 9);

    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t x = ec_rng_below(ec_rng_draw(key, i), N);
        assert_true(x < N);
        count[x]++;
    }
    for (unsigned i = 0; i < N; i++)
        assert_true(deviations(count[i], DRAWS, 1.0 / N) < 6);
    assert_int_equal(ec_rng_below(UINT64_MAX, 1), 0);
    assert_int_equal(ec_rng_below(UINT64_MAX, 10), 9);
    assert_int_equal(ec_rng_below(0, 10), 0);
}

static void units_stay_below_one(void **state)
{
    (void)state;
    unsigned below = 0;
    uint64_t key = ec_rng_key(3, 0);

    assert_true(ec_rng_unit(UINT64_MAX) < 1.0);
    assert_true(ec_rng_unit(0) <= 0.0);
    for (uint64_t i = 0; i < DRAWS; i++)
        below += ec_rng_unit(ec_rng_draw(key, i)) < 0.02;
    assert_true(deviations(below, DRAWS, 0.02) < 6);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("every bit of a draw is fair", every_bit_is_fair),
        TEST("every bit of seed, stream and number flips half of the draw", all_inputs_matter),
        TEST("neighbouring streams are uncorrelated, shifted or not",
             neighbouring_streams_are_uncorrelated),
        TEST("no two streams of small seeds are the same", seeds_do_not_share_streams),
        TEST("numbers below n are even", ranges_are_even),
        TEST("fractions are in 0 to 1, one excluded", units_stay_below_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
