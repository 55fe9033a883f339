/* SPDX-License-Identifier: Apache-2.0 */
/* The results of all cases, for people and for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <jansson.h>

#include "measure.h"

/* Rows for people, on stdout, as soon as a case is done. */
void bench_print_load_heading(void);
void bench_print_load(const struct bench_load *c, const struct bench_load_result *r);
void bench_print_comparison_heading(void);
void bench_print_comparison(const struct bench_comparison *c,
                            const struct bench_comparison_result *r);
void bench_print_schedule_heading(void);
void bench_print_schedule(const struct bench_schedule *c, const struct bench_schedule_result *r);
void bench_print_build_heading(void);
void bench_print_build(const struct bench_build *c, const struct bench_build_result *r);

/* The same with all repetitions; NULL if memory is short. */
json_t *bench_load_json(const struct bench_load *c, const struct bench_load_result *r);
json_t *bench_comparison_json(const struct bench_comparison *c,
                              const struct bench_comparison_result *r);
json_t *bench_schedule_json(const struct bench_schedule *c, const struct bench_schedule_result *r);
json_t *bench_build_json(const struct bench_build *c, const struct bench_build_result *r);

#endif
