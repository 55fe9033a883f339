/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the contract against a second model of the router, which is written from sections 4
 * to 8 and keeps lists instead of an account. It gets random legal traffic. Then
 * - the rules find nothing, and their account is what the model holds, in every cycle;
 * - of every cycle, each single change of what the router shows is a breach, in that cycle, at that
 *   place, and in the right words;
 * - a foreign router may show the same words and credits later. */
#include "contract/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/route.h"
#include "network/names.h"
#include "unit.h"

enum { PORTS = 8, VCS = 4, INPUTS = PORTS * VCS, ROOM = 16, NOBODY = -1 };

/* Of traffic, of the time until all is empty, and of the delays of foreign routers. */
enum { TRAFFIC = 70, CYCLES = 150, LATE = 200 };

/* What is on all pins in one cycle. */
struct pins {
    uint64_t in_word[64], out_word[64], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS], contended[VCS], starved[VCS];
    uint8_t want[INPUTS];
    bool shown; /* the router is stepped in this cycle */
};

/* What the model knows of the outputs of one cycle. */
struct facts {
    int from[PORTS];        /* the input VC from which the word on a port came, or NOBODY */
    int granted[PORTS];     /* the input VC that is granted a port, or NOBODY */
    unsigned to[PORTS];     /* the VC that it is granted */
    uint64_t front[INPUTS]; /* 0: empty, or the word is in the route stage */
    uint64_t since[INPUTS];
    uint64_t left[INPUTS];     /* the last word that left before this cycle; 0: none */
    uint64_t left_at[INPUTS];  /* and when */
    unsigned port[INPUTS];     /* where the front word must leave */
    unsigned choice[INPUTS];   /* the VC there */
    bool request[INPUTS];      /* it could leave */
    int holder[PORTS][VCS];    /* of each output VC, before this cycle */
    unsigned free[PORTS][VCS]; /* credits */
    uint64_t credit_at[PORTS][VCS];
    uint64_t freed_at[PORTS][VCS];
};

struct queued {
    uint64_t word, entered; /* entered: the first cycle in the buffer */
    unsigned port, vcs;     /* where it must leave; VCs: bits */
};

struct input {
    struct queued q[ROOM + 1];
    unsigned count;
    uint64_t since;
    /* Several stages: the word between allocation and output. */
    bool between;
    struct queued leaving;
    uint64_t leaving_since;
    unsigned leaving_vc;
    uint64_t left, left_at;
    /* The neighbour or node behind it. */
    unsigned credits;
    uint32_t rest, dst, src, number, words; /* rest: words of the packet to send */
};

struct output {
    int holder;
    uint64_t packet;
    unsigned sent, shown; /* words: granted and not credited; of these, on the output */
    uint64_t credit_at, freed_at, correct_at, out_since;
};

struct setting {
    const char *topology;
    uint32_t node;
    const char *router;
    unsigned load, credits; /* percent */
};

struct bench {
    const struct setting *x;
    struct ec_topology t;
    struct ec_router r;
    struct ec_word_layout layout;
    unsigned links, locals, ports, vcs, buffers;
    struct input in[INPUTS];
    struct output out[INPUTS];
    unsigned pointer[PORTS];
    uint64_t moved_at, shown_at;
    struct pins pins[CYCLES + 2 * LATE];
    struct facts facts[CYCLES + LATE + 3];
    struct rules *rules;
    unsigned late_words, late_credits; /* cycles, of a foreign router */
    uint64_t key, drawn;
};

static uint64_t draw(struct bench *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(b->key, b->drawn++), below);
}

/* --- Traffic ---------------------------------------------------------------------------------- */

/* Where a packet enters this router and where it leaves. */
struct through {
    unsigned in, in_class, out, out_class;
};

/* False: its path does not lead through here. */
static bool find_through(const struct bench *b, uint32_t src, uint32_t dst, struct through *ret)
{
    struct ec_hop hops[64];
    const size_t count =
        ec_route_path(&b->t, b->r.order, b->r.dateline, src, dst, hops, COUNT(hops));
    size_t i = 0;
    while (i < count && hops[i].node != b->x->node)
        i++;
    if (i == count && dst != b->x->node)
        return false;
    ret->in = b->links + (b->locals > 1 ? hops[0].link : 0);
    ret->in_class = 0;
    if (i > 0) {
        ret->in = ec_topology_reverse(&b->t, hops[i - 1].link);
        ret->in_class = hops[i - 1].class_;
    }
    ret->out = i < count ? hops[i].link : b->links + (b->locals > 1 ? ret->in : 0);
    ret->out_class = i < count ? hops[i].class_ : 0;
    return true;
}

/* The VCs of a channel that are of the same lane or message class as `vc`, in dateline class
 * `class_`. */
static unsigned vcs_of(const struct bench *b, unsigned vc, unsigned class_)
{
    if (b->r.va == EC_VA_STATIC)
        return 1u << (b->r.dateline ? vc / 2 * 2 + class_ : vc);
    unsigned vcs = 0;
    for (unsigned v = 0; v < b->vcs; v++) {
        const bool same_class =
            ec_router_classes(&b->r) == 1 || v / (b->vcs / 2) == vc / (b->vcs / 2);
        vcs |= (unsigned)(same_class && (!b->r.dateline || v % 2 == class_)) << v;
    }
    return vcs;
}

