/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of routers and cycles, and names of routers: all forms, and what is refused. */
#include "ecube/select.h"

#include <string.h>

#include "network/names.h"
#include "unit.h"

/* The nodes of a selection as text, or the error. */
static const char *select_text(const char *network, const char *text)
{
    static char shown[1100];
    const struct ec_topology t = topology_of(network);
    const struct ec_router r = router_of("", &t);
    struct ec_node_set set = {0};
    struct ec_error error;
    size_t used = 0;
    if (ec_select_nodes(text, &t, &r, &set, &error) != EC_OK) {
        snprintf(shown, sizeof shown, "%s", error.message);
        return shown;
    }
    shown[0] = '\0';
    for (size_t i = 0; i < set.count; i++)
        used +=
            (size_t)snprintf(shown + used, sizeof shown - used, "%s%u", i ? " " : "", set.nodes[i]);
    ec_node_set_free(&set);
    return shown;
}

static void forms_of_nodes(void **state)
{
    static const struct {
        const char *network, *text, *nodes;
    } rows[] = {
        {"mesh:4x3", "7", "7"},
        {"mesh:4x3", "(3,1)", "7"},
        {"mesh:4x3", "x3y1", "7"},
        {"mesh:4x3", "1-3,2,0,x1y0", "1 2 3 0"},
        {"mesh:4x3", "path:0-(2,1)", "0 1 2 6"},
        {"mesh:4x3", "path:x2y1-(0,0),all", "6 5 4 0 1 2 3 7 8 9 10 11"},
        {"ring:12", "x11", "11"},
        {"mesh:2x3x2", "x1y2z1", "11"},
        {"cube:3", "(101)", "5"},
        {"cube:3", "(1,0,0),(001)", "1"},
        {"cube:3", "101",
         "'101' is not a node of cube:3: expected 0 to 7, or coordinates such as "
         "(101)"},
        {"cube:3", "(102)",
         "'(102)' is not a node of cube:3: expected 0 to 7, or coordinates such "
         "as (101)"},
        {"cube:3", "x1y0z1",
         "'x1y0z1' is not a node of cube:3: expected 0 to 7, or coordinates "
         "such as (101)"},
        {"mesh:4x3", "(1,3)",
         "'(1,3)' is not a node of mesh:4x3: expected 0 to 11, or coordinates "
         "such as (1,2) or x1y2"},
        {"mesh:4x3", "(1,2,0)",
         "'(1,2,0)' is not a node of mesh:4x3: expected 0 to 11, or "
         "coordinates such as (1,2) or x1y2"},
        {"mesh:4x3", "x1y2z0",
         "'x1y2z0' is not a node of mesh:4x3: expected 0 to 11, or "
         "coordinates such as (1,2) or x1y2"},
        {"ring:12", "y1", "'y1' is not a node of ring:12: expected 0 to 11, or coordinates"},
        {"mesh:4x3", "3-1", "range '3-1' is empty: 3 is greater than 1"},
        {"mesh:4x3", "3-", "'3-': expected two nodes, SRC-DST, for example 5-0"},
        {"mesh:4x3", "path:3", "'3': expected two nodes, SRC-DST, for example 5-0"},
        {"mesh:4x3", "1,,2",
         "empty item: expected a number, coordinates such as (1,2) or x1y2, a "
         "range such as 0-3, path:SRC-DST or all"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(select_text(rows[i].network, rows[i].text), rows[i].nodes);
}

/* Every node, in every form that its network has. */
static void forms_of_each_node(void **state)
{
    static const char *const networks[] = {"ring:5", "mesh:3x2", "torus:2x3x4", "mesh:2x2x2x2",
                                           "cube:4"};
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t node = 0; node < t.nodes; node++) {
            char list[80] = "(", letters[80] = "", binary[80] = "(", number[16];
            for (unsigned dim = 0; dim < t.dims; dim++) {
                const uint32_t at = ec_topology_coord(&t, node, dim);
                snprintf(list + strlen(list), 20, "%s%u", dim ? "," : "", at);
                snprintf(letters + strlen(letters), 20, "%c%u", "xyz?"[dim], at);
                snprintf(binary + strlen(binary), 20, "%u",
                         ec_topology_coord(&t, node, t.dims - 1 - dim));
            }
            strcat(list, ")");
            strcat(binary, ")");
            snprintf(number, sizeof number, "%u", node);
            assert_string_equal(select_text(networks[i], number), number);
            assert_string_equal(select_text(networks[i], list), number);
            if (t.kind == EC_CUBE)
                assert_string_equal(select_text(networks[i], binary), number);
            else if (t.dims <= 3)
                assert_string_equal(select_text(networks[i], letters), number);
        }
    }
}

