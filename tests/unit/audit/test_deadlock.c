/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock freedom against the whole channel dependency graph of all pairs of nodes, built hop by
 * hop and emptied from its sources: another graph and another algorithm than the library's. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "audit/deadlock.h"
#include "ecube/audit.h"

static const char *const networks[] = {
    "ring:2",    "ring:3",      "ring:4",      "ring:5",      "ring:6",    "ring:9",    "ring:16",
    "mesh:8",    "mesh:4x4",    "mesh:3x2x4",  "cube:1",      "cube:4",    "torus:2x2", "torus:3x3",
    "torus:2x4", "torus:4x2",   "torus:3x4",   "torus:4x3",   "torus:4x4", "torus:5x3", "torus:8x3",
    "torus:1x6", "torus:3x3x3", "torus:3x4x2", "torus:2x3x5",
};
static const char *const options[] = {"vcs=1", "vcs=2", "vcs=4", "vcs=2,dateline=off"};

struct graph {
    unsigned links;
    size_t vertices; /* (node * links + link) * 2 + class */
    unsigned char *edges;
};

static size_t vertex(const struct graph *g, uint32_t node, unsigned link, unsigned class_)
{
    return ((size_t)node * g->links + link) * 2 + class_;
}

static unsigned char *edge(const struct graph *g, size_t from, size_t to)
{
    return &g->edges[from * g->vertices + to];
}

static struct graph graph_of(const struct ec_topology *t, const struct ec_router *r)
{
    struct graph g = {.links = ec_topology_links(t)};

    g.vertices = (size_t)t->nodes * g.links * 2;
    g.edges = calloc(g.vertices, g.vertices);
    assert_non_null(g.edges);
    for (uint32_t src = 0; src < t->nodes; src++) {
        for (uint32_t dst = 0; dst < t->nodes; dst++) {
            struct ec_hop h[64];
            size_t n = ec_route_path(t, r->order, r->dateline, src, dst, h, COUNT(h));
            for (size_t i = 1; i < n; i++)
                *edge(&g, vertex(&g, h[i - 1].node, h[i - 1].link, h[i - 1].class_),
                      vertex(&g, h[i].node, h[i].link, h[i].class_)) = 1;
        }
    }
    return g;
}

/* Remove vertices without predecessors until none is left, or only cycles and their successors. */
static bool is_acyclic(const struct graph *g)
{
    size_t *into = calloc(g->vertices, sizeof *into), *queue = calloc(g->vertices, sizeof *queue);
    size_t head = 0, tail = 0;

    assert_true(into && queue);
    for (size_t a = 0; a < g->vertices; a++) {
        for (size_t b = 0; b < g->vertices; b++)
            into[b] += *edge(g, a, b);
    }
    for (size_t a = 0; a < g->vertices; a++) {
        if (into[a] == 0)
            queue[tail++] = a;
    }
    while (head < tail) {
        size_t a = queue[head++];
        for (size_t b = 0; b < g->vertices; b++) {
            if (*edge(g, a, b) && --into[b] == 0)
                queue[tail++] = b;
        }
    }
    free(into);
    free(queue);
    return tail == g->vertices;
}

static void verdict_is_that_of_the_whole_graph(void **state)
{
    (void)state;
    unsigned cyclic = 0;

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (size_t o = 0; o < COUNT(options); o++) {
            struct ec_router r = router_of(options[o], &t);
            for (int order = EC_ORDER_LOW; order <= EC_ORDER_HIGH; order++) {
                r.order = (enum ec_order)order;
                struct graph g = graph_of(&t, &r);
                struct ec_vertex *cycle = NULL;
                size_t length = 0;
                bool is_free;
                assert_int_equal(ec_deadlock_free(&t, &r, &is_free, &cycle, &length, NULL), EC_OK);
                if (is_free != is_acyclic(&g))
                    fail_msg("%s %s: the library says %s", networks[i], options[o],
                             is_free ? "free" : "cyclic");
                for (size_t k = 0; k < length; k++) { /* a cycle is one */
                    struct ec_vertex a = cycle[k], b = cycle[(k + 1) % length];
                    assert_true(*edge(&g, vertex(&g, a.node, a.link, a.class_),
                                      vertex(&g, b.node, b.link, b.class_)));
                }
                assert_int_equal(is_free, length == 0);
                cyclic += !is_free;
                free(cycle);
                free(g.edges);
            }
        }
    }
    assert_true(cyclic > 20); /* both answers were seen */
}

static void datelines_break_every_ring(void **state)
{
    (void)state;
    for (unsigned radix = 2; radix <= 300; radix++) {
        char name[16];
        snprintf(name, sizeof name, "ring:%u", radix);
        struct ec_topology t = topology_of(name);
        struct ec_router with = router_of("vcs=2", &t), without = router_of("vcs=1", &t);
        size_t length = 0;
        bool is_free;
        assert_int_equal(ec_deadlock_free(&t, &with, &is_free, NULL, NULL, NULL), EC_OK);
        assert_true(is_free);
        assert_int_equal(ec_deadlock_free(&t, &without, &is_free, NULL, &length, NULL), EC_OK);
        assert_int_equal(is_free, radix <= 3);
        if (!is_free)
            assert_int_equal(length, radix); /* all links of one direction */
    }
}

/* Every edge of every path of a line, against those that the library finds with a few paths. */
static void edges_of_a_line_are_those_of_all_paths(void **state)
{
    (void)state;
    for (unsigned radix = 3; radix <= 40; radix++) {
        for (int wrap = 0; wrap < 2; wrap++) {
            char name[16];
            snprintf(name, sizeof name, wrap ? "ring:%u" : "mesh:%u", radix);
            struct ec_topology t = topology_of(name), line = ec_line_of(&t, 0);
            struct ec_router r = router_of("vcs=2", &t);
            for (int dateline = 0; dateline <= wrap; dateline++) {
                unsigned char next[40 * 4] = {0};
                r.dateline = dateline;
                ec_line_edges(&line, r.dateline, next);
                struct graph g = graph_of(&t, &r);
                for (uint32_t v = 0; v < 4 * radix; v++) {
                    for (unsigned c = 0; c < 2; c++) {
                        uint32_t coord = v / 4, down = v / 2 % 2;
                        uint32_t to = (coord + (down ? radix - 1 : 1)) % radix;
                        assert_int_equal(next[v] >> c & 1, *edge(&g, vertex(&g, coord, down, v % 2),
                                                                 vertex(&g, to, down, c)));
                    }
                }
                free(g.edges);
            }
        }
    }
}

static void only_the_long_dimension_is_named(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("torus:3x2x5");
    struct ec_router r = router_of("vcs=1", &t);
    struct ec_vertex *cycle = NULL;
    size_t length = 0;
    bool is_free;

    assert_int_equal(ec_deadlock_free(&t, &r, &is_free, &cycle, &length, NULL), EC_OK);
    assert_false(is_free);
    assert_int_equal(length, 5);
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(cycle[i].node % 6, 0);
        assert_int_equal(cycle[i].link / 2, 2);
    }
    free(cycle);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the verdict is that of the whole dependency graph, and a cycle is one",
             verdict_is_that_of_the_whole_graph),
        TEST("datelines break the cycle of every ring, which has one from 4 nodes on",
             datelines_break_every_ring),
        TEST("the edges of a line are those of all its paths",
             edges_of_a_line_are_those_of_all_paths),
        TEST("the cycle lies in the dimension that has one", only_the_long_dimension_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
