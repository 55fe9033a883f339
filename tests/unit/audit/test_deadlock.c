/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock freedom against the whole channel dependency graph of all pairs of nodes, built hop by
 * hop and emptied from its sources: another graph and another algorithm than the library's. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/audit.h"
#include "tables.h"

static const char *const networks[] = {
    "ring:2",    "ring:3",      "ring:4",      "ring:5",      "ring:6",    "ring:9",    "ring:16",
    "mesh:8",    "mesh:4x4",    "mesh:3x2x4",  "cube:1",      "cube:4",    "torus:2x2", "torus:3x3",
    "torus:2x4", "torus:4x2",   "torus:3x4",   "torus:4x3",   "torus:4x4", "torus:5x3", "torus:8x3",
    "torus:1x6", "torus:3x3x3", "torus:3x4x2", "torus:2x3x5",
};
static const char *const options[] = {"vcs=1", "vcs=2", "vcs=4", "vcs=2,dateline=off"};
static const char *const drawn[] = {"vcs=4,order=class", "vcs=4,routing=valiant"};

struct graph {
    unsigned links, locals;
    size_t ports;    /* the first of them: node * locals + local */
    size_t vertices; /* (node * links + link) * 4 + class, then injection ports */
    unsigned char *edges;
};

static size_t vertex(const struct graph *g, uint32_t node, unsigned link, unsigned class_)
{
    return ((size_t)node * g->links + link) * 4 + class_; /* 2 or 3: in message class 1 */
}

static unsigned char *edge(const struct graph *g, size_t from, size_t to)
{
    return &g->edges[from * g->vertices + to];
}

static struct graph graph_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct graph g = {.links = ec_topology_links(t), .locals = ec_router_locals(r, t)};

    g.ports = (size_t)t->nodes * g.links * 4;
    g.vertices = g.ports + (size_t)t->nodes * g.locals;
    g.edges = calloc(g.vertices, g.vertices);
    assert_non_null(g.edges);
    return g;
}

/* The local port by which a message enters. */
static size_t port_of(const struct graph *g, const struct ec_topology *t, const struct ec_router *r,
                      uint32_t src, uint32_t dst)
{
    uint32_t link = g->locals > 1 ? ec_route_link(t, r, src, dst) : 0;
    return g->ports + (size_t)src * g->locals + link;
}

/* The edges of a path, which a reply continues at the destination if it waits there for room. */
static void put_path(struct graph *g, const struct ec_topology *t, const struct ec_router *r,
                     uint32_t src, uint32_t dst, uint32_t way, bool waits)
{
    struct ec_hop h[64];
    size_t n = ec_route_drawn(t, r, src, dst, way, h, COUNT(h)), last;
    const size_t leg = r->order == EC_ORDER_CLASS ? (way ? 0 : n)
                       : way > 0                  ? ec_topology_distance(t, src, way - 1)
                                                  : n; /* hops in message class 0 */

    if (n == 0)
        return;
    last = port_of(g, t, r, src, dst);
    for (size_t i = 0; i < n; i++) {
        size_t next = vertex(g, h[i].node, h[i].link, h[i].class_ + (i < leg ? 0 : 2));
        *edge(g, last, next) = 1;
        last = next;
    }
    if (waits)
        *edge(g, last, port_of(g, t, r, dst, src)) = 1;
}

static struct graph graph_of(const struct ec_topology *t, const struct ec_router *r)
{
    struct graph g = graph_open(t, r);

