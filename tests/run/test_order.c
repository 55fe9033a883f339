/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that wait for each other, on real router RTL: schedules made by hand, independent of the
 * algorithms of the library. The times of single messages come from line.c. */
#include <stdlib.h>
#include <string.h>

#include "ecube/schedule.h"
#include "line.h"
#include "rig.h"
#include "run/play.h"
#include "workload/order.h"

#define MANY 64

/* A schedule under construction: room is static, everything is written in order. */
struct plan {
    struct ec_schedule s;
    struct ec_place target[MANY];
    struct ec_transfer transfers[MANY];
    struct ec_carried carried[MANY];
    struct ec_local_move moves[MANY];
};

static void plan_open(struct plan *p, uint32_t nodes, uint32_t per_node, uint32_t words)
{
    memset(p, 0, sizeof *p);
    p->s = (struct ec_schedule){.algorithm = "by hand",
                                .nodes = nodes,
                                .holders = nodes,
                                .per_node = per_node,
                                .words = words,
                                .target = p->target,
                                .transfers = p->transfers,
                                .carried = p->carried,
                                .moves = p->moves};
    for (uint32_t i = 0; i < nodes * per_node; i++)
        p->target[i] = (struct ec_place){i / per_node, i % per_node};
}

static void transfer(struct plan *p, uint32_t step, uint32_t src, uint32_t dst)
{
    p->transfers[p->s.transfer_count++] =
        (struct ec_transfer){step, src, dst, (uint32_t)p->s.carried_count, 0};
    p->s.steps = step;
}

/* The last transfer carries an element, which stays there unless a later one carries it on. */
static void carry(struct plan *p, uint32_t element, uint32_t slot)
{
    struct ec_transfer *t = &p->transfers[p->s.transfer_count - 1];
    p->carried[p->s.carried_count++] = (struct ec_carried){element, slot};
    t->count++;
    p->target[element] = (struct ec_place){t->dst, slot};
}

/* The last move of an element that is carried no further is where it ends. */
static void move(struct plan *p, uint32_t step, uint32_t element, uint32_t slot)
{
    p->moves[p->s.move_count++] = (struct ec_local_move){step, element, slot};
    p->target[element].slot = slot;
}

/* ring:4, one element a node, `steps` times to the next node. */
static void plan_round(struct plan *p, uint32_t words, uint32_t steps)
{
    plan_open(p, 4, 1, words);
    for (uint32_t step = 1; step <= steps; step++) {
        for (uint32_t node = 0; node < 4; node++) {
            transfer(p, step, node, (node + 1) % 4);
            carry(p, (node + 4 - (step - 1) % 4) % 4, 0);
        }
    }
}

struct played {
    struct trial trial;
    /* By message: first packet taken up, last word seen. */
    uint64_t created[MANY], injected[MANY], delivered[MANY];
};

static void play_workload(struct rig *rig, const struct plan *p, struct ec_workload *w,
                          uint32_t startup, struct played *ret)
{
    struct ec_error error;
    *ret = (struct played){
        .trial = {
            .rig = rig, .w = w, .options = {.seed = 1, .startup = startup, .keep_packets = true}}};
    ret->trial.options.schedule = p ? &p->s : NULL;
    if (ec_audit_open(&rig->t, &rig->r, w, true, &ret->trial.audit, &error) ||
        ec_run(rig->net, w, ret->trial.audit, &ret->trial.options, &ret->trial.report, &error))
        fail_msg("%s", error.message);
    const struct ec_report *r = ret->trial.report;
    uint32_t left[MANY];
    for (size_t i = 0; i < w->message_count; i++)
        left[i] = w->messages[i].words;
    for (uint64_t k = 0; k < r->packets; k++) { /* packets of one pair arrive in order */
        const struct ec_packet_log *l = &r->packets_log[k];
        size_t i = 0;
        while (i < w->message_count &&
               !(left[i] && w->messages[i].src == l->src && w->messages[i].dst == l->dst))
            i++;
        assert_true(i < w->message_count);
        if (left[i] == w->messages[i].words)
            ret->injected[i] = l->injected;
        left[i] -= l->words;
        ret->created[i] = l->created;
        ret->delivered[i] = l->delivered;
    }
}

