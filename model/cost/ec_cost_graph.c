/* SPDX-License-Identifier: Apache-2.0 */
/* The longest path through a schedule's transfers. Knows the rules of motion of docs/TIMING.md and
 * numbers; must not know ecube, and above all not the simulator, which it is there to contradict.
 *
 * Messages are taken in the order in which they start. Since none may meet another, each then finds
 * its channels as those before it left them, and its words go one by one as the rules say. */
#include "ec_cost_graph.h"

#include <stdlib.h>
#include <string.h>

#include "ec_cost_exact.h"

#define min ec_cost_min
#define max ec_cost_max

/* A channel, as the last message left it. */
struct channel {
    uint64_t busy_until;
    size_t user;
};

/* A buffer: how many words came and went so far. */
struct buffer {
    uint64_t came, went;
};

struct waiting {
    uint64_t start;
    size_t message;
};

struct graph {
    const struct ec_cost_machine *machine;
    const struct ec_cost_messages *messages;
    bool rigid;     /* nothing ever waits on its way; then nobody asks for buffers: */
    uint64_t depth; /* words that are remembered of each */
    struct channel *channel;
    struct buffer *buffer; /* [channels * vcs] */
    uint64_t *left;        /* [channels * vcs * depth] cycles in which its last words left it */
    uint64_t *here;        /* [longest packet] when its words crossed the channel before */

    uint64_t *ready;   /* [count] earliest start known so far */
    uint32_t *missing; /* [count] what a message still waits for */
    size_t *next;      /* [count] the next message of its port; count: none */
    size_t *later;     /* [count + 1] into waits[]: */
    size_t *waits;     /* who waits for message i */
    struct waiting *heap;
    size_t heap_count;
};

/* Zeroed memory for a * b things, never NULL for none. */
static void *zeroed(size_t a, size_t b, size_t size)
{
    if (b && a > SIZE_MAX / b)
        return NULL;
    return calloc(a > 0 && b > 0 ? a * b : 1, size);
}

/* In wormhole and cut-through words never wait on an idle way if a buffer has one place more than a
 * head asks for: the words of a packet follow its head at one a cycle, and it one hop a cycle. */
static bool is_rigid(const struct ec_cost_machine *m)
{
    switch (m->switching) {
    case EC_COST_WORMHOLE:
        return m->depth > 1;
    case EC_COST_CUT_THROUGH:
        return m->depth > m->packet;
    case EC_COST_STORE_AND_FORWARD:
        break;
    }
    return false;
}

/* --- who starts next: a heap by start, then by number --- */

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

/* One thing that `message` waited for happened; it may start in cycle `start` at the earliest. */
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

/* --- what waits for what --- */

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

static bool link_ports(struct graph *g)
{
    const struct ec_cost_messages *m = g->messages;
    size_t *last = zeroed(g->machine->channels, 1, sizeof *last); /* of the port, plus one */

    if (!last)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        const uint32_t port = m->channel[m->way[i]];
        g->next[i] = m->count;
        g->missing[i]++; /* its step */
        if (last[port]) {
            g->next[last[port] - 1] = i;
            g->missing[i]++;
        }
        last[port] = i + 1;
    }
    free(last);
    return true;
}

/* --- the way of one packet --- */

struct packet {
    size_t message;
    uint64_t words;
    uint64_t start;  /* of its start-up */
    size_t way, end; /* channel[way .. end) of its message */
};

static size_t buffer_of(const struct graph *g, size_t way)
{
    return (size_t)g->messages->channel[way] * g->machine->vcs + g->messages->vc[way];
}

/* When word number `word` (from 1) of a buffer left it; known for the last D of them. */
static uint64_t *left_of(const struct graph *g, size_t buffer, uint64_t word)
{
    return &g->left[buffer * g->depth + word % g->depth];
}

/* Rules 3 and 4: the cycle in which the next word that goes to a buffer finds room there. */
static uint64_t room(const struct graph *g, size_t buffer, bool head)
{
    const uint64_t need =
        head && g->machine->switching != EC_COST_WORMHOLE ? g->machine->packet : 1;
    const uint64_t places = g->buffer[buffer].came + need;

    return places > g->depth ? *left_of(g, buffer, places - g->depth) + 1 : 1;
}

/* When a word that was on the channel before in cycle `here` is in front of its buffer. */
static uint64_t front(const struct graph *g, size_t from, uint64_t here)
{
    const uint64_t went = g->buffer[from].went;

    return max(here + 1, went ? *left_of(g, from, went) + 1 : 1);
}

/* A word of a packet crosses channel way[j]. `here`: the cycle in which it crossed the channel
 * before; `tail`: the same for the last word of its packet. Returns the cycle, or 0 if it meets
 * another message. */
static uint64_t cross(struct graph *g, const struct packet *p, size_t j, bool head, uint64_t here,
                      uint64_t tail)
{
    struct channel *c = &g->channel[g->messages->channel[j]];
    uint64_t time;

    if (j == p->way) {
        time = max(c->busy_until + 1, head ? p->start + g->machine->startup : 1); /* rules 2, 6 */
    } else {
        time = front(g, buffer_of(g, j - 1), here); /* rule 1 */
        if (c->user != p->message && time <= c->busy_until)
            return 0;
        time = max(time, c->busy_until + 1); /* rule 2 */
        if (head && g->machine->switching == EC_COST_STORE_AND_FORWARD)
            time = max(time, tail + 1); /* rule 5 */
    }
    if (j + 1 < p->end) {
        time = max(time, room(g, buffer_of(g, j), head));
        g->buffer[buffer_of(g, j)].came++;
    }
    if (j > p->way)
        *left_of(g, buffer_of(g, j - 1), ++g->buffer[buffer_of(g, j - 1)].went) = time;
    c->busy_until = time;
    c->user = p->message;
    return time;
}