    for (uint32_t src = 0; src < t->nodes; src++) {
        for (uint32_t dst = 0; dst < t->nodes; dst++)
            for (uint32_t way = 0; way <= ec_route_draw(r, t->nodes, UINT64_MAX); way++)
                put_path(&g, t, r, src, dst, way, false);
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

/* 1: the library finds a cycle, and it is one. Its verdict is that of the graph. */
static unsigned check_verdict(const char *what, const struct ec_topology *t,
                              const struct ec_router *r)
{
    struct graph g = graph_of(t, r);
    struct ec_vertex *cycle = NULL;
    size_t length = 0;
    bool is_free;
    assert_int_equal(ec_deadlock_free(t, r, &is_free, &cycle, &length, NULL), EC_OK);
    if (is_free != is_acyclic(&g))
        fail_msg("%s: the library says %s", what, is_free ? "free" : "cyclic");
    for (size_t k = 0; k < length; k++) {
        struct ec_vertex a = cycle[k], b = cycle[(k + 1) % length];
        assert_true(
            *edge(&g, vertex(&g, a.node, a.link, a.class_), vertex(&g, b.node, b.link, b.class_)));
    }
    assert_int_equal(is_free, length == 0);
    free(cycle);
    free(g.edges);
    return !is_free;
}

static void verdict_is_that_of_the_whole_graph(void **state)
{
    (void)state;
    unsigned cyclic = 0;
    char what[80];

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (size_t o = 0; o < COUNT(options); o++) {
            struct ec_router r = router_of(options[o], &t);
            for (int way = 0; way < 4; way++) {
                r.order = (enum ec_order)(way % 2);
                r.ties = (enum ec_ties)(way / 2);
                snprintf(what, sizeof what, "%s %s", networks[i], options[o]);
                struct ec_table *table = empty_table(&t, r.dateline);
                ec_table_fill(table, &t, &r);
                const unsigned without = check_verdict(what, &t, &r);
                r.table = table;
                assert_int_equal(check_verdict(what, &t, &r), without);
                r.table = NULL;
                ec_table_close(table);
                cyclic += without;
            }
        }
    }
    assert_true(cyclic > 20); /* both answers were seen */
}

static void paths_that_are_drawn_do_not_wait_in_a_cycle(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (size_t o = 0; o < COUNT(drawn); o++) {
            const struct ec_router r = router_of(drawn[o], &t);
            assert_int_equal(check_verdict(drawn[o], &t, &r), 0);
        }
    }
}

static void tables_are_searched_channel_by_channel(void **state)
{
    static const char *const small[] = {"ring:5", "mesh:3x3", "cube:3", "torus:3x4", "mesh:6"};
    unsigned cyclic = 0, count = 2000;
    char what[80];
    (void)state;
    for (unsigned seed = 0; seed < count; seed++) {
        const struct ec_topology t = topology_of(small[seed % COUNT(small)]);
        struct ec_router r = router_of("vcs=2", &t);
        struct ec_table *table = random_table(&t, seed & 1, seed);
        r.dateline = seed & 1;
        r.table = table;
        snprintf(what, sizeof what, "table %u of %s", seed, small[seed % COUNT(small)]);
        cyclic += check_verdict(what, &t, &r);
        ec_table_close(table);
    }
    assert_between(cyclic, 400, count - 400);
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
        without.ties = EC_TIES_BALANCED;
        assert_int_equal(ec_deadlock_free(&t, &without, &is_free, NULL, &length, NULL), EC_OK);
        assert_int_equal(is_free, radix <= 4);
    }
}

/* Between two escape channels of a packet there may be adaptive ones. They add no cycle, and remove
 * none: the search finds one where dimension order has one. */
static void escape_channels_wait_as_in_dimension_order(void **state)
{
    (void)state;
    static const char *const names[] = {"ring:3",      "ring:4",      "ring:9",    "mesh:5x4",
                                        "mesh:3x2x4",  "cube:5",      "torus:3x3", "torus:4x4",
                                        "torus:4x3",   "torus:3x6",   "torus:2x5", "torus:4x4x4",
                                        "torus:3x3x3", "torus:5x2x3", "mesh:1x6",  "torus:8x8"};
    static const char *const routers[] = {"vcs=4,dateline=off", "vcs=4,dateline=off,order=high",
                                          "vcs=4"};
    unsigned cycles = 0;
    for (size_t i = 0; i < 2 * COUNT(names) * COUNT(routers); i++) {
        struct ec_topology t = topology_of(names[i / 2 % COUNT(names)]);
        struct ec_router r = router_of(routers[i / 2 / COUNT(names)], &t);
        struct ec_vertex *cycle = NULL;
        bool is_free, same;
        size_t length = 0;
        r.ties = i % 2 ? EC_TIES_BALANCED : EC_TIES_UP;
        assert_int_equal(ec_deadlock_free(&t, &r, &is_free, NULL, NULL, NULL), EC_OK);
        r.routing = EC_ROUTING_ADAPTIVE;
        assert_int_equal(ec_deadlock_free(&t, &r, &same, &cycle, &length, NULL), EC_OK);
        assert_int_equal(same, is_free);
        assert_true(same || length >= 3);
        for (size_t k = 0; k < length; k++)
            assert_int_not_equal(ec_topology_neighbor(&t, cycle[k].node, cycle[k].link), EC_NONE);
        cycles += !same;
        free(cycle);
    }
    assert_true(cycles > 0);
}

