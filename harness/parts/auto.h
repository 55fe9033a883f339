/* SPDX-License-Identifier: Apache-2.0 */
/* How many processors there are, and how many threads pay (`--threads auto`): a rule of thumb from
 * the model in docs/SCALING.md. */
#ifndef EC_PARTS_AUTO_H
#define EC_PARTS_AUTO_H

#include <stdint.h>

/* Rough costs on a present processor, in nanoseconds: to step a router that is awake, for each of
 * its ports, and to move a word. `ecube scale` measures those of this computer. */
#define PARTS_PORT_NS 12.0
#define PARTS_WORD_NS 40.0

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

/* Processors that this process may run on, at least 1. */
uint32_t parts_processors(void);

/* As many threads, up to `processors`, as have enough to do between two exchanges; 1 if the whole
 * run takes less time than it takes to split it. */
uint32_t parts_auto(const struct parts_work *w, uint32_t processors);

#endif
