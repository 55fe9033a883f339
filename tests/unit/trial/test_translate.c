/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic at another place, compared with walks along links. */
#include "trial/translate.h"
#include "unit.h"

static const char *const networks[] = {"ring:5",   "ring:2",    "mesh:1x4",  "mesh:2x3",
                                       "mesh:4x3", "torus:4x3", "torus:2x5", "mesh:2x3x3",
                                       "cube:1",   "cube:4"};

/* The link of one step from `from` towards `to` in a dimension; rings are walked in one direction
 * only. EC_NONE: both have the same coordinate. */
static unsigned step_towards(const struct ec_topology *t, unsigned dim, uint32_t from, uint32_t to)
{
    const uint32_t a = ec_topology_coord(t, from, dim), b = ec_topology_coord(t, to, dim);
    if (a == b)
        return EC_NONE;
    if (t->links_per_dim == 1)
        return dim;
    return 2 * dim + (t->radix[dim] > 2 && !t->wrap[dim] && b < a);
}

/* Where the links of the way from `from` to `to` lead from `node`. */
static uint32_t walk(const struct ec_topology *t, uint32_t from, uint32_t to, uint32_t node)
{
    for (unsigned dim = 0; dim < t->dims; dim++) {
        unsigned link;
        while ((link = step_towards(t, dim, from, to)) != EC_NONE) {
            from = ec_topology_neighbor(t, from, link);
            node = node == EC_NONE ? EC_NONE : ec_topology_neighbor(t, node, link);
        }
    }
    return node;
}

static void nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t from = 0; from < t.nodes; from++)
            for (uint32_t to = 0; to < t.nodes; to++)
                for (uint32_t node = 0; node < t.nodes; node++)
                    if (translate_node(&t, from, to, node) != walk(&t, from, to, node))
                        fail_msg("%s: %u after the step from %u to %u is %u: expected %u",
                                 networks[i], node, from, to, translate_node(&t, from, to, node),
                                 walk(&t, from, to, node));
    }
}

static uint64_t links_of(const struct ec_topology *t, uint32_t node)
{
    uint64_t links = 0;
    for (unsigned link = 0; link < ec_topology_links(t); link++)
        links |= (uint64_t)(ec_topology_neighbor(t, node, link) != EC_NONE) << link;
    return links;
}

/* Hops to the nearest other node with the same links; EC_NONE: there is none. */
static unsigned least_distance(const struct ec_topology *t, uint32_t node)
{
    unsigned least = EC_NONE;
    for (uint32_t other = 0; other < t->nodes; other++) {
        const unsigned hops = ec_topology_distance(t, node, other);
        if (other != node && links_of(t, other) == links_of(t, node) && hops < least)
            least = hops;
    }
    return least;
}

static void partners(void **state)
{
    unsigned none = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t node = 0; node < t.nodes; node++) {
            const uint32_t partner = translate_partner(&t, node);
            none += partner == EC_NONE;
            if (partner == EC_NONE) {
                assert_int_equal(least_distance(&t, node), EC_NONE);
                continue;
            }
            assert_int_not_equal(partner, node);
            assert_int_equal(links_of(&t, partner), links_of(&t, node));
            assert_int_equal(ec_topology_distance(&t, node, partner), least_distance(&t, node));
        }
    }
    /* Both ends of the row; the corners of 4x3, and the middles of its short sides. */
    assert_int_equal(none, 2 + 6);
}

/* Every pair of addresses, also those that name no node. */
static void words(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        const unsigned vcs = i % 2 ? 8 : 2;
        const struct ec_word_layout l = ec_word_layout(t.address_bits, vcs);
        const uint32_t addresses = UINT32_C(1) << t.address_bits, from = 1 % t.nodes;
        const uint32_t to = t.nodes - 1;
        for (uint32_t dst = 0; dst < addresses; dst++) {
            for (uint32_t src = 0; src < addresses; src++) {
                uint32_t end[2] = {dst, src};
                for (unsigned k = 0; k < 2; k++) {
                    const uint32_t node = ec_topology_node(&t, end[k]);
                    const uint32_t moved = node == EC_NONE ? EC_NONE : walk(&t, from, to, node);
                    end[k] = moved == EC_NONE ? end[k] : ec_topology_address(&t, moved);
                }
                assert_int_equal(translate_word(&t, vcs, from, to,
                                                ec_word_pack(&l, true, false, 1, dst, src, 77)),
                                 ec_word_pack(&l, true, false, 1, end[0], end[1], 77));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a node moves as along the links of the step", nodes),
        TEST("a partner is the nearest router with the same links, if there is one", partners),
        TEST("in a word only the ends move, and only those that stay in the network", words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
