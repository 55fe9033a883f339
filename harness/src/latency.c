/* SPDX-License-Identifier: Apache-2.0 */
/* The histogram behind latency statistics. Knows numbers only. One counter per cycle of latency: a
 * run cannot produce more distinct latencies than it has cycles, so the table stays smaller than
 * the run is long, and nothing is rounded. */
#include "latency.h"

#include <stdlib.h>
#include <string.h>

bool latency_grow(struct latency *l, uint64_t cycles)
{
    size_t size = l->size ? l->size : 1024;
    while (size <= cycles) {
        if (size > SIZE_MAX / 2 / sizeof *l->count)
            return false;
        size *= 2;
    }
    uint64_t *count = realloc(l->count, size * sizeof *count);
    if (!count)
        return false;
    memset(count + l->size, 0, (size - l->size) * sizeof *count);
    l->count = count;
    l->size = size;
    return true;
}

/* The smallest value with at least `percent` percent of the samples at or below it. */
static uint64_t nearest_rank(const struct latency *l, uint64_t percent)
{
    const uint64_t rank = (l->samples * percent + 99) / 100;
    uint64_t seen = 0;
    for (size_t cycles = 0; cycles < l->size; cycles++) {
        seen += l->count[cycles];
        if (seen >= rank)
            return cycles;
    }
    return l->max;
}

struct ec_latency latency_summary(const struct latency *l)
{
    if (l->samples == 0)
        return (struct ec_latency){0};
    return (struct ec_latency){.mean = (double)l->sum / (double)l->samples,
                               .p50 = nearest_rank(l, 50),
                               .p95 = nearest_rank(l, 95),
                               .p99 = nearest_rank(l, 99),
                               .max = l->max};
}

void latency_free(struct latency *l)
{
    free(l->count);
    *l = (struct latency){0};
}
