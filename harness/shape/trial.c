/* SPDX-License-Identifier: Apache-2.0 */
/* Tests one router alone before a network is built from it: does it obey the Moore rule, and does
 * it forward its words? If the outputs of a router follow its inputs within a cycle, results depend
 * on the order in which routers are stepped, so such a router is rejected. (The built-in router is
 * proved; this test is for user routers.)
 *
 * Knows the contract: which words may arrive where, where they must leave, and all networks and
 * modes that a shape may serve. Must not know how routers work or in which cycle a word has to
 * leave. */
#include "ecube/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/net.h"
#include "ecube/route.h"
#include "ecube/word.h"
#include "network/names.h"
#include "shape/tile_io.h"

/* --- Test bench: neighbours and a node that obey the contract --------------------------------- */

enum {
    TRIES = 8,        /* to find a destination whose route enters this router by a given link */
    UPSTREAM = 2,     /* hops before this router: the packet may have crossed a wrap link there */
    NUMBER_BITS = 16, /* of the data of a word: the number of its packet */
};

struct packet {
    uint64_t word; /* what all its words have in common: all but head, tail and VC */
    uint32_t length, left;
    unsigned port, vc; /* where it has to leave */
};

struct stream {
    size_t packet;
    uint32_t left; /* words still to be sent; 0: no packet here */
    unsigned vc;
};

struct bench {
    const struct ec_topology *t;
    struct ec_router r; /* with a packet bound */
    uint32_t node;
    struct ec_port_map map;
    unsigned links, net_links, locals, ports, vcs; /* links, ports: of the shape */
    uint64_t key, draws;
    struct stream *streams; /* [port * vcs + vc] the packet that is being sent to the router */
    uint32_t *sent;         /* [port * vcs + vc] words sent to the router and not credited */
    uint32_t *owed;         /* [port * vcs + vc] words that the router sent, to be credited */
    struct packet *packets;
    size_t count, room;
    uint64_t words;  /* that the router sent */
    char wrong[256]; /* the first breach of the contract; "": none */
};

static uint64_t bench_draw(struct bench *b)
{
    return ec_rng_draw(b->key, b->draws++);
}

static uint32_t bench_below(struct bench *b, uint32_t n)
{
    return (uint32_t)ec_rng_below(bench_draw(b), n);
}

static bool bench_open(struct bench *b, const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_tile_shape *shape, uint32_t node, unsigned cycles,
                       uint64_t stream)
{
    *b = (struct bench){
        .t = t,
        .r = *r,
        .node = node,
        .map = ec_port_map_of(shape, t, r),
        .links = ec_tile_shape_links(shape),
        .net_links = ec_topology_links(t),
        .locals = ec_router_locals(r, t),
        .vcs = shape->vcs,
        .key = ec_rng_key(1, stream),
    };
    b->ports = b->links + shape->locals;
    b->room = (size_t)b->ports * cycles; /* at most one head per port and cycle */
    const size_t buffers = (size_t)b->ports * b->vcs;
    b->streams = calloc(buffers, sizeof *b->streams);
    b->sent = calloc(buffers, sizeof *b->sent);
    b->owed = calloc(buffers, sizeof *b->owed);
    b->packets = calloc(b->room, sizeof *b->packets);
    return b->streams && b->sent && b->owed && b->packets;
}

static void bench_close(struct bench *b)
{
    free(b->streams);
    free(b->sent);
    free(b->owed);
    free(b->packets);
}

/* --- Inputs ----------------------------------------------------------------------------------- */

/* The route of a packet and the channel by which it must leave this router. */
struct way {
    uint32_t src, dst;
    unsigned in_class, out_port, out_class;
};

/* Go back up to UPSTREAM hops along the dimension of a link; none from a local port. */
static unsigned go_back(struct bench *b, unsigned port, uint32_t *ret_src)
{
    const unsigned most = port >= b->links ? 0 : 1 + bench_below(b, UPSTREAM);
    unsigned hops = 0;
    *ret_src = b->node;
    while (hops < most) {
        const uint32_t next = ec_topology_neighbor(b->t, *ret_src, port);
        if (next == EC_NONE || next == b->node)
            break;
        *ret_src = next;
        hops++;
    }
    return hops;
}

