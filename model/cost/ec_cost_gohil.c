/* SPDX-License-Identifier: Apache-2.0 */
/* The costs of Gohil's procedures, as printed and as corrected. Knows numbers only. */
#include "ec_cost_gohil.h"

#include "ec_cost_shift.h"

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

uint64_t ec_cost_gohil_cube_printed(unsigned d, uint64_t q)
{
    uint64_t phases = 0;

    for (unsigned i = 0; i < d; i++)
        phases += q >> i & 1;
    return phases;
}

uint64_t ec_cost_gohil_cube_corrected(unsigned d, uint64_t q)
{
    return ec_cost_shift_gray_forward(d, q);
}
