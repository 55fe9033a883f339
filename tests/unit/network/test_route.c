/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-order routing: every pair of nodes of small networks, both orders. */
#include "unit.h"

#include "ecube/route.h"

static const char *const networks[] = {
    "ring:2",    "ring:3",     "ring:4",    "ring:7",    "ring:16",   "mesh:9",      "mesh:5x4",
    "mesh:1x6",  "mesh:2x3x4", "torus:4x4", "torus:5x3", "torus:2x6", "torus:1x5x4", "torus:3x4x5",
    "torus:8x8", "mesh:2x2x2", "cube:1",    "cube:2",    "cube:4",    "cube:6",
};

#define HOPS_MAX 64

typedef void check(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                   uint32_t dst, const struct ec_hop *hops, size_t length);

static void for_all_pairs(check *each)
{
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (int way = 0; way < 4; way++) {
            const struct ec_router r = {.order = (enum ec_order)(way % 2),
                                        .ties = (enum ec_ties)(way / 2),
                                        .dateline = true};
            for (uint32_t src = 0; src < t.nodes; src++) {
                for (uint32_t dst = 0; dst < t.nodes; dst++) {
                    struct ec_hop hops[HOPS_MAX];
                    size_t length = ec_route_path(&t, &r, src, dst, hops, HOPS_MAX);
                    assert_true(length <= HOPS_MAX);
                    each(&t, &r, src, dst, hops, length);
                }
            }
        }
    }
}

static unsigned dim_of(const struct ec_topology *t, unsigned link)
{
    return link / t->links_per_dim;
}

static void reaches(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                    uint32_t dst, const struct ec_hop *hops, size_t length)
{
    uint32_t node = src;

    (void)r;
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(hops[i].node, node);
        node = ec_topology_neighbor(t, node, hops[i].link);
        assert_int_not_equal(node, EC_NONE);
    }
    assert_int_equal(node, dst);
    assert_int_equal(length, ec_topology_distance(t, src, dst));
}

static void keeps_order(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                        uint32_t dst, const struct ec_hop *hops, size_t length)
{
    (void)src;
    (void)dst;
    for (size_t i = 1; i < length; i++) {
        unsigned before = dim_of(t, hops[i - 1].link), now = dim_of(t, hops[i].link);
        assert_true(r->order == EC_ORDER_LOW ? before <= now : before >= now);
        if (before == now) /* no turning round within a dimension */
            assert_int_equal(hops[i - 1].link, hops[i].link);
    }
}

static void ties_go_their_way(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                              uint32_t dst, const struct ec_hop *hops, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned dim = dim_of(t, hops[i].link);
        uint32_t x = ec_topology_coord(t, src, dim), y = ec_topology_coord(t, dst, dim);
        uint32_t way = x > y ? x - y : y - x;
        if (t->wrap[dim] && 2 * way == t->radix[dim])
            assert_int_equal(hops[i].link % 2, r->ties == EC_TIES_BALANCED ? x % 2 : 0);
    }
}

/* The class rule in coordinates: a message has crossed the wrap link of a dimension exactly if, in
 * its direction, it is now before the coordinate where it entered. */
static void classes_tell_the_wrap(const struct ec_topology *t, const struct ec_router *r,
                                  uint32_t src, uint32_t dst, const struct ec_hop *hops,
                                  size_t length)
{
    (void)r;
    (void)dst;
    for (size_t i = 0; i < length; i++) {
        unsigned dim = dim_of(t, hops[i].link);
        uint32_t from = ec_topology_coord(t, src, dim);
        uint32_t to =
            ec_topology_coord(t, ec_topology_neighbor(t, hops[i].node, hops[i].link), dim);
        bool down = t->links_per_dim == 2 && hops[i].link % 2;
        bool wrapped = t->wrap[dim] && (down ? to > from : to < from);
        assert_int_equal(hops[i].class_, wrapped);
    }
}

static void first_link_agrees(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                              uint32_t dst, const struct ec_hop *hops, size_t length)
{
    assert_int_equal(ec_route_link(t, r, src, dst), length ? hops[0].link : EC_NONE);
    for (size_t i = 0; i < length; i++) /* and at every node on the way */
        assert_int_equal(ec_route_link(t, r, hops[i].node, dst), hops[i].link);
}

static void test_reaches(void **state)
{
    (void)state;
    for_all_pairs(reaches);
}

static void test_order(void **state)
{
    (void)state;
    for_all_pairs(keeps_order);
}

static void test_ties(void **state)
{
    (void)state;
    for_all_pairs(ties_go_their_way);
}

static void test_classes(void **state)
{
    (void)state;
    for_all_pairs(classes_tell_the_wrap);
}

static void test_first_link(void **state)
{
    (void)state;
    for_all_pairs(first_link_agrees);
}

static void test_without_datelines(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("torus:5x3");
    const struct ec_router classes = {.dateline = true};
    struct ec_hop with[HOPS_MAX], without[HOPS_MAX];

    for (uint32_t src = 0; src < t.nodes; src++) {
        for (uint32_t dst = 0; dst < t.nodes; dst++) {
            size_t n = ec_route_path(&t, &classes, src, dst, with, HOPS_MAX);
            assert_int_equal(ec_route_path(&t, &low_first, src, dst, without, HOPS_MAX), n);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(with[i].node, without[i].node);
                assert_int_equal(with[i].link, without[i].link);
                assert_int_equal(without[i].class_, 0);
            }
        }
    }
}

static void test_short_room(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:6");
    struct ec_hop hops[4] = {[3] = {99, 99, 99}};

    assert_int_equal(ec_route_path(&t, &low_first, 0, 63, hops, 3), 6);
    assert_int_equal(hops[2].link, 2);
    assert_int_equal(hops[3].node, 99);
    assert_int_equal(ec_route_path(&t, &low_first, 0, 63, NULL, 0), 6);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("every path reaches its destination in as many hops as the distance", test_reaches),
        TEST("every path corrects its dimensions in order, each in one go", test_order),
        TEST("the tie between two ways round goes up, or as the coordinate says", test_ties),
        TEST("the class is 1 exactly from the wrap link to the end of the dimension", test_classes),
        TEST("the link that a node chooses is the next one of the path", test_first_link),
        TEST("without datelines the path is the same and all classes are 0",
             test_without_datelines),
        TEST("a short array gets the beginning of a path and its whole length", test_short_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
