/* SPDX-License-Identifier: Apache-2.0 */
/* The question whether mutants behave like their router, and the answer for one of them. */
#ifndef EC_MUTATE_QUESTION_H
#define EC_MUTATE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/router.h"
#include "ecube/topology.h"
#include "mutate/mutants.h"

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

#endif
