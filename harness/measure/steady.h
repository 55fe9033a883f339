/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether an open-loop run is in a steady state (docs/STEADY.md derives the rule).
 *
 * The window is divided into equal batches. At their ends (marks) the backlog of every source is
 * sampled: words created and not yet sent. Latencies are summed by the batch in which their packet
 * was created. */
#ifndef EC_STEADY_H
#define EC_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/run.h"
#include "traffic/process.h"

#define STEADY_BATCHES 32
#define STEADY_HALF    (STEADY_BATCHES / 2)
#define STEADY_QUARTER (STEADY_BATCHES / 4)

/* One local port; with replies, one for its requests and one for its replies. */
struct steady_source {
    uint64_t before;  /* words created before the window */
    uint64_t created; /* words created in the window, so far */
    uint64_t late;    /* sum of its backlogs, in words, over the last quarter of the marks */
    bool behind;      /* at half time its backlog was larger than random variation explains */
};

struct steady {
    uint64_t from, to; /* the window: cycles from + 1..to */
    uint32_t count;    /* of sources */
    /* Source i creates the words of traffic[i % kinds]. */
    struct process_words traffic[2];
    uint32_t kinds;
    struct steady_source *source;         /* [count] owned */
    unsigned seen;                        /* marks passed */
    uint64_t backlog[STEADY_BATCHES + 1]; /* [mark] of all sources together */
    uint64_t
        behind[STEADY_HALF + 1]; /* [mark - half] of the sources that were behind at half time */
    uint64_t packets[STEADY_BATCHES]; /* [batch of creation] */
    uint64_t cycles[STEADY_BATCHES];  /* [batch of creation] sum of latencies */
};

/* What the window shows: each figure with its limit. */
struct steady_finding {
    enum ec_steady steady;
    uint32_t behind;               /* sources that were behind at half time */
    double grown, grown_error;     /* words: growth of their backlogs since; standard error */
    double grown_chance;           /* words: standard deviation of chance at all sources */
    uint32_t port;                 /* the source with the worst backlog */
    double backlog, backlog_limit; /* words: its mean backlog in the last quarter */
    double rise, rise_limit;   /* words: all backlogs, mean of the last quarter - of the first */
    bool has_latency;          /* both halves have packets, and all have arrived */
    bool few;                  /* the window is too short compared with the mean latency */
    bool few_bursts;           /* the window is too short compared with the period of bursts */
    double mean;               /* cycles */
    double drift, drift_error; /* cycles: mean of the second half - of the first */
    double drift_limit;        /* cycles */
    bool backlogged;           /* backlog or rise exceeds its limit */
};

/* False if memory is short. */
bool steady_open(struct steady *s, uint32_t count, uint64_t from, uint64_t to,
                 struct process_words traffic);
/* From now on, the odd ones of the sources create words of this kind. */
void steady_add_kind(struct steady *s, struct process_words traffic);
void steady_close(struct steady *s);
void steady_reset(struct steady *s);

/* The cycle after which batch k begins, k = 0..STEADY_BATCHES; SOURCE_NEVER beyond. */
uint64_t steady_mark(const struct steady *s, unsigned k);
/* Sample the next mark: [source] words created and words sent since cycle 1. */
void steady_sample(struct steady *s, const uint64_t *created, const uint64_t *sent);
/* All marks have been sampled. */
static inline bool steady_complete(const struct steady *s)
{
    return s->seen > STEADY_BATCHES;
}
/* Words created in the window. */
uint64_t steady_created(const struct steady *s);

/* A packet created in the window has arrived. */
static inline void steady_arrived(struct steady *s, uint64_t created, uint64_t latency)
{
    const unsigned __int128 at = created - s->from - 1;
    const unsigned batch = (unsigned)(uint64_t)(at * STEADY_BATCHES / (s->to - s->from));
    s->packets[batch]++;
    s->cycles[batch] += latency;
}

/* True if the backlogs of a complete window show that the network does not keep up. */
bool steady_grows(const struct steady *s);
/* Judge a complete window; `arrived`: all packets created in it have arrived. */
struct steady_finding steady_judge(const struct steady *s, bool arrived);
/* A window, in cycles, that should decide what this one left open. */
uint64_t steady_suggest(const struct steady *s, const struct steady_finding *f);

#endif
