/* SPDX-License-Identifier: Apache-2.0 */
/* Determinism: every number and the digest of all deliveries are the same for any state before the
 * reset, for any order in which routers are stepped, and with or without sleep. */
#include <string.h>

#include "rig.h"

struct row {
    const char *topology, *router, *workload;
    unsigned packet;
    bool random; /* there is a shape of random initial state */
};

static const struct row rows[] = {
    {"cube:3", "", "bitrev:m=40", 0, true},
    {"cube:3", "", "hotspot:m=9", 0, true},
    {"cube:3", "", "uniform:rate=0.1,m=1+16", 0, true},
    {"cube:3", "", "uniform:rate=0.9,m=8", 0, true},
    {"cube:3", "switching=cut-through", "hotspot:m=20", 3, true},
    {"cube:3", "switching=store-and-forward,order=high", "hotspot:m=20", 2, true},
    {"cube:6", "", "uniform:rate=0.4,m=8", 0, false},
    {"cube:6", "ports=all", "uniform:rate=1.5,m=8", 0, false},
    {"torus:4x4", "vcs=2", "randperm:m=60", 0, true},
    {"torus:4x4", "vcs=2", "uniform:rate=0.9,m=1+16", 0, true},
    {"torus:5x3", "vcs=2,depth=1", "hotspot:m=20", 0, true},
    {"torus:4x3", "vcs=2,switching=store-and-forward", "uniform:rate=0.3,m=1+16", 2, true},
    {"torus:4x4", "vcs=4", "uniform:rate=0.9,m=1+16", 0, false},
    {"torus:3x4x5", "vcs=2", "uniform:rate=0.3,m=1..9", 0, false},
    {"mesh:8x8", "", "transpose:m=30", 0, false},
};

static const struct ec_run_options plain = {
    .cycles = 1500, .warmup = 100, .seed = 7, .eject_stall = 0.1};

static struct ec_run_options options_of(const char *workload)
{
    struct ec_run_options options = plain;
    if (!strstr(workload, "rate"))
        options.cycles = 0;
    return options;
}

/* A row on a net of this kind (no_sleep, shuffle, random_init). */
static struct trial run_row(struct rig *rig, const struct row *row, struct ec_case_spec kind)
{
    const struct ec_run_options options = options_of(row->workload);
    kind.topology = row->topology;
    kind.router = row->router;
    kind.packet = row->packet;
    kind.longest = 60;
    rig_open(rig, &kind);
    return rig_run(rig, row->workload, &options);
}

static void assert_same(const struct trial *is, const struct trial *should)
{
    const struct ec_report *a = is->report, *b = should->report;
    trial_assert_passed_but(is, EC_CHECK_STABILITY);
    trial_assert_equal(is, "digest", a->digest, b->digest);
    trial_assert_equal(is, "cycles", a->cycles, b->cycles);
    trial_assert_equal(is, "simulated cycles", a->simulated_cycles, b->simulated_cycles);
    trial_assert_equal(is, "words", a->words, b->words);
    trial_assert_equal(is, "contended cycles", a->contended_cycles, b->contended_cycles);
    trial_assert_equal(is, "starved cycles", a->starved_cycles, b->starved_cycles);
    trial_assert_equal(is, "99th percentile", a->packet_latency.p99, b->packet_latency.p99);
    trial_assert_equal(is, "longest latency", a->network_latency.max, b->network_latency.max);
    const size_t channels = (size_t)is->rig->t.nodes * a->ports * sizeof *a->flits;
    if (memcmp(a->flits, b->flits, channels) || memcmp(a->contended, b->contended, channels) ||
        memcmp(a->starved, b->starved, channels))
        trial_fail(is, "the counters of the channels differ");
}

static void any_initial_state_gives_one_digest(NO_STATE)
{
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!rows[i].random)
            continue;
        struct trial zero = run_row(&rig, &rows[i], (struct ec_case_spec){0});
        assert_same(&zero, &zero);
        for (uint32_t seed = 1; seed <= 3; seed++) {
            const struct ec_case_spec kind = {.random_init = seed, .no_sleep = seed == 3};
            struct trial random = run_row(&rig, &rows[i], kind);
            assert_same(&random, &zero);
            trial_close(&random);
        }
        trial_close(&zero);
    }
    rig_close(&rig);
}

static void any_order_of_steps_gives_one_digest(NO_STATE)
{
    static const struct ec_case_spec kinds[] = {
        {.no_sleep = true},
        {.shuffle = 1},
        {.shuffle = 2},
        {.shuffle = 3, .no_sleep = true},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial first = run_row(&rig, &rows[i], (struct ec_case_spec){0});
        for (size_t k = 0; k < COUNT(kinds); k++) {
            struct trial other = run_row(&rig, &rows[i], kinds[k]);
            assert_same(&other, &first);
            if (kinds[k].no_sleep)
                trial_assert_equal(&other, "router-cycles", other.report->stepped,
                                   other.report->simulated_cycles * rig.t.nodes);
            else
                trial_assert_equal(&other, "router-cycles", other.report->stepped,
                                   first.report->stepped);
            trial_close(&other);
        }
        trial_close(&first);
    }
    rig_close(&rig);
}

