/* SPDX-License-Identifier: Apache-2.0 */
/* Grids as SVG and as text. */
#include "draw/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"

void grid_close(struct grid *g)
{
    free(g->row);
    free(g->cells);
    *g = (struct grid){0};
}

enum ec_code grid_open(struct grid *g, size_t rows, size_t cells, const char *title,
                       struct ec_error *reterr)
{
    g->row = calloc(rows ? rows : 1, sizeof *g->row);
    g->cells = calloc(cells ? cells : 1, sizeof *g->cells);
    snprintf(g->title, sizeof g->title, "%s", title);
    if (g->row && g->cells)
        return EC_OK;
    grid_close(g);
    return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
}

/* --- Cells ---------------------------------------------------------------------------------- */

static int letters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80; /* skip continuation bytes of UTF-8 */
    return count;
}

static int longest_cell(const struct grid *g)
{
    int longest = 0;
    for (size_t i = 0; i < g->cell_count; i++)
        longest = letters(g->cells[i].text) > longest ? letters(g->cells[i].text) : longest;
    return longest;
}

/* --- SVG ------------------------------------------------------------------------------------ */

#define CELL_WIDTH  34.0 /* at least */
#define CELL_HEIGHT 19.0
#define NAME_WIDTH  170.0
#define GRID_HEAD   64.0
#define COLUMNS_MAX 400
#define ROWS_MAX    400

enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr)
{
    if (g->rows > ROWS_MAX || g->columns > COLUMNS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw %" PRIu32 " rows and %" PRIu32
                       " columns: a picture has at most %d x %d; use a smaller network, shorter "
                       "messages, or --format text",
                       g->rows, g->columns, ROWS_MAX, COLUMNS_MAX);
    const double cell = fmax(CELL_WIDTH, 4 + 6.82 * longest_cell(g));
    double width = NAME_WIDTH + (g->columns + 1) * cell;
    const double title = 24 + 8.5 * (double)strlen(g->title);
    const double height = GRID_HEAD + (g->rows + 2) * CELL_HEIGHT + (g->note ? 16 : 0);
    char text[16], legend[300];
    snprintf(legend, sizeof legend, "%s; a colour for each %s", g->legend, g->colour_name);
    width = width > title ? width : title;
    const double note = g->note ? 24 + 7.2 * (double)strlen(g->note) : 0;
    width = fmax(fmax(width, note), 24 + 7.2 * (double)strlen(legend));
    char description[400];
    snprintf(description, sizeof description,
             "A table: a line for each %s, a column for each %s; %s.", g->row_head, g->column_head,
             legend);
    svg_begin(out, width, height, g->millimetres, g->title, description);
    svg_bold(out, (struct svg_point){12, 26}, 15, SVG_START, g->title);
    svg_text(out, (struct svg_point){NAME_WIDTH - 8, GRID_HEAD - 6}, 11, SVG_END, g->row_head);
    svg_text(out, (struct svg_point){NAME_WIDTH, GRID_HEAD - 22}, 11, SVG_START, g->column_head);
    for (uint32_t c = 1; c <= g->columns; c++) {
        snprintf(text, sizeof text, "%u", c);
        svg_text(out, (struct svg_point){NAME_WIDTH + (c - 0.5) * cell, GRID_HEAD - 6}, 10,
                 SVG_MIDDLE, text);
    }
    for (uint32_t r = 0; r < g->rows; r++)
        svg_text(out, (struct svg_point){NAME_WIDTH - 8, GRID_HEAD + r * CELL_HEIGHT + 14}, 11,
                 SVG_END, g->row[r]);
    for (size_t i = 0; i < g->cell_count; i++) {
        const struct grid_cell *c = &g->cells[i];
        const struct svg_point corner = {NAME_WIDTH + (c->column - 1) * cell,
                                         GRID_HEAD + c->row * CELL_HEIGHT};
        if (!c->plain)
            svg_cell(out, corner, cell, CELL_HEIGHT, c->colour);
        svg_text(out, (struct svg_point){corner.x + cell / 2, corner.y + 14}, 11, SVG_MIDDLE,
                 c->text);
    }
    svg_text(out, (struct svg_point){12, height - (g->note ? 26 : 10)}, 11, SVG_START, legend);
    if (g->note)
        svg_text(out, (struct svg_point){12, height - 10}, 11, SVG_START, g->note);
    svg_end(out);
    return EC_OK;
}

/* --- Text ----------------------------------------------------------------------------------- */

/* Columns `first` to `last` of all rows, with a heading. */
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
            const char *words = here ? g->cells[next].text : ".";
            fprintf(out, " %*s%s", cell - letters(words), "", words);
            next += here;
        }
    }
    fputc('\n', out);
}

void grid_text(FILE *out, const struct grid *g, unsigned width)
{
    int name = (int)strlen(g->row_head), cell = longest_cell(g);
    for (uint32_t r = 0; r < g->rows; r++)
        name = (int)strlen(g->row[r]) > name ? (int)strlen(g->row[r]) : name;
    cell = cell ? cell : 1;
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
    fprintf(out, "\n%s\n%s%s", g->legend, g->note ? g->note : "", g->note ? "\n" : "");
}
