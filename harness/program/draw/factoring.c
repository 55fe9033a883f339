/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of dimensions as rings. Knows permutations of address bits, no data and no networks. */
#include "draw/factoring.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/layout.h"
#include "draw/svg.h"

/* --- Factors -------------------------------------------------------------------------------- */

#define CYCLES_MAX (EC_SDP_DIMS_MAX / 2)
#define NAME       200

/* A cycle, and what it is factored into: nothing if it is real or virtual itself. */
struct factored {
    struct ec_sdp_cycle cycle, factor[CYCLES_MAX], rest;
    unsigned factors;
    unsigned block[EC_SDP_DIMS_MAX]; /* of a dimension: index + 1; 0: none */
};

static struct factored factor(const struct ec_sdp *sdp, const struct ec_sdp_cycle *c)
{
    struct factored f = {.cycle = *c};
    if (c->dim[0] >= sdp->storage || c->dim[1] < sdp->storage)
        return f;
    f.factors = ec_sdp_factor(c, sdp->storage, f.factor, &f.rest);
    for (unsigned b = 0; b < f.factors; b++)
        for (unsigned i = 0; i < f.factor[b].length; i++)
            f.block[f.factor[b].dim[i]] = b + 1;
    return f;
}

/* Does the virtual factor do anything? */
static bool has_rest(const struct factored *f)
{
    return f->factors && (f->rest.length > 1 || f->rest.complement);
}

static bool is_inverted(const struct ec_sdp_cycle *c, unsigned i)
{
    return c->complement >> i & 1;
}

/* "(9 8 | 3)": alpha_(sigma-1) first, a bar between processor and storage dimensions. */
static void write_cycle(const struct ec_sdp *sdp, const struct ec_sdp_cycle *c, char buffer[NAME])
{
    size_t used = (size_t)snprintf(buffer, NAME, "(");
    for (unsigned i = c->length; i-- > 0;) {
        const bool first = i == c->length - 1;
        const bool bar = !first && (c->dim[i] < sdp->storage) != (c->dim[i + 1] < sdp->storage);
        used += (size_t)snprintf(buffer + used, NAME - used, "%s%s%u",
                                 first ? ""
                                 : bar ? " | "
                                       : " ",
                                 is_inverted(c, i) ? "~" : "", c->dim[i]);
    }
    snprintf(buffer + used, NAME - used, ")");
}

static const char *kind_of(const struct ec_sdp *sdp, const struct factored *f)
{
    return f->factors ? "mixed" : f->cycle.dim[0] < sdp->storage ? "virtual" : "real";
}

/* Dimensions that are inverted and do not move, as words; "" if there are none. */
static void write_inverted(const struct ec_sdp *sdp, char buffer[NAME])
{
    size_t used = 0;
    *buffer = 0;
    for (unsigned d = 0; d < sdp->storage + sdp->processor; d++) {
        if (sdp->from[d] == d && sdp->complement >> d & 1)
            used += (size_t)snprintf(buffer + used, NAME - used, "%s %u",
                                     used ? "," : "inverted in place:", d);
    }
}

/* --- SVG ------------------------------------------------------------------------------------ */

#define HEAD    46.0
#define CAPTION 44.0 /* above rings */
#define HALF    15.0 /* of a node */
#define PER     66.0 /* of the circumference, for a node */
#define GAP     36.0
#define LEAST   44.0 /* radius */

static double radius_of(const struct ec_sdp_cycle *c)
{
    return fmax(LEAST, c->length * PER / 6.2832);
}

static struct svg_point point_on(struct svg_point centre, double radius, unsigned i, unsigned count)
{
    const double angle = 6.28318530717958648 * i / count - 1.57079632679489662;
    return (struct svg_point){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
}

/* From node to node, `side` to the right. */
static void draw_step(FILE *out, struct svg_point a, struct svg_point b, double side)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    const double cut = HALF + 7;
    svg_arrow(out, (struct svg_point){a.x + ux * cut - uy * side, a.y + uy * cut + ux * side},
              (struct svg_point){b.x - ux * cut - uy * side, b.y - uy * cut + ux * side}, 0, 1);
}

