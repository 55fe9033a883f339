/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations as messages that wait for each other. */
#pragma once

#include "workload/spec.h"

/* Is it one of these workloads? */
bool collective_is(enum ec_workload_id id);

/* Can it be carried out in this way? How it is if nothing is said. */
bool collective_can(enum ec_workload_id id, enum ec_collective_by by);
enum ec_collective_by collective_default(enum ec_workload_id id);

/* The messages, their order and what they combine. EC_USAGE: no wrap links, m is not a multiple, or
 * too many messages; EC_MEMORY. */
enum ec_code collective_messages(const struct ec_workload_spec *s, struct ec_workload *w,
                                 struct ec_error *reterr);
