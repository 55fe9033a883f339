/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of a point on a queue with a known answer: one link, messages of fixed length,
 * Bernoulli arrivals (Geo/D/1), and overloads of it.
 *
 * test_precision SEEDS: of each row. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "measure/precision.h"
#include "program/sweep/replicas.h"
#include "traffic/source.h"
#include "unit.h"

/* --- The exact answer ------------------------------------------------------------------------- */

/* In each cycle a message of m words arrives with probability p and the link sends one word. Let V
 * be the words left at the beginning of a cycle, before an arrival. Then V' = max(V + m B - 1, 0),
 * and an arrival waits V cycles, because arrivals do not depend on the past. The distribution of V
 * follows from P(V = j) = (1 - p) P(V = j + 1) + p P(V = j + 1 - m) for j > 0, and its mean from
 * the first two moments of V: p m (m - 1) / (2 (1 - p m)) (H. Takagi, "Queueing Analysis", volume
 * 3, 1993). */
enum { TAIL = 1 << 14 };

struct answer {
    double mean;
    uint64_t p50, p95, p99;
};

static double mean_of(double load, unsigned m)
{
    return m + load * (m - 1) / (2 * (1 - load));
}

static uint64_t rank_of(const double *chance, unsigned m, double percent)
{
    double sum = 0;
    for (uint64_t j = 0; j < TAIL; j++) {
        sum += chance[j];
        if (sum >= percent / 100)
            return j + m;
    }
    fail_msg("the distribution has a longer tail");
    return 0;
}

static struct answer answer_of(double load, unsigned m)
{
    static double chance[TAIL], next[TAIL];
    const double p = load / m;
    double change = 1, mean = 0;
    memset(chance, 0, sizeof chance);
    chance[0] = 1;
    while (change > 1e-13) {
        change = 0;
        for (unsigned j = 0; j < TAIL; j++) {
            next[j] = (j + 1 < TAIL ? (1 - p) * chance[j + 1] : 0) +
                      (j + 1 >= m ? p * chance[j + 1 - m] : 0);
            next[j] += j == 0 ? (1 - p) * chance[0] : 0;
            change = fmax(change, fabs(next[j] - chance[j]));
        }
        memcpy(chance, next, sizeof chance);
    }
    for (unsigned j = 0; j < TAIL; j++)
        mean += chance[j] * (j + m);
    assert_true(fabs(mean - mean_of(load, m)) < 1e-6 * mean);
    return (struct answer){mean, rank_of(chance, m, 50), rank_of(chance, m, 95),
                           rank_of(chance, m, 99)};
}

/* --- The queue -------------------------------------------------------------------------------- */

enum { RING = 1 << 20, CLASSES = 2 };

/* Of the messages. Chance decides the class, so a class has the latency of all. */
static const double class_share[CLASSES] = {0.75, 0.25};

struct queue {
    uint64_t key, draws;
    double miss; /* log of the probability of no arrival in a cycle */
    unsigned m;
    uint64_t made, sent; /* messages created; gone */
    uint64_t next;       /* cycle of the next arrival */
    uint64_t free;       /* the first cycle in which the link is free */
    uint64_t made_of[CLASSES], sent_of[CLASSES];
    struct {
        uint64_t created, start; /* cycles: of arrival, of the first word */
        unsigned class_;
    } ring[RING];
};

static void arrive(struct queue *q)
{
    const double u = ec_rng_unit(ec_rng_draw(q->key, q->draws++));
    assert_true(q->made - q->sent < RING);
    const uint64_t start = q->next > q->free ? q->next : q->free;
    const unsigned class_ = ec_rng_unit(ec_rng_draw(~q->key, q->made)) >= class_share[0];
    q->ring[q->made % RING].class_ = class_;
    q->made_of[class_]++;
    q->ring[q->made % RING].created = q->next;
    q->ring[q->made++ % RING].start = start;
    q->free = start + q->m;
    q->next += 1 + (uint64_t)(log1p(-u) / q->miss);
}

