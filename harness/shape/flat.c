/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that are wired in RTL (the backend `flat`): which ones, and with which parameters.
 *
 * Knows what rtl/ec_network.sv wants to be told of a topology; must not know how it wires it, nor
 * how the result is built and stepped (shape/build.c, tiles.c). */
#include "shape/flat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ecube/shape.h"

enum ec_code ec_flat_choose(const struct ec_topology *t, const struct ec_router *r,
                            struct ec_tile_shape *ret, struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    char name[160];
    ec_topology_format(t, name, sizeof name);
    if (t->nodes > EC_FLAT_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %" PRIu32 " nodes; the backend flat takes at most %d, because it "
                       "compiles the whole network: choose the backend tiles",
                       name, t->nodes, EC_FLAT_NODES_MAX);
    const enum ec_code code = ec_shape_choose(t, r, &shape, reterr);
    if (code != EC_OK)
        return code;
    /* Made for one topology, it need not serve others: no dimension in reserve. */
    shape.dims = t->dims;
    shape.locals = ec_router_locals(r, t);
    *ret = shape;
    return EC_OK;
}

void flat_parameters(const struct ec_topology *t, char *buffer, size_t size)
{
    char radices[8 * EC_DIMS_MAX + 1] = "";
    uint32_t wraps = 0;
    for (unsigned d = 0; d < t->dims; d++) { /* dimension 0 in the lowest bits: last in the text */
        snprintf(radices + (size_t)8 * d, 9, "%08" PRIx32, t->radix[t->dims - 1 - d]);
        wraps |= (uint32_t)t->wrap[d] << d;
    }
    snprintf(buffer, size, " -GRadices=%u'h%s -GWraps=%u'h%" PRIx32 " -GNodes=%" PRIu32,
             32 * t->dims, radices, t->dims, wraps, t->nodes);
}
