/* SPDX-License-Identifier: Apache-2.0 */
/* What panels show: the steps of schedules, and paths. Must not know
 * how panels are drawn. */
#include "draw/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "draw/layout.h"
#include "ecube/route.h"

/* --- Parts of panels ------------------------------------------------------------------------ */

static bool open_panels(struct panels *p, const struct ec_topology *t, const char *title,
                        size_t count)
{
    *p = (struct panels){.t = t, .count = count};
    snprintf(p->title, sizeof p->title, "%s", title);
    p->panel = calloc(count, sizeof *p->panel);
    bool ok = p->panel != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = (p->panel[i].holds = calloc(t->nodes, sizeof *p->panel[i].holds)) &&
             (p->panel[i].first = calloc(t->nodes, sizeof *p->panel[i].first));
    return ok;
}

void panels_close(struct panels *p)
{
    for (size_t i = 0; p->panel && i < p->count; i++) {
        free(p->panel[i].holds);
        free(p->panel[i].first);
        free(p->panel[i].arrows);
    }
    free(p->panel);
    free(p->label);
    *p = (struct panels){0};
}

/* Hand over panels that are complete (`ok`), or free them. */
static enum ec_code finish_panels(struct panels *p, bool ok, struct panels *ret,
                                  struct ec_error *reterr)
{
    if (ok) {
        *ret = *p;
        return EC_OK;
    }
    panels_close(p);
    return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
}

/* "3, 7, 12", ending in "..." if there is no room for more. */
static void add_name(char text[PANEL_TEXT], const char *name)
{
    const size_t used = strlen(text);
    if (used >= 3 && strcmp(text + used - 3, "...") == 0)
        return;
    const char *comma = used ? ", " : "";
    if (used + strlen(comma) + strlen(name) + 5 < PANEL_TEXT)
        ec_append(text, PANEL_TEXT, "%s%s", comma, name);
    else
        ec_append(text, PANEL_TEXT, "%s...", comma);
}

static bool add_arrow(struct panel *p, uint32_t node, unsigned link, unsigned colour,
                      const char *name)
{
    for (uint32_t i = p->first[node]; i; i = p->arrows[i - 1].next) {
        if (p->arrows[i - 1].link == link) {
            add_name(p->arrows[i - 1].text, name);
            p->arrows[i - 1].packets++;
            return true;
        }
    }
    struct panel_arrow a = {
        .node = node, .link = link, .colour = colour, .packets = 1, .next = p->first[node]};
    add_name(a.text, name);
    p->first[node] = (uint32_t)p->arrow_count + 1;
    return EC_LIST_PUSH(p->arrows, p->arrow_count, p->arrow_room, a);
}

/* Schedules and ring labels have no router: their paths are those of the usual one. */
static const struct ec_router lowest_first = {.order = EC_ORDER_LOW};

/* Arrows along the route from src to dst. */
static bool add_route_arrows(struct panel *p, const struct ec_topology *t,
                             const struct ec_router *r, uint32_t src, uint32_t dst,
                             const char *name)
{
    for (uint32_t at = src; at != dst;) {
        const uint32_t link = ec_route_link(t, r, at, dst);
        if (!add_arrow(p, at, link, link / t->links_per_dim, name))
            return false;
        at = ec_topology_neighbor(t, at, link);
    }
    return true;
}

/* "3", or on a Gray-coded ring its label "r2". */
static void name_node(uint32_t node, bool gray, char *buffer, size_t size)
{
    if (gray)
        snprintf(buffer, size, "r%" PRIu32, layout_gray_rank(node));
    else
        snprintf(buffer, size, "%" PRIu32, node);
}

/* "3.5" is element 5 of node 3; with one element per node its name is that of the node. */
static void name_element(const struct ec_schedule *s, bool gray, uint32_t element, char *buffer,
                         size_t size)
{
    if (s->per_node == 1)
        name_node(element, gray, buffer, size);
    else
        snprintf(buffer, size, "%u.%u", element / s->per_node, element % s->per_node);
}

/* --- Schedules and paths -------------------------------------------------------------------- */

static void fill_holds(struct panel *p, const struct ec_schedule *s, bool gray,
                       const uint32_t *node_of)
{
    const uint32_t elements = s->holders * s->per_node;
    char name[PANEL_TEXT];
    for (uint32_t e = 0; e < elements; e++) {
        name_element(s, gray, e, name, sizeof name);
        add_name(p->holds[node_of[e]], name);
    }
}

