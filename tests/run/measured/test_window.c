/* SPDX-License-Identifier: Apache-2.0 */
/* The window of an open-loop run on real routers: messages are created until those of the window
 * have arrived, latency is that of the window's packets, and a run passes only in a steady state.
 *
 * test_window SEEDS: of each row. */
#include <math.h>
#include <stdlib.h>

#include "rig.h"

struct row {
    const char *topology, *router;
    unsigned packet;
    const char *workload;
};

static struct trial try(struct rig *rig, const struct row *row, uint64_t cycles, uint64_t seed)
{
    rig_open(rig, &(struct ec_case_spec){.topology = row->topology,
                                         .router = row->router,
                                         .packet = row->packet,
                                         .longest = 16});
    const struct ec_run_options options = {
        .cycles = cycles, .warmup = 1000, .seed = seed, .keep_packets = true};
    struct trial trial = rig_run(rig, row->workload, &options);
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    return trial;
}

/* The numbers of a window, recomputed from its packets, each a message. */
static void check_window(const struct trial *trial, uint64_t from, uint64_t to)
{
    const struct ec_report *r = trial->report;
    uint64_t packets = 0, words = 0, sum = 0, max = 0, last = 0;
    uint64_t last_created = 0, last_injected = 0;
    for (uint64_t i = 0; i < r->packets; i++) {
        const struct ec_packet_log *p = &r->packets_log[i];
        if (p->created > last_created)
            last_created = p->created;
        if (p->injected > last_injected)
            last_injected = p->injected;
        if (p->created <= from || p->created > to)
            continue;
        const uint64_t latency = p->delivered - p->created + 1;
        packets++;
        words += p->words;
        sum += latency;
        max = latency > max ? latency : max;
        last = p->delivered > last ? p->delivered : last;
    }
    const double window = (double)(to - from) * trial->rig->t.nodes;
    if (r->steady == EC_STEADY_GROWS) {
        if (last_created > to)
            trial_fail(trial, "created in cycle %llu, after an unstable window",
                       (unsigned long long)last_created);
        trial_assert_equal(trial, "latency beyond saturation", r->packet_latency.max, 0);
        return;
    }
    trial_assert_equal(trial, "messages of the window", r->window_messages, packets);
    trial_assert_equal(trial, "messages missing", r->window_missing, 0);
    trial_assert_equal(trial, "largest latency", r->packet_latency.max, max);
    if (fabs(r->packet_latency.mean - (double)sum / (double)packets) > 1e-9 * (double)sum)
        trial_fail(trial, "mean latency %.6f, should be %.6f", r->packet_latency.mean,
                   (double)sum / (double)packets);
    if (fabs(r->offered * window - (double)words) > 0.5)
        trial_fail(trial, "offered %.6f, but %llu words were", r->offered,
                   (unsigned long long)words);
    /* Nothing is created once the last packet of the window has arrived, and until then the nodes
     * keep sending. */
    const double gap = (double)(to - from) / (double)packets;
    if (last_created > last || (double)last > (double)last_injected + 20 * gap + 50)
        trial_fail(trial, "sent until cycle %llu, but the window's packets arrived until %llu",
                   (unsigned long long)last_injected, (unsigned long long)last);
}

static unsigned seeds_of(void **state)
{
    return *(unsigned *)*state;
}

/* Up to 80 % of the load at which the network saturates: all pass, light loads in short windows,
 * too. */
static void stable_runs_pass(void **state)
{
    static const struct row rows[] = {
        {"mesh:8x8", "", 0, "uniform:rate=0.02,m=8"},
        {"mesh:8x8", "", 0, "uniform:rate=0.22,m=4"},
        {"mesh:8x8", "", 0, "transpose:rate=0.11"},
        {"mesh:4x4", "", 0, "hotspot:rate=0.15,m=4"},
        {"cube:3", "", 0, "uniform:rate=0.02,m=8"},
        {"cube:3", "", 0, "uniform:rate=0.5,m=8"},
        {"cube:6", "", 0, "uniform:rate=0.45,m=8"},
        {"cube:6", "", 0, "bitrev:rate=0.18,m=4"},
        {"cube:6", "", 0, "neighbor:rate=0.8,m=8"},
        {"cube:3", "ports=all", 0, "uniform:rate=0.8,m=1..4"},
        {"ring:8", "vcs=2", 0, "uniform:rate=0.33,m=4"},
        {"torus:4x4", "vcs=2", 0, "uniform:rate=0.3,m=1+8"},
        {"cube:4", "switching=cut-through,depth=8", 8, "uniform:rate=0.4,m=1..8"},
        {"cube:4", "switching=store-and-forward,depth=4", 4, "uniform:rate=0.3,m=4"},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (unsigned seed = 1; seed <= seeds_of(state); seed++) {
            struct trial trial = try(&rig, &rows[i], 10000, seed);
            trial_assert_passed(&trial);
            assert_int_equal(trial.report->steady, EC_STEADY_SHOWN);
            check_window(&trial, 1000, 11000);
            trial_close(&trial);
        }
    }
    rig_close(&rig);
}

