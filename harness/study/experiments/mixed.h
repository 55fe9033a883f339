/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments on one mixed GSH and on the bounds, by the files that hold them. What `with`
 * chooses is said above each. */
#ifndef CLAIMS_TRY_MIXED_H
#define CLAIMS_TRY_MIXED_H

#include "study/experiment.h"

/* study/experiments/mixed_times.c */
void try_pipelined_steps(struct claims_run *run);
void try_one_port_steps(struct claims_run *run);
void try_theorem1(struct claims_run *run);
void try_theorem1_or(struct claims_run *run);
void try_theorem1_borders(struct claims_run *run);
void try_theorem1_policy(struct claims_run *run);
void try_parity(struct claims_run *run);
void try_table1(struct claims_run *run);
void try_least_startups(struct claims_run *run);

/* study/experiments/mixed_loads.c */
void try_complements(struct claims_run *run);
void try_uniform_load(struct claims_run *run);

/* study/experiments/mixed_exchange.c */
void try_exchange_adjacent(struct claims_run *run);
void try_exchange_fixed(struct claims_run *run);
void try_exchange_extra(struct claims_run *run);
void try_exchange_usage(struct claims_run *run);
void try_start_elsewhere(struct claims_run *run);
void try_start_without_v(struct claims_run *run);
/* The least exchanges of one of the bits 0 .. `fixed` with others that shift the bits `first` ..
 * `count` - 1 cyclically to the left (bit i + 1 gets bit i) and leave the bits below `first` as
 * they are, by search through all arrangements. Exchanges among the bits 0 .. `fixed` are free.
 * The first to be exchanged is bit `start`, if that is not 0. */
unsigned try_least_exchanges(unsigned count, unsigned first, unsigned fixed, unsigned start);

/* study/experiments/mixed_places.c */
void try_figure1(struct claims_run *run);
void try_figure2(struct claims_run *run);
void try_figure3(struct claims_run *run);
void try_figure5(struct claims_run *run);
void try_align_trace(struct claims_run *run);
void try_align_half(struct claims_run *run);
void try_align_same(struct claims_run *run);
void try_even_odd(struct claims_run *run);
void try_pipelined_volume(struct claims_run *run);

/* study/experiments/mixed_starts.c */
void try_start_dimensions(struct claims_run *run);
void try_most_elsewhere(struct claims_run *run);
void try_four_locations(struct claims_run *run);
void try_figure5_savings(struct claims_run *run);
void try_synchronisation(struct claims_run *run);
void try_align_swap(struct claims_run *run);
void try_spectators(struct claims_run *run);

#endif
