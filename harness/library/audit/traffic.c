/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of channels from traffic matrices. Knows routes; must not know the RTL, lengths of messages
 * or time.
 *
 * Dimension-order routing corrects one coordinate after the other. A message is on a link of
 * dimension d at node x if its destination has the coordinates of x in the dimensions corrected
 * before d (its source may be anywhere there), its source has those of x in the dimensions
 * corrected after d (its destination may be anywhere), and its way in dimension d crosses the link.
 * The number of such pairs of nodes is therefore a product with one factor for each dimension, and
 * no pair needs to be enumerated. Only maps are walked message by message, by the audit.
 *
 * The paths of a table to one node are a tree, along which messages add up. */
#include "audit/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "network/walk.h"

struct traffic {
    const struct ec_topology *t;
    unsigned links, locals;
    bool low;       /* dimension 0 is corrected first */
    uint32_t paths; /* of a message, equally likely: 2 in both orders, with routing=valiant one by
                       way of each node. Loads are sums over them */
    bool balanced;  /* ties */
    size_t count;
    bool mapped; /* one of the matrices is a map */
    struct traffic_part {
        struct traffic_matrix m;
        struct ec_audit *audit; /* of a map */
        uint32_t *link_load; /* of a table, but for a map, or of Valiant: [router * links + link] */
    } part[];
};

/* --- One dimension -------------------------------------------------------------------------- */

/* A step from coordinate c, up or down, in a line or ring of r coordinates. */
struct step {
    uint32_t r, c;
    bool wrap, down, balanced;
};

/* In a ring, half way round: does the way from coordinate c go in the other direction than that of
 * the step? Ties go up, or balanced those from odd coordinates down (network/walk.h). */
static bool yields(const struct step *s, uint32_t c)
{
    return s->r % 2 == 0 && (s->balanced && c % 2 == 1) != s->down;
}

/* The longest way from coordinate c in the direction of the step, in a ring. */
static uint64_t reach(const struct step *s, uint32_t c)
{
    return s->r / 2 - yields(s, c);
}

/* The coordinate half way round. */
static uint32_t opposite(const struct step *s, uint32_t c)
{
    return (c + s->r / 2) % s->r;
}

/* Coordinates beyond c in the direction of the step, in a line. */
static uint64_t beyond(const struct step *s)
{
    return s->down ? s->c : s->r - 1 - s->c;
}

/* Steps from coordinate a to b in the direction of the step, in a ring. */
static uint64_t forward(const struct step *s, uint32_t a, uint32_t b)
{
    const uint32_t from = s->down ? b : a, to = s->down ? a : b;
    return to >= from ? to - from : to + s->r - from;
}

/* Pairs of coordinates (source, destination) whose way takes the step. */
static uint64_t crossing(const struct step *s)
{
    if (s->wrap) {
        /* From k = 0, 1, ... half - 1 coordinates before c: half - k ways, or one less. */
        const uint64_t half = s->r / 2, all = half * (half + 1) / 2;
        if (s->balanced && s->r % 2 == 0)
            return all - (half + yields(s, s->c)) / 2;
        return all - half * yields(s, s->c);
    }
    return beyond(s) ? (s->r - beyond(s)) * beyond(s) : 0;
}

/* Sources whose way to coordinate `to` takes the step. */
static uint64_t crossing_to(const struct step *s, uint32_t to)
{
    if (s->wrap) {
        const uint64_t left = forward(s, s->c, to);
        if (left == 0 || left > s->r / 2)
            return 0;
        return s->r / 2 - left + 1 - yields(s, opposite(s, to));
    }
    return (s->down ? to < s->c : to > s->c) ? s->r - beyond(s) : 0;
}

/* Destinations to which the way from coordinate `from` takes the step. */
static uint64_t crossing_from(const struct step *s, uint32_t from)
{
    if (s->wrap) {
        const uint64_t done = forward(s, from, s->c);
        return done < reach(s, from) ? reach(s, from) - done : 0;
    }
    return (s->down ? from >= s->c : from <= s->c) ? beyond(s) : 0;
}

