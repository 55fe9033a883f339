/* SPDX-License-Identifier: Apache-2.0 */
/* The random process of a source with bursts: its rate, its stationary start, the lengths of its
 * periods and its variance, all from the parameters alone; and mixtures of patterns. Seeds are
 * fixed; the bounds are five deviations. */
#include "traffic/process.h"

#include <math.h>
#include <string.h>

#include "traffic/source.h"
#include "unit.h"

enum { STREAMS = 4000 };

struct row {
    double rate, words, cycles, on; /* of the workload */
};

static const struct row rows[] = {
    {0.2, 4, 50, 0.25}, {0.5, 1, 8, 0.5},    {0.1, 8, 1, 0.3},     {0.4, 2, 3, 0.75},
    {0.9, 1, 20, 0.95}, {0.25, 1, 10, 0.25}, {0.01, 8, 200, 0.05},
};

static struct process_kind open_kind(const struct row *row, struct ec_workload *w,
                                     struct ec_part *part)
{
    const uint32_t words = (uint32_t)row->words;
    *part = (struct ec_part){.share = 1, .lengths = {.first = words, .last = words}};
    *w = (struct ec_workload){.open_loop = true,
                              .rate = row->rate,
                              .parts = part,
                              .part_count = 1,
                              .burst = {.cycles = row->cycles, .on = row->on}};
    return process_kind(w);
}

/* Messages of a stream in cycles first..last, from the start. */
static unsigned count(const struct process_kind *k, uint64_t seed, uint64_t first, uint64_t last)
{
    struct process p = process_start(k, ec_rng_key(seed, 7));
    unsigned messages = 0;
    for (; p.next <= last; process_advance(k, &p))
        messages += p.next >= first;
    return messages;
}

/* Messages per cycle, in the first cycles and later: the start is stationary. */
static void the_rate_is_exact_from_the_first_cycle_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_workload w;
        struct ec_part part;
        const struct process_kind k = open_kind(&rows[i], &w, &part);
        const double p = rows[i].rate / rows[i].words, bound = 5 * sqrt(p * (1 - p) / STREAMS);
        static const uint64_t cycles[] = {1, 2, 5, 50};
        for (size_t c = 0; c < COUNT(cycles); c++) {
            unsigned seen = 0;
            for (uint64_t seed = 0; seed < STREAMS; seed++)
                seen += count(&k, seed, cycles[c], cycles[c]);
            if (fabs((double)seen / STREAMS - p) > bound)
                fail_msg("row %zu, cycle %llu: %.5f messages, should be %.5f +- %.5f", i,
                         (unsigned long long)cycles[c], (double)seen / STREAMS, p, bound);
        }
    }
}

/* Peak rate 1: every cycle of an on period has a message, so the periods can be seen. */
static void periods_have_the_lengths_asked_for(void **state)
{
    static const struct row dense = {0.25, 1, 10, 0.25};
    struct ec_workload w;
    struct ec_part part;
    const struct process_kind k = open_kind(&dense, &w, &part);
    struct process p = process_start(&k, ec_rng_key(3, 4));
    enum { PERIODS = 40000 };
    double on = 0, on_squares = 0, off = 0, off_squares = 0;
    (void)state;
    for (unsigned n = 0; n < PERIODS; n++) {
        const uint64_t first = p.next;
        uint64_t last;
        do {
            last = p.next;
            process_advance(&k, &p);
        } while (p.next == last + 1);
        if (n == 0)
            continue; /* the rest of a period */
        const double x = (double)(last - first + 1), y = (double)(p.next - last - 1);
        on += x;
        on_squares += x * x;
        off += y;
        off_squares += y * y;
    }
    const double n = PERIODS - 1, pause = 30;
    assert_true(fabs(on / n - 10) < 5 * sqrt(10 * 9 / n));
    assert_true(fabs(off / n - pause) < 5 * sqrt(pause * (pause - 1) / n));
    /* Geometric: variance B (B - 1). Five deviations of a sample variance with kurtosis 9. */
    const double spread = on_squares / n - on / n * (on / n);
    assert_true(fabs(spread - 90) < 5 * 90 * sqrt(8 / n));
    const double wide = off_squares / n - off / n * (off / n);
    assert_true(fabs(wide - pause * (pause - 1)) < 5 * pause * (pause - 1) * sqrt(8 / n));
}

/* Var N = n p (1 - p) + 2 sum over k of (n - k) cov(k), cov(k) = r^2 f (1 - f) rho^k: summed term
 * by term, and compared with counts and with what steady.c gets. */
