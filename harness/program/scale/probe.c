/* SPDX-License-Identifier: Apache-2.0 */
/* Short runs. Knows how to measure a cycle; must not know the model. */
#include "program/scale/probe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first guess of the time of a router-cycle, in seconds. */
#define ROUTER_CYCLE 3e-7
/* A longer message says no more about the cost of a word. */
#define WORDS_MOST   64
/* Beyond this part of the bound of the busiest channel, queues grow long. */
#define LOAD_MOST    0.6
#define WARMUP_LEAST 16
#define WINDOW_LEAST 48
#define CYCLES_MOST  UINT64_C(200000)
#define RUNS_MOST    1000
#define RUNS_LEAST   6

/* --- Networks --------------------------------------------------------------------------------- */

/* A dimension that wraps keeps a radix of at least 4, and so its virtual channels. */
static bool halve_largest(uint32_t *radix, const struct ec_topology *t)
{
    unsigned largest = 0;
    for (unsigned d = 1; d < t->dims; d++)
        largest = radix[d] > radix[largest] ? d : largest;
    const uint32_t least = t->wrap[largest] ? 4 : 2;
    if (radix[largest] / 2 < least)
        return false;
    radix[largest] /= 2;
    return true;
}

static uint32_t product(const uint32_t *radix, unsigned dims)
{
    uint32_t all = 1;
    for (unsigned d = 0; d < dims; d++)
        all *= radix[d];
    return all;
}

struct ec_topology scale_smaller(const struct ec_topology *t, uint32_t nodes)
{
    static const char *const kinds[] = {
        [EC_RING] = "ring", [EC_MESH] = "mesh", [EC_TORUS] = "torus", [EC_CUBE] = "cube"};
    struct ec_topology smaller = *t;
    uint32_t radix[EC_DIMS_MAX];
    char text[160];
    memcpy(radix, t->radix, sizeof radix);
    unsigned dims = t->dims;
    if (t->kind == EC_CUBE) {
        while (dims > 1 && UINT32_C(1) << dims > nodes)
            dims--;
        snprintf(text, sizeof text, "cube:%u", dims);
    } else {
        while (product(radix, dims) > nodes && halve_largest(radix, t))
            continue;
        int length = snprintf(text, sizeof text, "%s:", kinds[t->kind]);
        for (unsigned d = 0; d < dims; d++)
            length += snprintf(text + length, sizeof text - (size_t)length,
                               d ? "x%" PRIu32 : "%" PRIu32, radix[d]);
    }
    return ec_topology_parse(text, &smaller, NULL) == EC_OK ? smaller : *t;
}

/* --- Random traffic on a smaller network ------------------------------------------------------ */

static unsigned message_words(const struct ec_workload *w)
{
    const double words = w->open_loop ? ec_workload_mean_words(w) : w->longest;
    return words > WORDS_MOST ? WORDS_MOST : words < 1 ? 1 : (unsigned)(words + 0.5);
}

static enum ec_code open_uniform(const struct scale_bench *b, double rate, struct ec_workload **ret,
                                 struct ec_error *e)
{
    char text[80];
    snprintf(text, sizeof text, "uniform:rate=%.6f,m=%u", rate, b->words);
    return ec_workload_open(text, &b->topology, b->c->spec.seed, ret, e);
}

/* Hops and bound of uniform traffic. */
static enum ec_code find_bounds(struct scale_bench *b, struct ec_error *e)
{
    struct ec_workload *w;
    struct ec_bounds bounds;
    enum ec_code code = open_uniform(b, 0.01, &w, e);
    if (code != EC_OK)
        return code;
    code = ec_bounds(&b->topology, &b->router, w, 0, &bounds, e);
    ec_workload_close(w);
    if (code == EC_OK) {
        b->hops = bounds.hops;
        b->most = LOAD_MOST * fmin(bounds.rate, 1) * (bounds.hops + 1);
    }
    return code;
}

enum ec_code scale_bench_open(const struct ec_case *c, uint32_t nodes, struct ec_net_pulse *pulse,
                              struct scale_bench *ret, struct ec_error *reterr)
{
    struct ec_shape *shape;
    const struct ec_tiles_options options = {.foreign = c->spec.top != NULL, .pulse = pulse};
    struct scale_bench *b = ret;
    *b = (struct scale_bench){.c = c,
                              .topology = scale_smaller(&c->topology, nodes),
                              .router = c->router,
                              .words = message_words(c->workload),
                              .expected = ROUTER_CYCLE};
    b->topology.address_bits = c->topology.address_bits; /* the words are those of the shape */
    enum ec_code code = find_bounds(b, reterr);
    if (code == EC_OK)
        code = ec_case_shape(c, &shape, reterr);
    if (code == EC_OK)
        code = ec_tiles_open(&b->topology, &b->router, shape, &options, &b->net, reterr);
    return code;
}

