/* SPDX-License-Identifier: Apache-2.0 */
/* The random process by which a source creates messages: a coin in every cycle (Bernoulli), or with
 * bursts a coin in every cycle of an on period. Sampled by gaps between messages. */
#pragma once

#include "base/rng.h"
#include "ecube/workload.h"

#define GAP_BITS 48

/* The number of cycles up to and including the first success of a coin. */
struct geometric {
    uint64_t bit[GAP_BITS]; /* threshold of a 64-bit draw */
    uint64_t miss;          /* the same for "no success in this cycle" */
    unsigned bits;
};

/* The parameters that all sources share. */
struct process_kind {
    struct geometric gap; /* in the cycles in which a source is on */
    bool bursty;
    double on;              /* fraction of the time */
    struct geometric stay;  /* length of an on period */
    struct geometric pause; /* length of an off period */
};

/* One source. */
struct process {
    uint64_t next;  /* creation cycle of the next message */
    uint64_t key;   /* of its random numbers */
    uint64_t draws; /* used so far */
    uint64_t until; /* bursts: the last cycle of the current on period */
    uint32_t part;  /* mixtures: of the next message */
};

/* What is known of the words that a source creates. */
struct process_words {
    double length;    /* words: mean square of a message's length / mean length */
    double variation; /* bursts: variance of the rate / square of its mean; 0: no bursts */
    double memory;    /* correlation of the rate from one cycle to the next */
    double period;    /* cycles: mean of an on and an off period together */
};

/* Messages per cycle while a source is on; at most 1. */
double process_peak(const struct ec_workload *w);

/* The moments of the words that a source creates. */
struct process_words process_traffic(const struct ec_workload *w);
/* The same of the replies that a node creates. */
struct process_words process_reply_traffic(const struct ec_workload *w);

/* Words: the variance of the words that a source creates in `cycles` cycles at `rate` words per
 * cycle, divided by these words, plus `rate`. */
double process_spread(const struct process_words *t, double rate, double cycles);

struct process_kind process_kind(const struct ec_workload *w);
/* The state before cycle 1, drawn from the stationary distribution, and the first message. */
struct process process_start(const struct process_kind *k, uint64_t key);
/* Draw the creation cycle of the message after `next`. */
void process_advance(const struct process_kind *k, struct process *p);

static inline uint64_t process_draw(struct process *p)
{
    return ec_rng_draw(p->key, p->draws++);
}
