/* SPDX-License-Identifier: Apache-2.0 */
/* An exact histogram of latencies in cycles: percentiles are values that really occurred. */
#ifndef EC_LATENCY_H
#define EC_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/run.h"

struct latency {
    uint64_t *count; /* [cycles] owned */
    size_t size;
    uint64_t samples, sum, max;
};

/* False if memory is short. */
bool latency_grow(struct latency *l, uint64_t cycles);

static inline bool latency_add(struct latency *l, uint64_t cycles)
{
    if (cycles >= l->size && !latency_grow(l, cycles))
        return false;
    l->count[cycles]++;
    l->samples++;
    l->sum += cycles;
    if (cycles > l->max)
        l->max = cycles;
    return true;
}

struct ec_latency latency_summary(const struct latency *l);
void latency_free(struct latency *l);

#endif