/* Some routers do sleep; otherwise the test above proves nothing. */
static void quiet_routers_sleep(NO_STATE)
{
    struct rig rig = {0};
    const struct row row = {"cube:6", "", "uniform:rate=0.02,m=8", 0, false};
    struct trial trial = run_row(&rig, &row, (struct ec_case_spec){0});
    const uint64_t all = trial.report->simulated_cycles * rig.t.nodes;
    if (trial.report->stepped > all / 2)
        trial_fail(&trial, "%llu router-cycles of %llu evaluated",
                   (unsigned long long)trial.report->stepped, (unsigned long long)all);
    trial_close(&trial);
    rig_close(&rig);
}

/* Stop after each number of cycles, then run in full on the same net, which resets it. */
static void reset_in_mid_traffic_forgets_all(NO_STATE)
{
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const bool open_loop = strstr(row->workload, "rate") != NULL;
        struct trial fresh =
            run_row(&rig, row, (struct ec_case_spec){.random_init = row->random ? 9 : 0});
        for (uint64_t stop = 1; stop < 30; stop += 2) {
            struct ec_run_options options = options_of(row->workload);
            options.cycles = stop;
            struct trial cut = rig_run(&rig, open_loop ? "randperm:m=60" : row->workload, &options);
            if (cut.report->outcome != EC_RUN_LIMIT)
                trial_fail(&cut, "not cut short");
            trial_close(&cut);
            options = options_of(row->workload);
            struct trial again = rig_run(&rig, row->workload, &options);
            assert_same(&again, &fresh);
            trial_assert_equal(&again, "router-cycles", again.report->stepped,
                               fresh.report->stepped);
            trial_close(&again);
        }
        trial_close(&fresh);
    }
    rig_close(&rig);
}

/* The net alone: words and credits that are never returned, then a reset. */
static void a_reset_net_shows_nothing(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "torus:4x4", .router = "vcs=2", .longest = 60});
    struct trial fresh = rig_run(&rig, "randperm:m=60", NULL);
    struct ec_port_word words[32];
    struct ec_port_credit credits[64];
    struct ec_port_events none = {.words = words, .credits = credits}, out = none;
    struct ec_port_word seen[32];
    struct ec_port_credit back[64];
    out.words = seen;
    out.credits = back;
    const struct ec_run_options cut = {.cycles = 17, .seed = 1};
    struct trial trial = rig_run(&rig, "randperm:m=60", &cut);
    trial_close(&trial);
    assert_true(rig.net->in_flight > 0);
    rig.net->ops->reset(rig.net);
    for (unsigned cycle = 0; cycle < 100; cycle++) {
        rig.net->ops->step(rig.net, &none, &out);
        assert_int_equal(out.word_count, 0);
        assert_int_equal(out.credit_count, 0);
    }
    struct ec_net_counters counters;
    struct ec_net_fault fault;
    rig.net->ops->counters(rig.net, &counters);
    for (size_t i = 0; i < (size_t)rig.t.nodes * counters.ports; i++)
        assert_int_equal(counters.flits[i] + counters.contended[i] + counters.starved[i], 0);
    assert_true(rig.net->ops->drained(rig.net, &fault));
    assert_int_equal(rig.net->in_flight, 0);
    struct trial again = rig_run(&rig, "randperm:m=60", NULL);
    assert_same(&again, &fresh);
    trial_close(&again);
    trial_close(&fresh);
    rig_close(&rig);
}

static void another_seed_gives_another_digest(NO_STATE)
{
    struct rig rig = {0};
    const struct row row = {"cube:3", "", "uniform:rate=0.4,m=4", 0, false};
    struct trial a = run_row(&rig, &row, (struct ec_case_spec){0});
    struct ec_run_options options = plain;
    options.seed++;
    struct trial b = rig_run(&rig, row.workload, &options);
    if (a.report->digest == b.report->digest)
        trial_fail(&b, "the seed does not matter");
    trial_close(&a);
    trial_close(&b);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("registers of any initial value give one digest after a reset",
             any_initial_state_gives_one_digest),
        TEST("routers stepped in any order, asleep or not, give one digest",
             any_order_of_steps_gives_one_digest),
        TEST("at low load most routers sleep", quiet_routers_sleep),
        TEST("a run on a net stopped in mid-traffic is a run on a fresh net",
             reset_in_mid_traffic_forgets_all),
        TEST("a net reset in mid-traffic is empty and idle", a_reset_net_shows_nothing),
        TEST("another seed gives another digest", another_seed_gives_another_digest),
    };
    return cmocka_run_group_tests_name("determinism", tests, NULL, NULL);
}
