/* SPDX-License-Identifier: Apache-2.0 */
/* Wires, ledgers and the VC rule of the tile network: each word and credit alone, in networks of
 * every kind, and every fault that the network itself must notice. */
#include "rig.h"

/* --- Wires ---------------------------------------------------------------------------------- */

static void try_link(struct rig *g, uint32_t node, unsigned link, unsigned vc)
{
    unsigned back;
    const uint32_t to = far_end(&g->t, node, link, &back), data = node * 64 + link;
    if (to == EC_NONE)
        return;
    const uint64_t word = word_of(vc, data), moved = g->net->moved;
    show_word(g, node, link, word);
    step(g);
    assert_int_equal(g->net->moved, moved + 1);
    assert_owed(g, node, link, vc, "1 of 3 credits of the output");
    step(g);
    assert_arrived(g, to, back, word, vc, false);
    show_credit(g, to, back, vc);
    step(g);
    assert_arrived(g, EC_NONE, 0, 0, 0, false);
    assert_owed(g, node, link, vc, "a credit is under way");
    step(g);
    assert_arrived(g, node, link, 0, vc, true);
    assert_balanced(g);
    step(g);
    assert_arrived(g, EC_NONE, 0, 0, 0, false);
    assert_int_equal(g->out.word_count + g->out.credit_count, 0);
}

static void try_local(struct rig *g, uint32_t node, unsigned local, unsigned vc)
{
    const unsigned port = g->net_links + local;
    const uint32_t at = node * g->locals + local;
    const uint64_t word = word_of(vc, at);
    send_word(g, node, local, word);
    step(g);
    assert_arrived(g, node, port, word, vc, false);
    assert_owed(g, node, port, vc, "1 of 3 credits of the injection port");
    assert_int_equal(g->net->in_flight, 1);
    show_credit(g, node, port, vc);
    show_word(g, node, port, word);
    step(g);
    assert_arrived(g, EC_NONE, 0, 0, 0, false);
    assert_int_equal(g->out.word_count, 1);
    assert_int_equal(g->out.words[0].port, at);
    assert_true(g->out.words[0].word == word);
    assert_int_equal(g->out.credit_count, 1);
    assert_int_equal(g->out.credits[0].port, at);
    assert_int_equal(g->out.credits[0].vc, vc);
    assert_int_equal(g->net->in_flight, 0);
    assert_owed(g, node, port, vc, "1 of 3 credits of the output");
    send_credit(g, node, local, vc);
    step(g);
    assert_arrived(g, node, port, 0, vc, true);
    assert_balanced(g);
    step(g);
    assert_arrived(g, EC_NONE, 0, 0, 0, false);
}

/* Every link has carried `vcs` words, every local port as many in each direction. */
static void assert_counted(struct rig *g)
{
    struct ec_net_counters c;
    unsigned back;
    g->net->ops->counters(g->net, &c);
    assert_int_equal(c.ports, g->net_links + g->locals);
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        for (unsigned port = 0; port < c.ports; port++) {
            const bool wired = port >= g->net_links || far_end(&g->t, node, port, &back) != EC_NONE;
            assert_int_equal(c.flits[node * c.ports + port], wired ? g->vcs : 0);
        }
        for (unsigned local = 0; local < g->locals; local++)
            assert_int_equal(c.injected[node * g->locals + local], g->vcs);
    }
}

static const struct {
    const char *topology, *router;
    unsigned dims; /* of the shape */
} networks[] = {
    {"ring:2", "vcs=1", 1},    {"ring:5", "vcs=2", 2},      {"ring:3", "vcs=1,ports=all", 2},
    {"mesh:3x2", "vcs=4", 2},  {"mesh:1x5", "vcs=1", 2},    {"mesh:4x3", "vcs=2,ports=all", 3},
    {"torus:4x4", "vcs=4", 2}, {"torus:2x3x4", "vcs=2", 3}, {"torus:2x2x3", "ports=all", 4},
    {"cube:1", "vcs=1", 3},    {"cube:3", "vcs=1", 3},      {"cube:3", "vcs=4,ports=all", 6},
    {"cube:5", "vcs=2", 6},    {"cube:2", "vcs=8", 3},      {"ring:3", "vcs=8,ports=all", 2},
};

