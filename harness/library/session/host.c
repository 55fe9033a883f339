/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose messages come from the caller: a closed workload whose list grows. Knows messages and
 * their deliveries; must not know packets, ports or credits. */
#include "ecube/host.h"

#include <stdlib.h>

#include "base/list.h"
#include "session/running.h"
#include "workload/spec.h"

/* The last cycle that a host can name: sums of cycles do not overflow. */
#define CYCLE_MAX (UINT64_C(1) << 60)

/* What a message needs beside its entry in the workload. */
struct entry {
    uint64_t injected; /* cycle of its first word; 0: none has arrived */
    uint32_t left;     /* words to arrive */
};

struct ec_host {
    struct running running;
    struct ec_workload w; /* its ids are the tags */
    struct entry *entries;
    size_t message_room, tag_room, entry_room;
    void (*arrived)(void *context, const struct ec_host_delivery *delivery);
    void *context;
    bool finished;
    bool playing; /* inside ec_host_step() or ec_host_drain() */
};

/* --- Deliveries ------------------------------------------------------------------------------- */

static void pass_arrival(const struct ec_host *h, size_t i, uint64_t injected, uint64_t now)
{
    const struct ec_message *m = &h->w.messages[i];
    const struct ec_host_delivery delivery = {.tag = h->w.ids[i],
                                              .src = m->src,
                                              .dst = m->dst,
                                              .words = m->words,
                                              .created = m->cycle,
                                              .injected = injected,
                                              .delivered = now};
    if (h->arrived)
        h->arrived(h->context, &delivery);
}

static void take_packet(void *context, const struct ec_delivery *d)
{
    struct ec_host *h = context;
    struct entry *e = &h->entries[d->message];
    e->injected = e->injected ? e->injected : d->injected;
    e->left -= d->words;
    if (e->left == 0)
        pass_arrival(h, d->message, e->injected, d->delivered);
}

static void take_home(void *context, uint32_t message, uint64_t now)
{
    struct ec_host *h = context;
    h->entries[message].left = 0;
    pass_arrival(h, message, now, now);
}

/* --- The host --------------------------------------------------------------------------------- */

enum ec_code ec_host_open(struct ec_net *net, const struct ec_run_options *options,
                          void (*arrived)(void *context, const struct ec_host_delivery *delivery),
                          void *context, struct ec_host **ret, struct ec_error *reterr)
{
    struct ec_host *h = calloc(1, sizeof *h);
    if (!h)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a host");
    h->arrived = arrived;
    h->context = context;
    h->w = (struct ec_workload){.text = "host",
                                .name = "host",
                                .nodes = net->topology->nodes,
                                .hosted = true,
                                .per_node = 1,
                                .holders = net->topology->nodes};
    const enum ec_code code = running_open(&h->running, net, NULL, &h->w, options, reterr);
    if (code != EC_OK) {
        free(h);
        return code;
    }
    struct play *p = &h->running.play;
    p->hosting = true;
    p->arrived = take_packet;
    p->home = take_home;
    p->host = h;
    play_set_callbacks(p, true);
    *ret = h;
    return EC_OK;
}

void ec_host_close(struct ec_host *h)
{
    if (!h)
        return;
    running_close(&h->running);
    free(h->w.messages);
    free(h->w.ids);
    free(h->entries);
    free(h);
}

static enum ec_code check_message(const struct ec_host *h, const struct ec_host_message *m,
                                  struct ec_error *reterr)
{
    const uint32_t nodes = h->w.nodes, bad = m->src >= nodes ? m->src : m->dst;
    if (bad >= nodes)
        return ec_fail(reterr, EC_USAGE, "a message from node %u to %u: expected nodes 0 to %u",
                       m->src, m->dst, nodes - 1);
    if (m->words == 0 || m->words > EC_MESSAGE_WORDS_MAX)
        return ec_fail(reterr, EC_USAGE, "a message of %u words: expected 1 to %u", m->words,
                       EC_MESSAGE_WORDS_MAX);
    if (m->cycle > CYCLE_MAX)
        return ec_fail(reterr, EC_USAGE, "a message in cycle %llu: expected at most 2^60",
                       (unsigned long long)m->cycle);
    if (h->finished)
        return ec_fail(reterr, EC_USAGE, "a message after the end of the run");
    if (h->w.message_count == EC_MESSAGES_MAX)
        return ec_fail(reterr, EC_USAGE, "more than %u messages", EC_MESSAGES_MAX);
    return EC_OK;
}

