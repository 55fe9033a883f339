/* SPDX-License-Identifier: Apache-2.0 */
/* The closed forms against two models of the router's timing, one word at a time. */
#include "unit.h"

#include <string.h>

#include "ec_cost.h"

enum mode { WORMHOLE, CUT_THROUGH, STORE_AND_FORWARD };
static const char *const mode_names[] = {"wormhole", "cut-through", "store-and-forward"};

struct flow {
    enum mode mode;
    unsigned h, m, B, ts, depth;
};

#define WORDS_MAX    48
#define CHANNELS_MAX 12

static uint64_t closed_form(const struct flow *f)
{
    switch (f->mode) {
    case WORMHOLE:
        return ec_cost_wormhole(f->h, f->m, f->B, f->ts, f->depth);
    case CUT_THROUGH:
        return ec_cost_cut_through(f->h, f->m, f->B, f->ts, f->depth);
    case STORE_AND_FORWARD:
        return ec_cost_store_and_forward(f->h, f->m, f->B, f->ts, f->depth);
    }
    return 0;
}

static void raise(unsigned *time, unsigned least)
{
    if (*time < least)
        *time = least;
}

/* First model: t[k][j], the cycle in which word k (from 1) crosses channel j (0: injection, 1..h:
 * links, h + 1: ejection), as the least solution of the rules. A rule never looks at a later
 * packet; within one, wormhole looks ahead by channels, so that it goes word by word, and
 * store-and-forward by words, so that it goes channel by channel. */
static void cross(const struct flow *f, unsigned t[][CHANNELS_MAX], unsigned k, unsigned j)
{
    unsigned first = (k - 1) / f->B * f->B + 1; /* head of its packet */
    unsigned tail = first + f->B - 1 < f->m ? first + f->B - 1 : f->m;
    bool head = k == first;
    unsigned *time = &t[k][j];

    *time = 1;
    if (k > 1)
        raise(time, t[k - 1][j] + 1); /* one word a cycle */
    if (j == 0 && head)
        raise(time, (k > 1 ? t[k - 1][0] : 0) + f->ts + 1);
    if (j > 0) /* it, or all of its packet, must be in the buffer */
        raise(time, t[head && f->mode == STORE_AND_FORWARD ? tail : k][j - 1] + 1);
    if (j <= f->h) { /* free words beyond: one, or a packet's worth; seen a cycle after the pop */
        unsigned need = head && f->mode != WORMHOLE ? f->B : 1;
        if (k - 1 + need > f->depth)
            raise(time, t[k - 1 + need - f->depth][j + 1] + 1);
    }
}

static unsigned recurrence(const struct flow *f)
{
    unsigned t[WORDS_MAX][CHANNELS_MAX];

    for (unsigned first = 1; first <= f->m; first += f->B) {
        unsigned end = first + f->B <= f->m ? first + f->B : f->m + 1;
        if (f->mode == STORE_AND_FORWARD) {
            for (unsigned j = 0; j <= f->h + 1; j++) {
                for (unsigned k = first; k < end; k++)
                    cross(f, t, k, j);
            }
        } else {
            for (unsigned k = first; k < end; k++) {
                for (unsigned j = 0; j <= f->h + 1; j++)
                    cross(f, t, k, j);
            }
        }
    }
    return t[f->m][f->h + 1];
}

/* Second model: cycle by cycle. sent[j] words have crossed channel j; everything that a sender
 * knows in a cycle (words in its buffer, credits) is as it was when the cycle began. */
