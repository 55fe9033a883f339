/* SPDX-License-Identifier: Apache-2.0 */
/* Panels of schedules and paths, as SVG and as text. Positions come from layout.c. */
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/layout.h"

/* --- SVG ------------------------------------------------------------------------------------ */

#define PAGE_WIDTH    1500.0 /* panels are set in rows of about this width */
#define PAGE_HEAD     46.0   /* above the first row of panels: the title */
#define PANEL_CAPTION 26.0   /* above each panel */
#define PAGE_FOOT     76.0   /* below the last row: the legend */
#define LEGEND_WIDTH  140.0  /* of one entry */
#define LINE_HEIGHT   16.0   /* of texts in the legend */
#define NODE_SIZE     11.0   /* font size of the texts beside nodes, and beside links */
#define LINK_SIZE     10.0

/* A panel being drawn, its upper left corner, and the space that is still free in it. */
struct sheet {
    FILE *out;
    const struct layout *l;
    const struct panel *p;
    const char (*label)[PANEL_LABEL]; /* as in struct panels */
    double dx, dy;
    struct layout_space *space;
};

static struct svg_point on_page(const struct sheet *s, struct svg_point p)
{
    return (struct svg_point){s->dx + p.x, s->dy + p.y};
}

static void draw_arrow(const struct sheet *s, const struct panel_arrow *a)
{
    const struct layout_link k = layout_link(s->l, a->node, a->link);
    svg_arrow(s->out, on_page(s, k.a), on_page(s, k.b), a->colour, !k.wraps);
    if (k.wraps)
        svg_arrow(s->out, on_page(s, k.a2), on_page(s, k.b2), a->colour, 1);
}

/* A text at the best of the given places; of a link, or NULL. */
static void draw_text(const struct sheet *s, const char *text, double size,
                      const struct layout_link *own, const struct svg_point *spots, size_t count)
{
    svg_label(s->out, on_page(s, layout_text(s->space, text, size, own, spots, count)), size,
              SVG_MIDDLE, text);
}

static void draw_held(const struct sheet *s, uint32_t node)
{
    struct svg_point spots[LAYOUT_SPOTS_MAX];
    const char *text = s->p->holds[node];
    if (!*text)
        return;
    const size_t count = layout_node_spots(s->l, node, layout_text_width(text, NODE_SIZE),
                                           layout_text_height(NODE_SIZE), spots);
    draw_text(s, text, NODE_SIZE, NULL, spots, count);
}

static void draw_arrow_text(const struct sheet *s, const struct panel_arrow *a)
{
    const struct layout_link k = layout_link(s->l, a->node, a->link);
    struct svg_point spots[LAYOUT_SPOTS_MAX];
    char text[PANEL_TEXT + 16];
    snprintf(text, sizeof text, "%s", a->text);
    if (k.jumps)
        snprintf(text, sizeof text, "%s\u2192%u", a->text,
                 ec_topology_neighbor(s->l->t, a->node, a->link));
    if (!*text)
        return;
    for (int piece = 0; piece < (k.wraps ? 2 : 1); piece++) {
        const size_t count = layout_link_spots(&k, piece, layout_text_width(text, LINK_SIZE),
                                               layout_text_height(LINK_SIZE), spots);
        draw_text(s, text, LINK_SIZE, k.wraps || k.jumps ? NULL : &k, spots, count);
    }
}

static void draw_arrow_texts(const struct sheet *s, bool jumps)
{
    for (size_t i = 0; i < s->p->arrow_count; i++) {
        const struct panel_arrow *a = &s->p->arrows[i];
        if (layout_link(s->l, a->node, a->link).jumps == jumps)
            draw_arrow_text(s, a);
    }
}

/* Mark nodes and arrows as taken, so that texts avoid them. */
static void reserve_space(const struct sheet *s)
{
    const struct layout *l = s->l;
    const double r = LAYOUT_RADIUS + 1;
    layout_space_begin(s->space, (struct layout_box){2, 2, l->width - 2, l->height - 2});
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        const struct svg_point at = l->at[node];
        layout_space_box(s->space, (struct layout_box){at.x - r, at.y - r, at.x + r, at.y + r});
    }
    for (size_t i = 0; i < s->p->arrow_count; i++) {
        const struct layout_link k = layout_link(l, s->p->arrows[i].node, s->p->arrows[i].link);
        layout_space_line(s->space, k.a, k.b);
        if (k.wraps)
            layout_space_line(s->space, k.a2, k.b2);
    }
}

