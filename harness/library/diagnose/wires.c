/* SPDX-License-Identifier: Apache-2.0 */
/* Compares both ends of every wire: of the links between routers, and of the local ports between a
 * router and its node. Knows the links of a topology and the signals at both ends; must not know
 * packets or routes. A router that is not seen in a cycle has no inputs in it and no outputs in the
 * next one. What is on a link for several cycles is kept here until it must arrive. */
#include "diagnose/diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "ecube/word.h"

/* What all routers got and showed in one cycle. */
struct sight {
    uint64_t *cycle;     /* [nodes] the cycle in which a router was seen last */
    uint64_t *in_word;   /* [node * ports + port]; likewise out_word */
    uint64_t *out_word;  /* 0: no word */
    uint64_t *in_credit; /* [node * vcs + vc], bits are ports; likewise out_credit */
    uint64_t *out_credit;
    uint32_t *list, count; /* the routers seen in the latest cycle */
};

/* When the nodes had an event of each kind: twice the cycle, and 1 more if it came from a router.
 */
struct latest {
    uint64_t *word;   /* [local port of all nodes] */
    uint64_t *credit; /* [local port of all nodes * vcs + vc] */
};

/* A word or a credit that a router shows on a link. */
struct passing {
    uint64_t at;   /* the cycle in which the other end must get it */
    uint64_t word; /* 0: a credit */
    uint32_t node;
    unsigned port, vc;
};

struct wires {
    const struct ec_topology *t;
    unsigned links, locals, ports, vcs;
    unsigned delay; /* of links, in cycles; the longest */
    struct ec_arrays arrays;
    struct sight sight[2]; /* of odd and even cycles */
    struct latest latest;
    /* With a delay above 1: */
    struct sight due; /* what the routers showed so long ago that it arrives now */
    struct passing *passing;
    size_t first, count, room; /* from `first` on they are still under way */
    bool memory_short;
};

static void open_sight(struct sight *s, struct wires *w)
{
    const size_t nodes = w->t->routers, ports = nodes * w->ports, vcs = nodes * w->vcs;
    struct ec_arrays *const all = &w->arrays;
    EC_ARRAY(all, s->cycle, nodes); /* cycles count from 1 */
    EC_ARRAY(all, s->in_word, ports);
    EC_ARRAY(all, s->out_word, ports);
    EC_ARRAY(all, s->in_credit, vcs);
    EC_ARRAY(all, s->out_credit, vcs);
    EC_ARRAY(all, s->list, nodes);
}

struct wires *wires_open(const struct ec_topology *t, unsigned locals, unsigned vcs, unsigned delay)
{
    struct wires *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    *w = (struct wires){
        .t = t, .links = ec_topology_links(t), .locals = locals, .vcs = vcs, .delay = delay};
    w->ports = w->links + locals;
    EC_ARRAY(&w->arrays, w->latest.word, (size_t)t->routers * locals);
    EC_ARRAY(&w->arrays, w->latest.credit, (size_t)t->routers * locals * vcs);
    open_sight(&w->sight[0], w);
    open_sight(&w->sight[1], w);
    if (w->delay > 1)
        open_sight(&w->due, w);
    if (!w->arrays.memory_short)
        return w;
    wires_close(w);
    return NULL;
}

void wires_close(struct wires *w)
{
    if (!w)
        return;
    ec_arrays_free(&w->arrays);
    free(w->passing);
    free(w);
}

/* The word at a port; not 0 if there is one, even if all its other bits are. */
static uint64_t word_on(uint64_t valid, const uint64_t *words, unsigned port)
{
    return valid >> port & 1 ? words[port] | EC_WORD_VALID : 0;
}

/* --- Links of more than one cycle ---------------------------------------------------------------
 */

static void send(struct wires *w, struct passing x)
{
    if (w->first > w->count / 2) { /* most have arrived */
        w->count -= w->first;
        memmove(w->passing, w->passing + w->first, w->count * sizeof *w->passing);
        w->first = 0;
    }
    x.at += ec_topology_delay(w->t, x.node, x.port, w->delay);
    if (!EC_LIST_PUSH(w->passing, w->count, w->room, x)) {
        w->memory_short = true;
        return;
    }
    size_t i = w->count - 1; /* in order of arrival */
    for (; i > w->first && w->passing[i - 1].at > x.at; i--)
        w->passing[i] = w->passing[i - 1];
    w->passing[i] = x;
}

