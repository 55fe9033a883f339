/* SPDX-License-Identifier: Apache-2.0 */
/* Legal inputs for one router.
 *
 * Knows the contract: which words may arrive where, and where they must leave. Must not know how
 * routers work or in which cycle a word has to leave. */
#include "trial/bench.h"

#include "network/walk.h"
#include "trial/translate.h"

enum {
    BACK = 8,        /* hops before this router: the packet may have crossed a wrap link there */
    ALL_NODES = 512, /* of a network whose destinations are all tried; of larger ones, so many */
    SOURCES = 64,    /* of a graph that are tried for a destination, likewise */
    TRIES = 4,       /* ways per port and cycle */
    ODD = 8,         /* one packet in so many does not begin with word 0 */
    POUR = 256 - 4,  /* chance in 256 that a burst of credits does not begin before it is due */
    REST_DEPTH = 64, /* cycles that a packet pauses: up to the depth or so many, ... */
    REST_MORE = 24,  /* ... and up to so many more */
    STORE = 64,      /* words for each input VC beyond its depth that a router may hold */
    CHOICE = 255,    /* instead of the output port of a way: the router may choose */
};

/* --- Ways ------------------------------------------------------------------------------------- */

static uint32_t nodes_at(const struct bench *b, uint32_t router)
{
    return ec_topology_first_node(b->t, router + 1) - ec_topology_first_node(b->t, router);
}

bool bench_has(const struct bench *b, unsigned port)
{
    if (port >= b->links)
        return port - b->links < (b->t->graph ? nodes_at(b, b->node) : b->locals);
    return port < ec_topology_links(b->t) && ec_topology_neighbor(b->t, b->node, port) != EC_NONE;
}

static bool can_move(const struct bench *b, uint32_t node)
{
    return b->partner == EC_NONE || translate_node(b->t, b->node, b->partner, node) != EC_NONE;
}

/* A router with routing=minimal gets packets that have come nearer in each hop. With routing=any it
 * gets the same ones: what its neighbours send by detours is not known. */
static bool find_free_way(const struct bench *b, uint32_t src, size_t back, uint32_t dst,
                          struct bench_way *ret)
{
    const struct ec_topology *t = b->t;
    const unsigned left = ec_topology_distance(t, b->node, dst);
    unsigned count = 0;
    if (src == dst || !can_move(b, src) || !can_move(b, dst) ||
        ec_topology_distance(t, src, dst) != back + left)
        return false;
    *ret = (struct bench_way){.src = ec_topology_address(t, src),
                              .dst = ec_topology_address(t, dst),
                              .out_port = (uint8_t)b->links};
    for (unsigned port = 0; left > 0 && port < b->links; port++) {
        if (!bench_has(b, port) ||
            ec_topology_distance(t, ec_topology_neighbor(t, b->node, port), dst) >= left)
            continue;
        ret->out_port = (uint8_t)port;
        count++;
    }
    if (count > 1 || b->r.routing == EC_ROUTING_ANY)
        ret->out_port = CHOICE;
    return true;
}

/* routing=valiant: packets of class 0 go to `dst`, and from there to a node that is drawn; those of
 * class 1 come from a node on the way, `src`. If class 0 is at `dst`, class 1 begins here. */
static void add_leg(struct bench *b, uint32_t dst, bool there, struct bench_way *w)
{
    const unsigned half = b->layout.dst_bits;
    struct ec_hop hop;
    if (b->r.routing != EC_ROUTING_VALIANT)
        return;
    w->dst |= w->src << half;
    if (w->in_message == 1)
        return;
    const uint32_t last = bench_below(b, b->t->nodes);
    struct ec_walk walk = ec_walk_begin(b->t, &b->r, b->node, last);
    w->dst = ec_topology_address(b->t, dst) << half | ec_topology_address(b->t, last);
    w->out_message = there;
    if (there && ec_walk_next(&walk, &hop)) {
        w->out_port = (uint8_t)hop.link;
        w->out_class = (uint8_t)hop.class_;
    }
}

