/* SPDX-License-Identifier: Apache-2.0 */
/* The flow bounds for real GSH, proved: for each linear program a primal and a dual solution (link
 * lengths) are given, and both have the same value.
 *
 * Every node s of an r-cube sends one unit to phi(s), its address rotated left by one bit, perhaps
 * with bit 0 inverted. A routing with no link above T shows that T suffices. Lengths of links show
 * that less does not: all units together travel at least the sum of their shortest distances, and
 * a network whose links carry T each offers T times the sum of the lengths.
 *
 * phi and the inversion of all bits map the cube and the traffic onto themselves; so both are given
 * for one member of each orbit and carried over to the others by these maps. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"

#define ORDER_MAX 8
#define NODES_MAX (1U << ORDER_MAX)
#define FAR       UINT32_MAX

/* `amount` of 1/unit units go from `src` over the dimensions `dims`, one digit each. */
struct route {
    unsigned src, amount;
    const char *dims;
};

/* The links of an orbit, by one of them, and their length. */
struct length {
    unsigned node, dim, length;
};

struct program {
    unsigned order;
    bool complemented, shortest; /* shortest paths only */
    struct ec_cost_ratio value;
    unsigned unit;
    struct route routes[16];
    struct length lengths[16]; /* others: 0 */
};

#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const struct program programs[] = {
    {2, false, false, LIST(1, 2), 1, .routes = LIST({1, 1, "10"}), .lengths = LIST({0, 0, 1})},
    {3, false, false, LIST(4, 7), 7, .routes = LIST({1, 4, "01"}, {1, 2, "10"}, {1, 1, "2012"}),
     .lengths = LIST({0, 0, 4}, {1, 1, 2}, {1, 2, 1})},
    {4, false, false, LIST(7, 12), 12,
     .routes = LIST({1, 7, "01"}, {1, 1, "10"}, {1, 4, "2012"}, {3, 12, "20"}, {5, 12, "3012"}),
     .lengths = LIST({0, 0, 2}, {1, 0, 1}, {1, 1, 1}, {1, 2, 2}, {1, 3, 1}, {3, 0, 2})},
    {5, false, false, LIST(18, 31), 31,
     .routes = LIST({1, 18, "01"}, {1, 4, "10"}, {1, 9, "3013"}, {3, 14, "02"}, {3, 9, "20"},
                    {3, 8, "1201"}, {5, 10, "0123"}, {5, 18, "1230"}, {5, 3, "401234"}),
     .lengths = LIST({0, 0, 6}, {1, 1, 6}, {1, 2, 3}, {1, 3, 1}, {1, 4, 2}, {3, 2, 3}, {3, 4, 1},
                     {5, 0, 1}, {5, 1, 2}, {5, 2, 2}, {5, 3, 3}, {5, 4, 1})},
    {2, true, false, LIST(3, 4), 4, .routes = LIST({0, 3, "0"}, {0, 1, "101"}),
     .lengths = LIST({0, 0, 3}, {0, 1, 1})},
    {3, true, false, LIST(2, 3), 3, .routes = LIST({0, 2, "0"}, {0, 1, "101"}, {2, 3, "012"}),
     .lengths = LIST({0, 0, 1}, {0, 2, 1})},
    {2, false, true, LIST(1, 2), 1, .routes = LIST({1, 1, "10"}), .lengths = LIST({0, 0, 1})},
    {3, false, true, LIST(2, 3), 3, .routes = LIST({1, 2, "01"}, {1, 1, "10"}),
     .lengths = LIST({0, 0, 2}, {1, 1, 1})},
    {4, false, true, LIST(3, 4), 4,
     .routes = LIST({1, 3, "01"}, {1, 1, "10"}, {3, 4, "20"}, {5, 4, "3012"}),
     .lengths = LIST({0, 0, 1}, {1, 1, 1})},
    {5, false, true, LIST(4, 5), 5,
     .routes = LIST({1, 4, "01"}, {1, 1, "10"}, {3, 3, "02"}, {3, 2, "20"}, {5, 4, "0123"},
                    {5, 1, "3012"}),
     .lengths = LIST({0, 0, 2}, {3, 0, 2}, {3, 2, 1})},
    {6, false, true, LIST(5, 6), 6,
     .routes = LIST({1, 5, "01"}, {1, 1, "10"}, {3, 4, "02"}, {3, 2, "20"}, {5, 2, "0123"},
                    {5, 4, "1230"}, {7, 6, "30"}, {9, 6, "1340"}, {11, 3, "2340"}, {11, 1, "3402"},
                    {11, 1, "3420"}, {11, 1, "4230"}, {21, 6, "124530"}),
     .lengths = LIST({0, 0, 1}, {1, 1, 1}, {3, 2, 1})},
};

