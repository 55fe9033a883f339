/* SPDX-License-Identifier: Apache-2.0 */
/* Room for texts. Knows boxes and lines; must not know what they are. */
#include "draw/labels.h"

#include <math.h>

/* Prices. A text on a text cannot be read; outside it is lost; on a line it has a white rim. A
 * later choice costs a little, so that texts stay where one expects them. */
#define OUTSIDE_COST 40.0 /* per unit of area, as OVERLAP */
#define OVERLAP_COST 4.0
#define LINE_COST    1.0 /* per unit of length */
#define CHOICE_COST  1.5

void labels_begin(struct labels *l, struct labels_box page)
{
    l->page = page;
    l->box_count = l->line_count = 0;
}

void labels_keep_box(struct labels *l, struct labels_box box)
{
    if (l->box_count < LABELS_BOXES_MAX)
        l->boxes[l->box_count++] = box;
}

void labels_keep_line(struct labels *l, struct svg_point a, struct svg_point b)
{
    if (l->line_count == LABELS_LINES_MAX)
        return;
    l->lines[l->line_count].a = a;
    l->lines[l->line_count++].b = b;
}

double labels_width(const char *words, double size)
{
    double characters = 0;
    for (const char *c = words; *c; c++)
        characters += (*c & 0xc0) != 0x80; /* not the later bytes of UTF-8 */
    return 0.62 * size * characters;
}

double labels_height(double size)
{
    return 0.72 * size;
}

static double common_area(const struct labels_box *a, const struct labels_box *b)
{
    const double width = fmin(a->right, b->right) - fmax(a->left, b->left);
    const double height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
    return width > 0 && height > 0 ? width * height : 0;
}

/* The part of a way from `from` by `by` that lies between the borders narrows [*first, *last]. */
static void clip(double from, double by, double low, double high, double *first, double *last)
{
    if (fabs(by) < 1e-9) {
        if (from < low || from > high)
            *last = -1;
        return;
    }
    const double s = (low - from) / by, t = (high - from) / by;
    *first = fmax(*first, fmin(s, t));
    *last = fmin(*last, fmax(s, t));
}

static double common_length(const struct labels_box *box, struct svg_point a, struct svg_point b)
{
    double first = 0, last = 1;
    clip(a.x, b.x - a.x, box->left, box->right, &first, &last);
    clip(a.y, b.y - a.y, box->top, box->bottom, &first, &last);
    return last > first ? (last - first) * hypot(b.x - a.x, b.y - a.y) : 0;
}

static double cost(const struct labels *l, const struct labels_box *box)
{
    const double area = (box->right - box->left) * (box->bottom - box->top);
    double sum = OUTSIDE_COST * (area - common_area(box, &l->page));
    for (size_t i = 0; i < l->box_count; i++)
        sum += OVERLAP_COST * common_area(box, &l->boxes[i]);
    for (size_t i = 0; i < l->line_count; i++)
        sum += LINE_COST * common_length(box, l->lines[i].a, l->lines[i].b);
    return sum;
}

struct svg_point labels_place(struct labels *l, const char *words, double size,
                              const struct svg_point *choices, size_t count)
{
    const double half = labels_width(words, size) / 2, rise = labels_height(size) / 2;
    struct labels_box best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct labels_box box = {choices[i].x - half - 1, choices[i].y - rise - 1,
                                       choices[i].x + half + 1, choices[i].y + rise + 1};
        const double price = cost(l, &box) + CHOICE_COST * (double)i;
        if (price < least) {
            least = price;
            best = box;
        }
    }
    labels_keep_box(l, best);
    return (struct svg_point){(best.left + best.right) / 2, best.bottom - 1};
}
