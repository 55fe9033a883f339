/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a router that is tried alone. */
#include "trial/bench.h"
#include "unit.h"

enum {
    CYCLES = 200000, /* some ten thousand packets: random numbers of 14 bits would repeat */
    AT_ONCE = 64,    /* packets that a router and its queues hold */
};

static const struct bench_traffic traffic = {
    .send = 128, .pause = 16, .credits = BENCH_AT_ONCE, .port = BENCH_ANY, .vc = BENCH_ANY};

/* The bench of a node of a network, with a router that gives each credit back at once. */
struct trial_of {
    struct ec_topology t;
    struct ec_router r;
    struct bench bench;
};

static void open_bench(struct trial_of *o, const char *network, const char *router, uint32_t node)
{
    o->t = topology_of(network);
    o->r = router_of(router, &o->t);
    const struct ec_tile_shape shape = {.dims = o->t.dims,
                                        .links_per_dim = o->t.links_per_dim,
                                        .locals = ec_router_locals(&o->r, &o->t),
                                        .vcs = o->r.vcs,
                                        .depth_max = 4};
    assert_true(bench_open(&o->bench, &o->t, &o->r, &shape, node, EC_NONE, 1));
}

/* The next inputs; each word leaves at once, or is swallowed. */
static void step(struct trial_of *o, bool swallows, struct ec_tile_io *io)
{
    struct bench *b = &o->bench;
    bench_drive(b, &traffic, io);
    for (unsigned vc = 0; vc < b->vcs; vc++)
        io->out_credit[vc] = 0;
    for (uint64_t left = io->in_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        io->out_credit[ec_word_vc(io->in_word[port], b->vcs)] |= UINT64_C(1) << port;
    }
    for (unsigned port = 0; port < b->ports; port++)
        io->out_word[port] = io->in_word[port];
    io->out_valid[0] = swallows ? 0 : io->in_valid[0];
    bench_take(b, io);
}

/* Words of two packets may be equal but for the field vc only if one packet came long before. */
static void numbers(void **state)
{
    static const char *const cases[][2] = {{"mesh:2", "vcs=2"},
                                           {"mesh:3x3", "vcs=4"},
                                           {"torus:4x4", "vcs=2"},
                                           {"mesh:2", "vcs=2,va=dynamic"},
                                           {"cube:3", "vcs=4,va=dynamic"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trial_of o;
        struct ec_tile_io io = {0};
        uint64_t last[AT_ONCE] = {0};
        size_t heads = 0;
        open_bench(&o, cases[i][0], cases[i][1], 0);
        ec_tile_io_inputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
        ec_tile_io_outputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            step(&o, false, &io);
            for (unsigned port = 0; port < o.bench.ports; port++) {
                const uint64_t word = io.in_word[port];
                if (!ec_word_head(word))
                    continue;
                const uint64_t id = 1 + ec_word_number(&o.bench.layout, word);
                for (size_t k = 0; k < AT_ONCE; k++)
                    if (last[k] == id)
                        fail_msg("%s %s: packet %zu has the number of one of the %d before",
                                 cases[i][0], cases[i][1], heads, AT_ONCE);
                last[heads++ % AT_ONCE] = id;
            }
        }
        assert_between(heads, 10000, SIZE_MAX);
        bench_close(&o.bench);
    }
}

/* A bit of a buffer that is stuck shows only if words with both values come there. */
static void bits(void **state)
{
    struct trial_of o;
    struct ec_tile_io io = {0};
    uint64_t ones[8][2] = {{0}}, zeros[8][2] = {{0}};
    (void)state;
    open_bench(&o, "mesh:3x3", "vcs=2", 4);
    assert_between(o.bench.ports, 1, 8);
    ec_tile_io_inputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
    ec_tile_io_outputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
    for (unsigned cycle = 0; cycle < 2000; cycle++) {
        step(&o, false, &io);
        for (unsigned port = 0; port < o.bench.ports; port++) {
            const uint64_t word = io.in_word[port];
            const unsigned vc = ec_word_vc(word, 2);
            ones[port][vc] |= word;
            zeros[port][vc] |= word ? ~word : 0;
        }
    }
    for (unsigned port = 0; port < o.bench.ports; port++)
        for (unsigned vc = 0; vc < 2; vc++)
            assert_int_equal(ones[port][vc] & zeros[port][vc] & ((1U << 27) - 1), (1U << 27) - 1);
    bench_close(&o.bench);
}

/* Otherwise no scenario that waits for the end of all motion would end. */
static void swallowed(void **state)
{
    struct trial_of o;
    struct ec_tile_io io = {0};
    uint64_t words[2] = {0};
    (void)state;
    open_bench(&o, "mesh:3x3", "vcs=2", 4);
    ec_tile_io_inputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
    ec_tile_io_outputs(&o.bench.arrays, &io, 1, o.bench.ports, o.bench.vcs);
    for (unsigned cycle = 0; cycle < 6000; cycle++) {
        step(&o, true, &io);
        words[cycle / 3000] += (uint64_t)__builtin_popcountll(io.in_valid[0]);
    }
    assert_between(words[0], 10 * 64, 3000);
    assert_int_equal(words[1], 0);
    bench_close(&o.bench);
}

/* A comparison that ignores a bit of a coordinate goes wrong only if just that bit differs. */
static void near(void **state)
{
    enum { NODE = 12345, RADIX = 30000, HALF = NODE + RADIX / 2 };
    struct trial_of o;
    uint32_t bits = 0, half = 0;
    (void)state;
    open_bench(&o, "ring:30000", "vcs=2", NODE);
    for (unsigned port = 0; port < o.bench.ports; port++)
        for (size_t k = 0; k < o.bench.ways[port].count; k++) {
            const uint32_t dst = (uint32_t)o.bench.ways[port].at[k].dst, other = dst ^ NODE;
            bits |= __builtin_popcount(other) == 1 ? other : 0;
            half += dst == HALF;
        }
    assert_int_equal(bits, (1U << 15) - 1);
    assert_true(half > 0);
    bench_close(&o.bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("packets that are in a router at once have different numbers", numbers),
        TEST("a router that swallows words is offered no more of them", swallowed),
        TEST("each bit of the data is 0 and 1 on each input VC", bits),
        TEST("some destinations differ from the node in one bit, or by half a ring", near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
