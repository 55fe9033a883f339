/* SPDX-License-Identifier: Apache-2.0 */
/* A message between ranks: its streams are found, and nothing is read beyond its end. */
#include <string.h>

#include "unit.h"

#include "parts/ranks/ranks.c"

enum { STREAMS = 2, HEAD = MESSAGES_UNIT, ROOM = 4 * MESSAGES_UNIT };

/* What a rank has received from another one, for one part with two neighbours there. */
struct received {
    struct meeting meeting;
    struct member member;
    struct exchange_bytes from[STREAMS];
    struct link link;
    struct stream streams[STREAMS];
    uint64_t words[ROOM / sizeof(uint64_t)];
};

static bool take(struct received *r, uint64_t size, uint64_t first, uint64_t second)
{
    *r = (struct received){.meeting = {.member = &r->member},
                           .member = {.x = {.from = r->from}},
                           .streams = {{.index = 0}, {.index = 1}},
                           .words = {first, second}};
    r->link = (struct link){.streams = STREAMS,
                            .in = r->streams,
                            .got = {.data = (unsigned char *)r->words, .size = size}};
    return unpack(&r->meeting, &r->link, NULL, NULL, 0);
}

static void test_streams(void **state)
{
    struct received r;
    (void)state;
    assert_true(take(&r, HEAD + 2 * MESSAGES_UNIT, 5, MESSAGES_UNIT));
    assert_int_equal(r.from[0].size, 5);
    assert_ptr_equal(r.from[0].data, (unsigned char *)r.words + HEAD);
    assert_int_equal(r.from[1].size, MESSAGES_UNIT);
    assert_ptr_equal(r.from[1].data, (unsigned char *)r.words + HEAD + MESSAGES_UNIT);
    assert_true(take(&r, HEAD, 0, 0));
}

static void test_damaged(void **state)
{
    struct received r;
    (void)state;
    assert_false(take(&r, HEAD - 1, 0, 0));
    assert_false(take(&r, HEAD, 1, 0));
    assert_false(take(&r, HEAD, 0, 1));
    assert_false(take(&r, HEAD + MESSAGES_UNIT, 5, 1));
    assert_false(take(&r, HEAD + MESSAGES_UNIT, UINT64_MAX, 0));
    /* The first stream is whole, its padding is not: the second one would begin behind the end. */
    assert_false(take(&r, HEAD + 5, 5, 1));
    assert_false(take(&r, HEAD + 5, 5, UINT64_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("streams are where the message says", test_streams),
        TEST("a message whose sizes do not fit is refused", test_damaged),
    };
    return cmocka_run_group_tests_name("messages of ranks", tests, NULL, NULL);
}
