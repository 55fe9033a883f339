/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled shapes kept open between the runs of one process, and the last network wired of them. */
#ifndef CLI_POOL_H
#define CLI_POOL_H

#include "base/vitals.h"
#include "ecube/net.h"
#include "ecube/shape.h"
#include "program/case/case.h"
#include "terminal/progress.h"

struct cli_pool;

enum ec_code cli_pool_open(struct cli_progress *progress, struct cli_pool **ret,
                           struct ec_error *reterr);
void cli_pool_close(struct cli_pool *p); /* NULL is fine */

/* In a worker: its networks show how far they are there; side 1: as side B of a comparison. */
void cli_pool_show(struct cli_pool *p, struct ec_vitals *vitals, unsigned side);

/* The pulse of its networks; NULL: nobody watches. */
struct ec_net_pulse *cli_pool_pulse(const struct cli_pool *p);

/* The shape for a case: built or loaded at its first use. The pool owns it. */
enum ec_code cli_pool_shape(struct cli_pool *p, const struct cli_case *c, struct ec_shape **ret,
                            struct ec_error *reterr);

/* The same shape with waves. */
enum ec_code cli_pool_traced(struct cli_pool *p, const struct cli_case *c, struct ec_shape **ret,
                             struct ec_error *reterr);

/* A network for a case: the one of the run before where nothing differs. What its RTL prints goes
 * to standard error, unless the job is quiet. The pool owns it; it lives until the next call.
 * *ret_shape is NULL where nothing was compiled (the backend systemc).
 */
enum ec_code cli_pool_net(struct cli_pool *p, const struct cli_case *c, struct ec_net **ret,
                          struct ec_shape **ret_shape, struct ec_error *reterr);

#endif
