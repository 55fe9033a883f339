/* SPDX-License-Identifier: Apache-2.0 */
/* Do escape channels wait for each other with adaptive routing? Knows paths as legs; must not know
 * buffers.
 *
 * The extended channel dependency graph of Duato (1993), for all pairs of nodes: a packet that
 * holds an escape channel may move on over any number of adaptive channels before it asks for the
 * next escape channel. A vertex is an escape channel with its class, or a packet at a router, by
 * its destination. An escape channel leads to the packets that take it, at the next router; a
 * packet leads to itself at the routers that are nearer, and to its escape channel. Packets come
 * nearer with every link, so a cycle contains escape channels. No cycle: no deadlock, provided that
 * no packet waits in an adaptive buffer behind another one (contract, section 5.5). */
#include <stdlib.h>

#include "audit/dependence.h"
#include "network/walk.h"

enum { CLASSES = EC_TABLE_CLASSES };

struct escape {
    const struct ec_topology *t;
    const struct ec_router *r;
    unsigned out;      /* escape channels of a router */
    uint32_t channels; /* vertices below are escape channels, those above are packets */
    uint32_t *next;    /* [vertex] the number of the next edge to take */
};

static uint32_t packet_at(const struct escape *s, uint32_t node, uint32_t dst)
{
    return s->channels + node * s->t->nodes + dst;
}

/* Leg k of the way from a node; false: there are fewer. */
static bool leg_of(const struct escape *s, uint32_t node, uint32_t dst, uint32_t k,
                   struct ec_leg *ret)
{
    struct ec_walk walk = ec_walk_begin(s->t, s->r, node, dst);
    bool more = ec_walk_leg(&walk, ret);
    while (more && k-- > 0)
        more = ec_walk_leg(&walk, ret);
    return more;
}

/* The escape channel of a packet that is not at its destination. Class 1 if the wrap link is not
 * ahead. */
static uint32_t escape_of(const struct escape *s, uint32_t node, uint32_t dst)
{
    struct ec_leg leg = {0};
    bool upper = false;
    leg_of(s, node, dst, 0, &leg);
    if (s->r->dateline && s->t->wrap[leg.dim]) {
        const uint32_t x = ec_topology_coord(s->t, node, leg.dim);
        upper = leg.down ? leg.steps <= x : x + leg.steps < s->t->radix[leg.dim];
    }
    return node * s->out + leg.link * CLASSES + upper;
}

/* Edge number k. False: there are not so many. *ret: the vertex; UINT32_MAX: none by this number.
 */
static bool edge(const struct escape *s, uint32_t vertex, uint32_t k, uint32_t *ret)
{
    const uint32_t nodes = s->t->nodes;
    *ret = UINT32_MAX;
    if (vertex < s->channels) {
        const uint32_t node = vertex / s->out;
        if (k < nodes && k != node && escape_of(s, node, k) == vertex)
            *ret = packet_at(s, ec_topology_neighbor(s->t, node, vertex % s->out / CLASSES), k);
        return k < nodes;
    }
    const uint32_t node = (vertex - s->channels) / nodes, dst = (vertex - s->channels) % nodes;
    struct ec_leg leg;
    if (node == dst)
        return false;
    if (k == 0) {
        *ret = escape_of(s, node, dst);
        return true;
    }
    if (!leg_of(s, node, dst, k - 1, &leg))
        return false;
    *ret = packet_at(s, ec_topology_neighbor(s->t, node, leg.link), dst);
    return true;
}

static bool take_edge(void *context, uint32_t vertex, uint32_t *ret)
{
    const struct escape *const s = context;
    bool more;
    do
        more = edge(s, vertex, s->next[vertex]++, ret);
    while (more && *ret == UINT32_MAX);
    return more;
}

enum ec_code escape_cycle(const struct ec_topology *t, const struct ec_router *r,
                          struct ec_vertex **ret_cycle, size_t *ret_length, struct ec_error *reterr)
{
    struct escape s = {.t = t, .r = r, .out = ec_topology_links(t) * CLASSES};
    s.channels = t->nodes * s.out;
    struct cycle_search search = {.context = &s,
                                  .edge = take_edge,
                                  .out = s.out,
                                  .channels = s.channels,
                                  .vertices = s.channels + (size_t)t->nodes * t->nodes};
    enum ec_code code = EC_OK;
    s.next = calloc(search.vertices, sizeof *s.next);
    *ret_length = 0;
    if (!cycle_search_open(&search) || !s.next)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the channels of %u routers", t->nodes);
    else
        code = cycle_search_take(&search, cycle_search_all(&search), ret_cycle, ret_length, reterr);
    cycle_search_close(&search);
    free(s.next);
    return code;
}
