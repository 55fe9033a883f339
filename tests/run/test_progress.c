/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: detected if there is one, total or partial, with a closed cycle of waiting; not
 * detected if packets are merely old. */
#include <stdlib.h>
#include <string.h>

#include "diagnose/waits.h"
#include "ruled.h"

/* One line of the cycle: the buffer that waits, and the place of the buffer that it waits for. */
struct waiting_line {
    uint32_t node, vc;
    unsigned in;
    bool has_next;
    uint32_t next_node, next_vc;
    unsigned next_in;
};

static unsigned port_of(const struct rig *rig, const char *name)
{
    const unsigned links = ec_topology_links(&rig->t);
    char text[32];
    for (unsigned link = 0; link < links; link++) {
        ec_topology_link_name(&rig->t, link, text, sizeof text);
        if (strcmp(text, name) == 0)
            return link;
    }
    assert_int_equal(strncmp(name, "local", 5), 0);
    return links + (unsigned)atoi(name + 5);
}

/* "router 5 (1,2), input +x VC 1: ..." and one of the three reasons. */
static struct waiting_line read_line(const struct rig *rig, const char *line)
{
    struct waiting_line w = {0};
    char in[16], out[16], other[16];
    unsigned vc, to;
    const char *at = strstr(line, ", input ");
    assert_int_equal(sscanf(line, "router %u", &w.node), 1);
    assert_non_null(at);
    assert_int_equal(sscanf(at, ", input %15s VC %u", in, &w.vc), 2);
    w.in = port_of(rig, in);
    w.has_next = true;
    at = strstr(line, "wants output ");
    if (at && sscanf(at, "wants output %15s VC %u, held by the packet from input %15s VC %u", out,
                     &vc, other, &w.next_vc) == 4) {
        w.next_node = w.node;
        w.next_in = port_of(rig, other);
    } else if (at && sscanf(at, "wants output %15s VC %u, whose buffer in router %u", out,
                            &w.next_vc, &to) == 3) {
        const unsigned link = port_of(rig, out);
        w.next_node = ec_topology_neighbor(&rig->t, w.node, link);
        assert_int_equal(w.next_node, to);
        w.next_in = ec_topology_reverse(&rig->t, link);
    } else {
        /* The rest of its packet is in the router that feeds this input; which of its buffers the
         * line does not say. */
        assert_non_null(strstr(line, "waits for the rest of its packet"));
        w.has_next = false;
        w.next_node = ec_topology_neighbor(&rig->t, w.node, w.in);
    }
    return w;
}

static void assert_circle(const struct trial *trial)
{
    const struct ec_report *r = trial->report;
    if (r->outcome != EC_RUN_DEADLOCK || r->passed)
        trial_fail(trial, "not reported as a deadlock");
    if (r->checks[EC_CHECK_PROGRESS].verdict != EC_VERDICT_FAIL)
        trial_fail(trial, "a deadlock, but the check of progress did not fail");
    if (r->waiting_count < 2)
        trial_fail(trial, "a cycle of %zu", r->waiting_count);
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct waiting_line a = read_line(trial->rig, r->waiting[i]);
        const struct waiting_line b = read_line(trial->rig, r->waiting[(i + 1) % r->waiting_count]);
        if (a.next_node != b.node || (a.has_next && (a.next_in != b.in || a.next_vc != b.vc)))
            trial_fail(trial, "line %zu does not lead to the next", i);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(r->waiting[i], r->waiting[k]) == 0)
                trial_fail(trial, "lines %zu and %zu are the same", k, i);
        }
    }
}

/* --- The account of a run --------------------------------------------------------------------- */

static struct rules_name name_of(const void *context, uint64_t word)
{
    return rules_word_name(context, word);
}

static void fill_account(const struct rig *rig, const struct rules *rules, uint64_t cycle)
{
    const struct ec_router *r = rig->net->router;
    const struct shadow *shadow = rules_shadow(rules);
    assert_true(shadow->count <= WAITS_BUFFERS && rig->t.nodes <= WAITS_NODES);
    account = (struct account){.t = &rig->t,
                               .r = r,
                               .shadow = shadow,
                               .moved_at = rules_moved_at(rules),
                               .cycle = cycle,
                               .still_after = 2 + ec_router_loop(r) - EC_ROUTER_LOOP_LEAST,
                               .need = r->switching == EC_WORMHOLE ? 1 : r->packet,
                               .name = name_of,
                               .context = rules};
    for (size_t b = 0; b < shadow->count; b++) {
        account.ask[b] = rules_ask(rules, b);
        account.out[b] = *rules_output(rules, b);
    }
    for (uint32_t node = 0; node < rig->t.nodes; node++)
        account.shown_at[node] = rules_shown_at(rules, node);
}

