/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of the checks and their words: a play on an ideal network is over, the test changes
 * one number of it, and the checks judge it again. */
#include "ideal.h"

#include <string.h>

#include "ecube/audit.h"
#include "ecube/schedule.h"
#include "run/checks.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct ec_audit *audit;
    struct ec_schedule *schedule;
    struct ec_run_options options;
    struct ec_net *net;
    struct play p;
    struct ec_report report; /* borrows the counters of the net */
};

static void play_all(struct bench *b)
{
    struct ec_error error;
    b->net = ideal_open(&b->t, &b->r);
    if (play_open(&b->p, b->net, NULL, b->w, &b->options, &error))
        fail_msg("%s", error.message);
    assert_int_equal(play_on(&b->p, 0), PLAY_DONE);
}

/* The ideal network keeps packets until they are complete, so they fit into its buffers while it
 * plays; the checks see the bound `packet`. */
static void bench_open(struct bench *b, const char *topology, const char *router,
                       const char *workload, uint32_t packet)
{
    struct ec_error error;
    const bool open_loop = strstr(workload, "rate=");
    *b = (struct bench){.t = topology_of(topology), .options = {.seed = 1}};
    if (open_loop)
        b->options.cycles = 4000, b->options.warmup = 500;
    b->r = router_of(router, &b->t);
    b->w = workload_of(workload, &b->t);
    const uint32_t fits = packet < b->r.depth ? packet : b->r.depth;
    if (ec_router_set_packet(&b->r, fits, b->w->longest, &error) ||
        (!open_loop && ec_audit_open(&b->t, &b->r, b->w, true, &b->audit, &error)))
        fail_msg("%s", error.message);
    play_all(b);
    b->r.packet = packet;
}

/* The shift of a ring, one link per step. */
static void bench_open_steps(struct bench *b, enum ec_sync sync)
{
    struct ec_error error;
    *b = (struct bench){.t = topology_of("ring:8"), .options = {.seed = 1}};
    struct ec_workload *const plain = workload_of("shift:q=3,m=2", &b->t);
    b->r = router_of("vcs=2,depth=4", &b->t);
    if (ec_router_set_packet(&b->r, 4, 8, &error) ||
        ec_schedule_open(&b->t, plain, "ring", &b->schedule, &error) ||
        ec_schedule_workload(b->schedule, plain, sync, 0, &b->w, &error) ||
        ec_audit_open(&b->t, &b->r, b->w, true, &b->audit, &error))
        fail_msg("%s", error.message);
    ec_workload_close(plain);
    b->options.schedule = b->schedule;
    play_all(b);
}

static void bench_close(struct bench *b)
{
    play_close(&b->p);
    b->net->ops->close(b->net);
    ec_audit_close(b->audit);
    ec_schedule_close(b->schedule);
    ec_workload_close(b->w);
}

/* What the run would report before it is judged. */
static struct ec_report *renew(struct bench *b)
{
    struct ec_net_counters c;
    b->net->ops->counters(b->net, &c);
    b->report = (struct ec_report){.cycles = 13,
                                   .messages = b->p.board.messages,
                                   .flit_hops = b->p.board.hop_words,
                                   .ports = c.ports,
                                   .locals = 1,
                                   .flits = (uint64_t *)c.flits,
                                   .injected = (uint64_t *)c.injected,
                                   .contended = (uint64_t *)c.contended};
    return &b->report;
}

static void assert_verdict(const struct bench *b, enum ec_check_id id, enum ec_verdict verdict,
                           const char *says)
{
    const struct ec_check *c = &b->report.checks[id];
    if (c->verdict != verdict || strcmp(c->detail, says) != 0)
        fail_msg("%s: expected %d: %s; got %d: %s", ec_check_name(id), (int)verdict, says,
                 (int)c->verdict, c->detail);
}

/* Of a play that is over. */
static void assert_judged(struct bench *b, enum ec_check_id id, enum ec_verdict verdict,
                          const char *says)
{
    checks_judge(renew(b), &b->p, PLAY_DONE, b->audit);
    assert_verdict(b, id, verdict, says);
}

/* --- Words, credits, channels ----------------------------------------------------------------- */

static void what_rtl_said_is_judged(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    struct ec_net_rtl *const rtl = (struct ec_net_rtl *)b.net->rtl;
    assert_judged(&b, EC_CHECK_RTL, EC_VERDICT_PASS,
                  "no error message after the reset, no end of simulation");
    *rtl = (struct ec_net_rtl){.count = 2, .node = EC_NONE, .text = "it says"};
    assert_judged(&b, EC_CHECK_RTL, EC_VERDICT_FAIL,
                  "before the end of reset, it says (the first of 2 messages)");
    *rtl = (struct ec_net_rtl){0};
    b.net->rtl = NULL;
    assert_judged(&b, EC_CHECK_RTL, EC_VERDICT_NONE, "no RTL");
    checks_judge(renew(&b), &b.p, PLAY_LIMIT, b.audit);
    assert_verdict(&b, EC_CHECK_RTL, EC_VERDICT_NONE, "no RTL");
    b.net->rtl = rtl;
    bench_close(&b);
}

