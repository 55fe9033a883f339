/* SPDX-License-Identifier: Apache-2.0 */
/* Every circular q-shift with plain labels on a cube, routed by E-cube: no two messages meet, and
 * hops and cycles are those of the rules, in every mode. The expected numbers are computed here
 * from addresses and in line.c; the library's own prediction is compared with them too.
 *
 * test_shift FIRST LAST one|all: the cubes of FIRST to LAST dimensions with such local ports.
 * test_shift sampled: some q on the 12-cube. */
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "rig.h"

struct mode {
    const char *router;
    unsigned packet;  /* as --packet */
    unsigned startup; /* as --startup */
};

/* Each switching mode at a depth that gives full rate and at one that does not. */
static const struct mode modes[] = {
    {"switching=wormhole,depth=4", 0, 0},          {"switching=wormhole,depth=1", 0, 0},
    {"switching=cut-through,depth=4", 3, 0},       {"switching=cut-through,depth=4", 4, 0},
    {"switching=store-and-forward,depth=4", 2, 0}, {"switching=store-and-forward,depth=4", 4, 0},
};

/* More of everything, for cubes on which it costs nothing. */
static const struct mode more_modes[] = {
    {"switching=wormhole,depth=2", 0, 0},          {"switching=wormhole,depth=3", 0, 5},
    {"switching=wormhole,depth=4", 1, 0},          {"switching=wormhole,depth=2", 3, 1},
    {"switching=wormhole,depth=1", 2, 0},          {"switching=wormhole,depth=1", 2, 1},
    {"switching=wormhole,depth=1", 3, 2},          {"switching=cut-through,depth=1", 1, 0},
    {"switching=cut-through,depth=2", 1, 2},       {"switching=cut-through,depth=2", 2, 1},
    {"switching=cut-through,depth=3", 3, 2},       {"switching=cut-through,depth=4", 2, 7},
    {"switching=store-and-forward,depth=1", 1, 0}, {"switching=store-and-forward,depth=3", 2, 0},
    {"switching=store-and-forward,depth=3", 2, 1}, {"switching=store-and-forward,depth=3", 3, 3},
    {"switching=store-and-forward,depth=4", 1, 2}, {"switching=store-and-forward,depth=4", 3, 0},
    {"switching=store-and-forward,depth=4", 4, 9},
};
#define MORE_MODES_UP_TO 4 /* dimensions */

static const unsigned lengths[] = {1, 2, 7, 64};
static const char *const orders[] = {"low", "high"};

struct range {
    unsigned first, last;
    const char *ports;
};

static void check_shift(struct rig *rig, unsigned q, unsigned m, unsigned startup,
                        const uint64_t *time_of_hops)
{
    const uint32_t nodes = rig->t.nodes;
    uint64_t hops = 0, slowest = 0;
    unsigned longest = 0;
    for (uint32_t i = 0; i < nodes; i++) { /* a path crosses each differing address bit once */
        const unsigned h = (unsigned)__builtin_popcount(i ^ ((i + q) & (nodes - 1)));
        hops += h;
        longest = h > longest ? h : longest;
        slowest = time_of_hops[h] > slowest ? time_of_hops[h] : slowest;
    }
    char workload[64];
    snprintf(workload, sizeof workload, "shift:q=%u,m=%u", q, m);
    const struct ec_run_options options = {.seed = 1, .startup = startup};
    struct trial trial = rig_run(rig, workload, &options);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
    trial_assert_equal(&trial, "longest path", r->max_hops, longest);
    trial_assert_equal(&trial, "longest path", r->max_hops,
                       rig->t.dims - (unsigned)__builtin_ctz(q)); /* d - gamma(q) */
    trial_assert_equal(&trial, "flit-hops", r->flit_hops, hops * m);
    trial_assert_equal(&trial, "words", r->words, (uint64_t)nodes * m);
    trial_assert_equal(&trial, "cycles", r->cycles, slowest);
    assert_true(r->has_prediction);
    trial_assert_equal(&trial, "predicted cycles", r->predicted_cycles, slowest);
    trial_close(&trial);
}

static void open_mode(struct rig *rig, unsigned dims, const char *ports, const char *order,
                      const struct mode *mode, unsigned m, uint64_t *ret_time_of_hops)
{
    char topology[16], router[128];
    snprintf(topology, sizeof topology, "cube:%u", dims);
    snprintf(router, sizeof router, "%s,order=%s,ports=%s", mode->router, order, ports);
    rig_open(rig,
             &(struct ec_case_spec){
                 .topology = topology, .router = router, .packet = mode->packet, .longest = m});
    ret_time_of_hops[0] = 0;
    for (unsigned h = 1; h <= dims; h++)
        ret_time_of_hops[h] = line_time(&rig->r, h, m, mode->startup);
}

static void check_cube(struct rig *rig, unsigned dims, const char *ports, const struct mode *table,
                       size_t count)
{
    uint64_t time_of_hops[LINE_HOPS_MAX];
    for (size_t mode = 0; mode < count; mode++) {
        for (size_t order = 0; order < COUNT(orders); order++) {
            for (size_t length = 0; length < COUNT(lengths); length++) {
                const unsigned m = lengths[length];
                open_mode(rig, dims, ports, orders[order], &table[mode], m, time_of_hops);
                for (unsigned q = 1; q < 1u << dims; q++)
                    check_shift(rig, q, m, table[mode].startup, time_of_hops);
            }
        }
    }
}

static void every_shift(void **state)
{
    const struct range *range = *state;
    struct rig rig = {0};
    for (unsigned dims = range->first; dims <= range->last; dims++) {
        check_cube(&rig, dims, range->ports, modes, COUNT(modes));
        if (dims <= MORE_MODES_UP_TO)
            check_cube(&rig, dims, range->ports, more_modes, COUNT(more_modes));
    }
    rig_close(&rig);
}

static void sampled_shifts(NO_STATE)
{
    static const unsigned samples[] = {1, 2, 3, 1024, 1365, 2047, 2048, 2730, 4095};
    struct rig rig = {0};
    uint64_t time_of_hops[LINE_HOPS_MAX];
    for (size_t mode = 0; mode < COUNT(modes); mode += 2) {
        for (size_t order = 0; order < COUNT(orders); order++) {
            open_mode(&rig, 12, "one", orders[order], &modes[mode], 7, time_of_hops);
            for (size_t i = 0; i < COUNT(samples); i++)
                check_shift(&rig, samples[i], 7, modes[mode].startup, time_of_hops);
        }
    }
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    struct range range = {0};
    struct CMUnitTest test = {"every shift on a cube: no contention, hops and cycles as computed",
                              every_shift, NULL, NULL, &range};
    if (argc == 2 && strcmp(argv[1], "sampled") == 0) {
        test.name = "sampled shifts on the 12-cube: no contention, hops and cycles as computed";
        test.test_func = sampled_shifts;
    } else if (argc == 4) {
        range = (struct range){(unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]), argv[3]};
    } else {
        fprintf(stderr, "usage: %s FIRST LAST one|all, or %s sampled\n", argv[0], argv[0]);
        return 2;
    }
    const struct CMUnitTest tests[] = {test};
    return cmocka_run_group_tests_name("shifts", tests, NULL, NULL);
}
