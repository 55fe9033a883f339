/* SPDX-License-Identifier: Apache-2.0 */
/* Wires as a diagnosis sees them, compared with their definition: random signals at both ends of
 * all links and local ports of small networks. The test keeps what each router got and showed in
 * each cycle, and looks up the other end of each wire. */
#include "diagnose/diagnosis.h"

#include <string.h>

#include "base/rng.h"
#include "ecube/tile.h"
#include "ecube/word.h"
#include "scarce.h"
#include "unit.h"

enum { NODES = 16, CYCLES = 60, VCS = 4, FAULTS = 4096, TRIALS = 700 };

/* What a router got and showed in a cycle. */
struct shot {
    bool seen;
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS];
};

static struct {
    struct ec_topology t;
    unsigned links, locals, ports, vcs, delay;
    struct shot shots[CYCLES + 1][NODES];
    unsigned damage; /* percent of cycles in which something is changed */
    uint64_t key, drawn;
} m;

static unsigned draw(unsigned below)
{
    return (unsigned)ec_rng_below(ec_rng_draw(m.key, m.drawn++), below);
}

static bool drawn_in(unsigned percent)
{
    return draw(100) < percent;
}

/* Few values, so that a wrong one may be that of another wire; and 0, which is a word, too. */
static uint64_t draw_word(void)
{
    return draw(8) ? EC_WORD_VALID | draw(3) : 0;
}

/* What is on the wire into a link port: all that its sender showed `delay` cycles before. */
static const struct shot *sender_of(unsigned cycle, uint32_t node, unsigned port,
                                    unsigned *ret_port)
{
    static const struct shot none;
    const uint32_t peer = ec_topology_neighbor(&m.t, node, port);
    *ret_port = ec_topology_reverse(&m.t, port);
    if (peer == EC_NONE || cycle <= m.delay || !m.shots[cycle - m.delay][peer].seen)
        return &none;
    return &m.shots[cycle - m.delay][peer];
}

/* Sound inputs of a router from its links. */
static void take_inputs(unsigned cycle, uint32_t node)
{
    struct shot *s = &m.shots[cycle][node];
    for (unsigned port = 0; port < m.links; port++) {
        unsigned back;
        const struct shot *from = sender_of(cycle, node, port, &back);
        s->in_word[port] = from->out_word[back];
        s->in_valid |= (from->out_valid >> back & 1) << port;
        for (unsigned vc = 0; vc < m.vcs; vc++)
            s->in_credit[vc] |= (from->out_credit[vc] >> back & 1) << port;
    }
}

/* Is there a link, or a local port? A word shown where nothing leads is not on a wire. */
static bool exists(uint32_t node, unsigned port)
{
    return port >= m.links || ec_topology_neighbor(&m.t, node, port) != EC_NONE;
}

static void draw_signals(unsigned cycle, uint32_t node, unsigned load)
{
    struct shot *s = &m.shots[cycle][node];
    for (unsigned port = 0; port < m.ports; port++) {
        const bool local = port >= m.links;
        for (unsigned in = 0; in < 1u + local; in++) {
            uint64_t *words = in ? s->in_word : s->out_word;
            words[port] = draw_word();
            if (drawn_in(load) && (exists(node, port) || draw(2)))
                *(in ? &s->in_valid : &s->out_valid) |= UINT64_C(1) << port;
            for (unsigned vc = 0; vc < m.vcs; vc++) {
                if (drawn_in(load))
                    (in ? s->in_credit : s->out_credit)[vc] |= UINT64_C(1) << port;
            }
        }
    }
    /* What lies beside the words that count; ports of the compiled shape that are not used. */
    s->in_valid |= (uint64_t)draw(4) << m.ports;
    s->out_valid |= (uint64_t)draw(4) << m.ports;
    s->out_credit[draw(m.vcs)] |= (uint64_t)draw(4) << m.ports;
    s->in_credit[draw(m.vcs)] |= (uint64_t)draw(4) << m.ports;
    for (unsigned port = 0; port < m.links; port++)
        s->in_word[port] = s->in_valid >> port & 1 ? s->in_word[port] : draw_word();
}

/* One thing that a wire does not do. */
static void spoil(struct shot *s)
{
    const unsigned port = draw(m.ports), vc = draw(m.vcs);
    const bool in = draw(2);
    if (draw(2))
        (in ? s->in_credit : s->out_credit)[vc] ^= UINT64_C(1) << port;
    else if (draw(2))
        *(in ? &s->in_valid : &s->out_valid) ^= UINT64_C(1) << port;
    else
        (in ? s->in_word : s->out_word)[port] ^= 1;
}