static void deliveries_that_stop_are_judged(void **state)
{
    (void)state;
    struct bench b;
    uint32_t number;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    b.net->in_flight = 5;
    checks_judge(renew(&b), &b.p, PLAY_STUCK, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "all 72 words that nodes sent arrived, but the network counts 5 words that are "
                   "still in it (wiring error: its count is wrong)");
    assert_verdict(&b, EC_CHECK_DRAIN, EC_VERDICT_FAIL, "5 words left");
    assert_verdict(&b, EC_CHECK_LOADS, EC_VERDICT_UNCHECKED, "the run did not finish");
    b.net->in_flight = 0;
    checks_judge(renew(&b), &b.p, PLAY_STUCK, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "after 72 words nothing more arrives, with 0 words in the network");
    b.net->in_flight = 5;
    assert_non_null(packets_add(&b.p.board.records, 3, &number));
    b.p.board.records.source[3].ring[0].left = 5;
    checks_judge(renew(&b), &b.p, PLAY_STUCK, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "after 72 words nothing more arrives, with 5 words in the network");
    b.net->in_flight = 0;
    checks_judge(renew(&b), &b.p, PLAY_STUCK, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "after 72 words nothing more arrives, with 0 words in the network");
    assert_verdict(&b, EC_CHECK_DRAIN, EC_VERDICT_UNCHECKED, "the run did not finish");
    b.net->in_flight = (uint64_t)-2;
    assert_judged(&b, EC_CHECK_DRAIN, EC_VERDICT_FAIL, "-2 words left");
    b.net->in_flight = 0;
    renew(&b)->messages--;
    checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "8 of 9 messages arrived, and nothing more is under way");
    renew(&b)->messages++;
    checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
    assert_verdict(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                   "10 of 9 messages arrived, and nothing more is under way");
    assert_judged(&b, EC_CHECK_DELIVERY, EC_VERDICT_PASS, "72 words in 18 packets");
    assert_verdict(&b, EC_CHECK_DRAIN, EC_VERDICT_PASS, "0 words left");
    assert_verdict(&b, EC_CHECK_LEDGER, EC_VERDICT_PASS, "all credits are back");
    assert_verdict(&b, EC_CHECK_PROGRESS, EC_VERDICT_PASS, "every packet arrived");
    assert_int_equal(checks_failed(&b.report, EC_CHECK_COUNT), EC_CHECK_COUNT);
    bench_close(&b);
}

/* Elements 0 and 1 begin in node 0, 2 and 3 in node 1. Step 1 brings the first two to node 1; moves
 * of step 2 come before its transfer, which brings 0 and 2 to node 2; the last move is behind all.
 */
static void elements_are_followed_to_their_targets(void **state)
{
    (void)state;
    struct bench b;
    struct ec_transfer transfers[] = {{1, 0, 1, 0, 2}, {2, 1, 2, 2, 2}};
    struct ec_carried carried[] = {{0, 0}, {1, 1}, {0, 5}, {2, 6}};
    struct ec_local_move moves[] = {{2, 1, 3}, {2, 1, 2}, {2, 0, 7}, {2, 4, 1}, {3, 3, 4}};
    struct ec_place target[] = {{2, 5}, {1, 2}, {2, 6}, {1, 4}};
    const struct ec_schedule s = {.nodes = 8,
                                  .per_node = 2,
                                  .words = 2,
                                  .holders = 2,
                                  .target = target,
                                  .transfers = transfers,
                                  .carried = carried,
                                  .moves = moves,
                                  .transfer_count = COUNT(transfers),
                                  .move_count = COUNT(moves)};
    bench_open_steps(&b, EC_SYNC_DATA);
    struct ec_message *const messages = b.w->messages;
    uint64_t *const started = b.p.board.order->started, *const delivered =
                                                            b.p.board.order->delivered;
    const struct {
        uint32_t *number, by;
        const char *says;
    } rows[] = {
        {&target[2].node, 1, "element 2 ended in node 2 slot 6, its target is node 3 slot 6"},
        {&target[3].slot, 1, "element 3 ended in node 1 slot 4, its target is node 1 slot 5"},
        {&moves[1].slot, 1, "element 1 ended in node 1 slot 3, its target is node 1 slot 2"},
        {&moves[2].step, 1, "element 0 ended in node 2 slot 7, its target is node 2 slot 5"},
        {&transfers[1].src, UINT32_MAX,
         "step 2: node 0 began in cycle 9 to send element 0, which was in node 1 from cycle 8 on"},
        {&carried[1].element, 1,
         "step 1: node 0 began in cycle 1 to send element 2, which was in node 1 from cycle 0 on"},
        {&carried[3].element, 2, "step 2: there is no element 4"},
        {&messages[1].words, 1,
         "step 2: node 1 sends 2 elements of 2 words in a message of 5 words"},
    };
    b.p.options.schedule = &s;
    for (size_t i = 0; i < 2; i++) {
        messages[i].words = 4;
        started[i] = i ? 9 : 1;
        delivered[i] = i ? 15 : 8;
    }
    const char *const good = "48 words in 24 packets; 4 elements at their targets";
    assert_judged(&b, EC_CHECK_DELIVERY, EC_VERDICT_PASS, good);
    for (size_t i = 0; i < COUNT(rows); i++) {
        *rows[i].number += rows[i].by;
        assert_judged(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL, rows[i].says);
        *rows[i].number -= rows[i].by;
    }
    started[1] = delivered[0]; /* a node can send an element from the next cycle on */
    assert_judged(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                  "step 2: node 1 began in cycle 8 to send element 0, which was in node 1 from "
                  "cycle 8 on");
    delivered[0] = 0;
    assert_judged(&b, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
                  "message 0 of step 1 was never delivered");
    bench_close(&b);
}

