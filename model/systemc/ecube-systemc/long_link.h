// SPDX-License-Identifier: Apache-2.0
// The registers on a link of several cycles: docs/ROUTER-CONTRACT.md, 4.8. Words and credits that
// one end shows are at the other end as many cycles later as there are registers. Knows time; must
// not know what it carries.
#ifndef ECUBE_SYSTEMC_LONG_LINK_H
#define ECUBE_SYSTEMC_LONG_LINK_H

#include <systemc>
#include <vector>

#include "network_ports.h"
#include "word.h"

namespace ecube
{

class long_link : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_i{"rst_i"};
    sc_core::sc_in<word> word_i{"word_i"};
    sc_core::sc_out<word> word_o{"word_o"};
    sc_core::sc_in<credits> credit_i{"credit_i"};
    sc_core::sc_out<credits> credit_o{"credit_o"};

    long_link(const sc_core::sc_module_name &name, unsigned registers)
        : sc_core::sc_module(name), registers_(registers)
    {
        SC_HAS_PROCESS(long_link);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

  private:
    struct cycle {
        word w = no_word;
        credits c = 0;
    };

    // The oldest register is overwritten; the next one is then the oldest, and is shown.
    void clock()
    {
        if (rst_i.read())
            registers_.assign(registers_.size(), cycle{});
        else
            registers_[oldest_] = {word_i.read(), credit_i.read()};
        oldest_ = oldest_ + 1 < registers_.size() ? oldest_ + 1 : 0;
        word_o.write(registers_[oldest_].w);
        credit_o.write(registers_[oldest_].c);
    }

    std::vector<cycle> registers_;
    std::size_t oldest_ = 0;
};

} // namespace ecube

#endif