static void send_all(struct wires *w, const struct ec_net_seen *seen)
{
    const uint64_t links = (UINT64_C(1) << w->links) - 1;
    struct passing x = {.at = seen->cycle, .node = seen->node};
    for (uint64_t left = seen->out_valid & links; left; left &= left - 1) {
        x.port = (unsigned)__builtin_ctzll(left);
        x.word = word_on(seen->out_valid, seen->out_word, x.port);
        send(w, x);
    }
    x.word = 0;
    for (x.vc = 0; x.vc < w->vcs; x.vc++) {
        for (uint64_t left = seen->out_credit[x.vc] & links; left; left &= left - 1) {
            x.port = (unsigned)__builtin_ctzll(left);
            send(w, x);
        }
    }
}

/* What must arrive in this cycle, as if it had been shown in the one before. */
static void take_due(struct wires *w, uint64_t cycle)
{
    struct sight *s = &w->due;
    s->count = 0;
    for (; w->first < w->count && w->passing[w->first].at <= cycle; w->first++) {
        const struct passing *x = &w->passing[w->first];
        const size_t port = (size_t)x->node * w->ports, vc = (size_t)x->node * w->vcs;
        if (s->cycle[x->node] != cycle - 1) {
            s->cycle[x->node] = cycle - 1;
            s->list[s->count++] = x->node;
            memset(s->out_word + port, 0, w->ports * sizeof *s->out_word);
            memset(s->out_credit + vc, 0, w->vcs * sizeof *s->out_credit);
        }
        if (x->word)
            s->out_word[port + x->port] = x->word;
        else
            s->out_credit[vc + x->vc] |= UINT64_C(1) << x->port;
    }
}

/* --- Links ------------------------------------------------------------------------------------ */

void wires_see(struct wires *w, const struct ec_net_seen *seen)
{
    struct sight *s = &w->sight[seen->cycle & 1];
    const size_t port = (size_t)seen->node * w->ports, vc = (size_t)seen->node * w->vcs;

    if (s->count && s->cycle[s->list[0]] != seen->cycle)
        s->count = 0;
    s->list[s->count++] = seen->node;
    s->cycle[seen->node] = seen->cycle;
    for (unsigned k = 0; k < w->ports; k++) {
        s->in_word[port + k] = word_on(seen->in_valid, seen->in_word, k);
        s->out_word[port + k] = word_on(seen->out_valid, seen->out_word, k);
    }
    memcpy(s->in_credit + vc, seen->in_credit, w->vcs * sizeof *s->in_credit);
    memcpy(s->out_credit + vc, seen->out_credit, w->vcs * sizeof *s->out_credit);
    if (w->delay > 1)
        send_all(w, seen);
}

/* One end of a wire in one cycle. */
struct end {
    const struct sight *s;
    uint32_t node;
    unsigned port;
    bool seen;
};

static struct end end_of(const struct sight *s, uint64_t cycle, uint32_t node, unsigned port)
{
    return (struct end){s, node, port, s->cycle[node] == cycle};
}

static uint64_t word_at(const struct wires *w, struct end e, const uint64_t *words)
{
    return e.seen ? words[(size_t)e.node * w->ports + e.port] : 0;
}

static bool credit_at(const struct wires *w, struct end e, const uint64_t *credits, unsigned vc)
{
    return e.seen && credits[(size_t)e.node * w->vcs + vc] >> e.port & 1;
}

/* Compare `out`, seen in the previous cycle, with `in`. `lost`: look for words and credits that do
 * not arrive, otherwise for those that were not sent. */
static bool ends_differ(const struct wires *w, struct end out, struct end in, bool lost,
                        struct wire_fault *ret)
{
    const uint64_t sent = word_at(w, out, out.s->out_word), got = word_at(w, in, in.s->in_word);

    if (sent != got && (lost ? sent : got) != 0) {
        ret->word = lost ? sent : got;
        return true;
    }
    for (unsigned vc = 0; vc < w->vcs; vc++) {
        const bool gave = credit_at(w, out, out.s->out_credit, vc);
        const bool has = credit_at(w, in, in.s->in_credit, vc);
        if (gave != has && (lost ? gave : has)) {
            ret->word = 0;
            ret->vc = vc;
            return true;
        }
    }
    return false;
}