/* Play to the end of cycle `now`. */
static void play(struct queue *q, struct precision *x, uint64_t now)
{
    while (q->next <= now)
        arrive(q);
    for (; q->sent < q->made; q->sent++) {
        const uint64_t created = q->ring[q->sent % RING].created;
        const uint64_t last = q->ring[q->sent % RING].start + q->m - 1;
        if (last > now)
            break;
        const unsigned class_ = q->ring[q->sent % RING].class_;
        q->sent_of[class_]++;
        precision_arrived(x, &(struct precision_packet){.last = true,
                                                        .class_ = class_,
                                                        .created = created,
                                                        .latency = last - created + 1,
                                                        .network = q->m});
    }
}

/* Words of the message on the link that have been sent by the end of cycle `now`. */
static uint64_t part(const struct queue *q, uint64_t now)
{
    if (q->sent == q->made || q->ring[q->sent % RING].start > now)
        return 0;
    return now - q->ring[q->sent % RING].start + 1;
}

static struct queue q;

/* Of the last measurement. */
static struct part {
    double latency, accepted;
    uint64_t max;
    struct ec_confidence confidence;
} parts[CLASSES];

static void note_parts(const struct precision *x)
{
    for (unsigned k = 0; k < CLASSES; k++) {
        const struct precision_series *s = &x->classes[k];
        parts[k] = (struct part){s->packet.mean, s->accepted, s->packet.max, s->confidence};
    }
}

static struct ec_measurement measure(const struct ec_precision *goal, double load, unsigned m,
                                     uint64_t seed)
{
    static struct precision x;
    const struct process_words traffic = {.length = m};
    memset(&q, 0, offsetof(struct queue, ring));
    q.key = ec_rng_key(seed, 7);
    q.miss = log1p(-load / m);
    q.m = m;
    q.next = (uint64_t)(log1p(-ec_rng_unit(ec_rng_draw(q.key, q.draws++))) / q.miss) + 1;
    assert_true(precision_open(&x, goal, 1, 1, traffic, NULL, 20000, NULL));
    assert_true(precision_add_classes(&x, CLASSES));
    precision_reset(&x);
    for (uint64_t now = 0;;) {
        const uint64_t mark = precision_mark(&x, now);
        now = mark > now ? mark : now + 1;
        play(&q, &x, now);
        const uint64_t created = q.made * m, words = q.sent * m + part(&q, now);
        struct precision_words classes[CLASSES];
        for (unsigned k = 0; k < CLASSES; k++)
            classes[k] = (struct precision_words){q.sent_of[k] * m, q.made_of[k] * m};
        classes[q.ring[q.sent % RING].class_].arrived += part(&q, now);
        const struct precision_sample s = {.cycle = now,
                                           .words = words,
                                           .classes = classes,
                                           .messages = q.sent,
                                           .created_messages = q.made,
                                           .created = &created,
                                           .sent = &words,
                                           .accepted = &words};
        if (precision_sample(&x, &s))
            break;
    }
    assert_false(x.memory_short);
    const struct ec_measurement found = x.found;
    note_parts(&x);
    precision_close(&x);
    return found;
}

/* --- Coverage --------------------------------------------------------------------------------- */

struct row {
    double load;
    unsigned m;
    double relative;
};

struct coverage {
    unsigned steady, mean, accepted, p50, p95, p99; /* seeds whose interval has the true value */
    unsigned part, part_accepted;                   /* the same for the smaller class */
    unsigned pairs, alike;                          /* pairs of seeds; those that agree */
    double farthest;                                /* difference of a pair, in standard errors */
    double half;                                    /* sum of half / mean */
};

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static void compare(struct coverage *c, const struct ec_measurement *a,
                    const struct ec_measurement *b)
{
    const double half = hypot(a->latency_half, b->latency_half);
    const double off = fabs(a->latency - b->latency);
    c->pairs++;
    c->alike += off <= half;
    c->farthest = fmax(c->farthest, 1.96 * off / half);
}

