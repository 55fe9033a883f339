/* SPDX-License-Identifier: Apache-2.0 */
/* The Moore rule: no output depends on an input of the same cycle. */
#ifndef EC_PROVE_MOORE_H
#define EC_PROVE_MOORE_H

#include "prove/aig.h"

/* A circuit with one output: some watched output of `a` differs from what it would be with other
 * inputs in this cycle and the same registers. `watched` names outputs, `inputs` those that may
 * differ; both end with NULL. *ret_path is false, and *ret empty, if there is no path at all. */
enum ec_code ec_prove_moore(const struct ec_aig *a, const char *const *watched,
                            const char *const *inputs, bool *ret_path, struct ec_aig *ret,
                            struct ec_error *reterr);

#endif