/* The way of a packet from `src`, `back` hops before the router, that enters by `port`. */
static bool find_way(struct bench *b, unsigned port, uint32_t src, size_t back, uint32_t dst,
                     unsigned message, struct bench_way *ret)
{
    const struct ec_topology *t = b->t;
    const bool legs = b->r.routing == EC_ROUTING_VALIANT;
    struct ec_hop path[BACK + 1];
    struct bench_way w = {.src = ec_topology_address(t, src),
                          .dst = ec_topology_address(t, dst),
                          .in_message = (uint8_t)message,
                          .out_message = (uint8_t)message};
    if (ec_router_chooses(&b->r))
        return find_free_way(b, src, back, dst, ret);
    struct ec_walk walk = ec_walk_drawn(t, &b->r, src, dst, legs ? 0 : message);
    size_t hops = 0; /* not beyond this router: paths of wide networks are long */
    while (hops <= back && ec_walk_next(&walk, &path[hops]))
        hops++;
    if ((hops == 0 && !legs) || hops < back || !can_move(b, src) || !can_move(b, dst))
        return false;
    if (legs && message == 1 && back == 0)
        return false; /* nodes send in class 0 */
    if (back == 0 && b->locals > 1 && path[0].link != port - b->links)
        return false; /* contract, 11.4 */
    if (back > 0) {
        const struct ec_hop *last = &path[back - 1];
        if (ec_topology_neighbor(t, last->node, last->link) != b->node ||
            ec_topology_reverse(t, last->link) != port)
            return false;
        w.in_class = (uint8_t)last->class_;
    }
    const bool home = hops == back;
    w.out_port = (uint8_t)(home ? b->links + (b->locals > 1 ? port : 0) : path[back].link);
    w.out_class = (uint8_t)(home ? 0 : path[back].class_);
    add_leg(b, dst, home, &w);
    *ret = w;
    return true;
}

/* May packets of this way leave on this lane, or come on it? */
static bool has_lane(const struct bench *b, const struct bench_way *w, unsigned lane)
{
    return ec_router_draws(&b->r) ? 2 * lane / ec_router_lanes(&b->r) == w->out_message
                                  : !(w->barred >> lane & 1);
}

static void note_reached(struct bench *b, unsigned port, const struct bench_way *w)
{
    for (unsigned lane = 0; w->out_port != CHOICE && lane < ec_router_lanes(&b->r); lane++) {
        if (has_lane(b, w, lane))
            b->reached[bench_at(b, w->out_port, b->r.dateline ? 2 * lane + w->out_class : lane)] |=
                UINT64_C(1) << port;
    }
}

static void add_way(struct bench *b, unsigned port, const struct bench_way *w)
{
    struct bench_ways *ways = &b->ways[port];
    note_reached(b, port, w);
    ways->at[ways->count++] = *w;
    const uint32_t other = bench_below(b, (uint32_t)ways->count); /* a shuffle, word by word */
    const struct bench_way swap = ways->at[other];
    ways->at[other] = *w;
    ways->at[ways->count - 1] = swap;
}

/* A destination at which a decision of the router changes: in each dimension its own coordinate or
 * the one half a ring further, the next one, or one that differs in a single bit. Random ones of a
 * large network hardly ever are, so a comparison that ignores a bit would not be noticed. */
static uint32_t draw_near(struct bench *b)
{
    const struct ec_topology *t = b->t;
    uint32_t dst = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t radix = t->radix[d], own = b->node / t->stride[d] % radix;
        const unsigned bits = radix > 1 ? 32 - (unsigned)__builtin_clz(radix - 1) : 1;
        uint32_t at = own + (bench_below(b, 2) ? radix / 2 : 0);
        const unsigned how = bench_below(b, 4);
        if (how == 0)
            at = at % radix ^ 1U << bench_below(b, bits);
        else if (how == 1)
            at++;
        else if (how == 2)
            at = bench_below(b, radix);
        dst += at % radix * t->stride[d];
    }
    return dst;
}

static uint32_t draw_destination(struct bench *b)
{
    return bench_below(b, 2) ? draw_near(b) : bench_below(b, b->t->nodes);
}

