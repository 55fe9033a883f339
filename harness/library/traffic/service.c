/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of the servers. Knows requests, replies and cycles; must not know flits or credits. */
#include "traffic/service.h"

#include "ecube/route.h"

/* What arrives at a VC: the packets whose heads the node has seen and not accepted, oldest first.
 */
struct arrivals {
    struct service_packet *ring;
    size_t first, count, size; /* size: a power of two or 0 */
    uint32_t left;             /* words to accept of the packet before them */
    struct service_packet now; /* that packet */
};

struct reply {
    uint64_t ready, asked; /* cycles: creation of the reply, of its request */
    uint32_t dst;
};

/* The replies that wait at a port, by creation. */
struct replies {
    struct reply *ring;
    size_t first, count, size; /* size: a power of two or 0 */
    size_t counted;            /* of those in the ring, as created */
    uint64_t created;
};

struct service {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct ec_workload *w;
    unsigned locals, vcs;
    struct nodes_own own;
    struct arrivals *arrivals; /* [ports * vcs] */
    struct replies *replies;   /* [ports] */
    struct assembly *assembly; /* borrowed; or NULL */
    uint32_t *held;            /* [nodes] */
    uint32_t most;
    uint64_t all; /* held by all nodes */
    struct ec_arrays arrays;
};

static size_t ports_of(const struct service *s)
{
    return (size_t)s->t->nodes * s->locals;
}

struct service *service_open(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, const struct nodes_own *own)
{
    struct service *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct service){.t = t,
                          .r = r,
                          .w = w,
                          .locals = ec_router_locals(r, t),
                          .vcs = r->vcs,
                          .own = own ? *own : nodes_all(t->nodes)};
    EC_ARRAY(&s->arrays, s->arrivals, ports_of(s) * s->vcs);
    EC_ARRAY(&s->arrays, s->replies, ports_of(s));
    EC_ARRAY(&s->arrays, s->held, t->nodes);
    if (!s->arrays.memory_short)
        return s;
    service_close(s);
    return NULL;
}

void service_assemble(struct service *s, struct assembly *assembly)
{
    s->assembly = assembly;
}

void service_close(struct service *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->arrivals && i < ports_of(s) * s->vcs; i++)
        free(s->arrivals[i].ring);
    for (size_t i = 0; s->replies && i < ports_of(s); i++)
        free(s->replies[i].ring);
    ec_arrays_free(&s->arrays);
    free(s);
}

static void reset_node(struct service *s, uint32_t node)
{
    const size_t first = (size_t)node * s->locals, end = first + s->locals;
    for (size_t i = first * s->vcs; i < end * s->vcs; i++)
        s->arrivals[i].first = s->arrivals[i].count = s->arrivals[i].left = 0;
    for (size_t i = first; i < end; i++) {
        struct replies *q = &s->replies[i];
        q->first = q->count = q->counted = 0;
        q->created = 0;
    }
    s->held[node] = 0;
}

void service_reset(struct service *s)
{
    for (uint32_t i = 0; i < s->own.count; i++)
        reset_node(s, nodes_own_at(&s->own, i));
    s->most = 0;
    s->all = 0;
}

/* --- Requests --------------------------------------------------------------------------------- */

bool service_arrive(struct service *s, uint32_t port, unsigned vc, struct service_packet p)
{
    struct arrivals *a = &s->arrivals[(size_t)port * s->vcs + vc];
    return EC_RING_PUSH(a->ring, a->first, a->count, a->size, 2, p);
}

bool service_accepts(const struct service *s, uint32_t port, unsigned vc)
{
    const struct arrivals *a = &s->arrivals[(size_t)port * s->vcs + vc];
    const uint32_t places = s->w->service.queue;
    return a->left > 0 || places == 0 || s->held[port / s->locals] < places ||
           (a->count > 0 && !a->ring[a->first].asks);
}

/* By the port of its first link, if ports are one per link. */
static uint32_t reply_port(const struct service *s, uint32_t node, uint32_t dst)
{
    const uint32_t link = s->locals > 1 ? ec_route_link(s->t, s->r, node, dst) : 0;
    return node * s->locals + link;
}

/* The node holds one more request. */
static void hold(struct service *s, uint32_t node)
{
    s->all++;
    if (++s->held[node] > s->most)
        s->most = s->held[node];
}

/* The last word of a packet has been accepted. Does the node hold the whole request now? */
static bool completes(struct service *s, const struct service_packet *p, uint32_t node)
{
    if (p->part_of == EC_NONE)
        return p->asks;
    if (!assembly_accepted(s->assembly, p->part_of, p->words))
        return false;
    hold(s, node);
    return true;
}

