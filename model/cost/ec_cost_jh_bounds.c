/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds of Johnsson and Ho, section 3, and improved ones. Knows numbers only; must not know
 * the schedules that are compared with them. */
#include "ec_cost_jh_bounds.h"

uint64_t ec_cost_jh_bound_mixed(uint64_t sigma_r, uint64_t beta, uint64_t K)
{
    return ec_cost_max(sigma_r, K / 2 + (sigma_r > beta));
}

uint64_t ec_cost_jh_bound_real(uint64_t K)
{
    return K / 2 + 1;
}

bool ec_cost_jh_flow(unsigned sigma_r, bool complemented, struct ec_cost_ratio *ret)
{
    const uint64_t r = sigma_r, nodes = UINT64_C(1) << (sigma_r % 64);

    if (sigma_r < 2 || sigma_r > 24)
        return false;
    *ret = complemented ? ec_cost_ratio_of(r + 1, 2 * r)
                        : ec_cost_ratio_of((r + 1) * (nodes - 2), 2 * r * (nodes - 1));
    return true;
}

uint64_t ec_cost_jh_flow_steps(unsigned sigma_r, bool complemented, uint64_t K)
{
    const uint64_t r = sigma_r, half = UINT64_C(1) << (sigma_r - 1);

    return complemented ? ec_cost_ceil((r + 1) * K, 2 * r)
                        : ec_cost_ceil((r + 1) * ((half - 1) * K + r), r * (2 * half - 1));
}
