/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of a router: copies with one small defect each, which Yosys makes in its netlist.
 *
 * All mutants of a group are in one netlist behind the input `mutsel`. A module with the ports of
 * the router contract surrounds it and reads mutsel from the environment when a model is created,
 * so the group is one compiled shape, and a mutant costs a process but no compilation. Mutant 0 has
 * no defect. What a mutant does is judged elsewhere. */
#ifndef EC_MUTATE_MUTANTS_H
#define EC_MUTATE_MUTANTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"
#include "ecube/tile.h"

#define EC_MUTANTS_TOP      "ec_mutants"   /* the module for Verilator */
#define EC_MUTANTS_VARIABLE "ECUBE_MUTANT" /* of the environment: the number of the mutant */
/* Files of the folder: docs/MUTATION.md. */
#define EC_MUTANTS_ROUTER   "ec_netlist.sv"
#define EC_MUTANTS_NETLIST  "netlist.il"
#define EC_MUTANTS_LIST     "mutants.txt"
#define EC_MUTANTS_SCORE    "score" /* with .journal: results of an interrupted command */
enum { EC_MUTANTS_GROUP = 250 };

struct ec_mutant {
    uint32_t number; /* from 1 */
    char kind[12];   /* of Yosys: inv, const0, const1, cnot0, cnot1 */
    char file[80];   /* without its folder; "": not known */
    unsigned line;   /* 0: not known */
    char place[200]; /* "gen_port[0].u_fifo.wr_q[2]": a bit of a wire, or of a port of a cell */
};

struct ec_mutants_request {
    const char *folder; /* where all files are written; it is made */
    struct ec_tile_shape shape;
    const char *rtl, *top, *build; /* the router, as in ec_netlist_reading */
    uint32_t count;                /* mutants */
    uint64_t seed;
    uint32_t group; /* mutants in a netlist; 0: EC_MUTANTS_GROUP */
};

struct ec_mutants {
    char folder[PATH_MAX];
    struct ec_mutant *at; /* [count]; owned */
    size_t count;         /* less than requested if the router has no more places */
    size_t groups;
    uint32_t group; /* mutants in a netlist */
};

/* Make the mutants. EC_TOOL: Yosys is missing, or cannot read the router; EC_USAGE; EC_IO;
 * EC_INTERRUPTED. Release *ret with ec_mutants_free, whatever happens. */
enum ec_code ec_mutants_make(const struct ec_mutants_request *q, struct ec_mutants *ret,
                             struct ec_error *reterr);
void ec_mutants_free(struct ec_mutants *m);

/* Can the mutation of a line of Yosys be judged? Those of clocks cannot: they make another circuit,
 * not a defect in this one. */
bool ec_mutant_judged(const char *line);
/* Read the mutant of a line, which is changed. */
void ec_mutant_read(char *line, uint32_t number, struct ec_mutant *ret);

/* The ports of the contract that a router with these features has; NULL: with all. */
void ec_mutants_put_ports(const struct ec_tile_shape *shape, const bool *features, FILE *out);

/* The group of a mutant, from 1. */
size_t ec_mutants_group(const struct ec_mutants *m, uint32_t number);
/* The sources of a group, separated by a comma. EC_IO: the path is too long. */
enum ec_code ec_mutants_rtl(const struct ec_mutants *m, size_t group, char *buffer, size_t size,
                            struct ec_error *reterr);

#endif
