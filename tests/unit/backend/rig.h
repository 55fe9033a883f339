/* SPDX-License-Identifier: Apache-2.0 */
/* A tile network without RTL: a bank of routers whose outputs a test sets and whose inputs it
 * reads. Links are computed here, from the contract, section 4. */
#ifndef EC_UNIT_RIG_H
#define EC_UNIT_RIG_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/net.h"
#include "ecube/word.h"
#include "shape_wraps.h"

/* --- A bank of routers without a mind ------------------------------------------------------- */

#ifndef RIG_NODES
#define RIG_NODES 128
#endif
enum { NODES_MAX = RIG_NODES, DEPTH = 3 };

/* What a router shows after its next step, then no more; it is quiet unless `busy`. */
struct shown {
    uint64_t word[EC_TILE_PORTS_MAX], valid, credit[EC_VCS_MAX];
    uint64_t contended[EC_VCS_MAX], starved[EC_VCS_MAX];
    uint8_t want[EC_TILE_PORTS_MAX * EC_VCS_MAX];
    bool busy;
};

/* What a router got in the latest step. */
struct got {
    unsigned steps; /* 0: it slept */
    uint64_t word[EC_TILE_PORTS_MAX], valid, credit[EC_VCS_MAX];
};

struct ec_tile_bank {
    struct ec_tile_api api;
    size_t routers;
    unsigned ports, vcs, resets;
    struct shown show[NODES_MAX];
    struct got got[NODES_MAX];
    uint32_t order[NODES_MAX]; /* of the latest step */
    size_t count;
    const struct ec_tile_listener *listener;
};

static struct ec_tile_bank bank;

static inline struct ec_tile_bank *open_bank(size_t routers, const struct ec_tile_place *places,
                                             const uint32_t *numbers, uint32_t random_seed,
                                             const char *const *names,
                                             const struct ec_tile_listener *listener)
{
    (void)places, (void)numbers, (void)random_seed, (void)names;
    assert_between(routers, 1, NODES_MAX);
    bank.routers = routers;
    bank.listener = listener;
    return &bank;
}

static inline void reset_bank(struct ec_tile_bank *b)
{
    b->resets++;
}

/* Router `id` of `io` shows and gets what is meant for router `node`. */
static inline void step_router(struct ec_tile_bank *b, const struct ec_tile_io *io, uint32_t id,
                               uint32_t node)
{
    struct shown *show = &b->show[node];
    struct got *got = &b->got[node];
    const size_t word = (size_t)id * b->ports, vc = (size_t)id * b->vcs;
    got->steps++;
    got->valid = io->in_valid[id];
    memcpy(got->word, io->in_word + word, b->ports * sizeof *got->word);
    memcpy(got->credit, io->in_credit + vc, b->vcs * sizeof *got->credit);
    io->out_valid[id] = show->valid;
    memcpy(io->out_word + word, show->word, b->ports * sizeof *show->word);
    memcpy(io->out_credit + vc, show->credit, b->vcs * sizeof *show->credit);
    memcpy(io->contended + vc, show->contended, b->vcs * sizeof *show->contended);
    memcpy(io->starved + vc, show->starved, b->vcs * sizeof *show->starved);
    memcpy(io->want + word * b->vcs, show->want, b->ports * b->vcs * sizeof *show->want);
    io->quiet[id] = !show->busy;
    *show = (struct shown){0};
}

static inline void step_bank(struct ec_tile_bank *b, const struct ec_tile_io *io,
                             const uint32_t *ids, size_t count)
{
    memset(b->got, 0, sizeof b->got);
    assert_between(count, 0, b->routers);
    memcpy(b->order, ids, count * sizeof *ids);
    b->count = count;
    for (size_t i = 0; i < count; i++)
        step_router(b, io, ids[i], ids[i]);
}

static inline void close_bank(struct ec_tile_bank *b)
{
    (void)b;
}

/* The linker puts these in place of the library's own: a shape is the bank's interface here. */
const struct ec_tile_api *__wrap_ec_shape_api(const struct ec_shape *shape)
{
    (void)shape;
    return &bank.api;
}

