/* SPDX-License-Identifier: Apache-2.0 */
/* The SystemC backend as a net: its use by a process, and its reports of broken rules. One process,
 * so one net, in the order of the table. */
#include "../unit/unit.h"
#include "ecube/run.h"
#include "ecube/systemc.h"
#include "ecube/word.h"

#include <string.h>

#define NODES 9

static struct ec_topology topology;
static struct ec_router router;
static struct ec_net *net;

static void refuses_what_no_router_can_serve(NO_STATE)
{
    struct ec_error error = {.code = EC_OK};
    const struct ec_topology wide = topology_of("mesh:1025x1023");
    const struct ec_router r = router_of(NULL, &wide);
    struct ec_net *none = NULL;
    assert_refused("mesh:1025x1023", ec_systemc_open(&wide, &r, &none, &error), EC_USAGE, &error,
                   "21 address bits");
    assert_null(none);
}

static void opens_afterwards_all_the_same(NO_STATE)
{
    struct ec_error error;
    topology = topology_of("mesh:3x3");
    router = router_of("vcs=2,depth=2", &topology);
    assert_int_equal(ec_router_set_packet(&router, 0, 4, &error), EC_OK);
    if (ec_systemc_open(&topology, &router, &net, &error) != EC_OK)
        fail_msg("%s", error.message);
    assert_string_equal(net->ops->name, "systemc");
    assert_true(net->has_taps);
}

/* One cycle with these words of node 0, on VC 1; counts what all nodes see and returns its credits
 * at once. */
static unsigned step(uint64_t word, bool with_credits)
{
    static struct ec_port_credit owed[2 * NODES];
    static size_t owed_count;
    struct ec_port_word words[1], seen[NODES];
    struct ec_port_credit freed[2 * NODES];
    struct ec_port_events in = {.words = words, .credits = owed, .credit_count = owed_count};
    struct ec_port_events out = {.words = seen, .credits = freed};
    if (word)
        words[in.word_count++] = (struct ec_port_word){0, word};
    net->ops->step(net, &in, &out);
    owed_count = 0;
    for (size_t i = 0; with_credits && i < out.word_count; i++)
        owed[owed_count++] = (struct ec_port_credit){seen[i].port, ec_word_vc(seen[i].word, 2)};
    return (unsigned)out.word_count;
}

static void delivers_and_drains(NO_STATE)
{
    struct ec_net_fault fault = {.found = false};
    net->ops->reset(net);
    const uint64_t word = ec_word_pack(&narrow, true, true, 1, 1, 0, 7);
    /* T = h + m + 1 = 3: the step of cycle 2 gives what is shown in cycle 3. */
    assert_int_equal(step(word, true), 0);
    assert_int_equal(net->in_flight, 1);
    assert_false(net->ops->drained(net, &fault));
    assert_int_equal(step(0, true), 1);
    assert_false(net->ops->drained(net, &fault)); /* the node has not returned its credit yet */
    assert_int_equal(fault.cycle, net->cycle);
    assert_int_equal(step(0, true), 0);
    assert_int_equal(net->in_flight, 0);
    assert_true(net->ops->drained(net, &fault));
    assert_false(net->ops->fault(net)->found);
}

static uint64_t digest_of(const struct ec_workload *w, uint64_t cycles, enum ec_outcome expected)
{
    const struct ec_run_options options = {.cycles = cycles, .seed = 1};
    struct ec_report *report;
    struct ec_error error;
    if (ec_run(net, w, NULL, &options, &report, &error) != EC_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report->outcome, expected);
    const uint64_t digest = report->digest;
    ec_report_close(report);
    return digest;
}

/* Contract 9: a reset, also in mid-traffic, clears all state. The state of the arbiters affects the
 * order of packets, and so the cycles of random traffic. */
static void forgets_everything_at_a_reset(NO_STATE)
{
    struct ec_workload *random = workload_of("uniform:rate=0.4,m=1", &topology);
    struct ec_workload *cut_off = workload_of("transpose:m=40", &topology);
    const uint64_t first = digest_of(random, 300, EC_RUN_FINISHED);
    for (uint64_t stop = 20; stop < 60; stop += 3) {
        digest_of(cut_off, stop, EC_RUN_LIMIT);
        assert_true(digest_of(random, 300, EC_RUN_FINISHED) == first);
    }
    ec_workload_close(random);
    ec_workload_close(cut_off);
}

static void tells_of_a_word_without_a_credit(NO_STATE)
{
    net->ops->reset(net);
    for (unsigned i = 0; i < 20 && !net->ops->fault(net)->found; i++)
        step(ec_word_pack(&narrow, true, true, 1, 1, 0, i), false);
    const struct ec_net_fault *fault = net->ops->fault(net);
    assert_true(fault->found);
    assert_int_equal(fault->node, 0);
    assert_int_equal(fault->vc, 1);
    assert_int_equal(fault->port, 4); /* links 0 to 3, then the local port */
    assert_non_null(strstr(fault->what, "without a credit"));
}

static void is_the_only_one_of_its_process(NO_STATE)
{
    struct ec_error error = {.code = EC_OK};
    struct ec_net *second = NULL;
    net->ops->close(net);
    assert_refused("a second net", ec_systemc_open(&topology, &router, &second, &error), EC_USAGE,
                   &error, "one network|another process");
    assert_null(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("refuses what no router can serve", refuses_what_no_router_can_serve),
        TEST("still opens after a refusal", opens_afterwards_all_the_same),
        TEST("delivers and drains", delivers_and_drains),
        TEST("forgets everything at a reset", forgets_everything_at_a_reset),
        TEST("reports a word without a credit", tells_of_a_word_without_a_credit),
        TEST("is the only one of its process", is_the_only_one_of_its_process),
    };
    return cmocka_run_group_tests_name("the SystemC backend", tests, NULL, NULL);
}
