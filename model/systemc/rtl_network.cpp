// SPDX-License-Identifier: Apache-2.0
// From signals to the events of a net and back. Knows local ports only.
extern "C" {
#include "ecube/session.h"
}

#include <stdexcept>
#include <string>
#include <vector>

#include "ecube-systemc/rtl_network.h"

namespace ecube
{

// Words and credits of one cycle on all local ports, in and out.
struct rtl_network::events {
    std::vector<ec_port_word> words_in, words_out;
    std::vector<ec_port_credit> credits_in, credits_out;
    ec_port_events in{}, out{};
    std::vector<credits> shown; // [port] while outputs are collected, else 0

    events(std::size_t ports, unsigned vcs)
        : words_in(ports), words_out(ports), credits_in(ports * vcs), credits_out(ports * vcs),
          shown(ports)
    {
        in = {words_in.data(), credits_in.data(), 0, 0};
        out = {words_out.data(), credits_out.data(), 0, 0};
    }
};

namespace
{

// The network lives as long as its session.
std::shared_ptr<ec_net> open(const description &d)
{
    ec_session *session = nullptr;
    ec_case *c = nullptr;
    ec_net *net = nullptr;
    ec_error error{};
    ec_case_spec spec = ec_case_spec_default();
    spec.topology = d.topology.c_str();
    spec.router = d.router.empty() ? nullptr : d.router.c_str();
    spec.packet = d.packet;
    spec.longest = d.longest;
    ec_code code = ec_session_open(nullptr, &session, &error);
    const std::shared_ptr<ec_session> owner(session, ec_session_close);
    if (code == EC_OK)
        code = ec_case_open(session, &spec, &c, &error);
    if (code == EC_OK)
        code = ec_case_net(c, &net, &error);
    ec_case_close(c);
    if (code != EC_OK)
        throw std::runtime_error(error.message);
    return {owner, net};
}

} // namespace

rtl_network::rtl_network(const sc_core::sc_module_name &name, const description &d)
    : rtl_network(name, open(d))
{
}

rtl_network::rtl_network(const sc_core::sc_module_name &name, const handle &n)
    : network_ports(name, n->topology->nodes,
                    geometry(configure(*n->topology, *n->router)).shape()),
      net_(n), vcs_(n->router->vcs), events_(std::make_shared<events>(link_i.size(), vcs_))
{
    SC_HAS_PROCESS(rtl_network);
    SC_METHOD(clock);
    sensitive << clk_i.pos();
    dont_initialize();
}

std::uint32_t rtl_network::address(std::uint32_t node) const
{
    return ec_topology_address(net_->topology, node);
}

void rtl_network::clock()
{
    ec_net *net = net_.get();
    silence();
    if (rst_i.read()) {
        net->ops->reset(net);
        return;
    }
    take_inputs();
    net->ops->step(net, &events_->in, &events_->out);
    show_outputs();
    check();
}

// Clear the outputs of the previous cycle.
void rtl_network::silence()
{
    for (std::size_t i = 0; i < events_->out.word_count; i++)
        link_o[events_->words_out[i].port].write(no_word);
    for (std::size_t i = 0; i < events_->out.credit_count; i++)
        credit_o[events_->credits_out[i].port].write(0);
    events_->out.word_count = events_->out.credit_count = 0;
}

void rtl_network::take_inputs()
{
    ec_port_events &in = events_->in;
    in.word_count = in.credit_count = 0;
    for (std::uint32_t port = 0; port < link_i.size(); port++) {
        const word w = link_i[port].read();
        if (is_valid(w))
            in.words[in.word_count++] = {port, w};
        const credits c = credit_i[port].read();
        for (unsigned vc = 0; c != 0 && vc < vcs_; vc++) {
            if ((c >> vc & 1) != 0)
                in.credits[in.credit_count++] = {port, vc};
        }
    }
}

void rtl_network::show_outputs()
{
    const ec_port_events &out = events_->out;
    for (std::size_t i = 0; i < out.word_count; i++)
        link_o[out.words[i].port].write(out.words[i].word);
    for (std::size_t i = 0; i < out.credit_count; i++)
        events_->shown[out.credits[i].port] |= credits{1} << out.credits[i].vc;
    for (std::size_t i = 0; i < out.credit_count; i++) {
        credits &bits = events_->shown[out.credits[i].port];
        if (bits != 0)
            credit_o[out.credits[i].port].write(bits);
        bits = 0;
    }
}

// Section 13: after a broken rule anything may happen. Reported once.
void rtl_network::check()
{
    const ec_net_fault *fault = net_->ops->fault(net_.get());
    if (!fault->found || broken_)
        return;
    broken_ = true;
    const std::string text = std::string(name()) + ": node " + std::to_string(fault->node) +
                             ", port " + std::to_string(fault->port) + ", VC " +
                             std::to_string(fault->vc) + ": " + fault->what;
    SC_REPORT_ERROR(contract_report, text.c_str());
}

} // namespace ecube
