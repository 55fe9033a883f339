/* SPDX-License-Identifier: Apache-2.0 */
/* A run watched by the rules of the contract: a sound router breaks none. */
#ifndef TEST_RUN_RULED_H
#define TEST_RUN_RULED_H

#include "contract/rules.h"
#include "rig.h"

/* Passes all routers on to these rules. */
struct ec_net_watch ruled_watch(struct rules *rules);
/* Like rig_run(). With `foreign`, by the rules for foreign routers. Fails the test at a breach. */
struct trial ruled_run(struct rig *rig, const char *workload, const struct ec_run_options *options,
                       bool foreign);

#endif