static void draw_node(FILE *out, const struct ec_sdp *sdp, const struct factored *f,
                      const struct ec_sdp_cycle *c, unsigned i, struct svg_point at)
{
    const unsigned dim = c->dim[i], block = f->block[dim];
    const struct svg_point corner = {at.x - HALF, at.y - HALF};
    char name[16];
    if (dim >= sdp->storage && block)
        svg_disc(out, at, HALF, block - 1);
    else if (dim >= sdp->storage)
        svg_circle(out, at, HALF, "#f4f4f4");
    else if (block)
        svg_cell(out, corner, 2 * HALF, 2 * HALF, block - 1);
    else
        svg_rectangle(out, corner, 2 * HALF, 2 * HALF, "#f4f4f4");
    snprintf(name, sizeof name, "%s%u", is_inverted(c, i) ? "~" : "", dim);
    svg_bold(out, (struct svg_point){at.x, at.y + 4}, 12, SVG_MIDDLE, name);
}

/* With its captions. Returns its width. */
static double draw_ring(FILE *out, const struct ec_sdp *sdp, const struct factored *f,
                        const struct ec_sdp_cycle *c, struct svg_point at, double middle,
                        const char *caption)
{
    char name[NAME];
    write_cycle(sdp, c, name);
    const double radius = c->length > 1 ? radius_of(c) : 0;
    const double width =
        fmax(2 * (radius + HALF + 4),
             fmax(layout_text_width(name, 12), layout_text_width(caption, 11)) + 6);
    const struct svg_point centre = {at.x + width / 2, middle};
    svg_text(out, (struct svg_point){centre.x, at.y + 14}, 11, SVG_MIDDLE, caption);
    svg_bold(out, (struct svg_point){centre.x, at.y + 31}, 12, SVG_MIDDLE, name);
    for (unsigned i = 0; c->length > 1 && i < c->length; i++)
        draw_step(out, point_on(centre, radius, i, c->length),
                  point_on(centre, radius, (i + 1) % c->length, c->length), c->length == 2 ? 5 : 0);
    for (unsigned i = 0; i < c->length; i++)
        draw_node(out, sdp, f, c, i, point_on(centre, radius, i, c->length));
    return width;
}

static double draw_cycle(FILE *out, const struct ec_sdp *sdp, const struct factored *f,
                         unsigned number, struct svg_point at)
{
    const double middle = at.y + CAPTION + HALF + 6 + radius_of(&f->cycle);
    char caption[48];
    double x = at.x;
    snprintf(caption, sizeof caption, "cycle %u: %s", number, kind_of(sdp, f));
    x += draw_ring(out, sdp, f, &f->cycle, at, middle, caption) + GAP;
    for (unsigned b = 0; b < f->factors; b++) {
        svg_bold(out, (struct svg_point){x, middle + 6}, 18, SVG_MIDDLE, b ? "and" : "=");
        x += GAP;
        snprintf(caption, sizeof caption, "first: mixed GSH %u", b + 1);
        x += draw_ring(out, sdp, f, &f->factor[b], (struct svg_point){x, at.y}, middle, caption) +
             GAP;
    }
    if (has_rest(f)) {
        svg_bold(out, (struct svg_point){x, middle + 6}, 18, SVG_MIDDLE, "then");
        x += GAP;
        x += draw_ring(out, sdp, f, &f->rest, (struct svg_point){x, at.y}, middle,
                       "last: virtual GSH") +
             GAP;
    }
    return x;
}

