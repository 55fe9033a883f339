/* SPDX-License-Identifier: Apache-2.0 */
/* What the panels say, made from schedules and messages. Knows who moves; must not know geometry.
 */
#include "draw/panel.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"

static enum ec_code no_memory(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
}

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
    *p = (struct panels){0};
}

/* "3, 7, 12", with "..." for what has no room. */
static void add_name(char text[PANEL_TEXT], const char *name)
{
    const size_t used = strlen(text);
    if (used >= 3 && strcmp(text + used - 3, "...") == 0)
        return;
    const char *comma = used ? ", " : "";
    if (used + strlen(comma) + strlen(name) + 5 < PANEL_TEXT)
        snprintf(text + used, PANEL_TEXT - used, "%s%s", comma, name);
    else
        snprintf(text + used, PANEL_TEXT - used, "%s...", comma);
}

static bool add_arrow(struct panel *p, uint32_t node, unsigned link, const char *name)
{
    for (uint32_t i = p->first[node]; i; i = p->arrows[i - 1].next) {
        if (p->arrows[i - 1].link == link) {
            add_name(p->arrows[i - 1].text, name);
            return true;
        }
    }
    if (p->arrow_count == p->arrow_room) {
        const size_t room = p->arrow_room ? 2 * p->arrow_room : 64;
        struct panel_arrow *arrows = realloc(p->arrows, room * sizeof *arrows);
        if (!arrows)
            return false;
        p->arrows = arrows;
        p->arrow_room = room;
    }
    struct panel_arrow *a = &p->arrows[p->arrow_count++];
    *a = (struct panel_arrow){.node = node, .link = link, .next = p->first[node]};
    p->first[node] = (uint32_t)p->arrow_count;
    add_name(a->text, name);
    return true;
}

/* Element 5 of node 3 of several is 3.5; where there is one per node, it is 3. */
static void element_name(const struct ec_schedule *s, uint32_t element, char *buffer, size_t size)
{
    if (s->per_node == 1)
        snprintf(buffer, size, "%u", element);
    else
        snprintf(buffer, size, "%u.%u", element / s->per_node, element % s->per_node);
}

static void fill_holds(struct panel *p, const struct ec_schedule *s, const uint32_t *node_of)
{
    const uint32_t elements = s->holders * s->per_node;
    char name[PANEL_TEXT];
    for (uint32_t e = 0; e < elements; e++) {
        element_name(s, e, name, sizeof name);
        add_name(p->holds[node_of[e]], name);
    }
}

static bool add_transfer(struct panel *p, const struct ec_topology *t, const struct ec_schedule *s,
                         const struct ec_transfer *x, uint32_t *node_of)
{
    char name[PANEL_TEXT];
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const uint32_t e = s->carried[i].element;
        element_name(s, e, name, sizeof name);
        for (uint32_t at = x->src; at != x->dst;) { /* one link, but for what is not adjacent */
            const uint32_t link = ec_route_link(t, EC_ORDER_LOW, at, x->dst);
            if (!add_arrow(p, at, link, name))
                return false;
            at = ec_topology_neighbor(t, at, link);
        }
        node_of[e] = x->dst;
    }
    return true;
}

enum ec_code panels_of_schedule(const struct ec_topology *t, const struct ec_schedule *s,
                                const char *title, struct panels *ret, struct ec_error *reterr)
{
    const uint32_t elements = s->holders * s->per_node;
    uint32_t *node_of = malloc(elements * sizeof *node_of);
    struct panels p = {0};
    bool ok = node_of && open_panels(&p, t, title, (size_t)s->steps + 1);
    for (uint32_t e = 0; ok && e < elements; e++)
        node_of[e] = e / s->per_node;
    size_t next = 0;
    for (uint32_t step = 0; ok && step <= s->steps; step++) {
        struct panel *panel = &p.panel[step];
        for (; ok && next < s->transfer_count && s->transfers[next].step == step; next++)
            ok = add_transfer(panel, t, s, &s->transfers[next], node_of);
        if (!ok)
            break;
        if (step)
            snprintf(panel->title, sizeof panel->title, "step %u of %u", step, s->steps);
        else
            snprintf(panel->title, sizeof panel->title, "before");
        panel->holds_head = step ? "then holds" : "holds";
        fill_holds(panel, s, node_of);
    }
    free(node_of);
    if (ok) {
        p.says[0] =
            s->per_node == 1
                ? "on a link: what crosses it, by the node where it began"
                : "on a link: what crosses it; 5.2 is element 2 of those that began in node 5";
        p.says[1] = t->kind == EC_CUBE && t->dims > 3
                        ? "beside a node: what it holds, after the step; a short arrow names the "
                          "node it leads to"
                        : "beside a node: what it holds, after the step";
        *ret = p;
        return EC_OK;
    }
    panels_close(&p);
    return no_memory(reterr);
}

enum ec_code panels_of_paths(const struct ec_topology *t, enum ec_order order,
                             const struct ec_workload *w, const char *title, struct panels *ret,
                             struct ec_error *reterr)
{
    struct panels p = {0};
    bool ok = open_panels(&p, t, title, 1);
    for (size_t i = 0; ok && i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        char name[PANEL_TEXT];
        snprintf(name, sizeof name, "%u", m->src);
        for (uint32_t at = m->src; ok && at != m->dst;) {
            const uint32_t link = ec_route_link(t, order, at, m->dst);
            ok = add_arrow(&p.panel[0], at, link, name);
            at = ec_topology_neighbor(t, at, link);
        }
        snprintf(name, sizeof name, "to %u", m->dst);
        if (ok)
            add_name(p.panel[0].holds[m->src], name);
    }
    if (ok) {
        snprintf(p.panel[0].title, sizeof p.panel[0].title, "all paths");
        p.panel[0].holds_head = "sends to";
        p.says[0] = "on a link: the messages that cross it, by the nodes that sent them";
        p.says[1] =
            t->kind == EC_CUBE && t->dims > 3
                ? "beside a node: where its own goes; a short arrow names the node it leads to"
                : "beside a node: where its own goes";
        *ret = p;
        return EC_OK;
    }
    panels_close(&p);
    return no_memory(reterr);
}