bool service_accept(struct service *s, uint32_t port, unsigned vc, uint64_t now, uint32_t *ret_port,
                    uint64_t *ret_ready)
{
    struct arrivals *a = &s->arrivals[(size_t)port * s->vcs + vc];
    const uint32_t node = port / s->locals;
    *ret_port = EC_NONE;
    if (a->left == 0 && a->count == 0) /* a word of no packet: the scoreboard has found it */
        return true;
    if (a->left == 0) {
        a->now = a->ring[a->first];
        a->first = (a->first + 1) & (a->size - 1);
        a->count--;
        a->left = a->now.words;
        if (a->now.asks)
            hold(s, node);
    }
    if (--a->left > 0 || !completes(s, &a->now, node))
        return true;
    const struct reply reply = {
        .ready = now + 1 + s->w->service.think, .asked = a->now.created, .dst = a->now.src};
    *ret_port = reply_port(s, node, reply.dst);
    *ret_ready = reply.ready;
    struct replies *q = &s->replies[*ret_port];
    return EC_RING_PUSH(q->ring, q->first, q->count, q->size, 4, reply);
}

/* --- Replies ---------------------------------------------------------------------------------- */

uint64_t service_next(const struct service *s, uint32_t port)
{
    const struct replies *q = &s->replies[port];
    return q->count ? q->ring[q->first].ready : SOURCE_NEVER;
}

struct source_message service_take(struct service *s, uint32_t port)
{
    struct replies *q = &s->replies[port];
    const struct reply reply = q->ring[q->first];
    q->first = (q->first + 1) & (q->size - 1);
    q->count--;
    if (q->counted > 0)
        q->counted--;
    else
        q->created++;
    return (struct source_message){.created = reply.ready,
                                   .asked = reply.asked,
                                   .dst = reply.dst,
                                   .words = s->w->service.words,
                                   .part = s->w->part_count};
}

void service_sent(struct service *s, uint32_t node)
{
    s->held[node]--;
    s->all--;
}

uint32_t service_held(const struct service *s, uint32_t node)
{
    return s->held[node];
}

uint32_t service_most(const struct service *s)
{
    return s->most;
}

void service_note_most(struct service *s, uint32_t most)
{
    s->most = most > s->most ? most : s->most;
}

bool service_idle(const struct service *s)
{
    return s->all == 0;
}

/* Every request thinks for the same time, so the last reply of a port is ready last. */
bool service_thinks(const struct service *s, uint64_t now)
{
    for (size_t k = 0; k < s->own.ranges; k++) {
        const struct node_range r = nodes_own_range(&s->own, k);
        for (size_t port = (size_t)r.from * s->locals; port < (size_t)r.to * s->locals; port++) {
            const struct replies *q = &s->replies[port];
            if (q->count && q->ring[(q->first + q->count - 1) & (q->size - 1)].ready > now)
                return true;
        }
    }
    return false;
}

uint64_t service_created(struct service *s, uint32_t port, uint64_t now)
{
    struct replies *q = &s->replies[port];
    while (q->counted < q->count && q->ring[(q->first + q->counted) & (q->size - 1)].ready <= now) {
        q->counted++;
        q->created++;
    }
    return q->created;
}

/* --- State ------------------------------------------------------------------------------------ */

static void move_entry(struct service_packet *p, const struct state *state)
{
    if (p->part_of != EC_NONE)
        p->part_of += state->moved[state->part];
}

static void state_of_arrivals(struct arrivals *a, struct state *state)
{
    state_ring(state, &a->ring, sizeof *a->ring, &a->first, &a->count, &a->size);
    STATE_VISIT(state, a->left);
    STATE_VISIT(state, a->now);
    if (!state->file || state->failed)
        return;
    move_entry(&a->now, state);
    for (size_t i = 0; i < a->count; i++)
        move_entry(&a->ring[(a->first + i) & (a->size - 1)], state);
}

void service_state_node(struct service *s, struct state *state, uint32_t node)
{
    const size_t first = (size_t)node * s->locals, end = first + s->locals;
    for (size_t i = first * s->vcs; i < end * s->vcs; i++)
        state_of_arrivals(&s->arrivals[i], state);
    for (size_t i = first; i < end; i++) {
        struct replies *q = &s->replies[i];
        state_ring(state, &q->ring, sizeof *q->ring, &q->first, &q->count, &q->size);
        STATE_VISIT(state, q->counted);
        STATE_VISIT(state, q->created);
    }
    STATE_VISIT(state, s->held[node]);
}

void service_state(struct service *s, struct state *state)
{
    uint64_t most = s->most;
    STATE_COMMON(state, STATE_MAX, most);
    s->most = (uint32_t)most;
    s->all = 0;
    for (uint32_t i = 0; i < s->own.count; i++)
        s->all += s->held[nodes_own_at(&s->own, i)];
}
