/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a run as CSV, one row per packet in the order of delivery. Rows are written as
 * packets arrive, so that memory does not grow with the run.
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
#include "ecube/run.h"
#include "ecube/unfinished.h"

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

#pragma GCC visibility pop

#endif
