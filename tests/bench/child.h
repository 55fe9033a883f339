/* SPDX-License-Identifier: Apache-2.0 */
/* Work in a separate process, so that its peak memory is known. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

/* What a repetition took. */
struct bench_time {
    double cpu_seconds, wall_seconds;
};

/* Run `work` in a child and copy `result` back. False if the child died. */
bool bench_in_child(void (*work)(const void *c, void *result), const void *c, void *result,
                    size_t size, struct rusage *ret_usage);
uint64_t bench_peak_bytes(const struct rusage *u);

/* Processor time of this process and wall-clock time, from an arbitrary origin. */
struct bench_time bench_now(void);
struct bench_time bench_since(struct bench_time begin);

#endif
