/* SPDX-License-Identifier: Apache-2.0 */
/* The longest path through a schedule's transfers. Knows numbers and the rules of docs/TIMING.md;
 * must not know ecube, because it checks the simulator independently.
 *
 * Messages are taken in the order in which they start. Since messages must not meet, each one finds
 * its channels as earlier messages left them; its words then move one by one by the rules. */
#include "ec_cost_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost_exact.h"

#define min ec_cost_min
#define max ec_cost_max

/* --- One message on its way ------------------------------------------------------------------- */

/* A channel as the last message left it. */
struct channel {
    uint64_t busy_until;
    size_t user;
};

/* The words that came and went so far. */
struct buffer {
    uint64_t came, went;
};

struct way {
    const struct ec_cost_machine *machine;
    const struct ec_cost_messages *messages;
    bool rigid;     /* no word ever waits on its path; then buffers do not matter */
    uint64_t depth; /* words remembered per buffer */
    struct channel *channel;
    struct buffer *buffer; /* [channels * vcs] */
    uint64_t *left;        /* [channels * vcs * depth] cycles in which its last words left it */
    uint64_t early;        /* cycles by which a router's credit precedes its word */
    uint64_t *here;        /* [longest packet] when its words crossed the channel before */
};

/* Zeroed memory for a * b things, never NULL for none. */
static void *zeroed(size_t a, size_t b, size_t size)
{
    if (b && a > SIZE_MAX / b)
        return NULL;
    return calloc(a > 0 && b > 0 ? a * b : 1, size);
}

/* With wormhole and cut-through switching, words never wait on an idle path if its buffers allow
 * full rate: the head moves on at once and the other words follow it. */
static bool is_rigid(const struct ec_cost_machine *m)
{
    return m->switching != EC_COST_STORE_AND_FORWARD && m->depth >= ec_cost_full_rate(m);
}

struct packet {
    size_t message;
    uint64_t words;
    uint64_t start;  /* of its start-up */
    size_t way, end; /* channel[way .. end) of its message */
};

static size_t buffer_of(const struct way *w, size_t way)
{
    return (size_t)w->messages->channel[way] * w->messages->vcs + w->messages->vc[way];
}

/* When word number `word` (from 1) left its buffer. Known for the last D words. */
static uint64_t *left_of(const struct way *w, size_t buffer, uint64_t word)
{
    return &w->left[buffer * w->depth + word % w->depth];
}

/* From a word on channel way[j] to the same word on the next one, and the part of it on the
 * channel: links have a delay, the local port that way[j] = p->way is has none. */
static uint64_t hop_time(const struct way *w, const struct packet *p, size_t j)
{
    return (j == p->way ? 1 : w->machine->link) + w->machine->stages - 1;
}

/* Rules 3 and 4: the cycle in which the next word that goes to the buffer behind channel way[j]
 * finds room there. The credit takes the time of the channel, and leaves before its word if the
 * router has a traversal stage. At the end of the path the node returns it with the word. */
static uint64_t room(const struct way *w, const struct packet *p, size_t j, bool head)
{
    const uint64_t need =
        head && w->machine->switching != EC_COST_WORMHOLE ? w->machine->packet : 1;
    const size_t buffer = buffer_of(w, j);
    const uint64_t places = w->buffer[buffer].came + need;

    if (places <= w->depth)
        return 1;
    const uint64_t left = *left_of(w, buffer, places - w->depth);
    if (j + 1 == p->end)
        return left + 1 + w->early;
    return j == p->way ? left + 1 - w->early : left + w->machine->link;
}

/* When a word that crossed channel way[j] in cycle `here` can be on the next one: it must be in
 * front of its buffer. */
static uint64_t front(const struct way *w, const struct packet *p, size_t j, uint64_t here)
{
    const size_t from = buffer_of(w, j);
    const uint64_t went = w->buffer[from].went;

    return max(here + hop_time(w, p, j), went ? *left_of(w, from, went) + 1 : 1);
}

/* A word goes into the buffer behind channel way[j], or leaves it. */
static void enter(struct way *w, size_t j)
{
    w->buffer[buffer_of(w, j)].came++;
}

static void leave(struct way *w, size_t j, uint64_t time)
{
    const size_t buffer = buffer_of(w, j);

    *left_of(w, buffer, ++w->buffer[buffer].went) = time;
}

