/* SPDX-License-Identifier: Apache-2.0 */
/* Link pictures.
 *
 * Knows topologies and terminals; of what the numbers count it knows the title only. */
#include "picture.h"

#include <inttypes.h>
#include <string.h>

enum { NODES_DRAWN = 64, ROOM = 72, LABEL = 6, GROUP = 8 };

static bool exists(const struct ec_topology *t, uint32_t node, unsigned link)
{
    return t->kind == EC_CUBE || ec_topology_neighbor(t, node, link) != EC_NONE;
}

uint64_t cli_picture_max(const struct cli_field *f)
{
    const struct ec_topology *t = f->topology;
    uint64_t max = 0;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            uint64_t value = exists(t, node, link) ? f->at(f->context, node, link) : 0;
            max = value > max ? value : max;
        }
    }
    return max;
}

static int digits(uint64_t value)
{
    int n = 1;
    for (; value >= 10; value /= 10)
        n++;
    return n;
}

/* --- One number --------------------------------------------------------------------------- */

struct pen {
    const struct cli_field *field;
    const struct cli_style *style;
    FILE *out;
    uint64_t max;
    int width;   /* columns of a number */
    bool levels; /* numbers too wide for their place: eight heights instead */
};

static enum cli_paint paint_of(const struct pen *p, uint64_t value)
{
    if (value == 0)
        return CLI_FAINT;
    if (value < p->field->warm)
        return CLI_PLAIN;
    return value == p->max ? CLI_BAD : CLI_WARM;
}

static void put_padding(const struct pen *p, int columns)
{
    fprintf(p->out, "%*s", columns, "");
}

/* A number right-aligned in p->width columns after an optional mark ("→"). */
static void put_number(const struct pen *p, const char *mark, uint64_t value)
{
    static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    put_padding(p, value && !p->levels ? p->width - digits(value) : p->width - 1);
    fprintf(p->out, "%s%s", cli_paint(p->style, paint_of(p, value)), mark);
    if (value == 0) {
        fputs(p->style->utf8 ? "·" : ".", p->out);
    } else if (!p->levels) {
        fprintf(p->out, "%" PRIu64, value);
    } else if (p->style->utf8) {
        fputs(heights[(value * 8 - 1) / p->max], p->out);
    } else {
        fprintf(p->out, "%" PRIu64, 1 + (value * 9 - 1) / p->max);
    }
    fputs(cli_unpaint(p->style), p->out);
}

/* --- Strips ------------------------------------------------------------------------------- */

static bool any_link(const struct ec_topology *t, unsigned link)
{
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (exists(t, node, link))
            return true;
    }
    return false;
}

static void put_gap(const struct pen *p, uint32_t node)
{
    if (p->width == 1 && node > 0 && node % GROUP == 0)
        fputc(' ', p->out);
}

/* Node numbers over their columns: all of them where they fit, else every eighth. */
static void put_scale(const struct pen *p, const struct ec_topology *t)
{
    put_padding(p, 4 + LABEL);
    if (p->width > digits(t->nodes - 1)) {
        for (uint32_t node = 0; node < t->nodes; node++)
            fprintf(p->out, "%*" PRIu32, p->width, node);
    } else {
        int group = GROUP * p->width + (p->width == 1);
        put_padding(p, p->width - 1);
        for (uint32_t node = 0; node < t->nodes; node += GROUP)
            fprintf(p->out, "%-*" PRIu32, node + GROUP < t->nodes ? group : 1, node);
    }
    fputc('\n', p->out);
}

static void put_strips(struct pen *p)
{
    const struct ec_topology *t = p->field->topology;
    int room = ROOM - LABEL + 2;
    p->width = room / (int)t->nodes > 4 ? 4 : room / (int)t->nodes;
    p->levels = p->max >= 10 && digits(p->max) >= p->width;
    put_scale(p, t);
    for (unsigned link = 0; link < ec_topology_links(t); link++) {
        char name[32];
        if (!any_link(t, link))
            continue;
        ec_topology_link_name(t, link, name, sizeof name);
        fprintf(p->out, "    %-*s", LABEL, name);
        for (uint32_t node = 0; node < t->nodes; node++) {
            put_gap(p, node);
            if (exists(t, node, link))
                put_number(p, "", p->field->at(p->field->context, node, link));
            else
                put_padding(p, p->width);
        }
        fputc('\n', p->out);
    }
    if (p->levels)
        fprintf(p->out, "    %*s%s = %" PRIu64 "%s\n", LABEL, "", p->style->utf8 ? "█" : "9",
                p->max, p->field->unit);
}

/* --- Maps --------------------------------------------------------------------------------- */

/* The number on the link of the node at (x, y), or blanks where there is none. */
static void put_arrow(const struct pen *p, const char *utf8, const char *ascii, uint32_t node,
                      unsigned link)
{
    const struct cli_field *f = p->field;
    if (node != EC_NONE && exists(f->topology, node, link))
        put_number(p, p->style->utf8 ? utf8 : ascii, f->at(f->context, node, link));
    else
        put_padding(p, p->width + 1);
}

/* The neighbour to draw after `node`: two nodes in a dimension are joined once, not round. */
static uint32_t next_of(const struct ec_topology *t, uint32_t node, unsigned dim)
{
    bool again = t->radix[dim] == 2 && ec_topology_coord(t, node, dim) == 1;
    return again ? EC_NONE : ec_topology_neighbor(t, node, 2 * dim);
}

