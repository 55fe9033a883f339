/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-order routing from coordinates. Knows the topology; must not know the RTL, because
 * every run compares the two. */
#include "ecube/route.h"

#include "network/walk.h"

uint32_t ec_route_link(const struct ec_topology *t, const struct ec_router *r, uint32_t node,
                       uint32_t dst)
{
    struct ec_walk walk = {.t = t, .r = r, .node = node, .dst = dst};
    struct ec_hop hop;

    return ec_walk_next(&walk, &hop) ? hop.link : EC_NONE;
}

size_t ec_route_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                     uint32_t dst, struct ec_hop *hops, size_t room)
{
    struct ec_walk walk = ec_walk_begin(t, r, src, dst);
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
    return r->table ? (unsigned)ec_route_path(t, r, src, dst, NULL, 0)
                    : ec_topology_distance(t, src, dst);
}
