/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that wait for each other, in random accounts of small networks: compared with what a
 * buffer waits for by the definitions in diagnose/waiting.h, and with knots found by reachability.
 *
 * The linker replaces the rules by a stand-in: its account is drawn at random. So it has waits that
 * no run would show, and every case of the definitions. */
#include "diagnose/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "network/names.h"
#include "scarce.h"
#include "unit.h"

enum { BUFFERS = 256, NEXT = 64, TRIALS = 6000 };

/* --- The account ------------------------------------------------------------------------------ */

struct account {
    const struct ec_topology *t;
    const struct ec_router *r;
    struct shadow shadow;
    struct rules_ask ask[BUFFERS];
    struct rules_output out[BUFFERS];
    uint64_t shown_at[64], moved_at, cycle, still_after;
    bool asks, refuses[64][8][8]; /* [node][local][vc] */
    struct diagnosis_refusal refusal[64];
    unsigned need; /* credits, of a head */
    uint64_t key, drawn;
};

static struct account a;

#define STAND_IN(name) __asm__("__wrap_" #name)
const struct shadow *shadow_here(const struct rules *rules) STAND_IN(rules_shadow);
struct rules_ask ask_here(const struct rules *rules, size_t input) STAND_IN(rules_ask);
const struct rules_output *output_here(const struct rules *rules, size_t at) STAND_IN(rules_output);
struct rules_name name_here(const struct rules *rules, uint64_t word) STAND_IN(rules_word_name);
unsigned need_here(const struct rules *rules, uint64_t word) STAND_IN(rules_need);
uint64_t shown_here(const struct rules *rules, uint32_t node) STAND_IN(rules_shown_at);
uint64_t moved_here(const struct rules *rules) STAND_IN(rules_moved_at);

const struct shadow *shadow_here(const struct rules *rules)
{
    (void)rules;
    return &a.shadow;
}

struct rules_ask ask_here(const struct rules *rules, size_t input)
{
    (void)rules;
    return a.ask[input];
}

const struct rules_output *output_here(const struct rules *rules, size_t at)
{
    (void)rules;
    return &a.out[at];
}

struct rules_name name_here(const struct rules *rules, uint64_t word)
{
    struct rules_name ret;
    (void)rules;
    snprintf(ret.text, sizeof ret.text, "W%llx%s", (unsigned long long)(word & 0xffff),
             word & 1 ? ""
                      : " with a name that is so long that it is cut behind seventy characters");
    return ret;
}

unsigned need_here(const struct rules *rules, uint64_t word)
{
    (void)rules;
    return ec_word_head(word) ? a.need : 1;
}

uint64_t shown_here(const struct rules *rules, uint32_t node)
{
    (void)rules;
    return a.shown_at[node];
}

uint64_t moved_here(const struct rules *rules)
{
    (void)rules;
    return a.moved_at;
}

static unsigned draw(unsigned below)
{
    return (unsigned)ec_rng_below(ec_rng_draw(a.key, a.drawn++), below);
}

static bool ask_node(const void *context, uint32_t node, unsigned local, unsigned vc,
                     struct diagnosis_refusal *ret)
{
    assert_ptr_equal(context, &a);
    *ret = a.refusal[node];
    return a.refuses[node][local][vc];
}

static void draw_nodes(void)
{
    a.asks = draw(3) == 0;
    for (uint32_t node = 0; node < a.t->nodes; node++) {
        a.shown_at[node] = a.cycle - draw(8);
        a.refusal[node] = (struct diagnosis_refusal){.held = draw(3)};
        for (unsigned local = 0; local < a.shadow.locals; local++) {
            a.refusal[node].replies[local] = (uint8_t)(draw(2) ? draw(1u << a.shadow.vcs) : 0);
            for (unsigned vc = 0; vc < a.shadow.vcs; vc++)
                a.refuses[node][local][vc] = draw(3) > 0;
        }
    }
}

