/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads pay (`--threads auto`), by a rule of thumb (docs/SCALING.md), and whether
 * routers in vectors do (`--engine auto`). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a run is expected to do. */
struct parts_work {
    uint32_t nodes;
    unsigned ports; /* of a router */
    double words;   /* that leave a router in a cycle, on average */
    double cycles;  /* of the run; may be rough */
    unsigned epoch; /* cycles between exchanges */
};

/* As many threads, up to `processors`, as have enough to do between two exchanges; 1 if the whole
 * run takes less time than it takes to split it. */
uint32_t parts_auto(const struct parts_work *w, uint32_t processors);

/* Are enough routers busy for the engine simd? Never by timing, so that a run has the same engine
 * each time. */
bool parts_vectors(const struct parts_work *w);
/* Words in a cycle for each port of a router, from which on they are. */
#define PARTS_VECTORS_USE 0.1
