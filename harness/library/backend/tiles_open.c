/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a tile network: memory, wiring, the bank, and the messages of its RTL.
 *
 * Knows the topology and the places of routers. Must not know words or credits. */
#include <stdio.h>
#include <stdlib.h>

#include "backend/tiles.h"
#include "ecube/shape.h"

/* --- Messages of the RTL ---------------------------------------------------------------------- */

/* Does the message count against the RTL? */
static bool counts(const struct tiles *s, enum ec_rtl_event event)
{
    switch (event) {
    case EC_RTL_TEXT:
        return false;
    case EC_RTL_ERROR:
        return !s->resetting; /* before the end of reset, registers may hold anything */
    case EC_RTL_REFUSED:
    case EC_RTL_FINISH:
    case EC_RTL_BROKEN:
        break;
    }
    return true;
}

static void note_message(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct tiles *s = context;
    const uint32_t node = router < s->net.topology->routers ? router : EC_NONE;
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
    s->options.pulse->nodes = s->net.topology->routers; /* a limit of time depends on it */
    s->net.pulse = s->options.pulse;
    s->listener = (struct ec_tile_listener){
        .said = note_message, .context = s, .router = &s->options.pulse->router};
    s->net.rtl = &s->rtl;
    s->resetting = true;
}

/* --- Opening ---------------------------------------------------------------------------------- */

void tiles_close(struct ec_net *net)
{
    if (!net)
        return;
    struct tiles *s = tiles_of(net);
    if (s->fabric)
        s->fabric_api->close(s->fabric);
    if (s->bank)
        s->api->close(s->bank);
    tiles_vcs_close(&s->vc_rule);
    tiles_links_close(&s->on_links);
    border_close(&s->border);
    ec_arrays_free(&s->arrays);
    ec_arrays_free(&s->traffic);
    free(s);
}

/* Which nodes are here. */
struct owners {
    const struct ec_partition *cut; /* of routers; NULL: all of them */
    uint32_t part;
};

/* Local ports of the whole network. */
static size_t port_count(const struct tiles *s)
{
    const struct ec_topology *t = s->net.topology;
    return (size_t)t->nodes * ec_router_locals(s->net.router, t);
}

static bool allocate_tiles(struct tiles *s)
{
    const size_t n = s->nodes, channels = n * s->ports, locals = n * s->locals, vcs = s->vcs;
    const unsigned ports = s->net_links + s->locals;
    struct ec_arrays *const all = &s->arrays, *const traffic = &s->traffic;
    for (unsigned bank = 0; bank < 2; bank++) {
        ec_tile_io_inputs(traffic, &s->io[bank], n, s->ports, s->vcs);
        EC_ARRAY(traffic, s->awake[bank], n + 7);
    }
    EC_ARRAY(traffic, s->ledger, channels * vcs);
    EC_ARRAY(traffic, s->injected_ledger, locals * vcs);
    EC_ARRAY(traffic, s->flits, channels);
    EC_ARRAY(traffic, s->contended, channels);
    EC_ARRAY(traffic, s->starved, channels);
    EC_ARRAY(traffic, s->injected, locals);
    ec_tile_io_outputs(all, &s->io[0], n, s->ports, s->vcs);
    EC_ARRAY(all, s->peers, channels);
    EC_ARRAY(all, s->own, n);
    EC_ARRAY(all, s->first_port, n + 1);
    EC_ARRAY(all, s->router_of, port_count(s)); /* own pages only */
    if (s->net.topology->graph) {
        EC_ARRAY(all, s->backs, channels);
        EC_ARRAY(all, s->entered, s->net.topology->nodes);
        EC_ARRAY(all, s->inside, s->net.topology->routers);
        if (s->net.topology->graph->delays)
            EC_ARRAY(all, s->delays, channels);
    }
    EC_ARRAY(all, s->ids, n + 1);
    for (unsigned k = 0; s->ports != ports && k < 3; k++)
        EC_ARRAY(all, s->compact[k], n * ports);
    struct ec_tile_io shared = s->io[0];
    shared.in_word = s->io[1].in_word;
    shared.in_valid = s->io[1].in_valid;
    shared.in_credit = s->io[1].in_credit;
    s->io[1] = shared;
    return !all->memory_short && !traffic->memory_short;
}

/* Own routers are numbered in ascending order of their nodes. */
static void number_routers(struct tiles *s, const uint32_t *nodes)
{
    const struct ec_topology *t = s->net.topology;
    for (uint32_t router = 0; router < s->nodes; router++) {
        const uint32_t node = nodes ? nodes[router] : router;
        s->own[router] = node;
        if (s->inside)
            s->inside[node] = router;
        s->first_port[router] = t->graph ? t->graph->first_node[node] : node * s->locals;
        const uint32_t end =
            t->graph ? t->graph->first_node[node + 1] : s->first_port[router] + s->locals;
        for (uint32_t port = s->first_port[router]; port < end; port++)
            s->router_of[port] = router;
        s->first_port[router + 1] = end;
    }
}

