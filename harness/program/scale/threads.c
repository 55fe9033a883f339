/* SPDX-License-Identifier: Apache-2.0 */
/* Times threads by the exchange of split runs. Must not know what is predicted from it. */
#include "program/scale/threads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "parts/exchange.h"
#include "program/scale/probe.h"
#include "program/scale/swap.h"

enum {
    BATCHES = 8,        /* at least; the fastest counts, since others only disturb */
    REPEATS = 3,        /* of a run with others; the fastest counts */
    QUIET_WORDS = 1000, /* of the message that moves alone */
};

/* --- Epochs ----------------------------------------------------------------------------------- */

/* A case in which one message crosses a boundary: hardly anything but exchanges. */
struct quiet {
    char topology[160], router[160], workload[300];
    char path[256]; /* of its trace, a temporary file */
};

/* A link between two parts. */
static bool find_boundary(const struct ec_topology *t, uint32_t parts, uint32_t *from, uint32_t *to)
{
    struct ec_partition *p;
    bool found = false;
    if (ec_partition_open(t, parts, &p, NULL) != EC_OK)
        return false;
    for (uint32_t node = 0; node < t->nodes && !found; node++) {
        for (unsigned link = 0; link < ec_topology_links(t) && !found; link++) {
            *from = node;
            *to = ec_topology_neighbor(t, node, link);
            found = *to != EC_NONE && p->part_of[*to] != p->part_of[node];
        }
    }
    ec_partition_close(p);
    return found;
}

static enum ec_code write_trace(struct quiet *q, uint32_t from, uint32_t to, struct ec_error *e)
{
    const char *folder = getenv("TMPDIR");
    snprintf(q->path, sizeof q->path, "%.200s/ecube-scale.XXXXXX", folder ? folder : "/tmp");
    const int file = mkstemp(q->path);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    const bool good = out && fprintf(out, "1,%u,%u,%d\n", from, to, QUIET_WORDS) > 0;
    if (out && fclose(out) == 0 && good)
        return EC_OK;
    return ec_fail(e, EC_IO, "cannot write %s: %s", q->path, strerror(errno));
}

/* Links of one cycle, so that every cycle is an epoch. */
static void quiet_spec(const struct ec_case *c, const struct ec_topology *t, struct quiet *q,
                       struct ec_case_spec *spec)
{
    struct ec_router r = c->router;
    r.link = 1;
    ec_topology_format(t, q->topology, sizeof q->topology);
    ec_router_format(&r, q->router, sizeof q->router);
    *strstr(q->router, ",packet=") = '\0'; /* the last key, which is no option */
    snprintf(q->workload, sizeof q->workload, "trace:file=%s", q->path);
    *spec = ec_case_spec_default();
    spec->topology = q->topology;
    spec->router = q->router;
    spec->workload = q->workload;
    spec->rtl = c->spec.rtl;
    spec->top = c->spec.top;
    spec->build = c->spec.build;
}

/* The fastest of several short runs: a long one would meet other programs. */
static enum ec_code time_quiet(struct ec_session *s, const struct ec_case_spec *spec,
                               double seconds, double *ret, struct ec_error *e)
{
    const double begin = ec_clock(CLOCK_MONOTONIC);
    struct ec_report *report;
    struct ec_case *c;
    enum ec_code code = ec_case_open(s, spec, &c, e);
    if (code != EC_OK)
        return code;
    *ret = INFINITY;
    for (int i = 0; code == EC_OK && (i < BATCHES || ec_clock(CLOCK_MONOTONIC) - begin < seconds);
         i++) {
        code = ec_case_run(c, NULL, &report, e);
        if (code != EC_OK)
            break;
        if (report->outcome == EC_RUN_INTERRUPTED)
            code = ec_fail(e, EC_INTERRUPTED, "interrupted");
        if (report->simulated_cycles > 0)
            *ret = fmin(*ret, report->seconds / (double)report->simulated_cycles);
        ec_report_close(report);
    }
    ec_case_close(c);
    return code;
}

