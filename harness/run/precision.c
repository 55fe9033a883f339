/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of one point in a single play. Knows counts per bin of time and per source; must
 * not know networks. */
#include "run/precision.h"

#include <stdlib.h>
#include <string.h>

#include "traffic/source.h"

const char *ec_measured_name(enum ec_measured state)
{
    static const char *const names[] = {
        [EC_MEASURED_NONE] = NULL,
        [EC_MEASURED_STEADY] = "steady",
        [EC_MEASURED_LIMIT] = "limit",
        [EC_MEASURED_NOT_STEADY] = "not steady",
        [EC_MEASURED_SATURATED] = "saturated",
        [EC_MEASURED_SLOW] = "slow",
    };
    return names[state];
}

bool precision_open(struct precision *x, const struct ec_precision *goal, uint32_t nodes,
                    unsigned locals, struct process_words traffic, uint64_t age_bound)
{
    *x =
        (struct precision){.goal = *goal, .nodes = nodes, .locals = locals, .age_bound = age_bound};
    struct ec_precision *g = &x->goal;
    g->limit = g->limit ? g->limit : EC_PRECISION_LIMIT;
    g->first = g->first ? g->first : EC_PRECISION_FIRST;
    g->first = g->first < g->limit ? g->first : g->limit;
    x->base = g->first < PRECISION_LEAST ? 1 : g->first / PRECISION_LEAST;
    x->latency = calloc(PRECISION_BINS, sizeof *x->latency);
    x->words = calloc(PRECISION_BINS, sizeof *x->words);
    x->slab = calloc(PRECISION_SLABS, sizeof *x->slab);
    x->accepted = calloc(nodes, sizeof *x->accepted);
    bool good = x->latency && x->words && x->slab && x->accepted;
    for (unsigned i = 0; i < 2; i++) {
        struct precision_window *w = &x->window[i];
        w->sources = calloc(nodes, sizeof *w->sources);
        good = steady_open(&w->steady, nodes * locals, 0, 0, traffic) && w->sources && good;
    }
    return good;
}

bool precision_add_replies(struct precision *x, struct process_words replies)
{
    bool good = true;
    for (unsigned i = 0; i < 2; i++) {
        struct steady *s = &x->window[i].steady;
        const struct process_words requests = s->traffic[0];
        steady_close(s);
        good = steady_open(s, 2 * x->nodes * x->locals, 0, 0, requests) && good;
        steady_add_kind(s, replies);
    }
    return good;
}

void precision_close(struct precision *x)
{
    for (unsigned i = 0; x->slab && i < PRECISION_SLABS; i++) {
        tally_free(&x->slab[i].latency);
        tally_free(&x->slab[i].network);
    }
    for (unsigned i = 0; i < 2; i++) {
        steady_close(&x->window[i].steady);
        free(x->window[i].sources);
    }
    free(x->latency);
    free(x->words);
    free(x->slab);
    free(x->accepted);
    *x = (struct precision){0};
}

/* --- The cycles of decisions ------------------------------------------------------------------ */

static uint64_t bin_cycles(const struct precision *x)
{
    return x->base << x->merges;
}

/* Twice as many cycles, or the limit instead, so that the last step is no short one; 0: there is no
 * further decision. The cycles of each are a multiple of a slab when they have been played. */
static uint64_t next_decision(const struct precision *x, uint64_t at)
{
    const uint64_t limit = x->goal.limit;
    if (at <= limit / 3)
        return 2 * at;
    uint64_t slab = x->base * PRECISION_UNIT;
    while (slab * PRECISION_SLABS < limit)
        slab *= 2;
    const uint64_t last = limit / slab * slab;
    return last > at ? last : 0;
}

/* Observe the sources from `from` to the decision at `at`. */
static void begin_window(struct precision *x, uint64_t from, uint64_t at)
{
    struct precision_window *w = &x->window[x->current];
    w->steady.from = from;
    w->steady.to = at;
    steady_reset(&w->steady);
    memset(w->sources, 0, x->nodes * sizeof *w->sources);
    x->at = at;
}