static bool try_way(struct bench *b, unsigned port, struct way *ret)
{
    const struct ec_topology *t = b->t;
    struct ec_hop path[UPSTREAM + 1];
    struct way w = {.dst = bench_below(b, t->nodes)};
    const unsigned back = go_back(b, port, &w.src);
    const size_t hops =
        ec_route_path(t, b->r.order, b->r.dateline, w.src, w.dst, path, UPSTREAM + 1);
    if (hops == 0 || hops < back)
        return false;
    if (back == 0 && b->locals > 1 && path[0].link != port - b->links)
        return false; /* contract, 11.4 */
    if (back > 0) {
        const struct ec_hop *last = &path[back - 1];
        if (ec_topology_neighbor(t, last->node, last->link) != b->node ||
            ec_topology_reverse(t, last->link) != port)
            return false;
        w.in_class = last->class_;
    }
    const bool home = hops == back;
    w.out_port = home ? b->links + (b->locals > 1 ? port : 0) : path[back].link;
    w.out_class = home ? 0 : path[back].class_;
    *ret = w;
    return true;
}

/* The credits that a head needs. */
static uint32_t need(const struct bench *b)
{
    return b->r.switching == EC_WORMHOLE ? 1 : b->r.packet;
}

static uint32_t draw_length(struct bench *b)
{
    const uint32_t lengths[] = {1, 2, b->r.depth + 1};
    const uint32_t length = lengths[bench_below(b, 3)];
    return b->r.switching == EC_WORMHOLE || length <= b->r.packet ? length : b->r.packet;
}

/* Begin a packet at this port. False: none was found that may begin now. */
static bool begin(struct bench *b, unsigned port, struct stream **ret)
{
    struct way w;
    bool found = false;
    for (unsigned k = 0; k < TRIES && !found; k++)
        found = try_way(b, port, &w);
    if (!found || b->count == b->room)
        return false;
    const unsigned lane = bench_below(b, ec_router_lanes(&b->r));
    const unsigned vc = b->r.dateline ? 2 * lane + w.in_class : lane;
    struct stream *s = &b->streams[port * b->vcs + vc];
    if (s->left > 0 || b->sent[port * b->vcs + vc] + need(b) > b->r.depth)
        return false;
    const uint32_t data = (uint32_t)(bench_draw(b) << NUMBER_BITS | b->count);
    struct packet *p = &b->packets[b->count];
    p->word = ec_word_pack(false, false, 0, ec_topology_address(b->t, w.dst),
                           ec_topology_address(b->t, w.src), data);
    p->length = p->left = draw_length(b);
    p->port = w.out_port;
    p->vc = b->r.dateline ? 2 * lane + w.out_class : lane;
    *s = (struct stream){.packet = b->count++, .left = p->length, .vc = vc};
    *ret = s;
    return true;
}

/* The next word on a random VC: of the packet there, or of a new one. 0: nothing may be sent. */
static uint64_t arrival(struct bench *b, unsigned port)
{
    const unsigned vc = bench_below(b, b->vcs);
    struct stream *s = &b->streams[port * b->vcs + vc];
    if (s->left > 0) {
        if (b->sent[port * b->vcs + vc] == b->r.depth)
            return 0;
    } else if (!begin(b, port, &s)) {
        return 0;
    }
    const struct packet *p = &b->packets[s->packet];
    const uint64_t word = p->word | (s->left == p->length ? EC_WORD_HEAD : 0) |
                          (s->left == 1 ? EC_WORD_TAIL : 0) | (uint64_t)s->vc << EC_WORD_VC_SHIFT;
    s->left--;
    b->sent[port * b->vcs + s->vc]++;
    return word;
}