/* The same without drawing. */
static double measure(const struct ec_sdp *sdp, const struct ec_sdp_cycle *cycles, unsigned count,
                      double *ret_height)
{
    double width = 0;
    *ret_height = HEAD;
    for (unsigned i = 0; i < count; i++) {
        const struct factored f = factor(sdp, &cycles[i]);
        double sum = 14;
        for (unsigned b = 0; b < f.factors + 2; b++) {
            const struct ec_sdp_cycle *c = b == 0           ? &f.cycle
                                           : b <= f.factors ? &f.factor[b - 1]
                                                            : &f.rest;
            char name[NAME];
            if (b > f.factors && !has_rest(&f))
                continue;
            write_cycle(sdp, c, name);
            sum += fmax(2 * (radius_of(c) + HALF + 4),
                        fmax(layout_text_width(name, 12), 19 * 11 * 0.62) + 6) +
                   2 * GAP;
        }
        width = fmax(width, sum);
        *ret_height += CAPTION + 2 * (HALF + 6 + radius_of(&f.cycle)) + 16;
    }
    return width;
}

static const char explanation[] = "circle: a processor dimension; square: a storage dimension; an "
                                  "arrow leads to the dimension that "
                                  "gets the bit";

void factoring_svg(FILE *out, const struct ec_sdp *sdp, const char *title, double millimetres)
{
    struct ec_sdp_cycle cycles[CYCLES_MAX];
    const unsigned count = ec_sdp_cycles(sdp, cycles);
    char inverted[NAME];
    double height, y = HEAD;
    write_inverted(sdp, inverted);
    const double width =
        fmax(fmax(measure(sdp, cycles, count, &height), 28 + layout_text_width(explanation, 11)),
             16 + 9 * (double)strlen(title));
    height += 70;
    svg_begin(out, width, height, millimetres, title,
              "Each cycle of dimensions as a ring, beside the rings of its factors.");
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, title);
    for (unsigned i = 0; i < count; i++) {
        const struct factored f = factor(sdp, &cycles[i]);
        draw_cycle(out, sdp, &f, i + 1, (struct svg_point){14, y});
        y += CAPTION + 2 * (HALF + 6 + radius_of(&f.cycle)) + 16;
    }
    svg_text(out, (struct svg_point){14, height - 46}, 11, SVG_START, explanation);
    svg_text(out, (struct svg_point){14, height - 29}, 11, SVG_START,
             "in brackets: alpha of the highest index first; ~: inverted on arrival");
    svg_text(out, (struct svg_point){14, height - 12}, 11, SVG_START, inverted);
    svg_end(out);
}

/* --- Text ----------------------------------------------------------------------------------- */

void factoring_text(FILE *out, const struct ec_sdp *sdp, const char *title)
{
    struct ec_sdp_cycle cycles[CYCLES_MAX];
    const unsigned count = ec_sdp_cycles(sdp, cycles);
    const struct ec_sdp_class all = ec_sdp_classify(sdp);
    char name[NAME];
    fprintf(out, "%s\n\nsigma = %u, sigma_r = %u, sigma_s = %u\n", title, all.order, all.real_order,
            all.storage_order);
    for (unsigned i = 0; i < count; i++) {
        const struct factored f = factor(sdp, &cycles[i]);
        write_cycle(sdp, &f.cycle, name);
        fprintf(out, "\ncycle %-2u            %s  %s\n", i + 1, name, kind_of(sdp, &f));
        for (unsigned b = 0; b < f.factors; b++) {
            write_cycle(sdp, &f.factor[b], name);
            fprintf(out, "  first, mixed GSH  %s\n", name);
        }
        write_cycle(sdp, &f.rest, name);
        if (has_rest(&f))
            fprintf(out, "  then, virtual GSH %s\n", name);
    }
    write_inverted(sdp, name);
    fprintf(out,
            "%s%s\n(alpha_(sigma-1) ... alpha_0): alpha_i gets the bit of alpha_(i-1), alpha_0 "
            "that of alpha_(sigma-1);\n| between processor and storage dimensions; ~: inverted "
            "on arrival\n",
            name, *name ? "\n" : "");
}
