/* SPDX-License-Identifier: Apache-2.0 */
/* Tori and meshes of unequal radices in two and three dimensions, offered more random traffic than
 * they can take, of one-word and long messages, while nodes stall at random: nothing is lost,
 * nothing deadlocks, and the nodes stall at the requested rate.
 *
 * test_saturated CYCLES: of the measured window. */
#include <math.h>
#include <stdlib.h>

#include "rig.h"

#define STALL 0.3

struct row {
    const char *topology, *router;
    unsigned packet;
    const char *workload;
};

static const struct row rows[] = {
    {"torus:5x3", "vcs=2", 0, "uniform:rate=0.9,m=1+16"},
    {"torus:2x3x4", "vcs=2", 0, "uniform:rate=0.9,m=1+16"},
    {"mesh:3x5", "vcs=1", 0, "uniform:rate=0.9,m=1+16"},
    {"mesh:4x2x3", "vcs=2,order=high", 0, "uniform:rate=0.9,m=1+16"},
};

/* Further kinds, in the short run only. */
static const struct row more_rows[] = {
    {"torus:4x4", "vcs=4", 0, "uniform:rate=0.9,m=1+16"},
    {"torus:4x4", "vcs=2,ports=all", 0, "uniform:rate=2.5,m=1+16"},
    {"torus:16x2", "vcs=2,order=high", 0, "uniform:rate=0.9,m=1..40"},
    {"torus:3x3", "vcs=1", 0, "uniform:rate=0.9,m=1+16"}, /* radix 3 needs no datelines */
    {"torus:5x3", "vcs=2,depth=1", 0, "uniform:rate=0.9,m=1+16"},
    {"torus:5x3", "vcs=2,switching=cut-through", 4, "uniform:rate=0.9,m=1+16"},
    {"torus:5x3", "vcs=2,switching=store-and-forward", 4, "uniform:rate=0.9,m=1+16"},
    {"torus:2x3x4", "vcs=2,depth=2", 3, "hotspot:rate=0.9,m=1+16,share=0.3"},
    {"mesh:4x4", "vcs=4", 5, "transpose:rate=0.9,m=1+16"},
    {"ring:9", "vcs=2", 0, "tornado:rate=0.9,m=1+16"},
    {"cube:6", "ports=all", 0, "uniform:rate=4,m=1+16"},
    {"cube:5", "", 0, "bitrev:rate=0.9,m=1+16"},
};

static uint64_t sum(const uint64_t *values, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

static void check_row(struct rig *rig, const struct row *row, uint64_t cycles, double stall)
{
    rig_open(rig, &(struct ec_case_spec){.topology = row->topology,
                                         .router = row->router,
                                         .packet = row->packet,
                                         .longest = 40});
    const struct ec_run_options options = {
        .cycles = cycles, .warmup = 500, .seed = 11, .eject_stall = stall};
    struct trial trial = rig_run(rig, row->workload, &options);
    const struct ec_report *r = trial.report;
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    /* Each word that was injected was ejected, after the number of hops of its path. */
    const size_t nodes = rig->t.nodes;
    uint64_t ejected = 0;
    for (size_t node = 0; node < nodes; node++)
        ejected += sum(r->flits + node * r->ports + r->ports - r->locals, r->locals);
    trial_assert_equal(&trial, "words ejected", ejected, r->words);
    trial_assert_equal(&trial, "words injected", sum(r->injected, nodes * r->locals), r->words);
    if (r->accepted < 0.01 || r->words < cycles)
        trial_fail(&trial, "hardly any traffic: %.4f accepted", r->accepted);
    /* Within one percent of the requested rate, and within five standard deviations. */
    const double error = fabs(r->eject_stalled - stall);
    const double chance = 5 * sqrt(stall * (1 - stall) / (double)r->eject_waiting);
    if (stall > 0 && (error > chance || (error > 0.01 * stall && cycles >= 100000)))
        trial_fail(&trial, "stalled in %.5f of %llu port-cycles, asked for %.2f", r->eject_stalled,
                   (unsigned long long)r->eject_waiting, stall);
    trial_close(&trial);
}

static void saturated_networks_lose_nothing(void **state)
{
    const uint64_t *cycles = *state;
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++)
        check_row(&rig, &rows[i], *cycles, STALL);
    rig_close(&rig);
}

static void many_kinds_lose_nothing(void **state)
{
    const uint64_t *cycles = *state;
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(more_rows); i++) {
        check_row(&rig, &more_rows[i], *cycles / 8, STALL);
        check_row(&rig, &more_rows[i], *cycles / 8, 0);
    }
    rig_close(&rig);
}

/* At low load all offered traffic is accepted; with nodes that stall 9 cycles of 10 it is still
 * delivered. */
static void stalls_are_as_asked_for(NO_STATE)
{
    static const double stalls[] = {0.01, 0.5, 0.9};
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "mesh:3x5", .longest = 16});
    for (size_t i = 0; i < COUNT(stalls); i++) {
        const struct ec_run_options options = {
            .cycles = 20000, .warmup = 500, .seed = 2, .eject_stall = stalls[i]};
        struct trial trial = rig_run(&rig, "uniform:rate=0.03,m=1+16", &options);
        const struct ec_report *r = trial.report;
        trial_assert_passed(&trial);
        const double chance = 5 * sqrt(stalls[i] * (1 - stalls[i]) / (double)r->eject_waiting);
        if (fabs(r->eject_stalled - stalls[i]) > chance)
            trial_fail(&trial, "stalled in %.5f of the port-cycles", r->eject_stalled);
        trial_close(&trial);
    }
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    uint64_t cycles = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        {"saturated tori and meshes lose nothing and do not deadlock",
         saturated_networks_lose_nothing, NULL, NULL, &cycles},
        {"nor do those with other routers and traffic", many_kinds_lose_nothing, NULL, NULL,
         &cycles},
        TEST("nodes stall at the requested rate", stalls_are_as_asked_for),
    };
    const struct CMUnitTest long_tests[] = {tests[0]};
    if (cycles == 0) {
        fprintf(stderr, "usage: %s CYCLES\n", argv[0]);
        return 2;
    }
    return cycles >= 1000000 ? cmocka_run_group_tests_name("saturated", long_tests, NULL, NULL)
                             : cmocka_run_group_tests_name("saturated", tests, NULL, NULL);
}
