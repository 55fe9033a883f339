/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of routers, and the waves that dump them. */
#pragma once

#include <limits.h>
#include <stdio.h>

#include "base/lookup.h"
#include "base/output.h"
#include "ecube/wave.h"
#include "observe/story.h"
#include "shape/tile_io.h"

/* --- Twins ---------------------------------------------------------------------------------- */

/* Twins: second instances of chosen routers, built from a traced shape, that get the same inputs in
 * the same cycles. Tracing a twin cannot change the run, and the outputs of twin and router are
 * compared. */

/* A check inside the RTL that failed. */
struct twin_failure {
    uint64_t cycle;
    uint32_t node;
    char place[48]; /* "input dim2 VC 0"; "": not known */
    char what[160]; /* "push into a full FIFO" */
};

enum { TWIN_FAILURES_MAX = 8 }; /* only the first ones: others follow from them */

struct twins {
    const struct ec_topology *t;
    struct ec_port_map map;
    unsigned links, locals, ports, vcs; /* ports: of the shape */
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_listener listener; /* of the bank: notes failed checks */
    struct ec_net_pulse *pulse;       /* of the network, or NULL */
    struct ec_arrays arrays;          /* all of the following: */
    size_t count;
    uint32_t *nodes;    /* [count] */
    uint32_t *slot;     /* [routers] index into `nodes`, or EC_NONE */
    uint64_t *selected; /* bitmap over nodes, for ec_net_watch.nodes */

    struct ec_tile_io io;       /* of the twins */
    struct ec_tile_io expected; /* the outputs of the routers */
    uint32_t *awake, *before;   /* slots stepped in this cycle and the previous one */
    size_t awake_count, before_count;

    uint64_t cycle;
    bool differs; /* a twin and its router disagree */
    uint64_t differs_cycle;
    uint32_t differs_node;
    struct twin_failure failures[TWIN_FAILURES_MAX];
    size_t failure_count;
};

/* The shape must be a traced one of the net's own dimensions. Borrows t and shape. */
enum ec_code twins_open(struct twins *w, const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_shape *shape, const struct ec_node_set *set,
                        struct ec_net_pulse *pulse, struct ec_error *reterr);
void twins_close(struct twins *w);

void twins_reset(struct twins *w);
/* A router was stepped. */
void twins_see(struct twins *w, const struct ec_net_seen *seen);
/* Once all routers of a cycle were seen: for a dump, put the inputs on the pins (`all`: of every
 * twin, required unless the previous cycle was shown, too); then step. */
void twins_show(struct twins *w, bool all);
void twins_step(struct twins *w, uint64_t cycle);

/* --- Waves ---------------------------------------------------------------------------------- */

/* Events at one input or output VC within the window, as flags. */
enum {
    WAVE_IN = 1,
    WAVE_OUT = 2,
    WAVE_CONTENDED = 4,
    WAVE_STARVED = 8,
    WAVE_IN_NEAR = 16, /* within some cycles of the failure */
    WAVE_OUT_NEAR = 32,
};

struct wave_mark {
    uint64_t cycle;
    bool requested; /* by ec_wave_mark(); the others are events of the run */
    char text[64];
};

enum { WAVE_MARKS_MAX = 26 }; /* a viewer has the letters A to Z */

enum { WAVE_DUMP, WAVE_LABELS, WAVE_GTKW, WAVE_SUCL, WAVE_FILES };

/* The input VCs that a failure is about, as they are in its cycle. */
struct wave_focus {
    uint64_t cycle; /* 0: this is not the wave of a failure */
    char text[160];
    unsigned port; /* of the first router, or EC_NONE */
    bool chain;    /* each input waits for the next one */
    size_t count;
    struct story_input *inputs;
    bool said; /* the text is in the dump */
};

struct ec_wave {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    struct twins twins;
    struct story *story;
    struct wave_focus focus;
    struct ec_cycle_range cycles;
    char path[WAVE_FILES][PATH_MAX];
    struct ec_output files[WAVE_FILES];
    const struct ec_unfinished *unfinished;
    char *title;
    unsigned locals, ports; /* of the topology */
    bool shown;             /* the previous cycle was dumped */
    bool told;              /* the texts of all routers are up to date */
    int lost;               /* errno of the write of the dump that failed; 0: none */
    uint64_t first, last;   /* cycles dumped */
    uint8_t *seen;          /* [(slot * ports + port) * vcs + vc] WAVE_* */
    uint64_t *words; /* [word_count] on dumped links, each once; some are missing if there are
                        too many, or memory is short */
    size_t word_count, word_room;
    struct lookup known; /* these words */
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
