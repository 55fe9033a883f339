/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of one port that can be sent, in the order in which they became ready. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct queued {
    uint64_t ready;  /* cycle */
    uint64_t from;   /* may be sent from this cycle on: `ready`, or later */
    uint64_t number; /* the order among those of one cycle */
    uint32_t message;
};

/* A heap by ready, then by number. Zeroed: empty. */
struct queue {
    struct queued *heap; /* owned */
    uint32_t count, room;
};

/* False: out of memory. */
bool queue_push(struct queue *q, struct queued x);
/* Take the first one; the queue is not empty. */
struct queued queue_pop(struct queue *q);
