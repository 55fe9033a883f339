/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock freedom: of the routing for all traffic, and of one workload. Knows paths, and the room
 * in buffers; must not know how long messages wait.
 *
 * Vertices are channels with their dateline class. An edge leads from one channel to another if a
 * message may hold the first while it requests the second, that is, if they follow each other on
 * some path. By Dally and Seitz (1987) an acyclic graph excludes deadlock in all three switching
 * modes.
 *
 * Messages correct their dimensions in a fixed order, so an edge stays in its dimension or leads to
 * a later one. A cycle therefore stays in one line of nodes, and since a message does not turn
 * round, in one direction of it. So it is a whole ring of channels. With datelines there is none:
 * class 0 does not use the wrap link, class 1 begins with it and ends before the message reaches it
 * again. Nor is there one in rings of 3 nodes, where no path has two links, or with balanced ties
 * in rings of 4, where those with two begin at every other node, so that no three channels follow
 * each other. Injection channels have
 * no predecessor, ejection channels no successor (nodes accept what arrives), and message classes
 * do not mix: none of them adds a cycle. Lanes add none either. With static allocation they do not
 * mix; with dynamic allocation a packet waits for any lane of a vertex, all of which are held by
 * packets that wait for later vertices.
 *
 * The channels of a table are searched (audit/dependence.c), for all pairs of nodes, then for those
 * of the messages.
 *
 * The escape channels of adaptive routing are searched as well (audit/escape.c), in networks that
 * are not large. Elsewhere the argument above answers: a packet on an escape channel has corrected
 * the dimensions before it, and shortest paths neither return to these nor go back, so that all
 * that is said of two channels in a row is true of two with adaptive channels between them.
 *
 * Traffic closes a ring if some message follows each of its channels with the next one. It can
 * stand still only if all buffers of the ring are full, since a head moves into free space. */
#include <stdlib.h>
#include <string.h>

#include "audit/dependence.h"
#include "ecube/audit.h"
#include "network/walk.h"

static bool is_ring(const struct ec_topology *t, const struct ec_router *r, unsigned dim)
{
    return t->wrap[dim] && t->radix[dim] > (r->ties == EC_TIES_BALANCED ? 4 : 3);
}

/* The first dimension whose channels can wait for each other; t->dims: none. */
static unsigned first_ring(const struct ec_topology *t, const struct ec_router *r)
{
    unsigned dim = 0;
    while (dim < t->dims && (r->dateline || !is_ring(t, r, dim)))
        dim++;
    return dim;
}

/* Are there routes that have to be searched? Then by the search: */
static bool is_searched(const struct ec_topology *t, const struct ec_router *r)
{
    return r->table || (r->routing == EC_ROUTING_ADAPTIVE && t->nodes <= EC_ESCAPE_NODES_MAX);
}

static enum ec_code search_routes(const struct ec_topology *t, const struct ec_router *r,
                                  struct ec_vertex **ret_cycle, size_t *ret_length,
                                  struct ec_error *reterr)
{
    return r->table ? dependence_cycle(t, r, ret_cycle, ret_length, reterr)
                    : escape_cycle(t, r, ret_cycle, ret_length, reterr);
}

enum ec_code ec_deadlock_free(const struct ec_topology *t, const struct ec_router *r,
                              bool *ret_free, struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr)
{
    if (is_searched(t, r)) {
        size_t length;
        const enum ec_code code = search_routes(t, r, ret_cycle, &length, reterr);
        if (code == EC_OK && ret_length)
            *ret_length = length;
        if (code == EC_OK)
            *ret_free = length == 0;
        return code;
    }
    const unsigned dim = first_ring(t, r);
    const uint32_t radix = dim < t->dims ? t->radix[dim] : 0;
    struct ec_vertex *cycle = ret_cycle && radix ? malloc(radix * sizeof *cycle) : NULL;
    if (ret_cycle && radix && !cycle)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a cycle of %u channels", radix);
    for (uint32_t x = 0; cycle && x < radix; x++)
        cycle[x] = (struct ec_vertex){x * t->stride[dim], 2 * dim, 0};
    if (cycle)
        *ret_cycle = cycle;
    if (ret_length && radix)
        *ret_length = radix;
    *ret_free = radix == 0;
    return EC_OK;
}

/* --- The rings of some messages --------------------------------------------------------------- */

/* A link. Its ring begins at coordinate 0, in both directions. */
struct place {
    uint32_t more;  /* messages from here to the next link, minus those to here (mod 2^32) */
    uint32_t base;  /* of the first place of a ring: those from its last link to here */
    uint64_t words; /* of the first place: of all messages that use the ring */
};

struct search {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct ec_workload *w;
    unsigned links;
    uint64_t need;        /* words that close the way from a router to the next */
    uint64_t most;        /* words of one source at a time; 0: any number */
    struct place *places; /* [nodes * links] */
    struct dependence *d; /* of a table, else NULL */
    struct ec_deadlock *found;
};

