/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring: a child process does the work and sends its result through a pipe; the kernel tells
 * what the child used. Knows the library and the process; nothing of tables and options. */
#include "measure.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ecube/net.h"
#include "ecube/run.h"
#include "ecube/shape.h"
#include "ecube/systemc.h"
#include "file.h"

#define WARMUP 1000
#define SEED   1

/* ---- A child process. ---- */

/* Run `work` in a child; what it leaves in `result` is copied back. False if the child died. */
static bool in_child(void (*work)(const void *c, void *result), const void *c, void *result,
                     size_t size, struct rusage *ret_usage)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(c, result);
        _exit(write(ends[1], result, size) != (ssize_t)size);
    }
    close(ends[1]);
    size_t have = 0;
    while (child > 0 && have < size) {
        const ssize_t got = read(ends[0], (char *)result + have, size - have);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        have += got > 0 ? (size_t)got : 0;
    }
    close(ends[0]);
    if (child < 0)
        return false;
    while (wait4(child, &status, 0, ret_usage) < 0 && errno == EINTR)
        ;
    return have == size && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static uint64_t peak_of(const struct rusage *u)
{
    return (uint64_t)u->ru_maxrss * 1024;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void show(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

/* ---- A network and its shape. ---- */

static enum ec_code read_words(const char *topology, const char *router, struct ec_topology *t,
                               struct ec_router *r, struct ec_error *error)
{
    const enum ec_code code = ec_topology_parse(topology, t, error);
    return code == EC_OK ? ec_router_parse(router, t, r, error) : code;
}

static enum ec_code open_shape(const char *topology, const char *router, struct ec_topology *t,
                               struct ec_router *r, struct ec_shape **ret, struct ec_error *error)
{
    const struct ec_shape_options options = {.progress = show};
    struct ec_tile_shape shape;
    enum ec_code code = read_words(topology, router, t, r, error);
    if (code == EC_OK)
        code = ec_shape_choose(t, r, &shape, error);
    if (code == EC_OK)
        code = ec_shape_open(&shape, &options, ret, error);
    return code;
}

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

/* A shape that is missing is built apart from the measurement: the peak is not to be a compiler's.
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
    if (open_shape(load->topology, load->router, &t, &r, &shape, &error) != EC_OK)
        fail(result, "%s", error.message);
    ec_shape_close(shape);
}

static const char *first_failure(const struct ec_report *report)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_FAIL)
            return report->checks[id].detail;
    }
    return "the run did not finish";
}

static enum ec_code repeat(const struct bench_load *load, struct ec_net *net,
                           const struct ec_workload *w, struct bench_load_result *result,
                           struct ec_error *error)
{
    const struct ec_run_options options = {.cycles = load->cycles, .warmup = WARMUP, .seed = SEED};
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
            fail(result, "%s", first_failure(report));
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
    enum ec_code code = load->systemc
                            ? read_words(load->topology, load->router, &t, &r, &error)
                            : open_shape(load->topology, load->router, &t, &r, &shape, &error);
    if (code == EC_OK)
        code = ec_workload_open(load->workload, &t, SEED, &w, &error);
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
    if (!in_child(prepare, c, ret, sizeof *ret, &usage))
        fail(ret, "the process that opens the shape died");
    if (!ret->passed)
        return;
    if (!in_child(run_load, c, ret, sizeof *ret, &usage))
        fail(ret, "the process of this case died");
    ret->peak_bytes = peak_of(&usage);
}

/* ---- Builds. ---- */

static void run_build(const void *c, void *out)
{
    const struct bench_build *build = c;
    struct bench_build_result *result = out;
    struct ec_topology t;
    struct ec_router r;
    struct ec_shape *shape = NULL;
    struct ec_error error;
    const double start = now();
    if (open_shape(build->topology, build->router, &t, &r, &shape, &error) != EC_OK) {
        memcpy(result->message, error.message, sizeof result->message - 1);
        return;
    }
    result->time.wall_seconds = now() - start;
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
    } else if (in_child(run_build, c, ret, sizeof *ret, &usage)) {
        ret->time.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
        ret->peak_bytes = peak_of(&usage);
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
