/* SPDX-License-Identifier: Apache-2.0 */
/* The fabric of a bank: its routers with the links between them, stepped as a whole. A bank that
 * steps groups of routers can hand words and credits from group to group in the form in which it
 * computes them, and keep the ledger and the counters in that form, too. Optional: an object that
 * has one exports `ec_tile_fabric`. Routers keep the Moore rule and say when they are quiet; links
 * take one cycle.
 *
 * A fabric knows no messages. As soon as something may break a rule, it says so before it has
 * counted it; the caller then goes on router by router, and finds out what it was. */
#pragma once

#include "ecube/tile.h"
#include "ecube/word.h"

/* The sources whose words have class 1 on a channel: (address & mask) - low <= span, unsigned. */
struct class_rule {
    uint32_t mask, low, span;
};

/* A channel is router * ports + port, ports as in ecube/tile.h. All this is read by open only. */
struct ec_fabric_wires {
    const uint32_t *peers;          /* [channel] the router at its far end; if it is not in the
                                       bank, there is no link */
    const uint8_t *back;            /* [port] the port there */
    unsigned locals;                /* local ports of a router that nodes use */
    unsigned depth;                 /* of the ledger: words */
    const struct class_rule *rules; /* [channel]; NULL: the class is not checked */
    struct ec_word_layout layout;
};

/* The same facts as rows of routers. */
struct ec_fabric_rows {
    uint64_t *flits, *contended, *starved; /* [channel] */
    uint16_t *ledger;                      /* [channel * vcs + vc] */
    uint32_t *open;                        /* [channel * vcs + vc]; NULL with one VC */
};

struct ec_fabric;

struct ec_fabric_api {
    /* The bank is borrowed until close. NULL: out of memory. */
    struct ec_fabric *(*open)(struct ec_tile_bank *bank, const struct ec_fabric_wires *wires);
    /* After a reset of the bank. `follow`: check packets and classes on the VCs. */
    void (*reset)(struct ec_fabric *f, bool follow);
    /* One cycle of all routers that have work; ports are router * locals + local port. Adds to the
     * counts. False: a rule may be broken. The bank has been stepped; nothing was counted, and
     * `out` is empty: call show() and leave(). */
    bool (*step)(struct ec_fabric *f, const struct ec_port_events *in, struct ec_port_events *out,
                 uint64_t *stepped, uint64_t *moved);
    /* Add what was counted to the rows of counters, and forget it. Call it at least every
     * EC_FABRIC_COUNTS cycles. */
    void (*count)(struct ec_fabric *f, const struct ec_fabric_rows *rows);
    /* Write ledger and open packets, the inputs of the coming step, and which routers it is for.
     * After a step() that returned false: ledger and packets as before, without the credits that
     * nodes returned; no sensible inputs; and the routers that were stepped. */
    void (*show)(struct ec_fabric *f, const struct ec_fabric_rows *rows,
                 const struct ec_tile_io *inputs, bool *awake);
    /* The opposite, after reset(). */
    void (*take)(struct ec_fabric *f, const struct ec_fabric_rows *rows,
                 const struct ec_tile_io *inputs, const bool *awake);
    /* From now on the caller steps the bank. `outputs`: after a step() that returned false: write
     * what the stepped routers show; else NULL. */
    void (*leave)(struct ec_fabric *f, const struct ec_tile_io *outputs);
    /* No word is on its way, and no credit is owed, except to nodes. */
    bool (*drained)(const struct ec_fabric *f);
    void (*close)(struct ec_fabric *f); /* NULL is fine */
};
#define EC_FABRIC_COUNTS (UINT64_C(1) << 22)

struct ec_shape;
/* NULL: the shape has none. */
const struct ec_fabric_api *ec_shape_fabric(const struct ec_shape *s);
