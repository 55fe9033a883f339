/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of direct routing in closed form, against every path walked by the test itself. */
#include "unit.h"

#include <string.h>

#include "ec_cost_ecube.h"

/* --- Affine maps ------------------------------------------------------------------------------ */

enum { DIMS_MAX = 5 };

/* A map x -> A x + b over GF(2): column[c] is where bit c alone goes. */
struct map {
    unsigned n, column[DIMS_MAX], inverted;
};

static unsigned image(const struct map *m, unsigned x)
{
    unsigned y = m->inverted;
    for (unsigned c = 0; c < m->n; c++)
        y ^= x >> c & 1 ? m->column[c] : 0;
    return y;
}

/* Messages on the busiest link of each dimension, every path walked. */
static void walk_map(const struct map *m, const uint8_t *order, uint64_t *ret_load)
{
    unsigned load[1U << DIMS_MAX][DIMS_MAX] = {{0}};
    for (unsigned d = 0; d < m->n; d++)
        ret_load[d] = 0;
    for (unsigned x = 0; x >> m->n == 0; x++) {
        for (unsigned i = 0, at = x; i < m->n; i++) {
            const unsigned d = order[i];
            if (!((at ^ image(m, x)) >> d & 1))
                continue;
            if (++load[at][d] > ret_load[d])
                ret_load[d] = load[at][d];
            at ^= 1U << d;
        }
    }
}

static bool is_free(const struct map *m, const uint8_t *order)
{
    uint64_t load[DIMS_MAX], most = 0;
    walk_map(m, order, load);
    for (unsigned d = 0; d < m->n; d++)
        most = load[d] > most ? load[d] : most;
    return most <= 1;
}

/* Calls `look` with every order or permutation of n numbers. */
static void each_order(unsigned n, uint8_t *numbers, unsigned fixed,
                       void (*look)(const uint8_t *numbers, void *context), void *context)
{
    if (fixed == n)
        look(numbers, context);
    /* The second condition tells gcc 16 the bound of n. */
    for (unsigned i = fixed; i < n && fixed < DIMS_MAX; i++) {
        const uint8_t first = numbers[fixed], other = numbers[i];
        numbers[fixed] = other;
        numbers[i] = first;
        each_order(n, numbers, fixed + 1, look, context);
        numbers[i] = other;
        numbers[fixed] = first;
    }
}

static const uint8_t upwards[] = {0, 1, 2, 3, 4}, downwards[] = {4, 3, 2, 1, 0};

struct counts {
    struct map map;
    uint8_t from[DIMS_MAX];
    uint64_t free_plain, free_inverted, both_plain, both_inverted, orders;
};

static void compare_order(const uint8_t *order, void *context)
{
    struct counts *x = context;
    uint64_t load[DIMS_MAX], seen[DIMS_MAX];
    ec_cost_ecube_bits(x->map.n, x->from, x->map.inverted, order, load);
    walk_map(&x->map, order, seen);
    assert_memory_equal(load, seen, x->map.n * sizeof *load);
    x->orders += is_free(&x->map, order);
}

/* A permutation with every complement; in every order up to 4 bits. */
static void look_at_permutation(const uint8_t *from, void *context)
{
    struct counts *x = context;
    const unsigned n = x->map.n;
    uint8_t order[DIMS_MAX], found[DIMS_MAX];
    for (unsigned d = 0; d < n; d++) {
        x->from[d] = from[d];
        x->map.column[from[d]] = 1U << d;
    }
    ec_cost_ecube_order(n, from, found);
    for (x->map.inverted = 0; x->map.inverted >> n == 0; x->map.inverted++) {
        const bool low = is_free(&x->map, upwards), high = is_free(&x->map, &downwards[5 - n]);
        x->free_inverted += low;
        x->both_inverted += low && high;
        x->free_plain += low && !x->map.inverted;
        x->both_plain += low && high && !x->map.inverted;
        assert_true(is_free(&x->map, found));
        memcpy(order, upwards, sizeof order);
        if (n <= 4)
            each_order(n, order, 0, compare_order, x);
        else
            compare_order(upwards, x);
    }
}

static void bit_permutations(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= DIMS_MAX; n++) {
        struct counts x = {.map = {.n = n}};
        uint8_t from[DIMS_MAX];
        memcpy(from, upwards, sizeof from);
        each_order(n, from, 0, look_at_permutation, &x);
        assert_int_equal(ec_cost_ecube_bits_free(n), x.free_plain);
        assert_int_equal(ec_cost_ecube_bits_free_complemented(n), x.free_inverted);
        assert_int_equal(1U << (n - 1), x.both_plain);
        assert_int_equal(ec_cost_ecube_bits_free_both(n), x.both_inverted);
    }
}

/* Invertible maps: each further column is outside the span of those before. */
static void each_map(struct map *m, unsigned columns, uint64_t *ret_maps, uint64_t *ret_free)
{
    if (columns == m->n) {
        for (m->inverted = 0; m->inverted >> m->n == 0; m->inverted++) {
            ret_maps[m->inverted > 0]++;
            ret_free[m->inverted > 0] += is_free(m, upwards);
        }
        m->inverted = 0;
        return;
    }
    for (unsigned v = 1; v >> m->n == 0; v++) {
        bool spanned = false;
        for (unsigned x = 0; x >> columns == 0; x++) {
            unsigned sum = 0;
            for (unsigned c = 0; c < columns; c++)
                sum ^= x >> c & 1 ? m->column[c] : 0;
            spanned |= sum == v;
        }
        if (spanned)
            continue;
        m->column[columns] = v;
        each_map(m, columns + 1, ret_maps, ret_free);
    }
}

static void invertible_maps(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        struct map m = {.n = n};
        uint64_t maps[2] = {0}, free_maps[2] = {0}; /* b = 0, b > 0 */
        each_map(&m, 0, maps, free_maps);
        assert_int_equal(ec_cost_ecube_maps(n, false), maps[0]);
        assert_int_equal(ec_cost_ecube_maps(n, true), maps[0] + maps[1]);
        assert_int_equal(ec_cost_ecube_maps_free(n, false), free_maps[0]);
        assert_int_equal(ec_cost_ecube_maps_free(n, true), free_maps[0] + free_maps[1]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("permutations of address bits have their loads in every order of dimensions, and the "
             "closed forms count those without conflict",
             bit_permutations),
        TEST("closed forms count the invertible maps without conflict", invertible_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
