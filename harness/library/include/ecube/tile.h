/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles: compiled router shapes behind a C interface.
 *
 * A *shape* is one compiled router (rtl/ec_tile.sv with fixed parameters); a *bank* is any number
 * of instances of it, each with its own *place* (the pins of docs/ROUTER-CONTRACT.md). A shape is
 * a shared object that exports `const struct ec_tile_api *ec_tile_api(void)`.
 *
 * Ports are numbered links first, then local ports; 64 at most. */
#ifndef ECUBE_TILE_H
#define ECUBE_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#define EC_TILE_ABI       11
#define EC_TILE_DIMS_MAX  20
#define EC_TILE_PORTS_MAX 64

/* Parameters of the RTL: one compilation each. */
struct ec_tile_shape {
    uint32_t dims, links_per_dim, locals, vcs, depth_max;
    uint32_t dynamic;      /* 1: dynamic allocation of virtual channels; EC_TILE_ADAPTIVE */
    uint32_t stages;       /* 1..3 */
    uint32_t address_bits; /* 16 or 20 */
    uint32_t table;        /* entries of the routing table, a power of two; 0: there is none */
    uint32_t paths;        /* of the two message classes; 0: the same (ROUTER-CONTRACT.md, 5.6) */
    uint32_t speedup;      /* crossbar inputs of a port: 1; 0: one for each VC */
};

/* Pins of one router, sampled while reset is high. `mask` is the field of a dimension in a packed
 * address, `radix` its radix shifted to that field (0 in both for an unused dimension). */
struct ec_tile_place {
    uint32_t coord;
    uint32_t mask[EC_TILE_DIMS_MAX], radix[EC_TILE_DIMS_MAX];
    uint32_t wrap; /* bit d: dimension d wraps */
    uint32_t dateline, balanced, order_high,
        switching;          /* switching: 0 wormhole, 1 cut-through, 2 store-and-forward */
    uint32_t depth, packet; /* words */
    uint32_t classes;       /* message classes: 1 or 2 */
    /* [table] the routing table, by packed address: the output port, plus EC_TILE_CLASS on a
     * channel of dateline class 1. Read by open. */
    const uint8_t *table;
};
#define EC_TILE_CLASS    64
#define EC_TILE_ADAPTIVE 2 /* dynamic allocation, and adaptive routing */

/* What crosses the border in one cycle; arrays over the routers of a bank. Inputs must be zero
 * where nothing arrives: the caller clears what it set. Outputs are written for stepped routers
 * only; out_word only where out_valid has a bit, want only where contended or starved has one. */
struct ec_tile_io {
    uint64_t *in_word;    /* [router * ports + port] */
    uint64_t *in_valid;   /* [router] bit p: in_word of port p arrives */
    uint64_t *in_credit;  /* [router * vcs + vc] bit p: a credit for output port p arrives */
    uint64_t *out_word;   /* [router * ports + port] */
    uint64_t *out_valid;  /* [router] */
    uint64_t *out_credit; /* [router * vcs + vc] bit p: input port p popped */
    uint64_t *contended;  /* [router * vcs + vc] bit p: tap of input port p */
    uint64_t *starved;    /* [router * vcs + vc] */
    uint8_t *want;  /* [(router * ports + port) * vcs + vc] output port the front flit asks for */
    uint8_t *quiet; /* [router] 1: without input the next state is this one */
};

struct ec_tile_bank; /* opaque */

/* What RTL says of itself while it is evaluated. */
enum ec_rtl_event {
    EC_RTL_TEXT,    /* $display, $warning and the like */
    EC_RTL_ERROR,   /* $error, $fatal, $stop, or an assertion that failed */
    EC_RTL_REFUSED, /* the same in an initial block: the router refuses to be used like this */
    EC_RTL_FINISH,  /* $finish: the RTL ends the simulation. The bank can go on. */
    EC_RTL_BROKEN   /* the simulator cannot go on, for example because a loop of logic does not
                       settle: nothing is evaluated in this bank any more */
};

