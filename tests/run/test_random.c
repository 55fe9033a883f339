/* SPDX-License-Identifier: Apache-2.0 */
/* Random networks, routers, workloads and options, within the shapes that are built anyway: every
 * check holds, every channel carries the words of an independent count, no router breaks a rule of
 * the contract, and a run in which no router sleeps and the order is shuffled has the same digest.
 *
 * test_random RUNS [SEED]: a failure prints the run and its seed. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "line.h"
#include "oracle.h"
#include "rig.h"
#include "ruled.h"

struct dice {
    uint64_t key, draws;
};

static unsigned roll(struct dice *d, unsigned sides)
{
    return (unsigned)ec_rng_below(ec_rng_draw(d->key, d->draws++), sides);
}

struct draw {
    char topology[64], router[128], workload[160];
    unsigned packet, longest;
    struct ec_run_options options;
};

/* A network whose shape is in ../shapes, and its virtual channels. */
static void draw_network(struct dice *d, bool datelines, struct draw *x)
{
    static const char *const vcs_of[] = {"1", "2", "2", "4"};
    const char *vcs = vcs_of[roll(d, COUNT(vcs_of))], *ports = "one";
    switch (roll(d, 6)) {
    case 0:
        snprintf(x->topology, sizeof x->topology, "cube:%u", 1 + roll(d, 6));
        ports = roll(d, 2) ? "all" : "one";
        vcs = "1";
        break;
    case 1:
        snprintf(x->topology, sizeof x->topology, "%s:%ux%ux%u", roll(d, 2) ? "torus" : "mesh",
                 1 + roll(d, 4), 2 + roll(d, 3), 1 + roll(d, 5));
        vcs = "2";
        break;
    case 2:
        snprintf(x->topology, sizeof x->topology, "ring:%u", 2 + roll(d, 15));
        break;
    case 3:
        snprintf(x->topology, sizeof x->topology, "mesh:%ux%u", 1 + roll(d, 8), 2 + roll(d, 7));
        break;
    default:
        snprintf(x->topology, sizeof x->topology, "torus:%ux%u", 2 + roll(d, 7), 1 + roll(d, 6));
        if (roll(d, 4) == 0) {
            ports = "all";
            vcs = "2";
        }
    }
    /* A torus without datelines may legitimately deadlock. */
    const bool wraps = x->topology[0] == 't' || x->topology[0] == 'r';
    if (*vcs == '1' && wraps && datelines)
        vcs = "2";
    static const char *const modes[] = {"wormhole", "cut-through", "store-and-forward"};
    const unsigned depth = 1 + roll(d, 4), mode = roll(d, 3);
    x->packet = mode || roll(d, 3) == 0 ? 1 + roll(d, depth) : 0;
    const bool even = strcspn(x->topology, "468") < strlen(x->topology);
    snprintf(x->router, sizeof x->router, "vcs=%s,depth=%u,switching=%s,order=%s,ports=%s%s%s", vcs,
             depth, modes[mode], roll(d, 2) ? "high" : "low", ports,
             datelines ? "" : ",dateline=off", wraps && even && roll(d, 2) ? ",ties=balanced" : "");
}

/* A list of messages of random length at random times, some of them from a node to itself. */
static const char *draw_trace(struct dice *d, uint32_t nodes, unsigned longest)
{
    static char text[8192];
    size_t used = (size_t)sprintf(text, "cycle,source,destination,words\n");
    const unsigned spread = roll(d, 2) ? 1 : 1 + roll(d, 2000), count = 1 + roll(d, 150);
    for (unsigned i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%u,%u,%u,%u\n", 1 + roll(d, spread), roll(d, nodes),
                                roll(d, nodes), 1 + roll(d, longest));
    return scratch_file(text);
}

/* A partial map: each node sends with probability 1/2, to a node that no other node sends to. */
static const char *draw_map(struct dice *d, uint32_t nodes)
{
    static char text[4096];
    uint32_t order[256];
    size_t used = (size_t)sprintf(text, "src,dst\n");
    assert_true(nodes <= COUNT(order));
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t j = roll(d, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        if (i == 0 || roll(d, 2))
            used += (size_t)sprintf(text + used, "%u,%u\n", i, order[i]);
    }
    return scratch_file(text);
}

static void draw_workload(struct dice *d, uint32_t nodes, struct draw *x)
{
    x->longest = 1 + roll(d, 40);
    x->options.cycles = 0;
    switch (roll(d, 5)) {
    case 0:
        snprintf(x->workload, sizeof x->workload, "trace:file=%s",
                 draw_trace(d, nodes, x->longest));
        break;
    case 1:
        snprintf(x->workload, sizeof x->workload, "perm:file=%s,m=%u", draw_map(d, nodes),
                 x->longest);
        break;
    case 2:
        snprintf(x->workload, sizeof x->workload, "shift:q=%u,m=%u",
                 nodes > 2 ? 1 + roll(d, nodes - 1) : 1, x->longest);
        break;
    case 3:
        snprintf(x->workload, sizeof x->workload, "hotspot:node=%u,m=%u", roll(d, nodes),
                 1 + roll(d, 9));
        break;
    default:
        snprintf(x->workload, sizeof x->workload, "uniform:rate=0.%u,m=1..%u", 1 + roll(d, 9),
                 1 + x->longest);
        x->longest++;
        x->options.cycles = 1 + roll(d, 600);
        x->options.warmup = roll(d, 100);
    }
}

