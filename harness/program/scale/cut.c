/* SPDX-License-Identifier: Apache-2.0 */
/* From a partition and the words on every channel to the figures of the model. Must not know times
 * of exchanges. */
#include "program/scale/cut.h"

#include <math.h>
#include <stdlib.h>

#include "ecube/partition.h"

/* Sums of each part, and of each rank. */
struct sums {
    double *work;         /* [parts] */
    double *leaving;      /* [parts] words in a cycle */
    double *rank_leaving; /* [ranks] */
};

static double largest(const double *values, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

/* Words that leave a router by a link, or in total, in a cycle. */
static double link_words(const struct scale_measured *m, uint32_t node, unsigned link)
{
    return m->flits ? (double)m->flits[(size_t)node * m->channels + link] / (double)m->cycles
                    : m->link_words;
}

static double router_words(const struct scale_measured *m, uint32_t node)
{
    double words = 0;
    for (unsigned port = 0; m->flits && port < m->channels; port++)
        words += link_words(m, node, port);
    return m->flits ? words : m->load.words / m->load.nodes;
}

/* The cost of a router that sends so many words: it is awake as often as one that gets them at
 * random. */
static double router_work(const struct scale_measured *m, double routers, double words)
{
    const double mean = m->load.words / m->load.nodes;
    const double asleep = fmax(0, 1 - m->load.awake / m->load.nodes);
    const double awake = mean > 0 ? 1 - pow(asleep, words / mean) : 0;
    return scale_work(&m->machine, routers, awake, words) - m->machine.fixed;
}

static void add_router(const struct ec_topology *t, const struct scale_measured *m,
                       const struct ec_partition *p, uint32_t threads, uint32_t node,
                       struct sums *s)
{
    const uint32_t part = p->part_of[node];
    s->work[part] += router_work(m, (double)p->nodes / p->parts, router_words(m, node));
    for (unsigned link = 0; link < ec_topology_links(t); link++) {
        const uint32_t to = ec_topology_neighbor(t, node, link);
        if (to == EC_NONE || p->part_of[to] == part)
            continue;
        const double words = link_words(m, node, link);
        s->leaving[part] += words;
        if (p->part_of[to] / threads != part / threads)
            s->rank_leaving[part / threads] += words;
    }
}

/* The most ranks that a rank has parts of as neighbours. */
static uint32_t rank_neighbours(const struct ec_partition *p, uint32_t ranks, uint32_t threads,
                                uint32_t *seen)
{
    uint32_t most = 0;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t count = 0;
        const uint32_t from = p->first_neighbour[rank * threads];
        const uint32_t to = p->first_neighbour[(rank + 1) * threads];
        for (uint32_t i = from; i < to; i++) {
            const uint32_t other = p->neighbour[i] / threads;
            count += other != rank && seen[other] != rank + 1;
            seen[other] = rank + 1;
        }
        most = count > most ? count : most;
    }
    return most;
}

static void fill(const struct ec_topology *t, const struct scale_measured *m,
                 const struct ec_partition *p, struct sums *s, uint32_t *seen,
                 struct scale_cut *cut)
{
    double all = 0;
    for (uint32_t node = 0; node < p->nodes; node++)
        add_router(t, m, p, cut->threads, node, s);
    for (uint32_t part = 0; part < p->parts; part++)
        all += s->work[part];
    cut->most = ec_partition_use(p, t).most;
    cut->share = all > 0 ? largest(s->work, p->parts) / all : (double)cut->most / p->nodes;
    cut->leaving = largest(s->leaving, p->parts);
    cut->rank_leaving = largest(s->rank_leaving, cut->ranks);
    cut->rank_neighbours = rank_neighbours(p, cut->ranks, cut->threads, seen);
}

enum ec_code scale_cut(const struct ec_topology *t, const struct scale_measured *m, uint32_t ranks,
                       uint32_t threads, struct scale_cut *ret, struct ec_error *reterr)
{
    const uint32_t parts = ranks * threads;
    struct ec_partition *p;
    const enum ec_code code = ec_partition_open(t, parts, &p, reterr);
    if (code != EC_OK)
        return code;
    double *sums = calloc((size_t)2 * parts + ranks, sizeof *sums);
    uint32_t *seen = calloc(ranks, sizeof *seen);
    if (sums && seen) {
        struct sums s = {sums, sums + parts, sums + 2 * (size_t)parts};
        *ret = (struct scale_cut){.ranks = ranks, .threads = threads};
        fill(t, m, p, &s, seen, ret);
    }
    const bool good = sums && seen;
    free(sums);
    free(seen);
    ec_partition_close(p);
    return good ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for %u parts", parts);
}
