/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a run over time (intervals) and over its sources (fairness). */
#ifndef ECUBE_STATISTICS_H
#define ECUBE_STATISTICS_H

#include <stdint.h>

#include "ecube/audit.h"

/* --- Intervals -------------------------------------------------------------------------------- */

/* A channel of a router waits for a cycle if a front flit that wants it does not move: contended
 * (another packet is in the way) or starved (no credit: the buffer at the far end is full). */

/* What happened in the cycles from..to. Over all intervals of a run the sums are the totals of the
 * report. Intervals in which nothing happened are left out. */
struct ec_interval {
    uint64_t from, to;                  /* both included */
    uint64_t messages_sent, words_sent; /* messages begun, words injected */
    uint64_t messages, packets, words;  /* delivered */
    uint64_t latency_sum, latency_max;  /* cycles from creation to tail, of these packets */
    uint64_t flit_hops;                 /* words that routers put on links */
    uint64_t contended, starved;        /* waiting at all channels */
    uint32_t node;                      /* the link with the most waiting (without taps with the */
    unsigned link;                      /* most words): the sending router and its port */
    uint64_t link_waiting, link_flits;  /* there; both 0: no link was used */
    uint64_t link_starved;              /* of link_waiting */
    uint64_t ties;                      /* further links with the same numbers */
    struct ec_channel busiest;          /* with the most words, then the most contended */
    uint64_t busiest_flits, busiest_contended; /* there; no flits: nothing moved */
    uint64_t busiest_ties;
};

/* --- Fairness --------------------------------------------------------------------------------- */

/* One source. In open loop: words of the window, latencies of the packets created in it. */
struct ec_source_use {
    uint64_t offered; /* words created, for other nodes */
    uint64_t words;   /* words that arrived */
    uint64_t packets; /* with a measured latency */
    uint64_t latency; /* cycles, the sum over these packets */
};

/* A quantity over the sources that have it. The index of fairness is (sum x)^2 / (n sum x^2) with
 * n sources: 1 if all have the same, 1/n if one has everything. R. Jain, D. Chiu, W. Hawe, "A
 * quantitative measure of fairness and discrimination for resource allocation in shared computer
 * systems", DEC-TR-301, 1984. */
struct ec_fairness {
    uint32_t sources; /* n; 0: nothing below means anything */
    double min, max, jain;
    uint32_t min_node, max_node; /* the first of those that have it */
    uint32_t min_ties, max_ties; /* further sources with the same */
};

#endif
