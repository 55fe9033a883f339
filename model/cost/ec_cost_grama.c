/* SPDX-License-Identifier: Apache-2.0 */
/* The times of Grama et al., section 4.6, as printed and as corrected. Knows numbers only. */
#include "ec_cost_grama.h"

#include "ec_cost.h"
#include "ec_cost_shift.h"

uint64_t ec_cost_grama_step(uint64_t ts, uint64_t tw, uint64_t m)
{
    return ts + tw * m;
}

uint64_t ec_cost_grama_mesh_printed(uint64_t sqrt_p, uint64_t ts, uint64_t tw, uint64_t m)
{
    return ec_cost_grama_step(ts, tw, m) * (sqrt_p + 1);
}

uint64_t ec_cost_grama_mesh_corrected(uint64_t sqrt_p, uint64_t ts, uint64_t tw, uint64_t m)
{
    return ec_cost_grama_step(ts, tw, m) * ec_cost_shift_per_column_worst(sqrt_p);
}

uint64_t ec_cost_grama_4_11(unsigned d, uint64_t ts, uint64_t tw, uint64_t m)
{
    return ec_cost_grama_step(ts, tw, m) * (2 * (uint64_t)d - 1);
}

uint64_t ec_cost_grama_4_11_signed(unsigned d, uint64_t ts, uint64_t tw, uint64_t m)
{
    return ec_cost_grama_step(ts, tw, m) * d;
}

uint64_t ec_cost_grama_4_12_printed(uint64_t ts, uint64_t tw, uint64_t m)
{
    return ts + tw * m;
}

uint64_t ec_cost_grama_4_12_corrected(unsigned d, uint64_t q, uint64_t ts, uint64_t th, uint64_t tw,
                                      uint64_t m)
{
    return ts + th * ec_cost_shift_hops(d, (uint32_t)q) + tw * m;
}
