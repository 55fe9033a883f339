/* SPDX-License-Identifier: Apache-2.0 */
/* A harness of your own: a token goes round a hypercube, from neighbour to neighbour along a Gray
 * code. The traffic (who sees the token sends it on) and the check (every step takes two cycles)
 * are made here; the network is ecube's RTL. docs/LIBRARY.md walks through it.
 *
 *   relay cube:4 relay.fst */
#include <inttypes.h>
#include <stdio.h>

#include <ecube/session.h>
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
    struct ec_port_word sent, seen[NODES_MAX] = {0};
    struct ec_port_credit back, freed[NODES_MAX];
    struct ec_port_events in = {.words = &sent, .credits = &back, .word_count = 1};
    struct ec_port_events out = {.words = seen, .credits = freed};
    const uint32_t nodes = net->topology->nodes;
    uint32_t step = 0; /* the token is on its way from gray(step) to gray(step + 1) */
    const struct ec_word_layout l = ec_word_layout(net->topology->address_bits, net->router->vcs);
    sent = (struct ec_port_word){.word = ec_word_pack(&l, true, true, 0, gray(1, nodes), 0, 0)};
    while (net->cycle < 2 * (uint64_t)nodes) {
        net->ops->step(net, &in, &out);
        in.word_count = in.credit_count = out.word_count;
        if (out.word_count == 0)
            continue;
        const uint32_t here = seen[0].port; /* one local port per node: ports are nodes */
        if (out.word_count > 1 || here != gray(++step, nodes))
            return 0;
        if (step == nodes)
            return net->cycle + 1; /* what step c leaves behind is seen in cycle c + 1 */
        sent.port = back.port =
            here; /* the token moves on, its place in the router is free again */
        sent.word = ec_word_pack(&l, true, true, 0, gray(step + 1, nodes), here, step);
        back.vc = 0;
    }
    return 0;
}

/* The relay on a hypercube, with a wave of the first four routers for the first twelve cycles. */
static enum ec_code relay_on(struct ec_session *session, const char *topology, const char *dump,
                             uint64_t *ret_back, uint64_t *ret_expected, struct ec_error *e)
{
    struct ec_case_spec spec = ec_case_spec_default();
    uint32_t way[] = {0, 1, 3, 2};
    const struct ec_node_set nodes = {way, 4};
    const struct ec_wave_options options = {.path = dump, .nodes = &nodes, .cycles = {1, 12}};
    struct ec_wave_summary summary;
    struct ec_wave *wave = NULL;
    struct ec_case *c = NULL;
    struct ec_net *net;
    spec.topology = topology;
    spec.router = "vcs=1,ports=one";
    enum ec_code code = ec_case_open(session, &spec, &c, e);
    if (code == EC_OK &&
        (c->topology.kind != EC_CUBE || c->topology.dims < 2 || c->topology.nodes > NODES_MAX))
        code = ec_fail(e, EC_USAGE, "expected cube:2 to cube:6");
    if (code == EC_OK)
        code = ec_case_net(c, &net, e);
    if (code == EC_OK)
        code = ec_case_wave(c, &options, &wave, e);
    if (code == EC_OK) {
        net->ops->watch(net, ec_wave_watch(wave));
        *ret_back = relay(net);
        *ret_expected = 2 * (uint64_t)c->topology.nodes + 1;
        code = ec_wave_finish(wave, &summary, e);
        net->ops->watch(net, NULL);
    }
    ec_wave_close(wave);
    ec_case_close(c);
    return code;
}

int main(int argc, char **argv)
{
    struct ec_session *session = NULL;
    struct ec_error e;
    uint64_t back = 0, expected = 0;
    enum ec_code code = ec_session_open(NULL, &session, &e);
    if (code == EC_OK)
        code = relay_on(session, argc > 1 ? argv[1] : "cube:4", argc == 3 ? argv[2] : "relay.fst",
                        &back, &expected, &e);
    if (code == EC_OK)
        printf("back in cycle %" PRIu64 ", expected %" PRIu64 "\n", back, expected);
    else
        fprintf(stderr, "relay: %s\n", e.message);
    ec_session_close(session);
    return code != EC_OK || back != expected;
}
