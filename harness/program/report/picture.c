/* SPDX-License-Identifier: Apache-2.0 */
/* Link pictures: maps, strips and histograms. Knows topologies and terminals; knows only the title
 * and unit of the numbers. */
#include "program/report/report.h"

#include <inttypes.h>
#include <string.h>

/* --- Links -------------------------------------------------------------------------------- */

static bool has_link(const struct ec_topology *t, uint32_t node, unsigned link)
{
    /* Called 20 million times for a large cube, where the answer is always yes. */
    return t->kind == EC_CUBE || ec_topology_neighbor(t, node, link) != EC_NONE;
}

static uint64_t largest(const struct cli_field *f)
{
    const struct ec_topology *t = f->topology;
    uint64_t max = 0;
    for (uint32_t node = 0; node < t->routers; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            uint64_t value = has_link(t, node, link) ? f->at(f->context, node, link) : 0;
            max = value > max ? value : max;
        }
    }
    return max;
}

/* --- Histograms --------------------------------------------------------------------------- */

enum { BINS_MAX = 72, BINS_SHOWN = 12, BAR = 40 };

/* Small numbers one by one and percentages by fives or tens; other large numbers by powers of two:
 * 0, 1, 2, 3-4, 5-8, ... (loads of permutations double from dimension to dimension). */
struct bins {
    bool powers;
    uint64_t step;
};

static struct bins choose_bins(const struct cli_field *f, uint64_t max)
{
    if (max <= BINS_SHOWN)
        return (struct bins){.step = 1};
    if (*f->unit == '\0')
        return (struct bins){.powers = true};
    return (struct bins){.step = max <= 5 * BINS_SHOWN ? 5 : 10};
}

/* Bin 0 holds only the value 0. */
static unsigned bin_of(uint64_t value, const struct bins *b)
{
    if (!b->powers) {
        uint64_t bin = (value + b->step - 1) / b->step;
        return bin < BINS_MAX ? (unsigned)bin : BINS_MAX - 1;
    }
    unsigned bin = value > 0;
    for (uint64_t bound = 1; bound < value && bin < BINS_MAX - 1; bound *= 2)
        bin++;
    return bin;
}

static void bin_name(unsigned bin, const struct bins *b, char *buffer, size_t size)
{
    uint64_t last = !b->powers ? bin * b->step : bin > 0 ? UINT64_C(1) << (bin - 1) : 0;
    uint64_t first = !b->powers ? last - b->step + 1 : last / 2 + 1;
    if (bin == 0 || first == last)
        snprintf(buffer, size, "%" PRIu64, last);
    else
        snprintf(buffer, size, "%" PRIu64 "-%" PRIu64, first, last);
}

static enum cli_paint bin_paint(const struct cli_field *f, uint64_t max, unsigned bin,
                                const struct bins *b)
{
    if (bin == 0)
        return CLI_FAINT;
    if (max < f->warm || bin < bin_of(f->warm, b))
        return CLI_PLAIN;
    return bin == bin_of(max, b) ? CLI_BAD : CLI_WARM;
}

void cli_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out)
{
    const struct ec_topology *t = f->topology;
    const uint64_t max = largest(f);
    const struct bins bins = choose_bins(f, max);
    uint64_t counts[BINS_MAX] = {0}, most = 1;
    for (uint32_t node = 0; node < t->routers; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            if (has_link(t, node, link))
                counts[bin_of(f->at(f->context, node, link), &bins)]++;
        }
    }
    for (unsigned i = 0; i < BINS_MAX; i++)
        most = counts[i] > most ? counts[i] : most;
    fprintf(out, "    %s: how many links\n", f->title);
    for (unsigned i = 0; i < BINS_MAX; i++) {
        char name[48];
        if (counts[i] == 0)
            continue;
        bin_name(i, &bins, name, sizeof name);
        fprintf(out, "    %9s%s %s", name, f->unit, cli_paint(s, bin_paint(f, max, i, &bins)));
        for (uint64_t n = 0; n < 1 + counts[i] * (BAR - 1) / most; n++)
            fputs(s->utf8 ? "█" : "#", out);
        fprintf(out, "%s %" PRIu64 "\n", cli_unpaint(s), counts[i]);
    }
}

