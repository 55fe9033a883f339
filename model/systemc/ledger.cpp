// SPDX-License-Identifier: Apache-2.0
// Book-keeping of credits. Knows channels by number; nothing of routers.
#include "ledger.h"

#include <cstdio>

namespace ecube
{

ledger::ledger(const geometry &g, unsigned depth)
    : ports_(g.shape().ports()), vcs_(g.shape().vcs), depth_(depth),
      out_(std::size_t{g.nodes()} * g.shape().bufs()), in_(out_.size())
{
}

void ledger::reset()
{
    out_.assign(out_.size(), 0);
    in_.assign(in_.size(), 0);
    fault_ = {};
}

void ledger::complain(std::uint64_t cycle, const place &p, const char *what)
{
    if (fault_.found)
        return;
    fault_.found = true;
    fault_.cycle = cycle;
    fault_.node = p.node;
    fault_.port = p.port;
    fault_.vc = p.vc;
    std::snprintf(fault_.what, sizeof fault_.what, "%s", what);
}

void ledger::change(std::vector<unsigned> &owed, std::uint64_t cycle, const place &p, bool more,
                    const char *channel)
{
    char what[sizeof fault_.what];
    const char *wrong = nullptr;
    if (p.vc >= vcs_) {
        wrong = "a VC that does not exist";
    } else if (more) {
        if (owed[index(p)]++ == depth_)
            wrong = "a word without a credit";
    } else if (owed[index(p)] == 0) {
        wrong = "a credit more than was taken";
    } else {
        owed[index(p)]--;
    }
    if (wrong) {
        std::snprintf(what, sizeof what, "%s on %s", wrong, channel);
        complain(cycle, p, what);
    }
}

void ledger::sent(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
{
    change(out_, cycle, {node, port, vc}, true, "an output channel");
}

void ledger::returned(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
{
    change(out_, cycle, {node, port, vc}, false, "an output channel");
}

void ledger::injected(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
{
    change(in_, cycle, {node, port, vc}, true, "an injection channel");
}

void ledger::freed(std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
{
    change(in_, cycle, {node, port, vc}, false, "an injection channel");
}

bool ledger::drained(std::uint64_t cycle, ec_net_fault &ret) const
{
    for (std::size_t i = 0; i < out_.size(); i++) {
        if (out_[i] == 0 && in_[i] == 0)
            continue;
        ret = {};
        ret.found = true;
        ret.cycle = cycle;
        ret.node = static_cast<std::uint32_t>(i / vcs_ / ports_);
        ret.port = static_cast<unsigned>(i / vcs_ % ports_);
        ret.vc = static_cast<unsigned>(i % vcs_);
        std::snprintf(ret.what, sizeof ret.what, "%u credits of %s are not back",
                      out_[i] ? out_[i] : in_[i],
                      out_[i] ? "an output channel" : "an injection channel");
        return false;
    }
    return true;
}

} // namespace ecube
