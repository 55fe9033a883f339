// SPDX-License-Identifier: Apache-2.0
// What a watcher of the net (ecube/net.h) is shown: what went into each router in a cycle and what
// it shows in the next. Reads ports and taps of the model; changes nothing.
#ifndef ECUBE_SYSTEMC_ONLOOKER_H
#define ECUBE_SYSTEMC_ONLOOKER_H

extern "C" {
#include "ecube/net.h"
}

#include <vector>

#include "ecube-systemc/network.h"

namespace ecube
{

// One router as a watcher sees it.
struct view {
    std::vector<std::uint64_t> in_word, in_credit, out_word, out_credit, contended, starved;
    std::vector<std::uint8_t> want;
    std::uint64_t in_valid = 0;

    view(unsigned ports, unsigned vcs)
        : in_word(ports), in_credit(vcs), out_word(ports), out_credit(vcs), contended(vcs),
          starved(vcs), want(std::size_t{ports} * vcs)
    {
    }
};

class onlooker
{
  public:
    explicit onlooker(const network &n);

    void watch(const ec_net_watch *w) { watch_ = w; }
    bool sees_routers() const { return watch_ && watch_->router; }

    void note_inputs();                  // before the edge, when the inputs have settled
    void see_cycle(std::uint64_t cycle); // after it, when the outputs have
    void see_reset();

  private:
    bool is_watched(std::uint32_t node) const
    {
        return !watch_->nodes || (watch_->nodes[node / 64] >> node % 64 & 1) != 0;
    }
    void note_router(std::uint32_t node);
    void show_router(std::uint32_t node, std::uint64_t cycle);

    const network &network_;
    const shape shape_;
    std::vector<view> views_; // [node]
    const ec_net_watch *watch_ = nullptr;
};

} // namespace ecube

#endif
