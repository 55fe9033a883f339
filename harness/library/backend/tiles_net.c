/* SPDX-License-Identifier: Apache-2.0 */
/* The tile network between cycles: reset, counters, faults, and whether it is drained.
 *
 * Knows wiring, credits and the ledger. Must not know how a cycle is stepped. */
#include <stdio.h>
#include <string.h>

#include "backend/tiles.h"

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
    ec_arrays_clear(&s->traffic);
    tiles_links_reset(&s->on_links);
    border_reset(&s->border);
}

void tiles_reset(struct ec_net *net)
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
    s->id_count = 0;
    s->loaded = false;
    fabric_reset(s);
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

/* Words that nodes sent, by the ports of own nodes: in a graph they are numbered by routers. */
static const uint64_t *entered(struct tiles *s)
{
    if (!s->entered)
        return s->injected;
    for (uint32_t router = 0; router < s->nodes; router++) {
        const uint32_t first = s->first_port[router], end = s->first_port[router + 1];
        memcpy(&s->entered[first - s->first_port[0]], &s->injected[(size_t)router * s->locals],
               (end - first) * sizeof *s->entered);
    }
    return s->entered;
}

static void tiles_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct tiles *s = tiles_of(net);
    fabric_count(s);
    *ret = (struct ec_net_counters){.flits = compact(s, 0, s->flits),
                                    .injected = entered(s),
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
    return v->follows && v->unknown == 0;
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
    ret_fault->node = s->own[x->node];
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
    if (on_the_way(s, &fault) || border_on_the_way(s, &fault)) {
        *ret_fault = fault;
        return false;
    }
    if (s->in_fabric)
        fabric_show(s, !s->turn);
    uint32_t node = 0;
    while (node < s->nodes && !owed(s, node, &fault))
        node++;
    if (node == s->nodes) { /* all credits are back, or on their last wire */
        node = 0;
        while (node < s->nodes && !untaken(s, node, &fault))
            node++;
    }
    if (node == s->nodes)
        return true;
    fault.node = s->own[node];
    *ret_fault = fault;
    return false;
}

static void tiles_watch(struct ec_net *net, const struct ec_net_watch *watch)
{
    struct tiles *s = tiles_of(net);
    s->watch = watch;
    if (watch)
        fabric_leave(s);
}

#define TILES_OPS(backend)                                                                         \
    {                                                                                              \
        .name = (backend), .reset = tiles_reset, .step = tiles_step, .counters = tiles_counters,   \
        .fault = tiles_fault, .drained = tiles_drained, .checked_vcs = tiles_checked_vcs,          \
        .watch = tiles_watch, .close = tiles_close, .state = tiles_state, .track = tiles_track,    \
    }
const struct ec_net_ops tiles_ops = TILES_OPS("tiles"), flat_ops = TILES_OPS("flat");
