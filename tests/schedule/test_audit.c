/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of schedules, on schedules written by hand: its counts, and that each kind of damage is
 * found and named. No algorithm of the library is used here. */
#include "unit.h"

#include <string.h>

#include "ecube/schedule.h"

#define TRANSFERS 8
#define ELEMENTS  8
#define MOVES     4

/* Room for a small schedule, filled in place. */
struct hand {
    struct ec_topology t;
    struct ec_schedule s;
    struct ec_place target[ELEMENTS];
    struct ec_transfer transfers[TRANSFERS];
    struct ec_carried carried[TRANSFERS];
    struct ec_local_move moves[MOVES];
};

static void begin(struct hand *h, const char *topology, uint32_t per_node)
{
    memset(h, 0, sizeof *h);
    h->t = topology_of(topology);
    h->s = (struct ec_schedule){.nodes = h->t.nodes,
                                .holders = h->t.nodes,
                                .per_node = per_node,
                                .words = 1,
                                .target = h->target,
                                .transfers = h->transfers,
                                .carried = h->carried,
                                .moves = h->moves};
    for (uint32_t i = 0; i < h->t.nodes * per_node; i++)
        h->target[i] = (struct ec_place){i / per_node, i % per_node};
}

/* One element from node to node; it lands in `slot` and, if it stays there, belongs there. */
static void send(struct hand *h, uint32_t step, uint32_t src, uint32_t dst, uint32_t element,
                 uint32_t slot)
{
    const uint32_t i = (uint32_t)h->s.transfer_count++;
    h->transfers[i] = (struct ec_transfer){step, src, dst, i, 1};
    h->carried[i] = (struct ec_carried){element, slot};
    h->s.carried_count++;
    h->s.steps = step;
    h->target[element] = (struct ec_place){dst, slot};
}

static struct ec_schedule_audit audit(const struct hand *h)
{
    struct ec_schedule_audit a;
    struct ec_error error;

    if (ec_schedule_audit(&h->t, &low_first, &h->s, &a, &error))
        fail_msg("%s", error.message);
    assert_int_equal(a.valid, *a.defect == '\0');
    return a;
}

/* The 1-shift on a ring of 4: every node to the next. */
static void ring_shift(struct hand *h)
{
    begin(h, "ring:4", 1);
    for (uint32_t i = 0; i < 4; i++)
        send(h, 1, i, (i + 1) % 4, i, 0);
}

enum property { SOUND = 1, PLACED = 2, PORT = 4, FREE = 8, ADJACENT = 16, ALL = 31 };

/* Exactly these properties hold, and the defect contains all the words (separated by '|'). */
static void expect(const struct hand *h, int properties, const char *words)
{
    const struct ec_schedule_audit a = audit(h);
    const int found = (a.sound ? SOUND : 0) | (a.placed ? PLACED : 0) | (a.one_port ? PORT : 0) |
                      (a.congestion_free ? FREE : 0) | (a.adjacent ? ADJACENT : 0);
    char copy[200];

    if (found != properties)
        fail_msg("properties %d, expected %d; defect '%s'", found, properties, a.defect);
    snprintf(copy, sizeof copy, "%s", words);
    char *rest = copy;
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(a.defect, word))
            fail_msg("no '%s' in '%s'", word, a.defect);
    }
}

static void correct_schedule_is_valid(NO_STATE)
{
    struct hand h;

    ring_shift(&h);
    const struct ec_schedule_audit a = audit(&h);
    assert_true(a.valid);
    assert_true(a.sound && a.placed && a.one_port && a.congestion_free && a.adjacent);
    assert_string_equal(a.defect, "");
    assert_int_equal(a.steps, 1);
    assert_int_equal(a.element_hops, 4);
    assert_int_equal(a.peak_memory, 1);
    assert_int_equal(a.local_moves, 0);
    assert_int_equal(a.shifted, 0);
    assert_int_equal(a.max_link_elements, 1);
    assert_int_equal(a.max_step_load, 1);
}

