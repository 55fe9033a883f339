/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of one point in a single play. Knows counts per bin of time and per source; must
 * not know networks. */
#include "measure/precision.h"

#include "parts/gather.h"
#include "traffic/source.h"

const char *ec_measured_name(enum ec_measured state)
{
    static const char *const names[] = {
        [EC_MEASURED_NONE] = NULL,
        [EC_MEASURED_STEADY] = "steady",
        [EC_MEASURED_LIMIT] = "limit",
        [EC_MEASURED_TOO_SHORT] = "too short",
        [EC_MEASURED_SATURATED] = "saturated",
        [EC_MEASURED_SLOW] = "slow",
    };
    return names[state];
}

static void series_open(struct precision *x, struct precision_series *s)
{
    EC_ARRAY(&x->arrays, s->latency, PRECISION_BINS);
    EC_ARRAY(&x->arrays, s->words, PRECISION_BINS);
    EC_ARRAY(&x->arrays, s->slab, PRECISION_SLABS);
}

/* All packets, the classes, round trips; NULL: there are no more. */
static struct precision_series *series_at(struct precision *x, unsigned i)
{
    if (i == 0)
        return &x->all;
    if (i <= x->class_count)
        return &x->classes[i - 1];
    return i == x->class_count + 1 && x->round_trip.latency ? &x->round_trip : NULL;
}

/* Call `f` for each series that is open. */
static void for_each_series(struct precision *x,
                            void (*f)(struct precision *x, struct precision_series *s))
{
    struct precision_series *s;
    for (unsigned i = 0; (s = series_at(x, i)); i++)
        f(x, s);
}

/* The part that observes the sources. */
static bool observes(const struct precision *x)
{
    return !x->exchange || x->exchange->part == 0;
}

bool precision_open(struct precision *x, const struct ec_precision *goal, uint32_t nodes,
                    unsigned locals, struct process_words traffic,
                    const struct process_words *replies, uint64_t age_bound,
                    struct exchange *exchange)
{
    *x = (struct precision){.goal = *goal,
                            .nodes = nodes,
                            .locals = locals,
                            .age_bound = age_bound,
                            .exchange = exchange};
    struct ec_precision *g = &x->goal;
    bool good = true;
    g->limit = g->limit ? g->limit : EC_PRECISION_LIMIT;
    g->first = g->first ? g->first : EC_PRECISION_FIRST;
    g->first = g->first < g->limit ? g->first : g->limit;
    x->base = g->first < PRECISION_LEAST ? 1 : g->first / PRECISION_LEAST;
    EC_ARRAY(&x->arrays, x->accepted, nodes);
    if (exchange)
        EC_ARRAY(&x->arrays, x->own, PRECISION_BINS);
    series_open(x, &x->all);
    if (replies)
        series_open(x, &x->round_trip);
    for (unsigned i = 0; i < 2; i++) {
        struct precision_window *w = &x->window[i];
        EC_ARRAY(&x->arrays, w->sources, nodes);
        good &= steady_open(&w->steady, observes(x) ? nodes * locals : 0, 0, 0, traffic, replies);
    }
    return good && !x->arrays.memory_short;
}

bool precision_add_classes(struct precision *x, unsigned count)
{
    EC_ARRAY(&x->arrays, x->classes, count);
    for (; x->classes && x->class_count < count; x->class_count++)
        series_open(x, &x->classes[x->class_count]);
    return !x->arrays.memory_short;
}

static void series_close(struct precision *x, struct precision_series *s)
{
    (void)x;
    for (unsigned i = 0; s->slab && i < PRECISION_SLABS; i++) {
        tally_free(&s->slab[i].latency);
        tally_free(&s->slab[i].network);
    }
}