struct ec_tile_bank *__wrap_ec_shape_bank(const struct ec_shape *shape, size_t routers,
                                          const struct ec_tile_place *places,
                                          const uint32_t *numbers, uint32_t random_seed,
                                          const char *const *names,
                                          const struct ec_tile_listener *listener)
{
    (void)shape;
    return bank.api.open(routers, places, numbers, random_seed, names, listener);
}

/* --- A network of them ---------------------------------------------------------------------- */

struct rig {
    struct ec_topology t;
    struct ec_router r;
    struct ec_net *net;
    unsigned links, net_links, locals, vcs; /* links: of the shape */
    struct ec_port_word in_words[NODES_MAX * 8], out_words[NODES_MAX * 8];
    struct ec_port_credit in_credits[NODES_MAX * 32], out_credits[NODES_MAX * 32];
    struct ec_port_events in, out;
};

/* A topology, and a bank of routers for `dims` dimensions. */
static inline void rig_prepare(struct rig *g, const char *topology, const char *router,
                               unsigned dims)
{
    *g = (struct rig){.t = topology_of(topology)};
    g->r = router_of(router, &g->t);
    g->r.depth = DEPTH;
    g->r.packet = DEPTH;
    g->net_links = ec_topology_links(&g->t);
    g->links = dims * g->t.links_per_dim;
    g->locals = ec_router_locals(&g->r, &g->t);
    g->vcs = g->r.vcs;
    memset(&bank, 0, sizeof bank);
    bank.api = (struct ec_tile_api){.abi = EC_TILE_ABI,
                                    .shape = {.dims = dims,
                                              .links_per_dim = g->t.links_per_dim,
                                              .locals = g->locals > 1 ? g->links : 1,
                                              .vcs = g->vcs,
                                              .depth_max = 4},
                                    .has_taps = true,
                                    .has_quiet = true,
                                    .open = open_bank,
                                    .reset = reset_bank,
                                    .step = step_bank,
                                    .close = close_bank};
    bank.ports = g->links + bank.api.shape.locals;
    bank.vcs = g->vcs;
    g->in = (struct ec_port_events){.words = g->in_words, .credits = g->in_credits};
    g->out = (struct ec_port_events){.words = g->out_words, .credits = g->out_credits};
}

/* A network of routers for `dims` dimensions. */
static inline void rig_open(struct rig *g, const char *topology, const char *router, unsigned dims,
                            const struct ec_tiles_options *options)
{
    struct ec_error error;
    rig_prepare(g, topology, router, dims);
    if (ec_tiles_open(&g->t, &g->r, NULL, options, &g->net, &error) != EC_OK)
        fail_msg("%s", error.message);
}

static inline void rig_close(struct rig *g)
{
    g->net->ops->close(g->net);
}

static inline void step(struct rig *g)
{
    g->net->ops->step(g->net, &g->in, &g->out);
    g->in.word_count = g->in.credit_count = 0;
}

static inline const struct ec_net_fault *fault_of(const struct rig *g)
{
    return g->net->ops->fault(g->net);
}

static inline void assert_fault(const struct rig *g, uint32_t node, unsigned port, unsigned vc,
                                const char *what)
{
    const struct ec_net_fault *f = fault_of(g);
    if (!f->found || f->node != node || f->port != port || f->vc != vc || !strstr(f->what, what))
        fail_msg("expected router %u port %u VC %u: %s; got %d: router %u port %u VC %u: %s", node,
                 port, vc, what, f->found, f->node, f->port, f->vc, f->what);
}

/* A port of the topology, as the shape numbers it. */
static inline unsigned inside(const struct rig *g, unsigned port)
{
    return port < g->net_links ? port : port - g->net_links + g->links;
}

static inline uint64_t word_of(unsigned vc, uint32_t data)
{
    return ec_word_pack(&narrow, true, true, 0, 1, 2, data) | (uint64_t)vc
                                                                  << ec_word_vc_shift(bank.vcs);
}

