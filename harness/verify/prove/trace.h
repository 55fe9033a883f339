/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample in terms of words and credits, and as a wave. */
#ifndef EC_PROVE_TRACE_H
#define EC_PROVE_TRACE_H

#include "prove/model.h"

/* From the inputs of `cycles` + 1 cycles, of which cycle 0 is a reset. Release *ret with
 * ec_prove_trace_free. */
enum ec_code ec_prove_trace_make(const struct ec_aig *a, const struct ec_prove_case *c,
                                 const uint8_t *inputs, unsigned cycles, struct ec_prove_trace *ret,
                                 struct ec_error *reterr);
void ec_prove_trace_free(struct ec_prove_trace *t);

/* Write all inputs and outputs of the circuit as a VCD file; a cycle is 2 ns. */
enum ec_code ec_prove_wave(const struct ec_aig *a, const uint8_t *inputs, unsigned cycles,
                           const char *path, struct ec_error *reterr);

#endif
