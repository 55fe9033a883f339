/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies: a list of (radix, wrap) per dimension. Rings, meshes, tori and cubes are special
 * cases. Or a graph: routers with any links and any number of nodes.
 *
 * Labels. Node x has the coordinates x_0, x_1, ...; dimension 0 varies fastest, so the label of a
 * node is x_0 + r_0 * (x_1 + r_1 * (x_2 + ...)) (row-major: on `torus:AxB` dimension 0 has radix
 * A, label + 1 is the neighbour "east", label + A the neighbour "south"). On `cube:D` the label is
 * the binary address.
 *
 * Links. A link is one bidirectional channel pair to one neighbour. With two links per dimension
 * link 2d leads to coordinate + 1 and link 2d + 1 to coordinate - 1; a dimension of radix 2 uses
 * link 2d only (no double link); a dimension of radix 1 uses none. On a cube link d crosses
 * dimension d.
 *
 * Routers. Router x has node x, except in a graph: there every node is at some router, and the
 * nodes are numbered in the order of their routers. Links lead from router to router. */
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

enum ec_topology_kind { EC_RING, EC_MESH, EC_TORUS, EC_CUBE, EC_FATTREE, EC_DRAGONFLY, EC_GRAPH };

/* The routers of a graph and how they are connected. */
struct ec_graph {
    uint32_t routers, nodes;
    unsigned links, locals; /* links, and nodes, of the router with most of them */
    unsigned delay, least;  /* cycles of the slowest and of the fastest link */
    uint8_t *delays;        /* [router * links + link] cycles; NULL: the same for all links */
    uint32_t *far;          /* [router * links + link] the router at the other end; EC_NONE */
    uint8_t *back;          /* [router * links + link] the link there that leads back */
    uint32_t *first_node;   /* [routers + 1] the nodes of a router: up to the next one's first */
    uint32_t *router_of;    /* [nodes] */
    uint16_t *distance;     /* [router * routers + router] hops of a shortest path */
    unsigned diameter;      /* the same, of the nodes that are farthest from each other */
    unsigned users;         /* topologies that own it */
    unsigned size[3];       /* fattree: K; dragonfly: P, A, H */
    char name[160];         /* canonical */
};

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
    uint32_t routers;             /* = nodes, except in a graph */
    const struct ec_graph *graph; /* of fat trees, dragonflies and graphs, else NULL. They have the
                                     dimensions of a cube with as many links. */
};

/* Parse "ring:16", "mesh:8x8", "torus:4x4x4" or "cube:6". EC_USAGE: another text; the topology is
 * a graph, which needs ec_topology_open(). */
enum ec_code ec_topology_parse(const char *text, struct ec_topology *ret, struct ec_error *reterr);

/* The same with graphs: "fattree:4", "dragonfly:2,4,2" or "graph:file=NAME". Owns the graph: close
 * the topology. EC_USAGE, EC_IO, EC_MEMORY. */
enum ec_code ec_topology_open(const char *text, struct ec_topology *ret, struct ec_error *reterr);
/* A copy that has to be closed, too; other copies borrow the graph. */
struct ec_topology ec_topology_share(const struct ec_topology *t);
void ec_topology_close(struct ec_topology *t); /* all zero is fine */

/* The canonical text of a topology, such as "torus:4x4". 160 bytes are always enough. */
void ec_topology_format(const struct ec_topology *t, char *buffer, size_t size);

/* Number of link ports of every router: dims * links_per_dim. */
static inline unsigned ec_topology_links(const struct ec_topology *t)
{
    return t->dims * t->links_per_dim;
}

/* The router of a node, and the first node of a router. */
static inline uint32_t ec_topology_router(const struct ec_topology *t, uint32_t node)
{
    return t->graph ? t->graph->router_of[node] : node;
}
static inline uint32_t ec_topology_first_node(const struct ec_topology *t, uint32_t router)
{
    return t->graph ? t->graph->first_node[router] : router;
}

/* Coordinate of `node` in dimension `dim`. */
static inline uint32_t ec_topology_coord(const struct ec_topology *t, uint32_t node, unsigned dim)
{
    return node / t->stride[dim] % t->radix[dim];
}

/* The router at the other end of `link` of router `node`, or EC_NONE (mesh border, unused link). */
uint32_t ec_topology_neighbor(const struct ec_topology *t, uint32_t node, unsigned link);

/* The link of ec_topology_neighbor(t, node, link) that leads back to router `node`. In a list of
 * radices it is the same for all nodes: ec_topology_reverse(), not for graphs. */
unsigned ec_topology_back(const struct ec_topology *t, uint32_t node, unsigned link);
unsigned ec_topology_reverse(const struct ec_topology *t, unsigned link);

/* Cycles of a link of a router; `usual`: if all take the same time. */
static inline unsigned ec_topology_delay(const struct ec_topology *t, uint32_t router,
                                         unsigned link, unsigned usual)
{
    return t->graph && t->graph->delays ? t->graph->delays[(size_t)router * t->graph->links + link]
                                        : usual;
}

/* The same list of radices; a graph as a line of its routers, for pictures. */
struct ec_topology ec_topology_flat(const struct ec_topology *t);

/* Packed coordinates of a node, and back (EC_NONE if the address names no node). Both are the
 * identity if all radices are powers of two, as on cubes. Needs address_bits <= 32. */
uint32_t ec_topology_address(const struct ec_topology *t, uint32_t node);
uint32_t ec_topology_node(const struct ec_topology *t, uint32_t address);

/* Hops of the longest among the shortest paths of all pairs. */
unsigned ec_topology_diameter(const struct ec_topology *t);

/* Hops of a shortest path between two nodes, and from a router to a node. */
unsigned ec_topology_distance(const struct ec_topology *t, uint32_t a, uint32_t b);
static inline unsigned ec_topology_hops(const struct ec_topology *t, uint32_t router, uint32_t node)
{
    return t->graph ? t->graph->distance[(size_t)router * t->routers + t->graph->router_of[node]]
                    : ec_topology_distance(t, router, node);
}

/* A node as users read it: "5 (101)" on cubes, else "5 (1,2)" = (x0,x1,...); a node or router of a
 * graph: "5". */
void ec_topology_node_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size);

/* A link as users read it: "dim2" on cubes; "port2" in graphs; "+x", "-y", ... up to three
 * dimensions, else "+d3". */
void ec_topology_link_name(const struct ec_topology *t, unsigned link, char *buffer, size_t size);

#pragma GCC visibility pop

#endif
