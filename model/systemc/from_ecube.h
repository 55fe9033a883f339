// SPDX-License-Identifier: Apache-2.0
// The library's topology and router options as a configuration of the model. Only the numbers that
// a user chose are taken over: strides, fields and neighbours the model finds for itself.
#ifndef ECUBE_SYSTEMC_FROM_ECUBE_H
#define ECUBE_SYSTEMC_FROM_ECUBE_H

extern "C" {
#include "ecube/router.h"
#include "ecube/topology.h"
}

#include "geometry.h"

namespace ecube
{

inline configuration from_ecube(const ec_topology &t, const ec_router &r)
{
    configuration c;
    for (unsigned d = 0; d < t.dims; d++)
        c.dimensions.push_back({t.radix[d], t.wrap[d]});
    c.cube_shape = t.kind == EC_CUBE;
    c.ports_all = r.ports == EC_PORTS_ALL;
    c.vcs = r.vcs;
    c.dateline = r.dateline;
    c.order_high = r.order == EC_ORDER_HIGH;
    c.switching = r.switching == EC_WORMHOLE      ? switching_mode::wormhole
                  : r.switching == EC_CUT_THROUGH ? switching_mode::cut_through
                                                  : switching_mode::store_and_forward;
    c.depth = r.depth;
    c.packet = r.packet;
    return c;
}

} // namespace ecube

#endif
