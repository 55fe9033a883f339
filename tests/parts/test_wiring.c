/* SPDX-License-Identifier: Apache-2.0 */
/* The nets of parts, stepped side by side by hand, against one net of the whole network: under
 * random legal traffic and under faults of routers and nodes, all events, ledgers, counters, faults
 * and sights of watchers are equal. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "backend/part.h"
#include "backend/tiles.h"
#include "base/rng.h"
#include "ecube/net.h"
#include "ecube/partition.h"
#include "ecube/shape.h"
#include "shape_wraps.h"

enum { PARTS_MAX = 5, PORTS_MAX = 64, CREDITS_MAX = 256, LONGEST = 6 };

struct row {
    const char *topology, *router;
    struct ec_tiles_options options;
};

static const struct row rows[] = {
    {"cube:4", "depth=4", {0}},
    {"cube:4", "depth=4,link=2", {0}},
    {"cube:3", "depth=16,link=7", {.shuffle_seed = 3}},
    {"mesh:5x3", "depth=4", {.no_sleep = true}},
    {"mesh:6", "vcs=8,va=dynamic,stages=2,depth=4,link=7", {0}},
    {"ring:8", "vcs=2,va=dynamic,stages=3,depth=4", {.shuffle_seed = 1}},
    {"torus:4x4", "vcs=2,depth=4", {.random_seed = 5}},
    {"torus:5x3", "vcs=2,depth=4,ports=all,link=2", {0}},
    {"torus:4x4", "vcs=4,depth=4", {0}},
    {"torus:4x4", "vcs=4,va=dynamic,depth=4,link=7", {0}},
};
static const uint32_t splits[] = {1, 2, 3, 5};

/* --- Faulty routers --------------------------------------------------------------------------- */

/* What a router does wrong in one step. */
enum wrong { NOTHING, EXTRA_CREDIT, EXTRA_WORD, WRONG_VC, WRONGS };

static struct {
    enum wrong what;
    uint32_t coord; /* packed address of the router */
    uint64_t step;
    unsigned port;
} defect;

/* Banks of the test: which routers they are, and how often they were stepped. */
static struct bank {
    struct ec_tile_bank *bank;
    uint32_t *coord, routers;
    uint64_t steps;
} banks[PARTS_MAX + 1];
static struct ec_tile_api api;
static void (*real_step)(struct ec_tile_bank *bank, const struct ec_tile_io *io,
                         const uint32_t *ids, size_t count);

static void do_wrong(const struct ec_tile_io *io, size_t id)
{
    const unsigned vcs = api.shape.vcs;
    const size_t ports = ec_tile_shape_links(&api.shape) + api.shape.locals;
    const uint64_t bit = UINT64_C(1) << defect.port;
    uint64_t *word = &io->out_word[id * ports + defect.port];
    switch (defect.what) {
    case EXTRA_CREDIT:
        io->out_credit[id * vcs] |= bit;
        break;
    case EXTRA_WORD:
        *word = io->out_valid[id] & bit ? *word : ec_word_pack(&narrow, true, true, 0, 0, 0, 0);
        io->out_valid[id] |= bit;
        break;
    case WRONG_VC:
        *word ^= UINT64_C(1) << ec_word_vc_shift(vcs);
        break;
    case NOTHING:
    case WRONGS:
        break;
    }
}

static void step_bank(struct ec_tile_bank *bank, const struct ec_tile_io *io, const uint32_t *ids,
                      size_t count)
{
    struct bank *b = banks;
    while (b->bank != bank)
        b++;
    real_step(bank, io, ids, count);
    b->steps++;
    for (size_t i = 0; defect.what && b->steps == defect.step && i < count; i++) {
        if (b->coord[ids[i]] == defect.coord)
            do_wrong(io, ids[i]);
    }
}

/* The linker puts these in place of the library's own. */
const struct ec_tile_api *__wrap_ec_shape_api(const struct ec_shape *shape)
{
    api = *__real_ec_shape_api(shape);
    real_step = api.step;
    api.step = step_bank;
    return &api;
}

struct ec_tile_bank *__wrap_ec_shape_bank(const struct ec_shape *shape, size_t routers,
                                          const struct ec_tile_place *places,
                                          const uint32_t *numbers, uint32_t random_seed,
                                          const char *const *names,
                                          const struct ec_tile_listener *listener)
{
    struct bank *b = banks;
    while (b->bank)
        b++;
    b->bank = __real_ec_shape_bank(shape, routers, places, numbers, random_seed, names, listener);
    b->routers = (uint32_t)routers;
    b->coord = calloc(routers, sizeof *b->coord);
    assert_non_null(b->coord);
    for (size_t i = 0; i < routers; i++)
        b->coord[i] = places[i].coord;
    return b->bank;
}

