// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of a router (docs/ROUTER-CONTRACT.md, sections 3.1 and 3.2).
// Numbers only; route.h and router.h give them a meaning.
#ifndef ECUBE_SYSTEMC_PINS_H
#define ECUBE_SYSTEMC_PINS_H

#include <array>
#include <cstdint>

namespace ecube
{

constexpr unsigned dims_max = 16;
constexpr unsigned vcs_max = 4;

// 3.1. DepthMax has no counterpart: a buffer of this model is as deep as its pin says.
struct shape {
    unsigned dims;          // 1..16
    unsigned links_per_dim; // 2: the grid shape, 1: the cube shape
    unsigned locals;        // 1, or as many as links
    unsigned vcs;           // 1, 2, 4

    unsigned links() const { return dims * links_per_dim; }
    unsigned ports() const { return links() + locals; }
    unsigned bufs() const { return ports() * vcs; }
    bool is_cube() const { return links_per_dim == 1; }
};

enum class switching_mode { wormhole, cut_through, store_and_forward }; // 0, 1, 2 of switching_i

// 3.2. mask and radix are shifted to the dimension's field; both 0 for an unused dimension.
struct pins {
    std::uint32_t coord = 0;
    std::array<std::uint32_t, dims_max> mask{}, radix{};
    std::array<bool, dims_max> wrap{};
    bool dateline = false, order_high = false;
    switching_mode switching = switching_mode::wormhole;
    unsigned depth = 0, packet = 0; // words
};

} // namespace ecube

#endif