static void the_variance_is_that_of_the_formula(void **state)
{
    static const unsigned spans[] = {1, 10, 100, 600};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_workload w;
        struct ec_part part;
        const struct process_kind k = open_kind(&rows[i], &w, &part);
        const struct process_words t = process_traffic(&w);
        const double p = rows[i].rate / rows[i].words, f = rows[i].on, r = p / f;
        const double b = 1 / rows[i].cycles, a = b * f / (1 - f), rho = 1 - a - b;
        assert_true(fabs(rho - t.memory) < 1e-12 && fabs(t.period - (1 / a + 1 / b)) < 1e-6);
        for (size_t s = 0; s < COUNT(spans); s++) {
            const double n = spans[s];
            double expected = n * p * (1 - p), sum = 0, squares = 0;
            for (unsigned lag = 1; lag < spans[s]; lag++)
                expected += 2 * (n - lag) * r * r * f * (1 - f) * pow(rho, lag);
            for (uint64_t seed = 0; seed < STREAMS; seed++) {
                const double x = count(&k, seed, 11, 10 + spans[s]);
                sum += x;
                squares += x * x;
            }
            const double mean = sum / STREAMS, seen = squares / STREAMS - mean * mean;
            if (fabs(mean - n * p) > 5 * sqrt(expected / STREAMS))
                fail_msg("row %zu: %.3f messages in %.0f cycles, should be %.3f", i, mean, n,
                         n * p);
            /* The kurtosis of so few rare messages is large. */
            if (n * p > 1 && fabs(seen - expected) > 5 * expected * sqrt(12.0 / STREAMS))
                fail_msg("row %zu, %.0f cycles: variance %.3f, should be %.3f", i, n, seen,
                         expected);
            const double words = n * rows[i].rate;
            const double ours =
                words * process_spread(&t, rows[i].rate, n) - words * rows[i].rate; /* words^2 */
            const double theirs = expected * rows[i].words * rows[i].words;
            if (fabs(ours - theirs) > 1e-9 * theirs)
                fail_msg("row %zu, %.0f cycles: V = %.9g, should be %.9g", i, n, ours, theirs);
            /* Half of an odd window. */
            assert_true(process_spread(&t, rows[i].rate, n - 0.5) ==
                        process_spread(&t, rows[i].rate, n));
        }
    }
}

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct sources *s;
};

static void bench_open(struct bench *b, const char *topology, const char *workload)
{
    struct ec_error error;
    if (ec_topology_parse(topology, &b->t, &error) || ec_router_parse("", &b->t, &b->r, &error) ||
        ec_workload_open(workload, &b->t, 1, &b->w, &error))
        fail_msg("%s", error.message);
    b->s = sources_open(&b->t, &b->r, b->w, 1, NULL);
    assert_non_null(b->s);
}

static void bench_close(struct bench *b)
{
    sources_close(b->s);
    ec_workload_close(b->w);
}

/* Shares of the messages, lengths and destinations of each part; node 0 drops those of transpose,
 * so its rate is lower. */
static void messages_are_drawn_from_the_parts(void **state)
{
    enum { DRAWS = 40000 };
    static const double share[] = {0.5, 0.3, 0.2};
    struct bench b;
    (void)state;
    bench_open(&b, "mesh:4x4",
               "mix:rate=0.4,m=2,of=uniform@5+transpose@3+hotspot:node=7:share=1:m=16@2");
    assert_int_equal(b.w->part_count, 3);
    assert_int_equal(b.w->longest, 16);
    const double p = 0.4 / ec_workload_mean_words(b.w);
    assert_true(fabs(ec_workload_mean_words(b.w) - (0.8 * 2 + 0.2 * 16)) < 1e-12);
    for (uint32_t node = 0; node < 2; node++) {
        double seen[3] = {0}, kept = node == 0 ? 0.7 : 1;
        uint64_t last = 0;
        for (unsigned k = 0; k < DRAWS; k++) {
            const struct source_message m = sources_take(b.s, node);
            seen[m.part]++;
            last = m.created;
            assert_int_equal(m.words, m.part == 2 ? 16 : 2);
            if (m.part == 1)
                assert_int_equal(m.dst, 4);
            if (m.part == 2)
                assert_int_equal(m.dst, 7);
        }
        for (unsigned part = 0; part < 3; part++) {
            const double q = node == 0 && part == 1 ? 0 : share[part] / kept;
            if (fabs(seen[part] / DRAWS - q) > 5 * sqrt(q * (1 - q) / DRAWS))
                fail_msg("node %u: part %u has %.4f of the messages, should be %.4f", node, part,
                         seen[part] / DRAWS, q);
        }
        const double cycles = DRAWS / (p * kept);
        if (fabs((double)last - cycles) > 5 * cycles / sqrt(DRAWS))
            fail_msg("node %u: %llu cycles, should be %.0f", node, (unsigned long long)last,
                     cycles);
    }
    bench_close(&b);
}

/* A mixture of one part is that pattern, apart from its random numbers; nodes that all parts map to
 * themselves send nothing. */
static void a_node_that_drops_everything_is_silent(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "mesh:4x4", "mix:rate=0.4,burst=9,of=transpose+transpose:m=3");
    for (uint32_t node = 0; node < 16; node++)
        assert_true((sources_next(b.s, node) == SOURCE_NEVER) == (node % 5 == 0));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the rate is exact from the first cycle on",
             the_rate_is_exact_from_the_first_cycle_on),
        TEST("periods have the lengths asked for", periods_have_the_lengths_asked_for),
        TEST("the variance is that of the formula", the_variance_is_that_of_the_formula),
        TEST("messages are drawn from the parts", messages_are_drawn_from_the_parts),
        TEST("a node that drops everything is silent", a_node_that_drops_everything_is_silent),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