/* Does the network have this port of the shape? */
static bool exists(const struct bench *b, unsigned port)
{
    if (port >= b->links)
        return port - b->links < b->locals;
    return port < b->net_links && ec_topology_neighbor(b->t, b->node, port) != EC_NONE;
}

static void bench_drive(struct bench *b, struct ec_tile_io *io)
{
    io->in_valid[0] = 0;
    for (unsigned port = 0; port < b->ports; port++) {
        io->in_word[port] = exists(b, port) && bench_below(b, 2) ? arrival(b, port) : 0;
        io->in_valid[0] |= (uint64_t)(io->in_word[port] != 0) << port;
    }
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        io->in_credit[vc] = 0;
        for (unsigned port = 0; port < b->ports; port++) {
            uint32_t *owed = &b->owed[port * b->vcs + vc];
            if (*owed == 0 || bench_below(b, 2))
                continue;
            --*owed;
            io->in_credit[vc] |= UINT64_C(1) << port;
        }
    }
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void channel_name(const struct bench *b, unsigned port, unsigned vc, char *buffer,
                         size_t size)
{
    char name[EC_NAME_SIZE];
    ec_port_name(b->t, b->locals, ec_port_outside(&b->map, port), name, sizeof name);
    snprintf(buffer, size, "port %.40s, VC %u", name, vc);
}

static const char *wrong_word(const struct packet *p, uint64_t word)
{
    const uint64_t own = EC_WORD_HEAD | EC_WORD_TAIL | EC_WORD_VC_MASK;
    if (!p || (word & ~own) != p->word)
        return "was never sent to it";
    if (p->left == 0)
        return "leaves a second time";
    if (ec_word_head(word) != (p->left == p->length) || ec_word_tail(word) != (p->left == 1))
        return "is not the next one of its packet";
    return NULL;
}

static void check_word(struct bench *b, uint64_t word, unsigned port, unsigned vc)
{
    char name[EC_NAME_SIZE], is[80], belongs[80];
    const size_t number = ec_word_data(word) & ((UINT32_C(1) << NUMBER_BITS) - 1);
    struct packet *p = number < b->count ? &b->packets[number] : NULL;
    const char *wrong = wrong_word(p, word);
    if (!wrong && p->port == port && p->vc == vc) {
        p->left--;
        return;
    }
    ec_word_name(b->t, word, name, sizeof name);
    name[strcspn(name, "#")] = '\0';
    channel_name(b, port, vc, is, sizeof is);
    if (wrong) {
        snprintf(b->wrong, sizeof b->wrong, "a word %.60son %s %s", name, is, wrong);
    } else {
        channel_name(b, p->port, p->vc, belongs, sizeof belongs);
        snprintf(b->wrong, sizeof b->wrong, "a word %.60sleaves by %s and belongs to %s", name, is,
                 belongs);
    }
}

static void too_many(struct bench *b, const char *what, unsigned port, unsigned vc)
{
    char name[80];
    channel_name(b, port, vc, name, sizeof name);
    snprintf(b->wrong, sizeof b->wrong, "%s on %s", what, name);
}

/* After the first breach nothing more is reported, but the counts stay within their bounds. */
static void bench_check(struct bench *b, const struct ec_tile_io *io)
{
    for (uint64_t left = io->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const unsigned vc = ec_word_vc(io->out_word[port]) & (b->vcs - 1);
        uint32_t *owed = &b->owed[port * b->vcs + vc];
        if (!b->wrong[0])
            check_word(b, io->out_word[port], port, vc);
        if (!b->wrong[0] && *owed == b->r.depth)
            too_many(b, "a word without a credit", port, vc);
        *owed += *owed < b->r.depth;
        b->words++;
    }
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        for (uint64_t left = io->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            uint32_t *sent = &b->sent[port * b->vcs + vc];
            if (!b->wrong[0] && *sent == 0)
                too_many(b, "a credit for an empty buffer", port, vc);
            *sent -= *sent > 0;
        }
    }
}