static void datelines_leave_no_cycle_of_a_ring(void **state)
{
    (void)state;
    for (unsigned radix = 3; radix <= 40; radix++) {
        char name[16];
        snprintf(name, sizeof name, "ring:%u", radix);
        struct ec_topology t = topology_of(name);
        struct ec_router r = router_of("vcs=2", &t);
        r.dateline = true;
        struct graph g = graph_of(&t, &r);
        assert_true(is_acyclic(&g));
        free(g.edges);
    }
}

/* --- Of a workload ---------------------------------------------------------------------------- */

/* Does a part send messages from src to dst? */
static bool sends(const struct ec_part *p, uint32_t src, uint32_t dst)
{
    if (src == dst)
        return false;
    if (p->map)
        return p->map[src] == dst;
    return p->hot_share < 1 || dst == p->hot_node || src == p->hot_node;
}

/* Can requests wait at this node for room? */
static bool fills(const struct ec_workload *w, uint32_t node)
{
    const struct ec_service *s = &w->service;
    unsigned sources = 0;

    for (uint32_t src = 0; src < w->nodes; src++) {
        bool any = false;
        for (unsigned k = 0; k < w->part_count; k++)
            any |= sends(&w->parts[k], src, node);
        sources += any;
    }
    return s->words && s->shared && s->queue &&
           (!s->outstanding || sources * s->outstanding > s->queue);
}

static bool workload_is_acyclic(const struct ec_topology *t, const struct ec_router *r,
                                const struct ec_workload *w)
{
    const struct ec_service *s = &w->service;
    struct graph g = graph_open(t, r), replies = graph_open(t, r);

    for (size_t i = 0; i < w->message_count; i++)
        put_path(&g, t, r, w->messages[i].src, w->messages[i].dst, 0, false);
    for (uint32_t src = 0; src < t->nodes; src++) {
        for (uint32_t dst = 0; dst < t->nodes; dst++) {
            for (unsigned k = 0; k < w->part_count; k++) {
                if (!sends(&w->parts[k], src, dst))
                    continue;
                put_path(&g, t, r, src, dst, 0, fills(w, dst));
                if (s->words)
                    put_path(s->shared ? &g : &replies, t, r, dst, src, 0, false);
            }
        }
    }
    bool acyclic = is_acyclic(&g) && is_acyclic(&replies);
    free(g.edges);
    free(replies.edges);
    return acyclic;
}

struct tally {
    unsigned answers[EC_ANSWER_YES + 1], protocol;
};

/* A cycle of the answer is one, and none is missing. */
static void check_workload(const struct ec_topology *t, const char *router, const char *text,
                           uint64_t seed, struct tally *tally)
{
    struct ec_router r = router_of(router, t);
    struct ec_workload *w;
    struct ec_deadlock d;
    struct ec_error e;

    if (ec_workload_open(text, t, seed, &w, &e) != EC_OK)
        return; /* not for this network */
    const unsigned needed = w->service.words && !w->service.shared ? 2 : 1;
    if (ec_router_set_packet(&r, 0, w->longest, NULL) == EC_OK &&
        (needed == 1 || ec_router_lanes(&r) > 1) &&
        ec_router_set_classes(&r, needed, NULL) == EC_OK) {
        assert_int_equal(ec_deadlock_possible(t, &r, w, &d, NULL), EC_OK);
        const bool acyclic = workload_is_acyclic(t, &r, w);
        if (d.possible != EC_ANSWER_UNCHECKED && (d.possible == EC_ANSWER_NO) != acyclic)
            fail_msg("%u nodes, %s, %s, seed %u: the library says %s", t->nodes, router, text,
                     (unsigned)seed, acyclic ? "possible" : "impossible");
        assert_int_equal(d.possible == EC_ANSWER_NO, !d.length && !d.protocol);
        tally->answers[d.possible]++;
        tally->protocol += d.protocol;
    }
    ec_workload_close(w);
}