/* A packet that may enter by this input VC. */
static void choose_packet(struct bench *b, unsigned own)
{
    struct input *in = &b->in[own];
    struct through x;
    for (unsigned tries = 0; tries < 40; tries++) {
        const uint32_t src = (uint32_t)draw(b, b->t.nodes), dst = (uint32_t)draw(b, b->t.nodes);
        if (src == dst || !find_through(b, src, dst, &x) || x.in != own / b->vcs ||
            (b->r.dateline && x.in_class != own % b->vcs % 2))
            continue;
        in->src = src;
        in->dst = dst;
        in->number++;
        in->words = in->rest = 1 + (uint32_t)draw(b, b->r.packet);
        return;
    }
}

static void take_word(struct bench *b, unsigned own, uint64_t now)
{
    struct input *in = &b->in[own];
    struct through x;
    const uint32_t index = in->words - in->rest, number = in->number * INPUTS + own;
    assert_true(find_through(b, in->src, in->dst, &x));
    const uint64_t word = ec_word_pack(
        &b->layout, index == 0, in->rest == 1, own % b->vcs, ec_topology_address(&b->t, in->dst),
        ec_topology_address(&b->t, in->src), ec_word_numbers(&b->layout, number, index));
    b->pins[now].in_word[own / b->vcs] = word;
    b->pins[now].in_valid |= UINT64_C(1) << own / b->vcs;
    in->rest--;
    in->credits--;
    struct queued *q = &in->q[in->count++];
    *q = (struct queued){word, now + (b->r.stages == 3 ? 2 : 1), x.out,
                         vcs_of(b, own % b->vcs, x.out_class)};
    if (in->count == 1)
        in->since = in->since > q->entered ? in->since : q->entered;
}

/* The neighbours see what the router shows in cycle `now`. */
static void see_outputs(struct bench *b, uint64_t now)
{
    const struct pins *p = &b->pins[now];
    for (unsigned own = 0; own < b->buffers; own++)
        b->in[own].credits += p->out_credit[own % b->vcs] >> own / b->vcs & 1;
    for (unsigned port = 0; port < b->ports; port++) {
        if (p->out_valid >> port & 1)
            b->out[port * b->vcs + ec_word_vc(p->out_word[port], b->vcs)].shown++;
    }
}

/* The input VC of a port that sends in a cycle, or NOBODY. In the end only packets that have begun
 * are sent. */
static int choose_input(struct bench *b, unsigned port, uint64_t now)
{
    const unsigned first = (unsigned)draw(b, b->vcs);
    if (now <= TRAFFIC && draw(b, 100) >= b->x->load)
        return NOBODY;
    for (unsigned k = 0; k < b->vcs; k++) {
        const unsigned own = port * b->vcs + (first + k) % b->vcs;
        if (b->in[own].credits && (now <= TRAFFIC || b->in[own].rest))
            return (int)own;
    }
    return NOBODY;
}

/* What enters in cycle `now`: a word by each port at most, and credits for words that were shown.
 */
static void enter(struct bench *b, uint64_t now)
{
    see_outputs(b, now);
    for (unsigned port = 0; port < b->ports; port++) {
        const int own = choose_input(b, port, now);
        if (own != NOBODY && b->in[own].rest == 0)
            choose_packet(b, (unsigned)own);
        if (own != NOBODY && b->in[own].rest > 0)
            take_word(b, (unsigned)own, now);
    }
    for (unsigned to = 0; to < b->buffers; to++) {
        struct output *out = &b->out[to];
        if (out->shown == 0 || (now <= TRAFFIC && draw(b, 100) >= b->x->credits))
            continue;
        b->pins[now].in_credit[to % b->vcs] |= UINT64_C(1) << to / b->vcs;
        out->shown--;
        out->credit_at = now;
        if (--out->sent == 0)
            out->correct_at = now;
    }
}

/* --- The router ------------------------------------------------------------------------------- */

static unsigned need_of(const struct bench *b, uint64_t word)
{
    return ec_word_head(word) && b->r.switching != EC_WORMHOLE ? b->r.packet : 1;
}

static unsigned free_of(const struct bench *b, const struct output *out)
{
    return b->r.depth - out->sent;
}

/* The VC that the front word of an input VC takes, or would take. */
static unsigned choose(const struct bench *b, unsigned own)
{
    const struct queued *q = &b->in[own].q[0];
    const struct output *outs = &b->out[q->port * b->vcs];
    int first = NOBODY, open = NOBODY;
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        if (!ec_word_head(q->word) && outs[vc].holder == (int)own)
            return vc;
    }
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        if (!(q->vcs >> vc & 1))
            continue;
        first = first == NOBODY ? (int)vc : first;
        if (outs[vc].holder != NOBODY && outs[vc].holder != (int)own)
            continue;
        if (free_of(b, &outs[vc]) >= need_of(b, q->word))
            return vc;
        open = open == NOBODY ? (int)vc : open;
    }
    return (unsigned)(open == NOBODY ? first : open);
}

static bool is_complete(const struct input *in, uint64_t now)
{
    for (unsigned i = 0; i < in->count; i++) {
        if (ec_word_tail(in->q[i].word) && in->q[i].entered <= now)
            return true;
    }
    return false;
}

