/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of a point on real routers. On a cube each node sends to the opposite one by a
 * path of its own, so its source is a queue with Bernoulli arrivals and fixed service (Geo/D/1),
 * and the mean latency is known: the wait, p m (m - 1) / (2 (1 - p m)), and m + h + 1 cycles with h
 * = 3 (docs/TIMING.md).
 *
 * test_measurement SEEDS: of each load. */
#include <math.h>
#include <stdlib.h>

#include "rig.h"

enum { WORDS = 4, HOPS = 3 };

static double mean_of(double load)
{
    return WORDS + HOPS + 1 + load * (WORDS - 1) / (2 * (1 - load));
}

static struct trial try(struct rig *rig, const char *workload, const struct ec_precision *precision,
                        uint64_t seed)
{
    const struct ec_run_options options = {.precision = precision, .seed = seed};
    struct trial trial = rig_run(rig, workload, &options);
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    return trial;
}

static void intervals_contain_the_truth(void **state)
{
    static const double loads[] = {0.3, 0.5, 0.7, 0.85};
    const unsigned seeds = *(unsigned *)*state;
    const struct ec_precision precision = {.relative = seeds < 50 ? 0.05 : 0.02,
                                           .limit = UINT64_C(1) << 26};
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "cube:3", .longest = WORDS});
    for (size_t i = 0; i < COUNT(loads); i++) {
        char workload[64];
        unsigned inside = 0;
        snprintf(workload, sizeof workload, "neighbor:rate=%g,m=%d", loads[i], WORDS);
        for (unsigned seed = 1; seed <= seeds; seed++) {
            struct trial trial = try(&rig, workload, &precision, seed);
            const struct ec_measurement *m = &trial.report->measurement;
            trial_assert_passed(&trial);
            assert_int_equal(m->state, EC_MEASURED_STEADY);
            const double errors = 1.96 * fabs(m->latency - mean_of(loads[i])) / m->latency_half;
            inside += errors <= 1.96;
            if (errors > 4.5)
                trial_fail(&trial, "mean latency %.3f +- %.3f, should be %.3f", m->latency,
                           m->latency_half, mean_of(loads[i]));
            trial_close(&trial);
        }
        print_message("load %.2f: %u of %u intervals contain the mean\n", loads[i], inside, seeds);
        /* Three standard errors of a share of 95 %. */
        assert_true(inside >= 0.95 * seeds - 3 * sqrt(0.95 * 0.05 * seeds));
    }
    rig_close(&rig);
}

/* Beyond saturation the accepted load has an interval, and latency is not measured. */
static void beyond_saturation_there_is_no_latency(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"mesh:8x8", "", "transpose:rate=0.3"},
        {"cube:3", "", "uniform:rate=0.95,m=8"},
        {"torus:4x4", "vcs=2", "uniform:rate=0.9,m=8"},
        {"cube:3", "ports=all", "uniform:rate=2.5,m=4"},
    };
    const struct ec_precision precision = {.relative = 0.05, .limit = 100000};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_open(&rig, &(struct ec_case_spec){
                           .topology = rows[i][0], .router = rows[i][1], .longest = 16});
        struct trial trial = try(&rig, rows[i][2], &precision, 1);
        const struct ec_report *r = trial.report;
        assert_int_equal(r->measurement.state, EC_MEASURED_SATURATED);
        assert_int_equal(r->steady, EC_STEADY_GROWS);
        assert_int_equal(r->checks[EC_CHECK_STABILITY].verdict, EC_VERDICT_FAIL);
        assert_false(r->measurement.has_latency);
        assert_int_equal(r->packet_latency.max, 0);
        assert_true(r->accepted > 0 && r->accepted < r->offered);
        assert_true(r->measurement.accepted_half <= 0.05 * r->accepted);
        assert_true(r->measurement.has_share && r->measurement.least_share < 1);
        trial_close(&trial);
    }
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        {"intervals contain the true value", intervals_contain_the_truth, NULL, NULL, &seeds},
        TEST("beyond saturation there is no latency", beyond_saturation_there_is_no_latency),
    };
    if (seeds == 0) {
        fprintf(stderr, "usage: %s SEEDS\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests_name("measurement", tests, NULL, NULL);
}