static struct draw draw_run(uint64_t seed, bool datelines)
{
    struct dice d = {.key = ec_rng_key(seed, 0)};
    struct draw x = {.options = {.seed = seed, .keep_packets = true}};
    struct ec_topology t;
    do {
        draw_network(&d, datelines, &x);
        assert_int_equal(ec_topology_parse(x.topology, &t, NULL), EC_OK);
    } while (t.nodes < 2);
    draw_workload(&d, t.nodes, &x);
    x.options.startup = roll(&d, 3) ? 0 : roll(&d, 100);
    x.options.eject_stall = roll(&d, 4) ? 0 : 0.01 * roll(&d, 80);
    x.options.age_bound = roll(&d, 3) ? 0 : 1 + roll(&d, 100);
    return x;
}

static void check_closed(const struct trial *trial)
{
    const struct ec_report *r = trial->report;
    const struct ec_workload *w = trial->w;
    const struct rig *rig = trial->rig;
    struct oracle_loads l = oracle_loads(&rig->t, &rig->r, w->messages, w->message_count);
    uint64_t slowest = 0;
    trial_assert_equal(trial, "messages", r->messages, w->message_count);
    for (uint32_t node = 0; node < rig->t.nodes; node++) {
        for (unsigned k = 0; k < l.links; k++) {
            const uint64_t contended = r->contended[node * r->ports + k];
            trial_assert_equal(trial, "words of a link", r->flits[node * r->ports + k],
                               l.link_words[node * l.links + k]);
            if (contended && l.link[node * l.links + k] < 2)
                trial_fail(trial, "contended where only one message goes");
        }
    }
    const bool free = l.busiest < 2 && l.busiest_eject < 2 && w->permutation && l.hops > 0;
    for (size_t i = 0; free && i < w->message_count; i++) {
        struct oracle_loads one = oracle_loads(&rig->t, &rig->r, &w->messages[i], 1);
        const uint64_t time = one.hops ? line_time(&rig->r, (unsigned)one.hops,
                                                   w->messages[i].words, trial->options.startup)
                                       : 0;
        slowest = time > slowest ? time : slowest;
        oracle_loads_free(&one);
    }
    if (free && trial->options.eject_stall <= 0)
        trial_assert_equal(trial, "cycles", r->cycles, slowest);
    oracle_loads_free(&l);
}

/* Checked for every word, or for none if there is one VC. */
static void check_vcs(const struct trial *trial)
{
    const enum ec_verdict due = trial->rig->r.vcs > 1 ? EC_VERDICT_PASS : EC_VERDICT_NONE;
    trial_assert_equal(trial, "verdict of vcs", trial->report->checks[EC_CHECK_VCS].verdict, due);
}

static void check_run(struct rig *rig, uint64_t seed)
{
    const struct draw x = draw_run(seed, true);
    struct ec_case_spec spec = {
        .topology = x.topology, .router = x.router, .packet = x.packet, .longest = x.longest};
    rig_open(rig, &spec);
    struct trial trial = ruled_run(rig, x.workload, &x.options, false);
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    check_vcs(&trial);
    if (!trial.w->open_loop)
        check_closed(&trial);
    spec.no_sleep = true;
    spec.shuffle = seed;
    rig_open(rig, &spec);
    struct trial other = ruled_run(rig, x.workload, &x.options, true);
    trial_assert_equal(&other, "digest", other.report->digest, trial.report->digest);
    trial_assert_equal(&other, "contended", other.report->contended_cycles,
                       trial.report->contended_cycles);
    trial_assert_equal(&other, "starved", other.report->starved_cycles,
                       trial.report->starved_cycles);
    trial_close(&trial);
    trial_close(&other);
    scratch_files_remove();
}

/* Without datelines a run may deadlock, which must be reported; any other failure is an error. */
static void check_without_datelines(struct rig *rig, uint64_t seed)
{
    const struct draw x = draw_run(seed, false);
    rig_open(rig, &(struct ec_case_spec){.topology = x.topology,
                                         .router = x.router,
                                         .packet = x.packet,
                                         .longest = x.longest});
    struct trial trial = ruled_run(rig, x.workload, &x.options, seed % 2);
    const struct ec_report *r = trial.report;
    if (r->outcome != EC_RUN_DEADLOCK) {
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        check_vcs(&trial);
    } else if (r->waiting_count < 2 || r->checks[EC_CHECK_PROGRESS].verdict != EC_VERDICT_FAIL) {
        trial_fail(&trial, "a deadlock without its cycle");
    } else if (rig->t.kind == EC_CUBE || rig->t.kind == EC_MESH) {
        trial_fail(&trial, "a deadlock where there is none");
    }
    trial_close(&trial);
    scratch_files_remove();
}

struct job {
    uint64_t first, runs;
};

static void random_runs_hold_all_checks(void **state)
{
    const struct job *job = *state;
    struct rig rig = {0};
    for (uint64_t seed = job->first; seed < job->first + job->runs; seed++)
        check_run(&rig, seed);
    rig_close(&rig);
}

static void without_datelines_nothing_but_deadlocks(void **state)
{
    const struct job *job = *state;
    struct rig rig = {0};
    for (uint64_t seed = job->first; seed < job->first + job->runs; seed++)
        check_without_datelines(&rig, seed);
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    struct job job = {.first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                      .runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0};
    const struct CMUnitTest tests[] = {
        {"random runs hold all checks", random_runs_hold_all_checks, NULL, NULL, &job},
        {"without datelines they hold all checks or deadlock",
         without_datelines_nothing_but_deadlocks, NULL, NULL, &job},
    };
    if (job.runs == 0) {
        fprintf(stderr, "usage: %s RUNS [SEED]\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