/* Destinations to which the way from c begins in the direction. */
static uint64_t leaving(const struct step *s)
{
    return s->wrap ? reach(s, s->c) : beyond(s);
}

/* Sources from which the way to c ends in the opposite direction: that of `s` leads back. */
static uint64_t arriving(const struct step *s)
{
    struct step back = *s;
    back.down = !s->down;
    return s->wrap ? s->r / 2 - yields(&back, opposite(s, s->c)) : beyond(s);
}

/* Does the way from a to b go in the direction of the step? */
static bool leads(const struct step *s, uint32_t a, uint32_t b)
{
    if (s->wrap) {
        const uint64_t way = forward(s, a, b);
        return way >= 1 && way <= reach(s, a);
    }
    return s->down ? b < a : b > a;
}

/* --- All dimensions -------------------------------------------------------------------------- */

/* A link: its dimension, and the step from the node over it. */
struct place {
    uint32_t node;
    unsigned dim;
    struct step step;
    bool low; /* dimension 0 is corrected first */
};

/* False: no such link. */
static bool place_of(const struct traffic *s, uint32_t node, unsigned link, struct place *ret)
{
    const struct ec_topology *t = s->t;
    if (ec_topology_neighbor(t, node, link) == EC_NONE)
        return false;
    const unsigned dim = link / t->links_per_dim;
    const uint32_t c = ec_topology_coord(t, node, dim);
    const bool down = t->radix[dim] == 2 ? c == 1 : link % 2 == 1;
    *ret = (struct place){node, dim, {t->radix[dim], c, t->wrap[dim], down, s->balanced}, s->low};
    return true;
}

static bool is_before(bool low, unsigned dim, unsigned of)
{
    return low ? dim < of : dim > of;
}

/* Nodes that differ from a given one only in the dimensions corrected before that of the place, or
 * after it. */
static uint64_t variants(const struct traffic *s, const struct place *p, bool before)
{
    uint64_t n = 1;
    for (unsigned d = 0; d < s->t->dims; d++) {
        if (d != p->dim && is_before(p->low, d, p->dim) == before)
            n *= s->t->radix[d];
    }
    return n;
}

/* Has node a the coordinates of the place in the dimensions corrected before its own, or after it?
 */
static bool agree(const struct traffic *s, const struct place *p, uint32_t a, bool before)
{
    for (unsigned d = 0; d < s->t->dims; d++) {
        if (d != p->dim && is_before(p->low, d, p->dim) == before &&
            ec_topology_coord(s->t, a, d) != ec_topology_coord(s->t, p->node, d))
            return false;
    }
    return true;
}

/* Messages of a matrix that is not a map on a link. */
static uint64_t on_link(const struct traffic *s, const struct traffic_matrix *m,
                        const struct place *p)
{
    const uint32_t end = ec_topology_coord(s->t, m->node, p->dim);
    switch (m->kind) {
    case TRAFFIC_ALL:
        return crossing(&p->step) * variants(s, p, true) * variants(s, p, false);
    case TRAFFIC_TO:
        return agree(s, p, m->node, true) ? crossing_to(&p->step, end) * variants(s, p, true) : 0;
    case TRAFFIC_FROM:
        return agree(s, p, m->node, false) ? crossing_from(&p->step, end) * variants(s, p, false)
                                           : 0;
    case TRAFFIC_MAP:
        break;
    }
    return 0;
}

/* The same of the messages that begin at the node, over this link. */
static uint64_t begin_on(const struct traffic *s, const struct traffic_matrix *m,
                         const struct place *p)
{
    switch (m->kind) {
    case TRAFFIC_ALL:
        return leaving(&p->step) * variants(s, p, false);
    case TRAFFIC_TO:
        return agree(s, p, m->node, true) &&
               leads(&p->step, p->step.c, ec_topology_coord(s->t, m->node, p->dim));
    case TRAFFIC_FROM:
        return p->node == m->node ? leaving(&p->step) * variants(s, p, false) : 0;
    case TRAFFIC_MAP:
        break;
    }
    return 0;
}