static void totals_are_of_all_steps(NO_STATE)
{
    struct hand h;

    /* mesh:3, two elements each. Both of node 0 go to node 2 in two steps, the second to another
     * slot; those of node 2 go to node 0 at once, two links in one step. */
    begin(&h, "mesh:3", 2);
    h.s.all_ports = true;
    send(&h, 1, 0, 1, 0, 2);
    send(&h, 1, 2, 0, 4, 0);
    send(&h, 2, 1, 2, 0, 0);
    h.transfers[1].count = 2; /* elements 4 and 5 */
    h.carried[3] = h.carried[2];
    h.carried[2] = (struct ec_carried){5, 2};
    h.transfers[2].first = 3;
    h.s.carried_count = 4;
    send(&h, 4, 0, 1, 1, 2);
    h.transfers[3].first = 4;
    h.carried[4] = (struct ec_carried){1, 2};
    h.carried[3] = (struct ec_carried){0, 0};
    h.target[1] = (struct ec_place){1, 2};
    h.moves[0] = (struct ec_local_move){2, 5, 1};
    h.s.move_count = 1;
    struct ec_schedule_audit a = audit(&h);
    assert_true(a.sound);
    assert_false(a.adjacent); /* 2 -> 0 */
    assert_true(a.congestion_free);
    assert_int_equal(a.steps, 3);             /* 1, 2 and 4 */
    assert_int_equal(a.element_hops, 7);      /* 1, 2 * 2, 1, 1 */
    assert_int_equal(a.peak_memory, 3);       /* node 0 and node 1, after steps 1 and 4 */
    assert_int_equal(a.local_moves, 1);       /* element 5 */
    assert_int_equal(a.shifted, 4);           /* 0, 5, 0, 1; element 4 keeps its slot */
    assert_int_equal(a.max_link_elements, 2); /* 2 -> 1 -> 0, and 0 -> 1 twice */
    assert_int_equal(a.max_step_load, 1);
    assert_false(a.placed); /* slot 2 of a node with two slots */
}

static void element_must_be_at_its_source(NO_STATE)
{
    struct hand h;

    ring_shift(&h);
    h.carried[2].element = 3; /* node 2 sends an element of node 3 */
    expect(&h, PORT | FREE | ADJACENT, "step 1|node 2|the element of node 3|is in node 3");

    begin(&h, "ring:4", 1);
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 1, 2, 0, 0); /* in the step in which it arrives */
    expect(&h, PORT | FREE | ADJACENT, "step 1|the element of node 0|on its way to node 1");

    ring_shift(&h);
    for (uint32_t i = 0; i < 4; i++) /* a step later is right */
        send(&h, 2, (i + 1) % 4, (i + 2) % 4, i, 0);
    expect(&h, ALL, "");
}

static void element_must_end_at_its_target(NO_STATE)
{
    struct hand h;

    ring_shift(&h);
    h.target[1].node = 3;
    h.target[2].node = 2;
    expect(&h, SOUND | PORT | FREE | ADJACENT,
           "at the end|the element of node 1|slot 0 of node 2, not in slot 0 of node 3");

    ring_shift(&h);
    h.carried[1].slot = 1;
    expect(&h, SOUND | PORT | FREE | ADJACENT, "the element of node 1|slot 1 of node 2");

    begin(&h, "ring:2", 2);
    h.target[0] = h.target[1];
    expect(&h, SOUND | PORT | FREE | ADJACENT, "element 0 (slot 0 of node 0)|not in slot 1");

    begin(&h, "ring:2", 2); /* all where they should be, but two in one slot */
    h.target[2] = (struct ec_place){1, 1};
    h.moves[0] = (struct ec_local_move){1, 2, 1};
    h.s.move_count = 1;
    expect(&h, SOUND | PORT | FREE | ADJACENT, "element 3|and another|slot 1 of node 1");

    ring_shift(&h);
    h.target[3].slot = 1;
    h.carried[3].slot = 1;
    expect(&h, SOUND | PORT | FREE | ADJACENT, "target in slot 1 of node 0");
}

static void one_port_sends_and_receives_once(NO_STATE)
{
    struct hand h;

    begin(&h, "ring:4", 2);
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 0, 3, 1, 0);
    h.target[0] = (struct ec_place){1, 0};
    expect(&h, SOUND | FREE | ADJACENT, "step 1|node 0 sends twice|to node 1 and to node 3");

    begin(&h, "ring:4", 1);
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 2, 1, 2, 0);
    expect(&h, SOUND | FREE | ADJACENT, "step 1|node 1 receives twice|from node 0 and from node 2");

    /* With all ports it is recorded, but is not a defect. */
    begin(&h, "cube:2", 2);
    h.s.all_ports = true;
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 0, 2, 1, 1);
    send(&h, 1, 1, 0, 2, 0);
    send(&h, 1, 2, 0, 5, 1);
    expect(&h, ALL & ~PORT, "");
    assert_true(audit(&h).valid);
    h.s.all_ports = false;
    assert_false(audit(&h).valid);
}