/* The place `at` links after the first one of its ring, in a line of nodes. */
static struct place *place_of(const struct search *s, uint32_t line, unsigned link, uint32_t at)
{
    const uint32_t r = s->t->radix[link / 2], x = link % 2 ? (r - at) % r : at;
    return &s->places[(size_t)(line + x * s->t->stride[link / 2]) * s->links + link];
}

static void add(struct search *s, uint32_t src, uint32_t dst, uint64_t words)
{
    struct ec_walk walk = ec_walk_begin(s->t, s->r, src, dst);
    struct ec_leg leg;
    if (s->d)
        dependence_add(s->d, src, dst);
    while (!s->d && ec_walk_leg(&walk, &leg)) {
        if (!is_ring(s->t, s->r, leg.dim))
            continue;
        const uint32_t r = s->t->radix[leg.dim], x = ec_topology_coord(s->t, leg.node, leg.dim);
        const uint32_t line = leg.node - x * s->t->stride[leg.dim];
        const uint32_t at = leg.down ? (r - x) % r : x, end = at + leg.steps - 1;
        struct place *first = place_of(s, line, leg.link, 0);
        first->words += words;
        first->base += end >= r;
        place_of(s, line, leg.link, at)->more++;
        place_of(s, line, leg.link, end % r)->more--;
    }
}

static bool is_closed(const struct search *s, uint32_t line, unsigned link)
{
    const struct place *first = place_of(s, line, link, 0);
    const uint32_t r = s->t->radix[link / 2];
    uint32_t through = first->base, at = 0;
    while (at < r && (through += place_of(s, line, link, at)->more) > 0)
        at++;
    return at == r && (!s->most || first->words >= r * s->need);
}

/* Find a ring, or with a table a cycle, that the added messages close, and remove the messages. */
static bool find_ring(struct search *s)
{
    bool found = false;
    if (s->d)
        return dependence_search(s->d);
    for (size_t i = 0; !found && i < (size_t)s->t->nodes * s->links; i++) {
        const uint32_t node = (uint32_t)(i / s->links);
        const unsigned link = (unsigned)(i % s->links), dim = link / 2;
        found = is_ring(s->t, s->r, dim) && ec_topology_coord(s->t, node, dim) == 0 &&
                is_closed(s, node, link);
        if (found) {
            s->found->ring = (struct ec_vertex){node, link, 0};
            s->found->length = s->t->radix[dim];
        }
    }
    memset(s->places, 0, (size_t)s->t->nodes * s->links * sizeof *s->places);
    return found;
}

/* --- Workloads -------------------------------------------------------------------------------- */

/* `first`: only messages that wait for none. */
static bool search_messages(struct search *s, bool first)
{
    const struct ec_message_order *o = s->w->order;
    for (size_t i = 0; i < s->w->message_count; i++) {
        const struct ec_message *m = &s->w->messages[i];
        if (!first || (o->by_step ? o->step[i] == o->step[0] : o->first[i] == o->first[i + 1]))
            add(s, m->src, m->dst, m->words);
    }
    return find_ring(s);
}

/* In a deadlock no message waits for the delivery of another, and all use one lane if packets keep
 * theirs. Permutations do: a node sends its first message on lane 0. */
static enum ec_answer search_closed(struct search *s)
{
    const bool one_lane = ec_router_lanes(s->r) == ec_router_classes(s->r) ||
                          s->r->va == EC_VA_DYNAMIC || s->w->permutation;
    if (!search_messages(s, false))
        return EC_ANSWER_NO;
    return one_lane && !s->w->hosted && (!s->w->order || search_messages(s, true))
               ? EC_ANSWER_YES
               : EC_ANSWER_UNCHECKED;
}

/* Requests, replies or both. */
static bool search_maps(struct search *s, bool requests, bool replies)
{
    for (size_t i = 0; i < (size_t)s->w->part_count * s->t->nodes; i++) {
        const struct ec_part *p = &s->w->parts[i / s->t->nodes];
        const uint32_t node = (uint32_t)(i % s->t->nodes);
        const uint32_t other = p->map ? p->map[node] : p->hot_node;
        if (requests || !p->map) /* a hot node has requests of its own, to all others */
            add(s, node, other, s->most);
        if (replies || !p->map)
            add(s, other, node, s->most);
    }
    return find_ring(s);
}

/* Can all nodes together have this number of words in the network? */
static bool has_words(const struct search *s, uint64_t words)
{
    return !s->most || s->t->nodes * s->most >= words;
}

/* `anywhere`: some part of the traffic goes from every node to every other. */
static enum ec_answer search_open(struct search *s, bool anywhere)
{
    const struct ec_service *service = &s->w->service;
    bool closed = anywhere && s->d;
    for (unsigned dim = 0; anywhere && dim < s->t->dims && !closed; dim++) {
        closed = is_ring(s->t, s->r, dim) && has_words(s, s->t->radix[dim] * s->need);
        s->found->ring = (struct ec_vertex){0, 2 * dim, 0};
        s->found->length = s->t->radix[dim];
    }
    if (!anywhere)
        closed = search_maps(s, true, service->words && service->shared) ||
                 (service->words && !service->shared && search_maps(s, false, true));
    return closed ? EC_ANSWER_YES : EC_ANSWER_NO;
}

