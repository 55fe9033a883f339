/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions: when the closed forms of model/cost apply to a workload, and the messages of a
 * schedule as plain numbers for its longest path. Knows workloads, paths and routers; must not know
 * how a run is played. */
#include <stdlib.h>

#include "base/list.h"
#include "ec_cost.h"
#include "ec_cost_graph.h"
#include "ecube/run.h"
#include "network/walk.h"
#include "run/predict.h"
#include "workload/order.h"

#define PREDICTION_MAX (UINT64_C(1) << 62) /* cycles; no prediction above */

static enum ec_cost_switching switching_of(const struct ec_router *r)
{
    switch (r->switching) {
    case EC_CUT_THROUGH:
        return EC_COST_CUT_THROUGH;
    case EC_STORE_AND_FORWARD:
        return EC_COST_STORE_AND_FORWARD;
    case EC_WORMHOLE:
        break;
    }
    return EC_COST_WORMHOLE;
}

static struct ec_cost_machine machine_of(const struct ec_router *r, uint32_t startup)
{
    return (struct ec_cost_machine){.switching = switching_of(r),
                                    .startup = startup,
                                    .packet = r->packet,
                                    .depth = r->depth,
                                    .stages = r->stages,
                                    .link = r->link};
}

uint64_t predict_message(const struct ec_router *r, unsigned hops, uint32_t words, uint32_t startup)
{
    const struct ec_cost_machine machine = machine_of(r, startup);
    return ec_cost_message(&machine, hops, words);
}

bool predict_is_closed(const struct ec_router *r, uint32_t words, uint32_t startup)
{
    const struct ec_cost_machine machine = machine_of(r, startup);
    return ec_cost_is_closed(&machine, words);
}

bool predict_is_affine(const struct ec_router *r, uint32_t startup)
{
    const struct ec_cost_machine machine = machine_of(r, startup);
    return ec_cost_is_affine(&machine);
}

bool predict_at_full_rate(const struct ec_router *r)
{
    const struct ec_cost_machine machine = machine_of(r, 0);
    return r->depth >= ec_cost_full_rate(&machine);
}

bool predict_is_alone(const struct ec_router *r, uint32_t words)
{
    return !ec_router_overtakes(r) || words <= r->packet || predict_at_full_rate(r);
}

static unsigned hops_of(const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_message *m)
{
    return r->routing == EC_ROUTING_VALIANT
               ? (unsigned)ec_route_drawn(t, r, m->src, m->dst, m->way, NULL, 0)
               : ec_route_hops(t, r, m->src, m->dst);
}

/* The messages of a schedule as model/cost takes them. Owns all but the arrays of the order. */
struct transfers {
    struct ec_cost_messages as;
    struct ec_arrays arrays; /* all of the following: */
    uint64_t *words, *from;
    size_t *way;
    uint32_t *channel;
    uint8_t *vc;
    unsigned *lane; /* [nodes * locals] of the port's next message */
};

/* Channels are numbered: links, injection ports, ejection ports. */
static uint32_t channel_count(const struct ec_topology *t, const struct ec_router *r)
{
    return t->routers * ec_topology_links(t) + 2 * t->nodes * ec_router_locals(r, t);
}

static bool room_for_transfers(struct transfers *x, const struct ec_topology *t,
                               const struct ec_router *r, const struct ec_workload *w)
{
    size_t channels = 1;

    for (size_t i = 0; i < w->message_count; i++)
        channels += ec_route_hops(t, r, w->messages[i].src, w->messages[i].dst) + 2;
    EC_ARRAY(&x->arrays, x->words, w->message_count + 1);
    EC_ARRAY(&x->arrays, x->from, w->message_count + 1);
    EC_ARRAY(&x->arrays, x->way, w->message_count + 1);
    EC_ARRAY(&x->arrays, x->channel, channels);
    EC_ARRAY(&x->arrays, x->vc, channels);
    EC_ARRAY(&x->arrays, x->lane, (size_t)t->nodes * ec_router_locals(r, t));
    return !x->arrays.memory_short;
}

/* The lane of a port's next message: in turn, or, as packets choose the lowest one that has room,
 * the lowest: at full rate it always has room. */
static unsigned next_lane(struct transfers *x, const struct ec_router *r, uint32_t port)
{
    const unsigned lanes = ec_router_lanes(r) / ec_router_classes(r);
    return r->va == EC_VA_DYNAMIC ? 0 : x->lane[port]++ % lanes;
}

/* The path of a message, from channel[at] on. Returns its end; `at` for a message of a node to
 * itself.
 */
