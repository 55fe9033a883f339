/* SPDX-License-Identifier: Apache-2.0 */
/* Corner cases: the smallest networks, the shallowest and the deepest buffers, very long packets,
 * traces with gaps of a billion cycles, messages of nodes to themselves. Times are compared with
 * line.c wherever messages do not meet. */
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "oracle.h"
#include "rig.h"

static uint32_t distance(const struct rig *rig, uint32_t src, uint32_t dst)
{
    const struct ec_message m = {.cycle = 1, .src = src, .dst = dst, .words = 1};
    struct oracle_loads l = oracle_loads(&rig->t, &rig->r, &m, 1);
    const uint32_t hops = (uint32_t)l.hops;
    oracle_loads_free(&l);
    return hops;
}

static struct trial run_text(struct rig *rig, const char *name, const char *text,
                             const struct ec_run_options *options)
{
    char workload[128];
    snprintf(workload, sizeof workload, "%s:file=%s", name, scratch_file(text));
    struct trial trial = rig_run(rig, workload, options);
    return trial;
}

struct network {
    const char *topology, *router;
    unsigned packet;
};

/* Every pair of nodes of small networks, one message at a time. */
static void every_pair_takes_its_time(NO_STATE)
{
    static const struct network networks[] = {
        {"cube:1", "", 0},
        {"ring:2", "vcs=2", 0},
        {"ring:3", "vcs=1,depth=1", 0},
        {"ring:3", "vcs=2,dateline=on", 0},
        {"ring:16", "vcs=2", 0},
        {"ring:7", "vcs=2,switching=store-and-forward,depth=4", 2},
        {"mesh:1x5", "", 0},
        {"mesh:5", "switching=cut-through,depth=3", 3},
        {"mesh:5x1x3", "vcs=2", 0},
        {"torus:2x3x4", "vcs=2,order=high", 0},
        {"torus:16x2", "vcs=2,depth=2", 0},
        {"torus:2x2", "vcs=2", 0},
        {"torus:3x1", "vcs=1,depth=2", 2},
        {"torus:2x5", "vcs=2,ports=all,depth=1", 3},
        {"torus:4x4", "vcs=4,depth=3", 5},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const unsigned m = 5;
        rig_open(&rig, &(struct ec_case_spec){.topology = networks[i].topology,
                                              .router = networks[i].router,
                                              .packet = networks[i].packet,
                                              .longest = m});
        /* One trace: the messages far enough apart that each finds an idle network. */
        char *text = malloc((size_t)rig.t.nodes * rig.t.nodes * 48 + 64);
        assert_non_null(text);
        size_t used = (size_t)sprintf(text, "cycle,source,destination,words\n");
        unsigned messages = 0;
        for (uint32_t src = 0; src < rig.t.nodes; src++) {
            for (uint32_t dst = 0; dst < rig.t.nodes; dst++)
                used += (size_t)sprintf(text + used, "%u,%u,%u,%u\n", 1 + 300 * messages++, src,
                                        dst, m);
        }
        const struct ec_run_options options = {.seed = 1, .startup = 2, .keep_packets = true};
        struct trial trial = run_text(&rig, "trace", text, &options);
        free(text);
        trial_assert_passed(&trial);
        trial_assert_equal(&trial, "messages", trial.report->messages, messages);
        trial_assert_equal(&trial, "contended cycles", trial.report->contended_cycles, 0);
        for (uint64_t k = 0; k < trial.report->packets; k++) {
            const struct ec_packet_log *p = &trial.report->packets_log[k];
            const uint32_t hops = distance(&rig, p->src, p->dst);
            const uint64_t begun = p->created; /* the start-up of the first packet */
            if (k + 1 < trial.report->packets && p[1].created == p->created)
                continue; /* not the last packet of its message */
            trial_assert_equal(&trial, "cycles", p->delivered - begun + 1,
                               line_time(&rig.r, hops, m, options.startup));
        }
        trial_close(&trial);
    }
    rig_close(&rig);
    scratch_files_remove();
}

/* Packets whose words wrap round the 13 bits of their numbers. */
static void packets_of_many_words_arrive(NO_STATE)
{
    static const char *const networks[] = {"mesh:5", "ring:8", "cube:3"};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(networks); i++) {
        rig_open(&rig, &(struct ec_case_spec){.topology = networks[i], .longest = 20000});
        struct trial trial = run_text(&rig, "perm", "src,dst\n0,4\n", NULL);
        trial_close(&trial);
        char text[64];
        snprintf(text, sizeof text, "cycle,source,destination,words\n1,0,4,20000\n1,1,0,8193\n");
        trial = run_text(&rig, "trace", text, NULL);
        trial_assert_passed(&trial);
        trial_assert_equal(&trial, "cycles", trial.report->cycles,
                           distance(&rig, 0, 4) + 20000 + 1);
        trial_assert_equal(&trial, "words", trial.report->words, 28193);
        trial_close(&trial);
    }
    rig_close(&rig);
    scratch_files_remove();
}

