/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies: grammar, labels, links, addresses. Exhaustive over small networks. */
#include "unit.h"

#include <string.h>

static const char *const networks[] = {
    "ring:2",     "ring:3",         "ring:8",      "ring:13",    "mesh:7",
    "mesh:2x2",   "mesh:4x3",       "mesh:1x5",    "mesh:3x2x5", "torus:4x4",
    "torus:5x3",  "torus:2x6",      "torus:1x4x3", "torus:2",    "torus:3x4x5",
    "mesh:1x1x2", "mesh:2x2x2x2x2", "cube:1",      "cube:2",     "cube:6",
};

static void texts_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        char text[160];
        ec_topology_format(&t, text, sizeof text);
        assert_string_equal(text, networks[i]);
    }
}

static void longest_text_fits(void **state)
{
    (void)state;
    static const char *const longest[] = {
        "torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2",
        "torus:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x16777216",
    };

    for (size_t i = 0; i < COUNT(longest); i++) {
        struct ec_topology t = topology_of(longest[i]);
        char text[160];
        ec_topology_format(&t, text, sizeof text);
        assert_string_equal(text, longest[i]);
        assert_int_equal(t.nodes, EC_NODES_MAX);
    }
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "unknown topology ''|cube"},
        {":4", "unknown topology ''"},
        {"cube", "no size|cube:D"},
        {"cube:", "no size|cube:D"},
        {"cube:0", "'0'|1 to 24"},
        {"cube:25", "'25'|1 to 24"},
        {"cube:3x3", "'3x3'|cube:D"},
        {"cube:-3", "'-3'"},
        {"cube:6,", "'6,'"},
        {"cub:3", "'cub'|did you mean 'cube'"},
        {"trous:4x4", "did you mean 'torus'"},
        {"banana:4", "'banana'|ring, mesh"},
        {"ring:1", "1 node|2 to 16777216"},
        {"ring:0", "'0'"},
        {"ring:4x4", "more than 1 dimension|ring:N"},
        {"mesh:4x", "''|mesh:AxB"},
        {"mesh:x4", "''"},
        {"mesh:4xx4", "''"},
        {"mesh:4x0", "'0'"},
        {"mesh:1x1", "1 node|2 to 16777216"},
        {"mesh: 4x4", "' 4'"},
        {"mesh:4x4 ", "'4 '"},
        {"mesh:4X4", "'4X4'"},
        {"mesh:4.0x4", "'4.0'"},
        {"torus:4x-4", "'-4'"},
        {"torus:+4x4", "'+4'"},
        {"torus:99999999999999999999x2", "'99999999999999999999'"},
        {"torus:4294967296", "'4294967296'"},
        {"torus:4097x4096", "too many nodes|16777216"},
        {"torus:65536x65536", "too many nodes|16777216"},
        {"torus:4294967295x4294967295", "'4294967295'"},
        {"mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2", "more than 24 dimensions"},
        {"ring\n:4", "ring?"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t;
        struct ec_error error;
        enum ec_code code = ec_topology_parse(cases[i].text, &t, &error);
        assert_refused(cases[i].text, code, EC_USAGE, &error, cases[i].words);
    }
}

static void labels_are_row_major(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("torus:4x3x2");

    assert_int_equal(t.nodes, 24);
    for (uint32_t z = 0, node = 0; z < 2; z++) {
        for (uint32_t y = 0; y < 3; y++) {
            for (uint32_t x = 0; x < 4; x++, node++) {
                assert_int_equal(ec_topology_coord(&t, node, 0), x);
                assert_int_equal(ec_topology_coord(&t, node, 1), y);
                assert_int_equal(ec_topology_coord(&t, node, 2), z);
            }
        }
    }
    assert_int_equal(ec_topology_neighbor(&t, 0, 0), 1);  /* east: + 1 */
    assert_int_equal(ec_topology_neighbor(&t, 0, 2), 4);  /* south: + A */
    assert_int_equal(ec_topology_neighbor(&t, 0, 1), 3);  /* west, round the wrap */
    assert_int_equal(ec_topology_neighbor(&t, 0, 4), 12); /* radix 2 */
    assert_int_equal(ec_topology_neighbor(&t, 12, 4), 0);
    assert_int_equal(ec_topology_neighbor(&t, 0, 5), EC_NONE); /* no double link */
}

/* One step along one dimension: coordinates differ in it alone, by one or by the wrap. */
static void assert_one_step(const struct ec_topology *t, uint32_t a, uint32_t b, unsigned link)
{
    unsigned dim = link / t->links_per_dim;

    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t x = ec_topology_coord(t, a, d), y = ec_topology_coord(t, b, d);
        uint32_t r = t->radix[d];
        if (d != dim) {
            assert_int_equal(x, y);
            continue;
        }
        bool up = y == (x + 1) % r, down = x == (y + 1) % r;
        assert_true(up || down);
        if (r > 2)
            assert_true(t->links_per_dim == 2 && (link % 2 ? down : up));
        if (!t->wrap[d])
            assert_true(y == x + 1 || x == y + 1);
    }
}