static struct coverage cover(const struct row *row, unsigned seeds)
{
    const struct answer is = answer_of(row->load, row->m);
    const struct ec_precision goal = {.relative = row->relative, .limit = UINT64_C(1) << 26};
    struct coverage c = {0};
    struct ec_measurement before = {0};
    for (unsigned seed = 1; seed <= seeds; seed++) {
        const struct ec_measurement m = measure(&goal, row->load, row->m, seed);
        c.steady += m.state == EC_MEASURED_STEADY;
        c.mean += fabs(m.latency - is.mean) <= m.latency_half;
        c.accepted += fabs(m.accepted - row->load) <= m.accepted_half;
        c.p50 += within((double)is.p50, (double)m.p50.low, (double)m.p50.high);
        c.p95 += within((double)is.p95, (double)m.p95.low, (double)m.p95.high);
        c.p99 += within((double)is.p99, (double)m.p99.low, (double)m.p99.high);
        c.part += fabs(parts[1].latency - is.mean) <= parts[1].confidence.latency_half;
        c.part_accepted += fabs(parts[1].accepted - class_share[1] * row->load) <=
                           parts[1].confidence.accepted_half;
        c.half += m.latency_half / m.latency;
        if (seed % 2 == 0)
            compare(&c, &before, &m);
        before = m;
    }
    const double all = seeds / 100.0;
    print_message("load %.2f, m=%u, +-%g %%: of %u, %.1f %% contain the mean, accepted %.1f %%, "
                  "p50 %.1f %%, p95 %.1f %%, p99 %.1f %%, a class %.1f %%, %.1f %%; of %u pairs "
                  "%.1f %% agree, at most %.1f "
                  "standard errors; half-width %.2f %%\n",
                  row->load, row->m, 100 * row->relative, seeds, c.mean / all, c.accepted / all,
                  c.p50 / all, c.p95 / all, c.p99 / all, c.part / all, c.part_accepted / all,
                  c.pairs, 100.0 * c.alike / c.pairs, c.farthest, c.half / all);
    return c;
}

static void intervals_contain_the_truth(void **state)
{
    static const struct row rows[] = {
        {0.30, 4, 0.02}, {0.50, 4, 0.02}, {0.70, 4, 0.02}, {0.85, 4, 0.02}};
    const unsigned seeds = *(unsigned *)*state;
    const double n = seeds;
    const double chance = 3 * sqrt(0.95 * 0.05 / n) - 3 * sqrt(0.95 * 0.05 / 2000);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct coverage c = cover(&rows[i], seeds);
        assert_int_equal(c.steady, seeds);
        assert_true(c.mean >= (0.935 - chance) * n && c.mean <= (0.97 + chance) * n);
        assert_true(c.accepted >= (0.935 - chance) * n);
        assert_true(c.p50 >= (0.935 - chance) * n);
        assert_true(c.p95 >= (0.935 - chance) * n && c.p99 >= (0.935 - chance) * n);
        assert_true(c.part >= (0.935 - chance) * n && c.part_accepted >= (0.935 - chance) * n);
        assert_true(c.alike >= (0.93 - 2 * chance) * c.pairs);
        assert_true(c.farthest <= 4.5);
    }
}

/* --- Replicas --------------------------------------------------------------------------------- */

enum { REPLICAS = 8 };

struct pooled {
    struct replicas_mean mean;
    uint64_t cycles, spent; /* of a replica at last; of all in all rounds */
    bool steady;
};

/* A point as `ecube sweep --replicas` measures it. */
static struct pooled pool(double load, double relative, uint64_t limit, uint64_t seed)
{
    struct replica r[REPLICAS];
    struct pooled p = {.cycles = replicas_first(REPLICAS, limit)};
    for (uint64_t next = p.cycles; next > 0;) {
        const struct ec_precision goal = {.relative = EC_PRECISION_LEAST, .limit = next};
        p.cycles = next;
        p.spent += REPLICAS * next;
        p.steady = true;
        for (unsigned k = 0; k < REPLICAS; k++) {
            const struct ec_measurement m = measure(&goal, load, 4, seed + k);
            r[k] = (struct replica){.steady = m.state == EC_MEASURED_LIMIT,
                                    .packets = m.packets,
                                    .batches = m.batches,
                                    .mean = m.latency,
                                    .error = m.latency_error,
                                    .skew = m.latency_skew};
            p.steady = p.steady && r[k].steady;
        }
        next = replicas_next(r, REPLICAS, relative, p.cycles, limit);
    }
    p.mean = replicas_pool(r, REPLICAS);
    return p;
}