enum { NODES_DRAWN = 64, ROOM = 76, LABEL = 5, SCALE_STEP = 8, GAP = 3, NODE_LABEL = 4 };

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
    int blanks;  /* pending blanks, printed before the next text, so that no line ends in blanks */
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

static void put_padding(struct pen *p, int columns)
{
    p->blanks += columns;
}

static void put_text(struct pen *p, const char *text)
{
    fprintf(p->out, "%*s%s", p->blanks, "", text);
    p->blanks = 0;
}

static void put_line_end(struct pen *p)
{
    p->blanks = 0;
    fputc('\n', p->out);
}

/* A number right-aligned in p->width columns. */
static void put_number(struct pen *p, uint64_t value)
{
    static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    put_padding(p, value && !p->levels ? p->width - digits(value) : p->width - 1);
    enum cli_paint paint = paint_of(p, value);
    put_text(p, cli_paint(p->style, paint));
    if (value == 0) {
        fputs(p->style->utf8 ? "·" : ".", p->out);
    } else if (!p->levels) {
        fprintf(p->out, "%" PRIu64, value);
    } else if (p->style->utf8) {
        fputs(heights[(value * 8 - 1) / p->max], p->out);
    } else {
        fprintf(p->out, "%" PRIu64, 1 + (value * 9 - 1) / p->max);
    }
    if (paint != CLI_PLAIN)
        fputs(cli_unpaint(p->style), p->out);
}

/* --- Strips ------------------------------------------------------------------------------- */

static bool any_link(const struct ec_topology *t, unsigned link)
{
    for (uint32_t node = 0; node < t->routers; node++) {
        if (has_link(t, node, link))
            return true;
    }
    return false;
}

static void put_gap(struct pen *p, uint32_t node)
{
    if (p->width == 1 && node > 0 && node % SCALE_STEP == 0)
        put_padding(p, 1);
}

/* Node numbers over their columns: all of them where they fit, else every eighth. */
static void put_scale(struct pen *p, const struct ec_topology *t)
{
    bool all = p->width > digits(t->routers - 1);
    put_padding(p, 4 + LABEL);
    for (uint32_t node = 0; node < t->routers; node++) {
        char label[16];
        put_gap(p, node);
        int length = snprintf(label, sizeof label, "%" PRIu32, node);
        if (all || node % SCALE_STEP == 0) {
            put_padding(p, all ? p->width - length : p->width - 1);
            put_text(p, label);
            /* A label of two digits at a column of one borrows from the columns after it. */
            p->blanks -= all ? 0 : length - 1;
        } else {
            put_padding(p, p->width);
        }
    }
    put_line_end(p);
}

static void put_strips(struct pen *p)
{
    const struct ec_topology *t = p->field->topology;
    int room = (ROOM - LABEL) / (int)t->routers;
    p->width = room > 4 ? 4 : room;
    p->levels = p->max >= 10 && digits(p->max) >= p->width;
    put_scale(p, t);
    for (unsigned link = 0; link < ec_topology_links(t); link++) {
        char name[32];
        if (!any_link(t, link))
            continue;
        ec_topology_link_name(t, link, name, sizeof name);
        put_padding(p, 4);
        put_text(p, name);
        put_padding(p, LABEL - (int)strlen(name));
        for (uint32_t node = 0; node < t->routers; node++) {
            put_gap(p, node);
            if (has_link(t, node, link))
                put_number(p, p->field->at(p->field->context, node, link));
            else
                put_padding(p, p->width);
        }
        put_line_end(p);
    }
    if (p->levels)
        fprintf(p->out, "%*s%s = %" PRIu64 "%s\n", 4 + LABEL, "", p->style->utf8 ? "█" : "9",
                p->max, p->field->unit);
}