static void forget_banks(void)
{
    for (size_t i = 0; i < COUNT(banks); i++)
        free(banks[i].coord);
    memset(banks, 0, sizeof banks);
}

/* --- Nets ------------------------------------------------------------------------------------- */

struct side {
    struct ec_net *net;
    struct ec_port_word in_words[PORTS_MAX], out_words[PORTS_MAX];
    struct ec_port_credit in_credits[CREDITS_MAX], out_credits[CREDITS_MAX];
    struct ec_port_events in, out;
    struct ec_net_watch watch;
    uint64_t seen; /* a hash of what the watcher saw in this cycle, in any order */
};

/* A source of packets and a sink of words, for each local port. */
struct node_port {
    uint32_t dst, number;
    unsigned left, index, vc;
    unsigned credits[EC_VCS_MAX], shown[EC_VCS_MAX]; /* shown: usable in the next cycle */
    unsigned owed[EC_VCS_MAX];
};

struct rig {
    const struct row *row;
    struct ec_topology t;
    struct ec_router r;
    struct ec_word_layout layout;
    struct ec_shape *shape;
    struct ec_partition *cut;
    unsigned locals;
    struct side whole, part[PARTS_MAX];
    struct node_port at[PORTS_MAX];
    uint64_t key, draws;
};

static uint64_t below(struct rig *g, uint64_t n)
{
    return ec_rng_below(ec_rng_draw(g->key, g->draws++), n);
}

static void watch_router(void *context, const struct ec_net_seen *s)
{
    struct side *side = context;
    uint64_t hash = ec_rng_mix(s->cycle << 32 | s->node);
    hash = ec_rng_mix(hash ^ s->in_valid) + s->out_valid;
    for (unsigned port = 0; port < EC_TILE_PORTS_MAX; port++) {
        hash = ec_rng_mix(hash ^ (s->in_valid >> port & 1 ? s->in_word[port] : 0));
        hash = ec_rng_mix(hash ^ (s->out_valid >> port & 1 ? s->out_word[port] : 0));
    }
    for (unsigned vc = 0; vc < api.shape.vcs; vc++)
        hash = ec_rng_mix(hash ^ s->in_credit[vc]) + s->out_credit[vc] + s->contended[vc] +
               s->starved[vc];
    side->seen += hash;
}

static void side_ready(struct side *s)
{
    s->in = (struct ec_port_events){.words = s->in_words, .credits = s->in_credits};
    s->out = (struct ec_port_events){.words = s->out_words, .credits = s->out_credits};
    s->watch = (struct ec_net_watch){.router = watch_router, .context = s};
    s->net->ops->watch(s->net, &s->watch);
    s->net->numbered = true;
    s->net->ops->reset(s->net);
}

static void rig_open(struct rig *g, const struct row *row, uint32_t parts)
{
    struct ec_error error = {0};
    struct ec_tile_shape shape;
    forget_banks(); /* of a test that failed */
    *g = (struct rig){.row = row, .t = topology_of(row->topology)};
    g->r = router_of(row->router, &g->t);
    g->layout = ec_word_layout(g->t.address_bits, g->r.vcs);
    g->locals = ec_router_locals(&g->r, &g->t);
    assert_between(g->t.nodes * g->locals, 1, PORTS_MAX);
    const struct ec_shape_options options = {.random_init = row->options.random_seed != 0};
    if (ec_router_set_packet(&g->r, 0, LONGEST, &error) != EC_OK ||
        ec_router_set_classes(&g->r, 1, &error) != EC_OK ||
        ec_shape_choose(&g->t, &g->r, &shape, &error) != EC_OK ||
        ec_shape_open(&shape, &options, &g->shape, &error) != EC_OK ||
        ec_partition_open(&g->t, parts, &g->cut, &error) != EC_OK ||
        ec_tiles_open(&g->t, &g->r, g->shape, &row->options, &g->whole.net, &error) != EC_OK)
        fail_msg("%s", error.message);
    for (uint32_t k = 0; k < parts; k++) {
        if (tiles_open_part(&g->t, &g->r, g->shape, &row->options, g->cut, k, &g->part[k].net,
                            &error) != EC_OK)
            fail_msg("%s", error.message);
    }
    defect.what = NOTHING;
}