/* The same of the messages that end at the node and came from the other end of this link. */
static uint64_t end_from(const struct traffic *s, const struct traffic_matrix *m,
                         const struct place *p)
{
    struct step way = p->step;
    way.down = !way.down;
    switch (m->kind) {
    case TRAFFIC_ALL:
        return arriving(&p->step) * variants(s, p, true);
    case TRAFFIC_TO:
        return p->node == m->node ? arriving(&p->step) * variants(s, p, true) : 0;
    case TRAFFIC_FROM:
        return agree(s, p, m->node, false) &&
               leads(&way, ec_topology_coord(s->t, m->node, p->dim), p->step.c);
    case TRAFFIC_MAP:
        break;
    }
    return 0;
}

/* Messages of a matrix on the only local port of a node, in or out. */
static uint64_t at_node(const struct traffic *s, const struct traffic_matrix *m, uint32_t node,
                        bool in)
{
    const uint64_t others = s->t->nodes - 1;
    if (m->kind == TRAFFIC_ALL)
        return others;
    const bool all = (m->kind == TRAFFIC_FROM) == in; /* at m->node */
    return node == m->node ? (all ? others : 0) : (all ? 0 : 1);
}

static uint64_t part_load(const struct traffic *s, const struct traffic_part *p,
                          struct ec_channel channel)
{
    const size_t local = (size_t)channel.node * s->locals + channel.port;
    const bool in = channel.kind == EC_CHANNEL_INJECT;
    struct place place;

    if (channel.kind != EC_CHANNEL_LINK && p->audit)
        return in ? p->audit->inject_load[local] : p->audit->eject_load[local];
    if (channel.kind != EC_CHANNEL_LINK && s->locals == 1)
        return s->paths * at_node(s, &p->m, channel.node, in);
    if (p->audit || p->link_load) {
        const uint32_t *load = p->audit ? p->audit->link_load : p->link_load;
        return load[(size_t)channel.node * s->links + channel.port];
    }
    if (!place_of(s, channel.node, channel.port, &place))
        return 0;
    uint64_t load = 0;
    for (uint32_t k = 0; k < s->paths; k++, place.low = !place.low)
        load += channel.kind == EC_CHANNEL_LINK ? on_link(s, &p->m, &place)
                : in                            ? begin_on(s, &p->m, &place)
                                                : end_from(s, &p->m, &place);
    return load;
}

uint32_t traffic_paths(const struct traffic *s)
{
    return s->paths;
}

traffic_sum traffic_load(const struct traffic *s, struct ec_channel channel)
{
    traffic_sum load = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct traffic_matrix *m = &s->part[i].m;
        load += (channel.kind == EC_CHANNEL_INJECT ? m->entry : m->through) *
                part_load(s, &s->part[i], channel);
    }
    return load;
}

/* --- The busiest channel ---------------------------------------------------------------------- */

struct search {
    const struct traffic *s;
    traffic_sum load[3]; /* by kind of channel */
    struct ec_channel busiest[3];
};

static void look_at(struct search *x, uint32_t node)
{
    for (unsigned kind = 0; kind < 3; kind++) {
        const bool link = kind == EC_CHANNEL_LINK;
        const uint32_t count = link ? x->s->t->routers : x->s->t->nodes;
        const unsigned ports = node >= count ? 0 : link ? x->s->links : x->s->locals;
        for (unsigned port = 0; port < ports; port++) {
            const struct ec_channel channel = {(enum ec_channel_kind)kind, node, port};
            const traffic_sum load = traffic_load(x->s, channel);
            if (load < x->load[kind] || load == 0)
                continue;
            const struct ec_channel *old = &x->busiest[kind];
            if (load > x->load[kind] || node < old->node || (node == old->node && port < old->port))
                x->busiest[kind] = channel;
            x->load[kind] = load;
        }
    }
}

/* The node with the coordinates of `first` in the dimensions corrected before `dim`, c in it, and
 * those of `last` after it. */