struct trial_result {
    uint64_t words;  /* that left the routers */
    char wrong[400]; /* the first breach of the contract, apart from the Moore rule; "": none */
};

enum {
    CYCLES = 400, /* per place: some hundred packets, buffers full and empty */
    PLACES = 8,
};

struct trial {
    const struct ec_tile_api *api;
    struct bench bench;
    struct ec_tile_bank *bank;
    struct ec_tile_listener listener;
    bool listening;             /* while legal traffic is on the pins, after the reset */
    char said[200];             /* the first error message of the RTL then; "": none */
    bool broken;                /* the simulator failed, at any time */
    struct ec_net_pulse *pulse; /* `own` if the caller has none */
    struct ec_net_pulse own;
    struct ec_tile_io io, poked; /* one router each */
    uint64_t key, draws;         /* of the random inputs */
};

static uint64_t poke_draw(struct trial *m)
{
    return ec_rng_draw(m->key, m->draws++);
}

/* Ignore messages of the RTL while random inputs are on its pins. */
static void note_said(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct trial *m = context;
    (void)router;
    m->broken |= event == EC_RTL_BROKEN;
    if (event == EC_RTL_TEXT || m->said[0] || (!m->listening && event != EC_RTL_BROKEN))
        return;
    snprintf(m->said, sizeof m->said, "%s", text);
}

/* --- The Moore rule: random inputs must not change any output --------------------------------- */

static void poke(struct trial *m)
{
    const uint32_t id = 0;
    m->poked.in_valid[0] = poke_draw(m) & ((UINT64_C(2) << (m->bench.ports - 1)) - 1);
    for (unsigned port = 0; port < m->bench.ports; port++)
        m->poked.in_word[port] = poke_draw(m) | EC_WORD_VALID;
    for (unsigned vc = 0; vc < m->bench.vcs; vc++)
        m->poked.in_credit[vc] = poke_draw(m) & ((UINT64_C(2) << (m->bench.ports - 1)) - 1);
    m->api->peek(m->bank, &m->poked, &id, 1);
}

static bool differ(const struct trial *m, const char **ret_output, unsigned *ret_port)
{
    const struct ec_tile_io *a = &m->io, *b = &m->poked;
    uint64_t bits = a->out_valid[0] ^ b->out_valid[0];
    *ret_output = "link_o";
    for (uint64_t left = a->out_valid[0] & b->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        bits |= (uint64_t)(a->out_word[port] != b->out_word[port]) << port;
    }
    const struct {
        const char *name;
        const uint64_t *a, *b;
    } masks[] = {{"credit_o", a->out_credit, b->out_credit},
                 {"contended_o", a->contended, b->contended},
                 {"starved_o", a->starved, b->starved}};
    for (unsigned k = 0; bits == 0 && k < sizeof masks / sizeof *masks; k++) {
        *ret_output = masks[k].name;
        for (unsigned vc = 0; vc < m->bench.vcs; vc++)
            bits |= masks[k].a[vc] ^ masks[k].b[vc];
    }
    for (unsigned vc = 0; bits == 0 && vc < m->bench.vcs; vc++) {
        *ret_output = "want_o";
        for (uint64_t left = a->contended[vc] | a->starved[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * m->bench.vcs + vc;
            bits |= (uint64_t)(a->want[at] != b->want[at]) << port;
        }
    }
    *ret_port = bits ? (unsigned)__builtin_ctzll(bits) : m->bench.ports;
    if (bits == 0)
        *ret_output = "quiet_o";
    return bits != 0 || a->quiet[0] != b->quiet[0];
}

static enum ec_code refuse_moore(const struct trial *m, const char *output, unsigned port,
                                 unsigned cycle, struct ec_error *reterr)
{
    char name[EC_NAME_SIZE] = "";
    if (port < m->bench.ports) {
        const unsigned outer = ec_port_outside(&m->bench.map, port);
        memcpy(name, " of port ", 10);
        ec_port_name(m->bench.t, m->bench.locals, outer, name + 9, sizeof name - 9);
    }
    return ec_fail(
        reterr, EC_CONTRACT,
        "this router breaks the Moore rule (contract, section 1): in cycle %u its output "
        "%s%.40s changes when its inputs change, without a clock edge; register that output, or "
        "make it a function of registers",
        cycle, output, name);
}

/* --- The trial -------------------------------------------------------------------------------- */

static void close_trial(struct trial *m)
{
    m->pulse->trial = false;
    m->api->close(m->bank);
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++) {
        ec_tile_io_free_inputs(both[k]);
        ec_tile_io_free_outputs(both[k]);
    }
    bench_close(&m->bench);
}

