/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: rows over time. Two kinds of picture are grids: the tables of GSH schedules (Johnsson and
 * Ho, Figures 2 to 5 and 8 to 10: rows are memory, columns steps, cells exchanges), and measured
 * link use (rows are links, columns cycles, cells words). */
#ifndef DRAW_GRIDS_H
#define DRAW_GRIDS_H

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
    size_t cell_count;
};

/* EC_USAGE if the schedule is not a table of exchanges. */
enum ec_code grid_of_exchanges(const struct ec_schedule *s, const char *title, struct grid *ret,
                               struct ec_error *reterr);

/* Link use: watch a net while it runs, then turn it into a grid. Runs must stop after this many
 * cycles. */
#define LINK_USE_CYCLES_MAX 100000
struct link_use;
struct link_use *link_use_open(const struct ec_topology *t); /* NULL: out of memory */
const struct ec_net_watch *link_use_watch(struct link_use *u);
enum ec_code grid_of_link_use(struct link_use *u, const char *title, struct grid *ret,
                              struct ec_error *reterr);
void link_use_close(struct link_use *u); /* accepts NULL */

void grid_close(struct grid *g);
/* EC_USAGE if the grid is too large for a picture. */
enum ec_code grid_svg_check(uint64_t rows, uint64_t columns, struct ec_error *reterr);
enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr);
/* Grids wider than `width` characters (0: no limit) are printed in blocks of columns. */
void grid_text(FILE *out, const struct grid *g, unsigned width);

#endif
