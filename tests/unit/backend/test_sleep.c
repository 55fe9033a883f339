/* SPDX-License-Identifier: Apache-2.0 */
/* The tile network around its wires: which routers it steps, what it counts, forgets and shows.
 * Random traffic is in test_wiring_model.c. */
#include "rig.h"

/* --- Sleep ---------------------------------------------------------------------------------- */

/* The routers of the latest step, each of them once; -1 ends the list. */
static void assert_stepped(const int *nodes)
{
    bool due[NODES_MAX] = {false};
    for (; *nodes >= 0; nodes++)
        due[*nodes] = true;
    for (uint32_t n = 0; n < bank.routers; n++) {
        if (bank.got[n].steps != due[n])
            fail_msg("router %u was stepped %u times: expected %d", n, bank.got[n].steps, due[n]);
    }
}

#define STEPPED(...) assert_stepped((const int[]){__VA_ARGS__ - 1})

static void order_and_sleep_are_options(void **state)
{
    (void)state;
    struct rig g;
    bool moved = false;
    rig_open(&g, "mesh:3x3", "", 2, &(struct ec_tiles_options){.no_sleep = true});
    step(&g);
    STEPPED(0, 1, 2, 3, 4, 5, 6, 7, 8, );
    for (uint32_t n = 0; n < 9; n++)
        assert_int_equal(bank.order[n], n);
    rig_close(&g);
    rig_open(&g, "mesh:3x3", "", 2,
             &(struct ec_tiles_options){.no_sleep = true, .shuffle_seed = 7});
    for (unsigned i = 0; i < 4; i++) {
        step(&g);
        STEPPED(0, 1, 2, 3, 4, 5, 6, 7, 8, );
        for (uint32_t n = 0; n < 9; n++)
            moved = moved || bank.order[n] != n;
    }
    assert_true(moved);
    rig_close(&g);
}

static void a_router_that_never_says_quiet_is_always_stepped(void **state)
{
    (void)state;
    struct rig g;
    rig_open(&g, "mesh:3x1", "", 2, NULL);
    g.net->ops->close(g.net);
    bank.api.has_quiet = false;
    assert_int_equal(ec_tiles_open(&g.t, &g.r, NULL, NULL, &g.net, NULL), EC_OK);
    step(&g);
    STEPPED(0, 1, 2, );
    rig_close(&g);
}

/* The caller may skip cycles in which nothing moves: routers stay awake, and nothing is lost. */
static void skipped_cycles_change_nothing(void **state)
{
    (void)state;
    struct rig g;
    for (unsigned skipped = 0; skipped < 4; skipped++) {
        rig_open(&g, "ring:12", "vcs=1", 1, NULL);
        send_word(&g, 0, 0, word_of(0, 0));
        bank.show[0].busy = true;
        step(&g);
        g.net->cycle += skipped;
        show_word(&g, 0, 0, word_of(0, 0));
        show_credit(&g, 0, 2, 0);
        step(&g);
        STEPPED(0, );
        g.net->cycle += skipped;
        show_credit(&g, 1, 1, 0);
        step(&g);
        STEPPED(1, );
        assert_owed(&g, 0, 0, 0, "under way");
        g.net->cycle += skipped;
        step(&g);
        STEPPED(0, );
        assert_balanced(&g);
        rig_close(&g);
    }
}

/* --- Links of several cycles ---------------------------------------------------------------- */

/* The ring grows from 256 places while its oldest word is in the middle of it: of the words that
 * are sent in steps 1, 2 and 5, those of step 1 have arrived by then. */
static void a_ring_grows_in_its_middle(void **state)
{
    (void)state;
    static const unsigned sent[] = {0, 25, 17, 0, 0, 40, 0, 0, 0, 0}; /* routers, with all links */
    struct rig g;
    rig_open(&g, "torus:5x5x5", "link=4", 3, &(struct ec_tiles_options){.no_sleep = true});
    for (unsigned c = 1; c < COUNT(sent); c++) {
        for (uint32_t node = 0; node < sent[c]; node++) {
            for (unsigned link = 0; link < g.links; link++)
                show_word(&g, node, link, word_of(0, node << 8 | link << 4 | c));
        }
        step(&g);
        const unsigned from = c > 4 ? sent[c - 4] : 0;
        for (uint32_t node = 0; node < g.t.nodes; node++) {
            for (unsigned link = 0; link < g.links; link++) {
                unsigned back;
                const uint32_t other = far_end(&g.t, node, link, &back);
                assert_int_equal(bank.got[node].valid >> link & 1, other < from);
                if (other < from)
                    assert_true(bank.got[node].word[link] ==
                                word_of(0, other << 8 | back << 4 | (c - 4)));
            }
        }
    }
    rig_close(&g);
}

