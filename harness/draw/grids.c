/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of measured link use; any grid as SVG and as text. */
#include "draw/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"
#include "ecube/word.h"

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

/* --- Link use ------------------------------------------------------------------------------- */

/* A word crossed a link. */
struct crossing {
    uint32_t cycle, node, source;
    uint16_t link;
};

struct link_use {
    const struct ec_topology *t;
    struct ec_word_layout layout;
    struct ec_net_watch watch;
    struct crossing *crossings;
    size_t count, room;
    bool memory_short;
};

static void add_crossing(struct link_use *u, struct crossing crossing)
{
    if (u->count == u->room) {
        const size_t room = u->room ? 2 * u->room : 1024;
        struct crossing *crossings = realloc(u->crossings, room * sizeof *crossings);
        if (!crossings) {
            u->memory_short = true;
            return;
        }
        u->crossings = crossings;
        u->room = room;
    }
    u->crossings[u->count++] = crossing;
}

static void see_crossings(void *context, const struct ec_net_seen *seen)
{
    struct link_use *u = context;
    const unsigned links = ec_topology_links(u->t);
    for (unsigned link = 0; link < links && !u->memory_short; link++) {
        const uint64_t word = seen->out_word[link];
        if (!(seen->out_valid >> link & 1))
            continue;
        add_crossing(
            u, (struct crossing){.cycle = (uint32_t)seen->cycle + 1, /* shown after that step */
                                 .node = seen->node,
                                 .source = ec_topology_node(u->t, ec_word_src(&u->layout, word)),
                                 .link = (uint16_t)link});
    }
}

static void forget_crossings(void *context)
{
    struct link_use *u = context;
    u->count = 0;
}

struct link_use *link_use_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct link_use *u = calloc(1, sizeof *u);
    if (u) {
        u->t = t;
        u->layout = ec_word_layout(t->address_bits, r->vcs);
        u->watch =
            (struct ec_net_watch){.router = see_crossings, .reset = forget_crossings, .context = u};
    }
    return u;
}

const struct ec_net_watch *link_use_watch(struct link_use *u)
{
    return &u->watch;
}

void link_use_close(struct link_use *u)
{
    if (u)
        free(u->crossings);
    free(u);
}

static int by_link_and_cycle(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->link != y->link)
        return x->link < y->link ? -1 : 1;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

static void name_link(const struct link_use *u, const struct crossing *x, char *buffer, size_t size)
{
    char link[16];
    ec_topology_link_name(u->t, x->link, link, sizeof link);
    snprintf(buffer, size, "%u %s -> %u", x->node, link,
             ec_topology_neighbor(u->t, x->node, x->link));
}

enum ec_code grid_of_link_use(struct link_use *u, const char *title, struct grid *ret,
                              struct ec_error *reterr)
{
    struct grid g = {.row_head = "link",
                     .column_head = "cycle",
                     .colour_name = "source",
                     .legend = "cell: the source of the word that crosses this link in this cycle"};
    if (u->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    const enum ec_code code = grid_open(&g, u->count, u->count, title, reterr);
    if (code != EC_OK)
        return code;
    if (u->count)
        qsort(u->crossings, u->count, sizeof *u->crossings, by_link_and_cycle);
    for (size_t i = 0; i < u->count; i++) {
        const struct crossing *x = &u->crossings[i];
        if (i == 0 || x->node != x[-1].node || x->link != x[-1].link)
            name_link(u, x, g.row[g.rows++], sizeof *g.row);
        struct grid_cell *c = &g.cells[g.cell_count++];
        *c = (struct grid_cell){.row = g.rows - 1, .column = x->cycle, .colour = x->source};
        snprintf(c->text, sizeof c->text, "%u", x->source);
        g.columns = x->cycle > g.columns ? x->cycle : g.columns;
    }
    *ret = g;
    return EC_OK;
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

enum ec_code grid_svg_check(uint64_t rows, uint64_t columns, struct ec_error *reterr)
{
    if (rows > ROWS_MAX || columns > COLUMNS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw %" PRIu64 " rows and %" PRIu64
                       " columns: a picture has at most %d x %d; use a smaller network, shorter "
                       "messages, or --format text",
                       rows, columns, ROWS_MAX, COLUMNS_MAX);
    return EC_OK;
}

enum ec_code grid_svg(FILE *out, const struct grid *g, struct ec_error *reterr)
{
    if (grid_svg_check(g->rows, g->columns, reterr) != EC_OK)
        return EC_USAGE;
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
