// SPDX-License-Identifier: Apache-2.0
// A router: docs/ROUTER-CONTRACT.md, sections 4 and 6 to 9. Knows its own ports; must not know
// neighbours, nodes or the number of routers.
//
// One process, at the rising edge: it takes the inputs of the ending cycle, computes the state of
// the next cycle, and sets the outputs from that state. So outputs are functions of registers only
// (section 1, Moore rule), and a cycle is one delta cycle.
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
    void allocate();                 // 6
    bool requests(unsigned i) const; // 6.2
    unsigned need() const;           // 7
    void show();                     // 6.5, 8

    output_vc &at(const ask &a) { return outputs_[a.port * shape_.vcs + a.vc]; }
    const output_vc &at(const ask &a) const { return outputs_[a.port * shape_.vcs + a.vc]; }

    const ecube::shape shape_;
    const ecube::pins &wires_; // the pins now
    ecube::pins pins_;         // the pins at the last reset
    routing route_;

    // Registers.
    std::vector<buffer> buffers_;    // [input VC]
    std::vector<output_vc> outputs_; // [output VC]
    std::vector<arbiter> arbiters_;  // [output port]

    // This cycle's allocation.
    std::vector<ask> asks_;             // [input VC], where it is not empty
    std::vector<std::uint8_t> granted_; // [input VC]
    ecube::taps taps_;
};

} // namespace ecube

#endif
