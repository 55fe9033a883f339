/* SPDX-License-Identifier: Apache-2.0 */
/* One case, measured in a separate process, so that its peak memory is known. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cases.h"
#include "child.h"

#define BENCH_REPEAT_MAX 100

struct bench_load_result {
    bool passed; /* all checks of all repetitions; else `message` says what failed */
    unsigned repeats;
    struct bench_time time[BENCH_REPEAT_MAX];
    double router_cycles; /* of one repetition, drain included */
    double stepped;       /* share of them that was evaluated; the other routers slept */
    uint64_t digest;      /* of all deliveries with their cycles; the same in all repetitions */
    uint64_t peak_bytes;  /* of the whole process */
    char message[600];
};

struct bench_comparison_result {
    bool passed; /* the sides agree, and the comparison is one of the same run */
    unsigned repeats;
    struct bench_time run[BENCH_REPEAT_MAX], compared[BENCH_REPEAT_MAX]; /* in turn */
    double router_cycles; /* of one network, drain included */
    uint64_t peak_bytes;
    char message[600];
};

struct bench_schedule_result {
    bool passed; /* the audit finds nothing wrong */
    unsigned repeats;
    struct bench_time made[BENCH_REPEAT_MAX], audited[BENCH_REPEAT_MAX];
    uint32_t steps;
    uint64_t hops; /* elements times links crossed */
    uint64_t peak_bytes;
    char message[600];
};

struct bench_build_result {
    bool passed;
    unsigned ports;
    struct bench_time time; /* CPU of all compilers together */
    uint64_t peak_bytes;    /* of the largest process, which is a compiler */
    char message[600];
};

/* Build the shape if the cache lacks it, then run the case `repeats` times. */
void bench_measure_load(const struct bench_load *c, unsigned repeats,
                        struct bench_load_result *ret);
/* The load alone, and compared with itself: `repeats` times each, in turn. */
void bench_measure_comparison(const struct bench_comparison *c, unsigned repeats,
                              struct bench_comparison_result *ret);
/* Make a schedule and audit it, `repeats` times. */
void bench_measure_schedule(const struct bench_schedule *c, unsigned repeats,
                            struct bench_schedule_result *ret);
/* Build a shape in an empty cache, the Verilator runtime included. */
void bench_measure_build(const struct bench_build *c, struct bench_build_result *ret);

#endif
