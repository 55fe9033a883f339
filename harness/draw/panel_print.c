/* SPDX-License-Identifier: Apache-2.0 */
/* Panels as a picture and as text. Knows where things go; must not know what they mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "panel.h"

#define PAGE_WIDTH   1500.0 /* panels are set in lines of about this width */
#define HEAD         46.0   /* above the first line of panels: the title */
#define CAPTION      26.0   /* above each panel */
#define FOOT         60.0   /* below the last: the legend */
#define LEGEND_WIDTH 140.0  /* of one entry */

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

static void draw_label(FILE *out, const struct layout *l, const struct panel_arrow *a, double dx,
                       double dy)
{
    const struct layout_link k = layout_link(l, a->node, a->link);
    char text[PANEL_TEXT + 16];
    snprintf(text, sizeof text, "%s", a->text);
    if (k.jumps)
        snprintf(text, sizeof text, "%s\u2192%u", a->text,
                 ec_topology_neighbor(l->t, a->node, a->link));
    svg_label(out, moved(k.label, dx, dy), 10, SVG_MIDDLE, text);
    if (k.wraps)
        svg_label(out, moved(k.label2, dx, dy), 10, SVG_MIDDLE, a->text);
}

/* Existing links in grey, each once. */
static void draw_network(FILE *out, const struct layout *l, double dx, double dy)
{
    const unsigned links = ec_topology_links(l->t);
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        for (unsigned link = 0; link < links; link++) {
            const uint32_t to = ec_topology_neighbor(l->t, node, link);
            if (to == EC_NONE || to < node)
                continue;
            const struct layout_link k = layout_link(l, node, link);
            if (k.jumps)
                continue;
            svg_faint_line(out, moved(k.a, dx, dy), moved(k.b, dx, dy));
            if (k.wraps)
                svg_faint_line(out, moved(k.a2, dx, dy), moved(k.b2, dx, dy));
        }
    }
}

static void draw_panel(FILE *out, const struct layout *l, const struct panel *p, double dx,
                       double dy)
{
    const unsigned per_dim = l->t->links_per_dim;
    svg_bold(out, (struct svg_point){dx + 12, dy + 16}, 13, SVG_START, p->title);
    dy += CAPTION;
    draw_network(out, l, dx, dy);
    for (size_t i = 0; i < p->arrow_count; i++)
        draw_link(out, l, &p->arrows[i], dx, dy, p->arrows[i].link / per_dim);
    for (uint32_t node = 0; node < l->t->nodes; node++) {
        char name[16];
        snprintf(name, sizeof name, "%u", node);
        svg_circle(out, moved(l->at[node], dx, dy), LAYOUT_RADIUS, "#f4f4f4");
        svg_bold(out, moved(l->at[node], dx, dy + 4), 12, SVG_MIDDLE, name);
        svg_label(out, moved(l->text[node], dx, dy), 11, l->text_anchor, p->holds[node]);
    }
    for (size_t i = 0; i < p->arrow_count; i++)
        draw_label(out, l, &p->arrows[i], dx, dy);
}

/* Which dimension is which colour. */
static void draw_legend(FILE *out, const struct ec_topology *t, double y)
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
    svg_text(out, (struct svg_point){14, y + 22}, 11, SVG_START,
             "small numbers: packets, named by the node that they come from");
}

enum ec_code panels_svg(FILE *out, const struct panels *p, struct ec_error *reterr)
{
    struct layout l;
    const enum ec_code code = layout_open(p->t, &l, reterr);
    if (code)
        return code;
    const double tall = l.height + CAPTION;
    size_t columns = (size_t)fmax(1, floor(PAGE_WIDTH / l.width));
    if (columns > p->count)
        columns = p->count;
    const size_t lines = (p->count + columns - 1) / columns;
    double width = fmax((double)columns * l.width, 16 + 8.5 * (double)strlen(p->title));
    width = fmax(width, 14 + LEGEND_WIDTH * fmax(4, p->t->dims));
    const double height = HEAD + (double)lines * tall + FOOT;
    svg_begin(out, width, height, p->title);
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, p->title);
    for (size_t i = 0; i < p->count; i++)
        draw_panel(out, &l, &p->panel[i], (double)(i % columns) * l.width,
                   HEAD + (double)(i / columns) * tall);
    draw_legend(out, p->t, height - 40);
    svg_end(out);
    return EC_OK;
}

static void print_sends(FILE *out, const struct panels *p, const struct panel *panel, uint32_t node)
{
    for (size_t i = 0; i < panel->arrow_count; i++) {
        const struct panel_arrow *a = &panel->arrows[i];
        char link[16];
        if (a->node != node)
            continue;
        ec_topology_link_name(p->t, a->link, link, sizeof link);
        fprintf(out, "  %s->%u: %s", link, ec_topology_neighbor(p->t, node, a->link), a->text);
    }
}

void panels_text(FILE *out, const struct panels *p)
{
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->count; i++) {
        const struct panel *panel = &p->panel[i];
        fprintf(out, "\n%s\n  %-14s %-*s  %s\n", panel->title, "node", PANEL_TEXT,
                strncmp(panel->title, "step", 4) == 0 ? "then holds" : "holds",
                panel->arrow_count ? "sends link->node: packets" : "");
        for (uint32_t node = 0; node < p->t->nodes; node++) {
            char name[64];
            ec_topology_node_name(p->t, node, name, sizeof name);
            fprintf(out, "  %-14s %-*s", name, PANEL_TEXT, panel->holds[node]);
            print_sends(out, p, panel, node);
            fputc('\n', out);
        }
    }
}