/* A row of nodes is three lines: label and +x; +y and -x; -y. Between two nodes stand the numbers
 * of the two channels between them, behind the last node (line) those of the wrap links. */
static void put_row(const struct pen *p, unsigned dim_x, unsigned dim_y, uint32_t y)
{
    const struct ec_topology *t = p->field->topology;
    unsigned east = 2 * dim_x, south = 2 * dim_y;
    for (int line = 0; line < 3; line++) {
        fputs("    ", p->out);
        for (uint32_t x = 0; x < t->radix[dim_x]; x++) {
            uint32_t node = x * t->stride[dim_x] + y * t->stride[dim_y];
            uint32_t right = next_of(t, node, dim_x), below = next_of(t, node, dim_y);
            if (line == 0) {
                fprintf(p->out, "%s%*" PRIu32 "%s ", cli_paint(p->style, CLI_STRONG), p->width + 1,
                        node, cli_unpaint(p->style));
                put_arrow(p, "→", ">", right == EC_NONE ? EC_NONE : node, east);
            } else if (line == 1) {
                put_arrow(p, "↓", "v", below == EC_NONE ? EC_NONE : node, south);
                fputc(' ', p->out);
                put_arrow(p, "←", "<", right, ec_topology_reverse(t, east));
            } else {
                put_arrow(p, "↑", "^", below, ec_topology_reverse(t, south));
                put_padding(p, p->width + 2);
            }
            fputc(' ', p->out);
        }
        fputc('\n', p->out);
    }
}

/* The two dimensions of a map, if it is one and fits. */
static bool is_map(const struct pen *p, unsigned *ret_x, unsigned *ret_y)
{
    const struct ec_topology *t = p->field->topology;
    unsigned large[2], count = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->radix[d] > 1 && count++ < 2)
            large[count - 1] = d;
    }
    if (count != 2 || t->links_per_dim != 2)
        return false;
    *ret_x = large[0];
    *ret_y = large[1];
    return 4 + t->radix[large[0]] * (2 * (uint32_t)p->width + 4) <= 80;
}

/* --- Histograms --------------------------------------------------------------------------- */

enum { BINS_MAX = 72 };

/* Small numbers one by one, larger ones by powers of two: 0, 1, 2, 3-4, 5-8, ... */
static unsigned bin_of(uint64_t value, bool powers)
{
    if (!powers)
        return (unsigned)value;
    unsigned bin = value > 0;
    for (uint64_t bound = 1; bound < value && bin < BINS_MAX - 1; bound *= 2)
        bin++;
    return bin;
}

static void bin_name(unsigned bin, bool powers, char *buffer, size_t size)
{
    if (!powers || bin < 3)
        snprintf(buffer, size, "%u", bin);
    else
        snprintf(buffer, size, "%" PRIu64 "-%" PRIu64, (UINT64_C(1) << (bin - 2)) + 1,
                 UINT64_C(1) << (bin - 1));
}

static void put_bars(const struct pen *p, const uint64_t *counts, unsigned bins, bool powers)
{
    uint64_t most = 1;
    for (unsigned i = 0; i < bins; i++)
        most = counts[i] > most ? counts[i] : most;
    for (unsigned i = 0; i < bins; i++) {
        char name[48];
        if (counts[i] == 0)
            continue;
        bin_name(i, powers, name, sizeof name);
        fprintf(p->out, "    %9s%s ", name, p->field->unit);
        enum cli_paint paint = i == 0                                      ? CLI_FAINT
                               : i + 1 == bins && p->max >= p->field->warm ? CLI_BAD
                               : i >= bin_of(p->field->warm, powers)       ? CLI_WARM
                                                                           : CLI_PLAIN;
        fputs(cli_paint(p->style, paint), p->out);
        for (uint64_t n = 0; n < 1 + (counts[i] * 39) / most; n++)
            fputs(p->style->utf8 ? "█" : "#", p->out);
        fprintf(p->out, "%s %" PRIu64 "\n", cli_unpaint(p->style), counts[i]);
    }
}

static void put_histogram(const struct pen *p)
{
    const struct cli_field *f = p->field;
    const struct ec_topology *t = f->topology;
    uint64_t counts[BINS_MAX] = {0};
    bool powers = p->max > 12;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            if (exists(t, node, link))
                counts[bin_of(f->at(f->context, node, link), powers)]++;
        }
    }
    fprintf(p->out, "    %9s%*s links\n", f->title, (int)strlen(f->unit), "");
    put_bars(p, counts, bin_of(p->max, powers) + 1, powers);
}

void cli_picture_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out)
{
    struct pen p = {.field = f, .style = s, .out = out, .max = cli_picture_max(f)};
    put_histogram(&p);
}

void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out)
{
    struct pen p = {.field = f, .style = s, .out = out, .max = cli_picture_max(f)};
    const struct ec_topology *t = f->topology;
    unsigned x, y;
    p.width = digits(p.max);
    if (p.width < digits(t->nodes - 1) - 1)
        p.width = digits(t->nodes - 1) - 1;
    if (t->nodes > NODES_DRAWN || p.max == 0) {
        put_histogram(&p);
        return;
    }
    fprintf(out, "    %s\n", f->title);
    if (is_map(&p, &x, &y)) {
        for (uint32_t row = 0; row < t->radix[y]; row++)
            put_row(&p, x, y, row);
    } else {
        put_strips(&p);
    }
}
