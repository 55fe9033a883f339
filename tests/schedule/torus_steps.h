/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the circular q-shift on a torus of any radices: what the schedules of the library take,
 * and what the formulas of the papers say of square tori (harness/claims/rows/grama.txt). */
#ifndef TEST_TORUS_STEPS_H
#define TEST_TORUS_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "ec_cost_exact.h"

/* Torus of any radices R_0, R_1, ... >= 1, row-major labels; 0 < q < R_0 R_1 .... The digits q_k of
 * q in these radices; z: the lowest dimension with q_z > 0. Sums over the dimensions with R_k > 1;
 * proofs in docs/study/SHIFTS.md. With R = {s, s} they are the formulas of the
 * papers.
 *
 *   forward:    sum of q_k + [k > z]
 *   plain:      sum of min(q_k, R_k - q_k) + [k > z]
 *   merged:     min(q_z, R_z - q_z) + sum over k > z of min(q_k + 1, R_k - q_k)
 *   per-column: min(q_z, R_z - q_z) + sum over k > z of max(min(q_k, R_k - q_k),
 *               min(q_k + 1, R_k - q_k - 1)), the distance of the packet with farthest to go
 *   load:       of direct routing, the largest term of per-column's sum */

/* One dimension: its radix, its digit of q, and whether a lower digit of q is not 0. */
struct torus_digit {
    uint64_t radix, q;
    bool carried;
};

static inline uint64_t forward_term(struct torus_digit k)
{
    return k.q + k.carried;
}

static inline uint64_t plain_term(struct torus_digit k)
{
    return ec_cost_min(k.q, k.radix - k.q) + k.carried;
}

static inline uint64_t merged_term(struct torus_digit k)
{
    return ec_cost_min(k.q + k.carried, k.radix - k.q);
}

static inline uint64_t per_column_term(struct torus_digit k)
{
    const uint64_t own = ec_cost_min(k.q, k.radix - k.q);

    return k.carried ? ec_cost_max(own, ec_cost_min(k.q + 1, k.radix - k.q - 1)) : own;
}

/* The sum of the terms of all dimensions, or the largest of them. */
static inline uint64_t torus_total(unsigned dims, const uint32_t *radix, uint64_t q,
                                   uint64_t (*term)(struct torus_digit k), bool largest)
{
    uint64_t sum = 0, most = 0;
    bool carried = false;

    for (unsigned k = 0; k < dims; q /= radix[k++]) {
        const struct torus_digit digit = {radix[k], q % radix[k], carried};
        const uint64_t steps = digit.radix > 1 ? term(digit) : 0;
        sum += steps;
        most = ec_cost_max(most, steps);
        carried = carried || digit.q > 0;
    }
    return largest ? most : sum;
}

static inline uint64_t torus_forward(unsigned dims, const uint32_t *radix, uint64_t q)
{
    return torus_total(dims, radix, q, forward_term, false);
}

static inline uint64_t torus_plain(unsigned dims, const uint32_t *radix, uint64_t q)
{
    return torus_total(dims, radix, q, plain_term, false);
}

static inline uint64_t torus_merged(unsigned dims, const uint32_t *radix, uint64_t q)
{
    return torus_total(dims, radix, q, merged_term, false);
}

static inline uint64_t torus_per_column(unsigned dims, const uint32_t *radix, uint64_t q)
{
    return torus_total(dims, radix, q, per_column_term, false);
}

static inline uint64_t torus_load(unsigned dims, const uint32_t *radix, uint64_t q)
{
    return torus_total(dims, radix, q, per_column_term, true);
}

#endif
