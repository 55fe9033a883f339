/* SPDX-License-Identifier: Apache-2.0 */
/* The border of a part: where its links lead, and what must not cross it. The test stands for all
 * other parts. Which node is in which part comes from the partition, where links lead from
 * coordinates (rig.h). Random traffic across borders is in test_wiring_model.c. */
#include "backend/part.h"
#include "backend/tiles.h"
#include "ecube/partition.h"
#include "rig.h"

/* Part 2 of cube:4 in four parts: nodes 8 to 11. Link 2 leads from 8 + k to 12 + k in part 3, which
 * is neighbour 1; link 3 to k in part 0, neighbour 0. The shape has a link and a local port more.
 */
enum { PART = 2, FIRST = 8, ROUTERS = 4, PORTS = 8, VCS = 2 };

static void part_open(struct rig *g, const char *topology, const char *router, unsigned dims,
                      uint32_t parts, uint32_t part)
{
    const struct ec_tiles_options options = {.no_sleep = true};
    struct ec_partition *cut = NULL;
    struct ec_error error;
    rig_prepare(g, topology, router, dims);
    if (ec_partition_open(&g->t, parts, &cut, &error) != EC_OK ||
        tiles_open_part(&g->t, &g->r, NULL, &options, cut, part, &g->net, &error) != EC_OK)
        fail_msg("%s", error.message);
    ec_partition_close(cut);
}

static void quarter_open(struct rig *g, unsigned delay)
{
    char router[40];
    snprintf(router, sizeof router, "vcs=2,ports=all,link=%u", delay);
    part_open(g, "cube:4", router, 5, 4, PART);
}

/* Where something for this router arrives. */
static struct crossing for_router(const struct rig *g, uint32_t router, unsigned link,
                                  uint64_t word, unsigned wait)
{
    return (struct crossing){word, (FIRST + router) * PORTS + link, (uint32_t)g->net->cycle + wait};
}

static void enter(struct rig *g, struct crossing x)
{
    assert_true(tiles_part_enter(g->net, &x, 1));
}

/* --- Leaving -------------------------------------------------------------------------------- */

/* The VC of a packet is forgotten by the part that it leaves, at each end of its border, and not
 * before. */
static void a_part_forgets_the_vcs_of_what_leaves(void **state)
{
    (void)state;
    struct rig g;
    unsigned number = 0;
    quarter_open(&g, 1);
    const struct packet_vcs *kept = &((const struct tiles *)g.net)->vc_rule.kept;
    g.net->numbered = true;
    for (uint32_t router = 0; router < ROUTERS; router++) {
        for (unsigned link = 0; link < 4; link++) {
            const uint64_t word = ec_word_pack(&narrow, true, true, ++number % VCS, 1, 2,
                                               ec_word_numbers(&narrow, router, link));
            g.net->ops->reset(g.net);
            assert_int_equal(kept->count, 0);
            send_word(&g, FIRST + router, 0, word);
            step(&g);
            assert_int_equal(kept->count, 1);
            show_word(&g, router, link, word);
            step(&g);
            assert_false(fault_of(&g)->found);
            assert_int_equal(kept->count, link < 2); /* links 0 and 1 stay in this part */
            assert_true(g.net->ops->checked_vcs(g.net));
            show_word(&g, router, link, word ^ UINT64_C(1) << narrow.src_shift);
            step(&g); /* of a packet that nobody sent: one is not known, so not all are checked */
            assert_false(g.net->ops->checked_vcs(g.net));
        }
    }
    rig_close(&g);
}

/* All routers of a part show a word at every link at once. Those for own routers arrive there, the
 * others leave, in the order of their links. */