static void forms_of_cycles(void **state)
{
    static const struct {
        const char *text;
        uint64_t from, to; /* from == 0: refused */
        const char *message;
    } rows[] = {
        {"100:200", 100, 200, NULL},
        {"7:7", 7, 7, NULL},
        {"150", 150, 150, NULL},
        {"100:", 100, UINT64_MAX, NULL},
        {":200", 1, 200, NULL},
        {"200:100", 0, 0, "range of cycles '200:100' is empty: expected FROM:TO with FROM <= TO"},
        {"0:5", 0, 0,
         "'0:5' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted "
         "from 1, for example 100:200"},
        {":", 0, 0,
         "':' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted from 1, "
         "for example 100:200"},
        {"", 0, 0,
         "'' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted from 1, "
         "for example 100:200"},
        {"1:2:3", 0, 0,
         "'1:2:3' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted "
         "from 1, for example 100:200"},
        {"a:2", 0, 0,
         "'a:2' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted "
         "from 1, for example 100:200"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_cycle_range range = {77, 77};
        struct ec_error error;
        const enum ec_code code = ec_select_cycles(rows[i].text, &range, &error);
        if (rows[i].from == 0) {
            assert_int_equal(code, EC_USAGE);
            assert_string_equal(error.message, rows[i].message);
            assert_true(range.from == 77 && range.to == 77);
        } else if (code != EC_OK || range.from != rows[i].from || range.to != rows[i].to) {
            fail_msg("%s: cycles %ju to %ju", rows[i].text, (uintmax_t)range.from,
                     (uintmax_t)range.to);
        }
    }
}

static void scopes_of_waves(void **state)
{
    static const struct {
        const char *network;
        uint32_t node;
        const char *name;
    } rows[] = {
        {"cube:3", 5, "n5_101"},
        {"ring:8", 3, "n3"},
        {"mesh:4x3", 7, "n7_x3_y1"},
        {"torus:2x3x4", 23, "n23_x1_y2_z3"},
        {"mesh:2x2x2x2", 11, "n11_1_1_0_1"},
    };
    char name[40];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_topology t = topology_of(rows[i].network);
        ec_scope_name(&t, rows[i].node, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
}

static void names_of_ports(void **state)
{
    static const struct {
        const char *network;
        unsigned locals, port;
        const char *name;
    } rows[] = {
        {"cube:3", 1, 2, "dim2"},     {"cube:3", 1, 3, "local"}, {"cube:3", 3, 4, "local1"},
        {"cube:3", 3, 6, "unused"},   {"mesh:4x3", 1, 3, "-y"},  {"mesh:4x3", 1, 4, "local"},
        {"mesh:4x3", 1, 5, "unused"},
    };
    char name[40];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_topology t = topology_of(rows[i].network);
        ec_port_name(&t, rows[i].locals, rows[i].port, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("nodes are numbers, coordinates, ranges and paths", forms_of_nodes),
        TEST("every node is found in all its forms", forms_of_each_node),
        TEST("cycles are FROM:TO, FROM:, :TO or one number", forms_of_cycles),
        TEST("a router in a wave has its number and coordinates", scopes_of_waves),
        TEST("a port has the name of its link, or that of the node", names_of_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
