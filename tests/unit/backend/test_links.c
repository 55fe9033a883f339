/* SPDX-License-Identifier: Apache-2.0 */
/* Links of several cycles: when words and credits arrive, what is owed meanwhile, who sleeps. */
#include "rig.h"

enum { HERE = 3, THERE = 7, LINK = 2 }; /* cube:3: dimension 2 of node 3 leads to node 7 */

static void open_far(struct rig *g, const char *router)
{
    rig_open(g, "cube:3", router, 3, &(struct ec_tiles_options){.no_sleep = true});
}

/* Steps in which nothing arrives anywhere. */
static void rest(struct rig *g, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++) {
        step(g);
        assert_arrived(g, EC_NONE, 0, 0, 0, false);
    }
}

/* --- Time ----------------------------------------------------------------------------------- */

static void words_and_credits_arrive_in_their_cycle(void **state)
{
    (void)state;
    const unsigned delays[] = {2, 3, 64};
    for (unsigned k = 0; k < COUNT(delays); k++) {
        struct rig g;
        char router[20];
        snprintf(router, sizeof router, "link=%u", delays[k]);
        open_far(&g, router);
        for (unsigned i = 0; i < 3; i++) { /* each time at another place of the wheel */
            show_word(&g, HERE, LINK, word_of(0, i));
            if (i == 1)
                show_credit(&g, HERE, LINK, 0);
            rest(&g, delays[k]);
            step(&g);
            assert_arrived(&g, THERE, LINK, word_of(0, i), 0, i == 1);
            rest(&g, i);
        }
        rig_close(&g);
    }
}

static void a_router_sleeps_until_something_arrives(void **state)
{
    (void)state;
    struct rig g;
    rig_open(&g, "cube:3", "link=5", 3, NULL);
    for (unsigned credit = 0; credit < 2; credit++) {
        send_word(&g, HERE, 0, word_of(0, 0));
        if (credit)
            show_credit(&g, HERE, LINK, 0);
        else
            show_word(&g, HERE, LINK, word_of(0, 1));
        step(&g);
        for (unsigned i = 1; i < 5; i++) {
            step(&g);
            assert_int_equal(bank.count, 0);
        }
        step(&g);
        assert_int_equal(bank.count, 1);
        assert_int_equal(bank.got[THERE].steps, 1);
    }
    rig_close(&g);
}

/* Every link of every router, in one step: more than the ring holds at first. */
static void all_links_carry_words_at_once(void **state)
{
    (void)state;
    struct rig g;
    rig_open(&g, "torus:5x5x5", "vcs=2,link=7", 3, &(struct ec_tiles_options){.no_sleep = true});
    for (unsigned c = 0; c < 3; c++) {
        for (uint32_t node = 0; node < g.t.nodes; node++) {
            for (unsigned link = 0; link < g.links; link++) {
                show_word(&g, node, link, word_of(c % 2, node << 8 | link << 4 | c));
                show_credit(&g, node, link, 1);
            }
        }
        step(&g);
    }
    rest(&g, 4);
    for (unsigned c = 0; c < 3; c++) {
        step(&g);
        for (uint32_t node = 0; node < g.t.nodes; node++) {
            assert_int_equal(bank.got[node].valid, (1 << g.links) - 1);
            assert_int_equal(bank.got[node].credit[1], (1 << g.links) - 1);
            assert_int_equal(bank.got[node].credit[0], 0);
            for (unsigned link = 0; link < g.links; link++) {
                unsigned back;
                const uint32_t from = far_end(&g.t, node, link, &back);
                assert_true(bank.got[node].word[link] == word_of(c % 2, from << 8 | back << 4 | c));
            }
        }
    }
    rest(&g, 1);
    rig_close(&g);
}

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
            open_far(&g, "link=5");
            step(&g);
            if (!empty)
                show_word(&g, HERE, LINK, word_of(0, 1));
            step(&g);
            g.net->cycle += skip;
            step(&g);
            if (skip && !empty) {
                assert_fault(&g, THERE, 0, 0, "cycles were skipped while something was on a link");
                assert_int_equal(fault_of(&g)->cycle, 4);
            } else {
                assert_false(fault_of(&g)->found);
            }
            rig_close(&g);
        }
    }
}

