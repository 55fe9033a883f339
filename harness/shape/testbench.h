/* SPDX-License-Identifier: Apache-2.0 */
/* What is around one router: neighbours and a node that keep the contract, and see whether it does.
 */
#ifndef EC_AROUND_H
#define EC_AROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/router.h"
#include "ecube/tile.h"
#include "ecube/topology.h"
#include "shape/ports.h"

struct around_packet;
struct around_stream;

struct around {
    const struct ec_topology *t;
    struct ec_router r; /* with a packet bound */
    uint32_t node;
    struct ec_port_map map;
    unsigned links, net_links, locals, ports, vcs; /* links, ports: of the shape */
    uint64_t key, draws;
    struct around_stream *streams; /* [port * vcs + vc] the packet that is being sent to it */
    uint32_t *sent;                /* [port * vcs + vc] words sent to it and not credited */
    uint32_t *owed;                /* the same: words that it sent and that were not credited yet */
    struct around_packet *packets;
    size_t count, room;
    uint64_t words;  /* that it sent */
    char wrong[256]; /* the first thing that is not as the contract has it; "": nothing */
};

/* A router of this shape at `node`, for at most `cycles` cycles; `stream` is that of the random
 * numbers. False without memory; to be closed all the same. */
bool around_open(struct around *a, const struct ec_topology *t, const struct ec_router *r,
                 const struct ec_tile_shape *shape, uint32_t node, unsigned cycles,
                 uint64_t stream);
void around_close(struct around *a);

/* Put on the router's inputs what arrives in this cycle: words with about every second chance, of
 * packets of one word, of two, and longer than a buffer (or as long as they may be). */
void around_offer(struct around *a, struct ec_tile_io *io);

/* See what the router shows then. */
void around_take(struct around *a, const struct ec_tile_io *io);

#endif
