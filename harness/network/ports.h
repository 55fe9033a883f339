/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways to count the ports of a router. A shape may have more links than the network uses
 * (a cube of 5 dimensions is made of routers for 6): inside, local ports come behind the links of
 * the shape; outside, in reports, waves and workloads, behind those of the topology. */
#ifndef EC_PORTS_H
#define EC_PORTS_H

#include <limits.h>

#include "ecube/tile.h"

#define EC_NO_PORT UINT_MAX /* outside: a link of the shape that the network does not use */

static inline unsigned ec_tile_shape_links(const struct ec_tile_shape *s)
{
    return s->dims * s->links_per_dim;
}

static inline unsigned ec_port_outside(unsigned port, unsigned shape_links, unsigned links)
{
    if (port >= shape_links)
        return port - shape_links + links;
    return port < links ? port : EC_NO_PORT;
}

static inline unsigned ec_port_inside(unsigned port, unsigned shape_links, unsigned links)
{
    return port < links ? port : port - links + shape_links;
}

#endif
