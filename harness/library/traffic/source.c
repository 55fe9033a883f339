/* SPDX-License-Identifier: Apache-2.0 */
/* Message sources: the random processes of an open loop and the patterns of their messages, or the
 * list of a closed workload. Knows workloads and random numbers; must not know flits or credits. */
#include "traffic/source.h"

#include "base/rng.h"
#include "ecube/route.h"
#include "traffic/process.h"
#include "traffic/queue.h"

/* A queue of created messages (open loop, if they must be created in time): a ring that grows. */
struct backlog {
    struct source_message *ring;
    size_t first, count, size; /* size: a power of two or 0 */
};

/* The requests of a source that wait for their replies. */
struct window {
    uint32_t open;
    uint64_t full; /* the cycle in which it became full, if it is full */
};

struct sources {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct ec_workload *w;
    unsigned locals;
    struct nodes_own own;
    uint64_t seed;
    bool stopped;

    /* Closed: message indices by port. */
    uint32_t *own_message; /* [own_count] ascending; NULL: all */
    size_t own_count;
    size_t *start, *end; /* [ports] into order[] */
    uint32_t *order;     /* [own_count] */
    size_t *at;          /* [ports] */
    size_t left;
    struct order *waiting; /* NULL: no message waits for others */
    struct queue *ready;   /* [ports] the messages that can be sent, if they overtake; else NULL */
    bool memory_short;

    /* Open loop. */
    struct process_kind kind;
    struct process *process; /* [nodes] the state of each source */
    struct process *counted; /* [nodes] the same, as far as counted; with one port per node */
    uint64_t *created;       /* [ports] words created so far, as far as counted */
    uint64_t messages;       /* created so far, as far as counted */
    uint64_t part_words[EC_PARTS_MAX]; /* the same by pattern */
    struct backlog *backlog;           /* [ports] NULL: sources_create() is not needed */
    struct window *window;             /* [nodes] NULL: no limit on outstanding requests */
    struct ec_arrays arrays;           /* all of the above */
};

/* Message i of those of own sources. */
static uint32_t own_message(const struct sources *s, size_t i)
{
    return s->own_message ? s->own_message[i] : (uint32_t)i;
}

/* A node that a pattern maps to itself sends nothing. */
static bool drops(const struct ec_part *part, uint32_t node)
{
    return part->map && part->map[node] == node;
}

static uint32_t draw_part(const struct ec_workload *w, struct process *p)
{
    double u = ec_rng_unit(process_draw(p));
    uint32_t k = 0;
    for (; k + 1 < w->part_count && u >= w->parts[k].share; k++)
        u -= w->parts[k].share;
    return k;
}

/* Mixtures: choose the part of the next message; those that the node drops are skipped. */
static void find_part(const struct sources *s, uint32_t node, struct process *p)
{
    for (;;) {
        p->part = draw_part(s->w, p);
        if (!drops(&s->w->parts[p->part], node))
            return;
        process_advance(&s->kind, p);
    }
}

static struct source_message draw_message(const struct sources *s, uint32_t node, struct process *p)
{
    const struct ec_part *part = &s->w->parts[p->part];
    const struct ec_lengths *l = &part->lengths;
    struct source_message m = {.created = p->next, .words = l->first, .part = p->part};
    if (l->mix)
        m.words = process_draw(p) >> 63 ? l->last : l->first;
    else if (l->last > l->first)
        m.words += (uint32_t)ec_rng_below(process_draw(p), l->last - l->first + 1);
    if (part->map) {
        m.dst = part->map[node];
    } else if (part->hot_share > 0 && node != part->hot_node &&
               ec_rng_unit(process_draw(p)) < part->hot_share) {
        m.dst = part->hot_node;
    } else {
        m.dst = (uint32_t)ec_rng_below(process_draw(p), s->w->nodes - 1); /* over the others */
        m.dst += m.dst >= node;
    }
    if (ec_router_draws(s->r))
        m.way = ec_route_draw(s->r, s->t->nodes, process_draw(p));
    process_advance(&s->kind, p);
    if (s->w->part_count > 1)
        find_part(s, node, p);
    return m;
}

/* The local port by which a message enters: that of its first link, if ports are one per link. */
static uint32_t port_of(const struct sources *s, uint32_t src, uint32_t dst, uint32_t way)
{
    struct ec_hop first;
    if (s->locals == 1)
        return src;
    const bool leaves = ec_route_drawn(s->t, s->r, src, dst, way, &first, 1) > 0;
    return src * s->locals + (leaves ? first.link : 0);
}

