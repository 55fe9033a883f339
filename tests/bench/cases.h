/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured: networks under load, alone and compared, schedules, and the building of router
 * shapes. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One network under a steady load. The number of cycles is fixed, so that digests of two builds can
 * be compared; it makes a repetition last about a second. */
struct bench_load {
    const char *name;
    const char *topology, *router, *workload;
    uint64_t cycles;
    bool systemc; /* the model instead of the RTL */
};

/* Two tile networks in lock-step, beside one of them alone. */
struct bench_comparison {
    const char *name;
    const char *topology, *router, *workload;
    uint64_t cycles;
};

/* A schedule of many transfers. */
struct bench_schedule {
    const char *name;
    const char *topology, *workload, *algorithm;
};

/* One router shape, built in an empty cache. */
struct bench_build {
    const char *name;
    const char *topology, *router;
};

extern const struct bench_load bench_loads[];
extern const size_t bench_load_count;
extern const struct bench_comparison bench_comparisons[];
extern const size_t bench_comparison_count;
extern const struct bench_schedule bench_schedules[];
extern const size_t bench_schedule_count;
extern const struct bench_build bench_builds[];
extern const size_t bench_build_count;

#endif
