/* SPDX-License-Identifier: Apache-2.0 */
/* Arrivals in small graphs of transfers, against cycles worked out by hand from the rules of
 * docs/TIMING.md, and single messages against the closed forms. */
#include "unit.h"

#include <string.h>

#include "ec_cost.h"
#include "ec_cost_graph.h"

#define MESSAGES_MAX 32
#define WAY_MAX      128

/* A graph in the making. */
struct sketch {
    struct ec_cost_machine machine;
    struct ec_cost_messages messages;
    uint64_t words[MESSAGES_MAX];
    size_t way[MESSAGES_MAX + 1], first[MESSAGES_MAX + 1];
    uint32_t channel[WAY_MAX], after[WAY_MAX], delay[MESSAGES_MAX], step[MESSAGES_MAX];
    uint8_t vc[WAY_MAX];
    uint64_t start[MESSAGES_MAX], finish[MESSAGES_MAX];
};

static struct sketch sketch_of(enum ec_cost_switching switching, uint64_t startup, uint64_t packet,
                               uint64_t depth)
{
    return (struct sketch){.machine = {.switching = switching,
                                       .startup = startup,
                                       .packet = packet,
                                       .depth = depth,
                                       .stages = 1,
                                       .link = 1},
                           .messages = {.channels = 64, .vcs = 2}};
}

/* Append a message over `channels`, a string of letters (a = 0), in buffers `vc`; it waits for the
 * messages whose digits are in `after`. */
static void add(struct sketch *x, uint64_t words, const char *channels, uint8_t vc,
                const char *after, uint32_t delay, uint32_t step)
{
    const size_t i = x->messages.count++;

    x->words[i] = words;
    x->way[i + 1] = x->way[i];
    for (; *channels; channels++) {
        x->channel[x->way[i + 1]] = (uint32_t)(*channels - 'a');
        x->vc[x->way[i + 1]++] = vc;
    }
    x->first[i + 1] = x->first[i];
    for (; *after; after++)
        x->after[x->first[i + 1]++] = (uint32_t)(*after - '0');
    x->delay[i] = delay;
    x->step[i] = step;
}

static struct ec_cost_times times_of(struct sketch *x, bool by_step)
{
    x->messages.words = x->words;
    x->messages.way = x->way;
    x->messages.channel = x->channel;
    x->messages.vc = x->vc;
    x->messages.delay = x->delay;
    x->messages.step = x->step;
    x->messages.first = x->first;
    x->messages.after = x->after;
    x->messages.by_step = by_step;
    return ec_cost_graph(&x->machine, &x->messages, x->start, x->finish);
}

static void assert_message(const struct sketch *x, size_t i, uint64_t start, uint64_t finish)
{
    if (x->start[i] != start || x->finish[i] != finish)
        fail_msg("message %zu: cycles %llu to %llu, by hand %llu to %llu", i,
                 (unsigned long long)x->start[i], (unsigned long long)x->finish[i],
                 (unsigned long long)start, (unsigned long long)finish);
}

static void compare_single(const struct ec_cost_machine *machine, unsigned h, unsigned m)
{
    struct sketch x = sketch_of(machine->switching, 0, 1, 1);
    char channels[] = "abcdefghij";

    x.machine = *machine;
    channels[h + 2] = 0;
    add(&x, m, channels, 1, "", 0, 1);
    const struct ec_cost_times times = times_of(&x, false);
    assert_int_equal(times.verdict, EC_COST_PREDICTED);
    const uint64_t expected = ec_cost_message(machine, h, m);
    if (times.first != 1 || times.last != expected)
        fail_msg("switching %d h=%u m=%u B=%u ts=%u depth=%u s=%u L=%u: %llu, closed form %llu",
                 (int)machine->switching, h, m, (unsigned)machine->packet,
                 (unsigned)machine->startup, (unsigned)machine->depth, (unsigned)machine->stages,
                 (unsigned)machine->link, (unsigned long long)times.last,
                 (unsigned long long)expected);
}

/* All packets, depths and start-ups of messages of m words. */
static void compare_messages(struct ec_cost_machine *x, unsigned m, unsigned h_max)
{
    for (x->packet = 1; x->packet <= m + 1; x->packet++) {
        x->depth = x->switching == EC_COST_WORMHOLE ? 1 : x->packet;
        for (const uint64_t most = ec_cost_full_rate(x) + 1; x->depth <= most; x->depth++) {
            for (x->startup = 0; x->startup <= 4; x->startup++) {
                for (unsigned h = 1; h <= h_max; h++)
                    compare_single(x, h, m);
            }
        }
    }
}

