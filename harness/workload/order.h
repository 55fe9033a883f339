/* SPDX-License-Identifier: Apache-2.0 */
/* Order among the messages of a closed workload: who waits for whose delivery. */
#ifndef EC_ORDER_H
#define EC_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/workload.h"

#define ORDER_NEVER UINT64_MAX

struct order {
    const struct ec_workload *w;
    uint64_t *ready;     /* [messages] from this cycle on it may start; ORDER_NEVER: it waits */
    uint64_t *started;   /* [messages] cycle in which its port took it up; 0: not yet */
    uint64_t *delivered; /* [messages] cycle in which its last word was seen; 0: not yet */
    uint32_t *left;      /* [messages] words to come */
    uint32_t *waits;     /* [messages] deliveries that it waits for; NULL by step */
    size_t *first;       /* [messages + 1] into followers[]; NULL by step */
    uint32_t *followers; /* those who wait for a message */
    size_t step_end;     /* by step: the messages before this one belong to steps that began, */
    size_t step_left;    /* and so many of these have not been delivered */

    /* A message has become ready; set by whoever must wake its port. */
    void (*released)(void *context, uint32_t message, uint64_t ready);
    void *context;
};

/* EC_USAGE if the order of a workload is none: a step below the one before it, an index that is no
 * message. */
enum ec_code order_check(const struct ec_workload *w, struct ec_error *reterr);

/* The state of w->order, which is not NULL and has been checked. NULL: memory is short. */
struct order *order_open(const struct ec_workload *w);
/* Back to where nothing has been delivered. Nobody is told who is ready then: ask ->ready. */
void order_reset(struct order *o);
void order_close(struct order *o);

/* So many words of a message have been delivered in cycle `now`. */
void order_arrived(struct order *o, uint32_t message, uint32_t words, uint64_t now);

/* Say which message waits in vain, and for what. */
void order_explain(const struct order *o, char *buffer, size_t size);

#endif
