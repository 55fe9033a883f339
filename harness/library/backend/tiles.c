/* SPDX-License-Identifier: Apache-2.0 */
/* The tile network: one compiled router per node, links wired here. (It can also hold a whole
 * network in one model with internal wiring; the wiring here then serves only the ledger and the
 * watchers.)
 *
 * Because router outputs are functions of registers only, the outputs of a router after its step
 * are the inputs of its neighbours in the next cycle: two input banks, used in turn, and one pass
 * over the routers that are awake. A router that is quiet and gets no input keeps its state, so it
 * is not stepped. On links of more than one cycle, words and credits wait in between (links.h).
 *
 * Knows wiring, words, credits, the ledger and the counters. Must not know messages, patterns or
 * routes. */
#include <stdio.h>

#include "backend/tiles.h"
#include "base/rng.h"
#include "network/names.h"

/* --- Watchers --------------------------------------------------------------------------------- */

static void show_router(const struct tiles *s, const struct ec_tile_io *now, uint32_t node)
{
    struct ec_tile_seen seen;
    ec_tile_see(&s->map, s->ports, s->vcs, now, node, &seen);
    seen.seen.cycle = s->net.cycle;
    seen.seen.node = s->own[node];
    s->watch->router(s->watch->context, &seen.seen);
}

/* Show the routers of this cycle, then the cycle itself. */
static void show_cycle(const struct tiles *s, const struct ec_tile_io *now, size_t count)
{
    const struct ec_net_watch *w = s->watch;
    for (size_t i = 0; w->router && i < count; i++) {
        const uint32_t node = s->own[s->ids[i]];
        if (!w->nodes || w->nodes[node >> 6] >> (node & 63) & 1)
            show_router(s, now, s->ids[i]);
    }
    if (w->cycle)
        w->cycle(w->context, s->net.cycle);
}

/* --- A cycle ---------------------------------------------------------------------------------- */

/* The far end of a port: where its words go, and where its credits come from. */
struct peer {
    uint32_t node;    /* a router of this part; more: in another part, or EC_NONE: no link here */
    uint32_t channel; /* node * ports + port: its input there, and the output that leads here */
    uint64_t bit;     /* 1 << port */
};

/* `far`: not the plain case, which has links of one cycle and no graph. */
static inline struct peer peer_of(const struct tiles *s, size_t channel, unsigned port, bool far)
{
    const uint32_t node = s->peers[channel];
    const unsigned back = far && s->backs ? s->backs[channel] : s->back[port];
    return (struct peer){node, node * s->ports + back, UINT64_C(1) << back};
}

/* Local ports of a router: in a graph, those that have nodes. */
static inline unsigned locals_of(const struct tiles *s, uint32_t node, bool far)
{
    return far && s->backs ? s->first_port[node + 1] - s->first_port[node] : s->locals;
}

void tiles_note_fault(struct tiles *s, uint64_t cycle, uint32_t node, unsigned port, unsigned vc,
                      const char *what)
{
    if (s->fault.found)
        return;
    s->fault = (struct ec_net_fault){.found = true,
                                     .cycle = cycle,
                                     .node = s->own[node],
                                     .port = ec_port_outside(&s->map, port),
                                     .vc = vc};
    snprintf(s->fault.what, sizeof s->fault.what, "%s", what);
}

/* Not inline: never called in a correct network. */
static __attribute__((noinline, cold)) void note_wrong_vc(struct tiles *s, uint32_t node,
                                                          unsigned port, unsigned vc, uint64_t word)
{
    char what[sizeof s->fault.what];
    if (s->fault.found)
        return;
    tiles_vcs_explain(&s->vc_rule, (size_t)node * s->ports + port, vc, word, what, sizeof what);
    tiles_note_fault(s, s->net.cycle + 1, node, port, vc, what);
    s->fault.kind = EC_FAULT_VC;
}

static void enter_from_node(struct tiles *s, uint32_t node, unsigned port, unsigned vc,
                            uint64_t word)
{
    if (!s->vc_rule.follows || tiles_vcs_enter(&s->vc_rule, vc, word) || s->fault.found)
        return;
    tiles_note_fault(s, s->net.cycle, node, port, vc, "a node sent on class 1: expected class 0");
    s->fault.kind = EC_FAULT_VC;
}

