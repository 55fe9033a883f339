/* SPDX-License-Identifier: Apache-2.0 */
/* The judgement on the steady state of an open loop, on queues whose load is known: words arrive at
 * random and are served at a fixed rate, one queue for each source or one for all; and on
 * artificial numbers for each criterion alone.
 *
 * test_steady TRIALS: of each row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "measure/steady.h"
#include "traffic/process.h"
#include "traffic/source.h"
#include "unit.h"

enum { SOURCES_MAX = 4096, QUEUE_MAX = 1 << 16 };

/* Sources that create messages of `words` words at `load` times the service rate: `every` cycles a
 * word, of each source or, if they share, of all together, the first source first. */
struct row {
    double load;
    uint32_t words, sources;
    uint64_t window;
    unsigned every;
    bool shared;
};

/* A source's messages that wait: cycles of creation, oldest first. */
struct queue {
    uint64_t created[QUEUE_MAX];
    uint64_t first, next;
    uint32_t left; /* words of the oldest not yet sent */
};

struct bench {
    struct steady s;
    struct process_kind kind; /* of bursty sources */
    struct process *process;  /* [sources] NULL: no bursts */
    struct queue *queue;      /* [sources] */
    uint64_t created[SOURCES_MAX], sent[SOURCES_MAX];
};

static void bench_open(struct bench *b, uint32_t sources, uint64_t window, uint32_t words)
{
    const struct process_words traffic = {.length = words};
    memset(b, 0, sizeof *b);
    assert_true(steady_open(&b->s, sources, 1000, 1000 + window, traffic, NULL));
    steady_reset(&b->s);
}

/* A source's rate is `load` words per cycle and service rate. */
static double rate_of(const struct row *row)
{
    return row->load / row->every / (row->shared ? row->sources : 1);
}

/* The bench is open; its sources become bursty. */
static void make_bursty(struct bench *b, const struct row *row, struct ec_burst burst,
                        uint64_t seed)
{
    struct ec_part part = {.share = 1, .lengths = {.first = row->words, .last = row->words}};
    const struct ec_workload w = {
        .rate = rate_of(row), .parts = &part, .part_count = 1, .burst = burst};
    b->kind = process_kind(&w);
    b->s.traffic[0] = process_traffic(&w);
    b->process = calloc(row->sources, sizeof *b->process);
    assert_non_null(b->process);
    for (uint32_t i = 0; i < row->sources; i++)
        b->process[i] = process_start(&b->kind, ec_rng_key(seed, i));
}

static bool creates(struct bench *b, uint32_t i, const struct row *row, uint64_t key, uint64_t now)
{
    if (!b->process)
        return ec_rng_unit(ec_rng_draw(key, now * row->sources + i)) < rate_of(row) / row->words;
    if (b->process[i].next != now)
        return false;
    process_advance(&b->kind, &b->process[i]);
    return true;
}

static bool inside; /* the time of packets in the network is known, that without waits is not */

static void serve(struct bench *b, uint32_t i, const struct row *row, uint64_t now)
{
    struct queue *q = &b->queue[i];
    b->sent[i]++;
    if (--q->left > 0)
        return;
    const uint64_t created = q->created[q->first++ % QUEUE_MAX];
    if (created > b->s.from && created <= b->s.to) {
        steady_arrived(&b->s, STEADY_PACKET, created, now - created + 1);
        if (inside)
            steady_arrived(&b->s, STEADY_NETWORK, created, row->words);
    }
    q->left = q->first < q->next ? row->words : 0;
}

static void play_cycle(struct bench *b, const struct row *row, uint64_t key, uint64_t now)
{
    for (uint32_t i = 0; i < row->sources; i++) {
        struct queue *q = &b->queue[i];
        if (!creates(b, i, row, key, now))
            continue;
        assert_true(q->next - q->first < QUEUE_MAX);
        if (q->first == q->next)
            q->left = row->words;
        q->created[q->next++ % QUEUE_MAX] = now;
        b->created[i] += row->words;
    }
    for (uint32_t i = 0; now % row->every == 0 && i < row->sources; i++) {
        if (b->queue[i].left == 0)
            continue;
        serve(b, i, row, now);
        if (row->shared)
            break;
    }
}

/* Messages of the window that wait at its end arrive as they would. */
static void drain(struct bench *b, const struct row *row)
{
    bool left = true;
    for (uint64_t now = b->s.to + 1; left; now++) {
        left = false;
        for (uint32_t i = 0; i < row->sources; i++) {
            if (b->queue[i].left > 0 && now % row->every == 0)
                serve(b, i, row, now);
            left |= b->queue[i].left > 0;
        }
    }
}

/* Of the last window. */
static struct steady_finding found;
static struct ec_confidence interval;
static bool known; /* the load and the latency without waits of the next window */