static uint32_t compose(const struct traffic *s, uint32_t first, unsigned dim, uint32_t c,
                        uint32_t last)
{
    uint32_t node = c * s->t->stride[dim];
    for (unsigned d = 0; d < s->t->dims; d++) {
        if (d != dim)
            node += ec_topology_coord(s->t, is_before(s->low, d, dim) ? first : last, d) *
                    s->t->stride[d];
    }
    return node;
}

/* The node of matrix number i; behind the last matrix node 0. */
static uint32_t node_of(const struct traffic *s, size_t i)
{
    return i < s->count && s->part[i].m.kind != TRAFFIC_ALL ? s->part[i].m.node : 0;
}

static bool is_repeated(const struct traffic *s, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (node_of(s, j) == node_of(s, i))
            return true;
    }
    return false;
}

/* Without maps, the load of a channel in dimension d depends on its coordinate in d and on whether
 * its other coordinates are those of the node of a matrix, before d and after d. One node of each
 * kind is enough; node 0 stands for all that have none of these coordinates. */
static void look_at_kinds(struct search *x)
{
    const struct traffic *s = x->s;
    const size_t kinds = s->t->dims == 1 ? 0 : s->count;
    for (size_t i = 0; i <= kinds; i++) {
        for (size_t j = 0; j <= kinds; j++) {
            if (is_repeated(s, i) || is_repeated(s, j))
                continue;
            for (unsigned d = 0; d < s->t->dims; d++) {
                for (uint32_t c = 0; c < s->t->radix[d]; c++)
                    look_at(x, compose(s, node_of(s, i), d, c, node_of(s, j)));
            }
        }
    }
}

traffic_sum traffic_busiest(const struct traffic *s, struct ec_channel *ret,
                            traffic_sum *ret_ejection)
{
    struct search x = {.s = s};
    traffic_sum load = 0;

    if (s->mapped) {
        for (uint32_t node = 0; node < s->t->nodes || node < s->t->routers; node++)
            look_at(&x, node);
    } else {
        look_at_kinds(&x);
    }
    for (unsigned kind = 0; kind < 3; kind++) {
        if (x.load[kind] > load) {
            load = x.load[kind];
            *ret = x.busiest[kind];
        }
    }
    *ret_ejection = x.load[2];
    return load;
}

/* --- Hops ----------------------------------------------------------------------------------- */

/* ways[k] = pairs of coordinates of dimension d, or with `from` coordinates, at k steps. */
static void count_ways(const struct ec_topology *t, unsigned d, const uint32_t *from,
                       uint64_t *ways)
{
    const uint32_t r = t->radix[d], farthest = t->wrap[d] ? r / 2 : r - 1;
    for (uint32_t k = 0; k <= farthest; k++) {
        if (t->wrap[d])
            ways[k] = (uint64_t)(k == 0 || 2 * k == r ? 1 : 2) * (from ? 1 : r);
        else if (from)
            ways[k] = k == 0 ? 1 : (uint64_t)(*from + k < r) + (*from >= k);
        else
            ways[k] = k == 0 ? r : 2 * (uint64_t)(r - k);
    }
}

/* Convolves the distances of all dimensions. `spare` and `ways` have room for the diameter. */
static void add_distances(const struct ec_topology *t, const uint32_t *node, uint64_t *sums,
                          uint64_t *spare, uint64_t *ways)
{
    uint32_t reached = 0; /* hops so far */
    sums[0] = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t from = node ? ec_topology_coord(t, *node, d) : 0;
        const uint32_t farthest = t->wrap[d] ? t->radix[d] / 2 : t->radix[d] - 1;
        count_ways(t, d, node ? &from : NULL, ways);
        memcpy(spare, sums, (reached + 1) * sizeof *sums);
        memset(sums, 0, (reached + farthest + 1) * sizeof *sums);
        for (uint32_t h = 0; h <= reached; h++) {
            for (uint32_t k = 0; k <= farthest; k++)
                sums[h + k] += spare[h] * ways[k];
        }
        reached += farthest;
    }
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* The paths of a table to one node: the tree of routers. */
struct tree {
    const struct ec_topology *t;
    const struct ec_router *r;
    struct ec_arrays arrays; /* all of the following: [router] */
    struct ec_hop *hop;      /* the next one; link EC_NONE: none */
    uint32_t *next;          /* the router there */
    uint32_t *before;        /* routers that lead here and are not in `order` */
    uint32_t *order;         /* each after all that lead to it */
    uint32_t *messages;      /* that come here or begin here */
    uint32_t *hops;          /* to the node */
};

