/* SPDX-License-Identifier: Apache-2.0 */
/* Where nodes and links of a network lie in a picture. */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include <stdbool.h>

#include "ecube/error.h"
#include "ecube/topology.h"
#include "svg.h"

#define LAYOUT_NODES_MAX 64
#define LAYOUT_RADIUS    15.0 /* of a node */

struct layout {
    const struct ec_topology *t;
    double width, height;
    struct svg_point at[LAYOUT_NODES_MAX];
    struct svg_point text[LAYOUT_NODES_MAX]; /* what a node holds */
    enum svg_anchor text_anchor;
};

/* A directed link: an arrow from a to b, a little to the right of its way. A wrap link of a grid is
 * two pieces, out at one border (a to b) and in at the other (a2 to b2). */
struct layout_link {
    struct svg_point a, b;
    struct svg_point label; /* room for a few characters beside it */
    bool jumps;             /* ends in nothing: its label has to say where it leads */
    bool wraps;
    struct svg_point a2, b2, label2;
};

/* EC_USAGE if there is no picture of this topology: more than LAYOUT_NODES_MAX nodes, or a grid of
 * more than two dimensions. */
enum ec_code layout_open(const struct ec_topology *t, struct layout *ret, struct ec_error *reterr);

/* `link` of `node`, which must exist. */
struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link);

#endif
