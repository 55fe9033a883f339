/* SPDX-License-Identifier: Apache-2.0 */
/* Senders and receivers. Know packets, credits and start-up times; must not know what happens
 * inside the network. */
#include "run/ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/word.h"

/* --- Senders --------------------------------------------------------------------------------- */

/* Usable credits, and those of the latest cycle that showed any, which are usable one cycle later.
 */
struct sender_credit {
    uint64_t shown_at;
    uint32_t usable, shown;
};

bool senders_open(struct senders *s, const struct ec_topology *t, const struct ec_router *r,
                  struct sources *sources, struct scoreboard *board, uint32_t startup)
{
    *s = (struct senders){.t = t,
                          .r = r,
                          .sources = sources,
                          .board = board,
                          .order = sources_order(sources),
                          .locals = ec_router_locals(r, t),
                          .lanes = ec_router_lanes(r),
                          .vcs = r->vcs,
                          .startup = startup};
    s->ports = t->nodes * s->locals;
    s->head_credits = r->switching == EC_WORMHOLE ? 1 : r->packet;
    s->sender = calloc(s->ports, sizeof *s->sender);
    s->due = calloc(s->ports, sizeof *s->due);
    s->credit = calloc((size_t)s->ports * s->vcs, sizeof *s->credit);
    s->blocked = calloc(s->ports, sizeof *s->blocked);
    if (s->sender && s->due && s->credit && s->blocked)
        return true;
    senders_close(s);
    return false;
}

void senders_close(struct senders *s)
{
    free(s->sender);
    free(s->due);
    free(s->credit);
    free(s->blocked);
    *s = (struct senders){0};
}

void senders_reset(struct senders *s)
{
    memset(s->sender, 0, s->ports * sizeof *s->sender);
    for (uint32_t port = 0; port < s->ports; port++) {
        s->due[port] = sources_next(s->sources, port);
        for (unsigned vc = 0; vc < s->vcs; vc++)
            s->credit[(size_t)port * s->vcs + vc] = (struct sender_credit){.usable = s->r->depth};
    }
    memset(s->blocked, 0, s->ports * sizeof *s->blocked);
    s->started = s->busy = s->messages = s->self_messages = 0;
}

/* The credits usable in cycle `now`. */
static uint32_t *usable(struct senders *s, uint32_t port, unsigned vc, uint64_t now)
{
    struct sender_credit *c = &s->credit[(size_t)port * s->vcs + vc];
    if (c->shown && c->shown_at < now) {
        c->usable += c->shown;
        c->shown = 0;
    }
    return &c->usable;
}

void senders_credit(struct senders *s, uint32_t port, unsigned vc, uint64_t now)
{
    usable(s, port, vc, now);
    struct sender_credit *c = &s->credit[(size_t)port * s->vcs + vc];
    c->shown_at = now;
    c->shown++;
    if (s->sender[port].busy && s->due[port] == SOURCE_NEVER)
        s->due[port] = now + 1;
}

void senders_wake(struct senders *s, uint32_t port, uint64_t now)
{
    if (!s->sender[port].busy && s->due[port] > now)
        s->due[port] = now;
}

/* Out of credits: try again when the next one is usable; it may have been shown already. */
static void wait_for_credit(struct senders *s, uint32_t port, unsigned vc, uint64_t now)
{
    s->due[port] = s->credit[(size_t)port * s->vcs + vc].shown ? now + 1 : SOURCE_NEVER;
    if (!s->sender[port].blocked)
        s->sender[port].blocked = now;
}

uint64_t senders_blocked(const struct senders *s, uint32_t port, uint64_t now)
{
    const uint64_t since = s->sender[port].blocked;
    return s->blocked[port] + (since ? now - since + 1 : 0);
}