/* A node sends a word: count it. */
static inline __attribute__((always_inline)) void count_entering(struct tiles *s, uint32_t node,
                                                                 unsigned local, uint64_t word)
{
    const unsigned port = s->links + local, vc = ec_word_vc(word, s->vcs);
    const size_t here = (size_t)node * s->locals + local;
    s->injected[here]++;
    enter_from_node(s, node, port, vc, word);
    if (++s->injected_ledger[here * s->vcs + vc] > s->depth)
        tiles_note_fault(s, s->net.cycle, node, port, vc, "a node sent without a credit");
}

void tiles_count_entering(struct tiles *s, const struct ec_port_events *in)
{
    for (size_t i = 0; i < in->word_count; i++) {
        const uint32_t at = in->words[i].port, node = s->router_of[at];
        count_entering(s, node, at - s->first_port[node], in->words[i].word);
    }
    s->net.in_flight += in->word_count;
    s->net.moved += in->word_count;
}

static void accept_from_nodes(struct tiles *s, const struct ec_port_events *in)
{
    const unsigned bank = s->turn;
    struct ec_tile_io *io = &s->io[bank];
    for (size_t i = 0; i < in->word_count; i++) {
        const uint32_t at = in->words[i].port;
        const uint32_t node = s->router_of[at];
        const unsigned local = at - s->first_port[node], port = s->links + local;
        io->in_word[(size_t)node * s->ports + port] = in->words[i].word;
        io->in_valid[node] |= UINT64_C(1) << port;
        wake(s, bank, node);
        count_entering(s, node, local, in->words[i].word);
    }
    for (size_t i = 0; i < in->credit_count; i++) {
        const uint32_t at = in->credits[i].port;
        const uint32_t node = s->router_of[at];
        const unsigned port = s->links + (at - s->first_port[node]), vc = in->credits[i].vc;
        io->in_credit[(size_t)node * s->vcs + vc] |= UINT64_C(1) << port;
        wake(s, bank, node);
        if (s->ledger[((size_t)node * s->ports + port) * s->vcs + vc]-- == 0)
            tiles_note_fault(s, s->net.cycle, node, port, vc, "a node returned a credit too many");
    }
    s->net.in_flight += in->word_count;
    s->net.moved += in->word_count;
}

__attribute__((noinline, cold)) void tiles_note_extra_credit(struct tiles *s, struct on_link x,
                                                             uint64_t at)
{
    const unsigned port = x.channel - x.node * s->ports, ports = s->net_links + s->locals;
    const struct peer from = peer_of(s, x.channel, port, true);
    const bool here = from.node < s->nodes;
    const unsigned delay = s->delays ? s->delays[x.channel] : s->on_links.delay;
    if (s->fault.found)
        return;
    tiles_note_fault(s, at - (delay - 1), here ? from.node : x.node,
                     (unsigned)__builtin_ctzll(from.bit), (unsigned)x.word,
                     "a credit too many was returned");
    if (!here)
        s->fault.node = s->border.end[from.node - s->nodes].channel / ports;
}

static inline __attribute__((always_inline)) void arrive(struct tiles *s, unsigned bank,
                                                         struct on_link x, uint64_t at)
{
    struct ec_tile_io *io = &s->io[bank];
    const uint64_t bit = UINT64_C(1) << (x.channel - x.node * s->ports);
    if (x.word & EC_WORD_VALID) {
        io->in_word[x.channel] = x.word;
        io->in_valid[x.node] |= bit;
    } else {
        io->in_credit[(size_t)x.node * s->vcs + x.word] |= bit;
        if (s->ledger[(size_t)x.channel * s->vcs + x.word]-- == 0)
            tiles_note_extra_credit(s, x, at);
    }
    wake(s, bank, x.node);
}

void tiles_arrive(struct tiles *s, unsigned bank, struct on_link x, uint64_t at)
{
    arrive(s, bank, x, at);
}