static bool tree_open(struct tree *x, const struct ec_topology *t, const struct ec_router *r)
{
    *x = (struct tree){.t = t, .r = r};
    EC_ARRAY(&x->arrays, x->hop, t->routers);
    EC_ARRAY(&x->arrays, x->next, t->routers);
    EC_ARRAY(&x->arrays, x->before, t->routers);
    EC_ARRAY(&x->arrays, x->order, t->routers);
    EC_ARRAY(&x->arrays, x->messages, t->routers);
    EC_ARRAY(&x->arrays, x->hops, t->routers);
    return !x->arrays.memory_short;
}

/* Messages from `from`, or from every node (EC_NONE), to a node. Adds them to loads and histogram,
 * unless these are NULL. */
static void tree_add(struct tree *x, uint32_t from, uint32_t dst, uint32_t *link_load,
                     uint64_t *histogram)
{
    const uint32_t routers = x->t->routers;
    const unsigned links = ec_topology_links(x->t);
    uint32_t count = 0;
    for (uint32_t v = 0; v < routers; v++) {
        x->hop[v].link = EC_NONE;
        x->before[v] = x->messages[v] = x->hops[v] = 0;
    }
    for (uint32_t src = 0; src < x->t->nodes; src++) {
        struct ec_walk walk = ec_walk_begin(x->t, x->r, src, dst);
        struct ec_hop hop;
        x->messages[walk.node] += from == EC_NONE || from == src;
        while (x->hop[walk.node].link == EC_NONE && ec_walk_next(&walk, &hop)) {
            x->hop[hop.node] = hop;
            x->next[hop.node] = walk.node;
            x->before[walk.node]++;
        }
    }
    for (uint32_t v = 0; v < routers; v++) {
        if (x->before[v] == 0)
            x->order[count++] = v;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = x->order[i], next = x->next[v];
        if (x->hop[v].link == EC_NONE)
            continue;
        if (link_load)
            link_load[(size_t)v * links + x->hop[v].link] += x->messages[v];
        x->messages[next] += x->messages[v];
        if (--x->before[next] == 0)
            x->order[count++] = next;
    }
    while (histogram && count-- > 0) {
        const uint32_t v = x->order[count];
        x->hops[v] = x->hop[v].link == EC_NONE ? 0 : x->hops[x->next[v]] + 1;
    }
    for (uint32_t src = 0; histogram && src < x->t->nodes; src++) {
        const uint32_t hops = x->hops[ec_walk_begin(x->t, x->r, src, dst).node];
        histogram[hops] += src != dst && (from == EC_NONE || from == src);
    }
}

/* A matrix that is not a map, on the paths of a table; either result may be NULL. */
static enum ec_code add_paths(const struct ec_topology *t, const struct ec_router *r,
                              const struct traffic_matrix *m, uint32_t *link_load,
                              uint64_t *histogram, struct ec_error *reterr)
{
    struct tree tree;
    if (!tree_open(&tree, t, r)) {
        ec_arrays_free(&tree.arrays);
        return ec_fail(reterr, EC_MEMORY, "out of memory for the paths of %u nodes", t->nodes);
    }
    for (uint32_t dst = 0; dst < t->nodes; dst++) {
        if (m->kind != TRAFFIC_TO || dst == m->node)
            tree_add(&tree, m->kind == TRAFFIC_FROM ? m->node : EC_NONE, dst, link_load, histogram);
    }
    ec_arrays_free(&tree.arrays);
    return EC_OK;
}