/* An output that exists: links more often than local ports; or the number of ports. */
static unsigned draw_port(uint32_t node)
{
    if (draw(60) == 0)
        return a.shadow.ports;
    for (;;) {
        const unsigned port = draw(draw(6) ? a.shadow.links : a.shadow.ports);
        if (port >= a.shadow.links || ec_topology_neighbor(a.t, node, port) != EC_NONE)
            return port;
    }
}

static unsigned draw_vcs(void)
{
    const unsigned all = (1u << a.shadow.vcs) - 1;
    if (a.r->va == EC_VA_STATIC)
        return 1u << draw(a.shadow.vcs);
    if (a.r->dateline)
        return (draw(2) ? 0x55 : 0xaa) & all;
    return all;
}

/* How often a place is empty, full or held decides how long the chains are. */
static void draw_account(const struct ec_topology *t, const struct ec_router *r, uint64_t key)
{
    a = (struct account){.t = t, .r = r, .key = key, .cycle = 1000};
    assert_true(shadow_open(&a.shadow, t, r));
    assert_true(a.shadow.count <= BUFFERS && t->nodes <= 64);
    a.need = r->switching == EC_WORMHOLE ? 1 : r->packet;
    a.moved_at = a.cycle - draw(8);
    a.still_after = draw(6);
    const unsigned filled = 1 + draw(14), held = draw(10), full = 5 + draw(7);
    for (size_t b = 0; b < a.shadow.count; b++) {
        const uint32_t node = (uint32_t)(b / a.shadow.vcs / a.shadow.ports);
        const unsigned vcs = draw_vcs();
        a.ask[b] = (struct rules_ask){.word = EC_WORD_VALID | draw(0x10000),
                                      .port = draw_port(node),
                                      .vcs = vcs,
                                      .complete = draw(3) > 0};
        a.ask[b].word |= draw(2) ? EC_WORD_HEAD : 0;
        do {
            a.ask[b].vc = draw(a.shadow.vcs);
        } while (!(vcs >> a.ask[b].vc & 1));
        if (draw(12) < filled)
            a.shadow.buffers[b].count = draw(10) < full ? r->depth : 1 + draw(r->depth);
        if (a.shadow.buffers[b].count == 0)
            a.ask[b] = (struct rules_ask){.port = a.shadow.ports};
        a.out[b] = (struct rules_output){.holder = RULES_NOBODY,
                                         .sent = draw(10) < full ? r->depth : draw(r->depth + 1),
                                         .credit_at = draw(3) ? a.cycle - draw(9) : 0};
    }
    /* An input VC holds at most one output VC; that is often the one that it asks for. */
    for (size_t b = 0; b < a.shadow.count; b++) {
        const uint32_t first = (uint32_t)(b / a.shadow.vcs / a.shadow.ports);
        const unsigned own = (unsigned)(b % (a.shadow.ports * a.shadow.vcs));
        unsigned port = a.ask[b].port, vc = a.ask[b].vc;
        if (draw(10) >= held)
            continue;
        if (draw(2) || port >= a.shadow.ports) {
            port = draw(a.shadow.ports);
            vc = draw(a.shadow.vcs);
        }
        a.out[shadow_at(&a.shadow, first, port, vc)].holder = own;
        for (unsigned k = 0; k < a.shadow.ports * a.shadow.vcs; k++) {
            struct rules_output *out = &a.out[(size_t)first * a.shadow.ports * a.shadow.vcs + k];
            if (k != port * a.shadow.vcs + vc && out->holder == own)
                out->holder = RULES_NOBODY;
        }
    }
    /* What is full by its credits is full of words, unless a credit is under way. */
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned port = 0; port < a.shadow.links; port++) {
            const uint32_t to = ec_topology_neighbor(t, node, port);
            for (unsigned vc = 0; to != EC_NONE && vc < a.shadow.vcs; vc++) {
                struct rules_output *out = &a.out[shadow_at(&a.shadow, node, port, vc)];
                const uint32_t count =
                    a.shadow.buffers[shadow_at(&a.shadow, to, ec_topology_reverse(t, port), vc)]
                        .count;
                if (draw(40))
                    out->sent = count;
            }
        }
    }
    draw_nodes();
}

/* --- What a buffer waits for, by definition --------------------------------------------------- */