void precision_close(struct precision *x)
{
    for_each_series(x, series_close);
    for (unsigned i = 0; i < 2; i++)
        steady_close(&x->window[i].steady);
    ec_arrays_free(&x->arrays);
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

static void series_forget(struct precision *x, struct precision_series *s)
{
    (void)x;
    memset(s->latency, 0, PRECISION_BINS * sizeof *s->latency);
    memset(s->words, 0, PRECISION_BINS * sizeof *s->words);
    for (unsigned i = 0; i < PRECISION_SLABS; i++) {
        struct precision_slab *slab = &s->slab[i];
        tally_forget(&slab->latency);
        tally_forget(&slab->network);
        slab->network_cycles = slab->created = 0;
    }
    s->before = (struct precision_words){0};
}

void precision_reset(struct precision *x)
{
    for_each_series(x, series_forget);
    memset(x->created_messages, 0, sizeof x->created_messages);
    x->merges = 0;
    x->ended = 0;
    x->messages_before = 0;
    x->decision = x->tagged = x->before = x->late = x->arrived = 0;
    x->pending = x->grows = x->done = false;
    x->found = (struct ec_measurement){0};
    x->current = 1;
    begin_window(x, 0, 0); /* nothing is decided yet */
    x->current = 0;
    begin_window(x, x->base * PRECISION_LEAST / 2, x->base * PRECISION_LEAST);
}

/* --- Bins ------------------------------------------------------------------------------------- */

static void merge_slabs(struct precision *x, struct precision_slab *into,
                        struct precision_slab *from)
{
    if (!tally_merge(&into->latency, &from->latency) ||
        !tally_merge(&into->network, &from->network))
        x->memory_short = true;
    into->network_cycles += from->network_cycles;
    into->created += from->created;
    from->network_cycles = from->created = 0;
}

static void merge_series(struct precision *x, struct precision_series *s)
{
    const unsigned half = PRECISION_BINS / 2;
    for (unsigned i = 0; i < half; i++) {
        const struct estimate_bin a = s->latency[2 * i], b = s->latency[2 * i + 1];
        s->latency[i] = (struct estimate_bin){a.count + b.count, a.sum + b.sum};
        s->words[i] = s->words[2 * i] + s->words[2 * i + 1];
    }
    memset(s->latency + half, 0, half * sizeof *s->latency);
    memset(s->words + half, 0, half * sizeof *s->words);
    for (unsigned i = 1; i < PRECISION_SLABS; i++)
        merge_slabs(x, &s->slab[i / 2], &s->slab[i]);
}

static void merge_bins(struct precision *x)
{
    uint64_t *const m = x->created_messages;
    for_each_series(x, merge_series);
    for (unsigned i = 0; i < PRECISION_SLABS / 2; i++)
        m[i] = m[2 * i] + m[2 * i + 1];
    memset(m + PRECISION_SLABS / 2, 0, PRECISION_SLABS / 2 * sizeof *m);
    x->ended = PRECISION_BINS / 2;
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

/* The words of a series at the end of bin `bin`, and of a slab. */
static void series_end_bin(struct precision_series *s, size_t bin, struct precision_words now)
{
    s->words[bin] = now.arrived - s->before.arrived;
    s->before.arrived = now.arrived;
    if ((bin + 1) % PRECISION_UNIT != 0)
        return;
    s->slab[bin / PRECISION_UNIT].created = now.created - s->before.created;
    s->before.created = now.created;
}

static void end_bin(struct precision *x, const struct precision_sample *s)
{
    const size_t bin = x->ended++;
    struct precision_words all = {.arrived = s->words};
    if (x->ended % PRECISION_UNIT == 0) {
        for (uint32_t i = 0; i < x->window[0].steady.count; i++)
            all.created += s->created[i];
        x->created_messages[bin / PRECISION_UNIT] = s->created_messages - x->messages_before;
        x->messages_before = s->created_messages;
    }
    series_end_bin(&x->all, bin, all);
    for (unsigned k = 0; k < x->class_count; k++)
        series_end_bin(&x->classes[k], bin, s->classes[k]);
    if (x->ended == PRECISION_BINS)
        merge_bins(x);
}

/* `network`: 0: of no interest. False if memory is short. */
static bool series_add(struct precision_series *s, size_t bin, uint64_t latency, uint64_t network)
{
    struct precision_slab *slab = &s->slab[bin / PRECISION_UNIT];
    s->latency[bin].count++;
    s->latency[bin].sum += latency;
    slab->network_cycles += network;
    return tally_add(&slab->latency, latency) &&
           (network == 0 || tally_add(&slab->network, network));
}

void precision_arrived(struct precision *x, const struct precision_packet *p)
{
    if (closed(x) && p->created > x->decision)
        return;
    const size_t bin = (size_t)((p->created - 1) / x->base >> x->merges);
    bool good = series_add(&x->all, bin, p->latency, p->network);
    if (x->classes)
        good &= series_add(&x->classes[p->class_], bin, p->latency, p->network);
    if (p->round_trip)
        good &= series_add(&x->round_trip, bin, p->round_trip, 0);
    x->memory_short |= !good;
    x->late += p->last && p->created <= x->decision;
    for (unsigned i = 0; i < 2; i++) {
        struct precision_window *w = &x->window[i];
        if (p->created <= w->steady.from || p->created > w->steady.to)
            continue;
        steady_arrived(&w->steady, STEADY_PACKET, p->created, p->latency);
        w->sources[p->src].packets++;
        w->sources[p->src].latency += p->latency;
    }
}

/* --- What has been measured ------------------------------------------------------------------- */

/* The accepted load of a series in the bins from..to - 1. */
static void series_accepted(const struct precision *x, struct precision_series *s, size_t from,
                            size_t to)
{
    struct estimate_bin bins[PRECISION_BINS];
    uint64_t words = 0;
    for (size_t i = from; i < to; i++) {
        bins[i - from] = (struct estimate_bin){bin_cycles(x), s->words[i]};
        words += s->words[i];
    }
    const struct estimate e = estimate_ratio(bins, to - from);
    const double cycles = (double)((to - from) * bin_cycles(x));
    s->accepted = (double)words / ((double)x->nodes * cycles);
    s->confidence.accepted_half = e.half / x->nodes;
}

/* The mean latency of the packets created in them, and its interval. */
static struct estimate series_latency(struct precision_series *s, size_t from, size_t to)
{
    struct ec_confidence *c = &s->confidence;
    struct estimate e = {0};
    c->packets = 0;
    for (size_t i = from; i < to; i++)
        c->packets += s->latency[i].count;
    if (c->packets > 0)
        e = estimate_ratio(s->latency + from, to - from);
    s->packet.mean = e.mean;
    c->latency_half = e.half;
    c->batches = e.batches;
    c->independent = e.independent;
    c->has_interval = e.known;
    return e;
}

static void summarize(const struct tally *const *tallies, size_t count, struct ec_percentile p[3],
                      struct ec_latency *l)
{
    static const double percents[3] = {50, 95, 99};
    for (unsigned i = 0; i < 3; i++)
        p[i] = estimate_percentile(tallies, count, percents[i]);
    l->p50 = p[0].value;
    l->p95 = p[1].value;
    l->p99 = p[2].value;
    for (size_t i = 0; i < count; i++)
        l->max = tallies[i]->max > l->max ? tallies[i]->max : l->max;
}

/* Percentiles and the latency in the network, of a series with a mean latency. */
static void series_percentiles(struct precision_series *s, size_t from, size_t to)
{
    const struct tally *latency[PRECISION_SLABS] = {0}, *network[PRECISION_SLABS] = {0};
    const size_t count = (to - from) / PRECISION_UNIT;
    struct ec_percentile p[3], q[3];
    struct estimate_bin bins[PRECISION_SLABS] = {0};
    uint64_t network_cycles = 0;
    for (size_t i = 0; i < count; i++) {
        const struct precision_slab *slab = &s->slab[from / PRECISION_UNIT + i];
        latency[i] = &slab->latency;
        network[i] = &slab->network;
        network_cycles += slab->network_cycles;
        bins[i] = (struct estimate_bin){slab->latency.samples, slab->network_cycles};
    }
    const struct estimate e = estimate_merged(bins, count, ESTIMATE_BATCHES);
    s->network_half = e.known ? e.half : 0;
    summarize(latency, count, p, &s->packet);
    summarize(network, count, q, &s->network);
    s->network.mean = (double)network_cycles / (double)s->confidence.packets;
    s->confidence.p50 = p[0];
    s->confidence.p95 = p[1];
    s->confidence.p99 = p[2];
}

static void series_offered(const struct precision *x, struct precision_series *s, size_t from,
                           size_t to)
{
    const double cycles = (double)((to - from) * bin_cycles(x));
    uint64_t created = 0;
    for (size_t i = from; i < to; i += PRECISION_UNIT)
        created += s->slab[i / PRECISION_UNIT].created;
    s->offered = (double)created / ((double)x->nodes * cycles);
}

static void series_begin(struct precision *x, struct precision_series *s)
{
    (void)x;
    s->offered = s->accepted = 0;
    s->packet = s->network = (struct ec_latency){0};
    s->network_half = 0;
    s->confidence = (struct ec_confidence){0};
}

/* What a decision needs. */
static void measure(struct precision *x, size_t from, size_t to)
{
    struct ec_measurement *m = &x->found;
    const struct ec_confidence *c = &x->all.confidence;
    for_each_series(x, series_begin);
    series_accepted(x, &x->all, from, to);
    *m = (struct ec_measurement){.truncated = from * bin_cycles(x),
                                 .window = (to - from) * bin_cycles(x),
                                 .accepted = x->all.accepted,
                                 .accepted_half = c->accepted_half};
    if (x->grows || x->arrived < x->tagged)
        return;
    const struct estimate e = series_latency(&x->all, from, to);
    m->has_latency = c->packets > 0;
    m->packets = c->packets;
    m->latency = e.mean;
    m->latency_half = e.half;
    m->latency_error = e.error;
    m->latency_skew = e.skew;
    m->batches = e.batches;
    m->correlation = e.correlation;
    m->independent = e.independent;
    m->has_interval = e.known;
}

/* The latencies of a series that decides nothing. */
static void measure_part(const struct precision *x, struct precision_series *s, size_t from,
                         size_t to)
{
    if (x->found.has_latency)
        series_latency(s, from, to);
    if (s->confidence.packets > 0)
        series_percentiles(s, from, to);
}

/* What no decision needs. */
static void measure_rest(struct precision *x, size_t from, size_t to)
{
    struct ec_measurement *m = &x->found;
    x->messages = 0;
    for (size_t i = from; i < to; i += PRECISION_UNIT)
        x->messages += x->created_messages[i / PRECISION_UNIT];
    series_offered(x, &x->all, from, to);
    if (m->has_latency)
        series_percentiles(&x->all, from, to);
    m->p50 = x->all.confidence.p50;
    m->p95 = x->all.confidence.p95;
    m->p99 = x->all.confidence.p99;
    m->max = m->has_latency ? x->all.packet.max : 0;
    for (unsigned k = 0; k < x->class_count; k++) {
        struct precision_series *s = &x->classes[k];
        series_accepted(x, s, from, to);
        series_offered(x, s, from, to);
        measure_part(x, s, from, to);
    }
    if (x->round_trip.latency)
        measure_part(x, &x->round_trip, from, to);
}

/* --- Between parts ---------------------------------------------------------------------------- */

/* False: a part is gone. One part: true, and the values stay. */
static bool fold(const struct precision *x, uint64_t *values, size_t count, enum exchange_fold how)
{
    return !x->exchange || exchange_fold(x->exchange, values, count, how);
}

static uint64_t fold_one(const struct precision *x, uint64_t value, enum exchange_fold how)
{
    return fold(x, &value, 1, how) ? value : 0;
}

static bool fold_steady(const struct precision *x, struct steady *s)
{
    return fold(x, &s->bin[STEADY_PACKET]->count, 2 * STEADY_BINS, EXCHANGE_SUM);
}

/* The latencies by which a decision is made become those of all parts, in all parts. What packets
 * of this part have contributed is kept in `own` and `kept`. */
static bool fold_latencies(struct precision *x, struct steady *kept)
{
    struct steady *s = &x->window[x->current ^ 1].steady;
    if (!x->exchange)
        return true;
    *kept = *s;
    memcpy(x->own, x->all.latency, PRECISION_BINS * sizeof *x->own);
    return fold(x, &x->all.latency->count, 2 * PRECISION_BINS, EXCHANGE_SUM) && fold_steady(x, s);
}

/* The run goes on: this part has its own latencies again. */
static void unfold_latencies(struct precision *x, const struct steady *kept)
{
    if (!x->exchange)
        return;
    x->window[x->current ^ 1].steady = *kept;
    memcpy(x->all.latency, x->own, PRECISION_BINS * sizeof *x->own);
}

/* What no decision needed, of one series; `latencies`: nor its latencies. */
static bool gather_series(struct precision_series *s, bool latencies, struct exchange *e)
{
    bool good = !latencies || gather_sums(e, &s->latency->count, 2 * PRECISION_BINS);
    for (unsigned i = 0; good && i < PRECISION_SLABS; i++)
        good = tally_gather(&s->slab[i].latency, e) && tally_gather(&s->slab[i].network, e) &&
               gather_sums(e, &s->slab[i].network_cycles, 1);
    return good;
}

/* The run has been measured: part 0 gets what no decision needed. The others begin again with the
 * batches of the window, for packets that arrive later. */
static void gather_rest(struct precision *x)
{
    const struct precision_window *w = precision_window(x);
    struct exchange *const e = x->exchange;
    struct precision_series *s;
    bool good = true;
    if (!e)
        return;
    for (unsigned i = 0; good && (s = series_at(x, i)); i++)
        good = gather_series(s, i > 0, e);
    if (!good ||
        !gather_sums(e, &w->sources->offered, x->nodes * sizeof *w->sources / sizeof(uint64_t)))
        exchange_abort(e, EC_MEMORY, "out of memory for the measurement");
    if (e->part > 0)
        memset(w->steady.bin, 0, STEADY_SERIES * sizeof *w->steady.bin);
}

bool precision_merge(struct precision *x)
{
    return fold_steady(x, &x->window[x->current ^ 1].steady);
}

/* --- Decisions -------------------------------------------------------------------------------- */

const struct precision_window *precision_window(const struct precision *x)
{
    return &x->window[x->current ^ 1];
}

/* What is missing. As precise as requested, and not by chance: a sample that was quiet from
 * beginning to end has a low mean and a low variance, but hardly in both of its halves. */
static struct precision_lack lack_of(const struct precision *x, size_t from, size_t to)
{
    const struct ec_measurement *m = &x->found;
    const double relative = x->goal.relative;
    const size_t middle = from + (to - from) / 2;
    if (!m->has_interval)
        return (struct precision_lack){.what = PRECISION_LACKS_INTERVAL};
    if (m->latency_half > relative * m->latency)
        return (struct precision_lack){.what = PRECISION_LACKS_WIDTH};
    if (m->packets < PRECISION_PACKETS)
        return (struct precision_lack){.what = PRECISION_LACKS_PACKETS};
    for (unsigned k = 0; k < 2; k++) {
        const size_t begin = k ? middle : from, end = k ? to : middle;
        const struct estimate e = estimate_ratio(x->all.latency + begin, end - begin);
        if (e.batches == 0 || e.half > PRECISION_HALVES * relative * e.mean)
            return (struct precision_lack){PRECISION_LACKS_HALF, k,
                                           e.batches == 0 ? 0 : e.half / e.mean};
    }
    return (struct precision_lack){0};
}

/* The state if the run ended here; NONE: it must go on. `warm`: the start-up has an end. */
static enum ec_measured judge(struct precision *x, bool warm, size_t from, size_t to, bool last)
{
    const struct ec_measurement *m = &x->found;
    const double relative = x->goal.relative, slow = x->goal.saturated_latency;
    if (x->grows)
        return last || m->accepted_half <= relative * m->accepted ? EC_MEASURED_SATURATED
                                                                  : EC_MEASURED_NONE;
    if (slow > 0 && m->has_interval && m->latency - m->latency_half > slow)
        return EC_MEASURED_SLOW;
    const struct steady *s = &precision_window(x)->steady;
    const bool arrived = x->arrived == x->tagged;
    const bool steady = warm && steady_judge(s, arrived).steady == EC_STEADY_SHOWN;
    x->lack = lack_of(x, from, to);
    if (steady && x->lack.what == PRECISION_LACKS_NOTHING)
        return EC_MEASURED_STEADY;
    if (!last)
        return EC_MEASURED_NONE;
    return steady && m->batches > 0 ? EC_MEASURED_LIMIT : EC_MEASURED_TOO_SHORT;
}

/* Without a steady state there is no mean that an interval could contain. */
static void series_doubt(struct precision *x, struct precision_series *s)
{
    (void)x;
    s->confidence.has_interval = false;
}

/* What no decision needs, in part 0. */
static void conclude(struct precision *x, size_t from, size_t to)
{
    gather_rest(x);
    if (observes(x))
        measure_rest(x, from, to);
    if (x->found.state == EC_MEASURED_TOO_SHORT) {
        x->found.has_interval = false;
        for_each_series(x, series_doubt);
    }
    x->missing = x->grows ? 0 : x->tagged - x->arrived;
    if (x->missing > 0)
        x->messages = x->tagged; /* the missing ones may be of any cycle */
    x->done = true;
}

/* True: the measurement is done. */
static bool decide(struct precision *x, bool last)
{
    const size_t bins = (size_t)(x->decision / bin_cycles(x));
    const size_t half = (bins / PRECISION_UNIT + 1) / 2 * PRECISION_UNIT;
    struct steady kept;
    if (!fold_latencies(x, &kept))
        return false;
    const size_t found = estimate_truncation(x->all.latency, bins, PRECISION_UNIT);
    const bool warm = found <= half;
    const size_t from = x->grows || !warm ? half : found;
    x->pending = false;
    measure(x, from, bins);
    const enum ec_measured state =
        observes(x) ? judge(x, warm, from, bins, last) : EC_MEASURED_NONE;
    x->found.state = (enum ec_measured)fold_one(x, state, EXCHANGE_MAX);
    if (x->found.state != EC_MEASURED_NONE)
        conclude(x, from, bins);
    else
        unfold_latencies(x, &kept);
    return x->done;
}

/* Half-widths shrink with the square root of the cycles; twice as many are the next decision. */
uint64_t precision_suggest(const struct precision *x)
{
    const struct ec_measurement *m = &x->found;
    const double wider =
        m->has_latency && m->batches > 0 ? m->latency_half / (x->goal.relative * m->latency) : 0;
    const double scarce = m->packets > 0 ? (double)PRECISION_PACKETS / (double)m->packets : 0;
    const double times = 1.2 * (wider * wider > scarce ? wider * wider : scarce);
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

bool precision_needs_accepted(const struct precision *x, uint64_t now)
{
    const struct steady *s = &x->window[x->current].steady;
    return !closed(x) && (s->seen == 0 || s->seen == STEADY_BATCHES) &&
           now == steady_mark(s, s->seen);
}

static void sample_sources(struct precision *x, const struct precision_sample *s)
{
    struct precision_window *w = &x->window[x->current];
    const bool first = w->steady.seen == 0;
    steady_sample(&w->steady, s->created, s->sent);
    const bool last = steady_complete(&w->steady);
    for (uint32_t i = 0; observes(x) && (first || last) && i < x->nodes; i++)
        w->sources[i].words = s->accepted[i] - w->sources[i].words;
    for (uint32_t i = 0; last && i < w->steady.count; i++)
        w->sources[i / w->steady.kinds / x->locals].offered += w->steady.source[i].created;
}

/* The window is complete: its decision waits for the packets created until now. The next window
 * begins now, or half way to its decision. */
static void end_window(struct precision *x, const struct precision_sample *s)
{
    x->grows = fold_one(x, steady_grows(&x->window[x->current].steady), EXCHANGE_OR);
    x->pending = true;
    x->decision = x->at;
    x->tagged = s->created_messages;
    x->before = s->messages;
    x->late = 0;
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
    x->arrived = x->before + fold_one(x, x->late, EXCHANGE_SUM);
    if (x->grows || x->arrived == x->tagged || !patient)
        return decide(x, last);
    return false;
}

/* --- State ------------------------------------------------------------------------------------ */

/* What counts arriving packets, and the figures of the last decision. */
static void state_of_series(struct precision_series *s, enum state_fold arrivals,
                            struct state *state)
{
    state_common(state, arrivals, s->latency, PRECISION_BINS * sizeof *s->latency);
    state_common(state, STATE_SAME, s->words, PRECISION_BINS * sizeof *s->words);
    for (unsigned i = 0; i < PRECISION_SLABS; i++) {
        tally_state(&s->slab[i].latency, state);
        tally_state(&s->slab[i].network, state);
        STATE_COMMON(state, STATE_SUM, s->slab[i].network_cycles);
        STATE_COMMON(state, STATE_SAME, s->slab[i].created);
    }
    STATE_COMMON(state, STATE_SAME, s->before);
    STATE_COMMON(state, STATE_SAME, s->offered);
    STATE_COMMON(state, STATE_SAME, s->accepted);
    STATE_COMMON(state, STATE_SAME, s->packet);
    STATE_COMMON(state, STATE_SAME, s->network);
    STATE_COMMON(state, STATE_SAME, s->confidence);
    STATE_COMMON(state, STATE_SAME, s->network_half);
}

/* Once the measurement is done, the first part has the latencies of all (gather_rest). */
void precision_state(struct precision *x, struct state *state)
{
    struct precision_series *s;
    STATE_COMMON(state, STATE_SAME, x->done);
    const enum state_fold arrivals = x->done ? STATE_FIRST : STATE_SUM;
    for (unsigned i = 0; (s = series_at(x, i)); i++)
        state_of_series(s, arrivals, state);
    for (unsigned i = 0; i < 2; i++) {
        struct precision_window *w = &x->window[i];
        steady_state(&w->steady, state);
        state_common(state, arrivals, w->sources, x->nodes * sizeof *w->sources);
    }
    STATE_COMMON(state, STATE_SAME, x->created_messages);
    STATE_COMMON(state, STATE_SAME, x->merges);
    STATE_COMMON(state, STATE_SAME, x->ended);
    STATE_COMMON(state, STATE_SAME, x->messages_before);
    STATE_COMMON(state, STATE_SAME, x->current);
    STATE_COMMON(state, STATE_SAME, x->at);
    STATE_COMMON(state, STATE_SAME, x->pending);
    STATE_COMMON(state, STATE_SAME, x->decision);
    STATE_COMMON(state, STATE_SAME, x->tagged);
    STATE_COMMON(state, STATE_SAME, x->before);
    STATE_COMMON(state, STATE_SUM, x->late);
    STATE_COMMON(state, STATE_SAME, x->arrived);
    STATE_COMMON(state, STATE_SAME, x->grows);
    STATE_COMMON(state, STATE_SAME, x->found);
    STATE_COMMON(state, STATE_SAME, x->lack);
    STATE_COMMON(state, STATE_SAME, x->messages);
    STATE_COMMON(state, STATE_SAME, x->missing);
    state->failed = state->failed || x->current > 1 || x->ended > PRECISION_BINS;
}