static bool requests(const struct bench *b, unsigned own, unsigned vc, uint64_t now)
{
    const struct input *in = &b->in[own];
    const struct output *out = &b->out[in->q[0].port * b->vcs + vc];
    const unsigned free = free_of(b, out);
    if (!ec_word_head(in->q[0].word))
        return out->holder == (int)own && free > 0;
    return out->holder == NOBODY && free >= need_of(b, in->q[0].word) &&
           (b->r.switching != EC_STORE_AND_FORWARD || is_complete(in, now));
}

static void look(struct bench *b, uint64_t now)
{
    struct facts *f = &b->facts[now];
    for (unsigned own = 0; own < b->buffers; own++) {
        const struct input *in = &b->in[own];
        f->left[own] = in->left;
        f->left_at[own] = in->left_at;
        f->front[own] = 0;
        f->request[own] = false;
        if (in->count == 0 || in->q[0].entered > now)
            continue;
        f->front[own] = in->q[0].word;
        f->since[own] = in->since;
        f->port[own] = in->q[0].port;
        f->choice[own] = choose(b, own);
        f->request[own] = requests(b, own, f->choice[own], now);
    }
    for (unsigned to = 0; to < b->buffers; to++) {
        f->holder[to / b->vcs][to % b->vcs] = b->out[to].holder;
        f->free[to / b->vcs][to % b->vcs] = free_of(b, &b->out[to]);
        f->credit_at[to / b->vcs][to % b->vcs] = b->out[to].credit_at;
        f->freed_at[to / b->vcs][to % b->vcs] = b->out[to].freed_at;
    }
}

/* The words granted before leave, in cycle `now`. */
static void show_word(struct bench *b, unsigned own, const struct queued *q, unsigned vc,
                      uint64_t now)
{
    uint64_t word = q->word;
    if (b->vcs > 1)
        word = (word & ~ec_word_vc_mask(b->vcs)) | (uint64_t)vc << ec_word_vc_shift(b->vcs);
    b->pins[now + b->late_words].out_word[q->port] = word;
    b->pins[now + b->late_words].out_valid |= UINT64_C(1) << q->port;
    b->facts[now].from[q->port] = (int)own;
    b->in[own].left = q->word;
    b->in[own].left_at = now;
}

static void grant(struct bench *b, unsigned own, unsigned vc, uint64_t now)
{
    struct input *in = &b->in[own];
    const struct queued q = in->q[0];
    struct output *out = &b->out[q.port * b->vcs + vc];
    if (out->sent++ == 0)
        out->out_since = now;
    out->holder = ec_word_tail(q.word) ? NOBODY : (int)own;
    out->packet = (q.word & ((UINT64_C(1) << b->layout.vc_shift) - 1)) >> b->layout.index_bits;
    if (ec_word_tail(q.word))
        out->freed_at = now;
    if (b->vcs > 1 || ec_word_tail(q.word))
        b->pointer[q.port] = (own + 1) % b->buffers;
    b->pins[now + b->late_credits].out_credit[own % b->vcs] |= UINT64_C(1) << own / b->vcs;
    if (b->r.stages == 1) {
        show_word(b, own, &q, vc, now);
    } else {
        in->between = true;
        in->leaving = q;
        in->leaving_since = in->since;
        in->leaving_vc = vc;
    }
    memmove(in->q, in->q + 1, --in->count * sizeof *in->q);
    in->since = now + 1;
    if (in->count && in->q[0].entered > in->since)
        in->since = in->q[0].entered;
}

/* The outputs of cycle `now`. */
static void show(struct bench *b, uint64_t now)
{
    struct facts *f = &b->facts[now];
    struct pins *p = &b->pins[now];
    for (unsigned port = 0; port < b->ports; port++)
        f->from[port] = f->granted[port] = NOBODY;
    for (unsigned own = 0; own < b->buffers; own++) {
        struct input *in = &b->in[own];
        if (in->between)
            show_word(b, own, &in->leaving, in->leaving_vc, now);
        in->between = false;
    }
    look(b, now);
    for (unsigned port = 0; port < b->ports; port++) {
        for (unsigned k = 0; k < b->buffers && f->granted[port] == NOBODY; k++) {
            const unsigned own = (b->pointer[port] + k) % b->buffers;
            if (f->request[own] && f->port[own] == port)
                f->granted[port] = (int)own;
        }
    }
    for (unsigned own = 0; own < b->buffers; own++) {
        if (f->front[own] == 0)
            continue;
        const unsigned port = f->port[own];
        const int winner = f->granted[port], holder = f->holder[port][f->choice[own]];
        if (winner == (int)own)
            continue;
        const bool contended = winner != NOBODY || (holder != NOBODY && holder != (int)own);
        (contended ? p->contended : p->starved)[own % b->vcs] |= UINT64_C(1) << own / b->vcs;
        p->want[own] = (uint8_t)port;
    }
    for (unsigned port = 0; port < b->ports; port++) {
        if (f->granted[port] == NOBODY)
            continue;
        f->to[port] = f->choice[f->granted[port]];
        grant(b, (unsigned)f->granted[port], f->to[port], now);
    }
}

static bool is_empty(const struct bench *b)
{
    for (unsigned own = 0; own < b->buffers; own++) {
        if (b->in[own].count || b->in[own].between)
            return false;
    }
    return true;
}

/* --- The account ------------------------------------------------------------------------------ */

