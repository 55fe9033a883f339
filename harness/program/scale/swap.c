/* SPDX-License-Identifier: Apache-2.0 */
/* Times the exchange of split runs (parts/exchange.h). Must not know what is predicted from it. */
#include "program/scale/swap.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "parts/exchange.h"

enum {
    VALUES = 6,   /* folded in a swap: about as many as a run folds */
    BATCH = 100,  /* swaps that are timed together */
    BATCHES = 8,  /* at least; the fastest counts, since others only disturb */
    BYTES = 8192, /* to each neighbour, to see the cost of a byte */
};

struct swaps {
    double seconds;     /* for each number of bytes */
    double empty, full; /* of a swap, of part 0 */
};

/* Put bytes for every neighbour, and read those that came. */
static bool swap_once(struct exchange *x, size_t bytes, uint64_t *sum)
{
    static const enum exchange_fold folds[VALUES];
    uint64_t values[VALUES] = {*sum & 1};
    for (uint32_t k = 0; bytes > 0 && k < x->neighbours; k++) {
        void *to = exchange_append(x, k, bytes);
        if (!to)
            return false;
        memset(to, (int)(*sum & 0xff), bytes);
    }
    if (!exchange_swap(x, values, folds, VALUES))
        return false;
    for (uint32_t k = 0; k < x->neighbours; k++) {
        for (size_t i = 0; i + 8 <= x->from[k].size; i += 8) {
            uint64_t word;
            memcpy(&word, x->from[k].data + i, sizeof word);
            *sum += word;
        }
    }
    *sum += values[0];
    return true;
}

/* All parts agree on the end, which part 0 decides. False: the exchange was aborted. */
static bool fastest_swap(struct exchange *x, size_t bytes, double seconds, double *ret)
{
    const double begin = ec_clock(CLOCK_MONOTONIC);
    uint64_t sum = x->part, on = 1;
    *ret = INFINITY;
    for (int n = 0; on; n++) {
        const double from = ec_clock(CLOCK_MONOTONIC);
        for (int i = 0; i < BATCH; i++) {
            if (!swap_once(x, bytes, &sum))
                return false;
        }
        const double to = ec_clock(CLOCK_MONOTONIC);
        *ret = fmin(*ret, (to - from) / BATCH);
        on = x->part == 0 && (n < BATCHES || to - begin < seconds);
        if (!exchange_fold(x, &on, 1, EXCHANGE_OR))
            return false;
    }
    return true;
}

static void swap_body(void *context, struct exchange *x)
{
    struct swaps *s = context;
    double empty, full;
    if (fastest_swap(x, 0, s->seconds / 2, &empty) &&
        fastest_swap(x, BYTES, s->seconds / 2, &full) && x->part == 0) {
        s->empty = empty;
        s->full = full;
    }
}

enum ec_code scale_time_swaps(const struct ec_partition *p, struct world *world, double seconds,
                              struct scale_swap *ret, struct ec_error *reterr)
{
    struct swaps s = {.seconds = seconds};
    const struct parts_plan plan = {.transport = world ? PARTS_RANKS : PARTS_THREADS,
                                    .world = world,
                                    .parts = p->parts,
                                    .first = p->first_neighbour,
                                    .neighbour = p->neighbour,
                                    .pin = true};
    const enum ec_code code = parts_run(&plan, swap_body, &s, reterr);
    if (code != EC_OK)
        return code;
    const bool here = !world || world->rank == 0;
    if (here && s.full == 0)
        return ec_fail(reterr, EC_INTERNAL, "the parts of a measurement did not meet");
    const double bytes = (double)BYTES * (p->first_neighbour[1] - p->first_neighbour[0]);
    *ret = (struct scale_swap){.latency = s.empty,
                               .byte = bytes > 0 ? fmax(0, s.full - s.empty) / bytes : 0};
    return EC_OK;
}
