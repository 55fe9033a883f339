/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for `--threads auto` and `--engine auto`. Knows rough costs; must not know
 * networks. */
#include "parts/auto.h"

#include <math.h>

/* Rough costs on a present processor, in nanoseconds: to step a router that is awake, for each of
 * its ports, and to move a word. */
#define PORT_NS  12.0
#define WORD_NS  40.0
/* Words come in trains, so routers are awake a little more often than for words at random. */
#define AWAKE    1.3
/* An exchange takes below 1 us between threads that do not wait for a processor. With this much
 * work, a thread that is added has an efficiency of about two thirds. */
#define LEAST_NS 2000.0
/* To start threads, to open the parts of a network and to merge statistics. */
#define RUN_NS   20e6

/* The time of all work between two exchanges in one part, in nanoseconds. */
static double epoch_ns(const struct parts_work *w)
{
    const double awake = 1 - exp(-AWAKE * w->words);
    return w->epoch * (double)w->nodes * (PORT_NS * w->ports * awake + WORD_NS * w->words);
}

uint32_t parts_auto(const struct parts_work *w, uint32_t processors)
{
    const double epoch = epoch_ns(w), worth = epoch / LEAST_NS;
    const uint32_t most = processors < w->nodes ? processors : w->nodes;
    if (worth < 2 || most < 2 || epoch / w->epoch * w->cycles < RUN_NS)
        return 1;
    return worth < most ? (uint32_t)worth : most;
}

/* All routers of a group are stepped if one is busy. With 8 in a group both engines take the same
 * time at 0.05 to 0.1 words for each port, the more the larger the router is (ADR 25). */
bool parts_vectors(const struct parts_work *w)
{
    enum { ROUTERS = 16 }; /* the largest group */
    return w->nodes >= ROUTERS && w->words >= PARTS_VECTORS_USE * w->ports;
}
