/* SPDX-License-Identifier: Apache-2.0 */
/* Panels as a picture and as text. Knows where things go; must not know what they mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/labels.h"
#include "draw/layout.h"
#include "draw/panel.h"

#define PAGE_WIDTH   1500.0 /* panels are set in lines of about this width */
#define HEAD         46.0   /* above the first line of panels: the title */
#define CAPTION      26.0   /* above each panel */
#define FOOT         76.0   /* below the last: the legend */
#define LEGEND_WIDTH 140.0  /* of one entry */
#define NODE_SIZE    11.0   /* of the texts beside nodes, and beside links */
#define LINK_SIZE    10.0

static struct svg_point moved(struct svg_point p, double dx, double dy)
{
    return (struct svg_point){p.x + dx, p.y + dy};
}

static void draw_link(FILE *out, const struct layout *l, const struct panel_arrow *a, double dx,
                      double dy, unsigned colour)
{
    const struct layout_link k = layout_link(l, a->node, a->link);
    svg_arrow(out, moved(k.a, dx, dy), moved(k.b, dx, dy), colour, !k.wraps);
    if (k.wraps)
        svg_arrow(out, moved(k.a2, dx, dy), moved(k.b2, dx, dy), colour, 1);
}

static void draw_held(FILE *out, const struct layout *l, const struct panel *p, uint32_t node,
                      double dx, double dy, struct labels *room)
{
    struct svg_point spots[LAYOUT_SPOTS_MAX];
    const char *text = p->holds[node];
    if (!*text)
        return;
    const size_t count =
        layout_node_spots(l, node, labels_width(text, NODE_SIZE), labels_height(NODE_SIZE), spots);
    svg_label(out, moved(labels_place(room, text, NODE_SIZE, spots, count), dx, dy), NODE_SIZE,
              SVG_MIDDLE, text);
}

static void draw_label(FILE *out, const struct layout *l, const struct panel_arrow *a, double dx,
                       double dy, struct labels *room)
{
    const struct layout_link k = layout_link(l, a->node, a->link);
    struct svg_point spots[LAYOUT_SPOTS_MAX];
    char text[PANEL_TEXT + 16];
    snprintf(text, sizeof text, "%s", a->text);
    if (k.jumps)
        snprintf(text, sizeof text, "%s\u2192%u", a->text,
                 ec_topology_neighbor(l->t, a->node, a->link));
    for (int piece = 0; piece < (k.wraps ? 2 : 1); piece++) {
        const size_t count = layout_link_spots(&k, piece, labels_width(text, LINK_SIZE),
                                               labels_height(LINK_SIZE), spots);
        svg_label(out, moved(labels_place(room, text, LINK_SIZE, spots, count), dx, dy), LINK_SIZE,
                  SVG_MIDDLE, text);
    }
}

static void draw_labels(FILE *out, const struct layout *l, const struct panel *p, bool jumps,
                        double dx, double dy, struct labels *room)
{
    for (size_t i = 0; i < p->arrow_count; i++) {
        const struct panel_arrow *a = &p->arrows[i];
        if (layout_link(l, a->node, a->link).jumps == jumps)
            draw_label(out, l, a, dx, dy, room);
    }
}

/* What texts should not cover: nodes, and arrows. */
static void keep_drawn(const struct layout *l, const struct panel *p, struct labels *room)
{
    const double r = LAYOUT_RADIUS + 1;
    labels_begin(room, (struct labels_box){2, 2, l->width - 2, l->height - 2});
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        const struct svg_point at = l->at[node];
        labels_keep_box(room, (struct labels_box){at.x - r, at.y - r, at.x + r, at.y + r});
    }
    for (size_t i = 0; i < p->arrow_count; i++) {
        const struct layout_link k = layout_link(l, p->arrows[i].node, p->arrows[i].link);
        labels_keep_line(room, k.a, k.b);
        if (k.wraps)
            labels_keep_line(room, k.a2, k.b2);
    }
}

static bool is_used(const struct panel *p, const struct layout *l, uint32_t node, uint32_t to)
{
    for (size_t i = 0; i < p->arrow_count; i++) {
        const struct panel_arrow *a = &p->arrows[i];
        const uint32_t end = ec_topology_neighbor(l->t, a->node, a->link);
        if ((a->node == node && end == to) || (a->node == to && end == node))
            return true;
    }
    return false;
}

/* Links that nothing crosses, in grey, each once. */
static void draw_idle(FILE *out, const struct layout *l, const struct panel *p, double dx,
                      double dy)
{
    const unsigned links = ec_topology_links(l->t);
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        for (unsigned link = 0; link < links; link++) {
            const uint32_t to = ec_topology_neighbor(l->t, node, link);
            if (to == EC_NONE || to < node || is_used(p, l, node, to))
                continue;
            const struct layout_link k = layout_both_ways(l, node, link);
            if (k.jumps)
                continue;
            svg_faint_line(out, moved(k.a, dx, dy), moved(k.b, dx, dy));
            if (k.wraps)
                svg_faint_line(out, moved(k.a2, dx, dy), moved(k.b2, dx, dy));
        }
    }
}

