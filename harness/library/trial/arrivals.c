/* SPDX-License-Identifier: Apache-2.0 */
/* A router of a turn model may rely on the turns that its neighbours do not make: what they never
 * send it need not serve. A neighbour is asked with packets from its node, because no turn model
 * forbids them a port that it allows to packets from a link. What it was seen to send is legal in
 * every network of these routers; what it was not seen to send is unknown, and left out.
 *
 * Must not know how a router is judged. */
#include "trial/rig.h"

enum {
    TIMES = 4,   /* that a neighbour is asked, because it may draw lots */
    PACKETS = 8, /* each time, for each VC */
    STILL = 64,  /* cycles without movement that end this, ... */
    STUCK = 256, /* and that end the wait for its last words */
};

/* One cycle of a neighbour. The head that it shows on its link to here may come. False: it stands
 * still. */
static bool step(struct rig *n, const struct bench_traffic *traffic, uint64_t still,
                 struct bench_ways *ways)
{
    const struct bench *b = &n->bench;
    rig_step(n, traffic);
    const uint64_t word = n->io.out_word[traffic->open];
    const uint32_t dst = ec_word_dst(&b->layout, word);
    const bool shown = n->io.out_valid[0] >> traffic->open & 1 && ec_word_head(word);
    for (size_t k = 0; shown && k < ways->count; k++) {
        if (ways->at[k].dst == dst)
            ways->at[k].barred &= (uint8_t) ~(1U << ec_word_vc(word, b->vcs));
    }
    return !n->broken && b->now - b->moved_at < still;
}

/* The node of a neighbour sends packets of a way until they have come on all VCs or stand still.
 * Only the link has credits, or another port for a word. */
static void ask(struct rig *n, unsigned link, struct bench_ways *ways, const struct bench_way *w)
{
    struct bench *b = &n->bench;
    const uint32_t last = b->packets + PACKETS * b->vcs;
    /* A router that allocates VCs may use the last ones only while packets hold the others. */
    const bool hold = b->vcs > 1 && b->r.va == EC_VA_DYNAMIC;
    struct bench_traffic traffic = {.pause = hold ? 64 : 0,
                                    .port = BENCH_ANY,
                                    .vc = BENCH_ANY,
                                    .length = hold ? 0 : 1,
                                    .credits = BENCH_BLOCKED,
                                    .open = link};
    b->ways[b->links].at[0] = (struct bench_way){
        .src = ec_topology_address(b->t, b->node), .dst = w->dst, .out_port = w->out_port};
    b->moved_at = b->now;
    do
        traffic.send = b->words_in - b->credits_out < 2 * b->vcs ? 256 : 0;
    while (step(n, &traffic, STILL, ways) && w->barred && b->packets < last);
    traffic.send = 256;
    traffic.closed = true;
    b->moved_at = b->now;
    while (b->words_in > b->credits_out && step(n, &traffic, STUCK, ways))
        ;
}

static bool learn(struct rig *g, unsigned port, const struct ec_tile_place *places)
{
    const struct ec_topology *t = g->bench.t;
    struct bench_ways *ways = &g->bench.ways[port];
    struct rig *n = malloc(sizeof *n);
    const struct rig_options options = {
        .foreign = true, .seed = g->options.seed, .pulse = g->options.pulse};
    const bool good = n && rig_begin(n, g->shape, t, &g->bench.r, places,
                                     ec_topology_neighbor(t, g->bench.node, port), options);
    for (unsigned k = 0; good && k < n->bench.ports; k++)
        n->bench.ways[k].count = k == n->bench.links;
    for (size_t k = 0; k < ways->count; k++)
        ways->at[k].barred = (uint8_t)((1U << g->bench.vcs) - 1);
    for (size_t k = 0; good && !n->broken && k < TIMES * ways->count; k++) {
        if (ways->at[k % ways->count].barred)
            ask(n, ec_topology_reverse(t, port), ways, &ways->at[k % ways->count]);
    }
    if (n)
        rig_end(n);
    free(n);
    return good;
}

bool rig_learn_arrivals(struct rig *g, const struct ec_tile_place *places)
{
    struct bench *b = &g->bench;
    bool good = true;
    for (unsigned port = 0; port < b->links && good && !b->t->graph; port++)
        good = b->ways[port].count == 0 || learn(g, port, places);
    bench_bar(b);
    return good;
}
