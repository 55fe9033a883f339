// SPDX-License-Identifier: Apache-2.0
// From text to numbers: the only place in the model that calls the library. A separate file, so
// that the backend links without the library.
extern "C" {
#include "ecube/router.h"
#include "ecube/topology.h"
}

#include <stdexcept>

#include "ecube-systemc/description.h"

namespace ecube
{

configuration configure(const description &d)
{
    ec_topology t{};
    ec_router r{};
    ec_error error{};
    const char *router = d.router.empty() ? nullptr : d.router.c_str();
    enum ec_code code = ec_topology_parse(d.topology.c_str(), &t, &error);
    if (code == EC_OK)
        code = ec_router_parse(router, &t, &r, &error);
    if (code == EC_OK && r.routing == EC_ROUTING_TABLE)
        throw std::invalid_argument("routing=table: expected configuration::table instead");
    if (code == EC_OK)
        code = ec_router_set_packet(&r, d.packet, d.longest, &error);
    if (code != EC_OK)
        throw std::invalid_argument(error.message);
    return configure(t, r);
}

} // namespace ecube
