/* SPDX-License-Identifier: Apache-2.0 */
/* The order among messages: wrong ones, as a caller of the library may write them. */
#include "unit.h"

#include "workload/order.h"

enum { COUNT_OF_MESSAGES = 3 };

/* Three messages, each after the one before it. */
struct chain {
    struct ec_message messages[COUNT_OF_MESSAGES];
    uint32_t step[COUNT_OF_MESSAGES], behind[COUNT_OF_MESSAGES], after[COUNT_OF_MESSAGES];
    size_t first[COUNT_OF_MESSAGES + 1];
    struct ec_message_order order;
    struct ec_workload w;
};

static void make_chain(struct chain *c)
{
    *c = (struct chain){
        .messages = {{.src = 0, .dst = 1}, {.src = 1, .dst = 2}, {.src = 2, .dst = 3}},
        .step = {1, 2, 3},
        .behind = {EC_NONE, EC_NONE, EC_NONE},
        .after = {0, 1},
        .first = {0, 0, 1, 2},
    };
    c->order = (struct ec_message_order){.step = c->step, .first = c->first, .after = c->after};
    c->w = (struct ec_workload){
        .messages = c->messages, .message_count = COUNT_OF_MESSAGES, .order = &c->order};
}

static void expect_refusal(const struct chain *c, const char *words)
{
    struct ec_error error = {0};
    const enum ec_code code = order_check(&c->w, &error);
    assert_refused("an order", code, EC_USAGE, &error, words);
}

static void a_wrong_order_is_refused(void **state)
{
    (void)state;
    struct chain c;
    struct ec_error error;

    make_chain(&c);
    assert_int_equal(order_check(&c.w, &error), EC_OK);
    c.w.open_loop = true;
    expect_refusal(&c, "without rate=");

    make_chain(&c);
    c.step[2] = 1;
    expect_refusal(&c, "message 2 has step 1 after step 2: expected ascending steps");

    make_chain(&c);
    c.order.by_step = true;
    assert_int_equal(order_check(&c.w, &error), EC_OK);
    c.order.step = NULL;
    expect_refusal(&c, "expected step[]");

    make_chain(&c);
    c.order.behind = c.behind;
    expect_refusal(&c, "message 0 is behind"); /* without overtake */
    c.order.overtake = true;
    assert_int_equal(order_check(&c.w, &error), EC_OK);
    c.behind[1] = COUNT_OF_MESSAGES;
    expect_refusal(&c, "message 1 is behind message 3: expected one of 3 messages");

    make_chain(&c);
    c.first[1] = 2;
    expect_refusal(&c, "message 1 has a negative number of messages to wait for");

    make_chain(&c);
    c.after[1] = COUNT_OF_MESSAGES;
    expect_refusal(&c, "message 2 waits for message 3: expected one of 3 messages");
}

static void a_message_is_ready_when_what_it_waits_for_is_delivered(void **state)
{
    (void)state;
    struct chain c;
    char text[200];

    make_chain(&c);
    struct order *o = order_open(&c.w);
    assert_non_null(o);
    assert_int_equal(o->ready[0], 1);
    assert_true(o->ready[1] == ORDER_NEVER);
    o->left[0] = 2;
    order_arrived(o, 0, 1, 5);
    assert_true(o->ready[1] == ORDER_NEVER);
    order_arrived(o, 0, 1, 6);
    assert_int_equal(o->ready[1], 7);
    assert_true(o->ready[2] == ORDER_NEVER);
    o->started[0] = o->started[1] = 1;
    order_explain(o, text, sizeof text);
    assert_string_equal(text, "1 messages wait for others that can never be sent; message 2 (step "
                              "3, 2 to 3) waits for message 1 (step 2, 1 to 2)");
    o->ready[2] = 9; /* but it cannot leave */
    order_explain(o, text, sizeof text);
    assert_string_equal(text, "1 messages wait for others that can never be sent; message 2 (step "
                              "3, 2 to 3) is queued behind one of them");
    order_close(o);
}

/* Message 0 to node 1, where work of 7 cycles follows it; then work of 20 cycles, behind message 0
 * in node 0; message 3 of node 1 waits for the first work and message 4, and for that in either
 * order. */
static void work_ends_when_its_delay_is_over(void **state)
{
    (void)state;
    enum { ROWS = 5 };
    struct ec_message m[ROWS] = {
        {1, 0, 1, 4, 0}, {1, 1, 1, 0, 0}, {1, 0, 0, 0, 0}, {1, 1, 0, 2, 0}, {1, 0, 1, 3, 0}};
    size_t first[ROWS + 1] = {0, 0, 1, 1, 3, 4};
    uint32_t after[] = {0, 1, 4, 2}, delay[] = {0, 7, 20, 0, 0};
    uint32_t behind[] = {EC_NONE, EC_NONE, 0, EC_NONE, EC_NONE};
    struct ec_message_order rules = {
        .first = first, .after = after, .delay = delay, .behind = behind, .overtake = true};
    const struct ec_workload w = {.messages = m, .message_count = ROWS, .order = &rules};
    struct ec_error error;

    assert_int_equal(order_check(&w, &error), EC_OK);
    struct order *o = order_open(&w);
    assert_non_null(o);
    for (unsigned play = 0; play < 2; play++) {
        order_reset(o);
        assert_int_equal(order_worked(o), 0);
        assert_false(order_free(o, 2));
        order_sent(o, 0, 5); /* its last word left in cycle 4: work in cycles 5 to 24 */
        assert_int_equal(o->ready[4], 25);
        order_arrived(o, 4, 3, play ? 6 : 40);
        order_arrived(o, 0, 4, 10); /* work in cycles 11 to 17 */
        assert_int_equal(o->ready[3], play ? 18 : 41);
        assert_int_equal(order_worked(o), 2);
    }
    order_close(o);
    rules.overtake = false;
    rules.behind = NULL;
    assert_refused("work", order_check(&w, &error), EC_USAGE, &error,
                   "message 1 is work of its node: expected overtake");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a wrong order is refused, with the message and what was expected",
             a_wrong_order_is_refused),
        TEST("a message is ready in the cycle after what it waits for is delivered",
             a_message_is_ready_when_what_it_waits_for_is_delivered),
        TEST("work ends when its delay is over, whatever is delivered first",
             work_ends_when_its_delay_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
