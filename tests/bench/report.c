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

/* Router-cycles per second in the median repetition. */
static double speed(const struct bench_load_result *r, double (*seconds)(const struct bench_time *))
{
    double all[BENCH_REPEAT_MAX];
    for (unsigned i = 0; i < r->repeats; i++)
        all[i] = seconds(&r->time[i]);
    qsort(all, r->repeats, sizeof *all, ascending);
    const double median = (all[(r->repeats - 1) / 2] + all[r->repeats / 2]) / 2;
    return median > 0 ? r->router_cycles / median : 0;
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

static json_t *seconds_json(const struct bench_load_result *r,
                            double (*seconds)(const struct bench_time *))
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->repeats; i++)
        json_array_append_new(list, json_real(seconds(&r->time[i])));
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
                     "cpu_seconds", seconds_json(r, cpu), "seconds", seconds_json(r, wall));
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