static bool open_trial(struct trial *m, const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_tile_place *places, uint32_t node)
{
    m->pulse = m->pulse ? m->pulse : &m->own;
    bool good = bench_open(&m->bench, t, r, &m->api->shape, node, CYCLES, node);
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++)
        good = ec_tile_io_inputs(both[k], 1, m->bench.ports, m->bench.vcs) &&
               ec_tile_io_outputs(both[k], 1, m->bench.ports, m->bench.vcs) && good;
    m->listener = (struct ec_tile_listener){.said = note_said, .context = m};
    m->pulse->router = node;
    m->pulse->trial = true;
    ec_net_pulse_begin(m->pulse, 0);
    m->bank = good ? m->api->open(1, &places[node], 0, NULL, &m->listener) : NULL;
    ec_net_pulse_end(m->pulse);
    return m->bank != NULL;
}

static void note_breach(const struct trial *m, unsigned cycle, struct trial_result *result)
{
    const struct bench *b = &m->bench;
    char name[EC_NAME_SIZE];
    ec_topology_node_name(b->t, b->node, name, sizeof name);
    snprintf(result->wrong, sizeof result->wrong, "router %.80s, cycle %u: %s", name, cycle,
             m->said[0]    ? m->said
             : b->wrong[0] ? b->wrong
                           : "no word has left");
}

static enum ec_code try_place(struct trial *m, struct trial_result *result, struct ec_error *reterr)
{
    const uint32_t id = 0;
    const char *output;
    unsigned port;
    ec_net_pulse_begin(m->pulse, 0);
    m->api->reset(m->bank);
    for (unsigned cycle = 1; cycle <= CYCLES; cycle++) {
        bench_drive(&m->bench, &m->io);
        ec_net_pulse_begin(m->pulse, cycle);
        m->listening = true;
        m->api->step(m->bank, &m->io, &id, 1);
        m->listening = false;
        bench_check(&m->bench, &m->io);
        if (!result->wrong[0] &&
            (m->said[0] || m->bench.wrong[0] || (cycle == CYCLES && m->bench.words == 0)))
            note_breach(m, cycle, result);
        if (!m->broken)
            poke(m);
        ec_net_pulse_end(m->pulse);
        if (m->broken) { /* perhaps only by the random inputs: a run will tell */
            if (!result->wrong[0])
                note_breach(m, cycle, result);
            break;
        }
        if (differ(m, &output, &port))
            return refuse_moore(m, output, port, cycle, reterr);
    }
    result->words += m->bench.words;
    return EC_OK;
}

static enum ec_code try_router(const struct ec_tile_api *api, const struct ec_topology *t,
                               const struct ec_router *r, struct ec_net_pulse *pulse,
                               struct trial_result *result, struct ec_error *reterr)
{
    const uint32_t count = t->nodes < PLACES ? t->nodes : PLACES;
    struct ec_router router = *r;
    struct ec_tile_place *places = calloc(t->nodes, sizeof *places);
    if (!places)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u routers", t->nodes);
    router.packet = r->packet ? r->packet : r->depth;
    ec_shape_places(t, &router, &api->shape, places);
    enum ec_code code = EC_OK;
    for (uint32_t k = 0; code == EC_OK && k < count; k++) {
        const uint32_t node = count > 1 ? (t->nodes - 1) * k / (count - 1) : 0; /* ends, too */
        struct trial m = {.api = api, .pulse = pulse, .key = ec_rng_key(2, node)};
        code = open_trial(&m, t, &router, places, node)
                   ? try_place(&m, result, reterr)
                   : ec_fail(reterr, EC_MEMORY, "out of memory for a router");
        close_trial(&m);
    }
    free(places);
    return code;
}

