// SPDX-License-Identifier: Apache-2.0
// Wiring: docs/ROUTER-CONTRACT.md, 4.1 to 4.3, 4.6 and 4.8.
#include "ecube-systemc/network.h"

namespace ecube
{

network::network(const sc_core::sc_module_name &name, const configuration &c)
    : network_ports(name, ecube::geometry(c).nodes(), ecube::geometry(c).shape()), geometry_(c),
      routers_("router"), words_("word"), late_words_("late_word"), credits_("credit"),
      late_credits_("late_credit"), links_("link")
{
    const ecube::shape s = geometry_.shape();
    const std::size_t links = std::size_t{nodes()} * s.links();
    words_.init(links);
    credits_.init(links);
    if (geometry_.link() > 1) {
        late_words_.init(links);
        late_credits_.init(links);
        links_.init(links, [&](const char *link_name, std::size_t) {
            return new long_link(link_name, geometry_.link() - 1);
        });
        for (std::size_t k = 0; k < links; k++)
            wire_long_link(k);
    }
    for (std::uint32_t node = 0; node < nodes(); node++)
        pins_.push_back(geometry_.pins(node));
    routers_.init(nodes(), [&](const char *router_name, std::size_t node) {
        return new ecube::router(router_name, s, pins_[node]);
    });
    for (std::uint32_t node = 0; node < nodes(); node++) {
        routers_[node].clk_i(clk_i);
        routers_[node].rst_i(rst_i);
        for (unsigned port = 0; port < s.links(); port++)
            wire_link(node, port);
        for (unsigned local = 0; local < s.locals; local++)
            wire_local(node, local);
    }
}

void network::wire_long_link(std::size_t k)
{
    links_[k].clk_i(clk_i);
    links_[k].rst_i(rst_i);
    links_[k].word_i(words_[k]);
    links_[k].word_o(late_words_[k]);
    links_[k].credit_i(credits_[k]);
    links_[k].credit_o(late_credits_[k]);
}

// The outputs of a link, words and credits, have their own signals. Its inputs are the outputs of
// the port at the other end.
void network::wire_link(std::uint32_t node, unsigned port)
{
    const unsigned links = geometry_.shape().links();
    ecube::router &r = routers_[node];
    const std::size_t own = std::size_t{node} * links + port;
    r.link_o[port](words_[own]);
    r.credit_o[port](credits_[own]);
    const std::optional<end> other = geometry_.other_end(node, port);
    if (other) {
        const std::size_t theirs = std::size_t{other->node} * links + other->port;
        const bool is_long = geometry_.link() > 1;
        r.link_i[port](is_long ? late_words_[theirs] : words_[theirs]);
        r.credit_i[port](is_long ? late_credits_[theirs] : credits_[theirs]);
    } else {
        r.link_i[port](no_word_);
        r.credit_i[port](no_credits_);
    }
}

void network::wire_local(std::uint32_t node, unsigned local)
{
    ecube::router &r = routers_[node];
    const unsigned port = geometry_.shape().links() + local;
    const std::size_t outside = std::size_t{node} * locals() + local;
    r.link_i[port](link_i[outside]);
    r.link_o[port](link_o[outside]);
    r.credit_i[port](credit_i[outside]);
    r.credit_o[port](credit_o[outside]);
}

} // namespace ecube
