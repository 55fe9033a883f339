/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a run into intervals: samples the totals and the counters of all channels at their
 * borders. The network is not touched between borders. */
#pragma once

#include "ecube/net.h"
#include "ecube/statistics.h"
#include "ecube/topology.h"
#include "parts/state.h"

struct intervals {
    const struct ec_topology *t; /* borrowed */
    uint32_t routers;
    unsigned links, locals; /* of a router */
    uint32_t ports;         /* local ports of all nodes */
    uint64_t first_length;  /* before anything was merged; 0: nothing is sampled */
    uint64_t length;
    uint64_t border; /* end of the current interval; UINT64_MAX: nothing is sampled */
    size_t most;     /* intervals; lengths double when there are so many; 0: no limit */
    struct ec_interval *rows;
    size_t count, room;
    struct ec_interval before; /* the totals at the last border */
    /* Counters of all channels: the state at the beginning, then after each row that can still be
     * merged, or only before and after the last one. */
    struct channel_count *channels_at;
};

/* `length` 0: choose, if `choose`. False: out of memory. */
bool intervals_open(struct intervals *s, const struct ec_topology *t, unsigned locals,
                    uint64_t length, bool choose);
void intervals_close(struct intervals *s);
void intervals_reset(struct intervals *s);

/* The cycle `cycle` >= border has been played, or, if `last`, the run has ended after it. `totals`
 * since cycle 1: messages, packets, words, messages_sent, latency_sum; and latency_max since the
 * last call. The rest is counted in `c`. False: out of memory. */
bool intervals_take(struct intervals *s, uint64_t cycle, bool last, struct ec_interval totals,
                    const struct ec_net_counters *c);

/* The state, if anything is sampled: of the first part. */
void intervals_state(struct intervals *s, struct state *state);
