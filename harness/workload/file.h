/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads that come from files. */
#ifndef EC_WORKLOAD_FILE_H
#define EC_WORKLOAD_FILE_H

#include "base/text.h"
#include "ecube/workload.h"

/* Rows "src,dst" into map[nodes]; nodes that send nothing get EC_NONE. EC_USAGE with file and line
 * if a node sends or receives twice. */
enum ec_code ec_workload_read_map(struct ec_slice path, uint32_t nodes, uint32_t *map,
                                  struct ec_error *reterr);

/* Rows "cycle,source,destination,words" in the order of the file. *ret is malloc'd. */
enum ec_code ec_workload_read_trace(struct ec_slice path, uint32_t nodes, struct ec_message **ret,
                                    size_t *ret_count, struct ec_error *reterr);

#endif
