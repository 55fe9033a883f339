/* SPDX-License-Identifier: Apache-2.0 */
/* Times of V. Gergel's lecture on the circular shift, equations (3.19) to (3.21), in its symbols:
 * t_n start-up, t_k per word, t_c service time per link, m words, p nodes. Any unit of time.
 *
 * In the available text the equations are missing pictures; they are reconstructed from the
 * surrounding text and agree with the schedules. */
#ifndef EC_COST_GERGEL_H
#define EC_COST_GERGEL_H

#include <stdint.h>

/* (3.19), torus of sqrt_p by sqrt_p nodes: (t_n + m t_k)(2 floor(sqrt(p) / 2) + 1), the maximum
 * over q of the schedule `plain` of ec_cost_shift.h. */
uint64_t ec_cost_gergel_3_19(uint64_t sqrt_p, uint64_t tn, uint64_t tk, uint64_t m);

/* (3.20), cube of d = log2 p dimensions: (t_n + m t_k)(2 log2 p - 1), an upper bound. */
uint64_t ec_cost_gergel_3_20(unsigned d, uint64_t tn, uint64_t tk, uint64_t m);

/* (3.21): t_n + m t_k + t_c (log2 p - gamma(q)); for long messages, according to the text, t_n + m
 * t_k. */
uint64_t ec_cost_gergel_3_21(unsigned d, uint64_t q, uint64_t tn, uint64_t tk, uint64_t tc,
                             uint64_t m);
uint64_t ec_cost_gergel_3_21_long(uint64_t tn, uint64_t tk, uint64_t m);

#endif
