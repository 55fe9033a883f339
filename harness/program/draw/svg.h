/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes in our pictures, as SVG. Units are pixels, y grows downwards. */
#pragma once

#include <stdio.h>

struct svg_point {
    double x, y;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Colours of Okabe and Ito, which are distinguishable with any kind of colour vision; each has its
 * own dashes and lightness, so that a grey print is readable, too. */
#define SVG_COLOURS 7

/* `millimetres`: the width in print; 0: a pixel is 1/96 inch. Screen readers read the title and the
 * description, which says what the picture shows. */
void svg_begin(FILE *out, double width, double height, double millimetres, const char *title,
               const char *description);
void svg_end(FILE *out);

void svg_text(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
              const char *words);
void svg_bold(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
              const char *words);
/* On white, whatever lines are below. */
void svg_label(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
               const char *words);
void svg_circle(FILE *out, struct svg_point centre, double radius, const char *fill);

/* Fills for cells with black text: the light colours of Tol, which are distinguishable with any
 * kind of colour vision, each plain and with hatches for more of them and for grey prints. */
#define SVG_FILLS 36
void svg_cell(FILE *out, struct svg_point corner, double width, double height, unsigned index);
/* Thin and grey: for unused links. */
void svg_faint_line(FILE *out, struct svg_point a, struct svg_point b);
/* From a to b, with a head at b, or without. */
void svg_arrow(FILE *out, struct svg_point a, struct svg_point b, unsigned colour, int head);