static void link_carries_one_transfer_a_step(NO_STATE)
{
    struct hand h;

    begin(&h, "mesh:4", 1);
    h.s.all_ports = true;
    send(&h, 1, 0, 2, 0, 0); /* over node 1 */
    send(&h, 1, 1, 2, 1, 0);
    h.target[0].slot = 1;
    h.carried[0].slot = 1;
    expect(&h, SOUND, "step 1|node 0 sends to node 2, 2 links away");
    assert_int_equal(audit(&h).max_step_load, 2);

    begin(&h, "mesh:4", 2); /* two transfers from node to node */
    h.s.all_ports = true;
    send(&h, 1, 1, 2, 2, 0);
    send(&h, 1, 1, 2, 3, 1);
    expect(&h, SOUND | ADJACENT, "step 1|link +x of node 1|1 -> 2 and 1 -> 2");
    assert_int_equal(audit(&h).max_link_elements, 2);

    begin(&h, "mesh:4", 2); /* in two steps, and there is no third element to collide with */
    send(&h, 1, 1, 2, 2, 0);
    send(&h, 2, 1, 2, 3, 1);
    h.target[2].slot = 0;
    expect(&h, (ALL & ~PLACED), "at the end");
    assert_int_equal(audit(&h).max_link_elements, 2);
    assert_int_equal(audit(&h).max_step_load, 1);

    begin(&h, "mesh:4", 1); /* opposite directions do not conflict */
    send(&h, 1, 1, 2, 1, 0);
    send(&h, 1, 2, 1, 2, 0);
    expect(&h, ALL, "");
}

static void transfer_crosses_one_link(NO_STATE)
{
    struct hand h;

    begin(&h, "ring:4", 1);
    send(&h, 1, 2, 2, 2, 0);
    expect(&h, ALL & ~ADJACENT, "step 1|node 2 sends to itself, 0 links away");

    begin(&h, "cube:2", 1);
    send(&h, 1, 0, 3, 0, 0);
    send(&h, 1, 3, 0, 3, 0);
    expect(&h, ALL & ~ADJACENT, "step 1|node 0 (00) sends to node 3 (11), 2 links away");
}

static void local_moves_change_slots(NO_STATE)
{
    struct hand h;

    begin(&h, "ring:2", 2); /* an exchange, all at once, at the end */
    h.moves[0] = (struct ec_local_move){1, 0, 1};
    h.moves[1] = (struct ec_local_move){1, 1, 0};
    h.s.move_count = 2;
    h.target[0].slot = 1;
    h.target[1].slot = 0;
    expect(&h, ALL, "");
    assert_int_equal(audit(&h).local_moves, 2);

    h.moves[1].element = 0; /* one element to two slots */
    expect(&h, PORT | FREE | ADJACENT, "step 1|element 0|slot 1 and to slot 0");
    h.moves[1] = (struct ec_local_move){2, 1, 0}; /* beyond the end: there are no steps */
    expect(&h, PORT | FREE | ADJACENT, "step 2|local move of element 1|out of order");
    h.moves[1] = (struct ec_local_move){1, 4, 0};
    expect(&h, PORT | FREE | ADJACENT, "local move of element 4|0 to 3");
}

static void a_slot_has_room_for_one_element(NO_STATE)
{
    struct hand h;

    /* Elements 0 and 2 change nodes over other slots; in step 1 both slots in question are free. */
    begin(&h, "ring:2", 2);
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 1, 0, 2, 0);
    expect(&h, ALL, "");
    assert_true(audit(&h).distinct);

    /* Element 0 waits a step in the slot of element 3. */
    begin(&h, "ring:2", 2);
    send(&h, 1, 0, 1, 0, 1);
    send(&h, 2, 1, 0, 0, 0);
    expect(&h, ALL,
           "step 1: element 0 (slot 0 of node 0) enters slot 1 of node 1|which holds element "
           "3 (slot 1 of node 1)");
    assert_false(audit(&h).distinct);
    h.carried[0].slot = UINT32_MAX; /* anywhere else is fine */
    expect(&h, ALL, "");

    /* Into a slot whose element leaves in the step is fine; a step too early, it is not. */
    begin(&h, "ring:4", 1);
    send(&h, 1, 0, 1, 0, 0);
    send(&h, 1, 1, 2, 1, 1);
    send(&h, 2, 1, 0, 0, 0);
    send(&h, 2, 2, 1, 1, 0);
    expect(&h, ALL, "");
    h.transfers[1].step = 2;
    h.transfers[3].step = h.s.steps = 3;
    h.s.all_ports = true;
    expect(
        &h, ALL & ~PORT,
        "step 1|the element of node 0 enters slot 0 of node 1|which holds the element of node 1");

    /* Two that arrive at once; by moves, before a step and at the end. */
    begin(&h, "cube:2", 1);
    h.s.all_ports = true;
    send(&h, 1, 1, 0, 1, 7);
    send(&h, 1, 2, 0, 2, 7);
    send(&h, 2, 0, 1, 1, 0);
    send(&h, 2, 0, 2, 2, 0);
    expect(&h, ALL & ~PORT, "step 1|enters slot 7 of node 0");
    begin(&h, "ring:2", 2);
    h.moves[0] = (struct ec_local_move){1, 2, 1};
    h.moves[1] = (struct ec_local_move){2, 2, 0};
    h.s.move_count = 2;
    send(&h, 1, 1, 0, 3, 1);
    send(&h, 1, 0, 1, 1, 1);
    h.target[1] = (struct ec_place){1, 1};
    h.target[3] = (struct ec_place){0, 1};
    expect(&h, ALL, "step 1|element 2 (slot 0 of node 1) enters slot 1 of node 1|element 3");
}

