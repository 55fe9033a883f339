/* SPDX-License-Identifier: Apache-2.0 */
/* An exact histogram of latencies in cycles: percentiles are values that occurred. There is one
 * counter per cycle of latency up to 2^20 cycles (8 MiB), or a few times the number of samples.
 * Larger latencies, which occur with few packets and a long start-up, are a list of values with
 * counts: memory grows with the samples, not with their values. */
#pragma once

#include "ecube/run.h"
#include "parts/exchange.h"
#include "parts/state.h"

#define LATENCY_NEAR_MAX (UINT64_C(1) << 20)

struct latency_far {
    uint64_t cycles, count;
};

struct latency {
    uint64_t *count; /* [cycles] owned */
    size_t size;
    struct latency_far *far; /* latencies without a counter, in any order; owned */
    size_t far_count, far_room;
    uint64_t samples, max;
    unsigned __int128 sum;
};

/* latency_add() for `count` latencies without a counter. False if memory is short. */
bool latency_add_large(struct latency *l, uint64_t cycles, uint64_t count);

static inline bool latency_add(struct latency *l, uint64_t cycles)
{
    if (cycles < l->size)
        l->count[cycles]++;
    else if (!latency_add_large(l, cycles, 1))
        return false;
    l->samples++;
    l->sum += cycles;
    if (cycles > l->max)
        l->max = cycles;
    return true;
}

struct ec_latency latency_summary(struct latency *l);
void latency_forget(struct latency *l);
void latency_free(struct latency *l);

/* Collective: the histogram of part 0 gets the latencies of all parts. False: memory is short,
 * another part is gone, or its bytes are damaged. */
bool latency_merge(struct latency *l, struct exchange *x);
/* The state: the first part gets the latencies of all. */
void latency_state(struct latency *l, struct state *state);
