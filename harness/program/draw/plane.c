/* SPDX-License-Identifier: Apache-2.0 */
/* The plane of K and sigma_r. Every number is counted in a schedule; must not know the formulas of
 * the theorem, so that the borders are found, not drawn. */
#include "draw/plane.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"
#include "draw/svg.h"
#include "ecube/schedule.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

/* --- Steps ---------------------------------------------------------------------------------- */

static const char *const kinds[PLANE_KINDS] = {"pipelined", "concurrent", "parity", "lockstep"};

/* "gsh:cycle=6-5-4-0,K=10": alpha_0 is storage dimension 0. */
static void write_workload(unsigned order, uint32_t elements, char *buffer, size_t size)
{
    unsigned storage = 0;
    size_t used = (size_t)snprintf(buffer, size, "gsh:cycle=");
    while (elements > 1U << storage)
        storage++;
    for (unsigned d = order; d-- > 0;)
        used += (size_t)snprintf(buffer + used, size - used, "%u-", storage + d);
    snprintf(buffer + used, size - used, "0,K=%" PRIu32, elements);
}

static enum ec_code count_steps(const struct ec_topology *t, uint32_t elements,
                                uint32_t ret[PLANE_KINDS], struct ec_error *reterr)
{
    struct ec_workload *w;
    char text[128];
    write_workload(t->dims, elements, text, sizeof text);
    enum ec_code code = ec_workload_open(text, t, 1, &w, reterr);
    if (code != EC_OK)
        return code;
    for (unsigned kind = 0; code == EC_OK && kind < PLANE_KINDS; kind++) {
        struct ec_schedule *s = NULL;
        code = ec_schedule_open(t, w, kinds[kind], &s, reterr);
        ret[kind] = code == EC_OK ? s->steps : UINT32_MAX;
        ec_schedule_close(s);
        if (kind == PLANE_LOCKSTEP && code == EC_USAGE) /* too many elements for it */
            code = EC_OK;
    }
    ec_workload_close(w);
    return code;
}

enum ec_code plane_open(unsigned orders, uint32_t elements, const char *title,
                        void (*say)(void *context, unsigned order), void *context,
                        struct plane *ret, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (orders > PLANE_ORDERS_MAX || elements > PLANE_ELEMENTS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "cannot draw the plane of %u dimensions and K=%" PRIu32
                       ": expected at most %d dimensions and K=%d; use a smaller cube, or a "
                       "smaller K",
                       orders, elements, PLANE_ORDERS_MAX, PLANE_ELEMENTS_MAX);
    *ret = (struct plane){.orders = orders, .elements = elements};
    snprintf(ret->title, sizeof ret->title, "%s", title);
    for (unsigned order = 1; code == EC_OK && order <= orders; order++) {
        struct ec_topology t;
        char text[16];
        snprintf(text, sizeof text, "cube:%u", order);
        say(context, order);
        code = ec_topology_parse(text, &t, reterr);
        for (uint32_t k = 2; code == EC_OK && k <= elements; k += 2)
            code = count_steps(&t, k, ret->steps[order][k / 2], reterr);
    }
    return code;
}

/* --- Regions -------------------------------------------------------------------------------- */

/* Two planes: the published schedules, and all. */
#define PLANES 2
static const char *const headings[PLANES] = {"published schedules (Theorem 1)", "all schedules"};

/* A region, and how it is drawn: fills differ in grey prints, too. */
struct region {
    char letter;
    unsigned fill;
    const char *name;
};
static const struct region regions[] = {
    {'p', 6, "pipelining: all rows start in the first dimension"},
    {'c', 10, "concurrent exchange: the steps do not depend on K"},
    {'b', 20, "both: concurrent exchange with pipelining"},
    {'y', 3, "parity: a row starts in every dimension (not in the paper)"},
    {'l', 14, "lockstep: all elements start at once (not in the paper)"},
};
enum { REGION_PIPELINED, REGION_CONCURRENT, REGION_BOTH, REGION_PARITY, REGION_LOCKSTEP, REGIONS };

