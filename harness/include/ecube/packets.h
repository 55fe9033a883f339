/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and packets as CSV.
 *
 * The packets of a run: one row per packet in the order of delivery. Rows are written as packets
 * arrive, so that memory does not grow with the run.
 *
 *   ec_packets_open("packets.csv", NULL, &packets, &e);
 *   run_options.delivery = ec_packets_take, run_options.delivery_context = packets;
 *   ec_run(...);
 *   ec_packets_finish(packets, &rows, &e);
 *   ec_packets_close(packets); */
#ifndef ECUBE_PACKETS_H
#define ECUBE_PACKETS_H

#include <stdint.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "ecube/unfinished.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

struct ec_packets;

/* A regular file appears when it is complete. `unfinished` (or NULL) is notified of the temporary
 * file and must live until the close. EC_IO, EC_MEMORY. */
enum ec_code ec_packets_open(const char *path, const struct ec_unfinished *unfinished,
                             struct ec_packets **ret, struct ec_error *reterr);
/* For ec_run_options.delivery. */
void ec_packets_take(void *context, const struct ec_delivery *delivery);
/* Rename the temporary file; then call ec_packets_close. EC_IO: the file is not complete. */
enum ec_code ec_packets_finish(struct ec_packets *p, uint64_t *ret_rows, struct ec_error *reterr);
/* Without ec_packets_finish, no regular file remains. Accepts NULL. */
void ec_packets_close(struct ec_packets *p);

/* Write the messages of a closed workload as a trace: "trace:file=PATH" plays them in the same
 * cycles on the same topology and router. `remark` becomes a comment; it may have several lines, or
 * be NULL. `unfinished` as above. EC_USAGE: an open loop; EC_IO; EC_MEMORY. */
enum ec_code ec_messages_write(const struct ec_workload *w, const struct ec_topology *t,
                               const struct ec_router *r, const char *remark, const char *path,
                               const struct ec_unfinished *unfinished, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