static enum ec_steady try(const struct row *row, struct ec_burst burst, uint64_t seed)
{
    static struct bench b;
    bench_open(&b, row->sources, row->window, row->words);
    b.s.fixed = true;
    b.s.load = known ? row->load : 0;
    b.s.zero_load = known ? row->words : 0;
    b.queue = calloc(row->sources, sizeof *b.queue);
    assert_non_null(b.queue);
    if (burst.cycles > 0)
        make_bursty(&b, row, burst, seed);
    const uint64_t key = ec_rng_key(seed, 99);
    for (uint64_t now = 1; now <= b.s.to; now++) {
        play_cycle(&b, row, key, now);
        if (now == steady_mark(&b.s, b.s.seen))
            steady_sample(&b.s, b.created, b.sent);
    }
    assert_true(steady_complete(&b.s));
    const bool grows = steady_grows(&b.s);
    if (!grows)
        drain(&b, row);
    const struct steady_finding f = steady_judge(&b.s, true);
    assert_int_equal(grows, f.steady == EC_STEADY_GROWS);
    found = f;
    interval = steady_interval(&b.s, &f, STEADY_PACKET);
    free(b.queue);
    free(b.process);
    steady_close(&b.s);
    return f.steady;
}

struct counts {
    unsigned shown, open, grows;
};

static struct counts try_bursts(const struct row *row, struct ec_burst burst, unsigned trials)
{
    struct counts c = {0};
    for (unsigned k = 0; k < trials; k++) {
        const enum ec_steady steady = try(row, burst, k + 1);
        c.shown += steady == EC_STEADY_SHOWN;
        c.open += steady == EC_STEADY_TOO_SHORT;
        c.grows += steady == EC_STEADY_GROWS;
    }
    if (burst.cycles > 0)
        print_message("bursts of %g cycles, %g of the time; ", burst.cycles, burst.on);
    print_message("load %.2f of %u source%s%s, m=%u, window %llu: %u steady, %u not shown, %u "
                  "grow\n",
                  row->load, row->sources, row->sources == 1 ? "" : "s",
                  row->shared ? " that share" : "", row->words, (unsigned long long)row->window,
                  c.shown, c.open, c.grows);
    return c;
}

static struct counts try_all(const struct row *row, unsigned trials)
{
    return try_bursts(row, (struct ec_burst){0}, trials);
}

