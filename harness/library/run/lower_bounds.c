/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds of the time that any algorithm needs: what nodes send, what crosses cuts of the
 * network, how far it goes. Knows workloads, topologies and closed forms; must not know routes or
 * schedules, because a bound holds for all of them.
 *
 * If X words cross one channel, then T >= t_s + X + the cycles of a head over one link (TIMING.md):
 * before the first of them a node has started up, and every word crosses an injection port, a link
 * and an ejection port. Of X words over c channels the busiest carries ceil(X/c) or more. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"
#include "ec_cost_jh_bounds.h"
#include "ecube/run.h"

enum {
    RADIX_MAX = 1024,            /* longer dimensions: no cuts into intervals */
    SUBCUBES_WORK_MAX = 1 << 26, /* messages times subsets of dimensions; above: halves only */
};

/* What is known so far. Words are those of one channel. */
struct finding {
    const struct ec_topology *t;
    const struct ec_router *r; /* with its packet bound */
    const struct ec_workload *w;
    uint32_t startup;
    struct ec_least least;
    uint64_t link_words; /* of the busiest link, whatever the ports */
};

static uint64_t share(uint64_t words, uint64_t channels)
{
    return channels ? words / channels + (words % channels != 0) : 0;
}

/* The last of `words` words that one local port sends, or that cross one link, goes `hops` links
 * from there on, its last one included. `starts`: start-ups before it. */
static uint64_t cycles_of(const struct finding *x, uint64_t words, uint64_t hops, uint64_t starts)
{
    const uint64_t head = (hops + 1) * x->r->stages + hops * (x->r->link - 1);
    return starts * x->startup + words + head;
}

__attribute__((format(printf, 4, 5))) static void note(struct finding *x, uint64_t cycles,
                                                       uint64_t words, const char *format, ...)
{
    va_list args;
    if (cycles <= x->least.cycles)
        return;
    x->least.cycles = cycles;
    x->least.words = words;
    va_start(args, format);
    vsnprintf(x->least.reason, sizeof x->least.reason, format, args);
    va_end(args);
}

__attribute__((format(printf, 3, 4))) static void note_steps(struct finding *x, uint64_t steps,
                                                             const char *format, ...)
{
    va_list args;
    if (steps <= x->least.steps)
        return;
    x->least.steps = steps;
    va_start(args, format);
    vsnprintf(x->least.steps_reason, sizeof x->least.steps_reason, format, args);
    va_end(args);
}

/* Links carry `words` words or more on the busiest of them. */
static bool is_more(struct finding *x, uint64_t words)
{
    x->link_words = words > x->link_words ? words : x->link_words;
    return words > 0 && cycles_of(x, words, 1, 1) > x->least.cycles;
}

/* --- Cuts ------------------------------------------------------------------------------------- */

/* A table [radix][radix] of sums over pairs of coordinates, as prefix sums [radix + 1][radix + 1].
 */
struct pairs {
    uint32_t radix;
    uint64_t *sum;
};

static bool pairs_open(struct pairs *p, uint32_t radix)
{
    p->radix = radix;
    p->sum = calloc((size_t)(radix + 1) * (radix + 1), sizeof *p->sum);
    return p->sum != NULL;
}

static void pairs_add(struct pairs *p, uint32_t from, uint32_t to, uint64_t value)
{
    p->sum[(size_t)(from + 1) * (p->radix + 1) + to + 1] += value;
}

static void pairs_prefix(struct pairs *p)
{
    const size_t row = p->radix + 1;
    for (size_t i = 1; i < row; i++) {
        for (size_t j = 1; j < row; j++)
            p->sum[i * row + j] +=
                p->sum[i * row + j - 1] + p->sum[(i - 1) * row + j] - p->sum[(i - 1) * row + j - 1];
    }
}

/* Sum over from in [a, b), to not in [a, b). */
static uint64_t pairs_leaving(const struct pairs *p, uint32_t a, uint32_t b)
{
    const size_t row = p->radix + 1;
    const uint64_t *top = p->sum + a * row, *bottom = p->sum + b * row;
    return bottom[p->radix] - top[p->radix] - (bottom[b] - bottom[a] - top[b] + top[a]);
}

