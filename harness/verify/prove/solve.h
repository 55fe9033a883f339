/* SPDX-License-Identifier: Apache-2.0 */
/* Two searches on a circuit, by ABC: bounded model checking, and property-directed
 * reachability (Bradley 2011; Een, Mishchenko, Brayton 2011), which finds an inductive invariant.
 */
#ifndef EC_PROVE_SOLVE_H
#define EC_PROVE_SOLVE_H

#include "netlist/tool.h"
#include "prove/aig.h"

struct ec_solve {
    const struct ec_aig *aig;
    struct ec_tool_run run; /* its folder is used; `look` and `seconds` are set here */
    void (*progress)(void *context, const char *text); /* or NULL */
    void *context;
    const char *what; /* in progress: "ring, 1 VC" */
};

struct ec_solve_bounded {
    unsigned cycles; /* without a violation of any output: from the first one on */
    bool violated;   /* then: the output, and the shortest inputs that violate any of them */
    uint32_t output;
    uint8_t *inputs; /* [(cycles + 1) * aig->inputs]: the violation is in the last cycle; owned */
};

/* Can one of the outputs become 1 in the cycles first .. last - 1 (from 0)? Those before `first`
 * are known not to. A violation has been simulated. EC_TOOL: the solver is missing, or wrong. */
enum ec_code ec_solve_bounded(struct ec_solve *s, const uint32_t *outputs, size_t count,
                              unsigned first, unsigned last, double seconds,
                              struct ec_solve_bounded *ret, struct ec_error *reterr);

/* Can none of the outputs ever become 1? False also if the time did not suffice. `together`: as one
 * property, which is quick if they imply each other from cycle to cycle. */
enum ec_code ec_solve_proved(struct ec_solve *s, const uint32_t *outputs, size_t count,
                             bool together, double seconds, bool *ret, struct ec_error *reterr);

#endif