struct due {
    size_t next[NEXT];
    size_t count;
    bool open;
    char text[4000];
};

__attribute__((format(printf, 2, 3))) static void add(struct due *d, const char *format, ...)
{
    const size_t used = strlen(d->text);
    va_list args;
    va_start(args, format);
    vsnprintf(d->text + used, sizeof d->text - used, format, args);
    va_end(args);
}

static const char *port_text(unsigned port)
{
    static char text[4][EC_NAME_SIZE];
    static unsigned last;
    last = (last + 1) % 4;
    ec_port_name(a.t, a.shadow.locals, port, text[last], sizeof text[last]);
    return text[last];
}

static void begin(struct due *d, size_t b)
{
    char router[64];
    *d = (struct due){0};
    ec_topology_node_name(a.t, (uint32_t)(b / a.shadow.vcs / a.shadow.ports), router,
                          sizeof router);
    add(d, "router %s, input %s VC %u: ", router,
        port_text((unsigned)(b / a.shadow.vcs % a.shadow.ports)), (unsigned)(b % a.shadow.vcs));
}

/* The credits of a local port come from the node. */
static void wait_at_node(struct due *d, uint32_t node, unsigned local, unsigned vc)
{
    const struct diagnosis_refusal *refusal = &a.refusal[node];
    if (!a.asks || !a.refuses[node][local][vc]) {
        add(d, ", whose node returns no credit");
        d->open = true;
        return;
    }
    add(d, ", whose node has no room: it holds %u request%s, and ", refusal->held,
        refusal->held == 1 ? "" : "s");
    bool any = false;
    for (unsigned k = 0; k < a.shadow.locals * a.shadow.vcs; k++) {
        const unsigned port = a.shadow.links + k / a.shadow.vcs;
        if (!(refusal->replies[k / a.shadow.vcs] >> k % a.shadow.vcs & 1))
            continue;
        add(d, "%s input %s VC %u", any ? " or" : "its replies wait for", port_text(port),
            k % a.shadow.vcs);
        d->next[d->count++] = shadow_at(&a.shadow, node, port, k % a.shadow.vcs);
        any = true;
    }
    if (!any) {
        add(d, "no reply waits for the network");
        d->open = true;
    }
}

/* Is this VC of the wanted output closed to the front word of a buffer? */
static bool is_closed(size_t b, unsigned vc, struct due *d, bool first)
{
    const uint32_t node = (uint32_t)(b / a.shadow.vcs / a.shadow.ports);
    const unsigned port = a.ask[b].port, own = (unsigned)(b % (a.shadow.ports * a.shadow.vcs));
    const struct rules_output *out = &a.out[shadow_at(&a.shadow, node, port, vc)];
    if (out->holder != RULES_NOBODY && out->holder != own) {
        add(d, "%s VC %u, held by the packet from input %s VC %u", first ? "" : " or", vc,
            port_text(out->holder / a.shadow.vcs), out->holder % a.shadow.vcs);
        d->next[d->count++] = (size_t)node * a.shadow.ports * a.shadow.vcs + out->holder;
        return true;
    }
    if (a.r->depth >= out->sent + need_here(NULL, a.ask[b].word))
        return false;
    if (port >= a.shadow.links) {
        add(d, "%s VC %u", first ? "" : " or", vc);
        wait_at_node(d, node, port - a.shadow.links, vc);
        return true;
    }
    const uint32_t to = ec_topology_neighbor(a.t, node, port);
    const size_t behind = shadow_at(&a.shadow, to, ec_topology_reverse(a.t, port), vc);
    if (a.shadow.buffers[behind].count < out->sent)
        return false; /* a credit is under way */
    char router[64];
    ec_topology_node_name(a.t, to, router, sizeof router);
    add(d, "%s VC %u, whose buffer in router %s is full", first ? "" : " or", vc, router);
    d->next[d->count++] = behind;
    return true;
}

