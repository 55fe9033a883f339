/* SPDX-License-Identifier: Apache-2.0 */
/* The plot of a sweep, one column of a paper wide. Knows curves and gnuplot's language; must not
 * know how a curve was measured or how gnuplot is run.
 *
 * A curve has a colour that the colour-blind tell apart (Okabe and Ito), and for a grey print a
 * point shape and a dash pattern. All lengths are points of 1/72 inch on paper. */
#include "program/sweep/script.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "program/sweep/search.h"

enum {
    WIDTH = 252, /* a column of the usual two-column formats: 3.5 inches */
    TITLE = 14,
    KEY_ROW = 9,
    LATENCY = 118, /* height of the two panels */
    ACCEPTED = 96,
    BETWEEN = 9,
    BELOW = 30, /* numbers and label of the abscissa */
    LEFT = 42,
    RIGHT = 7,
    FONT = 7,
    LETTER = 4,   /* mean width of a letter */
    SAMPLE = 26,  /* width of a line in the key */
    LETTERS = 48, /* most letters of a label in the key, but for the dots in its middle */
};

/* Latencies are shown up to this many times the latency without contention. Above, a curve only
 * shows where its queues were when the run ended. */
#define LATENCY_SHOWN 6.0

/* In order of use: colours, point types (filled first) and dashes. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#000000", "#e69f00", "#56b4e9", "#7a6a00"};
static const int points[] = {7, 5, 9, 13, 4, 6, 8, 12, 11, 10};
static const char *const dashes[] = {"1", "(10,4)", "(4,3)", "(12,4,3,4)"};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define THEORY       "#555555" /* lines of theory that all curves share */
#define ZERO_DASH    "(6,4)"
#define BOUND_DASH   "(12,4,2,4)"

struct layout {
    const struct sweep *s;
    FILE *out;
    double height, top; /* of the paper; lower edge of the key */
    double rate_max, latency_max, accepted_max;
    bool same_zero, same_bound, same_sends; /* one value for all curves */
    bool zero, bound, backlog, latency;
    bool replies; /* the rate is that of requests */
    bool title;
    unsigned columns, rows; /* of the key */
};

/* --- Text ----------------------------------------------------------------------------------- */

/* A string of gnuplot in single quotes. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* Text that is drawn. SVG has no control characters, and all is UTF-8. */
static void put_text(FILE *out, const char *text)
{
    json_t *valid = record_text(text);
    char *line = valid ? strdup(json_string_value(valid)) : NULL;
    for (char *c = line; c && *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
    put_quoted(out, line ? line : "");
    free(line);
    json_decref(valid);
}

/* A single parameter with obvious values goes without its name. */
static const char *label_of(const struct sweep *s, size_t curve)
{
    static const char *const obvious[] = {"pattern=", "topology=", "workload="};
    const char *label = s->curves[curve].label;
    if (!label || !*label)
        return "mean, 95 % interval";
    for (size_t i = 0; i < COUNT(obvious); i++) {
        if (strncmp(label, obvious[i], strlen(obvious[i])) == 0)
            return label + strlen(obvious[i]);
    }
    return label;
}

/* --- Layout --------------------------------------------------------------------------------- */

static void grow(double *most, double value)
{
    if (value > *most)
        *most = value;
}

static void measure_curve(struct layout *x, const struct sweep_curve *c)
{
    const struct sweep_curve *first = &x->s->curves[0];
    double least = 0, most = 0;

    for (size_t i = 0; i < c->point_count; i++) {
        const struct sweep_run *r = &c->points[i].row;
        grow(&x->rate_max, c->points[i].rate);
        if (r->accepted.known)
            grow(&x->accepted_max, r->accepted.mean + fmax(0, r->accepted.half_width));
        if (!r->latency.known)
            continue;
        least = least > 0 ? fmin(least, r->latency.mean) : r->latency.mean;
        grow(&most, r->latency.mean + fmax(0, r->latency.half_width));
    }
    grow(&x->latency_max,
         fmin(1.08 * most, LATENCY_SHOWN * (c->has_zero_load ? c->zero_load : least)));
    if (sweep_bracket_is_found(c, &c->latency) && c->has_zero_load)
        grow(&x->latency_max, 3.3 * c->zero_load);
    if (c->has_bound)
        grow(&x->rate_max, c->bound);
    x->zero |= c->has_zero_load;
    x->bound |= c->has_bound;
    x->backlog |= sweep_bracket_is_found(c, &c->backlog);
    x->latency |= sweep_bracket_is_found(c, &c->latency) && c->has_zero_load;
    x->same_zero &= c->has_zero_load && c->zero_load == first->zero_load;
    x->same_bound &= c->has_bound && c->bound == first->bound;
    x->same_sends &= c->sends == first->sends;
    x->replies |= c->sends > 1;
}

/* The key has the curves and up to four signs; its columns are as wide as its longest text. */
static void measure_key(struct layout *x)
{
    size_t longest = x->zero || x->bound ? strlen("channel bound, exact") : 0;
    const unsigned entries =
        (unsigned)x->s->curve_count + x->zero + x->bound + x->backlog + x->latency;
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const size_t length = strlen(label_of(x->s, i));
        longest = length > longest ? length : longest;
    }
    longest = longest < LETTERS ? longest : LETTERS + 3;
    const unsigned width = SAMPLE + LETTER * (unsigned)longest;
    x->columns = width < WIDTH ? WIDTH / width : 1;
    x->rows = (entries + x->columns - 1) / x->columns;
}