static bool is_used(const struct sheet *s, uint32_t node, uint32_t to)
{
    for (size_t i = 0; i < s->p->arrow_count; i++) {
        const struct panel_arrow *a = &s->p->arrows[i];
        const uint32_t end = ec_topology_neighbor(s->l->t, a->node, a->link);
        if ((a->node == node && end == to) || (a->node == to && end == node))
            return true;
    }
    return false;
}

/* Links that nothing crosses, in grey, each once. */
static void draw_idle_links(const struct sheet *s)
{
    const struct ec_topology *t = s->l->t;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            const uint32_t to = ec_topology_neighbor(t, node, link);
            if (to == EC_NONE || to < node || is_used(s, node, to))
                continue;
            const struct layout_link k = layout_both_ways(s->l, node, link);
            if (k.jumps)
                continue;
            svg_faint_line(s->out, on_page(s, k.a), on_page(s, k.b));
            if (k.wraps)
                svg_faint_line(s->out, on_page(s, k.a2), on_page(s, k.b2));
        }
    }
}

static void draw_nodes(const struct sheet *s)
{
    for (uint32_t node = 0; node < s->l->t->nodes; node++) {
        struct svg_point at = on_page(s, s->l->at[node]);
        char name[16];
        snprintf(name, sizeof name, "%u", node);
        svg_circle(s->out, at, LAYOUT_RADIUS, "#f4f4f4");
        at.y += s->label ? 1 : 4;
        svg_bold(s->out, at, 12, SVG_MIDDLE, name);
        at.y += 10;
        if (s->label)
            svg_text(s->out, at, 9, SVG_MIDDLE, s->label[node]);
    }
}

/* Above each slice of a grid: the coordinate that its nodes share. */
static void draw_slice_names(const struct sheet *s)
{
    for (unsigned z = 0; z < s->l->slices; z++) {
        char name[16];
        const struct svg_point at = {s->l->slice[z].x + 12, s->l->slice[z].y + 12};
        const int length = snprintf(name, sizeof name, "z = %u", z);
        svg_text(s->out, on_page(s, at), NODE_SIZE, SVG_START, name);
        layout_space_box(
            s->space, (struct layout_box){at.x, at.y - NODE_SIZE, at.x + NODE_SIZE * length, at.y});
    }
}

static void draw_panel(struct sheet s)
{
    svg_bold(s.out, (struct svg_point){s.dx + 12, s.dy + 16}, 13, SVG_START, s.p->title);
    s.dy += PANEL_CAPTION;
    draw_idle_links(&s);
    for (size_t i = 0; i < s.p->arrow_count; i++)
        draw_arrow(&s, &s.p->arrows[i]);
    draw_nodes(&s);
    reserve_space(&s);
    draw_slice_names(&s);
    /* Texts with the fewest places come first: that of a short arrow is at its end. */
    draw_arrow_texts(&s, true);
    for (uint32_t node = 0; node < s.l->t->nodes; node++)
        draw_held(&s, node);
    draw_arrow_texts(&s, false);
}

static bool has_colour(const struct panels *p, unsigned colour)
{
    for (size_t i = 0; i < p->count; i++) {
        for (size_t a = 0; a < p->panel[i].arrow_count; a++) {
            if (p->panel[i].arrows[a].colour == colour)
                return true;
        }
    }
    return false;
}

/* The meaning of each colour, and of the texts. */
static void draw_legend(FILE *out, const struct panels *p, double y)
{
    double x = 14;
    for (unsigned d = 0; d < p->t->dims; d++) {
        char text[32];
        const struct svg_point a = {x, y}, b = {x + 44, y};
        if (!has_colour(p, d))
            continue;
        svg_arrow(out, a, b, d, 1);
        snprintf(text, sizeof text, "dimension %u", d);
        svg_text(out, (struct svg_point){x + 50, y + 4}, 11, SVG_START, text);
        x += LEGEND_WIDTH;
    }
    y += 6;
    for (size_t i = 0; i < PANEL_LEGEND_LINES && p->legend[i]; i++)
        svg_text(out, (struct svg_point){14, y += LINE_HEIGHT}, 11, SVG_START, p->legend[i]);
}

