/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages come from: a closed workload's list or an open-loop process, one queue per
 * local port, messages in order of creation. */
#ifndef EC_SOURCE_H
#define EC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"
#include "workload/order.h"

#define SOURCE_NEVER UINT64_MAX

struct source_message {
    uint64_t created;
    uint32_t dst, words;
    uint32_t index; /* closed workloads: of its message */
};

struct sources;

/* An open-loop process creates messages from cycle 1 on, without end. Borrows its arguments. */
struct sources *sources_open(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, uint64_t seed);
void sources_close(struct sources *s);
/* Back to the first message. */
void sources_reset(struct sources *s);

/* The cycle from which local port `port` (node * locals + local) has a message, possibly later than
 * `now`; SOURCE_NEVER if it never has one again. With one port per node the answer is
 * exact, and so it is for closed workloads, but for a message that waits for others: its cycle is
 * SOURCE_NEVER until the last of these has been delivered. With more ports, a message that an
 * open-loop process has yet to create is not foreseen: ask sources_create. */
uint64_t sources_next(struct sources *s, uint32_t port);
/* Take that message. */
struct source_message sources_take(struct sources *s, uint32_t port);

/* No message is handed out any more (the end of an open-loop run). */
void sources_stop(struct sources *s);

/* Open loop with several ports per node: create what is due at `now`. Calls `filled` for each port
 * that got a message. False if memory is short. */
bool sources_create(struct sources *s, uint64_t now, void (*filled)(void *context, uint32_t port),
                    void *context);
/* Is that call needed every cycle? */
bool sources_need_create(const struct sources *s);

/* Open loop: words created for each port in cycles 1..now, whether taken or not; `now` does not
 * decrease from call to call. With several ports per node sources_create must have been called for
 * `now`. Valid until the next call. */
const uint64_t *sources_created(struct sources *s, uint64_t now);
/* Messages created in the cycles counted by that call. */
uint64_t sources_messages(const struct sources *s);

/* Who waits for whom; NULL where every message has its cycle. Belongs to the sources, which reset
 * it with themselves. */
struct order *sources_order(const struct sources *s);
/* The port by which message `index` of a closed workload enters. */
uint32_t sources_port(const struct sources *s, uint32_t index);

/* Has every port handed out its last message? Closed workloads only. */
bool sources_exhausted(const struct sources *s);

#endif
