/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-order routing from coordinates. Knows the topology; must not know the RTL, because
 * every run compares the two. */
#include "ecube/route.h"

#include "base/rng.h"
#include "network/walk.h"

/* Not a stream of the traffic: those are numbered by node. */
#define WAY_STREAM (UINT64_C(1) << 41)

uint32_t ec_route_link(const struct ec_topology *t, const struct ec_router *r, uint32_t node,
                       uint32_t dst)
{
    struct ec_walk walk = ec_walk_from(t, r, node, dst, 0);
    struct ec_hop hop;

    return ec_walk_next(&walk, &hop) ? hop.link : EC_NONE;
}

uint32_t ec_route_draw(const struct ec_router *r, uint32_t nodes, uint64_t random)
{
    if (r->routing == EC_ROUTING_VALIANT)
        return 1 + (uint32_t)ec_rng_below(random, nodes);
    return ec_router_draws(r) ? (uint32_t)(random >> 63) : 0;
}

uint32_t ec_route_of_message(const struct ec_router *r, uint32_t nodes, uint64_t seed,
                             uint64_t index)
{
    return ec_route_draw(r, nodes, ec_rng_draw(ec_rng_key(seed, WAY_STREAM), index));
}

size_t ec_route_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                     uint32_t dst, struct ec_hop *hops, size_t room)
{
    return ec_route_drawn(t, r, src, dst, 0, hops, room);
}

size_t ec_route_drawn(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                      uint32_t dst, uint32_t way, struct ec_hop *hops, size_t room)
{
    struct ec_walk walk = ec_walk_drawn(t, r, src, dst, way);
    struct ec_hop hop;
    size_t length = 0;

    for (; ec_walk_next(&walk, &hop); length++) {
        if (length < room)
            hops[length] = hop;
    }
    return length;
}

unsigned ec_route_hops(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                       uint32_t dst)
{
    return r->table && !ec_router_chooses(r) ? (unsigned)ec_route_path(t, r, src, dst, NULL, 0)
                                             : ec_topology_distance(t, src, dst);
}
