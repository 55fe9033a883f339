/* SPDX-License-Identifier: Apache-2.0 */
/* The SystemC model of the network (model/systemc) as a net.
 *
 * It is a separate shared object, loaded on demand, so that nothing else needs SystemC. The SystemC
 * kernel is a singleton: a process can open one such net, once, and reset it any number of times.
 */
#ifndef ECUBE_SYSTEMC_H
#define ECUBE_SYSTEMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

/* Borrows t and r. EC_TOOL if the model is missing (built without SystemC); EC_USAGE for the second
 * net of a process, and for a network that no router can serve. */
enum ec_code ec_systemc_open(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_net **ret, struct ec_error *reterr);

/* Is the model installed? */
bool ec_systemc_found(void);

/* What the shared object exports. */
#define EC_SYSTEMC_ABI    5
#define EC_SYSTEMC_OBJECT "systemc-backend.so"

struct ec_systemc_api {
    uint32_t abi;
    const char *tool; /* "SystemC 2.3.4" */
    /* On failure `message` gets a line of at most `size` bytes. */
    enum ec_code (*open)(const struct ec_topology *t, const struct ec_router *r,
                         struct ec_net **ret, char *message, size_t size);
};

const struct ec_systemc_api *ec_systemc_api(void);

#pragma GCC visibility pop

#endif
