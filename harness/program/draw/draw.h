/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: panels and grids, as SVG and as text. */
#pragma once

#include <stdio.h>

#include "ecube/error.h"
#include "ecube/schedule.h"
#include "ecube/sdp.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

/* --- Panels --------------------------------------------------------------------------------- */

/* Panels: the network at one moment, with the elements of each node and the packets on each link.
 */
#define PANEL_TEXT         24
#define PANEL_LEGEND_LINES 3
#define PANEL_LABEL        16

struct panel_arrow {
    uint32_t node;
    unsigned link;
    unsigned colour;
    uint32_t packets;
    uint32_t next;         /* next arrow of the same node: index + 1; 0: none */
    char text[PANEL_TEXT]; /* the packets on the link, by their origins */
};

struct panel {
    char title[240];
    const char *holds_head;    /* heading of the column `holds` */
    char (*holds)[PANEL_TEXT]; /* [nodes] text beside each node; owned */
    uint32_t *first;           /* [nodes] first arrow of a node: index + 1; 0: none; owned */
    struct panel_arrow *arrows;
    size_t arrow_count, arrow_room;
};

struct panels {
    const struct ec_topology *t;
    char title[700];
    const char *legend[PANEL_LEGEND_LINES]; /* meaning of the texts at links, beside nodes and in
                                               them; NULL: no line */
    char (*label)[PANEL_LABEL]; /* [nodes] second names of the nodes, "r3"; owned; NULL: none */
    struct panel *panel;
    size_t count;

    /* The page, chosen by the caller. */
    unsigned columns;   /* panels in a row; 0: as many as a screen shows */
    double millimetres; /* its width in print; 0: a pixel is 1/96 inch */
    bool compact;       /* less space between nodes */
};

/* One panel for each step: the links used, and the elements in each node after it (Figures 4.22 and
 * 4.23 of Grama et al.). A schedule without steps has a panel of what nodes hold. `gray`: elements
 * are named by the ring label of the node where they began. */
enum ec_code panels_of_schedule(const struct ec_topology *t, const struct ec_schedule *s, bool gray,
                                const char *title, struct panels *ret, struct ec_error *reterr);

/* One panel with the paths of all messages (Figure 4.24). Each arrow names the sources of the
 * messages that cross the link. */
enum ec_code panels_of_paths(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, const char *title, struct panels *ret,
                             struct ec_error *reterr);

/* Write the Gray labels of the ring into the nodes. */
enum ec_code panels_add_labels(struct panels *p, struct ec_error *reterr);

void panels_close(struct panels *p);

/* EC_USAGE if panels_svg() cannot draw the topology. Call it before making panels. */
enum ec_code panels_svg_check(const struct ec_topology *t, struct ec_error *reterr);
enum ec_code panels_svg(FILE *out, const struct panels *p, struct ec_error *reterr);
void panels_text(FILE *out, const struct panels *p);

/* --- Grids ---------------------------------------------------------------------------------- */

/* Grids: rows over time, as in the tables of GSH schedules (Johnsson and Ho, Figures 2 to 5 and 8
 * to 10): rows are memory, columns steps, cells exchanges. */
struct grid_cell {
    uint32_t row, column; /* column: step, from 1 */
    unsigned colour;
    bool plain; /* white */
    char text[16];
};

struct grid {
    char title[700];
    const char *row_head, *column_head, *legend;
    const char *colour_name; /* what has a colour of its own */
    const char *note;        /* a second line below; NULL: none */
    char (*row)[40];         /* names of the rows; owned */
    uint32_t rows, columns;
    struct grid_cell *cells; /* sorted by row, then column; owned */
    size_t cell_count;
    double millimetres; /* as in struct panels */
};

/* Room for rows, cells and the title. */
enum ec_code grid_open(struct grid *g, size_t rows, size_t cells, const char *title,
                       struct ec_error *reterr);

/* With the points where two rows synchronise, because elements change from one to the other. `sdp`:
 * name dimensions as the paper does; NULL: by number. EC_USAGE if the schedule is not a table of
 * exchanges. */
enum ec_code grid_of_exchanges(const struct ec_schedule *s, const struct ec_sdp *sdp,
                               const char *title, struct grid *ret, struct ec_error *reterr);

void grid_close(struct grid *g);
/* EC_USAGE if the grid is too large for a picture. */
enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr);
/* Grids wider than `width` characters (0: no limit) are printed in blocks of columns. */
void grid_text(FILE *out, const struct grid *g, unsigned width);
