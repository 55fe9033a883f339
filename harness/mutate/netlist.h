/* SPDX-License-Identifier: Apache-2.0 */
/* The modules and scripts that make netlists of a router. */
#ifndef EC_MUTATE_NETLIST_H
#define EC_MUTATE_NETLIST_H

#include "mutate/mutants.h"
#include "prove/source.h"

struct netlist {
    const struct ec_mutants_request *request;
    char *folder;           /* absolute; owned */
    struct ec_tool_run run; /* of Yosys, in that folder */
    sigset_t before;
    struct ec_prove_source source;
};

/* Read the router. Release with netlist_end, whatever happens. */
enum ec_code netlist_begin(struct netlist *n, const struct ec_mutants_request *q,
                           struct ec_error *reterr);
/* Write EC_MUTANTS_NETLIST, and a list of `count` mutations to FOLDER/`list`. */
enum ec_code netlist_make(const struct netlist *n, uint32_t count, const char *list,
                          struct ec_error *reterr);
/* Write the module that Verilator gets for a group. */
enum ec_code netlist_wrap(const struct netlist *n, size_t group, struct ec_error *reterr);
void netlist_end(struct netlist *n);

#endif
