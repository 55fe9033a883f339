/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of memory. Follows every element through a schedule; must not know algorithms. */
#include "draw/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"
#include "draw/svg.h"
#include "ecube/route.h"

/* --- Contents ------------------------------------------------------------------------------- */

#define NODES_MAX   64
#define SLOTS_MAX   64
#define MOMENTS_MAX 48
#define CELLS_MAX   (1U << 20) /* of all moments, in any format */

/* Where each element is, and where it goes next. */
struct follower {
    const struct ec_schedule *s;
    struct ec_place *at, *next;
};

void memory_close(struct memory *m)
{
    for (size_t i = 0; m->moments && i < m->count; i++)
        free(m->moments[i].cells);
    free(m->moments);
    *m = (struct memory){0};
}

static uint32_t count_slots(const struct ec_schedule *s)
{
    uint32_t last = s->per_node - 1;
    for (size_t i = 0; i < s->carried_count; i++)
        last = s->carried[i].slot > last ? s->carried[i].slot : last;
    for (size_t i = 0; i < s->move_count; i++)
        last = s->moves[i].slot > last ? s->moves[i].slot : last;
    return last + 1;
}

/* Every step, every step with moves before it, and the end. */
static size_t count_moments(const struct ec_schedule *s)
{
    size_t count = s->steps + 1;
    for (size_t i = 0; i < s->move_count; i++)
        count += i == 0 || s->moves[i].step != s->moves[i - 1].step;
    return count;
}

static enum ec_code check_size(const struct memory *m, bool svg, struct ec_error *reterr)
{
    const uint64_t cells = (uint64_t)m->count * m->slots * m->t->nodes;
    if (svg && (m->t->nodes > NODES_MAX || m->slots > SLOTS_MAX || m->count > MOMENTS_MAX))
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw the memory of %" PRIu32 " nodes with %" PRIu32
                       " slots in %zu moments: expected at most %d nodes, %d slots and %d moments; "
                       "use a smaller network, fewer elements, longer blocks, or --format text",
                       m->t->nodes, m->slots, m->count, NODES_MAX, SLOTS_MAX, MOMENTS_MAX);
    if (cells > CELLS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw the memory of %" PRIu32 " nodes with %" PRIu32
                       " slots in %zu moments: expected at most %u cells; use a smaller network or "
                       "fewer elements",
                       m->t->nodes, m->slots, m->count, CELLS_MAX);
    return EC_OK;
}

static bool is_moving(const struct follower *f, uint32_t e)
{
    return f->at[e].node != f->next[e].node || f->at[e].slot != f->next[e].slot;
}

static struct memory_cell *cell_at(const struct memory *m, const struct memory_moment *x,
                                   struct ec_place at)
{
    return &x->cells[(size_t)at.slot * m->t->nodes + at.node];
}

/* Two elements that take each other's place have a common mark, numbered by their first place. */
static void mark_cells(const struct memory *m, struct memory_moment *x, const struct follower *f)
{
    unsigned pairs = 0;
    for (uint32_t node = 0; node < m->t->nodes; node++) {
        for (uint32_t slot = 0; slot < m->slots; slot++) {
            struct memory_cell *c = cell_at(m, x, (struct ec_place){node, slot});
            if (!c->moves || *c->mark)
                continue;
            const struct ec_place to = f->next[c->element];
            struct memory_cell *other = cell_at(m, x, to);
            const struct ec_place back = other->moves ? f->next[other->element] : to;
            if (back.node == node && back.slot == slot) {
                snprintf(c->mark, sizeof c->mark, "X%u", pairs++);
                memcpy(other->mark, c->mark, sizeof c->mark);
            } else {
                snprintf(c->mark, sizeof c->mark, "\u2192%" PRIu32, x->within ? to.slot : to.node);
            }
        }
    }
}

/* The elements where they are; then they move. */
static bool take_moment(const struct memory *m, struct memory_moment *x, struct follower *f)
{
    static const struct ec_router low_first = {.order = EC_ORDER_LOW};
    const uint32_t elements = f->s->holders * f->s->per_node;
    const size_t cells = (size_t)m->slots * m->t->nodes;
    x->cells = malloc(cells * sizeof *x->cells);
    if (!x->cells)
        return false;
    for (size_t i = 0; i < cells; i++)
        x->cells[i] = (struct memory_cell){.element = EC_NONE};
    for (uint32_t e = 0; e < elements; e++) {
        struct memory_cell *c = cell_at(m, x, f->at[e]);
        c->element = e;
        c->moves = is_moving(f, e);
        if (f->at[e].node != f->next[e].node)
            c->dimension = ec_route_link(m->t, &low_first, f->at[e].node, f->next[e].node) /
                           m->t->links_per_dim;
    }
    mark_cells(m, x, f);
    memcpy(f->at, f->next, elements * sizeof *f->at);
    return true;
}

