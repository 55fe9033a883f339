/* SPDX-License-Identifier: Apache-2.0 */
#include "ideal.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"
#include "ecube/word.h"

enum { ROOM = 1 << 14 }; /* words under way to a node */

/* Words on their way into a node, whole packets; or of a packet that is not complete. */
struct queue {
    uint64_t *words; /* [ROOM] */
    size_t first, count;
};

struct ideal {
    struct ec_net net; /* first: the interface */
    enum damage damage;
    struct ec_word_layout layout;
    struct queue *to, *from; /* [node], [node * vcs + vc] */
    uint64_t *flits, *taps, *injected;
    uint32_t *owed; /* [node * vcs + vc] words shown whose credits have not come back */
    uint64_t arrived;
    uint64_t again; /* a word to show once more; 0: none */
    struct ec_net_fault fault;
    struct ec_net_rtl rtl;
};

static struct ideal *ideal_of(struct ec_net *net)
{
    return (struct ideal *)net;
}

static void push(struct queue *q, uint64_t word)
{
    assert_true(q->count < ROOM);
    q->words[(q->first + q->count++) % ROOM] = word;
}

static uint64_t pop(struct queue *q)
{
    const uint64_t word = q->words[q->first];
    q->first = (q->first + 1) % ROOM;
    q->count--;
    return word;
}

static unsigned ports_of(const struct ideal *s)
{
    return ec_topology_links(s->net.topology) + 1;
}

/* A whole packet leaves for its node. */
static void forward(struct ideal *s, uint32_t node, struct queue *packet)
{
    struct ec_hop hops[64];
    const struct ec_topology *t = s->net.topology;
    const uint32_t dst = ec_topology_node(t, ec_word_dst(&s->layout, packet->words[packet->first]));
    const size_t count = ec_route_path(t, s->net.router, node, dst, hops, 64);
    for (size_t i = 0; i < count; i++)
        s->flits[hops[i].node * ports_of(s) + hops[i].link] += packet->count;
    s->flits[dst * ports_of(s) + ports_of(s) - 1] += packet->count;
    while (packet->count)
        push(&s->to[dst], pop(packet));
}

static void take_words(struct ideal *s, const struct ec_port_events *in)
{
    const unsigned vcs = s->net.router->vcs;
    for (size_t i = 0; i < in->word_count; i++) {
        const uint32_t node = in->words[i].port;
        const uint64_t word = in->words[i].word;
        const unsigned vc = ec_word_vc(word, s->net.router->vcs);
        struct queue *packet = &s->from[node * vcs + vc];
        s->injected[node]++;
        s->net.in_flight++;
        s->net.moved++;
        if (s->damage == NODE_NOT_HEARD && node + 1 == s->net.topology->nodes)
            continue;
        push(packet, word);
        if (ec_word_tail(word))
            forward(s, node, packet);
    }
}

/* The credit of a word goes back to its source when the word arrives. */
static void show_word(struct ideal *s, uint32_t node, uint64_t word, struct ec_port_events *out)
{
    const bool here = ++s->arrived == 20;
    const uint32_t src = ec_topology_node(s->net.topology, ec_word_src(&s->layout, word));
    if (!here || s->damage != CREDIT_LOST)
        out->credits[out->credit_count++] =
            (struct ec_port_credit){src, ec_word_vc(word, s->net.router->vcs)};
    s->net.moved++;
    s->net.in_flight -= s->damage != WORD_INVENTED || !here;
    if (here && s->damage == WORD_LOST)
        return;
    if (here && s->damage == WORD_LATE)
        s->again = word;
    if (here && s->damage == WORD_ALTERED)
        word ^= 1;
    if (here && s->damage == WORD_ASTRAY)
        node = (node + 1) % s->net.topology->nodes;
    out->words[out->word_count++] = (struct ec_port_word){node, word};
    s->owed[node * s->net.router->vcs + ec_word_vc(word, s->net.router->vcs)]++;
    if (here && s->damage == WORD_TWICE)
        push(&s->to[node], word);
}

/* One credit for each word, on its VC; not if words arrive that were never sent. */
static void take_credits(struct ideal *s, const struct ec_port_events *in)
{
    for (size_t i = 0; i < in->credit_count && s->damage == SOUND; i++) {
        uint32_t *owed = &s->owed[in->credits[i].port * s->net.router->vcs + in->credits[i].vc];
        assert_true(*owed > 0);
        --*owed;
    }
}

static void note(struct ideal *s)
{
    if (s->net.cycle != 7)
        return;
    if (s->damage == LEDGER_FAULT || s->damage == VC_FAULT)
        s->fault =
            (struct ec_net_fault){.found = true,
                                  .kind = s->damage == VC_FAULT ? EC_FAULT_VC : EC_FAULT_LEDGER,
                                  .cycle = 7,
                                  .node = 3,
                                  .port = 1,
                                  .what = "a planted fault"};
    if (s->damage == RTL_ERROR)
        s->rtl = (struct ec_net_rtl){.count = 1, .cycle = 7, .node = 3, .text = "planted"};
}

/* Show the first word for which the node has room on its VC. */
static void show_first(struct ideal *s, uint32_t node, struct ec_port_events *out)
{
    struct queue *q = &s->to[node];
    const uint32_t *const owed = &s->owed[node * s->net.router->vcs];
    for (size_t i = 0; i < q->count; i++) {
        const uint64_t word = q->words[(q->first + i) % ROOM];
        const uint32_t used = owed[ec_word_vc(word, s->net.router->vcs)];
        if (s->damage == SOUND && used >= s->net.router->depth)
            continue;
        for (; i > 0; i--) /* close the gap */
            q->words[(q->first + i) % ROOM] = q->words[(q->first + i - 1) % ROOM];
        (void)pop(q);
        show_word(s, node, word, out);
        return;
    }
}

