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

static const uint8_t upwards[] = {0, 1, 2, 3, 4};

struct permuted {
    struct map map;
    uint8_t from[DIMS_MAX];
};

static void compare_order(const uint8_t *order, void *context)
{
    struct permuted *x = context;
    uint64_t load[DIMS_MAX], seen[DIMS_MAX];
    ec_cost_ecube_bits(x->map.n, x->from, x->map.inverted, order, load);
    walk_map(&x->map, order, seen);
    assert_memory_equal(load, seen, x->map.n * sizeof *load);
}

/* A permutation with every complement; in every order up to 4 bits. */
static void look_at_permutation(const uint8_t *from, void *context)
{
    struct permuted *x = context;
    const unsigned n = x->map.n;
    uint8_t order[DIMS_MAX], found[DIMS_MAX];
    for (unsigned d = 0; d < n; d++) {
        x->from[d] = from[d];
        x->map.column[from[d]] = 1U << d;
    }
    ec_cost_ecube_order(n, from, found);
    for (x->map.inverted = 0; x->map.inverted >> n == 0; x->map.inverted++) {
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
        struct permuted x = {.map = {.n = n}};
        uint8_t from[DIMS_MAX];
        memcpy(from, upwards, sizeof from);
        each_order(n, from, 0, look_at_permutation, &x);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("permutations of address bits have their loads in every order of dimensions, and one "
             "of these orders is without conflict",
             bit_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
