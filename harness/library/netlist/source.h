/* SPDX-License-Identifier: Apache-2.0 */
/* The router as Yosys reads it: its files, and what it has of the contract's interface. */
#pragma once

#include <limits.h>
#include <stdio.h>

#include "netlist/tool.h"
#include "shape/foreign.h"
#include "shape/sources.h"

struct ec_netlist_reading {
    const char *rtl;         /* files, separated by commas; NULL: none, or: */
    const char *const *list; /* files, NULL-terminated */
    const char *top, *build; /* as in ec_shape_options */
    bool hardware;           /* without assertions, as a synthesis reads it; else with them */
    bool table;              /* as with a routing table: EC_TABLE is defined */
};

struct ec_netlist_source {
    const char *top;        /* NULL: ecube's own router */
    struct ec_sources user; /* of a user's router */
    char data[PATH_MAX];    /* the folder of rtl/ */
    char *script;           /* commands of Yosys that read the router; owned */
    char *libraries;        /* words for `hierarchy`, each after a blank; owned */
    ec_features features;
    bool data_bits; /* has the parameter DataBits */
    bool speaks;    /* the sources may do more than the circuit that Yosys makes: see scan.c */
    char unread_assertions[300]; /* why the router's own assertions are not read; "": they are */
};

/* Look at the router, in the private folder of the log of `run`. EC_USAGE, EC_TOOL: it cannot be
 * read; the message has file and line. Whatever happens, release *ret with ec_netlist_close.
 */
enum ec_code ec_netlist_open(const struct ec_netlist_reading *reading,
                             const struct ec_tool_run *run, struct ec_netlist_source *ret,
                             struct ec_error *reterr);
void ec_netlist_close(struct ec_netlist_source *s);

/* A script of Yosys. */
struct ec_yosys {
    FILE *out; /* NULL: out of memory, which ec_yosys_end reports */
    char *text;
    size_t size;
};
FILE *ec_yosys_begin(struct ec_yosys *y);
/* If `code` is EC_OK, run the script, as a file `name` in the folder of the log; else return
 * `code`. EC_TOOL with the first error of Yosys. Releases the script. */
enum ec_code ec_yosys_end(struct ec_yosys *y, enum ec_code code, const struct ec_tool_run *run,
                          const char *name, struct ec_error *reterr);

/* What Yosys accepts and silently misreads in the sources, the files that they include, and `more`
 * files (NULL: none), which come last: EC_TOOL with file and line. What it leaves out goes to
 * `note`, if that is empty. *speaks (NULL: not needed): they have assertions, tasks that print or
 * end a simulation, or macros by which they know one tool from another. */
enum ec_code ec_netlist_scan(const struct ec_sources *user, const struct ec_args *more, char *note,
                             size_t size, bool *speaks, struct ec_error *reterr);

/* The same with the modules that Yosys took from folders of libraries, as its log says; there, what
 * it leaves out is an error, too. */
enum ec_code ec_netlist_scan_libraries(const struct ec_netlist_source *s,
                                       const struct ec_tool_run *run, struct ec_error *reterr);

/* Elaborates `top`; %s takes the folders of libraries. The first pass replaces modules by those
 * with the parameters of their instances: -check alone refuses one that cannot have its defaults.
 */
#define EC_NETLIST_HIERARCHY(top) "hierarchy -top " top "%s\nhierarchy -check -top " top "\n"