static struct ec_workload *plan_workload(const struct plan *p, enum ec_sync sync,
                                         uint32_t local_cost)
{
    struct ec_error error;
    struct ec_workload of = {.text = "by hand", .name = "hand"}, *w;
    if (ec_schedule_workload(&p->s, &of, sync, local_cost, &w, &error))
        fail_msg("%s", error.message);
    return w;
}

static void play_plan(struct rig *rig, const char *topology, const char *router, unsigned packet,
                      const struct plan *p, enum ec_sync sync, uint32_t local_cost,
                      uint32_t startup, struct played *ret)
{
    struct ec_workload *w = plan_workload(p, sync, local_cost);
    const struct ec_case_spec spec = {
        .topology = topology, .router = router, .packet = packet, .longest = w->longest};
    rig_open(rig, &spec);
    play_workload(rig, p, w, startup, ret);
}

/* The dependencies of the schedule, computed independently by searching back from each transfer. 0:
 * it may start in cycle 1. */
static uint64_t arrived(const struct plan *p, const struct played *seen, size_t i, bool by_step)
{
    uint64_t last = 0;
    for (size_t k = 0; k < i; k++) {
        bool waits = by_step && p->transfers[k].step < p->transfers[i].step;
        for (uint32_t c = 0; !by_step && c < p->transfers[i].count; c++) {
            for (uint32_t d = 0; d < p->transfers[k].count; d++)
                waits = waits || p->carried[p->transfers[i].first + c].element ==
                                     p->carried[p->transfers[k].first + d].element;
        }
        if (waits && seen->delivered[k] > last)
            last = seen->delivered[k];
    }
    return last;
}

static void assert_ready_cycles(const struct plan *p, const struct played *seen, bool by_step)
{
    for (size_t i = 0; i < p->s.transfer_count; i++) {
        trial_assert_equal(&seen->trial, "cycle in which a message is ready", seen->created[i],
                           arrived(p, seen, i, by_step) + 1);
        assert_true(seen->injected[i] >= seen->created[i]);
    }
}

/* Steps of one hop each: T = steps * (t_s + m + 2), in packets as long as line.c says. */
static void steps_take_what_their_messages_take(NO_STATE)
{
    static const struct {
        const char *router;
        unsigned packet;
    } routers[] = {{"depth=4", 0},
                   {"depth=4", 3},
                   {"depth=4,ports=all", 0},
                   {"depth=4,switching=cut-through", 3},
                   {"depth=8,switching=store-and-forward", 2}};
    struct rig rig = {0};
    for (size_t k = 0; k < COUNT(routers); k++) {
        for (uint32_t words = 1; words <= 9; words += 4) {
            for (uint32_t startup = 0; startup <= 5; startup += 5) {
                struct plan p;
                struct played seen;
                plan_round(&p, words, 3);
                play_plan(&rig, "ring:4", routers[k].router, routers[k].packet, &p, EC_SYNC_STEP, 0,
                          startup, &seen);
                trial_assert_passed(&seen.trial);
                trial_assert_equal(&seen.trial, "cycles", seen.trial.report->cycles,
                                   3 * line_time(&rig.r, 1, words, startup));
                if (routers[k].packet == 0)
                    trial_assert_equal(&seen.trial, "cycles", seen.trial.report->cycles,
                                       3 * (startup + words + 2));
                trial_assert_equal(&seen.trial, "contended", seen.trial.report->contended_cycles,
                                   0);
                assert_true(seen.trial.audit->congestion_free);
                trial_assert_equal(&seen.trial, "load over all steps",
                                   seen.trial.audit->max_link_load, 3);
                assert_ready_cycles(&p, &seen, true);
                trial_close(&seen.trial);
            }
        }
    }
    rig_close(&rig);
}

/* 0 sends nine elements to 1 while one goes from 2 to 3; both go on in step 2. */
static void plan_uneven(struct plan *p)
{
    plan_open(p, 4, 9, 1);
    transfer(p, 1, 0, 1);
    for (uint32_t e = 0; e < 9; e++)
        carry(p, e, e);
    transfer(p, 1, 2, 3);
    carry(p, 18, 0);
    transfer(p, 2, 1, 2);
    for (uint32_t e = 0; e < 9; e++)
        carry(p, e, e);
    transfer(p, 2, 3, 0);
    carry(p, 18, 1);
}