/* A packet may have come from afar: each class in which it can arrive counts. */
static bool find_ways(struct bench *b, unsigned port)
{
    const bool local = port >= b->links;
    const uint32_t tries = b->t->nodes < ALL_NODES ? b->t->nodes : ALL_NODES;
    const unsigned messages = ec_router_draws(&b->r) ? 2 : 1;
    bool found[2][2 * ALL_NODES] = {{false}}; /* by message class, destination and class */
    struct bench_way w;
    uint32_t src = b->node;
    b->ways[port].at = calloc(2 * messages * (size_t)tries, sizeof *b->ways[port].at);
    if (!b->ways[port].at)
        return false;
    for (size_t back = !local; back <= (local ? 0 : BACK); back++) {
        src = local ? src : ec_topology_neighbor(b->t, src, port);
        if (src == EC_NONE || (back > 0 && src == b->node))
            break;
        for (uint32_t k = 0; k < tries; k++) {
            const uint32_t dst = tries == b->t->nodes ? k : draw_destination(b);
            for (unsigned m = 0; m < messages; m++) {
                if (!find_way(b, port, src, back, dst, m, &w) || found[m][2 * k + w.in_class])
                    continue;
                found[m][2 * k + w.in_class] = true;
                add_way(b, port, &w);
            }
        }
    }
    return true;
}

/* The local port of a node of this router. */
static unsigned local_port(const struct bench *b, uint32_t node)
{
    return b->links + node - ec_topology_first_node(b->t, b->node);
}

/* The ways in a graph of a packet that enters by `port`. From a link: one that came nearer there,
 * if the router chooses. */
static bool find_graph_way(const struct bench *b, unsigned port, uint32_t src, uint32_t dst,
                           struct bench_way *ret)
{
    const struct ec_topology *t = b->t;
    const bool here = ec_topology_router(t, src) == b->node;
    struct ec_walk walk = ec_walk_begin(t, &b->r, src, dst);
    struct ec_hop hop = {0}, last = {0};
    *ret = (struct bench_way){.src = src, .dst = dst};
    if (src == dst || here != (port >= b->links) || (here && port != local_port(b, src)))
        return false;
    if (ec_router_chooses(&b->r)) {
        const unsigned back = here ? 0 : ec_topology_hops(t, b->node, src);
        const uint32_t before = here ? b->node : ec_topology_neighbor(t, b->node, port);
        const unsigned left = ec_topology_hops(t, b->node, dst);
        if (back + left != ec_topology_distance(t, src, dst) ||
            (!here && ec_topology_hops(t, before, src) + 1 != back))
            return false;
        ret->out_port =
            (uint8_t)(left > 0 || b->r.routing == EC_ROUTING_ANY ? CHOICE : local_port(b, dst));
        return true;
    }
    while (walk.node != b->node && ec_walk_next(&walk, &hop))
        last = hop;
    if (walk.node != b->node || (!here && ec_topology_back(t, last.node, last.link) != port))
        return false;
    const bool on = ec_walk_next(&walk, &hop);
    ret->in_class = (uint8_t)last.class_;
    ret->out_class = (uint8_t)(on ? hop.class_ : 0);
    ret->out_port = (uint8_t)(on ? hop.link : local_port(b, dst));
    return true;
}

/* In a graph no link leads straight on: sources are tried like destinations, with one way for each
 * destination and class. */
static bool find_graph_ways(struct bench *b, unsigned port)
{
    const uint32_t nodes = b->t->nodes, tries = nodes < ALL_NODES ? nodes : ALL_NODES;
    const uint32_t sources = nodes < SOURCES ? nodes : SOURCES, begin = bench_below(b, nodes);
    struct bench_way w;
    b->ways[port].at = calloc(2 * (size_t)tries, sizeof *b->ways[port].at);
    for (uint32_t k = 0; b->ways[port].at && k < tries; k++) {
        const uint32_t dst = tries == nodes ? k : bench_below(b, nodes);
        bool found[2] = {false, !b->r.dateline};
        for (uint32_t i = 0; i < sources && !(found[0] && found[1]); i++) {
            const uint32_t src = sources == nodes ? (begin + i) % nodes : bench_below(b, nodes);
            if (!find_graph_way(b, port, src, dst, &w) || found[w.in_class])
                continue;
            found[w.in_class] = true;
            add_way(b, port, &w);
        }
    }
    return b->ways[port].at != NULL;
}

/* --- Opening ---------------------------------------------------------------------------------- */