static struct layout layout_of(const struct sweep *s, const char *title, FILE *out)
{
    struct layout x = {.s = s,
                       .out = out,
                       .same_zero = true,
                       .same_bound = true,
                       .same_sends = true,
                       .title = title};
    for (size_t i = 0; i < s->curve_count; i++)
        measure_curve(&x, &s->curves[i]);
    measure_key(&x);
    x.top = (title ? TITLE : 3) + KEY_ROW * x.rows + 5;
    x.height = x.top + LATENCY + BETWEEN + ACCEPTED + BELOW;
    x.rate_max = x.rate_max > 0 ? 1.03 * x.rate_max : 1;
    x.latency_max = x.latency_max > 0 ? x.latency_max : 1;
    x.accepted_max = x.accepted_max > 0 ? 1.2 * x.accepted_max : 1;
    return x;
}

/* --- Data ----------------------------------------------------------------------------------- */

/* The point type of a mean without an interval: hollow. */
static int hollow(int type)
{
    return type >= 5 && type % 2 == 1 ? type - 1 : type;
}

/* Rate, mean, half-width or -1, point type. */
static void put_mean(FILE *out, double rate, const struct sweep_mean *m, size_t curve)
{
    const int type = points[curve % COUNT(points)];
    if (m->known && m->half_width >= 0)
        fprintf(out, "%.10g %.10g %.6g %d\n", rate, m->mean, m->half_width, type);
    else if (m->known)
        fprintf(out, "%.10g %.10g -1 %d\n", rate, m->mean, hollow(type));
}

/* Blocks $latency0, $accepted0, ... Gnuplot refuses an empty block, hence the line without number.
 */
static void put_data(const struct layout *x)
{
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        fprintf(x->out, "$latency%zu << EOD\nNaN NaN NaN NaN\n", i);
        for (size_t k = 0; k < c->point_count; k++)
            put_mean(x->out, c->points[k].rate, &c->points[k].row.latency, i);
        fprintf(x->out, "EOD\n$accepted%zu << EOD\nNaN NaN NaN NaN\n", i);
        for (size_t k = 0; k < c->point_count; k++)
            put_mean(x->out, c->points[k].rate, &c->points[k].row.accepted, i);
        fputs("EOD\n", x->out);
    }
}

/* --- Settings ------------------------------------------------------------------------------- */

static void put_terminal(const struct layout *x, enum plot_format format, const char *picture)
{
    const double w = WIDTH, h = x->height;
    switch (format) {
    case PLOT_PDF:
        fprintf(x->out,
                "set terminal pdfcairo noenhanced color size %.4fin,%.4fin "
                "font 'Helvetica,%d' fontscale 0.75 linewidth 1.4 pointscale 0.4 dashlength 1.2\n",
                w / 72, h / 72, FONT);
        break;
    case PLOT_PNG: /* 300 dots per inch */
        fprintf(x->out,
                "set terminal pngcairo noenhanced color background 'white' size %.0f,%.0f "
                "font 'Helvetica,%d' fontscale %.4f linewidth 3.4 pointscale 1.7 dashlength 1.6"
                "\n",
                w * 300 / 72, h * 300 / 72, FONT, 300. / 96); /* a letter has 96 dots per inch */
        break;
    default: /* twice the size, for screens */
        fprintf(x->out,
                "set terminal svg noenhanced size %.0f,%.0f font 'Helvetica,%d' linewidth 1.6 "
                "dashlength 0.8 background 'white'\n",
                2 * w, 2 * h, 2 * FONT);
        break;
    }
    fputs("set output ", x->out);
    put_quoted(x->out, picture);
    fputs("\nset encoding utf8\n", x->out);
}

