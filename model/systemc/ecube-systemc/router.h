// SPDX-License-Identifier: Apache-2.0
// A router: docs/ROUTER-CONTRACT.md, sections 4 and 6 to 9. Knows its own ports; must not know
// neighbours, nodes or the number of routers.
//
// One process, at the rising edge: it takes the inputs of the ending cycle, computes the state of
// the next cycle, and sets the outputs from that state. So outputs are functions of registers only
// (section 1, Moore rule), and a cycle is one delta cycle.
//
// Stages: an input VC is always followed by route and allocation, in the same cycle. With three
// stages a word waits for a cycle in front of its input VC; with two or three, a granted word takes
// another cycle to the output channel.
#ifndef ECUBE_SYSTEMC_ROUTER_H
#define ECUBE_SYSTEMC_ROUTER_H

#include <cstdint>
#include <systemc>
#include <vector>

#include "arbiter.h"
#include "buffer.h"
#include "network_ports.h"
#include "pins.h"
#include "route.h"
#include "word.h"

namespace ecube
{

// Section 8; indices are numbers of input VCs, port * vcs + vc. Taps are for observation only, so
// they are plain values: signals would cost time in every cycle. They belong to the same cycle as
// the outputs: read them when the delta cycle of the rising edge is over.
struct taps {
    std::vector<std::uint8_t> contended, starved; // 0 or 1
    std::vector<std::uint8_t> want;               // output port; 0 where the input VC is empty
    bool quiet;
};

class router : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk_i, rst_i;
    sc_core::sc_vector<sc_core::sc_in<word>> link_i;       // [port] 3.4
    sc_core::sc_vector<sc_core::sc_out<word>> link_o;      // [port]
    sc_core::sc_vector<sc_core::sc_in<credits>> credit_i;  // [port] for output VCs
    sc_core::sc_vector<sc_core::sc_out<credits>> credit_o; // [port] of input VCs

    // `p` is sampled while reset is high (3.2): the caller keeps it.
    router(const sc_core::sc_module_name &name, const ecube::shape &s, const ecube::pins &p);

    const ecube::taps &taps() const { return taps_; }
    const ecube::shape &shape() const { return shape_; }

  private:
    static constexpr unsigned nobody = arbiter::nobody;

    // An output VC: the other end of an output channel (4.5, 6.1).
    struct output_vc {
        unsigned credits;
        unsigned holder; // input VC, or nobody
        bool is_free() const { return holder == nobody; }
    };

    // The rising edge.
    void clock();

    // The state: what happens at the edge.
    void reset();  // 9
    void depart(); // 6.1, 6.4, 6.5: what the granted flits leave behind
    void arrive(); // 4.4, 4.5: words and credits on the wires
    void take(unsigned port, word w);
    void give(unsigned port, credits c);
    void complain(const char *what, unsigned port, unsigned vc);

    // Functions of the state.
    void allocate();                          // 6
    bool is_passed_over(unsigned i) const;    // 6.6, 8
    unsigned way_out(unsigned i) const;       // 6.2: the output VC that the front flit can take
    unsigned first_way_out(unsigned i) const; // the same for a head
    bool is_barred(unsigned i) const;         // 8: are all VCs that a front head may take held?
    bool may_start(unsigned i) const;         // 7
    unsigned need(const ask &a) const;        // 7, 5.5
    ask choose(unsigned i) const;             // 5.5
    word granted_word(unsigned port) const;   // 2.2, 6.5
    void show();                              // 6.5
    void tap();                               // 8

    // The output VC that is number k of those that input VC i asks for.
    unsigned asked(unsigned i, unsigned k) const
    {
        const ask &a = asks_[i];
        return a.port * shape_.vcs + a.first + k * a.step;
    }
    unsigned input(unsigned port, word w) const
    {
        return port * shape_.vcs + (shape_.vcs == 1 ? 0 : layout_.vc_of(w));
    }

    const ecube::shape shape_;
    const word_layout layout_;
    const ecube::pins &wires_; // the pins now
    ecube::pins pins_;         // the pins at the last reset
    routing route_;

    // Registers.
    std::vector<buffer> buffers_;    // [input VC]
    std::vector<unsigned> held_;     // [input VC] the output VC that it holds, or nobody
    std::vector<output_vc> outputs_; // [output VC]
    std::vector<arbiter> arbiters_;  // [output port]
    std::vector<arbiter> choosers_;  // [input port] 6.6; requesters are its VCs
    std::vector<word> routed_;       // [input port] the route stage of three stages
    std::vector<word> traversing_;   // [output port] the traversal stage of two or three

    // This cycle's allocation.
    std::vector<ask> asks_;             // [input VC], where it is not empty
    std::vector<unsigned> ways_;        // [input VC], where it requests: the output VC
    std::vector<std::uint8_t> granted_; // [input VC]
    ecube::taps taps_;
};

} // namespace ecube

#endif