static void data_goes_on_when_it_is_there(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    plan_uneven(&p);
    for (unsigned packet = 0; packet <= 4; packet += 4) { /* also as three packets a message */
        play_plan(&rig, "ring:4", "depth=4", packet, &p, EC_SYNC_DATA, 0, 0, &seen);
        trial_assert_passed(&seen.trial);
        assert_ready_cycles(&p, &seen, false);
        trial_assert_equal(&seen.trial, "short", seen.delivered[3], 2 * 3);
        trial_assert_equal(&seen.trial, "long", seen.delivered[2], 2 * line_time(&rig.r, 1, 9, 0));
        trial_close(&seen.trial);
        play_plan(&rig, "ring:4", "depth=4", packet, &p, EC_SYNC_STEP, 0, 0, &seen);
        trial_assert_passed(&seen.trial);
        assert_ready_cycles(&p, &seen, true);
        trial_assert_equal(&seen.trial, "short", seen.delivered[3], line_time(&rig.r, 1, 9, 0) + 3);
        trial_close(&seen.trial);
    }
    rig_close(&rig);
}

/* Node 1 forwards a late element before it sends one that it had from the start. */
static void a_port_keeps_the_order_of_the_schedule(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    plan_open(&p, 4, 9, 1);
    transfer(&p, 1, 0, 1);
    for (uint32_t e = 0; e < 9; e++)
        carry(&p, e, e);
    transfer(&p, 2, 1, 2); /* +x, waits */
    carry(&p, 8, 0);
    transfer(&p, 3, 1, 0); /* -x, is ready from the beginning */
    carry(&p, 9, 0);
    transfer(&p, 4, 1, 2); /* +x, ready too */
    carry(&p, 10, 1);
    play_plan(&rig, "ring:4", NULL, 0, &p, EC_SYNC_DATA, 0, 0, &seen);
    trial_assert_passed(&seen.trial);
    trial_assert_equal(&seen.trial, "ready at first", seen.created[2], 1);
    trial_assert_equal(&seen.trial, "waits for data", seen.injected[1], seen.delivered[0] + 1);
    trial_assert_equal(&seen.trial, "waits for its turn", seen.injected[2], seen.injected[1] + 1);
    trial_assert_equal(&seen.trial, "waits for its turn", seen.injected[3], seen.injected[2] + 1);
    trial_close(&seen.trial);
    play_plan(&rig, "ring:4", "ports=all", 0, &p, EC_SYNC_DATA, 0, 0, &seen);
    trial_assert_passed(&seen.trial);
    trial_assert_equal(&seen.trial, "another port", seen.injected[2], 1);
    trial_assert_equal(&seen.trial, "waits for data", seen.injected[1], seen.delivered[0] + 1);
    trial_assert_equal(&seen.trial, "waits for its turn", seen.injected[3], seen.injected[1] + 1);
    trial_close(&seen.trial);
    rig_close(&rig);
}

/* Two deliveries at different times, one of them of several elements. */
static void what_comes_in_parts_waits_for_the_last(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    plan_open(&p, 4, 9, 1);
    transfer(&p, 1, 0, 1);
    carry(&p, 0, 0);
    transfer(&p, 1, 2, 1);
    for (uint32_t e = 18; e < 27; e++)
        carry(&p, e, e - 17);
    transfer(&p, 2, 1, 2);
    carry(&p, 0, 0);
    carry(&p, 18, 1);
    carry(&p, 19, 2);
    struct ec_workload *w = plan_workload(&p, EC_SYNC_DATA, 0);
    const size_t first[] = {0, 0, 0, 2};
    const uint32_t after[] = {0, 1}; /* each once, though two elements came with the second */
    assert_memory_equal(w->order->first, first, sizeof first);
    assert_memory_equal(w->order->after, after, sizeof after);
    assert_null(w->order->delay);
    ec_workload_close(w);
    for (int by_step = 0; by_step < 2; by_step++) {
        play_plan(&rig, "ring:4", "ports=all", 0, &p, by_step ? EC_SYNC_STEP : EC_SYNC_DATA, 0, 0,
                  &seen);
        trial_assert_passed(&seen.trial);
        assert_ready_cycles(&p, &seen, by_step);
        assert_true(seen.delivered[0] < seen.delivered[1]);
        trial_close(&seen.trial);
    }
    rig_close(&rig);
}

