/* SPDX-License-Identifier: Apache-2.0 */
/* Rings are circles. Grids have dimension 0 to the right and dimension 1 downwards; those of three
 * dimensions are slices, and links between slices are short arrows. Cubes of up to
 * three dimensions are drawn in perspective, larger ones as a grid in Gray-code order: a link whose
 * ends are not neighbours in that grid is a short arrow with the name of the other end. Knows
 * topologies, no packets. */
#include "draw/layout.h"

#include <math.h>

#define PITCH      124.0 /* between neighbours of a grid; wider in rows with long texts */
#define MARGIN     80.0
#define REACH      52.0
#define ARROW_SIDE 4.0 /* offset of an arrow to the right, to keep both directions apart */
#define TEXT_GAP   5.0 /* between a text and its line */
#define PI         3.14159265358979323846

/* --- Nodes ---------------------------------------------------------------------------------- */

uint32_t layout_gray_rank(uint32_t g)
{
    for (unsigned s = 1; s < 32; s *= 2)
        g ^= g >> s;
    return g;
}

static void place_node(struct layout *l, uint32_t node, double x, double y)
{
    l->at[node] = (struct svg_point){l->margin + x, l->margin + y};
    l->width = fmax(l->width, x + 2 * l->margin);
    l->height = fmax(l->height, y + 2 * l->margin);
}

static void place_ring(struct layout *l)
{
    const double r = fmax(l->rise * 0.75, l->t->nodes * l->rise / (2 * PI));
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        const double angle = 2 * PI * i / l->t->nodes - PI / 2;
        place_node(l, i, r + r * cos(angle), r + r * sin(angle));
    }
    l->width = l->height = 2 * r + 2 * l->margin;
    l->centre = (struct svg_point){l->margin + r, l->margin + r};
}

static void place_cube(struct layout *l)
{
    const unsigned d = l->t->dims;
    const unsigned low = (d + 1) / 2;
    for (uint32_t i = 0; i < l->t->nodes; i++) {
        if (d <= 3)
            place_node(l, i, (i & 1) * 1.5 * l->pitch + (i >> 2 & 1) * 0.72 * l->rise,
                       (i >> 1 & 1) * 1.5 * l->rise +
                           (d == 3) * (1 - (i >> 2 & 1)) * 0.62 * l->rise);
        else
            place_node(l, i, layout_gray_rank(i & ((1U << low) - 1)) * l->pitch,
                       layout_gray_rank(i >> low) * l->rise);
    }
}

/* A third dimension makes slices, in rows of about as many as there are rows. Dimensions that a
 * grid lacks have coordinate 0. */
static void place_grid(struct layout *l, double beside_links)
{
    const struct ec_topology *t = l->t;
    const uint32_t depth = t->dims > 2 ? t->radix[2] : 1;
    const uint32_t columns = (uint32_t)ceil(sqrt(depth));
    const double gap = 2 * fmax(l->margin, beside_links + 16);
    const double wide = (t->radix[0] - 1) * l->pitch + gap;
    const double tall = t->dims > 1 ? (t->radix[1] - 1) * l->rise + 2 * l->margin : 0;
    for (uint32_t i = 0; i < t->nodes; i++) {
        const uint32_t z = t->dims > 2 ? ec_topology_coord(t, i, 2) : 0;
        const uint32_t y = t->dims > 1 ? ec_topology_coord(t, i, 1) : 0;
        place_node(l, i, z % columns * wide + ec_topology_coord(t, i, 0) * l->pitch,
                   z / columns * tall + y * l->rise);
    }
    l->slices = t->dims > 2 ? depth : 0;
    for (uint32_t z = 0; z < l->slices; z++)
        l->slice[z] = (struct svg_point){z % columns * wide, z / columns * tall};
}

/* Leave room at the borders for texts of these widths. */
static void widen_borders(struct layout *l, double beside_nodes, double beside_links)
{
    const double left = fmax(0, beside_links + 16 - l->margin);
    double last = 0;
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        l->at[node].x += left;
        last = fmax(last, l->at[node].x);
    }
    for (unsigned z = 0; z < l->slices; z++)
        l->slice[z].x += left;
    l->centre.x += left;
    l->width += 2 * left;
    l->width = fmax(l->width, last + LAYOUT_RADIUS + beside_nodes + 8);
}

