/* SPDX-License-Identifier: Apache-2.0 */
/* The model of the cost of a cycle: what follows from its equations by hand. */
#include <math.h>

#include "program/scale/model.h"
#include "unit.h"

/* 64 routers whose cycle takes 10 us; no word, no chance. */
static struct scale_machine machine(void)
{
    return (struct scale_machine){.router = 1e-6,
                                  .word = 1e-6,
                                  .size = {{64, 1}, {256, 1}, {4096, 2}},
                                  .size_count = 3,
                                  .threads = {{2, 1e-6, 0, 1}, {4, 3e-6, 1e-9, 1.5}},
                                  .threads_count = 2};
}

static struct scale_load load(void)
{
    return (struct scale_load){
        .nodes = 64, .awake = 6, .words = 4, .bytes = 50, .link = 4, .measured = 1};
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected) + 1e-12))
        fail_msg("%.9g: expected %.9g", value, expected);
}

static struct scale_point predict(const struct scale_machine *m, const struct scale_load *l,
                                  uint32_t ranks, uint32_t threads)
{
    const struct scale_cut cut = {.ranks = ranks,
                                  .threads = threads,
                                  .most = l->nodes / (ranks * threads),
                                  .share = 1.0 / (ranks * threads),
                                  .leaving = 2,
                                  .rank_leaving = 4,
                                  .rank_neighbours = ranks > 2 ? 2 : 1};
    return scale_predict(m, l, &cut);
}

static void one_part(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    const struct scale_load l = load();
    const struct scale_point p = predict(&m, &l, 1, 1);
    near(p.cycle, 10e-6);
    near(p.speedup, 1);
    near(p.swap + p.network + p.waiting, 0);
}

static void two_threads(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    const struct scale_load l = load();
    const struct scale_point p = predict(&m, &l, 1, 2);
    near(p.work, 5e-6);
    near(p.swap, 1e-6);
    near(p.cycle, 6e-6);
    near(p.speedup, 10 / 6.0);
    near(p.efficiency, 5 / 6.0);
}

static void four_threads(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    const struct scale_load l = load();
    const struct scale_point p = predict(&m, &l, 1, 4);
    near(p.work, 1.5 * 2.5e-6); /* all four work more slowly */
    near(p.swap, 3e-6 + 2 * 50 * 1e-9);
}

static void more_threads(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    near(scale_threads_of(&m, 16).latency, 6e-6);
    near(scale_threads_of(&m, 16).slowdown, 1.5);
    near(scale_threads_of(&m, 3).latency, 1e-6 * log2(3));
    near(scale_threads_of(&m, 1).latency, 0);
}

static void crossings(void **state)
{
    (void)state;
    struct scale_machine m = machine();
    const struct scale_load l = load();
    m.crossing = 1e-7; /* 2 words and 2 credits leave, as many enter */
    near(predict(&m, &l, 1, 2).work, 5e-6 + 8e-7);
    near(predict(&m, &l, 1, 1).work, 10e-6);
}

static void ranks(void **state)
{
    (void)state;
    struct scale_machine m = machine();
    const struct scale_load l = load();
    m.network = (struct scale_network){.latency = 2e-6, .message = 1e-6, .byte = 1e-9};
    near(predict(&m, &l, 2, 1).network, 2e-6 + 1e-6 + 4 * 50e-9);
    near(predict(&m, &l, 8, 1).network, 2e-6 + 2e-6 + 3 * 3e-6 + 4 * 50e-9);
    near(predict(&m, &l, 2, 1).swap, 0);
    near(predict(&m, &l, 2, 2).swap, 1e-6);
    m.epoch = 5e-7; /* in the latency of threads, too */
    near(predict(&m, &l, 2, 1).network, 3e-6 + 5e-7 + 4 * 50e-9);
    near(predict(&m, &l, 2, 2).network, 3e-6 + 4 * 50e-9);
}

