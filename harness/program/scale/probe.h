/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: short runs in one part, and what a cycle of them costs. */
#ifndef CLI_SCALE_PROBE_H
#define CLI_SCALE_PROBE_H

#include "ecube/session.h"

/* Means of a cycle. */
struct scale_probe {
    double seconds; /* processor time */
    double wall;    /* real time */
    double awake;   /* routers that were stepped */
    double words;   /* that left routers */
};

/* A small network with the compiled router of a case, and random traffic like that of the case. */
struct scale_bench {
    const struct ec_case *c; /* borrowed */
    struct ec_topology topology;
    struct ec_router router;
    struct ec_net *net; /* owned */
    unsigned words;     /* of a message */
    double hops;        /* mean */
    double most;        /* words that leave a router in a cycle at saturation, at most */
    double expected;    /* seconds of a router-cycle, from the last probe */
};

/* A network of the kind of the case with at most `nodes` nodes: the largest with the same number of
 * dimensions (cubes: of links of the compiled router) whose radices are those of the case, halved.
 */
struct ec_topology scale_smaller(const struct ec_topology *t, uint32_t nodes);

enum ec_code scale_bench_open(const struct ec_case *c, uint32_t nodes, struct ec_net_pulse *pulse,
                              struct scale_bench *ret, struct ec_error *reterr);
void scale_bench_close(struct scale_bench *b); /* also of zeros */

/* The window that takes about so many seconds. */
uint64_t scale_bench_cycles(const struct scale_bench *b, double seconds);
/* About `words` words per router and cycle, in a window of so many cycles. */
enum ec_code scale_bench_run(struct scale_bench *b, double words, uint64_t cycles,
                             struct scale_probe *ret, struct ec_error *reterr);

/* Runs of the case itself in one part for about so long; the caller closes the last report. */
enum ec_code scale_case_run(struct ec_case *c, double seconds, struct scale_probe *ret,
                            struct ec_report **ret_report, struct ec_error *reterr);

/* The same runs, as often in all ranks, split as the specification of the case says: the real time
 * of a cycle, which ranks other than 0 do not know (0). */
enum ec_code scale_case_time(struct ec_case *c, double seconds, double *ret,
                             struct ec_error *reterr);

#endif