/* Reset everything and begin again. */
static void rig_begin(struct rig *g, uint64_t seed)
{
    side_ready(&g->whole);
    for (uint32_t k = 0; k < g->cut->parts; k++)
        side_ready(&g->part[k]);
    for (size_t i = 0; i < COUNT(banks); i++)
        banks[i].steps = 0;
    memset(g->at, 0, sizeof g->at);
    for (uint32_t port = 0; port < g->t.nodes * g->locals; port++) {
        for (unsigned vc = 0; vc < g->r.vcs; vc++)
            g->at[port].credits[vc] = g->r.depth;
    }
    g->key = ec_rng_key(seed, 0);
    g->draws = 0;
}

static void rig_close(struct rig *g)
{
    g->whole.net->ops->close(g->whole.net);
    for (uint32_t k = 0; k < g->cut->parts; k++)
        g->part[k].net->ops->close(g->part[k].net);
    ec_partition_close(g->cut);
    ec_shape_close(g->shape);
    forget_banks();
}

/* --- Traffic ---------------------------------------------------------------------------------- */

static void choose_packet(struct rig *g, uint32_t port)
{
    struct node_port *at = &g->at[port];
    const unsigned step = g->r.dateline ? 2 : 1; /* class 0 */
    do
        at->dst = (uint32_t)below(g, g->t.nodes);
    while (at->dst == port / g->locals);
    at->left = 1 + (unsigned)below(g, LONGEST);
    at->index = 0;
    at->number = (at->number + 1) & ((1u << g->layout.number_bits) - 1);
    at->vc = (unsigned)below(g, g->r.vcs / step) * step;
}

static uint64_t next_word(struct rig *g, uint32_t port)
{
    struct node_port *at = &g->at[port];
    const uint32_t src = ec_topology_address(&g->t, port / g->locals);
    const uint32_t dst = ec_topology_address(&g->t, at->dst);
    /* Packets of all ports of a node have numbers of their own. */
    const uint32_t number =
        (at->number * g->locals + port % g->locals) & ((1u << g->layout.number_bits) - 1);
    const uint64_t word = ec_word_pack(&g->layout, at->index == 0, at->left == 1, at->vc, dst, src,
                                       ec_word_numbers(&g->layout, number, at->index));
    at->left--;
    at->index++;
    return word;
}

static void add_word(struct side *s, uint32_t port, uint64_t word)
{
    s->in_words[s->in.word_count++] = (struct ec_port_word){port, word};
}

static void add_credit(struct side *s, uint32_t port, unsigned vc)
{
    s->in_credits[s->in.credit_count++] = (struct ec_port_credit){port, vc};
}

/* What nodes do in this cycle; `send`: they begin packets. */
static void nodes_act(struct rig *g, bool send)
{
    struct side *s = &g->whole;
    s->in.word_count = s->in.credit_count = 0;
    for (uint32_t port = 0; port < g->t.nodes * g->locals; port++) {
        struct node_port *at = &g->at[port];
        if (at->left == 0 && send && below(g, 6) == 0)
            choose_packet(g, port);
        if (at->left > 0 && at->credits[at->vc] > 0 && below(g, 4) > 0) {
            at->credits[at->vc]--;
            add_word(s, port, next_word(g, port));
        }
        for (unsigned vc = 0; vc < g->r.vcs; vc++) {
            if (at->owed[vc] > 0 && below(g, 2) == 0) {
                at->owed[vc]--;
                add_credit(s, port, vc);
            }
            at->credits[vc] += at->shown[vc];
            at->shown[vc] = 0;
        }
    }
}

/* The nodes take what the whole net shows them. */
static void nodes_take(struct rig *g)
{
    const struct ec_port_events *out = &g->whole.out;
    for (size_t i = 0; i < out->word_count; i++)
        g->at[out->words[i].port].owed[ec_word_vc(out->words[i].word, g->r.vcs)]++;
    for (size_t i = 0; i < out->credit_count; i++)
        g->at[out->credits[i].port].shown[out->credits[i].vc]++;
}

/* --- A cycle ---------------------------------------------------------------------------------- */

static uint32_t owner(const struct rig *g, uint32_t port)
{
    return g->cut->part_of[port / g->locals];
}

