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

// The other fields. Their widths depend on the network: addresses of 16 or 20 bits, and 2 bits for
// the VC, or 3 with eight VCs.
class word_layout
{
  public:
    constexpr word_layout(unsigned address_bits, unsigned vcs)
        : vc_{vcs == 8 ? 3u : 2u, 61}, dst_{address_bits, vc_.first},
          src_{address_bits, dst_.first}, data_{src_.first, src_.first}
    {
    }

    constexpr unsigned vc_of(word w) const { return vc_.of(w); }
    constexpr std::uint32_t dst_of(word w) const { return dst_.of(w); }
    constexpr std::uint32_t src_of(word w) const { return src_.of(w); }
    constexpr std::uint32_t data_of(word w) const { return data_.of(w); }

    // The word with another VC, the only field that a router changes (2.2).
    constexpr word with_vc(word w, unsigned vc) const { return (w & ~vc_.mask()) | vc_.put(vc); }

    // What a node sends. dst and src are packed coordinates (3.3).
    constexpr word make(bool head, bool tail, unsigned vc, std::uint32_t dst, std::uint32_t src,
                        std::uint32_t data) const
    {
        return word{1} << 63 | word{head} << 62 | word{tail} << 61 | vc_.put(vc) | dst_.put(dst) |
               src_.put(src) | data_.put(data);
    }

  private:
    // So many bits, below bit `above`.
    struct field {
        unsigned bits, first;
        constexpr field(unsigned width, unsigned above) : bits(width), first(above - width) {}
        constexpr word mask() const { return ((word{1} << bits) - 1) << first; }
        constexpr word put(std::uint32_t value) const { return word{value} << first & mask(); }
        constexpr std::uint32_t of(word w) const
        {
            return static_cast<std::uint32_t>((w & mask()) >> first);
        }
    };
    field vc_, dst_, src_, data_;
};

} // namespace ecube

#endif
