// SPDX-License-Identifier: Apache-2.0
// The router. Each function implements a numbered rule of docs/ROUTER-CONTRACT.md.
#include "ecube-systemc/router.h"

#include <algorithm>
#include <string>

namespace ecube
{

router::router(const sc_core::sc_module_name &name, const ecube::shape &s, const ecube::pins &p)
    : sc_core::sc_module(name), clk_i("clk_i"), rst_i("rst_i"), link_i("link_i", s.ports()),
      link_o("link_o", s.ports()), credit_i("credit_i", s.ports()), credit_o("credit_o", s.ports()),
      shape_(s), wires_(p), pins_(p), route_(s, p), buffers_(s.bufs()), outputs_(s.bufs()),
      arbiters_(s.ports()), asks_(s.bufs()),
      granted_(s.bufs()), taps_{std::vector<std::uint8_t>(s.bufs()),
                                std::vector<std::uint8_t>(s.bufs()),
                                std::vector<std::uint8_t>(s.bufs()), true}
{
    reset(); // 9.3 allows any power-up state; this one is idle
    SC_HAS_PROCESS(router);
    SC_METHOD(clock);
    sensitive << clk_i.pos();
    dont_initialize();
}

void router::clock()
{
    if (rst_i.read()) {
        reset();
    } else {
        depart();
        arrive();
    }
    allocate();
    show();
}

// 9.2: all input VCs empty, all output VCs free with `depth` credits, all pointers 0.
void router::reset()
{
    pins_ = wires_;
    route_ = routing(shape_, pins_);
    for (buffer &b : buffers_)
        b.reset(pins_.depth);
    for (output_vc &o : outputs_)
        o = {pins_.depth, nobody};
    for (arbiter &a : arbiters_)
        a.reset(shape_.bufs());
    std::fill(granted_.begin(), granted_.end(), std::uint8_t{0});
}

void router::depart()
{
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const unsigned i = arbiters_[port].winner();
        if (i == nobody)
            continue;
        const word w = buffers_[i].front();
        output_vc &o = at(asks_[i]);
        buffers_[i].pop();
        o.credits--;
        o.holder = is_tail(w) ? nobody : i; // 6.1; a body flit leaves its holder as it was
        if (shape_.vcs > 1 || is_tail(w))
            arbiters_[port].advance(); // 6.4
    }
}

void router::arrive()
{
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const word w = link_i[port].read();
        if (is_valid(w))
            take(port, w);
        const credits c = credit_i[port].read();
        if (c != 0)
            give(port, c);
    }
}

void router::take(unsigned port, word w)
{
    const unsigned vc = shape_.vcs == 1 ? 0 : vc_of(w);
    if (vc >= shape_.vcs)
        complain("a word on a VC that does not exist", port, vc);
    else if (buffers_[port * shape_.vcs + vc].is_full())
        complain("a word without a credit", port, vc);
    else
        buffers_[port * shape_.vcs + vc].push(w);
}

void router::give(unsigned port, credits c)
{
    for (unsigned vc = 0; vc < shape_.vcs; vc++) {
        output_vc &o = outputs_[port * shape_.vcs + vc];
        if ((c >> vc & 1) == 0)
            continue;
        if (o.credits == pins_.depth)
            complain("a credit too many", port, vc);
        else
            o.credits++;
    }
}

// Section 13 lets a router do anything after this. The model reports the violation and ignores the
// input.
void router::complain(const char *what, unsigned port, unsigned vc)
{
    const std::string text = std::string(name()) + ": " + what + ", port " + std::to_string(port) +
                             ", VC " + std::to_string(vc);
    SC_REPORT_ERROR(contract_report, text.c_str());
}

// Section 7, the table's columns two and three.
unsigned router::need() const
{
    return pins_.switching == switching_mode::wormhole ? 1 : pins_.packet;
}

bool router::requests(unsigned i) const
{
    const output_vc &o = at(asks_[i]);
    if (o.holder == i)
        return o.credits >= 1;
    const bool may_start =
        pins_.switching != switching_mode::store_and_forward || buffers_[i].has_tail();
    return o.holder == nobody && o.credits >= need() && may_start;
}

void router::allocate()
{
    for (arbiter &a : arbiters_)
        a.begin();
    for (unsigned i = 0; i < shape_.bufs(); i++) {
        granted_[i] = 0;
        if (buffers_[i].is_empty())
            continue;
        asks_[i] = route_(dst_of(buffers_[i].front()), i / shape_.vcs, i % shape_.vcs);
        if (requests(i))
            arbiters_[asks_[i].port].request(i);
    }
    for (const arbiter &a : arbiters_) {
        if (a.winner() != nobody)
            granted_[a.winner()] = 1;
    }
}

void router::show()
{
    // 2.2, 2.4, 6.5: the granted flit with the number of its output VC, or zeros.
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const unsigned i = arbiters_[port].winner();
        word w = i == nobody ? no_word : buffers_[i].front();
        if (i != nobody && shape_.vcs > 1)
            w = with_vc(w, asks_[i].vc);
        link_o[port].write(w);
    }
    taps_.quiet = true;
    for (unsigned port = 0; port < shape_.ports(); port++) {
        credits freed = 0; // 4.6
        for (unsigned vc = 0; vc < shape_.vcs; vc++) {
            const unsigned i = port * shape_.vcs + vc;
            const bool waits = !buffers_[i].is_empty() && granted_[i] == 0;
            bool in_the_way = false; // 8
            freed |= credits{granted_[i]} << vc;
            if (waits) {
                const unsigned holder = at(asks_[i]).holder;
                in_the_way = arbiters_[asks_[i].port].winner() != nobody ||
                             (holder != nobody && holder != i);
            }
            taps_.contended[i] = waits && in_the_way;
            taps_.starved[i] = waits && !in_the_way;
            taps_.want[i] =
                buffers_[i].is_empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(asks_[i].port);
            taps_.quiet = taps_.quiet && buffers_[i].is_empty();
        }
        credit_o[port].write(freed);
    }
}

} // namespace ecube