static void test_single(void **state)
{
    struct ec_cost_machine x = {.stages = 1};

    (void)state;
    for (; x.stages <= 3; x.stages++) {
        for (x.link = 1; x.link <= 3; x.link++) {
            for (int switching = EC_COST_WORMHOLE; switching <= EC_COST_STORE_AND_FORWARD;
                 switching++) {
                x.switching = (enum ec_cost_switching)switching;
                const bool first = x.stages == 1 && x.link == 1;
                for (unsigned m = 1; m <= (first ? 14 : 8); m++)
                    compare_messages(&x, m, first ? 5 : 2);
            }
        }
    }
}

static void test_port(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 3, 2);

    (void)state;
    add(&x, 3, "abc", 0, "", 0, 1); /* offered in 1 to 3 */
    add(&x, 3, "ade", 0, "", 0, 1); /* 4 to 6 */
    add(&x, 3, "fgh", 0, "", 5, 1); /* of another port, after 5 cycles of work */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 5);
    assert_message(&x, 1, 4, 8);
    assert_message(&x, 2, 6, 10);
}

static void test_chain(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 7, 4, 2);

    (void)state;
    add(&x, 4, "abc", 0, "", 0, 1);   /* start-up 1 to 7, offered 8 to 11, seen 10 to 13 */
    add(&x, 2, "ade", 0, "", 0, 1);   /* start-up 12 to 18, offered 19 and 20, seen to 22 */
    add(&x, 1, "fgh", 0, "0", 0, 2);  /* 14 to 20, offered 21, seen 23 */
    add(&x, 1, "ijk", 0, "01", 3, 2); /* 26 to 32, offered 33, seen 35 */
    const struct ec_cost_times times = times_of(&x, false);
    assert_int_equal(times.verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 13);
    assert_message(&x, 1, 12, 22);
    assert_message(&x, 2, 14, 23);
    assert_message(&x, 3, 26, 35);
    assert_int_equal(times.last, 35);
}

/* Work takes no channel. It begins after what it waits for, and after the message it is behind. */
static void test_work(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 4, 4);
    const uint32_t behind[] = {UINT32_MAX, UINT32_MAX, 0, 0, UINT32_MAX, UINT32_MAX};

    (void)state;
    add(&x, 4, "abc", 0, "", 0, 1);   /* offered 1 to 4, seen 6 */
    add(&x, 0, "", 0, "", 9, 1);      /* 1 to 9, and no port waits for it */
    add(&x, 0, "", 0, "", 3, 1);      /* behind message 0: 5 to 7 */
    add(&x, 0, "", 0, "1", 0, 1);     /* behind message 0, after the work that ends in 9 */
    add(&x, 1, "ade", 0, "23", 2, 1); /* 2 cycles after both: offered 12, seen 14 */
    add(&x, 0, "", 0, "4", 50, 1);    /* does not count */
    x.messages.behind = behind;
    const struct ec_cost_times times = times_of(&x, false);
    assert_int_equal(times.verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 10, 9);
    assert_message(&x, 2, 8, 7);
    assert_message(&x, 3, 10, 9);
    assert_message(&x, 4, 12, 14);
    assert_int_equal(times.first, 1);
    assert_int_equal(times.last, 14);
}

/* Six messages follow each other through four ports: T = (N - 1) o + S L. */
static void test_pipeline(void **state)
{
    static const char *const ways[] = {"abc", "def", "ghi", "jkl"};
    const uint64_t N = 6, S = 4, m = 5;

    (void)state;
    for (uint64_t ts = 0; ts <= 7; ts += 7) {
        for (uint64_t B = 2; B <= 5; B += 3) {
            const uint64_t n = (m + B - 1) / B, o = n * ts + m,
                           L = ec_cost_wormhole(1, m, B, ts, 2);
            struct sketch x = sketch_of(EC_COST_WORMHOLE, ts, B, 2);
            for (uint64_t row = 0; row < N; row++) {
                for (uint64_t port = 0; port < S; port++) {
                    add(&x, m, ways[port], 0, "", 0, 1);
                    if (port > 0)
                        x.after[x.first[x.messages.count]++] = (uint32_t)x.messages.count - 2;
                }
            }
            const struct ec_cost_times times = times_of(&x, false);
            assert_int_equal(times.verdict, EC_COST_PREDICTED);
            assert_int_equal(L, o + 2);
            assert_int_equal(times.last, (N - 1) * o + S * L);
        }
    }
}