static void see(const struct bench *b, uint64_t cycle)
{
    const struct pins *now = &b->pins[cycle], *next = &b->pins[cycle + 1];
    if (now->shown)
        rules_see(b->rules, &(struct ec_net_seen){.cycle = cycle,
                                                  .node = b->x->node,
                                                  .in_word = now->in_word,
                                                  .in_credit = now->in_credit,
                                                  .in_valid = now->in_valid,
                                                  .out_word = next->out_word,
                                                  .out_credit = next->out_credit,
                                                  .out_valid = next->out_valid,
                                                  .contended = next->contended,
                                                  .starved = next->starved,
                                                  .want = next->want});
    rules_cycle(b->rules, cycle);
}

static void assert_number(const struct bench *b, uint64_t cycle, const char *what, unsigned at,
                          uint64_t is, uint64_t should)
{
    if (is != should)
        fail_msg("%s %s, cycle %llu: %s of %u.%u is %llx instead of %llx", b->x->topology,
                 b->x->router, (unsigned long long)cycle, what, at / b->vcs, at % b->vcs,
                 (unsigned long long)is, (unsigned long long)should);
}

static void compare_input(const struct bench *b, unsigned own, size_t at, uint64_t c)
{
    const struct input *in = &b->in[own];
    const struct shadow *shadow = rules_shadow(b->rules);
    const struct rules_ask ask = rules_ask(b->rules, at);
    const unsigned count = in->count + in->between;
    const uint32_t granted = rules_granted(b->rules, at);
    assert_number(b, c, "the number of words", own, shadow->buffers[at].count, count);
    for (unsigned k = 0; k < count; k++)
        assert_number(b, c, "a word", own, shadow_word(shadow, at, k),
                      k < in->between ? in->leaving.word : in->q[k - in->between].word);
    assert_number(b, c, "the front word", own, ask.word, count ? shadow_front(shadow, at) : 0);
    const unsigned to = in->leaving.port * b->vcs + in->leaving_vc;
    assert_number(b, c, "the grant", own, granted, in->between ? to : RULES_NOBODY);
    if (in->between) {
        assert_number(b, c, "the port of the grant", own, ask.port, in->leaving.port);
        assert_number(b, c, "the VC of the grant", own, ask.vc, in->leaving_vc);
        assert_number(b, c, "its VCs", own, ask.vcs, 1u << in->leaving_vc);
        assert_number(b, c, "its time", own, ask.since, in->leaving_since);
    } else if (in->count) {
        const bool head = ec_word_head(in->q[0].word);
        const unsigned vc = choose(b, own);
        const bool bound = !head && b->out[in->q[0].port * b->vcs + vc].holder == (int)own;
        assert_number(b, c, "the port", own, ask.port, in->q[0].port);
        assert_number(b, c, "the VC", own, ask.vc, vc);
        assert_number(b, c, "the VCs", own, ask.vcs, bound ? 1u << vc : in->q[0].vcs);
        assert_number(b, c, "the time", own, ask.since, in->since);
        assert_number(b, c, "the tail", own, ask.complete, is_complete(in, UINT64_MAX));
    }
}

static void compare_accounts(const struct bench *b, uint64_t c)
{
    for (unsigned own = 0; own < b->buffers; own++) {
        const size_t at = shadow_at(rules_shadow(b->rules), b->x->node, own / b->vcs, own % b->vcs);
        const struct rules_output *is = rules_output(b->rules, at);
        const struct output *out = &b->out[own];
        compare_input(b, own, at, c);
        assert_number(b, c, "the holder", own, is->holder,
                      out->holder == NOBODY ? RULES_NOBODY : (uint32_t)out->holder);
        if (out->holder != NOBODY)
            assert_number(b, c, "the packet", own, is->packet, out->packet);
        assert_number(b, c, "the words out", own, is->sent, out->sent);
        assert_number(b, c, "the last credit", own, is->credit_at, out->credit_at);
        assert_number(b, c, "the last tail", own, is->freed_at, out->freed_at);
        assert_number(b, c, "the last time without words out", own, is->correct_at,
                      out->correct_at);
        if (out->sent)
            assert_number(b, c, "the first word out", own, is->out_since, out->out_since);
    }
    assert_number(b, c, "the last move", 0, rules_moved_at(b->rules), b->moved_at);
    assert_number(b, c, "the last cycle", 0, rules_shown_at(b->rules, b->x->node), b->shown_at);
}

static void assert_silent(const struct bench *b, uint64_t cycle)
{
    const struct rules_breach *breach = rules_breach(b->rules);
    char text[600];
    if (!breach)
        return;
    rules_text(b->rules, breach, text, sizeof text);
    fail_msg("%s %s, cycle %llu: %s", b->x->topology, b->x->router, (unsigned long long)cycle,
             text);
}

/* `node`: EC_NONE to open the rules for all routers. */
static void bench_open(struct bench *b, const struct setting *x, uint64_t seed, uint32_t node)
{
    struct ec_error error;
    memset(b, 0, sizeof *b);
    b->x = x;
    b->key = ec_rng_key(seed, 5);
    b->t = topology_of(x->topology);
    b->r = router_of(x->router, &b->t);
    if (ec_router_set_packet(&b->r, b->r.depth < 3 ? b->r.depth : 3, 3, &error) != EC_OK)
        fail_msg("%s", error.message);
    b->layout = ec_word_layout(b->t.address_bits, b->r.vcs);
    b->links = ec_topology_links(&b->t);
    b->locals = ec_router_locals(&b->r, &b->t);
    b->ports = b->links + b->locals;
    b->vcs = b->r.vcs;
    b->buffers = b->ports * b->vcs;
    assert_true(b->ports <= PORTS && b->vcs <= VCS && b->r.depth < ROOM);
    for (unsigned own = 0; own < b->buffers; own++) {
        b->in[own].credits = b->r.depth;
        b->out[own].holder = NOBODY;
    }
    b->rules = rules_open(&b->t, &b->r, node, (struct rules_options){.taps = true});
    assert_non_null(b->rules);
}