void scale_bench_close(struct scale_bench *b)
{
    if (b->net)
        b->net->ops->close(b->net);
    b->net = NULL;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* The means of a run that ended; whether it shows a steady state does not matter. */
static enum ec_code judge(const struct ec_report *r, const struct ec_topology *t,
                          const char *workload, struct scale_probe *ret, struct ec_error *e)
{
    char topology[160];
    ec_topology_format(t, topology, sizeof topology);
    if (r->outcome == EC_RUN_INTERRUPTED)
        return ec_fail(e, EC_INTERRUPTED, "interrupted");
    if ((r->outcome != EC_RUN_FINISHED && r->outcome != EC_RUN_LIMIT) || r->simulated_cycles == 0)
        return ec_fail(e, EC_UNSOUND,
                       "%.100s %.200s: the run fails, so its cost says nothing: 'ecube run' with "
                       "the same words shows why",
                       topology, workload);
    const double cycles = (double)r->simulated_cycles;
    uint64_t words = 0;
    for (size_t i = 0; i < (size_t)r->ports * t->nodes; i++)
        words += r->flits[i];
    *ret = (struct scale_probe){.seconds = r->cpu_seconds / cycles,
                                .wall = r->seconds / cycles,
                                .awake = (double)r->stepped / cycles,
                                .words = (double)words / cycles};
    return EC_OK;
}

static uint64_t between(double value, uint64_t least, uint64_t most)
{
    return value < (double)least ? least : value > (double)most ? most : (uint64_t)value;
}

uint64_t scale_bench_cycles(const struct scale_bench *b, double seconds)
{
    return between(seconds / (b->expected * b->topology.nodes), WINDOW_LEAST, CYCLES_MOST);
}

enum ec_code scale_bench_run(struct scale_bench *b, double words, uint64_t cycles,
                             struct scale_probe *ret, struct ec_error *reterr)
{
    struct ec_workload *w;
    struct ec_report *report = NULL;
    const double rate = fmin(words, b->most) / (b->hops + 1);
    struct ec_run_options options = ec_case_run_options(b->c);
    options.precision = NULL;
    options.schedule = NULL;
    options.eject_stall = 0;
    options.warmup = WARMUP_LEAST + (uint64_t)b->hops + b->words;
    options.cycles = cycles > WINDOW_LEAST ? cycles : WINDOW_LEAST;
    enum ec_code code = open_uniform(b, rate, &w, reterr);
    if (code != EC_OK)
        return code;
    code = ec_run(b->net, w, NULL, &options, &report, reterr);
    if (code == EC_OK)
        code = judge(report, &b->topology, w->text, ret, reterr);
    if (code == EC_OK && ret->seconds > 0)
        b->expected = ret->seconds / b->topology.nodes;
    ec_report_close(report);
    ec_workload_close(w);
    return code;
}

/* A window that lets the case be run twice in that time, about. */
static struct ec_run_options short_run(const struct ec_case *c, double seconds)
{
    const double cycles = seconds / (2 * ROUTER_CYCLE * c->topology.nodes);
    struct ec_run_options options = ec_case_run_options(c);
    options.precision = NULL;
    options.cycles = between(cycles, WINDOW_LEAST, CYCLES_MOST);
    if (c->workload->open_loop)
        options.warmup = between(cycles / 4, WARMUP_LEAST, options.warmup);
    return options;
}

/* Runs are the same every time, so the fastest counts: others only disturb. */
enum ec_code scale_case_run(struct ec_case *c, double seconds, struct scale_probe *ret,
                            struct ec_report **ret_report, struct ec_error *reterr)
{
    const struct ec_run_options options = short_run(c, seconds);
    struct ec_report *report = NULL;
    double spent = 0;
    enum ec_code code = EC_OK;
    for (int runs = 0; code == EC_OK && runs < RUNS_MOST && (runs == 0 || spent < seconds);
         runs++) {
        struct scale_probe p = {0};
        ec_report_close(report);
        report = NULL;
        code = ec_case_run(c, &options, &report, reterr);
        if (code == EC_OK)
            code = judge(report, &c->topology, c->workload->text, &p, reterr);
        if (code == EC_OK)
            spent += report->cpu_seconds;
        const double wall = runs == 0 ? p.wall : fmin(p.wall, ret->wall);
        if (runs == 0 || p.seconds < ret->seconds)
            *ret = p;
        ret->wall = wall;
    }
    if (code == EC_OK)
        *ret_report = report;
    else
        ec_report_close(report);
    return code;
}

enum ec_code scale_case_time(struct ec_case *c, double seconds, double *ret,
                             struct ec_error *reterr)
{
    const struct ec_run_options options = short_run(c, seconds);
    const double one = ROUTER_CYCLE * (double)options.cycles * c->topology.nodes;
    const uint64_t runs = between(seconds / one, RUNS_LEAST, RUNS_MOST);
    enum ec_code code = EC_OK;
    *ret = 0;
    for (uint64_t i = 0; code == EC_OK && i < runs; i++) {
        struct ec_report *report;
        struct scale_probe p = {0};
        code = ec_case_run(c, &options, &report, reterr);
        if (code != EC_OK || !report)
            continue;
        code = judge(report, &c->topology, c->workload->text, &p, reterr);
        *ret = i == 0 ? p.wall : fmin(*ret, p.wall);
        ec_report_close(report);
    }
    return code;
}
