/* SPDX-License-Identifier: Apache-2.0 */
/* Two networks in lock-step: both get the same stimulus, and every link word, credit and tap of
 * every router is compared in every cycle.
 *
 * The nodes are played once, against side A; both sides get the words and credits of these nodes.
 * While the sides agree, this is the stimulus that each of them would get alone. The comparison
 * ends at the first difference. A router that a side does not show (ec_net_watch) has no inputs and
 * no outputs in that cycle. */
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

/* The compared signals. If several differ in one cycle, the first in this order is reported. */
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
    uint64_t cycle; /* in which the sides differ */
    uint32_t node;
    unsigned port, vc; /* port of the topology: links, then locals; vc 0 for words */
    char place[200];   /* "router 5 (101), output dim1, VC 0" */
    enum ec_compared field;
    uint64_t value[2];    /* A, B: a word (0: none), 0 or 1, or a port */
    char text[2][160];    /* the values decoded: "head VC 0, word 5->0 #3.0" */
    char packets[2][160]; /* the packets of the words, or at the front of the input VC; "": none */
};

/* The wave of one side, from a replay of the divergence. */
struct ec_compare_wave {
    char path[512];       /* "": none; `note` says why, unless no wave was requested */
    char note[1100];      /* room for any message */
    uint64_t first, last; /* cycles dumped */
};

struct ec_comparison {
    enum ec_outcome outcome; /* FINISHED; DEADLOCK: no word moves on either side; BROKEN: the sides
                                differ, or break the same rule (see detail) */
    bool agree;
    struct ec_divergence divergence;
    char detail[1200];       /* BROKEN without a divergence: the rule that is broken */
    bool taps;               /* both sides have taps, and these were compared */
    uint64_t cycles;         /* simulated */
    uint64_t words, packets; /* delivered */
    uint64_t compared;       /* router-cycles with something to compare */
    double seconds, router_cycles_per_second;
    struct ec_compare_wave wave[2];
};

struct ec_compare_options {
    /* Stimulus and limits; watches, offer, failure and keep_packets are not used. */
    struct ec_run_options run;
    /* How to make the wave of each side; NULL: no wave of that side. */
    const struct ec_failure_options *wave[2];
};

/* Compare two nets of the same topology and router. EC_OK whether they agree or not. The caller
 * closes the comparison. EC_USAGE: topologies or routers differ, a net cannot be watched, or the
 * options do not fit the workload; EC_MEMORY. */
enum ec_code ec_compare(struct ec_net *a, struct ec_net *b, const struct ec_workload *w,
                        const struct ec_compare_options *options, struct ec_comparison **ret,
                        struct ec_error *reterr);
void ec_comparison_close(struct ec_comparison *c); /* accepts NULL */

const char *ec_compared_name(enum ec_compared field);
const char *ec_compared_text(enum ec_compared field);

/* Compare what two runs of one workload delivered, on routers whose timing may differ. Both reports
 * need keep_packets. For every source and destination, the packets must be the same in the order of
 * their creation. In open loop the sources of one side may have created more packets when they
 * stopped: the shorter list must then be a prefix of the longer one, and the same packets must have
 * been created in the same cycles, which do not depend on the routers. EC_USAGE: a report without
 * packets; EC_MEMORY. */
struct ec_delivery_comparison {
    uint64_t common;  /* packets that are the same on both sides */
    uint64_t only[2]; /* packets of A and of B that differ or are missing on the other side */
    bool found;       /* a difference; the first one: */
    uint32_t src, dst;
    size_t index;        /* of the packet, among those from src to dst; from 0 */
    uint32_t words[2];   /* 0: not delivered */
    uint64_t created[2]; /* cycle; 0 if not delivered */
};
enum ec_code ec_compare_deliveries(const struct ec_report *a, const struct ec_report *b,
                                   bool open_loop, struct ec_delivery_comparison *ret,
                                   struct ec_error *reterr);

/* A digest of the deliveries without their cycles: a commutative sum over the packets. */
uint64_t ec_report_deliveries(const struct ec_report *r);

#pragma GCC visibility pop

#endif