static void put_styles(const struct layout *x, enum plot_format format)
{
    const double size = format == PLOT_SVG ? 0.75 : 1; /* the others have a pointscale */
    for (size_t i = 0; i < x->s->curve_count; i++)
        fprintf(x->out, "set style line %zu lc rgb '%s' pt %d ps %.2f lw 1.3 dt %s\n", i + 1,
                colours[i % COUNT(colours)], points[i % COUNT(points)], 0.65 * size,
                dashes[i % COUNT(dashes)]);
    fprintf(x->out, "sign = %.2f\n", 2 * size);
    fputs("set border 3 lw 0.8 lc rgb '#333333'\n"
          "set tics nomirror scale 0.6\n"
          "set grid lc rgb '#e4e4e4' lw 0.6 dt 1\n"
          "set bars 0.6\n"
          "set xtics autofreq\n",
          x->out);
    fprintf(x->out, "set xrange [0:%.6g]\n", x->rate_max);
}

/* The largest of 1, 2, 5, 10, 20, ... (and their tenths) that divides the axis into at least three
 * parts. */
static double step_of(double most)
{
    static const double steps[] = {5, 2, 1};
    const double power = pow(10, floor(log10(most)));
    for (size_t i = 0; i < COUNT(steps); i++) {
        if (most / (steps[i] * power) >= 3)
            return steps[i] * power;
    }
    return most / (power / 2) >= 3 ? power / 2 : power / 5;
}

/* Names of the axes are centred by hand, so that those of both panels stand in one line. */
static void put_axis(const struct layout *x, double top, double height, double most,
                     const char *name)
{
    fprintf(x->out, "set yrange [0:%.6g]\nset ytics 0,%.6g\n", most, step_of(most));
    fprintf(x->out, "set label 2 \"%s\" at screen %.5f,%.5f center rotate\n", name,
            (double)(FONT - 1) / WIDTH, 1 - (top + height / 2) / x->height);
}

/* Screen coordinates of a panel from `top` points below the upper edge. */
static void put_panel(const struct layout *x, double top, double height)
{
    fprintf(x->out,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, 1 - top / x->height,
            1 - (top + height) / x->height);
}

/* --- Theory --------------------------------------------------------------------------------- */

/* The colour of a line of theory: that of its curve, unless all curves share it. */
static const char *theory_colour(bool same, size_t curve)
{
    return same ? THEORY : colours[curve % COUNT(colours)];
}

static void put_line(const struct layout *x, const char *colour, const char *dash, double x0,
                     double y0, double x1, double y1)
{
    fprintf(
        x->out,
        "set arrow from first %.8g,%.8g to first %.8g,%.8g nohead lw 1 dt %s lc rgb '%s' back\n",
        x0, y0, x1, y1, dash, colour);
}

static void put_zero_loads(const struct layout *x)
{
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        if (c->has_zero_load && c->zero_load < x->latency_max && (i == 0 || !x->same_zero))
            put_line(x, theory_colour(x->same_zero, i), ZERO_DASH, 0, c->zero_load, x->rate_max,
                     c->zero_load);
    }
}

static void put_bounds(const struct layout *x, double top)
{
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        if (c->has_bound && (i == 0 || !x->same_bound))
            put_line(x, theory_colour(x->same_bound, i), BOUND_DASH, c->bound, 0, c->bound, top);
    }
}

/* Accepted load as large as the offered one. */
static void put_diagonals(const struct layout *x)
{
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        const double sends = c->has_bound ? c->sends : 1;
        const double end = fmin(x->rate_max, x->accepted_max / sends);
        if (i == 0 || !x->same_sends)
            put_line(x, theory_colour(x->same_sends, i), "(2,3)", 0, 0, end, end * sends);
    }
}

/* --- Panels --------------------------------------------------------------------------------- */

/* Intervals are solid even if the line of the curve is not. They come first, because gnuplot clears
 * the place of their points. */
static void put_curves(const struct layout *x, const char *block)
{
    for (size_t i = 0; i < x->s->curve_count; i++)
        fprintf(
            x->out,
            "%s $%s%zu using 1:($3 >= 0 ? $2 : NaN):3 with yerrorbars ls %zu lw 0.9 dt 1 notitle",
            i ? ", \\\n   " : "plot", block, i, i + 1);
    for (size_t i = 0; i < x->s->curve_count; i++)
        fprintf(x->out, ", \\\n    $%s%zu using 1:2:4 with linespoints ls %zu pt variable notitle",
                block, i, i + 1);
}

/* A bracket of the rate at a height, as a point with a horizontal bar. */
static void put_bracket(const struct layout *x, size_t curve, const struct sweep_bracket *b,
                        double y, int sign)
{
    if (sweep_bracket_is_found(&x->s->curves[curve], b))
        fprintf(x->out,
                ", \\\n    '+' using (%.8g):(%.8g):(%.8g):(%.8g) every ::::0 with xerrorbars "
                "pt %d ps sign lw 1.3 dt 1 lc rgb '%s' notitle",
                (b->low + b->high) / 2, y, b->low, b->high, sign, colours[curve % COUNT(colours)]);
}