/* Message indices of own ports, port by port; each keeps the order by cycle. */
static void sort_by_port(struct sources *s)
{
    size_t next = 0;
    for (size_t i = 0; i < s->own_count; i++)
        s->end[sources_port(s, own_message(s, i))]++;
    for (uint32_t i = 0; i < s->own.count; i++) {
        for (unsigned k = 0; k < s->locals; k++) {
            const size_t port = (size_t)nodes_own_at(&s->own, i) * s->locals + k;
            s->start[port] = next;
            next += s->end[port];
            s->end[port] = s->start[port];
        }
    }
    for (size_t i = 0; i < s->own_count; i++) {
        const uint32_t message = own_message(s, i);
        s->order[s->end[sources_port(s, message)]++] = message;
    }
}

/* The messages of own sources. */
static bool find_own(struct sources *s)
{
    const size_t count = s->w->message_count;
    s->own_count = count;
    if (s->own.count == s->t->nodes || s->w->hosted)
        return true;
    s->own_count = 0;
    for (size_t i = 0; i < count; i++)
        s->own_count += nodes_own_has(&s->own, s->w->messages[i].src);
    EC_ARRAY(&s->arrays, s->own_message, s->own_count);
    for (size_t i = 0, k = 0; s->own_message && k < s->own_count; i++) {
        if (nodes_own_has(&s->own, s->w->messages[i].src))
            s->own_message[k++] = (uint32_t)i;
    }
    return s->own_message != NULL;
}

static bool open_closed(struct sources *s)
{
    const size_t ports = (size_t)s->t->nodes * s->locals;
    if (!find_own(s) || (s->w->order && !(s->waiting = order_open(s->w))))
        return false;
    if (s->w->hosted || (s->w->order && s->w->order->overtake))
        return EC_ARRAY(&s->arrays, s->ready, ports) != NULL;
    EC_ARRAY(&s->arrays, s->start, ports);
    EC_ARRAY(&s->arrays, s->end, ports);
    EC_ARRAY(&s->arrays, s->order, s->own_count);
    EC_ARRAY(&s->arrays, s->at, ports);
    if (!s->arrays.memory_short)
        sort_by_port(s);
    return !s->arrays.memory_short;
}

struct sources *sources_open(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, uint64_t seed,
                             const struct nodes_own *own)
{
    struct sources *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct sources){.t = t,
                          .r = r,
                          .w = w,
                          .locals = ec_router_locals(r, t),
                          .own = own ? *own : nodes_all(t->nodes),
                          .seed = seed};
    bool ok = true;
    if (w->open_loop) {
        s->kind = process_kind(w);
        const size_t ports = (size_t)t->nodes * s->locals;
        EC_ARRAY(&s->arrays, s->process, t->nodes);
        EC_ARRAY(&s->arrays, s->counted, t->nodes);
        EC_ARRAY(&s->arrays, s->created, ports);
        if (s->locals > 1 || w->service.outstanding > 0)
            EC_ARRAY(&s->arrays, s->backlog, ports);
        if (w->service.outstanding > 0)
            EC_ARRAY(&s->arrays, s->window, t->nodes);
        ok = !s->arrays.memory_short;
    } else {
        ok = open_closed(s);
    }
    if (!ok) {
        sources_close(s);
        return NULL;
    }
    sources_reset(s);
    return s;
}

void sources_close(struct sources *s)
{
    if (!s)
        return;
    for (size_t p = 0; p < (size_t)s->t->nodes * s->locals; p++) {
        if (s->backlog)
            free(s->backlog[p].ring);
        if (s->ready)
            free(s->ready[p].heap);
    }
    ec_arrays_free(&s->arrays);
    order_close(s->waiting);
    free(s);
}

static bool silent(const struct ec_workload *w, uint32_t node)
{
    for (unsigned k = 0; k < w->part_count; k++) {
        if (!drops(&w->parts[k], node))
            return false;
    }
    return true;
}

static void start_process(const struct sources *s, uint32_t node, struct process *p)
{
    *p = process_start(&s->kind, ec_rng_key(s->seed, node));
    if (silent(s->w, node))
        p->next = SOURCE_NEVER;
    else if (s->w->part_count > 1)
        find_part(s, node, p);
}

/* The cycle from which message i of a list can be sent. */
static uint64_t cycle_of(const struct sources *s, size_t i)
{
    return s->waiting ? s->waiting->ready[i] : s->w->messages[i].cycle;
}

