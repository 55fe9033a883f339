/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry. Knows topologies; must not know packets. Rings are circles, grids are grids with
 * dimension 0 to the right and dimension 1 downwards, cubes of three dimensions are drawn in
 * perspective, larger ones as a grid in the order of the Gray code, where links that do not join
 * neighbours of the grid are begun only, with the name of the other end. */
#include "draw/layout.h"

#include <math.h>

#define PITCH      124.0 /* between neighbours of a grid; in a row more where texts are long */
#define MARGIN     80.0
#define ARROW_SIDE 4.0 /* of an arrow to the right of its way, so that both directions are seen */
#define PI         3.14159265358979323846

static uint32_t gray_rank(uint32_t g)
{
    for (unsigned s = 1; s < 32; s *= 2)
        g ^= g >> s;
    return g;
}

static void place(struct layout *l, uint32_t node, double x, double y)
{
    l->at[node] = (struct svg_point){MARGIN + x, MARGIN + y};
    l->width = fmax(l->width, x + 2 * MARGIN);
    l->height = fmax(l->height, y + 2 * MARGIN);
}

static void place_ring(struct layout *l)
{
    const double r = fmax(PITCH * 0.75, l->t->nodes * PITCH / (2 * PI));
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        const double angle = 2 * PI * i / l->t->nodes - PI / 2;
        place(l, i, r + r * cos(angle), r + r * sin(angle));
    }
    l->width = l->height = 2 * r + 2 * MARGIN;
    l->centre = (struct svg_point){MARGIN + r, MARGIN + r};
}

static void place_cube(struct layout *l)
{
    const unsigned d = l->t->dims;
    const unsigned low = (d + 1) / 2;
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        if (d <= 3)
            place(l, i, (i & 1) * 1.5 * l->pitch + (i >> 2 & 1) * 0.72 * PITCH,
                  (i >> 1 & 1) * 1.5 * PITCH + (d == 3) * (1 - (i >> 2 & 1)) * 0.62 * PITCH);
        else
            place(l, i, gray_rank(i & ((1U << low) - 1)) * l->pitch, gray_rank(i >> low) * PITCH);
    }
}

/* Room at the borders for texts of these widths. */
static void widen(struct layout *l, double beside_nodes, double beside_links)
{
    const double left = fmax(0, beside_links + 16 - MARGIN);
    double last = 0;
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        l->at[node].x += left;
        last = fmax(last, l->at[node].x);
    }
    l->centre.x += left;
    l->width += 2 * left;
    l->width = fmax(l->width, last + LAYOUT_RADIUS + beside_nodes + 8);
}

enum ec_code layout_check(const struct ec_topology *t, struct ec_error *reterr)
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
    return EC_OK;
}

enum ec_code layout_open(const struct ec_topology *t, double beside_nodes, double beside_links,
                         struct layout *ret, struct ec_error *reterr)
{
    const enum ec_code code = layout_check(t, reterr);
    if (code != EC_OK)
        return code;
    *ret = (struct layout){.t = t};
    ret->pitch = fmax(PITCH, fmax(beside_nodes + 10, beside_links + 2 * LAYOUT_RADIUS + 6));
    if (t->kind == EC_CUBE)
        place_cube(ret);
    else if (t->dims == 1 && t->wrap[0])
        place_ring(ret);
    else
        for (uint32_t i = 0; i < t->nodes; i++)
            place(ret, i, ec_topology_coord(t, i, 0) * ret->pitch,
                  t->dims > 1 ? ec_topology_coord(t, i, 1) * PITCH : 0);
    widen(ret, beside_nodes, beside_links);
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

/* From centre to centre, cut at the circles, `side` to the right of the straight way. */
static struct layout_link between(struct svg_point a, struct svg_point b, double side)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double cut = (LAYOUT_RADIUS + 2) / length;
    return (struct layout_link){.a = beside(a, b, cut, side), .b = beside(a, b, 1 - cut, side)};
}

/* A link of a large cube to a node that is not beside this one: an arrow that only begins. Links of
 * a row go to the upper right, those of a column to the left, each at an angle of its own. */
static struct layout_link jump(struct svg_point a, bool in_row, unsigned turn)
{
    const double angle = (in_row ? -16 - 26.0 * turn : 64 + 68.0 * turn) * PI / 180;
    const double c = cos(angle), s = sin(angle), from = LAYOUT_RADIUS + 1, to = from + 20;
    struct layout_link k = {.jumps = true};
    k.a = (struct svg_point){a.x + from * c, a.y + from * s};
    k.b = (struct svg_point){a.x + to * c, a.y + to * s};
    return k;
}

/* On a wrapped grid the ends lie apart: out over the border, in over the opposite one. */
static struct layout_link stubs(struct svg_point a, struct svg_point b, double side)
{
    const double length = hypot(b.x - a.x, b.y - a.y), reach = 52 / length;
    const double cut = (LAYOUT_RADIUS + 2) / length;
    struct layout_link k = {.wraps = true};
    k.a = beside(a, b, -cut, -side); /* it leads away from b, so its right is the left here */
    k.b = beside(a, b, -reach, -side);
    k.a2 = beside(a, b, 1 + reach, -side);
    k.b2 = beside(a, b, 1 + cut, -side);
    return k;
}