static void draw_cycle(unsigned cycle, unsigned load, unsigned asleep)
{
    for (uint32_t node = 0; node < m.t.nodes; node++) {
        struct shot *s = &m.shots[cycle][node];
        *s = (struct shot){0};
        take_inputs(cycle, node);
        bool input = s->in_valid != 0;
        for (unsigned vc = 0; vc < m.vcs; vc++)
            input |= s->in_credit[vc] != 0;
        s->seen = (input && !drawn_in(m.damage)) || !drawn_in(asleep);
        if (s->seen)
            draw_signals(cycle, node, load);
        if (s->seen && drawn_in(m.damage))
            spoil(s);
    }
}

static struct ec_net_seen view(unsigned cycle, uint32_t node)
{
    const struct shot *s = &m.shots[cycle][node];
    return (struct ec_net_seen){.cycle = cycle,
                                .node = node,
                                .in_word = s->in_word,
                                .in_credit = s->in_credit,
                                .out_word = s->out_word,
                                .out_credit = s->out_credit,
                                .in_valid = s->in_valid,
                                .out_valid = s->out_valid};
}

/* --- Faults, by definition -------------------------------------------------------------------- */

struct faults {
    struct wire_fault list[FAULTS];
    size_t count;
};

static void add(struct faults *f, struct wire_fault fault)
{
    assert_true(f->count < FAULTS);
    f->list[f->count++] = fault;
}

/* 0: none. */
static uint64_t word_of(bool seen, uint64_t valid, const uint64_t *words, unsigned port)
{
    return seen && valid >> port & 1 ? words[port] | EC_WORD_VALID : 0;
}

static void compare_link(unsigned cycle, uint32_t node, unsigned port, struct faults *f)
{
    unsigned back;
    const struct shot *in = &m.shots[cycle][node], *out = sender_of(cycle, node, port, &back);
    const uint32_t peer = ec_topology_neighbor(&m.t, node, port);
    const struct wire_fault lost = {
        .cycle = cycle, .node = peer, .peer = node, .port = back, .lost = true};
    const struct wire_fault invented = {.cycle = cycle, .node = node, .peer = peer, .port = port};
    const uint64_t sent = word_of(true, out->out_valid, out->out_word, back);
    const uint64_t got = word_of(in->seen, in->in_valid, in->in_word, port);
    struct wire_fault fault = lost;
    fault.word = sent;
    if (sent != got && sent)
        add(f, fault);
    fault = invented;
    fault.word = got;
    if (sent != got && got)
        add(f, fault);
    for (unsigned vc = 0; vc < m.vcs; vc++) {
        const bool gave = out->out_credit[vc] >> back & 1;
        const bool has = in->seen && in->in_credit[vc] >> port & 1;
        fault = gave ? lost : invented;
        fault.vc = vc;
        if (gave != has)
            add(f, fault);
    }
}

static bool is_one_of(const struct wire_fault *is, const struct faults *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct wire_fault *x = &f->list[i];
        if (is->cycle == x->cycle && is->word == x->word && is->node == x->node &&
            is->peer == x->peer && is->port == x->port && (is->word || is->vc == x->vc) &&
            is->lost == x->lost && is->out == x->out)
            return true;
    }
    return false;
}

/* A word that was altered is named where it left: losses come first. */
static bool any_lost(const struct faults *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].lost)
            return true;
    }
    return false;
}

static unsigned found, sound;

static void judge_links(struct wires *w, unsigned cycle)
{
    static struct faults f;
    struct wire_fault is = {0};
    f.count = 0;
    for (uint32_t node = 0; node < m.t.nodes; node++) {
        for (unsigned port = 0; port < m.links; port++) {
            if (exists(node, port))
                compare_link(cycle, node, port, &f);
        }
    }
    assert_int_equal(wires_judge(w, cycle, &is), f.count > 0);
    if (f.count > 0) {
        assert_true(is_one_of(&is, &f));
        assert_int_equal(is.lost, any_lost(&f));
    }
    found += f.count > 0;
    sound += f.count == 0;
}

/* --- Local ports ------------------------------------------------------------------------------ */

/* What the nodes sent or got, with a mistake at times. */
struct events {
    struct ec_port_word words[4 * NODES * EC_TILE_PORTS_MAX];
    struct ec_port_credit credits[4 * NODES * EC_TILE_PORTS_MAX * VCS];
    struct ec_port_events e;
};

