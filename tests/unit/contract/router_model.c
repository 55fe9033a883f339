/* SPDX-License-Identifier: Apache-2.0 */
#include "router_model.h"

#include <string.h>

#include "base/rng.h"
#include "ecube/route.h"
#include "network/names.h"
#include "unit.h"

uint64_t model_draw(struct model *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(b->key, b->drawn++), below);
}

/* --- Settings --------------------------------------------------------------------------------- */

static const struct {
    struct setting setting;
    unsigned tests;
} settings[] = {
    {{"mesh:3", 1, "depth=4", 90, 80}, TEST_FREE | TEST_OWN},
    {{"mesh:3", 1, "depth=1", 90, 60}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=2,vcs=2", 60, 40}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=3,vcs=4", 60, 30}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=2,ports=all", 60, 40}, TEST_FREE | TEST_OWN},
    {{"torus:5x3", 7, "depth=3,vcs=2", 60, 40}, TEST_FREE | TEST_OWN},
    {{"torus:5x3", 4, "depth=3,vcs=4", 60, 30}, TEST_FREE | TEST_OWN},
    {{"ring:5", 4, "depth=2,vcs=2,ports=all", 80, 50}, TEST_FREE},
    {{"ring:5", 0, "depth=2,vcs=4", 80, 50}, TEST_OWN},
    {{"ring:5", 4, "depth=2,vcs=2", 80, 50}, TEST_OWN},
    {{"cube:3", 5, "depth=4,order=high,switching=cut-through", 80, 60}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=4,vcs=2,switching=store-and-forward", 70, 40}, TEST_FREE | TEST_OWN},
    {{"cube:3", 2, "depth=4,vcs=2,ports=all", 70, 50}, TEST_FREE},
    {{"mesh:3x3", 4, "depth=2,vcs=2,stages=2", 60, 40}, TEST_OWN | TEST_GRANTS},
    {{"mesh:3", 1, "depth=1,stages=2", 90, 60}, TEST_OWN | TEST_GRANTS},
    {{"torus:5x3", 0, "depth=4,vcs=4,stages=2", 60, 30}, TEST_OWN | TEST_GRANTS},
    /* Stages mean nothing to a foreign router. */
    {{"mesh:3x3", 4, "depth=3,vcs=2,stages=3", 60, 40}, TEST_FREE | TEST_OWN | TEST_GRANTS},
    {{"cube:3", 2, "depth=4,stages=3,switching=store-and-forward", 80, 50}, TEST_OWN | TEST_GRANTS},
    {{"mesh:3x3", 4, "depth=4,vcs=2,stages=2,switching=store-and-forward", 80, 50}, TEST_GRANTS},
    {{"cube:3", 2, "depth=4,stages=2,switching=cut-through,ports=all", 70, 50},
     TEST_OWN | TEST_GRANTS},
    {{"mesh:3x3", 4, "depth=4,vcs=2,stages=3,switching=cut-through", 80, 30}, TEST_GRANTS},
    {{"mesh:3x3", 4, "depth=2,vcs=4,va=dynamic", 60, 20}, TEST_FREE | TEST_OWN},
    {{"mesh:3", 1, "depth=1,vcs=2,va=dynamic", 90, 30}, TEST_FREE | TEST_OWN},
    {{"ring:5", 4, "depth=2,vcs=4,va=dynamic", 80, 30}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=3,vcs=4,va=dynamic,classes=2", 60, 20}, TEST_FREE | TEST_OWN},
    {{"mesh:3x3", 4, "depth=4,vcs=4,va=dynamic,switching=cut-through", 60, 25},
     TEST_FREE | TEST_OWN},
    {{"cube:3", 2, "depth=2,vcs=4,va=dynamic,stages=2", 70, 20}, TEST_OWN | TEST_GRANTS},
    {{"cube:3", 2, "depth=3,vcs=2,va=dynamic,stages=3", 70, 30}, TEST_OWN | TEST_GRANTS},
    {{"torus:5x3", 3, "depth=2,vcs=4,va=dynamic,ports=all", 70, 20}, TEST_FREE},
};

size_t model_settings(unsigned test, struct setting ret[SETTINGS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT(settings); i++) {
        if (settings[i].tests & test)
            ret[count++] = settings[i].setting;
    }
    return count;
}

/* --- Traffic ---------------------------------------------------------------------------------- */

/* Where a packet enters this router and where it leaves. */
struct through {
    unsigned in, in_class, out, out_class;
};

/* False: its path does not lead through here. */
static bool find_through(const struct model *b, uint32_t src, uint32_t dst, struct through *ret)
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
static unsigned vcs_of(const struct model *b, unsigned vc, unsigned class_)
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
static void choose_packet(struct model *b, unsigned own)
{
    struct input *in = &b->in[own];
    struct through x;
    for (unsigned tries = 0; tries < 40; tries++) {
        const uint32_t src = (uint32_t)model_draw(b, b->t.nodes),
                       dst = (uint32_t)model_draw(b, b->t.nodes);
        if (src == dst || !find_through(b, src, dst, &x) || x.in != own / b->vcs ||
            (b->r.dateline && x.in_class != own % b->vcs % 2))
            continue;
        in->src = src;
        in->dst = dst;
        in->number++;
        in->words = in->rest = 1 + (uint32_t)model_draw(b, b->r.packet);
        return;
    }
}

static void take_word(struct model *b, unsigned own, uint64_t now)
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
static void see_outputs(struct model *b, uint64_t now)
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
static int choose_input(struct model *b, unsigned port, uint64_t now)
{
    const unsigned first = (unsigned)model_draw(b, b->vcs);
    if (now <= TRAFFIC && model_draw(b, 100) >= b->x->load)
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
void model_enter(struct model *b, uint64_t now)
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
        if (out->shown == 0 || (now <= TRAFFIC && model_draw(b, 100) >= b->x->credits))
            continue;
        b->pins[now].in_credit[to % b->vcs] |= UINT64_C(1) << to / b->vcs;
        out->shown--;
        out->credit_at = now;
        if (--out->sent == 0)
            out->correct_at = now;
    }
}

/* --- The router ------------------------------------------------------------------------------- */

unsigned model_need(const struct model *b, uint64_t word)
{
    return ec_word_head(word) && b->r.switching != EC_WORMHOLE ? b->r.packet : 1;
}

unsigned model_free(const struct model *b, const struct output *out)
{
    return b->r.depth - out->sent;
}

unsigned model_choose(const struct model *b, unsigned own)
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
        if (model_free(b, &outs[vc]) >= model_need(b, q->word))
            return vc;
        open = open == NOBODY ? (int)vc : open;
    }
    return (unsigned)(open == NOBODY ? first : open);
}