static void look_ahead(void **state)
{
    (void)state;
    struct scale_machine m = machine();
    struct scale_load l = load();
    m.network = (struct scale_network){.latency = 4e-6};
    near(predict(&m, &l, 2, 1).network, 4e-6);
    l.looks_ahead = true;
    assert_int_equal(predict(&m, &l, 2, 1).epoch, 4);
    near(predict(&m, &l, 2, 1).network, 1e-6);
}

/* Two parts of 5 us and 4 us / L: at least 80 % with 5 + 4 / L <= 6.25, so with L = 4. */
static void delays(void **state)
{
    (void)state;
    struct scale_machine m = machine();
    struct scale_load l = load();
    const struct scale_cut cut = {
        .ranks = 2, .threads = 1, .most = 32, .share = 0.5, .rank_neighbours = 1};
    m.network = (struct scale_network){.latency = 4e-6};
    l.looks_ahead = true;
    assert_int_equal(scale_delay(&m, &l, &cut, 0.8, 64), 4);
    assert_int_equal(scale_delay(&m, &l, &cut, 0.5, 64), 1);
    assert_int_equal(scale_delay(&m, &l, &cut, 0.8, 3), 0);
    assert_int_equal(scale_delay(&m, &l, &cut, 1, 64), 0);
    l.looks_ahead = false;
    assert_int_equal(scale_delay(&m, &l, &cut, 0.8, 64), 0);
}

static void locality(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    near(scale_work(&m, 16, 1, 0), 1e-6);
    near(scale_work(&m, 256, 1, 1), 2e-6);
    near(scale_work(&m, 1024, 1, 0), 1.5e-6); /* halfway from 256 to 4096 */
    near(scale_work(&m, 4096, 1, 0), 2e-6);
    near(scale_work(&m, 1e6, 1, 0), 2e-6);
}

/* A large network is faster in parts than its number: they fit the caches. */
static void superlinear(void **state)
{
    (void)state;
    struct scale_machine m = machine();
    struct scale_load l = load();
    l.nodes = 4096;
    m.threads[1].latency = 0;
    m.threads[1].byte = 0;
    m.threads[1].slowdown = 1;
    assert_true(predict(&m, &l, 1, 4).efficiency > 1.3);
}

/* The expected maximum of two is 1 / sqrt(pi), of 100 it is 2.508: Blom is within 5 %. */
static void largest(void **state)
{
    (void)state;
    near(scale_largest(1), 0);
    assert_true(fabs(scale_largest(2) / 0.5642 - 1) < 0.05);
    assert_true(fabs(scale_largest(100) / 2.5076 - 1) < 0.01);
    assert_true(scale_largest(4096) > scale_largest(1024));
}

/* All routers awake, so only words differ: their number has the variance train * words. */
static void waiting(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    struct scale_load l = load();
    l.awake = 64;
    l.words = 128;
    l.train = 3;
    near(predict(&m, &l, 1, 2).waiting, scale_largest(2) * 1e-6 * sqrt(3 * 128 / 2.0));
    l.train = 0;
    near(predict(&m, &l, 1, 2).waiting, 0);
}

/* The measured time of a cycle scales all work. */
static void anchor(void **state)
{
    (void)state;
    const struct scale_machine m = machine();
    struct scale_load l = load();
    l.measured = 2;
    near(predict(&m, &l, 1, 1).cycle, 20e-6);
    near(predict(&m, &l, 1, 2).work, 10e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("one part only works", one_part),
        TEST("two threads share the work and swap in every cycle", two_threads),
        TEST("bytes and busy neighbours slow threads down", four_threads),
        TEST("swaps of more threads than were measured grow by the logarithm", more_threads),
        TEST("words and credits that cross cost work on both sides", crossings),
        TEST("ranks pay for latency, messages, bytes and the fold", ranks),
        TEST("look-ahead divides the latency by the link delay", look_ahead),
        TEST("the least link delay that pays is found, or none", delays),
        TEST("locality is interpolated by the logarithm of the size", locality),
        TEST("parts that fit a cache are faster than their number", superlinear),
        TEST("the expected maximum of normal values", largest),
        TEST("parts wait for the largest fluctuation of words", waiting),
        TEST("the measured time of one part scales the model", anchor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
