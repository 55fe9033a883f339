/* SPDX-License-Identifier: Apache-2.0 */
/* A shadow of the input buffers: the words in every input VC of every router, derived from the
 * words that a watcher sees go in and the credits that it sees come out (contract, sections 4.4
 * to 4.6).
 *
 * A shadow is not a watcher: its owner passes on the observations, for all routers or for some.
 * Ports are those of the topology. */
#pragma once

#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/word.h"

/* One input VC. Its ring grows: a router that breaks the contract may get more words than its
 * buffer holds. */
struct shadow_buffer {
    uint64_t *ring;
    uint32_t first, count, size; /* size: 0 or a power of two */
};

struct shadow {
    uint32_t first;                     /* the router of buffer 0 */
    unsigned links, locals, ports, vcs; /* ports = links + locals */
    struct ec_word_layout layout;       /* of the words */
    size_t count;                       /* of the buffers */
    struct shadow_buffer *buffers;      /* [shadow_at()] */
    bool memory_short;                  /* a word is missing: the shadow is not reliable */
};

/* The buffers of one router, or with EC_NONE of all. False: out of memory. */
bool shadow_open(struct shadow *s, const struct ec_topology *t, const struct ec_router *r,
                 uint32_t node);
void shadow_reset(struct shadow *s); /* all buffers are empty */
void shadow_close(struct shadow *s);

static inline size_t shadow_at(const struct shadow *s, uint32_t node, unsigned port, unsigned vc)
{
    return ((size_t)(node - s->first) * s->ports + port) * s->vcs + vc;
}

/* The front word; 0: the buffer is empty. */
static inline uint64_t shadow_front(const struct shadow *s, size_t buffer)
{
    const struct shadow_buffer *b = &s->buffers[buffer];
    return b->count ? b->ring[b->first] : 0;
}

/* Word k behind the front; k < count. */
static inline uint64_t shadow_word(const struct shadow *s, size_t buffer, uint32_t k)
{
    const struct shadow_buffer *b = &s->buffers[buffer];
    return b->ring[(b->first + k) & (b->size - 1)];
}

/* A word enters a buffer; false: out of memory. */
bool shadow_push(struct shadow *s, size_t buffer, uint64_t word);
/* The words that enter a router in the cycle seen. */
void shadow_enter(struct shadow *s, const struct ec_net_seen *seen);
/* The front word of a buffer leaves; false: the buffer is empty. */
bool shadow_leave(struct shadow *s, size_t buffer);
/* A word that left is at the front again; false: out of memory. */
bool shadow_return(struct shadow *s, size_t buffer, uint64_t word);
/* Word k becomes the front; those before it stay in order behind it. */
void shadow_promote(struct shadow *s, size_t buffer, uint32_t k);
/* A word leaves for each credit that the router returns. */
void shadow_leave_by_credits(struct shadow *s, const struct ec_net_seen *seen);
