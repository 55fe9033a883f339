/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the exchange between ranks share: ranks.c, the meeting of all parts, and
 * links.c, its messages. */
#ifndef EC_PARTS_MEETING_H
#define EC_PARTS_MEETING_H

#include "parts/ranks/world.h"
#include "parts/transport.h"

/* The bytes of a part for a neighbour in another rank, or from it. */
struct stream {
    uint32_t member; /* of this rank */
    uint32_t index;  /* of the neighbour there */
};

/* Messages in one direction. */
struct lane {
    struct stream *stream; /* [streams] in the order (sending part, receiving part) */
    struct exchange_bytes bytes;
    uint64_t fixed; /* size of the message */
    uint64_t size;  /* of what it would need */
    uint64_t most;  /* of these, in this window */
};

/* A rank with parts that are neighbours of parts of this rank. */
struct link {
    uint32_t rank;
    uint32_t streams;
    struct lane out, in;
};

/* A part of this rank. */
struct member {
    struct exchange x;
    struct meeting *meeting;
    struct exchange *inner;
    uint32_t first_inner; /* index of the first neighbour in this rank; they are contiguous */
};

struct meeting {
    struct world *world;
    const struct parts_plan *plan;
    parts_body *body;
    void *context;
    uint32_t first;        /* part of this rank */
    struct member *member; /* [world->threads] */
    struct link *link;
    uint32_t links;
    bool adjacent;            /* all other ranks are linked */
    struct messages_set *set; /* the messages of a swap; NULL: to be opened */
    struct messages_set *now; /* the set that is tested */
    uint64_t swaps;
    uint64_t number; /* of the last complete collective between ranks */
    struct exchange_bytes gathered_here, gathered_all;
    struct exchange_bytes *gathered; /* [parts] */
    int *units;                      /* [2 * ranks + 1] */
    struct messages_value *values;   /* [value_room] */
    size_t value_room;
    uint64_t delays;
    struct exchange_end end; /* why this rank broke off */
};

/* Sizes in messages are multiples of MESSAGES_UNIT, so that all bytes are aligned. */
static inline uint64_t meeting_pad(uint64_t size)
{
    return (size + MESSAGES_UNIT - 1) / MESSAGES_UNIT * MESSAGES_UNIT;
}

static inline uint32_t meeting_rank_of(const struct meeting *g, uint32_t part)
{
    return part / g->world->threads;
}

/* This rank breaks off, and tells the others: out of memory; a damaged message; an error of MPI.
 * They return false. */
bool meeting_memory_fails(struct meeting *g);
bool meeting_bytes_fail(struct meeting *g);
bool meeting_messages_fail(struct meeting *g);

/* Wait until `test`, of the meeting, returns 1. False: a rank or a part has broken off. */
bool meeting_await(struct meeting *g, int (*test)(void *));

/* The links of this rank. False: out of memory. */
bool links_open(struct meeting *g);
void links_close(struct meeting *g);
/* What the parts of this rank have for others, with these values: begin to send it, and to receive
 * what others send. Then wait for all of it. */
bool links_start(struct meeting *g, const uint64_t *values, size_t count);
bool links_finish(struct meeting *g);
/* What has come: `from` of the parts points to it, and the values of the others are folded into
 * these. False: it is damaged. */
bool links_take(struct meeting *g, uint64_t *values, const enum exchange_fold *fold, size_t count);

#endif