enum ec_code ec_shape_moore(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            struct ec_error *reterr)
{
    const struct ec_tile_api *api = ec_shape_api(s);
    struct trial_result result = {0}; /* the checks of a run cover the rest */
    return api->peek ? try_router(api, t, r, pulse, &result, reterr) : EC_OK;
}

/* --- Everything a shape may serve ---------------------------------------------------------------
 */

struct check {
    const struct ec_tile_api *api;
    const struct ec_topology *t; /* the requested network and its mode: tried first */
    const struct ec_router *r;
    struct ec_net_pulse *pulse;
    void (*lacks)(void *context, const char *mode, const char *what);
    void *context;
    struct ec_shape_checked result;
};

/* "torus:4x4 --router vcs=2,...": the options of a run. */
static void name_mode(const struct ec_topology *t, const struct ec_router *r, char *buffer,
                      size_t size)
{
    char network[160], router[160];
    ec_topology_format(t, network, sizeof network);
    ec_router_format(r, router, sizeof router);
    *strrchr(router, ',') = '\0'; /* the packet bound is a separate option */
    snprintf(buffer, size, "%s --router %s", network, router);
}

/* One network in one mode. */
static enum ec_code try_mode(struct check *c, const struct ec_topology *t,
                             const struct ec_router *r, struct trial_result *result,
                             struct ec_error *reterr)
{
    char mode[400];
    struct ec_error e;
    *result = (struct trial_result){0};
    const enum ec_code code = try_router(c->api, t, r, c->pulse, result, &e);
    name_mode(t, r, mode, sizeof mode);
    if (code != EC_OK)
        return ec_fail(reterr, code, "%s: %s", mode, e.message);
    c->result.words += result->words;
    c->result.modes++;
    return EC_OK;
}

static bool is_at_hand(const struct check *c, const struct ec_topology *t,
                       const struct ec_router *r)
{
    return t == c->t && r->switching == c->r->switching && r->depth == c->r->depth &&
           r->order == c->r->order && r->dateline == c->r->dateline;
}

/* All switching modes, with the deepest and the shallowest buffers. `lacks` is called once. */
static enum ec_code try_switching(struct check *c, const struct ec_topology *t, struct ec_router r,
                                  struct ec_error *reterr)
{
    static const enum ec_switching modes[] = {EC_WORMHOLE, EC_CUT_THROUGH, EC_STORE_AND_FORWARD};
    const unsigned depths[] = {c->api->shape.depth_max, 1};
    struct trial_result result;
    char mode[400];
    bool told = c->lacks == NULL;
    for (unsigned k = 0; k < 6; k++) {
        r.switching = modes[k / 2];
        r.depth = depths[k % 2];
        if (is_at_hand(c, t, &r))
            continue;
        const enum ec_code code = try_mode(c, t, &r, &result, reterr);
        if (code != EC_OK)
            return code;
        if (told || !result.wrong[0])
            continue;
        name_mode(t, &r, mode, sizeof mode);
        c->lacks(c->context, mode, result.wrong);
        told = true;
    }
    return EC_OK;
}

static enum ec_code try_network(struct check *c, const struct ec_topology *t, enum ec_ports ports,
                                struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    unsigned classes = 1; /* of virtual channels */
    for (unsigned d = 0; d < t->dims; d++)
        classes = t->wrap[d] && c->api->shape.vcs >= 2 ? 2 : classes;
    c->result.networks++;
    for (unsigned k = 0; k < 2 * classes && code == EC_OK; k++) {
        const struct ec_router r = {
            .vcs = c->api->shape.vcs,
            .order = k % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW,
            .ports = ports,
            .dateline = k >= 2,
        };
        code = try_switching(c, t, r, reterr);
    }
    return code;
}