bool bench_open(struct bench *b, const struct ec_topology *t, const struct ec_router *r,
                const struct ec_tile_shape *shape, uint32_t node, uint32_t partner, uint64_t seed)
{
    *b = (struct bench){
        .t = t,
        .r = *r,
        .node = node,
        .partner = partner,
        .map = ec_port_map_of(shape, t, r),
        .links = ec_tile_shape_links(shape),
        .locals = ec_router_local_ports(r, t),
        .vcs = shape->vcs,
        .layout = ec_router_layout(r, t),
        .key = ec_rng_key(seed, node),
    };
    b->ports = b->links + shape->locals;
    const size_t buffers = (size_t)b->ports * b->vcs;
    EC_ARRAY(&b->arrays, b->ways, b->ports);
    EC_ARRAY(&b->arrays, b->reached, buffers);
    EC_ARRAY(&b->state, b->streams, buffers);
    EC_ARRAY(&b->state, b->sent, buffers);
    EC_ARRAY(&b->state, b->owed, buffers);
    EC_ARRAY(&b->state, b->pouring, buffers);
    bool good = !b->arrays.memory_short && !b->state.memory_short;
    for (unsigned port = 0; good && port < b->ports; port++)
        good = !bench_has(b, port) || (t->graph ? find_graph_ways(b, port) : find_ways(b, port));
    return good;
}

void bench_bar(struct bench *b)
{
    memset(b->reached, 0, (size_t)b->ports * b->vcs * sizeof *b->reached);
    for (unsigned port = 0; port < b->ports; port++) {
        const struct bench_ways *ways = &b->ways[port];
        b->pairs += port < b->links ? ways->count * b->vcs : 0;
        for (size_t k = 0; k < ways->count; k++) {
            b->barred += (unsigned)__builtin_popcount(ways->at[k].barred);
            note_reached(b, port, &ways->at[k]);
        }
    }
}

void bench_close(struct bench *b)
{
    for (unsigned port = 0; b->ways && port < b->ports; port++)
        free(b->ways[port].at);
    ec_arrays_free(&b->arrays);
    ec_arrays_free(&b->state);
}

void bench_reset(struct bench *b)
{
    ec_arrays_clear(&b->state);
    memset(b->fresh, 0, sizeof b->fresh);
    b->now = b->moved_at = 0;
    b->words_in = b->words_out = b->credits_out = 0;
}

bool bench_is_empty(const struct bench *b)
{
    for (size_t i = 0; i < (size_t)b->ports * b->vcs; i++) {
        if (b->streams[i].left > 0 || b->sent[i] > 0 || b->owed[i] > 0)
            return false;
    }
    return b->words_in == b->words_out;
}

/* --- Inputs ----------------------------------------------------------------------------------- */

/* The credits that a head needs. */
static uint32_t need(const struct bench *b)
{
    return b->r.switching == EC_WORMHOLE ? 1 : b->r.packet;
}

static uint32_t draw_length(struct bench *b, uint32_t wanted)
{
    const uint32_t lengths[] = {1, 2, 3, b->r.depth + 1};
    const uint32_t length = wanted ? wanted : lengths[bench_below(b, 4)];
    return b->r.switching == EC_WORMHOLE || length <= b->r.packet ? length : b->r.packet;
}

static bool reaches(const struct bench *b, unsigned port, const struct bench_traffic *traffic)
{
    uint64_t inputs = 0;
    for (unsigned vc = 0; traffic->port != BENCH_ANY && vc < b->vcs; vc++) {
        if (traffic->vc == BENCH_ANY || traffic->vc == vc)
            inputs |= b->reached[bench_at(b, traffic->port, vc)];
    }
    return traffic->port == BENCH_ANY || inputs >> port & 1;
}

/* A lane on which packets come that may leave on the VC that the traffic wants. */
static unsigned choose_lane(struct bench *b, const struct bench_traffic *traffic)
{
    const unsigned all = ec_router_lanes(&b->r), lanes = all / ec_router_classes(&b->r);
    if (traffic->vc == BENCH_ANY)
        return bench_below(b, all);
    const unsigned lane = b->r.dateline ? traffic->vc / 2 : traffic->vc;
    return b->r.va == EC_VA_STATIC ? lane : lane / lanes * lanes + bench_below(b, lanes);
}

