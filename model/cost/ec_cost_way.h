/* SPDX-License-Identifier: Apache-2.0 */
/* The channels and buffers of a machine, and one message after the other on its way through them.
 */
#ifndef EC_COST_WAY_H
#define EC_COST_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "ec_cost_graph.h"

/* A channel, as the last message left it. */
struct ec_cost_channel {
    uint64_t busy_until;
    size_t user;
};

/* A buffer: how many words came and went so far. */
struct ec_cost_buffer {
    uint64_t came, went;
};

struct ec_cost_way {
    const struct ec_cost_machine *machine;
    const struct ec_cost_messages *messages;
    bool rigid;     /* nothing ever waits on its way; then nobody asks for buffers: */
    uint64_t depth; /* words that are remembered of each */
    struct ec_cost_channel *channel;
    struct ec_cost_buffer *buffer; /* [channels * vcs] */
    uint64_t *left; /* [channels * vcs * depth] cycles in which its last words left it */
    uint64_t *here; /* [longest packet] when its words crossed the channel before */
};

/* Zeroed memory for a * b things, never NULL for none. */
static inline void *ec_cost_zeroed(size_t a, size_t b, size_t size)
{
    if (b && a > SIZE_MAX / b)
        return NULL;
    return calloc(a > 0 && b > 0 ? a * b : 1, size);
}

/* False without memory; to be closed all the same. */
bool ec_cost_way_open(struct ec_cost_way *w, const struct ec_cost_machine *machine,
                      const struct ec_cost_messages *messages);
void ec_cost_way_close(struct ec_cost_way *w);

/* Send a message that may start in cycle `start`; messages are sent in the order in which they
 * start. When its last word is on the port (*ret_sent) and at the end of its way; false, and where
 * (times->verdict, channel, earlier, later), if it meets another one. */
bool ec_cost_way_go(struct ec_cost_way *w, size_t message, uint64_t start, uint64_t *ret_sent,
                    uint64_t *ret_finish, struct ec_cost_times *times);

#endif
