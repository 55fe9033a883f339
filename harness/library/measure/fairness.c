/* SPDX-License-Identifier: Apache-2.0 */
/* Fairness over the sources of a run. Knows numbers per source; must not know runs. */
#include "measure/fairness.h"

/* The sums behind an index. */
struct sums {
    struct ec_fairness f;
    double sum, squares;
};

static void add(struct sums *s, uint32_t node, double x)
{
    struct ec_fairness *f = &s->f;
    s->sum += x;
    s->squares += x * x;
    if (f->sources++ == 0 || x < f->min) {
        f->min = x;
        f->min_node = node;
        f->min_ties = 0;
    } else if (x <= f->min) {
        f->min_ties++;
    }
    if (f->sources == 1 || x > f->max) {
        f->max = x;
        f->max_node = node;
        f->max_ties = 0;
    } else if (x >= f->max) {
        f->max_ties++;
    }
}

static struct ec_fairness finish(struct sums *s)
{
    /* All zero: nobody has more than another. */
    s->f.jain = s->squares > 0 ? s->sum * s->sum / ((double)s->f.sources * s->squares) : 1;
    return s->f;
}

struct ec_fairness fairness_of_latency(const struct ec_source_use *sources, uint32_t nodes)
{
    struct sums s = {0};
    for (uint32_t node = 0; node < nodes; node++) {
        const struct ec_source_use *x = &sources[node];
        if (x->packets > 0)
            add(&s, node, (double)x->latency / (double)x->packets);
    }
    return finish(&s);
}

struct ec_fairness fairness_of_shares(const struct ec_source_use *sources, uint32_t nodes)
{
    struct sums s = {0};
    for (uint32_t node = 0; node < nodes; node++) {
        const struct ec_source_use *x = &sources[node];
        if (x->offered > 0)
            add(&s, node, (double)x->words / (double)x->offered);
    }
    return finish(&s);
}
