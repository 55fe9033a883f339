/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring comparisons: a run and a comparison of it, in turn, so that their ratio is valid on a
 * shared machine. Knows the library; must not know tables or options. */
#include <stdio.h>

#include "ecube/compare.h"
#include "ecube/net.h"
#include "measure.h"
#include "network.h"

struct sides {
    struct ec_topology t;
    struct ec_router r;
    struct ec_shape *shape;
    struct ec_workload *w;
    struct ec_net *net[2];
};

static void fail(struct bench_comparison_result *result, const char *why)
{
    snprintf(result->message, sizeof result->message, "%.590s", why);
    result->passed = false;
}

static enum ec_code open_sides(const struct bench_comparison *c, struct sides *s,
                               struct ec_error *error)
{
    enum ec_code code = bench_open_shape(c->topology, c->router, &s->t, &s->r, &s->shape, error);
    if (code == EC_OK)
        code = ec_workload_open(c->workload, &s->t, BENCH_SEED, &s->w, error);
    if (code == EC_OK)
        code = ec_router_set_packet(&s->r, 0, s->w->longest, error);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++)
        code = ec_tiles_open(&s->t, &s->r, s->shape, NULL, &s->net[k], error);
    return code;
}

static void close_sides(struct sides *s)
{
    for (unsigned k = 0; k < 2; k++) {
        if (s->net[k])
            s->net[k]->ops->close(s->net[k]);
    }
    ec_workload_close(s->w);
    ec_shape_close(s->shape);
}

/* One of each. */
static enum ec_code measure(const struct sides *s, const struct ec_run_options *run, unsigned i,
                            struct bench_comparison_result *result, struct ec_error *error)
{
    const struct ec_compare_options both = {.run = *run};
    struct ec_report *report = NULL;
    struct ec_comparison *comparison = NULL;
    struct bench_time begin = bench_now();
    enum ec_code code = ec_run(s->net[0], s->w, NULL, run, &report, error);
    result->run[i] = bench_since(begin);
    if (code != EC_OK)
        return code;
    begin = bench_now();
    code = ec_compare(s->net[0], s->net[1], s->w, &both, &comparison, error);
    result->compared[i] = bench_since(begin);
    if (code == EC_OK) {
        result->router_cycles = (double)s->t.nodes * (double)comparison->cycles;
        if (!report->passed)
            fail(result, bench_first_failure(report));
        else if (!comparison->agree)
            fail(result, "a network differs from itself");
        else if (comparison->cycles != report->simulated_cycles)
            fail(result, "the comparison does not match the run");
    }
    ec_comparison_close(comparison);
    ec_report_close(report);
    return code;
}

static void run_comparison(const void *of, void *out)
{
    const struct bench_comparison *c = of;
    struct bench_comparison_result *result = out;
    const struct ec_run_options run = {
        .cycles = c->cycles, .warmup = BENCH_WARMUP, .seed = BENCH_SEED};
    struct sides s = {0};
    struct ec_error error;
    enum ec_code code = open_sides(c, &s, &error);
    for (unsigned i = 0; i < result->repeats && code == EC_OK; i++)
        code = measure(&s, &run, i, result, &error);
    if (code != EC_OK)
        fail(result, error.message);
    close_sides(&s);
}

/* As for loads: the peak memory must not be that of a compiler. */
static void prepare(const void *of, void *out)
{
    struct sides s = {0};
    struct ec_error error;
    if (open_sides(of, &s, &error) != EC_OK)
        fail(out, error.message);
    close_sides(&s);
}

void bench_measure_comparison(const struct bench_comparison *c, unsigned repeats,
                              struct bench_comparison_result *ret)
{
    struct rusage usage;
    *ret = (struct bench_comparison_result){.passed = true, .repeats = repeats};
    if (!bench_in_child(prepare, c, ret, sizeof *ret, &usage))
        fail(ret, "the process that opens the shape died");
    if (!ret->passed)
        return;
    if (!bench_in_child(run_comparison, c, ret, sizeof *ret, &usage))
        fail(ret, "the process of this case died");
    ret->peak_bytes = bench_peak_bytes(&usage);
}
