/* SPDX-License-Identifier: Apache-2.0 */
/* Routing tables: files, the paths of dimension order, and what is refused, against a walk of its
 * own. */
#include "ecube/audit.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static void a_file_has_a_line_for_each_router(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("ring:3");
    const struct {
        const char *text;
        const char *words; /* NULL: it is good */
    } files[] = {
        {"2 0 1\n1 2 0\n0 1 2\n", NULL},
        {"# ports\n\n 2\t0  1 # router 0\r\n1/0 2 0\n0 1/1 2", NULL},
        {"2 0 1\n1 - 0\n0 1 2\n", NULL},
        {"2 0 1\n1|0/1 2 0\n0 1/1|0 2\n", NULL},
        {"2 0 1\n1 2 0\n", ": |3 routers, got 2"},
        {"2 0 1\n1 2 0\n0 1 2\n0 1 2\n", ":4: |3 routers"},
        {"2 0\n1 2 0\n0 1 2\n", ":1: |router 0|3 nodes, got 2"},
        {"2 0 1\n1 2 0 0\n0 1 2\n", ":2: |router 1|3 nodes, got more"},
        {"2 0 1\n1 2 0\n0 3 2\n", ":3: |'3'|router 2|node 1|0 to 2"},
        {"2 0 1\n1 2 0\n0 99999999999999999999 2\n", "'99999999999999999999'"},
        {"2 0 1\n1 2 x\n0 1 2\n", "'x'|node 2"},
        {"2 0 1\n1 2 -1\n0 1 2\n", "'-1'"},
        {"2 0 1\n1 2 0/2\n0 1 2\n", "'0/2'|class 0 or 1"},
        {"2 0 1\n1 2 0/\n0 1 2\n", "'0/'"},
        {"2 0 1\n1 2 -/1\n0 1 2\n", "'-/1'"},
        {"2 0 1\n1 2 1|\n", ":2: |'1|'|different ones with '|'"},
        {"2 0 1\n1 2 |1\n", "'|1'"},
        {"2 0 1\n1 2 1|-\n", "'1|-'"},
        {"2 0 1\n1 2 -|1\n", "'-|1'"},
        {"2 0 1\n1 2 0|1|0/1\n", "'0|1|0/1'"},
        {"2 0 1\n1 2 0|3\n", "'0|3'"},
        {"", "3 routers, got 0"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        struct ec_table *table = empty_table(&t, true);
        struct ec_error error;
        const enum ec_code code = ec_table_read(table, scratch_file(files[i].text), &error);
        if (files[i].words)
            assert_refused(files[i].text, code, EC_USAGE, &error, files[i].words);
        else
            assert_int_equal(code, EC_OK);
        if (!files[i].words) {
            assert_memory_equal(table->port, ((uint8_t[]){2, 0, 1, 1}), 4);
            assert_int_equal(table->port[4], strchr(files[i].text, '-') ? EC_TABLE_NONE : 2);
            assert_int_equal(table->class_[7], strstr(files[i].text, "1/1") != NULL);
            assert_int_equal(table->set != NULL, strchr(files[i].text, '|') != NULL);
        }
        for (unsigned k = 0; !files[i].words && table->set && k < 18; k++) {
            const unsigned both[] = {[6] = 1 << 1, [7] = 1 << 0, [14] = 1 << 0, [15] = 1 << 1};
            const unsigned one = k % 2 ? 0 : 1U << table->port[k / 2];
            assert_int_equal(table->set[k], k / 2 == 3 || k / 2 == 7 ? both[k] : one);
        }
        ec_table_close(table);
    }
    struct ec_table *table = empty_table(&t, false);
    struct ec_error error;
    assert_refused("a class", ec_table_read(table, scratch_file("2 0/1 1\n"), &error), EC_USAGE,
                   &error, "'0/1'|dateline=on");
    assert_refused("no file", ec_table_read(table, "/nowhere/t", &error), EC_IO, &error,
                   "/nowhere/t");
    ec_table_close(table);
    assert_refused("a million nodes", ec_table_open(1 << 20, 1 << 20, 3, false, &table, &error),
                   EC_USAGE, &error, "1048576 routers|268435456");
    scratch_files_remove();
}