void precision_reset(struct precision *x)
{
    memset(x->latency, 0, PRECISION_BINS * sizeof *x->latency);
    memset(x->words, 0, PRECISION_BINS * sizeof *x->words);
    for (unsigned i = 0; i < PRECISION_SLABS; i++) {
        struct precision_slab *s = &x->slab[i];
        tally_forget(&s->latency);
        tally_forget(&s->network);
        s->network_cycles = s->created = s->messages = 0;
    }
    x->merges = 0;
    x->ended = 0;
    x->words_before = x->created_before = x->messages_before = 0;
    x->decision = x->tagged = x->arrived = 0;
    x->pending = x->grows = x->done = false;
    x->found = (struct ec_measurement){0};
    x->current = 1;
    begin_window(x, 0, 0); /* nothing is decided yet */
    x->current = 0;
    begin_window(x, x->base * PRECISION_LEAST / 2, x->base * PRECISION_LEAST);
}

/* --- Bins ------------------------------------------------------------------------------------- */

static void merge_slabs(struct precision *x, unsigned into, unsigned from)
{
    struct precision_slab *a = &x->slab[into], *b = &x->slab[from];
    if (!tally_merge(&a->latency, &b->latency) || !tally_merge(&a->network, &b->network))
        x->memory_short = true;
    a->network_cycles += b->network_cycles;
    a->created += b->created;
    a->messages += b->messages;
    b->network_cycles = b->created = b->messages = 0;
}

static void merge_bins(struct precision *x)
{
    for (unsigned i = 0; i < PRECISION_BINS / 2; i++) {
        const struct estimate_bin a = x->latency[2 * i], b = x->latency[2 * i + 1];
        x->latency[i] = (struct estimate_bin){a.count + b.count, a.sum + b.sum};
        x->words[i] = x->words[2 * i] + x->words[2 * i + 1];
    }
    const unsigned half = PRECISION_BINS / 2;
    memset(x->latency + half, 0, half * sizeof *x->latency);
    memset(x->words + half, 0, half * sizeof *x->words);
    for (unsigned i = 1; i < PRECISION_SLABS; i++)
        merge_slabs(x, i / 2, i);
    x->ended = half;
    x->merges++;
}

/* Nothing after the last decision counts. */
static bool closed(const struct precision *x)
{
    return x->at == SOURCE_NEVER;
}

static bool bin_ends(const struct precision *x, uint64_t now)
{
    return !closed(x) && now == (x->ended + 1) * bin_cycles(x);
}

static void end_bin(struct precision *x, const struct precision_sample *s)
{
    x->words[x->ended++] = s->words - x->words_before;
    x->words_before = s->words;
    if (x->ended % PRECISION_UNIT == 0) {
        struct precision_slab *slab = &x->slab[x->ended / PRECISION_UNIT - 1];
        uint64_t created = 0;
        for (uint32_t i = 0; i < x->window[0].steady.count; i++)
            created += s->created[i];
        slab->created = created - x->created_before;
        slab->messages = s->created_messages - x->messages_before;
        x->created_before = created;
        x->messages_before = s->created_messages;
    }
    if (x->ended == PRECISION_BINS)
        merge_bins(x);
}

void precision_arrived(struct precision *x, const struct precision_packet *p)
{
    if (closed(x) && p->created > x->decision)
        return;
    const size_t bin = (size_t)((p->created - 1) / x->base >> x->merges);
    struct precision_slab *slab = &x->slab[bin / PRECISION_UNIT];
    x->latency[bin].count++;
    x->latency[bin].sum += p->latency;
    slab->network_cycles += p->network;
    if (!tally_add(&slab->latency, p->latency) || !tally_add(&slab->network, p->network))
        x->memory_short = true;
    x->arrived += p->last && p->created <= x->decision;
    for (unsigned i = 0; i < 2; i++) {
        struct precision_window *w = &x->window[i];
        if (p->created <= w->steady.from || p->created > w->steady.to)
            continue;
        steady_arrived(&w->steady, p->created, p->latency);
        w->sources[p->src].packets++;
        w->sources[p->src].latency += p->latency;
    }
}

/* --- What has been measured ------------------------------------------------------------------- */

static void measure_accepted(struct precision *x, size_t from, size_t to)
{
    struct ec_measurement *m = &x->found;
    struct estimate_bin bins[PRECISION_BINS];
    uint64_t words = 0;
    for (size_t i = from; i < to; i++) {
        bins[i - from] = (struct estimate_bin){bin_cycles(x), x->words[i]};
        words += x->words[i];
    }
    const struct estimate e = estimate_ratio(bins, to - from);
    m->truncated = from * bin_cycles(x);
    m->window = (to - from) * bin_cycles(x);
    m->accepted = (double)words / ((double)x->nodes * (double)m->window);
    m->accepted_half = e.half / x->nodes;
}

