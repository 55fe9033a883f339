/* SPDX-License-Identifier: Apache-2.0 */
/* The table of numbers and the queue of messages, against plain arrays. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/rng.h"
#include "traffic/queue.h"

enum { KEYS = 500, STEPS = 20000 };

static void a_table_knows_what_was_added_and_not_removed(void **state)
{
    (void)state;
    struct lookup l = {0};
    uint32_t number[KEYS];
    uint32_t count = 0;

    memset(number, 0xff, sizeof number); /* LOOKUP_NONE */
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t k = (uint32_t)(ec_rng_mix(step) % KEYS);
        const uint64_t key = (uint64_t)k << 32;
        if (number[k] == LOOKUP_NONE) {
            number[k] = step;
            count++;
            assert_true(lookup_add(&l, key, step));
        } else {
            assert_int_equal(lookup_find(&l, key), number[k]);
            lookup_remove(&l, key);
            number[k] = LOOKUP_NONE;
            count--;
        }
        assert_int_equal(l.count, count);
    }
    for (uint32_t k = 0; k < KEYS; k++)
        assert_int_equal(lookup_find(&l, (uint64_t)k << 32) + 1, number[k] + 1);
    lookup_clear(&l);
    assert_int_equal(lookup_find(&l, 0), LOOKUP_NONE);
    assert_true(lookup_add(&l, 7, 8));
    assert_int_equal(l.count, 1);
    assert_int_equal(lookup_find(&l, 7), 8);
    for (uint32_t k = 0; k < KEYS; k++)
        assert_int_equal(lookup_find(&l, (uint64_t)k << 32), LOOKUP_NONE);
    lookup_free(&l);
}

static void a_queue_gives_the_first_by_cycle_then_by_number(void **state)
{
    (void)state;
    struct queue q = {0};
    bool waits[KEYS] = {false};
    uint64_t ready[KEYS];

    for (uint32_t i = 0; i < KEYS; i++) {
        ready[i] = ec_rng_mix(i) % 50; /* many have the same */
        waits[i] = true;
        assert_true(queue_push(&q, (struct queued){ready[i], ready[i], i, i}));
        if (i % 3 < 2)
            continue;
        uint32_t first = 0;
        for (uint32_t k = 1; k <= i; k++) {
            if (waits[k] && (!waits[first] || ready[k] < ready[first]))
                first = k;
        }
        const struct queued x = queue_pop(&q);
        assert_int_equal(x.message, first);
        assert_int_equal(x.ready, ready[first]);
        waits[first] = false;
    }
    for (uint64_t cycle = 0, number = 0; q.count > 0;) {
        const struct queued x = queue_pop(&q);
        assert_true(waits[x.message]);
        assert_true(x.ready > cycle || (x.ready == cycle && x.number >= number));
        cycle = x.ready;
        number = x.number;
        waits[x.message] = false;
    }
    for (uint32_t i = 0; i < KEYS; i++)
        assert_false(waits[i]);
    free(q.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a table knows what was added and not removed",
             a_table_knows_what_was_added_and_not_removed),
        TEST("a queue gives the first message by cycle, then by number",
             a_queue_gives_the_first_by_cycle_then_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
