/* SPDX-License-Identifier: Apache-2.0 */
/* The order among messages. Knows the dependences between messages and the deliveries; must not
 * know ports, packets or the network. After a delivery in cycle c a message may start in cycle c +
 * 1 + delay. */
#include "workload/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ec_code order_check(const struct ec_workload *w, struct ec_error *reterr)
{
    const struct ec_message_order *rules = w->order;
    if (w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "message order in an open-loop workload: expected a workload without rate=");
    for (size_t i = 1; i < w->message_count; i++) {
        if (rules->step[i] < rules->step[i - 1])
            return ec_fail(reterr, EC_USAGE,
                           "message %zu has step %u after step %u: expected ascending steps", i,
                           rules->step[i], rules->step[i - 1]);
    }
    if (rules->by_step)
        return EC_OK;
    for (size_t i = 0; i < w->message_count; i++) {
        if (rules->first[i] > rules->first[i + 1])
            return ec_fail(reterr, EC_USAGE,
                           "message %zu has a negative number of messages to wait for", i);
        for (size_t k = rules->first[i]; k < rules->first[i + 1]; k++) {
            if (rules->after[k] >= w->message_count)
                return ec_fail(reterr, EC_USAGE,
                               "message %zu waits for message %u: expected one of %zu messages", i,
                               rules->after[k], w->message_count);
        }
    }
    return EC_OK;
}

/* Invert the lists of predecessors: the messages that wait for each message. */
static bool find_followers(struct order *o)
{
    const struct ec_message_order *rules = o->w->order;
    const size_t count = o->w->message_count, all = rules->first[count] - rules->first[0];
    o->waits = calloc(count + 1, sizeof *o->waits);
    o->first = calloc(count + 2, sizeof *o->first);
    o->followers = calloc(all + 1, sizeof *o->followers);
    if (!o->waits || !o->first || !o->followers)
        return false;
    for (size_t k = rules->first[0]; k < rules->first[count]; k++)
        o->first[rules->after[k] + 2]++;
    for (size_t i = 1; i <= count; i++)
        o->first[i + 1] += o->first[i];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = rules->first[i]; k < rules->first[i + 1]; k++)
            o->followers[o->first[rules->after[k] + 1]++] = (uint32_t)i;
    }
    return true;
}

struct order *order_open(const struct ec_workload *w)
{
    struct order *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    const size_t count = w->message_count + 1; /* no empty lists */
    o->w = w;
    o->ready = calloc(count, sizeof *o->ready);
    o->started = calloc(count, sizeof *o->started);
    o->delivered = calloc(count, sizeof *o->delivered);
    o->left = calloc(count, sizeof *o->left);
    if (!o->ready || !o->started || !o->delivered || !o->left ||
        (!w->order->by_step && !find_followers(o))) {
        order_close(o);
        return NULL;
    }
    order_reset(o);
    return o;
}

void order_close(struct order *o)
{
    if (!o)
        return;
    free(o->ready);
    free(o->started);
    free(o->delivered);
    free(o->left);
    free(o->waits);
    free(o->first);
    free(o->followers);
    free(o);
}

/* Message i waited for its last delivery until cycle `now` (0: it waits for none). */
static void set_ready(struct order *o, size_t i, uint64_t now)
{
    const struct ec_message_order *rules = o->w->order;
    const uint64_t from = o->w->messages[i].cycle;
    o->ready[i] = (from > now ? from : now + 1) + (rules->delay ? rules->delay[i] : 0);
}

/* Begin the next step: all messages of the steps before have been delivered. */
static void begin_step(struct order *o, uint64_t now)
{
    const size_t begin = o->step_end;
    while (o->step_end < o->w->message_count &&
           o->w->order->step[o->step_end] == o->w->order->step[begin])
        set_ready(o, o->step_end++, now);
    o->step_left = o->step_end - begin;
    for (size_t i = begin; now && o->released && i < o->step_end; i++)
        o->released(o->context, (uint32_t)i, o->ready[i]);
}

void order_reset(struct order *o)
{
    const size_t count = o->w->message_count;
    memset(o->started, 0, count * sizeof *o->started);
    memset(o->delivered, 0, count * sizeof *o->delivered);
    for (size_t i = 0; i < count; i++) {
        o->ready[i] = ORDER_NEVER;
        o->left[i] = o->w->messages[i].words;
    }
    o->step_end = o->step_left = 0;
    if (o->w->order->by_step) {
        begin_step(o, 0);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        o->waits[i] = (uint32_t)(o->w->order->first[i + 1] - o->w->order->first[i]);
        if (o->waits[i] == 0)
            set_ready(o, i, 0);
    }
}

void order_arrived(struct order *o, uint32_t message, uint32_t words, uint64_t now)
{
    if (o->left[message] < words || (o->left[message] -= words) > 0)
        return;
    o->delivered[message] = now;
    if (o->w->order->by_step) {
        if (--o->step_left == 0)
            begin_step(o, now);
        return;
    }
    for (size_t k = o->first[message]; k < o->first[message + 1]; k++) {
        const uint32_t next = o->followers[k];
        if (--o->waits[next] > 0)
            continue;
        set_ready(o, next, now);
        if (o->released)
            o->released(o->context, next, o->ready[next]);
    }
}

void order_explain(const struct order *o, char *buffer, size_t size)
{
    const struct ec_message_order *rules = o->w->order;
    const size_t count = o->w->message_count;
    size_t waiting = 0, i = 0, k;
    for (size_t n = count; n-- > 0;) {
        if (o->started[n] == 0) {
            waiting++;
            i = n;
        }
    }
    const struct ec_message *m = &o->w->messages[i];
    const int used = snprintf(buffer, size,
                              "%zu messages wait for others that can never be sent; message %zu "
                              "(step %u, %u to %u) ",
                              waiting, i, rules->step[i], m->src, m->dst);
    if (used < 0 || (size_t)used >= size)
        return;
    buffer += used;
    size -= (size_t)used;
    if (rules->by_step || o->ready[i] != ORDER_NEVER) {
        snprintf(buffer, size, "is queued behind one of them");
        return;
    }
    for (k = rules->first[i]; k + 1 < rules->first[i + 1] && o->delivered[rules->after[k]]; k++)
        ;
    snprintf(buffer, size, "waits for message %u (step %u)", rules->after[k],
             rules->step[rules->after[k]]);
}
