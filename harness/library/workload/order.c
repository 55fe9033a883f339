/* SPDX-License-Identifier: Apache-2.0 */
/* The order among messages. Knows the dependences between messages and the deliveries; must not
 * know ports, packets or the network. After a delivery in cycle c a message may start in cycle c +
 * 1 + delay. */
#include "workload/order.h"

#include <stdio.h>

enum ec_code order_check(const struct ec_workload *w, struct ec_error *reterr)
{
    const struct ec_message_order *rules = w->order;
    if (w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "message order in an open-loop workload: expected a workload without rate=");
    for (size_t i = 1; rules->step && i < w->message_count; i++) {
        if (rules->step[i] < rules->step[i - 1])
            return ec_fail(reterr, EC_USAGE,
                           "message %zu has step %u after step %u: expected ascending steps", i,
                           rules->step[i], rules->step[i - 1]);
    }
    if (rules->by_step && !rules->step)
        return ec_fail(reterr, EC_USAGE, "message order by step: expected step[]");
    for (size_t i = 0; rules->behind && i < w->message_count; i++) {
        const uint32_t k = rules->behind[i];
        if (!rules->overtake || (k != EC_NONE && k >= w->message_count))
            return ec_fail(reterr, EC_USAGE,
                           "message %zu is behind message %u: expected one of %zu messages, and "
                           "overtake",
                           i, k, w->message_count);
    }
    for (size_t i = 0; i < w->message_count; i++) {
        if (order_is_work(w, i) && (rules->by_step || !rules->overtake))
            return ec_fail(reterr, EC_USAGE,
                           "message %zu is work of its node: expected overtake, and no steps", i);
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
static void find_followers(struct order *o)
{
    const struct ec_message_order *rules = o->w->order;
    const size_t count = o->w->message_count, all = rules->first[count] - rules->first[0];
    EC_ARRAY(&o->arrays, o->waits, count);
    EC_ARRAY(&o->arrays, o->first, count + 2);
    EC_ARRAY(&o->arrays, o->followers, all);
    if (o->arrays.memory_short)
        return;
    for (size_t k = rules->first[0]; k < rules->first[count]; k++)
        o->first[rules->after[k] + 2]++;
    for (size_t i = 1; i <= count; i++)
        o->first[i + 1] += o->first[i];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = rules->first[i]; k < rules->first[i + 1]; k++)
            o->followers[o->first[rules->after[k] + 1]++] = (uint32_t)i;
    }
}

/* Invert behind[]: lists in the order of messages[]. */
static void find_behind(struct order *o)
{
    const size_t count = o->w->message_count;
    EC_ARRAY(&o->arrays, o->held, count);
    EC_ARRAY(&o->arrays, o->next, count);
    EC_ARRAY(&o->arrays, o->sibling, count);
    if (o->arrays.memory_short)
        return;
    memset(o->next, 0xff, count * sizeof *o->next); /* EC_NONE */
    for (size_t i = count; i-- > 0;) {
        const uint32_t before = o->w->order->behind[i];
        if (before == EC_NONE)
            continue;
        o->sibling[i] = o->next[before];
        o->next[before] = (uint32_t)i;
    }
}

