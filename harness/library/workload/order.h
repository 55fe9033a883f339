/* SPDX-License-Identifier: Apache-2.0 */
/* The order among the messages of a closed workload: which message waits for which deliveries. */
#pragma once

#include "base/list.h"
#include "ecube/partition.h"
#include "ecube/workload.h"
#include "parts/exchange.h"
#include "parts/own_nodes.h"
#include "parts/state.h"

#define ORDER_NEVER UINT64_MAX

struct order {
    const struct ec_workload *w;
    struct ec_arrays arrays; /* all of the following: */
    uint64_t *ready;         /* [messages] cycle from which it may start; ORDER_NEVER: it waits */
    bool *held;        /* [messages] the message that it is behind has not been sent; NULL: none */
    uint32_t *next;    /* [messages] the first message behind it; EC_NONE: none; NULL as held */
    uint32_t *sibling; /* [messages] the next one behind the same message; NULL as held */
    uint64_t *started; /* [messages] cycle in which its port started it; 0: not yet */
    uint64_t *delivered; /* [messages] cycle in which its last word arrived; 0: not yet */
    uint32_t *left;      /* [messages] words to arrive */
    uint32_t *waits;     /* [messages] deliveries that it waits for; NULL if by step */
    uint64_t *latest;    /* [messages] the last of those so far; NULL: no work, so they ascend */
    uint32_t *ended; /* [messages] work whose end is known and has not been told; NULL as latest */
    size_t ended_count;
    size_t *first;       /* [messages + 1] into followers[]; NULL if by step */
    uint32_t *followers; /* the messages that wait for a message */

    size_t step_end;  /* by step: the end of the messages whose steps have begun */
    size_t step_left; /* by step: messages of the current step that are not delivered */

    /* With order_share(): the messages delivered here since order_meet(). */
    const struct nodes_own *own; /* borrowed; NULL: all nodes are */
    uint32_t *news;              /* owned */
    size_t news_count, news_room;
    bool memory_short;

    /* Called when a message can be sent from cycle `from` on, to wake its port; or NULL. */
    void (*released)(void *context, uint32_t message, uint64_t from);
    void *context;
};

/* EC_USAGE if the order of a workload is invalid: steps that descend, or an index that is not a
 * message.
 */
enum ec_code order_check(const struct ec_workload *w, struct ec_error *reterr);

/* The state of w->order, which must have been checked. NULL: out of memory. */
struct order *order_open(const struct ec_workload *w);
/* Does each message wait only for messages to its own part? By step: never, with several parts. */
bool order_is_local(const struct ec_workload *w, const struct ec_partition *partition);
/* After opening, if it is not local: only messages of these nodes are released, and deliveries in
 * other parts become known by order_meet(). */
void order_share(struct order *o, const struct nodes_own *own);
/* Forget all deliveries. Does not call ->released: ask order_free(). */
void order_reset(struct order *o);
void order_close(struct order *o);

/* `words` words of a message have been delivered in cycle `now`. */
void order_arrived(struct order *o, uint32_t message, uint32_t words, uint64_t now);

/* Was a message delivered here that other parts do not know of? */
static inline bool order_has_news(const struct order *o)
{
    return o->news_count > 0 || o->memory_short;
}
/* Collective, after cycle `now`, if any part has news of this cycle. False: out of memory, or
 * another part is gone. */
bool order_meet(struct order *o, struct exchange *x, uint64_t now);

/* The last word of a message leaves its source: messages behind it can be sent from cycle `from`
 * on. */
void order_sent_now(struct order *o, uint32_t message, uint64_t from);
static inline void order_sent(struct order *o, uint32_t message, uint64_t from)
{
    if (o->held)
        order_sent_now(o, message, from);
}

/* Work of a node is never sent. */
static inline bool order_is_work(const struct ec_workload *w, size_t message)
{
    return w->messages[message].words == 0 && w->messages[message].src == w->messages[message].dst;
}

/* How many works have ended; NULL: none. */
uint64_t order_worked(const struct order *o);

/* True if a message waits for nothing but cycle ->ready. */
static inline bool order_free(const struct order *o, uint32_t message)
{
    return o->ready[message] != ORDER_NEVER && !(o->held && o->held[message]);
}

/* The state, between two meetings. */
void order_state(struct order *o, struct state *state);

/* Describe a message that can never start, and its reason to wait. */
void order_explain(const struct order *o, char *buffer, size_t size);
