/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry. Knows topologies; must not know packets. Rings are circles, grids are grids with
 * dimension 0 to the right and dimension 1 downwards, cubes of three dimensions are drawn in
 * perspective, larger ones as a grid in the order of the Gray code, where links that do not join
 * neighbours of the grid are begun only, with the name of the other end. */
#include "layout.h"

#include <math.h>

#define PITCH  124.0 /* between neighbours of a grid */
#define MARGIN 80.0
#define PI     3.14159265358979323846

static uint32_t gray_rank(uint32_t g)
{
    for (unsigned s = 1; s < 32; s *= 2)
        g ^= g >> s;
    return g;
}

static void place(struct layout *l, uint32_t node, double x, double y)
{
    l->at[node] = (struct svg_point){MARGIN + x, MARGIN + y};
    l->text[node] = (struct svg_point){MARGIN + x + 13, MARGIN + y + 25};
    l->width = fmax(l->width, x + 2 * MARGIN);
    l->height = fmax(l->height, y + 2 * MARGIN);
}

static void place_ring(struct layout *l)
{
    const double r = fmax(PITCH * 0.75, l->t->nodes * PITCH / (2 * PI));
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        const double angle = 2 * PI * i / l->t->nodes - PI / 2;
        place(l, i, r + r * cos(angle), r + r * sin(angle));
        l->text[i].x = l->at[i].x + 36 * cos(angle); /* outside */
        l->text[i].y = l->at[i].y + 28 * sin(angle) + 4;
    }
    l->text_anchor = SVG_MIDDLE;
    l->width = l->height = 2 * r + 2 * MARGIN;
}

static void place_cube(struct layout *l)
{
    const unsigned d = l->t->dims;
    const unsigned low = (d + 1) / 2;
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        if (d <= 3)
            place(l, i, (i & 1) * 1.5 * PITCH + (i >> 2 & 1) * 0.72 * PITCH,
                  (i >> 1 & 1) * 1.5 * PITCH + (d == 3) * (1 - (i >> 2 & 1)) * 0.62 * PITCH);
        else
            place(l, i, gray_rank(i & ((1U << low) - 1)) * PITCH, gray_rank(i >> low) * PITCH);
    }
}

enum ec_code layout_open(const struct ec_topology *t, struct layout *ret, struct ec_error *reterr)
{
    if (t->nodes > LAYOUT_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "a picture shows at most %d nodes, not %u; take a smaller network, or "
                       "--format text",
                       LAYOUT_NODES_MAX, t->nodes);
    if (t->kind != EC_CUBE && t->dims > 2)
        return ec_fail(reterr, EC_USAGE,
                       "no picture of a grid of %u dimensions; take two, a cube, or --format text",
                       t->dims);
    *ret = (struct layout){.t = t};
    if (t->kind == EC_CUBE)
        place_cube(ret);
    else if (t->dims == 1 && t->wrap[0])
        place_ring(ret);
    else
        for (uint32_t i = 0; i < t->nodes; i++)
            place(ret, i, ec_topology_coord(t, i, 0) * PITCH,
                  t->dims > 1 ? ec_topology_coord(t, i, 1) * PITCH : 0);
    return EC_OK;
}

/* Along the way from a to b by the given part, and `aside` to its right. */
static struct svg_point beside(struct svg_point a, struct svg_point b, double part, double aside)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    return (struct svg_point){a.x + part * (b.x - a.x) - uy * aside,
                              a.y + part * (b.y - a.y) + ux * aside};
}

/* From centre to centre, cut at the circles, a little to the right of the straight way. */
static struct layout_link between(struct svg_point a, struct svg_point b)
{
    const double length = hypot(b.x - a.x, b.y - a.y), side = 4;
    const double cut = (LAYOUT_RADIUS + 2) / length;
    struct layout_link k = {.a = beside(a, b, cut, side), .b = beside(a, b, 1 - cut, side)};
    /* Where node texts (to the lower right) and crossings of a drawn cube (half-way) are not. */
    k.label = beside(a, b, length > PITCH * 1.2 ? 0.36 : 0.64, side + 10);
    k.label.y += 4;
    return k;
}

/* A link of a large cube to a node that is not beside this one: an arrow that only begins. Links of
 * a row go to the upper right, those of a column to the left, each at an angle of its own. */
static struct layout_link jump(struct svg_point a, bool in_row, unsigned turn)
{
    const double angle = (in_row ? -34 - 14.0 * turn : 64 + 68.0 * turn) * PI / 180;
    const double c = cos(angle), s = sin(angle), from = LAYOUT_RADIUS + 1, to = from + 20;
    struct layout_link k = {.jumps = true};
    k.a = (struct svg_point){a.x + from * c, a.y + from * s};
    k.b = (struct svg_point){a.x + to * c, a.y + to * s};
    k.label = (struct svg_point){a.x + (to + 8) * c + (in_row ? 8 : -8), a.y + (to + 8) * s + 4};
    return k;
}

/* On a wrapped grid the ends lie apart: out over the border, in over the opposite one. */
static struct layout_link stubs(struct svg_point a, struct svg_point b)
{
    const double length = hypot(b.x - a.x, b.y - a.y), reach = 52 / length;
    const double cut = (LAYOUT_RADIUS + 2) / length, side = -4;
    struct layout_link k = {.wraps = true};
    k.a = beside(a, b, -cut, side);
    k.b = beside(a, b, -reach, side);
    k.a2 = beside(a, b, 1 + reach, side);
    k.b2 = beside(a, b, 1 + cut, side);
    k.label = beside(a, b, -reach, side - 10);
    k.label2 = beside(a, b, 1 + reach, side - 10);
    k.label.y += 4;
    k.label2.y += 4;
    return k;
}

struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link)
{
    const struct ec_topology *t = l->t;
    const uint32_t to = ec_topology_neighbor(t, node, link);
    const struct svg_point a = l->at[node], b = l->at[to];
    const double length = hypot(b.x - a.x, b.y - a.y);
    const bool beside_it = length < PITCH * 1.01;
    const unsigned low = (t->dims + 1) / 2; /* dimensions of a row */
    if (t->kind == EC_CUBE && t->dims > 3 && !beside_it)
        return jump(a, link < low, link < low ? link : link - low);
    if (t->kind != EC_CUBE && t->dims > 1 && !beside_it)
        return stubs(a, b);
    return between(a, b);
}