/* A word of a packet crosses channel way[j]. `here`: the cycle in which it crossed the channel
 * before; `tail`: the same for the last word of its packet. Returns the cycle, or 0 if it meets
 * another message. */
static uint64_t cross(struct way *w, const struct packet *p, size_t j, bool head, uint64_t here,
                      uint64_t tail)
{
    struct channel *c = &w->channel[w->messages->channel[j]];
    uint64_t time;

    if (j == p->way) {
        time = max(c->busy_until + 1, head ? p->start + w->machine->startup : 1); /* rules 2, 6 */
    } else {
        time = front(w, p, j - 1, here); /* rule 1 */
        if (c->user != p->message && time <= c->busy_until)
            return 0;
        time = max(time, c->busy_until + 1); /* rule 2 */
        if (head && w->machine->switching == EC_COST_STORE_AND_FORWARD)
            time = max(time, tail + hop_time(w, p, j - 1)); /* rule 5 */
    }
    time = max(time, room(w, p, j, head));
    enter(w, j);
    if (j > p->way)
        leave(w, j - 1, time);
    if (j + 1 == p->end)
        leave(w, j, time);
    c->busy_until = time;
    c->user = p->message;
    return time;
}

/* A whole packet at once: its words never wait. */
static size_t go_rigid(struct way *w, const struct packet *p)
{
    uint64_t head = p->start + w->machine->startup;

    for (size_t j = p->way; j < p->end; head += hop_time(w, p, j++)) {
        struct channel *c = &w->channel[w->messages->channel[j]];
        if (c->user != p->message && head <= c->busy_until)
            return j;
        c->busy_until = head + p->words - 1;
        c->user = p->message;
    }
    return p->end;
}

/* Word by word: a word looks back at earlier words further on. */
static size_t go_by_words(struct way *w, const struct packet *p)
{
    for (uint64_t k = 0; k < p->words; k++) {
        uint64_t here = 0;
        for (size_t j = p->way; j < p->end; j++) {
            here = cross(w, p, j, k == 0, here, 0);
            if (here == 0)
                return j;
        }
    }
    return p->end;
}

/* Channel by channel: a head looks back at its tail one channel before. */
static size_t go_by_channels(struct way *w, const struct packet *p)
{
    for (size_t j = p->way; j < p->end; j++) {
        const uint64_t tail = w->here[p->words - 1];
        for (uint64_t k = 0; k < p->words; k++) {
            w->here[k] = cross(w, p, j, k == 0, w->here[k], tail);
            if (w->here[k] == 0)
                return j;
        }
    }
    return p->end;
}

static size_t go_packet(struct way *w, const struct packet *p)
{
    if (w->rigid)
        return go_rigid(w, p);
    return w->machine->switching == EC_COST_STORE_AND_FORWARD ? go_by_channels(w, p)
                                                              : go_by_words(w, p);
}

static bool way_open(struct way *w, const struct ec_cost_machine *machine,
                     const struct ec_cost_messages *messages)
{
    const size_t channels = messages->channels, buffers = channels * messages->vcs;
    uint64_t longest = 0;

    for (size_t i = 0; i < messages->count; i++)
        longest = max(longest, messages->words[i]);
    *w = (struct way){.machine = machine, .messages = messages, .rigid = is_rigid(machine)};
    w->depth = w->rigid ? 1 : machine->depth;
    w->early = machine->stages >= 2;
    w->channel = zeroed(channels, 1, sizeof *w->channel);
    w->buffer = zeroed(channels, messages->vcs, sizeof *w->buffer);
    w->left = zeroed(buffers, w->depth, sizeof *w->left);
    w->here = zeroed(min(longest, machine->packet), 1, sizeof *w->here);
    return w->channel && w->buffer && w->left && w->here;
}

static void way_close(struct way *w)
{
    free(w->channel);
    free(w->buffer);
    free(w->left);
    free(w->here);
}

