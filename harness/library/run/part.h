/* SPDX-License-Identifier: Apache-2.0 */
/* What a play knows of the other parts of a split run. All parts play the same cycles, each on its
 * own nodes. They meet after each *epoch*: there they swap the words, credits and packet records
 * that cross from part to part, and the values by which all of them decide alike how to go on.
 *
 * Calls marked "collective" are made by all parts in the same order. They follow from decisions by
 * folded values only, so this needs no agreement. If another part is gone, they return at once, and
 * part->lost is set: the play then ends as broken. */
#pragma once

#include "backend/part.h"
#include "base/list.h"
#include "ecube/net.h"
#include "ecube/partition.h"
#include "ecube/statistics.h"
#include "parts/exchange.h"
#include "parts/own_nodes.h"
#include "run/scoreboard.h"

/* The values of the whole network by which a play decides how to go on. */
enum part_value {
    PART_IN_FLIGHT,  /* words in the network */
    PART_SHOWN,      /* words that routers show to nodes and that these take in the next cycle */
    PART_BUSY,       /* senders with a message in hand */
    PART_HELD_WORDS, /* by nodes under back-pressure */
    PART_MEASURED,   /* messages of the window that have arrived */
    PART_IDLE_AT,    /* last cycle that began with idle senders */
    PART_LAST_MOVE,  /* cycle of the last word seen anywhere */
    PART_LEFT,       /* closed: sources have messages */
    PART_BROKEN,     /* a check failed, or memory is short */
    PART_CROWDED,    /* packets_learn() is due */
    PART_NEWS,       /* order_meet() is due */
    PART_CLAIMED,    /* packets_share_claims() is due */
    PART_VALUES,
};

struct part {
    /* The network as the play sees it: its step is that of own routers, its counters and ledgers
     * are those of the whole network (collective; the counters are in part 0 only). */
    struct ec_net net;
    struct ec_net *tiles; /* own routers; borrowed */
    struct exchange *x;   /* borrowed */
    const struct ec_partition *partition;
    struct nodes_own own;
    bool look_ahead; /* epochs may be longer than a cycle */
    bool silent;     /* nothing should cross in this epoch, which may be longer, too */
    bool lost;       /* another part is gone: folded values are meaningless */
    bool asks;       /* the caller of this part may interrupt the run: the first one of a rank */
    /* Part 0, after counters() or the end: of the whole network, [node * ports + port] and
     * [node * locals + local]. */
    uint64_t *flits, *contended, *starved, *injected;
    struct ec_arrays arrays;
    struct ec_net_counters counters;
    unsigned ports;                   /* of a router */
    bool over;                        /* the play has ended: nothing is gathered any more */
    bool drained, checked_vcs, clean; /* then: in all parts; clean: no check has failed */
};

/* Part x->part, with the routers `tiles`. False: out of memory. It must not move while it is open.
 */
bool part_open(struct part *part, struct exchange *x, const struct ec_partition *partition,
               struct ec_net *tiles);
void part_close(struct part *part);

/* The play was opened; `order` NULL: no message waits for another. */
void part_begin(struct part *part, const struct ec_workload *w, struct order *order);
/* Collective: the end of an epoch, after cycle `now`. What crosses changes sides;
 * all[PART_VALUES] of this part becomes that of the whole network. */
void part_meet(struct part *part, struct scoreboard *board, uint64_t now, uint64_t *all);

/* --- What a play asks, whether it is one of several parts or not (`part` NULL) -----------------
 */

/* Is this the only part, or the one that has the statistics of all? */
static inline bool part_first(const struct part *part)
{
    return !part || part->x->part == 0;
}

/* Collective: one value of all parts. */
uint64_t part_fold(struct part *part, uint64_t here, enum exchange_fold how);

/* Is it so in any part? */
static inline bool part_any(struct part *part, bool here)
{
    return part ? part_fold(part, here, EXCHANGE_OR) || part->lost : here;
}

static inline uint64_t part_sum(struct part *part, uint64_t here)
{
    return part ? part_fold(part, here, EXCHANGE_SUM) : here;
}

static inline uint64_t part_least(struct part *part, uint64_t here)
{
    return part ? part_fold(part, here, EXCHANGE_MIN) : here;
}

/* What the first part has. */
static inline uint64_t part_told(struct part *part, uint64_t here)
{
    return part ? part_fold(part, part_first(part) ? here : 0, EXCHANGE_OR) : here;
}

/* Collective: values[node * per_node + k] of own nodes; in the first part, of all nodes. */
const uint64_t *part_gather(struct part *part, uint64_t *values, unsigned per_node);
/* Collective: words that `net`, that of the play, has got at each port; in the first part, at all.
 */
const uint64_t *part_injected(struct part *part, struct ec_net *net);
/* Collective: the sums of the values of all parts, in all of them. */
void part_sum_all(struct part *part, uint64_t *values, size_t count);
/* Collective: totals of own nodes; in the first part, of all. */
void part_sum_interval(struct part *part, struct ec_interval *totals);
