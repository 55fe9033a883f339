/* SPDX-License-Identifier: Apache-2.0 */
/* What threads cost on this machine: a swap between them, and how much slower each works while all
 * of them do. */
#ifndef CLI_SCALE_THREADS_H
#define CLI_SCALE_THREADS_H

#include "ecube/session.h"
#include "program/scale/model.h"

/* What an exchange of that many threads takes, with the work of a part for it: the time of a cycle
 * in which one word crosses a boundary of a network of at most `nodes` nodes, less that of half of
 * the cycle in one part. */
enum ec_code scale_time_epochs(const struct ec_case *c, uint32_t nodes, unsigned threads,
                               double seconds, double *ret, struct ec_error *reterr);

/* Random traffic on a network of `nodes` nodes, in one thread and in so many at the same time, each
 * with a network of its own: the ratio of the times, at least 1. */
enum ec_code scale_time_together(const struct ec_case *c, uint32_t nodes, double words,
                                 unsigned threads, double seconds, double *ret,
                                 struct ec_error *reterr);

#endif
