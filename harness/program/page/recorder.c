/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: passes the observations of a watcher to the bins and the journeys. Must not know
 * how they store them. */
#include "page/recorder.h"

#include <stdlib.h>

#include "page/bins.h"
#include "page/journeys.h"

enum { CELLS = 2000000, PACKETS = 20000, HOPS = 300000, MEMORY = 8 << 20 };

struct ec_recorder {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    unsigned links, locals, vcs;
    uint32_t *feeder; /* [node * links + link] the channel that feeds this input */
    struct bins bins;
    struct journeys journeys;
    struct ec_recording result;
};

static size_t or_default(size_t value, size_t otherwise)
{
    return value ? value : otherwise;
}

/* --- Watching --------------------------------------------------------------------------------- */

static size_t channel_at(const struct ec_recorder *r, uint32_t node, unsigned port)
{
    return (size_t)node * r->bins.span + port;
}

/* The channel that ends at an input port, a link or a local one. */
static size_t fed_by(const struct ec_recorder *r, uint32_t node, unsigned port)
{
    return port < r->links ? r->feeder[(size_t)node * r->links + port] : channel_at(r, node, port);
}

/* The channel behind an output port: ejection comes after injection. */
static size_t leads_to(const struct ec_recorder *r, uint32_t node, unsigned port)
{
    return channel_at(r, node, port < r->links ? port : port + r->locals);
}

/* In a graph, each node of a router has a local port. */
static void begin_journey(struct ec_recorder *r, uint32_t router, unsigned local, uint64_t word,
                          uint64_t cycle)
{
    if (r->t->graph)
        journeys_inject(&r->journeys, ec_topology_first_node(r->t, router) + local, 0, word, cycle);
    else
        journeys_inject(&r->journeys, router, local, word, cycle);
}

/* Words that enter belong to the cycle seen; they are in their buffer in the next one. */
static void see_inputs(struct ec_recorder *r, const struct ec_net_seen *seen)
{
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        if (port >= r->links + r->locals)
            break;
        const size_t channel = fed_by(r, seen->node, port);
        if (port >= r->links) {
            bins_inject(&r->bins, channel, seen->cycle);
            if (ec_word_head(word))
                begin_journey(r, seen->node, port - r->links, word, seen->cycle);
        }
        bins_hold(&r->bins, channel, 1, seen->cycle + 1);
    }
}

static void see_outputs(struct ec_recorder *r, const struct ec_net_seen *seen)
{
    const uint64_t cycle = seen->cycle + 1;
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->out_word[port];
        if (port >= r->links + r->locals)
            break;
        bins_count(&r->bins, leads_to(r, seen->node, port), EC_RECORDED_FLITS, cycle);
        if (port < r->links && ec_word_head(word))
            journeys_hop(&r->journeys, port, word, cycle);
        else if (port >= r->links && ec_word_tail(word))
            journeys_deliver(&r->journeys, word, cycle);
    }
}

/* A front flit that does not move is counted at the channel that it wants. */
static void see_waiting(struct ec_recorder *r, const struct ec_net_seen *seen, unsigned vc,
                        uint64_t inputs, enum ec_recorded what)
{
    for (uint64_t left = inputs; left; left &= left - 1) {
        const unsigned from = (unsigned)__builtin_ctzll(left);
        const unsigned port = seen->want[from * r->vcs + vc];
        if (port < r->links + r->locals)
            bins_count(&r->bins, leads_to(r, seen->node, port), what, seen->cycle + 1);
    }
}

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct ec_recorder *r = context;
    bins_advance(&r->bins, seen->cycle + 1);
    see_inputs(r, seen);
    see_outputs(r, seen);
    for (unsigned vc = 0; vc < r->vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < r->links + r->locals)
                bins_hold(&r->bins, fed_by(r, seen->node, port), -1, seen->cycle + 1);
        }
        see_waiting(r, seen, vc, seen->contended[vc], EC_RECORDED_CONTENDED);
        see_waiting(r, seen, vc, seen->starved[vc] & ~seen->contended[vc], EC_RECORDED_STARVED);
    }
}

static void start_again(void *context)
{
    struct ec_recorder *r = context;
    bins_reset(&r->bins);
    journeys_reset(&r->journeys);
}

void ec_recorder_offer(void *context, const struct ec_offer *offer)
{
    struct ec_recorder *r = context;
    journeys_offer(&r->journeys, offer);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

static bool find_feeders(struct ec_recorder *r, const struct ec_topology *t)
{
    r->feeder = calloc((size_t)t->routers * r->links + 1, sizeof *r->feeder);
    if (!r->feeder)
        return false;
    for (uint32_t node = 0; node < t->routers; node++) {
        for (unsigned link = 0; link < r->links; link++) {
            const uint32_t from = ec_topology_neighbor(t, node, link);
            if (from != EC_NONE)
                r->feeder[(size_t)node * r->links + link] =
                    (uint32_t)channel_at(r, from, ec_topology_back(t, node, link));
        }
    }
    return true;
}

enum ec_code ec_recorder_open(const struct ec_topology *t, const struct ec_router *router,
                              const struct ec_recorder_options *options, struct ec_recorder **ret,
                              struct ec_error *reterr)
{
    const struct ec_recorder_options o = options ? *options : (struct ec_recorder_options){0};
    struct ec_recorder *r = calloc(1, sizeof *r);
    if (!r)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a recording");
    r->t = t;
    r->links = ec_topology_links(t);
    r->locals = ec_router_local_ports(router, t);
    r->vcs = router->vcs;
    if (!bins_open(&r->bins, t, router, or_default(o.cells, CELLS), or_default(o.memory, MEMORY)) ||
        !find_feeders(r, t) ||
        !journeys_open(&r->journeys, t, router, or_default(o.packets, PACKETS),
                       or_default(o.hops, HOPS))) {
        ec_recorder_close(r);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a recording of %u routers",
                       t->routers);
    }
    r->watch = (struct ec_net_watch){.router = see_router, .reset = start_again, .context = r};
    *ret = r;
    return EC_OK;
}

const struct ec_net_watch *ec_recorder_watch(struct ec_recorder *r)
{
    return &r->watch;
}

enum ec_code ec_recorder_finish(struct ec_recorder *r, const struct ec_recording **ret,
                                struct ec_error *reterr)
{
    if (!bins_finish(&r->bins, &r->result) || !journeys_finish(&r->journeys, &r->result))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the recording of a run");
    *ret = &r->result;
    return EC_OK;
}

void ec_recorder_close(struct ec_recorder *r)
{
    if (!r)
        return;
    bins_free_recording(&r->result);
    journeys_free_recording(&r->result);
    bins_close(&r->bins);
    if (r->journeys.t)
        journeys_close(&r->journeys);
    free(r->feeder);
    free(r);
}
