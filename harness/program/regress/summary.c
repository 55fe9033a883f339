/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between a baseline and its runs, in numbers. Must not know how they are printed. */
#include <math.h>
#include <stdlib.h>

#include "program/regress/regress.h"

static bool measured(const struct regress_result *r)
{
    return r->latency[0] != '-';
}

/* Numbers of a run that did not finish mean nothing. */
static bool comparable(const struct regress_line *l)
{
    return l->is_run && l->was.known && l->is.known && regress_delivered(&l->was) &&
           regress_delivered(&l->is) && l->change != REGRESS_FUNCTION;
}

double regress_cycles_ratio(const struct regress_line *l)
{
    return comparable(l) && l->was.cycles > 0 ? (double)l->is.cycles / (double)l->was.cycles : 0;
}

double regress_latency_ratio(const struct regress_line *l)
{
    if (!comparable(l) || !measured(&l->was) || !measured(&l->is))
        return 0;
    const double was = strtod(l->was.latency, NULL);
    return was > 0 ? strtod(l->is.latency, NULL) / was : 0;
}

double regress_ratio(const struct regress_line *l)
{
    const double cycles = regress_cycles_ratio(l), latency = regress_latency_ratio(l);
    const bool same_cycles = comparable(l) && l->was.cycles == l->is.cycles;
    return latency > 0 && (!l->is.closed || same_cycles) ? latency : cycles;
}

struct regress_counts regress_count(const struct regress_file *f)
{
    struct regress_counts c = {0};
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        const double ratio = regress_ratio(l);
        c.stopped += l->stopped;
        if (!l->is.known)
            continue;
        c.done++;
        c.died += l->is.died;
        c.wrong += !regress_delivered(&l->is);
        c.beyond += regress_limited(l) && l->change != REGRESS_SAME;
        c.differ += l->differs;
        c.same += l->change == REGRESS_SAME;
        c.fresh += l->change == REGRESS_NEW;
        c.time += l->change == REGRESS_TIME;
        c.function += l->change == REGRESS_FUNCTION;
        if (l->change != REGRESS_TIME || l->twin) /* which has the time of its plain row */
            continue;
        c.faster += ratio > 0 && ratio < 1;
        c.slower += ratio > 1;
        c.other += ratio <= 0 || ratio == 1;
    }
    return c;
}

struct logs {
    double sum;
    size_t count;
};

static void add(struct logs *g, double ratio)
{
    if (ratio > 0) {
        g->sum += log(ratio);
        g->count++;
    }
}

static double mean(const struct logs *g)
{
    return g->count ? exp(g->sum / (double)g->count) : 0;
}

struct regress_summary regress_summarize(const struct regress_file *f)
{
    struct regress_summary s = {0};
    struct logs cycles[2] = {{0}}, latency[2] = {{0}}; /* [closed] */
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (!comparable(l) || l->twin)
            continue;
        const double ratio = regress_ratio(l);
        (l->is.closed ? &s.closed : &s.open)->rows++;
        add(&cycles[l->is.closed], regress_cycles_ratio(l));
        add(&latency[l->is.closed], regress_latency_ratio(l));
        if (ratio > 0 && ratio < 1 && (!s.best || ratio < regress_ratio(s.best)))
            s.best = l;
        if (ratio > 1 && (!s.worst || ratio > regress_ratio(s.worst)))
            s.worst = l;
    }
    s.open.cycles = mean(&cycles[false]);
    s.open.latency = mean(&latency[false]);
    s.closed.cycles = mean(&cycles[true]);
    s.closed.latency = mean(&latency[true]);
    return s;
}
