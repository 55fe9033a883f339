/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: rows over time, a cell where something happens. Two kinds of picture are grids: the
 * tables of GSH schedules (Johnsson and Ho, Figures 2 to 5 and 8 to 10: rows are memory, columns
 * steps, cells exchanges), and measured link use (rows are links, columns cycles, cells words). */
#ifndef DRAW_GRID_H
#define DRAW_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/schedule.h"

struct grid_cell {
    uint32_t row, column; /* column: step or cycle, from 1 */
    unsigned colour;
    char text[8];
};

struct grid {
    char title[700];
    const char *row_head, *column_head, *legend;
    char (*row)[40]; /* names of the rows; owned */
    uint32_t rows, columns;
    struct grid_cell *cells; /* sorted by row, then column; owned */
    size_t cell_count, cell_room;
};

/* EC_USAGE if the schedule is no table of exchanges. */
enum ec_code grid_of_exchanges(const struct ec_schedule *s, const char *title, struct grid *ret,
                               struct ec_error *reterr);

/* Link use: watch a net while it runs, then make the grid of it. A run of more cycles, those after
 * its last word included, is no picture: it has to be stopped there. */
#define LINK_USE_CYCLES_MAX 100000
struct link_use;
struct link_use *link_use_open(const struct ec_topology *t); /* NULL: out of memory */
const struct ec_net_watch *link_use_watch(struct link_use *u);
enum ec_code grid_of_link_use(struct link_use *u, const char *title, struct grid *ret,
                              struct ec_error *reterr);
void link_use_close(struct link_use *u); /* NULL is fine */

void grid_close(struct grid *g);
/* EC_USAGE for what is too large to be looked at. */
enum ec_code grid_svg_check(uint64_t rows, uint64_t columns, struct ec_error *reterr);
enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr);
/* In pieces below one another where it is wider than `width` characters (0: never). */
void grid_text(FILE *out, const struct grid *g, unsigned width);

#endif