/* Beyond saturation no window passes. */
static void no_overload_passes(void **state)
{
    static const struct row rows[] = {
        {"mesh:8x8", "", 0, "uniform:rate=0.3,m=4"},
        {"mesh:8x8", "", 0, "transpose:rate=0.16,m=4"},
        {"mesh:8x8", "", 0, "transpose:rate=0.16"},
        {"cube:3", "", 0, "uniform:rate=0.8,m=8"},
        {"ring:8", "vcs=2", 0, "uniform:rate=0.5,m=4"},
    };
    static const uint64_t windows[] = {3000, 10000, 40000, 160000};
    const size_t count = COUNT(windows) - (seeds_of(state) == 1) - (seeds_of(state) < 10);
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t k = 0; k < count; k++) {
            const unsigned seeds = windows[k] > 10000 ? 1 : seeds_of(state);
            for (unsigned seed = 1; seed <= seeds; seed++) {
                struct trial trial = try(&rig, &rows[i], windows[k], seed);
                if (trial.report->passed || trial.report->steady == EC_STEADY_SHOWN)
                    trial_fail(&trial, "passed beyond saturation");
                check_window(&trial, 1000, 1000 + windows[k]);
                trial_close(&trial);
            }
        }
    }
    rig_close(&rig);
}

static void clear_overload_is_unstable(void **state)
{
    static const struct row rows[] = {
        {"mesh:8x8", "", 0, "transpose:rate=0.3"},
        {"cube:3", "", 0, "uniform:rate=0.95,m=8"},
        {"torus:4x4", "vcs=2", 0, "uniform:rate=0.9,m=8"},
        {"mesh:8x8", "", 0, "hotspot:rate=0.2,m=4"},
        {"cube:3", "ports=all", 0, "uniform:rate=2.5,m=4"},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (unsigned seed = 1; seed <= seeds_of(state); seed++) {
            struct trial trial = try(&rig, &rows[i], 10000, seed);
            if (trial.report->steady != EC_STEADY_GROWS ||
                trial.report->checks[EC_CHECK_STABILITY].verdict != EC_VERDICT_FAIL)
                trial_fail(&trial, "not seen to grow");
            check_window(&trial, 1000, 11000);
            trial_close(&trial);
        }
    }
    rig_close(&rig);
}

/* Near saturation, in windows of any length, a stable network is never reported as growing. */
static void no_stable_run_is_unstable(void **state)
{
    static const struct row rows[] = {
        {"mesh:8x8", "", 0, "transpose:rate=0.14,m=4"},
        {"cube:3", "", 0, "uniform:rate=0.56,m=8"},
        {"cube:3", "", 0, "neighbor:rate=0.98,m=8"},
        {"ring:8", "vcs=2", 0, "uniform:rate=0.38,m=4"},
    };
    static const uint64_t windows[] = {1, 31, 300, 1000, 4000};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t k = 0; k < COUNT(windows); k++) {
            for (unsigned seed = 1; seed <= seeds_of(state); seed++) {
                struct trial trial = try(&rig, &rows[i], windows[k], seed);
                if (trial.report->steady == EC_STEADY_GROWS)
                    trial_fail(&trial, "seen to grow");
                trial_close(&trial);
            }
        }
    }
    rig_close(&rig);
}

/* Messages of the window queue behind those of a long warm-up: the wait for them is bounded. */
static void waiting_has_an_end(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "mesh:8x8", .longest = 16});
    const struct ec_run_options options = {.cycles = 8, .warmup = 100000, .seed = 1};
    struct trial trial = rig_run(&rig, "transpose:rate=0.9", &options);
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    const struct ec_report *r = trial.report;
    assert_int_equal(r->steady, EC_STEADY_TOO_SHORT);
    assert_int_equal(r->checks[EC_CHECK_STABILITY].verdict, EC_VERDICT_OPEN);
    assert_true(r->window_missing > 0 && r->window_missing <= r->window_messages);
    assert_int_equal(r->packet_latency.max, 0);
    assert_false(r->passed);
    /* As long again as until the window's end, 20000 cycles, and the drain. */
    assert_between(r->simulated_cycles, 220008, 230000);
    trial_close(&trial);
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        {"stable runs pass", stable_runs_pass, NULL, NULL, &seeds},
        {"no overload passes", no_overload_passes, NULL, NULL, &seeds},
        {"clear overload is unstable", clear_overload_is_unstable, NULL, NULL, &seeds},
        {"no stable run is unstable", no_stable_run_is_unstable, NULL, NULL, &seeds},
        TEST("waiting is bounded", waiting_has_an_end),
    };
    if (seeds == 0) {
        fprintf(stderr, "usage: %s SEEDS\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