/* Like rig_run(). If the run is reported as a deadlock, the buffers that wait are a knot by
 * definition, and what they wait for is what the report says. */
static struct trial run_until_deadlock(struct rig *rig, const char *workload,
                                       const struct ec_run_options *options)
{
    struct rules *rules = rules_open(&rig->t, rig->net->router, EC_NONE,
                                     (struct rules_options){.taps = rig->net->has_taps});
    const struct ec_net_watch watch = ruled_watch(rules);
    const struct ec_net_watch *const watches[] = {&watch};
    struct ec_run_options watched = *options;
    assert_non_null(rules);
    watched.watches = watches;
    watched.watch_count = 1;
    struct trial trial = rig_run(rig, workload, &watched);
    const struct ec_report *r = trial.report;
    fill_account(rig, rules, r->simulated_cycles);
    waits_find(false);
    const struct waiting_found waits = {
        .lines = r->waiting, .inputs = r->waiting_at, .count = r->waiting_count, .knot = r->knot};
    if (r->outcome == EC_RUN_DEADLOCK) {
        struct ec_deadlock d; /* known beforehand */
        waits_assert_knot(&waits, NULL);
        assert_int_equal(ec_deadlock_possible(&rig->t, rig->net->router, trial.w, &d, NULL), EC_OK);
        if (d.possible == EC_ANSWER_NO)
            trial_fail(&trial, "a deadlock that was said to be impossible");
    }
    rules_close(rules);
    trial.options.watches = NULL; /* they end here */
    trial.options.watch_count = 0;
    return trial;
}

/* --- Deadlocks -------------------------------------------------------------------------------- */

struct row {
    const char *topology, *router, *workload;
};

static void removed_datelines_deadlock(NO_STATE)
{
    static const struct row rows[] = {
        {"ring:8", "vcs=1", "uniform:rate=0.9,m=8"},
        {"ring:8", "vcs=2,dateline=off", "uniform:rate=0.9,m=8"},
        {"ring:8", "vcs=4,dateline=off", "uniform:rate=0.9,m=16"},
        {"torus:4x4", "vcs=1", "uniform:rate=0.9,m=8"},
        {"torus:4x4", "vcs=2,dateline=off", "uniform:rate=0.9,m=1+16"},
        {"torus:5x3", "vcs=2,dateline=off,order=high", "uniform:rate=0.9,m=1+16"},
        {"torus:4x4", "vcs=2,dateline=off,ports=all", "uniform:rate=1.9,m=16"},
        {"torus:4x4", "vcs=1,depth=1", "uniform:rate=0.9,m=8"},
        {"torus:4x4", "vcs=1,switching=cut-through", "uniform:rate=0.9,m=4"},
        {"torus:4x4", "vcs=1,switching=store-and-forward", "uniform:rate=0.9,m=4"},
        {"ring:4", "vcs=1", "shift:q=2,m=40"},
        {"ring:5", "vcs=1", "shift:q=2,m=40"},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_open(&rig,
                 &(struct ec_case_spec){.topology = rows[i].topology,
                                        .router = rows[i].router,
                                        .longest = 40,
                                        .packet = strstr(rows[i].router, "switching") ? 4 : 0});
        const bool open_loop = strstr(rows[i].workload, "rate") != NULL;
        const struct ec_run_options options = {.cycles = open_loop ? 20000 : 0, .seed = 3};
        struct trial trial = run_until_deadlock(&rig, rows[i].workload, &options);
        assert_circle(&trial);
        trial_close(&trial);
    }
    rig_close(&rig);
}

/* Row 0 of a torus is deadlocked at once by four messages that each want the next two links. Row 2
 * goes on for as long as its message lasts. */
static void partial_deadlocks_are_found(NO_STATE)
{
    struct rig rig = {0};
    const char *trace = scratch_file("cycle,source,destination,words\n"
                                     "1,0,2,40\n1,1,3,40\n1,2,0,40\n1,3,1,40\n"
                                     "1,8,9,120000\n1,10,11,120000\n");
    static const uint64_t bounds[] = {0, 1000}; /* 0: the default */
    char workload[128];
    snprintf(workload, sizeof workload, "trace:file=%s", trace);
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "torus:4x4", .router = "vcs=1", .longest = 120000});
    for (size_t i = 0; i < COUNT(bounds); i++) {
        const struct ec_run_options options = {.seed = 1, .age_bound = bounds[i]};
        struct trial trial = run_until_deadlock(&rig, workload, &options);
        assert_circle(&trial);
        for (size_t k = 0; k < trial.report->waiting_count; k++) {
            if (read_line(&rig, trial.report->waiting[k]).node > 3)
                trial_fail(&trial, "a router that is not in the deadlocked row");
        }
        if (trial.report->simulated_cycles > (bounds[i] ? 8192 : 32768))
            trial_fail(&trial, "found too late");
        trial_close(&trial);
    }
    rig_close(&rig);
}

