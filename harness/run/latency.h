/* SPDX-License-Identifier: Apache-2.0 */
/* An exact histogram of latencies in cycles: percentiles are values that really occurred. */
#ifndef EC_LATENCY_H
#define EC_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/run.h"

/* Latencies below this always have a counter each: 8 MiB of them at most. */
#define LATENCY_NEAR_MAX (UINT64_C(1) << 20)

struct latency_far {
    uint64_t cycles, count;
};

struct latency {
    uint64_t *count; /* [cycles] owned */
    size_t size;
    struct latency_far *far; /* latencies that had no counter, in any order; owned */
    size_t far_count, far_room;
    uint64_t samples, max;
    unsigned __int128 sum;
};

/* What latency_add does for latencies without a counter. False if memory is short. */
bool latency_add_large(struct latency *l, uint64_t cycles);

static inline bool latency_add(struct latency *l, uint64_t cycles)
{
    if (cycles < l->size)
        l->count[cycles]++;
    else if (!latency_add_large(l, cycles))
        return false;
    l->samples++;
    l->sum += cycles;
    if (cycles > l->max)
        l->max = cycles;
    return true;
}

/* Sorts the large latencies, else changes nothing. */
struct ec_latency latency_summary(struct latency *l);
/* Back to no samples. */
void latency_forget(struct latency *l);
void latency_free(struct latency *l);

#endif
