/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules of real GSH and of any dimension permutation on real router RTL, by both
 * disciplines: cycles as predicted, nothing contended. By steps the expected number is computed
 * here: for every step the time of its longest message over one link (line.c). By data there is a
 * prediction, and no contention, for every schedule that uses all ports; with one port an element
 * that rests in a step may run ahead into the way of another, and that some do is checked too.
 *
 * test_gsh_real FIRST LAST: on the cubes of so many dimensions. */
#include <stdlib.h>
#include <string.h>

#include "ecube/schedule.h"
#include "line.h"
#include "rig.h"

static const char *const cycle[] = {"a1-one-port", "a1-pipelined", "a1-concurrent", "a1-packed",
                                    "a2-one-port", "a2",           "best",          NULL};
static const char *const cycle_packets[] = {"a1-packed:block=2", "a2:block=3", "best:block=2",
                                            NULL};
static const char *const flow[] = {"flow", "flow:block=2", NULL}; /* up to 5 dimensions */
static const char *const pairs[] = {"a2x2", "cycles", NULL};
static const char *const inverted[] = {"crossing", "crossing-one-port", "best", NULL};
static const char *const four[] = {"cycle4", "a1-packed", NULL};
static const char *const any[] = {"cycles", "cycles-one-port", "best", NULL};
static const char *const spread[] = {"aapc-twice", "aapc-twice-one-port", NULL};

/* The cases for a cube of n dimensions; K by the round, and spread over n * 2^n if `whole`. */
static const struct family {
    char kind; /* of text_of() */
    const char *const *algorithms;
    unsigned even; /* n must be a multiple of */
    bool whole;    /* K is a multiple of the nodes */
} families[] = {
    {'c', cycle, 1, false}, {'c', flow, 1, false},  {'c', cycle_packets, 1, false},
    {'~', cycle, 1, false}, {'p', pairs, 2, false}, {'i', inverted, 1, false},
    {'4', four, 1, false},  {'s', any, 1, false},   {'c', spread, 1, true},
    {'s', spread, 1, true},
};

static const struct {
    const char *switching;
    unsigned words, startup;
} modes[] = {
    {"switching=wormhole", 1, 0},
    {"switching=wormhole", 7, 3},
    {"switching=cut-through", 2, 0},
    {"switching=store-and-forward", 2, 5},
};

/* A workload on n >= 2 dimensions: 'c' one real cycle, '~' one with an inversion, 'p' the pairs of
 * a bit reversal, 'i' all inverted, '4' a 2-cycle with one inversion, 's' a shuffle of everything.
 */
static void text_of(char *text, size_t size, char kind, unsigned n, uint32_t per_node,
                    unsigned words)
{
    unsigned k = 0;
    size_t used;

    while (UINT32_C(1) << k < per_node)
        k++;
    if (kind == 's') {
        snprintf(text, size, "shuffle:K=%u,m=%u", 1U << k, words);
        return;
    }
    used = (size_t)snprintf(text, size, "gsh:cycle=");
    if (kind == '4') {
        snprintf(text + used, size - used, "%u-~%u,K=%u,m=%u", k + n - 1, k, per_node, words);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned dim = kind == 'p' && i % 2 ? n - 1 - i / 2 : kind == 'p' ? i / 2 : i;
        const char *join = i == 0 ? "" : kind == 'i' || (kind == 'p' && i % 2 == 0) ? "+" : "-";
        const bool tilde = kind == 'i' || (kind == '~' && i == n - 1);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s%u", join, tilde ? "~" : "", k + dim);
    }
    snprintf(text + used, size - used, ",K=%u,m=%u", per_node, words);
}

/* Sum over the steps of the time of the longest message over one link. */
static uint64_t time_by_steps(const struct ec_schedule *s, const struct ec_router *r,
                              unsigned words, unsigned startup)
{
    uint64_t time = 0;

    for (size_t i = 0; i < s->transfer_count;) {
        uint32_t longest = 0;
        const uint32_t step = s->transfers[i].step;
        for (; i < s->transfer_count && s->transfers[i].step == step; i++)
            longest = s->transfers[i].count > longest ? s->transfers[i].count : longest;
        time += line_time(r, 1, longest * words, startup);
    }
    return time;
}

/* One schedule by one discipline; true if there was a prediction. */
static bool play(struct rig *rig, const struct ec_schedule *s, const struct ec_workload *of,
                 enum ec_sync sync, unsigned startup)
{
    struct trial trial = {.rig = rig, .options = {.seed = 1, .startup = startup, .schedule = s}};
    struct ec_error error;