uint32_t sources_release(struct sources *s, uint32_t index, uint64_t from)
{
    const uint32_t port = sources_port(s, index);
    if (s->ready &&
        !queue_push(&s->ready[port], (struct queued){cycle_of(s, index), from, index, index}))
        s->memory_short = true;
    return port;
}

uint32_t sources_add(struct sources *s, uint32_t index)
{
    s->left++;
    return sources_release(s, index, cycle_of(s, index));
}

bool sources_short(const struct sources *s)
{
    return s->memory_short;
}

static void reset_closed(struct sources *s)
{
    const size_t locals = s->locals;
    s->left = s->own_message ? s->own_count : s->w->message_count;
    if (s->waiting)
        order_reset(s->waiting);
    for (uint32_t i = 0; i < s->own.count; i++) {
        const size_t first = nodes_own_at(&s->own, i) * locals;
        for (size_t p = first; p < first + locals; p++) {
            if (s->ready)
                s->ready[p].count = 0;
            else
                s->at[p] = s->start[p];
        }
    }
    for (size_t i = 0, count = s->left; s->ready && i < count; i++) {
        const uint32_t message = own_message(s, i);
        if (s->waiting && order_is_work(s->w, message))
            s->left--;
        else if (!s->waiting || order_free(s->waiting, message))
            sources_release(s, message, cycle_of(s, message));
    }
}

static void reset_open_loop(struct sources *s)
{
    const size_t locals = s->locals;
    for (uint32_t i = 0; i < s->own.count; i++) {
        const uint32_t node = nodes_own_at(&s->own, i);
        start_process(s, node, &s->process[node]);
        s->counted[node] = s->process[node];
        for (size_t p = node * locals; s->backlog && p < (node + 1) * locals; p++)
            s->backlog[p].first = s->backlog[p].count = 0;
    }
    nodes_own_clear(&s->own, s->created, locals * sizeof *s->created);
    memset(s->part_words, 0, sizeof s->part_words);
    if (s->window)
        nodes_own_clear(&s->own, s->window, sizeof *s->window);
}

void sources_reset(struct sources *s)
{
    s->stopped = false;
    s->messages = 0;
    if (s->w->open_loop)
        reset_open_loop(s);
    else
        reset_closed(s);
}

void sources_stop(struct sources *s)
{
    s->stopped = true;
}

uint64_t sources_next(struct sources *s, uint32_t port)
{
    if (s->stopped)
        return SOURCE_NEVER;
    if (s->ready) {
        const struct queue *q = &s->ready[port];
        return q->count ? q->heap[0].from : SOURCE_NEVER;
    }
    if (!s->w->open_loop)
        return s->at[port] == s->end[port] ? SOURCE_NEVER : cycle_of(s, s->order[s->at[port]]);
    if (!s->backlog)
        return s->process[port].next;
    const struct backlog *b = &s->backlog[port];
    return b->count ? b->ring[b->first].created : SOURCE_NEVER;
}

void sources_fetch(const struct sources *s, uint32_t port)
{
    if (s->process && !s->backlog)
        __builtin_prefetch(&s->process[port]);
}

struct source_message sources_take(struct sources *s, uint32_t port)
{
    if (!s->w->open_loop) {
        const size_t i = s->ready ? queue_pop(&s->ready[port]).message : s->order[s->at[port]++];
        const struct ec_message *m = &s->w->messages[i];
        s->left--;
        return (struct source_message){.created = cycle_of(s, i),
                                       .dst = m->dst,
                                       .words = m->words,
                                       .index = (uint32_t)i,
                                       .way = m->way};
    }
    if (!s->backlog)
        return draw_message(s, port, &s->process[port]);
    struct backlog *b = &s->backlog[port];
    const struct source_message m = b->ring[b->first];
    b->first = (b->first + 1) & (b->size - 1);
    b->count--;
    return m;
}

bool sources_need_create(const struct sources *s)
{
    return s->backlog != NULL;
}

static bool is_full(const struct sources *s, uint32_t node)
{
    return s->window && s->window[node].open == s->w->service.outstanding;
}

static void count_message(struct sources *s, uint32_t port, struct source_message m)
{
    s->created[port] += m.words;
    s->part_words[m.part] += m.words;
    s->messages++;
}

