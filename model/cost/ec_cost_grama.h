/* SPDX-License-Identifier: Apache-2.0 */
/* Times of Grama, Gupta, Karypis and Kumar, Introduction to Parallel Computing, section 4.6, in
 * their symbols: t_s start-up, t_w per word, t_h per hop, m words, p nodes. Any unit of time. */
#ifndef EC_COST_GRAMA_H
#define EC_COST_GRAMA_H

#include <stdint.h>

/* A step between neighbours: t_s + t_w m. */
uint64_t ec_cost_grama_step(uint64_t ts, uint64_t tw, uint64_t m);

/* Mesh (torus) of sqrt_p by sqrt_p nodes, the bound as printed: (t_s + t_w m)(sqrt(p) + 1). */
uint64_t ec_cost_grama_mesh_printed(uint64_t sqrt_p, uint64_t ts, uint64_t tw, uint64_t m);

/* Eq. 4.11, p = 2^d: (t_s + t_w m)(2 log p - 1); an equality at q = p - 1. */
uint64_t ec_cost_grama_4_11(unsigned d, uint64_t ts, uint64_t tw, uint64_t m);
/* With forward and backward shifts (below 4.11): (t_s + t_w m) log p, reached by some q. */
uint64_t ec_cost_grama_4_11_signed(unsigned d, uint64_t ts, uint64_t tw, uint64_t m);

/* Eq. 4.12 as printed: t_s + t_w m. */
uint64_t ec_cost_grama_4_12_printed(uint64_t ts, uint64_t tw, uint64_t m);
/* With the hops of the longest path, d - gamma(q): t_s + t_h (d - gamma(q)) + t_w m. On the routers
 * here t_h = t_w = 1 and the ejection takes one cycle more (docs/TIMING.md). */
uint64_t ec_cost_grama_4_12_corrected(unsigned d, uint64_t q, uint64_t ts, uint64_t th, uint64_t tw,
                                      uint64_t m);

#endif
