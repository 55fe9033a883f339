/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of the exchanges of a schedule, with the points where rows synchronise. Must not know
 * algorithms: which rows wait for each other follows from the elements that they move. */
#include <inttypes.h>
#include <stdlib.h>

#include "draw/draw.h"

/* --- Names of dimensions -------------------------------------------------------------------- */

#define BLOCKS_MAX 5

/* alpha_index of a block; blocks have as many primes as their number. */
struct symbol {
    bool known;
    unsigned block, index;
};

static unsigned name_block(const struct ec_sdp_cycle *c, unsigned block, struct symbol *symbols)
{
    for (unsigned i = 0; i < c->length; i++)
        symbols[c->dim[i]] = (struct symbol){.known = true, .block = block, .index = i};
    return block + 1;
}

/* The constituting GSH of mixed cycles, and real cycles. */
static void name_dimensions(const struct ec_sdp *sdp, struct symbol *symbols)
{
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2], factors[EC_SDP_DIMS_MAX / 2], virtual_one;
    const unsigned count = ec_sdp_cycles(sdp, cycles);
    unsigned block = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct ec_sdp_cycle *c = &cycles[i];
        if (c->dim[0] >= sdp->storage) {
            block = name_block(c, block, symbols);
        } else if (c->dim[1] >= sdp->storage) {
            const unsigned factored = ec_sdp_factor(c, sdp->storage, factors, &virtual_one);
            for (unsigned f = 0; f < factored; f++)
                block = name_block(&factors[f], block, symbols);
        }
    }
}

/* "0'", "3", "v". */
static void write_symbol(const struct symbol *s, bool storage, unsigned dim, char *buffer,
                         size_t size)
{
    if (s->known)
        snprintf(buffer, size, "%u%.*s", s->index, (int)s->block, "''''");
    else if (storage)
        snprintf(buffer, size, "v");
    else
        snprintf(buffer, size, "%u", dim);
}

static void write_exchange(const struct ec_exchange *x, const struct symbol *symbols, char *buffer,
                           size_t size)
{
    char s[8], p[8];
    if (symbols) {
        write_symbol(&symbols[x->storage], true, x->storage, s, sizeof s);
        write_symbol(&symbols[x->processor], false, x->processor, p, sizeof p);
        snprintf(buffer, size, "%.6s,%.6s", s, p);
    } else if (x->storage == EC_EXCHANGE_PARITY) {
        snprintf(buffer, size, "x,%u", x->processor);
    } else {
        snprintf(buffer, size, "%u,%u", x->storage, x->processor);
    }
}

/* --- Synchronisation ------------------------------------------------------------------------ */

/* Elements leave one row for the other: after step `after` of both, before step `before`. */
struct meeting {
    uint32_t row, other, after, before;
    struct meeting *next; /* of the same row */
};

struct meetings {
    struct meeting **of; /* [rows] by the lower row; owned */
    uint32_t rows;
    bool memory_short;
};

static void add_meeting(struct meetings *m, uint32_t from, uint32_t to, uint32_t after,
                        uint32_t before)
{
    const uint32_t row = from < to ? from : to, other = from < to ? to : from;
    struct meeting *x = m->of[row];
    while (x && x->other != other)
        x = x->next;
    if (!x) {
        x = malloc(sizeof *x);
        m->memory_short |= !x;
        if (!x)
            return;
        *x = (struct meeting){row, other, after, before, m->of[row]};
        m->of[row] = x;
    }
    x->after = after > x->after ? after : x->after;
    x->before = before < x->before ? before : x->before;
}

static unsigned lowest_bit(uint32_t x)
{
    unsigned bit = 0;
    while (!(x >> bit & 1))
        bit++;
    return bit;
}

/* The row that uses each dimension in each step: index + 1, [steps + 1][EC_SDP_DIMS_MAX]. */
static uint32_t *find_users(const struct ec_schedule *s)
{
    uint32_t *user = calloc((size_t)(s->steps + 1) * EC_SDP_DIMS_MAX, sizeof *user);
    for (size_t i = 0; user && i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        if (x->step <= s->steps && x->processor < EC_SDP_DIMS_MAX)
            user[(size_t)x->step * EC_SDP_DIMS_MAX + x->processor] = x->row + 1;
    }
    return user;
}

/* Follow every element from row to row. */
static void find_meetings(const struct ec_schedule *s, const uint32_t *user, uint32_t *row_of,
                          uint32_t *moved, struct meetings *ret)
{
    unsigned storage = 0;
    while (s->per_node > 1U << storage)
        storage++;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        const unsigned dim = storage + lowest_bit(t->src ^ t->dst);
        const uint32_t row = user[(size_t)t->step * EC_SDP_DIMS_MAX + dim];
        for (uint32_t c = t->first; row && c < t->first + t->count; c++) {
            const uint32_t e = s->carried[c].element;
            if (row_of[e] && row_of[e] != row)
                add_meeting(ret, row_of[e] - 1, row - 1, moved[e], t->step);
            row_of[e] = row;
            moved[e] = t->step;
        }
    }
}