/* A node sends an element to itself and then on: it arrives in the cycle in which it is sent. */
static void what_stays_in_its_node_is_delivered_at_once(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    plan_open(&p, 4, 1, 5);
    transfer(&p, 1, 1, 1);
    carry(&p, 1, 0);
    transfer(&p, 2, 1, 2);
    carry(&p, 1, 0);
    for (int by_step = 0; by_step < 2; by_step++) {
        play_plan(&rig, "ring:4", NULL, 0, &p, by_step ? EC_SYNC_STEP : EC_SYNC_DATA, 0, 0, &seen);
        trial_assert_passed(&seen.trial);
        trial_assert_equal(&seen.trial, "sent on", seen.created[1], 2);
        trial_assert_equal(&seen.trial, "messages", seen.trial.report->messages, 2);
        trial_close(&seen.trial);
    }
    rig_close(&rig);
}

/* A node makes its local moves before it sends, and long work is not simulated cycle by cycle. */
static void local_moves_take_their_time(NO_STATE)
{
    struct rig rig = {0};
    for (int by_step = 0; by_step < 2; by_step++) {
        for (uint32_t cost = 0; cost <= 100000; cost += 50000) {
            struct plan p;
            struct played seen;
            plan_open(&p, 4, 2, 3);
            transfer(&p, 1, 0, 1);
            carry(&p, 0, 0);
            transfer(&p, 2, 0, 3); /* nothing to move in between */
            carry(&p, 1, 0);
            transfer(&p, 3, 1, 2);
            carry(&p, 0, 0);
            move(&p, 1, 0, 1); /* two words of three elements, before step 1 */
            move(&p, 1, 1, 0);
            move(&p, 2, 0, 1); /* in node 1 by now: before its step 3, with the next */
            move(&p, 3, 2, 1);
            move(&p, 4, 4, 1); /* after the last transfer: free */
            p.target[0].slot = 0;
            p.target[1].slot = 0;
            play_plan(&rig, "ring:4", NULL, 0, &p, by_step ? EC_SYNC_STEP : EC_SYNC_DATA, cost, 0,
                      &seen);
            trial_assert_passed(&seen.trial);
            trial_assert_equal(&seen.trial, "step 1", seen.created[0], 6 * cost + 1);
            trial_assert_equal(&seen.trial, "step 2", seen.created[1],
                               by_step ? seen.delivered[0] + 1 : 1);
            trial_assert_equal(&seen.trial, "step 3", seen.created[2],
                               seen.delivered[by_step] + 6 * cost + 1);
            if (seen.trial.report->simulated_cycles > 200)
                trial_fail(&seen.trial, "idle time was simulated");
            trial_close(&seen.trial);
        }
    }
    rig_close(&rig);
}

/* Messages by hand, with their dependencies. */
static struct ec_workload *cyclic(uint32_t second_waits_for)
{
    struct ec_workload *w = calloc(1, sizeof *w);
    struct ec_message_order *o = calloc(1, sizeof *o);
    strcpy(w->text, "cyclic");
    w->name = "cyclic";
    w->nodes = 4;
    w->longest = 2;
    w->message_count = 3;
    w->messages = calloc(3, sizeof *w->messages);
    w->order = o;
    o->step = calloc(3, sizeof *o->step);
    o->first = calloc(4, sizeof *o->first);
    o->after = calloc(2, sizeof *o->after);
    for (uint32_t i = 0; i < 3; i++)
        o->step[i] = i + 1;
    w->messages[0] = (struct ec_message){1, 0, 1, 2, 0};
    w->messages[1] = (struct ec_message){1, 1, 2, 2, 0};
    w->messages[2] = (struct ec_message){1, 1, 0, 2, 0};
    o->first[2] = 1; /* message 1 waits for after[0], */
    o->after[0] = second_waits_for;
    o->first[3] = 2; /* message 2 for after[1] */
    o->after[1] = second_waits_for == 2 ? 1 : 0;
    return w;
}