/* What arrives in this cycle on links of more than one. */
static void accept_from_links(struct tiles *s)
{
    if ((s->on_links.count || s->border.waiting) && s->net.cycle != s->linked_at + 1)
        tiles_note_fault(s, s->net.cycle,
                         s->on_links.count ? s->on_links.ring[s->on_links.first].node : 0, 0, 0,
                         "cycles were skipped while something was on a link");
    s->linked_at = s->net.cycle;
    for (uint32_t left = tiles_links_begin(&s->on_links); left > 0; left--)
        arrive(s, s->turn, tiles_links_take(&s->on_links), s->net.cycle);
    if (s->border.waiting == 0)
        return;
    struct border_due *d = &s->border.due[s->net.cycle % s->border.delay];
    for (size_t i = 0; i < d->count; i++)
        arrive(s, s->turn, d->x[i], s->net.cycle);
    s->border.waiting -= d->count;
    d->count = 0;
}

/* The routers of this cycle, in ascending order unless they are shuffled. */
static size_t collect_awake(struct tiles *s)
{
    bool *awake = s->awake[s->turn];
    size_t count = 0;
    for (uint32_t first = 0; first < s->nodes; first += 8) {
        uint64_t eight;
        memcpy(&eight, awake + first, sizeof eight);
        if (eight == 0)
            continue;
        for (uint32_t node = first; node < first + 8; node++) {
            s->ids[count] = node;
            count += awake[node];
        }
        memset(awake + first, 0, sizeof eight);
    }
    if (s->options.no_sleep) {
        for (uint32_t n = 0; n < s->nodes; n++)
            s->ids[n] = n;
        count = s->nodes;
    }
    if (s->options.shuffle_seed) {
        const uint64_t key = ec_rng_key(s->options.shuffle_seed, s->net.cycle);
        for (size_t i = count; i > 1; i--) {
            const size_t j = ec_rng_below(ec_rng_draw(key, i), i);
            const uint32_t other = s->ids[j];
            s->ids[j] = s->ids[i - 1];
            s->ids[i - 1] = other;
        }
    }
    return count;
}

/* A word or credit leaves on a link of `channel`, and does not arrive in the next cycle. */
static inline void send_far(struct tiles *s, size_t channel, struct on_link x)
{
    if (s->delays)
        border_keep(s, x, s->net.cycle + s->delays[channel]);
    else
        tiles_links_send(&s->on_links, x);
}

/* Send a router's words on. Its outputs of cycle c + 1 are the inputs of the step of that cycle,
 * or on links that are `far` of a later one. */
static inline __attribute__((always_inline)) void
send_words(struct tiles *s, const struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
           unsigned vcs, bool far, struct ec_port_events *out)
{
    const unsigned links = s->links, locals = locals_of(s, node, far), depth = s->depth;
    const uint32_t nodes = s->nodes;
    const bool follow = vcs > 1 && s->vc_rule.follows;
    const size_t first = (size_t)node * s->ports;
    bool *awake = s->awake[!s->turn];
    size_t ejected = 0, moved = 0;
    for (uint64_t left = now->out_valid[node]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const size_t channel = first + port;
        const uint64_t word = now->out_word[channel];
        const unsigned vc = ec_word_vc(word, vcs);
        const struct peer to = peer_of(s, channel, port, far);
        moved++;
        s->flits[channel]++;
        if (follow) {
            if (__builtin_expect(!tiles_vcs_right(&s->vc_rule, channel, vc, word, vcs), false))
                note_wrong_vc(s, node, port, vc, word);
            tiles_vcs_pass(&s->vc_rule, channel, vc, word, vcs, to.node >= nodes);
        }
        if (++s->ledger[channel * vcs + vc] > depth)
            tiles_note_fault(s, s->net.cycle + 1, node, port, vc,
                             "a word was sent without a credit");
        if (to.node < nodes && far) {
            send_far(s, channel, (struct on_link){word, to.node, to.channel});
        } else if (to.node < nodes) {
            next->in_word[to.channel] = word;
            next->in_valid[to.node] |= to.bit;
            awake[to.node] = true;
        } else if (port >= links && port < links + locals) {
            out->words[out->word_count + ejected++] =
                (struct ec_port_word){.port = s->first_port[node] + (port - links), .word = word};
        } else if (to.node != EC_NONE) {
            border_send(s, to.node - nodes, word);
        } else {
            tiles_note_fault(s, s->net.cycle + 1, node, port, vc,
                             "a word was sent to a missing link");
        }
    }
    out->word_count += ejected;
    s->net.in_flight -= ejected;
    s->net.moved += moved;
}

