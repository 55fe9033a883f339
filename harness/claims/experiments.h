/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments by the names that rows use. The comment above each function explains the
 * parameter that a row can give after the name. */
#ifndef CLAIMS_EXPERIMENTS_H
#define CLAIMS_EXPERIMENTS_H

#include "claims/experiment.h"

/* clang-format off */
#define CLAIMS_EXPERIMENTS(X) \
    /* gohil.c */                                                                                  \
    X(multiport)                                                                                   \
    /* multi_places.c */                                                                           \
    X(multi_align)
/* clang-format on */

#define CLAIMS_DECLARE(name) void experiment_##name(struct claims_run *run);
CLAIMS_EXPERIMENTS(CLAIMS_DECLARE)
#undef CLAIMS_DECLARE

/* The experiment whose script is in the record, and the keys of its lines. */
void experiment_script(struct claims_run *run);
bool claims_script_key(const char *key);

#endif
