/* SPDX-License-Identifier: Apache-2.0 */
/* Receivers: which credits nodes give in which cycles, with and without back-pressure. */
#include "run/ports.h"

#include <string.h>

#include "base/rng.h"
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

/* The draws of a port are not those of another port in another cycle, and each seed has its own. */
static void each_port_and_cycle_has_a_draw_of_its_own(void **state)
{
    (void)state;
    enum { CYCLES = 2000, SHIFT = 3 };
    static bool stalls[2][PORTS][CYCLES + 1];
    for (unsigned seed = 0; seed < 2; seed++) {
        struct bench b = {0};
        assert_true(receivers_open(&b.r, PORTS, 1, VCS, 0.5, seed, NULL));
        b.seen.words = b.words;
        b.in.credits = b.credits;
        for (uint32_t port = 0; port < PORTS; port++)
            b.r.held[port * VCS] = UINT16_MAX, b.r.holds[port] = UINT16_MAX;
        b.r.held_words = UINT64_C(3) * UINT16_MAX;
        for (uint64_t now = 1; now <= CYCLES; now++) {
            for (uint32_t port = 0; port < PORTS; port++)
                stalls[seed][port][now] = true;
            accept(&b, now);
            for (size_t i = 0; i < b.in.credit_count; i++)
                stalls[seed][b.credits[i].port][now] = false;
        }
        receivers_close(&b.r);
    }
    for (unsigned i = 0; i < 2 * PORTS * PORTS * (2 * SHIFT + 1); i++) {
        const unsigned seed = i % 2, one = i / 2 % PORTS, other = i / 2 / PORTS % PORTS;
        const int shift = (int)(i / 2 / PORTS / PORTS) - SHIFT;
        unsigned same = 0;
        if (seed == 0 && one == other && shift == 0)
            continue;
        for (int now = 1 + SHIFT; now <= CYCLES - SHIFT; now++)
            same += stalls[0][one][now] == stalls[seed][other][now + shift];
        assert_between(same, CYCLES / 10 * 4, CYCLES / 10 * 6);
    }
}

/* --- Nodes with few places for requests ------------------------------------------------------- */

enum { HELD = 64, SERVED = 600 };

/* A second server gets the same words; the test asks it, and keeps what each VC holds. */
struct served {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct sources *sources;
    struct scoreboard board;
    struct senders senders;
    struct service *service, *mirror;
    struct nodes_own own;
    struct receivers receivers;
    unsigned locals, vcs, ports;
    unsigned held[HELD], rest[HELD]; /* [port * vcs + vc] words held; to come, of the packet */
    uint64_t waiting, stalled, drawn;
};

static uint64_t draw(struct served *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(99, b->drawn++), below);
}

static void served_open(struct served *b, const char *router, const char *traffic, bool some)
{
    static const uint32_t two[] = {1, 3};
    memset(b, 0, sizeof *b);
    b->t = topology_of("cube:2");
    b->r = router_of(router, &b->t);
    b->w = workload_of(traffic, &b->t);
    b->own = nodes_all(b->t.nodes);
    if (some)
        assert_true(nodes_own_open(&b->own, two, COUNT(two)));
    b->locals = ec_router_locals(&b->r, &b->t);
    b->vcs = b->r.vcs;
    b->ports = b->t.nodes * b->locals;
    assert_true(b->ports * b->vcs <= HELD);
    b->sources = sources_open(&b->t, &b->r, b->w, 1, &b->own);
    b->service = service_open(&b->t, &b->r, b->w, &b->own);
    b->mirror = service_open(&b->t, &b->r, b->w, &b->own);
    assert_true(b->sources && b->service && b->mirror);
    assert_true(scoreboard_open(&b->board, &b->t, &b->r, &b->own));
    assert_true(senders_open(&b->senders, &b->t, &b->r, b->sources, &b->board, 0, &b->own));
    assert_true(senders_serve(&b->senders, b->service, true));
    assert_true(receivers_open(&b->receivers, b->t.nodes, b->locals, b->vcs, 0, 1, &b->own));
    assert_true(receivers_serve(&b->receivers, b->service, &b->senders, b->w->service.queue > 0));
}

static void served_close(struct served *b)
{
    receivers_close(&b->receivers);
    senders_close(&b->senders);
    scoreboard_close(&b->board);
    service_close(b->service);
    service_close(b->mirror);
    sources_close(b->sources);
    ec_workload_close(b->w);
    if (b->own.node)
        nodes_own_close(&b->own);
}

/* A word arrives, perhaps the first one of a request or of a reply. */
static void see_word(struct served *b, uint32_t port, struct ec_port_events *seen)
{
    const unsigned vc = (unsigned)draw(b, b->vcs), at = port * b->vcs + vc;
    if (b->rest[at] == 0) {
        const struct service_packet p = {.created = 1,
                                         .src = (uint32_t)(port / b->locals + 1) % b->t.nodes,
                                         .words = 1 + (uint32_t)draw(b, 3),
                                         .asks = draw(b, 3),
                                         .part_of = EC_NONE};
        b->rest[at] = p.words;
        assert_true(service_arrive(b->service, port, vc, p));
        assert_true(service_arrive(b->mirror, port, vc, p));
    }
    b->rest[at]--;
    b->held[at]++;
    seen->words[seen->word_count++] =
        (struct ec_port_word){port, ec_word_pack(&narrow, false, false, vc, 1, 2, 3)};
}