static unsigned clockwork(const struct flow *f)
{
    unsigned sent[CHANNELS_MAX] = {0}, startup = f->ts;

    for (unsigned cycle = 1;; cycle++) {
        unsigned before[CHANNELS_MAX];
        memcpy(before, sent, sizeof sent);
        for (unsigned j = 0; j <= f->h + 1; j++) {
            unsigned done = before[j], room = UINT32_MAX;
            bool head = done % f->B == 0;
            unsigned whole = done + f->B < f->m ? f->B : f->m - done;
            if (done == f->m)
                continue;
            if (j == 0 && head && startup > 0) {
                startup--;
                continue;
            }
            if (j <= f->h)
                room = f->depth - (done - before[j + 1]);
            unsigned here = j == 0 ? UINT32_MAX : before[j - 1] - done;
            if (room < (head && f->mode != WORMHOLE ? f->B : 1) ||
                here < (head && f->mode == STORE_AND_FORWARD ? whole : 1))
                continue;
            sent[j]++;
            if (j == 0 && sent[0] % f->B == 0)
                startup = f->ts;
        }
        if (sent[f->h + 1] == f->m)
            return cycle;
    }
}

static void compare(const struct flow *f, unsigned model, const char *name)
{
    if (closed_form(f) != model)
        fail_msg("%s h=%u m=%u B=%u ts=%u depth=%u: closed form %llu, %s %u", mode_names[f->mode],
                 f->h, f->m, f->B, f->ts, f->depth, (unsigned long long)closed_form(f), name,
                 model);
}

/* Every depth from the smallest that works to well above full rate. */
static void for_all(enum mode mode, unsigned h_max, unsigned m_max, unsigned ts_max,
                    unsigned (*model)(const struct flow *), const char *name)
{
    for (unsigned m = 1; m <= m_max; m++) {
        for (unsigned B = 1; B <= m + 2; B++) { /* a bound may exceed the message */
            for (unsigned depth = mode == WORMHOLE ? 1 : B; depth <= 2 * B + 3; depth++) {
                for (unsigned h = 1; h <= h_max; h++) {
                    for (unsigned ts = 0; ts <= ts_max; ts++) {
                        struct flow f = {mode, h, m, B, ts, depth};
                        compare(&f, model(&f), name);
                    }
                }
            }
        }
    }
}

static void test_wormhole(void **state)
{
    (void)state;
    for_all(WORMHOLE, 8, 40, 9, recurrence, "recurrence");
}

static void test_cut_through(void **state)
{
    (void)state;
    for_all(CUT_THROUGH, 8, 40, 9, recurrence, "recurrence");
}

static void test_store_and_forward(void **state)
{
    (void)state;
    for_all(STORE_AND_FORWARD, 8, 40, 9, recurrence, "recurrence");
}

static void test_clockwork(void **state)
{
    (void)state;
    for (int mode = WORMHOLE; mode <= STORE_AND_FORWARD; mode++)
        for_all((enum mode)mode, 4, 16, 5, clockwork, "clockwork");
}

static void test_textbook(void **state)
{
    (void)state;
    for (uint64_t h = 1; h <= 12; h++) {
        for (uint64_t m = 1; m <= 64; m++) {
            for (uint64_t B = 1; B <= m; B++) {
                uint64_t n = (m + B - 1) / B, ts = 3;
                assert_int_equal(ec_cost_wormhole(h, m, B, ts, 2), n * ts + h + m + 1);
                assert_int_equal(ec_cost_cut_through(h, m, B, ts, B + 1), n * ts + h + m + 1);
                assert_int_equal(ec_cost_store_and_forward(h, m, B, 0, 2 * B), m + (h + 1) * B);
            }
            assert_int_equal(ec_cost_store_and_forward(h, m, m, 7, m), 7 + (h + 2) * m);
        }
    }
}

static void test_shift_hops(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 20; d++) {
        for (unsigned g = 0; g < d; g++) {
            assert_int_equal(ec_cost_shift_hops(d, UINT32_C(1) << g), d - g);
            assert_int_equal(ec_cost_shift_hops(d, (UINT32_C(1) << d) - (UINT32_C(1) << g)), d - g);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the wormhole form equals the recurrence at every depth", test_wormhole),
        TEST("the cut-through form equals the recurrence at every depth", test_cut_through),
        TEST("the store-and-forward form equals the recurrence at every depth",
             test_store_and_forward),
        TEST("all forms equal a cycle-by-cycle model of buffers and credits", test_clockwork),
        TEST("at full rate the forms are those of the textbook", test_textbook),
        TEST("the longest path of a q-shift is d minus the trailing zeros of q", test_shift_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