/* Traffic until all is empty again, seen by the rules. */
static void play(struct bench *b, uint64_t *ret_words)
{
    *ret_words = 0;
    for (uint64_t c = 1; c <= CYCLES; c++) {
        struct pins *now = &b->pins[c], *next = &b->pins[c + 1];
        enter(b, c);
        show(b, c + 1);
        now->shown = now->in_valid || next->out_valid || !is_empty(b) || draw(b, 2);
        for (unsigned vc = 0; vc < b->vcs; vc++)
            now->shown |= now->in_credit[vc] || next->out_credit[vc];
        b->moved_at = next->out_valid ? c : b->moved_at;
        b->shown_at = now->shown ? c : b->shown_at;
        *ret_words += (unsigned)__builtin_popcountll(next->out_valid);
        see(b, c);
        assert_silent(b, c);
        compare_accounts(b, c);
    }
    assert_true(is_empty(b));
    rules_end(b->rules, CYCLES);
    assert_silent(b, CYCLES);
}

static const struct setting settings[] = {
    {"mesh:3", 1, "depth=4", 90, 80},
    {"mesh:3", 1, "depth=1", 90, 60},
    {"mesh:3x3", 4, "depth=2,vcs=2", 60, 40},
    {"mesh:3x3", 4, "depth=3,vcs=4", 60, 30},
    {"mesh:3x3", 4, "depth=2,ports=all", 60, 40},
    {"torus:5x3", 7, "depth=3,vcs=2", 60, 40},
    {"torus:5x3", 4, "depth=3,vcs=4", 60, 30},
    {"ring:5", 0, "depth=2,vcs=4", 80, 50},
    {"ring:5", 4, "depth=2,vcs=2", 80, 50},
    {"cube:3", 5, "depth=4,order=high,switching=cut-through", 80, 60},
    {"mesh:3x3", 4, "depth=4,vcs=2,switching=store-and-forward", 70, 40},
    {"mesh:3x3", 4, "depth=2,vcs=2,stages=2", 60, 40},
    {"mesh:3", 1, "depth=1,stages=2", 90, 60},
    {"torus:5x3", 0, "depth=4,vcs=4,stages=2", 60, 30},
    {"mesh:3x3", 4, "depth=3,vcs=2,stages=3", 60, 40},
    {"cube:3", 2, "depth=4,stages=3,switching=store-and-forward", 80, 50},
    {"cube:3", 2, "depth=4,stages=2,switching=cut-through,ports=all", 70, 50},
    {"mesh:3x3", 4, "depth=2,vcs=4,va=dynamic", 60, 20},
    {"mesh:3", 1, "depth=1,vcs=2,va=dynamic", 90, 30},
    {"ring:5", 4, "depth=2,vcs=4,va=dynamic", 80, 30},
    {"mesh:3x3", 4, "depth=3,vcs=4,va=dynamic,classes=2", 60, 20},
    {"mesh:3x3", 4, "depth=4,vcs=4,va=dynamic,switching=cut-through", 60, 25},
    {"cube:3", 2, "depth=2,vcs=4,va=dynamic,stages=2", 70, 20},
    {"cube:3", 2, "depth=3,vcs=2,va=dynamic,stages=3", 70, 30},
};

static void the_account_is_what_the_router_holds(void **state)
{
    (void)state;
    static struct bench b;
    for (size_t i = 0; i < COUNT(settings); i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            uint64_t words;
            bench_open(&b, &settings[i], seed, seed % 2 ? EC_NONE : settings[i].node);
            play(&b, &words);
            assert_true(words > 20);
            rules_close(b.rules);
        }
    }
}

/* --- Single changes --------------------------------------------------------------------------- */

struct expected {
    enum rules_kind kind;
    bool input;
    unsigned port, vc;
    const char *format; /* NULL: any words */
    char text[400];
};

