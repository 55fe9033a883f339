/* SPDX-License-Identifier: Apache-2.0 */
/* The circuit that is proved: a router in its environment, rtl/formal/ec_proof.sv. */
#ifndef EC_PROVE_MODEL_H
#define EC_PROVE_MODEL_H

#include <stdio.h>

#include "ecube/tile.h"
#include "netlist/source.h"
#include "prove/aig.h"
#include "prove/prove.h"

struct ec_prove_case {
    struct ec_tile_shape shape;
    const struct ec_topology *topology; /* NULL: all places of all networks, all modes */
    const struct ec_router *router;     /* the mode, with `topology` */
    unsigned data_bits;                 /* of a word */
    unsigned address_used, data_used;   /* lower bits that are not always 0 */
};

/* Facts about the registers of our own router (rtl/formal/ec_proof_invariants.svh). */
static inline bool ec_prove_has_invariants(const struct ec_netlist_source *s)
{
    return s->top == NULL;
}

/* Parts of a word at the border of the circuit: valid, head, tail, vc, dst, src, data. */
enum { EC_PROVE_DATA_USED = 4 };

static inline unsigned ec_prove_vc_bits(const struct ec_prove_case *c)
{
    return c->shape.vcs == 8 ? 3 : 2;
}
static inline unsigned ec_prove_ports(const struct ec_prove_case *c)
{
    return c->shape.dims * c->shape.links_per_dim + c->shape.locals;
}
/* Bits of an incoming word in the circuit's input `word_i`. */
static inline unsigned ec_prove_in_bits(const struct ec_prove_case *c)
{
    return 3 + ec_prove_vc_bits(c) + 2 * c->address_used + c->data_used;
}
/* Bits of a word of the router. */
static inline unsigned ec_prove_out_bits(const struct ec_prove_case *c)
{
    return 3 + ec_prove_vc_bits(c) + 2 * c->shape.address_bits + c->data_bits;
}

/* Cycles in which a router stands still, although it holds words and could go on, that break a
 * rule: by the contract, section 12.1, and for ecube's router by its pipeline, in which a word is
 * out of sight for the cycle in which it is in the route stage. */
static inline unsigned ec_prove_still(const struct ec_netlist_source *s,
                                      const struct ec_prove_case *c)
{
    return s->top != NULL ? 256 : c->shape.stages == 3 ? 2 : 1;
}

/* The names of the circuit's ports: inputs, and what is shown of the router. */
#define EC_PROVE_WORD       "word_i"
#define EC_PROVE_CREDIT     "credit_i"
#define EC_PROVE_RST        "rst_i"
#define EC_PROVE_INSIDE     "u_proof."
#define EC_PROVE_RESET_OVER EC_PROVE_INSIDE "settled" /* the first reset, since two cycles */
#define EC_PROVE_CONSTANTS  "constants.txt"           /* in the folder of the run */

/* Make the circuit. Outputs: *.broken_* for properties, *.reached for covers, and the router's
 * outputs and pins. Release *ret with ec_aig_free, whatever happens. */
enum ec_code ec_prove_model(const struct ec_netlist_source *source, const struct ec_prove_case *c,
                            const struct ec_tool_run *run, struct ec_aig *ret,
                            struct ec_error *reterr);

#endif
