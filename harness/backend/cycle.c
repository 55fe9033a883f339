/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of the tile network: take what the nodes put on their ports, step the routers that are
 * awake, and bring what they show to where it arrives in the next cycle.
 *
 * Knows words, credits, the ledger and the counters; nothing of how the links came to be wired.
 * Because router outputs are functions of registers only, what a router shows after its step is the
 * input of its neighbours in the next cycle: two input banks, used in turn, and one pass over the
 * routers that are awake. A router that is quiet and gets no input keeps its state, so it is not
 * stepped. */
#include <stdio.h>
#include <string.h>

#include "backend/show.h"
#include "backend/state.h"
#include "base/rng.h"
#include "ecube/word.h"

static void note_fault(struct tiles *s, uint64_t cycle, uint32_t node, unsigned port, unsigned vc,
                       const char *what)
{
    if (s->fault.found)
        return;
    s->fault =
        (struct ec_net_fault){.found = true, .cycle = cycle, .node = node, .port = port, .vc = vc};
    snprintf(s->fault.what, sizeof s->fault.what, "%s", what);
}

/* Out of line: a sound network never comes here. */
static __attribute__((noinline, cold)) void note_wrong_vc(struct tiles *s, uint32_t node,
                                                          unsigned port, unsigned vc, uint64_t word)
{
    char what[sizeof s->fault.what];
    if (s->fault.found)
        return;
    tiles_vcs_explain(&s->vc_rule, (size_t)node * s->ports + port, vc, word, what, sizeof what);
    note_fault(s, s->net.cycle + 1, node, ec_port_outside(&s->map, port), vc, what);
    s->fault.kind = EC_FAULT_VC;
}

static void enter_from_node(struct tiles *s, uint32_t node, unsigned port, unsigned vc,
                            uint64_t word)
{
    if (!s->vc_rule.follows || tiles_vcs_enter(&s->vc_rule, vc, word) || s->fault.found)
        return;
    note_fault(s, s->net.cycle, node, ec_port_outside(&s->map, port), vc,
               "a node sent on class 1: expected class 0");
    s->fault.kind = EC_FAULT_VC;
}

static void wake(struct tiles *s, unsigned bank, uint32_t node)
{
    s->awake[bank][node] = true;
}

static void accept_from_nodes(struct tiles *s, const struct ec_port_events *in)
{
    const unsigned bank = s->net.cycle & 1;
    struct ec_tile_io *io = &s->io[bank];
    for (size_t i = 0; i < in->word_count; i++) {
        const uint32_t at = in->words[i].port;
        const uint32_t node = s->local_node[at];
        const unsigned local = at - node * s->locals, port = s->links + local;
        const unsigned vc = ec_word_vc(in->words[i].word) & (s->vcs - 1);
        io->in_word[(size_t)node * s->ports + port] = in->words[i].word;
        io->in_valid[node] |= UINT64_C(1) << port;
        wake(s, bank, node);
        s->injected[at]++;
        enter_from_node(s, node, port, vc, in->words[i].word);
        if (++s->injected_ledger[(size_t)at * s->vcs + vc] > s->depth)
            note_fault(s, s->net.cycle, node, ec_port_outside(&s->map, port), vc,
                       "a node sent without a credit");
    }
    for (size_t i = 0; i < in->credit_count; i++) {
        const uint32_t at = in->credits[i].port;
        const uint32_t node = s->local_node[at];
        const unsigned port = s->links + (at - node * s->locals), vc = in->credits[i].vc;
        io->in_credit[(size_t)node * s->vcs + vc] |= UINT64_C(1) << port;
        wake(s, bank, node);
        s->ledger[((size_t)node * s->ports + port) * s->vcs + vc]--;
    }
    s->net.in_flight += in->word_count;
    s->net.moved += in->word_count;
}