/* A check keeps its first failure. */
static void the_first_failure_stays(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    static const char first[] = "an earlier failure";
    renew(&b);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        b.report.checks[id].verdict = EC_VERDICT_FAIL;
        strcpy(b.report.checks[id].detail, first);
    }
    b.net->foreign = true;
    checks_judge(&b.report, &b.p, PLAY_DONE, NULL);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++)
        assert_verdict(&b, (enum ec_check_id)id, EC_VERDICT_FAIL, first);
    assert_int_equal(checks_failed(&b.report, EC_CHECK_COUNT), 0);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        renew(&b)->checks[id].verdict = EC_VERDICT_FAIL;
        assert_int_equal(checks_failed(&b.report, EC_CHECK_COUNT), id);
        assert_int_equal(checks_failed(&b.report, id), EC_CHECK_COUNT);
        assert_false(checks_open(&b.report));
        b.report.checks[id].verdict = EC_VERDICT_OPEN;
        assert_true(checks_open(&b.report));
    }
    bench_close(&b);
}

static void virtual_channels_are_judged_if_they_are_followed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "vcs=2,depth=4", "shift:q=4,m=8", 8);
    struct ec_net_ops blind = *b.net->ops;
    const struct ec_net_ops *const ops = b.net->ops;
    blind.checked_vcs = NULL;
    assert_judged(&b, EC_CHECK_VCS, EC_VERDICT_PASS, "144 words on their channels");
    ideal_damage(b.net, VCS_UNKNOWN);
    assert_judged(&b, EC_CHECK_VCS, EC_VERDICT_UNCHECKED, "some packets were not followed");
    b.net->ops = &blind;
    assert_judged(&b, EC_CHECK_VCS, EC_VERDICT_UNCHECKED, "the backend does not follow words");
    b.net->ops = ops;
    b.r.vcs = 1;
    assert_judged(&b, EC_CHECK_VCS, EC_VERDICT_NONE, "one VC");
    b.r.vcs = 2;
    bench_close(&b);
}

/* What an unfinished run leaves open, and what does not apply to it. */
static void an_unfinished_run_is_not_judged(void **state)
{
    (void)state;
    static const char why[] = "the run did not finish";
    static const enum ec_check_id always[] = {EC_CHECK_DELIVERY, EC_CHECK_DRAIN, EC_CHECK_LEDGER,
                                              EC_CHECK_LOADS, EC_CHECK_PROGRESS};
    static const enum ec_check_id others[] = {EC_CHECK_RTL, EC_CHECK_VCS, EC_CHECK_CONGESTION,
                                              EC_CHECK_TIME, EC_CHECK_STABILITY};
    struct bench b;
    bench_open(&b, "mesh:3x3", "vcs=2,depth=4", "shift:q=4,m=8", 8);
    renew(&b)->has_prediction = true;
    b.w->open_loop = true;
    checks_judge(&b.report, &b.p, PLAY_LIMIT, b.audit);
    for (size_t i = 0; i < COUNT(always); i++)
        assert_verdict(&b, always[i], EC_VERDICT_UNCHECKED, why);
    for (size_t i = 0; i < COUNT(others); i++)
        assert_verdict(&b, others[i], EC_VERDICT_UNCHECKED, why);
    b.w->open_loop = false;
    b.net->foreign = false;
    b.r.vcs = 1;
    b.net->rtl = NULL;
    checks_judge(renew(&b), &b.p, PLAY_LIMIT, NULL);
    for (size_t i = 0; i < COUNT(always); i++)
        assert_verdict(&b, always[i], EC_VERDICT_UNCHECKED, why);
    for (size_t i = 1; i < COUNT(others); i++)
        assert_verdict(&b, others[i], EC_VERDICT_NONE, "");
    assert_verdict(&b, EC_CHECK_SWITCHING, EC_VERDICT_NONE, "");
    b.r.vcs = 2;
    bench_close(&b);
}

/* Node 4 (1,1) sends to node 8 (2,2) in the shift by 4: its words leave by link +x. */
static void loads_name_the_channel(void **state)
{
    (void)state;
    static const struct {
        unsigned what; /* links, injection, ejection */
        size_t at;
        const char *audited, *says;
    } rows[] = {
        {0, 4 * 5 + 0, "", "link +x of router 4 (1,1) carried 9 words, but the audit expects 8"},
        {1, 4, "",
         "injection port local of router 4 (1,1) carried 9 words, but the audit expects "
         "8"},
        {0, 4 * 5 + 4, "",
         "ejection port local of router 4 (1,1) carried 9 words, but the audit "
         "expects 8"},
        {0, 8 * 5 + 0, "", "link +x of router 8 (2,2) carried 1 words, but the audit expects 0"},
    };
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    assert_judged(&b, EC_CHECK_LOADS, EC_VERDICT_PASS,
                  "192 flit-hops, 192 audited; every channel as audited");
    for (size_t i = 0; i < COUNT(rows); i++) {
        renew(&b);
        uint64_t *const count = (rows[i].what ? b.report.injected : b.report.flits) + rows[i].at;
        ++*count;
        checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
        assert_verdict(&b, EC_CHECK_LOADS, EC_VERDICT_FAIL, rows[i].says);
        --*count;
    }
    renew(&b)->flit_hops++;
    checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
    assert_verdict(&b, EC_CHECK_LOADS, EC_VERDICT_FAIL,
                   "193 flit-hops, 192 audited; every channel as audited");
    checks_judge(renew(&b), &b.p, PLAY_DONE, NULL); /* nothing counts the paths in this play */
    assert_verdict(&b, EC_CHECK_LOADS, EC_VERDICT_PASS,
                   "192 flit-hops measured, 192 = sum of path lengths");
    bench_close(&b);
}

