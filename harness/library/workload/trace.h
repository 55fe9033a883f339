/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of messages from a CSV file, with or without dependences between them. */
#pragma once

#include "base/csv.h"
#include "ecube/workload.h"

/* Read w->messages, in the order of the file; if the file has the columns for it, also w->order and
 * w->ids. `w` has its number of nodes, and owns what is read, even after an error. */
enum ec_code trace_read(struct ec_slice path, struct ec_workload *w, struct ec_error *reterr);

/* The file of key file= of a workload with this name. */
enum ec_code trace_open_csv(const char *workload, struct ec_slice path,
                            const struct ec_csv_column *columns, unsigned count, struct ec_csv *ret,
                            struct ec_error *reterr);
/* EC_USAGE: the file has no rows. */
enum ec_code trace_no_rows(const struct ec_csv *csv, struct ec_error *reterr);
