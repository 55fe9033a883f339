/* SPDX-License-Identifier: Apache-2.0 */
/* The longest path through a schedule's transfers: which message waits for which, and who starts
 * next. Knows numbers; must not know ecube, and above all not the simulator, which it is there to
 * contradict.
 *
 * Messages are taken in the order in which they start. Since none may meet another, each then finds
 * its channels as those before it left them; how it moves there is in ec_cost_way.c. */
#include "ec_cost_graph.h"

#include <stdlib.h>
#include <string.h>

#include "ec_cost_exact.h"
#include "ec_cost_way.h"

#define max ec_cost_max

struct waiting {
    uint64_t start;
    size_t message;
};

struct graph {
    const struct ec_cost_messages *messages;
    struct ec_cost_way way;
    uint64_t *ready;   /* [count] earliest start known so far */
    uint32_t *missing; /* [count] what a message still waits for */
    size_t *next;      /* [count] the next message of its port; count: none */
    size_t *later;     /* [count + 1] into waits[]: */
    size_t *waits;     /* who waits for message i */
    struct waiting *heap;
    size_t heap_count;
};

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

    g->later = ec_cost_zeroed(m->count + 2, 1, sizeof *g->later);
    g->waits = ec_cost_zeroed(edges, 1, sizeof *g->waits);
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
    size_t *last =
        ec_cost_zeroed(g->way.machine->channels, 1, sizeof *last); /* of the port, plus one */

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

/* --- all of them --- */

static bool open_graph(struct graph *g, const struct ec_cost_machine *machine,
                       const struct ec_cost_messages *messages)
{
    const size_t count = messages->count;

    *g = (struct graph){.messages = messages};
    const bool open = ec_cost_way_open(&g->way, machine, messages);
    g->ready = ec_cost_zeroed(count, 1, sizeof *g->ready);
    g->missing = ec_cost_zeroed(count, 1, sizeof *g->missing);
    g->next = ec_cost_zeroed(count, 1, sizeof *g->next);
    g->heap = ec_cost_zeroed(count, 1, sizeof *g->heap);
    return open && g->ready && g->missing && g->next && g->heap && link_ports(g) &&
           link_dependencies(g);
}

static void close_graph(struct graph *g)
{
    ec_cost_way_close(&g->way);
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
        uint64_t sent, finish;
        if (!ec_cost_way_go(&g->way, w.message, w.start, &sent, &finish, times))
            return;
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