static void with_datelines_the_same_traffic_arrives(NO_STATE)
{
    struct rig rig = {0};
    const char *trace = scratch_file("cycle,source,destination,words\n"
                                     "1,0,2,40\n1,1,3,40\n1,2,0,40\n1,3,1,40\n"
                                     "1,8,9,12000\n1,10,11,12000\n");
    char workload[128];
    snprintf(workload, sizeof workload, "trace:file=%s", trace);
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "torus:4x4", .router = "vcs=2", .longest = 12000});
    const struct ec_run_options options = {.seed = 1, .age_bound = 100};
    struct trial trial = rig_run(&rig, workload, &options);
    trial_assert_passed(&trial);
    trial_close(&trial);
    rig_close(&rig);
}

/* An old packet is diagnosed, and the run continues if it moves: the result is the same as without
 * a bound. */
static void old_packets_are_no_deadlock(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:5", "depth=1", "neighbor:m=3000"},
        {"ring:8", "vcs=2,depth=1", "tornado:m=3000"},
        {"ring:8", "vcs=1,depth=1", "shift:q=1,m=3000"},
        {"cube:3", "depth=1", "bitcomp:m=3000"},
        {"cube:3", "depth=1", "hotspot:m=700"},
        {"mesh:4x4", "depth=1", "hotspot:m=400"},
        {"mesh:4x4", "", "hotspot:m=700"},
        {"torus:4x4", "vcs=2", "hotspot:m=700"},
        {"torus:5x3", "vcs=2,depth=1", "hotspot:m=700"},
        {"torus:4x4", "vcs=2", "uniform:rate=0.9,m=16"},
        {"torus:5x3", "vcs=2,depth=1", "uniform:rate=0.9,m=1+64"},
        {"torus:4x4", "vcs=4", "uniform:rate=0.9,m=1+64"},
        {"torus:5x3", "vcs=4,dateline=on", "hotspot:rate=0.9,m=64,share=0.5"},
        {"torus:4x4", "vcs=2,switching=cut-through", "uniform:rate=0.9,m=4"},
        {"torus:4x4", "vcs=2,switching=store-and-forward", "uniform:rate=0.9,m=4"},
        {"mesh:4x4", "switching=cut-through", "hotspot:m=700"},
        {"mesh:4x4", "switching=store-and-forward", "hotspot:m=700"},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_open(&rig,
                 &(struct ec_case_spec){.topology = rows[i].topology,
                                        .router = rows[i].router,
                                        .longest = 12000,
                                        .packet = strstr(rows[i].router, "switching") ? 4 : 0});
        const bool open_loop = strstr(rows[i].workload, "rate") != NULL;
        const struct ec_run_options plain = {.cycles = open_loop ? 4500 : 0, .seed = 3};
        struct ec_run_options impatient = plain;
        impatient.age_bound = 1; /* diagnosed repeatedly: at 1, 2, 4, ... cycles */
        struct trial a = rig_run(&rig, rows[i].workload, &plain);
        struct trial b = rig_run(&rig, rows[i].workload, &impatient);
        trial_assert_passed_but(&a, EC_CHECK_STABILITY);
        trial_assert_passed_but(&b, EC_CHECK_STABILITY);
        trial_assert_equal(&b, "digest", b.report->digest, a.report->digest);
        trial_assert_equal(&b, "contended", b.report->contended_cycles, a.report->contended_cycles);
        trial_assert_equal(&b, "simulated cycles", b.report->simulated_cycles,
                           a.report->simulated_cycles);
        trial_close(&a);
        trial_close(&b);
    }
    rig_close(&rig);
}

/* Nodes that stall for a long time are not a deadlock either. */
static void back_pressure_is_no_deadlock(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "torus:4x4", .router = "vcs=2", .longest = 20});
    const struct ec_run_options options = {.seed = 5, .eject_stall = 0.99, .age_bound = 10};
    struct trial trial = rig_run(&rig, "randperm:m=20", &options);
    trial_assert_passed(&trial);
    trial_close(&trial);
    rig_close(&rig);
}

static int remove_files(NO_STATE)
{
    scratch_files_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("without datelines a saturated torus deadlocks, in a closed cycle",
             removed_datelines_deadlock),
        TEST("a deadlock is found while other traffic flows", partial_deadlocks_are_found),
        TEST("with datelines the same traffic arrives", with_datelines_the_same_traffic_arrives),
        TEST("an old packet that moves is not a deadlock, and the diagnosis changes nothing",
             old_packets_are_no_deadlock),
        TEST("back-pressure by nodes is not a deadlock", back_pressure_is_no_deadlock),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, remove_files);
}
