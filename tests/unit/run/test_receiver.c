/* SPDX-License-Identifier: Apache-2.0 */
/* Receivers: which credits nodes give in which cycles, with and without back-pressure. */
#include "run/ports.h"

#include "ecube/word.h"
#include "unit.h"

enum { PORTS = 3, VCS = 4 };

struct bench {
    struct receivers r;
    struct ec_port_word words[PORTS];
    struct ec_port_credit credits[PORTS * VCS];
    struct ec_port_events seen, in;
};

static void bench_open(struct bench *b, double stall)
{
    *b = (struct bench){0};
    assert_true(receivers_open(&b->r, PORTS, 1, VCS, stall, 1, NULL));
    receivers_reset(&b->r);
    b->seen.words = b->words;
    b->in.credits = b->credits;
}

static void show(struct bench *b, uint32_t port, unsigned vc)
{
    b->words[b->seen.word_count++] =
        (struct ec_port_word){port, ec_word_pack(&narrow, true, true, vc, 1, 2, 3)};
}

static void accept(struct bench *b, uint64_t now)
{
    receivers_accept(&b->r, now, &b->seen, &b->in);
    b->seen.word_count = 0;
}

static void a_word_is_accepted_at_once(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, 0);
    show(&b, 2, 3);
    show(&b, 0, 1);
    accept(&b, 1);
    assert_int_equal(b.in.credit_count, 2);
    assert_true(b.credits[0].port == 2 && b.credits[0].vc == 3);
    assert_true(b.credits[1].port == 0 && b.credits[1].vc == 1);
    accept(&b, 2);
    assert_int_equal(b.in.credit_count, 0);
    assert_int_equal(b.r.waiting + b.r.held_words, 0);
    receivers_close(&b.r);
}

/* In each cycle a port accepts one word of each VC, or none: it stalls as often as asked for. */
static void a_port_that_stalls_holds_its_words(void **state)
{
    (void)state;
    enum { CYCLES = 20000 };
    unsigned held[PORTS][VCS] = {{0}}, stalled = 0, waiting = 0, same = 0;
    struct bench b;
    bench_open(&b, 0.3);
    for (uint64_t now = 1; now <= CYCLES; now++) {
        unsigned given[PORTS] = {0}, kinds[PORTS] = {0};
        for (uint32_t port = 0; port < PORTS; port++) {
            const unsigned vc = (unsigned)(now + port) % VCS;
            if (now % 4 == port)
                continue;
            show(&b, port, vc);
            held[port][vc]++;
        }
        accept(&b, now);
        for (uint32_t port = 0; port < PORTS; port++) {
            for (unsigned vc = 0; vc < VCS; vc++)
                kinds[port] += held[port][vc] > 0;
        }
        for (size_t i = 0; i < b.in.credit_count; i++) {
            const struct ec_port_credit c = b.credits[i];
            assert_true(held[c.port][c.vc] > 0);
            held[c.port][c.vc]--;
            given[c.port]++;
        }
        for (uint32_t port = 0; port < PORTS; port++) {
            assert_true(given[port] == 0 || given[port] == kinds[port]);
            waiting += kinds[port] > 0;
            stalled += kinds[port] > 0 && given[port] == 0;
        }
        same += kinds[0] && kinds[1] && !given[0] == !given[1];
    }
    assert_int_equal(b.r.waiting, waiting);
    assert_int_equal(b.r.stalled, stalled);
    assert_between(stalled, waiting / 100 * 29, waiting / 100 * 31);
    assert_true(same < CYCLES / 20 * 13); /* ports stall each by itself: 0.58 */
    receivers_reset(&b.r);
    assert_int_equal(b.r.waiting + b.r.stalled + b.r.held_words, 0);
    receivers_close(&b.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a word is accepted at once", a_word_is_accepted_at_once),
        TEST("a port that stalls holds its words", a_port_that_stalls_holds_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
