/* SPDX-License-Identifier: Apache-2.0 */
/* A net: a whole network as seen from its local ports, one cycle at a time. Every backend (tiles
 * of RTL, a network wired in RTL, the SystemC model) is one of these.
 *
 * Time. step() number c (1, 2, ...) is cycle c of the run: `in` holds what the nodes put on their
 * local links during cycle c; `out` holds what the routers show during cycle c + 1. Router outputs
 * depend on registers only, so in cycle 1 after a reset they show nothing. */
#ifndef ECUBE_NET_H
#define ECUBE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/word.h"

#pragma GCC visibility push(default)

/* Counters per channel, kept since the last reset. */
struct ec_net_counters {
    const uint64_t *flits; /* [router * ports + output port]: words sent; local ports = ejected */
    const uint64_t *injected;  /* [node * locals + local]: words accepted from the node */
    const uint64_t *contended; /* [router * ports + output port]: front flits of this router, summed
                                  over cycles, that wanted this port and lost to another packet */
    const uint64_t *starved;   /* the same, waiting for any other reason (credits, tail) */
    unsigned ports;            /* links + local ports of a router */
    uint64_t stepped;          /* router-cycles really evaluated (the rest slept) */
};

enum ec_net_fault_kind {
    EC_FAULT_LEDGER, /* word and credit counts do not match */
    EC_FAULT_VC,     /* a word on a VC that does not match its route, or inside another packet */
    EC_FAULT_PORT,   /* a word on a port that its table does not give */
};

/* A broken rule: the first violation seen, kept until reset. */
struct ec_net_fault {
    bool found;
    enum ec_net_fault_kind kind;
    uint64_t cycle;
    uint32_t node;
    unsigned port, vc;
    char what[160];
};

/* What the RTL has reported since the last reset: $error, $fatal, $stop and failed assertions count
 * after the reset, $finish and simulator failures at any time. */
struct ec_net_rtl {
    bool mute;       /* it cannot report anything: ec_shape_mute() */
    uint64_t count;  /* messages; 0: the other members mean nothing */
    bool ended;      /* the RTL ended the simulation: its outputs are meaningless from then on */
    bool broken;     /* the simulator failed: nothing moves, not even after a reset */
    uint64_t cycle;  /* of the first message; 0: before the end of reset */
    uint32_t node;   /* EC_NONE: not known */
    char text[1024]; /* the first message, in the words of the simulator */
};

struct ec_net;
struct state;

/* What one stepped router saw and shows. Masks and arrays are as in tile.h, but ports are numbered
 * as in the topology: links, then local ports. After these come the ports of a compiled shape that
 * the network does not use, where a correct router shows nothing; so arrays have up to
 * EC_TILE_PORTS_MAX ports. Inputs and the causes of taps belong to cycle c, outputs (words,
 * credits, taps) to cycle c + 1. */
struct ec_net_seen {
    uint64_t cycle; /* c */
    uint32_t node;
    const uint64_t *in_word;                          /* [port] */
    const uint64_t *in_credit;                        /* [vc] */
    const uint64_t *out_word;                         /* [port] */
    const uint64_t *out_credit, *contended, *starved; /* [vc] */
    const uint8_t *want;                              /* [port * vcs + vc] */
    uint64_t in_valid, out_valid;
};

/* A watcher sees what happens inside the network, link by link: waves, event logs and the diagnosis
 * of a failed run use it. Callbacks may be NULL. A router that is not shown had no input and kept
 * its state. */
struct ec_net_watch {
    void (*router)(void *context, const struct ec_net_seen *seen);
    void (*cycle)(void *context, uint64_t cycle); /* all routers of this cycle have been shown */
    void (*reset)(void *context);                 /* the net was reset: cycle 1 comes next */
    const uint64_t *nodes; /* bitmap of the routers to show, bit n % 64 of word n / 64; NULL: all */
    void *context;
};

