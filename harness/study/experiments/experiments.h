/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments, by the files that hold them. What `with` chooses is said above each. */
#ifndef CLAIMS_EXPERIMENTS_H
#define CLAIMS_EXPERIMENTS_H

#include "study/experiment.h"

/* study/experiments/cube.c */
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

/* study/experiments/direct.c */
void try_ecube_free(struct claims_run *run);
void try_ecube_gray(struct claims_run *run);
void try_ecube_labels(struct claims_run *run);
void try_ecube_both_ways(struct claims_run *run);
void try_ecube_figure(struct claims_run *run);
void try_ecube_orders(struct claims_run *run);
void try_ecube_mixed(struct claims_run *run);

/* study/experiments/gohil.c */
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

/* study/experiments/named.c */
void try_kshuffle_load(struct claims_run *run);
void try_named_load(struct claims_run *run);
void try_router_cycles(struct claims_run *run);

/* study/experiments/packets.c */
void try_torus_wrapped(struct claims_run *run);
void try_torus_compensated(struct claims_run *run);
void try_torus_control(struct claims_run *run);
void try_torus_figure(struct claims_run *run);
void try_torus_example(struct claims_run *run);

/* study/experiments/permutation.c */
void try_permutations(struct claims_run *run);
void try_shift_definition(struct claims_run *run);
void try_index_range(struct claims_run *run);
void try_shift_range(struct claims_run *run);
void try_gergel_corrected(struct claims_run *run);

/* study/experiments/ring.c */
void try_ring_steps(struct claims_run *run);
void try_line_steps(struct claims_run *run);

/* study/experiments/sdp.c */
void try_sdp_count(struct claims_run *run);
void try_sdp_definition(struct claims_run *run);
void try_sdp_copies(struct claims_run *run);
void try_sdp_cycles(struct claims_run *run);
void try_gsh_definition(struct claims_run *run);
void try_sdp_kinds(struct claims_run *run);

/* study/experiments/sdp_named.c */
void try_named_maps(struct claims_run *run);
void try_transpose(struct claims_run *run);
void try_allocations(struct claims_run *run);
void try_disjoint_paths(struct claims_run *run);

/* study/experiments/subarrays.c */
void try_subarrays(struct claims_run *run);
void try_circular(struct claims_run *run);
void try_subarray_figure(struct claims_run *run);

/* study/experiments/times.c */
void try_longest(struct claims_run *run);
void try_cut_through(struct claims_run *run);
void try_long_messages(struct claims_run *run);
void try_single_message(struct claims_run *run);
void try_gain(struct claims_run *run);
void try_packet_gain(struct claims_run *run);

/* study/experiments/torus.c */
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

/* study/experiments/multi.c */
void try_multi_pipelined(struct claims_run *run);
void try_multi_small(struct claims_run *run);
void try_multi_partition(struct claims_run *run);
void try_multi_bound(struct claims_run *run);
void try_multi_concurrent(struct claims_run *run);
void try_multi_startups(struct claims_run *run);
void try_multi_parity(struct claims_run *run);

/* study/experiments/multi_aapc.c */
void try_aapc_stage(struct claims_run *run);
void try_aapc(struct claims_run *run);
void try_aapc_concurrent(struct claims_run *run);
void try_aapc_borders(struct claims_run *run);
void try_aapc_unequal(struct claims_run *run);
void try_aapc_compared(struct claims_run *run);

/* study/experiments/multi_align.c */
void try_multi_factor(struct claims_run *run);
void try_multi_interleave(struct claims_run *run);
void try_multi_align(struct claims_run *run);
void try_align_both(struct claims_run *run);
void try_lemma3(struct claims_run *run);

/* study/experiments/multi_figures.c */
void try_pairs(struct claims_run *run);
void try_multi_figure(struct claims_run *run);
void try_figure_9_cell(struct claims_run *run);

/* study/experiments/multi_theorem2.c */
void try_theorem2_scope(struct claims_run *run);
void try_theorem2_conflicts(struct claims_run *run);

/* study/experiments/multi_packets.c */
void try_table2_one_port(struct claims_run *run);
void try_table2(struct claims_run *run);
void try_table2_different(struct claims_run *run);
void try_within_two(struct claims_run *run);
void try_table2_errata(struct claims_run *run);

/* study/experiments/real.c */
void try_a1_steps(struct claims_run *run);
void try_a1_figure(struct claims_run *run);
void try_a1_half(struct claims_run *run);
void try_a1_always(struct claims_run *run);
void try_a1_above(struct claims_run *run);
void try_a2_startups(struct claims_run *run);
void try_a2_double(struct claims_run *run);
void try_a2_first(struct claims_run *run);
void try_a2_empty(struct claims_run *run);
void try_a22_direction(struct claims_run *run);
void try_a22_cycles(struct claims_run *run);

/* study/experiments/real_packets.c */
void try_table3(struct claims_run *run);
void try_best_block(struct claims_run *run);
void try_table3_memory(struct claims_run *run);
void try_transfer_factor(struct claims_run *run);
void try_startup_factor(struct claims_run *run);
void try_break_even(struct claims_run *run);
void try_table3_errata(struct claims_run *run);

/* study/experiments/measured.c */
void try_figure11(struct claims_run *run);
void try_crossover(struct claims_run *run);
void try_router_ratio(struct claims_run *run);
void try_linear(struct claims_run *run);
void try_affine(struct claims_run *run);
void try_all_links(struct claims_run *run);

/* study/experiments/summary.c */
void try_abstract_mixed(struct claims_run *run);
void try_abstract_startups(struct claims_run *run);
void try_summary_startups(struct claims_run *run);
void try_summary_one_port(struct claims_run *run);
void try_summary_real(struct claims_run *run);
void try_summary_inverted(struct claims_run *run);
void try_control(struct claims_run *run);

/* study/experiments/twice.c */
void try_aapc_twice(struct claims_run *run);
void try_aapc_inferior(struct claims_run *run);
void try_two_reflections(struct claims_run *run);

/* study/experiments/flow.c */
void try_flow_bound(struct claims_run *run);

#endif
