/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep for people. Decides what to print; computes nothing but ratios. */
#include <stdlib.h>

#include "program/sweep/output.h"
#include "program/sweep/search.h"

const char *sweep_state_name(enum sweep_state state)
{
    static const char *const names[] = {
        [SWEEP_STEADY] = "steady",       [SWEEP_LIMIT] = "limit", [SWEEP_TOO_SHORT] = "too short",
        [SWEEP_SATURATED] = "saturated", [SWEEP_SLOW] = "slow",   [SWEEP_FAILED] = "failed"};
    return names[state];
}

/* "0.2501 +- 0.0003", "31.2 +- ?", "-". */
static void put_mean(const struct sweep_mean *m, int digits, int width, FILE *out)
{
    char text[80] = "-";
    if (m->known && m->half_width >= 0)
        snprintf(text, sizeof text, "%.*f +- %.*f", digits, m->mean, digits, m->half_width);
    else if (m->known)
        snprintf(text, sizeof text, "%.*f +- ?", digits, m->mean);
    fprintf(out, "  %*s", width, text);
}

/* The end of a row: the 99th percentile and a text. */
static void put_p99(const struct sweep_percentile *p99, const char *text, FILE *out)
{
    char value[24] = "-";
    if (p99->known)
        snprintf(value, sizeof value, "%.0f", p99->value);
    fprintf(out, "  %7s  %s", value, text);
}

static void put_part(const struct sweep_part *p, const char *name, FILE *out)
{
    fprintf(out, "  %10s", "");
    put_mean(&p->accepted, 5, 20, out);
    put_mean(&p->latency, 2, 20, out);
    put_p99(&p->p99, "", out);
    fprintf(out, "  %s\n", name);
}

static void put_parts(const struct sweep_curve *c, const struct sweep_run *r, FILE *out)
{
    for (size_t k = 0; k < c->class_count; k++)
        put_part(&r->classes[k], c->classes[k], out);
    if (c->has_replies)
        put_part(&r->round_trip, "round trip", out);
}

static void put_point(const struct sweep_curve *c, const struct sweep_point *p,
                      const struct cli_style *style, FILE *out)
{
    const struct sweep_run *r = &p->row;
    const bool bad = r->state == SWEEP_FAILED;
    fprintf(out, "  %10s", p->rate_text);
    put_mean(&r->accepted, 5, 20, out);
    put_mean(&r->latency, 2, 20, out);
    put_p99(&r->p99, bad ? cli_paint(style, CLI_BAD) : "", out);
    fprintf(out, "%s%s", sweep_state_name(r->state), bad ? cli_unpaint(style) : "");
    if (bad)
        fprintf(out, ": %s", r->detail);
    fputc('\n', out);
    if (bad)
        fprintf(out, "              %s\n", p->command);
    else
        put_parts(c, r, out);
}

static void put_bracket(const struct sweep_curve *c, const char *label, const char *what,
                        const struct sweep_bracket *b, FILE *out)
{
    fprintf(out, "  %-11s %-26s ", label, what);
    if (!b->has_low && !b->has_high)
        fprintf(out, "not known\n");
    else if (!b->has_high)
        fprintf(out, "not reached up to %g\n", b->low);
    else if (c->has_bound)
        fprintf(out, "%g to %g, %.1f to %.1f %% of the bound%s\n", b->low, b->high,
                100 * b->low / c->bound, 100 * b->high / c->bound,
                sweep_bracket_is_measured(c, b) ? "" : " (no run below it shows this)");
    else
        fprintf(out, "%g to %g\n", b->low, b->high);
}

/* What narrows the wide brackets: rates between their ends, if there are none, or longer runs. */
static void put_advice(const struct sweep_curve *c, FILE *out)
{
    const struct sweep_bracket *const brackets[] = {&c->backlog, &c->latency};
    bool empty = false, undecided = false;
    for (unsigned i = 0; i < 2; i++) {
        const struct sweep_bracket *b = brackets[i];
        if (!b->has_low || !b->has_high || sweep_bracket_is_narrow(c, b))
            continue;
        const bool none = sweep_bracket_undecided(c, b) == 0;
        empty |= none;
        undecided |= !none;
    }
    const double percent = 100 * SWEEP_RESOLUTION;
    const char *const of = c->has_bound ? "the bound" : "a word a cycle";
    if (undecided)
        fprintf(out,
                "              (wider than %g %% of %s: the runs between decide nothing; a larger "
                "--cycles or\n              a smaller --precision narrows it)\n",
                percent, of);
    if (empty)
        fprintf(out,
                "              (wider than %g %% of %s, without a run between: more --rates "
                "or\n              --saturation both narrow it)\n",
                percent, of);
}