static void pooled_intervals_contain_the_truth(void **state)
{
    static const struct {
        double load, relative;
    } rows[] = {{0.5, 0.05}, {0.7, 0.05}, {0.9, 0.05}, {0.95, 0.05}};
    const unsigned points = *(unsigned *)*state;
    const double n = points, chance = 3 * sqrt(0.95 * 0.05 / n);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double truth = mean_of(rows[i].load, 4);
        unsigned good = 0;
        const struct ec_precision alone = {.relative = rows[i].relative,
                                           .limit = UINT64_C(1) << 26};
        double half = 0, cycles = 0, spent = 0, single = 0;
        for (unsigned point = 0; point < points; point++) {
            const struct pooled p = pool(rows[i].load, rows[i].relative, UINT64_C(1) << 26,
                                         1 + (uint64_t)point * REPLICAS);
            assert_true(p.steady && p.mean.half <= rows[i].relative * p.mean.mean);
            good += fabs(p.mean.mean - truth) <= p.mean.half;
            half += p.mean.half / p.mean.mean;
            cycles += (double)(REPLICAS * p.cycles);
            spent += (double)p.spent;
            const struct ec_measurement m = measure(&alone, rows[i].load, 4, point + 1);
            single += (double)(m.truncated + m.window);
        }
        print_message("load %.2f, %d replicas, +-%g %%: %u of %u contain the mean; half-width %.2f "
                      "%%; %.0f cycles in the last round, %.0f in all; %.0f of a single run\n",
                      rows[i].load, REPLICAS, 100 * rows[i].relative, good, points, 100 * half / n,
                      cycles / n, spent / n, single / n);
        assert_true(good >= (0.95 - chance) * n);
    }
}

static void replicas_share_the_limit(void **state)
{
    (void)state;
    static const uint64_t limits[] = {1, 7, 4000, 4096, 5000, 100000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        const struct pooled p = pool(0.9, 0.001, limits[i], 1);
        assert_int_equal(p.cycles, limits[i] < REPLICAS ? 1 : limits[i] / REPLICAS);
    }
    assert_int_equal(replicas_first(REPLICAS, UINT64_MAX), 512);
    assert_int_equal(replicas_first(4, UINT64_MAX), 1024);
    assert_int_equal(replicas_first(4, 4000), 1000);
}

static void the_wider_interval_counts(void **state)
{
    (void)state;
    struct replica r[4];
    for (unsigned k = 0; k < 4; k++)
        r[k] = (struct replica){true, 1000, 1000, k % 2 ? 9 : 11, 2, 0.5};
    /* By the spread 3.18245 sqrt(4 / 3) / 2, by the batches 1.96 * 2 / 2 + 0.5 / 4. */
    struct replicas_mean m = replicas_pool(r, 4);
    assert_true(fabs(m.mean - 10) < 1e-12 && fabs(m.half - (1.961 + 0.125)) < 0.001);
    for (unsigned k = 0; k < 4; k++)
        r[k].error = 1;
    m = replicas_pool(r, 4);
    assert_true(fabs(m.half - 3.18245 * sqrt(4.0 / 3) / 2) < 1e-9);
    assert_int_equal(replicas_next(r, 4, m.half / m.mean + 1e-9, 8192, 1000000), 0);
    assert_int_equal(replicas_next(r, 4, m.half / m.mean / 1.2, 8192, 1000000), 2 * 8192);
    assert_int_equal(replicas_next(r, 4, m.half / m.mean / 2, 8192, 1000000), 8 * 8192);
    assert_true(replicas_enough(r, 4));
    r[3].packets = 64 * 4 - 1; /* of each replica, for each replica */
    assert_false(replicas_enough(r, 4));
    assert_int_equal(replicas_next(r, 4, 0.5, 8192, 1000000), 2 * 8192);
    r[3].steady = false;
    assert_int_equal(replicas_next(r, 4, 0.5, 8192, 1000000), 4 * 8192);
    assert_int_equal(replicas_next(r, 4, 0.5, 8192, 200000), 50000);
    assert_int_equal(replicas_next(r, 4, 0.5, 50000, 200000), 0);
}

