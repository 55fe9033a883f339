/* SPDX-License-Identifier: Apache-2.0 */
/* Twins: second instances of chosen routers, built from a traced shape, that get the same inputs in
 * the same cycles. Tracing a twin cannot change the run, and the outputs of twin and router are
 * compared. */
#ifndef EC_TWIN_H
#define EC_TWIN_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/select.h"
#include "ecube/shape.h"
#include "shape/tile_io.h"

/* A check inside the RTL that failed. */
struct twin_failure {
    uint64_t cycle;
    uint32_t node;
    char place[48]; /* "input dim2 VC 0"; "": not known */
    char what[160]; /* "push into a full FIFO" */
};

enum { TWIN_FAILURES_MAX = 8 }; /* only the first ones: others follow from them */

struct twins {
    const struct ec_topology *t;
    struct ec_port_map map;
    unsigned links, locals, ports, vcs; /* ports: of the shape */
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_listener listener; /* of the bank: notes failed checks */
    struct ec_net_pulse *pulse;       /* of the network, or NULL */
    size_t count;
    uint32_t *nodes;    /* [count] */
    uint32_t *slot;     /* [t->nodes] index into `nodes`, or EC_NONE */
    uint64_t *selected; /* bitmap over nodes, for ec_net_watch.nodes */

    struct ec_tile_io io;       /* of the twins */
    struct ec_tile_io expected; /* the outputs of the routers */
    uint32_t *awake, *before;   /* slots stepped in this cycle and the previous one */
    size_t awake_count, before_count;

    uint64_t cycle;
    bool differs; /* a twin and its router disagree */
    uint64_t differs_cycle;
    uint32_t differs_node;
    struct twin_failure failures[TWIN_FAILURES_MAX];
    size_t failure_count;
};

/* The shape must be a traced one of the net's own dimensions. Borrows t and shape. */
enum ec_code twins_open(struct twins *w, const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_shape *shape, const struct ec_node_set *set,
                        struct ec_net_pulse *pulse, struct ec_error *reterr);
void twins_close(struct twins *w);

void twins_reset(struct twins *w);
/* A router was stepped. */
void twins_see(struct twins *w, const struct ec_net_seen *seen);
/* Once all routers of a cycle were seen: for a dump, put the inputs on the pins (`all`: of every
 * twin, required unless the previous cycle was shown, too); then step. */
void twins_show(struct twins *w, bool all);
void twins_step(struct twins *w, uint64_t cycle);

#endif