struct order *order_open(const struct ec_workload *w)
{
    const size_t count = w->message_count;
    struct order *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->w = w;
    EC_ARRAY(&o->arrays, o->ready, count);
    EC_ARRAY(&o->arrays, o->started, count);
    EC_ARRAY(&o->arrays, o->delivered, count);
    EC_ARRAY(&o->arrays, o->left, count);
    if (!w->order->by_step)
        find_followers(o);
    if (w->order->behind)
        find_behind(o);
    size_t i = 0;
    while (i < count && !order_is_work(w, i))
        i++;
    if (i < count) {
        EC_ARRAY(&o->arrays, o->latest, count);
        EC_ARRAY(&o->arrays, o->ended, count);
    }
    if (o->arrays.memory_short) {
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
    ec_arrays_free(&o->arrays);
    free(o->news);
    free(o);
}

/* Message i waited for its last delivery until cycle `now` (0: it waits for none). */
static void set_ready(struct order *o, size_t i, uint64_t now)
{
    const struct ec_message_order *rules = o->w->order;
    const uint64_t from = o->w->messages[i].cycle;
    o->ready[i] = (from > now ? from : now + 1) + (rules->delay ? rules->delay[i] : 0);
}

static void release(struct order *o, uint32_t message)
{
    if ((o->own && !nodes_own_has(o->own, o->w->messages[message].src)) || !order_free(o, message))
        return;
    if (order_is_work(o->w, message))
        o->ended[o->ended_count++] = message;
    else if (o->released)
        o->released(o->context, message, o->ready[message]);
}

/* Begin the next step: all messages of the steps before have been delivered. */
static void begin_step(struct order *o, uint64_t now)
{
    const size_t begin = o->step_end;
    while (o->step_end < o->w->message_count &&
           o->w->order->step[o->step_end] == o->w->order->step[begin])
        set_ready(o, o->step_end++, now);
    o->step_left = o->step_end - begin;
    for (size_t i = begin; now && i < o->step_end; i++)
        release(o, (uint32_t)i);
}

/* Tell a delivery to the messages that wait for it. */
static void tell(struct order *o, uint32_t message, uint64_t now)
{
    o->delivered[message] = now;
    if (o->w->order->by_step) {
        if (--o->step_left == 0)
            begin_step(o, now);
        return;
    }
    for (size_t k = o->first[message]; k < o->first[message + 1]; k++) {
        const uint32_t next = o->followers[k];
        if (o->latest && now > o->latest[next])
            o->latest[next] = now;
        if (--o->waits[next] > 0)
            continue;
        set_ready(o, next, o->latest ? o->latest[next] : now);
        release(o, next);
    }
}

/* Work that waits for nothing more ends in a cycle that is known now. */
static void end_work(struct order *o)
{
    while (o->ended_count > 0) {
        const uint32_t work = o->ended[--o->ended_count];
        tell(o, work, o->ready[work] - 1);
        o->started[work] = o->delivered[work] = o->ready[work]; /* not 0 */
    }
}

uint64_t order_worked(const struct order *o)
{
    uint64_t count = 0;
    for (size_t i = 0; o && o->latest && i < o->w->message_count; i++)
        count += order_is_work(o->w, i) && o->delivered[i] > 0;
    return count;
}

static void deliver(struct order *o, uint32_t message, uint64_t now)
{
    tell(o, message, now);
    end_work(o);
}

void order_reset(struct order *o)
{
    const size_t count = o->w->message_count;
    memset(o->started, 0, count * sizeof *o->started);
    memset(o->delivered, 0, count * sizeof *o->delivered);
    for (size_t i = 0; i < count; i++) {
        o->ready[i] = ORDER_NEVER;
        o->left[i] = o->w->messages[i].words;
        if (o->held)
            o->held[i] = o->w->order->behind[i] != EC_NONE;
    }
    o->step_end = o->step_left = 0;
    o->news_count = o->ended_count = 0;
    o->memory_short = false;
    if (o->w->order->by_step) {
        begin_step(o, 0);
        return;
    }
    if (o->latest)
        memset(o->latest, 0, count * sizeof *o->latest);
    for (size_t i = 0; i < count; i++) {
        o->waits[i] = (uint32_t)(o->w->order->first[i + 1] - o->w->order->first[i]);
        if (o->waits[i] == 0)
            set_ready(o, i, 0);
    }
    void (*const released)(void *, uint32_t, uint64_t) = o->released;
    o->released = NULL; /* whoever resets asks order_free() */
    for (size_t i = 0; o->latest && i < count; i++) {
        if (order_is_work(o->w, i))
            release(o, (uint32_t)i);
    }
    end_work(o);
    o->released = released;
}

void order_arrived(struct order *o, uint32_t message, uint32_t words, uint64_t now)
{
    if (o->left[message] < words || (o->left[message] -= words) > 0)
        return;
    if (o->own)
        o->memory_short |= !EC_LIST_PUSH(o->news, o->news_count, o->news_room, message);
    deliver(o, message, now);
}

void order_sent_now(struct order *o, uint32_t message, uint64_t from)
{
    for (uint32_t i = o->next[message]; i != EC_NONE; i = o->sibling[i]) {
        o->held[i] = false;
        if (order_is_work(o->w, i)) {
            o->latest[i] = from - 1 > o->latest[i] ? from - 1 : o->latest[i];
            if (o->waits[i] == 0)
                set_ready(o, i, o->latest[i]);
            release(o, i);
        } else if (o->released && o->ready[i] != ORDER_NEVER) {
            o->released(o->context, i, o->ready[i] > from ? o->ready[i] : from);
        }
    }
    end_work(o);
}

/* --- Several parts ---------------------------------------------------------------------------- */

bool order_is_local(const struct ec_workload *w, const struct ec_partition *partition)
{
    const struct ec_message_order *rules = w->order;
    if (!rules || partition->parts == 1)
        return true;
    for (size_t i = 0; !rules->by_step && i < w->message_count; i++) {
        const uint32_t part = partition->part_of[w->messages[i].src];
        for (size_t k = rules->first[i]; k < rules->first[i + 1]; k++) {
            if (partition->part_of[w->messages[rules->after[k]].dst] != part)
                return false;
        }
    }
    return !rules->by_step;
}

void order_share(struct order *o, const struct nodes_own *own)
{
    o->own = own;
}

/* The order in which messages of one cycle are delivered does not matter. */
bool order_meet(struct order *o, struct exchange *x, uint64_t now)
{
    const struct exchange_bytes *from;
    if (o->memory_short)
        exchange_abort(x, EC_MEMORY,
                       "out of memory for the messages that were delivered in a cycle");
    if (!exchange_gather(x, o->news, o->news_count * sizeof *o->news, true, &from))
        return false;
    for (uint32_t part = 0; part < x->parts; part++) {
        const uint32_t *news = (const void *)from[part].data;
        for (size_t i = 0; part != x->part && i < from[part].size / sizeof *news; i++) {
            o->left[news[i]] = 0;
            deliver(o, news[i], now);
        }
    }
    o->news_count = 0;
    return true;
}

/* --- State ------------------------------------------------------------------------------------ */

/* A part may not have seen a delivery of another one: what it knows of the message is then less
 * than what that one knows. */
void order_state(struct order *o, struct state *state)
{
    const size_t count = o->w->message_count;
    uint64_t step[] = {o->step_end, o->step_left};
    state_common(state, STATE_MIN, o->ready, count * sizeof *o->ready);
    state_common(state, STATE_MAX, o->started, count * sizeof *o->started);
    state_common(state, STATE_MAX, o->delivered, count * sizeof *o->delivered);
    state_common(state, STATE_MIN_32, o->left, count * sizeof *o->left);
    if (o->waits)
        state_common(state, STATE_MIN_32, o->waits, count * sizeof *o->waits);
    if (o->held)
        state_common(state, STATE_MIN_8, o->held, count * sizeof *o->held);
    if (o->latest)
        state_common(state, STATE_MAX, o->latest, count * sizeof *o->latest);
    STATE_COMMON(state, STATE_SAME, step);
    state->failed = state->failed || step[0] > count;
    o->step_end = state->failed ? 0 : step[0];
    o->step_left = step[1];
}

/* --- Messages that wait for ever -------------------------------------------------------------- */

/* "message 5 (step 2, 0 to 3)" */
static void name_message(const struct order *o, size_t i, char *buffer, size_t size)
{
    const struct ec_workload *w = o->w;
    char step[32] = "";
    if (w->order->step)
        snprintf(step, sizeof step, "step %u, ", w->order->step[i]);
    const unsigned long long id = w->ids && w->ids[i] != EC_NO_ID ? w->ids[i] : i;
    snprintf(buffer, size, "message %llu (%s%u to %u)", id, step, w->messages[i].src,
             w->messages[i].dst);
}

void order_explain(const struct order *o, char *buffer, size_t size)
{
    const struct ec_message_order *rules = o->w->order;
    char waits[96], other[96];
    size_t waiting = 0, i = 0, k;
    for (size_t n = o->w->message_count; n-- > 0;) {
        if (o->started[n] == 0) {
            waiting++;
            i = n;
        }
    }
    name_message(o, i, waits, sizeof waits);
    if (rules->by_step || o->ready[i] != ORDER_NEVER) {
        snprintf(other, sizeof other, "is queued behind one of them");
    } else {
        for (k = rules->first[i]; k + 1 < rules->first[i + 1] && o->delivered[rules->after[k]]; k++)
            ;
        char name[80];
        name_message(o, rules->after[k], name, sizeof name);
        snprintf(other, sizeof other, "waits for %s", name);
    }
    snprintf(buffer, size, "%zu messages wait for others that can never be sent; %s %s", waiting,
             waits, other);
}