static void test_steps(void **state)
{
    for (uint32_t ts = 0; ts <= 7; ts += 7) {
        for (uint32_t m = 1; m <= 9; m++) {
            struct sketch x = sketch_of(EC_COST_WORMHOLE, ts, m, 2);
            (void)state;
            add(&x, m, "abc", 0, "", 0, 1);
            add(&x, 1, "def", 0, "", 0, 1);
            add(&x, m, "dbf", 0, "", 0, 2);
            add(&x, m, "aec", 0, "", 0, 5);
            const struct ec_cost_times times = times_of(&x, true);
            assert_int_equal(times.verdict, EC_COST_PREDICTED);
            const uint64_t T = ts + m + 2;
            assert_message(&x, 1, 1, ts + 3);
            assert_message(&x, 2, T + 1, 2 * T);
            assert_message(&x, 3, 2 * T + 1, 3 * T);
            assert_int_equal(times.last, 3 * T);
        }
    }
}

/* The same with stages and links, worked out by hand: s = 2, L = 3. */
static void test_stages(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 9, 7);

    (void)state;
    x.machine.stages = 2;
    x.machine.link = 3;
    add(&x, 4, "abc", 0, "", 0, 1);   /* a 1 to 4, b 3 to 6, c 7 to 10 */
    add(&x, 1, "defg", 0, "0", 0, 2); /* d 11, e 13, f 17, g 21 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 10);
    assert_message(&x, 1, 11, 21);

    /* Below full rate, D words every 2L + s - 1 = 7 cycles; the next message waits for the last
     * credit, though the way is free. */
    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 2);
    x.machine.stages = 2;
    x.machine.link = 3;
    add(&x, 3, "abc", 0, "", 0, 1); /* b 3, 4, 10; c 7, 8, 14 */
    add(&x, 2, "dbe", 0, "", 8, 1); /* d 9, 10; at b in 11: credits of c 8 and c 14: 11 and 17 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 14);
    assert_message(&x, 1, 9, 21);

    /* At depth 1 with a traversal stage, the node's credit takes 2 cycles from word to word. */
    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 1);
    x.machine.stages = 2;
    add(&x, 1, "abc", 0, "", 0, 1); /* c 5 */
    add(&x, 1, "dec", 0, "", 1, 1); /* at c in 6, room in 7 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 2, 7);
}

static void test_depth_one(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 9, 1);

    (void)state;
    add(&x, 2, "abc", 0, "", 0, 1); /* offered 1, 3; seen 3, 5 */
    add(&x, 2, "abc", 0, "", 0, 1); /* its turn in 4, room in 5; offered 5, 7; seen 7, 9 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 5);
    assert_message(&x, 1, 4, 9);

    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 1);
    add(&x, 2, "abc", 0, "", 0, 1);
    add(&x, 2, "abc", 1, "", 0, 1); /* another buffer has room at once; offered 4, 6; seen 6, 8 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 4, 8);

    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 1);
    add(&x, 1, "abc", 0, "", 0, 1); /* on b in 2 */
    add(&x, 1, "dbe", 0, "", 1, 1); /* at b in 3, room beyond it in 4: seen in 5 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 2, 5);
}

static void test_cut_through_room(void **state)
{
    struct sketch x = sketch_of(EC_COST_CUT_THROUGH, 0, 3, 3);

    (void)state;
    add(&x, 3, "abc", 0, "", 0, 1); /* offered 1 to 3, its last word leaves the buffer in 4 */
    add(&x, 1, "ade", 0, "", 0, 1); /* turn in 4, room for a packet of 3 in 5: seen in 7 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 4, 7);
    x.machine.depth = 4;
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 4, 6);
}

static void test_store_and_forward(void **state)
{
    struct sketch x = sketch_of(EC_COST_STORE_AND_FORWARD, 0, 4, 8);

    (void)state;
    add(&x, 4, "abc", 0, "", 0, 1); /* a 1 to 4, b 5 to 8, c 9 to 12 */
    add(&x, 1, "abc", 0, "", 0, 1); /* a 5, behind the other: b 9, c 13 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 1, 12);
    assert_message(&x, 1, 5, 13);

    x = sketch_of(EC_COST_STORE_AND_FORWARD, 0, 4, 4);
    add(&x, 4, "abc", 0, "", 0, 1); /* a 1 to 4, b 5 to 8, c 9 to 12 */
    add(&x, 1, "abc", 0, "", 0, 1); /* its turn on a in 5; room for 4 words in 9; b: room in 13 */
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 1, 5, 14);

    /* From another buffer it stands at the link while the other one crosses it. */
    x = sketch_of(EC_COST_STORE_AND_FORWARD, 0, 4, 8);
    add(&x, 4, "abc", 0, "", 0, 1);
    add(&x, 1, "abc", 1, "", 0, 1);
    const struct ec_cost_times times = times_of(&x, false);
    assert_int_equal(times.verdict, EC_COST_MEETING);
    assert_int_equal(times.channel, 1);
}