static bool add_transfer(struct panel *p, const struct ec_topology *t, const struct ec_schedule *s,
                         bool gray, const struct ec_transfer *x, uint32_t *node_of)
{
    char name[PANEL_TEXT];
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const uint32_t e = s->carried[i].element;
        name_element(s, gray, e, name, sizeof name);
        if (!add_route_arrows(p, t, &lowest_first, x->src, x->dst, name))
            return false;
        node_of[e] = x->dst;
    }
    return true;
}

enum ec_code panels_of_schedule(const struct ec_topology *t, const struct ec_schedule *s, bool gray,
                                const char *title, struct panels *ret, struct ec_error *reterr)
{
    const uint32_t elements = s->holders * s->per_node;
    uint32_t *node_of = malloc(elements * sizeof *node_of);
    struct panels p = {0};
    bool ok = node_of && open_panels(&p, t, title, s->steps ? s->steps : 1);
    for (uint32_t e = 0; ok && e < elements; e++)
        node_of[e] = e / s->per_node;
    size_t next = 0;
    for (uint32_t step = s->steps > 0; ok && step <= s->steps; step++) {
        struct panel *panel = &p.panel[step - (step > 0)];
        for (; ok && next < s->transfer_count && s->transfers[next].step == step; next++)
            ok = add_transfer(panel, t, s, gray, &s->transfers[next], node_of);
        if (!ok)
            break;
        if (step)
            snprintf(panel->title, sizeof panel->title, "step %u of %u", step, s->steps);
        else
            snprintf(panel->title, sizeof panel->title, "no steps");
        panel->holds_head = step ? "then holds" : "holds";
        fill_holds(panel, s, gray, node_of);
    }
    free(node_of);
    p.legend[0] = s->per_node > 1
                      ? "on a link: what crosses it; 5.2 is element 2 of those that began in node 5"
                  : gray
                      ? "on a link: what crosses it, by the ring label of the node where it began"
                      : "on a link: what crosses it, by the node where it began";
    p.legend[1] = layout_jumps(t)
                      ? "beside a node: what it holds, after the step; a short arrow names the "
                        "node it leads to"
                      : "beside a node: what it holds, after the step";
    return finish_panels(&p, ok, ret, reterr);
}

static bool add_paths(struct panel *p, const struct ec_topology *t, const struct ec_router *r,
                      const struct ec_workload *w)
{
    bool ok = true;
    for (size_t i = 0; ok && i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        char name[PANEL_TEXT - 4], to[PANEL_TEXT];
        name_node(m->src, w->gray, name, sizeof name);
        ok = add_route_arrows(p, t, r, m->src, m->dst, name);
        name_node(m->dst, w->gray, name, sizeof name);
        snprintf(to, sizeof to, "to %s", name);
        add_name(p->holds[m->src], to);
    }
    p->holds_head = "sends to";
    return ok;
}

static void explain_paths(struct panels *p)
{
    p->legend[0] = "on a link: the messages that cross it, by the nodes that sent them";
    p->legend[1] =
        layout_jumps(p->t)
            ? "beside a node: where its own goes; a short arrow names the node it leads to"
            : "beside a node: where its own goes";
}

enum ec_code panels_of_paths(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, const char *title, struct panels *ret,
                             struct ec_error *reterr)
{
    struct panels p = {0};
    const bool ok = open_panels(&p, t, title, 1) && add_paths(&p.panel[0], t, r, w);
    if (ok)
        snprintf(p.panel[0].title, sizeof p.panel[0].title, "all paths");
    explain_paths(&p);
    return finish_panels(&p, ok, ret, reterr);
}

/* --- Ring labels ---------------------------------------------------------------------------- */

enum ec_code panels_add_labels(struct panels *p, struct ec_error *reterr)
{
    p->label = calloc(p->t->nodes, sizeof *p->label);
    if (!p->label)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    for (uint32_t node = 0; node < p->t->nodes; node++)
        name_node(node, true, p->label[node], PANEL_LABEL);
    p->legend[2] = "in a node: its number, and its label in the Gray-coded ring, r0, r1, ...";
    return EC_OK;
}
