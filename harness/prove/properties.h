/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of rtl/formal, with the rules of the contract that they state. */
#ifndef EC_PROVE_PROPERTIES_H
#define EC_PROVE_PROPERTIES_H

#include "prove/aig.h"

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
    size_t constant; /* further ones that Yosys found to be 0 always */
};

extern const struct ec_property ec_property_moore, ec_property_covers, ec_property_shape;

/* A fact about the registers of our own router, which the contract does not ask for. */
bool ec_property_is_invariant(const struct ec_property *p);

/* All properties of a circuit, in the order of the table; those that the circuit does not have have
 * no outputs. `log`: what Yosys printed, with the ports that it made. *ret has *ret_count groups;
 * free with ec_properties_free. EC_INTERNAL: an output that is no property. EC_MEMORY. */
enum ec_code ec_properties_of(const struct ec_aig *a, const char *log,
                              struct ec_property_group **ret, size_t *ret_count,
                              struct ec_error *reterr);
void ec_properties_free(struct ec_property_group *groups, size_t count);

#endif
