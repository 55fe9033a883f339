/* SPDX-License-Identifier: Apache-2.0 */
/* A point of a curve. Knows how a run becomes a row of numbers, and several runs one row; must not
 * know which rates are measured. */
#include "program/sweep/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text.h"

/* --- A run ---------------------------------------------------------------------------------- */

static struct sweep_percentile percentile(bool known, const struct ec_percentile *p)
{
    return (struct sweep_percentile){known, (double)p->value, (double)p->low, (double)p->high};
}

static void take_measurement(const struct ec_measurement *m, struct sweep_run *r)
{
    static const enum sweep_state states[] = {
        [EC_MEASURED_NONE] = SWEEP_FAILED,         [EC_MEASURED_STEADY] = SWEEP_STEADY,
        [EC_MEASURED_LIMIT] = SWEEP_LIMIT,         [EC_MEASURED_TOO_SHORT] = SWEEP_TOO_SHORT,
        [EC_MEASURED_SATURATED] = SWEEP_SATURATED, [EC_MEASURED_SLOW] = SWEEP_SLOW,
    };
    /* The latency of a state that is not steady depends on the length of the run. */
    const bool steady = m->state == EC_MEASURED_STEADY || m->state == EC_MEASURED_LIMIT;
    const bool latency = m->has_latency && steady;
    r->state = states[m->state];
    r->latency = (struct sweep_mean){latency, m->latency, m->has_interval ? m->latency_half : -1};
    r->accepted = (struct sweep_mean){m->window > 0, m->accepted, m->accepted_half};
    r->p50 = percentile(latency, &m->p50);
    r->p95 = percentile(latency, &m->p95);
    r->p99 = percentile(latency, &m->p99);
    r->truncated = m->truncated;
    r->window = m->window;
    r->batches = m->batches;
    r->correlation = m->correlation;
    r->correlated = !m->independent;
    r->replica = (struct replica){.steady = steady,
                                  .packets = m->packets,
                                  .batches = m->batches,
                                  .mean = m->latency,
                                  .error = m->latency_error,
                                  .skew = m->latency_skew};
    r->minimum_share = m->has_share ? m->least_share : -1;
}

/* A latency without an interval has a half-width below 0. */
static struct sweep_part part(bool latency, const struct ec_latency *l, bool accepted, double load,
                              const struct ec_confidence *c)
{
    const bool known = latency && c->packets > 0;
    return (struct sweep_part){.latency = {known, l->mean, c->has_interval ? c->latency_half : -1},
                               .accepted = {accepted, load, c->accepted_half},
                               .p50 = percentile(known, &c->p50),
                               .p95 = percentile(known, &c->p95),
                               .p99 = percentile(known, &c->p99),
                               .judged = known && c->batches > 0,
                               .correlated = !c->independent};
}

static void take_parts(const struct ec_report *report, struct sweep_run *r)
{
    const bool latency = r->latency.known;
    for (size_t k = 0; k < report->class_count; k++) {
        const struct ec_class_use *use = &report->classes[k];
        r->classes[k] = part(latency, &use->packet_latency, r->accepted.known && use->measured,
                             use->accepted, &use->confidence);
    }
    r->round_trip = part(latency, &report->round_trip, false, 0, &report->round_trip_confidence);
}

static void take_report(const struct ec_report *report, struct sweep_run *r)
{
    struct rusage usage;
    const enum cli_status status = cli_status_of_report(report);
    const unsigned cause = status == CLI_DEADLOCK ? EC_CHECK_PROGRESS : ec_report_cause(report);
    take_measurement(&report->measurement, r);
    r->fairness = report->share_fairness.sources > 0 ? report->share_fairness.jain : -1;
    r->simulated_cycles = report->simulated_cycles;
    r->seconds = report->seconds;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        r->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (status == CLI_OK || status == CLI_UNSTABLE) {
        take_parts(report, r);
        if (r->state == SWEEP_LIMIT || r->state == SWEEP_TOO_SHORT)
            snprintf(r->detail, sizeof r->detail, "%.*s", (int)sizeof r->detail - 1,
                     report->checks[EC_CHECK_STABILITY].detail);
        return;
    }
    r->status = status;
    r->state = SWEEP_FAILED;
    r->latency.known = r->accepted.known = r->p50.known = r->p95.known = r->p99.known = false;
    if (cause < EC_CHECK_COUNT)
        snprintf(r->detail, sizeof r->detail, "%s: %s", ec_check_name(cause),
                 report->checks[cause].detail);
}