static bool make_room(struct ec_host *h)
{
    struct ec_workload *w = &h->w;
    const size_t count = w->message_count;
    return ec_list_room(&w->messages, sizeof *w->messages, count, &h->message_room) &&
           ec_list_room(&w->ids, sizeof *w->ids, count, &h->tag_room) &&
           ec_list_room(&h->entries, sizeof *h->entries, count, &h->entry_room);
}

enum ec_code ec_host_send(struct ec_host *h, const struct ec_host_message *m,
                          struct ec_error *reterr)
{
    struct play *p = &h->running.play;
    struct ec_workload *w = &h->w;
    const enum ec_code code = check_message(h, m, reterr);
    if (code != EC_OK)
        return code;
    if (!make_room(h))
        return ec_fail(reterr, EC_MEMORY, "out of memory for message %zu", w->message_count);
    const uint64_t next = p->cycle + 1;
    w->messages[w->message_count] = (struct ec_message){
        .cycle = m->cycle > next ? m->cycle : next,
        .src = m->src,
        .dst = m->dst,
        .words = m->words,
        .way = ec_route_of_message(p->net->router, w->nodes, p->options.seed, w->message_count)};
    w->ids[w->message_count] = m->tag;
    h->entries[w->message_count] = (struct entry){.left = m->words};
    w->longest = m->words > w->longest ? m->words : w->longest;
    play_add(p, (uint32_t)w->message_count++);
    return EC_OK;
}

static bool has_ended(const struct ec_host *h)
{
    return h->finished || (h->running.state != PLAY_ON && h->running.state != PLAY_IDLE);
}

static enum ec_host_state state_of(const struct ec_host *h)
{
    if (has_ended(h))
        return EC_HOST_ENDED;
    return play_idle(&h->running.play) ? EC_HOST_IDLE : EC_HOST_BUSY;
}

static enum ec_host_state play_part(struct ec_host *h, uint64_t until)
{
    if (has_ended(h) || h->playing) /* a callback must not play */
        return has_ended(h) ? EC_HOST_ENDED : EC_HOST_BUSY;
    h->playing = true;
    running_on(&h->running, until);
    h->playing = false;
    return state_of(h);
}

enum ec_host_state ec_host_step(struct ec_host *h, uint64_t cycles)
{
    const uint64_t now = h->running.play.cycle;
    if (cycles == 0 || now >= CYCLE_MAX)
        return state_of(h);
    if (!h->playing)
        h->running.play.until_idle = false;
    return play_part(h, cycles > CYCLE_MAX - now ? CYCLE_MAX : now + cycles);
}

enum ec_host_state ec_host_drain(struct ec_host *h)
{
    if (!h->playing)
        h->running.play.until_idle = true;
    return play_part(h, 0);
}

uint64_t ec_host_cycle(const struct ec_host *h)
{
    return h->running.play.cycle;
}

enum ec_code ec_host_finish(struct ec_host *h, struct ec_report **ret, struct ec_error *reterr)
{
    struct play *p = &h->running.play;
    struct ec_audit *audit = NULL;
    if (h->finished || h->playing)
        return ec_fail(reterr, EC_USAGE, "a second end of the run");
    if (!has_ended(h)) {
        p->hosting = p->until_idle = false;
        h->playing = true;
        running_on(&h->running, 0);
        h->playing = false;
    }
    h->finished = true;
    enum ec_code code = EC_OK;
    if (!ec_router_chooses(p->net->router))
        code = ec_audit_open(p->net->topology, p->net->router, &h->w, true, &audit, reterr);
    if (code != EC_OK)
        return code;
    code = running_conclude(&h->running, audit, ret, reterr);
    ec_audit_close(audit);
    return code;
}
