/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies: a list of (radix, wrap) per dimension. Rings, meshes, tori and cubes are special
 * cases.
 *
 * Labels. Node x has the coordinates x_0, x_1, ...; dimension 0 varies fastest, so the label of a
 * node is x_0 + r_0 * (x_1 + r_1 * (x_2 + ...)) (row-major: on `torus:AxB` dimension 0 has radix
 * A, label + 1 is the neighbour "east", label + A the neighbour "south"). On `cube:D` the label is
 * the binary address.
 *
 * Links. A link is one bidirectional channel pair to one neighbour. With two links per dimension
 * link 2d leads to coordinate + 1 and link 2d + 1 to coordinate - 1; a dimension of radix 2 uses
 * link 2d only (no double link); a dimension of radix 1 uses none. On a cube link d crosses
 * dimension d. */
#ifndef ECUBE_TOPOLOGY_H
#define ECUBE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

#pragma GCC visibility push(default)

#define EC_DIMS_MAX         24                  /* dimensions */
#define EC_NODES_MAX        (UINT32_C(1) << 24) /* nodes of an audit */
#define EC_RTL_ADDRESS_BITS 20                  /* bits of a packed address in a flit word */
#define EC_NONE             UINT32_MAX          /* no such node, no such link */

enum ec_topology_kind { EC_RING, EC_MESH, EC_TORUS, EC_CUBE };

struct ec_topology {
    enum ec_topology_kind kind;
    unsigned dims;
    uint32_t radix[EC_DIMS_MAX];
    bool wrap[EC_DIMS_MAX];       /* false if radix <= 2 */
    unsigned links_per_dim;       /* 1 on a cube, else 2 */
    uint32_t nodes;               /* product of the radices */
    uint32_t stride[EC_DIMS_MAX]; /* label distance of one step in a dimension */
    unsigned shift[EC_DIMS_MAX];  /* lowest bit of a dimension's field in the packed address */
    unsigned bits[EC_DIMS_MAX];   /* width of that field: ceil(log2 radix) */
    unsigned address_bits;        /* sum of bits[] */
    uint32_t routers;             /* = nodes */
};

/* Parse "ring:16", "mesh:8x8", "torus:4x4x4" or "cube:6". EC_USAGE. */
enum ec_code ec_topology_parse(const char *text, struct ec_topology *ret, struct ec_error *reterr);

/* The canonical text of a topology, such as "torus:4x4". 160 bytes are always enough. */
void ec_topology_format(const struct ec_topology *t, char *buffer, size_t size);

/* Number of link ports of every router: dims * links_per_dim. */
static inline unsigned ec_topology_links(const struct ec_topology *t)
{
    return t->dims * t->links_per_dim;
}

/* Coordinate of `node` in dimension `dim`. */
static inline uint32_t ec_topology_coord(const struct ec_topology *t, uint32_t node, unsigned dim)
{
    return node / t->stride[dim] % t->radix[dim];
}

/* The node at the other end of `link` of `node`, or EC_NONE (mesh border, unused link). */
uint32_t ec_topology_neighbor(const struct ec_topology *t, uint32_t node, unsigned link);

/* The link of ec_topology_neighbor(t, node, link) that leads back to `node`. */
unsigned ec_topology_reverse(const struct ec_topology *t, unsigned link);

/* Packed coordinates of a node, and back (EC_NONE if the address names no node). Both are the
 * identity if all radices are powers of two, as on cubes. Needs address_bits <= 32. */
uint32_t ec_topology_address(const struct ec_topology *t, uint32_t node);
uint32_t ec_topology_node(const struct ec_topology *t, uint32_t address);

/* Hops of the longest among the shortest paths of all pairs. */
unsigned ec_topology_diameter(const struct ec_topology *t);

/* Hops of a shortest path between two nodes. */
unsigned ec_topology_distance(const struct ec_topology *t, uint32_t a, uint32_t b);

/* A node as users read it: "5 (101)" on cubes, else "5 (1,2)" = (x0,x1,...). */
void ec_topology_node_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size);

/* A link as users read it: "dim2" on cubes; "+x", "-y", ... up to three dimensions, else "+d3". */
void ec_topology_link_name(const struct ec_topology *t, unsigned link, char *buffer, size_t size);

#pragma GCC visibility pop

#endif
