/* SPDX-License-Identifier: Apache-2.0 */
/* The extended-cube permutation on real router RTL, by both disciplines: every element at its place
 * in the subcube, cycles as predicted and as the steps say (line.c), nothing contended where the
 * audit has no two transfers on a link, no word on a link that the schedule does not use.
 *
 * test_extended DIMS: on cubes of up to so many dimensions. */
#include <stdlib.h>

#include "ecube/schedule.h"
#include "line.h"
#include "rig.h"

/* Permutations of n processor dimensions behind k storage dimensions. */
enum kind { MIXED, REAL, INVERTED, BOTH, KINDS };
static const unsigned least[] = {[MIXED] = 1, [REAL] = 2, [INVERTED] = 1, [BOTH] = 3};

static const char *const names[] = {"extended", "extended-one-port", "best"};

static const struct {
    const char *switching;
    unsigned words, startup;
} modes[] = {
    {"switching=wormhole", 1, 0},
    {"switching=wormhole", 7, 3},
    {"switching=cut-through", 2, 0},
    {"switching=store-and-forward", 2, 5},
};

static void text_of(char *text, size_t size, enum kind kind, unsigned n, unsigned k, unsigned words)
{
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");

    if (kind == INVERTED) {
        used += (size_t)snprintf(text + used, size - used, "~%u", k);
    } else if (kind == BOTH) {
        used += (size_t)snprintf(text + used, size - used, "%u-0+%u-~%u", k, k + 1, k + 2);
    } else {
        for (unsigned d = n; d-- > 0;)
            used += (size_t)snprintf(text + used, size - used, "%s%u", d + 1 < n ? "-" : "", k + d);
        if (kind == MIXED)
            used += (size_t)snprintf(text + used, size - used, "-0");
    }
    snprintf(text + used, size - used, ",K=%u,sub=%u,m=%u", 1U << k, n, words);
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

/* Words over every link of the report, those of the schedule. */
static void check_links(const struct trial *trial, const struct ec_schedule *s, unsigned words)
{
    const struct ec_topology *t = &trial->rig->t;
    const struct ec_report *r = trial->report;
    uint64_t *should = calloc((size_t)t->nodes * r->ports, sizeof *should);

    assert_non_null(should);
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        should[x->src * r->ports + (unsigned)__builtin_ctz(x->src ^ x->dst)] +=
            (uint64_t)x->count * words;
    }
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++)
            trial_assert_equal(trial, "words over a link", r->flits[node * r->ports + link],
                               should[node * r->ports + link]);
    }
    free(should);
}

/* One schedule by one discipline. */
static void play(struct rig *rig, const struct ec_schedule *s, const struct ec_workload *of,
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
    trial_assert_passed(&trial);
    check_links(&trial, s, of->words);
    if (sync == EC_SYNC_STEP) {
        trial_assert_equal(&trial, "cycles, sum of steps", r->cycles, by_steps);
        trial_assert_equal(&trial, "a prediction", r->has_prediction, true);
    }
    if (r->has_prediction) {
        trial_assert_equal(&trial, "cycles, as predicted", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
    } else if (r->contended_cycles == 0) {
        trial_fail(&trial, "%s: nothing contended, yet no prediction", s->algorithm);
    }
    trial_close(&trial);
}

static void open_mode(struct rig *rig, const char *topology, bool all_ports, size_t mode)
{
    char router[96];

    snprintf(router, sizeof router, "depth=4,ports=%s,%s", all_ports ? "all" : "one",
             modes[mode].switching);
    rig_open(rig, &(struct ec_case_spec){
                      .topology = topology, .router = router, .longest = modes[mode].words});
}

static void both_disciplines(struct rig *rig, enum kind kind, unsigned n, unsigned e, unsigned k,
                             size_t mode)
{
    char topology[16], text[120];
    struct ec_topology t;
    struct ec_workload *w;
    struct ec_error error;

    snprintf(topology, sizeof topology, "cube:%u", n + e);
    text_of(text, sizeof text, kind, n, k, modes[mode].words);
    if (ec_topology_parse(topology, &t, &error) || ec_workload_open(text, &t, 1, &w, &error))
        fail_msg("%s", error.message);
    for (size_t i = 0; i < COUNT(names); i++) {
        struct ec_schedule *s;
        if (ec_schedule_open(&t, w, names[i], &s, &error))
            fail_msg("%s %s: %s", topology, text, error.message);
        assert_int_equal(s->holders, 1U << n);
        open_mode(rig, topology, s->all_ports, mode);
        play(rig, s, w, EC_SYNC_STEP, modes[mode].startup);
        play(rig, s, w, EC_SYNC_DATA, modes[mode].startup);
        ec_schedule_close(s);
    }
    ec_workload_close(w);
}

static unsigned dims_most;

static void every_subcube(NO_STATE)
{
    struct rig rig = {0};
    size_t round = 0;

    for (unsigned n = 1; n < dims_most; n++) {
        for (unsigned e = 1; n + e <= dims_most; e++) {
            for (enum kind kind = MIXED; kind < KINDS; kind++) {
                const unsigned moved = kind == MIXED || kind == BOTH;
                for (unsigned k = e + moved; n >= least[kind] && k <= e + moved + 3; k++)
                    both_disciplines(&rig, kind, n, e, k, round++ % COUNT(modes));
            }
        }
    }
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST("data of every subcube are spread, permuted and collected", every_subcube),
    };

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIMS\n", argv[0]);
        return 2;
    }
    dims_most = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests_name("extended-cube permutations", tests, NULL, NULL);
}