struct ec_net_ops {
    const char *name; /* "tiles", "flat", "systemc" */
    void (*reset)(struct ec_net *net);
    void (*step)(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out);
    void (*counters)(struct ec_net *net,
                     struct ec_net_counters *ret); /* valid until the next step */
    const struct ec_net_fault *(*fault)(const struct ec_net *net);
    /* Do all ledgers balance: has every link and VC all its credits back, and has every router
     * taken what it got? If not, *ret_fault names one. */
    bool (*drained)(const struct ec_net *net, struct ec_net_fault *ret_fault);
    /* True: the VC of every word since the reset was checked on every channel; a wrong one is a
     * fault. False or NULL op: some were not checked, or there is only one VC. */
    bool (*checked_vcs)(const struct ec_net *net);
    /* Show a watcher every router from now on (NULL ends it). A NULL op: this backend cannot. */
    void (*watch)(struct ec_net *net, const struct ec_net_watch *watch);
    void (*close)(struct ec_net *net);
    /* Between two steps: visit the state of an own router, or with EC_NONE what is of none, to save
     * or, after a reset, to load it. Library only. A NULL op: this backend cannot. */
    void (*state)(struct ec_net *net, struct state *s, uint32_t router);
    /* Loading, a packet whose head may be in this network, by the word of its head. NULL: as
     * `state`. */
    void (*track)(struct ec_net *net, uint64_t word);
};

/* The progress of a network, in memory shared with another process: if this process dies or hangs
 * in an evaluation, the other one reports how far the network came. */
struct ec_net_pulse {
    volatile uint64_t beats;  /* evaluations begun */
    volatile uint64_t cycle;  /* being evaluated; 0: opening, or the reset */
    volatile uint32_t router; /* being evaluated; EC_NONE: not known */
    volatile bool inside;     /* the RTL is being evaluated */
    volatile bool trial;      /* a single router is being tried before the network is built */
    volatile uint32_t nodes;  /* of the network */
    /* If several threads step the network and the process dies of one of them: the place of that
     * one */
    volatile bool died;
    struct {
        volatile uint64_t cycle;
        volatile uint32_t router;
        volatile bool inside;
    } death;
};

static inline void ec_net_pulse_begin(struct ec_net_pulse *p, uint64_t cycle)
{
    p->cycle = cycle;
    p->beats++;
    p->inside = true;
}

static inline void ec_net_pulse_end(struct ec_net_pulse *p)
{
    p->inside = false;
}

struct ec_net {
    const struct ec_net_ops *ops;
    const struct ec_topology *topology; /* borrowed */
    const struct ec_router *router;     /* borrowed */
    bool has_taps;  /* routers distinguish contended from starved; else both counters stay 0 */
    bool foreign;   /* routers of another microarchitecture: no cycle count is predicted for them */
    bool numbered;  /* set by the caller before a reset: words carry source and packet number as
                       those of ec_run() do, so they can be tracked */
    uint64_t cycle; /* cycles stepped; the caller may advance it while the network is empty and
                       drained() */
    uint64_t moved; /* words seen on any channel since the reset, local ports included */
    uint64_t in_flight; /* words sent by nodes and not yet shown to nodes */
    bool memory_short;  /* words were lost because memory was short: results are meaningless */
    const struct ec_net_rtl *rtl; /* NULL: the net contains no RTL */
    struct ec_net_pulse *pulse;   /* where it reports its progress; or NULL */
};

static inline bool ec_net_rtl_said(const struct ec_net *net)
{
    return net->rtl && net->rtl->count > 0;
}

static inline bool ec_net_rtl_ended(const struct ec_net *net)
{
    return net->rtl && net->rtl->ended;
}

struct ec_shape;

struct ec_tiles_options {
    bool no_sleep;              /* step every router in every cycle */
    uint64_t shuffle_seed;      /* not 0: step the routers of a cycle in an order drawn from this */
    uint32_t random_seed;       /* not 0: random initial state (the shape must be built for it) */
    bool foreign;               /* not the router of rtl/: contract, section 12 */
    struct ec_net_pulse *pulse; /* or NULL */
    /* Called with every text that the RTL prints ($display, $warning, and messages that do not
     * count as errors); node EC_NONE: not known. May be NULL. */
    void (*text)(void *context, uint64_t cycle, uint32_t node, const char *text);
    void *text_context;
};

/* The network of a compiled shape. Shape of a router ("tiles"): one tile per node, links wired by
 * the harness. Shape of a network ("flat", ec_shape_options.network): links wired in RTL; for the
 * ledger the harness computes the wiring independently. Borrows t, r, shape. */
enum ec_code ec_tiles_open(const struct ec_topology *t, const struct ec_router *r,
                           struct ec_shape *shape, const struct ec_tiles_options *options,
                           struct ec_net **ret, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
