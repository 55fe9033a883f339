/* SPDX-License-Identifier: Apache-2.0 */
/* Grids as pictures and as text. Knows rows and columns; must not know what they stand for. */
#include "draw/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"

#define CELL_WIDTH  34.0
#define CELL_HEIGHT 19.0
#define NAME_WIDTH  170.0
#define HEAD        64.0
#define COLUMNS_MAX 400
#define ROWS_MAX    400

void grid_close(struct grid *g)
{
    free(g->row);
    free(g->cells);
    *g = (struct grid){0};
}

/* Light enough for black text, and told apart without colour by that text. */
static const char *tint(unsigned colour)
{
    static const char *const tints[] = {"#9ecae1", "#fdae6b", "#a8ddb5", "#e7c6de",
                                        "#ffe08a", "#d9ecf8", "#d0d0d0"};
    return tints[colour % (sizeof tints / sizeof *tints)];
}

enum ec_code grid_svg_check(uint64_t rows, uint64_t columns, struct ec_error *reterr)
{
    if (rows > ROWS_MAX || columns > COLUMNS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "a picture of %" PRIu64 " rows and %" PRIu64
                       " columns is too large to be looked at (at most "
                       "%d x %d); take a smaller network, shorter messages, or --format text",
                       rows, columns, ROWS_MAX, COLUMNS_MAX);
    return EC_OK;
}

enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr)
{
    if (grid_svg_check(g->rows, g->columns, reterr) != EC_OK)
        return EC_USAGE;
    double width = NAME_WIDTH + (g->columns + 1) * CELL_WIDTH;
    const double title = 24 + 8.5 * (double)strlen(g->title);
    const double height = HEAD + (g->rows + 2) * CELL_HEIGHT;
    char text[16];
    const double legend = 24 + 7.2 * (double)strlen(g->legend);
    width = width > title ? width : title;
    width = width > legend ? width : legend;
    svg_begin(out, width, height, g->title);
    svg_bold(out, (struct svg_point){12, 26}, 15, SVG_START, g->title);
    svg_text(out, (struct svg_point){NAME_WIDTH - 8, HEAD - 6}, 11, SVG_END, g->row_head);
    svg_text(out, (struct svg_point){NAME_WIDTH, HEAD - 22}, 11, SVG_START, g->column_head);
    for (uint32_t c = 1; c <= g->columns; c++) {
        snprintf(text, sizeof text, "%u", c);
        svg_text(out, (struct svg_point){NAME_WIDTH + (c - 0.5) * CELL_WIDTH, HEAD - 6}, 10,
                 SVG_MIDDLE, text);
    }
    for (uint32_t r = 0; r < g->rows; r++)
        svg_text(out, (struct svg_point){NAME_WIDTH - 8, HEAD + r * CELL_HEIGHT + 14}, 11, SVG_END,
                 g->row[r]);
    for (size_t i = 0; i < g->cell_count; i++) {
        const struct grid_cell *c = &g->cells[i];
        const struct svg_point corner = {NAME_WIDTH + (c->column - 1) * CELL_WIDTH,
                                         HEAD + c->row * CELL_HEIGHT};
        svg_rectangle(out, corner, CELL_WIDTH, CELL_HEIGHT, tint(c->colour));
        svg_text(out, (struct svg_point){corner.x + CELL_WIDTH / 2, corner.y + 14}, 11, SVG_MIDDLE,
                 c->text);
    }
    svg_text(out, (struct svg_point){12, height - 10}, 11, SVG_START, g->legend);
    svg_end(out);
    return EC_OK;
}

/* Columns `first` to `last` of all rows, below their heading. */
static void print_columns(FILE *out, const struct grid *g, int name, int cell, uint32_t first,
                          uint32_t last)
{
    size_t next = 0;
    fprintf(out, "\n%-*s  %s\n%-*s ", name, "", g->column_head, name, g->row_head);
    for (uint32_t c = first; c <= last; c++)
        fprintf(out, " %*u", cell, c);
    for (uint32_t r = 0; r < g->rows; r++) {
        fprintf(out, "\n%-*s ", name, g->row[r]);
        while (next < g->cell_count && (g->cells[next].row < r ||
                                        (g->cells[next].row == r && g->cells[next].column < first)))
            next++;
        for (uint32_t c = first; c <= last; c++) {
            const bool here =
                next < g->cell_count && g->cells[next].row == r && g->cells[next].column == c;
            fprintf(out, " %*s", cell, here ? g->cells[next].text : ".");
            next += here;
        }
    }
    fputc('\n', out);
}

void grid_text(FILE *out, const struct grid *g, unsigned width)
{
    int name = (int)strlen(g->row_head), cell = 1;
    for (uint32_t r = 0; r < g->rows; r++)
        name = (int)strlen(g->row[r]) > name ? (int)strlen(g->row[r]) : name;
    for (size_t i = 0; i < g->cell_count; i++)
        cell = (int)strlen(g->cells[i].text) > cell ? (int)strlen(g->cells[i].text) : cell;
    if (g->columns > 99 && cell < 3)
        cell = 3;
    else if (g->columns > 9 && cell < 2)
        cell = 2;
    uint32_t at_once = g->columns;
    if (width > 0) {
        const unsigned taken = (unsigned)name + 1, each = (unsigned)cell + 1;
        at_once = width > taken + each ? (width - taken) / each : 1;
    }
    fprintf(out, "%s\n", g->title);
    uint32_t first = 1;
    do {
        const uint32_t left = g->columns - first + 1;
        print_columns(out, g, name, cell, first, left > at_once ? first + at_once - 1 : g->columns);
        first += at_once;
    } while (at_once && first <= g->columns);
    fprintf(out, "\n%s\n", g->legend);
}