/* What stands in peers[] for a port that leads to this node of the whole network. */
static uint32_t peer_for(struct tiles *s, const struct owners *o, uint32_t node, unsigned back,
                         unsigned delay)
{
    if (node == EC_NONE)
        return EC_NONE;
    if (!o->cut || o->cut->part_of[node] == o->part)
        return tiles_inside(s, node);
    return s->nodes + border_add(&s->border, o->cut->part_of[node],
                                 node * (s->net_links + s->locals) + back, delay);
}

static bool wire(struct tiles *s, const struct owners *o)
{
    const struct ec_topology *t = s->net.topology;
    number_routers(s, o->cut ? o->cut->node + o->cut->first[o->part] : NULL);
    if ((o->cut || s->delays) && !border_open(&s->border, o->cut, o->part, s->on_links.delay))
        return false;
    for (unsigned port = 0; !s->backs && port < s->net_links; port++)
        s->back[port] = (uint8_t)ec_topology_reverse(t, port);
    for (uint32_t router = 0; router < s->nodes; router++) {
        const uint32_t node = s->own[router];
        for (unsigned port = 0; port < s->ports; port++) {
            const uint32_t far =
                port < s->net_links ? ec_topology_neighbor(t, node, port) : EC_NONE;
            const size_t channel = (size_t)router * s->ports + port;
            const unsigned delay =
                far == EC_NONE ? 0 : ec_topology_delay(t, node, port, s->on_links.delay);
            if (s->backs && far != EC_NONE)
                s->backs[channel] = (uint8_t)ec_topology_back(t, node, port);
            if (s->delays)
                s->delays[channel] = (uint8_t)delay;
            s->peers[channel] =
                peer_for(s, o, far, s->backs ? s->backs[channel] : s->back[port], delay);
        }
    }
    return !s->border.memory_short &&
           tiles_vcs_open(&s->vc_rule, t, s->net.router, s->own, s->nodes, s->links, s->ports);
}

static struct ec_tile_bank *open_bank(struct tiles *s, struct ec_shape *shape)
{
    struct ec_tile_place *places = calloc(s->nodes, sizeof *places);
    if (!places)
        return NULL;
    for (uint32_t router = 0; router < s->nodes; router++)
        places[router] =
            ec_shape_place(s->net.topology, s->net.router, &s->api->shape, s->own[router]);
    uint8_t *tables;
    if (!ec_shape_tables(s->net.topology, s->net.router, &s->api->shape, s->own, s->nodes, places,
                         &tables)) {
        free(places);
        return NULL;
    }
    listen_to_rtl(s);
    s->rtl.mute = ec_shape_mute(shape);
    ec_net_pulse_begin(s->options.pulse, 0);
    struct ec_tile_bank *bank =
        ec_shape_bank(shape, s->nodes, places, s->own, s->options.random_seed, NULL, &s->listener);
    ec_net_pulse_end(s->options.pulse);
    s->opened = s->rtl;
    free(tables);
    free(places);
    return bank;
}

static struct tiles *new_tiles(const struct ec_topology *t, const struct ec_router *r,
                               const struct ec_tile_api *api,
                               const struct ec_tiles_options *options, uint32_t nodes)
{
    struct tiles *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->net = (struct ec_net){.ops = api->wired ? &flat_ops : &tiles_ops,
                             .topology = t,
                             .router = r,
                             .has_taps = api->has_taps};
    s->api = api;
    if (options)
        s->options = *options;
    s->net.foreign = s->options.foreign;
    s->nodes = nodes;
    s->links = ec_tile_shape_links(&api->shape);
    s->ports = s->links + api->shape.locals;
    s->vcs = api->shape.vcs;
    s->net_links = ec_topology_links(t);
    s->locals = ec_router_local_ports(r, t);
    s->map = ec_port_map_of(&api->shape, t, r);
    s->depth = r->depth;
    s->on_links.delay = r->link;
    if (!api->has_quiet)
        s->options.no_sleep = true;
    return s;
}

static enum ec_code open_tiles(const struct ec_topology *t, const struct ec_router *r,
                               struct ec_shape *shape, const struct ec_tiles_options *options,
                               const struct owners *o, struct ec_net **ret, struct ec_error *reterr)
{
    const uint32_t nodes =
        o->cut ? o->cut->first[o->part + 1] - o->cut->first[o->part] : t->routers;
    struct tiles *s = new_tiles(t, r, ec_shape_api(shape), options, nodes);
    if (s)
        s->shape = shape;
    if (!s || !allocate_tiles(s) || !wire(s, o) || !(s->bank = open_bank(s, shape)) ||
        !fabric_open(s, shape)) {
        tiles_close(s ? &s->net : NULL);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a network of %u routers", nodes);
    }
    tiles_reset(&s->net);
    *ret = &s->net;
    return EC_OK;
}

enum ec_code ec_tiles_open(const struct ec_topology *t, const struct ec_router *r,
                           struct ec_shape *shape, const struct ec_tiles_options *options,
                           struct ec_net **ret, struct ec_error *reterr)
{
    return open_tiles(t, r, shape, options, &(struct owners){0}, ret, reterr);
}

enum ec_code tiles_open_part(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_shape *shape, const struct ec_tiles_options *options,
                             const struct ec_partition *partition, uint32_t part,
                             struct ec_net **ret, struct ec_error *reterr)
{
    return open_tiles(t, r, shape, options, &(struct owners){partition->routers, part}, ret,
                      reterr);
}