static void step_whole(struct rig *g)
{
    struct side *s = &g->whole;
    s->seen = 0;
    s->net->ops->step(s->net, &s->in, &s->out);
}

static void step_part(struct rig *g, uint32_t k)
{
    const struct ec_port_events *in = &g->whole.in;
    struct side *s = &g->part[k];
    s->seen = 0;
    s->in.word_count = s->in.credit_count = 0;
    for (size_t i = 0; i < in->word_count; i++) {
        if (owner(g, in->words[i].port) == k)
            add_word(s, in->words[i].port, in->words[i].word);
    }
    for (size_t i = 0; i < in->credit_count; i++) {
        if (owner(g, in->credits[i].port) == k)
            add_credit(s, in->credits[i].port, in->credits[i].vc);
    }
    s->net->ops->step(s->net, &s->in, &s->out);
}

/* Everything that has left goes where it belongs. */
static void exchange(struct rig *g)
{
    for (uint32_t k = 0; k < g->cut->parts; k++) {
        const uint32_t *other = g->cut->neighbour + g->cut->first_neighbour[k];
        const uint32_t neighbours = g->cut->first_neighbour[k + 1] - g->cut->first_neighbour[k];
        size_t count;
        for (size_t j = 0; j < neighbours; j++) {
            const struct crossing *x = tiles_part_leaving(g->part[k].net, j, &count);
            tiles_part_enter(g->part[other[j]].net, x, count);
        }
        tiles_part_left(g->part[k].net);
    }
}

static int by_port(const void *a, const void *b)
{
    const uint32_t x = ((const struct ec_port_word *)a)->port;
    const uint32_t y = ((const struct ec_port_word *)b)->port;
    return (x > y) - (x < y);
}

static int by_credit(const void *a, const void *b)
{
    const struct ec_port_credit *x = a, *y = b;
    const uint64_t p = (uint64_t)x->port << 32 | x->vc, q = (uint64_t)y->port << 32 | y->vc;
    return (p > q) - (p < q);
}

#define MUST_EQUAL(g, what, is, should)                                                            \
    do {                                                                                           \
        const uint64_t is_ = (is), should_ = (should);                                             \
        if (is_ != should_)                                                                        \
            fail_msg("%s, %s, %u parts, cycle %ju: %s: %jx, should be %jx", (g)->row->topology,    \
                     (g)->row->router, (g)->cut->parts, (uintmax_t)(g)->whole.net->cycle, (what),  \
                     (uintmax_t)is_, (uintmax_t)should_);                                          \
    } while (0)

/* The events of all parts together are those of the whole net. */
static void compare_events(struct rig *g)
{
    struct ec_port_word words[PORTS_MAX];
    struct ec_port_credit credits[CREDITS_MAX];
    size_t word_count = 0, credit_count = 0;
    uint64_t moved = 0, in_flight = 0, seen = 0;
    struct ec_port_events *out = &g->whole.out;
    for (uint32_t k = 0; k < g->cut->parts; k++) {
        const struct side *s = &g->part[k];
        memcpy(words + word_count, s->out.words, s->out.word_count * sizeof *words);
        memcpy(credits + credit_count, s->out.credits, s->out.credit_count * sizeof *credits);
        word_count += s->out.word_count;
        credit_count += s->out.credit_count;
        moved += s->net->moved;
        in_flight += s->net->in_flight;
        seen += s->seen;
    }
    MUST_EQUAL(g, "words", word_count, out->word_count);
    MUST_EQUAL(g, "credits", credit_count, out->credit_count);
    qsort(words, word_count, sizeof *words, by_port);
    qsort(out->words, word_count, sizeof *words, by_port);
    qsort(credits, credit_count, sizeof *credits, by_credit);
    qsort(out->credits, credit_count, sizeof *credits, by_credit);
    for (size_t i = 0; i < word_count; i++) {
        MUST_EQUAL(g, "port of a word", words[i].port, out->words[i].port);
        MUST_EQUAL(g, "word", words[i].word, out->words[i].word);
    }
    for (size_t i = 0; i < credit_count; i++) {
        MUST_EQUAL(g, "port of a credit", credits[i].port, out->credits[i].port);
        MUST_EQUAL(g, "VC of a credit", credits[i].vc, out->credits[i].vc);
    }
    MUST_EQUAL(g, "moved", moved, g->whole.net->moved);
    MUST_EQUAL(g, "in flight", in_flight, g->whole.net->in_flight);
    MUST_EQUAL(g, "seen by watchers", seen, g->whole.seen);
}

