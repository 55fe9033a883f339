/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds of generalized shuffle permutations, against enumerations of the test's own. */
#include "unit.h"

#include "ec_cost_jh_bounds.h"

/* The longest path of an element, and all hops: the left rotation of `dims` address bits, with the
 * bits in `inverted` inverted; the highest r are real. */
static unsigned farthest(unsigned dims, unsigned r, unsigned inverted, uint64_t *hops)
{
    const unsigned all = (1U << dims) - 1;
    unsigned most = 0;

    *hops = 0;
    for (unsigned a = 0; a <= all; a++) {
        const unsigned to = ((a << 1 | a >> (dims - 1)) & all) ^ inverted;
        const unsigned way = (unsigned)__builtin_popcount((a ^ to) >> (dims - r));
        most = way > most ? way : most;
        *hops += way;
    }
    return most;
}

static void lemma_2(void **state)
{
    uint64_t hops;

    (void)state;
    for (unsigned r = 1; r <= 8; r++) {
        for (unsigned inverted = 0; inverted < 2U << r; inverted++) {
            const unsigned count = (unsigned)__builtin_popcount(inverted);
            if (r >= 2 && inverted < 1U << r) { /* real: one element per node */
                assert_int_equal(farthest(r, r, inverted, &hops), r - (r - count) % 2);
                assert_int_equal(2 * hops, r << r);
            }
            /* mixed: two */
            assert_int_equal(farthest(r + 1, r, inverted, &hops), r);
            assert_int_equal(hops, r << r);
        }
    }
    assert_int_equal(ec_cost_jh_bound_real(8), 5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("Lemma 2 is the longest path and the sum of all paths", lemma_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