bool model_is_complete(const struct input *in, uint64_t now)
{
    for (unsigned i = 0; i < in->count; i++) {
        if (ec_word_tail(in->q[i].word) && in->q[i].entered <= now)
            return true;
    }
    return false;
}

static bool requests(const struct model *b, unsigned own, unsigned vc, uint64_t now)
{
    const struct input *in = &b->in[own];
    const struct output *out = &b->out[in->q[0].port * b->vcs + vc];
    const unsigned free = model_free(b, out);
    if (!ec_word_head(in->q[0].word))
        return out->holder == (int)own && free > 0;
    return out->holder == NOBODY && free >= model_need(b, in->q[0].word) &&
           (b->r.switching != EC_STORE_AND_FORWARD || model_is_complete(in, now));
}

static void look(struct model *b, uint64_t now)
{
    struct facts *f = &b->facts[now];
    for (unsigned own = 0; own < b->buffers; own++) {
        const struct input *in = &b->in[own];
        f->left[own] = in->left;
        f->left_at[own] = in->left_at;
        f->front[own] = 0;
        for (unsigned k = 0; k < COUNT(f->queue[own]); k++)
            f->queue[own][k] = k < in->count ? in->q[k].word : 0;
        f->request[own] = false;
        if (in->count == 0 || in->q[0].entered > now)
            continue;
        f->front[own] = in->q[0].word;
        f->since[own] = in->since;
        f->port[own] = in->q[0].port;
        f->choice[own] = model_choose(b, own);
        f->request[own] = requests(b, own, f->choice[own], now);
        f->complete[own] = model_is_complete(in, now);
    }
    for (unsigned to = 0; to < b->buffers; to++) {
        f->holder[to / b->vcs][to % b->vcs] = b->out[to].holder;
        f->free[to / b->vcs][to % b->vcs] = model_free(b, &b->out[to]);
        f->packet[to / b->vcs][to % b->vcs] = b->out[to].packet;
        f->credit_at[to / b->vcs][to % b->vcs] = b->out[to].credit_at;
        f->freed_at[to / b->vcs][to % b->vcs] = b->out[to].freed_at;
    }
}