/* The words and the links that lead from one coordinate of `dim` to another. */
static void fill_pairs(const struct finding *x, unsigned dim, struct pairs *words,
                       struct pairs *links)
{
    const struct ec_topology *t = x->t;
    for (size_t i = 0; i < x->w->message_count; i++) {
        const struct ec_message *m = &x->w->messages[i];
        pairs_add(words, ec_topology_coord(t, m->src, dim), ec_topology_coord(t, m->dst, dim),
                  m->words);
    }
    for (uint32_t at = 0; at < t->radix[dim]; at++) { /* all lines of nodes have the same links */
        for (unsigned l = 0; l < t->links_per_dim; l++) {
            const uint32_t next =
                ec_topology_neighbor(t, at * t->stride[dim], dim * t->links_per_dim + l);
            if (next != EC_NONE)
                pairs_add(links, at, ec_topology_coord(t, next, dim), t->nodes / t->radix[dim]);
        }
    }
    pairs_prefix(words);
    pairs_prefix(links);
}

/* "x", "y", "z", "d3", "dim3" on a cube. */
static void name_dim(const struct ec_topology *t, unsigned dim, char *buffer, size_t size)
{
    char name[32];
    ec_topology_link_name(t, dim * t->links_per_dim, name, sizeof name);
    snprintf(buffer, size, "%s", name + (*name == '+'));
}

/* The ending of a plural. */
static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Half of all elements cross a dimension that a cycle moves, all of them one that is only inverted.
 */
static const char *crossing_source(const struct ec_workload *w, unsigned dim)
{
    const unsigned bit = w->sdp ? w->sdp->storage + dim : 0;
    if (!w->sdp || w->holders != w->nodes)
        return "";
    return w->sdp->from[bit] == bit ? ", as its bit is inverted" : " (Lemma 2 of Johnsson and Ho)";
}

static void note_interval(struct finding *x, unsigned dim, uint32_t a, uint32_t b, uint64_t words,
                          uint64_t links)
{
    const uint64_t each = share(words, links), cycles = cycles_of(x, each, 1, 1);
    char name[32], from[80];
    if (!is_more(x, each))
        return;
    name_dim(x->t, dim, name, sizeof name);
    if (x->t->kind == EC_CUBE) {
        note(x, cycles, each, "%" PRIu64 " word%s over the %" PRIu64 " link%s of %s one way%s",
             words, plural(words), links, plural(links), name, crossing_source(x->w, dim));
        return;
    }
    if (x->t->kind == EC_RING)
        snprintf(from, sizeof from, "nodes %" PRIu32 " to %" PRIu32, a, b - 1);
    else if (a + 1 == b)
        snprintf(from, sizeof from, "the nodes with %s = %" PRIu32, name, a);
    else
        snprintf(from, sizeof from, "the nodes with %s = %" PRIu32 " to %" PRIu32, name, a, b - 1);
    note(x, cycles, each, "%" PRIu64 " word%s from %s to others over %" PRIu64 " link%s", words,
         plural(words), from, links, plural(links));
}

/* All cuts of the network between two coordinates of a dimension. */
static enum ec_code cut_intervals(struct finding *x, struct ec_error *e)
{
    for (unsigned dim = 0; dim < x->t->dims; dim++) {
        const uint32_t radix = x->t->radix[dim];
        struct pairs words = {0}, links = {0};
        if (radix > RADIX_MAX)
            continue;
        const bool good = pairs_open(&words, radix) && pairs_open(&links, radix);
        if (good)
            fill_pairs(x, dim, &words, &links);
        for (uint32_t a = 0; good && a < radix; a++) {
            for (uint32_t b = a + 1; b <= radix; b++)
                note_interval(x, dim, a, b, pairs_leaving(&words, a, b),
                              pairs_leaving(&links, a, b));
        }
        free(words.sum);
        free(links.sum);
        if (!good)
            return ec_fail(e, EC_MEMORY, "out of memory for a lower bound");
    }
    return EC_OK;
}

