/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: the file format, fat trees, dragonflies, and the tables made for them, against links and
 * distances that the test computes itself. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/audit.h"
#include "ecube/route.h"

enum { ROUTERS_MAX = 40, LINKS_MAX = 8, GRAPHS = 300, FAR = 1000, PAIRS_MAX = 23 * 23 };

static struct ec_topology graph_of(const char *text)
{
    struct ec_topology t;
    struct ec_error error;
    if (ec_topology_open(text, &t, &error) != EC_OK)
        fail_msg("%s", error.message);
    return t;
}

/* --- Random graphs ---------------------------------------------------------------------------- */

/* What a random file says. Double links may occur, and ports without links. */
struct drawn {
    uint32_t routers, nodes;
    uint32_t count[ROUTERS_MAX]; /* nodes of a router */
    uint32_t far[ROUTERS_MAX][LINKS_MAX];
    unsigned back[ROUTERS_MAX][LINKS_MAX];
    unsigned hops[ROUTERS_MAX][ROUTERS_MAX];
    char text[8192];
};

static uint32_t draw(uint64_t key, uint64_t *next, uint32_t below)
{
    return (uint32_t)ec_rng_below(ec_rng_draw(key, (*next)++), below);
}

static bool draw_link(struct drawn *d, uint64_t key, uint64_t *next, uint32_t a, uint32_t b)
{
    const unsigned x = draw(key, next, LINKS_MAX), y = draw(key, next, LINKS_MAX);
    if (a == b || d->far[a][x] != EC_NONE || d->far[b][y] != EC_NONE)
        return false;
    d->far[a][x] = b;
    d->back[a][x] = y;
    d->far[b][y] = a;
    d->back[b][y] = x;
    sprintf(d->text + strlen(d->text), "link %u:%u  %u:%u # link\n", a, x, b, y);
    return true;
}

/* Connected: every router has a link to an earlier one. */
static void draw_graph(struct drawn *d, uint64_t seed)
{
    const uint64_t key = ec_rng_key(seed, 1);
    uint64_t next = 0;
    memset(d, 0, sizeof *d);
    memset(d->far, 0xff, sizeof d->far);
    d->routers = 1 + draw(key, &next, seed % 4 ? 7 : ROUTERS_MAX);
    sprintf(d->text, "# random\n\nrouters %u\n", d->routers);
    for (uint32_t a = 0; a < d->routers; a++) {
        d->count[a] = draw(key, &next, 4);
        d->count[a] += a == 0 ? 2 : 0;
        d->nodes += d->count[a];
        sprintf(d->text + strlen(d->text), "nodes %u %u\n", a, d->count[a]);
        while (a > 0 && !draw_link(d, key, &next, a, draw(key, &next, a)))
            ;
    }
    for (uint32_t more = draw(key, &next, 2 * d->routers); more > 0; more--)
        draw_link(d, key, &next, draw(key, &next, d->routers), draw(key, &next, d->routers));
    for (uint32_t a = 0; a < d->routers; a++) {
        for (uint32_t b = 0; b < d->routers; b++)
            d->hops[a][b] = a == b ? 0 : FAR;
        for (unsigned x = 0; x < LINKS_MAX; x++) {
            if (d->far[a][x] != EC_NONE)
                d->hops[a][d->far[a][x]] = 1;
        }
    }
    for (uint32_t k = 0; k < d->routers; k++) {
        for (uint32_t a = 0; a < d->routers; a++) {
            for (uint32_t b = 0; b < d->routers; b++) {
                if (d->hops[a][k] + d->hops[k][b] < d->hops[a][b])
                    d->hops[a][b] = d->hops[a][k] + d->hops[k][b];
            }
        }
    }
}

static struct ec_topology open_drawn(const struct drawn *d)
{
    char text[400];
    snprintf(text, sizeof text, "graph:file=%s", scratch_file(d->text));
    return graph_of(text);
}

