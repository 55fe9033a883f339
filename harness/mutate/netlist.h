/* SPDX-License-Identifier: Apache-2.0 */
/* The modules and scripts that make netlists of a router. */
#ifndef EC_MUTATE_NETLIST_H
#define EC_MUTATE_NETLIST_H

#include "mutate/mutants.h"
#include "shape/sources.h"

struct netlist {
    const struct ec_mutants_request *request;
    const char *folder;
    char data[PATH_MAX];       /* where rtl/ is */
    struct ec_sources sources; /* of the user's router */
    char *ports, *parameters;  /* of the router, as Yosys lists them; owned */
};

/* Read the router and list its ports and parameters. Release with netlist_end, whatever happens. */
enum ec_code netlist_begin(struct netlist *n, const struct ec_mutants_request *q,
                           struct ec_error *reterr);
/* Write EC_MUTANTS_NETLIST, and a list of `count` mutations to FOLDER/`list`. */
enum ec_code netlist_make(const struct netlist *n, uint32_t count, const char *list,
                          struct ec_error *reterr);
/* Write the module that Verilator gets for a group. */
enum ec_code netlist_wrap(const struct netlist *n, size_t group, struct ec_error *reterr);
void netlist_end(struct netlist *n);

#endif
