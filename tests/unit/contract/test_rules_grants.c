/* SPDX-License-Identifier: Apache-2.0 */
/* Grants of routers with several stages, which show in credits only: each grant that the model does
 * not make is a breach, and the rules say which one. Then words of a node to itself, which no model
 * sends. */
#include <string.h>

#include "network/names.h"
#include "router_model.h"
#include "unit.h"

static struct rules *rules;
static struct model b;

static struct setting settings[SETTINGS_MAX];
static size_t setting_count;

static void play(const struct setting *x, uint64_t seed)
{
    model_open(&b, x, seed);
    rules = rules_open(&b.t, &b.r, x->node, (struct rules_options){.taps = true});
    assert_non_null(rules);
    for (uint64_t c = 1; c <= CYCLES; c++) {
        model_enter(&b, c);
        model_show(&b, c + 1);
        b.pins[c].shown = true;
        model_see(rules, &b, c);
        assert_null(rules_breach(rules));
    }
}

/* What must be said of it. */
struct expected {
    enum rules_kind kind;
    bool input;
    unsigned at;
    uint64_t word;
    char text[400];
};

#define SAY(kind_, input_, at_, word_, ...)                                                        \
    do {                                                                                           \
        *ret = (struct expected){kind_, input_, at_, word_, ""};                                   \
        snprintf(ret->text, sizeof ret->text, __VA_ARGS__);                                        \
    } while (0)

static void expect_no_word(const struct facts *f, unsigned own, struct expected *ret)
{
    const uint64_t routed = f->queue[own][0];
    if (routed)
        SAY(RULES_TOO_EARLY, true, own, routed,
            "word %s is granted its output, but it is still in the route stage",
            model_word_name(&b, routed));
    else
        SAY(RULES_CREDIT_TWICE, true, own, f->left[own],
            "a credit is returned, but no word leaves (the buffer is empty; %s)",
            model_when("the last word left", "no word has left yet", f->left_at[own]));
}

/* The front word of an input VC is granted its output, which it is not in the model. */
static void expect_grant(const struct facts *f, unsigned own, struct expected *ret)
{
    const uint64_t word = f->front[own];
    const unsigned port = f->port[own], vc = f->choice[own], free = f->free[port][vc];
    const unsigned to = port * b.vcs + vc;
    const int holder = f->holder[port][vc], winner = f->granted[port];
    const char *const name = model_word_name(&b, word), *const out = model_vc_name(&b, port, vc);
    const char *const last = model_credit_name(f->credit_at[port][vc]);
    if (holder != NOBODY && holder != (int)own)
        SAY(RULES_MIXED, false, to, word, "word %s is granted output %s, which input %s holds",
            name, out, model_vc_name(&b, (unsigned)holder / b.vcs, (unsigned)holder % b.vcs));
    else if (free == 0)
        SAY(RULES_NO_CREDIT, false, to, word, "word %s is granted output %s without a credit (%s)",
            name, out, last);
    else if (ec_word_head(word) && b.r.switching == EC_STORE_AND_FORWARD && !f->complete[own])
        SAY(RULES_TOO_EARLY, false, to, word,
            "word %s leaves before its tail has arrived (store-and-forward)", name);
    else if (free < model_need(&b, word))
        SAY(RULES_TOO_EARLY, false, to, word, "word %s leaves with %u credit%s, %s needs %u (%s)",
            name, free, free == 1 ? "" : "s",
            b.r.switching == EC_CUT_THROUGH ? "cut-through" : "store-and-forward", b.r.packet,
            last);
    else
        SAY(RULES_LOST, true, (unsigned)winner, f->front[winner],
            "word %s is removed from its buffer but does not leave: word %s leaves",
            model_word_name(&b, f->front[winner]), name);
}

static void try_grant(uint64_t at, unsigned own, unsigned *ret_kinds)
{
    const struct facts *f = &b.facts[at];
    struct expected x, *const ret = &x;
    char expected[600], text[600], router[EC_NAME_SIZE];
    if (f->front[own])
        expect_grant(f, own, ret);
    else
        expect_no_word(f, own, ret);
    b.pins[at].out_credit[own % b.vcs] ^= UINT64_C(1) << own / b.vcs;
    rules_reset(rules);
    for (uint64_t c = 1; c < at; c++)
        model_see(rules, &b, c);
    b.pins[at].out_credit[own % b.vcs] ^= UINT64_C(1) << own / b.vcs;
    ec_topology_node_name(&b.t, b.x->node, router, sizeof router);
    snprintf(expected, sizeof expected, "cycle %llu, router %s, %s %s: %s", (unsigned long long)at,
             router, x.input ? "input" : "output", model_vc_name(&b, x.at / b.vcs, x.at % b.vcs),
             x.text);
    const struct rules_breach *const breach = rules_breach(rules);
    if (!breach)
        fail_msg("%s %s: no breach: expected %s", b.x->topology, b.x->router, expected);
    rules_text(rules, breach, text, sizeof text);
    if (breach->kind != x.kind || breach->word != x.word || strcmp(text, expected) != 0)
        fail_msg("%s %s: kind %d: %s\n  expected kind %d: %s", b.x->topology, b.x->router,
                 (int)breach->kind, text, (int)x.kind, expected);
    *ret_kinds |= 1u << x.kind;
}