static bool take_moments(struct memory *m, struct follower *f)
{
    const struct ec_schedule *s = f->s;
    struct memory_moment *x = m->moments;
    size_t transfer = 0, move = 0;
    bool ok = true;
    for (uint32_t step = 1; ok && step <= s->steps + 1; step++) {
        const size_t first = move;
        for (; move < s->move_count && s->moves[move].step == step; move++)
            f->next[s->moves[move].element].slot = s->moves[move].slot;
        if (move > first) {
            x->within = true;
            if (step <= s->steps)
                snprintf(x->title, sizeof x->title, "moves within nodes, before step %u", step);
            else
                snprintf(x->title, sizeof x->title, "moves within nodes, at the end");
            ok = take_moment(m, x++, f);
        }
        for (; transfer < s->transfer_count && s->transfers[transfer].step == step; transfer++) {
            const struct ec_transfer *t = &s->transfers[transfer];
            for (uint32_t i = t->first; i < t->first + t->count; i++)
                f->next[s->carried[i].element] = (struct ec_place){t->dst, s->carried[i].slot};
        }
        if (step <= s->steps)
            snprintf(x->title, sizeof x->title, "step %u of %u", step, s->steps);
        else
            snprintf(x->title, sizeof x->title, "at the end");
        ok = ok && take_moment(m, x++, f);
    }
    return ok;
}

enum ec_code memory_of_schedule(const struct ec_topology *t, const struct ec_schedule *s,
                                const char *title, bool svg, struct memory *ret,
                                struct ec_error *reterr)
{
    const uint32_t elements = s->holders * s->per_node;
    struct memory m = {.t = t, .slots = count_slots(s), .per_node = s->per_node};
    struct follower f = {.s = s};
    m.count = count_moments(s);
    snprintf(m.title, sizeof m.title, "%s", title);
    if (check_size(&m, svg, reterr) != EC_OK)
        return EC_USAGE;
    m.moments = calloc(m.count, sizeof *m.moments);
    f.at = malloc(elements * sizeof *f.at);
    f.next = malloc(elements * sizeof *f.next);
    bool ok = m.moments && f.at && f.next;
    for (uint32_t e = 0; ok && e < elements; e++)
        f.at[e] = f.next[e] = (struct ec_place){e / s->per_node, e % s->per_node};
    ok = ok && take_moments(&m, &f);
    free(f.at);
    free(f.next);
    if (!ok) {
        memory_close(&m);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    }
    *ret = m;
    return EC_OK;
}

/* --- Names ---------------------------------------------------------------------------------- */

#define NAME 48

/* The lowest `bits` of a number. */
static void write_bits(uint32_t number, unsigned bits, char *buffer)
{
    for (unsigned b = 0; b < bits; b++)
        buffer[b] = number >> (bits - 1 - b) & 1 ? '1' : '0';
    buffer[bits] = 0;
}

static unsigned bits_of(uint32_t count)
{
    unsigned bits = 0;
    while (bits < 31 && count > 1U << bits)
        bits++;
    return bits;
}

static void name_node(const struct memory *m, uint32_t node, char name[NAME])
{
    if (m->bits)
        write_bits(node, m->t->dims, name);
    else
        snprintf(name, NAME, "%" PRIu32, node);
}

static void name_slot(const struct memory *m, uint32_t slot, char name[NAME])
{
    if (m->bits)
        write_bits(slot, bits_of(m->slots), name);
    else
        snprintf(name, NAME, "%" PRIu32, slot);
}

/* By its first machine address; "" for none. */
static void name_element(const struct memory *m, uint32_t element, char name[NAME])
{
    *name = 0;
    if (element == EC_NONE)
        return;
    if (!m->bits) {
        snprintf(name, NAME, "%" PRIu32, element);
        return;
    }
    write_bits(element / m->per_node, m->t->dims, name);
    if (m->per_node > 1) {
        name[m->t->dims] = '|';
        write_bits(element % m->per_node, bits_of(m->per_node), name + m->t->dims + 1);
    }
}

static const char *explain_names(const struct memory *m)
{
    if (m->bits)
        return "a cell: the element there, by its first machine address (processor bits | storage "
               "bits)";
    return m->per_node == 1 ? "a cell: the element there, by the node where it began"
                            : "a cell: the element there; element i began in node i div K, slot i "
                              "mod K";
}

/* What the picture has to explain. */
struct kinds {
    bool swaps, goes, slots, dimension[EC_DIMS_MAX];
    double name, mark; /* widest, in characters */
};

