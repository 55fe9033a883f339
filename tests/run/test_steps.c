/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules of circular shifts on real router RTL, by both disciplines: every element at its
 * target, nothing contended, cycles as predicted. Every q up to the 6-cube and the 8x8 torus, some
 * on networks up to the 11-cube and the 16x16 torus. By steps the expected number is computed here:
 * the steps of the schedule, each as long as one message over one link (line.c). By data there is a
 * prediction, and no contention, unless elements that rest in a step run ahead of those that do
 * not, into their way: that two schedules do so is checked too. The others take as long by data as
 * by steps. Tori of unequal radices and of three dimensions: every q of some. */
#include "ecube/schedule.h"
#include "line.h"
#include "rig.h"

struct algorithm {
    const char *name;
    bool runs_ahead; /* by data, some elements get into the way of others */
};

struct family {
    const char *kind, *labels, *router;
    uint32_t first, last; /* sizes of which every q is tried */
    uint32_t largest;     /* some q */
    const struct algorithm *algorithms;
};

static const struct algorithm ring[] = {{"ring", false}, {NULL, false}};
static const struct algorithm line[] = {{"line", false}, {NULL, false}};
static const struct algorithm torus[] = {
    {"compensate-each-row", true}, /* of squares only; the others follow */
    {"forward", false},
    {"plain", false},
    {"merged", false},
    {"per-column", false},
    {NULL, false},
};
static const struct algorithm gray[] = {
    {"gray-forward:order=A", false}, {"gray-forward:order=B", false},
    {"gray-forward:order=C", false}, {"gray-signed:order=A", false},
    {"gray-signed:order=B", false},  {"gray-signed:order=C", false},
    {"gohil-cube", false},           {NULL, false},
};
static const struct algorithm ecube[] = {
    {"ecube-steps:order=low", false}, {"ecube-steps:order=high", true}, {NULL, false}};

static const struct family families[] = {
    {"ring", "", "vcs=2", 2, 12, 64, ring},  {"mesh", "", "vcs=2,ports=all", 2, 12, 33, line},
    {"torus", "", "vcs=2", 2, 8, 16, torus}, {"cube", ",labels=gray", "vcs=1", 1, 6, 11, gray},
    {"cube", "", "vcs=1", 1, 6, 11, ecube},
};

static const struct {
    const char *switching;
    unsigned words, startup;
} modes[] = {
    {"switching=wormhole", 1, 0},
    {"switching=wormhole", 7, 3},
    {"switching=cut-through", 4, 0},
    {"switching=store-and-forward", 2, 5},
};

/* One schedule by one discipline; true if there was a prediction. */
static bool play(struct rig *rig, const struct ec_schedule *s, const struct ec_workload *of,
                 enum ec_sync sync, unsigned words, unsigned startup, bool runs_ahead)
{
    struct trial trial = {.rig = rig, .options = {.seed = 1, .startup = startup, .schedule = s}};
    struct ec_error error;