/* Check all links of the routers seen at this end. */
static bool judge_end(const struct wires *w, uint64_t cycle, bool lost, struct wire_fault *ret)
{
    const struct sight *before = w->delay > 1 ? &w->due : &w->sight[~cycle & 1];
    const struct sight *now = &w->sight[cycle & 1];
    const struct sight *here = lost ? before : now;

    for (uint32_t i = 0; i < here->count; i++) {
        const uint32_t node = here->list[i];
        for (unsigned port = 0; port < w->links; port++) {
            const uint32_t peer = ec_topology_neighbor(w->t, node, port);
            if (peer == EC_NONE)
                continue;
            const unsigned back = ec_topology_back(w->t, node, port);
            const struct end out =
                end_of(before, cycle - 1, lost ? node : peer, lost ? port : back);
            const struct end in = end_of(now, cycle, lost ? peer : node, lost ? back : port);
            if (!ends_differ(w, out, in, lost, ret))
                continue;
            ret->cycle = cycle;
            ret->node = node;
            ret->peer = peer;
            ret->port = port;
            ret->lost = lost;
            return true;
        }
    }
    return false;
}

bool wires_judge(struct wires *w, uint64_t cycle, struct wire_fault *ret)
{
    struct sight *now = &w->sight[cycle & 1];

    if (now->count && now->cycle[now->list[0]] != cycle)
        now->count = 0; /* no router was seen */
    if (w->delay > 1)
        take_due(w, cycle);
    return judge_end(w, cycle, true, ret) || judge_end(w, cycle, false, ret);
}

/* --- Local ports ---------------------------------------------------------------------------- */

/* What the nodes sent in a cycle, or got from it; and the same as the routers saw it. */
struct border {
    const struct sight *s;
    const struct ec_port_events *events;
    uint64_t cycle;
    bool out; /* from the routers to the nodes: seen in this cycle, on the wire in the next one */
};

/* The place of a local port of the whole network in its router. */
struct place {
    uint32_t node;
    unsigned port;
};

static struct place place_of(const struct wires *w, uint32_t port)
{
    if (!w->t->graph)
        return (struct place){port / w->locals, w->links + port % w->locals};
    const uint32_t router = ec_topology_router(w->t, port);
    return (struct place){router, w->links + port - ec_topology_first_node(w->t, router)};
}

/* The first local port of a router; of the next one: its end. */
static uint32_t first_port(const struct wires *w, uint32_t node)
{
    return w->t->graph ? w->t->graph->first_node[node] : node * w->locals;
}

static bool local_fault(const struct wires *w, const struct border *b, uint32_t port, uint64_t word,
                        unsigned vc, bool only_router, struct wire_fault *ret)
{
    const struct place place = place_of(w, port);
    *ret = (struct wire_fault){.cycle = b->cycle + b->out,
                               .node = place.node,
                               .peer = EC_NONE,
                               .port = place.port,
                               .word = word,
                               .vc = vc,
                               .out = b->out,
                               .lost = only_router == b->out};
    return true;
}

static struct end router_end(const struct wires *w, const struct border *b, uint32_t port)
{
    const struct place place = place_of(w, port);
    return end_of(b->s, b->cycle, place.node, place.port);
}

/* The router's side of a local port. */
static uint64_t word_of_router(const struct wires *w, const struct border *b, uint32_t port)
{
    return word_at(w, router_end(w, b, port), b->out ? b->s->out_word : b->s->in_word);
}

static bool credit_of_router(const struct wires *w, const struct border *b, uint32_t port,
                             unsigned vc)
{
    return credit_at(w, router_end(w, b, port), b->out ? b->s->out_credit : b->s->in_credit, vc);
}

/* Is there an event of the nodes that the routers do not have? */
static bool only_node_has(const struct wires *w, const struct border *b, struct wire_fault *ret)
{
    const struct ec_port_events *e = b->events;
    for (size_t i = 0; i < e->word_count; i++) {
        const uint64_t word = e->words[i].word | EC_WORD_VALID;
        if (word_of_router(w, b, e->words[i].port) != word)
            return local_fault(w, b, e->words[i].port, word, 0, false, ret);
    }
    for (size_t i = 0; i < e->credit_count; i++) {
        if (!credit_of_router(w, b, e->credits[i].port, e->credits[i].vc))
            return local_fault(w, b, e->credits[i].port, 0, e->credits[i].vc, false, ret);
    }
    return false;
}

