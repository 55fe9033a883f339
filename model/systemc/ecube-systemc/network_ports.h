// SPDX-License-Identifier: Apache-2.0
// A network as a platform sees it: a clock, a reset, and the local ports of all nodes. Behind them
// is either the model (network.h) or the RTL (rtl_network.h).
//
// Rules at a local port are those of docs/ROUTER-CONTRACT.md, section 11. In short, for a node
// whose process is sensitive to the rising edge:
//
//   * at the edge it reads link_o and credit_o, which belong to the cycle that ends, and writes
//     link_i and credit_i for the cycle that begins;
//   * it begins with `depth` credits per port and VC, sends a word only against a credit (a head
//     against `packet` credits in cut-through and store-and-forward), and gets one back with each
//     bit in credit_o;
//   * for every word that it reads in link_o it returns one credit, once, in bit vc of credit_i.
//
// A node like this is a register, so it returns its credits a cycle later than the nodes of `ecube
// run`, which answer in the cycle in which they see a word.
#ifndef ECUBE_SYSTEMC_NETWORK_PORTS_H
#define ECUBE_SYSTEMC_NETWORK_PORTS_H

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "pins.h"
#include "word.h"

namespace ecube
{

// Credits of one port in one cycle: bit v is VC v's.
using credits = unsigned;

// The id of reports (SC_ERROR) of words and credits that break the contract (section 13).
constexpr char contract_report[] = "/ecube/contract";

class network_ports : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_i{"rst_i"}; // rising edge; synchronous, high = reset
    // Indices: node * locals() + local port. "In" and "out" are the network's, not the node's.
    sc_core::sc_vector<sc_core::sc_in<word>> link_i;
    sc_core::sc_vector<sc_core::sc_out<word>> link_o;
    sc_core::sc_vector<sc_core::sc_in<credits>> credit_i;
    sc_core::sc_vector<sc_core::sc_out<credits>> credit_o;

    std::uint32_t nodes() const { return nodes_; }
    unsigned locals() const { return locals_; }
    const word_layout &layout() const { return layout_; }

    // The packed coordinates of a node, for words (3.3).
    virtual std::uint32_t address(std::uint32_t node) const = 0;

  protected:
    network_ports(const sc_core::sc_module_name &name, std::uint32_t nodes, const shape &s)
        : sc_core::sc_module(name), link_i("link_i", std::size_t{nodes} * s.locals),
          link_o("link_o", std::size_t{nodes} * s.locals),
          credit_i("credit_i", std::size_t{nodes} * s.locals),
          credit_o("credit_o", std::size_t{nodes} * s.locals), nodes_(nodes), locals_(s.locals),
          layout_(s.layout())
    {
    }

  private:
    std::uint32_t nodes_;
    unsigned locals_;
    word_layout layout_;
};

} // namespace ecube

#endif
