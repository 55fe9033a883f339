/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of several packets that may overtake each other, at the nodes where they arrive: the
 * packet that completes such a message need not be the one that was sent last. A message is known
 * from the arrival of the first head until all its words have been taken. */
#pragma once

#include "base/lookup.h"
#include "parts/own_nodes.h"
#include "parts/state.h"

/* Words are those that are still missing. The entry is free again when there are none. */
struct assembled {
    uint64_t key;       /* source and message; of a free entry: 1 + the next free one, 0: none */
    uint32_t arriving;  /* words that its node has not seen */
    uint32_t accepting; /* words of a request that its node has not accepted */
    uint32_t node;      /* where it arrives */
};

/* Zeroed: empty. */
struct assembly {
    struct assembled *at; /* owned */
    uint32_t count, free; /* free: 1 + the first free entry; 0: none */
    size_t room;
    struct lookup entry; /* by key */
};

void assembly_reset(struct assembly *a);
void assembly_free(struct assembly *a);

/* The head of a packet arrives at `node`, of message `message` of source `src`, which has `words`
 * words; `request`: its node accepts it some time after it has arrived. The entry of the message,
 * or EC_NONE if memory is short. */
uint32_t assembly_begin(struct assembly *a, uint32_t node, uint32_t src, uint32_t message,
                        uint32_t words, bool request);
/* A packet has arrived. True: it completes the message, which is *ret_message. */
bool assembly_arrived(struct assembly *a, uint32_t entry, uint32_t words, uint32_t *ret_message);
/* A packet of a request has been accepted. True: all have. */
bool assembly_accepted(struct assembly *a, uint32_t entry, uint32_t words);
/* The messages to own nodes; an index of a part that saved has moved by `state->moved`. */
void assembly_state(struct assembly *a, struct state *state, const struct nodes_own *own);