/* More packets of one node in the network than the 14 bits of their numbers can count. */
static void many_packets_of_a_node_arrive(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "mesh:5", .longest = 40000, .packet = 1});
    struct trial trial =
        run_text(&rig, "trace", "cycle,source,destination,words\n1,0,4,40000\n2,1,4,40000\n", NULL);
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "packets", trial.report->packets, 80000);
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

static void gaps_of_a_billion_cycles_cost_nothing(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "torus:4x4", .router = "vcs=2", .longest = 9});
    const struct ec_run_options options = {.seed = 1, .keep_packets = true};
    struct trial trial = run_text(&rig, "trace",
                                  "cycle,source,destination,words\n"
                                  "1000000001,3,5,9\n7,0,1,2\n3000000000,2,2,4\n"
                                  "281474976710656,0,10,7\n",
                                  &options);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "packets", r->packets, 3);
    trial_assert_equal(&trial, "messages", r->messages, 4);
    trial_assert_equal(&trial, "first", r->packets_log[0].delivered, 7 + 1 + 2);
    trial_assert_equal(&trial, "second", r->packets_log[1].delivered,
                       1000000001 + distance(&rig, 3, 5) + 9);
    trial_assert_equal(&trial, "last", r->packets_log[2].delivered,
                       UINT64_C(281474976710656) + 4 + 7);
    trial_assert_equal(&trial, "longest latency", r->packet_latency.max, 3 + 9 + 1);
    if (r->stepped > 2000)
        trial_fail(&trial, "%llu router-cycles evaluated", (unsigned long long)r->stepped);
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

/* One port per node: a node's messages follow one another in the order of the file. */
static void messages_of_one_cycle_queue(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "mesh:5", .longest = 6});
    const struct ec_run_options options = {.seed = 1, .keep_packets = true};
    struct trial trial = run_text(
        &rig, "trace",
        "cycle,source,destination,words\n5,1,3,6\n5,1,0,4\n5,1,1,9\n5,1,4,1\n5,1,3,1\n", &options);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "messages", r->messages, 5);
    trial_assert_equal(&trial, "packets", r->packets, 4);
    static const struct {
        uint32_t dst;
        uint64_t injected, delivered;
    } should[] = {{3, 5, 5 + 2 + 6}, {0, 11, 11 + 1 + 4}, {4, 15, 15 + 3 + 1}, {3, 16, 16 + 2 + 1}};
    for (size_t i = 0; i < COUNT(should); i++) {
        const struct ec_packet_log *found = NULL;
        for (uint64_t k = 0; k < r->packets; k++) {
            if (r->packets_log[k].injected == should[i].injected)
                found = &r->packets_log[k];
        }
        if (!found)
            trial_fail(&trial, "no packet injected in cycle %llu",
                       (unsigned long long)should[i].injected);
        trial_assert_equal(&trial, "destination", found->dst, should[i].dst);
        trial_assert_equal(&trial, "delivered", found->delivered, should[i].delivered);
    }
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

static void messages_to_oneself_need_no_network(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "cube:3", .longest = 9});
    struct trial trial = run_text(&rig, "perm", "src,dst\n2,2\n5,5\n", NULL);
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "messages", trial.report->messages, 2);
    trial_assert_equal(&trial, "words", trial.report->words, 0);
    trial_assert_equal(&trial, "cycles", trial.report->cycles, 0);
    trial_close(&trial);
    trial = run_text(&rig, "trace", "cycle,source,destination,words\n1,3,3,9\n90,3,3,9\n90,1,2,3\n",
                     NULL);
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "messages", trial.report->messages, 3);
    trial_assert_equal(&trial, "words", trial.report->words, 3);
    trial_assert_equal(&trial, "cycles", trial.report->cycles, 2 + 3 + 1);
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

/* The hot node takes one word a cycle: the last arrives when all have. */
static void a_hotspot_takes_a_word_a_cycle(NO_STATE)
{
    static const struct network networks[] = {
        {"cube:6", "", 0}, {"mesh:8x8", "", 0}, {"torus:4x4", "vcs=2", 0}, {"cube:3", "", 3}};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const unsigned m = 30;
        rig_open(&rig, &(struct ec_case_spec){.topology = networks[i].topology,
                                              .router = networks[i].router,
                                              .packet = networks[i].packet,
                                              .longest = m});
        struct trial trial = rig_run(&rig, "hotspot:node=5,m=30", NULL);
        const uint64_t words = (uint64_t)(rig.t.nodes - 1) * m;
        trial_assert_passed(&trial);
        trial_assert_equal(&trial, "words", trial.report->words, words);
        /* A neighbour's head is there after 3 cycles; from then on the port is never idle. */
        trial_assert_equal(&trial, "cycles", trial.report->cycles, words + 2);
        trial_close(&trial);
    }
    rig_close(&rig);
}

