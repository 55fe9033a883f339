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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a wrong order is refused, with the message and what was expected",
             a_wrong_order_is_refused),
        TEST("a message is ready in the cycle after what it waits for is delivered",
             a_message_is_ready_when_what_it_waits_for_is_delivered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
