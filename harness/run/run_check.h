/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the options of a run, said before anything is played. */
#ifndef EC_RUN_CHECK_H
#define EC_RUN_CHECK_H

#include "ecube/run.h"

enum ec_code run_check_options(const struct ec_net *net, const struct ec_workload *w,
                               const struct ec_run_options *o, struct ec_error *reterr);

#endif
