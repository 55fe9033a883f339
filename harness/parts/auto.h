/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads pay (`--threads auto`): a rule of thumb from the model in docs/SCALING.md. */
#ifndef EC_PARTS_AUTO_H
#define EC_PARTS_AUTO_H

#include <stdint.h>

/* What a run is expected to do. */
struct parts_work {
    uint32_t nodes;
    unsigned ports; /* of a router */
    double words;   /* that leave a router in a cycle, on average */
    double cycles;  /* of the run; may be rough */
    unsigned epoch; /* cycles between exchanges */
};

/* The time of all work between two exchanges in one part, in nanoseconds. */
double parts_epoch_ns(const struct parts_work *w);

/* As many threads, up to `processors`, as have enough to do between two exchanges; 1 if the whole
 * run takes less time than it takes to split it. */
uint32_t parts_auto(const struct parts_work *w, uint32_t processors);

#endif