enum ec_code layout_check(const struct ec_topology *t, struct ec_error *reterr)
{
    if (t->nodes > LAYOUT_NODES_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "cannot draw %u nodes: a picture has at most %d nodes; use a smaller network "
            "or --format text",
            t->nodes, LAYOUT_NODES_MAX);
    if (t->kind != EC_CUBE && t->dims > 3)
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw a grid of %u dimensions: expected at most 3; use a cube or "
                       "--format text",
                       t->dims);
    return EC_OK;
}

enum ec_code layout_open(const struct ec_topology *t, double beside_nodes, double beside_links,
                         bool compact, struct layout *ret, struct ec_error *reterr)
{
    const enum ec_code code = layout_check(t, reterr);
    const bool sliced = t->kind != EC_CUBE && t->dims > 2; /* room for short arrows and names */
    const double scale = !compact ? 1 : sliced ? 0.8 : 0.6;
    if (code != EC_OK)
        return code;
    *ret = (struct layout){
        .t = t, .rise = PITCH * scale, .margin = MARGIN * scale, .reach = REACH * scale};
    ret->pitch = fmax(ret->rise, fmax(beside_nodes + 10, beside_links + 2 * LAYOUT_RADIUS + 6));
    if (t->kind == EC_CUBE)
        place_cube(ret);
    else if (t->dims == 1 && t->wrap[0])
        place_ring(ret);
    else
        place_grid(ret, beside_links);
    widen_borders(ret, beside_nodes, beside_links);
    return EC_OK;
}

bool layout_jumps(const struct ec_topology *t)
{
    return t->kind == EC_CUBE ? t->dims > 3 : t->dims > 2;
}

/* --- Links ---------------------------------------------------------------------------------- */

/* The point at `part` of the line from a to b, `aside` to its right. */
static struct svg_point shifted_point(struct svg_point a, struct svg_point b, double part,
                                      double aside)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    return (struct svg_point){a.x + part * (b.x - a.x) - uy * aside,
                              a.y + part * (b.y - a.y) + ux * aside};
}

/* From centre to centre, cut at the circles, `side` to the right. */
static struct layout_link link_between(struct svg_point a, struct svg_point b, double side)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double cut = (LAYOUT_RADIUS + 2) / length;
    return (struct layout_link){.a = shifted_point(a, b, cut, side),
                                .b = shifted_point(a, b, 1 - cut, side)};
}

/* A short arrow. Links of a row go to the upper right, links of a column to the left, each at its
 * own angle. */
static struct layout_link link_short(struct svg_point a, bool in_row, unsigned turn)
{
    const double angle = (in_row ? -16 - 26.0 * turn : 64 + 68.0 * turn) * PI / 180;
    const double c = cos(angle), s = sin(angle), from = LAYOUT_RADIUS + 1, to = from + 20;
    struct layout_link k = {.jumps = true};
    k.a = (struct svg_point){a.x + from * c, a.y + from * s};
    k.b = (struct svg_point){a.x + to * c, a.y + to * s};
    return k;
}

/* A wrap link: out over one border, in over the opposite one. */
static struct layout_link link_wrapped(struct svg_point a, struct svg_point b, double beyond,
                                       double side)
{
    const double length = hypot(b.x - a.x, b.y - a.y), reach = beyond / length;
    const double cut = (LAYOUT_RADIUS + 2) / length;
    struct layout_link k = {.wraps = true};
    k.a = shifted_point(a, b, -cut, -side); /* it leads away from b, so right is left here */
    k.b = shifted_point(a, b, -reach, -side);
    k.a2 = shifted_point(a, b, 1 + reach, -side);
    k.b2 = shifted_point(a, b, 1 + cut, -side);
    return k;
}