/* The words that leave, or reach, the subcube of each value of the bits `mask`. */
static void cut_subcubes_of(struct finding *x, uint32_t mask, bool out, uint64_t *sum)
{
    const struct ec_workload *w = x->w;
    const unsigned fixed = (unsigned)__builtin_popcount(mask);
    const uint64_t nodes = w->nodes >> fixed;
    memset(sum, 0, w->nodes * sizeof *sum);
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        if ((m->src ^ m->dst) & mask)
            sum[(out ? m->src : m->dst) & mask] += m->words;
    }
    for (uint32_t at = 0; at < w->nodes; at++) {
        const uint64_t each = share(sum[at], nodes * fixed);
        if (each == 0 || !is_more(x, each))
            continue;
        note(x, cycles_of(x, each, 1, 1), each,
             "%" PRIu64 " word%s %s a subcube of %" PRIu64 " node%s over %" PRIu64 " link%s",
             sum[at], plural(sum[at]), out ? "out of" : "into", nodes, plural(nodes), nodes * fixed,
             plural(nodes * fixed));
    }
}

static enum ec_code cut_subcubes(struct finding *x, struct ec_error *e)
{
    const struct ec_workload *w = x->w;
    if (x->t->kind != EC_CUBE || (w->message_count + w->nodes) > SUBCUBES_WORK_MAX / w->nodes)
        return EC_OK;
    uint64_t *sum = calloc(w->nodes, sizeof *sum);
    if (!sum)
        return ec_fail(e, EC_MEMORY, "out of memory for a lower bound");
    for (uint32_t mask = 1; mask < w->nodes; mask++) {
        cut_subcubes_of(x, mask, true, sum);
        cut_subcubes_of(x, mask, false, sum);
    }
    free(sum);
    return EC_OK;
}

/* --- Nodes ------------------------------------------------------------------------------------ */

/* What a node exchanges with another one. */
struct bundle {
    uint32_t node, hops;
    uint64_t words;
};

static int by_node_then_farthest(const void *a, const void *b)
{
    const struct bundle *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->hops == y->hops ? 0 : x->hops > y->hops ? -1 : 1;
}

static uint32_t degree(const struct ec_topology *t, uint32_t node)
{
    uint32_t links = 0;
    for (unsigned l = 0; l < ec_topology_links(t); l++)
        links += ec_topology_neighbor(t, node, l) != EC_NONE;
    return links;
}

/* The words of a node that go `hops` links or more, through all its ports; `farthest`: no word goes
 * more. */
static void note_node(struct finding *x, bool out, const struct bundle *b, bool farthest,
                      uint64_t words)
{
    const bool one = x->r->ports == EC_PORTS_ONE;
    const uint64_t links = degree(x->t, b->node), each = share(words, one ? 1 : links);
    const uint64_t cycles = cycles_of(x, each, b->hops, out ? share(each, x->r->packet) : 1);
    char name[80], how[32] = "one port", far[48] = "";
    x->link_words = share(words, links) > x->link_words ? share(words, links) : x->link_words;
    if (cycles <= x->least.cycles)
        return;
    ec_topology_node_name(x->t, b->node, name, sizeof name);
    if (!one)
        snprintf(how, sizeof how, "%" PRIu64 " link%s", links, plural(links));
    if (b->hops > 1)
        snprintf(far, sizeof far, " %s nodes %s%" PRIu32 " links away", out ? "to" : "from",
                 farthest ? "" : "at least ", b->hops);
    note(x, cycles, each, "node %s %s %" PRIu64 " word%s%s through %s", name,
         out ? "sends" : "gets", words, plural(words), far, how);
}

