/* SPDX-License-Identifier: Apache-2.0 */
/* Where nodes and links of a network lie in a picture. */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/svg.h"
#include "ecube/error.h"
#include "ecube/topology.h"

#define LAYOUT_NODES_MAX 64
#define LAYOUT_RADIUS    15.0 /* of a node */

struct layout {
    const struct ec_topology *t;
    double width, height;
    double pitch; /* between neighbours of a row */
    struct svg_point at[LAYOUT_NODES_MAX];
    struct svg_point centre; /* of a ring */
};

/* A directed link: an arrow from a to b, a little to the right of its way. A wrap link of a grid is
 * two pieces, out at one border (a to b) and in at the other (a2 to b2). */
struct layout_link {
    struct svg_point a, b;
    bool jumps; /* ends in nothing: its label has to say where it leads */
    bool wraps;
    struct svg_point a2, b2;
};

#define LAYOUT_SPOTS_MAX 32

/* EC_USAGE if there is no picture of this topology: more than LAYOUT_NODES_MAX nodes, or a grid of
 * more than two dimensions. */
enum ec_code layout_check(const struct ec_topology *t, struct ec_error *reterr);
/* With room for texts of these widths. EC_USAGE as layout_check(). */
enum ec_code layout_open(const struct ec_topology *t, double beside_nodes, double beside_links,
                         struct layout *ret, struct ec_error *reterr);

/* `link` of `node`, which must exist. */
struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link);

/* The same without its direction: in the middle between it and its opposite. */
struct layout_link layout_both_ways(const struct layout *l, uint32_t node, unsigned link);

/* Middles of a text of this size beside a node, or beside the first or second piece of a link: the
 * most usual one first. Give their number. */
size_t layout_node_spots(const struct layout *l, uint32_t node, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX]);
size_t layout_link_spots(const struct layout_link *k, bool second, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX]);

#endif
