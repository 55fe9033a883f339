/* SPDX-License-Identifier: Apache-2.0 */
/* The test for a steady state. Knows counts per batch; must not know networks or nodes.
 *
 * The reference is a source in exact balance: on average as many words are sent as created, and
 * only chance moves its backlog. Over the window that is a random walk with the variance of the
 * words created, V = words * (spread - rate), where bursts add to the spread. The backlog of a
 * stable source stays far below sqrt(V), because it keeps returning to 0; that of an overloaded
 * source exceeds it, by more in a longer window. docs/MEASUREMENT.md derives the constants. */
#include "measure/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/source.h"

/* A source is behind if its backlog at half time exceeds this many sqrt(V). Here and for growth, V
 * begins in cycle 1 and has no rate term, because a source is blocked for messages, not for words.
 */
#define BEHIND_PART  4.0
/* Growth of these sources is certain above the first number of standard errors, if it also exceeds
 * the second number of random standard deviations at all sources, which share channels. */
#define GROWTH_SURE  8.0
#define GROWTH_ALL   4.0
/* Limits, in sqrt(V): the backlog of a source in the last quarter; the rise of all backlogs. */
#define SOURCE_PART  1.25
#define TOTAL_PART   0.75
/* The growth of latency plus this many of its standard errors may be this part of sqrt(spread *
 * window) cycles. */
#define LATENCY_SURE 2.0
#define LATENCY_PART 0.4
/* A window shows a trend of latency only if it is this many mean latencies long. */
#define LATENCIES    10.0
/* A window shows the mean rate of bursty sources only if it has this many bursts. */
#define BURSTS       10.0
/* Growth of latency above this many standard errors may be at most this part of the mean. */
#define DRIFT_SURE   6.0
#define DRIFT_PART   0.25
/* A window shows how far its mean latency is off if it is this many relaxation times long; each
 * batch of the interval is this many long, or there are only a few of them. */
#define RELAXATIONS  5.0
#define BATCH_LENGTH 2.5
/* If none of n packets waits, it is still possible that 3 / n of all do, for half a message. */
#define RARE_WAITS   1.5

bool steady_open(struct steady *s, uint32_t count, uint64_t from, uint64_t to,
                 struct process_words traffic, const struct process_words *replies)
{
    *s = (struct steady){.from = from, .to = to, .traffic = {traffic}, .kinds = replies ? 2 : 1};
    if (replies)
        s->traffic[1] = *replies;
    s->count = count * s->kinds;
    s->source = calloc(s->count ? s->count : 1, sizeof *s->source);
    s->bin = calloc(STEADY_SERIES, sizeof *s->bin);
    return s->source != NULL && s->bin != NULL;
}

void steady_close(struct steady *s)
{
    free(s->source);
    free(s->bin);
    *s = (struct steady){0};
}

