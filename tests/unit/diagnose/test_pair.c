/* SPDX-License-Identifier: Apache-2.0 */
/* Two networks compared: the test plays both sides with random signals, and looks for the first
 * difference by definition (ecube/compare.h). */
#include "diagnose/pair.h"

#include <string.h>

#include "base/rng.h"
#include "ecube/tile.h"
#include "scarce.h"
#include "unit.h"

enum { NODES = 16, PORTS = 16, VCS = 4, CYCLES = 30, TRIALS = 400 };

/* What a router of one side shows. */
struct row {
    bool shown;
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS], contended[VCS], starved[VCS];
    uint8_t want[EC_TILE_PORTS_MAX * VCS];
};

/* A side: a net that shows the rows of the test. */
struct side {
    struct ec_net net; /* first: the interface */
    struct ec_net_ops ops;
    const struct ec_net_watch *watch;
    struct row rows[NODES];
    uint32_t first; /* shown first: routers are shown in any order */
    struct ec_net_fault fault, left;
    struct ec_net_rtl rtl;
    uint64_t words[1]; /* its counters */
    const struct ec_port_events *in;
    struct ec_port_events *out;
    unsigned resets;
    bool drained;
};

static struct {
    struct side side[2];
    struct ec_topology t;
    struct ec_router r;
    struct pair_difference first;
    uint64_t compared;
    bool taps;
    uint64_t key, drawn;
} m;

static unsigned draw(unsigned below)
{
    return (unsigned)ec_rng_below(ec_rng_draw(m.key, m.drawn++), below);
}

/* --- A side ----------------------------------------------------------------------------------- */

static void side_reset(struct ec_net *net)
{
    struct side *s = (struct side *)net;
    s->resets++;
    net->cycle = 0;
}

static void side_step(struct ec_net *net, const struct ec_port_events *in,
                      struct ec_port_events *out)
{
    struct side *s = (struct side *)net;
    s->in = in;
    s->out = out;
    net->cycle++;
    for (uint32_t k = 0; s->watch && k < m.t.nodes; k++) {
        const uint32_t node = (k + s->first) % m.t.nodes;
        const struct row *r = &s->rows[node];
        const struct ec_net_seen seen = {.cycle = net->cycle,
                                         .node = node,
                                         .in_word = r->in_word,
                                         .in_credit = r->in_credit,
                                         .out_word = r->out_word,
                                         .out_credit = r->out_credit,
                                         .contended = r->contended,
                                         .starved = r->starved,
                                         .want = r->want,
                                         .in_valid = r->in_valid,
                                         .out_valid = r->out_valid};
        if (r->shown)
            s->watch->router(s->watch->context, &seen);
    }
}

static void side_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    ret->flits = ((struct side *)net)->words;
}

static const struct ec_net_fault *side_fault(const struct ec_net *net)
{
    return &((const struct side *)net)->fault;
}

static bool side_drained(const struct ec_net *net, struct ec_net_fault *ret)
{
    const struct side *s = (const struct side *)net;
    if (!s->drained)
        *ret = s->left;
    return s->drained;
}

static void side_watch(struct ec_net *net, const struct ec_net_watch *watch)
{
    ((struct side *)net)->watch = watch;
}

static void open_sides(const char *topology, const char *router)
{
    m.t = topology_of(topology);
    m.r = router_of(router, &m.t);
    for (unsigned k = 0; k < 2; k++) {
        struct side *s = &m.side[k];
        *s = (struct side){.net = {.topology = &m.t, .router = &m.r, .has_taps = true},
                           .ops = {.name = "side",
                                   .reset = side_reset,
                                   .step = side_step,
                                   .counters = side_counters,
                                   .fault = side_fault,
                                   .drained = side_drained,
                                   .watch = side_watch},
                           .drained = true};
        s->net.ops = &s->ops;
        s->net.rtl = &s->rtl;
    }
}

static void open_pair(struct pair *p)
{
    struct ec_error error;
    if (pair_open(p, &m.side[0].net, &m.side[1].net, &error) != EC_OK)
        fail_msg("%s", error.message);
}

/* --- Differences, by definition --------------------------------------------------------------- */

static bool is_before(const struct pair_difference *x, const struct pair_difference *y)
{
    const uint64_t a[] = {x->cycle, x->field, x->node, x->vc, x->port};
    const uint64_t b[] = {y->cycle, y->field, y->node, y->vc, y->port};
    size_t k = 0;
    while (k + 1 < COUNT(a) && a[k] == b[k])
        k++;
    return a[k] < b[k];
}