/* The replies of a node wait for the requests that it sends, these for the replies of another node,
 * and so on: a cycle of two nodes at least, with a full buffer at the injection port of each and
 * one behind a link. A permutation has such a cycle if it moves any node, unless requests and
 * replies leave by different ports; a hot node has one with each other node. */
static enum ec_answer search_part(const struct search *s, const struct ec_part *p)
{
    const struct ec_service *service = &s->w->service;
    bool moves = !p->map, shares = false;
    for (uint32_t node = 0; p->map && node < s->t->nodes; node++) {
        moves |= p->map[node] != node;
        shares |= s->places[p->map[node]].words++ > 0 ||
                  (s->r->ports == EC_PORTS_ALL && p->map[p->map[node]] != node);
    }
    memset(s->places, 0, s->t->nodes * sizeof *s->places);
    if (!moves)
        return EC_ANSWER_NO;
    if (!shares && (!service->outstanding || service->outstanding > service->queue))
        return EC_ANSWER_YES;
    /* a queue that is alone with its source has room for all that this source may send */
    return shares || !p->map || s->w->part_count > 1 ? EC_ANSWER_UNCHECKED : EC_ANSWER_NO;
}

/* By chance all messages may be of one part. */
static enum ec_answer search_protocol(const struct search *s, bool anywhere)
{
    enum ec_answer found = EC_ANSWER_NO;
    if (!ec_workload_can_deadlock(s->w) || !has_words(s, 4 * s->need))
        return EC_ANSWER_NO;
    for (unsigned k = 0; k < s->w->part_count && found != EC_ANSWER_YES; k++) {
        const enum ec_answer part = anywhere ? EC_ANSWER_YES : search_part(s, &s->w->parts[k]);
        found = part == EC_ANSWER_NO ? found : part;
    }
    return found;
}

static void search(struct search *s, bool rings)
{
    const struct ec_workload *w = s->w;
    enum ec_answer routing = EC_ANSWER_NO, protocol = EC_ANSWER_NO;
    bool anywhere = false;
    for (unsigned k = 0; k < w->part_count; k++)
        anywhere |= !w->parts[k].map && w->parts[k].hot_share < 1;
    if (w->open_loop)
        protocol = search_protocol(s, anywhere);
    if (rings && ec_router_chooses(s->r))
        routing = EC_ANSWER_UNCHECKED; /* the messages may avoid it by their choices */
    else if (rings)
        routing = w->open_loop ? search_open(s, anywhere) : search_closed(s);
    if (rings && s->d && (routing == EC_ANSWER_YES || w->hosted))
        routing = EC_ANSWER_UNCHECKED; /* by chance, or by their order, the messages may avoid it */
    s->found->length = routing == EC_ANSWER_NO ? 0 : s->found->length;
    s->found->protocol = protocol != EC_ANSWER_NO;
    s->found->possible = routing == EC_ANSWER_YES || protocol == EC_ANSWER_NO ? routing : protocol;
    if (s->found->possible == EC_ANSWER_YES && s->r->routing == EC_ROUTING_ADAPTIVE)
        s->found->possible = EC_ANSWER_UNCHECKED;
}

enum ec_code ec_deadlock_possible(const struct ec_topology *t, const struct ec_router *r,
                                  const struct ec_workload *w, struct ec_deadlock *ret,
                                  struct ec_error *reterr)
{
    struct search s = {.t = t, .r = r, .w = w, .links = ec_topology_links(t), .found = ret};
    *ret = (struct ec_deadlock){.possible = EC_ANSWER_NO};
    const bool searched = is_searched(t, r);
    const enum ec_code code = searched ? search_routes(t, r, NULL, &ret->length, reterr) : EC_OK;
    if (code != EC_OK)
        return code;
    const bool rings = searched ? ret->length > 0 : first_ring(t, r) < t->dims;
    if (!rings && !ec_workload_can_deadlock(w))
        return EC_OK;
    s.need = r->depth - (r->switching == EC_WORMHOLE ? 0 : r->packet - 1);
    if (r->va == EC_VA_DYNAMIC) /* a head takes any free lane of its class */
        s.need *= ec_router_lanes(r) / ec_router_classes(r);
    s.most = w->open_loop ? (uint64_t)w->service.outstanding * w->longest : 1;
    s.places = calloc((size_t)t->nodes * s.links, sizeof *s.places);
    s.d = s.places && r->table ? dependence_open(t, r) : NULL;
    const bool good = s.places && (s.d || !r->table);
    if (good)
        search(&s, rings);
    free(s.places);
    dependence_close(s.d);
    return good ? EC_OK
                : ec_fail(reterr, EC_MEMORY, "out of memory for the rings of %u nodes", t->nodes);
}
