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
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/links.h"
#include "backend/vcs.h"
#include "base/rng.h"
#include "ecube/net.h"
#include "ecube/shape.h"
#include "ecube/tile.h"
#include "ecube/word.h"
#include "shape/tile_io.h"

/* The far end of an output port: where its words go, and where its credits come from. */
struct peer {
    uint32_t node;    /* EC_NONE: no link here */
    uint32_t channel; /* node * ports + port: its input there, and the output that leads here */
    uint64_t bit;     /* 1 << port */
};

struct tiles {
    struct ec_net net; /* first: the interface */
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_io io[2];         /* [turn] inputs; outputs shared */
    uint32_t *peers;                 /* [node * ports + port] the router at the far end */
    uint8_t back[EC_TILE_PORTS_MAX]; /* [port] the port there, the same for all routers */
    uint32_t *local_node;            /* [node * locals + local] */

    uint32_t nodes;
    unsigned ports, links, vcs; /* of the shape */
    unsigned net_links, locals; /* of the topology */
    struct ec_port_map map;     /* maps ports of the shape to ports of the topology */
    unsigned depth;
    bool *awake[2]; /* [turn][node, rounded up to 8] routers to step */
    uint32_t *ids;  /* [nodes + 1] the routers of this cycle */

    struct tiles_links on_links;
    uint64_t linked_at; /* the last cycle in which links of several cycles were looked at */

    /* Words sent and not credited: by routers, [(node * ports + port) * vcs + vc], and by nodes,
     * [(node * locals + local) * vcs + vc]. */
    uint16_t *ledger, *injected_ledger;
    uint64_t *flits, *contended, *starved; /* [node * ports + port] */
    uint64_t *injected;                    /* [node * locals + local] */
    uint64_t *compact[3]; /* the three, in the topology's ports; NULL: these are the shape's */
    uint64_t stepped;
    unsigned turn; /* 0 and 1 by turns: of this step, and of the next one, even if the caller skips
                      an odd number of cycles between them */
    struct tiles_vcs vc_rule;
    struct ec_net_fault fault;
    struct ec_tiles_options options;
    const struct ec_net_watch *watch;
    struct ec_tile_listener listener; /* of the bank */
    struct ec_net_rtl rtl;            /* since the last reset */
    struct ec_net_rtl opened;      /* messages from the opening of the bank: a reset keeps them */
    bool resetting;                /* opened, and not yet reset */
    struct ec_net_pulse own_pulse; /* if options.pulse is NULL */
};

static inline struct tiles *tiles_of(struct ec_net *net)
{
    return (struct tiles *)net;
}

static inline struct peer peer_of(const struct tiles *s, size_t channel, unsigned port)
{
    const uint32_t node = s->peers[channel];
    const unsigned back = s->back[port];
    return (struct peer){node, node * s->ports + back, UINT64_C(1) << back};
}

/* --- Messages of the RTL ---------------------------------------------------------------------- */

/* Does the message count against the RTL? */
static bool counts(const struct tiles *s, enum ec_rtl_event event)
{
    switch (event) {
    case EC_RTL_TEXT:
        return false;
    case EC_RTL_ERROR:
        return !s->resetting; /* before the end of reset, registers may hold anything */
    case EC_RTL_FINISH:
    case EC_RTL_BROKEN:
        break;
    }
    return true;
}

static void note_message(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct tiles *s = context;
    const uint32_t node = router < s->nodes ? router : EC_NONE;
    const uint64_t cycle = s->resetting ? 0 : s->net.cycle;
    if (!counts(s, event)) {
        if (s->options.text)
            s->options.text(s->options.text_context, cycle, node, text);
        return;
    }
    if (s->rtl.count++ == 0) {
        s->rtl.cycle = cycle;
        s->rtl.node = node;
        snprintf(s->rtl.text, sizeof s->rtl.text, "%s", text);
    }
    s->rtl.ended |= event != EC_RTL_ERROR;
    s->rtl.broken |= event == EC_RTL_BROKEN;
}

/* Start to collect messages of the RTL. Call it before the bank is opened. */
static void listen_to_rtl(struct tiles *s)
{
    if (!s->options.pulse)
        s->options.pulse = &s->own_pulse;
    s->options.pulse->router = EC_NONE;
    s->options.pulse->nodes = s->nodes;
    s->net.pulse = s->options.pulse;
    s->listener = (struct ec_tile_listener){
        .said = note_message, .context = s, .router = &s->options.pulse->router};
    s->net.rtl = &s->rtl;
    s->resetting = true;
}

