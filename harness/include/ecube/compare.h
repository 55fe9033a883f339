/* SPDX-License-Identifier: Apache-2.0 */
/* Two networks in lock-step: the same stimulus, every link word, credit and tap of every router
 * compared in every cycle.
 *
 * The nodes are played once, against side A; what they put on their local ports in a cycle is given
 * to both sides. As long as the sides agree this is the stimulus each of them would have had alone;
 * where they first disagree, the comparison ends. A router that a side does not show
 * (ec_net_watch) gets nothing and shows nothing. */
#ifndef ECUBE_COMPARE_H
#define ECUBE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/run.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

/* What is compared, in the order in which differences of one cycle are told. */
#define EC_COMPARED(X)                                                                             \
    X(IN_WORD, "word in", "word on the input channel")                                             \
    X(IN_CREDIT, "credit in", "credit that arrives for the output VC")                             \
    X(OUT_WORD, "word out", "word on the output channel")                                          \
    X(OUT_CREDIT, "credit out", "credit that the input VC gives back")                             \
    X(CONTENDED, "contended", "tap of the input VC")                                               \
    X(STARVED, "starved", "tap of the input VC")                                                   \
    X(WANT, "want", "output port that the front flit of the input VC asks for")

enum ec_compared {
#define EC_COMPARED_ENUM(id, name, text) EC_COMPARED_##id,
    EC_COMPARED(EC_COMPARED_ENUM)
#undef EC_COMPARED_ENUM
        EC_COMPARED_COUNT
};

struct ec_divergence {
    bool found;
    uint64_t cycle; /* in which the sides show, or get, different things */
    uint32_t node;
    unsigned port, vc; /* port of the topology: links, then locals; vc 0 for words */
    char place[200];   /* "router 5 (101), output dim1, VC 0" */
    enum ec_compared field;
    uint64_t value[2];    /* A, B: a word (0: none), 0 or 1, or a port */
    char text[2][160];    /* the values decoded: "head VC 0, word 5->0 #3.0" */
    char packets[2][160]; /* "": none. The packets concerned: those of the words, or those at the
                             front of the input VC */
};

/* What the replay of a divergence left of a side. */
struct ec_compare_wave {
    char path[512];       /* "": none; then `note` says why, unless none was asked for */
    char note[1100];      /* room for any message */
    uint64_t first, last; /* cycles dumped */
};

struct ec_comparison {
    enum ec_outcome outcome; /* FINISHED; DEADLOCK: nothing moves any more, on both sides; BROKEN:
                                they differ, or agree in breaking a rule (see detail) */
    bool agree;
    struct ec_divergence divergence;
    char detail[500];        /* of BROKEN without a divergence: what both do wrong */
    bool taps;               /* both sides have taps: they were compared */
    uint64_t cycles;         /* simulated */
    uint64_t words, packets; /* delivered */
    uint64_t compared;       /* router-cycles in which something was there to be compared */
    double seconds, router_cycles_per_second;
    struct ec_compare_wave wave[2];
};

struct ec_compare_options {
    /* Stimulus and limits as of a run; watches, offer, failure and keep_packets are not used. */
    struct ec_run_options run;
    /* How each side's wave is made; NULL: none of that side. */
    const struct ec_failure_options *wave[2];
};

/* Compare. Both nets must be of one topology and one router. EC_OK whether they agree or not. The
 * caller closes the comparison. EC_USAGE if the nets are not of a kind, one cannot be watched, or
 * the options do not fit the workload; EC_MEMORY. */
enum ec_code ec_compare(struct ec_net *a, struct ec_net *b, const struct ec_workload *w,
                        const struct ec_compare_options *options, struct ec_comparison **ret,
                        struct ec_error *reterr);
void ec_comparison_close(struct ec_comparison *c); /* NULL is fine */

const char *ec_compared_name(enum ec_compared field);
const char *ec_compared_text(enum ec_compared field);

/* Two runs of one workload on routers that need not agree in time: was the same delivered?
 * Both reports must have been made with keep_packets. Compares, for every source and destination,
 * what arrived in the order in which it was created. In open loop the sources of one side may have
 * come further when they stopped: the shorter list must then be the beginning of the longer
 * one, and packets are the same only if they were created in the same cycle, which does not depend
 * on the routers. EC_USAGE: a report without packets; EC_MEMORY. */
struct ec_delivery_comparison {
    uint64_t common;  /* packets, the same on both sides */
    uint64_t only[2]; /* packets of A and of B that the other side has not, or not so */
    bool found;       /* a difference; the first one: */
    uint32_t src, dst;
    size_t index;        /* of the packet, among those from src to dst; from 0 */
    uint32_t words[2];   /* 0: not delivered */
    uint64_t created[2]; /* cycle; meant where it was delivered */
};
enum ec_code ec_compare_deliveries(const struct ec_report *a, const struct ec_report *b,
                                   bool open_loop, struct ec_delivery_comparison *ret,
                                   struct ec_error *reterr);

/* A digest of what was delivered, without the cycles: a commutative sum over the packets. */
uint64_t ec_report_deliveries(const struct ec_report *r);

#pragma GCC visibility pop

#endif