enum ec_code scale_time_epochs(const struct ec_case *c, uint32_t nodes, unsigned threads,
                               double seconds, double *ret, struct ec_error *reterr)
{
    const struct ec_topology t = scale_smaller(&c->topology, nodes);
    struct quiet q = {0};
    struct ec_case_spec spec;
    uint32_t from, to;
    double one = 0, split = 0;
    if (!find_boundary(&t, threads, &from, &to))
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u parts", threads);
    enum ec_code code = write_trace(&q, from, to, reterr);
    quiet_spec(c, &t, &q, &spec);
    if (code == EC_OK)
        code = time_quiet(c->session, &spec, seconds / 4, &one, reterr);
    spec.threads = threads;
    if (code == EC_OK)
        code = time_quiet(c->session, &spec, 3 * seconds / 4, &split, reterr);
    unlink(q.path);
    if (code == EC_OK)
        *ret = fmax(0, split - one / 2); /* the two routers are in two parts */
    return code;
}

/* --- Together --------------------------------------------------------------------------------- */

struct together {
    const struct ec_case *c;
    uint32_t nodes;
    double words;
    uint64_t cycles;
    double *time;           /* [parts] of a run */
    enum ec_code *code;     /* [parts] */
    struct ec_error *error; /* [parts] */
};

/* The processor time of this thread, so that other programs disturb little. All begin together. */
static enum ec_code time_runs(const struct together *t, struct scale_bench *b, struct exchange *x,
                              double *ret, struct ec_error *e)
{
    struct scale_probe p = {0};
    enum ec_code code = EC_OK;
    *ret = INFINITY;
    for (int i = 0; i < REPEATS && code == EC_OK; i++) {
        if (!exchange_fold(x, NULL, 0, EXCHANGE_OR))
            return ec_fail(e, exchange_ended(x)->code, "%s", exchange_ended(x)->why);
        const double from = ec_clock(CLOCK_THREAD_CPUTIME_ID);
        code = scale_bench_run(b, t->words, t->cycles, &p, e);
        *ret = fmin(*ret, ec_clock(CLOCK_THREAD_CPUTIME_ID) - from);
    }
    return code;
}

/* The thread that steps a network opens it, too, so that its memory is near. */
static void together_body(void *context, struct exchange *x)
{
    struct together *t = context;
    struct scale_bench b = {0};
    struct ec_error *e = &t->error[x->part];
    enum ec_code code = scale_bench_open(t->c, t->nodes, NULL, &b, e);
    if (code == EC_OK)
        code = time_runs(t, &b, x, &t->time[x->part], e);
    if (code != EC_OK)
        exchange_abort(x, code, e->message);
    t->code[x->part] = code;
    scale_bench_close(&b);
}

/* The mean time of a run in each of so many threads. */
static enum ec_code time_threads(struct together *t, unsigned threads, double *ret,
                                 struct ec_error *e)
{
    const struct parts_plan plan = {.transport = PARTS_THREADS, .parts = threads, .pin = true};
    double sum = 0;
    t->time = calloc(threads, sizeof *t->time);
    t->code = calloc(threads, sizeof *t->code);
    t->error = calloc(threads, sizeof *t->error);
    enum ec_code code = t->time && t->code && t->error
                            ? parts_run(&plan, together_body, t, e)
                            : ec_fail(e, EC_MEMORY, "out of memory for %u threads", threads);
    for (unsigned i = 0; code == EC_OK && i < threads; i++) {
        code = t->code[i];
        if (code != EC_OK)
            *e = t->error[i];
        sum += t->time[i];
    }
    free(t->time);
    free(t->code);
    free(t->error);
    *ret = sum / threads;
    return code;
}

enum ec_code scale_time_together(const struct ec_case *c, uint32_t nodes, double words,
                                 unsigned threads, double seconds, double *ret,
                                 struct ec_error *reterr)
{
    struct together t = {.c = c, .nodes = nodes, .words = words};
    struct scale_bench b;
    struct scale_probe p = {0};
    double alone = 0, many = 0;
    /* The first run finds out how many cycles take that long. */
    enum ec_code code = scale_bench_open(c, nodes, NULL, &b, reterr);
    if (code == EC_OK)
        code = scale_bench_run(&b, words, scale_bench_cycles(&b, seconds / 20), &p, reterr);
    t.cycles = scale_bench_cycles(&b, seconds / (2 * REPEATS));
    scale_bench_close(&b);
    if (code == EC_OK)
        code = time_threads(&t, 1, &alone, reterr);
    if (code == EC_OK)
        code = time_threads(&t, threads, &many, reterr);
    if (code == EC_OK)
        *ret = fmax(1, many / alone);
    return code;
}