/* The next way of a port that the traffic wants, with a lane. */
static bool choose_way(struct bench *b, unsigned port, const struct bench_traffic *traffic,
                       struct bench_way *ret_way, unsigned *ret_lane)
{
    struct bench_ways *ways = &b->ways[port];
    const bool aimed = traffic->vc != BENCH_ANY;
    if (!reaches(b, port, traffic))
        return false;
    *ret_lane = choose_lane(b, traffic);
    for (size_t k = 0; k < ways->count; k++) {
        const struct bench_way *w = &ways->at[ways->next];
        ways->next = ways->next + 1 < ways->count ? ways->next + 1 : 0;
        if (traffic->port != BENCH_ANY && w->out_port != traffic->port)
            continue;
        if ((aimed && b->r.dateline && w->out_class != traffic->vc % 2) ||
            !has_lane(b, w, *ret_lane))
            continue;
        *ret_way = *w;
        if (w->out_message != w->in_message)
            *ret_lane -= ec_router_lanes(&b->r) / 2;
        return true;
    }
    return false;
}

/* As many packets in a row as there are numbers have different ones: since a router may change the
 * field vc, only numbers tell which input VC a word came from. Each step maps numbers one to one.
 */
static uint32_t draw_number(struct bench *b)
{
    const unsigned bits = b->layout.number_bits;
    const uint32_t all = (UINT32_C(1) << bits) - 1;
    uint32_t number = (uint32_t)b->key + b->packets++;
    number = number * UINT32_C(0x9e3779b1) & all;
    number ^= number >> (bits + 1) / 2;
    return number * UINT32_C(0x85ebca6b) & all;
}

/* The data of a first word: a packet number and word 0, as in a run, so that messages name words in
 * the same way. Some packets begin at any word number, because only long ones use its upper bits.
 */
static uint32_t draw_data(struct bench *b)
{
    const uint32_t index = (uint32_t)ec_rng_draw(b->key, b->draws++);
    return ec_word_numbers(&b->layout, draw_number(b), bench_below(b, ODD) == 0 ? index : 0);
}

/* Routers do not read src (contract, section 2), so its bits above all address fields may be any.
 * They come from a sequence of their own: the traffic is otherwise the same. */
static uint32_t draw_source(const struct bench *b, uint32_t src)
{
    const unsigned width = b->layout.dst_shift - b->layout.src_shift;
    const uint64_t spare = ((uint64_t)1 << width) - ((uint64_t)1 << b->t->address_bits);
    return b->any_source ? src | (uint32_t)(ec_rng_draw(~b->key, b->draws) & spare) : src;
}

/* A router that swallows words while an output is blocked would take them forever. With a bound,
 * every scenario ends: each of its words moves within the time of section 12.1, or none does. */
static bool has_room(const struct bench *b)
{
    return b->words_in < b->words_out + (uint64_t)b->ports * b->vcs * (b->r.depth + STORE);
}

/* Begin a packet at this port. NULL: none was found that may begin now. */
static struct bench_stream *begin(struct bench *b, unsigned port,
                                  const struct bench_traffic *traffic)
{
    struct bench_way w;
    unsigned lane;
    for (unsigned k = 0; k < TRIES && has_room(b) && choose_way(b, port, traffic, &w, &lane); k++) {
        const unsigned vc = b->r.dateline ? 2 * lane + w.in_class : lane;
        struct bench_stream *s = &b->streams[bench_at(b, port, vc)];
        if (s->left > 0 || b->sent[bench_at(b, port, vc)] + need(b) > b->r.depth)
            continue;
        s->word =
            ec_word_pack(&b->layout, false, false, vc, w.dst, draw_source(b, w.src), draw_data(b));
        s->length = s->left = draw_length(b, traffic->length);
        s->rests_until = 0;
        return s;
    }
    return NULL;
}

/* A stream of this port that may go on. NULL: there is none. */
static struct bench_stream *go_on(struct bench *b, unsigned port)
{
    const unsigned first = bench_below(b, b->vcs);
    for (unsigned k = 0; k < b->vcs; k++) {
        const size_t at = bench_at(b, port, (first + k) % b->vcs);
        struct bench_stream *s = &b->streams[at];
        if (s->left > 0 && s->rests_until <= b->now && b->sent[at] < b->r.depth)
            return s;
    }
    return NULL;
}

