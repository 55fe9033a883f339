/* SPDX-License-Identifier: Apache-2.0 */
/* The names and functions that the formulas of records can use. */
#ifndef CLAIMS_VALUES_H
#define CLAIMS_VALUES_H

#include "claims/experiments/play.h"

/* --- Maps of nodes -----------------------------------------------------------------------------
 */

enum { MAP_DIMS_MAX = 9, MAP_NODES_MAX = 1 << MAP_DIMS_MAX };

/* Where each node of an n-cube sends, made by "map" and "sdp" lines, and the map before that. */
struct script_map {
    unsigned dims; /* n; 0: none */
    uint32_t to[MAP_NODES_MAX], was[MAP_NODES_MAX];
    uint64_t drawn; /* the state of draw() */
};

/* The most messages on a directed link, of the dimensions in the set `dims`, if node x sends to
 * to[x] xor b and all paths cross dimensions in one order: the digits of `order` in base 16, the
 * lowest first. Walks every message. */
uint32_t map_busiest(const struct script_map *m, uint64_t order, uint64_t dims, uint64_t b);
/* Thing i of arrangement `number` of `count` <= 16 things; all differ for number < count!. */
unsigned arranged(unsigned count, uint64_t number, unsigned i);
/* A random permutation of the nodes. */
void map_shuffle(struct script_map *m);

/* --- Prices of links ---------------------------------------------------------------------------
 */

enum price_paths { PRICE_PLAIN, PRICE_INVERTED, PRICE_SHORTEST };
enum price_of { PRICE_TRAVELLED, PRICE_OFFERED, PRICE_USELESS, PRICE_UNEVEN, PRICES };

/* What lengths of links prove about a real cycle without or with an inversion, or on paths without
 * detours, in a cube with `more` dimensions: all nodes together travel so far for each of K
 * elements, and the links offer so much in each step, less the useless ones in the first step and
 * the last one. Uneven: nodes whose distance is not 1; no part of a proof. */
uint64_t price(unsigned order, enum price_paths paths, unsigned more, enum price_of of);

/* --- Aligned addresses --------------------------------------------------------------------------
 */

/* Does every exchange of a schedule, for blocks of these orders (digits), keep the local address in
 * which each alpha_0 is xored with the parity of its own block? `slots`: it is the slot at both
 * ends, too; else the address that alignment would give. `again`: does the same operation, at the
 * end, leave only the virtual GSH? */
bool is_aligned(const struct claims_seen *seen, uint64_t orders, bool slots, bool again);

/* --- Values ------------------------------------------------------------------------------------
 */

/* What the values are about; {0} at first, but for `map`. */
struct script_values {
    struct script_map *map;
    const struct claims_seen *seen; /* of the last audit or run; NULL: none */
    struct ec_sdp sdp;              /* of the last "sdp" line, if no audit or run came after it */
    bool has_sdp;

    /* Derived from `seen` when a function asks for it; owned. */
    struct ec_place *places; /* [step][element] after the step */
    uint32_t *seats;         /* [step][element] the slot after the local moves that follow */
    uint32_t *to;            /* the node to which each node sends */
    uint32_t *elements;      /* on each link of each node, in all steps */
    uint32_t *parts;         /* [label] the smallest label that links in use connect with it */

    uint32_t *least_signed; /* [q] of a cube of least_signed_of dimensions; owned */
    unsigned least_signed_of;
};

/* Another audit or run (NULL: none) replaces the last one. */
void values_see(struct script_values *v, const struct claims_seen *seen);
void values_close(struct script_values *v);

/* The number of rows in the table of a schedule, or the first exchange of row `row`. */
size_t row_at(const struct ec_schedule *s, size_t row, bool count);
/* False: unknown, or not known for the last audit or run. */
bool values_quantity(struct script_values *v, const char *name, size_t length, int64_t *ret);
bool values_call(struct script_values *v, const char *name, size_t length, const int64_t *arguments,
                 size_t count, int64_t *ret);

/* --- Searches ----------------------------------------------------------------------------------
 */

/* The smallest number of exchanges of one of the bits 0 .. `fixed` with other bits that shifts the
 * bits `first` .. `count` - 1 cyclically to the left (bit i + 1 gets bit i) and keeps the bits
 * below `first`, by search over all arrangements. Exchanges among the bits 0 .. `fixed` are free.
 * Bit `start`, if not 0, must be exchanged first. */
unsigned least_exchanges(unsigned count, unsigned first, unsigned fixed, unsigned start);

/* The fewest steps on a square for a cycle of two real dimensions, and a storage dimension if
 * mixed, over any paths, with at most one element on each directed link in a step. */
unsigned least_on_square(bool real, uint32_t per_node);

/* The fewest steps of pipelining for blocks of these orders (digits): K/2 rows, each in one
 * dimension a step, a dimension for one row; the order within a block is fixed, that of different
 * blocks is free. */
unsigned least_pipelined(uint32_t orders, uint32_t per_node);

#endif