static void a_word_and_its_credit_cross_their_wire_only(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct rig g;
        rig_open(&g, networks[i].topology, networks[i].router, networks[i].dims,
                 &(struct ec_tiles_options){.no_sleep = true});
        for (uint32_t node = 0; node < g.t.nodes; node++) {
            for (unsigned vc = 0; vc < g.vcs; vc++) {
                for (unsigned link = 0; link < g.net_links; link++)
                    try_link(&g, node, link, vc);
                for (unsigned local = 0; local < g.locals; local++)
                    try_local(&g, node, local, vc);
            }
        }
        assert_counted(&g);
        rig_close(&g);
    }
}

/* --- Ledgers -------------------------------------------------------------------------------- */

/* The same once more than there are credits. */
static void a_word_without_a_credit_is_a_fault(void **state)
{
    (void)state;
    for (unsigned port = 0; port < 8; port++) {
        struct rig g;
        rig_open_spare(&g);
        for (unsigned i = 0; i <= DEPTH; i++) {
            assert_false(fault_of(&g)->found);
            show_word(&g, 5, port, word_of(1, 0));
            step(&g);
        }
        assert_fault(&g, 5, port, 1, "a word was sent without a credit");
        assert_int_equal(fault_of(&g)->cycle, g.net->cycle + 1);
        rig_close(&g);
    }
    for (unsigned local = 0; local < 4; local++) {
        struct rig g;
        rig_open_spare(&g);
        for (unsigned i = 0; i <= DEPTH; i++) {
            assert_false(fault_of(&g)->found);
            send_word(&g, 7, local, word_of(1, 0));
            step(&g);
        }
        assert_fault(&g, 7, 4 + local, 1, "a node sent without a credit");
        assert_int_equal(fault_of(&g)->cycle, g.net->cycle);
        rig_close(&g);
    }
}

/* Ports of the shape that the network does not use come after the others. */
static void nothing_may_leave_without_a_link(void **state)
{
    (void)state;
    struct rig g;
    rig_open_spare(&g); /* 4 of 6 links, 4 of 6 local ports */
    for (unsigned k = 0; k < 8; k++) {
        static const unsigned of_shape[] = {4, 5, 10, 11}, shown[] = {8, 9, 10, 11};
        g.net->ops->reset(g.net);
        if (k < 4)
            bank.show[5].valid = UINT64_C(1) << of_shape[k];
        else
            bank.show[5].credit[1] = UINT64_C(1) << of_shape[k - 4];
        step(&g);
        assert_fault(&g, 5, shown[k % 4], k < 4 ? 0 : 1,
                     k < 4 ? "a word was sent to a missing link"
                           : "a credit was sent to a missing link");
        assert_int_equal(fault_of(&g)->cycle, 2);
    }
    rig_close(&g);
    rig_open(&g, "mesh:4x2", "", 2, &(struct ec_tiles_options){.no_sleep = true});
    for (unsigned link = 0; link < 4; link += 3) { /* right of the border; down with radix 2 */
        g.net->ops->reset(g.net);
        show_word(&g, 3, link, word_of(0, 0));
        step(&g);
        assert_fault(&g, 3, link, 0, "a word was sent to a missing link");
    }
    rig_close(&g);
}

/* --- The VC rule ---------------------------------------------------------------------------- */

static void open_numbered(struct rig *g, const char *router)
{
    rig_open(g, "torus:4x4", router, 2, &(struct ec_tiles_options){.no_sleep = true});
    g->net->numbered = true;
    g->net->ops->reset(g->net);
}

/* 1 -> 0 over the wrap link would be wrong; the packet goes up from 3 to 0. */
static void a_word_on_a_wrong_vc_is_a_fault(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        static const struct {
            unsigned vc, sent;
            bool head;
            const char *says;
        } cases[] = {{1, 0, true, ""},
                     {0, 0, true, "expected class 1"},
                     {3, 0, true, "expected VC 1, got VC 3"},
                     {1, 0, false, "expected a head on this VC"}};
        struct rig g;
        open_numbered(&g, "vcs=4");
        const uint64_t word =
            ec_word_pack(&narrow, cases[k].head, true, cases[k].sent, 0, 3, 1 << 13);
        send_word(&g, 3, 0, word | EC_WORD_HEAD);
        step(&g);
        assert_false(fault_of(&g)->found);
        show_word(&g, 3, 0, word | (uint64_t)cases[k].vc << narrow.vc_shift);
        step(&g);
        if (*cases[k].says) {
            assert_fault(&g, 3, 0, cases[k].vc, cases[k].says);
            assert_int_equal(fault_of(&g)->kind, EC_FAULT_VC);
            assert_int_equal(fault_of(&g)->cycle, 3); /* in which the step of cycle 2 is seen */
        } else {
            assert_false(fault_of(&g)->found);
        }
        assert_true(g.net->ops->checked_vcs(g.net));
        rig_close(&g);
    }
}