static bool are_closed(size_t b, unsigned vcs, struct due *d)
{
    bool first = true;
    begin(d, b);
    add(d, "packet %.70s wants output %s", name_here(NULL, a.ask[b].word).text,
        port_text(a.ask[b].port));
    for (unsigned vc = 0; vc < a.shadow.vcs; vc++) {
        if (!(vcs >> vc & 1))
            continue;
        if (!is_closed(b, vc, d, first))
            return false;
        first = false;
    }
    return true;
}

static unsigned of_other_class(unsigned vcs)
{
    unsigned ret = 0;
    for (unsigned vc = 0; vc < 8; vc++)
        ret |= (vcs >> vc & 1) << (vc % 2 ? vc - 1 : vc + 1);
    return ret;
}

static void wait_of(size_t b, bool foreign, struct due *d)
{
    const struct rules_ask *ask = &a.ask[b];
    const uint32_t node = (uint32_t)(b / a.shadow.vcs / a.shadow.ports);
    const unsigned in = (unsigned)(b / a.shadow.vcs % a.shadow.ports);
    const bool parted = ec_word_head(ask->word) && !ask->complete;
    if (ask->word == 0 || (a.r->switching == EC_STORE_AND_FORWARD && parted)) {
        begin(d, b);
        add(d, "waits for the rest of its packet");
        const uint32_t up = in < a.shadow.links ? ec_topology_neighbor(a.t, node, in) : EC_NONE;
        d->open = true;
        if (up == EC_NONE)
            return;
        const uint32_t holder = a.out[shadow_at(&a.shadow, up, ec_topology_reverse(a.t, in),
                                                (unsigned)(b % a.shadow.vcs))]
                                    .holder;
        if (holder == RULES_NOBODY)
            return;
        d->open = false;
        d->next[d->count++] = (size_t)up * a.shadow.ports * a.shadow.vcs + holder;
        return;
    }
    if (ask->port == a.shadow.ports) {
        begin(d, b);
        add(d, "word %.70s names no node", name_here(NULL, ask->word).text);
        d->open = true;
        return;
    }
    if (are_closed(b, ask->vcs, d))
        return;
    if (a.cycle > a.moved_at + a.still_after && a.r->dateline && ask->port < a.shadow.links &&
        are_closed(b, of_other_class(ask->vcs), d)) {
        add(d,
            foreign ? " (VC %u is free, but perhaps not the link)"
                    : " (the dateline rule says VC %u)",
            ask->vc);
        return;
    }
    const struct rules_output *out = &a.out[shadow_at(&a.shadow, node, ask->port, ask->vc)];
    begin(d, b);
    d->open = true;
    add(d, "packet %.70s could leave and does not, by output %s VC %u with %u of %u credits free",
        name_here(NULL, ask->word).text, port_text(ask->port), ask->vc, a.r->depth - out->sent,
        a.r->depth);
    const bool asleep = a.cycle > a.shown_at[node] + a.still_after;
    if (out->credit_at && !asleep)
        add(d, ", the last one came back in cycle %llu", (unsigned long long)out->credit_at);
    if (asleep)
        add(d, "; the router sleeps since cycle %llu: quiet_o is wrong",
            (unsigned long long)a.shown_at[node] + 1);
}

/* --- Knots, by definition --------------------------------------------------------------------- */

static struct due due[BUFFERS];
static bool reaches[BUFFERS][BUFFERS]; /* by waits, in any number of steps, also none */
static size_t order[BUFFERS], ordered; /* as a search from the first buffer on meets them */
static bool met[BUFFERS];

static void meet(size_t b)
{
    if (met[b])
        return;
    met[b] = true;
    order[ordered++] = b;
    for (size_t i = 0; i < due[b].count; i++)
        meet(due[b].next[i]);
}

static void find_waits(bool foreign)
{
    const size_t count = a.shadow.count;
    memset(reaches, 0, sizeof reaches);
    memset(met, 0, sizeof met);
    ordered = 0;
    for (size_t b = 0; b < count; b++)
        wait_of(b, foreign, &due[b]);
    for (size_t b = 0; b < count; b++) {
        size_t list[BUFFERS], listed = 1;
        list[0] = b;
        reaches[b][b] = true;
        for (size_t k = 0; k < listed; k++) {
            for (size_t i = 0; i < due[list[k]].count; i++) {
                const size_t to = due[list[k]].next[i];
                if (!reaches[b][to])
                    list[listed++] = to;
                reaches[b][to] = true;
            }
        }
    }
    for (size_t b = 0; b < count; b++) {
        if (a.shadow.buffers[b].count > 0)
            meet(b);
    }
}

