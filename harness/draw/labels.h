/* SPDX-License-Identifier: Apache-2.0 */
/* Room for texts: of several places for a text the one where it covers least. */
#ifndef DRAW_LABELS_H
#define DRAW_LABELS_H

#include <stddef.h>

#include "draw/svg.h"

/* Circles, texts and lines of one panel: of 64 nodes with at most 6 links each, and both pieces of
 * a link that leaves at one border and comes in at the other. What is more is not avoided. */
#define LABELS_BOXES_MAX 1024
#define LABELS_LINES_MAX 1024

struct labels_box {
    double left, top, right, bottom;
};

struct labels {
    struct labels_box page;
    struct labels_box boxes[LABELS_BOXES_MAX];
    struct {
        struct svg_point a, b;
    } lines[LABELS_LINES_MAX];
    size_t box_count, line_count;
};

void labels_begin(struct labels *l, struct labels_box page);

/* Nothing may cover this; or it would be better not to. */
void labels_keep_box(struct labels *l, struct labels_box box);
void labels_keep_line(struct labels *l, struct svg_point a, struct svg_point b);

/* A text of this size whose middle is at one of `choices`, the best first among equals. It is kept
 * free from then on. Gives the point for svg_label() with SVG_MIDDLE. */
struct svg_point labels_place(struct labels *l, const char *words, double size,
                              const struct svg_point *choices, size_t count);

/* How large a text is, estimated: fonts differ. */
double labels_width(const char *words, double size);
double labels_height(double size);

#endif
