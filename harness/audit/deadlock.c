/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock freedom of the routing: its channel dependency graph is acyclic. Knows the routing
 * function only; must not know workloads.
 *
 * Vertices are channels with their class. An edge leads from one channel to another if a message
 * may hold the first while it requests the second, that is, if they follow each other on some path.
 * By Dally and Seitz (1987) an acyclic graph excludes deadlock in all three switching modes.
 *
 * One line of nodes per dimension is enough. Messages correct their dimensions in a fixed order, so
 * an edge stays in its dimension or leads to a later one; a cycle cannot return, and stays in one
 * line of nodes. All lines of a dimension are equal, since the path through a dimension depends
 * only on its two coordinates. Injection channels have no predecessor, ejection channels no
 * successor (nodes accept what arrives), and message classes do not mix: none of them adds a cycle.
 * Lanes add none either. With static allocation they do not mix; with dynamic allocation a packet
 * waits for any lane of a vertex, all of which are held by packets that wait for later vertices. */
#include "audit/deadlock.h"

#include <stdlib.h>

#include "ecube/audit.h"
#include "network/walk.h"

struct search {
    struct ec_topology line;
    unsigned char *next;  /* edges not followed yet, as in ec_line_edges() */
    unsigned char *state; /* of each vertex */
    uint32_t *stack;      /* open vertices, each a successor of the one before */
};

enum { NEW, OPEN, DONE };

struct ec_topology ec_line_of(const struct ec_topology *t, unsigned dim)
{
    return (struct ec_topology){
        .kind = t->wrap[dim] ? EC_RING : EC_MESH,
        .dims = 1,
        .radix = {t->radix[dim]},
        .wrap = {t->wrap[dim]},
        .links_per_dim = 2,
        .nodes = t->radix[dim],
        .stride = {1},
    };
}

/* Add the edges of the path from src to dst. */
static void add_path(const struct ec_topology *line, bool dateline, uint32_t src, uint32_t dst,
                     unsigned char *next)
{
    struct ec_walk walk = ec_walk_begin(line, EC_ORDER_LOW, dateline, src, dst);
    struct ec_hop hop;
    unsigned char *last = NULL;

    while (ec_walk_next(&walk, &hop)) {
        if (last)
            *last |= (unsigned char)(1U << hop.class_);
        last = &next[ec_line_vertex(hop.node, hop.link % 2, hop.class_)];
    }
}

/* A few paths have all edges. An edge between channels of class 0, or into class 1, is the path of
 * its two links. An edge within class 1 needs a path that has crossed the wrap link; the paths that
 * begin with that link go farthest, so the longest of them (one per direction) has all such edges.
 * Without datelines all edges are of the first kind. */
void ec_line_edges(const struct ec_topology *line, bool dateline, unsigned char *next)
{
    uint32_t n = line->nodes;
    bool ring = line->wrap[0];

    for (uint32_t src = 0; src < n; src++) {
        if (ring || src + 2 < n)
            add_path(line, dateline, src, (src + 2) % n, next);
        if (ring || src >= 2)
            add_path(line, dateline, src, (src + n - 2) % n, next);
    }
    if (ring) { /* n / 2 steps up from the last node (a tie goes up), (n - 1) / 2 down from the
                   first */
        add_path(line, dateline, n - 1, n / 2 - 1, next);
        add_path(line, dateline, 0, n - (n - 1) / 2, next);
    }
}

static void close_search(struct search *s)
{
    free(s->next);
    free(s->state);
    free(s->stack);
}

static bool open_search(struct search *s, const struct ec_topology *t, unsigned dim, bool dateline)
{
    *s = (struct search){.line = ec_line_of(t, dim)};
    size_t vertices = (size_t)s->line.nodes * 4;

    s->next = calloc(vertices, sizeof *s->next);
    s->state = calloc(vertices, sizeof *s->state);
    s->stack = malloc(vertices * sizeof *s->stack);
    if (!s->next || !s->state || !s->stack) {
        close_search(s);
        return false;
    }
    ec_line_edges(&s->line, dateline, s->next);
    return true;
}

/* Remove an edge from a vertex that has one. Returns the vertex that it leads to. */
static uint32_t take_edge(struct search *s, uint32_t vertex)
{
    unsigned class_ = (unsigned)__builtin_ctz(s->next[vertex]);
    uint32_t n = s->line.nodes, coord = vertex / 4, down = vertex / 2 % 2;

    s->next[vertex] &= (unsigned char)(s->next[vertex] - 1);
    return ec_line_vertex((coord + (down ? n - 1 : 1)) % n, down, class_);
}

/* Depth first from `start`. True if there is a cycle: stack[*ret_from .. *ret_to - 1]. */
static bool find_cycle(struct search *s, uint32_t start, size_t *ret_from, size_t *ret_to)
{
    size_t height = 0;

    s->stack[height++] = start;
    s->state[start] = OPEN;
    while (height > 0) {
        uint32_t top = s->stack[height - 1];
        if (!s->next[top]) {
            s->state[top] = DONE;
            height--;
            continue;
        }
        uint32_t to = take_edge(s, top);
        if (s->state[to] == NEW) {
            s->state[to] = OPEN;
            s->stack[height++] = to;
        } else if (s->state[to] == OPEN) {
            *ret_to = height;
            while (s->stack[--height] != to) /* open vertices are on the stack */
                ;
            *ret_from = height;
            return true;
        }
    }
    return false;
}

/* The cycle as channels of the topology, on the line through node 0. */
static enum ec_code copy_cycle(const struct search *s, const struct ec_topology *t, unsigned dim,
                               size_t from, size_t to, struct ec_vertex **ret_cycle,
                               size_t *ret_length, struct ec_error *reterr)
{
    if (ret_cycle) {
        struct ec_vertex *cycle = malloc((to - from) * sizeof *cycle);
        if (!cycle)
            return ec_fail(reterr, EC_MEMORY, "out of memory for a cycle of %zu channels",
                           to - from);
        for (size_t i = from; i < to; i++) {
            uint32_t v = s->stack[i];
            cycle[i - from] =
                (struct ec_vertex){v / 4 * t->stride[dim], 2 * dim + v / 2 % 2, v % 2};
        }
        *ret_cycle = cycle;
    }
    if (ret_length)
        *ret_length = to - from;
    return EC_OK;
}

enum ec_code ec_deadlock_free(const struct ec_topology *t, const struct ec_router *r,
                              bool *ret_free, struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    bool cyclic = false;

    for (unsigned dim = 0; dim < t->dims && !cyclic; dim++) {
        struct search s;
        size_t from, to;
        if (t->radix[dim] <= 2)
            continue; /* one link per direction: no path has two of them */
        if (!open_search(&s, t, dim, r->dateline))
            return ec_fail(reterr, EC_MEMORY, "out of memory for the dependencies of a ring of %u",
                           t->radix[dim]);
        for (uint32_t v = 0; v < t->radix[dim] * 4 && !cyclic; v++)
            cyclic = s.state[v] == NEW && find_cycle(&s, v, &from, &to);
        if (cyclic)
            code = copy_cycle(&s, t, dim, from, to, ret_cycle, ret_length, reterr);
        close_search(&s);
    }
    if (code == EC_OK)
        *ret_free = !cyclic;
    return code;
}