static void skipped_cycles_are_a_fault(void **state)
{
    (void)state;
    for (unsigned skip = 0; skip < 2; skip++) {
        for (unsigned empty = 0; empty < 2; empty++) {
            struct rig g;
            rig_open(&g, "cube:3", "link=5", 3, &(struct ec_tiles_options){.no_sleep = true});
            step(&g);
            if (!empty)
                show_word(&g, 3, 2, word_of(0, 1)); /* to router 7 */
            step(&g);
            g.net->cycle += skip;
            step(&g);
            if (skip && !empty) {
                assert_fault(&g, 7, 0, 0, "cycles were skipped while something was on a link");
                assert_int_equal(fault_of(&g)->cycle, 4);
            } else {
                assert_false(fault_of(&g)->found);
            }
            rig_close(&g);
        }
    }
}

/* --- Counters and reset --------------------------------------------------------------------- */

static void taps_count_at_the_port_that_is_wanted(void **state)
{
    (void)state;
    struct rig g;
    struct ec_net_counters c;
    rig_open(&g, "mesh:3x3", "vcs=2", 3, &(struct ec_tiles_options){.no_sleep = true});
    bank.show[4].contended[1] = 1 << 2; /* input 2 VC 1 wants port 3, input 1 VC 0 the local one */
    bank.show[4].starved[0] = 1 << 1 | 1 << 3;
    bank.show[4].want[2 * 2 + 1] = 3;
    bank.show[4].want[1 * 2 + 0] = 6;
    bank.show[4].want[3 * 2 + 0] = 0;
    step(&g);
    step(&g);
    g.net->ops->counters(g.net, &c);
    for (uint32_t node = 0; node < 9; node++) {
        for (unsigned port = 0; port < 5; port++) {
            assert_int_equal(c.contended[node * 5 + port], node == 4 && port == 3);
            assert_int_equal(c.starved[node * 5 + port], node == 4 && (port == 4 || port == 0));
        }
    }
    rig_close(&g);
}

static void a_reset_forgets_everything(void **state)
{
    (void)state;
    struct rig g;
    struct ec_net_counters c;
    rig_open(&g, "mesh:3x3", "vcs=2", 3, NULL);
    for (unsigned last = 0; last < 2; last++) { /* ends after an odd and an even cycle */
        for (unsigned i = 0; i < 5 + last; i++) {
            for (uint32_t node = 0; node < 9; node++) {
                struct shown *s = &bank.show[node];
                send_word(&g, node, 0, word_of(1, 0));
                send_credit(&g, node, 0, 1);
                show_word(&g, node, 4, word_of(1, 0));
                show_credit(&g, node, i % 2 ? 0 : 2, 1);
                show_word(&g, node, i % 2 ? 1 : 3, word_of(1, 0));
                s->contended[0] = s->starved[1] = 1;
                s->busy = true;
            }
            step(&g);
        }
        assert_true(fault_of(&g)->found);
        g.net->ops->reset(g.net);
        assert_balanced(&g);
        assert_int_equal(g.net->in_flight + g.net->moved + g.net->cycle, 0);
        g.net->ops->counters(g.net, &c);
        assert_int_equal(c.stepped, 0);
        for (unsigned i = 0; i < 45; i++)
            assert_int_equal(c.flits[i] + c.contended[i] + c.starved[i] + c.injected[i / 5], 0);
        for (unsigned i = 0; i < 4; i++) {
            step(&g);
            STEPPED();
        }
        for (uint32_t node = 0; node < 9; node++)
            send_word(&g, node, 0, word_of(0, 0));
        step(&g);
        for (uint32_t node = 0; node < 9; node++) {
            assert_int_equal(bank.got[node].valid, 1 << 6);
            assert_int_equal(bank.got[node].credit[0] + bank.got[node].credit[1], 0);
        }
        g.net->ops->reset(g.net);
    }
    assert_int_equal(bank.resets, 5);
    rig_close(&g);
}