static void note(struct pair_difference d, uint64_t a, uint64_t b)
{
    d.found = true;
    d.a = a;
    d.b = b;
    if (a != b && (!m.first.found || is_before(&d, &m.first)))
        m.first = d;
}

static bool bit(uint64_t mask, unsigned k)
{
    return mask >> k & 1;
}

static bool has_tap(const struct row *r, unsigned port, unsigned vc)
{
    return bit(r->contended[vc] | r->starved[vc], port);
}

/* Inputs belong to this cycle; outputs, taps and what words want belong to the next one. */
static void compare(uint64_t cycle, uint32_t node, const struct row *a, const struct row *b)
{
    struct pair_difference d = {.node = node};
    for (d.port = 0; d.port < PORTS; d.port++) {
        const unsigned k = d.port;
        d.vc = 0;
        d.cycle = cycle;
        d.field = EC_COMPARED_IN_WORD;
        note(d, bit(a->in_valid, k) ? a->in_word[k] : 0, bit(b->in_valid, k) ? b->in_word[k] : 0);
        d.cycle = cycle + 1;
        d.field = EC_COMPARED_OUT_WORD;
        note(d, bit(a->out_valid, k) ? a->out_word[k] : 0,
             bit(b->out_valid, k) ? b->out_word[k] : 0);
        for (d.vc = 0; d.vc < m.r.vcs; d.vc++) {
            d.cycle = cycle;
            d.field = EC_COMPARED_IN_CREDIT;
            note(d, bit(a->in_credit[d.vc], k), bit(b->in_credit[d.vc], k));
            d.cycle = cycle + 1;
            d.field = EC_COMPARED_OUT_CREDIT;
            note(d, bit(a->out_credit[d.vc], k), bit(b->out_credit[d.vc], k));
            if (!m.taps)
                continue;
            d.field = EC_COMPARED_CONTENDED;
            note(d, bit(a->contended[d.vc], k), bit(b->contended[d.vc], k));
            d.field = EC_COMPARED_STARVED;
            note(d, bit(a->starved[d.vc], k), bit(b->starved[d.vc], k));
            d.field = EC_COMPARED_WANT;
            if (has_tap(a, k, d.vc) && has_tap(b, k, d.vc))
                note(d, a->want[k * m.r.vcs + d.vc], b->want[k * m.r.vcs + d.vc]);
        }
    }
}

static bool is_idle(const struct row *r)
{
    uint64_t any = r->in_valid | r->out_valid;
    for (unsigned vc = 0; vc < m.r.vcs; vc++) {
        any |= r->in_credit[vc] | r->out_credit[vc];
        any |= m.taps ? r->contended[vc] | r->starved[vc] : 0;
    }
    return any == 0;
}

/* --- Random sides ----------------------------------------------------------------------------- */

static uint64_t draw_mask(unsigned ports, unsigned load)
{
    uint64_t mask = 0;
    for (unsigned k = 0; k < ports; k++)
        mask |= (uint64_t)(draw(100) < load) << k;
    return mask;
}

/* What no valid bit belongs to is garbage. */
static void draw_row(struct row *r, unsigned ports, unsigned load)
{
    *r = (struct row){.in_valid = draw_mask(ports, load), .out_valid = draw_mask(ports, load)};
    for (unsigned k = 0; k < PORTS; k++) {
        r->in_word[k] = draw(1000) + 1;
        r->out_word[k] = draw(1000) + 1;
    }
    for (unsigned vc = 0; vc < m.r.vcs; vc++) {
        r->in_credit[vc] = draw_mask(ports, load);
        r->out_credit[vc] = draw_mask(ports, load);
        r->contended[vc] = draw_mask(ports, load);
        r->starved[vc] = draw_mask(ports, load);
    }
    for (unsigned k = 0; k < PORTS * m.r.vcs; k++)
        r->want[k] = (uint8_t)draw(8);
}

/* Any bit of a word may be wrong, often the lowest. */
static uint64_t draw_bit(void)
{
    return UINT64_C(1) << (draw(2) ? 0 : draw(64));
}

static void change(struct row *r, unsigned ports)
{
    const unsigned port = draw(ports), vc = draw(m.r.vcs);
    uint64_t *const masks[] = {&r->in_valid,       &r->out_valid,     &r->in_credit[vc],
                               &r->out_credit[vc], &r->contended[vc], &r->starved[vc]};
    const unsigned what = draw(COUNT(masks) + 3);
    if (what < COUNT(masks))
        *masks[what] ^= UINT64_C(1) << port;
    else if (what == COUNT(masks))
        r->in_word[port] ^= draw_bit();
    else if (what == COUNT(masks) + 1)
        r->out_word[port] ^= draw_bit();
    else
        r->want[port * m.r.vcs + vc] ^= 1;
}