static inline __attribute__((always_inline)) void
send_credits(struct tiles *s, const struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
             unsigned vcs, bool far, struct ec_port_events *out)
{
    const unsigned links = s->links, locals = locals_of(s, node, far);
    const uint32_t nodes = s->nodes;
    bool *awake = s->awake[!s->turn];
    for (unsigned vc = 0; vc < vcs; vc++) {
        uint64_t left = now->out_credit[(size_t)node * vcs + vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t channel = (size_t)node * s->ports + port;
            const struct peer to = peer_of(s, channel, port, far);
            uint16_t *ledger;
            if (to.node < nodes && far) {
                send_far(s, channel, (struct on_link){vc, to.node, to.channel});
                continue;
            }
            if (to.node < nodes) {
                ledger = &s->ledger[(size_t)to.channel * vcs + vc];
                next->in_credit[(size_t)to.node * vcs + vc] |= to.bit;
                awake[to.node] = true;
            } else if (port >= links && port < links + locals) {
                const unsigned local = port - links;
                ledger = &s->injected_ledger[((size_t)node * s->locals + local) * vcs + vc];
                out->credits[out->credit_count++] =
                    (struct ec_port_credit){.port = s->first_port[node] + local, .vc = vc};
            } else if (to.node != EC_NONE) {
                border_send(s, to.node - nodes, vc);
                continue;
            } else {
                tiles_note_fault(s, s->net.cycle + 1, node, port, vc,
                                 "a credit was sent to a missing link");
                continue;
            }
            if ((*ledger)-- == 0)
                tiles_note_fault(s, s->net.cycle + 1, node, port, vc,
                                 "a credit too many was returned");
        }
    }
}

/* Count front flits that did not move, by the port that they ask for. */
static inline __attribute__((always_inline)) void
count_taps(struct tiles *s, const struct ec_tile_io *now, uint32_t node, unsigned vcs)
{
    const size_t channels = (size_t)node * s->ports;
    for (unsigned vc = 0; vc < vcs; vc++) {
        const uint64_t contended = now->contended[(size_t)node * vcs + vc];
        uint64_t left = contended | now->starved[(size_t)node * vcs + vc];
        for (; left; left &= left - 1) {
            const unsigned from = (unsigned)__builtin_ctzll(left);
            const unsigned port = now->want[(channels + from) * vcs + vc];
            uint64_t *counters = contended >> from & 1 ? s->contended : s->starved;
            if (port < s->ports) /* foreign routers may show any number */
                counters[channels + port]++;
        }
    }
}

/* Everything one router shows after its step. Inlining makes `vcs` and `far` constants: the
 * arithmetic of the indices is a good part of the work. */
static inline __attribute__((always_inline)) void
take_outputs(struct tiles *s, struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
             unsigned vcs, bool far, struct ec_port_events *out)
{
    now->in_valid[node] = 0;
    for (unsigned vc = 0; vc < vcs; vc++)
        now->in_credit[(size_t)node * vcs + vc] = 0;
    send_words(s, now, next, node, vcs, far, out);
    send_credits(s, now, next, node, vcs, far, out);
    count_taps(s, now, node, vcs);
    if (!now->quiet[node])
        wake(s, !s->turn, node);
}

/* From so many routers on, their rows are too large for the caches near the processor. How many
 * routers ahead to ask for them. */
enum { FETCH_NODES = 512, FETCH_AHEAD = 6 };

/* What a router with outputs touches in its own rows. */
static inline __attribute__((always_inline)) void
fetch_rows(const struct tiles *s, const struct ec_tile_io *now, uint32_t node, unsigned vcs)
{
    const size_t first = (size_t)node * s->ports;
    for (size_t port = 0; port < s->ports; port += 8) {
        __builtin_prefetch(&now->out_word[first + port]);
        __builtin_prefetch(&s->flits[first + port]);
        __builtin_prefetch(&s->contended[first + port]);
        __builtin_prefetch(&s->starved[first + port]);
    }
    __builtin_prefetch(&s->peers[first]);
    __builtin_prefetch(&s->ledger[first * vcs]);
}