static void damage_out_of_range_is_a_defect(NO_STATE)
{
    struct hand h;
    const struct {
        struct ec_transfer transfer; /* in place of number 2 */
        const char *words;
    } cases[] = {
        {{1, 4, 3, 2, 1}, "from node 4 to node 3|0 to 3"},
        {{1, 2, 9, 2, 1}, "from node 2 to node 9"},
        {{0, 2, 3, 2, 1}, "step 0|out of order"},
        {{2, 2, 3, 2, 1}, "out of order|1 to 1"},
        {{1, 2, 3, 2, 0}, "from node 2 to node 3 carries nothing"},
        {{1, 2, 3, 4, 1}, "from node 2 to node 3|not in the list"},
        {{1, 2, 3, 2, UINT32_MAX}, "not in the list"},
        {{1, 2, 3, UINT32_MAX, 2}, "not in the list"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        ring_shift(&h);
        h.transfers[2] = cases[i].transfer;
        expect(&h, PORT | FREE | ADJACENT, cases[i].words);
    }
    ring_shift(&h);
    h.carried[2].element = 4;
    expect(&h, PORT | FREE | ADJACENT, "node 2 sends element 4|0 to 3");
}

/* Transfers of one, two and one elements: elements count, not transfers. */
static void transfers_have_many_elements(NO_STATE)
{
    struct hand h;
    struct ec_workload *w;
    struct ec_error error;

    begin(&h, "ring:4", 2);
    send(&h, 1, 0, 1, 0, 2);
    send(&h, 2, 1, 2, 2, 2);
    send(&h, 3, 2, 3, 4, 2);
    h.carried[3] = h.carried[2];
    h.transfers[2].first = 3;
    h.carried[2] = (struct ec_carried){3, 3}; /* with element 2 */
    h.transfers[1].count = 2;
    h.s.carried_count = 4;
    const struct ec_schedule_audit a = audit(&h);
    assert_true(a.sound && a.distinct);
    assert_int_equal(a.max_link_elements, 2);
    assert_int_equal(a.element_hops, 4);
    struct ec_workload *const of = workload_of("shift:q=1,m=1", &h.t);
    if (ec_schedule_workload(&h.s, of, EC_SYNC_DATA, 0, &w, &error))
        fail_msg("%s", error.message);
    assert_true(w->messages[0].words == 1 && w->messages[1].words == 2 && w->longest == 2);
    ec_workload_close(w);
    ec_workload_close(of);
}

static void schedule_of_another_size_is_refused(NO_STATE)
{
    struct hand h;
    struct ec_schedule_audit a;
    struct ec_error error;

    ring_shift(&h);
    const struct ec_topology t = topology_of("ring:5");
    assert_refused("ring:5", ec_schedule_audit(&t, &low_first, &h.s, &a, &error), EC_USAGE, &error,
                   "4 nodes|5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a correct schedule is valid", correct_schedule_is_valid),
        TEST("totals are of all steps", totals_are_of_all_steps),
        TEST("an element must be at its source", element_must_be_at_its_source),
        TEST("an element must end at its target", element_must_end_at_its_target),
        TEST("a node with one port sends once and receives once", one_port_sends_and_receives_once),
        TEST("a link carries one transfer a step", link_carries_one_transfer_a_step),
        TEST("a transfer crosses one link", transfer_crosses_one_link),
        TEST("a transfer may have many elements", transfers_have_many_elements),
        TEST("local moves change slots", local_moves_change_slots),
        TEST("a slot has room for one element", a_slot_has_room_for_one_element),
        TEST("damage out of range is a defect, never a crash", damage_out_of_range_is_a_defect),
        TEST("a schedule of another size is refused", schedule_of_another_size_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