/* The next word of a port. 0: nothing may be sent, or nothing is to be sent. */
static uint64_t arrival(struct bench *b, unsigned port, const struct bench_traffic *traffic)
{
    const bool first = !traffic->closed && bench_below(b, 2);
    struct bench_stream *s = first ? begin(b, port, traffic) : go_on(b, port);
    if (!s)
        s = first ? go_on(b, port) : traffic->closed ? NULL : begin(b, port, traffic);
    if (!s)
        return 0;
    const bool head = s->left == s->length, tail = s->left == 1;
    /* Each word of a packet differs from the others. */
    const uint64_t word =
        (s->word ^ (s->length - s->left)) | (head ? EC_WORD_HEAD : 0) | (tail ? EC_WORD_TAIL : 0);
    s->left--;
    if (bench_chance(b, traffic->pause))
        s->rests_until =
            b->now + 2 +
            bench_below(b, (b->r.depth < REST_DEPTH ? b->r.depth : REST_DEPTH) + REST_MORE);
    b->sent[s - b->streams]++;
    b->words_in++;
    b->moved_at = b->now;
    return word;
}

static bool returns_credit(struct bench *b, size_t at, const struct bench_traffic *traffic)
{
    switch (traffic->credits) {
    case BENCH_AT_ONCE:
        return true;
    case BENCH_AT_RANDOM:
        return bench_below(b, 2) == 0;
    case BENCH_BLOCKED:
        return at / b->vcs == traffic->open ? bench_below(b, 2) == 0
                                            : traffic->closed && b->owed[at] == b->r.depth;
    case BENCH_IN_BURSTS:
        b->pouring[at] = b->pouring[at] || b->owed[at] == b->r.depth || bench_chance(b, 256 - POUR);
        return b->pouring[at];
    case BENCH_WITHHELD:
        break;
    }
    return false;
}

/* A credit that is shown in a cycle can be used in the next one (contract, section 11.1). */
static void use_credits(struct bench *b)
{
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        for (; b->fresh[vc]; b->fresh[vc] &= b->fresh[vc] - 1) {
            uint32_t *sent = &b->sent[bench_at(b, (unsigned)__builtin_ctzll(b->fresh[vc]), vc)];
            *sent -= *sent > 0;
        }
    }
}

void bench_drive(struct bench *b, const struct bench_traffic *traffic, struct ec_tile_io *io)
{
    b->now++;
    io->in_valid[0] = 0;
    for (unsigned port = 0; port < b->ports; port++) {
        const bool sends = b->ways[port].count > 0 && bench_chance(b, traffic->send);
        io->in_word[port] = sends ? arrival(b, port, traffic) : 0;
        io->in_valid[0] |= (uint64_t)(io->in_word[port] != 0) << port;
    }
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        io->in_credit[vc] = 0;
        for (unsigned port = 0; port < b->ports; port++) {
            const size_t at = bench_at(b, port, vc);
            if (b->owed[at] == 0 || !returns_credit(b, at, traffic))
                continue;
            b->pouring[at] = b->pouring[at] && b->owed[at] > 1;
            b->owed[at]--;
            b->moved_at = b->now;
            io->in_credit[vc] |= UINT64_C(1) << port;
        }
    }
    use_credits(b);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void count_stray(struct bench *b, unsigned port, uint64_t word)
{
    const uint32_t dst = ec_topology_node(b->t, ec_word_dst(&b->layout, word));
    if (b->r.routing != EC_ROUTING_ANY || !ec_word_head(word) || dst == EC_NONE ||
        ec_topology_router(b->t, dst) != b->node)
        return;
    b->delivered += port >= b->links;
    b->strayed += port < b->links;
}

/* The counts stay within their bounds whatever the router does. */
void bench_take(struct bench *b, const struct ec_tile_io *io)
{
    for (uint64_t left = io->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        uint32_t *owed = &b->owed[bench_at(b, port, ec_word_vc(io->out_word[port], b->vcs))];
        *owed += *owed < b->r.depth;
        b->words_out++;
        b->moved_at = b->now;
        count_stray(b, port, io->out_word[port]);
    }
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        const unsigned count = (unsigned)__builtin_popcountll(io->out_credit[vc]);
        b->fresh[vc] = io->out_credit[vc];
        b->credits_out += count;
        b->moved_at = count ? b->now : b->moved_at;
    }
}