static void answer_is_that_of_the_paths_of_the_workload(void **state)
{
    (void)state;
    static const char *const routers[] = {
        "vcs=1", "vcs=2,dateline=off",          "vcs=2,dateline=off,va=dynamic", "vcs=1,order=high",
        "vcs=4", "vcs=2,dateline=off,ports=all"};
    static const char *const loads[] = {"bitrev",
                                        "transpose",
                                        "tornado",
                                        "neighbor",
                                        "bitcomp",
                                        "shuffle",
                                        "randperm",
                                        "hotspot:node=1",
                                        "hotspot:node=1,share=1",
                                        "uniform",
                                        "mix:of=randperm+tornado",
                                        "mix:of=hotspot:node=1:share=1+neighbor",
                                        "mix:of=shift:q=1+shift:q=2"};
    static const char *const keys[] = {"m=999",
                                       "m=999,rate=0.1",
                                       "m=999,rate=0.1,reply=9,queue=1,classes=1",
                                       "m=999,rate=0.1,reply=9",
                                       "m=999,rate=0.1,reply=9,queue=2,outstanding=2,classes=1",
                                       "m=999,rate=0.1,reply=9,queue=1,outstanding=2,classes=1",
                                       "m=999,rate=0.1,reply=9,classes=1"};
    struct tally tally = {0};
    char text[160];

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (size_t o = 0; o < COUNT(routers); o++) {
            for (unsigned q = 1; q < t.nodes; q++) {
                snprintf(text, sizeof text, "shift:q=%u,m=999", q);
                check_workload(&t, routers[o], text, 1, &tally);
            }
            for (size_t l = 0; l < COUNT(loads); l++) {
                for (size_t k = 0; k < COUNT(keys); k++) {
                    const char mark = strchr(loads[l], ':') ? ',' : ':';
                    snprintf(text, sizeof text, "%s%c%s", loads[l], mark, keys[k]);
                    for (uint64_t seed = 1; seed <= (strstr(text, "randperm") ? 6 : 1); seed++)
                        check_workload(&t, routers[o], text, seed, &tally);
                }
            }
        }
    }
    print_message("%u no, %u yes, %u not checked; %u of them by the protocol\n",
                  tally.answers[EC_ANSWER_NO], tally.answers[EC_ANSWER_YES],
                  tally.answers[EC_ANSWER_UNCHECKED], tally.protocol);
    assert_true(tally.answers[EC_ANSWER_YES] > 100 && tally.protocol > 100);
}