static void all_leave(const char *topology, uint32_t parts, uint32_t part)
{
    struct rig g;
    struct ec_partition *cut = NULL;
    struct ec_error error;
    size_t at[8] = {0}, count, own = 0;
    part_open(&g, topology, "", topology_of(topology).dims, parts, part);
    assert_int_equal(ec_partition_open(&g.t, parts, &cut, &error), EC_OK);
    const uint32_t *nodes = cut->node + cut->first[part];
    const uint32_t routers = cut->first[part + 1] - cut->first[part];
    const uint32_t *neighbour = cut->neighbour + cut->first_neighbour[part];
    const uint32_t neighbours = cut->first_neighbour[part + 1] - cut->first_neighbour[part];
    unsigned back;
    for (uint32_t i = 0; i < routers; i++) {
        for (unsigned link = 0; link < g.net_links; link++) {
            if (far_end(&g.t, nodes[i], link, &back) != EC_NONE)
                show_word(&g, i, link, word_of(0, nodes[i] << 6 | link));
        }
    }
    step(&g);
    for (uint32_t i = 0; i < routers; i++) {
        for (unsigned link = 0; link < g.net_links; link++) {
            const uint32_t to = far_end(&g.t, nodes[i], link, &back);
            size_t k = 0;
            if (to == EC_NONE || cut->part_of[to] == part) {
                own += to != EC_NONE;
                continue;
            }
            while (k < neighbours && neighbour[k] != cut->part_of[to])
                k++;
            assert_between(neighbours, k + 1, COUNT(at));
            const struct crossing *x = tiles_part_leaving(g.net, k, &count) + at[k]++;
            assert_between(count, at[k], UINT32_MAX);
            assert_true(x->word == word_of(0, nodes[i] << 6 | link));
            assert_int_equal(x->channel, to * (g.net_links + g.locals) + back);
            assert_int_equal(x->at, 2);
        }
    }
    for (size_t k = 0; k < neighbours; k++) {
        (void)tiles_part_leaving(g.net, k, &count);
        assert_int_equal(count, at[k]);
    }
    assert_false(fault_of(&g)->found);
    step(&g);
    for (uint32_t i = 0; i < routers; i++)
        own -= (size_t)__builtin_popcountll(bank.got[i].valid);
    assert_int_equal(own, 0);
    ec_partition_close(cut);
    rig_close(&g);
}

static void every_link_leads_to_its_part(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        uint32_t parts;
    } rows[] = {{"cube:7", 3}, {"cube:5", 8}, {"torus:8x16", 5}, {"mesh:5x3", 4},
                {"ring:7", 3}, {"ring:4", 1}, {"mesh:2x2x2", 8}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (uint32_t part = 0; part < rows[i].parts; part++)
            all_leave(rows[i].topology, rows[i].parts, part);
    }
}

/* --- Entering ------------------------------------------------------------------------------- */

/* A list of crossings for three cycles, more than there is room for at first. */
static void many_enter_at_once(void **state)
{
    (void)state;
    enum { TIMES = 40 };
    static struct crossing all[TIMES * ROUTERS * 2];
    struct rig g;
    quarter_open(&g, 4);
    for (unsigned i = 0; i < COUNT(all); i++) {
        const uint32_t router = i / 2 % ROUTERS;
        all[i] = for_router(&g, router, 2 + i % 2, word_of(i % 2, router), 2 + i % 2);
    }
    assert_true(tiles_part_enter(g.net, all, COUNT(all)));
    step(&g);
    assert_arrived(&g, EC_NONE, 0, 0, 0, false);
    for (unsigned link = 2; link <= 3; link++) {
        assert_owed(&g, FIRST, link, link % 2, "a word is on the link");
        step(&g);
        for (uint32_t router = 0; router < ROUTERS; router++) {
            assert_true(bank.got[router].valid == UINT64_C(1) << link);
            assert_true(bank.got[router].word[link] == word_of(link % 2, router));
        }
    }
    assert_balanced(&g);
    rig_close(&g);
}

/* --- Faults --------------------------------------------------------------------------------- */