/* Receives these events, from inside open, reset, step, peek and the functions of ec_tile_trace. */
struct ec_tile_listener {
    /* `text` is one line without its end, as the simulator words it. In a shape that is a whole
     * network `router` is EC_TILE_ROUTER_UNKNOWN. */
    void (*said)(void *context, uint32_t router, enum ec_rtl_event event, const char *text);
    void *context;
    /* Not NULL: holds the number of the router that is being evaluated, in case an evaluation does
     * not return. */
    volatile uint32_t *router;
};
#define EC_TILE_ROUTER_UNKNOWN UINT32_MAX

/* Texts in a dump: signals with ASCII characters (rtl/ec_trace.svh). */
enum ec_tile_text {
    EC_TILE_FRONT,  /* of an input VC: its front word; 64 characters */
    EC_TILE_STATE,  /* of an input VC: where that word goes, or what it waits for; 64 characters */
    EC_TILE_FAILURE /* of a router; 128 characters */
};

/* What a *traced* shape can do beyond the fast ones: waves. Checks inside our own RTL are compiled
 * into traced shapes only. One bank has one dump at a time. */
struct ec_tile_trace {
    /* Begin a dump of these routers. Once per bank. Like dump and dump_close: 0, or the errno of
     * what could not be written; then the dump is of no use, and is to be closed. */
    int (*dump_open)(struct ec_tile_bank *bank, const char *path, const uint32_t *ids,
                     size_t count);
    /* Put the inputs on the pins of these routers, without a clock edge. */
    void (*show)(struct ec_tile_bank *bank, const struct ec_tile_io *io, const uint32_t *ids,
                 size_t count);
    /* A text from the next evaluation on, cut if it is too long. `input` is an input VC of the
     * router, port * vcs + vc; not looked at for EC_TILE_FAILURE. */
    void (*say)(struct ec_tile_bank *bank, uint32_t id, enum ec_tile_text what, unsigned input,
                const char *text);
    /* Write what the routers of the dump show now as time `cycle`. */
    int (*dump)(struct ec_tile_bank *bank, uint64_t cycle);
    int (*dump_close)(struct ec_tile_bank *bank); /* fine without a dump */
};

struct ec_tile_api {
    uint32_t abi; /* EC_TILE_ABI */
    struct ec_tile_shape shape;
    bool has_taps, has_quiet;
    const char *tool; /* "Verilator 5.006 2023-01-22" */

    /* `numbers`: what the listener calls the routers, if they are only a part of a network; they
     * ascend, and are borrowed until close; NULL: 0, 1, ... `random_seed` 0: all state starts at
     * zero; else registers start at random values drawn from it (only shapes built for that), those
     * of the routers of these numbers in a bank of all. `names`: how routers are called in dumps;
     * NULL: nobody reads them. `listener` is borrowed until close; NULL: nobody listens. NULL if
     * memory is short. The bank is not reset yet. */
    struct ec_tile_bank *(*open)(size_t routers, const struct ec_tile_place *places,
                                 const uint32_t *numbers, uint32_t random_seed,
                                 const char *const *names, const struct ec_tile_listener *listener);
    /* One rising edge with reset high for every router; all outputs are idle afterwards. */
    void (*reset)(struct ec_tile_bank *bank);
    /* One cycle of the routers ids[0..count-1]: apply inputs, rising edge, read outputs (they are
     * what the routers show in the *next* cycle). */
    void (*step)(struct ec_tile_bank *bank, const struct ec_tile_io *io, const uint32_t *ids,
                 size_t count);
    void (*close)(struct ec_tile_bank *bank); /* NULL is fine */

    const struct ec_tile_trace *trace; /* NULL in fast shapes */

    /* Not 0: one model is a whole network of so many routers, wired inside (rtl/ec_network.sv).
     * Then routers must be that number; step steps them all, whatever ids says; inputs on links are
     * not looked at; and of the places only what routers have in common counts. */
    uint32_t wired;

    /* Put inputs on the pins of these routers without a clock edge, and read what they show: by the
     * Moore rule the same as after the last step. The next step has inputs of its own. NULL in
     * wired and traced shapes. */
    void (*peek)(struct ec_tile_bank *bank, const struct ec_tile_io *io, const uint32_t *ids,
                 size_t count);
};

const struct ec_tile_api *ec_tile_api(void);

#pragma GCC visibility pop

#endif
