/* SPDX-License-Identifier: Apache-2.0 */
/* Link loads of direct routing, in closed form. Knows numbers only; must not know routes. */
#include "ec_cost_ecube.h"

static uint64_t power(uint64_t exponent)
{
    return UINT64_C(1) << exponent;
}

uint64_t ec_cost_ecube_k_shuffle(unsigned n, unsigned k, bool highest_first)
{
    return power(highest_first ? ec_cost_min(n - k - 1, k) : ec_cost_min(k - 1, n - k));
}

uint64_t ec_cost_ecube_transpose(unsigned n)
{
    return power(n / 2 - 1);
}

uint64_t ec_cost_ecube_bit_reversal(unsigned n)
{
    return power(n / 2 - 1);
}

uint64_t ec_cost_ecube_vector_reversal(unsigned n)
{
    (void)n;
    return 1;
}

struct ec_cost_ratio ec_cost_ecube_k_shuffle_average(void)
{
    return (struct ec_cost_ratio){1, 2};
}

struct ec_cost_ratio ec_cost_ecube_bit_reversal_average(unsigned n)
{
    return ec_cost_ratio_of(n / 2, n);
}

struct ec_cost_ratio ec_cost_ecube_vector_reversal_average(void)
{
    return (struct ec_cost_ratio){1, 1};
}

uint64_t ec_cost_ecube_aapc(unsigned n)
{
    return power(n - 1);
}

struct ec_cost_ratio ec_cost_ecube_shuffle_over_a1(unsigned n)
{
    return ec_cost_ratio_of(2 * (uint64_t)n, (uint64_t)n + 1);
}

uint64_t ec_cost_ecube_bit_reversal_over_a22(unsigned n)
{
    return power(n / 2);
}
