// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of a router (docs/ROUTER-CONTRACT.md, sections 3.1 and 3.2).
// Numbers only; route.h and router.h give them a meaning.
#ifndef ECUBE_SYSTEMC_PINS_H
#define ECUBE_SYSTEMC_PINS_H

#include <array>
#include <cstdint>
#include <vector>

#include "word.h"

namespace ecube
{

constexpr unsigned dims_max = 20;
constexpr unsigned vcs_max = 8;

// 3.1. DepthMax has no counterpart: a buffer of this model is as deep as its pin says.
struct shape {
    unsigned dims;              // 1..20
    unsigned links_per_dim;     // 2: the grid shape, 1: the cube shape
    unsigned locals;            // 1, or as many as links
    unsigned vcs;               // 1, 2, 4, 8
    bool dynamic = false;       // output VCs are chosen at every hop
    bool adaptive = false;      // so are links
    unsigned stages = 1;        // 1..3: of the pipeline
    unsigned address_bits = 16; // 16, 20: of dst and src in a word
    unsigned paths = 0;         // 1: message class 1 takes the other order; 2: classes are legs
    bool single = false;        // the VCs of a port share one input of the crossbar

    unsigned links() const { return dims * links_per_dim; }
    unsigned ports() const { return links() + locals; }
    unsigned bufs() const { return ports() * vcs; }
    bool is_cube() const { return links_per_dim == 1; }
    word_layout layout() const { return {address_bits, vcs}; }
};

enum class switching_mode { wormhole, cut_through, store_and_forward }; // 0, 1, 2 of switching_i

// 5.4: where the words for an address leave.
struct table_entry {
    std::uint8_t port = 0;
    bool dateline_class = false;
};

// 3.2. mask and radix are shifted to the dimension's field; both 0 for an unused dimension.
struct pins {
    std::uint32_t coord = 0;
    std::array<std::uint32_t, dims_max> mask{}, radix{};
    std::array<bool, dims_max> wrap{};
    bool dateline = false, order_high = false, balanced = false;
    bool two_classes = false; // of messages; only read if the shape is dynamic
    switching_mode switching = switching_mode::wormhole;
    unsigned depth = 0, packet = 0; // words
    std::vector<table_entry> table; // by address, as the configuration port leaves it; empty: none
};

} // namespace ecube

#endif