static void moderate_loads_are_steady(void **state)
{
    static const struct row rows[] = {
        {0.02, 8, 8, 10000, 1, false},  {0.30, 8, 8, 10000, 1, false},
        {0.50, 8, 8, 10000, 1, false},  {0.70, 8, 8, 10000, 1, false},
        {0.80, 8, 8, 10000, 1, false},  {0.80, 4, 8, 10000, 1, false},
        {0.80, 1, 8, 10000, 2, false},  {0.70, 8, 8, 10000, 1, true},
        {0.80, 4, 8, 10000, 1, true},   {0.80, 8, 64, 10000, 1, false},
        {0.80, 8, 64, 40000, 1, false}, {0.50, 4, 16, 3000, 1, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_all(&rows[i], *(unsigned *)*state).shown, *(unsigned *)*state);
}

/* In any window, no growth is reported for a stable queue. */
static void balance_is_no_growth(void **state)
{
    static const struct row rows[] = {
        {0.95, 4, 8, 10000, 1, false}, {0.95, 8, 8, 300, 1, false},   {1.00, 1, 8, 10000, 2, false},
        {1.00, 4, 8, 10000, 2, false}, {1.00, 8, 64, 3000, 2, false}, {0.90, 8, 8, 300, 2, true},
        {1.00, 4, 8, 1000, 2, true},   {1.00, 4, 8, 10000, 2, true},  {0.98, 8, 8, 3000, 2, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_all(&rows[i], *(unsigned *)*state).grows, 0);
}

static void overload_is_never_steady(void **state)
{
    static const struct row rows[] = {
        {1.05, 4, 8, 10000, 2, false}, {1.10, 8, 8, 10000, 2, false},
        {1.10, 1, 8, 3000, 2, false},  {1.20, 8, 8, 10000, 2, true},
        {1.10, 4, 8, 10000, 2, true},  {1.10, 4, 64, 10000, 2, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_all(&rows[i], *(unsigned *)*state).shown, 0);
}

static void clear_overload_is_seen_to_grow(void **state)
{
    static const struct row rows[] = {
        {1.60, 8, 8, 10000, 2, false}, {1.20, 4, 8, 40000, 2, false}, {1.30, 4, 8, 40000, 2, true}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_all(&rows[i], *(unsigned *)*state).grows, *(unsigned *)*state);
}

/* --- Intervals ------------------------------------------------------------------------------ */

/* Each source has a queue with a known mean (test_precision.c derives it). */
static void intervals_contain_the_mean(void **state)
{
    static const struct row rows[] = {
        {0.02, 8, 8, 10000, 1, false},  {0.30, 4, 8, 10000, 1, false},
        {0.50, 4, 1, 10000, 1, false},  {0.50, 16, 8, 10000, 1, false},
        {0.70, 8, 1, 10000, 1, false},  {0.80, 4, 8, 10000, 1, false},
        {0.85, 8, 8, 10000, 1, false},  {0.90, 4, 1, 10000, 1, false},
        {0.90, 4, 8, 10000, 1, false},  {0.90, 8, 8, 10000, 1, false},
        {0.80, 16, 8, 10000, 1, false}, {0.50, 4, 8, 300, 1, false},
        {0.95, 8, 8, 10000, 1, false},
    };
    const unsigned trials = 5 * *(unsigned *)*state;
    double sure = 0, contain = 0, steady = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double load = rows[i].load, m = rows[i].words;
        known = load < 0.95; /* else the bound is far, and quiet windows pass more often */
        inside = !known;
        const double mean = m + load * (m - 1) / (2 * (1 - load));
        unsigned here[3] = {0};
        double half = 0;
        for (unsigned seed = 1; seed <= trials; seed++) {
            if (try(&rows[i], (struct ec_burst){0}, seed) != EC_STEADY_SHOWN)
                continue;
            here[0]++;
            here[1] += interval.has_interval;
            here[2] += interval.has_interval && fabs(found.mean - mean) <= interval.latency_half;
            half += interval.latency_half / mean;
        }
        print_message("load %.2f of %u source%s, m=%g, window %llu: of %u, %u steady, %.1f %% with "
                      "an interval; %.1f %% of these contain the mean; half-width %.1f %%\n",
                      load, rows[i].sources, rows[i].sources == 1 ? "" : "s", m,
                      (unsigned long long)rows[i].window, trials, here[0],
                      100.0 * here[1] / here[0], 100.0 * here[2] / here[1], 100 * half / here[1]);
        assert_true(here[1] > 0.95 * here[0] - 0.05 * trials && here[2] > 0.9 * here[1]);
        steady += here[0];
        sure += here[1];
        contain += here[2];
    }
    known = inside = false;
    assert_true(sure >= 0.95 * steady && contain >= 0.93 * sure);
}

/* Neither the load nor the latency without waits is known: of a router of one's own, for example.
 */
static void waits_at_the_sources_show_short_windows(void **state)
{
    static const struct row row = {0.97, 8, 8, 10000, 1, false};
    inside = true;
    const unsigned shown = try_all(&row, *(unsigned *)*state).shown;
    inside = false;
    const unsigned unseen = try_all(&row, *(unsigned *)*state).shown;
    assert_true(5 * shown < unseen);
}

/* At 99 % of its channel a queue forgets in 20000 cycles; at 100 % there is no steady state. */
static void windows_too_short_for_an_interval_are_not_steady(void **state)
{
    static const struct row rows[] = {{0.99, 2, 8, 10000, 1, false},
                                      {0.98, 4, 1, 10000, 1, false},
                                      {1.00, 4, 8, 10000, 1, false}};
    known = true;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const unsigned trials = *(unsigned *)*state;
        assert_int_equal(try_all(&rows[i], trials).open, trials);
        assert_int_equal(found.beyond, rows[i].load >= 1);
        assert_false(interval.has_interval);
    }
    known = false;
}

/* --- Bursts --------------------------------------------------------------------------------- */

struct bursty {
    struct row row;
    struct ec_burst burst;
};

/* The backlogs of some rows are too large for sources without bursts. */
static void bursts_at_moderate_loads_are_steady(void **state)
{
    static const struct bursty rows[] = {
        {{0.50, 8, 8, 10000, 1, false}, {20, 0.5}},   {{0.80, 4, 8, 10000, 1, false}, {8, 0.9}},
        {{0.30, 2, 8, 40000, 1, false}, {50, 0.25}},  {{0.60, 4, 64, 40000, 1, false}, {40, 0.5}},
        {{0.60, 4, 8, 40000, 1, true}, {60, 0.1}},    {{0.80, 4, 64, 10000, 1, false}, {40, 0.5}},
        {{0.70, 4, 64, 10000, 1, false}, {100, 0.5}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_bursts(&rows[i].row, rows[i].burst, *(unsigned *)*state).shown,
                         *(unsigned *)*state);
}

/* Long bursts move backlogs far and for long. */
static void bursts_in_balance_are_no_growth(void **state)
{
    static const struct bursty rows[] = {
        {{1.00, 8, 8, 40000, 2, false}, {300, 0.1}}, {{1.00, 4, 8, 20000, 2, false}, {500, 0.25}},
        {{0.90, 4, 8, 3000, 2, true}, {200, 0.5}},   {{0.95, 8, 8, 10000, 1, true}, {60, 0.25}},
        {{1.00, 4, 8, 300, 2, false}, {1000, 0.5}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_bursts(&rows[i].row, rows[i].burst, *(unsigned *)*state).grows, 0);
}

static void overload_in_bursts_is_never_steady(void **state)
{
    static const struct bursty rows[] = {
        {{1.30, 4, 8, 10000, 2, false}, {20, 0.5}},   {{1.20, 4, 8, 40000, 2, false}, {50, 0.25}},
        {{1.30, 4, 8, 40000, 2, true}, {40, 0.5}},    {{1.30, 4, 64, 10000, 2, false}, {20, 0.5}},
        {{1.60, 4, 8, 1000, 2, false}, {1000, 0.25}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_bursts(&rows[i].row, rows[i].burst, *(unsigned *)*state).shown, 0);
}

static void clear_overload_in_bursts_is_seen_to_grow(void **state)
{
    static const struct bursty rows[] = {{{1.80, 4, 8, 20000, 2, false}, {20, 0.5}},
                                         {{1.60, 4, 8, 40000, 2, true}, {20, 0.5}}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(try_bursts(&rows[i].row, rows[i].burst, *(unsigned *)*state).grows,
                         *(unsigned *)*state);
}

/* --- One criterion alone -------------------------------------------------------------------- */

/* Every source creates a message each `gap` cycles and has sent it before the next, except for a
 * backlog given by a function of source and cycle. Latency is given, too. */
static struct steady_finding made_up(uint32_t sources,
                                     uint64_t (*kept)(uint32_t source, uint64_t now),
                                     uint64_t (*latency)(uint64_t now))
{
    static struct bench b;
    enum { GAP = 400, WORDS = 8 };
    bench_open(&b, sources, 10000, WORDS);
    for (uint64_t now = 1; now <= b.s.to; now++) {
        for (uint32_t i = 0; i < sources && now % GAP == 1; i++) {
            b.created[i] += WORDS;
            b.sent[i] = b.created[i] - kept(i, now);
        }
        for (unsigned k = 0; now > b.s.from && k < 4; k++)
            steady_arrived(&b.s, STEADY_PACKET, now, latency(now) + k % 2);
        if (now == steady_mark(&b.s, b.s.seen))
            steady_sample(&b.s, b.created, b.sent);
    }
    const struct steady_finding f = steady_judge(&b.s, true);
    steady_close(&b.s);
    return f;
}

static uint64_t nothing(uint32_t source, uint64_t now)
{
    (void)source;
    (void)now;
    return 0;
}

/* Of 25 messages in the window, none is taken. */
static uint64_t all_of_one(uint32_t source, uint64_t now)
{
    return source == 5 ? 8 * (now / 400 + 1) : 0;
}

static uint64_t some_of_each(uint32_t source, uint64_t now)
{
    (void)source;
    return now / 400;
}

static uint64_t even(uint64_t now)
{
    (void)now;
    return 20;
}

/* Small compared with the random variation of a single source, but significant. */
static uint64_t stepping(uint64_t now)
{
    return now < 6000 ? 20 : 40;
}

static uint64_t rising_fast(uint64_t now)
{
    return 200 + now / 40;
}

static void a_starved_source_is_not_steady(void **state)
{
    (void)state;
    static const uint32_t sources[] = {8, 64, SOURCES_MAX};
    for (size_t i = 0; i < COUNT(sources); i++) {
        assert_int_equal(made_up(sources[i], nothing, even).steady, EC_STEADY_SHOWN);
        const struct steady_finding f = made_up(sources[i], all_of_one, even);
        assert_int_not_equal(f.steady, EC_STEADY_SHOWN);
        assert_int_equal(f.port, 5);
        assert_true(f.backlog > f.backlog_limit);
    }
}

/* A word more per message at each source: not much for one, too much for all. */
static void backlogs_that_rise_together_are_not_steady(void **state)
{
    (void)state;
    const struct steady_finding f = made_up(SOURCES_MAX, some_of_each, even);
    assert_true(f.backlog < f.backlog_limit);
    assert_int_not_equal(f.steady, EC_STEADY_SHOWN);
}

static void latency_that_rises_is_not_steady(void **state)
{
    (void)state;
    struct steady_finding f = made_up(64, nothing, stepping);
    assert_true(f.drift > 15 && f.drift < 25);
    assert_int_equal(f.steady, EC_STEADY_TOO_SHORT);
    f = made_up(64, nothing, rising_fast);
    assert_int_equal(f.steady, EC_STEADY_TOO_SHORT);
}

/* The backlog of source 1 is k words at mark k, and the packets of batch k take k + 1 cycles. */
static void findings_are_exact(void **state)
{
    (void)state;
    static struct bench b;
    bench_open(&b, 2, 10 * STEADY_BATCHES, 1);
    for (unsigned k = 0; k <= STEADY_BATCHES; k++) {
        b.created[0] = b.sent[0] = 70;
        b.created[1] = 50 + 4 * k;
        b.sent[1] = b.created[1] - k;
        steady_sample(&b.s, b.created, b.sent);
        if (k < STEADY_BATCHES)
            steady_arrived(&b.s, STEADY_PACKET, steady_mark(&b.s, k) + 1, k + 1);
    }
    const struct steady_finding f = steady_judge(&b.s, true);
    assert_int_equal(steady_created(&b.s), 4 * STEADY_BATCHES);
    assert_int_equal(f.port, 1);
    assert_true(f.backlog == STEADY_BATCHES - (STEADY_QUARTER - 1) / 2.0);
    assert_true(f.rise == STEADY_BATCHES - (STEADY_QUARTER - 1));
    assert_true(f.drift == STEADY_HALF && f.mean == (1 + STEADY_BATCHES) / 2.0);
    steady_close(&b.s);
}

/* Of the sources that were behind at half time: growth over the second half, its standard error
 * from increments over one batch and over two, of which the larger one counts, or at least from
 * chance in the words created. */
static void growth_is_compared_with_its_error(void **state)
{
    (void)state;
    static const struct {
        unsigned step[4];       /* increments of the backlog, in turn */
        uint64_t behind, other; /* words created by a source that is behind, and not */
        double grown, error, chance;
        double period;
        bool grows;
    } rows[] = {
        /* 16 increments that are off by 1: 16 / 15 * 16; over two batches there is no variation */
        {{0, 2, 0, 2}, 0, 0, 16, 256.0 / 15, 0, 0, false},
        {{9, 11, 9, 11}, 0, 0, 160, 256.0 / 15, 0, 0, true},
        /* over two batches 8 increments that are off by 2: 32 / 7 * 8 */
        {{0, 0, 2, 2}, 0, 0, 16, 256.0 / 7, 0, 0, false},
        /* 25 words in messages of 8: V = 25 * 8 in the window, half of it in the second half */
        {{5, 5, 5, 5}, 25, 0, 80, 100, 100, 0, false}, /* 8 errors are not enough */
        {{5, 5, 5, 6}, 25, 0, 84, 100, 100, 0, true},
        {{5, 5, 5, 6}, 25, 0, 84, 100, 100, 101, false}, /* less than ten bursts */
        {{5, 5, 5, 6}, 25, 0, 84, 100, 100, 100, true},
        {{5, 5, 5, 6}, 25, 86, 84, 100, 444, 0, false}, /* 4 sqrt(444) = 84.3 */
        {{5, 5, 5, 6}, 25, 85, 84, 100, 440, 0, true},  /* 4 sqrt(440) = 83.9 */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        static struct bench b;
        bench_open(&b, 2, 1000, 8);
        b.s.traffic[0].period = rows[i].period;
        b.s.source[0].behind = true;
        b.s.source[0].created = rows[i].behind;
        b.s.source[1].created = rows[i].other;
        b.s.behind[0] = 7;
        for (unsigned k = 0; k < STEADY_HALF; k++)
            b.s.behind[k + 1] = b.s.behind[k] + rows[i].step[k % 4];
        const struct steady_finding f = steady_judge(&b.s, false);
        assert_int_equal(f.behind, 1);
        assert_true(f.grown == rows[i].grown);
        assert_true(fabs(f.grown_error * f.grown_error - rows[i].error) < 1e-9);
        assert_true(fabs(f.grown_chance * f.grown_chance - rows[i].chance) < 1e-9);
        assert_int_equal(steady_grows(&b.s), rows[i].grows);
        assert_int_equal(f.steady, rows[i].grows ? EC_STEADY_GROWS : EC_STEADY_TOO_SHORT);
        b.s.source[0].behind = false; /* nobody to blame */
        assert_false(steady_grows(&b.s));
        steady_close(&b.s);
    }
}

/* 400 words since cycle 1 in messages of 4 and of 9 words: behind with a backlog of more than
 * 4 sqrt(400 * 4) + 4 = 164 and 4 sqrt(400 * 9) + 9 = 249 words, at half time only. */
static void a_source_is_behind_by_the_words_of_its_kind(void **state)
{
    (void)state;
    static const uint64_t backlog[] = {164, 249, 165, 250};
    static struct bench b;
    bench_open(&b, COUNT(backlog), 1000, 4);
    b.s.traffic[b.s.kinds++] = (struct process_words){.length = 9};
    for (unsigned k = 0; k <= STEADY_BATCHES; k++) {
        for (uint32_t i = 0; i < COUNT(backlog); i++) {
            b.created[i] = 400;
            b.sent[i] = k == STEADY_HALF - 1 ? 0 : 400 - backlog[i];
        }
        steady_sample(&b.s, b.created, b.sent);
    }
    for (uint32_t i = 0; i < COUNT(backlog); i++)
        assert_int_equal(b.s.source[i].behind, i >= 2);
    for (unsigned k = 0; k <= STEADY_HALF; k++)
        assert_int_equal(b.s.behind[k], 165 + 250);
    steady_close(&b.s);
}

/* docs/MEASUREMENT.md: V = words * (spread - rate), the limits are 1.25 sqrt(V) + spread for the
 * worst source and 0.75 sqrt(sum of V) + mean spread for all together. */
static void limits_of_backlogs_are_exact(void **state)
{
    (void)state;
    static struct bench b;
    bench_open(&b, 4, 1000, 4);
    b.s.traffic[b.s.kinds++] = (struct process_words){.length = 9};
    const double words[] = {100, 200, 300, 600};
    const uint64_t late[] = {8, 24, 16, 8}; /* mean backlogs of the last quarter */
    double all = 0, limit = 0;
    for (unsigned i = 0; i < 4; i++) {
        const double v = words[i] * ((i % 2 ? 9 : 4) - words[i] / 1000);
        all += v;
        limit = i == 1 ? 1.25 * sqrt(v) + 9 : limit; /* 24 words are most, compared with it */
        b.s.source[i].created = (uint64_t)words[i];
        b.s.source[i].late = late[i] * STEADY_QUARTER;
    }
    for (unsigned k = 0; k <= STEADY_BATCHES; k++)
        b.s.backlog[k] = 10 + 2 * k;
    const struct steady_finding f = steady_judge(&b.s, false);
    assert_int_equal(f.port, 1);
    assert_true(fabs(f.backlog - 24) < 1e-9 && fabs(f.backlog_limit - limit) < 1e-9);
    assert_true(fabs(f.rise - 2 * (STEADY_BATCHES - STEADY_QUARTER + 1)) < 1e-9);
    assert_true(fabs(f.rise_limit - (0.75 * sqrt(all) + (400 * 4 + 800 * 9) / 1200.0)) < 1e-9);
    assert_int_equal(f.backlogged, f.rise > f.rise_limit);
    assert_false(f.has_latency);
    steady_close(&b.s);
}

/* The variance of the mean latency of a half from groups of 1, 2 and 4 batches; the largest counts.
 * Ten packets in each batch, with 10 cycles each but for the deviations. */
static void the_error_of_a_drift_is_exact(void **state)
{
    (void)state;
    static const struct {
        int step[8]; /* cycles more in these batches of a half, in turn */
        double variance;
    } rows[] = {
        {{10, -10, 10, -10, 10, -10, 10, -10}, 1600.0 / 25600 * 16 / 15},
        {{10, 10, -10, -10, 10, 10, -10, -10}, 8 * 400.0 / 25600 * 8 / 7},
        {{10, 10, 10, 10, -10, -10, -10, -10}, 4 * 1600.0 / 25600 * 4 / 3},
        {{30, -30, 30, -30, 10, 10, -10, -10}, 8 * 1000.0 / 25600 * 16 / 15},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (unsigned half = 0; half < 3; half++) { /* 2: both */
            static struct bench b;
            bench_open(&b, 1, 1000, 8);
            b.s.source[0].created = 100;
            for (unsigned k = 0; k < STEADY_BATCHES; k++) {
                const bool here = half == 2 || k / STEADY_HALF == half;
                const int64_t cycles = k < STEADY_HALF ? 100 : 140;
                b.s.bin[STEADY_PACKET][k * STEADY_FINER] = (struct estimate_bin){
                    10, (uint64_t)(cycles + (here ? rows[i].step[k % 8] : 0))};
            }
            const struct steady_finding f = steady_judge(&b.s, true);
            const double error = sqrt(rows[i].variance * (half == 2 ? 2 : 1));
            assert_true(f.has_latency && fabs(f.mean - 12) < 1e-9 && fabs(f.drift - 4) < 1e-9);
            assert_true(fabs(f.drift_error - error) < 1e-9);
            /* 0.4 sqrt(spread * window) less 2 errors; but if the drift is 6 errors, 0.25 means */
            const double limit = 0.4 * sqrt(8 * 1000.0) - 2 * error;
            assert_true(fabs(f.drift_limit - (4 > 6 * error ? 3 : limit)) < 1e-9);
            assert_int_equal(f.steady, 4 > 6 * error ? EC_STEADY_TOO_SHORT : EC_STEADY_SHOWN);
            steady_close(&b.s);
        }
    }
}

#define FINDING(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* A window of 1000 cycles from cycle 500 on, unless the row says otherwise. */
static void a_longer_window_is_suggested(void **state)
{
    (void)state;
    static const struct {
        uint64_t from, window, packets;
        double period;
        struct steady_finding f;
        uint64_t cycles;
    } rows[] = {
        {500, 1000, 3200, 0, FINDING(0), 2000},
        {500, 1000, 32, 0, FINDING(0), 3100},     /* 100 / 33 windows for 100 messages */
        {500, 1000, 0, 0, FINDING(0), 100000},    /* one message would be 100 windows */
        {4321, 1000, 3200, 0, FINDING(0), 4400},  /* as long as the warm-up */
        {500, 1000, 3200, 312, FINDING(0), 3200}, /* ten bursts */
        {500, 1000, 3200, 0, FINDING(.relaxation = 200), 8000},
        {500, 1000, 3200, 0, FINDING(.relaxation = 1e30),
         0}, /* next to the bound: none is long enough */
        {500, 1000, 3200, 0, FINDING(.beyond = true), 0},
        {500, 1000, 3200, 0, FINDING(.has_latency = true, .mean = 130), 2600},
        {500, 1000, 0, 0, FINDING(.has_latency = true, .mean = 10), 2000},
        /* (30 / 15)^2 windows for a stable network, and twice as long to be sure */
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 30, .backlog_limit = 15, .rise = 1,
                 .rise_limit = 1),
         8000},
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 15, .backlog_limit = 15, .rise = 2,
                 .rise_limit = 1),
         8000},
        /* (8 * 2 / 10)^2 or (4 * 6 / 10)^2 windows until growth is certain, if that is less */
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 30, .backlog_limit = 15, .rise = 1, .rise_limit = 1,
                 .grown = 10, .grown_error = 2, .grown_chance = 3),
         5200},
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 30, .backlog_limit = 15, .rise = 1, .rise_limit = 1,
                 .grown = 15, .grown_error = 2, .grown_chance = 6),
         5200},
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 30, .backlog_limit = 15, .rise = 1, .rise_limit = 1,
                 .grown = 10, .grown_error = 9, .grown_chance = 3),
         8000},
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 60, .backlog_limit = 15, .rise = 1,
                 .rise_limit = 1),
         10000},
        {500, 1000, 3200, 0,
         FINDING(.backlog = 60, .backlog_limit = 15, .rise = 1, .rise_limit = 1), 2000},
        /* the relaxation time of waits that grow with the window says nothing */
        {500, 1000, 3200, 0,
         FINDING(.backlogged = true, .backlog = 60, .backlog_limit = 15, .rise = 1, .rise_limit = 1,
                 .relaxation = 1e6),
         10000},
        {500, 1000, 3200, 0,
         FINDING(.few = true, .has_latency = true, .mean = 130, .relaxation = 1e6), 2600},
        /* ((4 + 2 * 0.5) / (1 + 2 * 0.5))^2 windows for a drift */
        {500, 1000, 3200, 0,
         FINDING(.has_latency = true, .mean = 10, .drift = 4, .drift_limit = 1, .drift_error = 0.5),
         6300},
        {500, 1000, 3200, 0,
         FINDING(.has_latency = true, .mean = 10, .drift = 4, .drift_limit = 4, .drift_error = 0.5),
         2000},
        {500, 1000, 3200, 0, FINDING(.mean = 10, .drift = 4, .drift_limit = 1, .drift_error = 0.5),
         2000},
        {99, 10, 3200, 0, FINDING(0), 99}, /* two digits, rounded up */
        {100, 10, 3200, 0, FINDING(0), 100},
        {101, 10, 3200, 0, FINDING(0), 110},
        {991, 10, 3200, 0, FINDING(0), 1000},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct steady s;
        const struct process_words traffic = {.length = 1, .period = rows[i].period};
        assert_true(steady_open(&s, 1, rows[i].from, rows[i].from + rows[i].window, traffic, NULL));
        for (unsigned k = 0; k < STEADY_BATCHES; k++)
            s.bin[STEADY_PACKET][k].count = rows[i].packets / STEADY_BATCHES;
        const uint64_t cycles = steady_suggest(&s, &rows[i].f);
        if (cycles != rows[i].cycles)
            fail_msg("row %zu: expected %u cycles, got %u", i, (unsigned)rows[i].cycles,
                     (unsigned)cycles);
        steady_close(&s);
    }
}

