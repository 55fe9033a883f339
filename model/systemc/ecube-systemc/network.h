// SPDX-License-Identifier: Apache-2.0
// The model of a whole network: a router per node and a signal per wire, with registers in between
// where links are long. Knows neighbours; must not know what a router does.
#ifndef ECUBE_SYSTEMC_NETWORK_H
#define ECUBE_SYSTEMC_NETWORK_H

#include <systemc>
#include <vector>

#include "geometry.h"
#include "long_link.h"
#include "network_ports.h"
#include "router.h"

namespace ecube
{

class network : public network_ports
{
  public:
    // Throws std::invalid_argument if the configuration is invalid.
    network(const sc_core::sc_module_name &name, const configuration &c);

    std::uint32_t address(std::uint32_t node) const override { return geometry_.address(node); }
    const ecube::geometry &geometry() const { return geometry_; }

    // For observers: ports and taps of a router.
    const ecube::router &router(std::uint32_t node) const { return routers_[node]; }

  private:
    void wire_long_link(std::size_t k);
    void wire_link(std::uint32_t node, unsigned port);
    void wire_local(std::uint32_t node, unsigned local);

    ecube::geometry geometry_;
    std::vector<ecube::pins> pins_; // [node]
    sc_core::sc_vector<ecube::router> routers_;
    // Outputs of the links and, where these are long, what arrives at their other ends;
    // [node * links + link]. Local ports have no signals here.
    sc_core::sc_vector<sc_core::sc_signal<word>> words_, late_words_;
    sc_core::sc_vector<sc_core::sc_signal<credits>> credits_, late_credits_;
    sc_core::sc_vector<long_link> links_;
    sc_core::sc_signal<word> no_word_{"no_word"};          // always 0, for unconnected links
    sc_core::sc_signal<credits> no_credits_{"no_credits"}; // the same
};

} // namespace ecube

#endif
