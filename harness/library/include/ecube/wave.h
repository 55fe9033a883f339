/* SPDX-License-Identifier: Apache-2.0 */
/* Waves: a dump (FST) of chosen routers during chosen cycles of a run, and layouts that make it
 * readable in a viewer.
 *
 * A wave is a watcher (ec_net_watch) with its own instances of the chosen routers, built from a
 * traced shape. It changes no result and costs nothing for other routers. One unit of time in the
 * dump is one cycle; time c shows the links during cycle c.
 *
 *   struct ec_shape_options traced = {.traced = true};
 *   ec_shape_open(&shape, &traced, &s, &e);
 *   ec_wave_open(&topology, &router, s, &options, &wave, &e);
 *   run_options.watches = ...ec_wave_watch(wave)...;
 *   ec_run(...);
 *   ec_wave_finish(wave, &summary, &e);
 *   ec_wave_close(wave); */
#ifndef ECUBE_WAVE_H
#define ECUBE_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/select.h"
#include "ecube/shape.h"
#include "ecube/unfinished.h"

#pragma GCC visibility push(default)

#define EC_WAVE_NODES_MAX 64 /* routers in one dump; more are not readable */

/* What a wave of a failure is about. Its layout shows the input VCs concerned, one below the other
 * in the order in which they wait for each other, and opens at the failure. */
struct ec_wave_failure {
    uint64_t cycle;
    const char *text; /* one line; from that cycle on the value of the signal `failure` of the first
                         router of the dump, cut after 128 characters */
    unsigned port;    /* of the first router; EC_NONE: not known */
};

struct ec_wave_options {
    const char *path;                /* FILE.fst; layouts go to FILE.gtkw, FILE.labels, FILE.sucl */
    const struct ec_node_set *nodes; /* 1 to EC_WAVE_NODES_MAX, in the order of the layout */
    struct ec_cycle_range cycles;
    bool foreign;      /* not the router of rtl/ (ec_net.foreign) */
    const char *title; /* first line of the layout, for example the command; may be NULL */
    const struct ec_unfinished *unfinished; /* notified of temporary files; used until the wave is
                                               closed; may be NULL */
    struct ec_net_pulse *pulse;             /* of the network (ec_net.pulse); may be NULL */
    const struct ec_wave_failure *failure;  /* copied; NULL: none */
};

struct ec_wave_summary {
    uint64_t bytes;       /* of the dump */
    uint64_t first, last; /* cycles dumped; both 0: the run did not reach the window */
    bool differs;         /* internal error: a traced instance and its router differ */
    uint64_t differs_cycle;
    uint32_t differs_node;
};

struct ec_wave;

/* EC_USAGE: bad number of routers; EC_IO: the file cannot be written. Borrows t, r and shape until
 * the wave is closed. */
enum ec_code ec_wave_open(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_shape *shape, const struct ec_wave_options *options,
                          struct ec_wave **ret, struct ec_error *reterr);
const struct ec_net_watch *ec_wave_watch(struct ec_wave *wave);

/* Add a marker to the layout; texts are cut after 60 bytes. */
void ec_wave_mark(struct ec_wave *wave, uint64_t cycle, const char *text);

/* Complete the dump, rename it to its final name and write the layouts. Until then only a temporary
 * file exists. May also be called after an interrupted run. EC_IO: a write failed, now or during
 * the run, and there is no dump. */
enum ec_code ec_wave_finish(struct ec_wave *wave, struct ec_wave_summary *ret,
                            struct ec_error *reterr);
/* Without ec_wave_finish, no file remains. Accepts NULL. */
void ec_wave_close(struct ec_wave *wave);

#pragma GCC visibility pop

#endif