static void marks_cut_any_window(void **state)
{
    (void)state;
    static const uint64_t windows[] = {1, 5, 31, 32, 33, 100, 999, 10000, UINT64_C(1) << 60};
    const struct process_words traffic = {.length = 1};
    for (size_t i = 0; i < COUNT(windows); i++) {
        struct steady s;
        assert_true(steady_open(&s, 1, 7, 7 + windows[i], traffic, NULL));
        steady_reset(&s);
        assert_int_equal(steady_mark(&s, 0), 7);
        assert_int_equal(steady_mark(&s, STEADY_BATCHES), 7 + windows[i]);
        assert_true(steady_mark(&s, STEADY_BATCHES + 1) == SOURCE_NEVER);
        for (unsigned k = 0; k < STEADY_BATCHES; k++) {
            const uint64_t begin = steady_mark(&s, k), end = steady_mark(&s, k + 1);
            assert_true(begin <= end && end - begin <= windows[i] / STEADY_BATCHES + 1);
            if (begin == end)
                continue;
            steady_arrived(&s, STEADY_PACKET, begin + 1,
                           1); /* its first cycle and its last are in the batch */
            steady_arrived(&s, STEADY_PACKET, end, 1);
            uint64_t packets = 0;
            for (unsigned bin = 0; bin < STEADY_FINER; bin++)
                packets += s.bin[STEADY_PACKET][k * STEADY_FINER + bin].count;
            assert_int_equal(packets, 2);
        }
        steady_close(&s);
    }
}