static unsigned count_words(const struct ec_port_events *e, uint32_t port)
{
    unsigned count = 0;
    for (size_t i = 0; i < e->word_count; i++)
        count += e->words[i].port == port;
    return count;
}

static unsigned count_credits(const struct ec_port_events *e, uint32_t port, unsigned vc)
{
    unsigned count = 0;
    for (size_t i = 0; i < e->credit_count; i++)
        count += e->credits[i].port == port && e->credits[i].vc == vc;
    return count;
}

/* Do the counts at a local port agree? A node that sends twice at once uses one wire, and the
 * ledger has its mistake. */
static bool same_count(const struct border *b, unsigned node, bool router)
{
    return node == router || (node > 1 && router && !b->out);
}

/* Is there a local port at which a router has more, or less, than its node? Slow: only if the
 * numbers of all events differ, or the nodes have one twice. */
static bool port_differs(const struct wires *w, const struct border *b, uint32_t port,
                         struct wire_fault *ret)
{
    const uint64_t word = word_of_router(w, b, port);
    const unsigned words = count_words(b->events, port);
    if (!same_count(b, words, word != 0))
        return local_fault(w, b, port, word, 0, words == 0, ret);
    for (unsigned vc = 0; vc < w->vcs; vc++) {
        const unsigned credits = count_credits(b->events, port, vc);
        if (!same_count(b, credits, credit_of_router(w, b, port, vc)))
            return local_fault(w, b, port, 0, vc, credits == 0, ret);
    }
    return false;
}

static bool counts_differ(const struct wires *w, const struct border *b, struct wire_fault *ret)
{
    for (size_t i = 0; i < b->s->count; i++) {
        const uint32_t node = b->s->list[i];
        for (uint32_t port = first_port(w, node); port < first_port(w, node + 1); port++) {
            if (port_differs(w, b, port, ret))
                return true;
        }
    }
    return false;
}

static bool note_latest(uint64_t *latest, const struct border *b)
{
    const uint64_t now = 2 * b->cycle + b->out;
    const bool again = *latest == now;
    *latest = now;
    return again;
}

/* Do the nodes have an event twice? Then the routers may have another one. */
static bool is_doubled(struct wires *w, const struct border *b)
{
    const struct ec_port_events *e = b->events;
    bool doubled = false;
    for (size_t i = 0; i < e->word_count; i++)
        doubled |= note_latest(&w->latest.word[e->words[i].port], b);
    for (size_t i = 0; i < e->credit_count; i++) {
        const size_t at = (size_t)e->credits[i].port * w->vcs + e->credits[i].vc;
        doubled |= note_latest(&w->latest.credit[at], b);
    }
    return doubled;
}

static bool judge_border(struct wires *w, const struct border *b, struct wire_fault *ret)
{
    const bool doubled = is_doubled(w, b);
    size_t events = 0;
    for (size_t i = 0; i < b->s->count; i++) {
        const uint32_t node = b->s->list[i];
        for (uint32_t port = first_port(w, node); port < first_port(w, node + 1); port++) {
            events += word_of_router(w, b, port) != 0;
            for (unsigned vc = 0; vc < w->vcs; vc++)
                events += credit_of_router(w, b, port, vc);
        }
    }
    return only_node_has(w, b, ret) ||
           ((doubled || events != b->events->word_count + b->events->credit_count) &&
            counts_differ(w, b, ret));
}

bool wires_judge_nodes(struct wires *w, uint64_t cycle, const struct ec_port_events *in,
                       const struct ec_port_events *out, struct wire_fault *ret)
{
    const struct sight *s = &w->sight[cycle & 1];
    const struct border sent = {.s = s, .events = in, .cycle = cycle};
    const struct border got = {.s = s, .events = out, .cycle = cycle, .out = true};
    return judge_border(w, &sent, ret) || judge_border(w, &got, ret);
}

bool wires_memory_short(const struct wires *w)
{
    return w->memory_short;
}