static void a_grant_that_is_not_due_is_named(void **state)
{
    (void)state;
    unsigned kinds = 0;
    for (size_t i = 0; i < setting_count; i++) {
        play(&settings[i], i);
        for (uint64_t at = 2; at <= 50; at++) {
            for (unsigned own = 0; own < b.buffers; own++) {
                const bool granted = b.facts[at].front[own] &&
                                     b.facts[at].granted[b.facts[at].port[own]] == (int)own;
                if (!granted)
                    try_grant(at, own, &kinds);
            }
        }
        rules_close(rules);
    }
    assert_int_equal(kinds, 1u << RULES_MIXED | 1u << RULES_NO_CREDIT | 1u << RULES_TOO_EARLY |
                                1u << RULES_LOST | 1u << RULES_CREDIT_TWICE);
}

/* A word for this node leaves by the local port that belongs to its input: the only one, that of
 * the link by which it came, or that by which it came. */
static void a_word_for_this_node_leaves_by_the_port_of_its_input(void **state)
{
    (void)state;
    static const char *const routers[] = {"depth=4", "depth=4,ports=all"};
    for (unsigned i = 0; i < 2 * 2; i++) {
        const struct ec_topology t = topology_of(i / 2 ? "cube:3" : "mesh:3x3");
        struct ec_router r = router_of(routers[i % 2], &t);
        const unsigned links = ec_topology_links(&t), locals = ec_router_locals(&r, &t);
        r.packet = 3;
        for (unsigned in = 0; in < links + locals; in++) {
            uint64_t word[64] = {0}, none[64] = {0};
            const struct ec_word_layout layout = ec_word_layout(t.address_bits, r.vcs);
            rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.foreign = true});
            assert_non_null(rules);
            word[in] = ec_word_pack(&layout, true, true, 0, ec_topology_address(&t, 4),
                                    ec_topology_address(&t, in < links ? 3 : 4), 5);
            rules_see(rules, &(struct ec_net_seen){.cycle = 1,
                                                   .node = 4,
                                                   .in_word = word,
                                                   .in_credit = none,
                                                   .in_valid = UINT64_C(1) << in,
                                                   .out_word = none,
                                                   .out_credit = none});
            const struct rules_ask ask = rules_ask(rules, shadow_at(rules_shadow(rules), 4, in, 0));
            assert_true(ask.word == word[in]);
            assert_int_equal(ask.port, locals == 1 ? links : in < links ? links + in : in);
            rules_close(rules);
        }
    }
}

static void see_word(uint32_t node, uint64_t cycle, const uint64_t *word, uint64_t credit)
{
    static const uint64_t none[64];
    const uint64_t credits[8] = {credit};
    rules_see(rules, &(struct ec_net_seen){.cycle = cycle,
                                           .node = node,
                                           .in_word = word,
                                           .in_credit = none,
                                           .in_valid = word != none && cycle == 1,
                                           .out_word = none,
                                           .out_credit = credits,
                                           .contended = none,
                                           .starved = none});
}

/* Rules that were opened for one router are not about the others, before or behind it. */
static void other_routers_are_not_looked_at(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:3x3");
    struct ec_router r = router_of("depth=4,stages=2", &t);
    const struct ec_word_layout layout = ec_word_layout(t.address_bits, r.vcs);
    const uint64_t word[64] = {ec_word_pack(&layout, false, true, 0, 5, 3, 5)};
    r.packet = 3;
    rules = rules_open(&t, &r, 4, (struct rules_options){0});
    assert_non_null(rules);
    for (uint32_t node = 0; node < t.nodes; node++) {
        if (node != 4)
            see_word(node, 1, word, 3); /* a body flit, and credits for nothing */
    }
    assert_null(rules_breach(rules));
    assert_int_equal(rules_shown_at(rules, 4), 0);
    see_word(4, 1, word, 3);
    assert_non_null(rules_breach(rules));
    rules_close(rules);
}

/* A word for an address of no node stays where it is; a credit for it is for nothing. */
static void a_word_for_no_node_goes_nowhere(void **state)
{
    (void)state;
    for (unsigned stages = 1; stages <= 3; stages++) {
        char text[40];
        const struct ec_topology t = topology_of("mesh:3x3");
        snprintf(text, sizeof text, "depth=4,stages=%u", stages);
        struct ec_router r = router_of(text, &t);
        const struct ec_word_layout layout = ec_word_layout(t.address_bits, r.vcs);
        const uint64_t word[64] = {ec_word_pack(&layout, true, true, 0, 15, 0, 5)};
        r.packet = 3;
        rules = rules_open(&t, &r, 4, (struct rules_options){0});
        assert_non_null(rules);
        for (uint64_t c = 1; c <= 5; c++)
            see_word(4, c, word, 0);
        const struct rules_ask ask = rules_ask(rules, shadow_at(rules_shadow(rules), 4, 0, 0));
        assert_true(ask.word == word[0] && ask.port == 5 && ask.vc == 0 && ask.vcs == 1);
        assert_null(rules_breach(rules));
        see_word(4, 6, word, 1);
        const struct rules_breach *const breach = rules_breach(rules);
        assert_true(breach && breach->kind == RULES_CREDIT_TWICE && breach->cycle == 7);
        snprintf(text, sizeof text, "%s",
                 model_when("the last word left", "no word has left yet", 0));
        assert_non_null(strstr(breach->what, text));
        rules_close(rules);
    }
}

int main(void)
{
    setting_count = model_settings(TEST_GRANTS, settings);
    const struct CMUnitTest tests[] = {
        TEST("a grant that is not due is named", a_grant_that_is_not_due_is_named),
        TEST("a word for this node leaves by the port of its input",
             a_word_for_this_node_leaves_by_the_port_of_its_input),
        TEST("other routers are not looked at", other_routers_are_not_looked_at),
        TEST("a word for no node goes nowhere", a_word_for_no_node_goes_nowhere),
    };
    return cmocka_run_group_tests_name("rules of grants", tests, NULL, NULL);
}
