/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and JSON. Knows results; measures nothing. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 18

static double cpu(const struct bench_time *t)
{
    return t->cpu_seconds;
}

static double wall(const struct bench_time *t)
{
    return t->wall_seconds;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `all` is sorted. */
static double middle(double *all, unsigned count)
{
    qsort(all, count, sizeof *all, ascending);
    return (all[(count - 1) / 2] + all[count / 2]) / 2;
}

static double median(const struct bench_time *time, unsigned count,
                     double (*seconds)(const struct bench_time *))
{
    double all[BENCH_REPEAT_MAX];
    for (unsigned i = 0; i < count; i++)
        all[i] = seconds(&time[i]);
    return middle(all, count);
}

/* The speed of a comparison as a fraction of the speed of the run alone. */
static double share(const struct bench_comparison_result *r)
{
    double all[BENCH_REPEAT_MAX];
    for (unsigned i = 0; i < r->repeats; i++)
        all[i] =
            r->compared[i].cpu_seconds > 0 ? r->run[i].cpu_seconds / r->compared[i].cpu_seconds : 0;
    return middle(all, r->repeats);
}

/* Things per second in the median repetition. */
static double rate(double things, const struct bench_time *time, unsigned count,
                   double (*seconds)(const struct bench_time *))
{
    const double took = median(time, count, seconds);
    return took > 0 ? things / took : 0;
}

static double speed(const struct bench_load_result *r, double (*seconds)(const struct bench_time *))
{
    return rate(r->router_cycles, r->time, r->repeats, seconds);
}

static double megabytes(uint64_t bytes)
{
    return (double)bytes / (1 << 20);
}

void bench_print_load_heading(void)
{
    printf("%-*s %10s %10s %8s %8s  %s\n", NAME_WIDTH, "", "M/s by CPU", "M/s by wall", "awake",
           "peak MiB", "digest");
}

void bench_print_load(const struct bench_load *c, const struct bench_load_result *r)
{
    if (!r->passed)
        printf("%-*s failed: %s\n", NAME_WIDTH, c->name, r->message);
    else
        printf("%-*s %10.2f %11.2f %7.1f%% %8.1f  %016" PRIx64 "\n", NAME_WIDTH, c->name,
               speed(r, cpu) * 1e-6, speed(r, wall) * 1e-6, 100 * r->stepped,
               megabytes(r->peak_bytes), r->digest);
    fflush(stdout);
}

void bench_print_comparison_heading(void)
{
    printf("%-*s %10s %11s %8s %8s\n", NAME_WIDTH, "M/s by CPU", "run", "compare", "share",
           "peak MiB");
}

void bench_print_comparison(const struct bench_comparison *c,
                            const struct bench_comparison_result *r)
{
    if (!r->passed)
        printf("%-*s failed: %s\n", NAME_WIDTH, c->name, r->message);
    else
        printf("%-*s %10.2f %11.2f %7.1f%% %8.1f\n", NAME_WIDTH, c->name,
               rate(r->router_cycles, r->run, r->repeats, cpu) * 1e-6,
               rate(r->router_cycles, r->compared, r->repeats, cpu) * 1e-6, 100 * share(r),
               megabytes(r->peak_bytes));
    fflush(stdout);
}

void bench_print_schedule_heading(void)
{
    printf("%-*s %10s %11s %8s %8s %11s\n", NAME_WIDTH, "CPU s", "make", "audit", "steps",
           "peak MiB", "hops");
}

void bench_print_schedule(const struct bench_schedule *c, const struct bench_schedule_result *r)
{
    if (!r->passed)
        printf("%-*s failed: %s\n", NAME_WIDTH, c->name, r->message);
    else
        printf("%-*s %10.2f %11.2f %8" PRIu32 " %8.1f %11" PRIu64 "\n", NAME_WIDTH, c->name,
               median(r->made, r->repeats, cpu), median(r->audited, r->repeats, cpu), r->steps,
               megabytes(r->peak_bytes), r->hops);
    fflush(stdout);
}

void bench_print_build_heading(void)
{
    printf("%-*s %10s %11s %8s %8s\n", NAME_WIDTH, "", "CPU s", "wall s", "ports", "peak MiB");
}

void bench_print_build(const struct bench_build *c, const struct bench_build_result *r)
{
    if (!r->passed)
        printf("%-*s failed: %s\n", NAME_WIDTH, c->name, r->message);
    else
        printf("%-*s %10.1f %11.1f %8u %8.1f\n", NAME_WIDTH, c->name, r->time.cpu_seconds,
               r->time.wall_seconds, r->ports, megabytes(r->peak_bytes));
    fflush(stdout);
}

static json_t *seconds_json(const struct bench_time *time, unsigned count,
                            double (*seconds)(const struct bench_time *))
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_real(seconds(&time[i])));
    return list;
}