/* --- Contention ------------------------------------------------------------------------------- */

static void contention_needs_an_audit_and_taps(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    checks_judge(renew(&b), &b.p, PLAY_DONE, NULL);
    assert_verdict(&b, EC_CHECK_CONGESTION, EC_VERDICT_NONE, "random traffic");
    b.net->has_taps = false;
    assert_judged(&b, EC_CHECK_CONGESTION, EC_VERDICT_UNCHECKED, "no taps");
    b.net->has_taps = true;
    assert_judged(&b, EC_CHECK_CONGESTION, EC_VERDICT_PASS,
                  "0 contended cycles, at most 1 message on a channel");
    bench_close(&b);
}

/* By step, from the audit; else, from the prediction. */
static void messages_in_order_meet_or_not(void **state)
{
    (void)state;
    struct bench b;
    bench_open_steps(&b, EC_SYNC_STEP);
    assert_judged(&b, EC_CHECK_CONGESTION, EC_VERDICT_PASS,
                  "0 contended cycles, no two messages of a step share a channel");
    b.audit->congestion_free = false;
    renew(&b)->contended_cycles = 7;
    b.report.has_prediction = true; /* says nothing about steps */
    checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
    assert_verdict(&b, EC_CHECK_CONGESTION, EC_VERDICT_NONE,
                   "messages of the schedule may meet: 7 contended cycles");
    bench_close(&b);
    bench_open_steps(&b, EC_SYNC_DATA);
    for (uint64_t contended = 0; contended < 2; contended++) {
        renew(&b)->contended_cycles = contended;
        b.report.has_prediction = true;
        checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
        assert_verdict(&b, EC_CHECK_CONGESTION, contended ? EC_VERDICT_FAIL : EC_VERDICT_PASS,
                       contended ? "1 contended cycles, no two messages meet in the prediction"
                                 : "0 contended cycles, no two messages meet in the prediction");
    }
    renew(&b)->contended_cycles = 7;
    checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
    assert_verdict(&b, EC_CHECK_CONGESTION, EC_VERDICT_NONE,
                   "messages of the schedule may meet: 7 contended cycles");
    bench_close(&b);
}

/* Dynamic allocation: packets of a message that had to wait may be on several VCs, and meet. */
static void packets_of_a_message_may_overtake_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *router;
        uint32_t packet;
        unsigned load;
        double stall;
        bool may;
    } rows[] = {
        {"vcs=2,va=dynamic,depth=4", 4, 2, 0, true},
        {"vcs=2,va=dynamic,depth=4", 4, 1, 0.1, true},
        {"vcs=2,va=dynamic,depth=4", 4, 1, 0, false},
        {"vcs=2,va=dynamic,depth=4", 8, 2, 0, false},
        {"vcs=2,depth=4", 4, 2, 0, false},
        {"vcs=2,va=dynamic,depth=1", 4, 1, 0, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, "mesh:3x3", rows[i].router, "shift:q=4,m=8", rows[i].packet);
        b.audit->max_channel_load = rows[i].load;
        b.p.options.eject_stall = rows[i].stall;
        renew(&b)->contended_cycles = 3;
        checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
        if (rows[i].may)
            assert_verdict(&b, EC_CHECK_CONGESTION, EC_VERDICT_NONE,
                           "packets of one message may overtake each other: 3 contended cycles");
        else
            assert_int_equal(b.report.checks[EC_CHECK_CONGESTION].verdict, EC_VERDICT_PASS);
        bench_close(&b);
    }
}

/* Contended cycles at channels with 0, 1 and 2 messages. */
static void contention_needs_two_messages(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    for (unsigned load = 0; load <= 2; load++) {
        for (unsigned local = 0; local < 2; local++) {
            const char *const says[] = {
                "3 contended cycles at port +x of router 4 (1,1), which no message uses",
                "3 contended cycles at port local of router 4 (1,1), which no message uses",
                "3 contended cycles at port +x of router 4 (1,1), which only one message uses",
                "3 contended cycles at port local of router 4 (1,1), which only one message uses",
                "3 contended cycles, at most 2 messages on a channel",
                "3 contended cycles, at most 2 messages on a channel",
            };
            uint32_t *const audited =
                local ? &b.audit->eject_load[4] : &b.audit->link_load[4 * 4 + 0];
            const uint32_t was = *audited;
            *audited = load;
            b.audit->max_channel_load = load == 2 ? 2 : 1;
            renew(&b)->contended_cycles = 3;
            b.report.contended[4 * 5 + (local ? 4 : 0)] = 3;
            checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
            assert_verdict(&b, EC_CHECK_CONGESTION, load == 2 ? EC_VERDICT_PASS : EC_VERDICT_FAIL,
                           says[2 * load + local]);
            b.report.contended[4 * 5 + (local ? 4 : 0)] = 0;
            *audited = was;
        }
    }
    bench_close(&b);
}

