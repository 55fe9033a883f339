// SPDX-License-Identifier: Apache-2.0
// The RTL behind the same ports as the model: one compiled router per node, wired by the library
// (ecube/session.h). The first use of a router compiles it with Verilator, into the cache.
#ifndef ECUBE_SYSTEMC_RTL_NETWORK_H
#define ECUBE_SYSTEMC_RTL_NETWORK_H

#include <memory>
#include <systemc>

#include "description.h"
#include "network_ports.h"

struct ec_net;

namespace ecube
{

class rtl_network : public network_ports
{
  public:
    // Throws std::runtime_error with a line of the library: a bad description, or a missing tool.
    rtl_network(const sc_core::sc_module_name &name, const description &d);

    std::uint32_t address(std::uint32_t node) const override;
    const ec_net &library() const { return *net_; }

  private:
    using handle = std::shared_ptr<ec_net>;
    rtl_network(const sc_core::sc_module_name &name, const handle &n);

    void clock();
    void silence();
    void take_inputs();
    void show_outputs();
    void check();

    handle net_;
    unsigned vcs_;
    bool broken_ = false;
    struct events;
    std::shared_ptr<events> events_;
};

} // namespace ecube

#endif
