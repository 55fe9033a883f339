/* SPDX-License-Identifier: Apache-2.0 */
/* A run in several parts. */
#pragma once

#include "ecube/partition.h"
#include "session/session.h"

/* Run a prepared case in how->parts parts, more than one. The report is that of a run in one part;
 * ranks other than 0 get NULL. Errors as of ec_run(); EC_INTERNAL: a part ended early. */
enum ec_code split_run(struct ec_case *c, const struct ec_case_split *how,
                       const struct ec_run_options *options, struct ec_report **ret,
                       struct ec_error *reterr);

/* This process cannot run the case, for this reason, which becomes *reterr. Other ranks are told,
 * and fail for the same reason. Returns its code. */
enum ec_code split_refuse(const struct ec_case *c, const struct ec_error *why,
                          struct ec_error *reterr);
