/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules of mixed GSH on real router RTL, by both disciplines: every element at its node and
 * slot, nothing contended, cycles as predicted. By steps the number of cycles is worked out here:
 * the steps of the theorems, each as long as the message of one element over one link (line.c). All
 * blocks on cubes of a range of dimensions (arguments: from, to, largest K, anything: samples of
 * larger ones), inverted dimensions and joined cycles by chance; the schedules of the figures. */
#include <stdlib.h>
#include <string.h>

#include "../schedule/mixed_case.h"
#include "ecube/schedule.h"
#include "line.h"
#include "rig.h"

static unsigned first_cube = 1, last_cube = 4;
static uint32_t most_elements = 16; /* of a node */
static bool sampled;                /* larger cubes, too */

static const struct {
    const char *switching;
    unsigned words, startup;
} modes[] = {
    {"switching=wormhole", 1, 0},
    {"switching=wormhole", 3, 7},
    {"switching=cut-through", 2, 0},
    {"switching=store-and-forward", 2, 1},
};

static const char *const algorithms[] = {"one-port",        "pipelined",   "align",
                                         "concurrent",      "parity",      "aapc",
                                         "aapc-concurrent", "aapc-parity", "lockstep"};

static void play(struct rig *rig, const struct ec_schedule *s, const struct ec_workload *of,
                 enum ec_sync sync, size_t mode)
{
    struct trial trial = {.rig = rig,
                          .options = {.seed = 1, .startup = modes[mode].startup, .schedule = s}};
    struct ec_error error;

