/* SPDX-License-Identifier: Apache-2.0 */
/* A harness of your own: a token goes round a hypercube, from neighbour to neighbour along a Gray
 * code. The traffic (who sees the token sends it on) and the check (every step takes two cycles)
 * are made here; the network is ecube's RTL. docs/LIBRARY.md walks through it.
 *
 *   relay TOPOLOGY FILE.fst      for example: relay cube:4 relay.fst */
#include <inttypes.h>
#include <stdio.h>

#include <ecube/net.h>
#include <ecube/shape.h>
#include <ecube/wave.h>
#include <ecube/word.h>

enum { NODES_MAX = 64 };

static uint32_t gray(uint32_t step, uint32_t nodes)
{
    const uint32_t i = step & (nodes - 1);
    return i ^ i >> 1;
}

/* The cycle in which node 0 sees the token again; 0 if it went astray. */
static uint64_t relay(struct ec_net *net)
{
    struct ec_port_word sent, seen[NODES_MAX];
    struct ec_port_credit back, freed[NODES_MAX];
    struct ec_port_events in = {.words = &sent, .credits = &back, .word_count = 1};
    struct ec_port_events out = {.words = seen, .credits = freed};
    const uint32_t nodes = net->topology->nodes;
    uint32_t step = 0; /* the token is on its way from gray(step) to gray(step + 1) */
    sent = (struct ec_port_word){.word = ec_word_pack(true, true, 0, gray(1, nodes), 0, 0)};
    while (net->cycle < 2 * (uint64_t)nodes) {
        net->ops->step(net, &in, &out);
        in.word_count = in.credit_count = 0;
        if (out.word_count == 0)
            continue;
        const uint32_t here = seen[0].port; /* one local port per node: ports are nodes */
        if (out.word_count > 1 || here != gray(++step, nodes) ||
            ec_word_data(seen[0].word) != step - 1)
            return 0;
        if (step == nodes)
            return net->cycle + 1; /* what step c leaves behind is seen in cycle c + 1 */
        sent.port = here;
        sent.word = ec_word_pack(true, true, 0, gray(step + 1, nodes), here, step);
        back = (struct ec_port_credit){.port = here}; /* its place in the router is free again */
        in.word_count = in.credit_count = 1;
    }
    return 0;
}

/* Relay under observation: a wave of the first four routers of the way. */
static enum ec_code observe(struct ec_net *net, const struct ec_tile_shape *tile, const char *file,
                            uint64_t *ret, struct ec_error *e)
{
    const struct ec_shape_options with_waves = {.traced = true};
    struct ec_shape *traced = NULL;
    struct ec_wave *wave = NULL;
    struct ec_wave_summary summary;
    uint32_t way[4] = {0, 1, 3, 2};
    const struct ec_node_set nodes = {way, net->topology->nodes < 4 ? 2 : 4};
    const struct ec_wave_options options = {.path = file, .nodes = &nodes, .cycles = {1, 12}};
    enum ec_code code = ec_shape_open(tile, &with_waves, &traced, e);
    if (code == EC_OK)
        code = ec_wave_open(net->topology, net->router, traced, &options, &wave, e);
    if (code == EC_OK) {
        net->ops->watch(net, ec_wave_watch(wave));
        *ret = relay(net);
        net->ops->watch(net, NULL);
        code = ec_wave_finish(wave, &summary, e);
    }
    ec_wave_close(wave);
    ec_shape_close(traced);
    return code;
}

int main(int argc, char **argv)
{
    struct ec_topology topology;
    struct ec_router router;
    struct ec_tile_shape tile;
    struct ec_shape *shape = NULL;
    struct ec_net *net = NULL;
    struct ec_error e = {.code = EC_OK};
    uint64_t cycle = 0;
    enum ec_code code = ec_topology_parse(argc == 3 ? argv[1] : "", &topology, &e);
    if (code == EC_OK && (topology.kind != EC_CUBE || topology.nodes > NODES_MAX))
        code = ec_fail(&e, EC_USAGE, "expected cube:1 to cube:6");
    if (code == EC_OK)
        code = ec_router_parse("vcs=1,depth=4,ports=one", &topology, &router, &e);
    if (code == EC_OK)
        code = ec_router_set_packet(&router, 0, 1, &e); /* packets of one word */
    if (code == EC_OK)
        code = ec_shape_choose(&topology, &router, &tile, &e);
    if (code == EC_OK)
        code = ec_shape_open(&tile, NULL, &shape, &e); /* compiled, unless the cache has it */
    if (code == EC_OK)
        code = ec_tiles_open(&topology, &router, shape, NULL, &net, &e);
    if (code == EC_OK)
        code = observe(net, &tile, argv[2], &cycle, &e);
    if (code != EC_OK)
        fprintf(stderr, "relay: %s\n", e.message);
    else
        printf("%" PRIu32 " steps, back in cycle %" PRIu64 ", expected %" PRIu32 "\n",
               topology.nodes, cycle, 2 * topology.nodes + 1);
    if (net)
        net->ops->close(net);
    ec_shape_close(shape);
    return code != EC_OK || cycle != 2 * (uint64_t)topology.nodes + 1;
}
