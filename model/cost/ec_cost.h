/* SPDX-License-Identifier: Apache-2.0 */
/* Closed forms for times on an idle network. Pure functions of numbers; must not know ecube.
 *
 * Units: words, hops, cycles. A message of m >= 1 words goes h >= 1 hops in packets of at most B
 * words, each preceded by ts start-up cycles at the sending port, through input buffers of `depth`
 * words. The time runs from the first cycle of the first start-up (the first offer, if ts = 0) to
 * the cycle in which the receiving node sees the last word, inclusive, with t_w = 1.
 * Derivations: docs/TIMING.md. */
#ifndef EC_COST_H
#define EC_COST_H

#include <stdbool.h>
#include <stdint.h>

enum ec_cost_switching {
    EC_COST_WORMHOLE,
    EC_COST_CUT_THROUGH,
    EC_COST_STORE_AND_FORWARD,
};

struct ec_cost_machine {
    enum ec_cost_switching switching;
    uint64_t startup; /* t_s: cycles a port is busy before each packet */
    uint64_t packet;  /* B >= 1: words of a packet; the last one of a message has the rest */
    uint64_t depth;   /* D >= 1 words of each buffer; D >= B but in wormhole */
    uint64_t stages;  /* s: 1 to 3 cycles in a router */
    uint64_t link;    /* L: 1 to 64 cycles on a link */
};

/* T of one message, at every depth. Takes O(1) time if ec_cost_is_closed(), else O(m). */
uint64_t ec_cost_message(const struct ec_cost_machine *x, uint64_t h, uint64_t m);

/* False if T is only known as the least solution of the rules of motion: in wormhole switching
 * below full rate, for several packets with start-ups. */
bool ec_cost_is_closed(const struct ec_cost_machine *x, uint64_t m);

/* True if T is closed and each further full packet adds the same number of cycles:
 * T(m + B) - T(m) does not depend on m > B. */
bool ec_cost_is_affine(const struct ec_cost_machine *x);

/* The least depth at which no word of a message alone ever waits for a credit. */
uint64_t ec_cost_full_rate(const struct ec_cost_machine *x);

/* The same with s = L = 1. Wormhole: depth >= 1. At depth >= 2: ceil(m/B) ts + h + m + 1. */
uint64_t ec_cost_wormhole(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth);

/* Virtual cut-through: depth >= B. At depth >= B + 1 the same as wormhole. */
uint64_t ec_cost_cut_through(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth);

#endif