static const char *word_name(const struct bench *b, uint64_t word)
{
    static char text[4][100];
    static unsigned turn;
    char name[EC_NAME_SIZE];
    char *ret = text[turn++ % 4];
    ec_word_name(&b->t, &b->layout, word, name, sizeof name);
    snprintf(ret, sizeof text[0], "%s%s%.60s", ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", name);
    return ret;
}

static const char *port_name(const struct bench *b, unsigned port)
{
    static char text[4][EC_NAME_SIZE];
    static unsigned turn;
    char *ret = text[turn++ % 4];
    ec_port_name(&b->t, b->locals, port, ret, sizeof text[0]);
    return ret;
}

static const char *vc_name(const struct bench *b, unsigned port, unsigned vc)
{
    static char text[4][EC_NAME_SIZE + 20];
    static unsigned turn;
    char *ret = text[turn++ % 4];
    if (b->vcs == 1)
        snprintf(ret, sizeof text[0], "%s", port_name(b, port));
    else
        snprintf(ret, sizeof text[0], "%s VC %u", port_name(b, port), vc);
    return ret;
}

static const char *when(const char *event, const char *never, uint64_t cycle)
{
    static char text[4][100];
    static unsigned turn;
    char *ret = text[turn++ % 4];
    if (cycle)
        snprintf(ret, sizeof text[0], "%s in cycle %llu", event, (unsigned long long)cycle);
    else
        snprintf(ret, sizeof text[0], "%s", never);
    return ret;
}

static const char *credit_name(uint64_t cycle)
{
    return when("the last one came back", "no credit has come back yet", cycle);
}

/* Plays the recorded cycles again, the last one changed: what it shows in cycle `at`. */
static void assert_breach(struct bench *b, uint64_t at, const struct expected *e)
{
    char text[600], start[200], router[EC_NAME_SIZE];
    rules_reset(b->rules);
    for (uint64_t c = 1; c < at; c++)
        see(b, c);
    const struct rules_breach *breach = rules_breach(b->rules);
    if (!breach)
        fail_msg("%s %s, cycle %llu: no breach: expected %s", b->x->topology, b->x->router,
                 (unsigned long long)at, e->text);
    rules_text(b->rules, breach, text, sizeof text);
    ec_topology_node_name(&b->t, b->x->node, router, sizeof router);
    snprintf(start, sizeof start, "cycle %llu, router %s, %s %s: ", (unsigned long long)at, router,
             e->input ? "input" : "output", vc_name(b, e->port, e->vc));
    if (breach->kind != e->kind || strncmp(text, start, strlen(start)) != 0 ||
        (e->format && strcmp(text + strlen(start), e->text) != 0))
        fail_msg("%s %s: kind %d, %s\n  expected kind %d, %s%s", b->x->topology, b->x->router,
                 (int)breach->kind, text, (int)e->kind, start, e->text);
    assert_true(breach->cycle == at && breach->node == b->x->node);
    assert_true(breach->input == e->input && breach->port == e->port && breach->vc == e->vc);
}

#define EXPECT(kind_, input_, port_, vc_, ...)                                                     \
    do {                                                                                           \
        struct expected e_ = {kind_, input_, port_, vc_, "", ""};                                  \
        snprintf(e_.text, sizeof e_.text, __VA_ARGS__);                                            \
        assert_breach(b, at, &e_);                                                                 \
    } while (0)

static bool taken(uint64_t mask, unsigned port)
{
    return mask >> port & 1;
}

/* A word is not there, and it was removed from its buffer. */
static void try_lost_word(struct bench *b, uint64_t at, unsigned port)
{
    struct pins *p = &b->pins[at];
    const unsigned own = (unsigned)b->facts[at].from[port];
    const uint64_t word = p->out_word[port];
    p->out_valid ^= UINT64_C(1) << port;
    if (b->r.stages == 1)
        EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs,
               "word %s is removed from its buffer but does not leave", word_name(b, word));
    else
        EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs,
               "word %s was granted output %s in the cycle before, but is not on it (lost)",
               word_name(b, word), vc_name(b, port, ec_word_vc(word, b->vcs)));
    p->out_valid ^= UINT64_C(1) << port;
}

/* A field of a word is another one. */
static void try_altered_word(struct bench *b, uint64_t at, unsigned port)
{
    struct pins *p = &b->pins[at];
    const uint64_t word = p->out_word[port];
    const unsigned vc = ec_word_vc(word, b->vcs);
    const uint64_t bits[] = {1,
                             UINT64_C(1) << b->layout.index_bits,
                             UINT64_C(1) << b->layout.src_shift,
                             UINT64_C(1) << b->layout.dst_shift,
                             EC_WORD_HEAD,
                             EC_WORD_TAIL};
    for (size_t i = 0; i < COUNT(bits); i++) {
        struct expected e = {RULES_WORD, false, port, vc, NULL, "(altered)"};
        p->out_word[port] = word ^ bits[i];
        rules_reset(b->rules);
        for (uint64_t c = 1; c < at; c++)
            see(b, c);
        /* By chance it is a word that waits, or one that left: then it is another breach. */
        if (rules_breach(b->rules) && rules_breach(b->rules)->kind == RULES_WORD)
            assert_breach(b, at, &e);
        else
            assert_true(rules_breach(b->rules) && rules_breach(b->rules)->cycle == at);
    }
    for (unsigned other = 0; b->vcs > 1 && other < b->vcs; other++) {
        const unsigned own = (unsigned)b->facts[at].from[port];
        if (other == vc || b->r.va == EC_VA_DYNAMIC)
            continue;
        (void)own;
        p->out_word[port] = (word & ~ec_word_vc_mask(b->vcs)) | (uint64_t)other
                                                                    << ec_word_vc_shift(b->vcs);
        EXPECT(RULES_VC, false, port, other, "wrong VC: word %s leaves on VC %u instead of VC %u",
               word_name(b, word), other, vc);
    }
    p->out_word[port] = word;
}

/* A word leaves by another port. */
static void try_wrong_port(struct bench *b, uint64_t at, unsigned port)
{
    struct pins *p = &b->pins[at];
    const uint64_t word = p->out_word[port], valid = p->out_valid;
    const unsigned vc = ec_word_vc(word, b->vcs);
    for (unsigned other = 0; other <= b->ports; other++) {
        if (taken(valid, other))
            continue;
        const uint64_t was = p->out_word[other];
        p->out_word[other] = word;
        p->out_valid = (valid & ~(UINT64_C(1) << port)) | UINT64_C(1) << other;
        if (other == b->ports)
            EXPECT(RULES_PORT, false, other, vc, "word %s leaves by a port without a link",
                   word_name(b, word));
        else
            EXPECT(RULES_PORT, false, other, vc, "wrong turn: word %s belongs to port %s",
                   word_name(b, word), port_name(b, port));
        p->out_word[other] = was;
    }
    p->out_valid = valid;
}