static enum ec_code open_layout(const struct panels *p, struct layout *ret, struct ec_error *reterr)
{
    double held = 0, crossing = 0; /* the widest texts */
    for (size_t i = 0; i < p->count; i++) {
        const struct panel *panel = &p->panel[i];
        for (uint32_t node = 0; node < p->t->nodes; node++)
            held = fmax(held, layout_text_width(panel->holds[node], NODE_SIZE));
        for (size_t a = 0; a < panel->arrow_count; a++)
            crossing = fmax(crossing, layout_text_width(panel->arrows[a].text, LINK_SIZE));
    }
    return layout_open(p->t, held, crossing, p->compact, ret, reterr);
}

enum ec_code panels_svg_check(const struct ec_topology *t, struct ec_error *reterr)
{
    return layout_check(t, reterr);
}

/* Of the title and the legend. */
static double text_width(const struct panels *p)
{
    double width = fmax(16 + 8.5 * (double)strlen(p->title), 14 + LEGEND_WIDTH * p->t->dims);
    if (p->count == 1) /* those of several panels are short */
        width = fmax(width, 16 + 8.5 * (double)strlen(p->panel->title));
    for (size_t i = 0; i < PANEL_LEGEND_LINES && p->legend[i]; i++)
        width = fmax(width, 28 + layout_text_width(p->legend[i], 11));
    return width;
}

enum ec_code panels_svg(FILE *out, const struct panels *p, struct ec_error *reterr)
{
    struct layout l;
    const enum ec_code code = open_layout(p, &l, reterr);
    if (code)
        return code;
    struct layout_space *space = malloc(sizeof *space);
    if (!space)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    const double tall = l.height + PANEL_CAPTION;
    size_t columns = p->columns ? p->columns : (size_t)fmax(1, floor(PAGE_WIDTH / l.width));
    if (columns > p->count)
        columns = p->count;
    const size_t rows = (p->count + columns - 1) / columns;
    const double width = fmax((double)columns * l.width, text_width(p));
    const double foot = PAGE_FOOT + (p->legend[PANEL_LEGEND_LINES - 1] ? LINE_HEIGHT : 0);
    const double height = PAGE_HEAD + (double)rows * tall + foot;
    char description[400];
    snprintf(description, sizeof description, "The network in %zu panels; %s; %s.", p->count,
             p->legend[0], p->legend[1]);
    svg_begin(out, width, height, p->millimetres, p->title, description);
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, p->title);
    for (size_t i = 0; i < p->count; i++)
        draw_panel((struct sheet){.out = out,
                                  .l = &l,
                                  .p = &p->panel[i],
                                  .label = (const char(*)[PANEL_LABEL])p->label,
                                  .dx = (double)(i % columns) * l.width,
                                  .dy = PAGE_HEAD + (double)(i / columns) * tall,
                                  .space = space});
    draw_legend(out, p, height - foot + 20);
    svg_end(out);
    free(space);
    return EC_OK;
}

/* --- Text ----------------------------------------------------------------------------------- */

/* The arrows that leave one node, lowest link first. */
static void print_sends(FILE *out, const struct panels *p, const struct panel_arrow *const *sends)
{
    for (unsigned link = 0; link < ec_topology_links(p->t); link++) {
        char name[16];
        if (!sends[link])
            continue;
        ec_topology_link_name(p->t, link, name, sizeof name);
        fprintf(out, "  %s->%u%s%s", name, ec_topology_neighbor(p->t, sends[link]->node, link),
                *sends[link]->text ? ": " : "", sends[link]->text);
    }
}

/* With its label, if it has one. */
static int write_node_name(const struct panels *p, uint32_t node, char *buffer, size_t size)
{
    ec_topology_node_name(p->t, node, buffer, size);
    if (p->label)
        ec_append(buffer, size, " %s", p->label[node]);
    return (int)strlen(buffer);
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
        write_node_name(p, node, name, sizeof name);
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
        const int length = write_node_name(p, node, name, sizeof name);
        name_width = length > name_width ? length : name_width;
    }
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->count; i++)
        print_panel(out, p, &p->panel[i], name_width);
}