static void links_lead_there_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (uint32_t node = 0; node < t.nodes; node++) {
            for (unsigned link = 0; link < ec_topology_links(&t); link++) {
                uint32_t other = ec_topology_neighbor(&t, node, link);
                if (other == EC_NONE)
                    continue;
                assert_true(other < t.nodes && other != node);
                assert_one_step(&t, node, other, link);
                unsigned back = ec_topology_reverse(&t, link);
                assert_int_equal(ec_topology_neighbor(&t, other, back), node);
                assert_int_equal(ec_topology_reverse(&t, back), link);
            }
        }
    }
}

static void no_two_links_join_the_same_nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        unsigned links = ec_topology_links(&t);
        for (uint32_t node = 0; node < t.nodes; node++) {
            for (unsigned a = 0; a < links; a++) {
                for (unsigned b = 0; b < a; b++) {
                    uint32_t to = ec_topology_neighbor(&t, node, a);
                    assert_true(to == EC_NONE || to != ec_topology_neighbor(&t, node, b));
                }
            }
        }
    }
}

static void addresses_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        bool powers = true;
        uint32_t named = 0;
        for (unsigned d = 0; d < t.dims; d++)
            powers = powers && !(t.radix[d] & (t.radix[d] - 1));
        for (uint32_t node = 0; node < t.nodes; node++) {
            uint32_t address = ec_topology_address(&t, node);
            assert_true(address < UINT32_C(1) << t.address_bits);
            assert_int_equal(ec_topology_node(&t, address), node);
            assert_true(!powers || address == node);
        }
        for (uint32_t address = 0; address < UINT32_C(2) << t.address_bits; address++)
            named += ec_topology_node(&t, address) != EC_NONE;
        assert_int_equal(named, t.nodes);
    }
}

static void address_bits_always_suffice(void **state)
{
    (void)state;
    /* The radices with the worst ratio of bits to nodes: 3 (2 bits for log2 3) and 5. */
    static const char *const worst[] = {"torus:5x5x5x5x5x5x5x5x5x5",
                                        "mesh:3x3x3x3x3x3x3x3x3x3x3x3x3x3x3",
                                        "torus:5x5x5x5x5x5x5x5x3x3x3"};

    for (size_t i = 0; i < COUNT(worst); i++)
        assert_true(topology_of(worst[i]).address_bits < 32);
}

/* Breadth-first search from node 0 .. nodes - 1, against the formula. */
static void distances_are_those_of_the_graph(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        uint32_t farthest = 0;
        for (uint32_t from = 0; from < t.nodes; from++) {
            uint32_t queue[128], far[128];
            size_t head = 0, tail = 0;
            assert_true(t.nodes <= COUNT(queue));
            memset(far, 0xff, sizeof far);
            far[from] = 0;
            queue[tail++] = from;
            while (head < tail) {
                uint32_t node = queue[head++];
                for (unsigned link = 0; link < ec_topology_links(&t); link++) {
                    uint32_t to = ec_topology_neighbor(&t, node, link);
                    if (to != EC_NONE && far[to] == UINT32_MAX) {
                        far[to] = far[node] + 1;
                        queue[tail++] = to;
                    }
                }
            }
            for (uint32_t to = 0; to < t.nodes; to++) {
                assert_int_equal(ec_topology_distance(&t, from, to), far[to]);
                farthest = far[to] > farthest ? far[to] : farthest;
            }
        }
        assert_int_equal(ec_topology_diameter(&t), farthest);
    }
}

static void names_read_well(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        uint32_t node;
        unsigned link;
        const char *node_name, *link_name;
    } cases[] = {
        {"cube:3", 5, 2, "5 (101)", "dim2"},
        {"torus:4x4", 9, 3, "9 (1,2)", "-y"},
        {"torus:4x4", 9, 0, "9 (1,2)", "+x"},
        {"mesh:2x2x2", 6, 4, "6 (0,1,1)", "+z"},
        {"mesh:2x2x2x2", 15, 6, "15 (1,1,1,1)", "+d3"},
        {"ring:16", 11, 1, "11", "-x"},
        {"cube:24", 16777215, 23, "16777215 (111111111111111111111111)", "dim23"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        char name[64];
        ec_topology_node_name(&t, cases[i].node, name, sizeof name);
        assert_string_equal(name, cases[i].node_name);
        ec_topology_link_name(&t, cases[i].link, name, sizeof name);
        assert_string_equal(name, cases[i].link_name);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the text of a topology survives parsing and formatting", texts_round_trip),
        TEST("the longest text of a topology fits 160 bytes", longest_text_fits),
        TEST("every wrong form of a topology is refused in one clear line", bad_texts_are_refused),
        TEST("labels are row-major and links lead as documented", labels_are_row_major),
        TEST("every link makes one step and its reverse leads back", links_lead_there_and_back),
        TEST("no two links of a node lead to the same neighbour", no_two_links_join_the_same_nodes),
        TEST("packed addresses and labels are one to one", addresses_round_trip),
        TEST("packed addresses of the largest networks fit 32 bits", address_bits_always_suffice),
        TEST("the distance formula agrees with a search of the graph",
             distances_are_those_of_the_graph),
        TEST("nodes and links have readable names", names_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
