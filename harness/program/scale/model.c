/* SPDX-License-Identifier: Apache-2.0 */
/* The model of the cost of a cycle. Knows numbers only; must not know how they are measured. */
#include "program/scale/model.h"

#include <math.h>

/* Between two sizes that were measured, the locality is linear in the logarithm of the size;
 * smaller and larger parts have that of the smallest and the largest one. */
static double locality(const struct scale_machine *m, double routers)
{
    const struct scale_size *const first = m->size, *const last = first + m->size_count - 1;
    const struct scale_size *next = first;
    while (next < last && next->routers < routers)
        next++;
    if (next == first || next->routers <= routers)
        return next->locality;
    const struct scale_size *const before = next - 1;
    const double part =
        log(routers / before->routers) / log((double)next->routers / before->routers);
    return before->locality + (next->locality - before->locality) * part;
}

double scale_work(const struct scale_machine *m, double routers, double awake, double words)
{
    return m->fixed + locality(m, routers) * (m->router * awake + m->word * words);
}

/* The value that a standard normal variable exceeds with probability 1 - p. */
static double normal_quantile(double p)
{
    double low = -10, high = 10;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (erfc(-middle / sqrt(2)) / 2 < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Blom's approximation: the quantile of (count - 3/8) / (count + 1/4). */
double scale_largest(uint32_t count)
{
    return count < 2 ? 0 : normal_quantile((count - 0.375) / (count + 0.25));
}

/* The standard deviation of the work of a part in a cycle.
 *
 * Words per router are Poisson, but those of one message move together: the words of a part are
 * `train` times a Poisson number of messages, so their variance is train * W. A router is awake
 * (probability p) if it has words, so its cost router * A + word * W has the variance
 *   word^2 W + router^2 p (1 - p) + 2 router word W (1 - p). */
static double deviation(const struct scale_machine *m, const struct scale_load *load,
                        double routers)
{
    const double p = fmin(1, load->awake / load->nodes);
    const double words = load->words / load->nodes;
    const double one = m->word * m->word * words + m->router * m->router * p * (1 - p) +
                       2 * m->router * m->word * words * (1 - p);
    return locality(m, routers) * sqrt(routers * load->train * one);
}

struct scale_threads scale_threads_of(const struct scale_machine *m, unsigned threads)
{
    struct scale_threads t = {.threads = 1, .slowdown = 1};
    for (size_t i = 0; i < m->threads_count && m->threads[i].threads <= threads; i++)
        t = m->threads[i];
    if (t.threads > 1 && t.threads < threads)
        t.latency *= log2(threads) / log2(t.threads);
    t.threads = threads;
    return t;
}

double scale_fold_rounds(uint32_t ranks)
{
    return ranks > 2 ? ceil(log2(ranks)) : 0;
}

/* Ranks exchange one message with each neighbour and fold their numbers: with the messages if there
 * are two ranks, else in a tree. The work of a part for an exchange is in the latency of threads,
 * if there are several. */
static double network_time(const struct scale_machine *m, const struct scale_cut *cut)
{
    const struct scale_network *n = &m->network;
    if (cut->ranks < 2)
        return 0;
    const double fold = scale_fold_rounds(cut->ranks) * (n->latency + n->message);
    return n->latency + n->message * cut->rank_neighbours + fold +
           (cut->threads > 1 ? 0 : m->epoch);
}

struct scale_point scale_predict(const struct scale_machine *m, const struct scale_load *load,
                                 const struct scale_cut *cut)
{
    const uint32_t parts = cut->ranks * cut->threads;
    const struct scale_threads t = scale_threads_of(m, cut->threads);
    const double one = load->measured * scale_work(m, load->nodes, load->awake, load->words);
    const double work =
        load->measured * t.slowdown *
        scale_work(m, cut->most, load->awake * cut->share, load->words * cut->share);
    struct scale_point p = {.epoch = load->looks_ahead ? load->link : 1};
    if (parts == 1) {
        p.work = p.cycle = one;
        p.speedup = p.efficiency = 1;
        return p;
    }
    /* Words and credits, each leaves one part and enters another one. */
    p.work = work + 4 * cut->leaving * m->crossing;
    p.waiting = load->measured * t.slowdown * scale_largest(parts) *
                deviation(m, load, load->nodes * cut->share);
    p.swap = t.latency / p.epoch + t.byte * cut->leaving * load->bytes;
    p.network = network_time(m, cut) / p.epoch + m->network.byte * cut->rank_leaving * load->bytes;
    p.cycle = p.work + p.waiting + p.swap + p.network;
    p.speedup = one / p.cycle;
    p.efficiency = p.speedup / parts;
    return p;
}

unsigned scale_delay(const struct scale_machine *m, const struct scale_load *load,
                     const struct scale_cut *cut, double efficiency, unsigned most)
{
    struct scale_load longer = *load;
    for (unsigned link = 1; link <= (load->looks_ahead ? most : 1); link++) {
        longer.link = link;
        if (scale_predict(m, &longer, cut).efficiency >= efficiency)
            return link;
    }
    return 0;
}
