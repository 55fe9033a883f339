/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of several packets that may overtake each other: the packet that completes such a
 * message need not be the one that was sent last. */
#ifndef EC_ASSEMBLY_H
#define EC_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

/* Words are those that are still missing. The entry is free again when there are none. */
struct assembled {
    uint32_t message;   /* the caller's number of it; of a free entry: the next free one */
    uint32_t arriving;  /* words that its node has not seen */
    uint32_t accepting; /* words of a request that its node has not accepted */
};

/* Zeroed: empty. */
struct assembly {
    struct assembled *at; /* owned */
    uint32_t count, room;
    uint32_t free; /* 1 + the first free entry; 0: none */
};

void assembly_reset(struct assembly *a);
void assembly_free(struct assembly *a);

/* A message of `words` words; `request`: its node accepts it some time after it has arrived. The
 * entry of it, or EC_NONE if memory is short. */
uint32_t assembly_begin(struct assembly *a, uint32_t message, uint32_t words, bool request);
/* A packet has arrived. True: it completes the message, which is *ret_message. */
bool assembly_arrived(struct assembly *a, uint32_t entry, uint32_t words, uint32_t *ret_message);
/* A packet of a request has been accepted. True: all have. */
bool assembly_accepted(struct assembly *a, uint32_t entry, uint32_t words);

#endif