/* From here, can something still move? */
static bool may_move(size_t b)
{
    for (size_t k = 0; k < a.shadow.count; k++) {
        if (reaches[b][k] && due[k].open)
            return true;
    }
    return false;
}

/* Is it in a knot: everything that it waits for waits for it, and nothing may move? */
static bool in_knot(size_t b)
{
    for (size_t k = 0; k < a.shadow.count; k++) {
        if (reaches[b][k] && !reaches[k][b])
            return false;
    }
    return !may_move(b);
}

static bool reaches_knot(size_t b)
{
    for (size_t k = 0; k < a.shadow.count; k++) {
        if (reaches[b][k] && in_knot(k))
            return true;
    }
    return false;
}

/* The first buffer with words whose waits lead to a knot; SIZE_MAX: none do. */
static size_t first_start(void)
{
    for (size_t b = 0; b < a.shadow.count; b++) {
        if (a.shadow.buffers[b].count > 0 && reaches_knot(b))
            return b;
    }
    return SIZE_MAX;
}

/* --- Trials ----------------------------------------------------------------------------------- */

static struct waiting setting(bool foreign)
{
    return (struct waiting){.t = a.t,
                            .r = a.r,
                            .rules = (const struct rules *)&a,
                            .foreign = foreign,
                            .cycle = a.cycle,
                            .still_after = a.still_after,
                            .ask = a.asks ? ask_node : NULL,
                            .ask_context = &a};
}

static void free_waits(struct diagnosis_waits *w, struct ec_node_set *nodes)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->lines[i]);
    free(w->lines);
    free(w->inputs);
    free(w->culprit);
    ec_node_set_free(nodes);
}

static void assert_text(const char *is, const char *should)
{
    char cut[700]; /* a line has no room for more */
    snprintf(cut, sizeof cut, "%s", should);
    assert_string_equal(is, cut);
}

/* The routers of these buffers, each once, in this order. */
static void assert_nodes(const struct ec_node_set *nodes, const size_t *buffers, size_t count)
{
    struct ec_node_set should = {0};
    for (size_t i = 0; i < count; i++)
        assert_true(
            ec_node_set_add(&should, (uint32_t)(buffers[i] / a.shadow.vcs / a.shadow.ports)));
    assert_int_equal(nodes->count, should.count);
    for (size_t i = 0; i < should.count; i++)
        assert_int_equal(nodes->nodes[i], should.nodes[i]);
    ec_node_set_free(&should);
}

static void assert_knot(const struct diagnosis_waits *w, const struct ec_node_set *nodes,
                        size_t start)
{
    size_t buffers[BUFFERS], members = 0;
    bool several = false;
    assert_between(w->count, 1, a.shadow.count);
    for (size_t i = 0; i < w->count; i++) {
        const struct ec_waiting_input *in = &w->inputs[i];
        const size_t b = buffers[i] = shadow_at(&a.shadow, in->node, in->port, in->vc);
        assert_true(in_knot(b) && reaches[start][b] && reaches[buffers[0]][b]);
        assert_int_equal(in->wants, a.ask[b].port);
        assert_text(w->lines[i], due[b].text);
        several |= due[b].count > 1;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(buffers[k], b);
    }
    for (size_t b = 0; b < a.shadow.count; b++)
        members += reaches[buffers[0]][b];
    assert_int_equal(w->count, members);
    assert_int_equal(w->knot, several);
    for (size_t i = 0; !several && i < w->count; i++)
        assert_int_equal(due[buffers[i]].next[0], buffers[(i + 1) % w->count]);
    assert_null(w->culprit);
    assert_nodes(nodes, buffers, w->count);
}