enum { BACKLOG_SIGN = 12, LATENCY_SIGN = 6 };

/* A label that is too wide for the picture loses its middle. */
static void put_label(const struct layout *x, const char *label)
{
    const size_t length = strlen(label);
    char *cut = NULL;
    if (length > LETTERS &&
        asprintf(&cut, "%.*s...%s", LETTERS / 2, label, label + length - LETTERS / 2) < 0)
        cut = NULL;
    put_text(x->out, cut ? cut : label);
    free(cut);
}

/* The key is a plot as large as the picture: gnuplot leaves out entries that do not fit in the plot
 * to which a key belongs. */
static void put_key(const struct layout *x)
{
    fprintf(x->out,
            "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\n"
            "set bmargin at screen 0\nunset border\nunset tics\nunset xlabel\nunset ylabel\n"
            "unset arrow\nunset label 2\nset key at screen 0.5,%.5f center top vertical maxcols %u "
            "maxrows %u "
            "samplen 2.6 spacing 1 Left reverse nobox\nplot",
            1 - (x->title ? TITLE : 3) / x->height, x->columns, x->rows);
    for (size_t i = 0; i < x->s->curve_count; i++) {
        fprintf(x->out, "%s NaN with linespoints ls %zu title ", i ? ", \\\n   " : "", i + 1);
        put_label(x, label_of(x->s, i));
    }
    if (x->zero)
        fprintf(x->out,
                ", \\\n    NaN with lines lw 1 dt %s lc rgb '" THEORY "' title 'zero load, exact'",
                ZERO_DASH);
    if (x->bound)
        fprintf(x->out,
                ", \\\n    NaN with lines lw 1 dt %s lc rgb '" THEORY
                "' title 'channel bound, exact'",
                BOUND_DASH);
    if (x->latency)
        fprintf(x->out,
                ", \\\n    NaN with points pt %d ps sign lc rgb '" THEORY "' title '3 × zero load'",
                LATENCY_SIGN);
    if (x->backlog)
        fprintf(x->out,
                ", \\\n    NaN with points pt %d ps sign lc rgb '" THEORY "' title 'backlogs grow'",
                BACKLOG_SIGN);
    fputc('\n', x->out);
}

static void put_latency_panel(const struct layout *x)
{
    put_panel(x, x->top, LATENCY);
    put_axis(x, x->top, LATENCY, x->latency_max, "mean latency\\n(cycles)");
    fputs("set format x ''\n", x->out);
    put_zero_loads(x);
    put_bounds(x, x->latency_max);
    put_curves(x, "latency");
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        if (c->has_zero_load)
            put_bracket(x, i, &c->latency, 3 * c->zero_load, LATENCY_SIGN);
    }
    fputs("\nunset arrow\n", x->out);
}

static void put_accepted_panel(const struct layout *x)
{
    const double top = x->top + LATENCY + BETWEEN;
    put_panel(x, top, ACCEPTED);
    put_axis(x, top, ACCEPTED, x->accepted_max, "accepted load\\n(flits/node/cycle)");
    fprintf(x->out, "set format x '%%g'\nset xlabel '%s (flits/node/cycle)' offset 0,0.4\n",
            x->replies ? "rate of requests" : "offered load");
    put_diagonals(x);
    put_bounds(x, x->accepted_max);
    put_curves(x, "accepted");
    for (size_t i = 0; i < x->s->curve_count; i++) {
        const struct sweep_curve *c = &x->s->curves[i];
        const double sends = c->has_bound ? c->sends : 1;
        put_bracket(x, i, &c->backlog, sends * (c->backlog.low + c->backlog.high) / 2,
                    BACKLOG_SIGN);
    }
    fputc('\n', x->out);
}

void sweep_plot_script(const struct sweep *s, enum plot_format format, const char *title,
                       const char *picture, FILE *out)
{
    const struct layout x = layout_of(s, title, out);
    put_terminal(&x, format, picture);
    put_data(&x);
    put_styles(&x, format);
    fputs("set multiplot\n", out);
    if (title) {
        fprintf(out, "set label 1 ");
        put_text(out, title);
        fprintf(out, " at screen 0.5,%.5f center front\n", 1 - 8 / x.height);
    }
    put_latency_panel(&x);
    fputs("unset label 1\n", out);
    put_accepted_panel(&x);
    put_key(&x);
    fputs("unset multiplot\nunset output\n", out);
}