/* Garbage differs between the sides, and means nothing. */
static void scramble(struct row *r)
{
    for (unsigned k = 0; k < PORTS; k++) {
        r->in_word[k] += bit(r->in_valid, k) ? 0 : draw(3);
        r->out_word[k] += bit(r->out_valid, k) ? 0 : draw(3);
        for (unsigned vc = 0; vc < m.r.vcs; vc++)
            r->want[k * m.r.vcs + vc] ^= (uint8_t)(has_tap(r, k, vc) ? 0 : draw(2));
    }
}

static void draw_cycle(uint64_t cycle, unsigned ports, unsigned load, unsigned damage)
{
    static const struct row nothing;
    for (uint32_t node = 0; node < m.t.nodes; node++) {
        struct row *a = &m.side[0].rows[node], *b = &m.side[1].rows[node];
        draw_row(a, ports, draw(3) ? load : 0);
        *b = *a;
        scramble(b);
        for (unsigned k = 0; draw(1000) < damage && k < 3; k++)
            change(b, ports);
        a->shown = !is_idle(a) ? draw(1000) >= damage : draw(2);
        b->shown = !is_idle(b) ? draw(1000) >= damage : draw(2);
        compare(cycle, node, a->shown ? a : &nothing, b->shown ? b : &nothing);
        m.compared += a->shown && !is_idle(a);
    }
    m.side[0].first = draw(m.t.nodes);
    m.side[1].first = draw(m.t.nodes);
}

static void assert_first(const struct pair *p)
{
    const struct pair_difference *is = &p->first, *should = &m.first;
    assert_int_equal(is->found, should->found);
    assert_int_equal(p->net.ops->fault(&p->net)->found, should->found);
    if (!should->found)
        return;
    assert_int_equal(is->cycle, should->cycle);
    assert_int_equal(is->field, should->field);
    assert_int_equal(is->node, should->node);
    assert_int_equal(is->port, should->port);
    assert_int_equal(is->vc, should->vc);
    assert_true(is->a == should->a && is->b == should->b);
}

/* Some cycles; false: a difference was found in them. */
static bool play(struct pair *p, unsigned ports, unsigned load, unsigned damage)
{
    struct ec_port_word words[NODES * PORTS];
    struct ec_port_credit credits[NODES * PORTS * VCS];
    const struct ec_port_events in = {.words = words, .credits = credits};
    struct ec_port_events out = {.words = words, .credits = credits};
    m.first = (struct pair_difference){0};
    m.compared = 0;
    for (unsigned k = 0; k < CYCLES; k++) {
        if (draw(8) == 0)
            p->net.cycle += draw(100); /* idle cycles are skipped */
        draw_cycle(p->net.cycle + 1, ports, load, damage);
        for (unsigned side = 0; side < 2; side++) {
            m.side[side].net.moved = draw(1000);
            m.side[side].net.in_flight = draw(1000);
        }
        p->net.ops->step(&p->net, &in, &out);
        assert_first(p);
        assert_int_equal(p->compared, m.compared);
        assert_int_equal(p->net.cycle, m.side[0].net.cycle);
        assert_int_equal(p->net.cycle, m.side[1].net.cycle);
        assert_int_equal(p->net.moved, m.side[0].net.moved);
        assert_int_equal(p->net.in_flight, m.side[0].net.in_flight);
        assert_ptr_equal(m.side[0].in, &in);
        assert_ptr_equal(m.side[1].in, &in);
        assert_ptr_equal(m.side[0].out, &out);
        assert_ptr_equal(m.side[1].out, &p->out_b);
    }
    return !m.first.found;
}

static const struct {
    const char *topology, *router;
    unsigned ports; /* of the network */
} networks[] = {
    {"cube:3", "", 4},         {"ring:5", "vcs=2", 3},     {"mesh:3x2", "ports=all", 8},
    {"torus:3x3", "vcs=4", 5}, {"cube:2", "ports=all", 4}, {"mesh:4", "vcs=2,va=dynamic", 3},
    {"mesh:2x2x2x2", "", 9},
};

static void reset(struct pair *p)
{
    p->net.numbered = draw(2);
    p->net.ops->reset(&p->net);
    assert_int_equal(p->net.cycle, 0);
    assert_int_equal(p->net.moved, 0);
    assert_int_equal(p->net.in_flight, 0);
    assert_int_equal(p->compared, 0);
    assert_false(p->first.found || p->net.ops->fault(&p->net)->found);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(m.side[k].net.numbered, p->net.numbered);
}