static void a_buffer_of_1024_words_holds_them(NO_STATE)
{
    struct rig rig = {0};
    static const struct network networks[] = {
        {"mesh:5", "depth=1024", 0},
        {"mesh:5", "depth=1024,switching=cut-through", 1000},
        {"mesh:5", "depth=1024,switching=store-and-forward", 1000},
        {"mesh:5", "depth=1000,switching=store-and-forward", 1000},
    };
    for (size_t i = 0; i < COUNT(networks); i++) {
        rig_open(&rig, &(struct ec_case_spec){.topology = networks[i].topology,
                                              .router = networks[i].router,
                                              .packet = networks[i].packet,
                                              .longest = 1000});
        struct trial trial = rig_run(&rig, "hotspot:node=0,m=1000", NULL);
        trial_assert_passed(&trial);
        trial_close(&trial);
        trial = run_text(&rig, "trace", "cycle,source,destination,words\n1,4,1,1000\n", NULL);
        trial_assert_passed(&trial);
        const bool whole = rig.r.switching == EC_STORE_AND_FORWARD;
        trial_assert_equal(&trial, "cycles", trial.report->cycles,
                           whole ? 1000 + 4 * 1000 : 3 + 1000 + 1);
        trial_close(&trial);
    }
    /* The whole packet fits into the buffer in front of the stalled node: the source may go on
     * sending. */
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "mesh:5", .router = "depth=1024", .longest = 900});
    const struct ec_run_options options = {.seed = 1, .eject_stall = 0.95, .keep_packets = true};
    struct trial trial = rig_run(&rig, "neighbor:m=900", &options);
    trial_assert_passed(&trial);
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

/* Messages of two VC classes share a link at depth 1, each in every other cycle: load 2, no
 * contention, and no failed check. */
static void vcs_may_share_a_link_without_meeting(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "ring:8", .router = "vcs=2,depth=1"});
    rig_open(&rig, &(struct ec_case_spec){
                       .topology = "ring:8", .router = "vcs=2,depth=1", .longest = 12});
    struct trial trial =
        run_text(&rig, "trace", "cycle,source,destination,words\n1,7,2,12\n1,0,1,12\n", NULL);
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "load", trial.report->max_link_load, 2);
    trial_assert_equal(&trial, "contended cycles", trial.report->contended_cycles, 0);
    assert_true(trial.w->permutation);
    trial_close(&trial);
    rig_close(&rig);
    scratch_files_remove();
}

static void a_limit_stops_a_closed_run(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "cube:3", .longest = 64});
    for (uint64_t limit = 1; limit < 90; limit++) {
        const struct ec_run_options options = {.cycles = limit, .seed = 1, .keep_packets = true};
        struct trial trial = rig_run(&rig, "bitcomp:m=64", &options);
        const bool over = limit >= 3 + 64 + 1; /* some cycles more, in which nothing may arrive */
        trial_assert_equal(&trial, "outcome", trial.report->outcome,
                           over ? EC_RUN_FINISHED : EC_RUN_LIMIT);
        trial_assert_equal(&trial, "passed", trial.report->passed, over);
        if (!over)
            trial_assert_equal(&trial, "cycles", trial.report->simulated_cycles, limit);
        trial_close(&trial);
    }
    rig_close(&rig);
}

static bool stop_run(void *context, uint64_t cycle, uint64_t done, uint64_t all)
{
    (void)cycle;
    (void)done;
    (void)all;
    ++*(unsigned *)context;
    return false;
}

static void an_interrupt_leaves_a_partial_report(NO_STATE)
{
    unsigned calls = 0;
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "cube:6", .longest = 8});
    const struct ec_run_options options = {
        .cycles = 100000000, .seed = 1, .progress = stop_run, .progress_context = &calls};
    struct trial trial = rig_run(&rig, "uniform:rate=0.2,m=8", &options);
    trial_assert_equal(&trial, "outcome", trial.report->outcome, EC_RUN_INTERRUPTED);
    trial_assert_equal(&trial, "calls", calls, 1);
    trial_assert_equal(&trial, "passed", trial.report->passed, false);
    assert_true(trial.report->words > 0 && trial.report->simulated_cycles < 1000000);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (trial.report->checks[id].verdict == EC_VERDICT_FAIL)
            trial_fail(&trial, "an interrupt is not a failure");
    }
    trial_close(&trial);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a message between any two nodes of a small network takes its time",
             every_pair_takes_its_time),
        TEST("packets of more than 8192 words arrive", packets_of_many_words_arrive),
        TEST("a node may send more than 16384 packets", many_packets_of_a_node_arrive),
        TEST("gaps of a billion cycles cost nothing", gaps_of_a_billion_cycles_cost_nothing),
        TEST("messages of one node in one cycle queue in order", messages_of_one_cycle_queue),
        TEST("messages of nodes to themselves need no network",
             messages_to_oneself_need_no_network),
        TEST("a hotspot takes a word a cycle", a_hotspot_takes_a_word_a_cycle),
        TEST("a buffer of 1024 words holds 1024 words", a_buffer_of_1024_words_holds_them),
        TEST("two VCs may share a link without contention", vcs_may_share_a_link_without_meeting),
        TEST("a limit of cycles stops a closed run in that cycle", a_limit_stops_a_closed_run),
        TEST("an interrupt leaves a partial report", an_interrupt_leaves_a_partial_report),
    };
    return cmocka_run_group_tests_name("corner cases", tests, NULL, NULL);
}