static unsigned all(const struct program *p)
{
    return (1U << p->order) - 1;
}

static unsigned phi(const struct program *p, unsigned s)
{
    return ((s << 1 | s >> (p->order - 1)) & all(p)) ^ (p->complemented ? 1 : 0);
}

/* The maps of the group: phi^i, with all bits inverted if `i` is odd; each as often as any other.
 */
static unsigned maps(const struct program *p)
{
    return 4 * p->order;
}

static unsigned image(const struct program *p, unsigned map, unsigned s)
{
    for (unsigned i = 0; i < map / 2; i++)
        s = phi(p, s);
    return map % 2 ? s ^ all(p) : s;
}

static unsigned image_dim(const struct program *p, unsigned map, unsigned dim)
{
    return (dim + map / 2) % p->order;
}

static void the_maps_keep_traffic_and_cube(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++) {
        const struct program *p = &programs[i];
        for (unsigned map = 0; map < maps(p); map++) {
            for (unsigned s = 0; s <= all(p); s++) {
                assert_int_equal(image(p, map, phi(p, s)), phi(p, image(p, map, s)));
                for (unsigned d = 0; d < p->order; d++)
                    assert_int_equal(image(p, map, s ^ 1U << d),
                                     image(p, map, s) ^ 1U << image_dim(p, map, d));
            }
        }
    }
}

static unsigned orbit_size(const struct program *p, unsigned s)
{
    bool seen[NODES_MAX] = {false};
    unsigned size = 0;

    for (unsigned map = 0; map < maps(p); map++) {
        size += !seen[image(p, map, s)];
        seen[image(p, map, s)] = true;
    }
    return size;
}

/* Every unit is carried in full to its destination, and no link carries more than the value. */
static void check_routes(const struct program *p)
{
    uint64_t load[NODES_MAX][ORDER_MAX] = {{0}}, most = 0; /* in 1/(unit * maps) */
    unsigned sent[NODES_MAX] = {0};

    for (const struct route *x = p->routes; x->amount; x++) {
        const unsigned size = orbit_size(p, x->src);
        unsigned at = x->src, hops = 0;
        for (const char *d = x->dims; *d; d++, hops++)
            at ^= 1U << (*d - '0');
        assert_int_equal(at, phi(p, x->src));
        if (p->shortest)
            assert_int_equal(hops, __builtin_popcount(x->src ^ phi(p, x->src)));
        for (unsigned map = 0; map < maps(p); map++) {
            at = image(p, map, x->src);
            sent[at] += x->amount * size;
            for (const char *d = x->dims; *d; d++) {
                const unsigned dim = image_dim(p, map, (unsigned)(*d - '0'));
                load[at][dim] += x->amount * size;
                at ^= 1U << dim;
            }
        }
    }
    for (unsigned s = 0; s <= all(p); s++) {
        assert_int_equal(sent[s], phi(p, s) == s ? 0 : p->unit * maps(p));
        for (unsigned d = 0; d < p->order; d++)
            most = load[s][d] > most ? load[s][d] : most;
    }
    const struct ec_cost_ratio value = ec_cost_ratio_of(most, (uint64_t)p->unit * maps(p));
    assert_int_equal(value.num, p->value.num);
    assert_int_equal(value.den, p->value.den);
}

/* Shortest distance from s to phi(s); optionally over shortest paths in hops only. */
static uint32_t distance(const struct program *p, unsigned length[][ORDER_MAX], unsigned s)
{
    uint32_t from_s[NODES_MAX];
    bool changed = true;

    for (unsigned v = 0; v <= all(p); v++)
        from_s[v] = v == s ? 0 : FAR;
    while (changed) {
        changed = false;
        for (unsigned u = 0; u <= all(p); u++) {
            for (unsigned d = 0; d < p->order; d++) {
                const unsigned v = u ^ 1U << d;
                if (from_s[u] == FAR || (p->shortest && !((u ^ phi(p, s)) >> d & 1)) ||
                    from_s[u] + length[u][d] >= from_s[v])
                    continue;
                from_s[v] = from_s[u] + length[u][d];
                changed = true;
            }
        }
    }
    return from_s[phi(p, s)];
}