/* Every node: all of its words, those that go two links or more, and so on to the farthest. */
static void judge_nodes(struct finding *x, bool out, struct bundle *list, size_t count)
{
    uint64_t words = 0;
    size_t first = 0; /* of the node */
    qsort(list, count, sizeof *list, by_node_then_farthest);
    for (size_t i = 0; i < count; i++) {
        first = list[i].node == list[first].node ? first : i;
        words = (i > first ? words : 0) + list[i].words;
        const bool last = i + 1 == count || list[i + 1].node != list[i].node;
        if (last || list[i + 1].hops != list[i].hops)
            note_node(x, out, &list[i], list[i].hops == list[first].hops, words);
        if (last && x->r->ports == EC_PORTS_ONE && x->w->words)
            note_steps(x, words / x->w->words, "a node %s %" PRIu64 " element%s, one in a step",
                       out ? "sends" : "gets", words / x->w->words, plural(words / x->w->words));
    }
}

static enum ec_code bound_nodes(struct finding *x, struct ec_error *e)
{
    const struct ec_workload *w = x->w;
    struct bundle *list = calloc(w->message_count + 1, sizeof *list);
    uint64_t word_hops = 0, element_hops = 0, links = 0, farthest = 0;
    if (!list)
        return ec_fail(e, EC_MEMORY, "out of memory for a lower bound");
    for (int out = 1; out >= 0; out--) {
        size_t count = 0;
        for (size_t i = 0; i < w->message_count; i++) {
            const struct ec_message *m = &w->messages[i];
            const uint32_t hops = ec_topology_distance(x->t, m->src, m->dst);
            if (hops == 0)
                continue;
            list[count++] = (struct bundle){out ? m->src : m->dst, hops, m->words};
            farthest = hops > farthest ? hops : farthest;
            word_hops += out ? (uint64_t)hops * m->words : 0;
            element_hops += out ? hops : 0;
        }
        judge_nodes(x, out, list, count);
    }
    free(list);
    for (uint32_t node = 0; node < w->nodes; node++)
        links += degree(x->t, node);
    const uint64_t each = share(word_hops, links);
    if (is_more(x, each))
        note(x, cycles_of(x, each, 1, 1), each,
             "words times distance, %" PRIu64 " in all, over %" PRIu64 " links", word_hops, links);
    note_steps(x, farthest, "the longest way of an element, %" PRIu64 " link%s", farthest,
               plural(farthest));
    if (x->r->ports == EC_PORTS_ONE)
        note_steps(x, share(element_hops, w->nodes),
                   "elements times distance, %" PRIu64 " in all, over %" PRIu32
                   " nodes of one port",
                   element_hops, w->nodes);
    return EC_OK;
}

/* --- Permutations of address bits --------------------------------------------------------------
 */

/* A real cycle needs its flow in every cube, since moves in other dimensions change nothing in its
 * own; with data in a subcube, the subcubes beside it help. */
static void bound_flow(struct finding *x, const struct ec_sdp_cycle *c)
{
    const struct ec_workload *w = x->w;
    const bool inverted = __builtin_popcountll(c->complement) % 2;
    struct ec_cost_ratio part;
    if (!ec_cost_jh_flow(c->length, inverted, &part))
        return;
    const uint64_t all = (uint64_t)w->per_node * w->words * part.num;
    const uint64_t each = share(all, part.den * (w->nodes / w->holders));
    if (is_more(x, each))
        note(x, cycles_of(x, each, 1, 1), each,
             "flow over any routes, %" PRIu64 "/%" PRIu64 " of the words of a node over one link",
             part.num, part.den);
}

/* Steps of a real cycle waste links at the beginning and at the end, whatever other dimensions do
 * (GSH-REAL.md). */
static void bound_real(struct finding *x, const struct ec_sdp_cycle *c)
{
    const bool inverted = __builtin_popcountll(c->complement) % 2;
    const uint64_t K = x->w->per_node;
    struct ec_cost_ratio part;
    if (K >= 2 && !inverted)
        note_steps(x, ec_cost_jh_bound_real(K + K % 2),
                   "K/2 + 1, as the first and the last step cannot use all links");
    if (ec_cost_jh_flow(c->length, inverted, &part))
        note_steps(x, ec_cost_jh_flow_steps(c->length, inverted, K),
                   "flow over any routes in whole steps");
}