void steady_reset(struct steady *s)
{
    if (!s->source)
        return;
    memset(s->source, 0, s->count * sizeof *s->source);
    memset(s->backlog, 0, sizeof s->backlog);
    memset(s->behind, 0, sizeof s->behind);
    memset(s->bin, 0, STEADY_SERIES * sizeof *s->bin);
    s->seen = 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double window_of(const struct steady *s)
{
    return (double)(s->to - s->from);
}

/* Of source i, in the last `cycles` cycles of the window, at its mean rate in the whole. */
static double spread_of(const struct steady *s, uint32_t i, double cycles)
{
    return process_spread(&s->traffic[i % s->kinds], (double)s->source[i].created / window_of(s),
                          cycles);
}

/* Of a source of each kind with the mean rate; of several kinds, the mean by words. */
static double mean_spread(const struct steady *s)
{
    double words[2] = {0}, sum = 0;
    const double count = (double)s->count / s->kinds;
    for (uint32_t i = 0; i < s->count; i++)
        words[i % s->kinds] += (double)s->source[i].created;
    const double all = words[0] + words[1];
    for (uint32_t k = 0; k < s->kinds; k++) {
        const double spread =
            process_spread(&s->traffic[k], words[k] / count / window_of(s), window_of(s));
        if (all <= 0 || words[k] >= all) /* exactly that of one kind */
            return spread;
        sum += words[k] / all * spread;
    }
    return sum;
}

static double period_of(const struct steady *s)
{
    return s->traffic[0].period;
}

/* Source i with this backlog at half time is behind. */
static bool is_behind(const struct steady *s, uint32_t i, uint64_t created, uint64_t backlog)
{
    const double words = (double)created, cycles = (double)steady_mark(s, STEADY_HALF);
    const double length = process_spread(&s->traffic[i % s->kinds], words / cycles, cycles);
    return (double)backlog > BEHIND_PART * sqrt(words * length) + length;
}

/* A cycle belongs to batch (cycle - from - 1) * STEADY_BATCHES / window, rounded down. */
void steady_state(struct steady *s, struct state *state)
{
    uint64_t window[] = {s->from, s->to, s->seen};
    STATE_COMMON(state, STATE_SAME, window);
    s->from = window[0];
    s->to = window[1];
    s->seen = (unsigned)window[2];
    state->failed = state->failed || s->seen > STEADY_BATCHES + 1;
    state_common(state, STATE_FIRST, s->source, s->count * sizeof *s->source);
    STATE_COMMON(state, STATE_FIRST, s->backlog);
    STATE_COMMON(state, STATE_FIRST, s->behind);
    STATE_COMMON(state, STATE_SAME, s->accepted);
    state_common(state, STATE_SUM, s->bin, STEADY_SERIES * sizeof *s->bin);
}

uint64_t steady_mark(const struct steady *s, unsigned k)
{
    const unsigned __int128 at = (unsigned __int128)(s->to - s->from) * k + STEADY_BATCHES - 1;
    return k > STEADY_BATCHES ? SOURCE_NEVER : s->from + (uint64_t)(at / STEADY_BATCHES);
}

static void sample_source(struct steady *s, uint32_t i, uint64_t created, uint64_t backlog)
{
    struct steady_source *x = &s->source[i];
    const unsigned mark = s->seen;
    if (mark == 0)
        x->before = created;
    x->created = created - x->before;
    if (mark == STEADY_HALF)
        x->behind = is_behind(s, i, created, backlog);
    if (x->behind)
        s->behind[mark - STEADY_HALF] += backlog;
    if (mark > STEADY_BATCHES - STEADY_QUARTER)
        x->late += backlog;
    s->backlog[mark] += backlog;
}

void steady_sample(struct steady *s, const uint64_t *created, const uint64_t *sent)
{
    for (uint32_t i = 0; i < s->count; i++)
        sample_source(s, i, created[i], created[i] - sent[i]);
    s->seen++;
}

uint64_t steady_created(const struct steady *s)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < s->count; i++)
        words += s->source[i].created;
    return words;
}

/* --- Growth ------------------------------------------------------------------------------- */

/* The variance of the growth in the second half, from its increments over `merge` batches. */
static double growth_variance(const struct steady *s, unsigned merge)
{
    const unsigned n = STEADY_HALF / merge;
    const double growth = (double)s->behind[STEADY_HALF] - (double)s->behind[0];
    double squares = 0;
    for (unsigned i = 0; i < n; i++) {
        const double d = (double)s->behind[(i + 1) * merge] - (double)s->behind[i * merge];
        squares += (d - growth / n) * (d - growth / n);
    }
    return squares / (n - 1) * n;
}

/* The standard error comes from the increments, but is at least that of chance in the words
 * created.
 */
static void judge_growth(const struct steady *s, struct steady_finding *f)
{
    double v = 0, all = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const double own = (double)s->source[i].created * spread_of(s, i, window_of(s) / 2) / 2;
        all += own;
        v += s->source[i].behind ? own : 0;
        f->behind += s->source[i].behind;
    }
    for (unsigned merge = 1; merge <= 2; merge *= 2) {
        const double seen = growth_variance(s, merge);
        v = seen > v ? seen : v;
    }
    f->grown = (double)s->behind[STEADY_HALF] - (double)s->behind[0];
    f->grown_error = sqrt(v);
    f->grown_chance = sqrt(all);
    f->few_bursts = BURSTS * period_of(s) > window_of(s);
    if (!f->few_bursts && f->behind > 0 && f->grown > GROWTH_SURE * f->grown_error &&
        f->grown > GROWTH_ALL * f->grown_chance)
        f->steady = EC_STEADY_GROWS;
}

bool steady_grows(const struct steady *s)
{
    struct steady_finding f = {.steady = EC_STEADY_TOO_SHORT};
    judge_growth(s, &f);
    return f.steady == EC_STEADY_GROWS;
}

/* --- Steadiness --------------------------------------------------------------------------- */

/* V of one source over the window. */
static double variance(const struct steady *s, uint32_t i)
{
    const double words = (double)s->source[i].created;
    const double per_word = spread_of(s, i, window_of(s)) - words / window_of(s);
    return per_word > 0 ? words * per_word : 0;
}