static void draw_panel(FILE *out, const struct layout *l, const struct panel *p, double dx,
                       double dy, struct labels *room)
{
    const unsigned per_dim = l->t->links_per_dim;
    svg_bold(out, (struct svg_point){dx + 12, dy + 16}, 13, SVG_START, p->title);
    dy += CAPTION;
    draw_idle(out, l, p, dx, dy);
    for (size_t i = 0; i < p->arrow_count; i++)
        draw_link(out, l, &p->arrows[i], dx, dy, p->arrows[i].link / per_dim);
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        char name[16];
        snprintf(name, sizeof name, "%u", node);
        svg_circle(out, moved(l->at[node], dx, dy), LAYOUT_RADIUS, "#f4f4f4");
        svg_bold(out, moved(l->at[node], dx, dy + 4), 12, SVG_MIDDLE, name);
    }
    keep_drawn(l, p, room);
    /* First what has the fewest places: a short arrow has its text at its end. */
    draw_labels(out, l, p, true, dx, dy, room);
    for (uint32_t node = 0; node < l->t->nodes; node++)
        draw_held(out, l, p, node, dx, dy, room);
    draw_labels(out, l, p, false, dx, dy, room);
}

/* Which dimension is which colour, and what the texts say. */
static void draw_legend(FILE *out, const struct ec_topology *t, const char *const *says, double y)
{
    double x = 14;
    for (unsigned d = 0; d < t->dims; d++) {
        char text[32];
        const struct svg_point a = {x, y}, b = {x + 44, y};
        if (t->radix[d] < 2)
            continue;
        svg_arrow(out, a, b, d, 1);
        snprintf(text, sizeof text, "dimension %u", d);
        svg_text(out, (struct svg_point){x + 50, y + 4}, 11, SVG_START, text);
        x += LEGEND_WIDTH;
    }
    for (size_t i = 0; i < PANEL_SAYS; i++)
        svg_text(out, (struct svg_point){14, y + 22 + 16 * (double)i}, 11, SVG_START, says[i]);
}

static enum ec_code open_layout(const struct panels *p, struct layout *ret, struct ec_error *reterr)
{
    double held = 0, crossing = 0; /* the widest texts */
    for (size_t i = 0; i < p->count; i++) {
        const struct panel *panel = &p->panel[i];
        for (uint32_t node = 0; node < p->t->nodes; node++)
            held = fmax(held, labels_width(panel->holds[node], NODE_SIZE));
        for (size_t a = 0; a < panel->arrow_count; a++)
            crossing = fmax(crossing, labels_width(panel->arrows[a].text, LINK_SIZE));
    }
    return layout_open(p->t, held, crossing, ret, reterr);
}

enum ec_code panels_svg_check(const struct ec_topology *t, struct ec_error *reterr)
{
    return layout_check(t, reterr);
}

enum ec_code panels_svg(FILE *out, const struct panels *p, struct ec_error *reterr)
{
    struct layout l;
    const enum ec_code code = open_layout(p, &l, reterr);
    if (code)
        return code;
    struct labels *room = malloc(sizeof *room);
    if (!room)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    const double tall = l.height + CAPTION;
    size_t columns = (size_t)fmax(1, floor(PAGE_WIDTH / l.width));
    if (columns > p->count)
        columns = p->count;
    const size_t lines = (p->count + columns - 1) / columns;
    double width = fmax((double)columns * l.width, 16 + 8.5 * (double)strlen(p->title));
    width = fmax(width, 14 + LEGEND_WIDTH * p->t->dims);
    for (size_t i = 0; i < PANEL_SAYS; i++)
        width = fmax(width, 28 + labels_width(p->says[i], 11));
    const double height = HEAD + (double)lines * tall + FOOT;
    svg_begin(out, width, height, p->title);
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, p->title);
    for (size_t i = 0; i < p->count; i++)
        draw_panel(out, &l, &p->panel[i], (double)(i % columns) * l.width,
                   HEAD + (double)(i / columns) * tall, room);
    draw_legend(out, p->t, p->says, height - FOOT + 20);
    svg_end(out);
    free(room);
    return EC_OK;
}

/* The arrows out of one node from the lowest link on. */
static void print_sends(FILE *out, const struct panels *p, const struct panel_arrow *const *sends)
{
    for (unsigned link = 0; link < ec_topology_links(p->t); link++) {
        char name[16];
        if (!sends[link])
            continue;
        ec_topology_link_name(p->t, link, name, sizeof name);
        fprintf(out, "  %s->%u: %s", name, ec_topology_neighbor(p->t, sends[link]->node, link),
                sends[link]->text);
    }
}

static void print_panel(FILE *out, const struct panels *p, const struct panel *panel,
                        int name_width)
{
    fprintf(out, "\n%s\n", panel->title);
    if (panel->arrow_count)
        fprintf(out, "  %-*s %-*s  sends link->node: packets\n", name_width, "node", PANEL_TEXT,
                panel->holds_head);
    else
        fprintf(out, "  %-*s %s\n", name_width, "node", panel->holds_head);
    for (uint32_t node = 0; node < p->t->nodes; node++) {
        const struct panel_arrow *sends[2 * EC_DIMS_MAX] = {NULL};
        bool any = false;
        char name[64];
        for (uint32_t i = panel->first[node]; i; i = panel->arrows[i - 1].next) {
            sends[panel->arrows[i - 1].link] = &panel->arrows[i - 1];
            any = true;
        }
        ec_topology_node_name(p->t, node, name, sizeof name);
        const bool more = any || *panel->holds[node];
        fprintf(out, "  %-*s%s%-*s", more ? name_width : 0, name, more ? " " : "",
                any ? PANEL_TEXT : 0, panel->holds[node]);
        print_sends(out, p, sends);
        fputc('\n', out);
    }
}

void panels_text(FILE *out, const struct panels *p)
{
    int name_width = 14;
    for (uint32_t node = 0; node < p->t->nodes; node++) {
        char name[64];
        ec_topology_node_name(p->t, node, name, sizeof name);
        name_width = (int)strlen(name) > name_width ? (int)strlen(name) : name_width;
    }
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->count; i++)
        print_panel(out, p, &p->panel[i], name_width);
}
