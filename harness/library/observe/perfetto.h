/* SPDX-License-Identifier: Apache-2.0 */
/* The event log as a JSON trace, which ui.perfetto.dev and chrome://tracing open: a process per
 * router, a track per channel and VC, a slice per packet on it, flows from hop to hop, counters of
 * buffered words. A cycle is a microsecond.
 *
 * Slices are written when they end. Memory is a record per track and per packet in the network,
 * however long the run is. */
#pragma once

#include <stdio.h>

#include "ecube/router.h"
#include "ecube/topology.h"

struct perfetto;

enum perfetto_channel { PERFETTO_INJECTION, PERFETTO_OUTPUT };

/* A word on a channel of `node`: on its way in from the node, or out by a link or to the node. */
struct perfetto_word {
    uint64_t cycle, word;
    uint32_t node;
    unsigned port, vc;
    enum perfetto_channel channel;
};

/* `nodes`: bitmap of the routers in the log, as ec_net_watch.nodes; it is used until the close.
 * NULL: out of memory. */
struct perfetto *perfetto_open(const struct ec_topology *t, const struct ec_router *r,
                               const uint64_t *nodes);
void perfetto_close(struct perfetto *p); /* accepts NULL */
/* As after perfetto_open(). */
void perfetto_reset(struct perfetto *p);

/* Each writes whole lines to `out` and returns their number. perfetto_begin() comes first, and
 * perfetto_end() last; words come in the order of cycles. */
uint64_t perfetto_begin(struct perfetto *p, FILE *out);
uint64_t perfetto_word(struct perfetto *p, FILE *out, const struct perfetto_word *w);
/* The buffers of an input hold this many words from this cycle on. */
uint64_t perfetto_buffered(struct perfetto *p, FILE *out, uint64_t cycle, uint32_t node,
                           unsigned port, uint32_t words);
uint64_t perfetto_end(struct perfetto *p, FILE *out);

/* Flows are missing. */
bool perfetto_memory_short(const struct perfetto *p);
