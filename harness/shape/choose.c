/* SPDX-License-Identifier: Apache-2.0 */
/* Which compiled shape serves a network, and what every router of it finds on its pins.
 *
 * Pure arithmetic on a topology and a router description. Knows the limits of the RTL (16 address
 * bits, 64 ports); must not know how a shape is built, cached or loaded. */
#include "ecube/shape.h"

#include <string.h>

/* Dimensions of the cube shapes: few, so that one compilation serves many cubes. The unused
 * dimensions of a router cost little, because nothing ever arrives on their links. */
static const uint32_t cube_dims[] = {3, 6, 8, 10, 12, 14, 16};

static uint32_t round_up_dims(const struct ec_topology *t)
{
    if (t->links_per_dim != 1)
        return t->dims < 2 ? 2 : t->dims;
    for (size_t i = 0; i < sizeof cube_dims / sizeof *cube_dims; i++) {
        if (t->dims <= cube_dims[i])
            return cube_dims[i];
    }
    return t->dims;
}

static uint32_t round_up_depth(unsigned depth)
{
    uint32_t rounded = 4;
    while (rounded < depth)
        rounded *= 2;
    return rounded;
}

enum ec_code ec_shape_choose(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_tile_shape *ret, struct ec_error *reterr)
{
    char name[160];
    ec_topology_format(t, name, sizeof name);
    if (t->address_bits > EC_RTL_ADDRESS_BITS)
        return ec_fail(reterr, EC_USAGE,
                       "%s needs %u address bits, but a flit word of the RTL has %d: "
                       "choose a network of at most %lu nodes (an audit accepts more)",
                       name, t->address_bits, EC_RTL_ADDRESS_BITS, 1UL << EC_RTL_ADDRESS_BITS);
    if (r->depth > EC_DEPTH_MAX)
        return ec_fail(reterr, EC_USAGE, "depth=%u is too deep for the RTL: at most %d words",
                       r->depth, EC_DEPTH_MAX);

    const uint32_t dims = round_up_dims(t);
    const uint32_t links = dims * t->links_per_dim;
    const uint32_t locals = r->ports == EC_PORTS_ALL ? links : 1;
    if (dims > EC_TILE_DIMS_MAX)
        return ec_fail(reterr, EC_USAGE, "%s has %u dimensions; the RTL has at most %d", name,
                       t->dims, EC_TILE_DIMS_MAX);
    if (links + locals > EC_TILE_PORTS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s with ports=%s needs routers of %u ports; the RTL has at most %d", name,
                       r->ports == EC_PORTS_ALL ? "all" : "one", links + locals, EC_TILE_PORTS_MAX);

    *ret = (struct ec_tile_shape){
        .dims = dims,
        .links_per_dim = t->links_per_dim,
        .locals = locals,
        .vcs = r->vcs,
        .depth_max = round_up_depth(r->depth),
    };
    return EC_OK;
}

bool ec_shape_same(const struct ec_tile_shape *a, const struct ec_tile_shape *b)
{
    return a->dims == b->dims && a->links_per_dim == b->links_per_dim && a->locals == b->locals &&
           a->vcs == b->vcs && a->depth_max == b->depth_max;
}

/* The pins that all routers of a network share. A dimension of radix 1 needs no address bit and
 * counts as unused. */
static struct ec_tile_place common_place(const struct ec_topology *t, const struct ec_router *r,
                                         const struct ec_tile_shape *shape)
{
    struct ec_tile_place place = {
        .dateline = r->dateline,
        .order_high = r->order == EC_ORDER_HIGH,
        .switching = r->switching == EC_WORMHOLE      ? 0
                     : r->switching == EC_CUT_THROUGH ? 1
                                                      : 2,
        .depth = r->depth,
        .packet = r->packet,
    };
    for (unsigned d = 0; d < t->dims && d < shape->dims; d++) {
        if (t->bits[d] == 0)
            continue;
        place.mask[d] = ((UINT32_C(1) << t->bits[d]) - 1) << t->shift[d];
        place.radix[d] = t->radix[d] << t->shift[d];
        place.wrap |= (uint32_t)t->wrap[d] << d;
    }
    return place;
}

void ec_shape_places(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, struct ec_tile_place *places)
{
    const struct ec_tile_place common = common_place(t, r, shape);
    for (uint32_t node = 0; node < t->nodes; node++) {
        places[node] = common;
        places[node].coord = ec_topology_address(t, node);
    }
}

void ec_shape_format(const struct ec_tile_shape *shape, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s dims=%u locals=%u vcs=%u depth=%u",
             shape->links_per_dim == 1 ? "cube" : "grid", shape->dims, shape->locals, shape->vcs,
             shape->depth_max);
}
