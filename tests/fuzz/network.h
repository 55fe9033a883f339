/* SPDX-License-Identifier: Apache-2.0 */
/* Networks whose router is compiled before the fuzzing begins, and a choice among them: the
 * topology, the place of the router, and a mode that its shape serves. */
#ifndef FUZZ_NETWORK_H
#define FUZZ_NETWORK_H

#include "ecube/router.h"
#include "ecube/shape.h"
#include "ecube/topology.h"
#include "fuzz.h"

/* The networks: tests/fuzz/run.sh compiles the shapes of the same names (tests/shapes). */
struct fuzz_network {
    const char *topology, *router; /* without depth */
};
extern const struct fuzz_network fuzz_networks[];
extern const unsigned fuzz_network_count;

enum { FUZZ_DEPTH_MAX = 4 }; /* of the compiled shapes */

/* A router in a mode, with a packet bound. */
struct fuzz_place {
    const struct ec_shape *shape; /* kept for later inputs */
    struct ec_topology t;
    struct ec_router r;
    struct ec_tile_place *places; /* [nodes] owned */
    uint32_t node;
};

/* Eight bytes of the input choose. */
void fuzz_place_choose(struct fuzz_bytes *b, struct fuzz_place *ret);
void fuzz_place_free(struct fuzz_place *p);

#endif
