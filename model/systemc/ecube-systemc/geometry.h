// SPDX-License-Identifier: Apache-2.0
// Which routers there are and which wires join them: docs/ROUTER-CONTRACT.md, 3.2, 3.3, 4.2, 4.3.
// Knows radices; must not know words, cycles or SystemC.
#ifndef ECUBE_SYSTEMC_GEOMETRY_H
#define ECUBE_SYSTEMC_GEOMETRY_H

#include <cstdint>
#include <optional>
#include <vector>

#include "pins.h"

namespace ecube
{

struct dimension {
    std::uint32_t radix;
    bool wrap; // a ring; only where the radix is 3 or more
};

// A network, and the settings that all its routers share.
struct configuration {
    std::vector<dimension> dimensions; // 1..20; the fields of an address have 20 bits at most
    bool cube_shape = false;           // one link per dimension; every radix is 2
    bool ports_all = false;            // a local port per link instead of one
    unsigned vcs = 1;                  // 1, 2, 4, 8
    bool dateline = false, order_high = false;
    bool balanced = false; // half way round a ring, odd coordinates go down
    switching_mode switching = switching_mode::wormhole;
    unsigned depth = 4, packet = 1; // words; packet <= depth unless wormhole
    bool dynamic = false;           // output VCs are chosen at every hop
    bool adaptive = false;          // so are links; only with dynamic and one local port
    unsigned stages = 1;            // 1..3: of a router
    unsigned link = 1;              // 1..64: cycles of a word or credit from router to router
    unsigned classes = 1;           // 1, 2: of messages
    unsigned paths = 0;             // 1: message class 1 takes the other order; 2: classes are legs
    bool single = false;            // the VCs of a port share one input of the crossbar
    std::vector<table_entry> table; // [node * nodes + destination]; empty: dimension order
};

// The other end of a link.
struct end {
    std::uint32_t node;
    unsigned port;
};

// Nodes are numbered x_0 + radix_0 * (x_1 + radix_1 * (x_2 + ...)).
class geometry
{
  public:
    // Throws std::invalid_argument, with one line, for settings that section 3 does not allow.
    explicit geometry(const configuration &c);

    ecube::shape shape() const;
    ecube::pins pins(std::uint32_t node) const;
    std::uint32_t nodes() const { return nodes_; }
    unsigned link() const { return c_.link; }
    std::uint32_t address(std::uint32_t node) const; // 3.3

    // The input that the channel from link `port` of `node` leads to; empty if it is not connected.
    std::optional<end> other_end(std::uint32_t node, unsigned port) const;

  private:
    std::uint32_t coordinate(std::uint32_t node, unsigned d) const;
    std::uint32_t mask(unsigned d) const
    {
        return ((std::uint32_t{1} << bits_[d]) - 1) << shift_[d];
    }

    configuration c_;
    std::uint32_t nodes_ = 1;
    std::vector<std::uint32_t> stride_;
    std::vector<unsigned> bits_, shift_; // of the field of a dimension
    unsigned address_bits_ = 0;          // used bits of an address
};

} // namespace ecube

#endif
