// SPDX-License-Identifier: Apache-2.0
// From ports and taps to masks.
#include "onlooker.h"

#include <algorithm>

namespace ecube
{

onlooker::onlooker(const network &n)
    : network_(n), shape_(n.geometry().shape()), views_(n.nodes(), view(shape_.ports(), shape_.vcs))
{
}

void onlooker::note_router(std::uint32_t node)
{
    const router &r = network_.router(node);
    view &v = views_[node];
    v.in_valid = 0;
    std::fill(v.in_credit.begin(), v.in_credit.end(), 0);
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const word w = r.link_i[port].read();
        const credits c = r.credit_i[port].read();
        v.in_word[port] = w;
        v.in_valid |= std::uint64_t{is_valid(w)} << port;
        for (unsigned vc = 0; vc < shape_.vcs; vc++)
            v.in_credit[vc] |= std::uint64_t{c >> vc & 1} << port;
    }
}

void onlooker::show_router(std::uint32_t node, std::uint64_t cycle)
{
    const router &r = network_.router(node);
    const taps &t = r.taps();
    view &v = views_[node];
    ec_net_seen seen{};
    for (auto *masks : {&v.out_credit, &v.contended, &v.starved})
        std::fill(masks->begin(), masks->end(), 0);
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const word w = r.link_o[port].read();
        const credits freed = r.credit_o[port].read();
        v.out_word[port] = w;
        seen.out_valid |= std::uint64_t{is_valid(w)} << port;
        for (unsigned vc = 0; vc < shape_.vcs; vc++) {
            const unsigned i = port * shape_.vcs + vc;
            v.out_credit[vc] |= std::uint64_t{freed >> vc & 1} << port;
            v.contended[vc] |= std::uint64_t{t.contended[i]} << port;
            v.starved[vc] |= std::uint64_t{t.starved[i]} << port;
            v.want[i] = static_cast<std::uint8_t>(t.want[i]);
        }
    }
    seen.cycle = cycle;
    seen.node = node;
    seen.in_word = v.in_word.data();
    seen.in_credit = v.in_credit.data();
    seen.in_valid = v.in_valid;
    seen.out_word = v.out_word.data();
    seen.out_credit = v.out_credit.data();
    seen.contended = v.contended.data();
    seen.starved = v.starved.data();
    seen.want = v.want.data();
    watch_->router(watch_->context, &seen);
}

void onlooker::note_inputs()
{
    for (std::uint32_t node = 0; node < network_.nodes(); node++) {
        if (is_watched(node))
            note_router(node);
    }
}

void onlooker::see_cycle(std::uint64_t cycle)
{
    for (std::uint32_t node = 0; sees_routers() && node < network_.nodes(); node++) {
        if (is_watched(node))
            show_router(node, cycle);
    }
    if (watch_ && watch_->cycle)
        watch_->cycle(watch_->context, cycle);
}

void onlooker::see_reset()
{
    if (watch_ && watch_->reset)
        watch_->reset(watch_->context);
}

} // namespace ecube
