// SPDX-License-Identifier: Apache-2.0
// Example platform that contains a network of ecube, as the model or as RTL.
//
//   platform model|rtl TOPOLOGY [ROUTER]
//
// Every node sends a message of eight words to every other node, the nearest label first, and
// checks what it gets. The last line has the cycle in which the last word arrived: model and RTL
// must agree.
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <systemc>
#include <vector>

#include <ecube-systemc/network.h>
#include <ecube-systemc/rtl_network.h>

using ecube::credits;
using ecube::word;

namespace
{

constexpr unsigned message = 8; // words, all in one packet

// A node at local port 0, which uses VC 0.
struct node : sc_core::sc_module {
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_i{"rst_i"};
    sc_core::sc_in<word> link_i{"link_i"};         // from the router
    sc_core::sc_out<word> link_o{"link_o"};        // to it
    sc_core::sc_in<credits> credit_i{"credit_i"};  // for words that were sent
    sc_core::sc_out<credits> credit_o{"credit_o"}; // for words that were taken

    node(const sc_core::sc_module_name &name, std::uint32_t number,
         const ecube::network_ports &network, const ecube::configuration &c)
        : sc_module(name), number_(number), network_(network), c_(c), next_(network.nodes())
    {
        SC_HAS_PROCESS(node);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    unsigned taken = 0, wrong = 0; // words
    unsigned last = 0;             // cycle in which the last word was on the channel

  private:
    void clock()
    {
        if (rst_i.read()) {
            room_ = c_.depth;
            return;
        }
        cycle_++;
        room_ += credit_i.read() & 1;
        take(link_i.read());
        link_o.write(give());
    }

    // The cycle that ends showed this word. Words of a source come in order.
    void take(word w)
    {
        credit_o.write(ecube::is_valid(w) ? credits{1} << network_.layout().vc_of(w) : 0);
        if (!ecube::is_valid(w))
            return;
        unsigned &expected = next_[source(w)];
        const bool good = network_.layout().dst_of(w) == network_.address(number_) &&
                          network_.layout().data_of(w) == expected &&
                          ecube::is_head(w) == (expected == 0) &&
                          ecube::is_tail(w) == (expected == message - 1);
        wrong += good ? 0 : 1;
        expected++;
        taken++;
        last = cycle_;
    }

    std::uint32_t source(word w) const
    {
        for (std::uint32_t other = 0; other < network_.nodes(); other++) {
            if (network_.address(other) == network_.layout().src_of(w))
                return other;
        }
        return number_; // no node sends to itself: counted as wrong
    }

    // The word for the cycle that begins: a head needs room for its whole packet in some modes.
    word give()
    {
        const bool head = word_ == 0;
        const unsigned need =
            head && c_.switching != ecube::switching_mode::wormhole ? c_.packet : 1;
        if (message_ == network_.nodes() || room_ < need)
            return ecube::no_word;
        const std::uint32_t to = (number_ + message_) % network_.nodes();
        const word w = network_.layout().make(head, word_ == message - 1, 0, network_.address(to),
                                              network_.address(number_), word_);
        room_--;
        word_ = (word_ + 1) % message;
        message_ += word_ == 0;
        return w;
    }

    const std::uint32_t number_;
    const ecube::network_ports &network_;
    const ecube::configuration c_;
    unsigned cycle_ = 0, room_ = 0;
    unsigned message_ = 1, word_ = 0; // to be sent next
    std::vector<unsigned> next_;      // [source] word expected
};

// Clock, reset, network, a node at each of its ports.
struct platform {
    ecube::configuration configuration;
    std::unique_ptr<ecube::network_ports> network;
    sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
    sc_core::sc_signal<bool> reset{"reset"};
    sc_core::sc_vector<sc_core::sc_signal<word>> to_network, from_network;
    sc_core::sc_vector<sc_core::sc_signal<credits>> credit_to_network, credit_from_network;
    sc_core::sc_vector<node> nodes;

    platform(const ecube::description &d, bool rtl)
        : configuration(ecube::configure(d)), network(open(d, rtl)),
          to_network("to_network", network->nodes()),
          from_network("from_network", network->nodes()),
          credit_to_network("credit_to_network", network->nodes()),
          credit_from_network("credit_from_network", network->nodes()), nodes("node")
    {
        if (network->locals() != 1)
            throw std::invalid_argument("this platform has one local port per node");
        network->clk_i(clock);
        network->rst_i(reset);
        network->link_i(to_network);
        network->link_o(from_network);
        network->credit_i(credit_to_network);
        network->credit_o(credit_from_network);
        nodes.init(network->nodes(), [&](const char *name, std::size_t i) {
            return new node(name, static_cast<std::uint32_t>(i), *network, configuration);
        });
        for (std::size_t i = 0; i < nodes.size(); i++) {
            nodes[i].clk_i(clock);
            nodes[i].rst_i(reset);
            nodes[i].link_i(from_network[i]);
            nodes[i].link_o(to_network[i]);
            nodes[i].credit_i(credit_from_network[i]);
            nodes[i].credit_o(credit_to_network[i]);
        }
    }

    std::unique_ptr<ecube::network_ports> open(const ecube::description &d, bool rtl) const
    {
        if (rtl)
            return std::make_unique<ecube::rtl_network>("network", d);
        return std::make_unique<ecube::network>("network", configuration);
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc < 3 || argc > 4 || (std::strcmp(argv[1], "model") && std::strcmp(argv[1], "rtl"))) {
        std::fprintf(stderr, "usage: %s model|rtl TOPOLOGY [ROUTER]\n", argv[0]);
        return 2;
    }
    try {
        const ecube::description d{argv[2], argc == 4 ? argv[3] : "", message, message};
        platform p(d, std::strcmp(argv[1], "rtl") == 0);
        p.reset.write(true);
        sc_core::sc_start(2, sc_core::SC_NS);
        p.reset.write(false);
        const unsigned all = p.network->nodes() * (p.network->nodes() - 1) * message;
        unsigned taken = 0, wrong = 0, last = 0;
        // Long enough for all words through one link.
        for (unsigned cycle = 0; taken < all && cycle < 100 + 4 * all; cycle++) {
            sc_core::sc_start(1, sc_core::SC_NS);
            taken = wrong = 0;
            for (const node &n : p.nodes) {
                taken += n.taken;
                wrong += n.wrong;
                last = n.last > last ? n.last : last;
            }
        }
        std::printf("%s: %u of %u words, %u wrong, the last in cycle %u\n", argv[2], taken, all,
                    wrong, last);
        return taken == all && wrong == 0 ? 0 : 1;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "platform: %s\n", e.what());
        return 2;
    }
}