static bool way_go(struct way *w, size_t message, uint64_t start, uint64_t *ret_sent,
                   uint64_t *ret_finish, struct ec_cost_times *times)
{
    const struct ec_cost_messages *m = w->messages;
    struct packet p = {
        .message = message, .start = start, .way = m->way[message], .end = m->way[message + 1]};
    const struct channel *port = &w->channel[m->channel[p.way]];

    for (uint64_t rest = m->words[message]; rest > 0; rest -= p.words) {
        p.words = min(rest, w->machine->packet);
        const size_t stop = go_packet(w, &p);
        if (stop < p.end) {
            times->verdict = EC_COST_MEETING;
            times->channel = m->channel[stop];
            times->earlier = w->channel[times->channel].user;
            times->later = message;
            return false;
        }
        p.start = port->busy_until + 1;
    }
    *ret_sent = port->busy_until;
    *ret_finish = w->channel[m->channel[p.end - 1]].busy_until;
    return true;
}

/* --- All messages ----------------------------------------------------------------------------- */

struct waiting {
    uint64_t start;
    size_t message;
};

struct graph {
    const struct ec_cost_messages *messages;
    struct way way;
    uint64_t *ready;   /* [count] earliest start known so far */
    uint32_t *missing; /* [count] arrivals that a message still waits for */
    size_t *next;      /* [count] the next message of its port; count: none */
    size_t *held;      /* the last work behind it, plus one; 0: none. [count], with behind[] */
    size_t *sibling;   /* the work before it behind the same message, plus one; as held[] */
    size_t *later;     /* [count + 1] into waits[]: */
    size_t *waits;     /* messages that wait for message i */
    struct waiting *heap;
    size_t heap_count;
};

/* A heap by start, then by number: which message starts next. */

static bool before(struct waiting a, struct waiting b)
{
    return a.start < b.start || (a.start == b.start && a.message < b.message);
}

static void push(struct graph *g, size_t message)
{
    const struct waiting x = {g->ready[message], message};
    size_t i = g->heap_count++;

    for (; i > 0 && before(x, g->heap[(i - 1) / 2]); i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = x;
}

static struct waiting pop(struct graph *g)
{
    const struct waiting top = g->heap[0], x = g->heap[--g->heap_count];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < g->heap_count; i = child) {
        if (child + 1 < g->heap_count && before(g->heap[child + 1], g->heap[child]))
            child++;
        if (!before(g->heap[child], x))
            break;
        g->heap[i] = g->heap[child];
    }
    g->heap[i] = x;
    return top;
}

/* One event that `message` waited for happened; it can start in cycle `start` at the earliest. */
static void release(struct graph *g, size_t message, uint64_t start)
{
    g->ready[message] = max(g->ready[message], start);
    if (--g->missing[message] == 0)
        push(g, message);
}

static uint64_t delay_of(const struct graph *g, size_t message)
{
    return g->messages->delay ? g->messages->delay[message] : 0;
}

static bool link_dependencies(struct graph *g)
{
    const struct ec_cost_messages *m = g->messages;
    const size_t edges = m->by_step || !m->first ? 0 : m->first[m->count];

    g->later = zeroed(m->count + 2, 1, sizeof *g->later);
    g->waits = zeroed(edges, 1, sizeof *g->waits);
    if (!g->later || !g->waits)
        return false;
    if (edges == 0)
        return true;
    for (size_t e = 0; e < edges; e++)
        g->later[m->after[e] + 2]++;
    for (size_t i = 2; i <= m->count; i++)
        g->later[i + 1] += g->later[i];
    for (size_t i = 0; i < m->count; i++) {
        for (size_t e = m->first[i]; e < m->first[i + 1]; e++)
            g->waits[g->later[m->after[e] + 1]++] = i;
        g->missing[i] += (uint32_t)(m->first[i + 1] - m->first[i]);
    }
    return true;
}

static bool is_work(const struct ec_cost_messages *m, size_t i)
{
    return m->way[i] == m->way[i + 1];
}

static void link_work(struct graph *g, size_t i)
{
    const uint32_t before = g->messages->behind ? g->messages->behind[i] : UINT32_MAX;

    if (before == UINT32_MAX)
        return;
    g->sibling[i] = g->held[before];
    g->held[before] = i + 1;
    g->missing[i]++;
}

