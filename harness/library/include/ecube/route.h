/* SPDX-License-Identifier: Apache-2.0 */
/* Routes, of dimension order or by a table. They share no code with the RTL: every run compares the
 * two through link counters. */
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

/* With several paths between two nodes (ec_router_draws()), the source of a message draws one:
 * order=class: its message class, 0 or 1; routing=valiant: 1 + the node on the way, which is any of
 * them (0: the source itself). */
uint32_t ec_route_draw(const struct ec_router *r, uint32_t nodes, uint64_t random);
/* The same of message `index` of a list: a function of seed and index. */
uint32_t ec_route_of_message(const struct ec_router *r, uint32_t nodes, uint64_t seed,
                             uint64_t index);

/* As ec_route_path(), along the path that was drawn. (All other functions: as if 0 were.) */
size_t ec_route_drawn(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                      uint32_t dst, uint32_t way, struct ec_hop *hops, size_t room);

/* The length of that path. */
unsigned ec_route_hops(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                       uint32_t dst);

/* --- Tables ----------------------------------------------------------------------------------- */

/* Files. A file has a line for each router, in their order: for each node, in their order, a port,
 * or PORT/CLASS for a VC class other than 0, or several of these with '|' between them, or '-' if
 * there is no way. Blanks separate entries, '#' starts a comment, and empty lines count for
 * nothing. */

#define EC_TABLE_CLASSES     2                   /* 0 and 1: those of datelines */
#define EC_TABLE_ENTRIES_MAX (UINT32_C(1) << 28) /* routers * nodes */

/* A table without any way, with classes (all 0) if `classes`. EC_USAGE: too many entries.
 * EC_MEMORY. */
enum ec_code ec_table_open(uint32_t routers, uint32_t nodes, unsigned ports, bool classes,
                           struct ec_table **ret, struct ec_error *reterr);
/* One more user: the table is freed when all have closed it. Accepts NULL; returns `table`. */
struct ec_table *ec_table_share(struct ec_table *table);
void ec_table_close(struct ec_table *table); /* accepts NULL */

/* Read a file into a table without ways. With table->class_ == NULL all classes must be 0. EC_IO.
 * EC_USAGE, with file and line: not these routers, nodes and ports. */
enum ec_code ec_table_read(struct ec_table *table, const char *path, struct ec_error *reterr);

/* The paths of dimension order, for a table without ways of this topology. With classes, a channel
 * of a ring has class 0 on the way to the wrap link and over it, and class 1 if the wrap link is
 * not ahead: then class 1 comes after class 0 only, and no channels wait for each other (Dally and
 * Seitz 1987). Of the router only order and ties are read. */
void ec_table_fill(struct ec_table *table, const struct ec_topology *t, const struct ec_router *r);

/* The paths of a graph. Shortest ones; of c links of a router that are equally good, number
 * (d / c^l) mod c leads to node d, where l is the distance of the router from the nearest one with
 * nodes. In a dragonfly by the one link between two groups, even where two such links would be
 * shorter; channels in the group of the destination have class 1, others class 0.
 * `updown`: links lead up to routers nearer to a root, or of equals with a lower number, or down;
 * words go down as soon as they reach their destination that way, and never up again, so that no
 * channels wait for each other (Schroeder et al. 1991). The root is the router whose farthest node
 * is the nearest. EC_MEMORY. */
enum ec_code ec_table_fill_graph(struct ec_table *table, const struct ec_topology *t, bool updown,
                                 struct ec_error *reterr);

/* Does every message arrive, by whichever ports? EC_USAGE: a router sends words to a port that does
 * not exist, has no link or is a local port elsewhere than at their node, has no way, or words can
 * go round; the message names the first such router and node. EC_MEMORY. *ret_longer, unless NULL:
 * how many of all pairs of nodes have a path that is longer than a shortest one. */
enum ec_code ec_table_check(const struct ec_table *table, const struct ec_topology *t,
                            uint64_t *ret_longer, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