static void waiting_in_vain_is_told(NO_STATE)
{
    struct rig rig = {0};
    const struct ec_case_spec spec = {.topology = "ring:4", .longest = 2};
    /* Two wait for each other; one waits for a message behind it in its port; one waits for itself.
     */
    static const uint32_t waits_for[] = {2, 1};
    rig_open(&rig, &spec);
    for (size_t k = 0; k < COUNT(waits_for); k++) {
        struct played seen;
        play_workload(&rig, NULL, cyclic(waits_for[k]), 0, &seen);
        const struct ec_report *r = seen.trial.report;
        const struct ec_check *c = &r->checks[EC_CHECK_PROGRESS];
        if (r->outcome != EC_RUN_BROKEN || c->verdict != EC_VERDICT_FAIL || r->passed)
            trial_fail(&seen.trial, "a run that cannot finish has passed");
        if (!strstr(c->detail, "2 messages wait") ||
            !strstr(c->detail, "message 1 (step 2, 1 to 2)"))
            trial_fail(&seen.trial, "the message that waits is not named");
        trial_assert_equal(&seen.trial, "messages", r->messages, 1);
        if (r->simulated_cycles > 100)
            trial_fail(&seen.trial, "found late");
        trial_close(&seen.trial);
    }
    rig_close(&rig);
}

/* A message also waits for its own creation cycle. */
static void a_message_also_waits_for_its_own_cycle(NO_STATE)
{
    struct rig rig = {0};
    struct played seen;
    const struct ec_case_spec spec = {.topology = "ring:4", .longest = 2};
    rig_open(&rig, &spec);
    struct ec_workload *w = cyclic(0);
    w->messages[0].cycle = 50;
    w->messages[1].cycle = 40;
    w->messages[2].cycle = 99;
    w->order->delay = calloc(3, sizeof *w->order->delay);
    w->order->delay[1] = w->order->delay[2] = 7;
    play_workload(&rig, NULL, w, 0, &seen);
    trial_assert_passed(&seen.trial);
    trial_assert_equal(&seen.trial, "the first", seen.created[0], 50);
    trial_assert_equal(&seen.trial, "after its cycle", seen.created[1], seen.delivered[0] + 1 + 7);
    trial_assert_equal(&seen.trial, "before its cycle", seen.created[2], 99 + 7);
    trial_close(&seen.trial);
    rig_close(&rig);
}

static void an_order_that_is_none_is_refused(NO_STATE)
{
    struct rig rig = {0};
    struct ec_error error;
    struct ec_report *report;
    const struct ec_run_options options = {.seed = 1};
    const struct ec_case_spec spec = {.topology = "ring:4", .longest = 2};
    rig_open(&rig, &spec);
    struct ec_workload *w = cyclic(3);
    assert_int_equal(ec_run(rig.net, w, NULL, &options, &report, &error), EC_USAGE);
    assert_string_equal(error.message, "message 1 waits for message 3: expected one of 3 messages");
    w->order->step[0] = 9;
    assert_int_equal(ec_run(rig.net, w, NULL, &options, &report, &error), EC_USAGE);
    assert_string_equal(error.message,
                        "message 1 has step 2 after step 9: expected ascending steps");
    ec_workload_close(w);
    rig_close(&rig);
}

static void a_replay_is_exact(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct ec_error error;
    plan_uneven(&p);
    for (int by_step = 0; by_step < 2; by_step++) {
        const struct ec_run_options options = {.seed = 1, .startup = 2};
        struct ec_workload *w = plan_workload(&p, by_step ? EC_SYNC_STEP : EC_SYNC_DATA, 0);
        const struct ec_case_spec spec = {.topology = "ring:4", .packet = 4, .longest = w->longest};
        struct play play;
        rig_open(&rig, &spec);
        assert_int_equal(play_open(&play, rig.net, NULL, w, &options, &error), EC_OK);
        assert_int_equal(play_on(&play, 0), PLAY_DONE);
        const uint64_t digest = play.board.digest, cycle = play.cycle;
        uint64_t delivered[MANY];
        memcpy(delivered, play.board.order->delivered, w->message_count * sizeof *delivered);
        assert_true(play_again(&play, NULL, cycle));
        assert_int_equal(play.cycle, cycle);
        assert_true(play.board.digest == digest);
        assert_memory_equal(delivered, play.board.order->delivered,
                            w->message_count * sizeof *delivered);
        assert_true(play_again(&play, NULL, cycle / 2));
        assert_int_equal(play.cycle, cycle / 2);
        assert_int_equal(play_on(&play, 0), PLAY_DONE);
        assert_true(play.board.digest == digest);
        play_close(&play);
        ec_workload_close(w);
    }
    rig_close(&rig);
}

static void assert_not_placed(const struct played *seen, const char *why)
{
    const struct ec_check *c = &seen->trial.report->checks[EC_CHECK_DELIVERY];
    if (seen->trial.report->passed || c->verdict != EC_VERDICT_FAIL || !strstr(c->detail, why))
        trial_fail(&seen->trial, "delivery should fail with '%s'", why);
}

