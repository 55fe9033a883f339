// SPDX-License-Identifier: Apache-2.0
// From the library's numbers to the model's.
#include "ecube-systemc/description.h"

extern "C" {
#include "ecube/router.h"
#include "ecube/topology.h"
}

namespace ecube
{

configuration configure(const ec_topology &t, const ec_router &r)
{
    configuration c;
    for (unsigned d = 0; d < t.dims; d++)
        c.dimensions.push_back({t.radix[d], t.wrap[d]});
    c.cube_shape = t.kind == EC_CUBE;
    c.ports_all = r.ports == EC_PORTS_ALL;
    c.vcs = r.vcs;
    c.dateline = r.dateline;
    c.order_high = r.order == EC_ORDER_HIGH;
    c.balanced = r.ties == EC_TIES_BALANCED;
    c.switching = r.switching == EC_WORMHOLE      ? switching_mode::wormhole
                  : r.switching == EC_CUT_THROUGH ? switching_mode::cut_through
                                                  : switching_mode::store_and_forward;
    c.depth = r.depth;
    c.packet = r.packet;
    c.dynamic = r.va == EC_VA_DYNAMIC;
    c.adaptive = r.routing == EC_ROUTING_ADAPTIVE;
    c.stages = r.stages;
    c.link = r.link;
    c.classes = r.classes == 0 ? 1 : r.classes;
    c.paths = r.routing == EC_ROUTING_VALIANT ? 2 : r.order == EC_ORDER_CLASS ? 1 : 0;
    c.single = r.speedup == 1;
    for (std::size_t i = 0; r.table && i < std::size_t{t.nodes} * t.nodes; i++)
        c.table.push_back({r.table->port[i], r.table->class_ && r.table->class_[i] != 0});
    return c;
}

} // namespace ecube
