/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of one mixed GSH: Theorem 1, Table 1, parity rows. Knows numbers only; must not know how a
 * schedule is made. */
#include "ec_cost_jh_mixed.h"

uint64_t ec_cost_jh_pipelined(uint64_t sigma_r, uint64_t K)
{
    return K / 2 + sigma_r - 1;
}

uint64_t ec_cost_jh_concurrent(uint64_t sigma_r, uint64_t K)
{
    return K <= 2 * (sigma_r + 1) ? sigma_r + 3 : K / 2 + 2;
}

uint64_t ec_cost_jh_parity(uint64_t sigma_r, uint64_t K)
{
    if (sigma_r == 1 || K == 2)
        return ec_cost_jh_pipelined(sigma_r, K);
    return K >= 2 * sigma_r ? K / 2 + 1 : sigma_r + 1;
}

bool ec_cost_jh_theorem1_printed(unsigned which, uint64_t sigma_r, uint64_t K, uint64_t *ret)
{
    switch (which) {
    case 1:
        *ret = K / 2 + sigma_r - 1;
        return sigma_r <= 3 && K <= 8;
    case 2:
        *ret = sigma_r + 3;
        return 8 <= K && K <= 2 * (sigma_r + 1);
    case 3:
        *ret = K / 2 + 2;
        return K >= 2 * (sigma_r + 1) && sigma_r >= 3;
    default:
        return false;
    }
}

uint64_t ec_cost_jh_theorem1(uint64_t sigma_r, uint64_t K)
{
    return sigma_r <= 3 || K <= 8 ? ec_cost_jh_pipelined(sigma_r, K)
                                  : ec_cost_jh_concurrent(sigma_r, K);
}

struct ec_cost_terms ec_cost_jh_table1_concurrent(uint64_t sigma_r, uint64_t B)
{
    return (struct ec_cost_terms){(sigma_r + 3) * B, sigma_r + 3};
}