static void measure_latency(struct precision *x, size_t from, size_t to)
{
    struct ec_measurement *m = &x->found;
    for (size_t i = from; i < to; i++)
        m->packets += x->latency[i].count;
    m->has_latency = m->packets > 0;
    if (!m->has_latency)
        return;
    const struct estimate e = estimate_ratio(x->latency + from, to - from);
    m->latency = e.mean;
    m->latency_half = e.half;
    m->batches = e.batches;
    m->correlation = e.correlation;
    m->independent = e.independent;
}

static struct ec_latency summary(double mean, const struct ec_percentile p[3], uint64_t max)
{
    return (struct ec_latency){mean, p[0].value, p[1].value, p[2].value, max};
}

/* Percentiles, and what else is not needed for a decision. */
static void measure_rest(struct precision *x, size_t from, size_t to)
{
    static const double percents[3] = {50, 95, 99};
    struct ec_measurement *m = &x->found;
    const struct tally *latency[PRECISION_SLABS], *network[PRECISION_SLABS];
    struct ec_percentile p[3], q[3];
    uint64_t created = 0, network_cycles = 0, network_max = 0;
    const size_t count = (to - from) / PRECISION_UNIT;
    x->messages = 0;
    for (size_t i = 0; i < count; i++) {
        const struct precision_slab *s = &x->slab[from / PRECISION_UNIT + i];
        latency[i] = &s->latency;
        network[i] = &s->network;
        created += s->created;
        x->messages += s->messages;
        network_cycles += s->network_cycles;
        m->max = s->latency.max > m->max ? s->latency.max : m->max;
        network_max = s->network.max > network_max ? s->network.max : network_max;
    }
    x->offered = (double)created / ((double)x->nodes * (double)m->window);
    if (!m->has_latency) {
        m->max = 0;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        p[i] = estimate_percentile(latency, count, percents[i]);
        q[i] = estimate_percentile(network, count, percents[i]);
    }
    m->p50 = p[0];
    m->p95 = p[1];
    m->p99 = p[2];
    x->packet = summary(m->latency, p, m->max);
    x->network = summary((double)network_cycles / (double)m->packets, q, network_max);
}

/* --- Decisions -------------------------------------------------------------------------------- */

const struct precision_window *precision_window(const struct precision *x)
{
    return &x->window[x->current ^ 1];
}

/* So few packets may all miss the rare busy times that make most of a variance. */
#define PACKETS_LEAST 2000
/* The half-width in each half of the window, in half-widths requested; sqrt(2) is expected. */
#define HALVES_MOST   2.0

/* As precise as requested, and not by chance: a sample that was quiet from beginning to end has a
 * low mean and a low variance, but hardly in both of its halves. */
static bool precise(const struct precision *x, size_t from, size_t to)
{
    const struct ec_measurement *m = &x->found;
    const double relative = x->goal.relative;
    const size_t middle = from + (to - from) / 2;
    if (m->packets < PACKETS_LEAST || !m->independent || m->latency_half > relative * m->latency)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const size_t begin = k ? middle : from, end = k ? to : middle;
        const struct estimate e = estimate_ratio(x->latency + begin, end - begin);
        if (e.batches == 0 || e.half > HALVES_MOST * relative * e.mean)
            return false;
    }
    return true;
}

/* The state if the run ended here; NONE: it must go on. `warm`: the start-up has an end. */
static enum ec_measured judge(const struct precision *x, bool warm, size_t from, size_t to,
                              bool last)
{
    const struct ec_measurement *m = &x->found;
    const double relative = x->goal.relative, slow = x->goal.saturated_latency;
    if (x->grows)
        return last || m->accepted_half <= relative * m->accepted ? EC_MEASURED_SATURATED
                                                                  : EC_MEASURED_NONE;
    if (slow > 0 && m->batches > 0 && m->latency - m->latency_half > slow)
        return EC_MEASURED_SLOW;
    const struct steady *s = &precision_window(x)->steady;
    const bool arrived = x->arrived == x->tagged;
    const bool steady = warm && steady_judge(s, arrived).steady == EC_STEADY_SHOWN;
    if (steady && precise(x, from, to))
        return EC_MEASURED_STEADY;
    if (!last)
        return EC_MEASURED_NONE;
    return steady && m->batches > 0 ? EC_MEASURED_LIMIT : EC_MEASURED_NOT_STEADY;
}