static void the_first_difference_is_found(void **state)
{
    struct pair p;
    (void)state;
    unsigned differ = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const size_t k = trial % COUNT(networks);
        m.key = trial;
        m.drawn = 0;
        open_sides(networks[k].topology, networks[k].router);
        m.side[0].net.has_taps = draw(4) > 0;
        m.side[1].net.has_taps = draw(4) > 0;
        m.taps = m.side[0].net.has_taps && m.side[1].net.has_taps;
        open_pair(&p);
        assert_int_equal(p.net.has_taps, m.side[0].net.has_taps);
        assert_true(p.net.topology == &m.t && p.net.router == &m.r);
        assert_true(p.ports >= networks[k].ports && p.vcs == m.r.vcs);
        reset(&p);
        for (unsigned plays = 0; plays < 3; plays++) {
            differ += !play(&p, p.ports, 1 + draw(40), draw(2) ? draw(8) : 0);
            reset(&p);
            assert_int_equal(m.side[1].resets, plays + 2);
        }
        pair_close(&p);
        assert_null(m.side[0].watch);
        assert_null(m.side[1].watch);
    }
    assert_between(differ, TRIALS / 4, 3 * TRIALS * 3 / 4);
}

/* --- The rest of the interface ---------------------------------------------------------------- */

static void step(struct pair *p)
{
    static const struct ec_port_events in;
    struct ec_port_events out = {0};
    p->net.ops->step(&p->net, &in, &out);
}

static void a_fault_of_either_side_is_one(void **state)
{
    struct pair p;
    (void)state;
    for (unsigned found = 0; found < 4; found++) {
        open_sides("cube:3", "");
        open_pair(&p);
        for (unsigned k = 0; k < 2; k++)
            m.side[k].fault = (struct ec_net_fault){.found = bit(found, k), .node = k};
        step(&p);
        const struct ec_net_fault *f = p.net.ops->fault(&p.net);
        assert_int_equal(f->found, found > 0);
        if (found)
            assert_int_equal(f->node, found == 2);
        pair_look(&p, NULL, NULL);
        assert_false(p.net.ops->fault(&p.net)->found);
        pair_close(&p);
    }
}

static void an_empty_network_is_empty_on_both_sides(void **state)
{
    struct pair p;
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct ec_net_fault left = {0};
        open_sides("cube:3", "");
        open_pair(&p);
        m.side[0].drained = bit(k, 0);
        m.side[1].drained = bit(k, 1);
        m.side[0].left.node = 5;
        m.side[1].left.node = 6;
        assert_int_equal(p.net.ops->drained(&p.net, &left), k == 3);
        assert_int_equal(left.node, k == 3 ? 0 : bit(k, 0) ? 6 : 5);
        assert_int_equal(pair_net_drained(&p, &left), k == 3);
        pair_close(&p);
    }
}

/* The message of the side that reported first; either one ends or breaks the simulation. */
static void the_first_message_of_the_rtl_is_taken(void **state)
{
    struct pair p;
    (void)state;
    for (unsigned k = 0; k < 4 * 3 * 16; k++) {
        const unsigned said = k % 4, when = k / 4 % 3, flags = k / 12;
        open_sides("cube:3", "");
        open_pair(&p);
        struct ec_net_rtl *a = &m.side[0].rtl, *b = &m.side[1].rtl;
        *a = (struct ec_net_rtl){.count = bit(said, 0) ? 2 : 0, .cycle = 5, .node = 1};
        *b = (struct ec_net_rtl){.count = bit(said, 1) ? 3 : 0, .cycle = 4 + when, .node = 2};
        a->ended = a->count && bit(flags, 0);
        b->ended = b->count && bit(flags, 1);
        a->broken = a->count && bit(flags, 2);
        b->broken = b->count && bit(flags, 3);
        step(&p);
        const unsigned side = said == 0 ? 2 : said == 3 ? when == 0 : said - 1;
        assert_int_equal(pair_rtl_side(&p), side);
        assert_int_equal(p.net.rtl->count, side == 2 ? 0 : side ? 3 : 2);
        assert_int_equal(p.net.rtl->node, side == 2 ? 0 : side + 1);
        assert_int_equal(p.net.rtl->ended, a->ended || b->ended);
        assert_int_equal(p.net.rtl->broken, a->broken || b->broken);
        *a = *b = (struct ec_net_rtl){0};
        p.net.ops->reset(&p.net);
        assert_int_equal(p.net.rtl->count, 0);
        b->count = 1; /* during the reset */
        p.net.ops->reset(&p.net);
        assert_int_equal(p.net.rtl->count, 1);
        m.side[0].net.rtl = m.side[1].net.rtl = NULL; /* no RTL */
        assert_int_equal(pair_rtl_side(&p), 2);
        pair_close(&p);
    }
}

