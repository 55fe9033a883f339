/* SPDX-License-Identifier: Apache-2.0 */
/* The values of cost formulas: whole numbers, and fractions in lowest terms. */
#ifndef EC_COST_EXACT_H
#define EC_COST_EXACT_H

#include <stdint.h>

struct ec_cost_ratio {
    uint64_t num, den; /* lowest terms, den >= 1 */
};

static inline struct ec_cost_ratio ec_cost_ratio_of(uint64_t num, uint64_t den)
{
    uint64_t a = num, b = den;

    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct ec_cost_ratio){num / a, den / a};
}

static inline uint64_t ec_cost_ceil(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t ec_cost_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t ec_cost_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
