// SPDX-License-Identifier: Apache-2.0
// The ledger of all channels: words sent less credits returned, per channel and VC, must stay
// between 0 and depth and end at 0. Kept from what is on the wires, apart from the routers' own
// counts.
#ifndef ECUBE_SYSTEMC_LEDGER_H
#define ECUBE_SYSTEMC_LEDGER_H

extern "C" {
#include "ecube/net.h"
}

#include <vector>

#include "ecube-systemc/geometry.h"

namespace ecube
{

class ledger
{
  public:
    explicit ledger(const geometry &g, unsigned depth);

    void reset();
    // A word leaves `node` by an output port; a credit comes back to it.
    void sent(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc);
    void returned(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc);
    // A node injects at a local port; its router returns a credit. `port` is the router's.
    void injected(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc);
    void freed(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc);

    const ec_net_fault &fault() const { return fault_; }
    // Are all credits back? Else one that is not is named, as of `cycle`.
    bool drained(std::uint64_t cycle, ec_net_fault &ret) const;

  private:
    struct place {
        std::uint32_t node;
        unsigned port, vc;
    };
    std::size_t index(const place &p) const
    {
        return (std::size_t{p.node} * ports_ + p.port) * vcs_ + p.vc;
    }
    void change(std::vector<unsigned> &owed, std::uint64_t cycle, const place &p, bool more,
                const char *channel);
    void complain(std::uint64_t cycle, const place &p, const char *what);

    unsigned ports_, vcs_, depth_;
    std::vector<unsigned> out_, in_; // [(node * ports + port) * vcs + vc]
    ec_net_fault fault_{};
};

} // namespace ecube

#endif
