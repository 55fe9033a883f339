/* SPDX-License-Identifier: Apache-2.0 */
/* The times of Gergel's lecture. Knows numbers only. */
#include "ec_cost_gergel.h"

#include "ec_cost.h"

uint64_t ec_cost_gergel_3_19(uint64_t sqrt_p, uint64_t tn, uint64_t tk, uint64_t m)
{
    return (tn + m * tk) * (2 * (sqrt_p / 2) + 1);
}

uint64_t ec_cost_gergel_3_20(unsigned d, uint64_t tn, uint64_t tk, uint64_t m)
{
    return (tn + m * tk) * (2 * (uint64_t)d - 1);
}

uint64_t ec_cost_gergel_3_21(unsigned d, uint64_t q, uint64_t tn, uint64_t tk, uint64_t tc,
                             uint64_t m)
{
    return tn + m * tk + tc * ec_cost_shift_hops(d, (uint32_t)q);
}

uint64_t ec_cost_gergel_3_21_long(uint64_t tn, uint64_t tk, uint64_t m)
{
    return tn + m * tk;
}