/* After a deadlock of the routing. */
static enum ec_code add_remedy(const struct ec_case *c, const struct ec_report *report,
                               struct sweep_run *r, struct ec_error *e)
{
    struct ec_warning warning;
    if (report->outcome != EC_RUN_DEADLOCK || report->protocol)
        return EC_OK;
    const enum ec_code code = ec_case_warning(c, &warning, e);
    if (code == EC_OK && warning.remedy[0])
        ec_append(r->detail, sizeof r->detail, "; use %s", warning.remedy);
    return code;
}

enum ec_code sweep_point_run(struct ec_session *session, const struct ec_case_spec *spec,
                             struct sweep_run *ret, struct ec_error *reterr)
{
    struct ec_case *c = NULL;
    struct ec_report *report = NULL;
    struct sweep_run r = {.seed = spec->seed};
    enum ec_code code = ec_case_open(session, spec, &c, reterr);
    if (code == EC_OK)
        code = ec_case_run(c, NULL, &report, reterr);
    if (code == EC_OK && report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    if (code == EC_OK) {
        take_report(report, &r);
        code = add_remedy(c, report, &r, reterr);
    }
    ec_report_close(report);
    ec_case_close(c);
    *ret = r;
    return code;
}

struct sweep_run sweep_run_failed(enum cli_status status, const char *what, uint64_t seed)
{
    struct sweep_run r = {
        .seed = seed, .state = SWEEP_FAILED, .status = status, .minimum_share = -1, .fairness = -1};
    snprintf(r.detail, sizeof r.detail, "%s", what);
    return r;
}

/* --- Several runs as one row ------------------------------------------------------------------ */

/* The state of a row is that of its worst run, in this order. */
static int severity(enum sweep_state state)
{
    static const int order[] = {[SWEEP_STEADY] = 0, [SWEEP_LIMIT] = 1,     [SWEEP_TOO_SHORT] = 2,
                                [SWEEP_SLOW] = 3,   [SWEEP_SATURATED] = 4, [SWEEP_FAILED] = 5};
    return order[state];
}

/* Of the figures at `value` in each run; at `known` is a bool. */
static struct sweep_mean merge(const struct sweep_point *p, size_t known, size_t value)
{
    const char *const first = (const char *)p->runs;
    for (size_t i = 0; i < p->run_count; i++) {
        if (!*(const bool *)(first + i * sizeof *p->runs + known))
            return (struct sweep_mean){0};
    }
    const struct replicas_mean m = replicas_spread(first + value, sizeof *p->runs, p->run_count);
    return (struct sweep_mean){true, m.mean, m.half};
}

static struct sweep_mean merge_means(const struct sweep_point *p, size_t offset)
{
    return merge(p, offset + offsetof(struct sweep_mean, known),
                 offset + offsetof(struct sweep_mean, mean));
}

static struct sweep_percentile merge_percentiles(const struct sweep_point *p, size_t offset)
{
    const struct sweep_mean m = merge(p, offset + offsetof(struct sweep_percentile, known),
                                      offset + offsetof(struct sweep_percentile, value));
    /* Percentiles are whole numbers, so their mean may be wrong by half a cycle. */
    const double half = m.half_width + 0.5;
    return m.known ? (struct sweep_percentile){true, m.mean, m.mean - half, m.mean + half}
                   : (struct sweep_percentile){0};
}

static struct sweep_part merge_parts(const struct sweep_point *p, size_t offset)
{
    return (struct sweep_part){
        .latency = merge_means(p, offset + offsetof(struct sweep_part, latency)),
        .accepted = merge_means(p, offset + offsetof(struct sweep_part, accepted)),
        .p50 = merge_percentiles(p, offset + offsetof(struct sweep_part, p50)),
        .p95 = merge_percentiles(p, offset + offsetof(struct sweep_part, p95)),
        .p99 = merge_percentiles(p, offset + offsetof(struct sweep_part, p99))};
}

static double least(double a, double b)
{
    return a < 0 || b < 0 ? -1 : a < b ? a : b;
}

static void merge_counts(const struct sweep_point *p, struct sweep_run *row)
{
    for (size_t i = 1; i < p->run_count; i++) {
        const struct sweep_run *r = &p->runs[i];
        row->minimum_share = least(row->minimum_share, r->minimum_share);
        row->fairness = least(row->fairness, r->fairness);
        row->window += r->window;
        row->truncated += r->truncated;
        row->simulated_cycles += r->simulated_cycles;
        row->seconds += r->seconds;
        if (r->peak_rss_bytes > row->peak_rss_bytes)
            row->peak_rss_bytes = r->peak_rss_bytes;
        if (severity(r->state) > severity(row->state)) {
            row->state = r->state;
            row->status = r->status;
            memcpy(row->detail, r->detail, sizeof row->detail);
        }
    }
}

void sweep_point_merge(struct sweep_point *p)
{
    struct sweep_run row = p->runs[0];
    if (p->run_count > 1) {
        merge_counts(p, &row);
        row.latency = merge_means(p, offsetof(struct sweep_run, latency));
        p->latency_min = p->latency_max = row.latency.known ? p->runs[0].latency.mean : 0;
        for (size_t i = 1; row.latency.known && i < p->run_count; i++) {
            p->latency_min = fmin(p->latency_min, p->runs[i].latency.mean);
            p->latency_max = fmax(p->latency_max, p->runs[i].latency.mean);
        }
        row.accepted = merge_means(p, offsetof(struct sweep_run, accepted));
        row.p50 = merge_percentiles(p, offsetof(struct sweep_run, p50));
        row.p95 = merge_percentiles(p, offsetof(struct sweep_run, p95));
        row.p99 = merge_percentiles(p, offsetof(struct sweep_run, p99));
        for (size_t k = 0; k < EC_CLASSES_MAX; k++)
            row.classes[k] =
                merge_parts(p, offsetof(struct sweep_run, classes) + k * sizeof *row.classes);
        row.round_trip = merge_parts(p, offsetof(struct sweep_run, round_trip));
        row.batches = p->run_count; /* each run is a batch of the interval */
        row.correlation = 0;
        row.correlated = false;
    }
    p->row = row;
}

/* Beyond saturation, replicas are long enough when all of them show it, and their accepted load is
 * as precise as requested. */
static bool all_saturated(const struct sweep_point *p, double precision)
{
    const struct sweep_mean *accepted = &p->row.accepted;
    for (size_t i = 0; i < p->run_count; i++) {
        if (p->runs[i].state != SWEEP_SATURATED)
            return false;
    }
    return accepted->known && accepted->half_width <= precision * accepted->mean;
}

uint64_t sweep_point_pool(struct sweep_point *p, double precision, uint64_t cycles, uint64_t limit)
{
    struct replica replicas[CLI_SEEDS_MAX];
    struct sweep_run *row = &p->row;
    for (size_t i = 0; i < p->run_count; i++)
        replicas[i] = p->runs[i].replica;
    const uint64_t next = replicas_next(replicas, p->run_count, precision, cycles, limit);
    if (next > 0 && row->state != SWEEP_FAILED && !all_saturated(p, precision))
        return next;
    if (!row->latency.known)
        return 0;
    row->latency.half_width = replicas_pool(replicas, p->run_count).half;
    const double relative = row->latency.half_width / row->latency.mean;
    const bool enough = replicas_enough(replicas, p->run_count);
    row->state = relative <= precision && enough ? SWEEP_STEADY : SWEEP_LIMIT;
    *row->detail = '\0';
    if (relative <= precision && !enough)
        snprintf(row->detail, sizeof row->detail,
                 "too few packets for %zu replicas: expected a larger --cycles or fewer replicas",
                 p->run_count);
    else if (row->state == SWEEP_LIMIT)
        snprintf(row->detail, sizeof row->detail,
                 "the interval of %zu replicas is +- %.3g %% of the mean: expected at most %.3g %%",
                 p->run_count, 100 * relative, 100 * precision);
    return 0;
}

void sweep_point_close(struct sweep_point *p)
{
    free(p->command);
    free(p->runs);
}