/* Bounds of whole steps where every node has data: GSH-MIXED.md, GSH-REAL.md. */
static void bound_first_and_last(struct finding *x, const struct ec_sdp_cycle *cycle,
                                 unsigned count)
{
    const struct ec_workload *w = x->w;
    unsigned mixed = 0, blocks = 0;
    for (unsigned i = 0; i < count; i++) {
        struct ec_sdp_cycle part[EC_SDP_DIMS_MAX / 2], virtual;
        if (cycle[i].dim[0] >= w->sdp->storage) {
            bound_real(x, &cycle[i]);
            continue;
        }
        const unsigned parts = ec_sdp_factor(&cycle[i], w->sdp->storage, part, &virtual);
        blocks += parts;
        for (unsigned k = 0; k < parts; k++)
            mixed += part[k].length - 1;
    }
    if (mixed > 0 && w->per_node % 2 == 0) {
        const uint64_t steps = ec_cost_jh_bound_mixed(mixed, blocks, w->per_node);
        note_steps(x, steps,
                   steps == mixed   ? "sigma_r, as an element crosses every dimension of its cycle"
                   : mixed > blocks ? "K/2 + 1, as the first and the last step cannot use all links"
                                    : "K/2 (Lemma 2 of Johnsson and Ho)");
    }
}

static void bound_cycles(struct finding *x)
{
    const struct ec_workload *w = x->w;
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    if (!w->sdp || w->words == 0)
        return;
    const unsigned count = ec_sdp_cycles(w->sdp, cycle);
    for (unsigned i = 0; i < count; i++) {
        if (cycle[i].dim[0] >= w->sdp->storage)
            bound_flow(x, &cycle[i]);
    }
    if (w->holders == w->nodes)
        bound_first_and_last(x, cycle, count);
}

/* --- Collective operations -------------------------------------------------------------------- */

/* With one port, a node sends one message at a time, after a start-up, so that the nodes that know
 * something of the first one double at most; with all ports, they become links + 1 times as many.
 */
static void bound_collective(struct finding *x)
{
    const uint64_t ports = x->r->ports == EC_PORTS_ONE ? 1 : ec_topology_links(x->t);
    const uint64_t each = share(x->w->node_words, ports), hops = ec_topology_diameter(x->t);
    uint64_t rounds = 0;
    note(x, cycles_of(x, each, 1, 1), each,
         "a node sends or gets %" PRIu64 " words whatever the way, through %" PRIu64 " port%s",
         x->w->node_words, ports, plural(ports));
    for (uint64_t know = 1; know < x->w->nodes && x->w->from_one; know *= ports + 1)
        rounds++;
    note(x, cycles_of(x, rounds, 1, rounds), rounds,
         "from one node to all in %" PRIu64 " messages one after the other", rounds);
    note(x, cycles_of(x, 1, x->w->from_one ? hops : 1, 1), 1, "%" PRIu64 " links to the farthest",
         hops);
}

enum ec_code ec_least_cycles(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, uint32_t startup, struct ec_least *ret,
                             struct ec_error *reterr)
{
    struct finding x = {.t = t, .r = r, .w = w, .startup = startup};
    if (w->open_loop)
        return ec_fail(reterr, EC_USAGE, "expected a workload without rate=");
    if (w->node_words) {
        bound_collective(&x);
        *ret = x.least;
        return EC_OK;
    }
    enum ec_code code = cut_intervals(&x, reterr);
    if (code == EC_OK) {
        bound_cycles(&x);
        code = cut_subcubes(&x, reterr);
    }
    if (code == EC_OK)
        code = bound_nodes(&x, reterr);
    if (code != EC_OK)
        return code;
    if (w->words)
        note_steps(&x, share(x.link_words, w->words), "elements over the busiest link, %" PRIu64,
                   share(x.link_words, w->words));
    *ret = x.least;
    return EC_OK;
}