/* --- Watchers and messages ------------------------------------------------------------------ */

struct seen_list {
    struct ec_net_seen last;
    uint64_t out_word, in_word, in_credit, out_credit, contended, starved;
    unsigned routers, cycles, resets, want, starved_want;
};

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct seen_list *l = context;
    l->last = *seen;
    l->routers++;
    l->in_word = seen->in_word[4];
    l->out_word = seen->out_word[5];
    l->in_credit = seen->in_credit[1];
    l->out_credit = seen->out_credit[0];
    l->contended = seen->contended[1];
    l->starved = seen->starved[0];
    l->want = seen->want[5 * 2 + 1];
    l->starved_want = seen->want[4 * 2];
}

static void see_cycle(void *context, uint64_t cycle)
{
    struct seen_list *l = context;
    (void)cycle;
    l->cycles++;
}

static void see_reset(void *context)
{
    struct seen_list *l = context;
    l->resets++;
}

/* Local ports 6 to 9 of the shape are 4 to 7 of the topology, its links 4 and 5 are 8 and 9. */
static void watchers_see_the_ports_of_the_topology(void **state)
{
    (void)state;
    struct rig g;
    struct seen_list l = {0};
    const uint64_t only_5 = 1 << 5;
    const struct ec_net_watch watch = {.router = see_router,
                                       .cycle = see_cycle,
                                       .reset = see_reset,
                                       .nodes = &only_5,
                                       .context = &l};
    rig_open_spare(&g);
    g.net->ops->watch(g.net, &watch);
    send_word(&g, 5, 0, word_of(0, 9));
    send_credit(&g, 5, 1, 1);
    show_word(&g, 5, 5, word_of(1, 8));
    show_credit(&g, 5, 4, 0);
    bank.show[5].contended[1] = 1 << inside(&g, 5);
    bank.show[5].want[inside(&g, 5) * 2 + 1] = (uint8_t)inside(&g, 6);
    bank.show[5].starved[0] = 1 << 4 | 1 << inside(&g, 4);
    bank.show[5].want[inside(&g, 4) * 2] = (uint8_t)inside(&g, 7);
    bank.show[5].valid |= 1 << 4; /* the first port that the network does not use */
    step(&g);
    assert_int_equal(l.routers, 1);
    assert_int_equal(l.cycles, 1);
    assert_int_equal(l.last.node, 5);
    assert_int_equal(l.last.cycle, 1);
    assert_int_equal(l.last.in_valid, 1 << 4);
    assert_int_equal(l.last.out_valid, 1 << 5 | 1 << 8);
    assert_true(l.in_word == word_of(0, 9) && l.out_word == word_of(1, 8));
    assert_int_equal(l.in_credit, 1 << 5);
    assert_int_equal(l.out_credit, 1 << 4);
    assert_int_equal(l.contended, 1 << 5);
    assert_int_equal(l.starved, 1 << 8 | 1 << 4);
    assert_int_equal(l.want, 6);
    assert_int_equal(l.starved_want, 7);
    g.net->ops->reset(g.net);
    assert_int_equal(l.resets, 1);
    g.net->ops->watch(g.net, NULL);
    step(&g);
    assert_int_equal(l.routers, 1);
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a router that never says quiet is always stepped",
             a_router_that_never_says_quiet_is_always_stepped),
        TEST("order and sleep are options", order_and_sleep_are_options),
        TEST("skipped cycles change nothing", skipped_cycles_change_nothing),
        TEST("a ring of words grows in its middle", a_ring_grows_in_its_middle),
        TEST("skipped cycles are a fault while something is on a link", skipped_cycles_are_a_fault),
        TEST("taps count at the port that is wanted", taps_count_at_the_port_that_is_wanted),
        TEST("a reset forgets everything", a_reset_forgets_everything),
        TEST("watchers see the ports of the topology", watchers_see_the_ports_of_the_topology),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
