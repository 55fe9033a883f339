/* SPDX-License-Identifier: Apache-2.0 */
/* From words to a network in one call: topology, router, compiled shape and net, kept together. For
 * whoever needs more say in it (own RTL, the network as one piece of RTL, no sleep), the calls that
 * it makes are public, too. */
#ifndef ECUBE_NETWORK_H
#define ECUBE_NETWORK_H

#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/shape.h"
#include "ecube/topology.h"
#include "ecube/wave.h"

#pragma GCC visibility push(default)

struct ec_network {
    struct ec_topology topology;
    struct ec_router router;
    struct ec_tile_shape tile;
    struct ec_shape *shape, *traced; /* traced: NULL before ec_network_wave */
    struct ec_net *net;
};

/* `topology` and `router` as on the command line ("cube:4", "depth=8" or NULL), for messages of at
 * most `longest` words, in packets of at most `packet` (0: the default). Compiles a router unless
 * the cache has it. */
enum ec_code ec_network_open(const char *topology, const char *router, uint32_t packet,
                             uint32_t longest, struct ec_network **ret, struct ec_error *reterr);

/* A wave of this network (see wave.h), which its net shows from now on. Ends, before the network,
 * with ec_wave_finish and ec_wave_close. */
enum ec_code ec_network_wave(struct ec_network *n, const struct ec_wave_options *options,
                             struct ec_wave **ret, struct ec_error *reterr);

void ec_network_close(struct ec_network *n); /* NULL is fine */

#pragma GCC visibility pop

#endif