/* Take messages until one needs the network. False: no message is due yet. */
static bool take_message(struct senders *s, uint32_t port, uint64_t now)
{
    struct sender *x = &s->sender[port];
    const uint32_t node = s->board->local_node[port];
    for (;;) {
        const uint64_t next = sources_next(s->sources, port);
        if (next > now) {
            s->due[port] = next;
            return false;
        }
        const struct source_message m = sources_take(s->sources, port);
        s->messages++;
        if (s->order)
            s->order->started[m.index] = now;
        if (m.dst == node) {
            s->self_messages++;
            if (s->order) {
                order_sent(s->order, m.index, now);
                order_arrived(s->order, m.index, m.words, now);
            }
            continue;
        }
        x->dst = m.dst;
        x->message_left = m.words;
        x->created = m.created;
        x->message = m.index;
        x->lane = x->next_lane;
        x->next_lane = x->next_lane + 1 == s->lanes ? 0 : x->next_lane + 1;
        x->words = x->sent = 0;
        x->starting = false;
        x->busy = true;
        s->busy++;
        return true;
    }
}

static void finish_message(struct senders *s, uint32_t port, uint64_t now)
{
    s->sender[port].busy = false;
    s->busy--;
    if (s->order)
        order_sent(s->order, s->sender[port].message, now + 1);
    const uint64_t next = sources_next(s->sources, port);
    s->due[port] = next > now ? next : now + 1;
}

static uint32_t next_words(const struct senders *s, const struct sender *x)
{
    return x->message_left < s->r->packet ? x->message_left : s->r->packet;
}

/* The VC of a sender's packet, in class 0. */
static unsigned vc_of(const struct senders *s, const struct sender *x)
{
    return s->r->dateline ? 2 * x->lane : x->lane;
}

static void report_offer(const struct senders *s, uint32_t port, uint64_t now)
{
    const struct sender *x = &s->sender[port];
    if (!s->offered)
        return;
    const uint32_t node = s->board->local_node[port];
    const struct ec_offer offer = {.cycle = now,
                                   .created = x->created,
                                   .node = node,
                                   .dst = x->dst,
                                   .words = next_words(s, x),
                                   .local = port - node * s->locals,
                                   .vc = vc_of(s, x)};
    s->offered(s->offered_context, &offer);
}

/* One sender in a cycle in which it is due. */
static void offer_word(struct senders *s, uint32_t port, uint64_t now, struct ec_port_events *in)
{
    struct sender *x = &s->sender[port];
    if (!x->busy && !take_message(s, port, now))
        return;
    if (!s->started)
        s->started = now;
    const unsigned vc = vc_of(s, x);
    uint32_t *credits = usable(s, port, vc, now);
    if (x->words == 0) { /* a head comes next */
        if (!x->starting) {
            x->starting = true;
            x->ready = now + s->startup;
            report_offer(s, port, now);
        }
        if (now < x->ready) {
            s->due[port] = x->ready;
            return;
        }
        if (*credits < s->head_credits) {
            wait_for_credit(s, port, vc, now);
            return;
        }
        const uint32_t words = next_words(s, x);
        const uint32_t number = scoreboard_send(s->board, s->board->local_node[port], x->dst, words,
                                                x->lane, x->created, now, words == x->message_left);
        if (number == EC_NONE) { /* as many in flight as packet numbers can distinguish */
            s->due[port] = now + 1;
            return;
        }
        if (s->order || s->board->delivered)
            scoreboard_of_message(s->board, s->board->local_node[port], number, x->message);
        x->number = number;
        x->words = words;
        x->sent = 0;
    } else if (*credits == 0) {
        wait_for_credit(s, port, vc, now);
        return;
    }
    if (x->blocked) {
        s->blocked[port] += now - x->blocked;
        x->blocked = 0;
    }
    --*credits;
    in->words[in->word_count++] =
        (struct ec_port_word){.port = port,
                              .word = scoreboard_word(s->board, s->board->local_node[port], x->dst,
                                                      x->words, x->lane, x->number, x->sent)};
    s->due[port] = now + 1;
    if (++x->sent < x->words)
        return;
    x->message_left -= x->words;
    x->words = 0;
    x->starting = false;
    if (x->message_left == 0)
        finish_message(s, port, now);
}