static uint32_t published(const struct plane *p, unsigned order, uint32_t k)
{
    const uint32_t *steps = p->steps[order][k / 2];
    return steps[PLANE_CONCURRENT] < steps[PLANE_PIPELINED] ? steps[PLANE_CONCURRENT]
                                                            : steps[PLANE_PIPELINED];
}

static uint32_t fewest(const struct plane *p, unsigned plane, unsigned order, uint32_t k)
{
    uint32_t least = published(p, order, k);
    for (unsigned kind = PLANE_PARITY; plane && kind < PLANE_KINDS; kind++)
        if (p->steps[order][k / 2][kind] < least)
            least = p->steps[order][k / 2][kind];
    return least;
}

/* Concurrent schedules of few elements have empty rows: one row more costs nothing. */
static unsigned region_at(const struct plane *p, unsigned plane, unsigned order, uint32_t k)
{
    const uint32_t steps = fewest(p, plane, order, k);
    if (steps == p->steps[order][k / 2][PLANE_PIPELINED])
        return REGION_PIPELINED;
    if (steps < published(p, order, k))
        return steps < p->steps[order][k / 2][PLANE_PARITY] ? REGION_LOCKSTEP : REGION_PARITY;
    return k > 2 && published(p, order, k - 2) < steps ? REGION_BOTH : REGION_CONCURRENT;
}

/* --- SVG ------------------------------------------------------------------------------------ */

#define CELL_WIDTH  34.0
#define CELL_HEIGHT 22.0
#define SIDE        46.0 /* left of the cells: K */
#define HEAD        46.0
#define CAPTION     30.0
#define AXIS        38.0 /* below the cells: sigma_r */
#define GAP         34.0
#define LINE        18.0

static struct svg_point corner_of(const struct plane *p, struct svg_point at, unsigned order,
                                  uint32_t k)
{
    return (struct svg_point){at.x + SIDE + (order - 1) * CELL_WIDTH,
                              at.y + CAPTION + (p->elements - k) / 2 * CELL_HEIGHT};
}

/* Where two regions meet. */
static void draw_borders(FILE *out, const struct plane *p, unsigned plane, struct svg_point at)
{
    for (unsigned order = 1; order <= p->orders; order++) {
        for (uint32_t k = 2; k <= p->elements; k += 2) {
            const unsigned here = region_at(p, plane, order, k);
            const struct svg_point a = corner_of(p, at, order, k);
            const struct svg_point right = {a.x + CELL_WIDTH, a.y};
            const struct svg_point below = {right.x, a.y + CELL_HEIGHT};
            if (order < p->orders && region_at(p, plane, order + 1, k) != here)
                svg_border(out, right, below);
            if (k < p->elements && region_at(p, plane, order, k + 2) != here)
                svg_border(out, a, right);
        }
    }
}

static void draw_axes(FILE *out, const struct plane *p, struct svg_point at)
{
    const double foot = at.y + CAPTION + p->elements / 2 * CELL_HEIGHT;
    char text[16];
    for (unsigned order = 1; order <= p->orders; order++) {
        snprintf(text, sizeof text, "%u", order);
        svg_text(out, (struct svg_point){at.x + SIDE + (order - 0.5) * CELL_WIDTH, foot + 15}, 11,
                 SVG_MIDDLE, text);
    }
    svg_text(out, (struct svg_point){at.x + SIDE + p->orders * CELL_WIDTH / 2, foot + 32}, 12,
             SVG_MIDDLE, "\u03c3r, the processor dimensions");
    for (uint32_t k = 2; k <= p->elements; k += 2) {
        snprintf(text, sizeof text, "%" PRIu32, k);
        svg_text(out,
                 (struct svg_point){at.x + SIDE - 8, corner_of(p, at, 1, k).y + CELL_HEIGHT - 7},
                 11, SVG_END, text);
    }
    svg_text(out, (struct svg_point){at.x + 4, at.y + CAPTION + 15}, 12, SVG_START, "K");
}

