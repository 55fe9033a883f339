/* SPDX-License-Identifier: Apache-2.0 */
/* Formal proofs of a router: Yosys makes a circuit of the router in its environment (rtl/formal),
 * and ABC searches for a violation of the contract (docs/ROUTER-CONTRACT.md), or proves
 * that there is none. Inputs are any legal traffic, not samples of it. */
#ifndef EC_PROVE_PROVE_H
#define EC_PROVE_PROVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"

#define EC_PROVE_ADDRESS_BITS_MAX 8 /* of a network that is proved */

/* Rules of the contract that no property states: ended by NULL. */
extern const char *const ec_prove_not_covered[];

enum ec_prove_verdict {
    EC_PROVED,      /* in every cycle: base case and induction */
    EC_HOLDS,       /* no counterexample up to a depth; what comes later is not known */
    EC_FAILED,      /* with a counterexample */
    EC_NOT_CHECKED, /* with a reason */
};

/* What happens at a port of the router in one cycle of a counterexample. */
struct ec_prove_event {
    unsigned cycle; /* 1: the first one after the first reset; 0: in the reset */
    char text[120]; /* "in  +x, VC 1: head for 2, data 3" */
};

/* The shortest violation of a property. */
struct ec_prove_trace {
    struct ec_prove_event *events; /* by cycle */
    size_t count;
    unsigned cycles;     /* the violation is in this one */
    char pins[400];      /* the place and mode of the router, chosen by the solver */
    char wave[PATH_MAX]; /* shows all signals of the interface; "": none was written */
};

struct ec_prove_row {
    const char *property; /* a short name, stable */
    const char *rule;     /* the rule of the contract in a sentence */
    const char *section;  /* of the contract, or "" */
    enum ec_prove_verdict verdict;
    bool asked;       /* of this router, by the contract or its sources: counts for the whole */
    unsigned depth;   /* EC_HOLDS: cycles after the reset without a violation */
    const char *note; /* EC_NOT_CHECKED: why; else where it fails, how it is proved; or "" */
    const struct ec_prove_trace *trace; /* EC_FAILED; valid during the call; else NULL */
};

/* A set of parameters of the router that is examined. */
struct ec_prove_shape {
    char text[300];        /* "grid dims=1 locals=1 vcs=1 depth=2 dynamic=0 stages=1" */
    char assumptions[360]; /* which places and modes, in a sentence */
};

struct ec_prove_options {
    const char *rtl, *top, *build;      /* as in ec_netlist_reading */
    const struct ec_topology *topology; /* NULL: small shapes that stand for all */
    const struct ec_router *router;     /* of that topology */
    unsigned depth;                     /* of the bounded search: cycles after the reset */
    double seconds;                     /* of processor time, for each search in a shape */
    const char *folder;                 /* of waves; NULL: write none */
    /* Callbacks may be NULL. */
    void (*begin)(void *context, const struct ec_prove_shape *shape);
    void (*row)(void *context, const struct ec_prove_shape *shape, const struct ec_prove_row *row);
    void (*progress)(void *context, const char *text);
    void *context;
};

struct ec_prove_result {
    unsigned shapes, proved, holds, failed, not_checked; /* rows, of all shapes together */
    unsigned asked, settled; /* rows that are asked; those of them that are proved */
};

/* Examine the router. EC_TOOL: Yosys or ABC is missing, or cannot read the router; the
 * message has the package or the line. EC_INTERRUPTED. A failed property is no error. */
enum ec_code ec_prove(const struct ec_prove_options *options, struct ec_prove_result *ret,
                      struct ec_error *reterr);

#endif