static struct layout_link find(const struct layout *l, uint32_t node, unsigned link, double side)
{
    const struct ec_topology *t = l->t;
    const uint32_t to = ec_topology_neighbor(t, node, link);
    const struct svg_point a = l->at[node], b = l->at[to];
    const bool beside_it = fabs(a.x - b.x) < l->pitch * 1.01 && fabs(a.y - b.y) < PITCH * 1.01;
    const unsigned low = (t->dims + 1) / 2; /* dimensions of a row */
    if (t->kind == EC_CUBE && t->dims > 3 && !beside_it)
        return jump(a, link < low, link < low ? link : link - low);
    if (t->kind != EC_CUBE && t->dims > 1 && !beside_it)
        return stubs(a, b, side);
    return between(a, b, side);
}

struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link)
{
    return find(l, node, link, ARROW_SIDE);
}

struct layout_link layout_both_ways(const struct layout *l, uint32_t node, unsigned link)
{
    return find(l, node, link, 0);
}

/* Outside of a ring; elsewhere below to the right first, as the links leave no room beside. */
size_t layout_node_spots(const struct layout *l, uint32_t node, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX])
{
    const struct svg_point at = l->at[node];
    const double right = 13 + width / 2, down = 21 + height / 2;
    size_t n = 0;
    if (l->t->dims == 1 && l->t->wrap[0] && l->t->kind != EC_CUBE) {
        const double x = at.x - l->centre.x, y = at.y - l->centre.y, r = hypot(x, y);
        for (double away = 20; away <= 30; away += 5)
            ret[n++] = (struct svg_point){at.x + x / r * (away + width / 2),
                                          at.y + y / r * (away + height / 2)};
        return n;
    }
    for (double way = 0; way <= 45; way += 9) {
        ret[n++] = (struct svg_point){at.x + right, at.y + down + way};
        ret[n++] = (struct svg_point){at.x - right, at.y + down + way};
        ret[n++] = (struct svg_point){at.x + right, at.y - down - way};
        ret[n++] = (struct svg_point){at.x - right, at.y - down - way};
    }
    ret[n++] = (struct svg_point){at.x, at.y + down + 3};
    return n;
}

#define GAP 5.0 /* between a text and its line */

/* Beside the way from a to b, at `part` of it, `away` from touching it; side 1 is to the right. */
static struct svg_point touching(struct svg_point a, struct svg_point b, double part, double side,
                                 double away, double width, double height)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;
    const double off = GAP + away + fabs(nx) * width / 2 + fabs(ny) * height / 2;
    return (struct svg_point){a.x + part * (b.x - a.x) + side * off * nx,
                              a.y + part * (b.y - a.y) + side * off * ny};
}

/* Behind the end b of a short arrow, more or less in its direction. */
static size_t ahead(struct svg_point a, struct svg_point b, double width, double height,
                    struct svg_point *ret)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    const double sx = ux < 0 ? -1 : 1, sy = uy < 0 ? -1 : 1;
    size_t n = 0;
    for (double away = 4; away <= 14; away += 5) {
        const struct svg_point at = {b.x + ux * away, b.y + uy * away};
        const struct svg_point level = {at.x + sx * width / 2, at.y};
        const struct svg_point upright = {at.x, at.y + sy * height / 2};
        ret[n++] = fabs(uy) > 0.8 ? upright : level;
        ret[n++] = fabs(uy) > 0.8 ? level : upright;
        ret[n++] = (struct svg_point){b.x + ux * away - sx * width / 3,
                                      b.y + uy * away + sy * (height / 2 + 1)};
    }
    return n;
}

/* Links between two nodes have their texts to the right of their way, so that two opposite ones are
 * told apart; those over a border at their outer ends, on the side that is free. */
size_t layout_link_spots(const struct layout_link *k, bool second, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX])
{
    const struct svg_point a = second ? k->b2 : k->a, b = second ? k->a2 : k->b;
    size_t n = 0;
    if (k->jumps)
        return ahead(a, b, width, height, ret);
    if (k->wraps) {
        const double outside = second ? -1 : 1; /* away from the opposite link */
        for (double part = 1; part > 0.5; part -= 0.2) {
            ret[n++] = touching(a, b, part, outside, 0, width, height);
            ret[n++] = touching(a, b, part, -outside, 8, width, height);
        }
        for (double part = 1.3; part < 2.6; part += 0.2) /* a long text begins beyond the node */
            ret[n++] = touching(a, b, part, outside, 0, width, height);
        return n;
    }
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double first = length > PITCH ? 0.32 : 0.66; /* not in the middle, where ways cross */
    const double parts[] = {first, 1 - first, 0.5, 0.2, 0.8};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ret[n++] = touching(a, b, parts[i], 1, 0, width, height);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ret[n++] = touching(a, b, parts[i], 1, height + 3, width, height);
    return n;
}