static void draw_plane(FILE *out, const struct plane *p, unsigned plane, struct svg_point at)
{
    svg_bold(out, (struct svg_point){at.x, at.y + 14}, 13, SVG_START, headings[plane]);
    for (unsigned order = 1; order <= p->orders; order++) {
        for (uint32_t k = 2; k <= p->elements; k += 2) {
            const struct svg_point a = corner_of(p, at, order, k);
            const bool here = order == p->order_here && k == p->elements_here;
            char text[16];
            snprintf(text, sizeof text, "%" PRIu32, fewest(p, plane, order, k));
            svg_cell(out, a, CELL_WIDTH, CELL_HEIGHT, regions[region_at(p, plane, order, k)].fill);
            (here ? svg_bold
                  : svg_text)(out, (struct svg_point){a.x + CELL_WIDTH / 2, a.y + CELL_HEIGHT - 7},
                              11, SVG_MIDDLE, text);
            if (here)
                svg_frame(out, (struct svg_point){a.x + 3, a.y + 3}, CELL_WIDTH - 6,
                          CELL_HEIGHT - 6);
        }
    }
    draw_borders(out, p, plane, at);
    draw_axes(out, p, at);
}

void plane_svg(FILE *out, const struct plane *p)
{
    const double wide = SIDE + p->orders * CELL_WIDTH + GAP;
    const double tall = CAPTION + p->elements / 2 * CELL_HEIGHT + AXIS;
    const double width = fmax(PLANES * wide, fmax(560, 16 + 9 * (double)strlen(p->title)));
    const double height = HEAD + tall + 22 + (REGIONS + 1) * LINE + 8;
    svg_begin(out, width, height, p->millimetres, p->title,
              "Two tables of steps by K, from below, and by the number of processor dimensions; "
              "regions differ in the schedule with the fewest steps.");
    svg_bold(out, (struct svg_point){12, 28}, 15, SVG_START, p->title);
    for (unsigned plane = 0; plane < PLANES; plane++)
        draw_plane(out, p, plane,
                   (struct svg_point){14 + plane * fmax(wide, width / PLANES), HEAD});
    double y = HEAD + tall + 22;
    for (unsigned r = 0; r < REGIONS; r++, y += LINE) {
        svg_cell(out, (struct svg_point){14, y - 11}, 30, 14, regions[r].fill);
        svg_text(out, (struct svg_point){52, y}, 11, SVG_START, regions[r].name);
    }
    svg_text(out, (struct svg_point){14, y + 2}, 11, SVG_START,
             "a number: the steps of the schedule; framed: the workload of the title");
    svg_end(out);
}

/* --- Text ----------------------------------------------------------------------------------- */

void plane_text(FILE *out, const struct plane *p)
{
    fprintf(out, "%s\n", p->title);
    for (unsigned plane = 0; plane < PLANES; plane++) {
        fprintf(out, "\n%s\n     K\n", headings[plane]);
        for (uint32_t k = p->elements; k >= 2; k -= 2) {
            fprintf(out, "  %4" PRIu32 " ", k);
            for (unsigned order = 1; order <= p->orders; order++)
                fprintf(out, " %4" PRIu32 "%c", fewest(p, plane, order, k),
                        regions[region_at(p, plane, order, k)].letter);
            fputc('\n', out);
        }
        fputs("sigma_r", out);
        for (unsigned order = 1; order <= p->orders; order++)
            fprintf(out, " %4u%s", order, order < p->orders ? " " : "\n");
    }
    fputs("\na cell: steps\n", out);
    for (unsigned r = 0; r < REGIONS; r++)
        fprintf(out, "%c  %s\n", regions[r].letter, regions[r].name);
}