/* The words granted before leave, in cycle `now`. */
static void show_word(struct model *b, unsigned own, const struct queued *q, unsigned vc,
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

static void grant(struct model *b, unsigned own, unsigned vc, uint64_t now)
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
void model_show(struct model *b, uint64_t now)
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

bool model_is_empty(const struct model *b)
{
    for (unsigned own = 0; own < b->buffers; own++) {
        if (b->in[own].count || b->in[own].between)
            return false;
    }
    return true;
}

void model_open(struct model *b, const struct setting *x, uint64_t seed)
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
}

/* --- Its pins and its words ------------------------------------------------------------------- */

void model_see(struct rules *rules, const struct model *b, uint64_t cycle)
{
    pins_see(rules, b->x->node, b->pins, cycle);
}

const char *model_word_name(const struct model *b, uint64_t word)
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

const char *model_rest_name(const struct model *b, uint64_t front, uint64_t word)
{
    static char text[100];
    const bool same = ec_word_number(&b->layout, front) == ec_word_number(&b->layout, word) &&
                      ec_word_src(&b->layout, front) == ec_word_src(&b->layout, word);
    text[0] = '\0';
    if (!ec_word_head(front) && !same)
        snprintf(text, sizeof text, "packet %u has not ended: its words from #%u on are lost; ",
                 ec_word_number(&b->layout, front), ec_word_index(&b->layout, front));
    return text;
}

bool model_moves(const struct model *b, uint64_t word, unsigned port)
{
    const uint32_t way = ec_word_dst(&b->layout, word) ^ ec_topology_address(&b->t, b->x->node);
    const unsigned dim = port / b->t.links_per_dim;
    if (port >= b->links)
        return way > 1 && (way & 1) == 0;
    return (way >> b->t.shift[dim] & ((1u << b->t.bits[dim]) - 1)) != 0;
}

const char *model_port_name(const struct model *b, unsigned port)
{
    static char text[4][EC_NAME_SIZE];
    static unsigned turn;
    char *ret = text[turn++ % 4];
    ec_port_name(&b->t, b->locals, port, ret, sizeof text[0]);
    return ret;
}

const char *model_vc_name(const struct model *b, unsigned port, unsigned vc)
{
    static char text[4][EC_NAME_SIZE + 20];
    static unsigned turn;
    char *ret = text[turn++ % 4];
    if (b->vcs == 1)
        snprintf(ret, sizeof text[0], "%s", model_port_name(b, port));
    else
        snprintf(ret, sizeof text[0], "%s VC %u", model_port_name(b, port), vc);
    return ret;
}

const char *model_when(const char *event, const char *never, uint64_t cycle)
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

const char *model_credit_name(uint64_t cycle)
{
    return model_when("the last one came back", "no credit has come back yet", cycle);
}

void model_assert(const struct model *b, uint64_t cycle, const char *what, unsigned at, uint64_t is,
                  uint64_t should)
{
    if (is != should)
        fail_msg("%s %s, cycle %llu: %s of %u.%u is %llx instead of %llx", b->x->topology,
                 b->x->router, (unsigned long long)cycle, what, at / b->vcs, at % b->vcs,
                 (unsigned long long)is, (unsigned long long)should);
}
