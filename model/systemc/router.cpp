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
      shape_(s), layout_(s.layout()), wires_(p), pins_(p), route_(s, p), buffers_(s.bufs()),
      held_(s.bufs()), outputs_(s.bufs()), arbiters_(s.ports()), choosers_(s.ports()),
      routed_(s.ports()), traversing_(s.ports()), asks_(s.bufs()), ways_(s.bufs()),
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
    tap();
}

// 9.2: all input VCs and stages empty, all output VCs free with `depth` credits, all pointers 0.
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
    for (arbiter &a : choosers_)
        a.reset(shape_.vcs);
    std::fill(held_.begin(), held_.end(), nobody);
    std::fill(routed_.begin(), routed_.end(), no_word);
    std::fill(traversing_.begin(), traversing_.end(), no_word);
}

void router::depart()
{
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const unsigned i = arbiters_[port].winner();
        traversing_[port] = granted_word(port);
        if (i == nobody)
            continue;
        const bool tail = is_tail(buffers_[i].front());
        output_vc &o = outputs_[ways_[i]];
        buffers_[i].pop();
        o.credits--;
        o.holder = tail ? nobody : i; // 6.1; a body flit leaves its holder as it was
        held_[i] = tail ? nobody : ways_[i];
        if (shape_.vcs > 1 || tail)
            arbiters_[port].advance(); // 6.4
        if (shape_.single)
            choosers_[i / shape_.vcs].advance(); // 6.6
    }
}

void router::arrive()
{
    for (unsigned port = 0; port < shape_.ports(); port++) {
        if (is_valid(routed_[port]))
            buffers_[input(port, routed_[port])].push(routed_[port]);
        routed_[port] = no_word;
        const word w = link_i[port].read();
        if (is_valid(w))
            take(port, w);
        const credits c = credit_i[port].read();
        if (c != 0)
            give(port, c);
    }
}

// A word in the route stage has its place in the buffer already.
void router::take(unsigned port, word w)
{
    const unsigned i = input(port, w), vc = i - port * shape_.vcs;
    if (vc >= shape_.vcs)
        complain("a word on a VC that does not exist", port, vc);
    else if (buffers_[i].is_full())
        complain("a word without a credit", port, vc);
    else if (shape_.stages == 3)
        routed_[port] = w;
    else
        buffers_[i].push(w);
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

// Section 7, the table's columns two and three. An adaptive VC is open only if its buffer has room
// for a whole packet, or in wormhole is empty.
unsigned router::need(const ask &a) const
{
    if (pins_.switching != switching_mode::wormhole)
        return pins_.packet;
    return a.adaptive ? pins_.depth : 1;
}

// Of the ports with an open adaptive VC the first one with the most credits, else the escape VC.
ask router::choose(unsigned i) const
{
    const std::vector<ask> choices =
        route_.choices(layout_.dst_of(buffers_[i].front()), i % shape_.vcs);
    ask best = choices.back();
    unsigned most = 0;
    for (const ask &a : choices) {
        unsigned room = 0;
        bool open = false;
        for (unsigned k = 0; k < a.count && a.adaptive; k++) {
            const output_vc &o = outputs_[a.port * shape_.vcs + a.first + k];
            room += o.credits;
            open = open || (o.is_free() && o.credits >= need(a));
        }
        if (open && room > most) {
            most = room;
            best = a;
        }
    }
    return best;
}

bool router::may_start(unsigned i) const
{
    return pins_.switching != switching_mode::store_and_forward || buffers_[i].has_tail();
}

// The lowest output VC that is free and has the credits.
unsigned router::first_way_out(unsigned i) const
{
    for (unsigned k = 0; k < asks_[i].count; k++) {
        const output_vc &o = outputs_[asked(i, k)];
        if (o.is_free() && o.credits >= need(asks_[i]))
            return asked(i, k);
    }
    return nobody;
}

unsigned router::way_out(unsigned i) const
{
    if (held_[i] != nobody)
        return outputs_[held_[i]].credits >= 1 ? held_[i] : nobody;
    return may_start(i) ? first_way_out(i) : nobody;
}

void router::allocate()
{
    for (arbiter &a : arbiters_)
        a.begin();
    for (arbiter &a : choosers_)
        a.begin();
    for (unsigned i = 0; i < shape_.bufs(); i++) {
        if (buffers_[i].is_empty())
            continue;
        if (!shape_.adaptive)
            asks_[i] = route_(layout_.dst_of(buffers_[i].front()), i / shape_.vcs, i % shape_.vcs);
        else if (held_[i] == nobody)
            asks_[i] = choose(i);
        else // a body flit follows its head
            asks_[i].port = held_[i] / shape_.vcs;
        ways_[i] = way_out(i);
        if (ways_[i] != nobody && shape_.single)
            choosers_[i / shape_.vcs].request(i % shape_.vcs);
        else if (ways_[i] != nobody)
            arbiters_[asks_[i].port].request(i);
    }
    for (unsigned port = 0; shape_.single && port < shape_.ports(); port++) { // 6.6
        const unsigned i = port * shape_.vcs + choosers_[port].winner();
        if (choosers_[port].winner() != nobody)
            arbiters_[asks_[i].port].request(i);
    }
    std::fill(granted_.begin(), granted_.end(), std::uint8_t{0});
    for (const arbiter &a : arbiters_) {
        if (a.winner() != nobody)
            granted_[a.winner()] = 1;
    }
}

// 6.6: another VC of the port goes first.
bool router::is_passed_over(unsigned i) const
{
    return shape_.single && ways_[i] != nobody &&
           choosers_[i / shape_.vcs].winner() != i % shape_.vcs;
}

// The flit that an output port grants, with the number of its output VC, or zeros.
word router::granted_word(unsigned port) const
{
    const unsigned i = arbiters_[port].winner();
    if (i == nobody)
        return no_word;
    const word w = buffers_[i].front();
    return shape_.vcs > 1 ? layout_.with_vc(w, ways_[i] - port * shape_.vcs) : w;
}

void router::show()
{
    for (unsigned port = 0; port < shape_.ports(); port++) {
        credits freed = 0; // 4.6
        for (unsigned vc = 0; vc < shape_.vcs; vc++)
            freed |= credits{granted_[port * shape_.vcs + vc]} << vc;
        credit_o[port].write(freed);
        link_o[port].write(shape_.stages == 1 ? granted_word(port) : traversing_[port]);
    }
}

bool router::is_barred(unsigned i) const
{
    for (unsigned k = 0; k < asks_[i].count; k++) {
        if (outputs_[asked(i, k)].is_free())
            return false;
    }
    return held_[i] == nobody;
}

void router::tap()
{
    taps_.quiet = true;
    for (unsigned i = 0; i < shape_.bufs(); i++) {
        const bool waits = !buffers_[i].is_empty() && granted_[i] == 0;
        const bool in_the_way = waits && (arbiters_[asks_[i].port].winner() != nobody ||
                                          is_barred(i) || is_passed_over(i));
        taps_.contended[i] = waits && in_the_way;
        taps_.starved[i] = waits && !in_the_way;
        taps_.want[i] =
            buffers_[i].is_empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(asks_[i].port);
        taps_.quiet = taps_.quiet && buffers_[i].is_empty();
    }
    for (unsigned port = 0; port < shape_.ports(); port++) {
        taps_.quiet = taps_.quiet && !is_valid(routed_[port]);
        taps_.quiet = taps_.quiet && (shape_.stages == 1 || !is_valid(traversing_[port]));
    }
}

} // namespace ecube