static void a_file_gives_its_routers_links_and_nodes(void **state)
{
    (void)state;
    static struct drawn d;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        draw_graph(&d, seed);
        struct ec_topology t = open_drawn(&d);
        assert_int_equal(t.routers, d.routers);
        assert_int_equal(t.nodes, d.nodes);
        uint32_t node = 0;
        for (uint32_t a = 0; a < d.routers; a++) {
            for (unsigned x = 0; x < ec_topology_links(&t); x++) {
                assert_int_equal(ec_topology_neighbor(&t, a, x), d.far[a][x]);
                if (d.far[a][x] != EC_NONE)
                    assert_int_equal(ec_topology_back(&t, a, x), d.back[a][x]);
            }
            assert_int_equal(ec_topology_first_node(&t, a), node);
            for (uint32_t i = 0; i < d.count[a]; i++)
                assert_int_equal(ec_topology_router(&t, node++), a);
        }
        for (uint32_t a = 0; a < d.nodes; a++) {
            for (uint32_t b = 0; b < d.nodes; b++)
                assert_int_equal(ec_topology_distance(&t, a, b),
                                 d.hops[ec_topology_router(&t, a)][ec_topology_router(&t, b)]);
        }
        ec_topology_close(&t);
        scratch_files_remove();
    }
}

/* --- Tables ----------------------------------------------------------------------------------- */

static struct ec_router with_table(const struct ec_topology *t, bool updown)
{
    struct ec_router r = router_of("", t);
    struct ec_table *table;
    assert_int_equal(ec_table_open(t->routers, t->nodes,
                                   ec_topology_links(t) + ec_router_local_ports(&r, t), r.dateline,
                                   &table, NULL),
                     EC_OK);
    assert_int_equal(ec_table_fill_graph(table, t, updown, NULL), EC_OK);
    assert_int_equal(ec_table_check(table, t, NULL, NULL), EC_OK);
    r.table = table;
    return r;
}

static void close_all(struct ec_topology *t, struct ec_router *r)
{
    ec_table_close((struct ec_table *)r->table);
    ec_topology_close(t);
    scratch_files_remove();
}

/* The hops of a path, entry by entry; fails if it does not end at its node. */
static unsigned follow(const struct ec_topology *t, const struct ec_table *table, uint32_t src,
                       uint32_t dst)
{
    const unsigned links = ec_topology_links(t);
    uint32_t at = ec_topology_router(t, src);
    unsigned hops = 0, port;
    while ((port = table->port[(size_t)at * t->nodes + dst]) < links) {
        assert_true(hops++ < t->routers);
        at = ec_topology_neighbor(t, at, port);
        assert_int_not_equal(at, EC_NONE);
    }
    assert_int_equal(at, ec_topology_router(t, dst));
    assert_int_equal(port - links, dst - ec_topology_first_node(t, at));
    return hops;
}

static void random_tables_lead_to_every_node(void **state)
{
    (void)state;
    static struct drawn d;
    for (uint64_t seed = 0; seed < 2 * GRAPHS; seed++) {
        const bool updown = seed % 2;
        draw_graph(&d, seed / 2);
        struct ec_topology t = open_drawn(&d);
        struct ec_router r = with_table(&t, updown);
        bool is_free = false;
        uint64_t longer = 0, counted;
        for (uint32_t src = 0; src < t.nodes; src++) {
            for (uint32_t dst = 0; dst < t.nodes; dst++) {
                const unsigned hops = follow(&t, r.table, src, dst);
                const unsigned least =
                    d.hops[ec_topology_router(&t, src)][ec_topology_router(&t, dst)];
                assert_true(updown ? hops >= least : hops == least);
                assert_int_equal(hops, ec_route_hops(&t, &r, src, dst));
                longer += hops > least;
            }
        }
        assert_int_equal(ec_table_check(r.table, &t, &counted, NULL), EC_OK);
        assert_int_equal(counted, longer);
        assert_int_equal(ec_deadlock_free(&t, &r, &is_free, NULL, NULL, NULL), EC_OK);
        assert_true(is_free || !updown);
        close_all(&t, &r);
    }
}

/* Dependencies of channels by the paths of some pairs, closed over any number of steps. */
static bool has_cycle(const struct ec_topology *t, const struct ec_router *r,
                      const struct ec_message *m, size_t messages)
{
    enum { VERTICES = 8 * LINKS_MAX };
    static bool follows[VERTICES][VERTICES];
    const unsigned links = ec_topology_links(t), count = t->routers * links;
    memset(follows, 0, sizeof follows);
    for (size_t k = 0; k < messages; k++) {
        struct ec_hop hop[64];
        const size_t hops = ec_route_path(t, r, m[k].src, m[k].dst, hop, 64);
        for (size_t i = 1; i < hops; i++)
            follows[hop[i - 1].node * links + hop[i - 1].link][hop[i].node * links + hop[i].link] =
                true;
    }
    for (unsigned k = 0; k < count; k++) {
        for (unsigned a = 0; a < count; a++) {
            for (unsigned b = 0; follows[a][k] && b < count; b++)
                follows[a][b] |= follows[k][b];
        }
    }
    bool cycle = false;
    for (unsigned a = 0; a < count; a++)
        cycle |= follows[a][a];
    return cycle;
}