static void local_ports_take_one_cycle(void **state)
{
    (void)state;
    struct rig g;
    rig_open(&g, "cube:3", "link=9", 3, NULL);
    send_word(&g, HERE, 0, word_of(0, 1));
    show_word(&g, HERE, 3, word_of(0, 2));
    step(&g);
    assert_arrived(&g, HERE, 3, word_of(0, 1), 0, false);
    assert_int_equal(g.out.word_count, 1);
    rig_close(&g);
}

/* --- The ledger ----------------------------------------------------------------------------- */

/* The fourth word of a buffer of three needs the credit of the first one: shown by the other router
 * in step 5, it arrives in step 9. */
static void a_credit_counts_when_it_arrives(void **state)
{
    (void)state;
    for (unsigned fourth = 8; fourth <= 9; fourth++) {
        struct rig g;
        open_far(&g, "link=4");
        for (unsigned i = 1; i <= fourth; i++) {
            if (i <= DEPTH || i == fourth)
                show_word(&g, HERE, LINK, word_of(0, i));
            if (i == 5)
                show_credit(&g, THERE, LINK, 0);
            assert_false(fault_of(&g)->found);
            step(&g);
        }
        if (fourth == 9)
            assert_false(fault_of(&g)->found);
        else
            assert_fault(&g, HERE, LINK, 0, "a word was sent without a credit");
        rig_close(&g);
    }
}

static void what_is_on_a_link_is_not_drained(void **state)
{
    (void)state;
    struct rig g;
    open_far(&g, "vcs=2,link=3");
    show_word(&g, HERE, LINK, word_of(1, 5));
    for (unsigned i = 0; i < 3; i++) {
        step(&g);
        assert_owed(&g, THERE, LINK, 1, "a word is on the link");
    }
    step(&g);
    assert_owed(&g, HERE, LINK, 1, "1 of 3 credits of the output never came back");
    show_credit(&g, THERE, LINK, 1);
    for (unsigned i = 0; i < 3; i++) {
        step(&g);
        assert_owed(&g, HERE, LINK, 1, "a credit is on the link");
    }
    step(&g);
    assert_balanced(&g);
    rig_close(&g);
}

static void a_credit_too_many_is_that_of_its_router(void **state)
{
    (void)state;
    struct rig g;
    open_far(&g, "link=3");
    step(&g);
    show_credit(&g, THERE, LINK, 0);
    for (unsigned i = 0; i < 3; i++) /* the first one shows it in cycle 3 */
        step(&g);
    assert_false(fault_of(&g)->found);
    step(&g);
    assert_fault(&g, THERE, LINK, 0, "a credit too many was returned");
    assert_int_equal(fault_of(&g)->cycle, 3);
    rig_close(&g);
}

static void a_reset_empties_the_links(void **state)
{
    (void)state;
    struct rig g;
    open_far(&g, "link=5");
    show_word(&g, HERE, LINK, word_of(0, 1));
    step(&g);
    step(&g);
    g.net->ops->reset(g.net);
    assert_balanced(&g);
    rest(&g, 8);
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_credits_arrive_in_their_cycle),
        cmocka_unit_test(a_router_sleeps_until_something_arrives),
        cmocka_unit_test(all_links_carry_words_at_once),
        cmocka_unit_test(a_ring_grows_in_its_middle),
        cmocka_unit_test(skipped_cycles_are_a_fault),
        cmocka_unit_test(local_ports_take_one_cycle),
        cmocka_unit_test(a_credit_counts_when_it_arrives),
        cmocka_unit_test(what_is_on_a_link_is_not_drained),
        cmocka_unit_test(a_credit_too_many_is_that_of_its_router),
        cmocka_unit_test(a_reset_empties_the_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