/* Without a limit a node takes words in the order in which they come, else port by port. */
static size_t expect_credits(struct served *b, uint64_t now, const struct ec_port_events *seen,
                             struct ec_port_credit *ret)
{
    const bool finite = b->w->service.queue > 0;
    size_t count = 0;
    for (size_t i = 0; !finite && i < seen->word_count; i++)
        ret[count++] =
            (struct ec_port_credit){seen->words[i].port, ec_word_vc(seen->words[i].word, b->vcs)};
    for (uint32_t port = 0; finite && port < b->ports; port++) {
        const size_t before = count;
        bool any = false;
        for (unsigned vc = 0; vc < b->vcs; vc++) {
            const unsigned held = b->held[port * b->vcs + vc];
            any |= held > 0;
            if (held == 0 || !service_accepts(b->mirror, port, vc))
                continue;
            uint32_t answers;
            uint64_t ready;
            assert_true(service_accept(b->mirror, port, vc, now, &answers, &ready));
            b->held[port * b->vcs + vc]--;
            ret[count++] = (struct ec_port_credit){port, vc};
        }
        b->waiting += any;
        b->stalled += any && count == before;
    }
    for (size_t i = 0; !finite && i < count; i++) {
        uint32_t answers;
        uint64_t ready;
        assert_true(service_accept(b->mirror, ret[i].port, ret[i].vc, now, &answers, &ready));
        b->held[ret[i].port * b->vcs + ret[i].vc]--;
    }
    return count;
}

static void compare_held(struct served *b)
{
    uint64_t words = 0;
    uint32_t first = EC_NONE, holding = EC_NONE;
    for (uint32_t port = 0; port < b->ports; port++) {
        for (unsigned vc = 0; vc < b->vcs; vc++) {
            const unsigned held = b->held[port * b->vcs + vc];
            words += held;
            first = held && first == EC_NONE ? port : first;
            assert_int_equal(receivers_refuse(&b->receivers, port, vc),
                             held && !service_accepts(b->mirror, port, vc));
        }
        assert_true(service_next(b->service, port) == service_next(b->mirror, port));
    }
    assert_int_equal(b->receivers.held_words, words);
    assert_int_equal(receivers_holding(&b->receivers, &holding), first != EC_NONE);
    assert_int_equal(holding, first);
    assert_int_equal(b->receivers.waiting, b->waiting);
    assert_int_equal(b->receivers.stalled, b->stalled);
    for (uint32_t node = 0; node < b->t.nodes; node++)
        assert_int_equal(service_held(b->service, node), service_held(b->mirror, node));
}

static void serve_cycle(struct served *b, uint64_t now)
{
    struct ec_port_word words[HELD];
    struct ec_port_credit credits[HELD * 2], expected[HELD * 2];
    struct ec_port_events seen = {.words = words}, in = {.credits = credits};
    for (uint32_t port = 0; port < b->ports; port++) {
        const uint32_t node = port / b->locals;
        if (nodes_own_has(&b->own, node) && draw(b, 100) < 35)
            see_word(b, port, &seen);
    }
    const size_t count = expect_credits(b, now, &seen, expected);
    receivers_accept(&b->receivers, now, &seen, &in);
    assert_int_equal(in.credit_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(credits[i].port, expected[i].port);
        assert_int_equal(credits[i].vc, expected[i].vc);
    }
    compare_held(b);
    for (uint32_t node = 0; node < b->t.nodes; node++) { /* a reply has been sent */
        if (service_held(b->service, node) && draw(b, 100) < 30) {
            service_sent(b->service, node);
            service_sent(b->mirror, node);
        }
    }
}

static void nodes_take_requests_while_they_have_room(void **state)
{
    (void)state;
    static const char *const routers[] = {"", "vcs=2", "vcs=4,ports=all", "vcs=2"};
    static const char *const queues[] = {"queue=1", "queue=3", "queue=inf"};
    for (unsigned i = 0; i < COUNT(routers) * COUNT(queues); i++) {
        struct served b;
        char traffic[80];
        snprintf(traffic, sizeof traffic, "uniform:rate=1e-9,m=1,classes=1,reply=2,%s",
                 queues[i % 3]);
        served_open(&b, routers[i / 3], traffic, i / 3 == 3);
        for (unsigned again = 0; again < 2; again++) {
            service_reset(b.service);
            service_reset(b.mirror);
            sources_reset(b.sources);
            senders_reset(&b.senders);
            receivers_reset(&b.receivers);
            memset(b.held, 0, sizeof b.held);
            memset(b.rest, 0, sizeof b.rest);
            b.waiting = b.stalled = 0;
            uint64_t ready = SOURCE_NEVER; /* the first reply wakes its sender */
            for (uint64_t now = 1; now <= SERVED; now++) {
                serve_cycle(&b, now);
                for (uint32_t port = 0; port < b.ports; port++)
                    ready =
                        service_next(b.mirror, port) < ready ? service_next(b.mirror, port) : ready;
                const uint64_t due = senders_next_due(&b.senders);
                assert_true(due == ready || (due < ready && due == sources_next(b.sources, 0)) ||
                            due > SERVED);
                assert_true(ready > SERVED || due <= ready);
            }
            assert_true(ready < SERVED);
            assert_true(b.stalled > 0 || b.w->service.queue != 1);
        }
        served_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a word is accepted at once", a_word_is_accepted_at_once),
        TEST("a port that stalls holds its words", a_port_that_stalls_holds_its_words),
        TEST("each port and cycle has a draw of its own",
             each_port_and_cycle_has_a_draw_of_its_own),
        TEST("nodes take requests while they have room", nodes_take_requests_while_they_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