/* --- Exact figures ---------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The figures of all messages (class CLASSES) or of a class in the window, recomputed from the
 * messages; latency[count] sorted. */
static void recompute(const struct ec_measurement *m, unsigned class_, uint64_t *latency,
                      struct part *ret)
{
    const uint64_t from = m->truncated, to = m->truncated + m->window;
    uint64_t count = 0, sum = 0, words = 0;
    for (uint64_t i = 0; i < q.made; i++) {
        const uint64_t created = q.ring[i].created, first = q.ring[i].start;
        if (class_ < CLASSES && q.ring[i].class_ != class_)
            continue;
        for (uint64_t cycle = first; cycle < first + q.m; cycle++)
            words += cycle > from && cycle <= to;
        if (created <= from || created > to)
            continue;
        latency[count] = first + q.m - created;
        sum += latency[count++];
    }
    qsort(latency, count, sizeof *latency, by_value);
    *ret = (struct part){.latency = (double)sum / (double)count,
                         .accepted = (double)words / (double)m->window,
                         .max = latency[count - 1],
                         .confidence = {.packets = count,
                                        .p50.value = latency[(count * 50 + 99) / 100 - 1],
                                        .p95.value = latency[(count * 95 + 99) / 100 - 1],
                                        .p99.value = latency[(count * 99 + 99) / 100 - 1]}};
}

static void assert_same(const struct part *a, const struct part *b)
{
    assert_int_equal(a->confidence.packets, b->confidence.packets);
    assert_true(a->latency == b->latency);
    assert_true(a->accepted == b->accepted);
    assert_int_equal(a->max, b->max);
    assert_int_equal(a->confidence.p50.value, b->confidence.p50.value);
    assert_int_equal(a->confidence.p95.value, b->confidence.p95.value);
    assert_int_equal(a->confidence.p99.value, b->confidence.p99.value);
}

/* The ring has all messages. */
static void check_figures(const struct ec_measurement *m)
{
    static uint64_t latency[RING];
    const struct part all = {m->latency,
                             m->accepted,
                             m->max,
                             {.packets = m->packets, .p50 = m->p50, .p95 = m->p95, .p99 = m->p99}};
    struct part expected;
    assert_true(q.made < RING);
    recompute(m, CLASSES, latency, &expected);
    assert_same(&all, &expected);
    for (unsigned k = 0; k < CLASSES; k++) {
        recompute(m, k, latency, &expected);
        assert_same(&parts[k], &expected);
    }
}

static void figures_are_those_of_the_window(void **state)
{
    (void)state;
    static const uint64_t limits[] = {512, 513, 1000, 4096, 5000, 12288, 20000, 100001};
    for (size_t i = 0; i < COUNT(limits); i++) {
        for (uint64_t first = 512; first <= 8192; first *= 4) {
            const struct ec_precision goal = {
                .relative = 0.001, .first = first, .limit = limits[i]};
            const struct ec_measurement m = measure(&goal, 0.8, 4, limits[i]);
            assert_true(m.state == EC_MEASURED_LIMIT || m.state == EC_MEASURED_TOO_SHORT);
            const uint64_t to = m.truncated + m.window;
            assert_true(to <= limits[i] && 33 * to > 32 * limits[i] && m.truncated <= to / 2 + 16);
            check_figures(&m);
        }
    }
}

/* --- States ----------------------------------------------------------------------------------- */