static bool link_ports(struct graph *g)
{
    const struct ec_cost_messages *m = g->messages;
    size_t *last = zeroed(m->channels, 1, sizeof *last); /* of the port, plus one */

    if (!last)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        g->next[i] = m->count;
        g->missing[i]++; /* its step */
        if (is_work(m, i)) {
            link_work(g, i);
            continue;
        }
        const uint32_t port = m->channel[m->way[i]];
        if (last[port]) {
            g->next[last[port] - 1] = i;
            g->missing[i]++;
        }
        last[port] = i + 1;
    }
    free(last);
    return true;
}

static bool open_graph(struct graph *g, const struct ec_cost_machine *machine,
                       const struct ec_cost_messages *messages)
{
    const size_t count = messages->count;

    *g = (struct graph){.messages = messages};
    const bool open = way_open(&g->way, machine, messages);
    g->ready = zeroed(count, 1, sizeof *g->ready);
    g->missing = zeroed(count, 1, sizeof *g->missing);
    g->next = zeroed(count, 1, sizeof *g->next);
    g->held = zeroed(messages->behind ? count : 0, 1, sizeof *g->held);
    g->sibling = zeroed(messages->behind ? count : 0, 1, sizeof *g->sibling);
    g->heap = zeroed(count, 1, sizeof *g->heap);
    return open && g->ready && g->missing && g->next && g->held && g->sibling && g->heap &&
           link_ports(g) && link_dependencies(g);
}

static void close_graph(struct graph *g)
{
    way_close(&g->way);
    free(g->ready);
    free(g->missing);
    free(g->next);
    free(g->held);
    free(g->sibling);
    free(g->later);
    free(g->waits);
    free(g->heap);
}

/* Release the messages of the step that begins at index `from`; returns the beginning of the next
 * step. Without steps, release all. */
static size_t open_step(struct graph *g, size_t from, uint64_t after)
{
    const struct ec_cost_messages *m = g->messages;
    size_t i = from;

    for (; i < m->count && (!m->by_step || m->step[i] == m->step[from]); i++)
        release(g, i, max(after + 1, m->from ? m->from[i] : 1) + delay_of(g, i));
    return i;
}

/* A message has arrived. */
static void arrived(struct graph *g, size_t message, uint64_t finish)
{
    for (size_t e = g->later[message]; e < g->later[message + 1]; e++)
        release(g, g->waits[e], finish + 1 + delay_of(g, g->waits[e]));
}

static void play(struct graph *g, uint64_t *ret_start, uint64_t *ret_finish,
                 struct ec_cost_times *times)
{
    const struct ec_cost_messages *m = g->messages;
    size_t done = 0, opened = open_step(g, 0, 0);

    while (g->heap_count > 0) {
        const struct waiting w = pop(g);
        uint64_t sent = 0, finish = w.start - 1; /* of work */
        if (!is_work(m, w.message)) {
            if (!way_go(&g->way, w.message, w.start, &sent, &finish, times))
                return;
            times->first = times->first ? times->first : w.start;
            times->last = max(times->last, finish);
        }
        if (ret_start)
            ret_start[w.message] = w.start;
        if (ret_finish)
            ret_finish[w.message] = finish;
        arrived(g, w.message, finish);
        for (size_t k = m->behind ? g->held[w.message] : 0; k > 0; k = g->sibling[k - 1])
            release(g, k - 1, sent + 1 + delay_of(g, k - 1));
        if (g->next[w.message] < m->count)
            release(g, g->next[w.message], sent + 1);
        if (++done == opened && opened < m->count)
            opened = open_step(g, opened, times->last);
    }
    if (done == m->count)
        return;
    times->verdict = EC_COST_CIRCULAR;
    while (times->later < m->count && g->missing[times->later] == 0)
        times->later++;
}

struct ec_cost_times ec_cost_graph(const struct ec_cost_machine *machine,
                                   const struct ec_cost_messages *messages, uint64_t *ret_start,
                                   uint64_t *ret_finish)
{
    struct ec_cost_times times = {.verdict = EC_COST_PREDICTED};
    struct graph g;

    if (ret_start)
        memset(ret_start, 0, messages->count * sizeof *ret_start);
    if (ret_finish)
        memset(ret_finish, 0, messages->count * sizeof *ret_finish);
    if (open_graph(&g, machine, messages))
        play(&g, ret_start, ret_finish, &times);
    else
        times.verdict = EC_COST_MEMORY;
    close_graph(&g);
    return times;
}