/* The first fault stays, with its kind. */
static void a_wrong_vc_after_another_fault_is_not_told(void **state)
{
    (void)state;
    for (unsigned at_node = 0; at_node < 2; at_node++) {
        struct rig g;
        open_numbered(&g, "vcs=4");
        show_credit(&g, 5, 0, 0);
        step(&g);
        assert_fault(&g, 5, 0, 0, "a credit too many was returned");
        assert_int_equal(fault_of(&g)->kind, EC_FAULT_LEDGER);
        const uint64_t word = ec_word_pack(&narrow, true, true, at_node, 0, 3, 1 << 13);
        send_word(&g, 3, 0, word); /* on class 1, or out on class 0 */
        step(&g);
        show_word(&g, 3, 0, word);
        step(&g);
        assert_fault(&g, 5, 0, 0, "a credit too many was returned");
        assert_int_equal(fault_of(&g)->kind, EC_FAULT_LEDGER);
        rig_close(&g);
    }
}

/* From 3 over 0 to 1, on VC 0 and with class 1 from the wrap link on. */
static void a_packet_is_followed_to_its_node(void **state)
{
    (void)state;
    struct rig g;
    open_numbered(&g, "vcs=4");
    const uint64_t word = ec_word_pack(&narrow, true, true, 0, 1, 3, 1 << 13);
    const uint64_t later = word | UINT64_C(1) << narrow.vc_shift;
    send_word(&g, 3, 0, word);
    show_word(&g, 3, 0, later);
    step(&g);
    show_word(&g, 0, 0, later | UINT64_C(2) << narrow.vc_shift);
    step(&g);
    assert_fault(&g, 0, 0, 3, "expected VC 1, got VC 3");
    rig_close(&g);
}

static void two_vcs_are_followed_and_a_reset_forgets_open_packets(void **state)
{
    (void)state;
    struct rig g;
    open_numbered(&g, "vcs=2");
    const uint64_t head = ec_word_pack(&narrow, true, false, 0, 2, 1, 1 << 13);
    for (unsigned i = 0; i < 2; i++) {
        send_word(&g, 1, 0, head);
        show_word(&g, 1, 0, head);
        step(&g);
        assert_false(fault_of(&g)->found);
        g.net->ops->reset(g.net);
    }
    show_word(&g, 1, 0, head);
    step(&g);
    show_word(&g, 1, 0, head);
    step(&g);
    assert_fault(&g, 1, 0, 0, "expected a flit of the open packet 1 of node 1");
    rig_close(&g);
}

static void a_node_that_sends_on_class_1_is_a_fault(void **state)
{
    (void)state;
    struct rig g;
    open_numbered(&g, "vcs=4");
    send_word(&g, 3, 0, ec_word_pack(&narrow, true, true, 3, 0, 3, 1 << 13));
    step(&g);
    assert_fault(&g, 3, 4, 3, "a node sent on class 1");
    assert_int_equal(fault_of(&g)->kind, EC_FAULT_VC);
    g.net->numbered = false;
    g.net->ops->reset(g.net);
    assert_false(g.net->ops->checked_vcs(g.net));
    rig_close(&g);
}

/* --- Messages of the RTL ---------------------------------------------------------------------- */

static struct {
    unsigned count;
    uint64_t cycle;
    uint32_t node;
    char text[40];
} heard;

static void hear(void *context, uint64_t cycle, uint32_t node, const char *text)
{
    assert_ptr_equal(context, &heard);
    heard.count++;
    heard.cycle = cycle;
    heard.node = node;
    snprintf(heard.text, sizeof heard.text, "%s", text);
}

static void say(uint32_t router, enum ec_rtl_event event, const char *text)
{
    bank.listener->said(bank.listener->context, router, event, text);
}

static void talk_in_reset(struct ec_tile_bank *b)
{
    reset_bank(b);
    say(3, EC_RTL_ERROR, "before the reset");
}

