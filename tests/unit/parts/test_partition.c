/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions: small networks in every number of parts, against counts by brute force. */
#include "unit.h"

#include <stdlib.h>

#include "ecube/partition.h"

static const char *const networks[] = {
    "ring:2",    "ring:3",    "ring:16",     "ring:37",     "mesh:9",     "mesh:5x4",
    "mesh:1x6",  "mesh:7x1",  "mesh:8x8",    "mesh:2x3x4",  "mesh:2x2x2", "torus:4x4",
    "torus:5x3", "torus:2x6", "torus:1x5x4", "torus:3x4x5", "torus:8x8",  "torus:9x9",
    "cube:1",    "cube:2",    "cube:4",      "cube:6",
};

typedef void check(const struct ec_topology *t, const struct ec_partition *p);

static struct ec_partition *partition_of(const struct ec_topology *t, uint32_t parts)
{
    struct ec_partition *p = NULL;
    struct ec_error error;

    if (ec_partition_open(t, parts, &p, &error) != EC_OK)
        fail_msg("%u parts of %u nodes: %s", parts, t->nodes, error.message);
    return p;
}

static void for_all_partitions(check *each)
{
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t parts = 1; parts <= t.nodes; parts++) {
            struct ec_partition *p = partition_of(&t, parts);
            each(&t, p);
            ec_partition_close(p);
        }
    }
}

static void has_each_once(const struct ec_partition *p, uint32_t nodes)
{
    unsigned char *seen = calloc(nodes, 1);

    assert_non_null(seen);
    assert_int_equal(p->nodes, nodes);
    assert_int_equal(p->first[0], 0);
    assert_int_equal(p->first[p->parts], nodes);
    for (uint32_t k = 0; k < p->parts; k++) {
        for (uint32_t i = p->first[k]; i < p->first[k + 1]; i++) {
            assert_true(p->node[i] < nodes);
            assert_int_equal(p->part_of[p->node[i]], k);
            assert_true(i == p->first[k] || p->node[i - 1] < p->node[i]);
            assert_int_equal(seen[p->node[i]]++, 0);
        }
    }
    free(seen);
}

static void is_consistent(const struct ec_topology *t, const struct ec_partition *p)
{
    has_each_once(p, t->nodes);
    assert_ptr_equal(p->routers, p);
}

static void every_node_is_in_one_part(void **state)
{
    (void)state;
    for_all_partitions(is_consistent);
}

/* What a cut costs. */
struct use {
    uint32_t least, most; /* nodes of the smallest and of the largest part */
    uint64_t channels;    /* directed, between nodes of two parts */
    uint32_t neighbours;  /* of one part, at most */
};

static struct use use_of(const struct ec_partition *p, const struct ec_topology *t)
{
    struct use use = {.least = p->nodes};
    for (uint32_t k = 0; k < p->parts; k++) {
        const uint32_t nodes = p->first[k + 1] - p->first[k];
        const uint32_t neighbours = p->first_neighbour[k + 1] - p->first_neighbour[k];
        use.least = nodes < use.least ? nodes : use.least;
        use.most = nodes > use.most ? nodes : use.most;
        use.neighbours = neighbours > use.neighbours ? neighbours : use.neighbours;
    }
    for (uint32_t x = 0; x < t->routers; x++) {
        for (unsigned l = 0; l < ec_topology_links(t); l++) {
            const uint32_t y = ec_topology_neighbor(t, x, l);
            use.channels += y != EC_NONE && p->part_of[y] != p->part_of[x];
        }
    }
    return use;
}

static void is_even(const struct ec_topology *t, const struct ec_partition *p)
{
    const struct use use = use_of(p, t);

    assert_int_equal(use.most, (t->nodes + p->parts - 1) / p->parts);
    assert_true(use.least >= 1);
    if (t->kind == EC_CUBE)
        assert_true(use.most - use.least <= 1);
}

static void no_part_has_more_than_its_share(void **state)
{
    (void)state;
    for_all_partitions(is_even);
}

static void has_true_neighbours(const struct ec_topology *t, const struct ec_partition *p)
{
    for (uint32_t k = 0; k < p->parts; k++) {
        uint32_t next = p->first_neighbour[k];
        for (uint32_t other = 0; other < p->parts; other++) {
            uint64_t to_other = 0;
            for (uint32_t x = 0; x < t->nodes; x++) {
                for (uint32_t y = 0; y < t->nodes && other != k; y++) {
                    if (p->part_of[x] == k && p->part_of[y] == other)
                        to_other += ec_topology_distance(t, x, y) == 1;
                }
            }
            if (to_other) {
                assert_true(next < p->first_neighbour[k + 1]);
                assert_int_equal(p->neighbour[next++], other);
            }
        }
        assert_int_equal(next, p->first_neighbour[k + 1]);
    }
}

static void neighbours_share_channels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t parts = 1; parts <= t.nodes && parts <= 9; parts++) {
            struct ec_partition *p = partition_of(&t, parts);
            has_true_neighbours(&t, p);
            ec_partition_close(p);
        }
    }
}

