/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a tile network: what tiles.c wires and opens, and backend/cycle.c steps. */
#ifndef EC_TILES_STATE_H
#define EC_TILES_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/vcs.h"
#include "ecube/net.h"
#include "ecube/tile.h"
#include "shape/tile_io.h"

/* The far end of an output port: where its words go, and where its credits come from. */
struct peer {
    uint32_t node;    /* EC_NONE: no link here */
    uint32_t channel; /* node * ports + port: its input there, and the output that leads here */
    uint64_t bit;     /* 1 << port */
};

struct tiles {
    struct ec_net net; /* first: the interface */
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_io io[2]; /* inputs of even and odd cycles; outputs shared */
    struct peer *peers;      /* [node * ports + port] */
    uint32_t *local_node;    /* [node * locals + local] */

    uint32_t nodes;
    unsigned ports, links, vcs; /* of the shape */
    unsigned net_links, locals; /* of the topology: what the outside counts in */
    struct ec_port_map map;     /* between the two */
    unsigned depth;
    bool *awake[2]; /* [node, rounded up to 8] routers to step in even and odd cycles */
    uint32_t *ids;  /* [nodes + 1] the routers of this cycle */

    uint16_t
        *ledger; /* [(node * ports + port) * vcs + vc] words sent, not credited: links, ejection */
    uint16_t *injected_ledger;             /* [(node * locals + local) * vcs + vc] */
    uint64_t *flits, *contended, *starved; /* [node * ports + port] */
    uint64_t *injected;                    /* [node * locals + local] */
    uint64_t *compact[3];                  /* the three, in the topology's ports */
    uint64_t stepped;
    struct tiles_vcs vc_rule;
    struct ec_net_fault fault;
    struct ec_tiles_options options;
    const struct ec_net_watch *watch;
    struct ec_tile_listener listener; /* of the bank: backend/rtl.c */
    struct ec_net_rtl rtl;            /* since the last reset */
    struct ec_net_rtl opened;         /* said while the bank was opened: no reset takes that back */
    bool resetting;                   /* opened, and not yet reset */
    struct ec_net_pulse own_pulse;    /* where options.pulse is NULL */
};

static inline struct tiles *tiles_of(struct ec_net *net)
{
    return (struct tiles *)net;
}

/* Take note of what the RTL says from now on. Before the bank is opened. */
void tiles_listen(struct tiles *s);

/* One cycle of all routers that are awake: struct ec_net_ops.step. */
void tiles_step(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out);

#endif