static struct layout_link find_link(const struct layout *l, uint32_t node, unsigned link,
                                    double side)
{
    const struct ec_topology *t = l->t;
    const uint32_t to = ec_topology_neighbor(t, node, link);
    const struct svg_point a = l->at[node], b = l->at[to];
    const bool beside_it = fabs(a.x - b.x) < l->pitch * 1.01 && fabs(a.y - b.y) < l->rise * 1.01;
    const unsigned low = (t->dims + 1) / 2; /* dimensions of a row */
    if (t->kind == EC_CUBE && t->dims > 3 && !beside_it)
        return link_short(a, link < low, link < low ? link : link - low);
    if (t->kind != EC_CUBE && link / t->links_per_dim > 1)
        return link_short(a, link % t->links_per_dim == 0, 1); /* to another slice */
    if (t->kind != EC_CUBE && t->dims > 1 && !beside_it)
        return link_wrapped(a, b, l->reach, side);
    return link_between(a, b, side);
}

struct layout_link layout_link(const struct layout *l, uint32_t node, unsigned link)
{
    return find_link(l, node, link, ARROW_SIDE);
}

struct layout_link layout_both_ways(const struct layout *l, uint32_t node, unsigned link)
{
    return find_link(l, node, link, 0);
}

/* --- Texts ---------------------------------------------------------------------------------- */

/* Outside a ring; elsewhere below to the right first, because links leave no room beside nodes. */
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

/* Centre of a text beside the line from a to b, at `part` of it and `away` from touching it; side 1
 * is to the right. */
static struct svg_point spot_beside(struct svg_point a, struct svg_point b, double part,
                                    double side, double away, double width, double height)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;
    const double off = TEXT_GAP + away + fabs(nx) * width / 2 + fabs(ny) * height / 2;
    return (struct svg_point){a.x + part * (b.x - a.x) + side * off * nx,
                              a.y + part * (b.y - a.y) + side * off * ny};
}