json_t *bench_load_json(const struct bench_load *c, const struct bench_load_result *r)
{
    if (!r->passed)
        return json_pack("{s:s, s:b, s:s}", "name", c->name, "passed", 0, "message", r->message);
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    return json_pack("{s:s, s:b, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:I, s:s, s:o, s:o}", "name",
                     c->name, "passed", 1, "topology", c->topology, "router", c->router, "workload",
                     c->workload, "router_cycles", r->router_cycles, "router_cycles_per_cpu_second",
                     speed(r, cpu), "router_cycles_per_second", speed(r, wall), "stepped_share",
                     r->stepped, "peak_rss_bytes", (json_int_t)r->peak_bytes, "digest", digest,
                     "cpu_seconds", seconds_json(r->time, r->repeats, cpu), "seconds",
                     seconds_json(r->time, r->repeats, wall));
}

json_t *bench_comparison_json(const struct bench_comparison *c,
                              const struct bench_comparison_result *r)
{
    if (!r->passed)
        return json_pack("{s:s, s:b, s:s}", "name", c->name, "passed", 0, "message", r->message);
    return json_pack("{s:s, s:b, s:s, s:s, s:s, s:f, s:f, s:I, s:o, s:o}", "name", c->name,
                     "passed", 1, "topology", c->topology, "router", c->router, "workload",
                     c->workload, "router_cycles", r->router_cycles, "share", share(r),
                     "peak_rss_bytes", (json_int_t)r->peak_bytes, "run_cpu_seconds",
                     seconds_json(r->run, r->repeats, cpu), "compare_cpu_seconds",
                     seconds_json(r->compared, r->repeats, cpu));
}

json_t *bench_schedule_json(const struct bench_schedule *c, const struct bench_schedule_result *r)
{
    if (!r->passed)
        return json_pack("{s:s, s:b, s:s}", "name", c->name, "passed", 0, "message", r->message);
    return json_pack("{s:s, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:o}", "name", c->name,
                     "passed", 1, "topology", c->topology, "workload", c->workload, "algorithm",
                     c->algorithm, "steps", (json_int_t)r->steps, "element_hops",
                     (json_int_t)r->hops, "peak_rss_bytes", (json_int_t)r->peak_bytes,
                     "make_cpu_seconds", seconds_json(r->made, r->repeats, cpu),
                     "audit_cpu_seconds", seconds_json(r->audited, r->repeats, cpu));
}

json_t *bench_build_json(const struct bench_build *c, const struct bench_build_result *r)
{
    if (!r->passed)
        return json_pack("{s:s, s:b, s:s}", "name", c->name, "passed", 0, "message", r->message);
    return json_pack("{s:s, s:b, s:s, s:s, s:i, s:f, s:f, s:I}", "name", c->name, "passed", 1,
                     "topology", c->topology, "router", c->router, "ports", (int)r->ports,
                     "cpu_seconds", r->time.cpu_seconds, "seconds", r->time.wall_seconds,
                     "peak_rss_bytes", (json_int_t)r->peak_bytes);
}
