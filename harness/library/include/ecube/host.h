/* SPDX-License-Identifier: Apache-2.0 */
/* A run whose messages come from your program, while it runs: for co-simulation and for models of
 * applications. The library queues the messages, cuts them into packets, obeys credits and takes
 * every word; it calls you when a message has arrived, and you may then send others. At the end it
 * returns the report of a run, with every check.
 *
 *   ec_host_open(net, &options, arrived, NULL, &host, &e);
 *   ec_host_send(host, &(struct ec_host_message){.src = 0, .dst = 7, .words = 16}, &e);
 *   ec_host_drain(host);               calls arrived(), which may call ec_host_send()
 *   ec_host_finish(host, &report, &e);
 *   ec_host_close(host);
 *
 * Each local port of a node sends its messages in the order of their cycles, those of one cycle in
 * the order in which they were given. All messages are kept until the end, about 60 bytes each: the
 * audit at the end needs them, and so does a replay that explains a failure. */
#ifndef ECUBE_HOST_H
#define ECUBE_HOST_H

#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/run.h"

#pragma GCC visibility push(default)

struct ec_host_message {
    uint32_t src, dst; /* if they are equal, it arrives without the network */
    uint32_t words;    /* 1 to 16777216 */
    uint64_t tag;      /* yours */
    uint64_t cycle; /* it may start in this cycle, but not before the next one; 0: the next one */
};

struct ec_host_delivery {
    uint64_t tag;
    uint32_t src, dst, words;
    uint64_t created;   /* cycle from which it could start */
    uint64_t injected;  /* its first word entered the network */
    uint64_t delivered; /* its last word arrived: the present cycle */
};

enum ec_host_state {
    EC_HOST_BUSY,  /* messages are waiting or under way */
    EC_HOST_IDLE,  /* all messages have arrived */
    EC_HOST_ENDED, /* a check failed, or a deadlock, the limit or an interrupt ended the run: time
                      stands still, call ec_host_finish() */
};

struct ec_host;

/* Reset `net` and begin a run in cycle 0. `options` as for a closed workload (`cycles` is a limit,
 * 0: none); what it refers to must live as long as the host. `arrived` (or NULL) is called for each
 * message that arrives; it may call ec_host_send() and ec_host_cycle(), nothing else. The network
 * belongs to the host until ec_host_close(). EC_USAGE: options and net do not fit each other;
 * EC_MEMORY. */
enum ec_code ec_host_open(struct ec_net *net, const struct ec_run_options *options,
                          void (*arrived)(void *context, const struct ec_host_delivery *delivery),
                          void *context, struct ec_host **ret, struct ec_error *reterr);
/* After the end: nothing is sent. EC_USAGE: no such node, or a length out of bounds; EC_MEMORY. */
enum ec_code ec_host_send(struct ec_host *host, const struct ec_host_message *message,
                          struct ec_error *reterr);

/* Play `cycles` cycles, idle or not; fewer if the run ends, and none after cycle 2^60. Idle time
 * costs no computing time. */
enum ec_host_state ec_host_step(struct ec_host *host, uint64_t cycles);
/* Play until all messages have arrived, also those that are sent meanwhile. */
enum ec_host_state ec_host_drain(struct ec_host *host);
/* Cycles played. The first cycle is 1. */
uint64_t ec_host_cycle(const struct ec_host *host);

/* Let all messages arrive, make all checks, and explain a failure. Then only ec_host_close() may be
 * called. EC_OK whenever there is a report, whatever its verdict; the caller closes it. EC_USAGE:
 * more words than an audit can count, or a second call; EC_MEMORY. */
enum ec_code ec_host_finish(struct ec_host *host, struct ec_report **ret, struct ec_error *reterr);
void ec_host_close(struct ec_host *host); /* accepts NULL */

#pragma GCC visibility pop

#endif