static void cubes_are_cut_by_top_bits(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:6");
    for (unsigned bits = 0; bits <= 6; bits++) {
        struct ec_partition *p = partition_of(&t, UINT32_C(1) << bits);
        for (uint32_t x = 0; x < t.nodes; x++)
            assert_int_equal(p->part_of[x], x >> (6 - bits));
        const struct use use = use_of(p, &t);
        assert_int_equal(use.channels, 64 * bits);
        assert_int_equal(use.neighbours, bits);
        ec_partition_close(p);
    }
}

/* Known best cuts, found by hand. */
static void meshes_and_tori_are_cut_into_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        uint32_t parts;
        uint64_t channels;
        uint32_t least, most, neighbours;
    } rows[] = {
        {"mesh:8x8", 4, 2 * 16, 16, 16, 2},       /* 2x2 blocks */
        {"mesh:9x9", 9, 2 * 36, 9, 9, 4},         /* 3x3 blocks, not strips */
        {"torus:8x8", 4, 2 * 32, 16, 16, 2},      /* a ring of strips, as good as 2x2 blocks */
        {"torus:8x8", 16, 2 * 64, 4, 4, 4},       /* 4x4 blocks */
        {"mesh:16x2", 4, 2 * 6, 8, 8, 2},         /* across the long dimension */
        {"torus:8x4x4", 2, 2 * 32, 64, 64, 1},    /* two planes of 4x4 */
        {"mesh:8x8x8", 8, 2 * 3 * 64, 64, 64, 3}, /* 2x2x2 blocks */
        {"mesh:5x5", 4, 2 * 18, 6, 7, 2},         /* no grid: ranges of labels */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_topology t = topology_of(rows[i].network);
        struct ec_partition *p = partition_of(&t, rows[i].parts);
        const struct use use = use_of(p, &t);
        if (use.channels != rows[i].channels || use.least != rows[i].least ||
            use.most != rows[i].most || use.neighbours != rows[i].neighbours)
            fail_msg("%s in %u parts: %llu channels, %u to %u nodes, %u neighbours",
                     rows[i].network, rows[i].parts, (unsigned long long)use.channels, use.least,
                     use.most, use.neighbours);
        ec_partition_close(p);
    }
}

/* Parts of a graph are ranges of routers, and some may have no nodes. */
static void nodes_of_graphs_are_with_their_routers(void **state)
{
    (void)state;
    static const char *const graphs[] = {"fattree:2", "fattree:4", "dragonfly:1,2,1",
                                         "dragonfly:3,2,1"};
    for (size_t i = 0; i < COUNT(graphs); i++) {
        struct ec_topology t;
        assert_int_equal(ec_topology_open(graphs[i], &t, NULL), EC_OK);
        const uint32_t most = t.nodes < t.routers ? t.nodes : t.routers;
        for (uint32_t parts = 1; parts <= most; parts++) {
            struct ec_partition *p = partition_of(&t, parts);
            has_each_once(p, t.nodes);
            has_each_once(p->routers, t.routers);
            for (uint32_t node = 0; node < t.nodes; node++)
                assert_int_equal(p->part_of[node],
                                 p->routers->part_of[ec_topology_router(&t, node)]);
            for (uint32_t router = 1; router < t.routers; router++)
                assert_true(p->routers->part_of[router] >= p->routers->part_of[router - 1]);
            const struct use use = use_of(p->routers, &t);
            assert_true(use.most - use.least <= 1);
            ec_partition_close(p);
        }
        struct ec_partition *p = NULL;
        assert_int_equal(ec_partition_open(&t, most + 1, &p, NULL), EC_USAGE);
        ec_topology_close(&t);
    }
}

static void too_many_parts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        uint32_t parts;
        const char *words;
    } rows[] = {
        {"torus:4x4", 0, "torus:4x4|0 parts|1 to 16"},
        {"torus:4x4", 17, "torus:4x4|16 nodes|17 parts|1 to 16"},
        {"cube:14", 4097, "cube:14|4097|1 to 4096"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_topology t = topology_of(rows[i].network);
        struct ec_partition *p = NULL;
        struct ec_error error = {0};
        const enum ec_code code = ec_partition_open(&t, rows[i].parts, &p, &error);
        assert_refused(rows[i].network, code, EC_USAGE, &error, rows[i].words);
        assert_null(p);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("every node is in one part, and the lists agree", every_node_is_in_one_part),
        TEST("no part has more nodes than its share", no_part_has_more_than_its_share),
        TEST("neighbours and boundary channels are those of brute force",
             neighbours_share_channels),
        TEST("a power of two of parts cuts a cube by its top bits", cubes_are_cut_by_top_bits),
        TEST("meshes and tori are cut into the best blocks", meshes_and_tori_are_cut_into_blocks),
        TEST("nodes of graphs are in the parts of their routers",
             nodes_of_graphs_are_with_their_routers),
        TEST("too many parts are refused in one clear line", too_many_parts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
