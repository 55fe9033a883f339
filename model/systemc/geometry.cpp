// SPDX-License-Identifier: Apache-2.0
// Addresses and wires.
#include "ecube-systemc/geometry.h"

#include <stdexcept>
#include <string>

namespace ecube
{

namespace
{

void require(bool good, const std::string &what)
{
    if (!good)
        throw std::invalid_argument(what);
}

unsigned bits_for(std::uint32_t radix) // ceil(log2 radix)
{
    unsigned bits = 0;
    while ((std::uint64_t{1} << bits) < radix)
        bits++;
    return bits;
}

} // namespace

geometry::geometry(const configuration &c) : c_(c)
{
    require(!c.dimensions.empty() && c.dimensions.size() <= dims_max,
            std::to_string(c.dimensions.size()) + " dimensions: expected 1 to 20");
    for (const dimension &d : c.dimensions) {
        require(d.radix >= 1, "a radix is 0");
        require(d.radix >= 3 || !d.wrap, "a ring of less than 3 nodes");
        require(d.radix == 2 || !c.cube_shape, "a cube with a radix other than 2");
        const unsigned bits = bits_for(d.radix);
        require(address_bits_ + bits <= 20, "an address of more than 20 bits");
        stride_.push_back(nodes_);
        shift_.push_back(address_bits_);
        bits_.push_back(bits);
        nodes_ *= d.radix;
        address_bits_ += bits;
    }
    require(c.vcs == 1 || c.vcs == 2 || c.vcs == 4 || c.vcs == 8,
            std::to_string(c.vcs) + " VCs: expected 1, 2, 4 or 8");
    require(c.classes == 1 || c.classes == 2,
            std::to_string(c.classes) + " message classes: expected 1 or 2");
    require(c.vcs >= c.classes * (c.dateline ? 2 : 1),
            std::to_string(c.vcs) + " VCs: expected one for each class of messages and datelines");
    require(!c.adaptive || (c.dynamic && !c.ports_all && c.table.empty() &&
                            c.vcs >= 2 * c.classes * (c.dateline ? 2 : 1)),
            "adaptive routing: expected dynamic, one local port, no table, and an escape and an "
            "adaptive lane for each class of messages");
    require(c.stages >= 1 && c.stages <= 3, std::to_string(c.stages) + " stages: expected 1 to 3");
    require(c.link >= 1 && c.link <= 64,
            "links of " + std::to_string(c.link) + " cycles: expected 1 to 64");
    require(c.depth >= 1 && c.depth <= 1024,
            "depth " + std::to_string(c.depth) + ": expected 1 to 1024");
    require(c.switching == switching_mode::wormhole || (c.packet >= 1 && c.packet <= c.depth),
            "packets of " + std::to_string(c.packet) + " words; the depth is " +
                std::to_string(c.depth));
    require(c.paths <= 2 && (c.paths == 0 || c.classes == 2),
            "paths by message class: expected 2 classes");
    require(c.paths != 2 || address_bits_ <= 10, "two addresses in 20 bits");
    require(c.table.empty() || c.table.size() == std::size_t{nodes_} * nodes_,
            "a routing table: expected an entry for each node in each router");
}

std::uint32_t geometry::coordinate(std::uint32_t node, unsigned d) const
{
    return node / stride_[d] % c_.dimensions[d].radix;
}

ecube::shape geometry::shape() const
{
    ecube::shape s{};
    s.dims = static_cast<unsigned>(c_.dimensions.size());
    s.links_per_dim = c_.cube_shape ? 1 : 2;
    s.locals = c_.ports_all ? s.links() : 1;
    s.vcs = c_.vcs;
    s.dynamic = c_.dynamic;
    s.adaptive = c_.adaptive;
    s.stages = c_.stages;
    s.address_bits = address_bits_ * (c_.paths == 2 ? 2 : 1) <= 16 ? 16 : 20;
    s.paths = c_.paths;
    s.single = c_.single;
    return s;
}

std::uint32_t geometry::address(std::uint32_t node) const
{
    std::uint32_t packed = 0;
    for (unsigned d = 0; d < c_.dimensions.size(); d++)
        packed |= coordinate(node, d) << shift_[d];
    return packed;
}

ecube::pins geometry::pins(std::uint32_t node) const
{
    ecube::pins p{};
    p.coord = address(node);
    for (unsigned d = 0; d < c_.dimensions.size() && !c_.cube_shape; d++) {
        p.mask[d] = mask(d);
        p.radix[d] = bits_[d] > 0 ? c_.dimensions[d].radix << shift_[d] : 0;
        p.wrap[d] = c_.dimensions[d].wrap;
    }
    p.dateline = c_.dateline;
    p.order_high = c_.order_high;
    p.balanced = c_.balanced;
    p.two_classes = c_.classes == 2;
    p.switching = c_.switching;
    p.depth = c_.depth;
    p.packet = c_.packet;
    for (std::uint32_t dst = 0; dst < nodes_ && !c_.table.empty(); dst++) {
        p.table.resize(std::size_t{1} << address_bits_);
        p.table[address(dst)] = c_.table[std::size_t{node} * nodes_ + dst];
    }
    return p;
}

std::optional<end> geometry::other_end(std::uint32_t node, unsigned port) const
{
    const unsigned per_dim = c_.cube_shape ? 1 : 2, d = port / per_dim;
    const bool plus = port % per_dim == 0;
    const std::uint32_t r = c_.dimensions[d].radix, x = coordinate(node, d);
    const std::uint32_t rest = node - x * stride_[d];
    if (r == 2) { // 4.2, 4.3: one link, the same at both ends
        if (!plus)
            return std::nullopt;
        return end{rest + (1 - x) * stride_[d], port};
    }
    const std::uint32_t last = r - 1;
    const bool at_border = x == (plus ? last : 0);
    if (r < 2 || (at_border && !c_.dimensions[d].wrap))
        return std::nullopt;
    const std::uint32_t there = plus ? (x + 1) % r : (x + last) % r;
    return end{rest + there * stride_[d], plus ? port + 1 : port - 1};
}

} // namespace ecube
