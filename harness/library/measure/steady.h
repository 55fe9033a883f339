/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether an open-loop run is in a steady state (docs/MEASUREMENT.md derives the rule).
 *
 * The window is divided into equal batches. At their ends (marks) the backlog of every source is
 * sampled: words created and not yet sent. Latencies are summed by the batch in which their packet
 * was created. */
#pragma once

#include "ecube/run.h"
#include "measure/estimate.h"
#include "parts/state.h"
#include "traffic/process.h"

#define STEADY_BATCHES 32
#define STEADY_HALF    (STEADY_BATCHES / 2)
#define STEADY_QUARTER (STEADY_BATCHES / 4)
/* Finer batches, for intervals. */
#define STEADY_FINER   4
#define STEADY_BINS    (STEADY_BATCHES * STEADY_FINER)

/* Latencies of the packets created in a window; from STEADY_CLASS on, of each traffic class: from
 * creation, then in the network. */
enum { STEADY_PACKET, STEADY_NETWORK, STEADY_ROUND_TRIP, STEADY_CLASS };
#define STEADY_SERIES (STEADY_CLASS + 2 * EC_CLASSES_MAX)

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
    /* [STEADY_SERIES][bin of creation] owned: packets, with the sum of their latencies */
    struct estimate_bin (*bin)[STEADY_BINS];
    uint64_t accepted[STEADY_BATCHES + 1]; /* [mark] words that have arrived in the window */
    double load; /* rate / the rate at which the busiest channel is always busy; 0: not known */
    double zero_load; /* cycles: mean latency of packets that meet no others; 0: not known */
    bool fixed;       /* its length is given, so it must show how far its mean latency is off */
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
    bool beyond;               /* the busiest channel has no idle cycle: there is no steady state */
    bool brief;                /* the window is too short compared with the relaxation time: how
                                  far its mean latency is off is not known */
    double relaxation;         /* cycles in which the busiest queue forgets; 0: not known */
};

/* `count` sources; with `replies` (or NULL), as many pairs, of requests and of replies. False if
 * memory is short. */
bool steady_open(struct steady *s, uint32_t count, uint64_t from, uint64_t to,
                 struct process_words traffic, const struct process_words *replies);
void steady_close(struct steady *s);
void steady_reset(struct steady *s);

/* The cycle after which batch k begins, k = 0..STEADY_BATCHES; SOURCE_NEVER beyond. */
uint64_t steady_mark(const struct steady *s, unsigned k);
/* The state. The first part observes the sources, and all see the packets that arrive. */
void steady_state(struct steady *s, struct state *state);

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
static inline void steady_arrived(struct steady *s, unsigned series, uint64_t created,
                                  uint64_t latency)
{
    const unsigned __int128 at = created - s->from - 1;
    struct estimate_bin *bin = &s->bin[series][(uint64_t)(at * STEADY_BINS / (s->to - s->from))];
    bin->count++;
    bin->sum += latency;
}

/* True if the backlogs of a complete window show that the network does not keep up. */
bool steady_grows(const struct steady *s);
/* Judge a complete window; `arrived`: all packets created in it have arrived. */
struct steady_finding steady_judge(const struct steady *s, bool arrived);
/* The interval of the mean latency of a series; not known if the window is not steady. */
struct ec_confidence steady_interval(const struct steady *s, const struct steady_finding *f,
                                     unsigned series);
/* Half-width of the interval of the accepted load, in words per cycle; 0: not known. */
double steady_accepted_half(const struct steady *s);
/* A window, in cycles, that should decide what this one left open; 0: none does. */
uint64_t steady_suggest(const struct steady *s, const struct steady_finding *f);
