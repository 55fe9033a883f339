/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments, by the files that hold them. What `with` chooses is said above each. */
#ifndef CLAIMS_EXPERIMENTS_H
#define CLAIMS_EXPERIMENTS_H

#include "experiment.h"

/* try_cube.c */
void try_gray_map(struct claims_run *run);
void try_gray_distance(struct claims_run *run);
void try_gray_phases(struct claims_run *run);
void try_gray_figure(struct claims_run *run);
void try_gray_closer(struct claims_run *run);
void try_gray_bound(struct claims_run *run);
void try_gray_load(struct claims_run *run);
void try_gray_orders(struct claims_run *run);
void try_gray_signed(struct claims_run *run);
void try_gray_example(struct claims_run *run);

/* try_direct.c */
void try_ecube_free(struct claims_run *run);
void try_ecube_gray(struct claims_run *run);
void try_ecube_labels(struct claims_run *run);
void try_ecube_both_ways(struct claims_run *run);
void try_ecube_figure(struct claims_run *run);
void try_ecube_orders(struct claims_run *run);
void try_ecube_mixed(struct claims_run *run);

/* try_gohil.c */
void try_dual(struct claims_run *run);
void try_mesh_stages(struct claims_run *run);
void try_mesh_fewer(struct claims_run *run);
void try_mesh_printed(struct claims_run *run);
void try_mesh_corrected(struct claims_run *run);
void try_cube_printed(struct claims_run *run);
void try_cube_corrected(struct claims_run *run);
void try_cube_neighbour(struct claims_run *run);
void try_cube_partner(struct claims_run *run);
void try_cube_loop(struct claims_run *run);
void try_split(struct claims_run *run);
void try_multiport(struct claims_run *run);
void try_no_split(struct claims_run *run);

/* try_named.c */
void try_kshuffle_load(struct claims_run *run);
void try_named_load(struct claims_run *run);
void try_router_cycles(struct claims_run *run);

/* try_packets.c */
void try_torus_wrapped(struct claims_run *run);
void try_torus_compensated(struct claims_run *run);
void try_torus_control(struct claims_run *run);
void try_torus_figure(struct claims_run *run);
void try_torus_example(struct claims_run *run);

/* try_permutation.c */
void try_permutations(struct claims_run *run);
void try_shift_definition(struct claims_run *run);
void try_index_range(struct claims_run *run);
void try_shift_range(struct claims_run *run);
void try_gergel_corrected(struct claims_run *run);

/* try_ring.c */
void try_ring_steps(struct claims_run *run);
void try_line_steps(struct claims_run *run);

/* try_sdp.c */
void try_sdp_count(struct claims_run *run);
void try_sdp_definition(struct claims_run *run);
void try_sdp_copies(struct claims_run *run);
void try_sdp_cycles(struct claims_run *run);
void try_gsh_definition(struct claims_run *run);
void try_sdp_kinds(struct claims_run *run);
void try_startup_bound(struct claims_run *run);
void try_expansion_bound(struct claims_run *run);
void try_sdp_figure(struct claims_run *run);

/* try_sdp_named.c */
void try_named_maps(struct claims_run *run);
void try_transpose(struct claims_run *run);
void try_allocations(struct claims_run *run);
void try_disjoint_paths(struct claims_run *run);

/* try_subarrays.c */
void try_subarrays(struct claims_run *run);
void try_circular(struct claims_run *run);
void try_subarray_figure(struct claims_run *run);

/* try_times.c */
void try_longest(struct claims_run *run);
void try_cut_through(struct claims_run *run);
void try_long_messages(struct claims_run *run);
void try_single_message(struct claims_run *run);
void try_gain(struct claims_run *run);
void try_packet_gain(struct claims_run *run);

/* try_torus.c */
void try_torus_composes(struct claims_run *run);
void try_torus_phases(struct claims_run *run);
void try_torus_directions(struct claims_run *run);
void try_torus_half(struct claims_run *run);
void try_torus_bound(struct claims_run *run);
void try_torus_maximum(struct claims_run *run);
void try_torus_better(struct claims_run *run);
void try_torus_load(struct claims_run *run);
void try_torus_each_row(struct claims_run *run);
void try_torus_correction(struct claims_run *run);

#endif