/* All of a packet at once, where its words never wait. */
static size_t go_rigid(struct graph *g, const struct packet *p)
{
    uint64_t head = p->start + g->machine->startup;

    for (size_t j = p->way; j < p->end; j++, head++) {
        struct channel *c = &g->channel[g->messages->channel[j]];
        if (c->user != p->message && head <= c->busy_until)
            return j;
        c->busy_until = head + p->words - 1;
        c->user = p->message;
    }
    return p->end;
}

/* Word by word: a word looks back at earlier words further on. */
static size_t go_by_words(struct graph *g, const struct packet *p)
{
    for (uint64_t k = 0; k < p->words; k++) {
        uint64_t here = 0;
        for (size_t j = p->way; j < p->end; j++) {
            here = cross(g, p, j, k == 0, here, 0);
            if (here == 0)
                return j;
        }
    }
    return p->end;
}

/* Channel by channel: a head looks back at its tail one channel before. */
static size_t go_by_channels(struct graph *g, const struct packet *p)
{
    for (size_t j = p->way; j < p->end; j++) {
        const uint64_t tail = g->here[p->words - 1];
        for (uint64_t k = 0; k < p->words; k++) {
            g->here[k] = cross(g, p, j, k == 0, g->here[k], tail);
            if (g->here[k] == 0)
                return j;
        }
    }
    return p->end;
}

static size_t go_packet(struct graph *g, const struct packet *p)
{
    if (g->rigid)
        return go_rigid(g, p);
    return g->machine->switching == EC_COST_STORE_AND_FORWARD ? go_by_channels(g, p)
                                                              : go_by_words(g, p);
}

/* Send a message; false, and where, if it meets another one. */
static bool go(struct graph *g, size_t message, uint64_t start, struct ec_cost_times *times)
{
    const struct ec_cost_messages *m = g->messages;
    struct packet p = {
        .message = message, .start = start, .way = m->way[message], .end = m->way[message + 1]};
    const struct channel *port = &g->channel[m->channel[p.way]];

    for (uint64_t rest = m->words[message]; rest > 0; rest -= p.words) {
        p.words = min(rest, g->machine->packet);
        const size_t stop = go_packet(g, &p);
        if (stop < p.end) {
            times->verdict = EC_COST_MEETING;
            times->channel = m->channel[stop];
            times->earlier = g->channel[times->channel].user;
            times->later = message;
            return false;
        }
        p.start = port->busy_until + 1;
    }
    return true;
}

/* --- all of them --- */

static bool open_graph(struct graph *g, const struct ec_cost_machine *machine,
                       const struct ec_cost_messages *messages)
{
    const size_t count = messages->count, channels = machine->channels;
    const size_t buffers = channels * machine->vcs;
    uint64_t longest = 0;

    for (size_t i = 0; i < count; i++)
        longest = max(longest, messages->words[i]);
    *g = (struct graph){.machine = machine, .messages = messages, .rigid = is_rigid(machine)};
    g->depth = g->rigid ? 1 : machine->depth;
    g->channel = zeroed(channels, 1, sizeof *g->channel);
    g->buffer = zeroed(channels, machine->vcs, sizeof *g->buffer);
    g->left = zeroed(buffers, g->depth, sizeof *g->left);
    g->here = zeroed(min(longest, machine->packet), 1, sizeof *g->here);
    g->ready = zeroed(count, 1, sizeof *g->ready);
    g->missing = zeroed(count, 1, sizeof *g->missing);
    g->next = zeroed(count, 1, sizeof *g->next);
    g->heap = zeroed(count, 1, sizeof *g->heap);
    return g->channel && g->buffer && g->left && g->here && g->ready && g->missing && g->next &&
           g->heap && link_ports(g) && link_dependencies(g);
}

static void close_graph(struct graph *g)
{
    free(g->channel);
    free(g->buffer);
    free(g->left);
    free(g->here);
    free(g->ready);
    free(g->missing);
    free(g->next);
    free(g->later);
    free(g->waits);
    free(g->heap);
}

/* Let the messages from `from` on go that belong to its step; returns where the next step begins.
 * Without steps all go at once. */
static size_t open_step(struct graph *g, size_t from, uint64_t after)
{
    const struct ec_cost_messages *m = g->messages;
    size_t i = from;

    for (; i < m->count && (!m->by_step || m->step[i] == m->step[from]); i++)
        release(g, i, after + 1 + delay_of(g, i));
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
        if (!go(g, w.message, w.start, times))
            return;
        const uint32_t *way = &m->channel[m->way[w.message]];
        const uint64_t sent = g->channel[*way].busy_until;
        const uint64_t finish = g->channel[m->channel[m->way[w.message + 1] - 1]].busy_until;
        if (ret_start)
            ret_start[w.message] = w.start;
        if (ret_finish)
            ret_finish[w.message] = finish;
        times->first = times->first ? times->first : w.start;
        times->last = max(times->last, finish);
        arrived(g, w.message, finish);
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