static void assert_meeting(struct sketch *x, size_t earlier, size_t later, char channel)
{
    const struct ec_cost_times times = times_of(x, false);

    assert_int_equal(times.verdict, EC_COST_MEETING);
    assert_int_equal(times.earlier, earlier);
    assert_int_equal(times.later, later);
    assert_int_equal(times.channel, channel - 'a');
}

static void test_meeting(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 8; delay++) {
        struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 9, 4);
        add(&x, 5, "abc", 0, "", 0, 1); /* on c in 3 to 7 */
        add(&x, 2, "dec", 0, "", delay, 1);
        if (delay < 5) { /* at c in 3 + delay */
            assert_meeting(&x, 0, 1, 'c');
        } else {
            assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
            assert_message(&x, 1, 1 + delay, 4 + delay);
        }
    }
    /* The one that starts later comes to link c first, and they meet there. */
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 9, 4);
    add(&x, 5, "abcd", 0, "", 0, 1);
    add(&x, 5, "ecf", 0, "", 1, 1);
    assert_meeting(&x, 0, 1, 'c');
    /* Injection ports keep the order of the schedule: nothing ever meets there. */
    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 4);
    add(&x, 5, "abc", 0, "", 9, 1);
    add(&x, 5, "ade", 0, "", 0, 1);
    assert_int_equal(times_of(&x, false).verdict, EC_COST_PREDICTED);
    assert_message(&x, 0, 10, 16);
    assert_message(&x, 1, 15, 21);
}

static void test_circular(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 0, 9, 4);

    (void)state;
    add(&x, 1, "abc", 0, "", 0, 1);
    add(&x, 1, "def", 0, "1", 0, 1);
    assert_int_equal(times_of(&x, false).verdict, EC_COST_CIRCULAR);
    assert_int_equal(times_of(&x, false).later, 1);
    assert_message(&x, 0, 1, 3);
    assert_message(&x, 1, 0, 0);

    /* Waits for one that its own port sends after it. */
    x = sketch_of(EC_COST_WORMHOLE, 0, 9, 4);
    add(&x, 1, "abc", 0, "1", 0, 1);
    add(&x, 1, "ade", 0, "", 0, 1);
    assert_int_equal(times_of(&x, false).verdict, EC_COST_CIRCULAR);
    assert_int_equal(times_of(&x, false).later, 0);
}

static void test_nothing(void **state)
{
    struct sketch x = sketch_of(EC_COST_WORMHOLE, 3, 9, 4);

    (void)state;
    for (int by_step = 0; by_step < 2; by_step++) {
        const struct ec_cost_times times = times_of(&x, by_step);
        assert_int_equal(times.verdict, EC_COST_PREDICTED);
        assert_int_equal(times.first, 0);
        assert_int_equal(times.last, 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("one message takes what the closed form says, in every mode and depth", test_single),
        TEST("a port sends its messages one after the other", test_port),
        TEST("work takes no port, and begins after what it waits for and is behind", test_work),
        TEST("a message starts the cycle after the last arrival it waits for", test_chain),
        TEST("in a pipeline ports are busy for o cycles, and L cycles pass to the next",
             test_pipeline),
        TEST("by step, one hop takes t_s + m + 2 cycles a step", test_steps),
        TEST("stages and links delay words and credits", test_stages),
        TEST("at depth 1 a message waits for the places of the one before it", test_depth_one),
        TEST("in cut-through a head waits for room for a whole packet", test_cut_through_room),
        TEST("in store-and-forward a short message stays behind a long one",
             test_store_and_forward),
        TEST("two messages that meet are named, and there is no prediction", test_meeting),
        TEST("messages that wait for each other never start", test_circular),
        TEST("no messages take no time", test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
