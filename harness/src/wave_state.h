/* SPDX-License-Identifier: Apache-2.0 */
/* What a wave has gathered; shared with the writers of layouts. */
#ifndef EC_WAVE_STATE_H
#define EC_WAVE_STATE_H

#include <limits.h>
#include <stdio.h>

#include "ecube/wave.h"
#include "twin.h"
#include "word_set.h"

/* What happened at one input or output VC within the window. */
enum {
    WAVE_IN = 1,
    WAVE_OUT = 2,
    WAVE_CONTENDED = 4,
    WAVE_STARVED = 8,
};

struct wave_mark {
    uint64_t cycle;
    bool must_read; /* someone asked for it; the others are what the wave noticed */
    char text[64];
};

enum { WAVE_MARKS_MAX = 26 }; /* a viewer has the letters A to Z */

struct ec_wave {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    struct twins twins;
    struct ec_cycle_range cycles;
    char path[PATH_MAX], temporary[PATH_MAX], stem[PATH_MAX]; /* stem: path without ".fst" */
    char title[512];
    unsigned locals, ports; /* as outside */
    bool open, shown;       /* there is a temporary file; the cycle before was shown */
    bool finished;
    uint64_t first, last;
    uint8_t *seen;         /* [(slot * ports + port) * vcs + vc] WAVE_* */
    struct word_set words; /* every word on a dumped link */
    struct wave_mark marks[WAVE_MARKS_MAX];
    size_t mark_count;
};

static inline uint8_t *wave_seen(const struct ec_wave *w, size_t slot, unsigned port, unsigned vc)
{
    return &w->seen[(slot * w->ports + port) * w->twins.vcs + vc];
}

/* The layouts. Each writes one whole file. */
enum ec_code wave_write_gtkw(const struct ec_wave *w, struct ec_error *reterr);
enum ec_code wave_write_surfer(const struct ec_wave *w, struct ec_error *reterr);

#endif