/* Random backlogs: what is kept of each source and of all, and that a reset forgets all of it. */
static void samples_add_up(void **state)
{
    (void)state;
    enum { SOURCES = 5 };
    struct steady s;
    assert_true(steady_open(&s, SOURCES, 100, 1000, (struct process_words){.length = 2}, NULL));
    for (uint64_t trial = 0; trial < 20; trial++) {
        uint64_t created[SOURCES] = {0}, sent[SOURCES], before[SOURCES] = {0}, late[SOURCES] = {0};
        uint64_t drawn = 0, behind[STEADY_HALF + 1] = {0}, words = 0;
        for (unsigned mark = 0; mark <= STEADY_BATCHES; mark++) {
            uint64_t all = 0;
            for (unsigned i = 0; i < SOURCES; i++) {
                created[i] += ec_rng_below(ec_rng_draw(trial, drawn++), 60);
                const uint64_t backlog = ec_rng_below(ec_rng_draw(trial, drawn++), created[i] + 1);
                sent[i] = created[i] - backlog;
                before[i] = mark == 0 ? created[i] : before[i];
                late[i] += mark > STEADY_BATCHES - STEADY_QUARTER ? backlog : 0;
                all += backlog;
            }
            steady_sample(&s, created, sent);
            assert_int_equal(s.seen, mark + 1);
            assert_int_equal(s.backlog[mark], all);
            for (unsigned i = 0; mark >= STEADY_HALF && i < SOURCES; i++)
                behind[mark - STEADY_HALF] += s.source[i].behind ? created[i] - sent[i] : 0;
        }
        for (unsigned i = 0; i < SOURCES; i++) {
            assert_int_equal(s.source[i].before, before[i]);
            assert_int_equal(s.source[i].created, created[i] - before[i]);
            assert_int_equal(s.source[i].late, late[i]);
            words += created[i] - before[i];
        }
        assert_int_equal(steady_created(&s), words);
        assert_memory_equal(s.behind, behind, sizeof behind);
        steady_reset(&s);
        for (unsigned i = 0; i < SOURCES; i++) {
            const struct steady_source *x = &s.source[i];
            assert_true(!x->before && !x->created && !x->late && !x->behind);
        }
    }
    steady_close(&s);
}

