/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a wave, for waves.c and the layouts. */
#ifndef EC_WAVES_H
#define EC_WAVES_H

#include <limits.h>
#include <stdio.h>

#include "base/output.h"
#include "ecube/wave.h"
#include "observe/twin.h"

/* What happened at one input or output VC within the window. */
enum {
    WAVE_IN = 1,
    WAVE_OUT = 2,
    WAVE_CONTENDED = 4,
    WAVE_STARVED = 8,
};

struct wave_mark {
    uint64_t cycle;
    bool requested; /* by ec_wave_mark(); the others are events of the run */
    char text[64];
};

enum { WAVE_MARKS_MAX = 26 }; /* a viewer has the letters A to Z */

/* A set of words (never 0). Beyond 100,000 words it takes no more. */
struct word_set {
    uint64_t *table; /* open addressing; 0: free */
    size_t size, count;
    bool full; /* a word was left out */
};

enum { WAVE_DUMP, WAVE_LABELS, WAVE_GTKW, WAVE_SUCL, WAVE_FILES };

struct ec_wave {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    struct twins twins;
    struct ec_cycle_range cycles;
    char path[WAVE_FILES][PATH_MAX];
    struct ec_output files[WAVE_FILES];
    const struct ec_unfinished *unfinished;
    char *title;
    unsigned locals, ports; /* of the topology */
    bool shown;             /* the previous cycle was dumped */
    int lost;               /* errno of the write of the dump that failed; 0: none */
    uint64_t first, last;   /* cycles dumped */
    uint8_t *seen;          /* [(slot * ports + port) * vcs + vc] WAVE_* */
    struct word_set words;  /* all words on dumped links */
    struct wave_mark marks[WAVE_MARKS_MAX];
    size_t mark_count;
};

static inline uint8_t *wave_seen(const struct ec_wave *w, size_t slot, unsigned port, unsigned vc)
{
    return &w->seen[(slot * w->ports + port) * w->twins.vcs + vc];
}

/* The layouts. */
void wave_put_labels(const struct ec_wave *w, FILE *file);
void wave_put_gtkw(const struct ec_wave *w, FILE *file);
void wave_put_surfer(const struct ec_wave *w, FILE *file);

#endif
