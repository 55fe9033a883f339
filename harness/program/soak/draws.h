/* SPDX-License-Identifier: Apache-2.0 */
/* Random configurations from a bounded set of router shapes, and smaller ones of the same kind. */
#ifndef CLI_SOAK_DRAW_H
#define CLI_SOAK_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "program/options/words.h"

/* Indices into the tables of program/soak/draws.c; all numbers plain, so that one can be made
 * smaller. */
struct soak_case {
    unsigned network, traffic;
    unsigned depth, switching, order, packet, dateline_off;
    unsigned first, last;    /* words of a message */
    unsigned rate;           /* flits per 100 nodes and cycle; 0: closed */
    unsigned startup, stall; /* cycles; percent */
    uint64_t cycles, seed;
    unsigned whole; /* every run has to come to its end: no deadlock, no limit */
};

/* Configuration number `index` of a soak. `wired`: only networks that are cheap to compile as a
 * whole. `whole`: what is compared is known at the end of a run only. */
struct soak_case soak_draw(uint64_t seed, uint64_t index, bool wired, bool whole);

/* Make the case smaller in the way number `way`; false: that is not possible (any more). `ends` is
 * the cycle in which it failed, 0 if not known. *ret_more: there are further ways. */
bool soak_shrink(struct soak_case *c, unsigned way, uint64_t ends, bool wired, bool *ret_more);

/* Add the words of the case: TOPOLOGY WORKLOAD OPTION... False without memory. */
bool soak_words(const struct soak_case *c, struct cli_words *words);

#endif
