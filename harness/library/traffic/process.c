/* SPDX-License-Identifier: Apache-2.0 */
/* Knows random numbers and rates; must not know messages, nodes or ports.
 *
 * A geometric gap has independent binary digits: bit k of (gap - 1) is one with probability
 * q^(2^k) / (1 + q^(2^k)), q = 1 - p, because P(gap - 1 = n) is proportional to q^n, a product over
 * the bits of n. Drawing a gap bit by bit is exact and the same on every machine: it takes no
 * logarithm.
 *
 * A bursty source has two states. An on period ends with probability b in every cycle, an off
 * period with probability a, and a message is created with probability r in every cycle that is on
 * (burst_beta, burst_alpha and burst_r1 of BookSim 2). The source is on for the fraction
 * f = a / (a + b) of the time, so it creates f r messages per cycle: r = p / f gives it the rate p
 * of a source without bursts. Both lengths and the gaps are geometric, hence without memory: a gap
 * that does not fit the rest of a period starts again in the next one.
 */
#include "traffic/process.h"

#include <math.h>

#define FEW_GAP_BITS 7 /* q^(2^7) < 2^-64: fewer than four cycles a gap, on average */

/* Longer gaps than GAP_BITS have a probability below 2^-64, from p = 1e-12 on. */
static struct geometric geometric(double p)
{
    struct geometric g = {0};
    double power = 1 - p; /* q^(2^k) */
    g.miss = (uint64_t)(power * 0x1p64);
    for (; g.bits < GAP_BITS && power > 0x1p-64; g.bits++) {
        g.bit[g.bits] = (uint64_t)(power / (1 + power) * 0x1p64);
        power *= power;
    }
    return g;
}

static uint64_t draw_geometric(const struct geometric *g, struct process *p)
{
    uint64_t gap = 0;
    if (g->bits <= FEW_GAP_BITS) { /* short gaps: cycle by cycle is quicker */
        while (process_draw(p) < g->miss)
            gap++;
        return gap + 1;
    }
    for (unsigned k = 0; k < g->bits; k++)
        gap |= (uint64_t)(process_draw(p) < g->bit[k]) << k;
    return gap + 1;
}

double process_peak(const struct ec_workload *w)
{
    const double p = w->rate / ec_workload_mean_words(w);
    return w->burst.cycles > 0 ? p / w->burst.on : p;
}

/* Relative to its mean, the rate of a bursty source has the variance (1 - f) / f and, k cycles
 * apart, the correlation rho^k, rho = 1 - a - b. */
struct process_words process_traffic(const struct ec_workload *w)
{
    const struct ec_burst *b = &w->burst;
    struct process_words t = {.length = ec_workload_mean_square(w) / ec_workload_mean_words(w)};
    if (b->cycles > 0) {
        t.variation = (1 - b->on) / b->on;
        t.memory = 1 - 1 / ((1 - b->on) * b->cycles); /* a + b = b / (1 - f) */
        t.period = b->cycles / b->on;
    }
    return t;
}

/* A node answers the requests of many sources, whose bursts are independent. A source with the part
 * q of the requests to a node adds q^2 of its variation: 1 for a source that is the only one, as in
 * a permutation; 1 / (n - 1) for all others alike. */
struct process_words process_reply_traffic(const struct ec_workload *w)
{
    struct process_words t = process_traffic(w);
    double alone = 0, alike = 0;
    for (unsigned k = 0; k < w->part_count; k++) {
        const double share = w->parts[k].share;
        alone += w->parts[k].map ? share * share : 0;
        alike += w->parts[k].map ? 0 : share;
    }
    t.length = w->service.words;
    t.variation *= alone + alike * alike / (w->nodes - 1);
    return t;
}

double process_spread(const struct process_words *t, double rate, double cycles)
{
    if (t->variation <= 0)
        return t->length;
    /* `memory` can be negative, which has no power of half a cycle. */
    const double n = ceil(cycles), forget = 1 - t->memory;
    const double sum = t->memory / forget * (1 - (1 - pow(t->memory, n)) / (n * forget));
    return t->length + 2 * t->variation * sum * rate;
}

struct process_kind process_kind(const struct ec_workload *w)
{
    const struct ec_burst *b = &w->burst;
    struct process_kind k = {.gap = geometric(process_peak(w)), .bursty = b->cycles > 0};
    if (k.bursty) {
        k.on = b->on;
        k.stay = geometric(1 / b->cycles);
        k.pause = geometric(b->on / ((1 - b->on) * b->cycles));
    }
    return k;
}

/* Bursts: the first message after cycle `from`, which is in the current on period or before it. */
static void find_next(const struct process_kind *k, struct process *p, uint64_t from)
{
    for (;;) {
        p->next = from + draw_geometric(&k->gap, p);
        if (p->next <= p->until)
            return;
        from = p->until + draw_geometric(&k->pause, p);
        p->until = from + draw_geometric(&k->stay, p);
    }
}

struct process process_start(const struct process_kind *k, uint64_t key)
{
    struct process p = {.key = key};
    uint64_t from = 0;
    if (!k->bursty) {
        p.next = draw_geometric(&k->gap, &p);
        return p;
    }
    /* What is left of a period has the same distribution as the whole. */
    if (ec_rng_unit(process_draw(&p)) >= k->on)
        from = draw_geometric(&k->pause, &p);
    p.until = from + draw_geometric(&k->stay, &p);
    find_next(k, &p, from);
    return p;
}

void process_advance(const struct process_kind *k, struct process *p)
{
    if (k->bursty)
        find_next(k, p, p->next);
    else
        p->next += draw_geometric(&k->gap, p);
}