static inline __attribute__((always_inline)) void
take_all_outputs(struct tiles *s, struct ec_tile_io *now, struct ec_tile_io *next, size_t count,
                 unsigned vcs, bool far, struct ec_port_events *out)
{
    const bool large = s->nodes >= FETCH_NODES;
    for (size_t i = 0; i < count; i++) {
        if (large && i + FETCH_AHEAD < count)
            fetch_rows(s, now, s->ids[i + FETCH_AHEAD], vcs);
        take_outputs(s, now, next, s->ids[i], vcs, far, out);
    }
}

static void take_near_outputs(struct tiles *s, struct ec_tile_io *now, struct ec_tile_io *next,
                              size_t count, struct ec_port_events *out)
{
    switch (s->vcs) { /* EC_VCS_MAX is 8 */
    case 1:
        take_all_outputs(s, now, next, count, 1, false, out);
        break;
    case 2:
        take_all_outputs(s, now, next, count, 2, false, out);
        break;
    case 4:
        take_all_outputs(s, now, next, count, 4, false, out);
        break;
    default:
        take_all_outputs(s, now, next, count, 8, false, out);
        break;
    }
}

static void take_far_outputs(struct tiles *s, struct ec_tile_io *now, struct ec_tile_io *next,
                             size_t count, struct ec_port_events *out)
{
    if (s->vcs == 1)
        take_all_outputs(s, now, next, count, 1, true, out);
    else
        take_all_outputs(s, now, next, count, s->vcs, true, out);
    tiles_links_end(&s->on_links);
    s->net.memory_short |= s->on_links.memory_short;
}

/* The words that leave by a port that the table does not give them. */
static void judge_ports(struct tiles *s, const struct ec_tile_io *now, size_t count)
{
    const struct ec_table *const table = s->net.router->table;
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = s->ids[i];
        for (uint64_t left = now->out_valid[node]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const uint64_t word = now->out_word[(size_t)node * s->ports + port];
            const uint32_t dst =
                ec_topology_node(s->net.topology, ec_word_dst(&s->vc_rule.layout, word));
            const size_t entry = (size_t)s->own[node] * table->nodes + dst;
            const uint64_t ports = dst == EC_NONE ? 0 : ec_table_all_ports(table, entry);
            if ((ports >> ec_port_outside(&s->map, port) & 1) || s->fault.found)
                continue;
            char name[EC_NAME_SIZE], what[sizeof s->fault.what];
            ec_word_name(s->net.topology, &s->vc_rule.layout, word, name, sizeof name);
            snprintf(what, sizeof what,
                     "word %.60s leaves by a port that the routing table does not give it", name);
            tiles_note_fault(s, s->net.cycle + 1, node, port, ec_word_vc(word, s->vcs), what);
            s->fault.kind = EC_FAULT_PORT;
        }
    }
}

int tiles_by_node(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Step the routers that are awake. Returns how many. */
static size_t step_awake(struct tiles *s, const struct ec_port_events *in, bool far)
{
    accept_from_nodes(s, in);
    if (far)
        accept_from_links(s);
    const size_t count = collect_awake(s);
    ec_net_pulse_begin(s->options.pulse, s->net.cycle);
    s->api->step(s->bank, &s->io[s->turn], s->ids, count);
    ec_net_pulse_end(s->options.pulse);
    return count;
}

void tiles_step(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out)
{
    struct tiles *s = tiles_of(net);
    const bool far = s->on_links.delay > 1 || s->backs;
    struct ec_tile_io *now, *next;
    if (s->loaded)
        fabric_enter(s);
    s->net.cycle++;
    s->turn = !s->turn;
    out->word_count = 0;
    out->credit_count = 0;
    if (s->in_fabric && fabric_step(s, in, out))
        return;
    const size_t count = s->in_fabric ? collect_awake(s) : step_awake(s, in, far);
    s->in_fabric = false;
    now = &s->io[s->turn];
    next = &s->io[!s->turn];
    s->stepped += count;
    s->id_count = count;
    if (s->rtl.broken) /* the outputs are meaningless now */
        return;
    if (s->options.shuffle_seed) /* what follows is in order of the routers */
        qsort(s->ids, count, sizeof *s->ids, tiles_by_node);
    if (s->watch)
        show_cycle(s, now, count);
    if (ec_router_has_sets(s->net.router))
        judge_ports(s, now, count);
    if (far)
        take_far_outputs(s, now, next, count, out);
    else
        take_near_outputs(s, now, next, count, out);
}
