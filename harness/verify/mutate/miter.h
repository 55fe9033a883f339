/* SPDX-License-Identifier: Apache-2.0 */
/* The circuit in which mutants are compared with the router: the netlist with mutations behind the
 * input mutsel, in the environment of rtl/formal/ec_proof.sv. */
#ifndef EC_MUTATE_MITER_H
#define EC_MUTATE_MITER_H

#include "mutate/equal.h"

/* Names of bits in the circuit: the input that selects the mutant, and in front of the router's
 * outputs (which are called link, credit, ...), and of the pairs of ec_proof_equal.svh. */
#define MITER_SELECT "mutsel_i"
#define MITER_INSIDE "u_proof."
#define MITER_VIEW   MITER_INSIDE "view_"
#define MITER_CARE   MITER_INSIDE "care_"
#define MITER_LIVE   MITER_INSIDE "started_q" /* the first cycle is over */

/* The outputs of the router, without MITER_INSIDE and without "_o". */
enum { MITER_OUTPUTS = 6 };
extern const char *const miter_outputs[MITER_OUTPUTS];

/* Make it, with all files in `folder`. Registers start at any value. Release *ret with ec_aig_free,
 * whatever happens. */
enum ec_code miter_make(const struct ec_equal_request *q, const char *folder, struct ec_aig *ret,
                        struct ec_error *reterr);

#endif