/* True: the measurement is done. */
static bool decide(struct precision *x, bool last)
{
    const size_t bins = (size_t)(x->decision / bin_cycles(x));
    const size_t half = (bins / PRECISION_UNIT + 1) / 2 * PRECISION_UNIT;
    const size_t found = estimate_truncation(x->latency, bins, PRECISION_UNIT);
    const bool warm = found <= half;
    const size_t from = x->grows || !warm ? half : found;
    x->found = (struct ec_measurement){0};
    x->pending = false;
    measure_accepted(x, from, bins);
    if (!x->grows && x->arrived == x->tagged)
        measure_latency(x, from, bins);
    x->found.state = judge(x, warm, from, bins, last);
    if (x->found.state == EC_MEASURED_NONE)
        return false;
    measure_rest(x, from, bins);
    x->missing = x->grows ? 0 : x->tagged - x->arrived;
    x->done = true;
    return true;
}

/* Half-widths shrink with the square root of the cycles; twice as many are the next decision. */
uint64_t precision_suggest(const struct precision *x)
{
    const struct ec_measurement *m = &x->found;
    const double wider =
        m->has_latency && m->batches > 0 ? m->latency_half / (x->goal.relative * m->latency) : 0;
    const double times = 1.2 * wider * wider;
    return x->decision * (uint64_t)(times > 100 ? 100 : times > 2 ? times + 1 : 2);
}

/* --- Samples ---------------------------------------------------------------------------------- */

uint64_t precision_mark(const struct precision *x, uint64_t now)
{
    const struct steady *s = &x->window[x->current].steady;
    const uint64_t bin = (x->ended + 1) * bin_cycles(x);
    const uint64_t mark = closed(x) ? SOURCE_NEVER : steady_mark(s, s->seen);
    if (x->done)
        return SOURCE_NEVER;
    if (x->pending)
        return now;
    return bin < mark ? bin : mark;
}

bool precision_needs_sources(const struct precision *x, uint64_t now)
{
    const struct steady *s = &x->window[x->current].steady;
    const bool slab = (x->ended + 1) % PRECISION_UNIT == 0 && bin_ends(x, now);
    return slab || (!closed(x) && now == steady_mark(s, s->seen));
}

static void sample_sources(struct precision *x, const struct precision_sample *s)
{
    struct precision_window *w = &x->window[x->current];
    const bool first = w->steady.seen == 0;
    steady_sample(&w->steady, s->created, s->sent);
    const bool last = steady_complete(&w->steady);
    for (uint32_t i = 0; (first || last) && i < x->nodes; i++)
        w->sources[i].words = s->accepted[i] - w->sources[i].words;
    for (uint32_t i = 0; last && i < w->steady.count; i++)
        w->sources[i / w->steady.kinds / x->locals].offered += w->steady.source[i].created;
}

/* The window is complete: its decision waits for the packets created until now. The next window
 * begins now, or half way to its decision. */
static void end_window(struct precision *x, const struct precision_sample *s)
{
    x->grows = steady_grows(&x->window[x->current].steady);
    x->pending = true;
    x->decision = x->at;
    x->tagged = s->created_messages;
    x->arrived = s->messages;
    const uint64_t next = next_decision(x, x->at);
    x->current ^= 1;
    if (next == 0) {
        x->at = SOURCE_NEVER;
        return;
    }
    begin_window(x, next / 2 > x->at ? next / 2 : x->at, next);
    if (x->window[x->current].steady.from == s->cycle)
        sample_sources(x, s);
}

bool precision_sample(struct precision *x, const struct precision_sample *s)
{
    const struct steady *current = &x->window[x->current].steady;
    const bool mark = !closed(x) && s->cycle == steady_mark(current, current->seen);
    if (bin_ends(x, s->cycle))
        end_bin(x, s);
    if (mark) {
        sample_sources(x, s);
        if (steady_complete(current))
            end_window(x, s);
    }
    if (!x->pending)
        return x->done;
    const bool last = closed(x);
    const bool patient = !last || s->cycle - x->decision < x->decision + x->age_bound;
    if (x->grows || x->arrived == x->tagged || !patient)
        return decide(x, last);
    return false;
}