static void a_wrong_time_is_a_fault(void **state)
{
    (void)state;
    static const struct {
        unsigned delay, wait;
        bool wrong;
    } rows[] = {{1, 0, true},  {1, 1, false}, {1, 2, true}, {3, 0, true},
                {3, 1, false}, {3, 3, false}, {3, 4, true}, {3, UINT32_MAX, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig g;
        quarter_open(&g, rows[i].delay);
        for (unsigned c = 0; c < 5; c++)
            step(&g);
        enter(&g, for_router(&g, 3, 2, word_of(0, 1), rows[i].wait));
        assert_int_equal(fault_of(&g)->found, rows[i].wrong);
        if (rows[i].wrong) {
            assert_fault(&g, FIRST + 3, 2, 0, "did not arrive in its cycle");
            assert_int_equal(fault_of(&g)->cycle, 6);
            step(&g);
            assert_arrived(&g, EC_NONE, 0, 0, 0, false);
        }
        rig_close(&g);
    }
}

/* The play must not skip cycles while something waits. */
static void skipped_cycles_are_a_fault(void **state)
{
    (void)state;
    for (unsigned skip = 0; skip < 2; skip++) {
        struct rig g;
        quarter_open(&g, 5);
        step(&g);
        enter(&g, for_router(&g, 2, 3, word_of(0, 1), 4));
        step(&g);
        g.net->cycle += skip;
        step(&g);
        assert_int_equal(fault_of(&g)->found, skip);
        if (skip) {
            assert_fault(&g, FIRST, 0, 0, "cycles were skipped");
            assert_int_equal(fault_of(&g)->cycle, 4);
        }
        rig_close(&g);
    }
}

/* On links of one cycle. In the whole network routers show their outputs in ascending order: a
 * credit from node 1 comes before the word of node 9 for which it would be, one from node 13 after
 * it. */
static void a_credit_before_its_word_is_one_too_many(void **state)
{
    (void)state;
    static const struct {
        unsigned before, link, word, credit; /* words of earlier cycles; VCs */
        bool now, wrong;
    } rows[] = {
        {0, 3, 0, 0, true, true},  {0, 3, 1, 1, true, true},   {0, 2, 0, 0, true, false},
        {1, 3, 0, 0, true, false}, {1, 3, 1, 1, false, false}, {1, 3, 1, 0, true, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig g;
        quarter_open(&g, 1);
        for (unsigned k = 0; k < rows[i].before; k++) {
            show_word(&g, 1, rows[i].link, word_of(rows[i].credit, 1));
            step(&g);
        }
        while (g.net->cycle < 3)
            step(&g);
        if (rows[i].now)
            show_word(&g, 1, rows[i].link, word_of(rows[i].word, 2));
        step(&g);
        enter(&g, for_router(&g, 1, rows[i].link, rows[i].credit, 1));
        step(&g);
        assert_int_equal(fault_of(&g)->found, rows[i].wrong);
        if (rows[i].wrong) {
            assert_fault(&g, 1, 3, rows[i].credit, "a credit too many was returned");
            assert_int_equal(fault_of(&g)->cycle, 5);
        }
        rig_close(&g);
    }
}

/* What no other part can send. */
static void damaged_crossings_are_refused(void **state)
{
    (void)state;
    struct rig g;
    quarter_open(&g, 2);
    const struct crossing damaged[] = {
        {.channel = UINT32_MAX, .at = 1},
        {.channel = 16 * PORTS + 2, .at = 1},                 /* beyond the last node */
        {.channel = FIRST * PORTS + 4, .at = 1},              /* a local port */
        {.channel = FIRST * PORTS + 1, .at = 1},              /* from an own router */
        {.channel = 12 * PORTS + 2, .at = 1},                 /* for another part */
        {.channel = 7 * PORTS + 3, .at = 1},                  /* for another part */
        {.word = VCS, .channel = FIRST * PORTS + 2, .at = 1}, /* a credit for no VC */
    };
    for (size_t i = 0; i < COUNT(damaged); i++)
        assert_false(tiles_part_enter(g.net, &damaged[i], 1));
    assert_balanced(&g);
    rig_close(&g);
    part_open(&g, "mesh:4x4", "", 2, 4, 0);
    const struct crossing missing = {.channel = 1, .at = 1}; /* left of node 0 */
    assert_false(tiles_part_enter(g.net, &missing, 1));
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a part forgets the VCs of what leaves", a_part_forgets_the_vcs_of_what_leaves),
        TEST("every link leads to its part", every_link_leads_to_its_part),
        TEST("many enter at once", many_enter_at_once),
        TEST("a crossing at a wrong time is a fault", a_wrong_time_is_a_fault),
        TEST("skipped cycles are a fault", skipped_cycles_are_a_fault),
        TEST("a credit before its word is one too many", a_credit_before_its_word_is_one_too_many),
        TEST("damaged crossings are refused", damaged_crossings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
