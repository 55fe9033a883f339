/* SPDX-License-Identifier: Apache-2.0 */
/* A router under test: it is stepped with the inputs of a bench, its outputs are judged by the
 * rules of the contract, and twins with the same inputs must show the same. */
#pragma once

#include "contract/rules.h"
#include "ecube/net.h"
#include "ecube/shape.h"
#include "trial/bench.h"

/* The same router again. */
enum twin_kind {
    TWIN_ASLEEP, /* is not stepped while quiet_o is high and nothing arrives */
    TWIN_RANDOM, /* its registers started at random values */
    TWIN_FRESH,  /* was opened when the router was reset during traffic */
    TWIN_MOVED,  /* at another place, with the same traffic translated to there */
    TWINS,
};

struct twin {
    const struct ec_tile_api *api; /* of its shape */
    struct ec_tile_bank *bank;     /* NULL: there is no such twin now */
    struct ec_tile_io io;          /* outputs; inputs are those of the router */
    uint64_t asleep_at;            /* the last cycle in which it was not stepped; 0: none */
    uint64_t asleep_with;          /* words in the router then */
};

#define RIG_NOT_JUDGED                                                                             \
    "not judged: "     /* begins the error of a router that does not serve its pins */
#define RIG_UNFAIR 0.5 /* of the fair share: reported, and no breach */

struct rig_options {
    bool judged;                   /* by the rules and twins; else only the Moore rule counts */
    bool foreign;                  /* not the router of rtl/: contract, section 12 */
    bool patient;                  /* see `suspect`; only our own router */
    const struct ec_shape *random; /* with random initial state; or NULL */
    bool relative;                 /* what it shows must not depend on its place: TWIN_MOVED */
    bool unfair;                   /* an input may wait for a saturated output for ever: its share
                                      is measured only */
    uint64_t seed;
    struct ec_net_pulse *pulse;       /* or NULL */
    const struct ec_net_watch *watch; /* sees the router after this many resets; or NULL */
    unsigned watch_resets;
};

struct rig {
    const struct ec_shape *shape;
    const struct ec_tile_api *api; /* of the shape */
    const struct ec_tile_place *place;
    struct rig_options options;
    struct bench bench;
    struct rules *rules; /* NULL: not judged */
    struct rules *plain; /* patient: what every router must keep; else NULL */
    struct ec_tile_bank *bank;
    struct ec_arrays arrays;     /* of all inputs and outputs */
    struct ec_tile_io io, poked; /* one router each; poked: see the Moore rule */
    struct twin twins[TWINS];
    struct ec_tile_listener listener;
    bool listening;  /* while legal traffic is on the pins, after the reset */
    char said[1024]; /* the first error message of the RTL then; "": none */
    bool broken;     /* the simulator failed, at any time */
    struct ec_net_pulse own_pulse;
    uint64_t key, draws;  /* of the random inputs of the Moore rule */
    uint64_t cycle;       /* since the last reset */
    uint64_t words;       /* that left the router, of all resets */
    const char *scenario; /* what the router goes through now, in words */
    double share;         /* the least share of an input in a saturated output; fair is 1 */
    char unfair[160];     /* whose it is, if it is less than RIG_UNFAIR; "": none is */
    unsigned resets;
    enum ec_code code; /* EC_CONTRACT: the Moore rule was broken, `error` has the words */
    struct ec_error error;
    /* A word of our own router did not leave when it was due. Wrong routes look like that at first,
     * so that a patient trial goes on for some cycles, until `suspect_until`. */
    bool suspicious;
    char suspect[1400]; /* patient: what was seen; "": nothing */
    uint64_t suspect_until;
    char wrong[1400];    /* the first breach of the contract, apart from the Moore rule; "": none */
    uint64_t wrong_at;   /* its cycle */
    unsigned wrong_port; /* of the topology; EC_NONE: not known */
};

/* `r`: with a packet bound; `places`: of all nodes. False: out of memory; rig_end() is due in any
 * case. The router is reset. */
bool rig_begin(struct rig *g, const struct ec_shape *shape, const struct ec_topology *t,
               const struct ec_router *r, const struct ec_tile_place *places, uint32_t node,
               struct rig_options options);
void rig_end(struct rig *g);

/* One cycle. False: the trial is over, see `code` and `wrong`. */
bool rig_step(struct rig *g, const struct bench_traffic *traffic);
/* Cycles without new packets, so that a watcher sees what comes after a breach. */
void rig_go_on(struct rig *g, unsigned cycles);
/* Reset the router in the state that it has. From then on a fresh one must show the same. */
bool rig_reset(struct rig *g);
/* No more cycles will come: a suspicion is the verdict. False if there is one. */
bool rig_settle(struct rig *g);
/* The rules name what is missing at the end of all traffic, or else: the trial is over for a reason
 * that a scenario has found. Both return false. */
bool rig_account(struct rig *g);
bool rig_fail(struct rig *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "port +x, VC 0"; without the VC if there is only one. */
void rig_channel(const struct rig *g, unsigned port, unsigned vc, char *buffer, size_t size);

/* --- moore.c ---------------------------------------------------------------------------------- */

/* Do the outputs differ? Names one that does; *ret_port: its port, or the number of ports. */
bool rig_differ(const struct rig *g, const struct ec_tile_io *a, const struct ec_tile_io *b,
                const char **ret_output, unsigned *ret_port);
/* " of port +x", or "" for an output without a port. */
void rig_port_of(const struct rig *g, unsigned port, char *buffer, size_t size);
/* Change all inputs without a clock edge: no output may follow. False: one did. */
bool rig_poke(struct rig *g);

/* --- arrivals.c ------------------------------------------------------------------------------- */

/* The packets that come to a router that chooses (contract, section 12.2) from those around it: bar
 * each one that no neighbour, the same router at its place, sends here from its own node. Not in
 * graphs, where routers without nodes send packets on. False: out of memory. */
bool rig_learn_arrivals(struct rig *g, const struct ec_tile_place *places);