/* Behind the end b of a short arrow, roughly in its direction. */
static size_t spots_ahead(struct svg_point a, struct svg_point b, double width, double height,
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

/* Links between two nodes have their texts on the right, which separates opposite links. Wrap links
 * have them at their outer ends, on the free side. */
size_t layout_link_spots(const struct layout_link *k, bool second, double width, double height,
                         struct svg_point ret[LAYOUT_SPOTS_MAX])
{
    const struct svg_point a = second ? k->b2 : k->a, b = second ? k->a2 : k->b;
    size_t n = 0;
    if (k->jumps)
        return spots_ahead(a, b, width, height, ret);
    if (k->wraps) {
        const double outside = second ? -1 : 1; /* away from the opposite link */
        for (double part = 1; part > 0.5; part -= 0.2) {
            ret[n++] = spot_beside(a, b, part, outside, 0, width, height);
            ret[n++] = spot_beside(a, b, part, -outside, 8, width, height);
        }
        for (double part = 1.3; part < 2.6; part += 0.2) /* long texts begin beyond the node */
            ret[n++] = spot_beside(a, b, part, outside, 0, width, height);
        return n;
    }
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double first = length > PITCH ? 0.32 : 0.66; /* not in the middle, where links cross */
    const double parts[] = {first, 1 - first, 0.5, 0.2, 0.8};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ret[n++] = spot_beside(a, b, parts[i], 1, 0, width, height);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ret[n++] = spot_beside(a, b, parts[i], 1, height + 3, width, height);
    return n;
}

/* Costs of a place. A text on a text cannot be read, outside the page it is lost, on a line it has
 * a white rim, and near a line that crosses its own it seems to belong to that one. Later spots
 * cost a little, so that texts stay where readers expect them. */
#define OUTSIDE_COST 40.0 /* per unit of area, as OVERLAP */
#define OVERLAP_COST 4.0
#define LINE_COST    1.0 /* per unit of length */
#define NEAR_COST    0.5 /* the same, within NEAR of the text */
#define NEAR         6.0
#define CHOICE_COST  1.5

void layout_space_begin(struct layout_space *s, struct layout_box page)
{
    s->page = page;
    s->box_count = s->line_count = 0;
}

void layout_space_box(struct layout_space *s, struct layout_box box)
{
    if (s->box_count < LAYOUT_BOXES_MAX)
        s->boxes[s->box_count++] = box;
}

void layout_space_line(struct layout_space *s, struct svg_point a, struct svg_point b)
{
    if (s->line_count == LAYOUT_LINES_MAX)
        return;
    s->lines[s->line_count].a = a;
    s->lines[s->line_count++].b = b;
}

double layout_text_width(const char *text, double size)
{
    double characters = 0;
    for (const char *c = text; *c; c++)
        characters += (*c & 0xc0) != 0x80; /* skip continuation bytes of UTF-8 */
    return 0.62 * size * characters;
}

double layout_text_height(double size)
{
    return 0.72 * size;
}

static double common_area(const struct layout_box *a, const struct layout_box *b)
{
    const double width = fmin(a->right, b->right) - fmax(a->left, b->left);
    const double height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
    return width > 0 && height > 0 ? width * height : 0;
}

/* Narrow [*first, *last] to the part of the line from `from` to `from + by` between two borders. */
static void clip_part(double from, double by, double low, double high, double *first, double *last)
{
    if (fabs(by) < 1e-9) {
        if (from < low || from > high)
            *last = -1;
        return;
    }
    const double enter = (low - from) / by, leave = (high - from) / by;
    *first = fmax(*first, fmin(enter, leave));
    *last = fmin(*last, fmax(enter, leave));
}

static double common_length(const struct layout_box *box, struct svg_point a, struct svg_point b)
{
    double first = 0, last = 1;
    clip_part(a.x, b.x - a.x, box->left, box->right, &first, &last);
    clip_part(a.y, b.y - a.y, box->top, box->bottom, &first, &last);
    return last > first ? (last - first) * hypot(b.x - a.x, b.y - a.y) : 0;
}

static double place_cost(const struct layout_space *s, const struct layout_box *box)
{
    const double area = (box->right - box->left) * (box->bottom - box->top);
    double sum = OUTSIDE_COST * (area - common_area(box, &s->page));
    for (size_t i = 0; i < s->box_count; i++)
        sum += OVERLAP_COST * common_area(box, &s->boxes[i]);
    for (size_t i = 0; i < s->line_count; i++)
        sum += LINE_COST * common_length(box, s->lines[i].a, s->lines[i].b);
    return sum;
}

/* Of the lines that cross `own`. */
static double near_cost(const struct layout_space *s, const struct layout_box *box,
                        const struct layout_link *own)
{
    const struct layout_box around = {box->left - NEAR, box->top - NEAR, box->right + NEAR,
                                      box->bottom + NEAR};
    const double x = own->b.x - own->a.x, y = own->b.y - own->a.y;
    double sum = 0;
    for (size_t i = 0; i < s->line_count; i++) {
        const struct svg_point a = s->lines[i].a, b = s->lines[i].b;
        const double sine =
            (x * (b.y - a.y) - y * (b.x - a.x)) / (hypot(x, y) * hypot(b.x - a.x, b.y - a.y));
        if (fabs(sine) > 0.1) /* not parallel */
            sum += NEAR_COST * common_length(&around, a, b);
    }
    return sum;
}

struct svg_point layout_text(struct layout_space *s, const char *text, double size,
                             const struct layout_link *own, const struct svg_point *spots,
                             size_t count)
{
    const double half = layout_text_width(text, size) / 2, rise = layout_text_height(size) / 2;
    struct layout_box best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct layout_box box = {spots[i].x - half - 1, spots[i].y - rise - 1,
                                       spots[i].x + half + 1, spots[i].y + rise + 1};
        const double cost =
            place_cost(s, &box) + (own ? near_cost(s, &box, own) : 0) + CHOICE_COST * (double)i;
        if (cost < least) {
            least = cost;
            best = box;
        }
    }
    layout_space_box(s, best);
    return (struct svg_point){(best.left + best.right) / 2, best.bottom - 1};
}