/* Can some of these messages, each with chance 1/4, wait for each other? */
static bool check_messages(const struct ec_topology *t, const struct ec_router *r, uint64_t key,
                           const struct ec_message *all, size_t count)
{
    static struct ec_message some[PAIRS_MAX];
    struct ec_workload w = {.nodes = t->nodes, .messages = some};
    struct ec_deadlock d;
    uint64_t next = 0;
    for (size_t i = 0; i < count; i++) {
        some[w.message_count] = all[i];
        w.message_count += draw(key, &next, 4) == 0;
    }
    const bool waits = has_cycle(t, r, some, w.message_count);
    assert_int_equal(ec_deadlock_possible(t, r, &w, &d, NULL), EC_OK);
    assert_int_equal(d.possible, waits ? EC_ANSWER_UNCHECKED : EC_ANSWER_NO);
    return waits;
}

/* Random trees towards every node: many of them have cycles of channels. */
static void deadlock_verdicts_are_those_of_an_exhaustive_search(void **state)
{
    (void)state;
    static struct drawn d;
    static struct ec_message all[PAIRS_MAX];
    unsigned cycles = 0, frees = 0, avoided = 0;
    for (uint64_t seed = 0; seed < 4 * GRAPHS; seed++) {
        const uint64_t key = ec_rng_key(seed, 2);
        uint64_t next = 0;
        draw_graph(&d, seed / 4 * 4 + 1); /* a small one */
        struct ec_topology t = open_drawn(&d);
        struct ec_router r = with_table(&t, false);
        const unsigned links = ec_topology_links(&t);
        for (uint32_t dst = 0; dst < t.nodes; dst++) {
            bool reached[ROUTERS_MAX] = {false};
            reached[ec_topology_router(&t, dst)] = true;
            for (unsigned tries = 0; tries < 200; tries++) {
                const uint32_t a = draw(key, &next, t.routers);
                const unsigned x = draw(key, &next, links);
                const uint32_t far = ec_topology_neighbor(&t, a, x);
                if (reached[a] || far == EC_NONE || !reached[far])
                    continue;
                reached[a] = true;
                r.table->port[(size_t)a * t.nodes + dst] = (uint8_t)x;
            }
        }
        if (ec_table_check(r.table, &t, NULL, NULL) ==
            EC_OK) { /* old and new entries may go round */
            bool is_free = false;
            assert_int_equal(ec_deadlock_free(&t, &r, &is_free, NULL, NULL, NULL), EC_OK);
            const size_t pairs = (size_t)t.nodes * t.nodes;
            assert_true(pairs <= PAIRS_MAX);
            for (uint32_t pair = 0; pair < pairs; pair++)
                all[pair] = (struct ec_message){
                    .cycle = 1, .src = pair / t.nodes, .dst = pair % t.nodes, .words = 1};
            assert_int_equal(is_free, !has_cycle(&t, &r, all, pairs));
            r.packet = 1;
            const bool waits = check_messages(&t, &r, key, all, pairs);
            cycles += !is_free;
            frees += is_free;
            avoided += !is_free && !waits;
        }
        close_all(&t, &r);
    }
    assert_true(cycles > 50 && frees > 50 && avoided > 10);
}

/* --- Generators ------------------------------------------------------------------------------- */