static void ideal_step(struct ec_net *net, const struct ec_port_events *in,
                       struct ec_port_events *out)
{
    struct ideal *s = ideal_of(net);
    net->cycle++;
    out->word_count = out->credit_count = 0;
    note(s);
    take_credits(s, in);
    for (uint32_t node = 0; node < net->topology->nodes; node++)
        show_first(s, node, out);
    if (s->again && out->word_count == 0 && net->in_flight == 0) {
        out->words[out->word_count++] = (struct ec_port_word){
            ec_topology_node(net->topology, ec_word_dst(&s->layout, s->again)), s->again};
        s->again = 0;
    }
    take_words(s, in);
}

static void ideal_reset(struct ec_net *net)
{
    struct ideal *s = ideal_of(net);
    const size_t nodes = net->topology->nodes, channels = nodes * ports_of(s);
    for (size_t i = 0; i < nodes; i++)
        s->to[i].count = 0;
    for (size_t i = 0; i < nodes * net->router->vcs; i++)
        s->from[i].count = 0;
    memset(s->flits, 0, channels * sizeof *s->flits);
    memset(s->taps, 0, channels * sizeof *s->taps);
    memset(s->injected, 0, nodes * sizeof *s->injected);
    memset(s->owed, 0, nodes * net->router->vcs * sizeof *s->owed);
    s->arrived = s->again = 0;
    s->fault = (struct ec_net_fault){0};
    s->rtl = (struct ec_net_rtl){0};
    net->cycle = net->moved = net->in_flight = 0;
}

/* Counters are damaged where they are read. */
static void ideal_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct ideal *s = ideal_of(net);
    const unsigned ports = ports_of(s);
    s->flits[5 * ports] += s->damage == LINK_COUNT;
    s->flits[5 * ports + ports - 1] -= s->damage == EJECTED_COUNT;
    s->flits[ports - 2] += s->damage == HOP_COUNT; /* node 0 has no link down */
    s->injected[5] += s->damage == INJECTED_COUNT;
    s->taps[ports - 2] = s->damage == CONTENDED;
    s->taps[ports - 1] = s->damage == ALONE;
    *ret = (struct ec_net_counters){
        .flits = s->flits, .injected = s->injected, .contended = s->taps, .starved = s->taps};
    ret->ports = ports;
}

static const struct ec_net_fault *ideal_fault(const struct ec_net *net)
{
    return &((const struct ideal *)net)->fault;
}

static bool ideal_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    const struct ideal *s = (const struct ideal *)net;
    for (size_t i = 0; s->damage == SOUND && i < net->topology->nodes * net->router->vcs; i++)
        assert_int_equal(s->owed[i], 0);
    if (s->damage != NOT_DRAINED)
        return true;
    *ret_fault = (struct ec_net_fault){.found = true, .cycle = 9, .node = 4, .what = "kept"};
    return false;
}

static bool ideal_checked_vcs(const struct ec_net *net)
{
    return net->router->vcs > 1 && ((const struct ideal *)net)->damage != VCS_UNKNOWN;
}

static void free_queues(struct queue *q, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(q[i].words);
    free(q);
}

static void ideal_close(struct ec_net *net)
{
    struct ideal *s = ideal_of(net);
    free_queues(s->to, net->topology->nodes);
    free_queues(s->from, net->topology->nodes * net->router->vcs);
    free(s->flits);
    free(s->taps);
    free(s->injected);
    free(s->owed);
    free(s);
}

static const struct ec_net_ops ops = {.name = "ideal",
                                      .reset = ideal_reset,
                                      .step = ideal_step,
                                      .counters = ideal_counters,
                                      .fault = ideal_fault,
                                      .drained = ideal_drained,
                                      .checked_vcs = ideal_checked_vcs,
                                      .close = ideal_close};

static struct queue *open_queues(size_t count)
{
    struct queue *q = calloc(count, sizeof *q);
    assert_non_null(q);
    for (size_t i = 0; i < count; i++) {
        q[i].words = malloc(ROOM * sizeof *q[i].words);
        assert_non_null(q[i].words);
    }
    return q;
}

struct ec_net *ideal_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct ideal *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->net =
        (struct ec_net){.ops = &ops, .topology = t, .router = r, .has_taps = true, .foreign = true};
    const size_t channels = (size_t)t->nodes * ports_of(s);
    s->net.rtl = &s->rtl;
    s->layout = ec_word_layout(t->address_bits, r->vcs);
    s->to = open_queues(t->nodes);
    s->from = open_queues(t->nodes * r->vcs);
    s->flits = calloc(channels, sizeof *s->flits);
    s->taps = calloc(channels, sizeof *s->taps);
    s->injected = calloc(t->nodes, sizeof *s->injected);
    s->owed = calloc((size_t)t->nodes * r->vcs, sizeof *s->owed);
    assert_true(s->flits && s->taps && s->injected && s->owed);
    ideal_reset(&s->net);
    return &s->net;
}

void ideal_damage(struct ec_net *net, enum damage damage)
{
    ideal_of(net)->damage = damage;
}
