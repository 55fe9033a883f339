/* SPDX-License-Identifier: Apache-2.0 */
/* Routing tables: files, the paths of dimension order, and what is refused, against a walk of its
 * own. */
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("a file has a line for each router", a_file_has_a_line_for_each_router),
        TEST("dimension order fills a table", dimension_order_fills_a_table),
        TEST("a table is refused unless all words arrive",
             a_table_is_refused_unless_all_words_arrive),
        TEST("the first fault of a table is named", the_first_fault_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