/* One stage: a word leaves, and its credit does not. */
static void try_missing_credit(struct bench *b, uint64_t at, unsigned own)
{
    struct pins *p = &b->pins[at];
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    EXPECT(RULES_CREDIT_MISSING, true, own / b->vcs, own % b->vcs,
           "word %s leaves, but no credit is returned for it, which is due in this cycle",
           word_name(b, b->facts[at].front[own]));
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
}

/* One stage: a credit comes, and no word leaves. */
static void try_extra_credit(struct bench *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    EXPECT(RULES_CREDIT_TWICE, true, own / b->vcs, own % b->vcs,
           "a credit is returned, but no word leaves (%s; %s)",
           f->front[own] ? word_name(b, f->front[own]) : "the buffer is empty",
           when("the last word left", "no word has left yet", f->left_at[own]));
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
}

static void try_credit_without_link(struct bench *b, uint64_t at)
{
    struct pins *p = &b->pins[at];
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        p->out_credit[vc] ^= UINT64_C(1) << b->ports;
        EXPECT(RULES_CREDIT_TWICE, true, b->ports, vc,
               "a credit is returned on a port without a link");
        p->out_credit[vc] ^= UINT64_C(1) << b->ports;
    }
}

/* A word that is granted its output stays, whatever the taps say of it. */
static void try_held_back(struct bench *b, uint64_t at, unsigned port)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const unsigned own = (unsigned)f->granted[port], vc = f->to[port];
    const uint64_t bit = UINT64_C(1) << own / b->vcs, word = f->front[own];
    const unsigned free = f->free[port][vc];
    const char *const forgotten =
        free == need_of(b, word) ? "the router forgot a credit" : "the router forgot credits";
    const struct pins was = *p;
    p->out_credit[own % b->vcs] ^= bit;
    if (b->r.stages == 1)
        p->out_valid ^= UINT64_C(1) << port;
    EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs,
           "word %s could leave by output %s, but is not in its buffer (lost, or never stored; due "
           "there since cycle %llu)",
           word_name(b, word), vc_name(b, port, vc), (unsigned long long)f->since[own]);
    p->starved[own % b->vcs] |= bit;
    EXPECT(RULES_HELD_BACK, false, port, vc,
           "word %s could leave and does not, with %u of %u credits free: %s (%s), or the grant is "
           "missing",
           word_name(b, word), free, b->r.depth,
           f->credit_at[port][vc] ? forgotten : "too few after the reset",
           credit_name(f->credit_at[port][vc]));
    p->starved[own % b->vcs] ^= bit;
    p->contended[own % b->vcs] |= bit;
    EXPECT(RULES_HELD_BACK, false, port, vc,
           "word %s could leave and does not: the router takes the output for held by another "
           "packet (%s)",
           word_name(b, word),
           when("the last tail left", "no tail has left yet", f->freed_at[port][vc]));
    *p = was;
}

/* Another word that could leave gets the link. */
static void try_wrong_order(struct bench *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const unsigned port = f->port[own], winner = (unsigned)f->granted[port], due = f->to[port];
    const struct pins was = *p;
    char lost[120] = "";
    p->out_credit[own % b->vcs] |= UINT64_C(1) << own / b->vcs;
    p->out_credit[winner % b->vcs] ^= UINT64_C(1) << winner / b->vcs;
    if (b->r.stages == 1)
        p->out_word[port] = (f->front[own] & (b->vcs > 1 ? ~ec_word_vc_mask(b->vcs) : UINT64_MAX)) |
                            (uint64_t)f->choice[own] * (b->vcs > 1) << ec_word_vc_shift(b->vcs);
    if (f->choice[own] != due && f->credit_at[port][due])
        snprintf(lost, sizeof lost, ", or a credit of VC %u was forgotten: %s", due,
                 credit_name(f->credit_at[port][due]));
    EXPECT(RULES_ORDER, false, port, due,
           "the link is granted to input %s instead of input %s (round robin%s)",
           vc_name(b, own / b->vcs, own % b->vcs), vc_name(b, winner / b->vcs, winner % b->vcs),
           lost);
    *p = was;
}

/* Why a word does not leave, as the model sees it. */
static void why_not(const struct bench *b, uint64_t at, unsigned own, char *text, size_t size)
{
    const struct facts *f = &b->facts[at];
    const unsigned port = f->port[own], vc = f->choice[own];
    const int winner = f->granted[port], holder = f->holder[port][vc];
    if (f->front[own] == 0)
        snprintf(text, size, "the buffer is empty");
    else if (winner == (int)own)
        snprintf(text, size, "its word leaves");
    else if (holder != NOBODY && holder != (int)own)
        snprintf(text, size, "output %s is held by input %s", vc_name(b, port, vc),
                 vc_name(b, (unsigned)holder / b->vcs, (unsigned)holder % b->vcs));
    else if (winner != NOBODY)
        snprintf(text, size, "the link is granted to another input");
    else
        snprintf(text, size, "no other packet is in the way to output %s", vc_name(b, port, vc));
}