static void an_overload_has_no_latency(void **state)
{
    (void)state;
    static const double loads[] = {1.05, 1.2, 2};
    const struct ec_precision goal = {.relative = 0.02};
    for (size_t i = 0; i < COUNT(loads); i++) {
        const struct ec_measurement m = measure(&goal, loads[i], 4, 1);
        assert_int_equal(m.state, EC_MEASURED_SATURATED);
        assert_false(m.has_latency);
        assert_true(m.latency <= 0 && m.max == 0 && m.batches == 0);
        assert_true(fabs(m.accepted - 1) <= m.accepted_half + 1e-12);
    }
}

static void the_precision_decides_the_length(void **state)
{
    (void)state;
    struct ec_precision goal = {.relative = 0.08};
    uint64_t before = 0;
    for (; goal.relative > 0.01; goal.relative /= 4) {
        const struct ec_measurement m = measure(&goal, 0.5, 4, 3);
        assert_int_equal(m.state, EC_MEASURED_STEADY);
        assert_true(m.latency_half <= goal.relative * m.latency && m.independent);
        assert_true(m.truncated + m.window > before);
        before = m.truncated + m.window;
    }
    goal.limit = before / 2;
    assert_int_equal(measure(&goal, 0.5, 4, 3).state, EC_MEASURED_LIMIT);
}

static void a_mean_above_the_bound_is_slow(void **state)
{
    (void)state;
    struct ec_precision goal = {.relative = 0.001, .saturated_latency = 0.8 * mean_of(0.85, 4)};
    const struct ec_measurement m = measure(&goal, 0.85, 4, 1);
    assert_int_equal(m.state, EC_MEASURED_SLOW);
    assert_true(m.latency - m.latency_half > goal.saturated_latency);
    goal.saturated_latency = 1.2 * mean_of(0.85, 4);
    goal.relative = 0.05;
    assert_int_equal(measure(&goal, 0.85, 4, 1).state, EC_MEASURED_STEADY);
}

/* With fewer than 200 packets there is no interval, and with fewer than 2000 none is trusted. */
static void few_packets_have_no_interval(void **state)
{
    (void)state;
    const struct ec_precision goal = {.relative = 0.5, .limit = 20000};
    const struct ec_measurement m = measure(&goal, 0.02, 4, 1);
    assert_int_equal(m.state, EC_MEASURED_TOO_SHORT);
    assert_true(m.has_latency && m.packets > 0 && m.batches == 0);
    const struct ec_precision rough = {.relative = 0.5};
    assert_true(measure(&rough, 0.3, 4, 1).packets >= 2000);
}

/* Even if its batches pass every test. */
static void without_a_steady_state_there_is_no_interval(void **state)
{
    (void)state;
    const struct ec_precision goal = {.relative = 0.001, .limit = 4096};
    unsigned doubted = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const struct ec_measurement m = measure(&goal, 0.5, 4, seed);
        assert_true(m.state != EC_MEASURED_TOO_SHORT || !m.has_interval);
        doubted += m.state == EC_MEASURED_TOO_SHORT && m.batches > 0 && m.independent;
    }
    assert_true(doubted > 0);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        {"intervals contain the true value", intervals_contain_the_truth, NULL, NULL, &seeds},
        {"pooled intervals contain the true value", pooled_intervals_contain_the_truth, NULL, NULL,
         &seeds},
        TEST("replicas share the limit", replicas_share_the_limit),
        TEST("the wider interval counts", the_wider_interval_counts),
        TEST("figures are those of the window", figures_are_those_of_the_window),
        TEST("an overload has no latency", an_overload_has_no_latency),
        TEST("the precision decides the length", the_precision_decides_the_length),
        TEST("a mean above the bound is slow", a_mean_above_the_bound_is_slow),
        TEST("few packets have no interval", few_packets_have_no_interval),
        TEST("without a steady state there is no interval",
             without_a_steady_state_there_is_no_interval),
    };
    if (seeds == 0) {
        fprintf(stderr, "usage: %s SEEDS\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests_name("precision", tests, NULL, NULL);
}