int main(int argc, char **argv)
{
    unsigned trials = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        {"moderate loads are steady", moderate_loads_are_steady, NULL, NULL, &trials},
        {"balance is not growth", balance_is_no_growth, NULL, NULL, &trials},
        {"overload is never steady", overload_is_never_steady, NULL, NULL, &trials},
        {"clear overload is seen to grow", clear_overload_is_seen_to_grow, NULL, NULL, &trials},
        {"bursts at moderate loads are steady", bursts_at_moderate_loads_are_steady, NULL, NULL,
         &trials},
        {"bursts in balance are not growth", bursts_in_balance_are_no_growth, NULL, NULL, &trials},
        {"overload in bursts is never steady", overload_in_bursts_is_never_steady, NULL, NULL,
         &trials},
        {"clear overload in bursts is seen to grow", clear_overload_in_bursts_is_seen_to_grow, NULL,
         NULL, &trials},
        {"intervals contain the mean", intervals_contain_the_mean, NULL, NULL, &trials},
        {"waits at the sources show short windows", waits_at_the_sources_show_short_windows, NULL,
         NULL, &trials},
        {"windows too short for an interval are not steady",
         windows_too_short_for_an_interval_are_not_steady, NULL, NULL, &trials},
        TEST("a starved source is not steady", a_starved_source_is_not_steady),
        TEST("backlogs that rise together are not steady",
             backlogs_that_rise_together_are_not_steady),
        TEST("latency that rises is not steady", latency_that_rises_is_not_steady),
        TEST("findings are exact", findings_are_exact),
        TEST("growth is compared with its error", growth_is_compared_with_its_error),
        TEST("a source is behind by the words of its kind",
             a_source_is_behind_by_the_words_of_its_kind),
        TEST("limits of backlogs are exact", limits_of_backlogs_are_exact),
        TEST("the error of a drift is exact", the_error_of_a_drift_is_exact),
        TEST("a longer window is suggested", a_longer_window_is_suggested),
        TEST("samples add up", samples_add_up),
        TEST("marks cut any window into batches", marks_cut_any_window),
    };
    if (trials == 0) {
        fprintf(stderr, "usage: %s TRIALS\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}
