/* SPDX-License-Identifier: Apache-2.0 */
/* When does each message of a schedule arrive? The longest path through the graph of its transfers,
 * as long as no message meets another. Pure functions of numbers; must not know ecube.
 *
 * Units: words, cycles. The first cycle is 1. Rules of motion and their sources: docs/TIMING.md. */
#ifndef EC_COST_GRAPH_H
#define EC_COST_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ec_cost.h"

/* The messages, in the order of the schedule. A port sends its messages in this order. */
struct ec_cost_messages {
    size_t count;
    const uint64_t *words; /* [count], each >= 1; 0: work */

    /* The path of message i: channel[way[i]] is its injection port, channel[way[i + 1] - 1] its
     * ejection port, with links between them. On channel[k] it goes to buffer vc[k]. Channels are
     * numbered from 0 in any order, with `vcs` buffers behind each. A message without a path is
     * work of a node: it takes its delay, and arrives when it has ended. */
    uint32_t channels;
    unsigned vcs;
    const size_t *way; /* [count + 1] */
    const uint32_t *channel;
    const uint8_t *vc;

    /* It starts `delay` cycles after the cycle that follows the last arrival it waits for (in cycle
     * delay + 1 if it waits for none): of messages after[first[i] .. first[i + 1]), or, by step,
     * of all messages with lower steps. NULL: no delay. It does not start before `delay` cycles
     * after its own cycle from[i]. NULL: cycle 1. */
    const uint32_t *delay; /* [count] or NULL */
    const uint64_t *from;  /* [count] or NULL */
    /* Work begins after the last word of this message has been sent. Read for work only. */
    const uint32_t *behind; /* [count], UINT32_MAX: none; or NULL */
    bool by_step;
    const uint32_t *step;  /* [count], ascending; read by step only */
    const size_t *first;   /* [count + 1]; read otherwise */
    const uint32_t *after; /* indices of messages */
};

enum ec_cost_verdict {
    EC_COST_PREDICTED,
    /* A message would wait at a channel while another one uses it, or uses it before one that
     * started earlier: no prediction. */
    EC_COST_MEETING,
    EC_COST_CIRCULAR, /* messages wait for each other, or for themselves */
    EC_COST_MEMORY,
};

struct ec_cost_times {
    enum ec_cost_verdict verdict;
    uint64_t first;        /* cycle in which the first start-up (or offer, if t_s = 0) begins */
    uint64_t last;         /* cycle in which the last word is seen: T = last - first + 1 */
    size_t earlier, later; /* MEETING: the two messages; CIRCULAR: `later` never starts */
    uint32_t channel;      /* MEETING: where */
};

/* `ret_start` and `ret_finish` ([count] or NULL) get the cycle in which each message's first
 * start-up begins and that in which its node sees its last word; 0 if it is not known. */
struct ec_cost_times ec_cost_graph(const struct ec_cost_machine *machine,
                                   const struct ec_cost_messages *messages, uint64_t *ret_start,
                                   uint64_t *ret_finish);

#endif
