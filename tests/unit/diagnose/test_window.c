/* SPDX-License-Identifier: Apache-2.0 */
/* What the replays of failed runs and of comparisons share: the cycles of a wave, the router at the
 * other end of a link, and notes. */
#include "diagnose/failure.h"

#include "unit.h"

static void a_window_holds_the_failure(void **state)
{
    static const struct {
        unsigned link, stages;
        uint64_t cycle, last, from, to;
    } table[] = {
        {1, 1, 1, 1, 1, 33},         {1, 1, 64, 0, 1, 96},       {1, 1, 65, 65, 1, 97},
        {1, 1, 66, 67, 2, 99},       {1, 1, 500, 400, 436, 532}, {1, 1, 500, 4500, 436, 4532},
        {1, 1, 500, 4501, 436, 532}, {1, 3, 500, 500, 434, 534}, {4, 1, 500, 500, 430, 538},
        {64, 3, 500, 500, 308, 660},
    };
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct ec_router r = router_of("", &t);
    for (size_t i = 0; i < COUNT(table); i++) {
        r.link = table[i].link;
        r.stages = table[i].stages;
        const struct ec_cycle_range is = failure_cycles(&r, table[i].cycle, table[i].last);
        assert_int_equal(is.from, table[i].from);
        assert_int_equal(is.to, table[i].to);
    }
}

static void the_router_at_the_other_end(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:3");
    struct ec_node_set set = {0};
    for (unsigned port = 0; port < 4; port++)
        assert_true(failure_peer(&t, 2, port, &set));
    assert_int_equal(set.count, 1); /* port 1 leads to node 1, and port 0 nowhere */
    assert_int_equal(set.nodes[0], 1);
    ec_node_set_free(&set);
}

static void notes_are_cut(void **state)
{
    char note[20] = "";
    (void)state;
    failure_note(note, sizeof note, "one %d", 1);
    assert_string_equal(note, "one 1");
    failure_note(note, sizeof note, "two %d", 2);
    assert_string_equal(note, "one 1; two 2");
    failure_note(note, sizeof note, "notes");
    assert_string_equal(note, "one 1; two 2; notes");
    failure_note(note, sizeof note, "four");
    assert_string_equal(note, "one 1; two 2; notes");
    note[18] = '\0';
    failure_note(note, sizeof note, "five");
    assert_string_equal(note, "one 1; two 2; note;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a window holds the failure", a_window_holds_the_failure),
        TEST("the router at the other end of a link", the_router_at_the_other_end),
        TEST("notes are cut", notes_are_cut),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
