/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes: chooses the shape for a network, sets the pins of every router, and opens a shape: of one
 * compiled router, or of one for each place. Knows the limits of the RTL. */
#include "ecube/shape.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ecube/word.h"
#include "shape/compiled.h"
#include "shape/places.h"
#include "shape/points.h"
#include "shape/tile_io.h"

/* --- Choosing --------------------------------------------------------------------------------- */

/* Dimensions of the cube shapes: few, so that one compilation serves many cubes. Unused dimensions
 * cost little, because nothing ever arrives on their links. */
static const uint32_t cube_dims[] = {3, 6, 8, 10, 12, 14, 16, 18, 20};

enum { TABLE_ENTRIES_LEAST = 64, TABLE_BITS_MAX = 15 };

static uint32_t round_up_dims(const struct ec_topology *t)
{
    if (t->links_per_dim != 1)
        return t->dims < 2 ? 2 : t->dims;
    size_t i = 0;
    while (cube_dims[i] < t->dims) /* the last one serves all address bits of the RTL */
        i++;
    return cube_dims[i];
}

/* Entries for all addresses, in a few sizes. */
static uint32_t round_up_table(unsigned address_bits)
{
    uint32_t entries = TABLE_ENTRIES_LEAST;
    while (entries >> address_bits == 0)
        entries *= 8;
    return entries;
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
        return ec_fail(reterr, EC_USAGE,
                       "depth=%u: expected at most %d words, the limit of the RTL", r->depth,
                       EC_DEPTH_MAX);
    if (r->table && t->address_bits > TABLE_BITS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s needs %u address bits: expected at most %d with routing=table, since "
                       "every router has an entry for each address",
                       name, t->address_bits, TABLE_BITS_MAX);

    if (t->dims > EC_TILE_DIMS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u %s: expected at most %d, the limit of the RTL (an audit accepts "
                       "more)",
                       name, t->dims, t->graph ? "links at a router" : "dimensions",
                       EC_TILE_DIMS_MAX);

    const uint32_t dims = round_up_dims(t);
    const uint32_t links = dims * t->links_per_dim;
    const uint32_t locals = r->ports == EC_PORTS_ALL ? links : ec_router_local_ports(r, t);
    if (links + locals > EC_TILE_PORTS_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "%s with ports=%s needs routers of %u ports: expected at most %d, the limit of the RTL",
            name, r->ports == EC_PORTS_ALL ? "all" : "one", links + locals, EC_TILE_PORTS_MAX);

    *ret = (struct ec_tile_shape){
        .dims = dims,
        .links_per_dim = t->links_per_dim,
        .locals = locals,
        .vcs = r->vcs,
        .depth_max = round_up_depth(r->depth),
        .dynamic = r->routing == EC_ROUTING_ADAPTIVE ? EC_TILE_ADAPTIVE : r->va == EC_VA_DYNAMIC,
        .stages = r->stages,
        .address_bits = ec_word_address_bits(ec_router_address_bits(r, t)),
        .table = r->table ? round_up_table(t->address_bits) : 0,
        .paths = r->routing == EC_ROUTING_VALIANT ? 2
                 : r->order == EC_ORDER_CLASS     ? 1
                                                  : 0,
        .speedup = r->vcs > 1 ? r->speedup : 0,
    };
    return EC_OK;
}

/* The pins that all routers of a network share. A dimension of radix 1 needs no address bit and
 * counts as unused. */
static struct ec_tile_place common_place(const struct ec_topology *t, const struct ec_router *r,
                                         const struct ec_tile_shape *shape)
{
    struct ec_tile_place place = {
        .dateline = r->dateline,
        .balanced = r->ties == EC_TIES_BALANCED,
        .order_high = r->order == EC_ORDER_HIGH,
        .switching = r->switching == EC_WORMHOLE      ? 0
                     : r->switching == EC_CUT_THROUGH ? 1
                                                      : 2,
        .depth = r->depth,
        .packet = r->packet,
        .classes = r->classes,
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

struct ec_tile_place ec_shape_place(const struct ec_topology *t, const struct ec_router *r,
                                    const struct ec_tile_shape *shape, uint32_t node)
{
    struct ec_tile_place place = common_place(t, r, shape);
    place.coord = ec_topology_address(t, node);
    return place;
}

void ec_shape_places(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, struct ec_tile_place *places)
{
    for (uint32_t node = 0; node < t->routers; node++)
        places[node] = ec_shape_place(t, r, shape, node);
}

bool ec_shape_tables(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, const uint32_t *nodes, size_t count,
                     struct ec_tile_place *places, uint8_t **ret)
{
    const unsigned links = ec_topology_links(t), spare = ec_tile_shape_links(shape) - links;
    uint8_t *const rows = shape->table ? calloc(count, shape->table) : NULL;
    *ret = rows;
    for (size_t i = 0; rows && i < count; i++) {
        const uint8_t *port = r->table->port + (size_t)nodes[i] * r->table->nodes;
        const uint8_t *class_ =
            r->table->class_ ? r->table->class_ + (port - r->table->port) : NULL;
        uint8_t *const row = rows + i * shape->table;
        for (uint32_t dst = 0; dst < r->table->nodes; dst++) {
            if (port[dst] == EC_TABLE_NONE)
                continue;
            row[ec_topology_address(t, dst)] =
                (uint8_t)((port[dst] < links ? port[dst] : port[dst] + spare) |
                          (class_ && class_[dst] ? EC_TILE_CLASS : 0));
        }
        places[i].table = row;
    }
    return rows || !shape->table;
}

enum ec_code ec_flat_choose(const struct ec_topology *t, const struct ec_router *r,
                            struct ec_tile_shape *ret, struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    char name[160];
    ec_topology_format(t, name, sizeof name);
    if (t->nodes > EC_FLAT_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %" PRIu32 " nodes; the backend flat takes at most %d, because it "
                       "compiles the whole network: choose the backend tiles",
                       name, t->nodes, EC_FLAT_NODES_MAX);
    if (r->table)
        return ec_fail(reterr, EC_USAGE,
                       "the backend flat has no routing tables: choose the backend tiles");
    const enum ec_code code = ec_shape_choose(t, r, &shape, reterr);
    if (code != EC_OK)
        return code;
    /* It serves one topology only, so it needs no spare dimensions. */
    shape.dims = t->dims;
    shape.locals = ec_router_locals(r, t);
    *ret = shape;
    return EC_OK;
}

/* --- Opening ---------------------------------------------------------------------------------- */

struct ec_shape {
    struct compiled one;
    struct ec_places *places; /* NULL: one shape for all */
    const struct ec_tile_api *api;
};

enum ec_code ec_shape_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, struct ec_shape **ret,
                           struct ec_error *reterr)
{
    struct ec_shape *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to open a router shape");
    const bool places =
        options != NULL && options->top != NULL && ec_shape_has_places(options->build);
    enum ec_code code;
    if (places && options->engine != NULL)
        code = ec_fail(reterr, EC_USAGE,
                       "--parameter with %%: the engine simd has one code for all places; use "
                       "--engine verilator");
    else
        code = places ? ec_places_open(shape, options, &s->places, reterr)
                      : compiled_open(shape, options, true, &s->one, reterr);
    if (code != EC_OK) {
        free(s);
        return code;
    }
    s->api = places ? ec_places_api(s->places) : s->one.api;
    *ret = s;
    return EC_OK;
}

const struct ec_tile_api *ec_shape_api(const struct ec_shape *s)
{
    return s->api;
}

const struct ec_fabric_api *ec_shape_fabric(const struct ec_shape *s)
{
    return s->one.fabric;
}

const struct ec_bank_state_api *ec_shape_state(const struct ec_shape *s)
{
    return s->one.state;
}

struct ec_tile_bank *ec_shape_bank(const struct ec_shape *s, size_t routers,
                                   const struct ec_tile_place *places, const uint32_t *numbers,
                                   uint32_t random_seed, const char *const *names,
                                   const struct ec_tile_listener *listener)
{
    if (s->places != NULL)
        return ec_places_bank(s->places, routers, places, numbers, random_seed, listener);
    return s->api->open(routers, places, numbers, random_seed, names, listener);
}

const char *ec_shape_key(const struct ec_shape *s)
{
    return s->places != NULL ? ec_places_key(s->places) : s->one.key;
}

bool ec_shape_mute(const struct ec_shape *s)
{
    return s->one.mute;
}

void ec_shape_points(const struct ec_shape *s, ec_point_take *take, void *context)
{
    if (s->places != NULL)
        ec_places_points(s->places, take, context);
    else if (s->one.points != NULL)
        s->one.points(take, context);
}

void ec_shape_close(struct ec_shape *s)
{
    if (s == NULL)
        return;
    ec_places_close(s->places);
    compiled_close(&s->one);
    free(s);
}