static void add_word(struct events *e, uint32_t port, uint64_t word)
{
    e->words[e->e.word_count++] = (struct ec_port_word){port, word};
}

static void add_credit(struct events *e, uint32_t port, unsigned vc)
{
    e->credits[e->e.credit_count++] = (struct ec_port_credit){port, vc};
}

static void draw_events(unsigned cycle, bool out, unsigned damage, struct events *e)
{
    *e = (struct events){.e = {.words = e->words, .credits = e->credits}};
    for (uint32_t node = 0; node < m.t.nodes; node++) {
        const struct shot *s = &m.shots[cycle][node];
        for (unsigned local = 0; local < m.locals; local++) {
            const unsigned port = m.links + local;
            const uint32_t at = node * m.locals + local;
            uint64_t word = out ? word_of(s->seen, s->out_valid, s->out_word, port)
                                : word_of(s->seen, s->in_valid, s->in_word, port);
            if (drawn_in(damage))
                word = draw(2) ? 0 : EC_WORD_VALID | draw(3);
            for (unsigned k = 0; word && k < (drawn_in(damage) ? 2u : 1u); k++)
                add_word(e, at, draw(2) ? word : word & ~EC_WORD_VALID);
            for (unsigned vc = 0; vc < m.vcs; vc++) {
                const uint64_t *credits = out ? s->out_credit : s->in_credit;
                const bool has = s->seen && credits[vc] >> port & 1;
                for (unsigned k = 0; has != drawn_in(damage) && k < (drawn_in(damage) ? 2u : 1u);
                     k++)
                    add_credit(e, at, vc);
            }
        }
    }
}

/* A node that sends twice at once uses one wire, so this is no fault of the wire. */
static void compare_word(unsigned cycle, bool out, uint32_t at, const struct events *e,
                         struct faults *f)
{
    const struct shot *s = &m.shots[cycle][at / m.locals];
    const unsigned port = m.links + at % m.locals;
    const uint64_t here = out ? word_of(s->seen, s->out_valid, s->out_word, port)
                              : word_of(s->seen, s->in_valid, s->in_word, port);
    struct wire_fault fault = {.cycle = cycle + out,
                               .node = at / m.locals,
                               .peer = EC_NONE,
                               .port = port,
                               .out = out,
                               .lost = !out};
    unsigned same = 0, all = 0;
    for (size_t i = 0; i < e->e.word_count; i++) {
        const uint64_t word = e->words[i].word | EC_WORD_VALID;
        if (e->words[i].port != at)
            continue;
        all++;
        same += word == here;
        fault.word = word;
        if (word != here || (out && same > 1))
            add(f, fault);
    }
    fault.word = here;
    fault.lost = out;
    if (here && all == 0)
        add(f, fault);
}

static void compare_credit(unsigned cycle, bool out, uint32_t at, unsigned vc,
                           const struct events *e, struct faults *f)
{
    const struct shot *s = &m.shots[cycle][at / m.locals];
    const unsigned port = m.links + at % m.locals;
    const bool here = s->seen && (out ? s->out_credit : s->in_credit)[vc] >> port & 1;
    struct wire_fault fault = {.cycle = cycle + out,
                               .node = at / m.locals,
                               .peer = EC_NONE,
                               .port = port,
                               .vc = vc,
                               .out = out,
                               .lost = !out};
    unsigned all = 0;
    for (size_t i = 0; i < e->e.credit_count; i++)
        all += e->credits[i].port == at && e->credits[i].vc == vc;
    if (all > 1u * here + (here && !out)) /* see compare_word() */
        add(f, fault);
    if (here && !out && all > 1)
        return;
    fault.lost = out;
    if (here && all == 0)
        add(f, fault);
}

static void judge_nodes(struct wires *w, unsigned cycle, unsigned damage)
{
    static struct events in, out;
    static struct faults f;
    struct wire_fault is = {0};
    draw_events(cycle, false, damage, &in);
    draw_events(cycle, true, damage, &out);
    f.count = 0;
    for (uint32_t at = 0; at < m.t.nodes * m.locals; at++) {
        for (unsigned k = 0; k < 2; k++) {
            compare_word(cycle, k, at, k ? &out : &in, &f);
            for (unsigned vc = 0; vc < m.vcs; vc++)
                compare_credit(cycle, k, at, vc, k ? &out : &in, &f);
        }
    }
    assert_int_equal(wires_judge_nodes(w, cycle, &in.e, &out.e, &is), f.count > 0);
    if (f.count > 0)
        assert_true(is_one_of(&is, &f));
}