static void fat_trees_spread_all_pairs_evenly(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 8; k += 2) {
        char text[40];
        sprintf(text, "fattree:%u", k);
        struct ec_topology t = graph_of(text);
        struct ec_router r = with_table(&t, false);
        bool is_free = false;
        assert_int_equal(t.nodes, k * k * k / 4);
        assert_int_equal(t.routers, 5 * k * k / 4);
        assert_int_equal(ec_deadlock_free(&t, &r, &is_free, NULL, NULL, NULL), EC_OK);
        assert_true(is_free);
        /* words up to a core switch: from every switch over every link as many */
        uint32_t *load = calloc((size_t)t.routers * k, sizeof *load);
        for (uint32_t pair = 0; pair < t.nodes * t.nodes; pair++) {
            const uint32_t src = pair / t.nodes, dst = pair % t.nodes;
            const unsigned pod = k * k / 4;
            struct ec_hop hop[4];
            const size_t hops = ec_route_path(&t, &r, src, dst, hop, 4);
            assert_int_equal(hops, src / (k / 2) == dst / (k / 2) ? 0
                                   : src / pod == dst / pod       ? 2
                                                                  : 4);
            for (size_t i = 0; i < hops; i++)
                load[hop[i].node * k + hop[i].link] += hops == 4;
        }
        for (size_t i = 0; i < (size_t)t.routers * k; i++) {
            if (t.graph->far[i] != EC_NONE)
                assert_int_equal(load[i], (k - 1) * k * k / 4);
        }
        free(load);
        close_all(&t, &r);
    }
}

static void no_shift_is_congested_on_a_fat_tree(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 8; k += 2) {
        char text[40];
        sprintf(text, "fattree:%u", k);
        struct ec_topology t = graph_of(text);
        struct ec_router r = with_table(&t, false);
        uint32_t *used = calloc((size_t)t.routers * k, sizeof *used); /* by the shift */
        for (uint32_t q = 1; q < t.nodes; q++) {
            for (uint32_t src = 0; src < t.nodes; src++) {
                struct ec_hop hop[4];
                const size_t hops = ec_route_path(&t, &r, src, (src + q) % t.nodes, hop, 4);
                for (size_t i = 0; i < hops; i++) {
                    assert_int_not_equal(used[hop[i].node * k + hop[i].link], q);
                    used[hop[i].node * k + hop[i].link] = q;
                }
            }
        }
        free(used);
        close_all(&t, &r);
    }
}

static void dragonflies_take_one_link_between_groups(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {{1, 1, 1}, {1, 2, 1}, {2, 4, 2}, {1, 3, 1}, {3, 2, 3}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const unsigned p = sizes[i][0], a = sizes[i][1], h = sizes[i][2];
        char text[60];
        sprintf(text, "dragonfly:%u,%u,%u", p, a, h);
        struct ec_topology t = graph_of(text);
        struct ec_router r = with_table(&t, false);
        bool is_free = false;
        assert_int_equal(t.routers, a * (a * h + 1));
        assert_int_equal(t.nodes, p * t.routers);
        assert_int_equal(ec_deadlock_free(&t, &r, &is_free, NULL, NULL, NULL), EC_OK);
        assert_true(is_free);
        for (uint32_t pair = 0; pair < t.nodes * t.nodes; pair++) {
            const uint32_t src = pair / t.nodes, dst = pair % t.nodes;
            struct ec_hop hop[4];
            const size_t hops = ec_route_path(&t, &r, src, dst, hop, 4);
            unsigned between = 0;
            assert_int_equal(hops, follow(&t, r.table, src, dst));
            assert_true(hops <= 3);
            for (size_t k = 0; k < hops; k++) {
                between += hop[k].link >= a - 1;
                assert_int_equal(hop[k].class_, hop[k].node / a == dst / p / a);
            }
            assert_int_equal(between, src / p / a != dst / p / a);
        }
        close_all(&t, &r);
    }
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void bad_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "routers N|empty"},
        {"# nothing\n", "routers N|empty"},
        {"link 0:0 1:0\n", ":1:|'routers N' in the first line"},
        {"routers 0\n", ":1:|N from 1 to 8192"},
        {"routers 8193\n", ":1:|N from 1 to 8192"},
        {"routers 2\nrouters 2\n", ":2:|already given"},
        {"routers 2\nnode 0 1\n", ":2:|routers, nodes or link|'node'"},
        {"routers 2\nnodes 2 1\n", ":2:|a router or a range|'2'"},
        {"routers 2\nnodes 1-0 1\n", ":2:|range|'1-0'"},
        {"routers 2\nnodes 0 25\n", ":2:|at most 24|'25'"},
        {"routers 2\nnodes 0\n", ":2:|at most 24|'nothing'"},
        {"routers 2\nlink 0:0 2:0\n", ":2:|a router of the graph|'2:0'"},
        {"routers 2\nlink 0:24 1:0\n", ":2:|port from 0 to 23|'0:24'"},
        {"routers 2\nlink 0 1\n", ":2:|ROUTER:PORT|'0'"},
        {"routers 2\nlink 0:0 0:1\n", ":2:|another router|'0:1'"},
        {"routers 2\nlink 0:0 1:0\nlink 1:1 0:0\n", ":3:|port without a link|'0:0'"},
        {"routers 2\nlink 0:0 1:0 65\n", ":2:|1 to 64 cycles|'65'"},
        {"routers 2\nlink 0:0 1:0 1 1\n", ":2:|at most 4 words"},
        {"routers 1\nnodes 0 1\n", "1 node: expected 2 to 65536"},
        {"routers 1\n", "0 nodes: expected 2"},
        {"routers 3\nnodes 0-2 1\nlink 0:0 1:0\n", "no path|node 0 at router 0|node 2 at router 2"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t;
        struct ec_error error = {0};
        char text[400];
        snprintf(text, sizeof text, "graph:file=%s", scratch_file(cases[i].text));
        assert_refused(cases[i].text, ec_topology_open(text, &t, &error), EC_USAGE, &error,
                       cases[i].words);
    }
    scratch_files_remove();
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
        enum ec_code code;
    } cases[] = {
        {"fattree:3", "K even and from 2 to 24", EC_USAGE},
        {"fattree:26", "K even and from 2 to 24", EC_USAGE},
        {"fattree:4,4", "fattree:K", EC_USAGE},
        {"dragonfly:2,4", "dragonfly:P,A,H", EC_USAGE},
        {"dragonfly:2,0,1", "dragonfly:P,A,H", EC_USAGE},
        {"dragonfly:1,20,6", "at most 24", EC_USAGE},
        {"graph:net.txt", "graph:file=NAME", EC_USAGE},
        {"graph:file=", "graph:file=NAME", EC_USAGE},
        {"graph:file=/no/such/file", "/no/such/file", EC_IO},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t;
        struct ec_error error = {0};
        assert_refused(cases[i].text, ec_topology_open(cases[i].text, &t, &error), cases[i].code,
                       &error, cases[i].words);
    }
    struct ec_topology t;
    struct ec_error error = {0};
    assert_refused("fattree:4", ec_topology_parse("fattree:4", &t, &error), EC_USAGE, &error,
                   "is a graph|ring, mesh, torus or cube");
}