/* An arrow has three bytes. */
static int mark_letters(const struct memory_cell *c)
{
    return (int)strlen(c->mark) - (*c->mark == 'X' ? 0 : 2);
}

static struct kinds look_for_kinds(const struct memory *m)
{
    struct kinds k = {.name = 1};
    char name[NAME];
    for (size_t i = 0; i < m->count; i++) {
        const struct memory_moment *x = &m->moments[i];
        for (size_t c = 0; c < (size_t)m->slots * m->t->nodes; c++) {
            const struct memory_cell *cell = &x->cells[c];
            name_element(m, cell->element, name);
            k.name = fmax(k.name, (double)strlen(name));
            if (!cell->moves)
                continue;
            const bool swap = *cell->mark == 'X';
            k.mark = fmax(k.mark, mark_letters(cell));
            k.swaps |= swap;
            k.goes |= !swap && !x->within;
            k.slots |= !swap && x->within;
            k.dimension[cell->dimension] |= !x->within;
        }
    }
    return k;
}

/* In words, "" for nothing. */
static void explain_marks(const struct kinds *k, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%s%s%s", k->swaps ? "equal marks: two elements change places" : "",
             k->swaps && (k->goes || k->slots) ? "; " : "",
             k->goes ? "\u21925: the element goes to node 5" : "", k->goes && k->slots ? "; " : "",
             k->slots ? "\u21925: within its node, it goes to slot 5" : "");
}

/* --- SVG ------------------------------------------------------------------------------------ */

#define PAGE_WIDTH   1300.0
#define PAGE_HEAD    46.0
#define PAGE_FOOT    84.0
#define LEGEND_WIDTH 128.0
#define CELL_HEIGHT  21.0
#define SIDE         52.0 /* left of the cells: the slots */
#define GAP          22.0 /* between moments */
#define CAPTION      44.0 /* above the cells: title and nodes */
#define NAME_SIZE    11.0
#define MARK_SIZE    9.0
#define LETTER       0.62 /* width of a letter, of its size */
#define WITHIN_FILL  13   /* light grey, hatched */

static void draw_cell(FILE *out, const struct memory *m, const struct memory_moment *x,
                      const struct memory_cell *c, struct svg_point corner, double width)
{
    char name[NAME];
    name_element(m, c->element, name);
    if (c->moves)
        svg_cell(out, corner, width, CELL_HEIGHT, x->within ? WITHIN_FILL : c->dimension);
    else
        svg_rectangle(out, corner, width, CELL_HEIGHT, "white");
    if (*c->mark) {
        svg_bold(out, (struct svg_point){corner.x + 5, corner.y + 15}, NAME_SIZE, SVG_START, name);
        svg_text(out, (struct svg_point){corner.x + width - 4, corner.y + 15}, MARK_SIZE, SVG_END,
                 c->mark);
    } else if (*name) {
        svg_text(out, (struct svg_point){corner.x + 5, corner.y + 15}, NAME_SIZE, SVG_START, name);
    }
}

static void draw_moment(FILE *out, const struct memory *m, const struct memory_moment *x,
                        struct svg_point at, double width)
{
    char name[NAME];
    svg_bold(out, (struct svg_point){at.x, at.y + 14}, 13, SVG_START, x->title);
    svg_text(out, (struct svg_point){at.x + SIDE - 8, at.y + CAPTION - 7}, 10, SVG_END, "node");
    for (uint32_t node = 0; node < m->t->nodes; node++) {
        name_node(m, node, name);
        svg_text(out, (struct svg_point){at.x + SIDE + (node + 0.5) * width, at.y + CAPTION - 7},
                 10, SVG_MIDDLE, name);
    }
    for (uint32_t slot = 0; slot < m->slots; slot++) {
        const double y = at.y + CAPTION + slot * CELL_HEIGHT;
        char text[NAME + 8];
        name_slot(m, slot, name);
        snprintf(text, sizeof text, "slot %s", name);
        svg_text(out, (struct svg_point){at.x + SIDE - 8, y + 15}, 10, SVG_END, text);
        for (uint32_t node = 0; node < m->t->nodes; node++)
            draw_cell(out, m, x, &x->cells[(size_t)slot * m->t->nodes + node],
                      (struct svg_point){at.x + SIDE + node * width, y}, width);
    }
}