static void compare_ledgers(const struct rig *g)
{
    const struct tiles *whole = tiles_of(g->whole.net);
    const size_t row = (size_t)whole->ports * whole->vcs, locals = (size_t)g->locals * whole->vcs;
    for (uint32_t k = 0; k < g->cut->parts; k++) {
        const struct tiles *s = tiles_of(g->part[k].net);
        for (uint32_t i = 0; i < s->nodes; i++) {
            for (size_t x = 0; x < row; x++)
                MUST_EQUAL(g, "ledger", s->ledger[i * row + x], whole->ledger[s->own[i] * row + x]);
            for (size_t x = 0; x < locals; x++)
                MUST_EQUAL(g, "ledger of a node", s->injected_ledger[i * locals + x],
                           whole->injected_ledger[s->own[i] * locals + x]);
        }
    }
}

/* Between epochs, when all crossings have entered. */
static void compare_states(const struct rig *g)
{
    const struct ec_net_fault *fault = NULL, *should = g->whole.net->ops->fault(g->whole.net);
    struct ec_net_fault left;
    bool drained = true;
    compare_ledgers(g);
    for (uint32_t k = 0; k < g->cut->parts; k++) {
        struct ec_net *net = g->part[k].net;
        const struct ec_net_fault *f = net->ops->fault(net);
        if (f->found && (!fault || f->cycle < fault->cycle))
            fault = f;
        drained = net->ops->drained(net, &left) && drained;
        MUST_EQUAL(g, "memory is short", net->memory_short, false);
    }
    MUST_EQUAL(g, "drained", drained, g->whole.net->ops->drained(g->whole.net, &left));
    MUST_EQUAL(g, "fault", fault != NULL, should->found);
    if (fault) {
        MUST_EQUAL(g, "node of the fault", fault->node, should->node);
        MUST_EQUAL(g, "port of the fault", fault->port, should->port);
        MUST_EQUAL(g, "VC of the fault", fault->vc, should->vc);
        MUST_EQUAL(g, "cycle of the fault", fault->cycle, should->cycle);
        MUST_EQUAL(g, "kind of the fault", fault->kind, should->kind);
        assert_string_equal(fault->what, should->what);
    }
}

static void compare_counters(struct rig *g)
{
    struct ec_net_counters whole, part;
    uint64_t stepped = 0;
    bool checked = true;
    g->whole.net->ops->counters(g->whole.net, &whole);
    for (uint32_t k = 0; k < g->cut->parts; k++) {
        const uint32_t *node = g->cut->node + g->cut->first[k];
        struct ec_net *net = g->part[k].net;
        net->ops->counters(net, &part);
        checked = net->ops->checked_vcs(net) && checked;
        stepped += part.stepped;
        MUST_EQUAL(g, "ports", part.ports, whole.ports);
        for (uint32_t i = 0; i < g->cut->first[k + 1] - g->cut->first[k]; i++) {
            for (unsigned port = 0; port < whole.ports; port++) {
                const size_t is = (size_t)i * whole.ports + port;
                const size_t should = (size_t)node[i] * whole.ports + port;
                MUST_EQUAL(g, "flits", part.flits[is], whole.flits[should]);
                MUST_EQUAL(g, "contended", part.contended[is], whole.contended[should]);
                MUST_EQUAL(g, "starved", part.starved[is], whole.starved[should]);
            }
            for (unsigned l = 0; l < g->locals; l++)
                MUST_EQUAL(g, "injected", part.injected[i * g->locals + l],
                           whole.injected[node[i] * g->locals + l]);
        }
    }
    MUST_EQUAL(g, "stepped", stepped, whole.stepped);
    MUST_EQUAL(g, "VCs checked", checked, g->whole.net->ops->checked_vcs(g->whole.net));
}

/* `epoch`: cycles between two exchanges. */
static void run_epoch(struct rig *g, uint64_t epoch, bool send)
{
    for (uint64_t i = 0; i < epoch; i++) {
        nodes_act(g, send);
        step_whole(g);
        for (uint32_t k = 0; k < g->cut->parts; k++)
            step_part(g, k);
        compare_events(g);
        nodes_take(g);
    }
    exchange(g);
    compare_states(g);
}

