/* SPDX-License-Identifier: Apache-2.0 */
/* From the texts of a case to the objects of the library. */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include "ecube/run.h"
#include "ecube/shape.h"

#define BENCH_WARMUP 1000
#define BENCH_SEED   1

enum ec_code bench_read_words(const char *topology, const char *router, struct ec_topology *t,
                              struct ec_router *r, struct ec_error *error);
/* Builds the shape if it is not in the cache, and reports that. */
enum ec_code bench_open_shape(const char *topology, const char *router, struct ec_topology *t,
                              struct ec_router *r, struct ec_shape **ret, struct ec_error *error);
/* Why a run has not passed. */
const char *bench_first_failure(const struct ec_report *report);

#endif