static void check_lengths(const struct program *p)
{
    unsigned length[NODES_MAX][ORDER_MAX] = {{0}};
    uint64_t travelled = 0, offered = 0;

    for (const struct length *x = p->lengths; x->length; x++) {
        for (unsigned map = 0; map < maps(p); map++)
            length[image(p, map, x->node)][image_dim(p, map, x->dim)] = x->length;
    }
    for (unsigned s = 0; s <= all(p); s++) {
        travelled += distance(p, length, s);
        for (unsigned d = 0; d < p->order; d++)
            offered += length[s][d];
    }
    const struct ec_cost_ratio value = ec_cost_ratio_of(travelled, offered);
    assert_int_equal(value.num, p->value.num);
    assert_int_equal(value.den, p->value.den);
}

static void routes_reach_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++)
        check_routes(&programs[i]);
}

static void nothing_is_below_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++)
        check_lengths(&programs[i]);
}

static void the_functions_say_so(void **state)
{
    struct ec_cost_ratio value;

    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++) {
        const struct program *p = &programs[i];
        if (p->shortest)
            continue;
        assert_true(ec_cost_jh_flow(p->order, p->complemented, &value));
        assert_int_equal(value.num, p->value.num);
        assert_int_equal(value.den, p->value.den);
    }
    assert_false(ec_cost_jh_flow(1, false, &value));
    assert_false(ec_cost_jh_flow(25, true, &value));
}

/* --- Any order -------------------------------------------------------------------------------- */

/* Places where a bit differs from the one before it, going round the cycle. */
static unsigned walls(const struct program *p, unsigned s)
{
    return (unsigned)__builtin_popcount(s ^ phi(p, s));
}

/* The length of a link is 1/u; u: the walls of its word, which has the new value of the bit put
 * before the old one. */
static void lengths_of_words(const struct program *p, unsigned unit, unsigned length[][ORDER_MAX])
{
    for (unsigned s = 0; s <= all(p); s++) {
        for (unsigned d = 0; d < p->order; d++)
            length[s][d] = unit / (walls(p, s) + ((s ^ phi(p, s)) >> d & 1 ? 0 : 2));
    }
}

/* With these lengths no element travels less than 1, and the links offer the rest of the bound; in
 * the first step those out of nodes that send nothing offer nothing, and in the last those into
 * them. */
static void the_lengths_of_words_prove_every_order(void **state)
{
    const unsigned unit = 2520; /* of the walls of up to ORDER_MAX + 2 letters, lcm(1..10) */

    (void)state;
    for (unsigned r = 2; r <= ORDER_MAX; r++) {
        for (unsigned odd = 0; odd < 2; odd++) {
            const struct program p = {.order = r, .complemented = odd};
            unsigned length[NODES_MAX][ORDER_MAX];
            uint64_t travelled = 0, offered = 0, useless = 0;
            struct ec_cost_ratio value;
            lengths_of_words(&p, unit, length);
            for (unsigned s = 0; s <= all(&p); s++) {
                const bool sends = phi(&p, s) != s;
                assert_true(!sends || distance(&p, length, s) >= unit);
                travelled += sends ? unit : 0;
                for (unsigned d = 0; d < r; d++) {
                    offered += length[s][d];
                    useless += sends ? 0 : length[s][d] + length[s ^ 1U << d][d];
                }
            }
            assert_true(ec_cost_jh_flow(r, odd, &value));
            assert_int_equal(value.num * offered, value.den * travelled);
            for (uint64_t k = 1; k <= 200; k++)
                assert_int_equal(ec_cost_jh_flow_steps(r, odd, k),
                                 (k * travelled + useless + offered - 1) / offered);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the maps of the group keep the traffic and the cube", the_maps_keep_traffic_and_cube),
        TEST("routes with no link above the value carry all of it", routes_reach_the_value),
        TEST("lengths of links show that nothing is below the value", nothing_is_below_the_value),
        TEST("the functions return the proved values", the_functions_say_so),
        TEST("lengths by the walls of words prove the value of every order",
             the_lengths_of_words_prove_every_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
