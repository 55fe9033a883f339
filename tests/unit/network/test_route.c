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

static void same_hops(const struct ec_hop *a, const struct ec_hop *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(a[i].node, b[i].node);
        assert_int_equal(a[i].link, b[i].link);
        assert_int_equal(a[i].class_, b[i].class_);
    }
}

/* order=class: the paths of both orders; routing=valiant: one to the node on the way, and one from
 * there. */
static void test_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        struct ec_hop a[2 * HOPS_MAX], b[2 * HOPS_MAX];
        for (uint32_t k = 0; k < 4 * t.nodes && 2 * t.address_bits <= EC_WORD_ADDRESS_BITS_WIDE;
             k++) {
            const enum ec_ties ties = k % 2 ? EC_TIES_BALANCED : EC_TIES_UP;
            const struct ec_router one[] = {
                {.order = EC_ORDER_LOW, .dateline = true, .ties = ties},
                {.order = EC_ORDER_HIGH, .dateline = true, .ties = ties}};
            struct ec_router r = {.order = EC_ORDER_CLASS, .dateline = true, .ties = ties};
            const uint32_t src = k / 4, dst = (k * 7 + 3) % t.nodes, via = (k * 5 + 1) % t.nodes;
            for (uint32_t way = 0; way < 2; way++) {
                const size_t n = ec_route_path(&t, &one[way], src, dst, a, COUNT(a));
                assert_int_equal(ec_route_drawn(&t, &r, src, dst, way, b, COUNT(b)), n);
                same_hops(a, b, n);
            }
            r = one[k / 2 % 2];
            size_t n = 0; /* a message to oneself stays */
            if (src != dst) {
                n = ec_route_path(&t, &r, src, via, a, HOPS_MAX);
                n += ec_route_path(&t, &r, via, dst, a + n, HOPS_MAX);
            }
            r.routing = EC_ROUTING_VALIANT;
            assert_int_equal(ec_route_drawn(&t, &r, src, dst, 1 + via, b, COUNT(b)), n);
            same_hops(a, b, n);
        }
    }
}

static void test_draws(void **state)
{
    (void)state;
    const struct ec_router dor = {.order = EC_ORDER_HIGH}, class_ = {.order = EC_ORDER_CLASS},
                           valiant = {.routing = EC_ROUTING_VALIANT};
    unsigned seen[1 + 10] = {0}, ones = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        assert_int_equal(ec_route_of_message(&dor, 10, 3, i), 0);
        ones += ec_route_of_message(&class_, 10, 3, i);
        seen[ec_route_of_message(&valiant, 10, 3, i)]++;
    }
    assert_between(ones, 4800, 5200);
    assert_int_equal(seen[0], 0);
    for (unsigned k = 1; k <= 10; k++)
        assert_between(seen[k], 880, 1120);
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
        TEST("a path that was drawn is of the other order, or has two legs", test_drawn),
        TEST("paths are drawn alike often", test_draws),
        TEST("a short array gets the beginning of a path and its whole length", test_short_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
