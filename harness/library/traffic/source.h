/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of messages: the list of a closed workload, or an open-loop process. One queue per
 * local port, messages in order of creation. */
#pragma once

#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"
#include "parts/own_nodes.h"
#include "parts/state.h"
#include "workload/order.h"

#define SOURCE_NEVER UINT64_MAX

struct source_message {
    uint64_t created;
    uint64_t asked; /* a reply: creation of its request; else 0 */
    uint32_t dst, words;
    uint32_t index; /* closed workloads: of its message */
    uint32_t part;  /* open loop: its pattern; a reply: the number of patterns */
    uint32_t way;   /* its path, where the source draws one */
};

struct sources;

/* The sources of the nodes `own` (NULL: of all). An open-loop process creates messages from cycle 1
 * on, without end. Borrows its arguments. NULL if memory is short. */
struct sources *sources_open(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, uint64_t seed,
                             const struct nodes_own *own);
void sources_close(struct sources *s);
void sources_reset(struct sources *s);

/* The cycle from which local port `port` (node * locals + local) has a message, which may be in the
 * future; SOURCE_NEVER: none. Two cases are not foreseen: a message that waits for others, until
 * the last of these is delivered; and a message that sources_create() has not created yet, where it
 * must be called. */
uint64_t sources_next(struct sources *s, uint32_t port);
/* The same will be asked soon: bring what it needs into the cache. */
void sources_fetch(const struct sources *s, uint32_t port);
/* Take that message. */
struct source_message sources_take(struct sources *s, uint32_t port);

/* End an open-loop run: from now on there are no messages. */
void sources_stop(struct sources *s);

/* Open loop with several ports per node, or with a limit on outstanding requests: create the
 * messages of cycle `now`. Calls `filled` for
 * each port that gets one. False if memory is short. */
bool sources_create(struct sources *s, uint64_t now, void (*filled)(void *context, uint32_t port),
                    void *context);
/* True if sources_create() must be called in every cycle. */
bool sources_need_create(const struct sources *s);

/* A reply has come back to `node` in cycle `now`: with a limit on outstanding requests, the process
 * of the node may go on in the next cycle. */
void sources_replied(struct sources *s, uint32_t node, uint64_t now);

/* Open loop: [port] words created in cycles 1..now, taken or not. `now` must not decrease from call
 * to call; call sources_create() for `now` first, if it is needed. Valid until the next
 * call. */
uint64_t *sources_created(struct sources *s, uint64_t now);
/* Messages created in the cycles counted by sources_created(); words of one pattern in them. */
uint64_t sources_messages(const struct sources *s);
uint64_t sources_part_words(const struct sources *s, uint32_t part);

/* Which message waits for which; NULL if none does. Owned and reset by the sources. */
struct order *sources_order(const struct sources *s);
/* Message `index`, which waited for others, can be sent from cycle `from` on. Returns its port. */
uint32_t sources_release(struct sources *s, uint32_t index, uint64_t from);
/* Message `index` was added to the list of a hosted workload. Returns its port. */
uint32_t sources_add(struct sources *s, uint32_t index);
/* Memory was short: the sources have lost messages. */
bool sources_short(const struct sources *s);
/* The port by which message `index` of a closed workload enters. */
uint32_t sources_port(const struct sources *s, uint32_t index);

/* The state: first that of each own node, in its unit; then the rest. */
void sources_state_node(struct sources *s, struct state *state, uint32_t node);
void sources_state(struct sources *s, struct state *state);

/* Closed workloads: messages have an index. */
bool sources_listed(const struct sources *s);
/* True if every port has handed out its last message. Closed workloads only. */
bool sources_exhausted(const struct sources *s);