static void judge_backlogs(const struct steady *s, struct steady_finding *f)
{
    double all = 0, rise = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const double v = variance(s, i);
        const double backlog = (double)s->source[i].late / STEADY_QUARTER;
        const double limit = SOURCE_PART * sqrt(v) + spread_of(s, i, window_of(s));
        all += v;
        if (i == 0 || backlog * f->backlog_limit > f->backlog * limit) {
            f->port = i;
            f->backlog = backlog;
            f->backlog_limit = limit;
        }
    }
    for (unsigned i = 0; i < STEADY_QUARTER; i++)
        rise += (double)s->backlog[STEADY_BATCHES - i] - (double)s->backlog[i];
    f->rise = rise / STEADY_QUARTER;
    f->rise_limit = TOTAL_PART * sqrt(all) + mean_spread(s);
}

struct half {
    double packets, mean;
};

static struct half half_of(const struct steady *s, unsigned first)
{
    double packets = 0, cycles = 0;
    for (unsigned i = first * STEADY_FINER; i < (first + STEADY_HALF) * STEADY_FINER; i++) {
        packets += (double)s->bin[STEADY_PACKET][i].count;
        cycles += (double)s->bin[STEADY_PACKET][i].sum;
    }
    return (struct half){packets, packets > 0 ? cycles / packets : 0};
}

/* The variance of the mean of a half, a ratio, from groups of `merge` batches. */
static double half_variance(const struct steady *s, unsigned first, struct half h, unsigned merge)
{
    const unsigned n = STEADY_HALF / merge;
    double squares = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct estimate_bin *bin = s->bin[STEADY_PACKET] + STEADY_FINER * (first + i * merge);
        double off = 0;
        for (unsigned k = 0; k < STEADY_FINER * merge; k++)
            off += (double)bin[k].sum - h.mean * (double)bin[k].count;
        squares += off * off;
    }
    return squares / (h.packets * h.packets) * n / (n - 1);
}

static void judge_latency(const struct steady *s, struct steady_finding *f)
{
    const struct half a = half_of(s, 0), b = half_of(s, STEADY_HALF);
    double v = 0;
    if (a.packets <= 0 || b.packets <= 0)
        return;
    for (unsigned merge = 1; merge <= 4; merge *= 2) {
        const double seen = half_variance(s, 0, a, merge) + half_variance(s, STEADY_HALF, b, merge);
        v = seen > v ? seen : v;
    }
    f->has_latency = true;
    f->mean = (a.packets * a.mean + b.packets * b.mean) / (a.packets + b.packets);
    f->drift = b.mean - a.mean;
    f->drift_error = sqrt(v);
    f->drift_limit =
        LATENCY_PART * sqrt(mean_spread(s) * window_of(s)) - LATENCY_SURE * f->drift_error;
    if (f->drift > DRIFT_SURE * f->drift_error && DRIFT_PART * f->mean < f->drift_limit)
        f->drift_limit = DRIFT_PART * f->mean;
}

/* Mean cycles that a packet waits for others; without a known latency at zero load, at its source
 * only. */
static double wait_of(const struct steady *s, const struct steady_finding *f)
{
    double cycles = 0, packets = 0;
    if (s->zero_load > 0)
        return f->has_latency ? f->mean - s->zero_load : 0;
    for (unsigned i = 0; i < STEADY_BINS; i++) {
        packets += (double)s->bin[STEADY_NETWORK][i].count;
        cycles += (double)s->bin[STEADY_PACKET][i].sum - (double)s->bin[STEADY_NETWORK][i].sum;
    }
    return packets > 0 ? cycles / packets : 0;
}

static double relaxation_by_load(const struct steady *s)
{
    const double idle = 1 - s->load;
    return s->fixed && s->load > 0 ? s->load * mean_spread(s) / (idle * idle) : 0;
}

/* A busy queue is a random walk with a barrier: with the variance v per cycle and the drift -d it
 * forgets in v / d^2 cycles, and the mean wait is v / (2 d). So there are two estimates: one by the
 * exact load of the busiest channel, and one by the waits, since real networks saturate below. */
static double relaxation_of(const struct steady *s, const struct steady_finding *f)
{
    const double wait = wait_of(s, f);
    const double by_wait = wait > 0 ? 4 * wait * wait / mean_spread(s) : 0;
    return larger(relaxation_by_load(s), by_wait);
}

struct steady_finding steady_judge(const struct steady *s, bool arrived)
{
    struct steady_finding f = {.steady = EC_STEADY_TOO_SHORT, .beyond = s->load >= 1};
    judge_growth(s, &f);
    judge_backlogs(s, &f);
    f.backlogged = f.backlog > f.backlog_limit || f.rise > f.rise_limit;
    if (f.steady == EC_STEADY_GROWS || !arrived)
        return f;
    judge_latency(s, &f);
    f.relaxation = s->fixed && !f.beyond ? relaxation_of(s, &f) : 0;
    f.brief = RELAXATIONS * f.relaxation > window_of(s);
    f.few = f.has_latency && LATENCIES * f.mean > window_of(s);
    if (f.has_latency && !f.few && !f.few_bursts && !f.backlogged && f.drift <= f.drift_limit &&
        !f.beyond && !f.brief)
        f.steady = EC_STEADY_SHOWN;
    return f;
}