    if (ec_schedule_workload(s, of, sync, 0, &trial.w, &error) ||
        ec_audit_open(&rig->t, &rig->r, trial.w, true, &trial.audit, &error) ||
        ec_run(rig->net, trial.w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s, %s: %s", of->text, s->algorithm, error.message);
    const struct ec_report *r = trial.report;
    const uint64_t by_steps =
        s->steps * line_time(&rig->r, 1, modes[mode].words, modes[mode].startup);
    trial_assert_passed(&trial);
    /* By data, one port per node: elements of several nodes may come to one at once. */
    if (s->all_ports || sync == EC_SYNC_STEP || r->has_prediction) {
        trial_assert_equal(&trial, "has a prediction", r->has_prediction, true);
        trial_assert_equal(&trial, "cycles, as predicted", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
    }
    trial_assert_equal(&trial, "longest path", r->max_hops, 1);
    if (sync == EC_SYNC_STEP)
        trial_assert_equal(&trial, "cycles, steps times one link", r->cycles, by_steps);
    else if (r->has_prediction && r->cycles > by_steps)
        trial_fail(&trial, "%s: slower by data than by steps", s->algorithm);
    trial_close(&trial);
}

/* Both disciplines; cases that the algorithm rejects are skipped and counted. UINT32_MAX: any
 * number of steps. */
static bool played(struct rig *rig, const char *text, const char *algorithm, uint32_t steps,
                   size_t mode)
{
    char workload[300], router[64], topology[16];
    const bool one_port = strcmp(algorithm, "one-port") == 0;
    struct ec_workload *w;
    struct ec_schedule *s;
    struct ec_error error;

    snprintf(topology, sizeof topology, "cube:%u", rig->t.dims);
    snprintf(workload, sizeof workload, "%s,m=%u", text, modes[mode].words);
    snprintf(router, sizeof router, "vcs=1,depth=4,ports=%s,%s", one_port ? "one" : "all",
             modes[mode].switching);
    rig_open(rig, &(struct ec_case_spec){
                      .topology = topology, .router = router, .longest = modes[mode].words});
    if (ec_workload_open(workload, &rig->t, 1, &w, &error))
        fail_msg("%s", error.message);
    const enum ec_code code = ec_schedule_open(&rig->t, w, algorithm, &s, &error);
    if (code != EC_OK && code != EC_USAGE)
        fail_msg("%s: %s", workload, error.message);
    if (code == EC_OK) {
        if (steps != UINT32_MAX && s->steps != steps)
            fail_msg("%s, %s: %u steps, expected %u", text, algorithm, s->steps, steps);
        play(rig, s, w, EC_SYNC_STEP, mode);
        play(rig, s, w, EC_SYNC_DATA, mode);
        ec_schedule_close(s);
    }
    ec_workload_close(w);
    return code == EC_OK;
}

static void open_cube(struct rig *rig, unsigned dims)
{
    char topology[16];

    snprintf(topology, sizeof topology, "cube:%u", dims);
    rig_open(rig,
             &(struct ec_case_spec){.topology = topology, .router = "vcs=1,depth=4,ports=all"});
}

/* The steps by a theorem, if one applies. */
static uint32_t theorem(const struct blocks *b, const char *algorithm)
{
    const uint32_t rows = b->per_node / 2;

    if (strcmp(algorithm, "one-port") == 0)
        return rows * blocks_order(b);
    if (strcmp(algorithm, "parity") == 0)
        return parity_steps(b);
    if (b->count == 1 && strcmp(algorithm, "concurrent") == 0)
        return theorem_1(b->order[0], b->per_node);
    if (strcmp(algorithm, "lockstep") == 0)
        return blocks_order(b);
    if (rows >= blocks_order(b) && strcmp(algorithm, "pipelined") == 0)
        return rows + blocks_longest(b) - 1;
    return UINT32_MAX;
}

/* All blocks in every order: bit i of `cuts` ends one after i + 1 dimensions. */
static struct blocks cut(unsigned dims, unsigned cuts, uint32_t per_node)
{
    struct blocks b = {.per_node = per_node};

    for (unsigned i = 0; i < dims; i++) {
        b.order[b.count]++;
        b.count += (cuts >> i & 1) || i + 1 == dims;
    }
    return b;
}

static void every_schedule(NO_STATE)
{
    struct rig rig = {0};
    unsigned runs[COUNT(algorithms)] = {0}, cases = 0;

    for (unsigned dims = first_cube; dims <= last_cube; dims++) {
        open_cube(&rig, dims);
        for (uint32_t k = 2; k <= most_elements; k *= 2) {
            for (unsigned cuts = 0; cuts < 1U << (dims - 1); cuts++, cases++) {
                char text[256];
                if ((unsigned)__builtin_popcount(cuts) >= BLOCKS_MAX ||
                    UINT32_C(2) << __builtin_popcount(cuts) > k)
                    continue;
                const struct blocks b = cut(dims, cuts, k);
                blocks_workload(&b, cases, text, sizeof text);
                for (size_t i = 0; i < COUNT(algorithms); i++)
                    runs[i] += played(&rig, text, algorithms[i], theorem(&b, algorithms[i]),
                                      (cases + i) % COUNT(modes));
            }
        }
    }
    for (size_t i = 0; i < COUNT(algorithms); i++) {
        if (runs[i] == 0)
            fail_msg("%s: never done", algorithms[i]);
    }
    rig_close(&rig);
}

/* Blocks drawn at random on larger cubes, by all algorithms but the slow ones. */
static void some_of_large_cubes(NO_STATE)
{
    struct rig rig = {0};
    uint64_t random = 10;

    for (unsigned i = 0; sampled && i < 40; i++) {
        const unsigned dims = 7 + i % 4;
        const uint32_t cuts = drawn(&random, 1U << (dims - 1)) & drawn(&random, 1U << (dims - 1));
        char text[256];
        if ((unsigned)__builtin_popcount(cuts) >= 4)
            continue;
        const struct blocks b = cut(dims, cuts, 16U << drawn(&random, dims == 7 ? 3 : 2));
        blocks_workload(&b, 1 + i, text, sizeof text);
        open_cube(&rig, dims);
        for (size_t j = 1; j < COUNT(algorithms); j++)
            played(&rig, text, algorithms[j], theorem(&b, algorithms[j]), (i + j) % COUNT(modes));
    }
    rig_close(&rig);
}

/* K/2 + 1 steps, of which each takes the cycles of one element over one link: sigma_r = 4, K = 16,
 * words of one cycle; and with two blocks. */
static void half_of_k_and_one(NO_STATE)
{
    struct rig rig = {0};

    open_cube(&rig, 4);
    assert_true(played(&rig, "gsh:cycle=7-6-5-4-0,K=16", "parity", 9, 0));
    assert_true(played(&rig, "gsh:cycle=7-6-5-4-0,K=16", "concurrent", 10, 0));
    assert_true(played(&rig, "gsh:cycle=7-6-5-4-0,K=16", "pipelined", 11, 0));
    assert_true(played(&rig, "gsh:cycle=7-6-0+5-4-1,K=16", "parity", 9, 1));
    assert_true(played(&rig, "gsh:cycle=7-6-5-0+4-1,K=16", "parity", 9, 2));
    rig_close(&rig);
}

/* Figures 2 and 5: K = 8 and 18. */
static void figures(NO_STATE)
{
    struct rig rig = {0};

    open_cube(&rig, 3);
    assert_true(played(&rig, "gsh:cycle=5-4-3-0,K=8", "pipelined", 6, 0));
    assert_true(played(&rig, "gsh:cycle=3-2-1-0,K=2", "align", 3, 1));
    open_cube(&rig, 6);
    assert_true(played(&rig, "gsh:cycle=10-9-8-7-6-5-0,K=18", "concurrent", 11, 0));
    assert_true(played(&rig, "gsh:cycle=10-9-8-7-6-5-0,K=18", "parity", 10, 3));
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("every schedule of mixed GSH, by steps and by data, as predicted", every_schedule),
        TEST("some on cubes of 7 to 10 dimensions", some_of_large_cubes),
        TEST("K/2 + 1 exchanges are seen", half_of_k_and_one),
        TEST("the schedules of Figures 2, 4 and 5 run as drawn", figures),
    };
    if (argc > 3) {
        first_cube = (unsigned)strtoul(argv[1], NULL, 10);
        last_cube = (unsigned)strtoul(argv[2], NULL, 10);
        most_elements = (uint32_t)strtoul(argv[3], NULL, 10);
        sampled = argc > 4;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
