/* SPDX-License-Identifier: Apache-2.0 */
/* The path from words to a run: what a case is made of. */
#ifndef ECUBE_SESSION_H
#define ECUBE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/schedule.h"

#pragma GCC visibility push(default)

/* What steps the routers. */
enum ec_backend {
    EC_BACKEND_TILES,   /* a compiled router per node, links wired by the harness */
    EC_BACKEND_FLAT,    /* the whole network as one compiled model */
    EC_BACKEND_SYSTEMC, /* the independent model in SystemC */
};

/* A case in words and numbers, as the options of `ecube run` name them. All strings are borrowed.
 */
struct ec_case_spec {
    const char *topology, *workload;
    const char *router;    /* NULL: defaults */
    const char *algorithm; /* NULL: direct */
    enum ec_sync sync;
    bool has_sync;       /* sync was named: refused without an algorithm */
    uint32_t local_cost; /* cycles per word that a node moves within its memory */
    uint32_t packet;     /* words of the longest packet; 0: default */
    uint32_t startup;    /* cycles before each packet */
    uint64_t cycles, warmup;
    bool has_cycles, has_warmup;
    bool warmup_optional; /* a closed workload ignores the warm-up instead of refusing it */
    uint64_t seed;        /* of everything random */
    double eject_stall;   /* probability, 0 to 0.99 */
    enum ec_backend backend;
    const char *rtl, *top; /* the user's own router: comma-separated files, its module; or NULL */
    bool own_time;         /* the closed forms do not judge the cycles, whatever the router is */
    bool no_sleep;         /* step quiet routers too */
    uint64_t shuffle;      /* not 0: step the routers in an order drawn from this */
    uint32_t random_init;  /* not 0: start all registers at values drawn from this */
};

/* All defaults; topology and workload are NULL. */
struct ec_case_spec ec_case_spec_default(void);

/* Is the algorithm to be chosen (algorithm "best")? */
bool ec_case_spec_chooses(const struct ec_case_spec *spec);

/* Does `router` choose the local ports (ports=)? */
bool ec_case_spec_has_ports(const struct ec_case_spec *spec);

#pragma GCC visibility pop

#endif
