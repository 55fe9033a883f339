/* SPDX-License-Identifier: Apache-2.0 */
/* Which channels wait for which, by any routes: for routers with a table. Knows paths as hops; must
 * not know dimensions.
 *
 * A vertex is a channel with its dateline class. An edge leads from one to another if they follow
 * each other on the path of some pair of nodes, or on one of its paths, where a router chooses. No
 * cycle: no deadlock (Dally and Seitz 1987). */
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
    bool *seen;              /* [router] on the paths to one node, and */
    uint32_t *found;         /* [routers] those whose channels are to be added */
    size_t count;
    struct cycle_search search;
};

/* --- A cycle in any graph --------------------------------------------------------------------- */

bool cycle_search_open(struct cycle_search *s)
{
    s->stack = malloc(s->vertices * sizeof *s->stack);
    s->place = calloc(s->vertices, sizeof *s->place);
    s->done = calloc(s->vertices, sizeof *s->done);
    return s->stack && s->place && s->done;
}

void cycle_search_close(struct cycle_search *s)
{
    free(s->stack);
    free(s->place);
    free(s->done);
}

static size_t search_from(struct cycle_search *s, uint32_t first)
{
    uint32_t next = first;
    bool more = !s->done[first];
    while (more || s->depth > 0) {
        if (more && s->place[next])
            return s->depth + 1 - s->place[next];
        if (more && !s->done[next]) {
            s->stack[s->depth++] = next;
            s->place[next] = (uint32_t)s->depth;
        }
        more = s->edge(s->context, s->stack[s->depth - 1], &next);
        if (!more) {
            const uint32_t last = s->stack[--s->depth];
            s->place[last] = 0;
            s->done[last] = true;
        }
    }
    return 0;
}

size_t cycle_search_all(struct cycle_search *s)
{
    size_t length = 0;
    for (uint32_t v = 0; v < s->channels && length == 0; v++)
        length = search_from(s, v);
    return length;
}

enum ec_code cycle_search_take(const struct cycle_search *s, size_t length,
                               struct ec_vertex **ret_cycle, size_t *ret_length,
                               struct ec_error *reterr)
{
    struct ec_vertex *cycle = malloc((length + 1) * sizeof *cycle);
    size_t count = 0;
    if (!cycle)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a cycle of %zu channels", length);
    for (size_t i = s->depth - length; i < s->depth; i++) {
        const uint32_t v = s->stack[i], own = v % s->out;
        if (v < s->channels)
            cycle[count++] = (struct ec_vertex){v / s->out, own / CLASSES, own % CLASSES};
    }
    *ret_length = count;
    if (ret_cycle && count > 0)
        *ret_cycle = cycle;
    else
        free(cycle);
    return EC_OK;
}

/* --- Routes ----------------------------------------------------------------------------------- */

void dependence_add(struct dependence *d, uint32_t src, uint32_t dst)
{
    struct ec_walk walk = ec_walk_begin(d->t, d->r, src, dst);
    struct ec_hop hop;
    uint64_t *before = NULL;
    while (ec_walk_next(&walk, &hop)) {
        const uint32_t vertex = hop.node * d->out + hop.link * CLASSES + hop.class_;
        const uint32_t bit = vertex % d->out;
        if (before)
            before[bit / 64] |= UINT64_C(1) << bit % 64;
        before = d->next[vertex];
    }
}

static void find_router(struct dependence *g, uint32_t router)
{
    if (!g->seen[router])
        g->found[g->count++] = router;
    g->seen[router] = true;
}

/* The channels of a router by which words for a node may leave, as bits of its vertices. */
static void channels_to(const struct dependence *g, uint32_t router, uint32_t dst,
                        uint64_t ret[WORDS])
{
    const struct ec_table *const table = g->r->table;
    const size_t entry = (size_t)router * table->nodes + dst;
    memset(ret, 0, WORDS * sizeof *ret);
    for (unsigned k = 0; k < CLASSES; k++) {
        for (uint64_t left = ec_table_ports(table, entry, k); left; left &= left - 1) {
            const unsigned bit =
                (unsigned)__builtin_ctzll(left) * CLASSES + (g->r->dateline ? k : 0);
            if (bit < g->out)
                ret[bit / 64] |= UINT64_C(1) << bit % 64;
        }
    }
}

/* After each channel by which a word for this node may come, all by which it may go on. */
static void add_all_paths(struct dependence *g, uint32_t dst)
{
    memset(g->seen, 0, g->t->routers * sizeof *g->seen);
    for (uint32_t src = 0; src < g->t->nodes; src++)
        find_router(g, ec_topology_router(g->t, src));
    while (g->count > 0) {
        const uint32_t at = g->found[--g->count];
        uint64_t ways[WORDS], on[WORDS];
        channels_to(g, at, dst, ways);
        for (unsigned bit = 0; bit < g->out; bit++) {
            if (!(ways[bit / 64] >> bit % 64 & 1))
                continue;
            const uint32_t next = ec_topology_neighbor(g->t, at, bit / CLASSES);
            find_router(g, next);
            channels_to(g, next, dst, on);
            for (unsigned k = 0; k < WORDS; k++)
                g->next[(size_t)at * g->out + bit][k] |= on[k];
        }
    }
}

static bool take_edge(void *context, uint32_t from, uint32_t *ret)
{
    struct dependence *const g = context;
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

bool dependence_search(struct dependence *d)
{
    struct cycle_search *const s = &d->search;
    const bool found = cycle_search_all(s) > 0;
    memset(d->next, 0, s->vertices * sizeof *d->next);
    memset(s->place, 0, s->vertices * sizeof *s->place);
    memset(s->done, 0, s->vertices * sizeof *s->done);
    s->depth = 0;
    return found;
}

struct dependence *dependence_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct dependence *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct dependence){.t = t, .r = r, .out = ec_topology_links(t) * CLASSES};
    const size_t vertices = (size_t)t->routers * g->out;
    g->search = (struct cycle_search){
        .context = g, .edge = take_edge, .out = g->out, .channels = vertices, .vertices = vertices};
    g->seen = calloc(t->routers, sizeof *g->seen);
    g->found = calloc(t->routers, sizeof *g->found);
    g->next = calloc(vertices, sizeof *g->next);
    if (cycle_search_open(&g->search) && g->seen && g->found && g->next)
        return g;
    dependence_close(g);
    return NULL;
}

void dependence_close(struct dependence *d)
{
    if (!d)
        return;
    free(d->seen);
    free(d->found);
    free(d->next);
    cycle_search_close(&d->search);
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
    for (uint32_t dst = 0; dst < t->nodes; dst++)
        add_all_paths(g, dst);
    const enum ec_code code =
        cycle_search_take(&g->search, cycle_search_all(&g->search), ret_cycle, ret_length, reterr);
    dependence_close(g);
    return code;
}
