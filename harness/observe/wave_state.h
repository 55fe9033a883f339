/* SPDX-License-Identifier: Apache-2.0 */
/* What a wave has gathered; shared with the writers of layouts. */
#ifndef EC_WAVE_STATE_H
#define EC_WAVE_STATE_H

#include <limits.h>
#include <stdio.h>

#include "base/output.h"
#include "ecube/wave.h"
#include "observe/twin.h"
#include "observe/word_set.h"

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

/* In the order of their names' appearance, the last first. */
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
    unsigned locals, ports; /* as outside */
    bool shown;             /* the cycle before was shown */
    int lost;               /* errno of what could not be written of the dump; 0: all is there */
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

/* The layouts. */
void wave_put_labels(const struct ec_wave *w, FILE *file);
void wave_put_gtkw(const struct ec_wave *w, FILE *file);
void wave_put_surfer(const struct ec_wave *w, FILE *file);

/* Choose names, and begin the dump's temporary file: EC_IO if that cannot be. */
enum ec_code wave_files_open(struct ec_wave *w, const char *path, struct ec_error *reterr);
/* The message of w->lost. */
enum ec_code wave_files_lost(const struct ec_wave *w, struct ec_error *reterr);
/* The dump is closed: write the layouts, and give all files their names. */
enum ec_code wave_files_finish(struct ec_wave *w, uint64_t *ret_bytes, struct ec_error *reterr);
/* Remove what was not committed. */
void wave_files_remove(struct ec_wave *w);

#endif
