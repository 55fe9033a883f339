/* SPDX-License-Identifier: Apache-2.0 */
/* What is on links that take more than one cycle: words one way, credits the other. All take the
 * same time, so they arrive in the order in which they were sent, and one ring holds them.
 *
 * Knows how long a link takes. Must not know which links there are, or what a word says. */
#pragma once

#include "ecube/router.h"
#include "ecube/word.h"

struct on_link {
    uint64_t word;    /* without EC_WORD_VALID: a credit, for this VC */
    uint32_t node;    /* where it arrives */
    uint32_t channel; /* node * ports + port there */
};

/* Its memory is proportional to what was on the links at a time. */
struct tiles_links {
    unsigned delay;            /* cycles; 1: the ring is not used, except in a graph */
    unsigned turn;             /* of due[]: this cycle's */
    uint32_t due[EC_LINK_MAX]; /* [delay] how many arrive in each of the coming cycles */
    struct on_link *ring;
    size_t first, count, size; /* size: 0 or a power of two */
    bool memory_short;         /* something was not kept */
};

void tiles_links_reset(struct tiles_links *l);
void tiles_links_close(struct tiles_links *l);
/* Room for one more. False: out of memory. */
bool tiles_links_grow(struct tiles_links *l);

/* A cycle begins: how many must be taken in it, with tiles_links_take(). What is sent from here to
 * the next call arrives `delay` calls later. */
static inline uint32_t tiles_links_begin(struct tiles_links *l)
{
    const uint32_t arrive = l->due[l->turn];
    l->due[l->turn] = 0;
    return arrive;
}

/* The cycle is over. */
static inline void tiles_links_end(struct tiles_links *l)
{
    l->turn = l->turn + 1 < l->delay ? l->turn + 1 : 0;
}

static inline struct on_link tiles_links_take(struct tiles_links *l)
{
    const struct on_link x = l->ring[l->first];
    l->first = (l->first + 1) & (l->size - 1);
    l->count--;
    return x;
}

static inline void tiles_links_send(struct tiles_links *l, struct on_link x)
{
    if (l->count == l->size && !tiles_links_grow(l))
        return;
    l->ring[(l->first + l->count++) & (l->size - 1)] = x;
    l->due[l->turn]++;
}