static size_t add_way(struct transfers *x, size_t at, const struct ec_topology *t,
                      const struct ec_router *r, const struct ec_message *m)
{
    const unsigned links = ec_topology_links(t), locals = ec_router_locals(r, t);
    const uint32_t injection = t->routers * links, ejection = injection + t->nodes * locals;
    struct ec_walk walk = ec_walk_drawn(t, r, m->src, m->dst, m->way);
    struct ec_hop hop;
    unsigned last = 0;
    size_t end = at + 1; /* after the injection port */

    if (m->src == m->dst)
        return at;
    ec_route_drawn(t, r, m->src, m->dst, m->way, &hop, 1);
    const uint32_t port = m->src * locals + (locals > 1 ? hop.link : 0);
    const unsigned lane = next_lane(x, r, port) + m->way * ec_router_lanes(r) / 2;
    x->channel[at] = injection + port;
    x->vc[at] = (uint8_t)(r->dateline ? 2 * lane : lane);
    for (; ec_walk_next(&walk, &hop); end++) {
        last = hop.link;
        x->channel[end] = hop.node * links + hop.link;
        x->vc[end] = (uint8_t)(r->dateline ? 2 * lane + hop.class_ : lane);
    }
    x->channel[end] = ejection + m->dst * locals + (locals > 1 ? ec_topology_reverse(t, last) : 0);
    x->vc[end] = x->vc[at]; /* in class 0 again */
    return end + 1;
}

/* False if a message that is no work does not use the network. */
static bool make_transfers(struct transfers *x, const struct ec_topology *t,
                           const struct ec_router *r, const struct ec_workload *w)
{
    const struct ec_message_order *order = w->order;

    for (size_t i = 0; i < w->message_count; i++) {
        x->words[i] = w->messages[i].words;
        x->from[i] = w->messages[i].cycle;
        x->way[i + 1] = add_way(x, x->way[i], t, r, &w->messages[i]);
        if (x->way[i + 1] == x->way[i] && w->messages[i].words > 0)
            return false;
    }
    x->as = (struct ec_cost_messages){.count = w->message_count,
                                      .words = x->words,
                                      .way = x->way,
                                      .channels = channel_count(t, r),
                                      .vcs = r->vcs,
                                      .channel = x->channel,
                                      .vc = x->vc,
                                      .delay = order->delay,
                                      .from = x->from,
                                      .behind = order->behind,
                                      .by_step = order->by_step,
                                      .step = order->step,
                                      .first = order->first,
                                      .after = order->after};
    return true;
}

/* True if the longest path fits 64 bits: it is at most all messages and delays one after the other,
 * after the last cycle of their own. */
static bool fits(const struct transfers *x, const struct ec_router *r, uint32_t startup)
{
    uint64_t all = 0;

    for (size_t i = 0; i < x->as.count; i++)
        all = x->from[i] > all ? x->from[i] : all;
    for (size_t i = 0; i < x->as.count; i++) {
        const unsigned hops = (unsigned)(x->way[i + 1] - x->way[i] - 2);
        if (x->words[i] > 0)
            all += predict_message(r, hops, (uint32_t)x->words[i], startup); /* below 2^60 */
        all += 1 + (x->as.delay ? x->as.delay[i] : 0);
        if (all > PREDICTION_MAX)
            return false;
    }
    return true;
}

/* When each message is ready, from the arrivals of a prediction. */
static void find_ready(const struct ec_cost_messages *m, const uint64_t *finish, uint64_t *ret)
{
    uint64_t before = 0, now = 0; /* by step: the last arrival of the steps before, and with this */

    for (size_t i = 0; i < m->count; i++) {
        uint64_t last = 0;
        if (m->by_step) {
            before = i > 0 && m->step[i] != m->step[i - 1] ? now : before;
            now = finish[i] > now ? finish[i] : now;
            last = before;
        }
        for (size_t k = m->by_step ? 0 : m->first[i]; !m->by_step && k < m->first[i + 1]; k++)
            last = finish[m->after[k]] > last ? finish[m->after[k]] : last;
        ret[i] = (m->from[i] > last ? m->from[i] : last + 1) + (m->delay ? m->delay[i] : 0);
    }
}

/* Messages that may overtake others: the prediction, which lets every port send in the order of the
 * list, is right if this is the order in which they are ready. */
static enum ec_cost_verdict judge_order(const struct transfers *x, const struct ec_workload *w,
                                        const uint64_t *ready)
{
    uint64_t *latest = calloc(x->as.channels, sizeof *latest);
    uint32_t *last = calloc(x->as.channels, sizeof *last); /* message of the port, from 1 */
    const bool room = latest && last;
    bool good = room;

    for (size_t i = 0; good && i < x->as.count; i++) {
        if (order_is_work(w, i))
            continue;
        const uint32_t port = x->channel[x->way[i]];
        const uint32_t behind = w->order->behind ? w->order->behind[i] : EC_NONE;
        good = behind != EC_NONE ? last[port] == behind + 1 : ready[i] >= latest[port];
        latest[port] = ready[i] > latest[port] ? ready[i] : latest[port];
        last[port] = (uint32_t)i + 1;
    }
    free(latest);
    free(last);
    if (!room)
        return EC_COST_MEMORY;
    return good ? EC_COST_PREDICTED : EC_COST_MEETING;
}

