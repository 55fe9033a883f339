/* SPDX-License-Identifier: Apache-2.0 */
/* When more than one thread pays, and when routers in vectors do. */
#include "parts/auto.h"
#include "unit.h"

/* Uniform traffic on a cube: half of the dimensions, and out. */
static struct parts_work cube(unsigned dims, double rate, double cycles)
{
    return (struct parts_work){.nodes = UINT32_C(1) << dims,
                               .ports = dims + 1,
                               .words = rate * (dims / 2.0 + 1),
                               .cycles = cycles,
                               .epoch = 1};
}

static uint32_t threads(struct parts_work w, unsigned epoch, uint32_t processors)
{
    w.epoch = epoch;
    return parts_auto(&w, processors);
}

static void small(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(3, 0.5, 1e6), 1, 8), 1);
    assert_int_equal(threads(cube(4, 0.2, 1e6), 1, 8), 1);
    assert_int_equal(threads(cube(6, 0.01, 1e6), 1, 8), 1);
}

static void medium(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(6, 0.2, 1e6), 1, 2), 2);
    assert_int_equal(threads(cube(6, 0.5, 1e6), 1, 2), 2);
    assert_between(threads(cube(6, 0.5, 1e6), 1, 64), 3, 8);
}

static void large(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(12, 0.2, 1e4), 1, 64), 64);
    assert_int_equal(threads(cube(20, 0.01, 100), 1, 1024), 1024);
}

static void idle(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(12, 0, 1e6), 1, 64), 1);
    assert_int_equal(threads(cube(12, 1e-4, 1e6), 1, 64), 1);
}

static void look_ahead(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(4, 0.2, 1e6), 8, 2), 2);
    assert_true(threads(cube(6, 0.5, 1e6), 8, 64) > threads(cube(6, 0.5, 1e6), 1, 64));
}

static void shortest(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(6, 0.5, 100), 1, 2), 1);
    assert_int_equal(threads(cube(12, 0.2, 5), 1, 2), 1);
}

static void bounds(void **state)
{
    (void)state;
    assert_int_equal(threads(cube(12, 0.2, 1e4), 1, 1), 1);
    assert_int_equal(threads(cube(12, 0.2, 1e4), 1, 0), 1);
    assert_int_equal(
        threads((struct parts_work){.nodes = 4, .ports = 1000, .words = 100, .cycles = 1e6}, 1, 64),
        4);
}

/* The break-even of ADR 25, and half of it. */
static void vectors(void **state)
{
    (void)state;
    const struct parts_work mesh = {.nodes = 64, .ports = 5, .words = 0.13 * 17 / 3};
    struct parts_work w = mesh;
    assert_true(parts_vectors(&w));
    w.words /= 2;
    assert_false(parts_vectors(&w));
    w = mesh;
    w.nodes = 15;
    assert_false(parts_vectors(&w));
    const struct parts_work large = cube(12, 0.15, 1e4), busy = cube(12, 0.2, 1e4);
    assert_false(parts_vectors(&large));
    assert_true(parts_vectors(&busy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a small or quiet network has one thread", small),
        TEST("a 6-cube has two, and some of many processors", medium),
        TEST("a large network has all processors", large),
        TEST("a large network without traffic has one", idle),
        TEST("look-ahead makes more threads worth their exchanges", look_ahead),
        TEST("a short run has one thread", shortest),
        TEST("there are never more threads than processors and nodes", bounds),
        TEST("routers in vectors pay from a fixed use of their ports on", vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