/* --- Watchers --------------------------------------------------------------------------------- */

static void show_router(const struct tiles *s, const struct ec_tile_io *now, uint32_t node)
{
    struct ec_tile_seen seen;
    ec_tile_see(&s->map, s->ports, s->vcs, now, node, &seen);
    seen.seen.cycle = s->net.cycle;
    seen.seen.node = node;
    s->watch->router(s->watch->context, &seen.seen);
}

/* Show the routers of this cycle, then the cycle itself. */
static void show_cycle(const struct tiles *s, const struct ec_tile_io *now, size_t count)
{
    const struct ec_net_watch *w = s->watch;
    for (size_t i = 0; w->router && i < count; i++) {
        if (!w->nodes || w->nodes[s->ids[i] >> 6] >> (s->ids[i] & 63) & 1)
            show_router(s, now, s->ids[i]);
    }
    if (w->cycle)
        w->cycle(w->context, s->net.cycle);
}

/* --- A cycle ---------------------------------------------------------------------------------- */

static void note_fault(struct tiles *s, uint64_t cycle, uint32_t node, unsigned port, unsigned vc,
                       const char *what)
{
    if (s->fault.found)
        return;
    s->fault = (struct ec_net_fault){.found = true,
                                     .cycle = cycle,
                                     .node = node,
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
    note_fault(s, s->net.cycle + 1, node, port, vc, what);
    s->fault.kind = EC_FAULT_VC;
}

static void enter_from_node(struct tiles *s, uint32_t node, unsigned port, unsigned vc,
                            uint64_t word)
{
    if (!s->vc_rule.follows || tiles_vcs_enter(&s->vc_rule, vc, word) || s->fault.found)
        return;
    note_fault(s, s->net.cycle, node, port, vc, "a node sent on class 1: expected class 0");
    s->fault.kind = EC_FAULT_VC;
}

static void wake(struct tiles *s, unsigned bank, uint32_t node)
{
    s->awake[bank][node] = true;
}

static void accept_from_nodes(struct tiles *s, const struct ec_port_events *in)
{
    const unsigned bank = s->turn;
    struct ec_tile_io *io = &s->io[bank];
    for (size_t i = 0; i < in->word_count; i++) {
        const uint32_t at = in->words[i].port;
        const uint32_t node = s->local_node[at];
        const unsigned local = at - node * s->locals, port = s->links + local;
        const unsigned vc = ec_word_vc(in->words[i].word, s->vcs);
        io->in_word[(size_t)node * s->ports + port] = in->words[i].word;
        io->in_valid[node] |= UINT64_C(1) << port;
        wake(s, bank, node);
        s->injected[at]++;
        enter_from_node(s, node, port, vc, in->words[i].word);
        if (++s->injected_ledger[(size_t)at * s->vcs + vc] > s->depth)
            note_fault(s, s->net.cycle, node, port, vc, "a node sent without a credit");
    }
    for (size_t i = 0; i < in->credit_count; i++) {
        const uint32_t at = in->credits[i].port;
        const uint32_t node = s->local_node[at];
        const unsigned port = s->links + (at - node * s->locals), vc = in->credits[i].vc;
        io->in_credit[(size_t)node * s->vcs + vc] |= UINT64_C(1) << port;
        wake(s, bank, node);
        if (s->ledger[((size_t)node * s->ports + port) * s->vcs + vc]-- == 0)
            note_fault(s, s->net.cycle, node, port, vc, "a node returned a credit too many");
    }
    s->net.in_flight += in->word_count;
    s->net.moved += in->word_count;
}

/* A credit arrives that the router behind this output returned some cycles ago. */
static void credit_ledger(struct tiles *s, size_t channel, unsigned vc)
{
    const struct peer from = peer_of(s, channel, (unsigned)(channel % s->ports));
    if (s->ledger[channel * s->vcs + vc]-- == 0)
        note_fault(s, s->net.cycle - (s->on_links.delay - 1), from.node,
                   (unsigned)(from.channel - (size_t)from.node * s->ports), vc,
                   "a credit too many was returned");
}

/* What arrives in this cycle on links of more than one. */
static void accept_from_links(struct tiles *s)
{
    struct ec_tile_io *io = &s->io[s->turn];
    if (s->on_links.count && s->net.cycle != s->linked_at + 1)
        note_fault(s, s->net.cycle, s->on_links.ring[s->on_links.first].node, 0, 0,
                   "cycles were skipped while something was on a link");
    s->linked_at = s->net.cycle;
    for (uint32_t left = tiles_links_begin(&s->on_links); left > 0; left--) {
        const struct on_link x = tiles_links_take(&s->on_links);
        const uint64_t bit = UINT64_C(1) << (x.channel - x.node * s->ports);
        if (x.word & EC_WORD_VALID) {
            io->in_word[x.channel] = x.word;
            io->in_valid[x.node] |= bit;
        } else {
            io->in_credit[(size_t)x.node * s->vcs + x.word] |= bit;
            credit_ledger(s, x.channel, (unsigned)x.word);
        }
        wake(s, s->turn, x.node);
    }
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

/* Send a router's words on. Its outputs of cycle c + 1 are the inputs of the step of that cycle,
 * or on links that are `far` of a later one. */
static inline __attribute__((always_inline)) void
send_words(struct tiles *s, const struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
           unsigned vcs, bool far, struct ec_port_events *out)
{
    const unsigned links = s->links, locals = s->locals, depth = s->depth;
    const bool follow = vcs > 1 && s->vc_rule.follows;
    const size_t first = (size_t)node * s->ports;
    bool *awake = s->awake[!s->turn];
    size_t ejected = 0, moved = 0;
    for (uint64_t left = now->out_valid[node]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const size_t channel = first + port;
        const uint64_t word = now->out_word[channel];
        const unsigned vc = ec_word_vc(word, vcs);
        moved++;
        s->flits[channel]++;
        if (follow) {
            if (__builtin_expect(!tiles_vcs_right(&s->vc_rule, channel, vc, word, vcs), false))
                note_wrong_vc(s, node, port, vc, word);
            tiles_vcs_pass(&s->vc_rule, channel, vc, word, vcs, port >= links);
        }
        if (++s->ledger[channel * vcs + vc] > depth)
            note_fault(s, s->net.cycle + 1, node, port, vc, "a word was sent without a credit");
        const struct peer to = peer_of(s, channel, port);
        if (to.node != EC_NONE && far) {
            tiles_links_send(&s->on_links, (struct on_link){word, to.node, to.channel});
        } else if (to.node != EC_NONE) {
            next->in_word[to.channel] = word;
            next->in_valid[to.node] |= to.bit;
            awake[to.node] = true;
        } else if (port >= links && port < links + locals) {
            out->words[out->word_count + ejected++] =
                (struct ec_port_word){.port = node * locals + (port - links), .word = word};
        } else {
            note_fault(s, s->net.cycle + 1, node, port, vc, "a word was sent to a missing link");
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
    const unsigned links = s->links, locals = s->locals;
    bool *awake = s->awake[!s->turn];
    for (unsigned vc = 0; vc < vcs; vc++) {
        uint64_t left = now->out_credit[(size_t)node * vcs + vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const struct peer to = peer_of(s, (size_t)node * s->ports + port, port);
            uint16_t *ledger;
            if (to.node != EC_NONE && far) {
                tiles_links_send(&s->on_links, (struct on_link){vc, to.node, to.channel});
                continue;
            }
            if (to.node != EC_NONE) {
                ledger = &s->ledger[(size_t)to.channel * vcs + vc];
                next->in_credit[(size_t)to.node * vcs + vc] |= to.bit;
                awake[to.node] = true;
            } else if (port >= links && port < links + locals) {
                const uint32_t at = node * locals + (port - links);
                ledger = &s->injected_ledger[(size_t)at * vcs + vc];
                out->credits[out->credit_count++] = (struct ec_port_credit){.port = at, .vc = vc};
            } else {
                note_fault(s, s->net.cycle + 1, node, port, vc,
                           "a credit was sent to a missing link");
                continue;
            }
            if ((*ledger)-- == 0)
                note_fault(s, s->net.cycle + 1, node, port, vc, "a credit too many was returned");
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

static inline __attribute__((always_inline)) void
take_all_outputs(struct tiles *s, struct ec_tile_io *now, struct ec_tile_io *next, size_t count,
                 unsigned vcs, bool far, struct ec_port_events *out)
{
    for (size_t i = 0; i < count; i++)
        take_outputs(s, now, next, s->ids[i], vcs, far, out);
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

static void tiles_step(struct ec_net *net, const struct ec_port_events *in,
                       struct ec_port_events *out)
{
    struct tiles *s = tiles_of(net);
    const bool far = s->on_links.delay > 1;
    s->net.cycle++;
    s->turn = !s->turn;
    out->word_count = 0;
    out->credit_count = 0;
    accept_from_nodes(s, in);
    if (far)
        accept_from_links(s);
    const size_t count = collect_awake(s);
    struct ec_tile_io *now = &s->io[s->turn], *next = &s->io[!s->turn];
    ec_net_pulse_begin(s->options.pulse, s->net.cycle);
    s->api->step(s->bank, now, s->ids, count);
    ec_net_pulse_end(s->options.pulse);
    s->stepped += count;
    if (s->rtl.broken) /* the outputs are meaningless now */
        return;
    if (s->watch)
        show_cycle(s, now, count);
    if (far)
        take_far_outputs(s, now, next, count, out);
    else
        take_near_outputs(s, now, next, count, out);
}

/* --- The interface of a net ------------------------------------------------------------------- */

/* If the simulator failed, its messages stay. */
static void tiles_reset_bank(struct tiles *s)
{
    if (!s->rtl.broken)
        s->rtl = s->opened;
    s->resetting = true;
    ec_net_pulse_begin(s->options.pulse, 0);
    s->api->reset(s->bank);
    ec_net_pulse_end(s->options.pulse);
    s->resetting = false;
}

/* Not after opening: all this is zero then, and pages that nobody writes need no memory. */
static void clear_traffic(struct tiles *s)
{
    const size_t channels = (size_t)s->nodes * s->ports, ports = (size_t)s->nodes * s->locals;
    for (unsigned bank = 0; bank < 2; bank++) {
        memset(s->io[bank].in_valid, 0, s->nodes * sizeof *s->io[bank].in_valid);
        memset(s->io[bank].in_credit, 0, (size_t)s->nodes * s->vcs * sizeof *s->io[bank].in_credit);
        memset(s->awake[bank], 0, s->nodes * sizeof *s->awake[bank]);
    }
    tiles_links_reset(&s->on_links);
    memset(s->ledger, 0, channels * s->vcs * sizeof *s->ledger);
    memset(s->injected_ledger, 0, ports * s->vcs * sizeof *s->injected_ledger);
    memset(s->flits, 0, channels * sizeof *s->flits);
    memset(s->contended, 0, channels * sizeof *s->contended);
    memset(s->starved, 0, channels * sizeof *s->starved);
    memset(s->injected, 0, ports * sizeof *s->injected);
}

static void tiles_reset(struct ec_net *net)
{
    struct tiles *s = tiles_of(net);
    tiles_reset_bank(s);
    if (s->net.cycle > 0)
        clear_traffic(s);
    tiles_vcs_reset(&s->vc_rule, s->net.numbered);
    s->fault = (struct ec_net_fault){0};
    s->net.moved = 0;
    s->net.in_flight = 0;
    s->net.cycle = 0;
    s->net.memory_short = false;
    s->stepped = s->turn = 0;
    if (s->watch && s->watch->reset)
        s->watch->reset(s->watch->context);
}

/* A counter in the topology's ports. */
static const uint64_t *compact(struct tiles *s, unsigned k, const uint64_t *wide)
{
    const unsigned narrow = s->net_links + s->locals;
    if (!s->compact[k])
        return wide;
    for (uint32_t node = 0; node < s->nodes; node++) {
        uint64_t *to = s->compact[k] + (size_t)node * narrow;
        const uint64_t *from = wide + (size_t)node * s->ports;
        memcpy(to, from, s->net_links * sizeof *to);
        memcpy(to + s->net_links, from + s->links, s->locals * sizeof *to);
    }
    return s->compact[k];
}

static void tiles_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct tiles *s = tiles_of(net);
    *ret = (struct ec_net_counters){.flits = compact(s, 0, s->flits),
                                    .injected = s->injected,
                                    .contended = compact(s, 1, s->contended),
                                    .starved = compact(s, 2, s->starved),
                                    .ports = s->net_links + s->locals,
                                    .stepped = s->stepped};
}

static const struct ec_net_fault *tiles_fault(const struct ec_net *net)
{
    return &((const struct tiles *)net)->fault;
}

static bool tiles_checked_vcs(const struct ec_net *net)
{
    const struct tiles_vcs *v = &((const struct tiles *)net)->vc_rule;
    return v->follows && v->lanes.unknown == 0;
}

/* What a router has not taken. Inputs of a sleeping router were left behind: it was not woken. */
static bool untaken(const struct tiles *s, uint32_t node, struct ec_net_fault *ret_fault)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        const struct ec_tile_io *io = &s->io[bank];
        for (unsigned vc = 0; vc <= s->vcs; vc++) {
            const bool word = vc == s->vcs;
            const uint64_t left =
                word ? io->in_valid[node] : io->in_credit[(size_t)node * s->vcs + vc];
            if (left == 0)
                continue;
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const uint64_t at = io->in_word[(size_t)node * s->ports + port];
            ret_fault->vc = word ? ec_word_vc(at, s->vcs) : vc;
            ret_fault->port = ec_port_outside(&s->map, port);
            snprintf(ret_fault->what, sizeof ret_fault->what, "a %s %s", word ? "word" : "credit",
                     s->awake[bank][node]
                         ? "is under way"
                         : "arrived, but the router was not stepped (wiring error)");
            return true;
        }
    }
    return false;
}

/* Credits that are missing at an output or injection port of this router. */
static bool owed(const struct tiles *s, uint32_t node, struct ec_net_fault *ret_fault)
{
    for (unsigned port = 0; port < s->ports; port++) {
        for (unsigned vc = 0; vc < s->vcs; vc++) {
            const bool local = port >= s->links && port - s->links < s->locals;
            unsigned out = s->ledger[((size_t)node * s->ports + port) * s->vcs + vc], in = 0;
            if (local)
                in = s->injected_ledger[((size_t)node * s->locals + port - s->links) * s->vcs + vc];
            if (!out && !in)
                continue;
            ret_fault->port = ec_port_outside(&s->map, port);
            ret_fault->vc = vc;
            snprintf(ret_fault->what, sizeof ret_fault->what,
                     "%u of %u credits of %s never came back", out ? out : in, s->depth,
                     out ? "the output" : "the injection port");
            return true;
        }
    }
    return false;
}

/* The first word or credit on a link, of those that take more than one cycle. */
static bool on_the_way(const struct tiles *s, struct ec_net_fault *ret_fault)
{
    if (s->on_links.count == 0)
        return false;
    const struct on_link *x = &s->on_links.ring[s->on_links.first];
    const bool word = x->word & EC_WORD_VALID;
    ret_fault->node = x->node;
    ret_fault->port = ec_port_outside(&s->map, x->channel - x->node * s->ports);
    ret_fault->vc = word ? ec_word_vc(x->word, s->vcs) : (unsigned)x->word;
    snprintf(ret_fault->what, sizeof ret_fault->what, "a %s is on the link",
             word ? "word" : "credit");
    return true;
}

static bool tiles_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    const struct tiles *s = (const struct tiles *)net;
    struct ec_net_fault fault = {.found = true, .cycle = s->net.cycle};
    if (on_the_way(s, &fault)) {
        *ret_fault = fault;
        return false;
    }
    while (fault.node < s->nodes && !owed(s, fault.node, &fault))
        fault.node++;
    if (fault.node == s->nodes) { /* all credits are back, or on their last wire */
        fault.node = 0;
        while (fault.node < s->nodes && !untaken(s, fault.node, &fault))
            fault.node++;
    }
    if (fault.node == s->nodes)
        return true;
    *ret_fault = fault;
    return false;
}

static void tiles_watch(struct ec_net *net, const struct ec_net_watch *watch)
{
    tiles_of(net)->watch = watch;
}

static void tiles_close(struct ec_net *net)
{
    if (!net)
        return;
    struct tiles *s = tiles_of(net);
    if (s->bank)
        s->api->close(s->bank);
    for (unsigned bank = 0; bank < 2; bank++) {
        ec_tile_io_free_inputs(&s->io[bank]);
        free(s->awake[bank]);
    }
    ec_tile_io_free_outputs(&s->io[0]);
    tiles_vcs_close(&s->vc_rule);
    tiles_links_close(&s->on_links);
    free(s->peers);
    free(s->local_node);
    free(s->ids);
    free(s->ledger);
    free(s->injected_ledger);
    free(s->flits);
    free(s->contended);
    free(s->starved);
    free(s->injected);
    for (unsigned k = 0; k < 3; k++)
        free(s->compact[k]);
    free(s);
}

#define TILES_OPS(backend)                                                                         \
    {                                                                                              \
        .name = (backend), .reset = tiles_reset, .step = tiles_step, .counters = tiles_counters,   \
        .fault = tiles_fault, .drained = tiles_drained, .checked_vcs = tiles_checked_vcs,          \
        .watch = tiles_watch, .close = tiles_close,                                                \
    }
static const struct ec_net_ops tiles_ops = TILES_OPS("tiles"), flat_ops = TILES_OPS("flat");

/* --- Opening ---------------------------------------------------------------------------------- */

static bool allocate_tiles(struct tiles *s)
{
    const size_t n = s->nodes, channels = n * s->ports, locals = n * s->locals, vcs = s->vcs;
    bool ok = true;
#define EC_NEW(p, count) ok = ((p) = calloc((count), sizeof *(p))) != NULL && ok
    for (unsigned bank = 0; bank < 2; bank++) {
        ok = ec_tile_io_inputs(&s->io[bank], n, s->ports, s->vcs) && ok;
        EC_NEW(s->awake[bank], n + 7);
    }
    ok = ec_tile_io_outputs(&s->io[0], n, s->ports, s->vcs) && ok;
    ec_tile_io_share_outputs(&s->io[1], &s->io[0]);
    EC_NEW(s->peers, channels);
    EC_NEW(s->local_node, locals);
    EC_NEW(s->ids, n + 1);
    EC_NEW(s->ledger, channels * vcs);
    EC_NEW(s->injected_ledger, locals * vcs);
    EC_NEW(s->flits, channels);
    EC_NEW(s->contended, channels);
    EC_NEW(s->starved, channels);
    EC_NEW(s->injected, locals);
    for (unsigned k = 0; s->ports != s->net_links + s->locals && k < 3; k++)
        EC_NEW(s->compact[k], n * (s->net_links + s->locals));
#undef EC_NEW
    return tiles_vcs_open(&s->vc_rule, s->net.topology, s->net.router, s->links, s->ports) && ok;
}

static void wire(struct tiles *s)
{
    const struct ec_topology *t = s->net.topology;
    for (unsigned port = 0; port < s->net_links; port++)
        s->back[port] = (uint8_t)ec_topology_reverse(t, port);
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned port = 0; port < s->ports; port++)
            s->peers[(size_t)node * s->ports + port] =
                port < s->net_links ? ec_topology_neighbor(t, node, port) : EC_NONE;
        for (unsigned local = 0; local < s->locals; local++)
            s->local_node[node * s->locals + local] = node;
    }
}

enum ec_code ec_tiles_open(const struct ec_topology *t, const struct ec_router *r,
                           struct ec_shape *shape, const struct ec_tiles_options *options,
                           struct ec_net **ret, struct ec_error *reterr)
{
    const struct ec_tile_api *api = ec_shape_api(shape);
    struct tiles *s = calloc(1, sizeof *s);
    struct ec_tile_place *places = calloc(t->nodes, sizeof *places);
    enum ec_code code = EC_MEMORY;
    if (!s || !places)
        goto fail;
    s->net = (struct ec_net){.ops = api->wired ? &flat_ops : &tiles_ops,
                             .topology = t,
                             .router = r,
                             .has_taps = api->has_taps};
    s->api = api;
    if (options)
        s->options = *options;
    s->net.foreign = s->options.foreign;
    s->nodes = t->nodes;
    s->links = ec_tile_shape_links(&api->shape);
    s->ports = s->links + api->shape.locals;
    s->vcs = api->shape.vcs;
    s->net_links = ec_topology_links(t);
    s->locals = ec_router_locals(r, t);
    s->map = ec_port_map_of(&api->shape, t, r);
    s->depth = r->depth;
    s->on_links.delay = r->link;
    if (!api->has_quiet)
        s->options.no_sleep = true;
    if (!allocate_tiles(s))
        goto fail;
    wire(s);
    ec_shape_places(t, r, &api->shape, places);
    listen_to_rtl(s);
    ec_net_pulse_begin(s->options.pulse, 0);
    s->bank = ec_shape_bank(shape, t->nodes, places, s->options.random_seed, NULL, &s->listener);
    ec_net_pulse_end(s->options.pulse);
    s->opened = s->rtl;
    if (!s->bank)
        goto fail;
    free(places);
    tiles_reset(&s->net);
    *ret = &s->net;
    return EC_OK;

fail:
    free(places);
    tiles_close(s ? &s->net : NULL);
    return ec_fail(reterr, code, "out of memory for a network of %u routers", t->nodes);
}