/* --- Valiant ---------------------------------------------------------------------------------- */

/* The hops of all messages of a matrix by way of every node. */
static void count_legs(const struct ec_topology *t, const struct traffic_matrix *m, uint32_t via,
                       uint64_t *at, uint64_t *histogram)
{
    const unsigned furthest = ec_topology_diameter(t);
    for (unsigned h = 0; m->kind == TRAFFIC_ALL && h <= furthest; h++)
        at[h] = 0;
    for (uint32_t i = 0; i < t->nodes; i++) {
        const uint32_t dst = m->kind == TRAFFIC_MAP ? m->map[i] : m->node;
        const uint32_t hops = ec_topology_distance(t, i, via);
        if (m->kind == TRAFFIC_ALL)
            at[hops]++;
        else if (dst != i)
            histogram[hops + ec_topology_distance(t, via, dst)]++;
    }
    for (unsigned h = 0; m->kind == TRAFFIC_ALL && h <= furthest; h++) {
        histogram[2 * h] -= at[h]; /* not to the source */
        for (unsigned k = 0; k <= furthest; k++)
            histogram[h + k] += at[h] * at[k];
    }
}

static enum ec_code add_legs(const struct ec_topology *t, const struct traffic_matrix *m,
                             uint64_t *histogram, struct ec_error *reterr)
{
    uint64_t *at = calloc((size_t)ec_topology_diameter(t) + 1, sizeof *at); /* nodes by distance */
    if (!at)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the distances of %u nodes", t->nodes);
    for (uint32_t via = 0; via < t->nodes; via++)
        count_legs(t, m, via, at, histogram);
    free(at);
    return EC_OK;
}

enum ec_code traffic_hops(const struct ec_topology *t, const struct ec_router *r,
                          const struct traffic_matrix *m, uint64_t *histogram,
                          struct ec_error *reterr)
{
    if (r->routing == EC_ROUTING_VALIANT)
        return add_legs(t, m, histogram, reterr);
    if (m->kind == TRAFFIC_MAP) {
        for (uint32_t i = 0; i < t->nodes; i++) {
            const uint32_t src = m->reversed ? m->map[i] : i, dst = m->reversed ? i : m->map[i];
            histogram[ec_route_hops(t, r, src, dst)] += src != dst;
        }
        return EC_OK;
    }
    if (r->table)
        return add_paths(t, r, m, NULL, histogram, reterr);
    const size_t room = (size_t)ec_topology_diameter(t) + 1;
    uint64_t *sums = calloc(3 * room, sizeof *sums);
    if (!sums)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the distances of %u nodes", t->nodes);
    add_distances(t, m->kind == TRAFFIC_ALL ? NULL : &m->node, sums, sums + room, sums + 2 * room);
    for (size_t h = 1; h < room; h++)
        histogram[h] += sums[h];
    free(sums);
    return EC_OK;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static uint32_t paths_of(const struct ec_topology *t, const struct ec_router *r)
{
    if (r->routing == EC_ROUTING_VALIANT)
        return t->nodes;
    return r->order == EC_ORDER_CLASS ? 2 : 1;
}

/* The loads of a map, walked as a list of messages: one for each path. */
static enum ec_code walk_map(const struct ec_topology *t, const struct ec_router *r,
                             const struct traffic_matrix *m, struct ec_audit **ret,
                             struct ec_error *reterr)
{
    struct ec_workload w = {.text = "map", .nodes = t->nodes, .longest = 1};
    const uint32_t paths = paths_of(t, r), first = r->routing == EC_ROUTING_VALIANT;
    w.messages = malloc((size_t)t->nodes * paths * sizeof *w.messages);
    if (!w.messages)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a map of %u nodes", t->nodes);
    for (uint32_t i = 0; i < t->nodes; i++) {
        for (uint32_t way = 0; m->map[i] != i && way < paths; way++)
            w.messages[w.message_count++] = (struct ec_message){.cycle = 1,
                                                                .src = m->reversed ? m->map[i] : i,
                                                                .dst = m->reversed ? i : m->map[i],
                                                                .words = 1,
                                                                .way = first + way};
    }
    const enum ec_code code = ec_audit_open(t, r, &w, false, ret, reterr);
    free(w.messages);
    return code;
}

/* Valiant: each pair of nodes is the first leg of all messages of its source, and the second leg of
 * all messages to its destination. */
static void walk_legs(const struct traffic *s, const struct ec_router *r,
                      const struct traffic_matrix *m, uint32_t *link_load)
{
    for (uint32_t src = 0; src < s->t->nodes; src++) {
        for (uint32_t dst = 0; dst < s->t->nodes; dst++) {
            struct ec_walk walk = ec_walk_begin(s->t, r, src, dst);
            struct ec_hop hop;
            const uint64_t load = at_node(s, m, src, true) + at_node(s, m, dst, false);
            while (ec_walk_next(&walk, &hop))
                link_load[(size_t)hop.node * s->links + hop.link] += (uint32_t)load;
        }
    }
}

static enum ec_code walk_table(const struct traffic *s, const struct ec_router *r,
                               const struct traffic_matrix *m, uint32_t **ret,
                               struct ec_error *reterr)
{
    *ret = calloc((size_t)s->t->routers * s->links, sizeof **ret);
    if (!*ret)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the loads of %u routers",
                       s->t->routers);
    if (r->table)
        return add_paths(s->t, r, m, *ret, NULL, reterr);
    walk_legs(s, r, m, *ret);
    return EC_OK;
}

