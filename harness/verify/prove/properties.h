/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of rtl/formal, with the rules of the contract that they state. */
#ifndef EC_PROVE_PROPERTIES_H
#define EC_PROVE_PROPERTIES_H

#include "prove/aig.h"

/* The end of the names of assertions and covers of any sources: no signal of a router has it. */
#define EC_PROVE_MARK "$ec_prove"
#define EC_PROVE_OWN  "broken_own" EC_PROVE_MARK /* an assertion of rtl/formal */

struct ec_property {
    const char *wire; /* the end of the names of its wires; NULL: none (the Moore rule) */
    const char *name, *section, *rule;
    bool own; /* asked of ecube's router only (contract, section 12) */
};

/* The outputs of a circuit that state one property at different places. */
struct ec_property_group {
    const struct ec_property *property;
    uint32_t *outputs; /* owned */
    size_t count;
    size_t constant; /* further ones that are always 0 */
};

extern const struct ec_property ec_property_moore, ec_property_covers, ec_property_shape;

/* A fact about the registers of our own router, which the contract does not ask for. */
bool ec_property_is_invariant(const struct ec_property *p);
/* The router must do something: a violation takes as many cycles as the contract allows. */
bool ec_property_is_progress(const struct ec_property *p);
/* Assertions and covers, of the router's sources and ours. */
bool ec_property_is_of_sources(const struct ec_property *p);
/* Circuits may lack it, and no report says so: invariants, and properties without a row of their
 * own. */
bool ec_property_is_optional(const struct ec_property *p);

/* All properties of a circuit, in the order of the table; those that the circuit does not have have
 * no outputs. `connections`: the ports that Yosys found to be constant. *ret has *ret_count groups;
 * free with ec_properties_free. EC_INTERNAL: an output that is no property. EC_MEMORY. */
enum ec_code ec_properties_of(const struct ec_aig *a, const char *connections,
                              struct ec_property_group **ret, size_t *ret_count,
                              struct ec_error *reterr);
void ec_properties_free(struct ec_property_group *groups, size_t count);

#endif