static void put_theory(const struct sweep_curve *c, FILE *out)
{
    const struct sweep_mean *lowest = c->point_count ? &c->points[0].row.latency : NULL;
    if (c->has_zero_load) {
        fprintf(out, "  %-11s %.2f cycles", "zero load", c->zero_load);
        if (lowest && lowest->known)
            fprintf(out, "; the mean at rate %s is %.3f of it", c->points[0].rate_text,
                    lowest->mean / c->zero_load);
        fputc('\n', out);
    }
    if (c->has_bound)
        fprintf(out, "  %-11s rate %.6g: the busiest channel%s%s is always busy\n", "bound",
                c->bound, *c->busiest ? ", " : "", c->busiest);
}

static bool has_interval(const struct sweep_mean *m)
{
    return !m->known || m->half_width >= 0;
}

static bool has_intervals(const struct sweep_curve *c)
{
    bool all = true;
    for (size_t i = 0; i < c->point_count; i++) {
        const struct sweep_run *r = &c->points[i].row;
        all &= has_interval(&r->latency) && has_interval(&r->round_trip.latency);
        for (size_t k = 0; k < c->class_count; k++)
            all &= has_interval(&r->classes[k].latency);
    }
    return all;
}

static void put_saturation(const struct sweep_curve *c, FILE *out)
{
    put_bracket(c, "saturation", "a backlog grows", &c->backlog, out);
    if (c->has_zero_load)
        put_bracket(c, "", "latency above 3 zero loads", &c->latency, out);
    if (c->has_bound)
        put_advice(c, out);
    if (c->last_saturated)
        fprintf(out, "  %-11s beyond saturation: largest %.5f at rate %s, last %.5f at rate %s\n",
                "accepted", c->most_saturated->row.accepted.mean, c->most_saturated->rate_text,
                c->last_saturated->row.accepted.mean, c->last_saturated->rate_text);
}

void sweep_text(const struct sweep *s, bool brief, const struct cli_style *style, FILE *out)
{
    for (size_t i = 0; i < s->curve_count; i++) {
        const struct sweep_curve *c = &s->curves[i];
        fprintf(out, "%s%sSWEEP%s  %s\n", i ? "\n" : "", cli_paint(style, CLI_STRONG),
                cli_unpaint(style), c->title);
        if (!brief)
            fprintf(out, "  %10s  %20s  %20s  %7s  %s\n", "rate", "accepted", "latency", "p99",
                    "state");
        for (size_t k = 0; k < c->point_count; k++) {
            if (!brief || c->points[k].row.state == SWEEP_FAILED)
                put_point(c, &c->points[k], style, out);
        }
        if (!brief && !has_intervals(c))
            fputs(
                "  (+- ?: the interval is not known; batches are correlated, or there are too few "
                "packets)\n",
                out);
        put_theory(c, out);
        put_saturation(c, out);
        if (c->warning.text[0])
            fprintf(out, "  %-11s %s\n", "warning", c->warning.text);
    }
}

void sweep_curve_free(struct sweep_curve *c)
{
    for (size_t i = 0; i < c->point_count; i++) {
        free(c->points[i].command);
        free(c->points[i].runs);
    }
    for (size_t i = 0; i < c->class_count; i++)
        free(c->classes[i]);
    json_decref(c->parameters);
    free(c->points);
    free(c->label);
    free(c->title);
}

void sweep_free(struct sweep *s)
{
    for (size_t i = 0; i < s->curve_count; i++)
        sweep_curve_free(&s->curves[i]);
    free(s->curves);
    free(s->title);
    *s = (struct sweep){0};
}
