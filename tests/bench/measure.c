/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring loads and builds. Knows the library and the process; must not know tables or options.
 */
#include "measure.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ecube/net.h"
#include "ecube/systemc.h"
#include "network.h"

/* ---- Loads. ---- */

__attribute__((format(printf, 2, 3))) static void fail(struct bench_load_result *result,
                                                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
    result->passed = false;
}

/* Build a missing shape before the measurement, so that the peak memory is not that of a compiler.
 */
static void prepare(const void *c, void *result)
{
    const struct bench_load *load = c;
    struct ec_topology t;
    struct ec_router r;
    struct ec_shape *shape = NULL;
    struct ec_error error;
    if (load->systemc)
        return; /* no shape */
    if (bench_open_shape(load->topology, load->router, &t, &r, &shape, &error) != EC_OK)
        fail(result, "%s", error.message);
    ec_shape_close(shape);
}

static enum ec_code repeat(const struct bench_load *load, struct ec_net *net,
                           const struct ec_workload *w, struct bench_load_result *result,
                           struct ec_error *error)
{
    const struct ec_run_options options = {
        .cycles = load->cycles, .warmup = BENCH_WARMUP, .seed = BENCH_SEED};
    for (unsigned i = 0; i < result->repeats; i++) {
        struct ec_report *report;
        const enum ec_code code = ec_run(net, w, NULL, &options, &report, error);
        if (code != EC_OK)
            return code;
        result->time[i] = (struct bench_time){.cpu_seconds = report->cpu_seconds,
                                              .wall_seconds = report->seconds};
        result->router_cycles = (double)net->topology->nodes * (double)report->simulated_cycles;
        result->stepped = (double)report->stepped / result->router_cycles;
        if (!report->passed)
            fail(result, "%s", bench_first_failure(report));
        else if (i > 0 && report->digest != result->digest)
            fail(result, "two runs of one workload differ");
        result->digest = report->digest;
        ec_report_close(report);
    }
    return EC_OK;
}

static void run_load(const void *c, void *out)
{
    const struct bench_load *load = c;
    struct bench_load_result *result = out;
    struct ec_topology t;
    struct ec_router r;
    struct ec_shape *shape = NULL;
    struct ec_workload *w = NULL;
    struct ec_net *net = NULL;
    struct ec_error error;
    enum ec_code code =
        load->systemc ? bench_read_words(load->topology, load->router, &t, &r, &error)
                      : bench_open_shape(load->topology, load->router, &t, &r, &shape, &error);
    if (code == EC_OK)
        code = ec_workload_open(load->workload, &t, BENCH_SEED, &w, &error);
    if (code == EC_OK)
        code = ec_router_set_packet(&r, 0, w->longest, &error);
    if (code == EC_OK)
        code = load->systemc ? ec_systemc_open(&t, &r, &net, &error)
                             : ec_tiles_open(&t, &r, shape, NULL, &net, &error);
    if (code == EC_OK)
        code = repeat(load, net, w, result, &error);
    if (code != EC_OK)
        fail(result, "%s", error.message);
    if (net != NULL)
        net->ops->close(net);
    ec_workload_close(w);
    ec_shape_close(shape);
}

void bench_measure_load(const struct bench_load *c, unsigned repeats, struct bench_load_result *ret)
{
    struct rusage usage;
    *ret = (struct bench_load_result){.passed = true, .repeats = repeats};
    if (!bench_in_child(prepare, c, ret, sizeof *ret, &usage))
        fail(ret, "the process that opens the shape died");
    if (!ret->passed)
        return;
    if (!bench_in_child(run_load, c, ret, sizeof *ret, &usage))
        fail(ret, "the process of this case died");
    ret->peak_bytes = bench_peak_bytes(&usage);
}

/* ---- Builds. ---- */

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void run_build(const void *c, void *out)
{
    const struct bench_build *build = c;
    struct bench_build_result *result = out;
    struct ec_topology t;
    struct ec_router r;
    struct ec_shape *shape = NULL;
    struct ec_error error;
    const struct bench_time start = bench_now();
    if (bench_open_shape(build->topology, build->router, &t, &r, &shape, &error) != EC_OK) {
        memcpy(result->message, error.message, sizeof result->message - 1);
        return;
    }
    result->time = bench_since(start);
    const struct ec_tile_shape *s = &ec_shape_api(shape)->shape;
    result->ports = s->dims * s->links_per_dim + s->locals;
    result->passed = true;
    ec_shape_close(shape);
}

void bench_measure_build(const struct bench_build *c, struct bench_build_result *ret)
{
    const char *folder = getenv("TMPDIR"), *variable = getenv("ECUBE_CACHE");
    char cache[PATH_MAX], *before = variable != NULL ? strdup(variable) : NULL;
    struct rusage usage;
    *ret = (struct bench_build_result){0};
    snprintf(cache, sizeof cache, "%s/ecube-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(cache) == NULL || setenv("ECUBE_CACHE", cache, 1) != 0) {
        snprintf(ret->message, sizeof ret->message, "cannot make the folder %.400s: %s", cache,
                 strerror(errno));
    } else if (bench_in_child(run_build, c, ret, sizeof *ret, &usage)) {
        ret->time.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
        ret->peak_bytes = bench_peak_bytes(&usage);
    } else {
        snprintf(ret->message, sizeof ret->message, "the process of this build died");
        ret->passed = false;
    }
    ec_folder_remove(cache, NULL);
    if (before != NULL)
        setenv("ECUBE_CACHE", before, 1);
    else
        unsetenv("ECUBE_CACHE");
    free(before);
}
