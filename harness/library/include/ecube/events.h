/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of a run: its events, its packets, its messages.
 *
 * The event log tells what happened to which word, where and when, one event per line.
 *
 *   offer      a node starts to send a packet (its start-up time, if any, begins)
 *   inject     a word enters the router of its source
 *   hop        a word leaves a router by a link
 *   contended  another packet keeps the front word of an input buffer from moving;
 *              logged in the first such cycle; `wants` is the output port
 *   starved    as contended, for any other reason (no credits, or the tail has not arrived)
 *   eject      a word leaves the network at its node
 *
 * Routers, ports and words have the same names as in waves and reports. Lines are sorted by cycle;
 * within a cycle their order depends only on the events. */
#ifndef ECUBE_EVENTS_H
#define ECUBE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/select.h"
#include "ecube/unfinished.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

struct ec_packet_filter {
    uint32_t src, dst;
};

enum ec_events_format {
    EC_EVENTS_TEXT,     /* columns */
    EC_EVENTS_JSONL,    /* JSON lines */
    EC_EVENTS_PERFETTO, /* a JSON trace for ui.perfetto.dev and chrome://tracing: per channel and VC
                           a slice for each packet; no offer, contended, starved */
};

struct ec_events_options {
    const char *path; /* a regular file appears when it is complete */
    enum ec_events_format format;
    const struct ec_node_set *nodes; /* NULL: all */
    struct ec_cycle_range cycles;
    const struct ec_packet_filter *packets; /* only these; NULL: all */
    size_t packet_count;
    const struct ec_unfinished *unfinished; /* notified of the temporary file; used until the log
                                               is closed; may be NULL */
};

struct ec_events;

/* Borrows t and r. EC_IO if the file cannot be written. */
enum ec_code ec_events_open(const struct ec_topology *t, const struct ec_router *r,
                            const struct ec_events_options *options, struct ec_events **ret,
                            struct ec_error *reterr);
const struct ec_net_watch *ec_events_watch(struct ec_events *events);
/* For ec_run_options.offer; its context is the log. */
void ec_events_offer(void *context, const struct ec_offer *offer);
/* Write the last events and rename the temporary file; then call ec_events_close. EC_IO: the file
 * is not complete; EC_MEMORY: events are missing. On failure the file is not renamed. */
enum ec_code ec_events_finish(struct ec_events *events, uint64_t *ret_lines,
                              struct ec_error *reterr);
/* Without ec_events_finish, no regular file remains. Accepts NULL. */
void ec_events_close(struct ec_events *events);

/* --- Packets and messages as CSV --------------------------------------------------------------
 *
 * The packets of a run: one row per packet in the order of delivery. Rows are written as packets
 * arrive, so that memory does not grow with the run.
 *
 *   ec_packets_open("packets.csv", NULL, &packets, &e);
 *   run_options.delivery = ec_packets_take, run_options.delivery_context = packets;
 *   ec_run(...);
 *   ec_log_finish(packets, &rows, &e);
 *   ec_log_close(packets); */

struct ec_log;

/* A regular file appears when it is complete. `unfinished` (or NULL) is notified of the temporary
 * file and must live until the close. EC_IO, EC_MEMORY. */
enum ec_code ec_packets_open(const char *path, const struct ec_unfinished *unfinished,
                             struct ec_log **ret, struct ec_error *reterr);
/* For ec_run_options.delivery. */
void ec_packets_take(void *context, const struct ec_delivery *delivery);

/* The messages of a run as a plain trace, written as nodes begin to send them: for random traffic,
 * which has no list. For ec_run_options.taken. */
enum ec_code ec_message_log_open(const char *remark, const char *path,
                                 const struct ec_unfinished *unfinished, struct ec_log **ret,
                                 struct ec_error *reterr);
void ec_message_log_take(void *context, const struct ec_message *message);

/* Rename the temporary file; then call ec_log_close. EC_IO: the file is not complete. */
enum ec_code ec_log_finish(struct ec_log *log, uint64_t *ret_rows, struct ec_error *reterr);
/* Without ec_log_finish, no regular file remains. Accepts NULL. */
void ec_log_close(struct ec_log *log);

/* Write the messages of a closed workload as a trace: "trace:file=PATH" plays them in the same
 * cycles on the same topology and router. `remark` becomes a comment; it may have several lines, or
 * be NULL. `unfinished` as above. EC_USAGE: an open loop; EC_IO; EC_MEMORY. */
enum ec_code ec_messages_write(const struct ec_workload *w, const struct ec_topology *t,
                               const struct ec_router *r, const char *remark, const char *path,
                               const struct ec_unfinished *unfinished, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
