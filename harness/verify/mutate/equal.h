/* SPDX-License-Identifier: Apache-2.0 */
/* Does a mutant behave like the router? Formal methods decide about mutants that no judge kills.
 *
 * Both are one circuit: the netlist with all mutants to be judged, in the environment of
 * rtl/formal/ec_proof.sv, once with mutsel = 0 and once with the number of the mutant, with the
 * same inputs and powered up in the same arbitrary state. They are compared at all outputs of the
 * router, for all legal traffic after the first reset. docs/MUTATION.md describes the method. */
#ifndef EC_MUTATE_EQUAL_H
#define EC_MUTATE_EQUAL_H

#include "ecube/router.h"
#include "ecube/topology.h"
#include "mutate/mutants.h"
#include "netlist/aig.h"

enum ec_equal_verdict {
    EC_EQUAL_UNKNOWN, /* the time did not suffice, or the method */
    EC_EQUAL_PROVED,  /* no legal traffic tells the mutant from the router */
    EC_EQUAL_DIFFERS, /* legal traffic does: the judges have a hole. It has been simulated */
};

struct ec_equal_result {
    enum ec_equal_verdict verdict;
    unsigned cycle;  /* EC_EQUAL_DIFFERS: of the first difference; the first reset is in cycle 0 */
    char output[64]; /* and where: "link_o[17]" */
    char why[160];   /* EC_EQUAL_UNKNOWN: what was not decided */
    unsigned cycles; /* EC_EQUAL_UNKNOWN: without a difference */
    double seconds;  /* of processor time */
};

struct ec_equal_request {
    const struct ec_mutants *mutants;         /* made, with all their files */
    const struct ec_mutants_request *request; /* what they are made of */
    const struct ec_topology *topology;       /* a user's router is judged on this network, */
    const struct ec_router *router;           /* in this mode with all packet bounds; ecube's own */
                                              /* in all networks and modes */
    const uint32_t *numbers;                  /* [count] the mutants to be judged */
    size_t count;
    double seconds; /* of processor time for the invariants */
    /* Asked now and then: end early, with EC_INTERRUPTED? May be NULL. */
    bool (*stop)(void *context);
    void *context;
};

struct ec_equal;

/* Make the circuit and find out which invariants hold. Takes seconds to minutes, and a process
 * forked later can use the result. EC_TOOL: Yosys is missing, or Yosys
 * cannot read the router; EC_INTERRUPTED. Release *ret with ec_equal_close. */
enum ec_code ec_equal_open(const struct ec_equal_request *q, struct ec_equal **ret,
                           struct ec_error *reterr);
/* The same for a circuit that is there, whose ports are named as in miter.h; takes it over. */
enum ec_code ec_equal_circuit(const struct ec_equal_request *q, struct ec_aig *aig,
                              struct ec_equal **ret, struct ec_error *reterr);
/* Judge one of the numbers, or 0. `seconds`: of processor time. EC_INTERRUPTED, EC_MEMORY;
 * EC_INTERNAL: it is another number. */
enum ec_code ec_equal_judge(struct ec_equal *e, uint32_t number, double seconds,
                            struct ec_equal_result *ret, struct ec_error *reterr);
void ec_equal_close(struct ec_equal *e);

#endif
