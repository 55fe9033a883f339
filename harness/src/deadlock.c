/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock freedom of the routing: is its channel dependency graph acyclic? Knows the routing
 * function only; must not know workloads.
 *
 * Vertices are channels with their class; there is an edge from one to another if some message may
 * hold the first while it asks for the second, that is if they follow each other on some path. By
 * Dally and Seitz (1987) an acyclic graph excludes deadlock in all three ways of switching.
 *
 * One ring is enough. Messages correct their dimensions in one fixed order, so an edge leads
 * within a dimension or on to a later one, and a cycle, unable to come back, stays within one line
 * of nodes along one dimension. All lines of a dimension look the same, for the way through a
 * dimension depends on the two coordinates in it alone. Injection channels have no predecessor,
 * ejection channels no successor (nodes take what arrives), lanes never mix: none adds a cycle.
 *
 * A few paths are enough. Within a line, an edge between channels of class 0 is the path of those
 * two links; an edge into class 1 is the path of two links that ends on the wrap link; and of the
 * paths that have crossed it, those that began with it get farthest, so that the longest one of
 * these (one per direction) holds all edges between channels of class 1. Without datelines all
 * edges are of the first kind. */
#include "ecube/audit.h"

#include <stdlib.h>

#include "walk.h"

/* The dependency graph of one line of nodes. A vertex is (coordinate * 2 + down) * 2 + class; all
 * its successors have the next coordinate and the same direction, so that two bits tell them. */
struct graph {
    struct ec_topology line; /* one dimension of the topology, on its own */
    bool dateline;
    size_t vertices;
    unsigned char *next; /* bit c: an edge to the next channel in class c */
    unsigned char *mark; /* of the search */
    uint32_t *stack;
};

enum { MARK_NEW, MARK_OPEN, MARK_DONE };

static void close_graph(struct graph *g)
{
    free(g->next);
    free(g->mark);
    free(g->stack);
}

static bool open_graph(struct graph *g, const struct ec_topology *t, unsigned dim, bool dateline)
{
    uint32_t radix = t->radix[dim];

    *g = (struct graph){
        .line = {.kind = t->wrap[dim] ? EC_RING : EC_MESH,
                 .dims = 1,
                 .radix = {radix},
                 .wrap = {t->wrap[dim]},
                 .links_per_dim = 2,
                 .nodes = radix,
                 .stride = {1}},
        .dateline = dateline,
        .vertices = (size_t)radix * 4,
    };
    g->next = calloc(g->vertices, sizeof *g->next);
    g->mark = calloc(g->vertices, sizeof *g->mark);
    g->stack = malloc(g->vertices * sizeof *g->stack);
    if (g->next && g->mark && g->stack)
        return true;
    close_graph(g);
    return false;
}

/* Add the edges of the path from src to dst. */
static void add_path(struct graph *g, uint32_t src, uint32_t dst)
{
    struct ec_walk walk = ec_walk_begin(&g->line, EC_ORDER_LOW, g->dateline, src, dst);
    struct ec_hop hop;
    size_t last = g->vertices;

    while (ec_walk_next(&walk, &hop)) {
        if (last < g->vertices)
            g->next[last] |= (unsigned char)(1U << hop.class_);
        last = ((size_t)hop.node * 2 + hop.link) * 2 + hop.class_;
    }
}

static void add_paths(struct graph *g)
{
    uint32_t radix = g->line.radix[0];

    for (uint32_t src = 0; src < radix; src++) {
        if (g->line.wrap[0] || src + 2 < radix)
            add_path(g, src, (src + 2) % radix);
        if (g->line.wrap[0] || src >= 2)
            add_path(g, src, (src + radix - 2) % radix);
    }
    if (g->line.wrap[0]) { /* the longest ways up (ties go up) and down that begin with the wrap */
        add_path(g, radix - 1, radix - 1 - (radix - radix / 2));
        add_path(g, 0, radix - (radix - 1) / 2);
    }
}

/* The vertex at the end of the edge into class c. */
static uint32_t successor(const struct graph *g, uint32_t vertex, unsigned c)
{
    uint32_t radix = g->line.radix[0], coord = vertex / 4, down = vertex / 2 % 2;

    coord = (coord + (down ? radix - 1 : 1)) % radix;
    return (coord * 2 + down) * 2 + c;
}

/* Depth-first search from `start`. True if it closes a cycle: stack[*ret_from .. *ret_to - 1]. The
 * edges of an open vertex are taken away as they are tried. */
static bool search(struct graph *g, uint32_t start, size_t *ret_from, size_t *ret_to)
{
    size_t height = 0;

    g->stack[height++] = start;
    g->mark[start] = MARK_OPEN;
    while (height > 0) {
        uint32_t top = g->stack[height - 1];
        if (!g->next[top]) {
            g->mark[top] = MARK_DONE;
            height--;
            continue;
        }
        unsigned c = (unsigned)__builtin_ctz(g->next[top]);
        g->next[top] &= (unsigned char)(g->next[top] - 1);
        uint32_t to = successor(g, top, c);
        if (g->mark[to] == MARK_NEW) {
            g->mark[to] = MARK_OPEN;
            g->stack[height++] = to;
        } else if (g->mark[to] == MARK_OPEN) {
            *ret_to = height;
            while (g->stack[--height] != to) /* it is on the stack, because it is open */
                ;
            *ret_from = height;
            return true;
        }
    }
    return false;
}

/* The cycle as channels of the topology, on the line through node 0. */
static enum ec_code copy_cycle(const struct graph *g, const struct ec_topology *t, unsigned dim,
                               size_t from, size_t to, struct ec_vertex **ret_cycle,
                               size_t *ret_length, struct ec_error *reterr)
{
    if (ret_cycle) {
        struct ec_vertex *cycle = malloc((to - from) * sizeof *cycle);
        if (!cycle)
            return ec_fail(reterr, EC_MEMORY, "out of memory for a cycle of %zu channels",
                           to - from);
        for (size_t i = from; i < to; i++) {
            uint32_t v = g->stack[i];
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
        struct graph g;
        size_t from, to;
        if (t->radix[dim] <= 2)
            continue; /* one link each way: no path has two of them */
        if (!open_graph(&g, t, dim, r->dateline))
            return ec_fail(reterr, EC_MEMORY, "out of memory for the dependencies of a ring of %u",
                           t->radix[dim]);
        add_paths(&g);
        for (uint32_t v = 0; v < g.vertices && !cyclic; v++)
            cyclic = g.mark[v] == MARK_NEW && search(&g, v, &from, &to);
        if (cyclic)
            code = copy_cycle(&g, t, dim, from, to, ret_cycle, ret_length, reterr);
        close_graph(&g);
    }
    if (code == EC_OK)
        *ret_free = !cyclic;
    return code;
}