/* The verdict of the graph, or MEETING if a message would overtake another one. */
static struct ec_cost_times predict_times(const struct ec_cost_machine *machine,
                                          const struct transfers *x, const struct ec_workload *w)
{
    struct ec_cost_times times = {.verdict = EC_COST_MEMORY};
    uint64_t *finish, *ready;

    if (!w->order->overtake)
        return ec_cost_graph(machine, &x->as, NULL, NULL);
    finish = calloc(x->as.count, sizeof *finish);
    ready = calloc(x->as.count, sizeof *ready);
    if (finish && ready)
        times = ec_cost_graph(machine, &x->as, NULL, finish);
    if (times.verdict == EC_COST_PREDICTED) {
        find_ready(&x->as, finish, ready);
        times.verdict = judge_order(x, w, ready);
    }
    free(finish);
    free(ready);
    return times;
}

static enum ec_code fail_memory(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for a prediction");
}

static enum ec_code predict_schedule(const struct ec_topology *t, const struct ec_router *r,
                                     const struct ec_workload *w, uint32_t startup, bool *ret_known,
                                     uint64_t *ret_cycles, struct ec_error *reterr)
{
    const struct ec_cost_machine machine = machine_of(r, startup);
    struct transfers x = {0};
    struct ec_cost_times times = {.verdict = EC_COST_MEMORY};

    if (w->message_count == 0) { /* all its moves are local */
        *ret_cycles = 0;
        *ret_known = true;
        return EC_OK;
    }
    if ((ec_router_overtakes(r) && !predict_at_full_rate(r)) || r->routing == EC_ROUTING_VALIANT)
        return EC_OK;
    if (room_for_transfers(&x, t, r, w)) {
        times.verdict = EC_COST_MEETING;
        if (make_transfers(&x, t, r, w) && fits(&x, r, startup))
            times = predict_times(&machine, &x, w);
    }
    ec_arrays_free(&x.arrays);
    if (times.verdict == EC_COST_MEMORY)
        return fail_memory(reterr);
    *ret_known = times.verdict == EC_COST_PREDICTED;
    if (*ret_known) /* nothing but work: no cycle */
        *ret_cycles = times.last ? times.last - times.first + 1 : 0;
    return EC_OK;
}

/* A node does not send while as many of its packets are under way as numbers distinguish, of which
 * no closed form knows. True if that cannot happen: a node has no more packets at all, or fewer are
 * in the network at a time. At full rate those were sent while one of them was under way, else they
 * are at most the words that fit on the longest path. */
static enum ec_code numbers_suffice(const struct ec_topology *t, const struct ec_router *r,
                                    const struct ec_workload *w, bool *ret, struct ec_error *reterr)
{
    const uint64_t numbers = UINT64_C(1) << ec_router_layout(r, t).number_bits;
    uint64_t *packets = calloc(t->nodes, sizeof *packets), most = 0;
    unsigned hops = 1;

    if (!packets)
        return fail_memory(reterr);
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const unsigned distance = hops_of(t, r, m);
        packets[m->src] += (m->words + r->packet - 1) / r->packet;
        most = packets[m->src] > most ? packets[m->src] : most;
        hops = distance > hops ? distance : hops;
    }
    free(packets);
    const uint64_t fit = (hops + UINT64_C(2)) * (r->depth + r->stages + r->link);
    *ret = most <= numbers ||
           (predict_at_full_rate(r) ? predict_message(r, hops, r->packet, 0) : fit) < numbers;
    return EC_OK;
}

/* Messages that share no channel. T does not decrease with the hops, so that it is not computed for
 * each of many messages of one length: it may take as many steps as they have words. */
static uint64_t slowest_message(const struct ec_topology *t, const struct ec_router *r,
                                const struct ec_workload *w, uint32_t startup)
{
    uint64_t slowest = 0;
    uint32_t words = 0;
    unsigned most = 0; /* 1 + the most hops of a message of so many words so far; 0: none */

    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const unsigned hops = hops_of(t, r, m);
        most = m->words == words ? most : 0;
        words = m->words;
        if (m->src == m->dst || hops < most)
            continue;
        most = hops + 1;
        const uint64_t cycles = predict_message(r, hops, words, startup);
        slowest = cycles > slowest ? cycles : slowest;
    }
    return slowest;
}

enum ec_code ec_predict(const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_workload *w, const struct ec_audit *audit, uint32_t startup,
                        bool *ret_known, uint64_t *ret_cycles, struct ec_error *reterr)
{
    bool sufficient = false;
    *ret_known = false;
    const enum ec_code code = w->open_loop ? EC_OK : numbers_suffice(t, r, w, &sufficient, reterr);
    if (code != EC_OK || !sufficient || (t->graph && t->graph->delays))
        return code; /* the closed forms have one delay for all links */
    if (w->order)
        return predict_schedule(t, r, w, startup, ret_known, ret_cycles, reterr);
    /* Messages of nodes to themselves do not use the network: with no others a run has 0 cycles. */
    *ret_known = audit && (audit->max_hops == 0 || (w->permutation && audit->congestion_free)) &&
                 predict_is_alone(r, w->longest);
    if (*ret_known)
        *ret_cycles = slowest_message(t, r, w, startup);
    return EC_OK;
}
