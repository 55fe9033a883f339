/* SPDX-License-Identifier: Apache-2.0 */
/* The trial of one router before a network is built from it: does it obey the contract
 * (docs/ROUTER-CONTRACT.md), and what does it serve? */
#ifndef ECUBE_TRIAL_H
#define ECUBE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/shape.h"

#pragma GCC visibility push(default)

/* Check that the router obeys the Moore rule (contract, section 1). It is driven with legal traffic
 * at some places of the network; after every clock edge its inputs are changed at random, and its
 * outputs must not change. EC_CONTRACT names the output that did, EC_TOOL the complaint of an
 * initial block. Only shapes of one router without
 * `traced` are checked; others pass. `pulse` (ecube/net.h) may be NULL. */
enum ec_code ec_trial_moore(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            struct ec_error *reterr);

/* Check only that no initial block of a router complains. */
enum ec_code ec_trial_initial(const struct ec_shape *s, const struct ec_topology *t,
                              const struct ec_router *r, struct ec_net_pulse *pulse,
                              struct ec_error *reterr);

enum ec_trial_verdict {
    EC_TRIAL_SERVES,
    EC_TRIAL_LACKS, /* a foreign router lacks this mode, which was not asked for (section 12) */
    EC_TRIAL_BREAKS,
    EC_TRIAL_NOT_TRIED, /* the shape would take too long to compile, or the router says that it does
                           not serve such pins */
};

/* The router on one network in one mode. */
struct ec_trial_mode {
    const struct ec_topology *topology;
    const struct ec_router *router;
    const char *words; /* "torus:4x4 --router vcs=2,...": the arguments that try it alone */
    enum ec_trial_verdict verdict;
    const char *reason;   /* the first breach, or why no such router was made; "" */
    const char *scenario; /* what the router went through then; NULL: nothing */
    unsigned group;       /* modes that differ in switching and depth only have the same number */
    uint64_t moved;       /* words that left the routers */
    /* A foreign router that chooses: packets of shortest paths that may come by links, told apart
     * by place, input VC and destination; those that no neighbour was seen to send, and that were
     * not sent to the router. */
    uint64_t arrivals, unseen;
    const char *unfair; /* the input with the least share of a saturated output, if that is less
                           than a half of what is fair; "" */
};

/* A router that breaks the contract in a mode that it must serve. */
struct ec_trial_breach {
    const struct ec_topology *topology;
    const struct ec_router *router; /* with a packet bound */
    uint32_t node;
    unsigned port;    /* of the topology; EC_NONE: not known */
    uint64_t cycle;   /* since the last reset; 0: during it */
    const char *text; /* as in the error message */
};
#define EC_TRIAL_AFTER                                                                             \
    8 /* cycles that a watcher is shown after a breach, if the router can go on */

struct ec_trial_options {
    /* How to open shapes: rtl and top (NULL: the router of rtl/, which must serve all, and exactly
     * as the contract says), progress. */
    struct ec_shape_options shape;
    bool only;                  /* only the mode that was asked for */
    bool one_packet;            /* the mode that was asked for with the packet bound of `r` only */
    bool one_shape;             /* only modes and networks that the same compiled router serves */
    bool exact;                 /* judge a user's router as that of rtl/ */
    bool brief;                 /* little traffic in all modes: finds most defects, in a tenth of
                                   the time */
    bool relative;              /* what the router shows must not depend on its place: the same
                                   traffic, translated, at another place with the same links */
    bool allow_starvation;      /* do not judge how long an input waits for a saturated output */
    uint64_t seed;              /* of the traffic */
    struct ec_net_pulse *pulse; /* or NULL */
    /* Callbacks may be NULL: before and after each mode. */
    void (*begin)(void *context, const char *words);
    void (*done)(void *context, const struct ec_trial_mode *mode);
    /* After each mode; false: end with EC_INTERRUPTED. */
    bool (*go_on)(void *context);
    /* Before ec_trial_mode of a breach: returns who is to see it, or NULL. Then the trial of that
     * router is repeated, the watcher is shown its cycles since the last reset, and `watched` is
     * called. Not called for the Moore rule. */
    const struct ec_net_watch *(*watch)(void *context, const struct ec_trial_breach *breach);
    void (*watched)(void *context);
    void *context;
};

struct ec_trial_result {
    unsigned networks, modes, lacking; /* modes: of all networks together, those tried */
    unsigned shapes, shapes_served;    /* parameter sets, and those of which some mode is served */
    uint64_t words;                    /* that left the routers */
    unsigned pairs;                    /* of places that showed the same (relative) */
    char key[64];                      /* of the shape that was asked for */
};

/* Try the router on `t` with `r` thoroughly, then briefly in all that it may serve: other depths,
 * switching modes and orders; meshes, tori (with and without classes of virtual channels), rings
 * and cubes of its dimensions; other numbers of VCs, local ports and a deeper buffer, for which
 * shapes are compiled. EC_CONTRACT: it breaks the Moore rule anywhere, or another rule on `t` with
 * `r`; our own router anywhere. EC_TOOL, EC_USAGE, EC_MEMORY. */
enum ec_code ec_trial_run(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_trial_options *options, struct ec_trial_result *ret,
                          struct ec_error *reterr);

#pragma GCC visibility pop

#endif