static bool drained(const struct rig *g)
{
    struct ec_net_fault left;
    for (uint32_t port = 0; port < g->t.nodes * g->locals; port++) {
        if (g->at[port].left > 0)
            return false;
    }
    return g->whole.net->ops->drained(g->whole.net, &left);
}

/* --- Tests ------------------------------------------------------------------------------------ */

enum { CYCLES = 150, CYCLES_MAX = 2000 };

static void legal_traffic(struct rig *g, uint64_t seed)
{
    rig_begin(g, seed);
    while (g->whole.net->cycle < CYCLES)
        run_epoch(g, 1 + below(g, g->r.link), true);
    while (!drained(g) && g->whole.net->cycle < CYCLES_MAX)
        run_epoch(g, 1 + below(g, g->r.link), false);
    MUST_EQUAL(g, "all has arrived", drained(g), true);
    MUST_EQUAL(g, "in flight at the end", g->whole.net->in_flight, 0);
    if (g->whole.net->ops->fault(g->whole.net)->found)
        fail_msg("%s", g->whole.net->ops->fault(g->whole.net)->what);
    compare_counters(g);
}

static void parts_together_are_the_network(NO_STATE)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t k = 0; k < COUNT(splits); k++) {
            struct rig g;
            rig_open(&g, &rows[i], splits[k]);
            legal_traffic(&g, 1);
            legal_traffic(&g, 2);
            rig_close(&g);
        }
    }
}

/* A router in the middle of traffic does something wrong. */
static void run_defect(struct rig *g, uint64_t seed)
{
    rig_begin(g, seed);
    defect.what = (enum wrong)(1 + seed % (WRONGS - 1));
    defect.coord = ec_topology_address(&g->t, (uint32_t)below(g, g->t.nodes));
    defect.step = 20 + below(g, 40);
    defect.port = (unsigned)below(g, ec_topology_links(&g->t));
    const uint64_t until = defect.step + 2 * g->r.link;
    while (g->whole.net->cycle < until && !g->whole.net->ops->fault(g->whole.net)->found)
        run_epoch(g, 1 + below(g, g->r.link), true);
    defect.what = NOTHING;
}

static void faults_of_routers_are_the_same(NO_STATE)
{
    unsigned found = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig g;
        rig_open(&g, &rows[i], 3);
        for (uint64_t seed = 0; seed < 24; seed++) {
            run_defect(&g, seed);
            found += g.whole.net->ops->fault(g.whole.net)->found;
        }
        rig_close(&g);
    }
    assert_between(found, 24, COUNT(rows) * 24);
}

static void faults_of_nodes_are_the_same(NO_STATE)
{
    struct rig g;
    rig_open(&g, &rows[0], 5);
    for (uint32_t port = 0; port < g.t.nodes; port += 3) {
        for (unsigned word = 0; word < 2; word++) {
            rig_begin(&g, port);
            for (unsigned cycle = 0; cycle < 30; cycle++)
                run_epoch(&g, 1, true);
            if (word)
                g.at[port].credits[0] += 2 * g.r.depth;
            else
                g.at[port].owed[0] += g.r.depth;
            while (!g.whole.net->ops->fault(g.whole.net)->found && g.whole.net->cycle < CYCLES_MAX)
                run_epoch(&g, 1, true);
            MUST_EQUAL(&g, "fault", g.whole.net->ops->fault(g.whole.net)->found, true);
        }
    }
    rig_close(&g);
}

/* What these routers show before their reset, from registers of random initial state; a hash for
 * each goes to `ret`. */
static void shown_before_reset(const struct rig *g, const uint32_t *nodes, uint32_t count,
                               const uint32_t *numbers, uint64_t *ret)
{
    const struct ec_tile_api *tile = ec_shape_api(g->shape);
    const unsigned ports = ec_tile_shape_links(&tile->shape) + tile->shape.locals;
    const struct ec_port_map map = ec_port_map_of(&tile->shape, &g->t, &g->r);
    struct ec_tile_place places[PORTS_MAX];
    struct ec_tile_io io = {0};
    uint32_t ids[PORTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        places[i] = ec_shape_place(&g->t, &g->r, &tile->shape, nodes[i]);
        ids[i] = i;
    }
    struct ec_tile_bank *bank = tile->open(count, places, numbers, 7, NULL, NULL);
    assert_non_null(bank);
    struct ec_arrays arrays = {.count = 0};
    ec_tile_io_inputs(&arrays, &io, count, ports, tile->shape.vcs);
    ec_tile_io_outputs(&arrays, &io, count, ports, tile->shape.vcs);
    assert_false(arrays.memory_short);
    tile->peek(bank, &io, ids, count);
    for (uint32_t i = 0; i < count; i++) {
        struct side side = {.seen = 0};
        struct ec_tile_seen seen;
        ec_tile_see(&map, ports, tile->shape.vcs, &io, i, &seen);
        seen.seen.cycle = 0;
        seen.seen.node = nodes[i];
        watch_router(&side, &seen.seen);
        ret[i] = side.seen;
    }
    tile->close(bank);
    ec_arrays_free(&arrays);
}

