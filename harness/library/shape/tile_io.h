/* SPDX-License-Identifier: Apache-2.0 */
/* The border of a bank of routers: its arrays, and its numbering of ports. */
#pragma once

#include "base/list.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/tile.h"
#include "ecube/topology.h"

/* --- Arrays ----------------------------------------------------------------------------------- */

/* Inputs and outputs are separate: two sets of inputs may share outputs, and outputs that are only
 * compared need no inputs. */

void ec_tile_io_inputs(struct ec_arrays *arrays, struct ec_tile_io *io, size_t routers,
                       unsigned ports, unsigned vcs);
void ec_tile_io_outputs(struct ec_arrays *arrays, struct ec_tile_io *io, size_t routers,
                        unsigned ports, unsigned vcs);

/* --- Ports ------------------------------------------------------------------------------------ */

/* A compiled shape may have more ports than the network uses: a cube of 5 dimensions is made of
 * routers for 6. So there are two numberings:
 *
 *   - inside, of the shape: its links, then its local ports. Used with struct ec_tile_io.
 *   - outside, of the topology: its links, its local ports, then the ports of the shape that the
 *     network does not use. Used everywhere else. */

struct ec_port_map {
    unsigned shape_links;   /* of the shape */
    unsigned links, locals; /* of the topology */
};

static inline unsigned ec_tile_shape_links(const struct ec_tile_shape *s)
{
    return s->dims * s->links_per_dim;
}

static inline struct ec_port_map ec_port_map_of(const struct ec_tile_shape *s,
                                                const struct ec_topology *t,
                                                const struct ec_router *r)
{
    return (struct ec_port_map){ec_tile_shape_links(s), ec_topology_links(t),
                                ec_router_local_ports(r, t)};
}

static inline bool ec_port_map_is_identity(const struct ec_port_map *m)
{
    return m->shape_links == m->links;
}

static inline unsigned ec_port_outside(const struct ec_port_map *m, unsigned port)
{
    if (port < m->links || port >= m->shape_links + m->locals)
        return port;
    return port < m->shape_links ? port + m->locals : port - m->shape_links + m->links;
}

static inline unsigned ec_port_inside(const struct ec_port_map *m, unsigned port)
{
    if (port < m->links || port >= m->shape_links + m->locals)
        return port;
    return port < m->links + m->locals ? port - m->links + m->shape_links : port - m->locals;
}

/* Bits from `first` on, `count` of them, moved to `to`. */
static inline uint64_t ec_port_bits(uint64_t mask, unsigned first, unsigned count, unsigned to)
{
    return (mask >> first & ((UINT64_C(1) << count) - 1)) << to;
}

/* The same for masks: bit p stands for port p. */
static inline uint64_t ec_ports_outside(const struct ec_port_map *m, uint64_t mask)
{
    const unsigned spare = m->shape_links - m->links, moved = m->locals + spare;
    return (mask & ~(((UINT64_C(1) << moved) - 1) << m->links)) |
           ec_port_bits(mask, m->shape_links, m->locals, m->links) |
           ec_port_bits(mask, m->links, spare, m->links + m->locals);
}

static inline uint64_t ec_ports_inside(const struct ec_port_map *m, uint64_t mask)
{
    const unsigned spare = m->shape_links - m->links, moved = m->locals + spare;
    return (mask & ~(((UINT64_C(1) << moved) - 1) << m->links)) |
           ec_port_bits(mask, m->links, m->locals, m->shape_links) |
           ec_port_bits(mask, m->links + m->locals, spare, m->links);
}

/* --- What a router saw and shows, for watchers ------------------------------------------------ */

struct ec_tile_seen {
    struct ec_net_seen seen; /* its arrays are those of the bank, or the following ones */
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX];
    uint64_t in_credit[EC_VCS_MAX], out_credit[EC_VCS_MAX];
    uint64_t contended[EC_VCS_MAX], starved[EC_VCS_MAX];
    uint8_t want[EC_TILE_PORTS_MAX * EC_VCS_MAX];
};

/* Router number `router` of a bank, in the ports of the topology. The caller sets the cycle and the
 * node. Words and `want` without a bit have no meaning. */
void ec_tile_see(const struct ec_port_map *map, unsigned ports, unsigned vcs,
                 const struct ec_tile_io *io, size_t router, struct ec_tile_seen *ret);