static void a_ring_needs_words_that_are_in_it_together(void **state)
{
    (void)state;
    const char *open = scratch_file("id,src,dst,words\n1,0,2,9\n2,1,3,9\n3,2,0,9\n4,3,1,9\n");
    const char *chain = scratch_file("id,src,dst,words,after\n1,0,2,9,\n2,1,3,9,1\n3,2,0,9,2\n"
                                     "4,3,1,9,3\n");
    const struct {
        const char *network, *router, *load, *file;
        enum ec_answer answer;
    } rows[] = {
        {"ring:8", "vcs=1", "shift:q=3,m=3", "", EC_ANSWER_NO}, /* 24 words for 8 * 4 places */
        {"ring:8", "vcs=1", "shift:q=3,m=4", "", EC_ANSWER_YES},
        {"ring:8", "vcs=2,dateline=off,va=dynamic", "shift:q=3,m=7", "", EC_ANSWER_NO},
        {"ring:8", "vcs=2,dateline=off,va=dynamic", "shift:q=3,m=8", "", EC_ANSWER_YES},
        {"ring:8", "vcs=1,depth=4,switching=cut-through", "shift:q=3,m=1", "", EC_ANSWER_NO},
        {"ring:8", "vcs=1,depth=4,switching=cut-through", "shift:q=3,m=3", "", EC_ANSWER_YES},
        {"ring:8", "vcs=1", "uniform:rate=0.1,reply=1,outstanding=1,classes=1", "", EC_ANSWER_NO},
        {"ring:8", "vcs=1", "uniform:rate=0.1,reply=1,outstanding=4,classes=1", "", EC_ANSWER_YES},
        /* 12 and 16 words for four buffers of requests and replies */
        {"ring:2", "vcs=1", "uniform:rate=0.1,m=3,reply=3,queue=1,outstanding=2,classes=1", "",
         EC_ANSWER_NO},
        {"ring:2", "vcs=1", "uniform:rate=0.1,m=4,reply=4,queue=1,outstanding=2,classes=1", "",
         EC_ANSWER_YES},
        {"mesh:3x2", "vcs=1", "hotspot:node=0,share=1,rate=0.1,reply=1,queue=2,classes=1", "",
         EC_ANSWER_YES},
        {"mesh:3x2", "vcs=1",
         "hotspot:node=0,share=1,rate=0.1,m=9,reply=1,queue=2,outstanding=2,classes=1", "",
         EC_ANSWER_UNCHECKED},
        {"mesh:5", "vcs=1", "mix:of=neighbor+tornado,rate=0.1,reply=1,queue=1,classes=1", "",
         EC_ANSWER_YES},
        {"mesh:5", "vcs=1",
         "mix:of=neighbor+tornado,rate=0.1,m=9,reply=1,queue=2,outstanding=2,classes=1", "",
         EC_ANSWER_UNCHECKED},
        {"ring:4", "vcs=1", "trace:file=", open, EC_ANSWER_YES},
        {"ring:4", "vcs=1", "trace:file=", chain, EC_ANSWER_UNCHECKED},
        {"ring:4", "vcs=2", "trace:file=", open, EC_ANSWER_NO},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_topology t = topology_of(rows[i].network);
        struct ec_router r = router_of(rows[i].router, &t);
        struct ec_deadlock d;
        char text[400];
        snprintf(text, sizeof text, "%s%s", rows[i].load, rows[i].file);
        struct ec_workload *w = workload_of(text, &t);
        assert_int_equal(ec_router_set_packet(&r, 0, w->longest, NULL), EC_OK);
        assert_int_equal(ec_deadlock_possible(&t, &r, w, &d, NULL), EC_OK);
        if (d.possible != rows[i].answer)
            fail_msg("%s %s %s: %d", rows[i].network, rows[i].router, text, (int)d.possible);
        ec_workload_close(w);
    }
    scratch_files_remove();
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
        TEST("paths that are drawn do not wait for each other in a cycle",
             paths_that_are_drawn_do_not_wait_in_a_cycle),
        TEST("the verdict is that of the whole dependency graph, and a cycle is one",
             verdict_is_that_of_the_whole_graph),
        TEST("tables are searched channel by channel", tables_are_searched_channel_by_channel),
        TEST("datelines break the cycle of every ring, which has one from 4 nodes on",
             datelines_break_every_ring),
        TEST("escape channels of adaptive routing wait for each other as in dimension order",
             escape_channels_wait_as_in_dimension_order),
        TEST("datelines leave no cycle of the paths of a ring", datelines_leave_no_cycle_of_a_ring),
        TEST("the answer for a workload is that of its own paths",
             answer_is_that_of_the_paths_of_the_workload),
        TEST("a ring needs as many words as its buffers hold, in the network together",
             a_ring_needs_words_that_are_in_it_together),
        TEST("the cycle lies in the dimension that has one", only_the_long_dimension_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
