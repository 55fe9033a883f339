/* SPDX-License-Identifier: Apache-2.0 */
/* One point of a curve: its run, and several runs with other seeds as one row. */
#pragma once

#include "ecube/session.h"
#include "program/sweep/sweep.h"

/* In a worker: measure a point. A failed check is a result; EC_INTERRUPTED: there is
 * none. */
enum ec_code sweep_point_run(struct ec_session *session, const struct ec_case_spec *spec,
                             struct sweep_run *ret, struct ec_error *reterr);

/* The result of a run without a measurement: `what` is the reason. */
struct sweep_run sweep_run_failed(enum cli_status status, const char *what, uint64_t seed);

/* All runs of a point are there: make them its row. */
void sweep_point_merge(struct sweep_point *p);

/* After that, if its runs are replicas of so many cycles each, of `limit` all together: the cycles
 * of each in a further round; 0: the row is made. */
uint64_t sweep_point_pool(struct sweep_point *p, double precision, uint64_t cycles, uint64_t limit);

/* Free what the point owns. */
void sweep_point_close(struct sweep_point *p);
