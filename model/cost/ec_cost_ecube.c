/* SPDX-License-Identifier: Apache-2.0 */
/* Link loads of direct routing, in closed form. Knows numbers only; must not know routes. */
#include "ec_cost_ecube.h"

static uint64_t power(uint64_t exponent)
{
    return UINT64_C(1) << exponent;
}

void ec_cost_ecube_bits(unsigned n, const uint8_t *from, uint64_t complement, const uint8_t *order,
                        uint64_t *ret_load)
{
    uint64_t corrected = 0, arrived = 0; /* dimensions; bits whose places are corrected */
    unsigned passing = 0;                /* bits corrected that have not arrived */

    for (unsigned i = 0; i < n; i++) {
        const unsigned d = order[i];
        passing -= corrected >> from[d] & 1;
        ret_load[d] = from[d] != d || complement >> d & 1 ? power(passing) : 0;
        corrected |= power(d);
        arrived |= power(from[d]);
        passing += !(arrived >> d & 1);
    }
}

void ec_cost_ecube_order(unsigned n, const uint8_t *from, uint8_t *ret_order)
{
    uint64_t seen = 0;
    unsigned at = n;

    /* From its last place back, each cycle is followed by from[]. */
    for (unsigned d = n; d-- > 0;) {
        for (unsigned c = d; !(seen >> c & 1); c = from[c]) {
            seen |= power(c);
            ret_order[--at] = (uint8_t)c;
        }
    }
}