static void assert_no_knot(const struct diagnosis_waits *w, const struct ec_node_set *nodes)
{
    size_t k = 0;
    while (k < ordered && !due[order[k]].open)
        k++;
    assert_int_equal(w->count, 0);
    assert_int_equal(w->culprit != NULL, k < ordered);
    if (k < ordered)
        assert_text(w->culprit, due[order[k]].text);
    assert_nodes(nodes, &order[k], k < ordered);
}

static const struct {
    const char *topology, *router;
} networks[] = {
    {"mesh:3", "depth=2"},
    {"mesh:2x2", "depth=1"},
    {"ring:4", "vcs=2,depth=3"},
    {"ring:5", "vcs=2,dateline=off,depth=2"},
    {"torus:3x3", "vcs=2,depth=2"},
    {"cube:2", "depth=4,ports=all"},
    {"mesh:3x2", "vcs=2,depth=4,switching=store-and-forward"},
    {"ring:4", "vcs=2,depth=4,switching=cut-through"},
    {"mesh:4", "vcs=2,va=dynamic,depth=2"},
    {"ring:3", "vcs=4,va=dynamic,depth=2"},
    {"mesh:3", "vcs=8,va=dynamic,depth=1"},
    {"torus:3x2", "vcs=4,depth=2"},
    {"cube:3", "vcs=2,depth=2,ports=all"},
};

static void a_knot_is_found_if_there_is_one(void **state)
{
    (void)state;
    unsigned knots = 0, circles = 0, others = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const size_t k = trial % COUNT(networks);
        const struct ec_topology t = topology_of(networks[k].topology);
        struct ec_router r = router_of(networks[k].router, &t);
        r.packet = r.switching == EC_WORMHOLE ? 8 : 2 + trial % 3;
        draw_account(&t, &r, trial);
        const bool foreign = draw(3) == 0;
        find_waits(foreign);
        const struct waiting w = setting(foreign);
        struct diagnosis_waits waits;
        struct ec_node_set nodes = {0};
        const bool found = waiting_find(&w, &waits, &nodes);
        const size_t start = first_start();
        assert_int_equal(found, start != SIZE_MAX);
        assert_false(waits.memory_short);
        if (found)
            assert_knot(&waits, &nodes, start);
        else
            assert_no_knot(&waits, &nodes);
        knots += found && waits.knot;
        circles += found && !waits.knot;
        others += !found;
        free_waits(&waits, &nodes);
        shadow_close(&a.shadow);
    }
    /* Otherwise the test shows little. */
    assert_between(knots, TRIALS / 100, TRIALS);
    assert_between(circles, TRIALS / 10, TRIALS);
    assert_between(others, TRIALS / 10, TRIALS);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* A diagnosis that lacks something says so. */
static void missing_memory_is_told(void **state)
{
    (void)state;
    unsigned short_of = 0;
    for (unsigned trial = 0; trial < 300; trial++) {
        const size_t k = trial % COUNT(networks);
        const struct ec_topology t = topology_of(networks[k].topology);
        struct ec_router r = router_of(networks[k].router, &t);
        r.packet = r.switching == EC_WORMHOLE ? 8 : 2;
        draw_account(&t, &r, 7000 + trial);
        find_waits(false);
        const struct waiting w = setting(false);
        for (unsigned at = 0;; at++) {
            struct diagnosis_waits waits;
            struct ec_node_set nodes = {0};
            scarce_after = at;
            const bool found = waiting_find(&w, &waits, &nodes);
            const bool failed = scarce_after == SCARCE_NEVER;
            scarce_after = SCARCE_NEVER;
            assert_int_equal(waits.memory_short, failed);
            assert_false(found && first_start() == SIZE_MAX);
            for (size_t i = 0; i < waits.count; i++)
                assert_true(in_knot(shadow_at(&a.shadow, waits.inputs[i].node, waits.inputs[i].port,
                                              waits.inputs[i].vc)));
            free_waits(&waits, &nodes);
            short_of += failed;
            if (!failed)
                break;
        }
        shadow_close(&a.shadow);
    }
    assert_between(short_of, 1000, 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a knot of waiting buffers is found if there is one", a_knot_is_found_if_there_is_one),
        TEST("a search that lacks memory says so", missing_memory_is_told),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