/* No load exceeds its matrix's number of messages times their cost. */
static bool costs_fit(const struct ec_topology *t, uint32_t paths, const struct traffic_matrix *m,
                      size_t count)
{
    const traffic_sum limit = ((traffic_sum)1 << 127) / paths;
    traffic_sum left = limit;
    for (size_t i = 0; i < count; i++) {
        const traffic_sum cost = m[i].through > m[i].entry ? m[i].through : m[i].entry;
        const traffic_sum messages =
            m[i].kind == TRAFFIC_ALL ? (traffic_sum)t->nodes * t->nodes : t->nodes;
        if (cost > left / messages)
            return false;
        left -= cost * messages;
    }
    return true;
}

enum ec_code traffic_open(const struct ec_topology *t, const struct ec_router *r,
                          const struct traffic_matrix *matrices, size_t count, struct traffic **ret,
                          struct ec_error *reterr)
{
    if (!costs_fit(t, paths_of(t, r), matrices, count))
        return ec_fail(reterr, EC_USAGE,
                       "the weights of the traffic have too many digits for %u nodes: expected "
                       "shorter fractions",
                       t->nodes);
    struct traffic *s = calloc(1, sizeof *s + count * sizeof s->part[0]);
    if (!s)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a traffic matrix");
    s->t = t;
    s->links = ec_topology_links(t);
    s->locals = ec_router_locals(r, t);
    s->low = r->order != EC_ORDER_HIGH;
    s->paths = paths_of(t, r);
    s->balanced = r->ties == EC_TIES_BALANCED;
    for (; s->count < count; s->count++) {
        struct traffic_part *p = &s->part[s->count];
        p->m = matrices[s->count];
        if (p->m.kind != TRAFFIC_MAP && !r->table && r->routing != EC_ROUTING_VALIANT)
            continue;
        s->mapped = true;
        const enum ec_code code = p->m.kind == TRAFFIC_MAP
                                      ? walk_map(t, r, &p->m, &p->audit, reterr)
                                      : walk_table(s, r, &p->m, &p->link_load, reterr);
        if (code != EC_OK) {
            s->count++; /* the part that failed */
            traffic_close(s);
            return code;
        }
    }
    *ret = s;
    return EC_OK;
}

void traffic_close(struct traffic *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++) {
        ec_audit_close(s->part[i].audit);
        free(s->part[i].link_load);
    }
    free(s);
}
