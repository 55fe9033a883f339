/* SPDX-License-Identifier: Apache-2.0 */
/* Does a mutant behave like the router? Formal methods decide about mutants that no judge kills.
 *
 * Both are one circuit: the netlist with all mutants to be judged, in the environment of
 * rtl/formal/ec_proof.sv, once with mutsel = 0 and once with the number of the mutant, with the
 * same inputs and powered up in the same arbitrary state. They are compared at all outputs of the
 * router, for all legal traffic after the first reset. docs/MUTATION.md describes the method. */
#ifndef EC_MUTATE_EQUAL_H
#define EC_MUTATE_EQUAL_H

#include "mutate/question.h"

struct ec_equal;

/* Make the circuit and find out which invariants hold. Takes seconds to minutes, and a process
 * forked later can use the result. EC_TOOL: Yosys is missing, or Yosys
 * cannot read the router; EC_INTERRUPTED. Release *ret with ec_equal_close. */
enum ec_code ec_equal_open(const struct ec_equal_request *q, struct ec_equal **ret,
                           struct ec_error *reterr);
/* The same for a circuit that is there, whose ports are named as in miter.h; takes it over. */
struct ec_aig;
enum ec_code ec_equal_circuit(const struct ec_equal_request *q, struct ec_aig *aig,
                              struct ec_equal **ret, struct ec_error *reterr);
/* Judge one of the numbers, or 0. `seconds`: of processor time. EC_INTERRUPTED, EC_MEMORY;
 * EC_INTERNAL: it is another number. */
enum ec_code ec_equal_judge(struct ec_equal *e, uint32_t number, double seconds,
                            struct ec_equal_result *ret, struct ec_error *reterr);
void ec_equal_close(struct ec_equal *e);

/* Invariants that were proved, and how many were tried. */
void ec_equal_invariants(const struct ec_equal *e, size_t *ret_kept, size_t *ret_tried);

#endif