static void draw_legend(FILE *out, const struct memory *m, const struct kinds *k, double y)
{
    double x = 14;
    char text[160];
    bool within = false;
    for (unsigned d = 0; d < m->t->dims; d++) {
        if (!k->dimension[d])
            continue;
        svg_cell(out, (struct svg_point){x, y - 11}, 30, 15, d);
        snprintf(text, sizeof text, "crosses dim %u", d);
        svg_text(out, (struct svg_point){x + 36, y}, 11, SVG_START, text);
        x += LEGEND_WIDTH;
    }
    for (size_t i = 0; i < m->count; i++)
        within |= m->moments[i].within;
    if (within) {
        svg_cell(out, (struct svg_point){x, y - 11}, 30, 15, WITHIN_FILL);
        svg_text(out, (struct svg_point){x + 36, y}, 11, SVG_START, "stays in its node");
    }
    explain_marks(k, text, sizeof text);
    if (*text)
        svg_text(out, (struct svg_point){14, y += 22}, 11, SVG_START, text);
    svg_text(out, (struct svg_point){14, y + (*text ? 17 : 22)}, 11, SVG_START, explain_names(m));
}

void memory_svg(FILE *out, const struct memory *m)
{
    const struct kinds k = look_for_kinds(m);
    const double cell = fmax(26, 10 + LETTER * (k.name * (NAME_SIZE + 1) +
                                                (k.mark > 0 ? (k.mark + 0.5) * MARK_SIZE : 0)));
    const double wide = SIDE + m->t->nodes * cell + GAP;
    const double tall = CAPTION + m->slots * CELL_HEIGHT + GAP;
    size_t columns = m->columns ? m->columns : (size_t)fmax(1, floor(PAGE_WIDTH / wide));
    columns = columns > m->count ? m->count : columns;
    const size_t rows = (m->count + columns - 1) / columns;
    char marks[160];
    explain_marks(&k, marks, sizeof marks);
    double width = fmax((double)columns * wide + 4, 16 + 9 * (double)strlen(m->title));
    width = fmax(width, 28 + layout_text_width(explain_names(m), 11));
    width = fmax(width, 28 + layout_text_width(marks, 11));
    const double height = PAGE_HEAD + (double)rows * tall + PAGE_FOOT;
    svg_begin(out, width, height, m->millimetres, m->title,
              "The slots of all nodes, and the element in each, before each step and at the end; "
              "elements that move next are marked.");
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, m->title);
    for (size_t i = 0; i < m->count; i++)
        draw_moment(out, m, &m->moments[i],
                    (struct svg_point){14 + (double)(i % columns) * wide,
                                       PAGE_HEAD + (double)(i / columns) * tall},
                    cell);
    draw_legend(out, m, &k, height - PAGE_FOOT + 16);
    svg_end(out);
}

/* --- Text ----------------------------------------------------------------------------------- */

/* The nodes first..last of one moment. No line ends in spaces. */
static void print_nodes(FILE *out, const struct memory *m, const struct memory_moment *x,
                        int name_width, int mark_width, uint32_t first, uint32_t last)
{
    const int no_mark = mark_width ? mark_width + 1 : 0;
    char name[NAME];
    fprintf(out, "  %-12s", "node");
    for (uint32_t node = first; node <= last; node++) {
        name_node(m, node, name);
        fprintf(out, "%*s%*s", node > first ? 1 + no_mark : 1, "", name_width, name);
    }
    for (uint32_t slot = 0; slot < m->slots; slot++) {
        int gap = 1; /* before the next name */
        name_slot(m, slot, name);
        fprintf(out, "\n  slot %-7s", name);
        for (uint32_t node = first; node <= last; node++) {
            const struct memory_cell *c = &x->cells[(size_t)slot * m->t->nodes + node];
            name_element(m, c->element, name);
            fprintf(out, "%*s%*s%s%s", gap, "", name_width, *name ? name : ".", *c->mark ? " " : "",
                    c->mark);
            gap = 1 + (*c->mark ? mark_width - mark_letters(c) : no_mark);
        }
    }
    fputc('\n', out);
}

void memory_text(FILE *out, const struct memory *m, unsigned width)
{
    const struct kinds k = look_for_kinds(m);
    char marks[160], name[NAME];
    name_node(m, m->t->nodes - 1, name);
    const int name_width = (int)fmax(k.name, (double)strlen(name)), mark_width = (int)k.mark;
    const unsigned each = (unsigned)(name_width + mark_width + 2);
    const uint32_t at_once = !width ? m->t->nodes : width > 14 + each ? (width - 14) / each : 1;
    fprintf(out, "%s\n", m->title);
    for (size_t i = 0; i < m->count; i++) {
        fprintf(out, "\n%s\n", m->moments[i].title);
        for (uint32_t first = 0; first < m->t->nodes; first += at_once) {
            const uint32_t left = m->t->nodes - first;
            print_nodes(out, m, &m->moments[i], name_width, mark_width, first,
                        first + (left < at_once ? left : at_once) - 1);
        }
    }
    explain_marks(&k, marks, sizeof marks);
    fprintf(out, "\n%s%s%s\n", marks, *marks ? "\n" : "", explain_names(m));
}
