/* SPDX-License-Identifier: Apache-2.0 */
/* The test bench of one router: neighbours and a node that obey the contract. It makes inputs of
 * the kind that a scenario asks for and counts words and credits. What the router does with them is
 * judged elsewhere (contract/rules.h).
 *
 * Ports are those of the shape (tile_io.h), because inputs go straight to the router. */
#pragma once

#include "base/list.h"
#include "base/rng.h"
#include "ecube/router.h"
#include "ecube/tile.h"
#include "ecube/topology.h"
#include "ecube/word.h"
#include "shape/tile_io.h"

/* How neighbours return their credits. */
enum bench_credits {
    BENCH_AT_ONCE,
    BENCH_AT_RANDOM,
    BENCH_BLOCKED, /* at random at the port `open`; elsewhere, if `closed`, one of a full buffer */
    BENCH_IN_BURSTS, /* none until the buffer is full or some time has passed, then all */
    BENCH_WITHHELD,
};

/* What the neighbours do. Chances are in 256. */
struct bench_traffic {
    unsigned send;  /* that a port offers a word in a cycle */
    unsigned pause; /* that a packet pauses after a word, so that buffers run empty inside it */
    enum bench_credits credits;
    unsigned open;     /* a port */
    unsigned port, vc; /* new packets must leave there; BENCH_ANY: anywhere */
    uint32_t length;   /* of new packets; 0: mixed */
    bool closed;       /* no new packets; open ones are finished */
};
#define BENCH_ANY UINT32_MAX

/* A route through the router: where a packet comes from and where it must leave. */
struct bench_way {
    uint32_t src, dst;                     /* packed addresses */
    uint8_t in_class, out_class, out_port; /* out_port: no port if it has a choice */
    uint8_t in_message, out_message;       /* message classes, if these are paths; else 0 */
    uint8_t barred; /* input VCs (bits) on which no such packet comes; only if the router chooses */
};

/* All routes that enter by a port, in random order. */
struct bench_ways {
    struct bench_way *at;
    size_t count, next;
};

/* The packet that is being sent to an input VC. */
struct bench_stream {
    uint64_t word; /* what all its words have in common: all but head and tail */
    uint32_t length, left;
    uint64_t rests_until; /* cycle */
};

struct bench {
    const struct ec_topology *t;
    struct ec_router r; /* with a packet bound */
    uint32_t node;
    uint32_t partner; /* traffic must be legal when it is translated to this node; EC_NONE: no such
                         node */
    struct ec_port_map map;
    bool any_source;                    /* words have other bits in src than those of nodes, too */
    unsigned links, locals, ports, vcs; /* links, ports: of the shape; locals: of the network */
    struct ec_word_layout layout;
    uint64_t key, draws, now;
    uint32_t packets;               /* begun */
    struct ec_arrays arrays, state; /* state: what a reset clears */
    struct bench_ways *ways;        /* [port] */
    uint64_t *reached;              /* [port * vcs + vc] from these input ports, for outputs: by
                                       packets that must leave there */
    struct bench_stream *streams;   /* [port * vcs + vc] */
    uint32_t *sent;             /* [port * vcs + vc] words sent to the router and not credited */
    uint64_t fresh[EC_VCS_MAX]; /* ports: credits that it shows now, for words from the next cycle
                                   on; not yet in `sent` */
    uint32_t *owed;             /* [port * vcs + vc] words that the router sent, to be credited */
    bool *pouring;              /* [port * vcs + vc] a burst of credits is under way */
    uint64_t words_in, words_out, credits_out; /* since the last reset */
    uint64_t moved_at;                         /* the last cycle with a word or a credit */
    uint64_t pairs,
        barred; /* of destination and input VC of a link; those of them that are barred */
    uint64_t delivered, strayed; /* routing=any: packets for this router's nodes that left by a
                                    local port, and by a link; resets keep them */
};

/* `r`: with a packet bound. False: out of memory; bench_close() is due in any case. */
bool bench_open(struct bench *b, const struct ec_topology *t, const struct ec_router *r,
                const struct ec_tile_shape *shape, uint32_t node, uint32_t partner, uint64_t seed);
void bench_close(struct bench *b);
/* Leave out what is barred from now on. */
void bench_bar(struct bench *b);
/* The router was reset: all buffers are empty. */
void bench_reset(struct bench *b);

/* The inputs of the next cycle. */
void bench_drive(struct bench *b, const struct bench_traffic *traffic, struct ec_tile_io *io);
/* Count what the router shows after it. */
void bench_take(struct bench *b, const struct ec_tile_io *io);

/* Does the network have this port of the shape? */
bool bench_has(const struct bench *b, unsigned port);
/* No word is in the router, none is on its way, and all credits are back on both sides. */
bool bench_is_empty(const struct bench *b);

static inline size_t bench_at(const struct bench *b, unsigned port, unsigned vc)
{
    return (size_t)port * b->vcs + vc;
}

static inline uint32_t bench_below(struct bench *b, uint32_t n)
{
    return (uint32_t)ec_rng_below(ec_rng_draw(b->key, b->draws++), n);
}

static inline bool bench_chance(struct bench *b, unsigned of_256)
{
    return bench_below(b, 256) < of_256;
}
