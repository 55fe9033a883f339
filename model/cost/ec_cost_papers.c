/* SPDX-License-Identifier: Apache-2.0 */
/* Times of circular shifts in the textbooks, as printed and as corrected. Knows numbers only. */
#include "ec_cost.h"
#include "ec_cost_gergel.h"
#include "ec_cost_gohil.h"
#include "ec_cost_grama.h"
#include "ec_cost_shift.h"

/* --- Grama, Gupta, Karypis and Kumar, section 4.6 --------------------------------------------- */

uint64_t ec_cost_grama_step(uint64_t ts, uint64_t tw, uint64_t m)
{
    return ts + tw * m;
}

uint64_t ec_cost_grama_mesh_printed(uint64_t sqrt_p, uint64_t ts, uint64_t tw, uint64_t m)
{
    return ec_cost_grama_step(ts, tw, m) * (sqrt_p + 1);
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

/* --- Gergel, the lecture on the circular shift ------------------------------------------------ */

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

/* --- Gohil ------------------------------------------------------------------------------------ */

uint64_t ec_cost_gohil_message_printed(uint64_t ts, uint64_t tw, uint64_t m)
{
    return ts + tw * m;
}

uint64_t ec_cost_gohil_message_corrected(uint64_t links, uint64_t ts, uint64_t th, uint64_t tw,
                                         uint64_t m)
{
    return ts + th * links + tw * m;
}

uint64_t ec_cost_gohil_mesh_printed(uint64_t s, uint64_t q)
{
    const uint64_t p = s * s;

    return q % p + q / p;
}

uint64_t ec_cost_gohil_mesh_corrected(uint64_t s, uint64_t q)
{
    return ec_cost_shift_forward(s, q);
}

uint64_t ec_cost_gohil_cube_corrected(unsigned d, uint64_t q)
{
    return ec_cost_shift_gray_forward(d, q);
}