/* --- Intervals ------------------------------------------------------------------------------ */

struct ec_confidence steady_interval(const struct steady *s, const struct steady_finding *f,
                                     unsigned series)
{
    const struct estimate_bin *bins = s->bin[series];
    struct ec_confidence c = {0};
    for (unsigned i = 0; i < STEADY_BINS; i++)
        c.packets += bins[i].count;
    if (f->steady != EC_STEADY_SHOWN || c.packets == 0)
        return c;
    const double most = window_of(s) / (BATCH_LENGTH * f->relaxation);
    const struct estimate e = estimate_merged(bins, STEADY_BINS, most);
    c.batches = e.batches;
    c.independent = e.independent;
    c.has_interval = e.known;
    if (!c.has_interval)
        return c;
    /* Batches that are too short miss a part of the correlation, and longer ones would be too few:
     * the interval is as wide as if the error fell with the number of relaxation times. */
    const double missed = e.batches > most ? sqrt(e.batches / most) : 1;
    c.latency_half = larger(missed * e.half, RARE_WAITS * mean_spread(s) / (double)c.packets);
    return c;
}

double steady_accepted_half(const struct steady *s)
{
    struct estimate_bin bin[STEADY_BATCHES];
    for (unsigned i = 0; i < STEADY_BATCHES; i++)
        bin[i] = (struct estimate_bin){steady_mark(s, i + 1) - steady_mark(s, i),
                                       s->accepted[i + 1] - s->accepted[i]};
    const struct estimate e = estimate_merged(bin, STEADY_BATCHES, STEADY_HALF);
    return e.known ? e.half : 0;
}

/* --- A longer window -------------------------------------------------------------------------- */

/* At least and at most this many times the window: an estimate from a window that did not suffice
 * is rough. */
#define LONGER              2.0
#define LONGEST             10.0
/* More mean latencies than LATENCIES, because packets in a longer window may be slower. */
#define MORE_LATENCIES      20.0
/* More relaxation times than RELAXATIONS, for a useful interval. */
#define LONGEST_RELAXATIONS 40.0
/* Messages in a window that has too few. */
#define MESSAGES            100.0
/* A longer one takes hours, and the relaxation time has no limit near the bound. */
#define SUGGESTED_MOST      1e9

/* Two significant digits, rounded up. */
static uint64_t round_up(double cycles)
{
    uint64_t unit = 1;
    while (cycles / (double)unit > 99)
        unit *= 10;
    return (uint64_t)ceil(cycles / (double)unit) * unit;
}

static double square(double x)
{
    return x * x;
}

/* How many times the window decides about the backlogs. If the network keeps up, they keep their
 * size, and the limits grow with the square root of the window. If not, the certainty of their
 * growth does. */
static double longer_for_backlogs(const struct steady_finding *f)
{
    const double stable =
        larger(square(f->backlog / f->backlog_limit), square(f->rise / f->rise_limit));
    const double needed = larger(GROWTH_SURE * f->grown_error, GROWTH_ALL * f->grown_chance);
    const double growing = f->grown > 0 ? square(needed / f->grown) : stable;
    return stable < growing ? stable : growing;
}

static double longer_for_drift(const struct steady_finding *f)
{
    const double error = LATENCY_SURE * f->drift_error;
    return square((f->drift + error) / (f->drift_limit + error));
}

uint64_t steady_suggest(const struct steady *s, const struct steady_finding *f)
{
    const double window = (double)(s->to - s->from);
    double times = LONGER, packets = 0, least = larger((double)s->from, BURSTS * period_of(s));
    if (f->beyond)
        return 0;
    for (unsigned i = 0; i < STEADY_BINS; i++)
        packets += (double)s->bin[STEADY_PACKET][i].count;
    /* The waits of a network that may not keep up grow with the window. */
    least = larger(least, LONGEST_RELAXATIONS *
                              (f->backlogged || f->few ? relaxation_by_load(s) : f->relaxation));
    if (f->backlogged)
        times = larger(times, 2 * longer_for_backlogs(f));
    if (f->has_latency && f->drift > f->drift_limit)
        times = larger(times, longer_for_drift(f));
    if (times > LONGEST)
        times = LONGEST;
    /* Messages of a short window wait for those of the warm-up, hence `least`. */
    if (f->has_latency)
        least = larger(least, MORE_LATENCIES * f->mean);
    else
        least = larger(least, window * MESSAGES / (packets + 1));
    const double cycles = larger(times * window, least);
    return cycles <= SUGGESTED_MOST ? round_up(cycles) : 0;
}
