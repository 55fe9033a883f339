/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of several constituting mixed GSH: Theorem 2, Table 2, parity groups. Knows numbers only;
 * must not know how a schedule is made. */
#include "ec_cost_jh_multi.h"

uint64_t ec_cost_jh_sigma_r(struct ec_cost_blocks x)
{
    uint64_t sum = 0;

    for (size_t b = 0; b < x.beta; b++)
        sum += x.order[b];
    return sum;
}

uint64_t ec_cost_jh_max_order(struct ec_cost_blocks x)
{
    uint64_t max = 0;

    for (size_t b = 0; b < x.beta; b++)
        max = ec_cost_max(max, x.order[b]);
    return max;
}

bool ec_cost_jh_equal_orders(struct ec_cost_blocks x)
{
    return ec_cost_jh_sigma_r(x) == x.beta * ec_cost_jh_max_order(x);
}

static uint64_t filling(struct ec_cost_blocks x, uint64_t K)
{
    return ec_cost_ceil(K, 2 * x.beta) + ec_cost_jh_sigma_r(x) - 1;
}

static uint64_t streaming(struct ec_cost_blocks x, uint64_t K)
{
    return K / 2 + ec_cost_jh_max_order(x) - 1;
}

bool ec_cost_jh_multi_pipelined(struct ec_cost_blocks x, uint64_t K, uint64_t *ret)
{
    if (K >= 2 * ec_cost_jh_sigma_r(x))
        *ret = streaming(x, K);
    else if (ec_cost_jh_equal_orders(x))
        *ret = filling(x, K);
    else
        return false;
    return true;
}

uint64_t ec_cost_jh_multi_pipelined_bound(struct ec_cost_blocks x, uint64_t K)
{
    return ec_cost_max(streaming(x, K), filling(x, K));
}

bool ec_cost_jh_theorem2_printed(unsigned which, struct ec_cost_blocks x, uint64_t K, uint64_t *ret)
{
    const uint64_t sigma_r = ec_cost_jh_sigma_r(x), max = ec_cost_jh_max_order(x);

    switch (which) {
    case 1:
        *ret = filling(x, K);
        return (max >= 4 && K <= 8 * x.beta) || (max <= 3 && K <= 2 * sigma_r);
    case 2:
        *ret = streaming(x, K);
        return K >= 2 * sigma_r && max <= 3;
    case 3:
        *ret = sigma_r + 3;
        return max >= 4 && 8 * x.beta < K && K <= 2 * (sigma_r + 1);
    case 4:
        *ret = K / 2 + 2;
        return K >= 2 * (sigma_r + 1) && max > 3;
    default:
        return false;
    }
}

bool ec_cost_jh_theorem2_corrected(unsigned which, struct ec_cost_blocks x, uint64_t K,
                                   uint64_t *ret)
{
    if (!ec_cost_jh_theorem2_printed(which, x, K, ret))
        return false;
    switch (which) {
    case 1:
        return ec_cost_jh_equal_orders(x) && K <= 2 * ec_cost_jh_sigma_r(x);
    case 2:
        return true;
    default:
        return K >> (x.beta + 1) >= 1;
    }
}

bool ec_cost_jh_theorem2(struct ec_cost_blocks x, uint64_t K, uint64_t *ret)
{
    bool found = false;

    for (unsigned which = 1; which <= 4; which++) {
        uint64_t steps;
        if (!ec_cost_jh_theorem2_corrected(which, x, K, &steps))
            continue;
        *ret = found ? ec_cost_min(*ret, steps) : steps;
        found = true;
    }
    return found;
}

uint64_t ec_cost_jh_multi_parity(struct ec_cost_blocks x, uint64_t K)
{
    const uint64_t sigma_r = ec_cost_jh_sigma_r(x);

    return K >= 2 * sigma_r ? K / 2 + (sigma_r > x.beta) : sigma_r + (K > 2 * x.beta);
}

uint64_t ec_cost_jh_aapc(uint64_t sigma_r, uint64_t beta, uint64_t K)
{
    return K / 2 + sigma_r - beta;
}

bool ec_cost_jh_aapc_case(unsigned which, uint64_t sigma, uint64_t sigma_r, uint64_t beta,
                          uint64_t K, uint64_t *ret)
{
    switch (which) {
    case 1:
        *ret = ec_cost_jh_aapc(sigma_r, beta, K);
        return sigma_r <= 3 * beta || (sigma >= 4 * beta && K <= 8 * beta);
    case 2:
        *ret = sigma_r + 3 * beta;
        return sigma >= 4 * beta && 8 * beta <= K && K <= 2 * (sigma_r + beta);
    case 3:
        *ret = K / 2 + 2 * beta;
        return sigma_r >= 4 * beta && K >= 2 * (sigma_r + beta);
    default:
        return false;
    }
}

uint64_t ec_cost_jh_aapc_parity(uint64_t sigma_r, uint64_t beta, uint64_t K)
{
    return ec_cost_max(K / 2, sigma_r) + beta;
}

uint64_t ec_cost_jh_table2_different(struct ec_cost_blocks x, uint64_t K)
{
    return K <= 2 * ec_cost_jh_sigma_r(x) ? filling(x, K) : streaming(x, K);
}