/* --- Trials ----------------------------------------------------------------------------------- */

static const char *const networks[] = {"ring:5", "mesh:3x2", "torus:2x3", "cube:3", "mesh:4"};

static void open_trial(unsigned trial)
{
    static const unsigned delays[] = {1, 2, 3, 7, 24}, vcs[] = {1, 2, 4};
    memset(&m, 0, sizeof m);
    m.t = topology_of(networks[trial % COUNT(networks)]);
    m.links = ec_topology_links(&m.t);
    m.key = trial;
    m.locals = draw(2) ? 1 : m.links;
    m.ports = m.links + m.locals;
    m.vcs = vcs[draw(COUNT(vcs))];
    m.delay = delays[draw(COUNT(delays))];
    m.damage = draw(3) ? draw(5) : 0;
}

/* Cycles may be skipped: then nothing was on any wire, and nothing is under way. */
static void every_wire_does_what_it_says(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        open_trial(trial);
        struct wires *w = wires_open(&m.t, m.locals, m.vcs, m.delay);
        const unsigned load = 1 + draw(60), asleep = draw(101), damage = draw(2) ? draw(4) : 0;
        assert_non_null(w);
        for (unsigned cycle = 1; cycle <= CYCLES; cycle++) {
            draw_cycle(cycle, load, asleep);
            const uint32_t first = draw(m.t.nodes); /* routers are seen in any order */
            for (uint32_t k = 0; k < m.t.nodes; k++) {
                const uint32_t node = (first + k) % m.t.nodes;
                const struct ec_net_seen seen = view(cycle, node);
                if (m.shots[cycle][node].seen)
                    wires_see(w, &seen);
            }
            judge_links(w, cycle);
            judge_nodes(w, cycle, damage);
        }
        assert_false(wires_memory_short(w));
        wires_close(w);
    }
    assert_between(found, TRIALS, (uintmax_t)CYCLES * TRIALS);
    assert_between(sound, TRIALS, (uintmax_t)CYCLES * TRIALS);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* What is on a link of one cycle need not be kept in a list. */
static void short_links_allocate_nothing(void **state)
{
    (void)state;
    memset(&m, 0, sizeof m);
    m.t = topology_of("cube:3");
    m.links = 3, m.locals = 1, m.ports = 4, m.vcs = 2, m.delay = 1;
    struct wires *w = wires_open(&m.t, 1, 2, 1);
    assert_non_null(w);
    scarce_after = 0;
    for (unsigned cycle = 1; cycle < 20; cycle++) {
        struct wire_fault fault;
        draw_cycle(cycle, 100, 0);
        for (uint32_t node = 0; node < m.t.nodes; node++) {
            const struct ec_net_seen seen = view(cycle, node);
            wires_see(w, &seen);
        }
        assert_false(wires_judge(w, cycle, &fault));
    }
    assert_int_equal(scarce_after, 0);
    scarce_after = SCARCE_NEVER;
    wires_close(w);
}

static void missing_memory_is_told(void **state)
{
    (void)state;
    for (unsigned delay = 1; delay <= 2; delay++) {
        unsigned at = 0;
        for (;; at++) {
            memset(&m, 0, sizeof m);
            m.t = topology_of("cube:3");
            m.links = 3, m.locals = 1, m.ports = 4, m.vcs = 2, m.delay = delay;
            scarce_after = at;
            struct wires *w = wires_open(&m.t, 1, 2, delay);
            bool failed = scarce_after == SCARCE_NEVER;
            assert_int_equal(w == NULL, failed);
            for (unsigned cycle = 1; w && cycle < 20; cycle++) {
                struct wire_fault fault;
                draw_cycle(cycle, 100, 0);
                for (uint32_t node = 0; node < m.t.nodes; node++) {
                    const struct ec_net_seen seen = view(cycle, node);
                    wires_see(w, &seen);
                }
                failed = scarce_after == SCARCE_NEVER;
                assert_int_equal(wires_memory_short(w), failed);
                if (!failed)
                    assert_false(wires_judge(w, cycle, &fault));
            }
            wires_close(w);
            scarce_after = SCARCE_NEVER;
            if (!failed)
                break;
        }
        assert_between(at, 10, 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every wire carries what was put on it, or is named", every_wire_does_what_it_says),
        TEST("short links allocate nothing", short_links_allocate_nothing),
        TEST("wires that lack memory say so", missing_memory_is_told),
    };
    return cmocka_run_group_tests_name("wires", tests, NULL, NULL);
}
