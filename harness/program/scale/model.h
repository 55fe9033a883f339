/* SPDX-License-Identifier: Apache-2.0 */
/* The model of the cost of a cycle of a run in parts: numbers in, numbers out (docs/SCALING.md).
 *
 * All times are in seconds. Sources: R. W. Hockney, "The communication challenge for MPP", Parallel
 * Computing 20 (1994): latency and bandwidth; L. G. Valiant, "A bridging model for parallel
 * computation", CACM 33 (1990): supersteps, here one per exchange; D. Culler et al., "LogP", PPoPP
 * (1993): the processor time of a message; G. Blom, "Statistical Estimates and Transformed
 * Beta-Variables" (1958): the largest of several normal values. */
#ifndef CLI_SCALE_MODEL_H
#define CLI_SCALE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCALE_SIZES_MAX = 12, SCALE_THREADS_MAX = 16 };

/* How much slower a part of so many routers is than the smallest one, for each router: its state
 * does not fit the caches. */
struct scale_size {
    uint32_t routers;
    double locality; /* 1: none */
};

/* The exchange of so many threads, and how much slower each works while all of them do. */
struct scale_threads {
    unsigned threads;
    double latency, byte; /* of an exchange without bytes; of a byte that leaves a part */
    double slowdown;      /* 1: none */
};

/* The exchange of ranks. */
struct scale_network {
    double latency; /* from sending to receiving */
    double message; /* processor time to send and receive one */
    double byte;
};

/* The constants of a machine. */
struct scale_machine {
    double fixed; /* of a cycle: the loop */
    /* In the smallest part that was measured: to step a router that is awake, and to move a word
     * from an output to the next input, with its share of the work of the nodes. */
    double router, word;
    bool estimated; /* `router` and `word` could not be told apart: their ratio is the usual one */
    struct scale_size size[SCALE_SIZES_MAX];
    size_t size_count; /* >= 1; ascending */
    double crossing;   /* a word or credit that leaves or enters a part */
    double epoch;      /* of each part for an exchange, besides the swap */
    struct scale_threads threads[SCALE_THREADS_MAX];
    size_t threads_count; /* ascending */
    struct scale_network network;
};

/* What a cycle of the case is, on average. */
struct scale_load {
    uint32_t nodes;
    double awake; /* routers that are stepped */
    double words; /* that leave routers, ejected words included */
    double train; /* words of one message that move in the same cycle */
    double
        bytes; /* of a word that crosses a boundary, with its credit and its share of the record */
    unsigned link;    /* L */
    bool looks_ahead; /* no part depends on another within L cycles */
    double measured;  /* time of a cycle in one part / that of the model; 1: it was not measured */
};

/* A split into ranks * threads parts. */
struct scale_cut {
    uint32_t ranks, threads;
    uint32_t most;            /* routers of the largest part */
    double share;             /* of all work, of the part that has the most */
    double leaving;           /* words that leave a part in a cycle, at most; as many enter */
    double rank_leaving;      /* the same of a rank */
    uint32_t rank_neighbours; /* at most */
};

/* A prediction. Times are per cycle. */
struct scale_point {
    unsigned epoch;             /* cycles between exchanges */
    double work;                /* of the part with the most */
    double waiting;             /* of a part for the slowest, on average */
    double swap;                /* between threads */
    double network;             /* between ranks */
    double cycle;               /* the sum */
    double speedup, efficiency; /* against one part; of each part */
};

/* Work of a cycle of one part, without crossings. */
double scale_work(const struct scale_machine *m, double routers, double awake, double words);

/* The expected maximum of `count` independent standard normal values. */
double scale_largest(uint32_t count);

/* Rounds of messages in which ranks fold their numbers; two do it with the messages of the swap. */
double scale_fold_rounds(uint32_t ranks);

/* The constants for any number of threads: those that were measured, or the logarithm for more. */
struct scale_threads scale_threads_of(const struct scale_machine *m, unsigned threads);

struct scale_point scale_predict(const struct scale_machine *m, const struct scale_load *load,
                                 const struct scale_cut *cut);

/* The least link delay, up to `most`, with which this cut has that efficiency; 0: none has. */
unsigned scale_delay(const struct scale_machine *m, const struct scale_load *load,
                     const struct scale_cut *cut, double efficiency, unsigned most);

#endif