static void dimension_order_fills_a_table(void **state)
{
    static const char *const networks[] = {"ring:2",    "ring:9", "mesh:4x3",
                                           "torus:5x4", "cube:4", "torus:2x3x4"};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i / 2]);
        struct ec_router r = router_of(i % 2 ? "order=high" : "", &t);
        struct ec_table *table = empty_table(&t, true);
        ec_table_fill(table, &t, &r);
        assert_int_equal(ec_table_check(table, &t, NULL, NULL), EC_OK);
        for (uint32_t pair = 0; pair < t.nodes * t.nodes; pair++) {
            struct ec_hop a[32], b[32];
            r.table = NULL;
            const size_t n = ec_route_path(&t, &r, pair / t.nodes, pair % t.nodes, a, COUNT(a));
            r.table = table;
            assert_int_equal(ec_route_path(&t, &r, pair / t.nodes, pair % t.nodes, b, COUNT(b)), n);
            for (size_t k = 0; k < n; k++)
                assert_true(a[k].node == b[k].node && a[k].link == b[k].link);
        }
        ec_table_close(table);
    }
}

/* Does every word arrive? Without memory: a path has fewer links than there are routers. */
static bool arrives(const struct ec_topology *t, const struct ec_table *table)
{
    for (uint32_t pair = 0; pair < t->nodes * t->nodes; pair++) {
        const uint32_t dst = pair % t->nodes;
        uint32_t at = pair / t->nodes, links = 0;
        while (links < t->nodes && table->port[at * t->nodes + dst] < ec_topology_links(t)) {
            at = ec_topology_neighbor(t, at, table->port[at * t->nodes + dst]);
            if (at == EC_NONE)
                return false;
            links++;
        }
        if (links == t->nodes || at != dst || table->port[at * t->nodes + dst] == EC_TABLE_NONE)
            return false;
    }
    return true;
}

/* Tables with no, one or two entries that were changed at random. */
static void a_table_is_refused_unless_all_words_arrive(void **state)
{
    static const char *const networks[] = {"ring:5", "mesh:3x3", "cube:3", "torus:3x2"};
    unsigned good = 0, bad = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        const struct ec_topology t = topology_of(networks[seed % COUNT(networks)]);
        struct ec_table *table = random_table(&t, false, seed);
        const uint64_t key = ec_rng_key(seed, 0);
        struct ec_error error;
        for (uint64_t k = 0; k < seed / COUNT(networks) % 3; k++) {
            const uint64_t port = ec_rng_below(ec_rng_draw(key, 2 * k), table->ports + 1);
            table->port[ec_rng_below(ec_rng_draw(key, 2 * k + 1), t.nodes * t.nodes)] =
                (uint8_t)(port == table->ports ? EC_TABLE_NONE : port);
        }
        const enum ec_code code = ec_table_check(table, &t, NULL, &error);
        const bool all = arrives(&t, table);
        if ((code == EC_OK) != all)
            fail_msg("seed %u: %s", (unsigned)seed, all ? error.message : "is accepted");
        good += all;
        bad += !all;
        ec_table_close(table);
    }
    assert_true(good > 500 && bad > 500);
}

