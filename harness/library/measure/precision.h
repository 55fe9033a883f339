/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of one point in a single play: when to decide, what the decision is, and what has
 * been measured (docs/MEASUREMENT.md).
 *
 * Time is divided into equal bins, from cycle 1 on. When all bins are used, pairs of them merge, so
 * memory does not depend on the length of the run. A slab is a group of bins with a histogram. */
#pragma once

#include "base/list.h"
#include "ecube/run.h"
#include "ecube/statistics.h"
#include "measure/estimate.h"
#include "measure/steady.h"
#include "parts/exchange.h"
#include "parts/state.h"

#define PRECISION_SLABS 64 /* half of them after a merge */
#define PRECISION_UNIT  16 /* bins of a slab */
#define PRECISION_BINS  (PRECISION_SLABS * PRECISION_UNIT)

/* The fewest cycles for a decision. */
#define PRECISION_LEAST (PRECISION_BINS / 2)

/* Counts of packets are by the cycle of creation. */
struct precision_slab {
    struct tally latency, network;
    uint64_t network_cycles; /* sum of the latencies in the network */
    uint64_t created;        /* words */
};

/* Words of all packets, or of a class, so far. */
struct precision_words {
    uint64_t arrived;
    uint64_t created; /* valid if precision_needs_sources() */
};

/* All packets, those of a class, or round trips. */
struct precision_series {
    struct estimate_bin *latency;  /* [PRECISION_BINS] */
    uint64_t *words;               /* [PRECISION_BINS] that arrived in the bin */
    struct precision_slab *slab;   /* [PRECISION_SLABS] */
    struct precision_words before; /* at the end of the last bin, of the last slab */
    /* The figures of the last decision. */
    double offered, accepted; /* flits/node/cycle */
    struct ec_latency packet, network;
    struct ec_confidence confidence;
    double network_half; /* cycles: of the mean of `network`; 0: not known */
};

/* Before a decision: about the second half of the cycles so far, in which sources are observed. */
struct precision_window {
    struct steady steady;
    struct ec_source_use *sources; /* [node] */
};

/* What the caller sees in a cycle that precision_mark() names. */
struct precision_sample {
    uint64_t cycle;
    uint64_t words;                        /* arrived so far */
    const struct precision_words *classes; /* [classes] */
    uint64_t messages;                     /* arrived so far */
    uint64_t created_messages;             /* so far */
    const uint64_t *created;               /* [port] words so far */
    const uint64_t *sent;                  /* [port] words so far */
    const uint64_t *accepted;              /* [node] words that arrived from it so far */
};

/* So few packets may all miss the rare busy times that make most of a variance. */
#define PRECISION_PACKETS 2000
/* The half-width in each half of the window, in half-widths requested; sqrt(2) is expected. */
#define PRECISION_HALVES  2.0

/* Why a mean latency is not as precise as requested. */
struct precision_lack {
    enum {
        PRECISION_LACKS_NOTHING,
        PRECISION_LACKS_INTERVAL, /* batches are correlated, or there are too few */
        PRECISION_LACKS_WIDTH,
        PRECISION_LACKS_PACKETS,
        PRECISION_LACKS_HALF, /* one half of the window is too wide */
    } what;
    unsigned half; /* the half: 0 or 1 */
    double wide;   /* its half-width / mean; 0: too few packets */
};

struct precision {
    struct ec_arrays arrays;
    struct ec_precision goal;
    uint32_t nodes;
    unsigned locals;
    struct precision_series all;
    struct precision_series *classes; /* [class_count] */
    unsigned class_count;
    struct precision_series round_trip; /* closed without replies */
    uint64_t created_messages[PRECISION_SLABS];
    uint64_t *accepted;       /* [node] room for the caller's sample */
    uint64_t base;            /* cycles of a bin at the start */
    unsigned merges;          /* a bin has base << merges cycles */
    size_t ended;             /* bins */
    uint64_t messages_before; /* created until the end of the last slab */
    struct precision_window window[2];
    unsigned current; /* the window that is being sampled; the other one is decided */
    uint64_t at;      /* the cycle of its decision; SOURCE_NEVER: there is none */
    uint64_t age_bound;
    bool pending;          /* a decision waits for the packets of its cycles */
    uint64_t decision;     /* its cycle */
    uint64_t tagged;       /* messages created until then */
    uint64_t before, late; /* of these, arrived until then; since then, in this part */
    uint64_t arrived;      /* both, in all parts, at the last sample */
    bool grows;            /* the backlogs grow in its window */
    bool done, memory_short;
    struct ec_measurement found;
    struct precision_lack lack; /* of a measurement with latencies that is not saturated or slow */
    struct exchange *exchange;  /* NULL: one part */
    struct estimate_bin *own;   /* [PRECISION_BINS] room for those of all.latency; or NULL */
    uint64_t messages, missing; /* created in the cycles measured; of the tagged, not arrived. If
                                   there are such, `messages` is all tagged ones */
};

/* The last decision waits for its packets as long as its cycles are, and `age_bound` longer. False
 * if memory is short.
 *
 * With an exchange, packets arrive in all parts, and part 0 decides; the others observe no source.
 * Samples have the totals of all parts, those of part 0 also `created`, `sent` and `accepted`.
 *
 * With `replies` (or NULL), samples of `created` and `sent` are pairs, of requests and of replies,
 * and packets may have a round trip. */
bool precision_open(struct precision *x, const struct ec_precision *goal, uint32_t nodes,
                    unsigned locals, struct process_words traffic,
                    const struct process_words *replies, uint64_t age_bound,
                    struct exchange *exchange);
/* After opening: packets have one of these classes. */
bool precision_add_classes(struct precision *x, unsigned count);
void precision_close(struct precision *x);
void precision_reset(struct precision *x);

/* The next cycle after which to call precision_sample(). */
uint64_t precision_mark(const struct precision *x, uint64_t now);
/* True if the sample must have `created` and `sent`. */
bool precision_needs_sources(const struct precision *x, uint64_t now);
/* True if it must have `accepted`, too. */
bool precision_needs_accepted(const struct precision *x, uint64_t now);
/* True: the measurement is done, and no more messages are needed. With an exchange, collective. */
bool precision_sample(struct precision *x, const struct precision_sample *s);
/* After the run, collective: what has arrived since the decision. False: a part is gone. */
bool precision_merge(struct precision *x);

struct precision_packet {
    uint32_t src;
    bool last;       /* of its message */
    unsigned class_; /* if there are classes */
    uint64_t created, latency, network;
    uint64_t round_trip; /* of the last packet of a reply; else 0 */
};

/* A packet has arrived. */
void precision_arrived(struct precision *x, const struct precision_packet *p);

/* The state. */
void precision_state(struct precision *x, struct state *state);

/* After LIMIT or TOO_SHORT, a larger limit to try. */
uint64_t precision_suggest(const struct precision *x);

/* The window of the last decision. */
const struct precision_window *precision_window(const struct precision *x);
