/* SPDX-License-Identifier: Apache-2.0 */
/* SVG. Knows elements and escapes; must not know what is drawn. */
#include "draw/svg.h"

#include "base/text.h"

static const char *const colours[SVG_COLOURS] = {"#0072B2", "#D55E00", "#007A5A", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#444444"};
static const char *const dashes[SVG_COLOURS] = {"none", "7 3",  "2 3",    "9 3 2 3",
                                                "4 2",  "12 3", "5 2 1 2"};

#define TINTS (sizeof tints / sizeof *tints)
static const char *const tints[] = {"#77AADD", "#EEDD88", "#FFAABB", "#44BB99", "#DDDDDD",
                                    "#EE8866", "#99DDFF", "#BBCC33", "#AAAA00"};
/* Behind a text: thin, white or light grey. The first tints are plain. */
static const char *const hatches[] = {NULL, "M0 6 L6 0", "M0 0 L6 6", "M3 0 L3 6"};

void svg_begin(FILE *out, double width, double height, double millimetres, const char *title,
               const char *description)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" ", out);
    if (millimetres > 0)
        fprintf(out, "width=\"%.1fmm\" height=\"%.1fmm\" ", millimetres,
                millimetres * height / width);
    else
        fprintf(out, "width=\"%.0f\" height=\"%.0f\" ", width, height);
    fprintf(out, "viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Helvetica, sans-serif\">\n",
            width, height);
    fputs("<title>", out);
    ec_put_markup(title, false, out);
    fputs("</title>\n<desc>", out);
    ec_put_markup(description, false, out);
    fputs("</desc>\n<defs>\n", out);
    for (unsigned i = 0; i < SVG_COLOURS; i++)
        fprintf(out,
                "<marker id=\"head%u\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
                "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                "<path d=\"M0 0 L8 4 L0 8 z\" fill=\"%s\"/></marker>\n",
                i, colours[i]);
    for (size_t i = 1; i < sizeof hatches / sizeof *hatches; i++)
        fprintf(out,
                "<pattern id=\"hatch%zu\" width=\"6\" height=\"6\" "
                "patternUnits=\"userSpaceOnUse\"><path d=\"%s\" stroke=\"white\" "
                "stroke-width=\"1.6\"/></pattern>\n",
                i, hatches[i]);
    fprintf(out, "</defs>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n", width, height);
}

void svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

static void text(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
                 const char *style, const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"%s\"%s>", at.x, at.y,
            size, anchors[anchor], style);
    ec_put_markup(words, false, out);
    fputs("</text>\n", out);
}

void svg_text(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
              const char *words)
{
    text(out, at, size, anchor, "", words);
}

void svg_bold(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
              const char *words)
{
    text(out, at, size, anchor, " font-weight=\"bold\"", words);
}

void svg_label(FILE *out, struct svg_point at, double size, enum svg_anchor anchor,
               const char *words)
{
    text(out, at, size, anchor, " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\"",
         words);
}

void svg_circle(FILE *out, struct svg_point centre, double radius, const char *fill)
{
    fprintf(out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#444444\" "
            "stroke-width=\"1.2\"/>\n",
            centre.x, centre.y, radius, fill);
}

void svg_cell(FILE *out, struct svg_point corner, double width, double height, unsigned index)
{
    const char *hatch = hatches[index % SVG_FILLS / TINTS];
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
            "stroke=\"#888888\" stroke-width=\"0.6\"/>\n",
            corner.x, corner.y, width, height, tints[index % TINTS]);
    if (hatch)
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"url(#hatch%zu)\"/>\n",
                corner.x, corner.y, width, height, index % SVG_FILLS / TINTS);
}

static void path(FILE *out, struct svg_point a, struct svg_point b)
{
    fprintf(out, "<path d=\"M%.1f %.1f L%.1f %.1f\" fill=\"none\" ", a.x, a.y, b.x, b.y);
}

void svg_faint_line(FILE *out, struct svg_point a, struct svg_point b)
{
    path(out, a, b);
    fputs("stroke=\"#cccccc\" stroke-width=\"1\"/>\n", out);
}

void svg_arrow(FILE *out, struct svg_point a, struct svg_point b, unsigned colour, int head)
{
    path(out, a, b);
    fprintf(out, "stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\"",
            colours[colour % SVG_COLOURS], dashes[colour % SVG_COLOURS]);
    if (head)
        fprintf(out, " marker-end=\"url(#head%u)\"", colour % SVG_COLOURS);
    fputs("/>\n", out);
}
