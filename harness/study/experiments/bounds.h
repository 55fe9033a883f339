/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments on dimension permutations and on lower bounds, by the files that hold them. What
 * `with` chooses is said above each. */
#ifndef CLAIMS_TRY_BOUNDS_H
#define CLAIMS_TRY_BOUNDS_H

#include "study/experiment.h"

/* study/experiments/bounds_sdp.c */
void try_factors(struct claims_run *run);
void try_single_factor(struct claims_run *run);
void try_relabelling(struct claims_run *run);

/* study/experiments/bounds_lemmas.c */
void try_lemma1(struct claims_run *run);
void try_startup_bound(struct claims_run *run);
void try_transfer_bound(struct claims_run *run);
void try_volume(struct claims_run *run);
void try_corollary1(struct claims_run *run);
/* Parts of these: the steps of all schedules for n ports, as `with` of try_transfer_bound says; the
 * hops of all permutations. False: go no further. */
bool try_all_n_port(struct claims_run *run);
bool try_all_volumes(struct claims_run *run);

/* study/experiments/bounds_exact.c */
void try_element_bound(struct claims_run *run);
void try_cycle4(struct claims_run *run);
void try_vector_reversal(struct claims_run *run);

/* study/experiments/extended.c */
void try_cube_of_data(struct claims_run *run);
void try_corollary2(struct claims_run *run);
void try_extended_startups(struct claims_run *run);
void try_expand_term(struct claims_run *run);
void try_expansion_bound(struct claims_run *run);

#endif