static void initial_states_are_the_same(NO_STATE)
{
    static const struct row row = {"torus:4x4", "vcs=2,depth=4", {.random_seed = 1}};
    struct rig g;
    uint64_t whole[PORTS_MAX], part[PORTS_MAX], first[PORTS_MAX];
    uint32_t all[PORTS_MAX], unlike = 0;
    rig_open(&g, &row, 3);
    for (uint32_t node = 0; node < g.t.nodes; node++)
        all[node] = node;
    shown_before_reset(&g, all, g.t.nodes, NULL, whole);
    for (uint32_t k = 0; k < g.cut->parts; k++) {
        const uint32_t *nodes = g.cut->node + g.cut->first[k];
        const uint32_t count = g.cut->first[k + 1] - g.cut->first[k];
        shown_before_reset(&g, nodes, count, nodes, part);
        shown_before_reset(&g, nodes, count, NULL, first);
        for (uint32_t i = 0; i < count; i++) {
            MUST_EQUAL(&g, "shown before the reset", part[i], whole[nodes[i]]);
            unlike += first[i] != whole[nodes[i]];
        }
    }
    assert_between(unlike, 1, g.t.nodes); /* registers did start at random values */
    rig_close(&g);
}

/* A channel by which something from another part arrives in part 0. */
static uint32_t border_channel(const struct rig *g)
{
    const unsigned links = ec_topology_links(&g->t);
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        for (unsigned link = 0; link < links && g->cut->part_of[node] == 0; link++) {
            const uint32_t next = ec_topology_neighbor(&g->t, node, link);
            if (next != EC_NONE && g->cut->part_of[next] != 0)
                return node * (links + g->locals) + link;
        }
    }
    return EC_NONE;
}

/* An error of the caller, not lost in silence. */
static void crossings_at_wrong_times_are_faults(NO_STATE)
{
    struct rig g;
    rig_open(&g, &rows[1], 2);
    const uint32_t channel = border_channel(&g);
    for (uint32_t at = 0; at <= 3; at += 3) {
        rig_begin(&g, 1);
        const struct crossing x = {.word = 0, .channel = channel, .at = at};
        assert_true(tiles_part_enter(g.part[0].net, &x, 1));
        assert_true(g.part[0].net->ops->fault(g.part[0].net)->found);
    }
    rig_close(&g);
}

/* A channel that no other part feeds, or beyond the last; a VC that does not exist. */
static void damaged_crossings_are_refused(NO_STATE)
{
    struct rig g;
    rig_open(&g, &rows[1], 2);
    const uint32_t local = ec_topology_links(&g.t), ports = local + g.locals;
    const uint32_t elsewhere = g.cut->node[g.cut->first[1]] * ports;
    const struct crossing damaged[] = {
        {.channel = UINT32_MAX, .at = 1},
        {.channel = g.t.nodes * ports, .at = 1},
        {.channel = local, .at = 1},
        {.channel = elsewhere, .at = 1},
        {.word = 99, .channel = border_channel(&g), .at = 1},
    };
    rig_begin(&g, 1);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        assert_false(tiles_part_enter(g.part[0].net, &damaged[i], 1));
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the nets of all parts together do what one net does", parts_together_are_the_network),
        TEST("a router that breaks a rule is found as in one net", faults_of_routers_are_the_same),
        TEST("a node that breaks a rule is found as in one net", faults_of_nodes_are_the_same),
        TEST("registers of random initial state are those of one net", initial_states_are_the_same),
        TEST("a crossing that enters too late or too early is a fault",
             crossings_at_wrong_times_are_faults),
        TEST("a crossing that no other part can send is refused", damaged_crossings_are_refused),
    };
    return cmocka_run_group_tests_name("wiring", tests, NULL, NULL);
}
