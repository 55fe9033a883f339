/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of S. Gohil, Circular Shift operation on Mesh and Hypercube. t_s start-up, t_w per word,
 * t_h per hop, m words; any unit of time. */
#ifndef EC_COST_GOHIL_H
#define EC_COST_GOHIL_H

#include <stdint.h>

/* Section I: m words between any two nodes, path free, as printed: t_s + t_w m. */
uint64_t ec_cost_gohil_message_printed(uint64_t ts, uint64_t tw, uint64_t m);
/* Over l links: t_s + t_h l + t_w m. */
uint64_t ec_cost_gohil_message_corrected(uint64_t links, uint64_t ts, uint64_t th, uint64_t tw,
                                         uint64_t m);

/* Steps of the mesh procedure (section III), side s. With p = the number of nodes, as the text
 * says, q mod p = q row steps and no column step: q. With sqrt(p) for p: r + [r > 0] + c. */
uint64_t ec_cost_gohil_mesh_printed(uint64_t s, uint64_t q);
uint64_t ec_cost_gohil_mesh_corrected(uint64_t s, uint64_t q);

/* Iterations of the cube procedure (section IV) that communicate: popcount(q); each takes
 * two link steps, except that of 2^0. */
uint64_t ec_cost_gohil_cube_corrected(unsigned d, uint64_t q);

#endif