static void the_first_fault_is_named(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:4x4");
    const struct ec_router r = router_of("", &t);
    const struct {
        unsigned router, node, port;
        const char *words;
    } rows[] = {
        {3, 7, EC_TABLE_NONE, "router 3|no way to node 7"},
        {3, 7, 0, "router 3|node 7|port 0 (+x)|leads nowhere"},
        {3, 7, 4, "router 3|node 7|port 4|0 to 3"},
        {3, 3, 4, "router 3|class 1|local port"},
        {3, 3, 1, "router 3|its own node|port 1 (-x)|local port 4"},
        {5, 7, 1, "node 7|go round|routers 4, 5, 4"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_table *table = empty_table(&t, true);
        struct ec_error error;
        ec_table_fill(table, &t, &r);
        table->class_[rows[i].router * t.nodes + rows[i].node] = 1;
        table->port[rows[i].router * t.nodes + rows[i].node] = (uint8_t)rows[i].port;
        assert_refused("a table", ec_table_check(table, &t, NULL, &error), EC_USAGE, &error,
                       rows[i].words);
        ec_table_close(table);
    }
}

/* --- Sets of ports ---------------------------------------------------------------------------- */

enum { SET_NODES = 9, SET_LINKS = 4, SET_VERTICES = SET_NODES * SET_LINKS * 2 };

/* What follows what on any walk that a table allows: by trying all of them, link by link. */
struct tried {
    const struct ec_topology *t;
    unsigned ports[SET_NODES][SET_NODES][2]; /* [router][node][class] as bits */
    bool follows[SET_VERTICES][SET_VERTICES];
    bool bad; /* a walk ends elsewhere, or does not end */
    uint32_t most;
};

static void try_all(struct tried *x, uint32_t at, uint32_t dst, uint32_t hops, unsigned before)
{
    const unsigned links = ec_topology_links(x->t), *const ways = x->ports[at][dst];
    const unsigned all = ways[0] | ways[1];
    if (x->bad)
        return;
    x->most = hops > x->most ? hops : x->most;
    x->bad = hops == x->t->nodes || all == 0 || (at == dst) != (all >> links & 1) ||
             (at == dst && (all != 1U << links || ways[1]));
    for (unsigned link = 0; !x->bad && at != dst && link < links; link++) {
        for (unsigned k = 0; k < 2; k++) {
            const unsigned vertex = (at * links + link) * 2 + k;
            const uint32_t next = ec_topology_neighbor(x->t, at, link);
            if (!(ways[k] >> link & 1))
                continue;
            if (before < SET_VERTICES)
                x->follows[before][vertex] = true;
            x->bad |= next == EC_NONE;
            if (next != EC_NONE)
                try_all(x, next, dst, hops + 1, vertex);
        }
    }
}

static bool waits_for_itself(const struct tried *x)
{
    static bool reaches[SET_VERTICES][SET_VERTICES];
    bool found = false;
    memcpy(reaches, x->follows, sizeof reaches);
    for (unsigned k = 0; k < SET_VERTICES; k++) {
        for (unsigned a = 0; a < SET_VERTICES; a++) {
            for (unsigned b = 0; reaches[a][k] && b < SET_VERTICES; b++)
                reaches[a][b] |= reaches[k][b];
        }
    }
    for (unsigned a = 0; a < SET_VERTICES; a++)
        found |= reaches[a][a];
    return found;
}

/* Random trees to every node, to which links are added: only such that come nearer in the tree, or
 * any. The text of the table. */
static void draw_sets(struct tried *x, bool classes, uint64_t seed, char *text)
{
    const struct ec_topology *t = x->t;
    struct ec_table *table = random_table(t, classes, seed);
    const uint64_t key = ec_rng_key(seed, 77);
    const unsigned links = ec_topology_links(t);
    uint64_t next = 0;
    uint32_t depth[SET_NODES];
    for (uint32_t dst = 0; dst < t->nodes; dst++) {
        for (uint32_t at = 0; at < t->nodes; at++) {
            uint32_t to = at;
            for (depth[at] = 0; to != dst; depth[at]++)
                to = ec_topology_neighbor(t, to, table->port[to * t->nodes + dst]);
        }
        for (uint32_t at = 0; at < t->nodes; at++) {
            const size_t entry = (size_t)at * t->nodes + dst;
            const unsigned class_ = classes ? table->class_[entry] : 0;
            x->ports[at][dst][class_] = 1U << table->port[entry];
            for (unsigned link = 0; link < links && at != dst; link++) {
                const uint32_t far = ec_topology_neighbor(t, at, link);
                const bool nearer = far != EC_NONE && depth[far] < depth[at];
                if (link != table->port[entry] && ec_rng_below(ec_rng_draw(key, next++), 3) == 0 &&
                    (nearer || ec_rng_below(ec_rng_draw(key, next++), 40) < seed % 3))
                    x->ports[at][dst][classes && (ec_rng_draw(key, next++) & 1)] |= 1U << link;
            }
        }
    }
    for (uint32_t i = 0; i < t->nodes * t->nodes; i++) {
        const char *between = "";
        for (unsigned k = 0; k < 2 * (links + 1); k++) {
            if (!(x->ports[i / t->nodes][i % t->nodes][k % 2] >> k / 2 & 1))
                continue;
            text += sprintf(text, "%s%u%s", between, k / 2, k % 2 ? "/1" : "");
            between = "|";
        }
        text += sprintf(text, i % t->nodes + 1 == t->nodes ? "\n" : " ");
    }
    ec_table_close(table);
}

static void sets_are_judged_by_all_choices(void **state)
{
    static const char *const networks[] = {"ring:5", "mesh:3x3", "cube:3", "torus:3x2", "mesh:2x3"};
    static struct tried x;
    unsigned bad = 0, cyclic = 0, free_ = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        const struct ec_topology t = topology_of(networks[seed % COUNT(networks)]);
        struct ec_router r = router_of("vcs=2", &t);
        char text[4096];
        struct ec_error error = {.message = ""};
        uint64_t longer = 0, expected = 0;
        memset(&x, 0, sizeof x);
        x.t = &t;
        r.dateline = seed / 2 & 1;
        draw_sets(&x, r.dateline, seed, text);
        for (uint32_t pair = 0; pair < t.nodes * t.nodes; pair++) {
            x.most = 0;
            try_all(&x, pair / t.nodes, pair % t.nodes, 0, SET_VERTICES);
            expected += x.most > ec_topology_distance(&t, pair / t.nodes, pair % t.nodes);
        }
        struct ec_table *table = empty_table(&t, r.dateline);
        assert_int_equal(ec_table_read(table, scratch_file(text), &error), EC_OK);
        const enum ec_code code = ec_table_check(table, &t, &longer, &error);
        if ((code == EC_OK) == x.bad)
            fail_msg("seed %u: %s '%s'", (unsigned)seed, x.bad ? "bad" : "good", error.message);
        struct ec_vertex *cycle = NULL;
        size_t length = 0;
        bool is_free = true;
        r.routing = EC_ROUTING_TABLE;
        r.table = table;
        if (!x.bad) {
            assert_int_equal(longer, expected);
            assert_int_equal(ec_deadlock_free(&t, &r, &is_free, &cycle, &length, NULL), EC_OK);
            assert_int_equal(is_free, !waits_for_itself(&x));
        }
        for (size_t k = 0; k < length; k++) {
            const struct ec_vertex *v = &cycle[k], *w = &cycle[(k + 1) % length];
            const unsigned links = ec_topology_links(&t);
            assert_true(x.follows[(v->node * links + v->link) * 2 + v->class_]
                                 [(w->node * links + w->link) * 2 + w->class_]);
        }
        bad += x.bad && strstr(error.message, "can go round") != NULL;
        cyclic += !is_free;
        free_ += !x.bad && is_free && ec_router_has_sets(&r);
        free(cycle);
        ec_table_close(table);
        scratch_files_remove();
    }
    assert_true(bad > 300 && cyclic > 300 && free_ > 300);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("a file has a line for each router", a_file_has_a_line_for_each_router),
        TEST("dimension order fills a table", dimension_order_fills_a_table),
        TEST("a table is refused unless all words arrive",
             a_table_is_refused_unless_all_words_arrive),
        TEST("the first fault of a table is named", the_first_fault_is_named),
        TEST("sets of ports are judged by all choices", sets_are_judged_by_all_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