static void a_line_of_4096_routers_works(void **state)
{
    (void)state;
    enum { LONG = 4096, ROOM = 32 * LONG };
    char *const file = malloc(ROOM), text[400];
    size_t used = (size_t)sprintf(file, "routers %d\nnodes 0 1\nnodes 4095 1\n", LONG);
    for (int a = 1; a < LONG; a++)
        used += (size_t)sprintf(file + used, "link %d:1 %d:0\n", a - 1, a);
    snprintf(text, sizeof text, "graph:file=%s", scratch_file(file));
    struct ec_topology t = graph_of(text);
    for (unsigned updown = 0; updown < 2; updown++) {
        struct ec_router r = with_table(&t, updown);
        assert_int_equal(follow(&t, r.table, 0, 1), LONG - 1);
        assert_int_equal(follow(&t, r.table, 1, 0), LONG - 1);
        ec_table_close((struct ec_table *)r.table);
    }
    assert_int_equal(ec_topology_diameter(&t), LONG - 1);
    free(file);
    ec_topology_close(&t);
    scratch_files_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a file gives its routers, links and nodes", a_file_gives_its_routers_links_and_nodes),
        TEST("random tables lead to every node, on shortest paths or without cycles",
             random_tables_lead_to_every_node),
        TEST("deadlock verdicts are those of an exhaustive search",
             deadlock_verdicts_are_those_of_an_exhaustive_search),
        TEST("fat trees spread all pairs evenly", fat_trees_spread_all_pairs_evenly),
        TEST("no shift is congested on a fat tree", no_shift_is_congested_on_a_fat_tree),
        TEST("dragonflies take one link between groups", dragonflies_take_one_link_between_groups),
        TEST("bad files are refused with their line", bad_files_are_refused_with_their_line),
        TEST("bad texts are refused", bad_texts_are_refused),
        TEST("a line of 4096 routers works", a_line_of_4096_routers_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