/* Another network that the shape serves. Does nothing if it is the requested one. */
static enum ec_code try_other(struct check *c, const char *text, enum ec_ports ports,
                              struct ec_error *reterr)
{
    char at_hand[160];
    struct ec_topology t;
    const enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code != EC_OK)
        return code;
    ec_topology_format(c->t, at_hand, sizeof at_hand);
    return strcmp(text, at_hand) == 0 ? EC_OK : try_network(c, &t, ports, reterr);
}

/* "torus:5x4x5": a radix for each dimension of the shape. To keep the nodes few, the last radices
 * of many are 2. */
static void name_grid(const char *kind, const uint32_t radix[2], unsigned dims, char *text,
                      size_t size)
{
    unsigned spare = dims + 4 < EC_RTL_ADDRESS_BITS ? 4 : EC_RTL_ADDRESS_BITS - dims;
    size_t used = (size_t)snprintf(text, size, "%s:", kind);
    for (unsigned d = 0; d < dims; d++) {
        const unsigned bits =
            radix[d % 2] > 4 ? 2 : radix[d % 2] > 2; /* beyond the one of a radix 2 */
        const bool fits = bits <= spare;
        spare -= fits ? bits : 0;
        used +=
            (size_t)snprintf(text + used, size - used, d ? "x%u" : "%u", fits ? radix[d % 2] : 2);
    }
}

static enum ec_code try_grids(struct check *c, enum ec_ports ports, struct ec_error *reterr)
{
    static const struct {
        const char *kind;
        uint32_t radix[2];
    } grids[] = {{"mesh", {4, 3}}, {"mesh", {2, 5}}, {"torus", {5, 4}}, {"torus", {3, 2}}};
    const unsigned dims = c->api->shape.dims;
    char text[80];
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < sizeof grids / sizeof *grids && code == EC_OK; k++) {
        name_grid(grids[k].kind, grids[k].radix, dims, text, sizeof text);
        code = try_other(c, text, ports, reterr);
    }
    if (code == EC_OK && dims == 2) /* it serves rings, too, with one dimension unused */
        code = try_other(c, "ring:6", ports, reterr);
    return code;
}

static enum ec_code try_cube(struct check *c, enum ec_ports ports, struct ec_error *reterr)
{
    char text[16];
    snprintf(text, sizeof text, "cube:%u", c->api->shape.dims);
    return try_other(c, text, ports, reterr);
}

/* The router must work in the requested network and mode. */
static enum ec_code try_own(struct check *c, struct ec_error *reterr)
{
    struct trial_result result;
    char mode[400];
    const enum ec_code code = try_mode(c, c->t, c->r, &result, reterr);
    if (code != EC_OK)
        return code;
    if (!result.wrong[0])
        return try_network(c, c->t, c->r->ports, reterr);
    name_mode(c->t, c->r, mode, sizeof mode);
    return ec_fail(reterr, EC_CONTRACT, "%s: this router breaks the contract: %s", mode,
                   result.wrong);
}

enum ec_code ec_shape_check(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            void (*lacks)(void *context, const char *mode, const char *what),
                            void *context, struct ec_shape_checked *ret, struct ec_error *reterr)
{
    struct check c = {
        .api = ec_shape_api(s), .t = t, .r = r, .pulse = pulse, .lacks = lacks, .context = context};
    if (!c.api->peek)
        return ec_fail(reterr, EC_USAGE,
                       "cannot check this shape: expected a shape of one router without waves");
    enum ec_code code = try_own(&c, reterr);
    if (code == EC_OK)
        code = t->links_per_dim == 1 ? try_cube(&c, r->ports, reterr)
                                     : try_grids(&c, r->ports, reterr);
    if (code == EC_OK)
        *ret = c.result;
    return code;
}
