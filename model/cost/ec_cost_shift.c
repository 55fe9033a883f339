/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of circular shifts, formula by formula. Knows numbers only; must not know how a schedule is
 * made. */
#include "ec_cost_shift.h"

#include "ec_cost_exact.h"

#define min ec_cost_min
#define max ec_cost_max

uint64_t ec_cost_shift_ring(uint64_t p, uint64_t q)
{
    return min(q, p - q);
}

uint64_t ec_cost_shift_line(uint64_t p, uint64_t q)
{
    return max(q, p - q);
}

uint64_t ec_cost_shift_line_printed(uint64_t p, uint64_t q)
{
    return ec_cost_shift_ring(p, q);
}

uint64_t ec_cost_shift_forward(uint64_t s, uint64_t q)
{
    const uint64_t r = q % s, c = q / s;

    return r + (r > 0) + c;
}

uint64_t ec_cost_shift_plain(uint64_t s, uint64_t q)
{
    const uint64_t r = q % s, c = q / s;

    return min(r, s - r) + (r > 0) + min(c, s - c);
}

uint64_t ec_cost_shift_merged(uint64_t s, uint64_t q)
{
    const uint64_t r = q % s, c = q / s;

    return r > 0 ? min(r, s - r) + min(c + 1, s - c) : min(c, s - c);
}

uint64_t ec_cost_shift_per_column(uint64_t s, uint64_t q)
{
    const uint64_t r = q % s, c = q / s, stay = min(c, s - c);

    return r > 0 ? min(r, s - r) + max(stay, min(c + 1, s - c - 1)) : stay;
}

uint64_t ec_cost_shift_compensate_each_row(uint64_t s, uint64_t q)
{
    return 2 * (q % s) + q / s;
}

uint64_t ec_cost_shift_torus_load(uint64_t s, uint64_t q)
{
    const uint64_t r = q % s, c = q / s, next = (c + 1) % s;
    const uint64_t load = max(min(r, s - r), min(c, s - c));

    return r > 0 ? max(load, min(next, s - next)) : load;
}

/* --- Gray-coded rings ------------------------------------------------------------------------ */

uint64_t ec_cost_shift_gray_forward(unsigned d, uint64_t q)
{
    uint64_t steps = 0;

    for (unsigned j = 0; j < d; j++)
        steps += (q >> j & 1) * (j == 0 ? 1 : 2);
    return steps;
}

unsigned ec_cost_shift_gray_terms(unsigned d, uint64_t q)
{
    unsigned terms = 0;

    for (unsigned j = 0; q != 0 && j < d; j++, q /= 2) { /* a carry out of 2^d is dropped */
        if (q % 2 == 0)
            continue;
        terms++;
        q = q % 4 == 1 ? q - 1 : q + 1;
    }
    return terms;
}

uint64_t ec_cost_shift_gray_signed(unsigned d, uint64_t q)
{
    return 2 * (uint64_t)ec_cost_shift_gray_terms(d, q) - q % 2;
}

uint64_t ec_cost_shift_gray_direct_load(unsigned d, uint64_t q)
{
    const uint64_t p = UINT64_C(1) << d, back = p - q;

    return (q & (q - 1)) == 0 || (back & (back - 1)) == 0 ? 1 : 2;
}
