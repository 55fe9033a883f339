// SPDX-License-Identifier: Apache-2.0
// Routing of a front flit: docs/ROUTER-CONTRACT.md, section 5. With a table, only 5.3 and 5.4.
#ifndef ECUBE_SYSTEMC_ROUTE_H
#define ECUBE_SYSTEMC_ROUTE_H

#include <cstdint>
#include <vector>

#include "pins.h"

namespace ecube
{

// What a flit asks for: an output port, and those of its VCs that the packet may use. These are
// `count` VCs: first, first + step, ... With static allocation there is one.
struct ask {
    unsigned port;
    unsigned first, step, count;
    bool adaptive = false; // 5.5: adaptive VCs
};

class routing
{
  public:
    routing(const shape &s, const pins &p) : shape_(s), pins_(p) {}

    // Of a flit with this dst at the front of input VC (port, vc).
    ask operator()(std::uint32_t named, unsigned port, unsigned vc) const;

    // 5.5: what a head may ask for, the adaptive VCs of each productive port, in the order of the
    // dimensions; at the end the escape VC.
    std::vector<ask> choices(std::uint32_t dst, unsigned vc) const;

  private:
    bool differs(std::uint32_t dst, unsigned d) const;
    unsigned dimension(std::uint32_t dst, bool order_high) const; // 5.1; dims: at home
    unsigned link(std::uint32_t dst, unsigned d) const;           // 5.2
    bool goes_round(std::uint32_t dst, unsigned d) const;         // 5.5: the wrap link is ahead
    bool is_wrap_link(unsigned d, unsigned link) const;           // 5.3
    unsigned next_class(unsigned d, unsigned link, unsigned port, unsigned vc) const; // 5.3

    shape shape_;
    pins pins_;
};

} // namespace ecube

#endif
