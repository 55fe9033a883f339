/* SPDX-License-Identifier: Apache-2.0 */
/* The routers of a tile network, one cycle after the other, for whoever looks on. */
#ifndef EC_TILES_SHOW_H
#define EC_TILES_SHOW_H

#include <stddef.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/tile.h"
#include "shape/tile_io.h"

/* What all routers got and show in a cycle. */
struct tiles_view {
    uint64_t cycle;
    const struct ec_tile_io *now;
    struct ec_port_map map;
    unsigned ports, vcs; /* of the shape */
};

/* Show those of the routers ids[0 .. count) that the watcher wants to see, then the cycle itself.
 */
void tiles_show(const struct tiles_view *v, const struct ec_net_watch *w, const uint32_t *ids,
                size_t count);

#endif