/* Is nothing in this cell yet? Cells are sorted by row, then column, up to `count`. */
static bool is_free(const struct grid *g, size_t count, uint32_t row, uint32_t column)
{
    for (size_t i = 0; i < count; i++) {
        if (g->cells[i].row == row && g->cells[i].column == column)
            return false;
    }
    return true;
}

/* In the row that waits: the step in which the other one catches up; if both are busy then, the
 * first step after it. */
static void mark_meeting(struct grid *g, size_t exchanges, const struct meeting *x)
{
    for (uint32_t step = x->after; step < x->before; step++) {
        const uint32_t rows[] = {x->row, x->other};
        for (unsigned i = 0; i < 2; i++) {
            if (!is_free(g, exchanges, rows[i], step))
                continue;
            struct grid_cell *c = &g->cells[g->cell_count++];
            *c = (struct grid_cell){.row = rows[i], .column = step, .plain = true};
            snprintf(c->text, sizeof c->text, "\u2022%" PRIu32, rows[1 - i]);
            return;
        }
    }
}

static int by_row_and_column(const void *a, const void *b)
{
    const struct grid_cell *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static bool mark_meetings(struct grid *g, const struct meetings *m)
{
    const size_t exchanges = g->cell_count;
    size_t count = 0;
    for (uint32_t r = 0; r < m->rows; r++)
        for (const struct meeting *x = m->of[r]; x; x = x->next)
            count++;
    if (!count)
        return true;
    struct grid_cell *cells = realloc(g->cells, (exchanges + count) * sizeof *cells);
    if (!cells)
        return false;
    g->cells = cells;
    for (uint32_t r = 0; r < m->rows; r++)
        for (const struct meeting *x = m->of[r]; x; x = x->next)
            mark_meeting(g, exchanges, x);
    qsort(g->cells, g->cell_count, sizeof *g->cells, by_row_and_column);
    g->note =
        "\u2022r: this row and row r synchronise after this step: elements of one go on in the "
        "other";
    return true;
}

static bool add_meetings(struct grid *g, const struct ec_schedule *s)
{
    const size_t elements = (size_t)s->holders * s->per_node;
    struct meetings m = {.rows = g->rows, .of = calloc(g->rows, sizeof(struct meeting *))};
    uint32_t *user = find_users(s), *row_of = calloc(elements, sizeof *row_of),
             *moved = calloc(elements, sizeof *moved);
    bool ok = m.of && user && row_of && moved;
    if (ok)
        find_meetings(s, user, row_of, moved, &m);
    ok = ok && !m.memory_short && mark_meetings(g, &m);
    for (uint32_t r = 0; m.of && r < m.rows; r++) {
        while (m.of[r]) {
            struct meeting *next = m.of[r]->next;
            free(m.of[r]);
            m.of[r] = next;
        }
    }
    free(m.of);
    free(user);
    free(row_of);
    free(moved);
    return ok;
}

/* --- Grids ---------------------------------------------------------------------------------- */

enum ec_code grid_of_exchanges(const struct ec_schedule *s, const struct ec_sdp *sdp,
                               const char *title, struct grid *ret, struct ec_error *reterr)
{
    struct symbol symbols[EC_SDP_DIMS_MAX] = {{0}};
    struct grid g = {
        .row_head = "row of memory", .column_head = "step", .colour_name = "storage dimension"};
    if (!s->exchange_count)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s has no table of exchanges: draw its steps instead",
                       s->algorithm);
    if (sdp)
        name_dimensions(sdp, symbols);
    for (unsigned d = 0; d < EC_SDP_DIMS_MAX; d++) {
        if (symbols[d].block >= BLOCKS_MAX)
            return ec_fail(reterr, EC_USAGE,
                           "--names paper: expected at most %d blocks; use --names numbers",
                           BLOCKS_MAX);
    }
    g.legend =
        sdp ? "cell s,i: alpha_s is exchanged with alpha_i of the same block (blocks differ in "
              "their primes); v: an extra storage dimension"
            : "cell s,p: storage dimension s is exchanged with processor dimension p (bits of "
              "the machine address)";
    g.rows = s->exchanges[s->exchange_count - 1].row + 1;
    const enum ec_code code = grid_open(&g, g.rows, s->exchange_count, title, reterr);
    if (code != EC_OK)
        return code;
    for (uint32_t r = 0; r < g.rows; r++)
        snprintf(g.row[r], sizeof *g.row, "row %" PRIu32, r);
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        struct grid_cell *c = &g.cells[g.cell_count++];
        *c = (struct grid_cell){.row = x->row, .column = x->step, .colour = x->storage};
        write_exchange(x, sdp ? symbols : NULL, c->text, sizeof c->text);
        if (!sdp && x->storage == EC_EXCHANGE_PARITY)
            g.legend =
                "cell s,p: storage dimension s is exchanged with processor dimension p (bits "
                "of the machine address); x: the parity of the block's bits";
        g.columns = x->step > g.columns ? x->step : g.columns;
    }
    if (!add_meetings(&g, s)) {
        grid_close(&g);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    }
    *ret = g;
    return EC_OK;
}
