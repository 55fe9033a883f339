/* SPDX-License-Identifier: Apache-2.0 */
/* Which channels wait for which, by any routes: for routers with a table. Knows paths as hops; must
 * not know dimensions.
 *
 * A vertex is a channel with its dateline class. An edge leads from one to another if they follow
 * each other on the path of some pair of nodes. No cycle: no deadlock (Dally and Seitz 1987). */
#include "audit/dependence.h"

#include <stdlib.h>
#include <string.h>

#include "network/walk.h"

enum { CLASSES = EC_TABLE_CLASSES, WORDS = 2 /* of bits, for all channels of a router */ };

struct dependence {
    const struct ec_topology *t;
    const struct ec_router *r;
    unsigned out;            /* vertices of a router: links * CLASSES, at most 64 * WORDS */
    uint64_t (*next)[WORDS]; /* [vertex] the vertices that follow, as bits of the next router */
    uint32_t *stack, *place; /* [depth] a path of vertices; [vertex] its depth + 1; 0: not on it */
    bool *done;              /* [vertex] */
    bool *seen;              /* [router] on the paths to one node */
    size_t depth, vertices;
};

static uint32_t vertex_of(const struct dependence *g, const struct ec_hop *hop)
{
    return hop->node * g->out + hop->link * CLASSES + hop->class_;
}

/* `seen`: not NULL, the routers from which the path is known. */
static void add_path(struct dependence *g, uint32_t src, uint32_t dst, bool *seen)
{
    struct ec_walk walk = ec_walk_begin(g->t, g->r, src, dst);
    struct ec_hop hop;
    uint64_t *before = NULL;
    bool met = false;
    while (!met && ec_walk_next(&walk, &hop)) {
        const uint32_t vertex = vertex_of(g, &hop), bit = vertex % g->out;
        if (before)
            before[bit / 64] |= UINT64_C(1) << bit % 64;
        before = g->next[vertex];
        met = seen && seen[hop.node];
        if (seen)
            seen[hop.node] = true;
    }
}

/* Paths to one node that have met stay together. */
static void add_all_paths(struct dependence *g)
{
    for (uint32_t dst = 0; dst < g->t->nodes; dst++) {
        memset(g->seen, 0, g->t->routers * sizeof *g->seen);
        for (uint32_t src = 0; src < g->t->nodes; src++)
            add_path(g, src, dst, g->seen);
    }
}

void dependence_add(struct dependence *d, uint32_t src, uint32_t dst)
{
    add_path(d, src, dst, NULL);
}

/* Take an edge from the last vertex of the path; false: there is none left. */
static bool take_edge(struct dependence *g, uint32_t *ret)
{
    const uint32_t from = g->stack[g->depth - 1];
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t *const bits = &g->next[from][word];
        if (*bits == 0)
            continue;
        const unsigned bit = 64 * word + (unsigned)__builtin_ctzll(*bits);
        *bits &= *bits - 1;
        *ret = ec_topology_neighbor(g->t, from / g->out, from % g->out / CLASSES) * g->out + bit;
        return true;
    }
    return false;
}

/* Search from a vertex. The length of the cycle at the end of the path; 0: there is none. */
static size_t search_from(struct dependence *g, uint32_t first)
{
    uint32_t next = first;
    bool more = !g->done[first];
    while (more || g->depth > 0) {
        if (more && g->place[next])
            return g->depth + 1 - g->place[next];
        if (more && !g->done[next]) {
            g->stack[g->depth++] = next;
            g->place[next] = (uint32_t)g->depth;
        }
        more = take_edge(g, &next);
        if (!more) {
            const uint32_t last = g->stack[--g->depth];
            g->place[last] = 0;
            g->done[last] = true;
        }
    }
    return 0;
}

static enum ec_code take_cycle(const struct dependence *g, size_t length,
                               struct ec_vertex **ret_cycle, struct ec_error *reterr)
{
    struct ec_vertex *cycle = malloc(length * sizeof *cycle);
    if (!cycle)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a cycle of %zu channels", length);
    for (size_t i = 0; i < length; i++) {
        const uint32_t v = g->stack[g->depth - length + i], own = v % g->out;
        cycle[i] = (struct ec_vertex){v / g->out, own / CLASSES, own % CLASSES};
    }
    *ret_cycle = cycle;
    return EC_OK;
}

/* The length of the cycle at the end of the path; 0: there is none. */
static size_t search_all(struct dependence *g)
{
    size_t length = 0;
    for (uint32_t v = 0; v < g->vertices && length == 0; v++)
        length = search_from(g, v);
    return length;
}

bool dependence_search(struct dependence *d)
{
    const bool found = search_all(d) > 0;
    memset(d->next, 0, d->vertices * sizeof *d->next);
    memset(d->place, 0, d->vertices * sizeof *d->place);
    memset(d->done, 0, d->vertices * sizeof *d->done);
    d->depth = 0;
    return found;
}

struct dependence *dependence_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct dependence *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct dependence){.t = t, .r = r, .out = ec_topology_links(t) * CLASSES};
    g->vertices = (size_t)t->routers * g->out;
    g->seen = calloc(t->routers, sizeof *g->seen);
    g->next = calloc(g->vertices, sizeof *g->next);
    g->stack = malloc(g->vertices * sizeof *g->stack);
    g->place = calloc(g->vertices, sizeof *g->place);
    g->done = calloc(g->vertices, sizeof *g->done);
    if (g->seen && g->next && g->stack && g->place && g->done)
        return g;
    dependence_close(g);
    return NULL;
}

void dependence_close(struct dependence *d)
{
    if (!d)
        return;
    free(d->seen);
    free(d->next);
    free(d->stack);
    free(d->place);
    free(d->done);
    free(d);
}

enum ec_code dependence_cycle(const struct ec_topology *t, const struct ec_router *r,
                              struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr)
{
    struct dependence *g = dependence_open(t, r);
    if (!g)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the channels of %u routers",
                       t->routers);
    add_all_paths(g);
    const size_t length = search_all(g);
    const enum ec_code code =
        length > 0 && ret_cycle ? take_cycle(g, length, ret_cycle, reterr) : EC_OK;
    if (code == EC_OK)
        *ret_length = length;
    dependence_close(g);
    return code;
}
