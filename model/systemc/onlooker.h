// SPDX-License-Identifier: Apache-2.0
// What a watcher of the net (ecube/net.h) is shown: what went into each router in a cycle and what
// it shows in the next. Reads ports and taps of the model; changes nothing.
#ifndef ECUBE_SYSTEMC_ONLOOKER_H
#define ECUBE_SYSTEMC_ONLOOKER_H

extern "C" {
#include "ecube/net.h"
#include "ecube/tile.h"
}

#include <vector>

#include "ecube-systemc/network.h"

namespace ecube
{

// How watchers number ports: local ports come after the links of a shape that may have more links.
class port_numbers
{
  public:
    port_numbers(const shape &s, const ec_tile_shape &seen)
        : links_(s.links()), seen_links_(seen.dims * seen.links_per_dim),
          seen_ports_(seen_links_ + seen.locals)
    {
    }
    unsigned operator()(unsigned port) const
    {
        return port < links_ ? port : port - links_ + seen_links_;
    }
    unsigned count() const { return seen_ports_; }

  private:
    unsigned links_, seen_links_, seen_ports_;
};

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
    // `seen` is the shape by which watchers number ports.
    onlooker(const network &n, const ec_tile_shape &seen);

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
    const port_numbers numbers_;
    std::vector<view> views_; // [node]
    const ec_net_watch *watch_ = nullptr;
};

} // namespace ecube

#endif