uint64_t senders_next_due(const struct senders *s)
{
    uint64_t due = SOURCE_NEVER;
    for (uint32_t port = 0; port < s->ports; port++) {
        if (s->due[port] < due)
            due = s->due[port];
    }
    return due;
}

bool senders_waiting(const struct senders *s, uint64_t now, uint32_t *ret_port, unsigned *ret_vc)
{
    for (uint32_t port = 0; port < s->ports; port++) {
        if (!s->sender[port].busy && s->due[port] >= now)
            continue;
        *ret_port = port;
        *ret_vc = vc_of(s, &s->sender[port]);
        return true;
    }
    return false;
}

void senders_offer(struct senders *s, uint64_t now, struct ec_port_events *in)
{
    in->word_count = 0;
    for (uint32_t port = 0; port < s->ports; port++) {
        if (s->due[port] <= now)
            offer_word(s, port, now, in);
    }
}

/* --- Receivers ------------------------------------------------------------------------------- */

/* Not a stream of the traffic: those are numbered by node. */
#define STALL_STREAM (UINT64_C(1) << 40)

bool receivers_open(struct receivers *r, uint32_t ports, unsigned vcs, double stall, uint64_t seed)
{
    *r = (struct receivers){.ports = ports, .vcs = vcs, .key = ec_rng_key(seed, STALL_STREAM)};
    if (stall <= 0)
        return true;
    r->stall = (uint64_t)(stall * 0x1p64);
    r->held = calloc((size_t)ports * vcs, sizeof *r->held);
    r->holds = calloc(ports, sizeof *r->holds);
    if (r->held && r->holds)
        return true;
    receivers_close(r);
    return false;
}

void receivers_close(struct receivers *r)
{
    free(r->held);
    free(r->holds);
    *r = (struct receivers){0};
}

void receivers_reset(struct receivers *r)
{
    r->waiting = r->stalled = r->held_words = 0;
    if (!r->held)
        return;
    memset(r->held, 0, (size_t)r->ports * r->vcs * sizeof *r->held);
    memset(r->holds, 0, r->ports * sizeof *r->holds);
}

static void give_credit(struct ec_port_events *in, uint32_t port, unsigned vc)
{
    in->credits[in->credit_count++] = (struct ec_port_credit){.port = port, .vc = vc};
}

bool receivers_holding(const struct receivers *r, uint32_t *ret_port)
{
    for (uint32_t port = 0; r->held && port < r->ports; port++) {
        if (r->holds[port] == 0)
            continue;
        *ret_port = port;
        return true;
    }
    return false;
}

/* Accept one word of each VC of a port that holds words, or stall. */
static void serve_port(struct receivers *r, uint32_t port, uint64_t now, struct ec_port_events *in)
{
    r->waiting++;
    if (ec_rng_draw(r->key, now * r->ports + port) < r->stall) {
        r->stalled++;
        return;
    }
    for (unsigned vc = 0; vc < r->vcs; vc++) {
        uint16_t *held = &r->held[(size_t)port * r->vcs + vc];
        if (*held == 0)
            continue;
        --*held;
        r->holds[port]--;
        r->held_words--;
        give_credit(in, port, vc);
    }
}

void receivers_accept(struct receivers *r, uint64_t now, const struct ec_port_events *seen,
                      struct ec_port_events *in)
{
    in->credit_count = 0;
    for (size_t i = 0; i < seen->word_count; i++) {
        const uint32_t port = seen->words[i].port;
        const unsigned vc = ec_word_vc(seen->words[i].word) & (r->vcs - 1);
        if (!r->held) {
            give_credit(in, port, vc);
            continue;
        }
        r->held[(size_t)port * r->vcs + vc]++;
        r->holds[port]++;
        r->held_words++;
    }
    if (!r->held_words)
        return;
    for (uint32_t port = 0; port < r->ports; port++) {
        if (r->holds[port])
            serve_port(r, port, now, in);
    }
}