    if (ec_schedule_workload(s, of, sync, 0, &trial.w, &error) ||
        ec_audit_open(&rig->t, &rig->r, trial.w, true, &trial.audit, &error) ||
        ec_run(rig->net, trial.w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s, %s: %s", of->text, s->algorithm, error.message);
    const struct ec_report *r = trial.report;
    const uint64_t by_steps = s->steps * line_time(&rig->r, 1, words, startup);
    const bool predicted = r->has_prediction;
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "flit-hops", r->flit_hops, (uint64_t)s->transfer_count * words);
    trial_assert_equal(&trial, "longest path", r->max_hops, 1);
    if (predicted) {
        trial_assert_equal(&trial, "cycles, as predicted", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
        if (r->cycles > by_steps)
            trial_fail(&trial, "%s: slower by data than by steps", s->algorithm);
    } else if (r->contended_cycles == 0) {
        trial_fail(&trial, "%s: nothing contended, yet no prediction", s->algorithm);
    }
    if (sync == EC_SYNC_STEP || !runs_ahead || s->transfer_count == (size_t)s->steps * s->nodes)
        trial_assert_equal(&trial, "cycles, steps times one link", r->cycles, by_steps);
    trial_close(&trial);
    return predicted;
}

/* By all algorithms and both disciplines; counts schedules without a prediction by data. */
static void both_disciplines(struct rig *rig, const struct family *f, uint32_t q, size_t mode,
                             unsigned *ret_ahead)
{
    char text[64];
    const unsigned words = modes[mode].words, startup = modes[mode].startup;
    struct ec_workload *w;
    struct ec_error error;

    snprintf(text, sizeof text, "shift:q=%u,m=%u%s", q, words, f->labels);
    if (ec_workload_open(text, &rig->t, 1, &w, &error))
        fail_msg("%s", error.message);
    for (const struct algorithm *a = f->algorithms; a->name; a++) {
        struct ec_schedule *s;
        if (ec_schedule_open(&rig->t, w, a->name, &s, &error))
            fail_msg("%s", error.message);
        if (!play(rig, s, w, EC_SYNC_STEP, words, startup, a->runs_ahead))
            fail_msg("%s, %s: no prediction by steps", text, a->name);
        if (!play(rig, s, w, EC_SYNC_DATA, words, startup, a->runs_ahead)) {
            if (!a->runs_ahead)
                fail_msg("%s, %s: no prediction by data", text, a->name);
            ++*ret_ahead;
        }
        ec_schedule_close(s);
    }
    ec_workload_close(w);
}

static void open_network(struct rig *rig, const struct family *f, const char *topology, size_t mode)
{
    char router[96];

    snprintf(router, sizeof router, "%s,depth=4,%s", f->router, modes[mode].switching);
    rig_open(rig, &(struct ec_case_spec){
                      .topology = topology, .router = router, .longest = modes[mode].words});
}

static void open_size(struct rig *rig, const struct family *f, uint32_t size, size_t mode)
{
    char topology[32];

    if (f->algorithms == torus)
        snprintf(topology, sizeof topology, "torus:%ux%u", size, size);
    else
        snprintf(topology, sizeof topology, "%s:%u", f->kind, size);
    open_network(rig, f, topology, mode);
}

static void every_shift(NO_STATE)
{
    struct rig rig = {0};

    for (const struct family *f = families; f < families + COUNT(families); f++) {
        unsigned ahead = 0;
        bool expected = false;
        for (const struct algorithm *a = f->algorithms; a->name; a++)
            expected = expected || a->runs_ahead;
        for (uint32_t size = f->first; size <= f->last; size++) {
            for (size_t mode = 0; mode < COUNT(modes); mode++) {
                open_size(&rig, f, size, mode);
                for (uint32_t q = 1; q < rig.t.nodes; q++)
                    both_disciplines(&rig, f, q, mode, &ahead);
            }
        }
        assert_int_equal(ahead > 0, expected);
    }
    rig_close(&rig);
}

static void some_shifts_of_large_networks(NO_STATE)
{
    struct rig rig = {0};
    unsigned ahead = 0;

    for (size_t k = 0; k < COUNT(families); k++) {
        const size_t mode = k % COUNT(modes);
        open_size(&rig, &families[k], families[k].largest, mode);
        const uint32_t nodes = rig.t.nodes;
        const uint32_t samples[] = {1, nodes / 3, nodes / 2, nodes / 2 + 3, nodes - 1};
        for (size_t n = 0; n < COUNT(samples); n++)
            both_disciplines(&rig, &families[k], samples[n], mode, &ahead);
    }
    rig_close(&rig);
}

static void every_shift_of_unequal_tori(NO_STATE)
{
    static const char *const tori[] = {"torus:3x2",   "torus:2x5",   "torus:5x4",   "torus:1x7",
                                       "torus:2x3x4", "torus:4x3x2", "torus:3x3x3", "torus:3x1x5"};
    static const struct family f = {"torus", "", "vcs=2", 0, 0, 0, torus + 1};
    struct rig rig = {0};
    unsigned ahead = 0;

    for (size_t k = 0; k < COUNT(tori); k++) {
        const size_t mode = k % COUNT(modes);
        open_network(&rig, &f, tori[k], mode);
        for (uint32_t q = 1; q < rig.t.nodes; q++)
            both_disciplines(&rig, &f, q, mode, &ahead);
    }
    assert_int_equal(ahead, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every shift by every schedule, by steps and by data", every_shift),
        TEST("every shift of tori of unequal radices", every_shift_of_unequal_tori),
        TEST("some shifts of large networks", some_shifts_of_large_networks),
    };

    return cmocka_run_group_tests_name("schedules of shifts", tests, NULL, NULL);
}
