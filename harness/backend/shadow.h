/* SPDX-License-Identifier: Apache-2.0 */
/* A shadow: a second bank of routers that gets whatever the first gets, and must show the same. */
#ifndef EC_TILES_SHADOW_H
#define EC_TILES_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/tile.h"

struct tiles_shadow {
    const struct ec_tile_api *api; /* borrowed; NULL: no shadow */
    struct ec_tile_bank *bank;     /* borrowed; routers at the same places as those of the first */
    struct ec_net_pulse *pulse;    /* of the network that the second bank belongs to */
    struct ec_tile_io out;         /* where it writes what they show; inputs not used */

    /* Since the reset. */
    bool differs;   /* some router did not show what the first bank's does, or was not as quiet */
    uint64_t shown; /* router-cycles in which there was something on a channel, or waiting */
};

/* Cycle `cycle` of the routers ids[0 .. count) of both banks, which have one shape. */
void tiles_shadow_step(struct tiles_shadow *s, const struct ec_tile_api *api,
                       struct ec_tile_bank *bank, const struct ec_tile_io *io, uint64_t cycle,
                       const uint32_t *ids, size_t count);

/* From the next reset on `other` is the shadow of `net`: what it is stepped with it gets from
 * there, and only its routers are stepped, without counters or a ledger of its own. Returns the
 * shadow, which is the net's; NULL if these two are not tile networks of one layout. */
struct tiles_shadow *tiles_shadow(struct ec_net *net, struct ec_net *other);
void tiles_unshadow(struct ec_net *net);

#endif