static void a_wrong_schedule_fails_the_run(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    const struct ec_case_spec spec = {.topology = "ring:4", .longest = 9};
    plan_uneven(&p);
    p.target[18].slot = 0;
    play_plan(&rig, "ring:4", NULL, 0, &p, EC_SYNC_DATA, 0, 0, &seen);
    assert_not_placed(&seen, "element 18 ended in node 0 slot 1, its target is node 0 slot 0");
    trial_close(&seen.trial);

    plan_uneven(&p);
    p.transfers[3].src = 1; /* sends an element of node 3 */
    play_plan(&rig, "ring:4", NULL, 0, &p, EC_SYNC_STEP, 0, 0, &seen);
    assert_not_placed(&seen, "to send element 18, which was in node 3");
    trial_close(&seen.trial);

    plan_uneven(&p); /* the right schedule, but without waiting */
    struct ec_workload *w = plan_workload(&p, EC_SYNC_DATA, 0);
    memset(w->order->first, 0, (w->message_count + 1) * sizeof *w->order->first);
    rig_open(&rig, &spec);
    play_workload(&rig, &p, w, 0, &seen);
    assert_not_placed(&seen, "step 2: node 1 began in cycle 1 to send element 0");
    trial_close(&seen.trial);
    rig_close(&rig);
}

/* Two transfers of a step over one link: no prediction, and the contention is counted. */
static void a_step_that_shares_a_link_promises_nothing(NO_STATE)
{
    struct rig rig = {0};
    struct plan p;
    struct played seen;
    plan_open(&p, 8, 8, 1);
    transfer(&p, 1, 1, 2);
    carry(&p, 8, 0);
    transfer(&p, 2, 0, 2);
    for (uint32_t e = 0; e < 8; e++)
        carry(&p, e, e);
    transfer(&p, 2, 1, 3);
    for (uint32_t e = 9; e < 16; e++)
        carry(&p, e, e - 9);
    play_plan(&rig, "ring:8", NULL, 0, &p, EC_SYNC_STEP, 0, 0, &seen);
    trial_assert_passed(&seen.trial);
    assert_false(seen.trial.audit->congestion_free);
    assert_int_equal(seen.trial.audit->max_step_load, 2);
    assert_int_equal(seen.trial.audit->max_channel_load, 3);
    assert_int_equal(seen.trial.audit->busiest.kind, EC_CHANNEL_LINK);
    assert_int_equal(seen.trial.audit->busiest.node, 1);
    assert_int_equal(seen.trial.audit->witness[0] + seen.trial.audit->witness[1], 1 + 2);
    assert_true(seen.trial.report->contended_cycles > 0);
    /* The same run must fail if the audit claims freedom from contention. */
    struct ec_audit promise = *seen.trial.audit;
    struct ec_report *again;
    struct ec_error error;
    promise.congestion_free = true;
    assert_int_equal(ec_run(rig.net, seen.trial.w, &promise, &seen.trial.options, &again, &error),
                     EC_OK);
    assert_int_equal(again->checks[EC_CHECK_CONGESTION].verdict, EC_VERDICT_FAIL);
    ec_report_close(again);
    trial_close(&seen.trial);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("steps take what their messages take", steps_take_what_their_messages_take),
        TEST("data is forwarded when it has arrived", data_goes_on_when_it_is_there),
        TEST("a port keeps the order of the schedule", a_port_keeps_the_order_of_the_schedule),
        TEST("data that arrives in parts waits for the last part",
             what_comes_in_parts_waits_for_the_last),
        TEST("a message of a node to itself is delivered at once",
             what_stays_in_its_node_is_delivered_at_once),
        TEST("local moves take their time", local_moves_take_their_time),
        TEST("messages that can never start are reported", waiting_in_vain_is_told),
        TEST("a message also waits for its own cycle", a_message_also_waits_for_its_own_cycle),
        TEST("an invalid order is refused", an_order_that_is_none_is_refused),
        TEST("a replay is exact", a_replay_is_exact),
        TEST("a wrong schedule fails the run", a_wrong_schedule_fails_the_run),
        TEST("a step that shares a link has no prediction",
             a_step_that_shares_a_link_promises_nothing),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
