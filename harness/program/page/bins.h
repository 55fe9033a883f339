/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of all channels in bins of time, in bounded memory (observe/recorder.h).
 *
 * A channel is node * span + port: links, injection by each local port, ejection by each. The owner
 * reports what happens in which cycle; cycles ascend, except that an injection may be in the cycle
 * before the others. */
#pragma once

#include "base/list.h"
#include "page/recorder.h"

/* One channel in one bin. BUFFERED: words times cycles, shifted right by bins_shift(). */
struct bin_cell {
    uint32_t value[EC_RECORDED_SERIES];
};

/* All channels in one bin; `area` is not shifted. */
struct bin_sums {
    uint64_t count[EC_RECORDED_BUFFERED]; /* FLITS: of links */
    uint64_t injected, ejected;
    int64_t area;
};

/* A channel in the open bin. */
struct bin_now {
    uint64_t count[EC_RECORDED_BUFFERED];
    uint64_t total[EC_RECORDED_BUFFERED]; /* of the bins before */
    int64_t area;   /* words times cycles in the buffer it feeds, up to the cycle before `since` */
    uint64_t since; /* cycle from which `held` is valid */
    int32_t held;   /* words; negative while a credit is ahead of its word (foreign routers) */
};

struct bins {
    const struct ec_topology *t;
    unsigned links, locals, span; /* ports of a node: span = links + 2 * locals */
    size_t channels;              /* nodes * span */
    size_t existing;
    struct ec_arrays arrays; /* all of the following: */
    struct bin_now *now;     /* [channels] */
    size_t bound;            /* bins of channels and regions in the result */
    size_t memory;           /* and during the run, if channels are dropped */

    uint64_t begin, width; /* of the open bin */
    uint64_t last;         /* the last cycle in which something happened */
    size_t used;           /* bins closed */
    size_t room, most;     /* bins per channel: now, and at most */
    bool touched;          /* something was counted in the open bin */
    size_t holding;        /* channels with words in their buffer */

    uint32_t *slot; /* [slots] channels in detail, ascending */
    size_t slots;
    size_t final;           /* so many are enough in detail; below it none is dropped */
    struct bin_cell *cells; /* [slot * room + bin] */

    struct bin_sums *sums; /* [bin] */

    size_t grid_width, grid_height, regions; /* 0: no grid */
    uint32_t step_across, step_down;
    uint32_t *region;      /* [node] */
    struct bin_cell *grid; /* [bin * regions + region] */
};

/* `cells` and `memory` as in ec_recorder_options. False: out of memory. */
bool bins_open(struct bins *b, const struct ec_topology *t, const struct ec_router *r, size_t cells,
               size_t memory);
void bins_reset(struct bins *b);
void bins_close(struct bins *b);

/* Close bins until `cycle` is in the open one. */
void bins_advance(struct bins *b, uint64_t cycle);

/* From here on `cycle` is in the open bin, or for bins_inject() the one before. */
static inline void bins_count(struct bins *b, size_t channel, enum ec_recorded what, uint64_t cycle)
{
    b->now[channel].count[what]++;
    b->touched = true;
    b->last = cycle > b->last ? cycle : b->last;
}
void bins_inject(struct bins *b, size_t channel, uint64_t cycle);

/* A word enters (1) or leaves (-1) the buffer that the channel feeds, from `cycle` on. */
static inline void bins_hold(struct bins *b, size_t channel, int words, uint64_t cycle)
{
    struct bin_now *x = &b->now[channel];
    x->area += (int64_t)(cycle - x->since) * x->held;
    x->since = cycle;
    b->holding -= x->held != 0;
    x->held += words;
    b->holding += x->held != 0;
    b->touched = true;
    b->last = cycle > b->last ? cycle : b->last;
}

/* How far the sums of words times cycles are shifted, so that they fit 32 bits. */
unsigned bins_shift(const struct bins *b);

/* The run is over: close the open bin and drop channels until the result is within its bound. Fills
 * the members of *ret that concern channels, series and grid; it owns the arrays. False: out of
 * memory. */
bool bins_finish(struct bins *b, struct ec_recording *ret);
void bins_free_recording(struct ec_recording *r);
