/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-order routing, computed from coordinates. It shares no code with the RTL: every run
 * compares the two through link counters. */
#ifndef ECUBE_ROUTE_H
#define ECUBE_ROUTE_H

#include "ecube/router.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

struct ec_hop {
    uint32_t node;   /* the router that sends */
    unsigned link;   /* its output link */
    unsigned class_; /* dateline class on that link: 0 or 1 (0 without datelines) */
};

/* The first link of the path from `node` to `dst`, or EC_NONE if node == dst. Of the router only
 * table, order, ties and dateline are read. Without a table, dimensions go lowest first or highest
 * first, wrapped ones in the shorter direction, ties in the positive one (or as `ties` says). */
uint32_t ec_route_link(const struct ec_topology *t, const struct ec_router *r, uint32_t node,
                       uint32_t dst);

/* Write the hops from src to dst to hops[room]. Returns the length of the path, even if it exceeds
 * `room`. */
size_t ec_route_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                     uint32_t dst, struct ec_hop *hops, size_t room);

#pragma GCC visibility pop

#endif