/* With speedup=1 also at other outputs of a router, if two messages come there by one channel. */
static void contention_at_a_crossbar_input_needs_two_messages(void **state)
{
    (void)state;
    static const char one[] =
        "3 contended cycles at port +x of router 4 (1,1), which only one message uses";
    static const char two[] = "3 contended cycles, at most 2 messages on a channel";
    static const struct {
        const char *router;
        size_t link, inject; /* that carries two messages; router 4 has links 16 to 19 */
        bool may;
    } rows[] = {
        {"vcs=2,depth=4,speedup=1", 3 * 4 + 0, 0, true},  /* link +x of router 3 */
        {"vcs=2,depth=4,speedup=1", 7 * 4 + 3, 0, true},  /* link -y of router 7 */
        {"vcs=2,depth=4,speedup=1", 5 * 4 + 0, 0, false}, /* leads away */
        {"vcs=2,depth=4,speedup=1", 4 * 4 + 2, 0, false}, /* another output */
        {"vcs=2,depth=4,speedup=1", 0, 4, true},
        {"vcs=2,depth=4,speedup=1", 0, 5, false}, /* another node */
        {"vcs=2,depth=4,speedup=vcs", 3 * 4 + 0, 0, false},
        {"vcs=1,depth=4,speedup=1", 3 * 4 + 0, 0, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        bench_open(&b, "mesh:3x3", rows[i].router, "shift:q=4,m=8", 8);
        uint32_t *const audited = rows[i].link ? &b.audit->link_load[rows[i].link]
                                               : &b.audit->inject_load[rows[i].inject];
        *audited = 2;
        b.audit->max_channel_load = 2;
        renew(&b)->contended_cycles = 3;
        b.report.contended[4 * 5 + 0] = 3;
        checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
        assert_verdict(&b, EC_CHECK_CONGESTION, rows[i].may ? EC_VERDICT_PASS : EC_VERDICT_FAIL,
                       rows[i].may ? two : one);
        bench_close(&b);
    }
}

/* When messages with a common channel cannot miss each other: all start together, their words come
 * without gaps, and each is longer than the longest way in cycles, 4 links of one cycle here. */
static void long_messages_must_meet(void **state)
{
    (void)state;
    static const struct {
        const char *router;
        uint32_t words, packet;
        unsigned startup;
        double stall;
        bool foreign, permutation, must;
    } rows[] = {
        {"depth=4", 5, 5, 0, 0, false, true, true},
        {"depth=4", 4, 5, 0, 0, false, true, false},   /* too short */
        {"depth=4", 5, 5, 0, 0.1, false, true, false}, /* gaps at the nodes */
        {"depth=4", 5, 5, 0, 0, true, true, false},    /* other gaps */
        {"depth=4", 5, 5, 0, 0, false, false, false},  /* not at once */
        {"depth=4", 5, 4, 0, 0, false, true, true},    /* two packets without a gap */
        {"depth=4", 5, 4, 1, 0, false, true, false},   /* a start-up between them */
        {"depth=4", 5, 5, 1, 0, false, true, true},    /* before all */
        {"depth=4", 5, 6, 1, 0, false, true, true},
        {"depth=1", 5, 5, 0, 0, false, true, true}, /* gaps that nothing else can use */
        {"depth=1", 5, 4, 0, 0, false, true, false},
        {"vcs=2,depth=1", 5, 5, 0, 0, false, true, false}, /* gaps that the other VC can use */
        {"vcs=2,depth=4", 5, 5, 0, 0, false, true, true},
        {"depth=8,switching=store-and-forward", 5, 5, 0, 0, false, true, false},
        {"depth=8,switching=cut-through", 5, 5, 0, 0, false, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        char workload[40];
        snprintf(workload, sizeof workload, "shift:q=4,m=%u", rows[i].words);
        bench_open(&b, "mesh:3x3", rows[i].router, workload, rows[i].packet);
        b.audit->max_channel_load = 2;
        b.p.options.startup = rows[i].startup;
        b.p.options.eject_stall = rows[i].stall;
        b.net->foreign = rows[i].foreign;
        b.w->permutation = rows[i].permutation;
        checks_judge(renew(&b), &b.p, PLAY_DONE, b.audit);
        if (b.report.checks[EC_CHECK_CONGESTION].verdict !=
            (rows[i].must ? EC_VERDICT_FAIL : EC_VERDICT_PASS))
            fail_msg("row %zu: %s", i, b.report.checks[EC_CHECK_CONGESTION].detail);
        assert_verdict(&b, EC_CHECK_CONGESTION, rows[i].must ? EC_VERDICT_FAIL : EC_VERDICT_PASS,
                       rows[i].must
                           ? "a channel of load 2 and messages that must meet there, but no "
                             "contention"
                           : "0 contended cycles, at most 2 messages on a channel");
        b.audit->max_channel_load = 1;
        checks_judge(renew(&b), &b.p, PLAY_DONE, b.audit);
        assert_int_equal(b.report.checks[EC_CHECK_CONGESTION].verdict, EC_VERDICT_PASS);
        bench_close(&b);
    }
}

/* --- Time and switching ----------------------------------------------------------------------- */

static void times_are_compared_with_what_is_known(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=4", "shift:q=4,m=8", 8);
    for (uint64_t predicted = 12; predicted <= 14; predicted++) {
        char says[80];
        renew(&b)->has_prediction = true;
        b.report.predicted_cycles = predicted;
        checks_judge(&b.report, &b.p, PLAY_DONE, b.audit);
        snprintf(says, sizeof says, "13 cycles measured, %u predicted", (unsigned)predicted);
        assert_verdict(&b, EC_CHECK_TIME, predicted == 13 ? EC_VERDICT_PASS : EC_VERDICT_FAIL,
                       says);
    }
    /* 4 links, the node, and 8 words: 13. */
    assert_judged(&b, EC_CHECK_TIME, EC_VERDICT_UNCHECKED,
                  "foreign pipeline; ecube's own would take 13 cycles");
    b.audit->congestion_free = false;
    b.audit->max_channel_load = 2;
    assert_judged(&b, EC_CHECK_TIME, EC_VERDICT_UNCHECKED, "foreign pipeline");
    b.net->foreign = false;
    assert_judged(&b, EC_CHECK_TIME, EC_VERDICT_NONE, "no closed form");
    b.p.options.eject_stall = 0.1;
    assert_judged(&b, EC_CHECK_TIME, EC_VERDICT_NONE, "random back-pressure");
    bench_close(&b);
}

static void switching_is_judged_by_what_nodes_see(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x3", "depth=8,switching=store-and-forward", "shift:q=4,m=8", 8);
    b.p.board.early.found = false;
    assert_judged(&b, EC_CHECK_SWITCHING, EC_VERDICT_UNCHECKED, "foreign router");
    b.net->foreign = false;
    assert_judged(&b, EC_CHECK_SWITCHING, EC_VERDICT_PASS, "9 packets took their time");
    b.p.board.packets = 0;
    assert_judged(&b, EC_CHECK_SWITCHING, EC_VERDICT_NONE, "");
    b.p.board.early.found = true;
    b.p.board.early.cycle = 30;
    b.p.board.early.took = 16;
    b.p.board.early.least = 24;
    b.p.board.early.words = 8;
    b.p.board.early.hops = 1;
    b.p.board.early.src = 5;
    b.p.board.early.dst = 4;
    b.net->foreign = true;
    assert_judged(&b, EC_CHECK_SWITCHING, EC_VERDICT_FAIL,
                  "store-and-forward: the packet of 8 words from node 5 (2,1) to node 4 (1,1) "
                  "that arrived in cycle 30 took 16 cycles over 1 hops; at least 24 are needed");
    bench_close(&b);
    bench_open(&b, "mesh:3x3", "depth=8", "shift:q=4,m=8", 8);
    b.net->foreign = false;
    assert_judged(&b, EC_CHECK_SWITCHING, EC_VERDICT_NONE, "");
    bench_close(&b);
}

/* --- The steady state ------------------------------------------------------------------------- */

static void open_random(struct bench *b)
{
    bench_open(b, "mesh:3x3", "depth=4", "uniform:rate=0.2,m=2", 2);
}

static const char *stability(struct bench *b, enum ec_verdict verdict)
{
    checks_judge(&b->report, &b->p, PLAY_DONE, NULL);
    const struct ec_check *c = &b->report.checks[EC_CHECK_STABILITY];
    if (c->verdict != verdict)
        fail_msg("expected %d; got %d: %s", (int)verdict, (int)c->verdict, c->detail);
    return c->detail;
}

static void a_measurement_says_what_it_lacks(void **state)
{
    (void)state;
    static const struct {
        struct precision_lack lack;
        const char *says;
    } rows[] = {
        {{PRECISION_LACKS_INTERVAL, 0, 0},
         "mean latency 20.0 after 4000 cycles, its interval is not known: batches are correlated "
         "(+0.25), expected +- 2 % and uncorrelated batches"},
        {{PRECISION_LACKS_PACKETS, 0, 0},
         "mean latency 20.0 +- 5 % after 4000 cycles, but of only 300 packets: expected at least "
         "2000"},
        {{PRECISION_LACKS_HALF, 0, 0},
         "mean latency 20.0 +- 5 % after 4000 cycles, but too few packets in the first half for an "
         "interval of its own"},
        {{PRECISION_LACKS_HALF, 1, 0},
         "mean latency 20.0 +- 5 % after 4000 cycles, but too few packets in the second half for "
         "an interval of its own"},
        {{PRECISION_LACKS_HALF, 0, 0.099}, /* 9.8 or 10 if it is off by 1 % */
         "mean latency 20.0 +- 5 % after 4000 cycles, but +- 9.9 % in its first half: expected at "
         "most +- 4 % there"},
        {{PRECISION_LACKS_HALF, 1, 0.11},
         "mean latency 20.0 +- 5 % after 4000 cycles, but +- 11 % in its second half: expected at "
         "most +- 4 % there"},
        {{PRECISION_LACKS_WIDTH, 0, 0},
         "mean latency 20.0 +- 5 % after 4000 cycles, expected +- 2 %"},
    };
    struct bench b;
    open_random(&b);
    struct precision *const x = &b.p.precise;
    x->goal.relative = 0.02;
    x->decision = 4000;
    for (size_t i = 0; i < COUNT(rows); i++) {
        x->found = (struct ec_measurement){.batches = 30,
                                           .latency = 20,
                                           .latency_half = 1,
                                           .correlation = 0.25,
                                           .packets = 300,
                                           .window = 500};
        x->lack = rows[i].lack;
        renew(&b)->measurement.state = EC_MEASURED_LIMIT;
        assert_string_equal(stability(&b, EC_VERDICT_OPEN), rows[i].says);
    }
    renew(&b)->measurement.state = EC_MEASURED_TOO_SHORT;
    x->found.state = EC_MEASURED_TOO_SHORT;
    assert_string_equal(stability(&b, EC_VERDICT_OPEN),
                        "latency still changes after half of the 4000 cycles");
    x->found.batches = 0;
    renew(&b)->measurement.state = EC_MEASURED_LIMIT;
    assert_string_equal(stability(&b, EC_VERDICT_OPEN),
                        "only 300 packets in 500 cycles, too few for an interval");
    assert_true(b.report.suggested_cycles == precision_suggest(x));
    x->found = (struct ec_measurement){0};
    bench_close(&b);
}

/* The number behind `before` in a text. */
static double number_after(const char *text, const char *before)
{
    const char *const at = strstr(text, before);
    double x = 0;
    if (!at || sscanf(at + strlen(before), "%lf", &x) != 1)
        fail_msg("no number behind '%s' in: %s", before, text);
    return x;
}

static void a_window_says_what_grows(void **state)
{
    (void)state;
    struct bench b;
    open_random(&b);
    struct steady *const s = &b.p.steady;
    const char *text = (renew(&b), stability(&b, EC_VERDICT_PASS));
    assert_int_equal(b.report.steady, EC_STEADY_SHOWN);
    assert_true(number_after(text, "largest backlog ") <= number_after(text, "(limit "));
    for (unsigned sources = 1; sources <= 2; sources++) {
        for (uint32_t i = 0; i < sources; i++)
            s->source[3 + i].behind = true;
        for (unsigned k = 0; k <= STEADY_HALF; k++)
            s->behind[k] = 100 + 1000 * k;
        renew(&b);
        text = stability(&b, EC_VERDICT_FAIL);
        assert_int_equal(b.report.steady, EC_STEADY_GROWS);
        const char *const begin =
            sources == 1
                ? "the backlogs of 1 source grow: by 16000 words in the second half of the window, "
                : "the backlogs of 2 sources grow: by 16000 words in the second half of the "
                  "window, ";
        const struct steady_finding f = steady_judge(s, true);
        if (!strstr(text, begin))
            fail_msg("%s", text);
        const double times = number_after(text, "the window, ") - 16000 / f.grown_error;
        assert_true(times >= -0.5 && times <= 0.5); /* rounded */
    }
    bench_close(&b);
}

static void restore(struct steady *s, const struct steady *saved,
                    struct estimate_bin bins[][STEADY_BINS])
{
    *s = *saved;
    memcpy(s->bin, bins, STEADY_SERIES * sizeof *s->bin);
}

static void a_window_says_why_it_is_too_short(void **state)
{
    (void)state;
    static const char begin[] = "window too short to show a steady state: ";
    struct bench b;
    open_random(&b);
    struct steady *const s = &b.p.steady;
    const struct steady saved = *s;
    static struct estimate_bin bins[STEADY_SERIES][STEADY_BINS];
    struct steady_source sources[9];
    char says[300];
    memcpy(sources, s->source, sizeof sources);
    memcpy(bins, s->bin, sizeof bins);

    s->source[5].late = 800 * STEADY_QUARTER;
    renew(&b);
    snprintf(says, sizeof says,
             "%snode 5 (2,1) has a backlog of 800 words, of which %.0f could be "
             "chance",
             begin, steady_judge(s, true).backlog_limit);
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
    assert_int_equal(b.report.steady, EC_STEADY_TOO_SHORT);
    assert_true(b.report.backlogged);
    const struct steady_finding behind = steady_judge(s, true);
    const uint64_t longer = steady_suggest(s, &behind);
    assert_int_equal(b.report.suggested_cycles, longer);
    assert_verdict(&b, EC_CHECK_TIME, EC_VERDICT_NONE, "random traffic");

    b.p.senders.locals = 3; /* sources 3, 4, 5 are those of node 1 */
    renew(&b);
    assert_non_null(strstr(stability(&b, EC_VERDICT_OPEN), ": node 1 (1,0) has a backlog of 800"));
    b.p.senders.locals = 1;
    s->traffic[s->kinds++] = s->traffic[0]; /* sources 4 and 5 are those of node 2 */
    renew(&b);
    assert_non_null(strstr(stability(&b, EC_VERDICT_OPEN), ": node 2 (2,0) has a backlog of 800"));
    s->kinds = 1;

    /* With a precision, sources are observed in half of the cycles: the larger of both counts. */
    const struct ec_precision goal = {.relative = 0.02};
    const struct precision none = b.p.precise;
    b.p.options.precision = &goal;
    b.p.precise.window[0].steady = b.p.precise.window[1].steady = *s;
    for (uint64_t decision = longer / 2; decision <= 2 * longer; decision += longer / 4) {
        b.p.precise.decision = decision; /* it suggests twice as many */
        renew(&b);
        (void)stability(&b, EC_VERDICT_OPEN);
        assert_int_equal(b.report.suggested_cycles, 2 * (decision > longer ? decision : longer));
    }
    b.p.precise.window[0].steady.load = b.p.precise.window[1].steady.load = 1;
    renew(&b);
    (void)stability(&b, EC_VERDICT_OPEN); /* at the bound, no window helps */
    assert_int_equal(b.report.suggested_cycles, 0);
    b.p.options.precision = NULL;
    b.p.precise = none;
    memcpy(s->source, sources, sizeof sources);

    for (unsigned k = 0; k < STEADY_QUARTER; k++)
        s->backlog[STEADY_BATCHES - k] = 9000 + s->backlog[k];
    renew(&b);
    snprintf(says, sizeof says, "%sthe backlogs rise by 9000 words, of which %.0f could be chance",
             begin, steady_judge(s, true).rise_limit);
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
    restore(s, &saved, bins);

    renew(&b)->window_missing = 3;
    b.report.window_messages = 100;
    snprintf(says, sizeof says, "%s3 of its 100 messages had not arrived %llu cycles after its end",
             begin, (unsigned long long)play_patience(&b.p));
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
    assert_false(b.report.backlogged);

    for (unsigned half = 0; half < 2; half++) {
        struct estimate_bin *bin = s->bin[STEADY_PACKET];
        memset(bin + half * STEADY_BINS / 2, 0, STEADY_BINS / 2 * sizeof *bin);
        renew(&b);
        snprintf(says, sizeof says, "%shalf of it has no message", begin);
        assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
        restore(s, &saved, bins);
    }

    s->traffic[0].period = 500;
    renew(&b);
    snprintf(says, sizeof says,
             "%sexpected at least ten bursts of each source, 500 cycles each "
             "with the pause",
             begin);
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
    restore(s, &saved, bins);

    /* No packet waits at its source, so the relaxation time does not count. */
    for (unsigned k = 0; k < STEADY_BINS; k++)
        s->bin[STEADY_PACKET][k] = s->bin[STEADY_NETWORK][k] = (struct estimate_bin){10, 5000};
    renew(&b);
    snprintf(says, sizeof says, "%sexpected at least ten times the mean latency of 500.0 cycles",
             begin);
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);

    for (unsigned k = 0; k < STEADY_BINS; k++)
        s->bin[STEADY_PACKET][k].sum = s->bin[STEADY_NETWORK][k].sum =
            k < STEADY_BINS / 2 ? 100 : 3100;
    renew(&b);
    snprintf(says, sizeof says, "%slatency drifts by +300.0 cycles, standard error 0.0, mean 160.0",
             begin);
    assert_string_equal(stability(&b, EC_VERDICT_OPEN), says);
    restore(s, &saved, bins);

    /* The rest depends on the exact load of the busiest channel only. */
    b.p.options.precision = NULL;
    for (unsigned i = 0; i < 4; i++) {
        static const double loads[] = {0.5, 0.999, 1, 0.99999};
        s->load = loads[i];
        renew(&b);
        const char *text = stability(&b, i == 0 ? EC_VERDICT_PASS : EC_VERDICT_OPEN);
        assert_true(i % 2 == 0 ||
                    strstr(text, "window too short to show how far the mean latency"));
        assert_true((strstr(text, "even 10^9 cycles could be too few") != NULL) == (i == 3));
        assert_true(i != 2 || strstr(text, "no window shows a steady state: the rate is"));
        assert_int_equal(b.report.suggested_cycles > 0, i == 1);
        assert_int_equal(b.report.packet_confidence.has_interval, i == 0);
    }
    restore(s, &saved, bins);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("elements are followed to their targets", elements_are_followed_to_their_targets),
        TEST("what the RTL said is judged", what_rtl_said_is_judged),
        TEST("deliveries that stop are judged", deliveries_that_stop_are_judged),
        TEST("the first failure of a check stays", the_first_failure_stays),
        TEST("virtual channels are judged if they are followed",
             virtual_channels_are_judged_if_they_are_followed),
        TEST("an unfinished run is not judged", an_unfinished_run_is_not_judged),
        TEST("loads name the channel", loads_name_the_channel),
        TEST("contention needs an audit and taps", contention_needs_an_audit_and_taps),
        TEST("messages in order meet or not", messages_in_order_meet_or_not),
        TEST("packets of a message may overtake each other",
             packets_of_a_message_may_overtake_each_other),
        TEST("contention needs two messages", contention_needs_two_messages),
        TEST("contention at a crossbar input needs two messages",
             contention_at_a_crossbar_input_needs_two_messages),
        TEST("long messages must meet", long_messages_must_meet),
        TEST("times are compared with what is known", times_are_compared_with_what_is_known),
        TEST("switching is judged by what nodes see", switching_is_judged_by_what_nodes_see),
        TEST("a measurement says what it lacks", a_measurement_says_what_it_lacks),
        TEST("a window says what grows", a_window_says_what_grows),
        TEST("a window says why it is too short", a_window_says_why_it_is_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
