// SPDX-License-Identifier: Apache-2.0
// The word (docs/ROUTER-CONTRACT.md, section 2). Knows bits; must not know routers.
#ifndef ECUBE_SYSTEMC_WORD_H
#define ECUBE_SYSTEMC_WORD_H

#include <cstdint>

namespace ecube
{

// A plain number, so that its signal is cheap.
using word = std::uint64_t;

constexpr word no_word = 0; // the value of a channel without a word (2.4)

constexpr bool is_valid(word w)
{
    return (w >> 63 & 1) != 0;
}
constexpr bool is_head(word w)
{
    return (w >> 62 & 1) != 0;
}
constexpr bool is_tail(word w)
{
    return (w >> 61 & 1) != 0;
}
constexpr unsigned vc_of(word w)
{
    return static_cast<unsigned>(w >> 59 & 3);
}
constexpr std::uint32_t dst_of(word w)
{
    return static_cast<std::uint32_t>(w >> 43 & 0xffff);
}
constexpr std::uint32_t src_of(word w)
{
    return static_cast<std::uint32_t>(w >> 27 & 0xffff);
}
constexpr std::uint32_t data_of(word w)
{
    return static_cast<std::uint32_t>(w & 0x7ffffff);
}

// The word with another VC, the only field that a router changes (2.2).
constexpr word with_vc(word w, unsigned vc)
{
    return (w & ~(word{3} << 59)) | word{vc & 3} << 59;
}

// What a node sends. dst and src are packed coordinates (3.3).
constexpr word make_word(bool head, bool tail, unsigned vc, std::uint32_t dst, std::uint32_t src,
                         std::uint32_t data)
{
    return word{1} << 63 | word{head} << 62 | word{tail} << 61 | word{vc & 3} << 59 |
           word{dst & 0xffff} << 43 | word{src & 0xffff} << 27 | word{data & 0x7ffffff};
}

} // namespace ecube

#endif
