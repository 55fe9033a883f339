/* SPDX-License-Identifier: Apache-2.0 */
/* Panels: the network at one moment, with what each node holds and what crosses each link. */
#ifndef DRAW_PANELS_H
#define DRAW_PANELS_H

#include <stdio.h>

#include "ecube/error.h"
#include "ecube/schedule.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#define PANEL_TEXT         24
#define PANEL_LEGEND_LINES 2

struct panel_arrow {
    uint32_t node;
    unsigned link;
    uint32_t next;         /* next arrow of the same node: index + 1; 0: none */
    char text[PANEL_TEXT]; /* what crosses the link: packets by their origins */
};

struct panel {
    char title[120];
    const char *holds_head;    /* heading of the column `holds` */
    char (*holds)[PANEL_TEXT]; /* [nodes] text beside each node; owned */
    uint32_t *first;           /* [nodes] first arrow of a node: index + 1; 0: none; owned */
    struct panel_arrow *arrows;
    size_t arrow_count, arrow_room;
};

struct panels {
    const struct ec_topology *t;
    char title[700];
    const char *legend[PANEL_LEGEND_LINES]; /* meaning of the texts at links and beside nodes */
    struct panel *panel;
    size_t count;
};

/* One panel before the first step and one for each step: the links used, and who holds which
 * elements after it (Figures 4.22 and 4.23 of Grama et al.). */
enum ec_code panels_of_schedule(const struct ec_topology *t, const struct ec_schedule *s,
                                const char *title, struct panels *ret, struct ec_error *reterr);

/* One panel with the paths of all messages (Figure 4.24). Each arrow names the sources of the
 * messages that cross the link. */
enum ec_code panels_of_paths(const struct ec_topology *t, enum ec_order order,
                             const struct ec_workload *w, const char *title, struct panels *ret,
                             struct ec_error *reterr);

void panels_close(struct panels *p);

/* EC_USAGE if panels_svg() cannot draw the topology. Call it before making panels. */
enum ec_code panels_svg_check(const struct ec_topology *t, struct ec_error *reterr);
enum ec_code panels_svg(FILE *out, const struct panels *p, struct ec_error *reterr);
void panels_text(FILE *out, const struct panels *p);

#endif