/* A router shows a word or a credit at a port of the topology after its next step. */
static inline void show_word(const struct rig *g, uint32_t node, unsigned port, uint64_t word)
{
    bank.show[node].valid |= UINT64_C(1) << inside(g, port);
    bank.show[node].word[inside(g, port)] = word;
}

static inline void show_credit(const struct rig *g, uint32_t node, unsigned port, unsigned vc)
{
    bank.show[node].credit[vc] |= UINT64_C(1) << inside(g, port);
}

static inline void send_word(struct rig *g, uint32_t node, unsigned local, uint64_t word)
{
    g->in_words[g->in.word_count++] = (struct ec_port_word){node * g->locals + local, word};
}

static inline void send_credit(struct rig *g, uint32_t node, unsigned local, unsigned vc)
{
    g->in_credits[g->in.credit_count++] = (struct ec_port_credit){node * g->locals + local, vc};
}

/* In the latest step these bits arrived at this router and port, and nothing anywhere else;
 * `node` EC_NONE: nothing at all. */
static inline void assert_arrived(const struct rig *g, uint32_t node, unsigned port, uint64_t word,
                                  unsigned vc, bool credit)
{
    for (uint32_t n = 0; n < g->t.nodes; n++) {
        const struct got *got = &bank.got[n];
        const uint64_t bit = n == node ? UINT64_C(1) << inside(g, port) : 0;
        if (got->valid != (word ? bit : 0))
            fail_msg("router %u got words at ports %lx: expected %lx", n, (long)got->valid,
                     (long)(word ? bit : 0));
        if (word && bit)
            assert_true(got->word[inside(g, port)] == word);
        for (unsigned v = 0; v < g->vcs; v++) {
            const uint64_t due = credit && v == vc ? bit : 0;
            if (got->credit[v] != due)
                fail_msg("router %u got credits of VC %u at ports %lx: expected %lx", n, v,
                         (long)got->credit[v], (long)due);
        }
    }
}

/* The only credit that is missing is that of this output or injection port. */
static inline void assert_owed(const struct rig *g, uint32_t node, unsigned port, unsigned vc,
                               const char *what)
{
    struct ec_net_fault f = {0};
    if (g->net->ops->drained(g->net, &f))
        fail_msg("nothing is owed to router %u port %u VC %u", node, port, vc);
    if (!f.found || f.node != node || f.port != port || f.vc != vc || !strstr(f.what, what))
        fail_msg("expected router %u port %u VC %u: %s; got router %u port %u VC %u: %s", node,
                 port, vc, what, f.node, f.port, f.vc, f.what);
}

static inline void assert_balanced(const struct rig *g)
{
    struct ec_net_fault f = {0};
    if (!g->net->ops->drained(g->net, &f))
        fail_msg("router %u port %u VC %u: %s", f.node, f.port, f.vc, f.what);
    if (fault_of(g)->found)
        fail_msg("router %u port %u: %s", fault_of(g)->node, fault_of(g)->port, fault_of(g)->what);
}

/* Where a link leads, from coordinates alone (contract, section 4). */
static inline uint32_t far_end(const struct ec_topology *t, uint32_t node, unsigned link,
                               unsigned *ret_port)
{
    const unsigned dim = link / t->links_per_dim;
    const bool down = link % t->links_per_dim;
    const uint32_t r = t->radix[dim], x = node / t->stride[dim] % r;
    const bool ring = t->kind == EC_RING || t->kind == EC_TORUS;
    *ret_port = r == 2 ? dim * t->links_per_dim : link ^ 1;
    if (r == 1 || (r == 2 && down))
        return EC_NONE;
    if (r > 2 && !ring && x == (down ? 0 : r - 1))
        return EC_NONE;
    const uint32_t y = (down ? x + r - 1 : x + 1) % r;
    return node - x * t->stride[dim] + y * t->stride[dim];
}

/* The shape has two links and two local ports more than the network. */
static inline void rig_open_spare(struct rig *g)
{
    rig_open(g, "torus:4x3", "vcs=2,ports=all", 3, &(struct ec_tiles_options){.no_sleep = true});
}

#endif
