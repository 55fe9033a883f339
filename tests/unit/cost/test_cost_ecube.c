/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of direct routing in closed form, against every path walked by the test itself. */
#include "unit.h"

#include "ec_cost_ecube.h"
#include "ec_cost_jh_real.h"

#define BITS_MAX 12

/* What direct routing of the map `to` loads: the busiest link, and all hops. */
struct loads {
    unsigned most;
    uint64_t hops;
};

static struct loads walk(unsigned n, unsigned (*to)(unsigned n, unsigned k, unsigned s), unsigned k,
                         bool highest_first)
{
    static unsigned load[1U << BITS_MAX][BITS_MAX];
    struct loads all = {0};

    for (unsigned s = 0; s >> n == 0; s++) {
        for (unsigned b = 0; b < n; b++)
            load[s][b] = 0;
    }
    for (unsigned s = 0; s >> n == 0; s++) {
        unsigned at = s;
        for (unsigned i = 0; i < n; i++) {
            const unsigned b = highest_first ? n - 1 - i : i;
            if (!((at ^ to(n, k, s)) >> b & 1))
                continue;
            load[at][b]++;
            all.most = load[at][b] > all.most ? load[at][b] : all.most;
            all.hops++;
            at ^= 1U << b;
        }
    }
    return all;
}

static unsigned rotated(unsigned n, unsigned k, unsigned s)
{
    return (s << k | s >> (n - k)) & ((1U << n) - 1);
}

static unsigned reversed(unsigned n, unsigned k, unsigned s)
{
    unsigned to = 0;

    (void)k;
    for (unsigned b = 0; b < n; b++)
        to |= (s >> b & 1) << (n - 1 - b);
    return to;
}

static unsigned inverted(unsigned n, unsigned k, unsigned s)
{
    (void)k;
    return ~s & ((1U << n) - 1);
}

static void assert_average(struct ec_cost_ratio is, unsigned n, uint64_t hops)
{
    const struct ec_cost_ratio should = ec_cost_ratio_of(hops, (uint64_t)n << n);

    assert_int_equal(is.num, should.num);
    assert_int_equal(is.den, should.den);
}

static void permutations(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= BITS_MAX; n++) {
        for (int high = 0; high < 2; high++) {
            for (unsigned k = 1; k < n; k++) {
                const struct loads seen = walk(n, rotated, k, high);
                assert_int_equal(ec_cost_ecube_k_shuffle(n, k, high), seen.most);
                assert_average(ec_cost_ecube_k_shuffle_average(), n, seen.hops);
                if (2 * k == n)
                    assert_int_equal(ec_cost_ecube_transpose(n), seen.most);
            }
            struct loads seen = walk(n, reversed, 0, high);
            assert_int_equal(ec_cost_ecube_bit_reversal(n), seen.most);
            assert_average(ec_cost_ecube_bit_reversal_average(n), n, seen.hops);
            seen = walk(n, inverted, 0, high);
            assert_int_equal(ec_cost_ecube_vector_reversal(n), seen.most);
            assert_average(ec_cost_ecube_vector_reversal_average(), n, seen.hops);
        }
    }
}

/* One message for every pair: every link the same. */
static void all_pairs(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n++) {
        static unsigned load[1U << 8][8];
        for (unsigned s = 0; s >> n == 0; s++) {
            for (unsigned b = 0; b < n; b++)
                load[s][b] = 0;
        }
        for (unsigned s = 0; s >> n == 0; s++) {
            for (unsigned d = 0; d >> n == 0; d++) {
                for (unsigned b = 0, at = s; b < n; b++) {
                    load[at][b] += (at ^ d) >> b & 1;
                    at = (at & ~(1U << b)) | (d & 1U << b);
                }
            }
        }
        for (unsigned s = 0; s >> n == 0; s++) {
            for (unsigned b = 0; b < n; b++)
                assert_int_equal(load[s][b], ec_cost_ecube_aapc(n));
        }
    }
}

/* Elements on the busiest link over transfers of the schedule, K = 2n * 2^n large enough. */
static void against_schedules(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 10; n++) {
        const uint64_t K = 2 * (uint64_t)n << n;
        const struct ec_cost_ratio shuffle = ec_cost_ecube_shuffle_over_a1(n);
        assert_int_equal(ec_cost_ecube_k_shuffle(n, 1, false) * K * shuffle.den,
                         ec_cost_jh_a1_concurrent(n, K) * shuffle.num);
        assert_int_equal(ec_cost_ecube_bit_reversal(n) * K,
                         (ec_cost_jh_a22(n / 2, K) - 1) * ec_cost_ecube_bit_reversal_over_a22(n));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("permutations load links as the closed forms say", permutations),
        TEST("all pairs load all links alike", all_pairs),
        TEST("direct routing over schedules is the ratio of the loads", against_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
