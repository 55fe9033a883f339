/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the constants of the model on this machine, by short runs of the case and of random
 * traffic on smaller networks with the same compiled router. */
#ifndef CLI_SCALE_MEASURE_H
#define CLI_SCALE_MEASURE_H

#include "base/vitals.h"
#include "ecube/session.h"
#include "program/scale/model.h"
#include "terminal/progress.h"

struct scale_request {
    double seconds;          /* about so long */
    uint32_t nodes;          /* the largest network to run */
    const uint32_t *threads; /* [thread_count] ascending; those beyond the processors are not
                                measured */
    size_t thread_count;
    struct ec_net_pulse *pulse; /* of the worker; or NULL */
    struct cli_progress *progress;
};

/* What was measured besides the constants. */
struct scale_measured {
    struct scale_machine machine;
    struct scale_load load;
    bool busy;           /* other programs have disturbed */
    unsigned ports;      /* of the compiled router */
    double router_bytes; /* memory of a router with its node; 0: not known */
    double cycle;        /* seconds of a cycle of the case in one part; 0: not measured */
    double run;          /* the same on average over its short run, which begins and ends with less
                            traffic */
    /* Words of the case: */
    uint64_t *flits;   /* [nodes * channels] by output port, in `cycles` cycles; owned; NULL: they
                          were not measured, and every link carries the same: */
    double link_words; /* in a cycle */
    unsigned channels; /* output ports of a router of the network */
    uint64_t cycles;
};

/* The case was opened with a session. EC_USAGE: it is too large to be run, and has to be. */
enum ec_code scale_measure(struct ec_case *c, const struct scale_request *q,
                           struct scale_measured *ret, struct ec_error *reterr);
void scale_measured_free(struct scale_measured *m);

#endif
