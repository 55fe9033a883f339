// SPDX-License-Identifier: Apache-2.0
// Routing. Knows addresses and pins; must not know buffers, credits or time.
#include "ecube-systemc/route.h"

namespace ecube
{

namespace
{

// The value of a field, given the field's mask. Masks are runs of ones, so that the lowest one is
// what the field counts in.
std::uint32_t field(std::uint32_t bits, std::uint32_t mask)
{
    const std::uint32_t unit = mask & (~mask + 1);
    return (bits & mask) / unit;
}

} // namespace

bool routing::differs(std::uint32_t dst, unsigned d) const
{
    const std::uint32_t mask = shape_.is_cube() ? std::uint32_t{1} << d : pins_.mask[d];
    return ((dst ^ pins_.coord) & mask) != 0;
}

unsigned routing::dimension(std::uint32_t dst, bool order_high) const
{
    for (unsigned k = 0; k < shape_.dims; k++) {
        const unsigned d = order_high ? shape_.dims - 1 - k : k;
        if (differs(dst, d))
            return d;
    }
    return shape_.dims;
}

unsigned routing::link(std::uint32_t dst, unsigned d) const
{
    if (shape_.is_cube())
        return d;
    const unsigned plus = 2 * d, minus = 2 * d + 1;
    const std::uint32_t mask = pins_.mask[d], unit = mask & (~mask + 1);
    const std::uint32_t r = pins_.radix[d] / unit;
    const std::uint32_t a = field(pins_.coord, mask), b = field(dst, mask);
    if (r == 2)
        return plus;
    if (!pins_.wrap[d])
        return b > a ? plus : minus;
    const std::uint32_t n = (b + r - a) % r; // steps up
    const bool tie_down = pins_.balanced && a % 2 == 1;
    return 2 * n < r || (2 * n == r && !tie_down) ? plus : minus;
}

bool routing::is_wrap_link(unsigned d, unsigned link) const
{
    if (!pins_.wrap[d])
        return false;
    const std::uint32_t mask = pins_.mask[d], unit = mask & (~mask + 1);
    const std::uint32_t last = pins_.radix[d] / unit - 1, a = field(pins_.coord, mask);
    return link == 2 * d ? a == last : a == 0;
}

bool routing::goes_round(std::uint32_t dst, unsigned d) const
{
    const std::uint32_t a = field(pins_.coord, pins_.mask[d]), b = field(dst, pins_.mask[d]);
    return link(dst, d) == 2 * d ? b < a : b > a;
}

std::vector<ask> routing::choices(std::uint32_t dst, unsigned vc) const
{
    const unsigned lane = pins_.dateline ? 2 : 1; // VCs of a lane
    const unsigned in_class = shape_.vcs / (pins_.two_classes ? 2 : 1), first = vc - vc % in_class;
    const unsigned escape = dimension(dst, pins_.order_high);
    const bool at_home = escape == shape_.dims;
    std::vector<ask> all;
    if (at_home)
        all.push_back({shape_.links(), first + lane, 1, in_class - lane, true});
    for (unsigned k = 0; k < shape_.dims; k++) {
        const unsigned d = pins_.order_high ? shape_.dims - 1 - k : k;
        if (differs(dst, d))
            all.push_back({link(dst, d), first + lane, 1, in_class - lane, true});
    }
    const bool upper = pins_.dateline && !at_home && pins_.wrap[escape] && !goes_round(dst, escape);
    all.push_back({all.front().port, first + (upper ? 1 : 0), 1, 1});
    return all;
}

// The dateline class on the next channel.
unsigned routing::next_class(unsigned d, unsigned link, unsigned port, unsigned vc) const
{
    if (!pins_.dateline || shape_.is_cube() || d == shape_.dims)
        return 0;
    if (is_wrap_link(d, link))
        return 1;
    const bool same_dimension = port < shape_.links() && port / shape_.links_per_dim == d;
    return same_dimension ? vc % 2 : 0;
}

ask routing::operator()(std::uint32_t named, unsigned port, unsigned vc) const
{
    // 5.6: what the message class says of the path, and where the word goes.
    const bool second = shape_.paths != 0 && vc >= shape_.vcs / 2, legs = shape_.paths == 2;
    const unsigned half = shape_.address_bits / 2;
    const bool turns = legs && !second && named >> half == pins_.coord;
    const std::uint32_t last = named & ((std::uint32_t{1} << half) - 1);
    const std::uint32_t dst = !legs ? named : second || turns ? last : named >> half;
    const bool listed = !pins_.table.empty(); // 5.4
    const table_entry entry = listed ? pins_.table.at(dst) : table_entry{};
    const unsigned d = dimension(dst, pins_.order_high != (shape_.paths == 1 && second));
    unsigned out;
    if (listed)
        out = entry.port;
    else if (d < shape_.dims)
        out = link(dst, d);
    else if (shape_.locals == 1)
        out = shape_.links();
    else // 5.1: by the local port of the link on which it came
        out = port < shape_.links() ? shape_.links() + port : port;
    // A VC number is (message class * lanes + lane) * dateline classes + dateline class. Lanes and
    // message classes never change in static allocation; in dynamic allocation, lanes may.
    const unsigned step = pins_.dateline ? 2 : 1;
    const unsigned from = turns ? shape_.ports() : port; // a new leg comes from no link
    const unsigned next = !listed          ? next_class(d, out, from, vc)
                          : pins_.dateline ? entry.dateline_class
                                           : 0;
    vc += turns ? shape_.vcs / 2 : 0;
    if (!shape_.dynamic)
        return {out, vc - vc % step + next, step, 1};
    const unsigned in_class = shape_.vcs / (pins_.two_classes ? 2 : 1);
    return {out, vc - vc % in_class + next, step, in_class / step};
}

} // namespace ecube