static void try_wrong_taps(struct bench *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const uint64_t bit = UINT64_C(1) << own / b->vcs;
    char why[200];
    /* A word in the route stage is in the buffer for waiting_name(), not for the taps. */
    why_not(b, at, own, why, sizeof why);
    const bool known = b->r.stages < 3 || f->front[own];
    for (unsigned k = 0; known && k < 2; k++) {
        uint64_t *mask = k ? &p->starved[own % b->vcs] : &p->contended[own % b->vcs];
        const bool is = !(*mask & bit);
        *mask ^= bit;
        EXPECT(RULES_TAP, true, own / b->vcs, own % b->vcs, "%s is %d: expected %d (%s)",
               k ? "starved_o" : "contended_o", is, !is, why);
        *mask ^= bit;
    }
    if (!((p->contended[own % b->vcs] | p->starved[own % b->vcs]) & bit))
        return;
    const unsigned want = p->want[own];
    p->want[own] = (uint8_t)(want + 1);
    EXPECT(RULES_TAP, true, own / b->vcs, own % b->vcs, "want_o is %u: expected %u", want + 1,
           want);
    p->want[own] = (uint8_t)want;
}

/* The router is not shown although a word is in it. */
static void try_sleep(struct bench *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    struct pins *now = &b->pins[at - 1];
    unsigned own = 0;
    uint64_t in = now->in_valid;
    for (unsigned vc = 0; vc < b->vcs; vc++)
        in |= now->in_credit[vc];
    while (own < b->buffers && f->front[own] == 0)
        own++;
    if (in || own == b->buffers || b->r.stages > 1 || !now->shown)
        return;
    now->shown = false;
    const uint64_t cycle = at - 1;
    char text[600];
    rules_reset(b->rules);
    for (uint64_t c = 1; c <= cycle; c++)
        see(b, c);
    const struct rules_breach *breach = rules_breach(b->rules);
    assert_true(breach && breach->kind == RULES_ASLEEP && breach->cycle == cycle);
    assert_true(breach->input && breach->port == own / b->vcs && breach->vc == own % b->vcs);
    snprintf(text, sizeof text,
             "the router sleeps with a word (%s, at the front since cycle %llu): quiet_o is wrong",
             word_name(b, f->front[own]), (unsigned long long)f->since[own]);
    assert_string_equal(breach->what, text);
    now->shown = true;
}

static void try_changes(struct bench *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    for (unsigned port = 0; port < b->ports; port++) {
        if (f->from[port] != NOBODY) {
            try_lost_word(b, at, port);
            try_altered_word(b, at, port);
            try_wrong_port(b, at, port);
        }
        if (f->granted[port] != NOBODY)
            try_held_back(b, at, port);
    }
    for (unsigned own = 0; own < b->buffers; own++) {
        const unsigned port = f->port[own];
        const bool granted = f->front[own] && f->granted[port] == (int)own;
        if (b->r.stages == 1 && granted)
            try_missing_credit(b, at, own);
        if (b->r.stages == 1 && !granted)
            try_extra_credit(b, at, own);
        if (f->front[own] && f->request[own] && !granted)
            try_wrong_order(b, at, own);
        try_wrong_taps(b, at, own);
    }
    try_credit_without_link(b, at);
    try_sleep(b, at);
}

static void every_change_of_a_cycle_is_a_breach(void **state)
{
    (void)state;
    static struct bench b;
    for (size_t i = 0; i < COUNT(settings); i++) {
        uint64_t words;
        bench_open(&b, &settings[i], 9, i % 2 ? EC_NONE : settings[i].node);
        play(&b, &words);
        for (uint64_t at = 2; at <= 30; at++) {
            if (b.pins[at - 1].shown)
                try_changes(&b, at);
        }
        rules_close(b.rules);
    }
}

/* --- Foreign routers -------------------------------------------------------------------------- */

/* Words and credits that come later than those of ecube's router, each by a constant; credits also
 * before their words. */
static void a_foreign_router_may_be_slower(void **state)
{
    (void)state;
    static const unsigned late[][2] = {{0, 0}, {0, 1}, {1, 0}, {3, 3}, {7, 2}, {2, 20}, {0, 63}};
    static struct bench b;
    for (size_t i = 0; i < COUNT(settings) * COUNT(late); i++) {
        const struct setting *x = &settings[i / COUNT(late)];
        bench_open(&b, x, i, x->node);
        rules_close(b.rules);
        b.rules = rules_open(&b.t, &b.r, i % 2 ? EC_NONE : x->node,
                             (struct rules_options){.foreign = true});
        b.late_words = late[i % COUNT(late)][0];
        b.late_credits = late[i % COUNT(late)][1];
        for (uint64_t c = 1; c <= CYCLES + LATE; c++) {
            enter(&b, c);
            show(&b, c + 1);
            b.pins[c].shown = true;
            see(&b, c);
            assert_silent(&b, c);
        }
        assert_true(is_empty(&b));
        rules_end(b.rules, CYCLES + LATE);
        assert_silent(&b, CYCLES);
        rules_close(b.rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the account is what the router holds", the_account_is_what_the_router_holds),
        TEST("every change of a cycle is a breach", every_change_of_a_cycle_is_a_breach),
        TEST("a foreign router may be slower", a_foreign_router_may_be_slower),
    };
    return cmocka_run_group_tests_name("rules model", tests, NULL, NULL);
}
