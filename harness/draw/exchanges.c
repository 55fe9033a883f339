/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a GSH schedule as a grid. Knows exchanges; must not know how a grid is drawn. */
#include <stdlib.h>

#include "draw/grid.h"

enum ec_code grid_of_exchanges(const struct ec_schedule *s, const char *title, struct grid *ret,
                               struct ec_error *reterr)
{
    if (!s->exchange_count)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s has no table of exchanges; draw its steps instead",
                       s->algorithm);
    struct grid g = {.row_head = "row of memory",
                     .column_head = "step",
                     .legend = "cell s,p: storage dimension s is exchanged with processor "
                               "dimension p (bits of the machine address)"};
    g.rows = s->exchanges[s->exchange_count - 1].row + 1;
    g.row = calloc(g.rows, sizeof *g.row);
    g.cells = calloc(s->exchange_count, sizeof *g.cells);
    if (!g.row || !g.cells) {
        grid_close(&g);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    }
    snprintf(g.title, sizeof g.title, "%s", title);
    for (uint32_t r = 0; r < g.rows; r++)
        snprintf(g.row[r], sizeof *g.row, "row %u", r);
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        struct grid_cell *c = &g.cells[g.cell_count++];
        *c = (struct grid_cell){.row = x->row, .column = x->step, .colour = x->storage};
        snprintf(c->text, sizeof c->text, "%u,%u", x->storage, x->processor);
        g.columns = x->step > g.columns ? x->step : g.columns;
    }
    *ret = g;
    return EC_OK;
}