/* The routers of this cycle, in ascending order unless a shuffle is asked for. */
static size_t collect_awake(struct tiles *s)
{
    bool *awake = s->awake[s->net.cycle & 1];
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

/* Where a router's words go. The outputs of cycle c + 1 are the inputs of the step of that cycle.
 */
static inline __attribute__((always_inline)) void
send_words(struct tiles *s, const struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
           unsigned vcs, struct ec_port_events *out)
{
    const unsigned links = s->links, locals = s->locals, depth = s->depth;
    const bool follow = vcs > 1 && s->vc_rule.follows;
    const size_t first = (size_t)node * s->ports;
    bool *awake = s->awake[~s->net.cycle & 1];
    size_t ejected = 0, moved = 0;
    for (uint64_t left = now->out_valid[node]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const size_t channel = first + port;
        const uint64_t word = now->out_word[channel];
        const unsigned vc = ec_word_vc(word) & (vcs - 1);
        moved++;
        s->flits[channel]++;
        if (follow) {
            if (__builtin_expect(!tiles_vcs_right(&s->vc_rule, channel, vc, word, vcs), false))
                note_wrong_vc(s, node, port, vc, word);
            tiles_vcs_pass(&s->vc_rule, channel, vc, word, vcs, port >= links);
        }
        if (++s->ledger[channel * vcs + vc] > depth)
            note_fault(s, s->net.cycle + 1, node, ec_port_outside(&s->map, port), vc,
                       "a word was sent without a credit");
        const struct peer *to = &s->peers[channel];
        if (to->node != EC_NONE) {
            next->in_word[to->channel] = word;
            next->in_valid[to->node] |= to->bit;
            awake[to->node] = true;
        } else if (port >= links && port < links + locals) {
            out->words[out->word_count + ejected++] =
                (struct ec_port_word){.port = node * locals + (port - links), .word = word};
        } else {
            note_fault(s, s->net.cycle + 1, node, ec_port_outside(&s->map, port), vc,
                       "a word was sent where there is no link");
        }
    }
    out->word_count += ejected;
    s->net.in_flight -= ejected;
    s->net.moved += moved;
}

static inline __attribute__((always_inline)) void
send_credits(struct tiles *s, const struct ec_tile_io *now, struct ec_tile_io *next, uint32_t node,
             unsigned vcs, struct ec_port_events *out)
{
    const unsigned links = s->links, locals = s->locals;
    bool *awake = s->awake[~s->net.cycle & 1];
    for (unsigned vc = 0; vc < vcs; vc++) {
        uint64_t left = now->out_credit[(size_t)node * vcs + vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const struct peer *to = &s->peers[(size_t)node * s->ports + port];
            uint16_t *ledger;
            if (to->node != EC_NONE) {
                ledger = &s->ledger[(size_t)to->channel * vcs + vc];
                next->in_credit[(size_t)to->node * vcs + vc] |= to->bit;
                awake[to->node] = true;
            } else if (port >= links && port < links + locals) {
                const uint32_t at = node * locals + (port - links);
                ledger = &s->injected_ledger[(size_t)at * vcs + vc];
                out->credits[out->credit_count++] = (struct ec_port_credit){.port = at, .vc = vc};
            } else {
                note_fault(s, s->net.cycle + 1, node, ec_port_outside(&s->map, port), vc,
                           "a credit was sent where there is no link");
                continue;
            }
            if ((*ledger)-- == 0)
                note_fault(s, s->net.cycle + 1, node, ec_port_outside(&s->map, port), vc,
                           "a credit too many was returned");
        }
    }
}

/* Front flits that did not move, by the port that they ask for. */
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
            if (port < s->ports) /* a foreign router may show anything */
                counters[channels + port]++;
        }
    }
}

/* Everything one router shows after its step. `vcs` is a constant where this is inlined: the
 * arithmetic of the indices is a good part of the work. */
static inline __attribute__((always_inline)) void show(struct tiles *s, struct ec_tile_io *now,
                                                       struct ec_tile_io *next, uint32_t node,
                                                       unsigned vcs, struct ec_port_events *out)
{
    now->in_valid[node] = 0;
    for (unsigned vc = 0; vc < vcs; vc++)
        now->in_credit[(size_t)node * vcs + vc] = 0;
    send_words(s, now, next, node, vcs, out);
    send_credits(s, now, next, node, vcs, out);
    count_taps(s, now, node, vcs);
    if (!now->quiet[node])
        wake(s, ~s->net.cycle & 1, node);
}

static inline __attribute__((always_inline)) void show_all(struct tiles *s, struct ec_tile_io *now,
                                                           struct ec_tile_io *next, size_t count,
                                                           unsigned vcs, struct ec_port_events *out)
{
    for (size_t i = 0; i < count; i++)
        show(s, now, next, s->ids[i], vcs, out);
}

void tiles_step(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out)
{
    struct tiles *s = tiles_of(net);
    s->net.cycle++;
    out->word_count = 0;
    out->credit_count = 0;
    accept_from_nodes(s, in);
    const size_t count = collect_awake(s);
    struct ec_tile_io *now = &s->io[s->net.cycle & 1], *next = &s->io[~s->net.cycle & 1];
    ec_net_pulse_begin(s->options.pulse, s->net.cycle);
    s->api->step(s->bank, now, s->ids, count);
    ec_net_pulse_end(s->options.pulse);
    s->stepped += count;
    if (s->rtl.broken) /* what the routers show now means nothing */
        return;
    if (s->watch)
        tiles_show(
            &(struct tiles_view){
                .cycle = s->net.cycle, .now = now, .map = s->map, .ports = s->ports, .vcs = s->vcs},
            s->watch, s->ids, count);
    switch (s->vcs) { /* EC_VCS_MAX is 4 */
    case 1:
        show_all(s, now, next, count, 1, out);
        break;
    case 2:
        show_all(s, now, next, count, 2, out);
        break;
    default:
        show_all(s, now, next, count, 4, out);
        break;
    }
}