static void end_in_step(struct ec_tile_bank *b, const struct ec_tile_io *io, const uint32_t *ids,
                        size_t count)
{
    step_bank(b, io, ids, count);
    say(4, EC_RTL_BROKEN, "broken");
}

static struct ec_tile_bank *talk_and_open(size_t routers, const struct ec_tile_place *places,
                                          const uint32_t *numbers, uint32_t random_seed,
                                          const char *const *names,
                                          const struct ec_tile_listener *listener)
{
    (void)open_bank(routers, places, numbers, random_seed, names, listener);
    say(2, EC_RTL_FINISH, "in an initial block");
    return &bank;
}

/* A reset does not repeat what happened when the network was opened. */
static void messages_of_the_opening_stay(void **state)
{
    (void)state;
    struct rig g;
    struct ec_error error;
    rig_prepare(&g, "mesh:3x3", "", 2);
    bank.api.open = talk_and_open;
    assert_int_equal(ec_tiles_open(&g.t, &g.r, NULL, NULL, &g.net, &error), EC_OK);
    for (unsigned resets = 0; resets < 3; resets++) {
        const struct ec_net_rtl *rtl = g.net->rtl;
        assert_true(rtl->count == 1 && rtl->ended && rtl->cycle == 0 && rtl->node == 2);
        assert_string_equal(rtl->text, "in an initial block");
        g.net->ops->reset(g.net);
    }
    rig_close(&g);
}

static void messages_have_their_cycle_and_node(void **state)
{
    (void)state;
    struct rig g;
    const struct ec_tiles_options options = {
        .no_sleep = true, .text = hear, .text_context = &heard};
    memset(&heard, 0, sizeof heard);
    rig_open(&g, "mesh:3x3", "", 2, &options);
    const struct ec_net_rtl *rtl = g.net->rtl;
    step(&g);
    step(&g);
    say(7, EC_RTL_TEXT, "hello");
    assert_int_equal(heard.count, 1);
    assert_true(heard.cycle == 2 && heard.node == 7);
    assert_string_equal(heard.text, "hello");
    say(9, EC_RTL_TEXT, "from no router");
    assert_true(heard.count == 2 && heard.node == EC_NONE);
    assert_false(ec_net_rtl_said(g.net));
    say(8, EC_RTL_ERROR, "first");
    say(1, EC_RTL_ERROR, "second");
    assert_true(rtl->count == 2 && rtl->cycle == 2 && rtl->node == 8 && !rtl->ended);
    assert_string_equal(rtl->text, "first");
    bank.api.reset = talk_in_reset; /* registers may hold anything then */
    g.net->ops->reset(g.net);
    assert_int_equal(rtl->count, 0);
    assert_true(heard.count == 3 && heard.cycle == 0 && heard.node == 3);
    say(5, EC_RTL_FINISH, "the end");
    assert_true(rtl->count == 1 && rtl->ended && !rtl->broken && rtl->cycle == 0);
    g.net->ops->reset(g.net);
    assert_false(rtl->count || rtl->ended);
    bank.api.step = end_in_step; /* outputs mean nothing then */
    show_word(&g, 4, 0, word_of(0, 1));
    show_credit(&g, 4, 0, 0);
    step(&g);
    assert_true(rtl->ended && rtl->broken && rtl->cycle == 1 && rtl->node == 4);
    assert_int_equal(g.net->moved, 0);
    assert_false(fault_of(&g)->found);
    g.net->ops->reset(g.net); /* does not mend it */
    assert_true(rtl->broken);
    assert_string_equal(rtl->text, "broken");
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a word and its credit cross their wire only",
             a_word_and_its_credit_cross_their_wire_only),
        TEST("a word without a credit is a fault", a_word_without_a_credit_is_a_fault),
        TEST("nothing may leave without a link", nothing_may_leave_without_a_link),
        TEST("a word on a wrong VC is a fault", a_word_on_a_wrong_vc_is_a_fault),
        TEST("a packet is followed to its node", a_packet_is_followed_to_its_node),
        TEST("two VCs are followed, and a reset forgets open packets",
             two_vcs_are_followed_and_a_reset_forgets_open_packets),
        TEST("a node that sends on class 1 is a fault", a_node_that_sends_on_class_1_is_a_fault),
        TEST("a wrong VC after another fault is not told",
             a_wrong_vc_after_another_fault_is_not_told),
        TEST("messages of the opening stay", messages_of_the_opening_stay),
        TEST("messages have their cycle and node", messages_have_their_cycle_and_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