bool sources_create(struct sources *s, uint64_t now, void (*filled)(void *context, uint32_t port),
                    void *context)
{
    for (uint32_t i = 0; i < s->own.count; i++) {
        const uint32_t node = nodes_own_at(&s->own, i);
        struct process *p = &s->process[node];
        while (p->next <= now && !is_full(s, node)) {
            const struct source_message m = draw_message(s, node, p);
            const uint32_t port = port_of(s, node, m.dst, m.way);
            struct backlog *b = &s->backlog[port];
            if (!EC_RING_PUSH(b->ring, b->first, b->count, b->size, 4, m))
                return false;
            count_message(s, port, m);
            if (s->window && ++s->window[node].open == s->w->service.outstanding)
                s->window[node].full = m.created;
            filled(context, port);
        }
    }
    return true;
}

/* The process of a source stands still while its window is full. */
void sources_replied(struct sources *s, uint32_t node, uint64_t now)
{
    if (!s->window)
        return;
    if (is_full(s, node)) {
        s->process[node].next += now - s->window[node].full;
        s->process[node].until += now - s->window[node].full;
    }
    s->window[node].open--;
}

uint64_t *sources_created(struct sources *s, uint64_t now)
{
    for (uint32_t i = 0; !s->backlog && i < s->own.count; i++) {
        const uint32_t node = nodes_own_at(&s->own, i);
        struct process *p = &s->counted[node];
        while (p->next <= now)
            count_message(s, node, draw_message(s, node, p));
    }
    return s->created;
}

uint64_t sources_messages(const struct sources *s)
{
    return s->messages;
}

uint64_t sources_part_words(const struct sources *s, uint32_t part)
{
    return s->part_words[part];
}

struct order *sources_order(const struct sources *s)
{
    return s->waiting;
}

uint32_t sources_port(const struct sources *s, uint32_t index)
{
    const struct ec_message *m = &s->w->messages[index];
    return port_of(s, m->src, m->dst, m->way);
}

bool sources_listed(const struct sources *s)
{
    return !s->w->open_loop;
}

bool sources_exhausted(const struct sources *s)
{
    return s->left == 0;
}

/* --- State ------------------------------------------------------------------------------------ */

static void state_of_queue(struct queue *q, struct state *state)
{
    size_t first = 0, count = q->count, room = q->room;
    state_ring(state, &q->heap, sizeof *q->heap, &first, &count, &room);
    q->count = (uint32_t)count;
    q->room = (uint32_t)room;
}

/* The messages of a port that were taken are the first of them, in any number of parts. */
static void state_of_port(struct sources *s, struct state *state, size_t port)
{
    if (s->ready) {
        state_of_queue(&s->ready[port], state);
        return;
    }
    uint64_t taken = s->at[port] - s->start[port];
    STATE_VISIT(state, taken);
    state->failed = state->failed || taken > s->end[port] - s->start[port];
    if (!state->failed)
        s->at[port] = s->start[port] + taken;
}

void sources_state_node(struct sources *s, struct state *state, uint32_t node)
{
    const size_t first = (size_t)node * s->locals, end = first + s->locals;
    for (size_t port = first; !s->w->open_loop && port < end; port++)
        state_of_port(s, state, port);
    if (!s->w->open_loop)
        return;
    STATE_VISIT(state, s->process[node]);
    STATE_VISIT(state, s->counted[node]);
    state_visit(state, &s->created[first], s->locals * sizeof *s->created);
    for (size_t port = first; s->backlog && port < end; port++) {
        struct backlog *b = &s->backlog[port];
        state_ring(state, &b->ring, sizeof *b->ring, &b->first, &b->count, &b->size);
    }
    if (s->window)
        STATE_VISIT(state, s->window[node]);
}

/* Messages of own sources that were not taken. */
static size_t count_left(const struct sources *s)
{
    size_t left = 0;
    for (size_t i = 0; s->ready && i < s->own_count; i++) {
        const uint32_t message = own_message(s, i);
        left += s->waiting->started[message] == 0 && !order_is_work(s->w, message);
    }
    for (uint32_t i = 0; !s->ready && i < s->own.count; i++) {
        const size_t first = (size_t)nodes_own_at(&s->own, i) * s->locals;
        for (size_t port = first; port < first + s->locals; port++)
            left += s->end[port] - s->at[port];
    }
    return left;
}

void sources_state(struct sources *s, struct state *state)
{
    STATE_COMMON(state, STATE_SAME, s->stopped);
    STATE_COMMON(state, STATE_SUM, s->messages);
    STATE_COMMON(state, STATE_SUM, s->part_words);
    if (s->waiting)
        order_state(s->waiting, state);
    if (!s->w->open_loop)
        s->left = count_left(s);
}