    if (ec_schedule_workload(s, of, sync, 0, &trial.w, &error) ||
        ec_audit_open(&rig->t, &rig->r, trial.w, true, &trial.audit, &error) ||
        ec_run(rig->net, trial.w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s, %s: %s", of->text, s->algorithm, error.message);
    const struct ec_report *r = trial.report;
    const uint64_t by_steps = time_by_steps(s, &rig->r, of->words, startup);
    const bool predicted = r->has_prediction;
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "flit-hops", r->flit_hops, (uint64_t)s->carried_count * of->words);
    trial_assert_equal(&trial, "longest path", r->max_hops, 1);
    if (predicted) {
        trial_assert_equal(&trial, "cycles, as predicted", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
        if (r->cycles > by_steps)
            trial_fail(&trial, "%s: slower by data than by steps", s->algorithm);
    } else if (r->contended_cycles == 0) {
        trial_fail(&trial, "%s: nothing contended, yet no prediction", s->algorithm);
    }
    if (sync == EC_SYNC_STEP)
        trial_assert_equal(&trial, "cycles, sum of steps", r->cycles, by_steps);
    trial_close(&trial);
    return predicted;
}

static void open_mode(struct rig *rig, unsigned n, bool all_ports, size_t mode, uint32_t block)
{
    char topology[16], router[96];

    snprintf(topology, sizeof topology, "cube:%u", n);
    snprintf(router, sizeof router, "depth=4,ports=%s,%s", all_ports ? "all" : "one",
             modes[mode].switching);
    rig_open(rig, &(struct ec_case_spec){.topology = topology,
                                         .router = router,
                                         .longest = block * modes[mode].words});
}

static uint32_t block_of(const char *algorithm)
{
    const char *block = strstr(algorithm, "block=");

    return block ? (uint32_t)atoi(block + strlen("block=")) : 1;
}

/* By all algorithms; counts schedules without a prediction by data. */
static void both_disciplines(struct rig *rig, const struct family *f, unsigned n, uint32_t per_node,
                             size_t mode, unsigned *ret_ahead)
{
    char topology[16], text[120];
    struct ec_topology t;
    struct ec_workload *w;
    struct ec_error error;

    snprintf(topology, sizeof topology, "cube:%u", n);
    text_of(text, sizeof text, f->kind, n, per_node, modes[mode].words);
    if (ec_topology_parse(topology, &t, &error) || ec_workload_open(text, &t, 1, &w, &error))
        fail_msg("%s", error.message);
    for (const char *const *a = f->algorithms; *a; a++) {
        struct ec_schedule *s;
        if (ec_schedule_open(&t, w, *a, &s, &error))
            fail_msg("%s %s: %s", topology, text, error.message);
        open_mode(rig, n, s->all_ports, mode, block_of(*a));
        if (!play(rig, s, w, EC_SYNC_STEP, modes[mode].startup))
            fail_msg("%s, %s: no prediction by steps", text, *a);
        if (!play(rig, s, w, EC_SYNC_DATA, modes[mode].startup)) {
            if (s->all_ports)
                fail_msg("%s, %s: no prediction by data", text, *a);
            ++*ret_ahead;
        }
        ec_schedule_close(s);
    }
    ec_workload_close(w);
}

struct range {
    unsigned first, last;
};

static void every_family(void **state)
{
    const struct range *range = *state;
    static const uint32_t elements[] = {2, 4, 6, 16, 24, 64};
    struct rig rig = {0};
    unsigned ahead = 0;

    for (unsigned n = range->first; n <= range->last; n++) {
        for (const struct family *f = families; f < families + COUNT(families); f++) {
            if (f->algorithms == flow && n > 5)
                continue;
            for (size_t i = 0; n % f->even == 0 && i < COUNT(elements); i++) {
                const uint32_t per_node = f->whole ? (uint32_t)(i % 2 + 1) << n : elements[i];
                if (f->whole && i >= 2)
                    continue;
                both_disciplines(&rig, f, n, per_node, (i + n) % COUNT(modes), &ahead);
            }
        }
    }
    assert_true(ahead > 0); /* it does happen, with one port */
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    struct range range;
    const struct CMUnitTest tests[] = {
        {"schedules of real and of any permutations, by steps and by data", every_family, NULL,
         NULL, &range},
    };

    if (argc != 3) {
        fprintf(stderr, "usage: %s FIRST LAST\n", argv[0]);
        return 2;
    }
    range = (struct range){(unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])};
    return cmocka_run_group_tests_name("schedules of real permutations", tests, NULL, NULL);
}