/* --- Maps --------------------------------------------------------------------------------- */

/* The two dimensions of a plane, and the number of maps side by side. */
struct plane {
    unsigned x, y;
    int cell, block; /* columns of a number with its blank; of a whole map */
    unsigned abreast;
};

static bool is_plane(struct pen *p, struct plane *ret)
{
    const struct ec_topology *t = p->field->topology;
    unsigned large[2], count = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->radix[d] > 1 && count++ < 2)
            large[count - 1] = d;
    }
    if (count != 2 || t->links_per_dim != 2)
        return false;
    int cell = p->width + 1;
    int block = (int)t->radix[large[0]] * cell + GAP;
    int abreast = (4 + ROOM - NODE_LABEL + GAP) / block;
    *ret = (struct plane){large[0], large[1], cell, block, abreast < 4 ? (unsigned)abreast : 4};
    return ret->abreast > 0;
}

static void put_plane_row(struct pen *p, const struct plane *g, const unsigned *links,
                          unsigned count, uint32_t y)
{
    const struct ec_topology *t = p->field->topology;
    char label[16];
    snprintf(label, sizeof label, "%*" PRIu32, NODE_LABEL, y * t->stride[g->y]);
    put_padding(p, 2);
    put_text(p, label);
    for (unsigned i = 0; i < count; i++) {
        put_padding(p, i ? GAP : 0);
        for (uint32_t x = 0; x < t->radix[g->x]; x++) {
            uint32_t node = x * t->stride[g->x] + y * t->stride[g->y];
            put_padding(p, 1);
            if (has_link(t, node, links[i]))
                put_number(p, p->field->at(p->field->context, node, links[i]));
            else
                put_padding(p, p->width);
        }
    }
    put_line_end(p);
}

/* "+x →" over the left edge of each map. */
static void put_plane_heads(struct pen *p, const struct plane *g, const unsigned *links,
                            unsigned count)
{
    static const char *const arrows[] = {" →", " ←", " ↓", " ↑"};
    put_padding(p, 2 + NODE_LABEL + 1);
    for (unsigned i = 0; i < count; i++) {
        char name[32];
        ec_topology_link_name(p->field->topology, links[i], name, sizeof name);
        put_text(p, name);
        put_text(p, p->style->utf8 ? arrows[links[i] % 2 + (links[i] / 2 == g->y ? 2 : 0)] : "");
        put_padding(p, g->block - (int)strlen(name) - (p->style->utf8 ? 2 : 0));
    }
    put_line_end(p);
}

/* One map of the plane for each direction, as many side by side as fit. Each line begins with the
 * number of its first node. */
static void put_plane(struct pen *p, const struct plane *g)
{
    const struct ec_topology *t = p->field->topology;
    const unsigned links[] = {2 * g->x, 2 * g->x + 1, 2 * g->y, 2 * g->y + 1};
    for (unsigned first = 0; first < 4; first += g->abreast) {
        unsigned count = 4 - first < g->abreast ? 4 - first : g->abreast;
        if (first > 0)
            put_line_end(p);
        put_plane_heads(p, g, links + first, count);
        for (uint32_t y = 0; y < t->radix[g->y]; y++)
            put_plane_row(p, g, links + first, count, y);
    }
}

void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out)
{
    struct pen p = {.field = f, .style = s, .out = out, .max = largest(f)};
    const struct ec_topology *t = f->topology;
    struct plane plane;
    p.width = digits(p.max);
    if (t->routers > NODES_DRAWN || p.max == 0) {
        cli_histogram(f, s, out);
        return;
    }
    fprintf(out, "    %s\n", f->title);
    if (is_plane(&p, &plane))
        put_plane(&p, &plane);
    else
        put_strips(&p);
}