static void short_memory_of_a_side_is_told(void **state)
{
    struct pair p;
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        open_sides("cube:3", "");
        open_pair(&p);
        m.side[0].net.memory_short = bit(k, 0);
        m.side[1].net.memory_short = bit(k, 1);
        step(&p);
        assert_int_equal(p.net.memory_short, k > 0);
        p.net.ops->reset(&p.net);
        assert_false(p.net.memory_short);
        pair_close(&p);
    }
}

static unsigned looks;

static void look(void *context, const struct ec_net_seen *seen)
{
    (void)seen;
    looks += *(const unsigned *)context;
}

/* A replay with other watchers does not compare. */
static void others_may_look(void **state)
{
    struct pair p;
    (void)state;
    static unsigned one = 1, hundred = 100;
    const struct ec_net_watch a = {.router = look, .context = &one},
                              b = {.router = look, .context = &hundred};
    struct ec_net_counters counters = {0};
    open_sides("cube:3", "");
    open_pair(&p);
    m.side[0].rows[5].shown = m.side[0].rows[6].shown = m.side[1].rows[5].shown = true;
    m.side[0].rows[6].in_valid = 1;
    pair_look(&p, &a, &b);
    p.net.ops->watch(&p.net, NULL); /* says nothing here */
    looks = 0;
    step(&p);
    assert_int_equal(looks, 102);
    assert_false(p.first.found || p.net.ops->fault(&p.net)->found);
    p.net.ops->counters(&p.net, &counters);
    assert_ptr_equal(counters.flits, m.side[0].words);
    pair_close(&p);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static void assert_no_pair(struct ec_net *a, struct ec_net *b, const char *words)
{
    struct pair p;
    struct ec_error error;
    assert_refused("a pair", pair_open(&p, a, b, &error), EC_USAGE, &error, words);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        open_sides("cube:3", "vcs=2");
        m.side[k].ops.watch = NULL;
        assert_no_pair(&m.side[0].net, &m.side[1].net, "backend side|cannot be watched");
    }
    const struct ec_topology larger = topology_of("cube:4");
    const struct ec_router vcs = router_of("vcs=4", &m.t), ports = router_of("ports=all", &m.t);
    open_sides("cube:3", "vcs=2");
    m.side[1].net.topology = &larger;
    assert_no_pair(&m.side[0].net, &m.side[1].net, "different topologies or routers");
    open_sides("cube:3", "vcs=2");
    m.side[1].net.router = &vcs;
    assert_no_pair(&m.side[0].net, &m.side[1].net, "different topologies or routers");
    open_sides("cube:3", "");
    m.side[1].net.router = &ports;
    assert_no_pair(&m.side[0].net, &m.side[1].net, "different topologies or routers");
}

static void a_pair_that_lacks_memory_is_refused(void **state)
{
    (void)state;
    enum ec_code code = EC_MEMORY;
    unsigned at = 0;
    for (; code != EC_OK; at++) {
        struct pair p;
        struct ec_error error;
        open_sides("cube:3", "");
        scarce_after = at;
        code = pair_open(&p, &m.side[0].net, &m.side[1].net, &error);
        const bool failed = scarce_after == SCARCE_NEVER;
        scarce_after = SCARCE_NEVER;
        assert_int_equal(code, failed ? EC_MEMORY : EC_OK);
        assert_int_equal(m.side[0].watch == NULL, failed);
        if (code == EC_OK)
            pair_close(&p);
    }
    assert_between(at, 6, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the first difference of two networks is found", the_first_difference_is_found),
        TEST("a fault of either side ends a comparison", a_fault_of_either_side_is_one),
        TEST("a pair is empty if both sides are", an_empty_network_is_empty_on_both_sides),
        TEST("the first message of the RTL is that of the pair",
             the_first_message_of_the_rtl_is_taken),
        TEST("short memory of a side is told", short_memory_of_a_side_is_told),
        TEST("with other watchers nothing is compared", others_may_look),
        TEST("what cannot be compared is refused", what_cannot_be_compared_is_refused),
        TEST("a pair that lacks memory is refused", a_pair_that_lacks_memory_is_refused),
    };
    return cmocka_run_group_tests_name("pair", tests, NULL, NULL);
}
