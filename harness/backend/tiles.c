/* SPDX-License-Identifier: Apache-2.0 */
/* The tile network: one compiled router per node, links wired here. (Or a whole network in one
 * model, wired inside: then the wiring here serves the ledger and the watchers only.)
 *
 * Knows wiring, and what the ledger and the counters say in the end; a cycle is backend/cycle.c.
 * Knows nothing of messages, patterns or routes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/state.h"
#include "ecube/net.h"
#include "ecube/shape.h"
#include "ecube/tile.h"
#include "shape/tile_io.h"

/* A simulator that gave up stays as it is, and so does what it said. */
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

static void tiles_reset(struct ec_net *net)
{
    struct tiles *s = tiles_of(net);
    const size_t channels = (size_t)s->nodes * s->ports, ports = (size_t)s->nodes * s->locals;
    tiles_reset_bank(s);
    for (unsigned bank = 0; bank < 2; bank++) {
        memset(s->io[bank].in_valid, 0, s->nodes * sizeof *s->io[bank].in_valid);
        memset(s->io[bank].in_credit, 0, (size_t)s->nodes * s->vcs * sizeof *s->io[bank].in_credit);
        memset(s->awake[bank], 0, s->nodes * sizeof *s->awake[bank]);
    }
    memset(s->ledger, 0, channels * s->vcs * sizeof *s->ledger);
    memset(s->injected_ledger, 0, ports * s->vcs * sizeof *s->injected_ledger);
    memset(s->flits, 0, channels * sizeof *s->flits);
    memset(s->contended, 0, channels * sizeof *s->contended);
    memset(s->starved, 0, channels * sizeof *s->starved);
    memset(s->injected, 0, ports * sizeof *s->injected);
    tiles_vcs_reset(&s->vc_rule, s->net.numbered);
    s->fault = (struct ec_net_fault){0};
    s->net.moved = 0;
    s->net.in_flight = 0;
    s->net.cycle = 0;
    s->stepped = 0;
    if (s->watch && s->watch->reset)
        s->watch->reset(s->watch->context);
}

static void tiles_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct tiles *s = tiles_of(net);
    const uint64_t *wide[3] = {s->flits, s->contended, s->starved};
    const unsigned narrow = s->net_links + s->locals;
    for (unsigned k = 0; k < 3; k++) {
        for (uint32_t node = 0; node < s->nodes; node++) {
            uint64_t *to = s->compact[k] + (size_t)node * narrow;
            const uint64_t *from = wide[k] + (size_t)node * s->ports;
            memcpy(to, from, s->net_links * sizeof *to);
            memcpy(to + s->net_links, from + s->links, s->locals * sizeof *to);
        }
    }
    *ret = (struct ec_net_counters){.flits = s->compact[0],
                                    .injected = s->injected,
                                    .contended = s->compact[1],
                                    .starved = s->compact[2],
                                    .ports = narrow,
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

static bool tiles_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    const struct tiles *s = (const struct tiles *)net;
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned port = 0; port < s->ports; port++) {
            for (unsigned vc = 0; vc < s->vcs; vc++) {
                const bool local = port >= s->links && port - s->links < s->locals;
                unsigned out = s->ledger[((size_t)node * s->ports + port) * s->vcs + vc], in = 0;
                if (local)
                    in = s->injected_ledger[((size_t)node * s->locals + port - s->links) * s->vcs +
                                            vc];
                if (!out && !in)
                    continue;
                *ret_fault = (struct ec_net_fault){.found = true,
                                                   .cycle = s->net.cycle,
                                                   .node = node,
                                                   .port = ec_port_outside(&s->map, port),
                                                   .vc = vc};
                snprintf(ret_fault->what, sizeof ret_fault->what,
                         "%u of %u credits of %s never came back", out ? out : in, s->depth,
                         out ? "the output" : "the injection port");
                return false;
            }
        }
    }
    return true;
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

static bool allocate(struct tiles *s)
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
    for (unsigned k = 0; k < 3; k++)
        EC_NEW(s->compact[k], n * (s->net_links + s->locals));
#undef EC_NEW
    return tiles_vcs_open(&s->vc_rule, s->net.topology, s->net.router, s->links, s->ports) && ok;
}

static void wire(struct tiles *s)
{
    const struct ec_topology *t = s->net.topology;
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned port = 0; port < s->ports; port++) {
            const uint32_t to = port < s->net_links ? ec_topology_neighbor(t, node, port) : EC_NONE;
            const unsigned back = to == EC_NONE ? 0 : ec_topology_reverse(t, port);
            s->peers[(size_t)node * s->ports + port] =
                (struct peer){.node = to,
                              .channel = to == EC_NONE ? 0 : to * s->ports + back,
                              .bit = UINT64_C(1) << back};
        }
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
    if (!api->has_quiet)
        s->options.no_sleep = true;
    if (!allocate(s))
        goto fail;
    wire(s);
    ec_shape_places(t, r, &api->shape, places);
    tiles_listen(s);
    ec_net_pulse_begin(s->options.pulse, 0);
    s->bank = api->open(t->nodes, places, s->options.random_seed, NULL, &s->listener);
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
