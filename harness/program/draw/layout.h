/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of a picture: positions of nodes and links, and free places for texts. */
#pragma once

#include "draw/svg.h"
#include "ecube/error.h"
#include "ecube/topology.h"

#define LAYOUT_NODES_MAX 64
#define LAYOUT_RADIUS    15.0 /* of a node */

/* --- Nodes and links ------------------------------------------------------------------------ */

struct layout {
    const struct ec_topology *t;
    double width, height;
    double pitch;    /* between neighbours of a row */
    double rise;     /* between neighbours of a column */
    double margin;   /* beside the outer nodes */
    double reach;    /* of a wrap link beyond its nodes */
    unsigned slices; /* of a grid of three dimensions, one per coordinate of the last; else 0 */
    struct svg_point slice[LAYOUT_NODES_MAX]; /* their upper left corners */
    struct svg_point at[LAYOUT_NODES_MAX];
    struct svg_point centre; /* of a ring */
};

/* A directed link: an arrow from a to b, slightly to the right of the straight line. A wrap link of
 * a grid has two pieces: out at one border (a to b) and in at the other (a2 to b2). */
struct layout_link {
    struct svg_point a, b;
    bool jumps; /* a short arrow without a node at its end: its text must name the other end */
    bool wraps;
    struct svg_point a2, b2;
};

/* EC_USAGE if the topology cannot be drawn: more than LAYOUT_NODES_MAX nodes, or a grid of more
 * than three dimensions. */
enum ec_code layout_check(const struct ec_topology *t, struct ec_error *reterr);
/* Leaves room for texts of these widths. `compact`: no more than that. EC_USAGE as layout_check().
 */
enum ec_code layout_open(const struct ec_topology *t, double beside_nodes, double beside_links,
                         bool compact, struct layout *ret, struct ec_error *reterr);

/* Are some links short arrows (layout_link.jumps)? */
bool layout_jumps(const struct ec_topology *t);

/* `link` of `node`, which must exist. */
struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link);

/* The same without a direction: on the straight line. */
struct layout_link layout_both_ways(const struct layout *l, uint32_t node, unsigned link);

/* The place of a number in the binary reflected Gray code. */
uint32_t layout_gray_rank(uint32_t g);

/* --- Texts ---------------------------------------------------------------------------------- */

#define LAYOUT_SPOTS_MAX 32

/* Candidate centres for a text of this size next to a node, or next to the first or second piece of
 * a link, best first. Return their number. */
size_t layout_node_spots(const struct layout *l, uint32_t node, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX]);
size_t layout_link_spots(const struct layout_link *k, bool second, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX]);

/* Estimated size of a text; fonts differ. */
double layout_text_width(const char *text, double size);
double layout_text_height(double size);

/* Room for the circles, texts and lines of one panel: 64 nodes with at most 6 links each, and both
 * pieces of wrap links. Further ones are not avoided. */
#define LAYOUT_BOXES_MAX 1024
#define LAYOUT_LINES_MAX 1024

struct layout_box {
    double left, top, right, bottom;
};

/* What already covers a panel. */
struct layout_space {
    struct layout_box page;
    struct layout_box boxes[LAYOUT_BOXES_MAX];
    struct {
        struct svg_point a, b;
    } lines[LAYOUT_LINES_MAX];
    size_t box_count, line_count;
};

void layout_space_begin(struct layout_space *s, struct layout_box page);
/* No text may cover a box; texts avoid lines where they can. */
void layout_space_box(struct layout_space *s, struct layout_box box);
void layout_space_line(struct layout_space *s, struct svg_point a, struct svg_point b);

/* Choose the spot where the text covers least, the first among equals, and take its box. The text
 * of the link `own` (NULL: of something else) keeps away from links that cross it. Returns
 * the point for svg_label() with SVG_MIDDLE. */
struct svg_point layout_text(struct layout_space *s, const char *text, double size,
                             const struct layout_link *own, const struct svg_point *spots,
                             size_t count);
